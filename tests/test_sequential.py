"""Stopping when it is enough: the interval must hold at all looks at once, where an ordinary one does not."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from tuolaji.sim.errors import UsageError
from tuolaji.sim.sequential import MAX_DEALS, MIN_DEALS, StoppingRule, make_rule
from tuolaji.sim.stats import Estimate, at_most, normal, student, t95

WALKS = 4000
#: Walks of mean 0: an even coin of +1 and -1; rarely +19, else -1; rarely +49 or -49 by even chance, else nothing.
COIN, SKEWED, RARE = ((1, 0.5), (-1, 0.5)), ((19, 0.05), (-1, 0.95)), ((49, 0.01), (-49, 0.01), (0, 0.98))
Floats = NDArray[np.float64]


def walk(steps: tuple[tuple[int, float], ...], looks: list[int], seed: int) -> tuple[Floats, Floats]:
    """Means and their standard errors of many walks (rows) at the looks (columns)."""
    values = np.array([value for value, _ in steps])
    sizes = np.diff([0, *looks])
    counts = np.random.default_rng(seed).multinomial(
        np.broadcast_to(sizes, (WALKS, len(sizes))), [chance for _, chance in steps]
    )
    n = np.array(looks)
    sums, squares = (np.cumsum(counts @ values**power, axis=1) for power in (1, 2))
    means = sums / n
    return means, np.sqrt((squares / n - means**2) / (n - 1))


def ever_missed(means: Floats, errors: Floats, reaches: list[float]) -> float:
    """The share of the walks whose interval leaves out the truth, 0, at some look."""
    return float((np.abs(means) > errors * np.array(reaches)).any(axis=1).mean())


@pytest.mark.parametrize(("steps", "least"), [(COIN, 100), (COIN, 1000), (SKEWED, 1000), (RARE, 1000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_interval_covers_at_all_looks_at_once(
    steps: tuple[tuple[int, float], ...], least: int, confidence: float
) -> None:
    rule = StoppingRule(1e-9, least, 100 * least, confidence)
    looks = [*rule.looks()]
    means, errors = walk(steps, looks, seed=least)
    allowed = 1 - confidence
    missed = ever_missed(means, errors, [rule.reach(n) for n in looks])
    assert missed < allowed + 2 * math.sqrt(allowed * confidence / WALKS)
    # The test would notice: the ordinary interval, looked at as often, misses several times as often as it may.
    assert ever_missed(means, errors, [normal(confidence)] * len(looks)) > 3 * allowed


def test_whoever_stops_when_the_interval_pleases_is_not_misled() -> None:
    """Stop when the error is reached, or earlier if A seems better: the worst a user may do."""
    rule = StoppingRule(0.02, 1000, 20_000)
    looks = [*rule.looks()]
    means, errors = walk(COIN, looks, seed=7)
    reaches = np.array([rule.reach(n) for n in looks])
    stop = np.where((means > errors * reaches) | (errors <= rule.error), 1, 0).argmax(axis=1)
    rows = np.arange(WALKS)
    wrong = np.abs(means[rows, stop]) > errors[rows, stop] * reaches[stop]
    assert wrong.mean() < 0.05
    # The same with 1.96 standard errors: far more than 1 in 40 walks "prove" that A is better.
    stop = np.where((means > 1.96 * errors) | (errors <= rule.error), 1, 0).argmax(axis=1)
    assert (means[rows, stop] > 1.96 * errors[rows, stop]).mean() > 2 * 0.025


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_the_interval_is_narrowest_where_it_is_tuned_for(confidence: float) -> None:
    rule = StoppingRule(0.1, 1000, 10**6, confidence)
    best = round(1000 * math.log(1000))
    assert min(range(1000, 20_000), key=rule.reach) == pytest.approx(best, rel=1e-3)
    # wider than an ordinary one: by a half there, about twice at the first look
    assert all(normal(confidence) < rule.reach(n) < 2.2 * normal(confidence) for n in (1000, best, 100_000))


def test_reach_is_the_boundary_of_the_normal_mixture() -> None:
    """Robbins: the mixture of exp(s x - n s s / 2) over s ~ N(0, rho^2) crosses 1 / alpha at sqrt(n) * reach."""
    rule = StoppingRule(0.1, 500, 10**6)
    for n in (500, 5000, 50_000):
        x, rho = math.sqrt(n) * rule.reach(n), math.sqrt(rule._mixing)
        s = np.linspace(-12 * rho, 12 * rho, 200_001)
        density = np.exp(-s * s / (2 * rho * rho)) / (rho * math.sqrt(2 * math.pi))
        mixture = float((np.exp(s * x - n * s * s / 2) * density).sum() * (s[1] - s[0]))
        assert mixture == pytest.approx(1 / 0.05, rel=1e-6)


def test_looks_grow_by_a_hundredth_and_end_at_the_most() -> None:
    looks = [*StoppingRule(0.1, 1000, 50_000).looks()]
    assert looks[:3] == [1000, 1100, 1200]
    assert looks[-1] == 50_000
    assert all(b - a == max(100, a // 100) for a, b in pairwise(looks[:-1]))
    assert [*StoppingRule(0.1, 100, 100).looks()] == [100]


def test_widened_keeps_value_and_error() -> None:
    rule = StoppingRule(0.1, 1000, 10_000)
    found = rule.widened(Estimate(5.0, 0.5, 4.0, 6.0, 2000), 2000)
    assert (found.value, found.error) == (5.0, 0.5)
    assert found.high == pytest.approx(5 + 0.5 * rule.reach(2000))
    assert found.low == pytest.approx(5 - 0.5 * rule.reach(2000))


def test_make_rule_completes_and_refuses() -> None:
    assert make_rule(0.5, None, None, 0.95) == StoppingRule(0.5, MIN_DEALS, MAX_DEALS, 0.95)
    assert make_rule(0.5, 10**8, None, 0.95).most == 10**8
    for bad in ((0.0, None, None), (-1.0, None, None), (math.nan, None, None), (math.inf, None, None),
                (1.0, 99, None), (1.0, 200, 150), (1.0, None, 0)):  # fmt: skip
        with pytest.raises(UsageError):
            make_rule(*bad, 0.95)


@pytest.mark.parametrize(
    ("freedom", "confidence", "value"),
    [(1, 0.99, 63.657), (2, 0.99, 9.925), (5, 0.99, 4.032), (10, 0.99, 3.169), (30, 0.99, 2.750),
     (10, 0.9, 1.812), (100, 0.999, 3.390), (10**6, 0.99, 2.5758)],
)  # fmt: skip
def test_quantiles_of_student_at_other_levels(freedom: int, confidence: float, value: float) -> None:
    assert student(freedom, confidence) == pytest.approx(value, rel=5e-3 if freedom < 10 else 3e-4)
    assert student(freedom, 0.95) == t95(freedom)


@pytest.mark.parametrize("share", [0.0005, 0.004, 0.05])
def test_the_limit_of_a_rare_share_holds_at_all_looks_at_once(share: float) -> None:
    """And it is no more than twice what holds at one look chosen beforehand."""
    rule = make_rule(0.1, 100, 4000, 0.95)
    looks = [*rule.looks()]
    sizes = np.diff([0, *looks])
    counts = np.cumsum(np.random.default_rng(8).binomial(sizes, share, (WALKS, len(sizes))), axis=1)
    missed = np.zeros(WALKS, bool)
    for at, n in enumerate(looks):
        limits = np.array([rule.at_most(k, n) for k in range(int(counts[:, at].max()) + 1)])
        missed |= limits[counts[:, at]] < share
    assert missed.mean() <= 0.05
    for count, deals in ((1, 100), (7, 1000), (19, 4000)):
        assert at_most(count, deals, 0.95) < rule.at_most(count, deals) < 2.2 * at_most(count, deals, 0.95)
    assert rule.at_most(5, 5) == 1.0
