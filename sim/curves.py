"""A difference between two choices as a function of a hand's strength, and where it changes sign.

Hands are gathered in narrow bins of strength and in groups of whole deals. Deals are independent, and so are groups of
them; hands of one deal are not. Every error comes from how the groups differ, so the deal remains the unit whatever the
number of hands in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .stats import Estimate, student

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GROUPS = 256
RESAMPLES = 1000
FIELDS = ("hands", "made", "shutout", "chosen", "other")  # chosen, other: payoffs of the two choices
_FEW = 30  # hands too few to say anything by themselves


@dataclass(frozen=True)
class Axis:
    """What hands are ordered by: ``bins`` bins of ``width`` from ``low`` on; the end ones take what lies beyond.

    ``step``: bins in a class of hands, of which it is asked whether a choice pays. ``reach``: the line near a crossing
    is fitted to so many bins on either side. Bins one wide hold whole numbers: cards, pairs, suits.
    """

    low: int
    width: int
    bins: int
    step: int = 1
    reach: int = 4

    def of(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """The bins of some values."""
        found: NDArray[np.int64] = np.clip((values - self.low) // self.width, 0, self.bins - 1).astype(
            np.int64
        )
        return found

    def up(self, value: float) -> float:
        """A value between whole numbers as the next of them: the first that a hand can have. Others stay."""
        return float(np.ceil(value)) if self.width == 1 else value

    @property
    def centres(self) -> Floats:
        """The middle of each bin; of bins one wide, which hold whole numbers, that number."""
        return np.asarray(self.low + self.width * np.arange(self.bins) + (self.width - 1) / 2, np.float64)


class Curve:
    """Sums by group of deals and bin of strength: ``sums`` is float64 (len(FIELDS), GROUPS, bins)."""

    def __init__(self, axis: Axis) -> None:
        self.axis = axis
        self.sums = np.zeros((len(FIELDS), GROUPS, axis.bins))

    def add(
        self,
        groups: NDArray[Any],
        strengths: NDArray[Any],
        chosen: NDArray[Any],
        other: NDArray[Any],
        made: NDArray[Any] | None = None,
        shutout: NDArray[Any] | None = None,
    ) -> None:
        """Add hands, given as equally long vectors; ``groups``: the group of each one's deal."""
        keys = groups * self.axis.bins + self.axis.of(strengths)
        size = GROUPS * self.axis.bins
        for field, values in zip(FIELDS, (None, made, shutout, chosen, other), strict=True):
            if field == "hands" or values is not None:
                found = np.bincount(keys, None if values is None else values, minlength=size)
                self.sums[FIELDS.index(field)] += found.reshape(GROUPS, -1)

    def merge(self, other: Curve) -> None:
        """Add the sums of another curve on the same axis."""
        self.sums += other.sums

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return int(self.sums[0].sum())

    def mean(self, field: str, bins: slice = slice(None)) -> Estimate:
        """The mean a hand of a field, or of ``difference`` (chosen - other), over some bins."""
        return ratio(self._field(field)[:, bins].sum(axis=1), self.sums[0][:, bins].sum(axis=1))

    def _field(self, field: str) -> Floats:
        found: Floats = (
            self.sums[3] - self.sums[4] if field == "difference" else self.sums[FIELDS.index(field)]
        )
        return found


def ratio(x: Floats, n: Floats) -> Estimate:
    """A ratio of totals over groups of deals; error by linearisation, interval by Student's t."""
    total = n.sum()
    if total == 0:
        return Estimate(None)
    value = float(x.sum() / total)
    used = int((n > 0).sum())
    if used < 2:
        return Estimate(value, of=int(total))
    error = float(np.sqrt(((x - value * n) ** 2).sum() * used / (used - 1)) / total)
    reach = student(used - 1, 0.95) * error
    return Estimate(value, error, value - reach, value + reach, int(total))


def per_deal(values: NDArray[Any]) -> Estimate:
    """The mean of one value a deal, with its interval."""
    return ratio(np.asarray(values, np.float64), np.ones(len(values)))


@dataclass(frozen=True)
class BreakEven:
    """From which strength on a choice pays.

    ``kind``: ``crossing``; ``at-least`` and ``at-most`` where no crossing is seen, so that it is not below ``low``, or
    not above ``high``, and hands beyond are too few to tell (None: so are all of them); ``never`` and ``always`` where
    there are no hands beyond; ``unknown`` with too few hands. ``low`` and ``high``: 95 % interval; None where it has no
    bound on that side.
    """

    kind: str
    value: float | None
    low: float | None
    high: float | None
    hands: int

    def open_at(self, strength: float) -> bool:
        """Whether the hands are too few to tell if the choice pays with this strength."""
        if self.kind == "at-least":
            return self.low is None or strength >= self.low
        if self.kind == "at-most":
            return self.high is None or strength < self.high
        return self.kind == "unknown"

    def threshold(self, never: float, always: float) -> float:
        """As a number; ``unknown`` counts as never."""
        if self.value is not None:
            return self.value
        return always if self.kind in ("always", "at-most") else never


def break_even(curve: Curve, seed: int = 0, resamples: int = RESAMPLES) -> BreakEven:
    """Where the difference of a curve crosses zero upwards for the last time.

    A cubic through all bins finds about where; a parabola through the bins near there says it exactly. The interval is
    that of the bootstrap: groups of deals drawn with replacement, both fits done again each time, percentiles (a
    resample without a crossing counts as one beyond all strengths). ``resamples`` 0: no interval, and ``never`` and
    ``always`` are those of the fit alone.
    """
    counts, sums = curve.sums[0], curve.sums[3] - curve.sums[4]
    hands = curve.hands
    used = np.flatnonzero(counts.sum(axis=1))
    if hands < _FEW * 20 or len(used) < 20:
        return BreakEven("unknown", None, None, None, hands)
    counts, sums = counts[used], sums[used]
    weights = np.ones((1, len(used)))
    if resamples:
        rng = np.random.Generator(np.random.PCG64(seed))
        weights = np.vstack(
            [weights, rng.multinomial(len(used), np.full(len(used), 1 / len(used)), resamples)]
        )
    found = _roots(curve.axis, weights @ counts, weights @ sums)
    value, rest = float(found[0]), found[1:]
    if not resamples:
        kind = "never" if value == np.inf else "always" if value == -np.inf else "crossing"
        return BreakEven(kind, value if np.isfinite(value) else None, None, None, hands)
    low, high = (float(end) for end in np.quantile(rest, (0.025, 0.975), method="nearest"))
    if np.isfinite(value):
        ends = [end if np.isfinite(end) else None for end in (low, high)]
        return BreakEven("crossing", value, ends[0], ends[1], hands)
    if value > 0:
        return BreakEven(*_not_below(curve, low), None, hands)
    return BreakEven(*_not_above(curve, high), hands)


def _not_below(curve: Curve, low: float) -> tuple[str, None, float | None]:
    """Kind, value and lower bound where a choice is not seen to pay; ``low``: that of the fit.

    A stronger hand gains more by a choice, so it loses by it if hands from its strength on lose together. From the
    middle of the hands upwards, classes are asked this one after the other, and the first that can't be sure of it ends
    it; so the bound is as sure as each of them, however many there are.
    """
    axis, hands = curve.axis, curve.sums[0].sum(axis=0)
    top = int(np.flatnonzero(hands)[-1])
    start = int(np.searchsorted(np.cumsum(hands), hands.sum() / 2))
    at = start
    while at <= top and _sign(curve, slice(at, at + axis.step)) < 0:
        at += 1
    if at == start:
        return "at-least", None, None
    bound = axis.low + axis.width * at
    if at > top and low == np.inf:
        return "never", None, None
    return "at-least", None, float(min(bound, axis.up(low))) if low > -np.inf else None


def _not_above(curve: Curve, high: float) -> tuple[str, None, None, float | None]:
    """The same downwards, where a choice is not seen to fail: kind, value, no lower bound, the upper one."""
    axis, hands = curve.axis, curve.sums[0].sum(axis=0)
    bottom = int(np.flatnonzero(hands)[0])
    start = int(np.searchsorted(np.cumsum(hands), hands.sum() / 2))
    at = start
    while at >= bottom and _sign(curve, slice(max(0, at - axis.step + 1), at + 1)) > 0:
        at -= 1
    if at == start:
        return "at-most", None, None, None
    if at < bottom and high == -np.inf:
        return "always", None, None, None
    bound = axis.low + axis.width * (at + 1)
    return "at-most", None, None, float(max(bound, axis.up(high))) if high < np.inf else None


def _sign(curve: Curve, bins: slice) -> int:
    """The sign of the difference over some bins: 0 where its interval holds 0, or hands are too few."""
    found = curve.mean("difference", bins)
    if (found.of or 0) < _FEW or found.low is None or found.high is None:
        return 0
    return int(found.low > 0) - int(found.high < 0)


def _roots(axis: Axis, counts: Floats, sums: Floats) -> Floats:
    """The crossing of each row of counts and sums by bin; inf: below zero up to the end, -inf: above all along."""
    # Strengths beyond which there are but one hand in a thousand, or _FEW hands, are not asked for crossings.
    share = np.cumsum(counts[0]) / counts[0].sum()
    rare = max(0.001, _FEW / counts[0].sum())
    first, last = int(np.searchsorted(share, rare)), int(np.searchsorted(share, 1 - rare))
    x = (np.arange(axis.bins) - (first + last) / 2) / max(1.0, (last - first) / 2)
    fine = np.asarray(np.linspace(x[first], x[last], 4 * (last - first) + 1), np.float64)
    few = last - first < 6  # a feature with few values
    rough = _crossing(fine, _fitted(x, counts, sums, fine, 2 if few else 3))
    if few:
        return _scaled(axis, rough, first, last)
    step = x[1] - x[0]

    def local(middle: float, rows: slice = slice(None)) -> Floats:
        near = np.abs(x - middle) <= axis.reach * step
        near[:first], near[last + 1 :] = False, False
        inside = fine[np.abs(fine - middle) <= axis.reach * step]
        return _crossing(inside, _fitted(x[near], counts[rows][:, near], sums[rows][:, near], inside, 2))

    # The window must not depend on the resample: each of them is a sample of the same curve.
    middle = float(rough[0] if np.isfinite(rough[0]) else x[last])
    return _scaled(axis, local(middle) if np.isfinite(rough[0]) or rough[0] > 0 else rough, first, last)


def _fitted(x: NDArray[Any], counts: Floats, sums: Floats, at: NDArray[Any], degree: int) -> Floats:
    """Polynomials fitted by least squares to every row, at the points ``at``."""
    powers = np.vander(x, 2 * degree + 1, increasing=True)
    moments = counts @ powers
    index = np.add.outer(np.arange(degree + 1), np.arange(degree + 1))
    left = moments[:, index] + 1e-9 * np.eye(degree + 1) * (1 + moments[:, :1, None])
    right = sums @ powers[:, : degree + 1]
    factors = np.linalg.solve(left, right[..., None])[..., 0]
    return np.asarray(factors @ np.vander(at, degree + 1, increasing=True).T, np.float64)


def _crossing(at: Floats, values: Floats) -> Floats:
    """Where each row becomes positive for good, by linear interpolation; inf or -inf if it does not cross."""
    below = values < 0
    last = values.shape[1] - 1 - np.argmax(below[:, ::-1], axis=1)
    rows = np.arange(len(values))
    after = np.minimum(last + 1, values.shape[1] - 1)
    a, b = values[rows, last], values[rows, after]
    with np.errstate(divide="ignore", invalid="ignore"):
        root = at[last] + (at[after] - at[last]) * np.where(b > a, -a / (b - a), 0)
    root = np.where(below[:, -1], np.inf, root)
    return np.where(below.any(axis=1), root, -np.inf)


def _scaled(axis: Axis, roots: Floats, first: int, last: int) -> Floats:
    """From the fit's own scale to strengths."""
    bins = roots * max(1.0, (last - first) / 2) + (first + last) / 2
    return axis.low + axis.width * bins + (axis.width - 1) / 2
