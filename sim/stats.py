"""Estimates with their uncertainty, from exact integer sums.

Python divides integers of any size exactly and rounds once, so nothing here loses digits by cancellation.

A run is a sample of *units*: deals, or sessions when hands are chained. Every figure is a ratio of two totals,
``sum(x) / sum(y)`` over the units (a mean has the number of deals for y), and its error follows from how the
units differ, so hands of one session may depend on each other in any way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Z95 = 1.959963984540054
LEAST_SPREAD, MANY = (
    200,
    2000,
)  # deals from which a standard deviation has an interval, and no approximate one
LEAST_DIFFERING = 20  # units below which a difference has but a bound
_SERIES = 100  # degrees of freedom up to which Student's distribution is summed


class Sums(NamedTuple):
    """Exact sums over the units of two quantities x and y, of their squares and of their product."""

    units: int
    x: int
    y: int
    xx: int
    xy: int
    yy: int

    @property
    def scatter(self) -> int:
        """Sum over the units of (x - ratio * y) squared, times the square of the total of y: an exact integer."""
        return self.xx * self.y**2 - 2 * self.x * self.y * self.xy + self.x**2 * self.yy

    @property
    def variance(self) -> float | None:
        """Of the ratio x / y, by linearisation; None when one unit can't tell."""
        if self.units < 2 or self.y == 0:
            return None
        return self.scatter * self.units / ((self.units - 1) * self.y**4)


@dataclass(frozen=True)
class Estimate:
    """A figure: its value, standard error and 95 % interval (None where the data can't tell), and what it is of.

    ``approximate``: with so few deals the error is known roughly, and the interval, if there is one, may cover somewhat
    less often than it says (90 % of the time or more).
    """

    value: float | None
    error: float | None = None
    low: float | None = None
    high: float | None = None
    of: int = 0
    approximate: bool = False

    def to_dict(self) -> dict[str, float | int | None]:
        """Fit for JSON, at full precision; ``approximate`` only where the interval is."""
        found: dict[str, float | int | None] = {
            "value": self.value, "error": self.error, "low": self.low, "high": self.high, "of": self.of,
        }  # fmt: skip
        return found | {"approximate": True} if self.approximate else found


def mean(sums: Sums, confidence: float = 0.95) -> Estimate:
    """A ratio of totals that may take any value; interval by Student's t with units - 1 degrees of freedom."""
    if sums.y == 0:
        return Estimate(None)
    value = sums.x / sums.y
    if sums.variance is None:
        return Estimate(value, of=sums.y)
    error = math.sqrt(sums.variance)
    reach = student(sums.units - 1, confidence) * error
    return Estimate(value, error, value - reach, value + reach, sums.y)


def proportion(sums: Sums) -> Estimate:
    """A ratio of counts, x of y. Wilson's interval; on an effective number of trials when units hold several trials.

    One trial a unit: plain Wilson. Else the trials are divided by the design effect (variance between the units over
    the variance of as many independent trials), and Student's t replaces the normal quantile. Where all trials agree
    there is no variance to be seen, and the units count as the trials.
    """
    x, y = sums.x, sums.y
    if y == 0:
        return Estimate(None)
    value = x / y
    if sums.yy == y:  # at most one trial in each unit
        return Estimate(value, math.sqrt(value * (1 - value) / y), *wilson(x, y), of=y)
    if sums.variance is None:
        return Estimate(value, of=y)
    if sums.scatter == 0:
        trials = float(min(sums.units, y))
    else:
        trials = value * (1 - value) / sums.variance if 0 < x < y else y
    low, high = wilson(value * trials, trials, t95(sums.units - 1))
    return Estimate(value, math.sqrt(sums.variance), low, high, y)


def wilson(x: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's 95 % interval for x successes in n trials."""
    p, zz = x / n, z * z / n
    middle = p + zz / 2
    reach = z * math.sqrt(p * (1 - p) / n + zz / n / 4)
    low = 0.0 if x <= 0 else (middle - reach) / (1 + zz)
    return low, 1.0 if x >= n else (middle + reach) / (1 + zz)


class Powers(NamedTuple):
    """Exact sums over the units for a spread: x and q are a unit's sums of values and of squared values.

    Each unit holds ``unit_size`` values; or, with ``counts``, n of them, n differing from unit to unit: the sums of n,
    n * n, n * x and n * q. ``deals``: how many these are; 0 if as many as units.
    """

    units: int
    unit_size: int
    x: int
    q: int
    xx: int
    xq: int
    qq: int
    counts: tuple[int, int, int, int] | None = None
    deals: int = 0


def effective(values: Mapping[int, tuple[int, ...]]) -> float:
    """How many of some values make out their variance: (sum of z^2)^2 / sum of z^4, z being (x - mean)^2 - variance.

    ``values``: by value how often it came up, first of a tuple. As many as there are, over the kurtosis of z: a few
    where rare values are far out.
    """
    n = sum(count for count, *_ in values.values())
    total = sum(x * count for x, (count, *_) in values.items())
    q = sum(x * x * count for x, (count, *_) in values.items())
    squares = fourths = 0
    for x, (count, *_) in values.items():
        z = (n * x * n - 2 * n * total) * x + 2 * total**2 - n * q  # times n squared
        squares, fourths = squares + count * z**2, fourths + count * z**4
    return squares**2 / fourths if fourths else float(n)


def spread(powers: Powers, values: Mapping[int, tuple[int, ...]]) -> Estimate:
    """The standard deviation of single values; error by linearisation, interval on a log scale.

    ``values``: how often each came up (`effective`). They take the place of the units in Student's degrees of freedom,
    as the error itself is known as well as they are many. No interval below ``LEAST_SPREAD`` deals or units.
    """
    units, size = powers.units, powers.unit_size
    n, nn, nx, nq = powers.counts or (size * units, size * size * units, size * powers.x, size * powers.q)
    if units < 2 or n < 2:
        return Estimate(None)
    variance = (n * powers.q - powers.x**2) / (n * (n - 1))
    if variance <= 0:
        return Estimate(0.0, 0.0, 0.0, 0.0, n)
    # Influence of a unit: q - 2 m x + n_u (m m - v), with m = x / n and v = q / n - m m; all times n squared below.
    a, b, c = n * n, -2 * n * powers.x, 2 * powers.x**2 - n * powers.q
    influence = (
        a * a * powers.qq + b * b * powers.xx + c * c * nn
        + 2 * (a * b * powers.xq + a * c * nq + b * c * nx)
    )  # fmt: skip
    of_variance = influence * units / ((units - 1) * n**6)
    value = math.sqrt(variance)
    error = math.sqrt(of_variance) / (2 * value)
    if units < LEAST_SPREAD:
        return Estimate(value, error, of=n, approximate=True)
    # Deals that hold several values count once: these may be equal. Sums over a session are nearer to normal.
    deals = powers.deals or units
    alone = min(n, deals)
    kurtosis = n / effective(values)
    freedom = alone / (3 * (deals // units - 1) + kurtosis)
    reach = student(min(units - 1, max(1, int(freedom))), 0.95) * error / value
    factor = math.exp(min(reach, 700.0))
    return Estimate(value, error, value / factor, value * factor, n, approximate=deals < MANY)


def quantile(
    counts: list[int], squares: list[int], units: int, share: float, confidence: float = 0.95
) -> Estimate:
    """The smallest value v with at least ``share`` of all at or below it, and Woodruff's interval.

    ``counts[v]``: how many values are v. ``squares``: so that its sum up to v is the sum over the units of the squared
    number of the unit's values at or below v. Units hold equally many values.
    """
    total = sum(counts)
    if total == 0:
        return Estimate(None)
    below, below_squares = 0, 0
    at = len(counts) - 1
    for v, (count, square) in enumerate(zip(counts, squares, strict=True)):
        below, below_squares = below + count, below_squares + square
        if below >= share * total:
            at = v
            break
    if units < 2:
        return Estimate(float(at), of=total)
    size = total // units
    sums = Sums(units, below, total, below_squares, size * below, size * total)
    # Variance of the share at or below the quantile, put at the share asked for where the step there is a large one.
    effect = 1.0
    if sums.scatter and sums.variance is not None and below < total:
        effect = sums.variance * total / (below / total * (1 - below / total))
    reach = student(units - 1, confidence) * math.sqrt(share * (1 - share) / total * effect)
    low, high = _at_rank(counts, (share - reach) * total), _at_rank(counts, (share + reach) * total)
    return Estimate(float(at), None, float(low), float(high), total)


def _at_rank(counts: list[int], rank: float) -> int:
    below, last = 0, 0
    for v, count in enumerate(counts):
        if count:
            below, last = below + count, v
            if below >= rank:
                return v
    return last


def t95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t."""
    return student(freedom, 0.95)


def normal(confidence: float) -> float:
    """The two-sided quantile of the normal distribution: 1.96 for 0.95."""
    return Z95 if confidence == 0.95 else NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=4096)
def student(freedom: int, confidence: float) -> float:
    """The two-sided quantile of Student's t."""
    if freedom <= 1:
        return math.tan(math.pi / 2 * confidence)
    if freedom < _SERIES:
        low, high = 0.0, math.pi / 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)
        return math.sqrt(freedom) * math.tan((low + high) / 2)
    z = normal(confidence)
    terms: tuple[float, ...] = (  # Cornish-Fisher
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** (k + 1) for k, term in enumerate(terms))


def _within(angle: float, freedom: int) -> float:
    """The chance that Student's t lies within ± tan(angle) * sqrt(freedom): Abramowitz and Stegun 26.7.3 and 26.7.4."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


@lru_cache(maxsize=4096)
def at_most(count: int, units: int, confidence: float) -> float:
    """The exact upper limit, one-sided, of the share of units with a property that ``count`` of them have.

    Clopper and Pearson's: the share at which so few would be found by a chance of 1 - ``confidence``.
    """
    if count >= units:
        return 1.0
    low, high = count / units, 1.0
    for _ in range(60):
        share = (low + high) / 2
        term = units * math.log1p(-share)  # of none
        odds = math.log(share) - math.log1p(-share)
        terms = [term]
        for k in range(count):
            term += math.log((units - k) / (k + 1)) + odds
            terms.append(term)
        most = max(terms)
        chance = math.exp(most) * math.fsum(math.exp(each - most) for each in terms)
        low, high = (share, high) if chance > 1 - confidence else (low, share)
    return high
