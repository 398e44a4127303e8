"""Options and figures that never came up: what each option needs to matter, and that every output says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim import compare
from tuolaji.sim.engine import Engine
from tuolaji.sim.events import EVENTS, never_used, never_used_by, told
from tuolaji.sim.plan import make_plan
from tuolaji.sim.quantities import never
from tuolaji.sim.rules import OPTIONS, RuleSet
from tuolaji.sim.totals import Totals, count

plays = pytest.mark.skipif(not JIT, reason="plays many deals")
DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
#: Another value of every option, as ``--set`` takes it.
OTHERS = {
    DWF: [
        "counter=false",
        "bid_step=5",
        "opening_bid_single=120",
        "opening_bid_pair=130",
        "bid_max=180",
        "base_table=[1,2,3,4,5,6,7,8,9,99]",
        "cascade=false",
        "forced_trump=off",
        "void_order=by-level",
        "forced_trump_binds=all",
        "points_five=0",
        "points_ten=5",
        "points_king=5",
        "bottom_shape=lead",
        "bottom_multiplier=5",
        "bottom_multiplier_single=5",
        "made_total=210",
        "shutout_total=250",
        "shutout_multiplier=3",
        "banker_throw_penalty=2",
        "defender_throw_penalty=3",
    ],
    HW: [
        "cascade=true",
        "split_triples=false",
        "named_copies_min=2",
        "points_five=0",
        "points_ten=5",
        "points_king=5",
        "bottom_multiplier=5",
        "solo_bottom_multiplier=9",
        "grade_table=0:9,5:8,120:-1",
        "partner_loss_cap=1",
        "pressed_partner_loss_cap=1",
        "base=2",
    ],
}


def played(
    game: str, *overrides: str, policy: str = "random", deals: int = 400
) -> tuple[Totals, RuleSet, Any]:
    plan = make_plan(game, overrides=overrides, policies=policy.split(), seed=7)
    columns = Engine(plan).play(0, deals)
    return count(columns, 1, game), plan.rules, columns


def run(*words: str) -> str:
    done = CliRunner().invoke(main, [*words])
    assert done.exit_code == 0, done.output
    return done.stdout


# --- declared -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [DWF, HW])
def test_every_option_declares_what_it_needs_and_the_sentence_is_there_twice(game: str) -> None:
    for option in OPTIONS[game].values():
        assert option.event in EVENTS[game], option.name
    assert {option.event for option in OPTIONS[game].values()} >= {*EVENTS[game]} - {"deal"}
    for event in EVENTS[game].values():
        assert event.never.en.isascii() and not event.never.zh.isascii()
    assert {text.split("=")[0] for text in OTHERS[game]} == {*OPTIONS[game]}


# --- counted ------------------------------------------------------------------------------------------


@plays
@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("game", [DWF, HW])
def test_no_deal_differs_by_an_option_whose_event_never_came_up(game: str, policy: str) -> None:
    one = played(game, policy=policy)
    silent = []
    for text in OTHERS[game]:
        option = text.split("=")[0]
        other = played(game, text, policy=policy)
        differs = any((one[2][name] != other[2][name]).any() for name in one[2])
        if never_used_by(option, [one[:2], other[:2]]):
            silent.append(option)
            assert not differs, option
    expected = {DWF: {"banker_throw_penalty", "defender_throw_penalty"}, HW: {"solo_bottom_multiplier"}}[game]
    assert ({*silent} >= expected) == (policy == "greedy")  # which never throws, and never plays solo


@plays
def test_dwf18_failed_throws_are_told_apart_by_whose_they_were() -> None:
    both = "random banker=expert"
    totals, _, columns = played(DWF, policy=both, deals=2000)
    detail = Engine(make_plan(DWF, policies=both.split(), seed=7)).play_in_full(0, 2000)[1]
    from tuolaji.kernels.detail import FAILED, LEADER

    deal = np.repeat(np.arange(2000), detail.counts)
    failed = detail.tricks[FAILED] != 0
    own = detail.tricks[LEADER] == columns["banker"][deal]
    banker, defender = ({*deal[failed & mine].tolist()} for mine in (own, ~own))
    several = {*np.flatnonzero(columns["failed_throws"] > 1).tolist()}
    assert len(banker - several) + len(defender - several) > 400
    assert totals.events["banker_failed"] == {1: len(banker | several)}
    assert totals.events["defender_failed"] == {1: len(defender | several)}


@plays
def test_dwf15_a_bottom_dug_is_counted_by_its_multiplier() -> None:
    totals, rules, columns = played(DWF, "bottom_multiplier=7", deals=2000)
    dug = columns["bottom_multiplier"] == 7
    assert EVENTS[DWF]["dug_pair"].count(totals, rules, None) == dug.sum() > 0
    same = RuleSet.build(DWF, {"bottom_multiplier": 1})  # then a pair can't be told from a single card
    lost = (columns["last_winner"] != columns["banker"]).sum()
    assert EVENTS[DWF]["dug_pair"].count(totals, same, None) == lost > dug.sum()


@plays
def test_tables_matter_where_a_changed_row_came_up() -> None:
    totals, rules, columns = played(DWF)
    table = [*rules["base_table"]]
    high = [*table[:-1], 50]
    plays = [(totals, rules), (totals, RuleSet.build(DWF, {"base_table": high}))]
    came = (columns["bid"] >= 200).any()
    assert (never_used_by("base_table", plays) is None) == came
    assert (
        never_used_by("base_table", [(totals, rules), (totals, RuleSet.build(DWF, {"base_table": [1] * 10}))])
        is None
    )
    grades = RuleSet.build(HW, {"grade_table": [[0, 9], [5, 8], [120, -1]]})
    found, hidden, rows = played(HW)
    assert never_used_by("grade_table", [(found, hidden), (found, grades)]) is None
    far = RuleSet.build(HW, {"grade_table": [*map(list, hidden["grade_table"]), [9000, -50]]})
    assert (
        never_used_by("grade_table", [(found, hidden), (found, far)]) is not None
        and rows["defender_points"].max() < 9000
    )


@plays
def test_hw14_a_cap_matters_beyond_it() -> None:
    totals, _, columns = played(HW)
    lost = -columns["grade"].astype(int)[(columns["pressed"] == 0) & (columns["solo"] == 0)]
    for cap in (1, int(lost.max()), 100):
        rules = RuleSet.build(HW, {"partner_loss_cap": cap})
        assert EVENTS[HW]["lost"].count(totals, rules, None) == (lost > cap).sum()
        assert ("partner_loss_cap" in never_used(totals, rules)) == (cap >= lost.max())


@plays
def test_what_the_rules_leave_no_room_for_is_not_missed() -> None:
    totals, rules, _ = played(DWF, "counter=false")
    assert totals.sums["countered"] == 0 and "counter" not in never_used(totals, rules)
    contract = make_plan(DWF, policies=["greedy"], contract={"banker": 0, "trump": "h", "bid": 110})
    fixed = count(Engine(contract).play(0, 50), 1, DWF)
    assert "bid_step" in never_used(fixed, contract.rules)
    assert not {"bid_step", "counter", "bid_max"} & {*never_used(fixed, contract.rules, contract=True)}


def test_nothing_never_used_is_no_sentence() -> None:
    assert told({}, 100, "en") == "" == told({}, 100, "zh")


@plays
def test_figures_for_which_nothing_came_up() -> None:
    greedy, _, columns = played(DWF, policy="greedy")
    assert not columns["throws"].any()
    assert never(DWF, greedy) >= {"throws", "failed_throws", "failed_share", "penalty_banker"}
    assert not never(DWF, greedy) & {"made", "payoff_banker", "payoff_banker_spread", "defender_points"}
    assert never(DWF, played(DWF, deals=2000)[0]) == {"defenders_shut_out"}
    assert never(HW, played(HW, policy="greedy")[0]) >= {"solo", "won_solo"}


# --- said ---------------------------------------------------------------------------------------------


@plays
def test_a_summary_marks_what_never_came_up(tmp_path: Path) -> None:
    words = ("simulate", "dwf", "--deals", "1k", "--policy", "greedy", "--no-progress")
    text = " ".join(run(*words, "--out", str(tmp_path / "d")).split())
    assert "† never came up in these 1,000 deals." in text and "of throws, failed – †" in text
    assert "Never used by these policies in 1,000 deals:" in text
    assert "banker_throw_penalty (no throw of a banker failed)" in text
    assert "This says nothing about such an option." in text and "made_total" not in text
    chinese = run("summary", str(tmp_path / "d"), "--lang", "zh")
    assert "† 在这 1,000 局中从未出现。" in chinese and "banker_throw_penalty（庄家从未甩错牌）" in chinese
    found = json.loads(run("summary", str(tmp_path / "d"), "--format", "json"))["never"]
    assert found["options"]["defender_throw_penalty"] == "no throw of a defender failed"
    assert "failed_share" in found["figures"] and "made" not in found["figures"]
    pytest.importorskip("matplotlib")
    from tuolaji.sim.report import make

    for lang, mark in (("en", "no throw of a banker failed"), ("zh", "庄家从未甩错牌")):
        page = make.render(make.make(tmp_path / "d", lang), lang)  # type: ignore[arg-type]
        assert mark in page and "†" in page


@plays
def test_a_comparison_marks_what_never_came_up(tmp_path: Path) -> None:
    words = (
        "compare", "dwf", "--deals", "600", "--policy", "greedy", "--no-progress",
        "--grid", "defender_throw_penalty=1,2,3", "--variant", "defender_throw_penalty=2,shutout_multiplier=3",
    )  # fmt: skip
    text = " ".join(run(*words, "--out", str(tmp_path / "s")).split())
    assert "Never used by these policies in 600 deals: defender_throw_penalty" in text
    assert "shutout_multiplier (" not in text.split("Never used")[1].split("Fairness")[0]
    assert "of throws, failed – – – †" in text and "† came up in none of these 600 deals" in text
    rows = pq.read_table(tmp_path / "s" / "differing.parquet").to_pylist()
    assert {row["option"]: row["never"] for row in rows if row["option"]} == {
        "defender_throw_penalty": True, "shutout_multiplier": False,
    }  # fmt: skip
    figures = pq.read_table(tmp_path / "s" / "figures.parquet").to_pylist()
    marked = {row["figure"] for row in figures if row["never"]}
    assert "failed_share" in marked and not marked & {"made", "payoff_banker"}
    found = json.loads((tmp_path / "s" / "result.json").read_text("utf-8"))
    assert any(row["never"] for row in found["differing"])
    assert "（闲家从未甩错牌）" in run(*words, "--lang", "zh")
    pytest.importorskip("matplotlib")
    from tuolaji.sim.report import make

    page = make.render(make.make(tmp_path / "s", "en"), "en")
    assert "defender_throw_penalty = 1 (no throw of a defender failed)" in page
    assert "Never came up in these deals by any of the rule sets" in page


@plays
def test_an_option_that_came_up_is_not_marked() -> None:
    asked = compare.ask(DWF, 600, variants=["defender_throw_penalty=2", "cascade=false"], policies=["random"])
    found = compare.run(asked, workers=2)
    assert [each.never for each in found.main.clauses] == [None] * len(found.main.clauses)
