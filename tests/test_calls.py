"""What Python's callers may hand over: one reading of rules, policies, biddings and words for all functions."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tuolaji
from tuolaji.cli import main
from tuolaji.sim import threshold, threshold_hong_wu_wu_jia
from tuolaji.sim.bidding import read_bidding, shipped
from tuolaji.sim.errors import UsageError
from tuolaji.sim.rules import RuleSet

HAND = " ".join(f"{rank}{suit}" for suit in "sh" for rank in "A23456789TJQK") + " BJ SJ 3h Ac Kc Qc Jc"
CHANGE = {"points_five": 10}

#: Every public function that takes rules, as the options it found.
RULED: dict[str, Callable[..., Any]] = {
    "simulate": lambda **given: tuolaji.simulate("dwf", 30, seed=3, **given).to_pylist(),
    "replay": lambda **given: tuolaji.replay("dwf", 3, 0, **given)["rules"],
    "match": lambda **given: tuolaji.match("dwf", "greedy", "random", deals=2, **given)["rules_changed"],
    "compare": lambda **given: [
        row["rules"]
        for row in tuolaji.compare("dwf", 100, {"bid_max": 190}, resamples=100, **given)["variants"]
    ],
    "advise": lambda **given: tuolaji.advise("dwf", HAND, trump="h", fixed=2, **given)["rules"]["rules"],
    "judge.trick": lambda **given: tuolaji.judge.trick("dwf", "h", ["As"], **given),
    "threshold": lambda **given: threshold.ask("dwf", 1000, **given).plan.rules,
}
QUICK = {"policies": "random"}
#: Those that play by policies.
PLAYED = ["simulate", "replay", "compare", "advise"]


def plan_options(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {**(QUICK if name in PLAYED else {}), **given}


@pytest.mark.parametrize("name", RULED)
def test_rules_are_read_alike(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "die-wu-fen"\npoints_five = 10\n')
    found = [
        RULED[name](**plan_options(name, {"rules": given}))
        for given in (
            CHANGE,
            RuleSet.build("dwf", CHANGE),
            str(file),
            file,
            {"points_five": np.int16(10)},
        )
    ]
    assert all(each == found[0] for each in found)
    assert name == "judge.trick" or found[0] != RULED[name](**plan_options(name, {}))


@pytest.mark.parametrize("name", RULED)
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (5, "5 is no rule set; allowed are the name of a preset, a TOML file, options like"),
        (["die-wu-fen"], "is no rule set"),
        (b"die-wu-fen", "is no rule set"),
        ({5: 4}, r'has no option "5"'),
        ({"bottom_multiplier": "four"}, "bottom_multiplier is"),
        ({"bottom_multiplier": None}, "bottom_multiplier is"),
        ("nowhere", "there is no rule set or file"),
        (Path("nowhere"), r"the rule file .*nowhere.* can't be read"),
        ("hong-wu-wu-jia", "is for hong-wu-wu-jia, not for die-wu-fen"),
        (RuleSet.build("hwwj"), "is for hong-wu-wu-jia, not for die-wu-fen"),
    ],
)
def test_what_is_no_rule_set_is_told(name: str, given: object, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        RULED[name](rules=given)


def test_a_tournament_reads_rules_alike() -> None:
    play = partial(tuolaji.tournament, 20, entrants="random", number=5, rounds=1, hands=1)
    one, other = (play(rules=given) for given in ({"base": 2}, RuleSet.build("hwwj", {"base": 2})))
    assert one["rules"] == other["rules"] != play()["rules"]
    for wrong, told in (
        ({"rules": 5}, "5 is no rule set"),
        ({"entrants": 5}, "entrants: 5 is no text; write expert@3"),
        ({"hands": "20"}, 'hands: "20" is not a whole number from 1 to 1000'),
        ({"advance": 5.0}, "advance: 5.0 is not a whole number"),
        ({"rounds": "2"}, "rounds: "),
    ):
        with pytest.raises(UsageError, match=re.escape(told)):
            tuolaji.tournament(**({"tournaments": 20} | wrong))


@pytest.mark.parametrize("name", ["simulate", "replay", "advise", "threshold"])
def test_policies_are_read_alike(name: str) -> None:
    ways: list[Any] = [
        ["greedy", "banker=random", "2=random"],
        ("greedy", "banker=random", "2=random"),
        {"all": "greedy", "banker": "random", 2: "random"},
        iter(["greedy", "banker=random", "2=random"]),
    ]
    if name == "threshold":
        ways = [["banker=random"], {"banker": "random"}, "banker=random"]
        found = [threshold.ask("dwf", 1000, policies=given).plan.policies for given in ways]
    else:
        found = [RULED[name](policies=given) for given in ways]
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("name", [*PLAYED, "threshold"])
@pytest.mark.parametrize(
    "given", [5, [5], {"banker": 5}, {None: "greedy"}, b"greedy", ["nobody"], {"judge": "greedy"}]
)
def test_what_is_no_policy_is_told(name: str, given: object) -> None:
    with pytest.raises(UsageError, match=r"^polic(y|ies): "):
        RULED[name](policies=given)


def biddings(tmp_path: Path) -> list[Any]:
    one = read_bidding("die-wu-fen-1") if "die-wu-fen-1" in _presets() else shipped()
    values = list(one.values)
    values[0] += 500
    changed = type(one)("changed", tuple(values), one.game)
    (tmp_path / "changed.toml").write_text(changed.to_toml({}), "utf-8")
    return [changed, changed.to_dict(), str(tmp_path / "changed.toml"), tmp_path / "changed.toml"]


def _presets() -> list[str]:
    from tuolaji.sim.bidding import presets

    return presets()


@pytest.mark.parametrize("name", ["simulate", "replay", "advise", "match", "biddings", "threshold"])
def test_biddings_are_read_alike(name: str, tmp_path: Path) -> None:
    def play(given: Any) -> Any:
        if name == "simulate":
            return tuolaji.simulate("dwf", 100, seed=3, bidding=given).to_pylist()
        if name == "replay":
            return [tuolaji.replay("dwf", 3, deal, bidding=given) for deal in range(20)]
        if name == "advise":
            return tuolaji.advise("dwf", HAND, fixed=40, bidding=given)["options"]
        if name == "match":
            return tuolaji.match("dwf", "greedy", "random", deals=100, bidding=given)["points"]
        if name == "biddings":
            found = tuolaji.match(
                "dwf", "expert", "expert", deals=100, mode="auction", biddings=(given, None)
            )
            return found["payoff"]
        return threshold.ask("dwf", 1000, bidding=given).bidding.values

    found = [play(given) for given in biddings(tmp_path)]
    assert all(each == found[0] for each in found)
    assert found[0] != play(None)


def test_a_bidding_of_the_other_game_reveals_in_a_match() -> None:
    known = partial(tuolaji.match, "hwwj", "greedy", "random", deals=30)
    assert known(bidding="hong-wu-wu-jia-1")["bidding_by"]["name"] == "hong-wu-wu-jia-1"
    assert known(bidding="hong-wu-wu-jia-1")["points"] != known()["points"]
    assert known()["bidding_by"] is None
    given = threshold_hong_wu_wu_jia.ask_hidden("hwwj", 1000, bidding="hong-wu-wu-jia-1").bidding
    assert given == read_bidding("hong-wu-wu-jia-1", "hong-wu-wu-jia")


@pytest.mark.parametrize("name", ["simulate", "replay", "advise", "match", "threshold", "compare"])
@pytest.mark.parametrize(
    "given", [5, ["a"], {}, {5: 4}, "nowhere.toml", Path("nowhere.toml"), shipped("hong-wu-wu-jia"), ""]
)
def test_what_is_no_bidding_is_told(name: str, given: object) -> None:
    with pytest.raises(UsageError, match="^(bidding|policy): "):
        RULED[name](bidding=given)


@pytest.mark.parametrize(
    "args",
    [
        "simulate dwf --deals 20",
        "replay dwf --deal 0",
        "match dwf --policy greedy --policy random --deals 10",
        "compare dwf --deals 100 --variant bid_max=190 --resamples 100",
        f'advise dwf --fixed 4 --hand "{HAND}"',
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_command_says_by_which_bidding_expert_bids(args: str, lang: str, tmp_path: Path) -> None:
    _, _, file, _ = biddings(tmp_path)
    words = [*shlex.split(args), "--lang", lang]
    assert "SHA-256" not in ran(words)
    printed = ran([*words, "--bidding", file])
    assert re.search(r"changed \(SHA-256 [0-9a-f]{16}…\)", printed)


def ran(words: list[str]) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_dataset_is_replayed_by_its_own_bidding(tmp_path: Path) -> None:
    _, _, file, _ = biddings(tmp_path)
    ran(["simulate", "dwf", "--deals", "20", "--bidding", file, "--out", str(tmp_path / "d")])
    assert "changed (SHA-256" in ran(["summary", str(tmp_path / "d")])
    same = [
        ran(["replay", *source, "--deal", "7"])
        for source in ([str(tmp_path / "d")], ["dwf", "--bidding", file])
    ]
    assert same[0] == same[1]
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "d"), "--deal", "7", "--bidding", file])
    assert result.exit_code == 2
    assert "--bidding can't be given with a dataset" in result.stderr


@pytest.mark.parametrize("given", ["one", ("a",), None, 5])
def test_biddings_of_a_match_are_two(given: Any) -> None:
    with pytest.raises(UsageError, match="biddings: .* are not two"):
        tuolaji.match("dwf", "expert", "expert", deals=2, mode="auction", biddings=given)


def test_variants_are_read_alike(tmp_path: Path) -> None:
    play = partial(tuolaji.compare, "dwf", 100, policies="random", resamples=100, rules={"bid_max": 190})
    (tmp_path / "both.toml").write_text('game = "die-wu-fen"\nbid_max = 190\npoints_five = 10\n')
    whole = RuleSet.build("dwf", {"bid_max": 190, **CHANGE})
    ways: list[Any] = ["points_five=10", CHANGE, [CHANGE], whole, tmp_path / "both.toml"]
    found = [play(variants=given)["variants"] for given in ways]
    hashes = [[each["rules_hash"] for each in variants] for variants in found]
    assert all(each == hashes[0] for each in hashes)
    assert [variants[1]["name"] for variants in found[:2]] == ["points_five=10"] * 2
    for wrong in (5, [5], {"bottom_multiplier": 400}, [None, 5]):
        with pytest.raises(UsageError):
            play(variants=wrong)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seed": "7"}, 'seed: "7" is not a whole number from 0 to'),
        ({"seed": 1.0}, "seed: 1.0 is not a whole number"),
        ({"session": "2"}, "session: "),
        ({"deals": "100"}, 'deals: "100" is not a whole number from 1 on'),
        ({"first": None}, "first: None is not a whole number"),
        ({"contract": "banker=0,trump=h,bid=150"}, "contract: .* from Python it is a mapping"),
        ({"contract": {}}, "contract: banker, trump or bid is missing"),
        ({"hold": 5}, "hold: 5 is no text; write SEAT:"),
        ({"hold": [5]}, "hold: 5 is no text"),
        ({"count": {"0": "trumps"}}, "count: .* is no text; write SEAT:WHAT=LOW-HIGH"),
    ],
)
def test_whatever_else_is_wrong_is_told(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        tuolaji.simulate(**({"game": "dwf", "deals": 2} | given))


def test_one_word_is_one_word_and_numpys_numbers_are_numbers() -> None:
    one = tuolaji.simulate("dwf", np.int64(5), seed=np.uint64(3), hold="0:3h 3h", policies="random")
    assert one.equals(tuolaji.simulate("dwf", 5, seed=3, hold=["0:3h 3h"], policies="random"))


def test_every_function_says_the_same_of_its_arguments() -> None:
    """A function that takes rules, policies or a bidding takes them as all others do."""
    expected = {
        "rules": "Rules",
        "policies": "Policies",
        "bidding": "Bids",
        "hold": "Words",
        "count": "Words",
    }
    from tuolaji.sim import advise, compare, match, replay, simulate, tournament

    functions = [
        simulate.simulate, replay.replay, advise.advise, advise.ask, match.match, match.make_match, compare.ask,
        tournament.ask, threshold.ask, threshold_hong_wu_wu_jia.ask_hidden,
        tuolaji.judge.lead, tuolaji.judge.follow, tuolaji.judge.trick,
    ]  # fmt: skip
    for function in functions:
        taken = inspect.signature(function).parameters
        for name, kind in expected.items():
            if name in taken and not (function is match.make_match and name == "policies"):
                assert taken[name].annotation == kind, (function, name)
    assert {"bidding", "rules", "policies"} <= {*inspect.signature(tuolaji.advise).parameters}
    assert {"bidding", "rules", "policies"} <= {*inspect.signature(tuolaji.replay).parameters}
