"""Estimates, and the totals they are made of, against direct computations."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats

from tuolaji.sim import stats
from tuolaji.sim.plan import make_plan
from tuolaji.sim.stats import Powers, Sums, t95, wilson
from tuolaji.sim.summary import Summary
from tuolaji.sim.totals import Totals, count, counted


def columns(deals: int, seed: int = 1, high: int = 300) -> dict[str, np.ndarray]:
    """Made-up deals: any values a deal could have, payoffs up to `high`."""
    rng = np.random.default_rng(seed)
    size = deals
    found = {
        "first_seat": rng.integers(0, 3, size),
        "banker": rng.integers(0, 3, size),
        "bottom_points": 5 * rng.integers(0, 10, size),
        "bottom_multiplier": rng.integers(0, 3, size),
        "defender_points": 5 * rng.integers(0, 41, size),
        "throws": rng.integers(0, 5, size),
        "redeals": (rng.random(size) < 0.1) * rng.integers(0, 4, size),
        "call_size": rng.integers(1, 3, size),
        "countered": rng.integers(0, 2, size),
        "bid": 110 + 10 * rng.integers(0, 10, size),
        "result": rng.integers(0, 2, size),
        "shutout": rng.integers(0, 2, size),
    }
    found["failed_throws"] = rng.integers(0, found["throws"] + 1)
    stake = rng.integers(-high // 2, high // 2 + 1, size)
    found |= {"tricks": rng.integers(10, 34, size), "last_winner": rng.integers(0, 3, size)}
    penalty = (found["failed_throws"] > 0) * rng.choice([-1, 1], size)
    for seat in range(3):
        found[f"payoff_{seat}"] = np.where(found["banker"] == seat, 2 * stake, -stake)
        found[f"penalty_{seat}"] = np.where(found["banker"] == seat, 2 * penalty, -penalty)
    return {name: values.astype(np.int16) for name, values in found.items()}


def summary(c: dict[str, np.ndarray], session: int = 1) -> Summary:
    return Summary(make_plan("dwf", session=session), count(c, session), 0)


# --- known values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published_by_newcombe(x: int, n: int, low: float, high: float) -> None:
    assert wilson(x, n) == pytest.approx((low, high), abs=5e-5)
    assert wilson(n - x, n) == pytest.approx((1 - high, 1 - low), abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "value"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (6, 2.4469),
        (10, 2.2281),
        (30, 2.0423),
        (10**6, 1.95997),
    ],
)
def test_t_as_in_tables(freedom: int, value: float) -> None:
    assert t95(freedom) == pytest.approx(value, abs=5e-3 if freedom < 5 else 2e-4)


LEVELS = (0.5, 0.9, 0.95, 0.99, 0.9995, 1 - 0.05 / 600, 1 - 1e-6)


@pytest.mark.parametrize("level", LEVELS)
def test_quantiles_are_those_of_scipy(level: float) -> None:
    """At the level of families of comparisons too, and with few degrees of freedom."""
    assert stats.normal(level) == pytest.approx(scipy.stats.norm.ppf((1 + level) / 2), rel=1e-9)
    for freedom in (*range(1, 130), 200, 999, 10**4, 10**6, 10**9):
        expected = scipy.stats.t.ppf((1 + level) / 2, freedom)
        assert stats.student(freedom, level) == pytest.approx(expected, rel=1e-7), freedom


@pytest.mark.parametrize("level", LEVELS)
def test_the_limit_of_a_rare_share_is_that_of_scipy(level: float) -> None:
    for units in (1, 20, 30, 1000, 10**6, 10**9):
        for found in (0, 1, 2, 7, 19, 20):
            if found > units:
                continue
            expected = 1.0 if found == units else scipy.stats.beta.ppf(level, found + 1, units - found)
            assert stats.at_most(found, units, level) == pytest.approx(expected, rel=1e-6), (found, units)


def test_wilson_is_that_of_scipy() -> None:
    for found, units in ((0, 20), (1, 29), (15, 148), (81, 263), (148, 148), (1, 10**6)):
        for level in LEVELS:
            interval = scipy.stats.binomtest(found, units).proportion_ci(level, method="wilson")
            assert wilson(found, units, stats.normal(level)) == pytest.approx(tuple(interval), abs=1e-9)


def test_a_mean_has_the_interval_of_scipy() -> None:
    draw = np.random.default_rng(2)
    for units in (2, 3, 4, 9, 100, 3000):
        values = draw.integers(-40, 200, units)
        x, xx = int(values.sum()), int((values**2).sum())
        for level in LEVELS:
            found = stats.mean(Sums(units, x, units, xx, x, units), level)
            assert found.error == pytest.approx(scipy.stats.sem(values))
            expected = scipy.stats.ttest_1samp(values, 0).confidence_interval(level)
            assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-6)


def test_a_standard_deviation_has_the_error_of_its_kurtosis() -> None:
    """The asymptotic one by scipy's kurtosis, on a log scale with Student's t."""
    draw = np.random.default_rng(5)
    values = draw.integers(-9, 10, 4000)
    q = values**2
    sums = [int(v.sum()) for v in (values, q, values * values, values * q, q * q)]
    counts = {int(v): (int(n),) for v, n in zip(*np.unique(values, return_counts=True), strict=True)}
    found = stats.spread(Powers(4000, 1, *sums), counts)
    kurtosis = scipy.stats.kurtosis(values, fisher=False)
    error = values.std() * math.sqrt((kurtosis - 1) / 4 / 4000)
    assert found.value == pytest.approx(values.std(ddof=1))
    assert found.error == pytest.approx(error, rel=1e-3)
    assert found.value is not None and found.low is not None and found.high is not None
    freedom = int(stats.effective(counts))
    factor = math.exp(scipy.stats.t.ppf(0.975, freedom) * error / values.std())
    assert (found.low, found.high) == pytest.approx((found.value / factor, found.value * factor), rel=1e-4)


def test_a_share_of_deals_has_the_plain_wilson_interval() -> None:
    found = stats.proportion(Sums(263, 81, 263, 81, 81, 263))
    assert (found.low, found.high) == wilson(81, 263)
    assert found.error == pytest.approx(math.sqrt(81 / 263 * (182 / 263) / 263))


def test_what_the_data_cannot_tell_is_none() -> None:
    assert stats.proportion(Sums(5, 0, 0, 0, 0, 0)).value is None
    assert stats.mean(Sums(0, 0, 0, 0, 0, 0)).value is None
    one = stats.mean(Sums(1, 7, 1, 49, 7, 1))
    assert (one.value, one.error, one.low) == (7.0, None, None)
    assert stats.spread(Powers(1, 1, 7, 49, 49, 343, 2401), {7: (1,)}).value is None


def test_sessions_that_agree_entirely_count_as_one_trial_each() -> None:
    # Six sessions of ten hands, all made: no variance to be seen, and surely not sixty trials.
    found = stats.proportion(Sums(6, 60, 60, 600, 600, 600))
    assert (found.low, found.high) == wilson(6, 6, t95(5))


# --- totals against numpy ---------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("session", [1, 2, 7])
def test_totals_are_the_sums_over_units(session: int) -> None:
    c = {name: values.astype(np.int64) for name, values in columns(210).items()}
    totals = count(c, session)
    made = c["result"] == 0
    position = [np.choose((c["first_seat"] + k) % 3, [c[f"payoff_{s}"] for s in range(3)]) for k in range(3)]
    banker = np.choose(c["banker"], [c[f"payoff_{s}"] for s in range(3)])
    squares = sum(c[f"payoff_{s}"] ** 2 for s in range(3))
    quantities = {
        "redeals": c["redeals"], "redealt": c["redeals"] > 0, "call_single": c["call_size"] == 1,
        "call_pair": c["call_size"] == 2, "countered": c["countered"], "bid": c["bid"], "made": made,
        "defenders_shut_out": made & (c["shutout"] == 1), "banker_shut_out": ~made & (c["shutout"] == 1),
        "throws": c["throws"], "failed_throws": c["failed_throws"], "bottom_points": c["bottom_points"],
        "bottom_dug": c["bottom_multiplier"] > 0, "bottom_dug_points": c["bottom_points"] * c["bottom_multiplier"],
        "defender_points": c["defender_points"], "defender_points_squares": c["defender_points"] ** 2,
        "payoff_banker": banker, "payoff_banker_squares": banker**2,
        "payoff_defender": sum(position) - banker, "payoff_defender_squares": squares - banker**2,
        "payoff_first": position[0], "payoff_second": position[1], "payoff_third": position[2],
        "payoff_first_squares": position[0] ** 2, "payoff_second_squares": position[1] ** 2,
        "payoff_third_squares": position[2] ** 2,
    }  # fmt: skip
    by_unit = {name: v.astype(np.int64).reshape(-1, session).sum(axis=1) for name, v in quantities.items()}
    assert totals.units == 210 // session
    assert totals.sums == {name: v.sum() for name, v in by_unit.items()}
    assert totals.products == {(a, b): (by_unit[a] * by_unit[b]).sum() for a, b in totals.products}
    for bid, found in totals.classes["bid"].items():
        y = (c["bid"] == bid).reshape(-1, session).sum(axis=1)
        x = (made & (c["bid"] == bid)).reshape(-1, session).sum(axis=1)
        assert found == (x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())
    squared = 0
    for points in sorted(totals.levels["defender_points"]):
        squared += totals.levels["defender_points"][points][1]
        up_to = (c["defender_points"] <= points).reshape(-1, session).sum(axis=1)
        assert squared == (up_to**2).sum()
    assert sum(number for number, _ in totals.levels["defender_points"].values()) == 210


@pytest.mark.parametrize("session", [1, 5])
def test_totals_are_the_same_however_divided(session: int) -> None:
    c = columns(600)
    whole = count(c, session)
    for cut in (5, 100, 595):
        parts = Totals(session)
        for piece in (slice(0, cut), slice(cut, None)):
            parts.merge(count({name: values[piece] for name, values in c.items()}, session))
        assert parts == whole
    with pytest.raises(ValueError, match="not whole sessions"):
        count({name: values[:7] for name, values in c.items()}, 2)


@pytest.mark.parametrize("session", [1, 1000, 30_000])
def test_totals_are_exact_at_the_largest_payoffs(session: int) -> None:
    c = columns(60_000)
    c["banker"][:] = 1
    c["payoff_0"][:], c["payoff_1"][:], c["payoff_2"][:] = 16_383, -32_766, 16_383
    totals = count(c, session)
    units = 60_000 // session
    square = 32_766**2 * session
    assert totals.sums["payoff_banker_squares"] == units * square
    assert totals.products["payoff_banker_squares", "payoff_banker_squares"] == units * square**2
    assert totals.products["payoff_banker", "payoff_banker_squares"] == -units * 32_766 * session * square


# --- estimates against direct computations ----------------------------------------------------------


def test_figures_of_single_deals_are_the_textbook_ones() -> None:
    c = {name: values.astype(np.int64) for name, values in columns(500).items()}
    figures = summary(c).figures()
    points = c["defender_points"]
    mean = figures["defender_points"]
    assert mean.value == pytest.approx(points.mean())
    assert mean.error == pytest.approx(points.std(ddof=1) / math.sqrt(500))
    assert mean.high == pytest.approx(points.mean() + t95(499) * points.std(ddof=1) / math.sqrt(500))
    banker = np.choose(c["banker"], [c[f"payoff_{seat}"] for seat in range(3)])
    assert figures["payoff_banker"].value == pytest.approx(banker.mean())
    assert figures["payoff_defender"].value == pytest.approx(-banker.mean() / 2)
    assert figures["payoff_banker_spread"].value == pytest.approx(banker.std(ddof=1))
    fourth = ((banker - banker.mean()) ** 4).mean()
    error = math.sqrt((fourth - banker.var() ** 2) / 499) / (2 * banker.std(ddof=1))
    assert figures["payoff_banker_spread"].error == pytest.approx(error)
    both = np.concatenate([c[f"payoff_{seat}"][c["banker"] != seat] for seat in range(3)])
    assert figures["payoff_defender_spread"].value == pytest.approx(both.std(ddof=1))
    made = int((c["result"] == 0).sum())
    assert (figures["made"].low, figures["made"].high) == wilson(made, 500)
    dug = c["bottom_multiplier"] > 0
    gained = (c["bottom_points"] * c["bottom_multiplier"])[dug]
    assert figures["bottom_dug_points"].value == pytest.approx(gained.mean())
    assert figures["bottom_dug_points"].error == pytest.approx(gained.std() / math.sqrt(dug.sum()), rel=0.01)


def jackknife(c: dict[str, np.ndarray], session: int, figure: Callable[[Any], float]) -> float:
    """The standard error by leaving out one session at a time."""
    deals = len(c["bid"])
    values = []
    for start in range(0, deals, session):
        kept = np.r_[0:start, start + session : deals]
        values.append(figure({name: v[kept] for name, v in c.items()}))
    n = len(values)
    return math.sqrt((n - 1) / n * sum((v - sum(values) / n) ** 2 for v in values))


def test_errors_of_sessions_are_those_between_sessions() -> None:
    # Hands of a session resemble each other strongly: every hand has the points and the result of the first.
    session = 8
    c = {name: values.astype(np.int64) for name, values in columns(960).items()}
    for name in ("defender_points", "result", "bid", "banker", "payoff_0", "payoff_1", "payoff_2"):
        c[name] = np.repeat(c[name][::session], session)
    figures = summary(c, session).figures()
    sessions = c["defender_points"].reshape(-1, session).mean(axis=1)
    error = sessions.std(ddof=1) / math.sqrt(len(sessions))
    assert figures["defender_points"].error == pytest.approx(error)
    assert error > 2.5 * c["defender_points"].std() / math.sqrt(960)  # what deals alone would claim

    failed = jackknife(c, session, lambda d: d["failed_throws"].sum() / d["throws"].sum())
    assert figures["failed_share"].error == pytest.approx(failed, rel=0.01)
    spread = jackknife(c, session, lambda d: d["defender_points"].std(ddof=1))
    assert figures["defender_points_spread"].error == pytest.approx(spread, rel=0.02)

    # All hands of a session alike: as much as one trial a session.
    made = figures["made"]
    assert made.value is not None
    assert made.low is not None
    low, high = wilson(made.value * 119, 119, t95(119))  # var has n - 1 below: 119 trials for 120 sessions
    assert (made.low, made.high) == pytest.approx((low, high))
    for bid, (_, of_bid) in summary(c, session).table("bid").items():
        chosen = c["bid"] == bid
        assert of_bid.value == pytest.approx((c["result"][chosen] == 0).mean())


def test_independent_hands_give_sessions_about_the_errors_of_deals() -> None:
    c = columns(40_000)
    alone, chained = summary(c).figures(), summary(c, 4).figures()
    for name, figure in alone.items():
        other = chained[name]
        assert figure.value == other.value
        assert figure.error == pytest.approx(other.error, rel=0.06), name
    for share, figure in summary(c).quantiles().items():
        other = summary(c, 4).quantiles()[share]
        assert (figure.value, figure.low, figure.high) == (other.value, other.low, other.high)


def test_quantiles_and_their_intervals() -> None:
    c = columns(3000)
    points = np.sort(c["defender_points"])
    for share, figure in summary(c).quantiles().items():
        assert figure.value == points[math.ceil(share * 3000) - 1]
        reach = t95(2999) * math.sqrt(share * (1 - share) * 3000)
        assert figure.low is not None
        assert figure.high is not None
        assert abs(figure.low - points[math.floor(share * 3000 - reach)]) <= 5
        assert abs(figure.high - points[math.ceil(share * 3000 + reach)]) <= 5


def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    # 400 runs of 30 sessions of 5 hands; a session's hands share a chance of being made.
    rng = random.Random(5)
    held = 0
    for _ in range(400):
        units = []
        for _ in range(30):
            chance = rng.choice((0.1, 0.7))
            units.append(sum(rng.random() < chance for _ in range(5)))
        x, xx = sum(units), sum(u * u for u in units)
        found = stats.proportion(Sums(30, x, 150, xx, 5 * x, 5 * 150))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.4 <= found.high
    assert 365 <= held <= 395


def test_every_counted_column_matters() -> None:
    # A column the totals overlook would make them blind to a change in it.
    c = columns(50)
    before = count(c, 1)
    for name in counted("die-wu-fen"):
        changed = {**c, name: c[name].copy()}
        if name in ("banker", "first_seat"):
            changed[name] = (changed[name] + 1) % 3
        elif name in ("countered", "result", "shutout"):
            changed[name] = 1 - changed[name]
        elif name == "call_size":
            changed[name][:] = 1
        elif name.startswith("penalty"):
            changed[name] = abs(changed[name]) + 1
        else:
            changed[name] = changed[name] + 1
        assert count(changed, 1) != before, name
