"""Exact totals over played deals, cheap to add up and the same however a run was divided.

Integers only: sums over the units (deals, or sessions of K hands), sums of squares and products, counts by value.
`sim.summary` makes figures of them.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import totals as kernel
from .stats import Powers, Sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

#: The columns that `count` needs.
COUNTED: tuple[str, ...] = tuple(kernel.COLUMNS)


@dataclass
class Totals:
    """Sums over ``units`` units of ``size`` deals each."""

    size: int = 1
    units: int = 0
    #: By quantity, and by pair of quantities; squares are quantities too (`name_squares`).
    sums: dict[str, int] = field(default_factory=dict)
    products: dict[tuple[str, str], int] = field(default_factory=dict)
    #: Defenders' points -> (deals, growth of the squared number of a unit's deals up to these points).
    points: dict[int, tuple[int, ...]] = field(default_factory=dict)
    #: Bid -> sums over the units of x, y, x * x, x * y, y * y, where y counts the deals of the bid and x those made.
    bids: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """Deals added so far."""
        return self.units * self.size

    def merge(self, other: Totals) -> None:
        """Add what another one holds, of the same unit size."""
        self.units += other.units
        for name, value in other.sums.items():
            self.sums[name] = self.sums.get(name, 0) + value
        for pair, value in other.products.items():
            self.products[pair] = self.products.get(pair, 0) + value
        for mine, more in ((self.points, other.points), (self.bids, other.bids)):
            for at, values in more.items():
                mine[at] = tuple(map(operator.add, mine[at], values)) if at in mine else values

    def ratio(self, x: str, y: str = "") -> Sums:
        """The sums for the ratio of two quantities; without ``y`` per deal."""
        xx = self.products[x, x]
        if not y:
            return Sums(
                self.units, self.sums[x], self.deals, xx, self.size * self.sums[x], self.size * self.deals
            )
        return Sums(self.units, self.sums[x], self.sums[y], xx, self.products[x, y], self.products[y, y])

    def powers(self, x: str, each: int = 1) -> Powers:
        """The sums for the spread of a quantity, of which a deal holds ``each`` values."""
        q = f"{x}_squares"
        products = self.products[x, x], self.products[x, q], self.products[q, q]
        return Powers(self.units, self.size * each, self.sums[x], self.sums[q], *products)

    def made(self, bid: int) -> Sums:
        """The sums for the share of the deals of one bid that were made."""
        return Sums(self.units, *self.bids[bid])

    def share(self, bid: int) -> Sums:
        """The sums for the share of one bid among all deals."""
        _, y, _, _, yy = self.bids[bid]
        return Sums(self.units, y, self.deals, yy, self.size * y, self.size * self.deals)


def count(columns: Mapping[str, NDArray[Any]], session: int) -> Totals:
    """The totals of whole sessions of deals, from the columns in `COUNTED` (with the code of ``result``)."""
    deals = len(columns["bid"])
    if deals % session:
        raise ValueError(f"{deals} deals are not whole sessions of {session}")
    step = max(1, kernel.MOST // session) * session
    totals = Totals(session)
    for start in range(0, deals, step):
        some = [columns[name][start : start + step] for name in COUNTED]
        matrix = np.empty((len(some), len(some[0])), np.int64)
        for row, values in zip(matrix, some, strict=True):
            row[:] = values
        totals.merge(_count(matrix, session))
    return totals


def _count(matrix: NDArray[np.int64], session: int) -> Totals:
    sums, unit = np.zeros((2, kernel.WIDTH), np.int64)
    products = np.zeros(len(kernel.PAIRS), np.int64)
    levels = np.zeros((int(matrix[COUNTED.index("defender_points")].max(initial=0)) + 1, 3), np.int64)
    classes = np.zeros((int(matrix[COUNTED.index("bid")].max(initial=0)) + 1, 7), np.int64)
    totals = Totals(session)
    totals.units = int(kernel.count(matrix, session, unit, sums, products, levels, classes))
    totals.sums.update(zip(kernel.QUANTITIES, map(int, sums), strict=False))
    by_pair = dict(zip(kernel.PAIRS, map(int, products), strict=True))
    for (a, b), value in by_pair.items():
        if max(a, b) < len(kernel.QUANTITIES):
            totals.products[kernel.QUANTITIES[a], kernel.QUANTITIES[b]] = value
    for at, name in enumerate(kernel.SPREADS):  # squares were split into high and low words
        h, low = kernel.words(at)
        q, up = f"{name}_squares", 1 << kernel.SHIFT
        totals.sums[q] = int(sums[h]) * up + int(sums[low])
        totals.products[name, q] = by_pair[at, h] * up + by_pair[at, low]
        totals.products[q, q] = (by_pair[h, h] * up + 2 * by_pair[h, low]) * up + by_pair[low, low]
    totals.points = {int(v): (int(levels[v, 0]), int(levels[v, 1])) for v in np.flatnonzero(levels[:, 0])}
    totals.bids = {int(b): tuple(map(int, classes[b, :5])) for b in np.flatnonzero(classes[:, 1])}
    return totals
