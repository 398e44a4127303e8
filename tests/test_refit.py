"""Biddings fitted to rule variants: on deals of their own, in the direction that the rules suggest."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim import compare, refit
from tuolaji.sim.bidding import Bidding, changed, names, read_bidding, shipped
from tuolaji.sim.compare_tables import provenance, tables, to_dict
from tuolaji.sim.counterfactual import CHUNK, Counterfactual
from tuolaji.sim.counterfactual_hong_wu_wu_jia import HiddenCounterfactual
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.naming import numbers_of
from tuolaji.sim.plan import MOST_SESSIONS, make_plan
from tuolaji.sim.threshold_hong_wu_wu_jia import ask_hidden, run_hidden

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
ALWAYS_WON = "grade_table=0:5,400:-1"  # the banker's side always wins, and solo pays most (HW-15)
DEALS, TRAINING = 1000, 2000
pytestmark = pytest.mark.skipif(not JIT, reason="plays many deals")


def asked(*variants: str, game: str = HW, **more: Any) -> compare.Asked:
    known = {"deals": DEALS, "refit": True, "refit_deals": TRAINING, "seed": 3, **more}
    return compare.ask(game, known.pop("deals"), variants=variants, **known)


@cache
def result() -> compare.Result:
    return compare.run(asked(HW, ALWAYS_WON, HW), workers=2)


def solo(bidding: Bidding, rules: str | None = None) -> float:
    """How often the banker goes solo by a bidding, on deals that nothing was fitted to."""
    plan = make_plan(HW, overrides=[rules] if rules else [], bidding=bidding, seed=99)
    return float(Engine(plan).play(0, 2000)["solo"].mean())


# --- what is asked for


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"contract": {"banker": 0, "trump": "h"}}, "neither"),
        ({"hold": ["0:5h"]}, "neither"),
        ({"count": ["0:trumps=8-30"], "contract": {"banker": 0, "trump": "h"}}, "neither"),
        ({"refit_deals": 999}, "too few to fit; allowed are 1000"),
        ({"policies": ["greedy"]}, "reveals and names"),
        ({"policies": ["banker=greedy"]}, "reveals and names"),
        ({"policies": ["3=greedy"]}, "reveals and names"),
        ({"first": MOST_SESSIONS - DEALS}, "beyond the last"),
    ],
)
def test_what_can_not_be_fitted_is_refused(more: dict[str, Any], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        asked("base=2", **more)


def test_defenders_may_play_by_any_policy_and_deals_have_a_default() -> None:
    assert asked("base=2", policies=["defender=greedy"]).refit == TRAINING
    for game, variant in ((HW, "base=2"), (DWF, "cascade=false")):
        assert compare.ask(game, DEALS, variants=[variant], refit=True).refit == refit.REFIT_DEALS
        assert compare.ask(game, DEALS, variants=[variant]).refit == 0


# --- what it is fitted on


@pytest.mark.parametrize(
    ("game", "player", "variant"),
    [
        (HW, HiddenCounterfactual, "base=2"),
        pytest.param(DWF, Counterfactual, "shutout_multiplier=6", marks=pytest.mark.slow),
    ],
)
def test_the_deals_fitted_to_are_those_behind_the_ones_compared(
    game: str, player: type[Engine], variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int, int, int]] = []
    play = player.table  # type: ignore[attr-defined]

    def table(self: Engine, first: int, count: int, *more: Any) -> Any:
        seen.append((self.plan.rules.hash(), self.plan.seed, first, count))
        return play(self, first, count, *more)

    monkeypatch.setattr(player, "table", table)
    wanted = asked(game, variant, game=game, first=500, deals=700, refit_deals=1100)
    found = refit.fit_to_each(wanted)
    assert len(found) == 2
    assert (found[0].values == found[1].values) == (variant == "base=2")  # HW-16: a matter of scale alone
    deals = {(rules, deal) for rules, _, first, count in seen for deal in range(first, first + count)}
    training = range(500 + 700, 500 + 700 + 1100)
    assert deals == {(v.rules.hash(), deal) for v in wanted.variants for deal in training}
    assert {seed for _, seed, _, _ in seen} == {wanted.plan.seed}
    assert sum(count for *_, count in seen) == refit.refit_work(wanted)


def test_which_deals_are_compared_makes_no_difference_to_the_fit() -> None:
    each = [
        refit.fit_to_each(asked(ALWAYS_WON, first=first, deals=deals, refit_deals=1000))
        for first, deals in ((0, 800), (300, 500), (300, 800))
    ]
    assert each[0] == each[1] != each[2]


@pytest.mark.slow
def test_it_is_the_fit_of_the_study_threshold() -> None:
    wanted = asked(ALWAYS_WON, refit_deals=1500)
    study = ask_hidden(HW, 1500, seed=3, first=DEALS, rules=wanted.variants[1].rules)
    assert run_hidden(study).bidding.values == refit.fit_to_each(wanted)[1].values


@pytest.mark.slow
def test_any_number_of_workers_finds_the_same() -> None:
    wanted = asked(HW, ALWAYS_WON, refit_deals=CHUNK + 1000, seed=5)
    assert refit.fit_to_each(wanted, workers=1) == refit.fit_to_each(wanted, workers=3)


def test_progress_counts_every_deal() -> None:
    wanted, told, noted = asked(HW, "partner_loss_cap=0", HW, checks=["random"]), [0], []
    compare.run(wanted, report=told.append, noted=noted.append)
    assert told == sorted(told) and told[-1] == compare.work(wanted)
    assert noted == [0, 1]
    plain = compare.work(compare.ask(HW, DEALS, variants=[HW, "partner_loss_cap=0", HW], checks=["random"]))
    assert compare.work(wanted) - plain == 2 * TRAINING + 3 * DEALS


# --- what comes out


def test_hw15_solo_is_named_where_it_always_wins() -> None:
    here, there = (numbers_of(result().biddings[at]) for at in (0, 1))
    trumps = 12  # in hand, a good deal
    assert (
        there["name.solo"] + trumps * there["name.solo_trumps"]
        > here["name.solo"] + trumps * here["name.solo_trumps"]
    )
    found = result().refitted
    main = result().main
    assert found is not None
    rows = {at: found.row("solo", at) for at in (0, 1)}
    before = main.row("solo", 1)
    assert before is not None and before.estimate.value == 0
    assert rows[0] is not None and rows[1] is not None
    assert rows[1].estimate.value > 0.05 > 0.01 > rows[0].estimate.value  # type: ignore[operator]
    assert rows[1].difference is not None and rows[1].difference.low is not None
    assert rows[1].difference.low > 0
    # where a banker can't lose everybody reveals as soon as can be
    held = [found.row("reveal_after", at) for at in (0, 1)]
    assert held[0] is not None and held[1] is not None
    assert held[1].estimate.value < held[0].estimate.value - 3  # type: ignore[operator]


def test_hw15_solo_is_left_where_it_loses() -> None:
    eager = changed(shipped(HW), {"name.solo": 500, "name.solo_trumps": 0}, "eager")
    wanted = asked(HW, ALWAYS_WON, bidding=eager)
    shy, still = refit.fit_to_each(wanted)
    assert solo(eager) > 0.1
    assert solo(shy) < 0.5 * solo(eager)
    assert solo(still, ALWAYS_WON) > 0.8 * solo(eager, ALWAYS_WON)


def test_a_rule_set_differs_in_nothing_from_itself() -> None:
    found = result()
    assert found.refitted is not None and found.refitted.bidding == "refitted"
    assert found.biddings[0] == found.biddings[2] and found.biddings[0].values != found.biddings[1].values
    for row in found.refitted.rows:
        if row.variant == 2 and row.difference and row.difference.value is not None:
            assert row.difference.value == row.difference.low == row.difference.high == 0
    assert found.refitted.differing[0].deals[0] > 0 == found.refitted.differing[1].deals[0]
    for table in ("figures", "differing", "fairness"):
        assert {row["bidding"] for row in tables(found)[table]} == {"shipped", "refitted"}
    assert {row["check"] for row in tables(found)["conclusions"]} == {"refitted"}


def test_played_again_by_hand_the_refitted_figures_are_the_same() -> None:
    found = result()
    assert found.refitted is not None
    for at, variant in enumerate(found.asked.variants):
        plan = make_plan(HW, rules=variant.rules, bidding=found.biddings[at], seed=3)
        rows = Engine(plan).play(0, DEALS)
        for name in ("solo", "pressed"):
            row = found.refitted.row(name, at)
            assert row is not None and row.estimate.value == pytest.approx(np.mean(rows[name]))
        row = found.refitted.row("payoff_first", at)
        first = np.choose(rows["first_seat"], [rows[f"payoff_{seat}"] for seat in range(5)])
        assert row is not None and row.estimate.value == pytest.approx(first.mean())


def test_what_determines_the_fit_is_told() -> None:
    about = provenance(result().asked)
    assert about["refit_first"] == DEALS and about["refit_deals"] == TRAINING and about["seed"] == 3
    assert provenance(compare.ask(HW, DEALS, variants=["base=2"]))["refit_first"] is None
    told = json.loads(json.dumps(to_dict(result())))["biddings"]
    assert [set(each) for each in told] == [{"name", "reveal", "naming"}] * 3


# --- the command


@pytest.mark.slow
def test_the_command_leaves_the_biddings_in_both_languages(tmp_path: Path) -> None:
    words = ["compare", HW, "--deals", "500", "--variant", HW, "--variant", ALWAYS_WON, "--refit"]
    words += ["--refit-deals", "2000", "--seed", "3"]
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "d")])
    assert done.exit_code == 0, done.output
    assert "bidding refitted to each variant" in done.stdout
    assert f"fitting reveals and namings to {ALWAYS_WON}\n" in done.stderr
    manifest = json.loads((tmp_path / "d" / "manifest.json").read_text("utf-8"))
    assert (manifest["refit_first"], manifest["refit_deals"]) == (500, 2000)
    found = json.loads((tmp_path / "d" / "result.json").read_text("utf-8"))
    for at in (0, 1):
        text = (tmp_path / "d" / f"bidding-{at}.toml").read_text("utf-8")
        assert "first = 500\ndeals = 2000\n" in text
        bidding = read_bidding(str(tmp_path / "d" / f"bidding-{at}.toml"), HW)
        numbers = dict(zip(names(HW), bidding.values, strict=True))
        assert found["biddings"][at]["naming"]["solo"] == numbers["name.solo"]
    simulated = ["simulate", HW, "--deals", "200", "--bidding", str(tmp_path / "d" / "bidding-1.toml")]
    assert CliRunner().invoke(main, simulated).exit_code == 0
    chinese = CliRunner().invoke(main, [*words, "--lang", "zh"])
    assert chinese.exit_code == 0, chinese.output
    assert "按各规则重新拟合" in chinese.stdout and "拟合翻 2 与找伴" in chinese.stderr
    assert "refit" not in chinese.stdout and "bidding" not in chinese.stdout
