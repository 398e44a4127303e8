"""Differences of ratios and of standard deviations between two plays, from what each unit contributes to them.

To first order such a difference is a mean over the units of what each adds to the one figure less what it adds to the
other (linearisation). Units that are alike in both plays add next to nothing, so a few that are not can make out all
of it: `Contributions` tells how many there are, how many of them the variance rests on, and how much one adds at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass
class Contribution:
    """What the units add to the difference of one figure.

    ``differing``: units in which the quantities that it is made of differ. ``present``: units that hold anything of it,
    and ``most`` how much of it one of them does. ``largest``: what one unit adds at most, times their number.
    ``fourth``: sum of the fourth powers of what they add, times their number.
    """

    sums: Floats
    products: Floats
    differing: int = 0
    present: int = 0
    most: int = 0
    largest: float = 0.0
    fourth: float = 0.0

    def error(self, units: int, more: int = 0) -> tuple[float, float]:
        """Standard error; and how many units it rests on, as `stats.effective` counts: few where rare ones are far out.

        ``more``: as if so many more had been found that add as much as the one that adds most.
        """
        g = _gradient(self.sums[None], units)[0]
        squares = float(g @ self.products @ g)
        if squares <= 0 or self.fourth <= 0:
            return 0.0, 0.0
        error = ((squares + more * self.largest**2) / (units * (units - 1))) ** 0.5
        return error, squares**2 / self.fourth


class Contributions:
    """Adds up what units contribute, block by block, by figure.

    Each is made of a unit's sums of x and y (of the ratio x / y), or of x, squares and numbers (of a standard
    deviation). How a unit's sums bear on a figure follows from the totals: from all of them for the error; from those
    so far for ``largest`` and ``fourth``, which for up to a block of units is the same.
    """

    def __init__(self) -> None:
        self.units = 0
        self._found: dict[Hashable, Contribution] = {}

    def __getitem__(self, key: Hashable) -> Contribution | None:
        return self._found.get(key)

    def begin(self, units: int) -> None:
        """A block of so many units follows."""
        self.units += units

    def add(self, keys: Sequence[Any], one: NDArray[np.int64], other: NDArray[np.int64]) -> None:
        """Add a block: of each figure the sums it is made of, by unit, in both plays: int64[keys, parts, units]."""
        moved = one - other
        parts = one.shape[1]
        values = np.concatenate([moved, other], axis=1).astype(np.float64)
        sums, products = values.sum(axis=2), values @ values.transpose(0, 2, 1)
        for at, key in enumerate(keys):
            mine = self._found.get(key)
            if mine is None:
                self._found[key] = Contribution(sums[at], products[at])
            else:
                mine.sums = mine.sums + sums[at]
                mine.products = mine.products + products[at]
        found = [self._found[key] for key in keys]
        gradient = _gradient(np.stack([mine.sums for mine in found]), self.units)
        added = np.squeeze(gradient[:, None, :] @ values, 1)
        held = np.maximum(one[:, -1], other[:, -1])
        largest, fourth = np.abs(added).max(axis=1), (added**4).sum(axis=1)
        differing, present = moved.any(axis=1).sum(axis=1), (held > 0).sum(axis=1)
        most = held.max(axis=1)
        assert parts in (2, 3)
        for at, mine in enumerate(found):
            mine.differing += int(differing[at])
            mine.present += int(present[at])
            mine.most = max(mine.most, int(most[at]))
            mine.largest = max(mine.largest, float(largest[at]))
            mine.fourth += float(fourth[at])


def _gradient(sums: Floats, units: int) -> Floats:
    """How much figures differ more by one more of each sum in a unit, times the units: float64[figures, 2 * parts].

    ``sums``: those of the second play less the first one's, then the first one's.
    """
    parts = sums.shape[1] // 2
    of = _ratio if parts == 2 else _spread
    first = of(sums[:, parts:])
    second = of(sums[:, parts:] + sums[:, :parts])
    return units * np.concatenate([second, second - first], axis=1)


def _ratio(sums: Floats) -> Floats:
    x, y = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.stack([1 / y, -x / y**2], axis=1)
    return np.where(y[:, None] > 0, found, 0.0)


def _spread(sums: Floats) -> Floats:
    x, q, n = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = x / n
        variance = q / n - mean**2
        found = np.stack([-2 * mean, np.ones_like(mean), mean**2 - variance], axis=1)
        found /= (2 * np.sqrt(variance) * n)[:, None]
    return np.where((n > 0)[:, None] & (variance > 0)[:, None], found, 0.0)
