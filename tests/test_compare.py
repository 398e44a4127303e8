"""Rule variants on the same deals: differences, their intervals, what was played differently, fairness."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tuolaji
from tuolaji.kernels._jit import JIT
from tuolaji.sim import compare
from tuolaji.sim.compare_tables import SCHEMAS, tables, to_dict
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.games import resolve_game
from tuolaji.sim.plan import make_plan
from tuolaji.sim.quantities import figures_of, quantities
from tuolaji.sim.rules import load
from tuolaji.sim.summary import Summary
from tuolaji.sim.totals import count
from tuolaji.sim.variant_plays import Variants, luck
from tuolaji.sim.variants import pieces, read_variants

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
pytestmark = pytest.mark.skipif(not JIT, reason="plays many deals")


@cache
def result(game: str, *variants: str, **more: Any) -> compare.Result:
    asked = {"deals": 3000, "seed": 3, **{k: v if k != "policies" else [v] for k, v in more.items()}}
    return compare.run(compare.ask(game, asked.pop("deals"), variants=variants, **asked), workers=2)


# --- what is compared


@pytest.mark.parametrize("game", [DWF, HW])
@pytest.mark.parametrize("session", [1, 10])
def test_the_quantities_of_the_deals_add_up_to_those_of_the_summary(game: str, session: int) -> None:
    plan = make_plan(game, policies="random", seed=4, session=session)
    columns = Engine(plan).play(0, 2000)
    totals = count(columns, session, game)
    found = quantities(game, columns)
    for name, total in totals.sums.items():
        if name in found:
            assert found[name].sum() == total, name
    figures = figures_of(game)
    for figure in figures:
        for part in filter(None, (figure.x, figure.y)):
            assert part in found or figure.kind == "quantile", part
    own = [figure.name for figure in figures if figure.kind != "quantile" and figure.name != "penalty_banker"]
    assert own == [*Summary(plan, totals, 0).figures()]


@pytest.mark.parametrize(
    ("game", "variants", "more"),
    [
        (DWF, ("bottom_multiplier=4,bottom_shape=lead",), {}),
        (DWF, ("forced_trump=off", "cascade=false"), {"policies": "random"}),
        (DWF, ("forced_trump=off",), {"session": 10}),
        (HW, ("cascade=true,bottom_multiplier=4",), {}),
        (HW, ("partner_loss_cap=2",), {"policies": "random", "session": 5}),
    ],
)
def test_a_difference_is_that_of_the_two_summaries(game: str, variants: tuple[str, ...], more: Any) -> None:
    found = result(game, *variants, **more)
    level = {(row.figure.name, row.variant): row.estimate.value for row in found.main.rows}
    seen = 0
    for row in found.main.rows:
        base, own = level[row.figure.name, 0], level[row.figure.name, row.variant]
        if row.difference is None or row.difference.value is None:
            continue
        assert base is not None and own is not None
        assert row.difference.value == pytest.approx(own - base, abs=1e-9), row.figure
        if row.difference.low is not None:
            assert row.difference.high is not None and row.alone is not None
            assert row.alone.low is not None and row.alone.high is not None
            assert row.difference.low <= row.alone.low <= row.alone.high <= row.difference.high
            assert row.figure.kind in ("quantile", "share") or row.difference.low <= row.difference.value
            seen += 1
        if not row.difference.differing:
            assert base == own
    assert seen > 10


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_rule_set_differs_from_itself_in_nothing(game: str) -> None:
    found = result(game, game, game, policies="random")
    for row in found.main.rows:
        if row.variant == 1:
            for difference in (row.difference, row.alone):
                assert difference is not None
                assert (difference.value, difference.low, difference.high) == (0, 0, 0)
                assert difference.differing == 0
    (differing,) = found.main.differing
    assert differing.deals == (0, 0)
    assert differing.played.high == differing.paid.high == pytest.approx(3 / 3000)
    assert found.main.clauses == []


def test_dwf18_a_throw_penalty_changes_payoffs_and_nothing_else() -> None:
    found = result(DWF, "defender_throw_penalty=1", "defender_throw_penalty=2", policies="random")
    for row in found.main.rows:
        if row.variant == 1:
            assert row.difference is not None and row.alone is not None
            if row.figure.name.startswith(("payoff", "penalty")):
                assert row.difference.differing > 0
            else:
                assert (row.difference.value, row.difference.differing) == (0, 0), row.figure
    (differing,) = found.main.differing
    assert differing.deals[0] == 0 < differing.deals[1]
    penalty = found.main.row("penalty_banker", 1)
    payoff = found.main.row("payoff_banker", 1)
    assert penalty and payoff and penalty.difference and payoff.difference and penalty.difference.value
    assert penalty.difference.value == payoff.difference.value > 0
    assert penalty.difference.low is not None and penalty.difference.low > 0


def test_deals_that_differ_are_those_whose_replays_differ() -> None:
    """Every play and bid of a deal under both rule sets, one by one."""
    plans = [
        make_plan(DWF, policies="random", seed=8, rules=load(DWF, None, more))
        for more in ([], ["cascade=false"])
    ]
    columns = Variants(plans, 2).play(40, 60)
    for at in range(60):
        one, two = (tuolaji.replay(DWF, 8, 40 + at, rules=p.rules, policies="random") for p in plans)
        for record in (one, two):
            record.pop("rules", None)
        parts = [key for key in one if key not in ("scoring", "result", "score", "payoffs")]
        assert bool(columns["1:played"][at]) == any(one[key] != two[key] for key in parts), (at, parts)
    assert 0 < columns["1:played"].sum() < 60


def test_com13_how_often_each_option_made_a_difference_by_itself() -> None:
    found = result(DWF, "die-wu-fen", "cascade=false,bottom_multiplier=4", policies="random")
    both = {each.option: each for each in found.main.clauses}
    assert set(both) == {"cascade", "bottom_multiplier"}
    assert both["cascade"].deals[0] > 0
    assert both["bottom_multiplier"].deals[0] == 0  # DWF-15 moves no card
    alone = result(DWF, "die-wu-fen", "cascade=false", policies="random")
    assert both["cascade"].deals == alone.main.differing[0].deals == alone.main.clauses[0].deals


def test_an_option_that_can_not_stand_alone_is_told_as_such() -> None:
    found = result(DWF, "die-wu-fen", "bid_step=20,opening_bid_single=120", policies="greedy", deals=200)
    alone = {each.option: each.played.value for each in found.main.clauses}
    assert alone["bid_step"] is None and alone["opening_bid_single"] is not None


def test_nothing_depends_on_threads_or_chunks() -> None:
    asked = compare.ask(HW, 3000, variants=["bottom_multiplier=4"], policies=["random"], seed=5)
    one, two = (to_dict(compare.run(asked, workers=w, chunk=c)) for w, c in ((1, 3000), (3, 77)))
    one.pop("seconds"), two.pop("seconds")
    assert one == two


# --- what is due to the deal


@pytest.mark.parametrize("game", [DWF, HW])
def test_com19_a_replica_has_the_same_cards_and_other_lots(game: str) -> None:
    engine = Engine(make_plan(game, policies="random", seed=4))
    once, again = engine.play(0, 300), engine.play(0, 300, replica=1)
    assert (once["first_seat"] == again["first_seat"]).all()
    assert any((once[name] != again[name]).any() for name in once)
    assert all((engine.play(0, 300, replica=1)[name] == again[name]).all() for name in again)
    held = Engine(make_plan(game, policies="random", seed=4, contract=_contract(game)))
    points = [held.play(0, 300, replica=r)["banker_trumps"] for r in (0, 1, 2)]  # the cards of a hand
    assert (points[0] == points[1]).all() and (points[0] == points[2]).all()


def _contract(game: str) -> dict[str, Any]:
    return {"banker": 0, "trump": "h", **({"bid": 150} if game == DWF else {})}


def test_the_deal_explains_all_where_nobody_draws_lots_and_little_where_all_do() -> None:
    alone = luck(make_plan(DWF, policies="greedy", seed=2), 0, 500)
    assert (alone.value, alone.low) == (1, None)
    lots = luck(make_plan(DWF, policies="random", seed=2), 0, 4000)
    assert lots.value is not None and lots.low is not None and lots.high is not None
    assert lots.low < lots.value < lots.high < 0.3
    held = luck(make_plan(DWF, policies="random", seed=2, contract=_contract(DWF)), 0, 4000)
    assert held.low is not None and held.low > lots.high  # a seat that is banker in every deal pays for it


# --- what is asked for


def test_variants_are_presets_files_options_and_grids(tmp_path: Path) -> None:
    game = resolve_game(DWF)
    file = tmp_path / "mine.toml"
    file.write_text('game = "die-wu-fen"\nbottom_multiplier = 3\n', "utf-8")
    found = read_variants(game, ["die-wu-fen-throws-only", str(file), "bid_step=5,opening-bid-single=105"])
    assert [v.name for v in found] == ["die-wu-fen-throws-only", "mine", "bid_step=5,opening-bid-single=105"]
    assert found[2].rules["opening_bid_single"] == 105 and found[1].rules["bottom_multiplier"] == 3
    found = read_variants(game, [], ["bid_step=10,5", "cascade=true,false"])
    assert len(found) == 4 and found[0].rules == load(DWF)
    assert found[3].changed(found[0].rules) == {"bid_step": (10, 5), "cascade": (True, False)}
    base = load(DWF, None, ["bottom_multiplier=3"])
    found = read_variants(game, ["cascade=false"], base=base)
    assert found[0].rules == base and found[1].rules["bottom_multiplier"] == 3
    twice = read_variants(game, ["die-wu-fen", "die-wu-fen"])
    assert [v.name for v in twice] == ["die-wu-fen", "die-wu-fen (2)"]
    assert pieces("a=1,base_table=[1,2,3],b=2,3") == ["a=1", "base_table=[1,2,3]", "b=2,3"]
    table = read_variants(game, ["base_table=1,1,1,1,1,1,1,1,1,9,cascade=false"])[1]
    assert table.rules["base_table"][-1] == 9 and not table.rules["cascade"]


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ({"variants": []}, "nothing to compare"),
        ({"variants": ["nowhere"]}, "no rule set"),
        ({"variants": ["luck=1"]}, "no option"),
        ({"variants": ["bid_step=7"]}, "bid_step"),
        ({"variants": ["hong-wu-wu-jia"]}, "hong-wu-wu-jia"),
        ({"grids": ["bid_step"]}, "option=a,b,c"),
        ({"grids": ["bid_step=5,,10"]}, "option=a,b,c"),
        ({"grids": ["bottom_multiplier=1,2,3,4,5,6,7,8", "points_five=1,2,3,4,5,6,7,8"]}, "too many"),
        ({"variants": ["cascade=false"], "deals": 50}, "too few"),
        ({"variants": ["cascade=false"], "deals": 1000, "session": 20}, "sessions"),
        ({"variants": ["cascade=false"], "confidence": 1.0}, "confidence"),
        ({"variants": ["cascade=false"], "resamples": 5}, "resamples"),
        ({"variants": ["cascade=false"], "checks": ["luck"]}, "names no policy"),
        ({"variants": ["cascade=false"], "checks": ["banker=greedy"]}, "all roles"),
        ({"variants": ["cascade=false"], "check_deals_": 100}, "check-policy"),
        ({"variants": ["cascade=false"], "checks": ["greedy"], "check_deals_": 10}, "too few"),
        (
            {
                "variants": ["bid_step=20,opening_bid_single=120"],
                "contract": {"banker": 0, "trump": "h", "bid": 130},
            },
            "no bid",
        ),
        (
            {
                "variants": ["cascade=false"],
                "refit": True,
                "contract": {"banker": 0, "trump": "h", "bid": 130},
            },
            "neither",
        ),
        ({"variants": ["points_five=10"], "count": ["0:points=30-60"]}, "counts otherwise"),
        ({"variants": ["cascade=false"], "hold": ["0:3h 3h 3h"]}, "3h"),
        ({"variants": ["cascade=false"], "hold": ["0:3h"], "refit": True}, "neither"),
        ({"variants": ["cascade=false"], "refit_deals": 5000}, "refit"),
        ({"variants": ["cascade=false"], "refit": True, "refit_deals": 50}, "too few"),
        ({"variants": ["cascade=false"], "refit": True, "policies": ["greedy"]}, "expert"),
    ],
)
def test_what_can_not_be_compared_is_refused(asked: dict[str, Any], part: str) -> None:
    asked = {"deals": 2000, **asked}
    with pytest.raises(UsageError, match=part):
        compare.ask(DWF, asked.pop("deals"), **asked)


# --- the whole study


def test_every_row_of_every_table_has_the_columns_it_should() -> None:
    found = result(HW, "bottom_multiplier=4", checks=("random",), check_deals_=1000)
    for name, rows in tables(found).items():
        assert rows, name
        for row in rows:
            assert set(row) <= {*SCHEMAS[name]}, name
    verdicts = {row["figure"]: row["verdict"] for row in tables(found)["conclusions"]}
    assert verdicts["defender_points"] == "survives"
    assert set(verdicts.values()) <= {"survives", "open", "reversed", "absent"}
    family = {row["family"] for row in tables(found)["figures"] if row["policy"] == "expert"}
    assert len(family) == 1


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_contract_may_be_compared(game: str) -> None:
    asked = compare.ask(
        game, 500, variants=["cascade=" + str(game == HW).lower()], contract=_contract(game), seed=1
    )
    found = compare.run(asked)
    names = {row.figure.name for row in found.main.rows}
    assert not names & {"bid", "countered", "revealed", "bid_150_made", "reveal_pressed_share"}
    assert found.main.differing[0].deals[0] > 0


def test_what_is_held_is_held_under_every_variant() -> None:
    asked = compare.ask(
        DWF,
        300,
        variants=["cascade=false"],
        contract=_contract(DWF),
        hold=["0:BJ BJ"],
        count=["0:kings=3-8"],
        seed=1,
    )
    first, second = (Engine(plan).play(0, 300) for plan in asked.plans())
    assert (first["banker_trumps"] == second["banker_trumps"]).all() and first["banker_trump_pairs"].min() > 0
    assert (first["defender_points"] != second["defender_points"]).any()
    assert compare.run(asked).main.differing[0].deals[0] > 0


@pytest.mark.slow
def test_what_search_draws_is_no_part_of_the_deal() -> None:
    found = luck(make_plan(DWF, policies="search:2", seed=2), 0, 40)
    assert found.value is not None and 0 < found.value < 1


@pytest.mark.slow
def test_dwf6_bidding_refitted_to_each_variant() -> None:
    asked = compare.ask(
        DWF,
        2000,
        variants=["die-wu-fen", "shutout_multiplier=6", "die-wu-fen"],
        refit=True,
        refit_deals=2000,
        seed=1,
    )
    noted: list[int] = []
    found = compare.run(asked, noted=noted.append)
    assert noted == [0, 1]  # the third plays by the rules of the first
    assert found.refitted is not None and found.refitted.bidding == "refitted"
    assert found.biddings[0].values == found.biddings[2].values != found.biddings[1].values
    same = [row for row in found.refitted.rows if row.variant == 2]
    assert all(row.difference and row.difference.value == 0 for row in same)
    assert found.refitted.differing[0].deals[0] > 0 == found.refitted.differing[1].deals[0]
    assert {row["check"] for row in tables(found)["conclusions"]} == {"refitted"}
