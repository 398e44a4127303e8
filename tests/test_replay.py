"""Replays: records against the oracle and the engine's rows, plans and datasets, and the page to read.

The page is compared with `golden/replay.en.txt` and `golden/replay.zh.txt`, made from the records in
`golden/replay.jsonl`. After a deliberate change to the page:

    REGENERATE_GOLDENS=1 python -m pytest tests/test_replay.py

and read the difference before committing it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

import tuolaji
from tuolaji import cli
from tuolaji.sim.cards import SUITS
from tuolaji.sim.errors import UsageError
from tuolaji.sim.plan import Plan, make_plan, plan_from_description
from tuolaji.sim.replay import records
from tuolaji.sim.replay_page import pad, width
from tuolaji.sim.replay_text import render

import naive

if TYPE_CHECKING:
    from tuolaji.sim.text import Lang

DWF = "die-wu-fen"
GOLDEN = Path(__file__).parent / "golden"
VARIANTS: list[list[str]] = [
    [],
    ["forced_trump=throw", "void_order=by-level", "bottom_shape=lead", "cascade=false"],
    ["forced_trump_binds=all", "bid_step=5", "counter=false", "defender_throw_penalty=2"],
    ["forced_trump=off", "points_five=7", "bottom_multiplier=4", "shutout_multiplier=3"],
]
SUIT_WORDS = {"en": "trumps|spades|hearts|clubs|diamonds", "zh": "主牌|黑桃|红桃|梅花|方块"}
MIXES = [["random"], ["greedy"], ["greedy", "banker=random", "1=random"]]


def row_of(record: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """Every column of a dataset, worked out from the record alone."""
    banker, trump, calls = record["banker"], record["trump"], record["calls"]
    held = Counter(record["hands"][banker] + record["bottom"])
    trumps = [card for card in held if naive.effective_suit(DWF, trump, card) == "t"]
    leads = [trick["plays"][0] for trick in record["tricks"]]
    meant = [lead.get("attempt", lead["cards"]) for lead in leads]
    row = {
        "deal": record["deal"],
        "session": record["deal"] // plan.session,
        "hand": record["deal"] % plan.session,
        "banker_trumps": sum(held[card] for card in trumps),
        "banker_trump_pairs": sum(held[card] == 2 for card in trumps),
        "throws": sum(len(naive.components(DWF, trump, cards)) > 1 for cards in meant),
        "failed_throws": sum("attempt" in lead for lead in leads),
        "tricks": len(record["tricks"]),
        "last_winner": record["tricks"][-1]["winner"],
        "caller": calls[0]["seat"] if calls else -1,
        "call_size": len(calls[0]["cards"]) if calls else 0,
        "call_after": calls[0]["after_card"] if calls else 0,
        "countered": len(calls) == 2,
        "opener": calls[-1]["seat"] if calls else -1,
        "bids_made": sum(entry["bid"] is not None for entry in record["bids"]),
    }
    for name in ("payoff", "penalty"):
        shares = record["payoffs" if name == "payoff" else "penalties"]
        row |= {f"{name}_{seat}": share for seat, share in enumerate(shares)}
    same = [
        "first_seat",
        "trump",
        "banker",
        "bottom_points",
        "bottom_multiplier",
        "captured",
        "defender_points",
    ]
    same += ["redeals", "bid", "base", "result", "shutout"]
    return row | {name: record[name] for name in same}


def decoded(row: dict[str, Any]) -> dict[str, Any]:
    """An engine's row with its codes as a dataset shows them."""
    return row | {
        "trump": SUITS[row["trump"]],
        "result": ("made", "broken")[row["result"]],
        "shutout": bool(row["shutout"]),
        "countered": bool(row["countered"]),
    }


# --- records


@pytest.mark.parametrize("policies", MIXES, ids="-".join)
@pytest.mark.parametrize("overrides", VARIANTS, ids=lambda options: options[0] if options else "defaults")
def test_records_pass_the_oracle_and_agree_with_the_rows(policies: list[str], overrides: list[str]) -> None:
    from tuolaji.sim.engine import Engine

    plan = make_plan(DWF, overrides=overrides, policies=policies, seed=11)
    columns = Engine(plan).play(0, 25)
    for deal, record in enumerate(records(plan, 0, 25)):
        again = json.loads(json.dumps(record))
        assert naive.check_record(again) == [], f"deal {deal}"
        row = decoded({name: int(values[deal]) for name, values in columns.items()})
        found = row_of(again, plan)
        assert row == {name: found[name] for name in row}


def test_the_keys_of_a_record() -> None:
    record = tuolaji.replay("dwf", 5, 2, policies="random")
    assert " ".join(record) == (
        "format game rules seed deal first_seat redeals hands bottom calls trump bids banker bid base buried tricks "
        "captured bottom_points bottom_multiplier defender_points result shutout penalties payoffs"
    )
    assert record["format"] == "tuolaji-record/1"
    assert (record["game"], record["seed"], record["deal"]) == (DWF, 5, 2)
    assert set(record["rules"]) == set(naive.DEFAULTS[DWF])
    assert [len(hand) for hand in record["hands"]] == [33] * 3
    for trick in record["tricks"]:
        assert list(trick) == ["leader", "plays", "winner", "points"]


def test_plays_are_sorted_high_to_low_with_identical_cards_together() -> None:
    for deal in range(5):
        record = tuolaji.replay("dwf", 5, deal, policies="random")
        trump = record["trump"]
        plays = [play["cards"] for trick in record["tricks"] for play in trick["plays"]]
        for cards in [*plays, record["buried"]]:
            order = ["t", *(suit for suit in "shcd" if suit != trump)]
            places = [
                (
                    order.index(naive.effective_suit(DWF, trump, c)),
                    -naive.level(DWF, trump, c),
                    "shcd".find(c[1]),
                )
                for c in cards
            ]
            assert places == sorted(places)


def test_com_19_cards_do_not_depend_on_rules_or_policies() -> None:
    given = {"banker": 0, "trump": "h", "bid": 150}
    one = tuolaji.replay("dwf", 2**64 - 1, 10**12, policies="random", contract=given)
    given = {"banker": 2, "trump": "s", "bid": 110}
    two = tuolaji.replay("dwf", 2**64 - 1, 10**12, rules={"cascade": False}, contract=given)
    assert (one["hands"], one["bottom"]) == (two["hands"], two["bottom"])
    assert one["seed"] == 2**64 - 1


def test_dwf_19_a_session_hands_the_first_seat_to_the_last_banker() -> None:
    plan = make_plan(DWF, policies="random", seed=3, session=5)
    found = list(records(plan, 5, 7))
    for before, after in pairwise(found):
        if after["deal"] % 5:
            assert after["first_seat"] == before["banker"]
    single = tuolaji.replay(DWF, 3, 8, policies="random", session=5)
    assert single == found[3]
    assert all(naive.check_record(record) == [] for record in found)


def test_a_contract_leaves_out_calls_and_bids() -> None:
    record = tuolaji.replay(DWF, 3, 4, contract={"banker": 2, "trump": "c", "bid": 170})
    assert record["contract"] is True
    assert (record["calls"], record["bids"]) == ([], [])
    assert (record["banker"], record["trump"], record["bid"], record["base"]) == (2, "c", 170, 7)
    assert naive.check_record(record) == []
    assert "contract" not in tuolaji.replay(DWF, 3, 4)


@pytest.mark.parametrize("deal", [-1, 1.5, "1", True, 10**16])
def test_a_deal_is_a_whole_number(deal: Any) -> None:
    with pytest.raises(UsageError, match="not a whole number"):
        tuolaji.replay(DWF, 3, deal)


# --- plans from their descriptions


@pytest.mark.parametrize(
    "plan",
    [
        make_plan(DWF),
        make_plan(DWF, policies=["random", "banker=greedy"], seed=2**64 - 1, session=30),
        make_plan(DWF, rules="die-wu-fen-throws-only", policies=["greedy", "2=random"]),
        make_plan(DWF, overrides=["base_table=2,2,3,4,5,6,7,8,9,10"], policies=["1=random", "bidding=greedy"]),
        make_plan(DWF, contract={"banker": 1, "trump": "d", "bid": 130}),
    ],
)  # fmt: skip
def test_a_plan_comes_back_from_its_description(plan: Plan) -> None:
    described = json.loads(json.dumps(plan.describe()))
    assert plan_from_description(described) == plan
    flat = described | {"rules": plan.rules.options(), "rules_name": plan.rules.name, "deals": 7}
    assert plan_from_description(flat) == plan
    assert plan_from_description(flat).rules.name == plan.rules.name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "bridge"}, "no game"),
        ({"rules": 7}, "no rules"),
        ({"rules": {"rules": {"cascades": True}}}, "no option"),
        ({"seed": "7"}, "no whole number"),
        ({"session": 0}, "session"),
        ({"policies": []}, "no policies"),
        ({"policies": {"all": "genius"}}, "names no policy"),
        ({"policies": {"dealer": "greedy"}}, "no role"),
        ({"policies": {"banker": "greedy"}}, "every seat and role"),
        ({"contract": {"banker": 9, "trump": "h", "bid": 110}}, "no banker"),
    ],
)
def test_a_damaged_description_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_from_description(make_plan(DWF).describe() | change)
    with pytest.raises(UsageError, match="lacks game, rules, policies, seed or session"):
        plan_from_description({})


# --- the page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_is_as_it_was(lang: Lang) -> None:
    stored = [json.loads(line) for line in (GOLDEN / "replay.jsonl").read_text("utf-8").splitlines()]
    assert all(naive.check_record(record) == [] for record in stored)
    page = "\n\n".join(render(record, lang) for record in stored) + "\n"
    path = GOLDEN / f"replay.{lang}.txt"
    if os.environ.get("REGENERATE_GOLDENS"):
        path.write_text(page, "utf-8")
    assert page == path.read_text("utf-8")


def pages(lang: Lang, count: int = 30) -> list[tuple[dict[str, Any], str]]:
    plan = make_plan(DWF, policies=["random"], seed=21)
    return [(record, render(record, lang, plan)) for record in records(plan, 0, count)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_aligns_and_leaves_nothing_out(lang: Lang) -> None:
    for record, page in pages(lang):
        lines = page.split("\n")
        found = [re.match(rf"(.*(?:{SUIT_WORDS[lang]}) +\d+)  \S", line) for line in lines]
        ends = [width(hand[1]) for hand in found if hand]
        assert len(ends) == 12  # three hands of four suits, each with its number of cards in one column
        assert len(set(ends)) == 1
        assert page.count("*") == len(record["tricks"]) + 1
        for word in ("trick", "wins") if lang == "en" else ("轮", "赢得"):
            assert page.lower().count(word) >= len(record["tricks"])
        failed = sum("attempt" in trick["plays"][0] for trick in record["tricks"])
        assert page.count("failed throw, meant" if lang == "en" else "甩牌失败，原想甩") == failed
        assert not any(line != line.rstrip() for line in lines)
        assert all(ord(sign) < 128 or sign in "♠♥♣♦·×−–≥" for sign in page) == (lang == "en")


def test_what_happened_has_its_word() -> None:
    seen: Counter[str] = Counter()
    words = ["throw", "ruff", "over-ruff", "ruff, not higher", "forced trumps", "discard", "tractor"]
    for record, page in pages("en", 60):
        events = naive.coverage(record)
        notes = Counter(line.partition("  · ")[2] for line in page.split("\n"))
        assert (notes["ruff"] + notes["over-ruff"] + notes["ruff, not higher"]) == events["ruff"]
        assert notes["over-ruff"] == events["overruff"]
        assert notes["throw"] == events["throw_stood"]
        seen += Counter({word: notes[word] for word in words})
    assert set(words) == set(seen)


def test_wide_signs_count_twice() -> None:
    assert [width(text) for text in ("", "ab", "庄家", "♠A", "A庄")] == [0, 2, 4, 2, 3]
    assert pad("庄家", 6) == "庄家  "


def test_the_heading_names_rules_and_policies() -> None:
    plan = make_plan(DWF, overrides=["cascade=false"], policies=["greedy", "2=random"], seed=4, session=3)
    record = next(records(plan, 4, 1))
    head = render(record, "en", plan).split("\n")[:4]
    assert head[0] == "die-wu-fen · seed 4 · deal 4 · hand 2 of 3 in its session"
    assert head[1] == "  Rules          die-wu-fen+ (cascade = false)"
    assert head[2] == "  Policies       seat 0 greedy; seat 1 greedy; seat 2 random"
    roles = make_plan(DWF, policies=["greedy", "banker=random"], seed=4)
    assert "策略    叫牌叫分 greedy，当庄家时 random，当闲家时 greedy" in render(record, "zh", roles)
    given = make_plan(DWF, contract={"banker": 0, "trump": "h", "bid": 150})
    page = render(next(records(given, 0, 1)), "en", given)
    assert "Skipped: the contract was given." in page
    assert "Seat 0 is banker at 150; base value 5." in page


# --- the command


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["replay", *args], catch_exceptions=False)


def test_the_command_shows_deals() -> None:
    result = run(
        "dwf", "--seed", "4", "--deal", "10", "--count", "3", "--format", "jsonl", "--policy", "random"
    )
    assert result.exit_code == 0
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines == [tuolaji.replay(DWF, 4, deal, policies="random") for deal in (10, 11, 12)]
    english = run("dwf", "--seed", "4", "--deal", "10", "--count", "2", "--set", "cascade=false")
    assert english.stdout.count("\nScoring\n") == 2
    assert english.stdout.startswith(
        "die-wu-fen · seed 4 · deal 10\n  Rules          die-wu-fen+ (cascade = false)\n"
    )
    assert run("跌五分", "--deal", "1e1", "--lang", "zh").stdout.startswith("跌五分 · 种子 0 · 第 10 局\n")


def test_a_dataset_of_another_version_is_not_replayed(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    assert (
        CliRunner()
        .invoke(cli.main, ["simulate", "dwf", "--deals", "5", "--policy", "random", "--out", str(folder)])
        .exit_code
        == 0
    )
    path = folder / "manifest.json"
    path.write_text(path.read_text("utf-8").replace('"rows_version": ', '"rows_version": 9'), "utf-8")
    found = CliRunner().invoke(cli.main, ["replay", str(folder), "--deal", "3"])
    assert found.exit_code == cli.BAD_USAGE
    assert "which plays other rows than tuolaji" in found.stderr


def test_the_command_replays_a_dataset_row_for_row(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder = tmp_path / "deals"
    words = "simulate dwf --deals 12 --first 6 --session 3 --seed 9 --policy random --policy banker=greedy"
    args = [*words.split(), "--set", "bid_step=5", "--out", str(folder)]
    made = CliRunner().invoke(cli.main, args, catch_exceptions=False)
    assert made.exit_code == 0, made.output
    rows = pq.ParquetFile(folder / "deals" / "part-00000.parquet").read().to_pylist()
    result = run(str(folder), "--deal", "6", "--count", "12", "--format", "jsonl")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    plan = make_plan(DWF, session=3)
    assert [row_of(record, plan) for record in found] == rows
    page = run(str(folder), "--deal", "7").stdout
    assert "Policies       bidding random, as banker greedy, as defender random\n" in page
    for deal, count in (("5", "1"), ("17", "2"), ("18", "1")):
        result = run(str(folder), "--deal", deal, "--count", count)
        assert result.exit_code == cli.BAD_USAGE
        assert "holds deals 6 to 17" in result.stderr
    result = run(str(folder), "--deal", "7", "--seed", "9", "--policy", "greedy")
    assert result.exit_code == cli.BAD_USAGE
    assert "--seed or --policy can't be given with a dataset" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["bridge", "--deal", "1"], "neither a game nor a dataset folder; games are die-wu-fen"),
        (["dwf"], "--deal"),
        (["dwf", "--deal", "-1"], "not a whole number"),
        (["dwf", "--deal", "1", "--count", "0"], "not a whole number"),
        (["dwf", "--deal", "1.5"], "not a whole number"),
        (["dwf", "--deal", "1", "--policy", "genius"], "names no policy"),
        (["dwf", "--deal", "1", "--set", "bid_step=7"], "bid_step"),
        (["dwf", "--deal", "1", "--format", "xml"], "xml"),
        (["dwf", "--deal", "1", "--contract", "banker=9,trump=h,bid=150"], "banker"),
        (
            ["hwwj", "--deal", "1", "--contract", "banker=0,trump=h,bid=150"],
            "there are no bids in hong-wu-wu-jia",
        ),
        (["hwwj", "--deal", "1", "--contract", "banker=5,trump=h"], "allowed are seats 0 to 4"),
        (["hwwj", "--deal", "1", "--set", "bid_step=5"], "no option"),
        (["tests", "--deal", "1"], "manifest"),
    ],
)
def test_bad_input_is_exit_2_with_one_sentence(
    args: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parent.parent)
    result = run(*args)
    assert result.exit_code == cli.BAD_USAGE
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
