"""Replays of hong-wu-wu-jia: records against the oracle and the engine's rows, and the page to read.

The page is compared with `golden/replay_hong_wu_wu_jia.en.txt` and `.zh.txt`, made from the records in
`golden/replay_hong_wu_wu_jia.jsonl`; see test_replay.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from test_replay import GOLDEN, SUIT_WORDS

import tuolaji
from tuolaji import cli
from tuolaji.sim.cards import FACES, SUITS
from tuolaji.sim.plan import Plan, make_plan, plan_from_description
from tuolaji.sim.replay import records
from tuolaji.sim.replay_page import width
from tuolaji.sim.replay_text import render

import naive
from naive import HW

if TYPE_CHECKING:
    from pathlib import Path

    from tuolaji.sim.text import Lang

VARIANTS: list[list[str]] = [
    [],
    ["cascade=true", "split_triples=false", "named_copies_min=1"],
    ["points_five=7", "bottom_multiplier=3", "solo_bottom_multiplier=1", "base=2", "partner_loss_cap=3"],
]


def row_of(record: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """Every column of a dataset, worked out from the record alone."""
    banker, trump, reveal = record["banker"], record["trump"], record["reveal"]
    held = Counter(record["hands"][banker] + record["bottom"])
    trumps = [card for card in held if naive.effective_suit(HW, trump, card) == "t"]
    leads = [trick["plays"][0] for trick in record["tricks"]]
    meant = [lead.get("attempt", lead["cards"]) for lead in leads]
    row = {
        "deal": record["deal"],
        "session": record["deal"] // plan.session,
        "hand": record["deal"] % plan.session,
        "banker_trumps": sum(held[card] for card in trumps),
        "banker_trump_pairs": sum(held[card] >= 2 for card in trumps),
        "throws": sum(len(naive.components(HW, trump, cards)) > 1 for cards in meant),
        "failed_throws": sum("attempt" in lead for lead in leads),
        "tricks": len(record["tricks"]),
        "last_winner": record["tricks"][-1]["winner"],
        "pressed": reveal is None and "contract" not in record,
        "reveal_after": reveal["after_card"] if reveal else 0,
        "named_held": held[record["named"]],
    }
    row |= {f"payoff_{seat}": share for seat, share in enumerate(record["payoffs"])}
    for key in ("partner", "partner_trick"):
        row[key] = -1 if record[key] is None else record[key]
    same = [
        "first_seat",
        "trump",
        "banker",
        "bottom_points",
        "bottom_multiplier",
        "captured",
        "defender_points",
    ]
    same += ["previous_banker", "named", "direct", "solo", "grade"]
    return row | {name: record[name] for name in same}


def decoded(row: dict[str, Any]) -> dict[str, Any]:
    """An engine's row with its codes as a dataset shows them."""
    flags = {name: bool(row[name]) for name in ("pressed", "direct", "solo")}
    return row | {"trump": SUITS[row["trump"]], "named": FACES[row["named"]]} | flags


# --- records


@pytest.mark.parametrize("overrides", VARIANTS, ids=lambda options: options[0] if options else "defaults")
@pytest.mark.parametrize("how", [{}, {"session": 5}, {"contract": {"banker": 2, "trump": "c"}}], ids=str)
def test_records_pass_the_oracle_and_agree_with_the_rows(how: dict[str, Any], overrides: list[str]) -> None:
    from tuolaji.sim.engine import Engine

    plan = make_plan(HW, overrides=overrides, policies="random", seed=11, **how)
    columns = Engine(plan).play(0, 25)
    for deal, record in enumerate(records(plan, 0, 25)):
        again = json.loads(json.dumps(record))
        assert naive.check_record(again) == [], f"deal {deal}"
        row = decoded({name: int(values[deal]) for name, values in columns.items()})
        found = row_of(again, plan)
        assert row == {name: found[name] for name in row}


def test_the_keys_of_a_record() -> None:
    record = tuolaji.replay("hwwj", 5, 2, policies="random")
    assert " ".join(record) == (
        "format game rules seed deal first_seat redeals hands bottom previous_banker reveal trump banker buried named "
        "tricks partner partner_trick direct solo captured bottom_points bottom_multiplier defender_points grade "
        "payoffs"
    )
    assert (record["format"], record["game"], record["redeals"]) == ("tuolaji-record/1", HW, 0)
    assert set(record["rules"]) == set(naive.DEFAULTS[HW])
    assert [len(hand) for hand in record["hands"]] == [31] * 5
    assert [len(record[key]) for key in ("bottom", "buried")] == [7, 7]


def test_hw4_a_contract_leaves_out_the_reveal_and_is_not_pressed() -> None:
    given = {"banker": 2, "trump": "c"}
    record = tuolaji.replay(HW, 3, 4, contract=given)
    assert (record["contract"], record["reveal"], record["banker"], record["trump"]) == (True, None, 2, "c")
    plan = make_plan(HW, contract=given, policies="greedy")
    found = [*records(plan, 0, 60)]
    assert all(naive.check_record(one) == [] for one in found)
    # HW-14: the cap is that of a banker who revealed
    most = min(one["payoffs"][one["partner"]] for one in found if not one["solo"] and not one["direct"])
    assert most < -plan.rules["pressed_partner_loss_cap"]
    described = json.loads(json.dumps(plan.describe()))
    assert described["contract"] == given and plan_from_description(described) == plan


# --- the page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_is_as_it_was(lang: Lang) -> None:
    path = GOLDEN / "replay_hong_wu_wu_jia.jsonl"
    stored = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert all(naive.check_record(record) == [] for record in stored)
    page = "\n\n".join(render(record, lang) for record in stored) + "\n"
    path = path.with_suffix(f".{lang}.txt")
    if os.environ.get("REGENERATE_GOLDENS"):
        path.write_text(page, "utf-8")
    assert page == path.read_text("utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_aligns_and_leaves_nothing_out(lang: Lang) -> None:
    plan = make_plan(HW, policies=["random"], seed=21, session=4)
    for record in records(plan, 0, 28):
        page = render(record, lang, plan)
        lines = page.split("\n")
        found = [re.match(rf"(.*(?:{SUIT_WORDS[lang]}) +\d+)  \S", line) for line in lines]
        ends = [width(hand[1]) for hand in found if hand]
        assert len(ends) == 20  # five hands of four suits, each with its number of cards in one column
        assert len(set(ends)) == 1
        assert page.count("*") == len(record["tricks"]) + 1
        failed = sum("attempt" in trick["plays"][0] for trick in record["tricks"])
        assert page.count("failed throw, meant" if lang == "en" else "甩牌失败，原想甩") == failed
        shows = page.count("and is the partner" if lang == "en" else "成为伴家")
        assert shows == (not record["solo"])
        assert not any(line != line.rstrip() for line in lines)
        assert all(ord(sign) < 128 or sign in "♠♥♣♦·×−–≥" for sign in page) == (lang == "en")


def test_what_happened_has_its_word() -> None:
    seen: Counter[str] = Counter()
    plan = make_plan(HW, policies="random", seed=22)
    for record in records(plan, 0, 120):
        events = naive.coverage(record)
        english, chinese = render(record, "en", plan), render(record, "zh", plan)
        notes = Counter(
            re.split(", plays| and |;", line.partition("  · ")[2])[0] for line in english.split("\n")
        )
        assert notes["ruff"] + notes["over-ruff"] + notes["ruff, not higher"] == events["ruff"]
        assert notes["over-ruff"] == events["overruff"]
        assert notes["throw"] == events["throw_stood"]
        for event, en, zh in (
            ("pressed", "pressed, as nobody revealed", "压庄：原庄"),
            ("solo", "plays solo", "独打；"),
            ("direct_lost", "directly and is the partner", "直拼"),
        ):
            there = bool(events[event]) or (event == "direct_lost" and bool(events["direct_won"]))
            assert (en in english) == (zh in chinese) == there
            seen[event] += there
        assert ("reveals 2" in english) == ("亮出" in chinese) == (record["reveal"] is not None)
        swapped = record["direct"] and record["grade"] < 0
        assert ("change places" in english) == ("直搭" in chinese) == swapped
        # the running total of the last trick is what the defenders captured
        assert re.findall(r"defenders (\d+)\n", english)[-1] == str(record["captured"])
        assert re.findall(r"闲家共 (\d+) 分\n", chinese)[-1] == str(record["captured"])
    assert set(seen) == {"pressed", "solo", "direct_lost"}


@pytest.mark.parametrize(
    ("hand", "bottom", "en", "zh"),
    [  # HW-5
        ("2s", "Ah", "trump ♠ is drawn from its 2s", "从其手中的 2 里抽得主牌 ♠"),
        (
            "As",
            "2s",
            "it has no 2, trump ♠ is drawn from the 2s of the bottom",
            "其手中无 2，从底牌的 2 里抽得主牌 ♠",
        ),
        ("As", "Ks", "neither it nor the bottom has a 2", "手中与底牌都无 2，从底牌中抽得主牌 ♠"),
        ("As", "BJ 5h", "all jokers and red fives, trump is ♦", "底牌全是王与红五，以 ♦ 为主牌"),
    ],
)
def test_hw5_the_page_says_what_trump_was_drawn_from(hand: str, bottom: str, en: str, zh: str) -> None:
    from tuolaji.sim.replay_hong_wu_wu_jia import HongWuWuJiaPage

    record: dict[str, Any] = tuolaji.replay(HW, 1, 1, policies="random", contract={"banker": 0, "trump": "s"})
    del record["contract"]
    record["previous_banker"] = 0
    record["hands"][0], record["bottom"] = hand.split(), bottom.split()
    for lang, words in (("en", en), ("zh", zh)):
        page = HongWuWuJiaPage(record, lang, None)  # type: ignore[arg-type]
        assert words in page.revealed()


@pytest.mark.parametrize(
    ("held", "bottom", "buried", "en", "zh"),
    [  # HW-7, HW-8
        ("As", "Kc", "Kd", "no copy", "没有这张牌"),
        ("Ah", "Kc", "Kd", "1 of the 3 copies)", "有 1 张）"),
        ("Ah", "Ah", "Kd", "2 of the 3 copies)", "有 2 张，死拚）"),
        ("Ah", "Ah", "Ah", "2 of the 3 copies, 1 of them buried)", "有 2 张，其中 1 张扣在底牌，死拚）"),
        ("Ah Ah", "Ah", "Kc", "3 of the 3 copies: solo)", "有 3 张，独打）"),
    ],
)
def test_hw7_hw8_the_page_says_how_many_copies_the_banker_has(
    held: str, bottom: str, buried: str, en: str, zh: str
) -> None:
    from tuolaji.sim.replay_hong_wu_wu_jia import HongWuWuJiaPage

    record: dict[str, Any] = tuolaji.replay(HW, 1, 1, policies="random")
    record["named"] = "Ah"
    record["hands"][record["banker"]] = held.split()
    record["bottom"], record["buried"] = bottom.split(), buried.split()
    assert en in HongWuWuJiaPage(record, "en", None).copies()
    assert zh in HongWuWuJiaPage(record, "zh", None).copies()


# --- the commands


def test_the_command_replays_a_dataset_row_for_row(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder = tmp_path / "deals"
    words = "simulate 红五五家 --deals 12 --first 6 --session 3 --seed 9 --policy random --set base=2"
    made = CliRunner().invoke(cli.main, [*words.split(), "--out", str(folder)], catch_exceptions=False)
    assert made.exit_code == 0, made.output
    rows = pq.ParquetFile(folder / "deals" / "part-00000.parquet").read().to_pylist()
    args = ["replay", str(folder), "--deal", "6", "--count", "12", "--format", "jsonl"]
    result = CliRunner().invoke(cli.main, args, catch_exceptions=False)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    plan = make_plan(HW, session=3)
    assert [row_of(record, plan) for record in found] == rows
    page = CliRunner().invoke(cli.main, ["replay", str(folder), "--deal", "6", "--lang", "zh"]).stdout
    assert page.startswith("红五五家 · 种子 9 · 第 6 局 · 连续 3 局中的第 1 局\n")
    assert "原庄        0号位（首局）\n" in page


def test_rows_with_a_contract_come_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    words = "simulate hwwj --deals 5 --policy random --contract banker=4,trump=红桃"
    made = CliRunner().invoke(cli.main, [*words.split(), "--out", str(folder)], catch_exceptions=False)
    assert made.exit_code == 0, made.output
    page = CliRunner().invoke(cli.main, ["replay", str(folder), "--deal", "3"], catch_exceptions=False).stdout
    assert "given beforehand: seat 4 is banker, trump is ♥" in page
