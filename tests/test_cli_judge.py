"""The command `judge`: what it prints, and its exit codes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tuolaji import cli


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["judge", *args], catch_exceptions=False)


def test_the_command_judges_leads() -> None:
    result = run(
        "lead", "dwf", "--trump", "h", "--cards", "5s 7s 7s 9s 9s", "--other", "Ts Ts 4s", "--other", "6s"
    )
    assert result.exit_code == cli.FAULTS
    assert result.stdout == (
        "pair    9s 9s\npair    7s 7s\nsingle  5s\n"
        "The throw fails (COM-10): 7s 7s must be played, and 9s 9s 5s go back to the hand.\n"
    )
    result = run("lead", "dwf", "--trump", "h", "--cards", "5s 5s", "--lang", "zh")
    assert (result.exit_code, result.stdout) == (0, "对子  ♠5 ♠5\n只有一个牌型，不是甩牌，照出。\n")
    result = run("lead", "hwwj", "--trump", "h", "--cards", "9c 9c 9c Tc Tc Kc", "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "legal": True,
        "stands": True,
        "played": ["Kc", "Tc", "Tc", "9c", "9c", "9c"],
        "components": [
            {"kind": "tractor", "levels": 2, "triples": 1, "cards": ["Tc", "Tc", "9c", "9c", "9c"]},
            {"kind": "single", "levels": 1, "triples": 0, "cards": ["Kc"]},
        ],
    }
    result = run("lead", "dwf", "--trump", "h", "--cards", "5s 5c", "--format", "json")
    assert result.exit_code == cli.FAULTS
    assert json.loads(result.stdout)["clause"] == "COM-9"


def test_the_command_judges_follows() -> None:
    args = [
        "follow",
        "die-wu-fen",
        "--trump",
        "h",
        "--hand",
        "3h 3h Kh Kh 4h 4c",
        "--lead",
        "Ks Ks Qs Qs",
        "--play",
    ]
    assert run(*args, "3h 3h Kh Kh").stdout == "Legal.\n"
    result = run(*args, "4h 3h 3h Kh", "--lang", "zh")
    assert result.exit_code == cli.FAULTS
    assert result.stdout == "违例（DWF-11d）：♠ 缺门，首出的是两连对拖拉机：须垫最大的主对：♥3 ♥3 ♥K ♥K。\n"
    result = run(*args, "4h 3h 3h Kh", "--format", "json")
    assert json.loads(result.stdout)["legal"] is False
    assert json.loads(result.stdout)["clause"] == "DWF-11d"
    assert run(*args, "4h 3h 3h 4c", "--set", "forced_trump=off").exit_code == 0
    result = run(
        "follow", "hwwj", "--trump", "h", "--hand", "Ac 4c", "--lead", "Ks", "--play", "Ac", "--named", "Ac"
    )
    assert result.exit_code == cli.FAULTS
    assert result.stdout.startswith("Illegal (HW-9): Ac was named")


def test_the_command_judges_tricks() -> None:
    args = ["trick", "dwf", "--trump", "h", "--play", "5s 4s 4s", "--play", "9h 7h 7h", "--play", "8h 8h 4h"]
    result = run(*args)
    assert (result.exit_code, result.stdout) == (
        0,
        "Play 3 wins, with a ruff: 8h 8h 4h. Points in the trick: 5.\n",
    )
    assert run(*args, "--lang", "zh").stdout == "第 3 手毙牌赢得此轮：♥8 ♥8 ♥4。本轮 5 分。\n"
    verdict = json.loads(run(*args, "--format", "json").stdout)
    assert verdict == {"legal": True, "winner": 2, "ruffed": True, "points": 5}
    result = run("trick", "dwf", "--trump", "h", "--play", "5s", "--play", "4s 4s")
    assert (result.exit_code, result.stdout) == (
        1,
        "Illegal (COM-11): play 2: 1 card was led, but 2 played.\n",
    )


@pytest.mark.parametrize(
    "args",
    [
        ["lead", "dwf", "--trump", "h", "--cards", "As As As"],
        ["lead", "dwf", "--trump", "h", "--cards", "Zs"],
        ["lead", "dwf", "--cards", "As"],
        ["lead", "dwf", "--trump", "x", "--cards", "As"],
        ["follow", "dwf", "--trump", "h", "--hand", "As", "--lead", "Ks"],
        ["follow", "dwf", "--trump", "h", "--hand", "As", "--lead", "Ks", "--play", "As", "--named", "Ac"],
        ["follow", "bridge", "--trump", "h", "--hand", "As", "--lead", "Ks", "--play", "As"],
        ["trick", "dwf", "--trump", "h"],
        ["trick", "dwf", "--trump", "h", "--play", "As", "--rules", "hong-wu-wu-jia"],
    ],
)
def test_bad_input_is_exit_2_with_one_sentence(args: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == cli.BAD_USAGE
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
