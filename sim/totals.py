"""Exact totals over played deals, cheap to add up and the same however a run was divided.

Integers only: sums over the units (deals, or sessions of K hands), sums of squares and products, counts by value.
`sim.summary` makes figures of them.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from . import events
from .stats import Estimate, Powers, Sums, quantile, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Table = dict[int, tuple[int, ...]]
    Columns = Mapping[str, NDArray[Any]]

_NEAR = 1 << 11  # deals
_KERNELS = {"die-wu-fen": "totals", "hong-wu-wu-jia": "totals_hong_wu_wu_jia"}


@dataclass
class Totals:
    """Sums over ``units`` units of ``size`` deals each."""

    size: int = 1
    units: int = 0
    #: By quantity, and by pair of quantities; squares are quantities too (`name_squares`).
    sums: dict[str, int] = field(default_factory=dict)
    products: dict[tuple[str, str], int] = field(default_factory=dict)
    #: By name, value -> (deals, growth of the squared number of a unit's deals up to this value).
    levels: dict[str, Table] = field(default_factory=dict)
    #: By name, value -> sums over the units of x, y, x * x, x * y, y * y, where y counts the deals with this value
    #: and x those of them that the banker's side won.
    classes: dict[str, Table] = field(default_factory=dict)
    #: By payoff that has a spread, value -> how often it came up.
    values: dict[str, Table] = field(default_factory=dict)
    #: By name, value -> deals; see `events.count`.
    events: dict[str, dict[int, int]] = field(default_factory=dict)

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
        for tables, others in (
            (self.levels, other.levels),
            (self.classes, other.classes),
            (self.values, other.values),
        ):
            for name, more in others.items():
                mine = tables.setdefault(name, {})
                for at, values in more.items():
                    mine[at] = tuple(map(operator.add, mine[at], values)) if at in mine else values

        for name, counts in other.events.items():
            own = self.events.setdefault(name, {})
            for at, deals in counts.items():
                own[at] = own.get(at, 0) + deals

    def ratio(self, x: str, y: str = "") -> Sums:
        """The sums for the ratio of two quantities; without ``y`` per deal."""
        xx = self.products[x, x]
        if not y:
            return Sums(
                self.units, self.sums[x], self.deals, xx, self.size * self.sums[x], self.size * self.deals
            )
        return Sums(self.units, self.sums[x], self.sums[y], xx, self.products[x, y], self.products[y, y])

    def spread(self, x: str, of: int | str = 1) -> Estimate:
        """The standard deviation of a quantity, of which a deal holds ``of`` values, or as many as that quantity."""
        powers = self.powers(x, of) if isinstance(of, int) else self.powers_of(x, of)
        return spread(powers, self.values.get(x) or self.levels[x])

    def powers(self, x: str, each: int = 1) -> Powers:
        """The sums for the spread of a quantity, of which a deal holds ``each`` values."""
        q = f"{x}_squares"
        size, sums = self.size * each, (self.sums[x], self.sums[q])
        products = self.products[x, x], self.products[x, q], self.products[q, q]
        return Powers(self.units, size, *sums, *products, deals=self.deals)

    def powers_of(self, x: str, n: str) -> Powers:
        """The same for a quantity of which a deal holds as many values as the quantity ``n`` says."""
        q = f"{x}_squares"
        products = self.products[x, x], self.products[x, q], self.products[q, q]
        counts = self.sums[n], self.products[n, n], self.products[x, n], self.products[q, n]
        return Powers(self.units, 0, self.sums[x], self.sums[q], *products, counts, self.deals)

    def quantile(self, name: str, share: float, confidence: float = 0.95) -> Estimate:
        """A quantile of one of `levels`."""
        table = self.levels[name]
        counts, squares = ([0] * (max(table) + 1) for _ in range(2))
        for value, (number, square) in table.items():
            counts[value], squares[value] = number, square
        return quantile(counts, squares, self.units, share, confidence)

    def won(self, name: str, value: int) -> Sums:
        """The sums for the share that the banker's side won, of the deals with this value."""
        return Sums(self.units, *self.classes[name][value])

    def share(self, name: str, value: int) -> Sums:
        """The sums for the share of the deals with this value among all deals."""
        _, y, _, _, yy = self.classes[name][value]
        return Sums(self.units, y, self.deals, yy, self.size * y, self.size * self.deals)


def counted(game: str) -> tuple[str, ...]:
    """The columns that `count` needs. Loads the kernel, and compiles it where it has not been."""
    return tuple(dict.fromkeys((*_kernel(game).COLUMNS, *events.columns(game))))


def count(columns: Columns, session: int, game: str = "die-wu-fen") -> Totals:
    """The totals of whole sessions of deals, from the columns in `counted` (with the codes of dictionaries)."""
    kernel = _kernel(game)
    names = kernel.COLUMNS
    deals = len(columns[names[0]])
    if deals % session:
        raise ValueError(f"{deals} deals are not whole sessions of {session}")
    step = max(1, kernel.MOST // session) * session
    totals = Totals(session)
    for start in range(0, deals, step):
        some = {name: columns[name][start : start + step] for name in names}
        totals.merge(_COUNT[game](kernel, some, session))
    totals.events = events.count(game, columns)
    return totals


def _kernel(game: str) -> Any:
    return import_module(f"..kernels.{_KERNELS[game]}", __package__)


def _die_wu_fen(kernel: Any, columns: Columns, session: int) -> Totals:
    block, pairs, sums, products = _sums(kernel)
    pays = _pays(kernel, columns)
    points = _levels(columns["defender_points"])
    bids = np.zeros((int(columns["bid"].max(initial=0)) + 1, 7), np.int64)
    units = sum(
        kernel.count(matrix, session, block, pairs, sums, products, pays, points, bids)
        for matrix in _matrices(columns, session)
    )
    totals = _named(kernel, session, units, sums, products, pays)
    totals.levels["defender_points"] = _by_value(points, 2)
    totals.classes["bid"] = _by_value(bids, 5)
    return totals


def _hong_wu_wu_jia(kernel: Any, columns: Columns, session: int) -> Totals:
    block, pairs, sums, products = _sums(kernel)
    pays = _pays(kernel, columns)
    points, found = _levels(columns["defender_points"]), np.zeros((kernel.NEVER + 1, 3), np.int64)
    classes = np.zeros((kernel.CLASS_COUNT, 7), np.int64)
    units = sum(
        kernel.count(matrix, session, block, pairs, sums, products, pays, points, found, classes)
        for matrix in _matrices(columns, session)
    )
    totals = _named(kernel, session, units, sums, products, pays)
    totals.levels |= {"defender_points": _by_value(points, 2), "partner_found": _by_value(found, 2)}
    for name, (first, low, number) in kernel.CLASSES.items():
        totals.classes[name] = _by_value(classes[first : first + number], 5, low)
    return totals


_COUNT = {"die-wu-fen": _die_wu_fen, "hong-wu-wu-jia": _hong_wu_wu_jia}


def _sums(kernel: Any) -> tuple[NDArray[np.int64], ...]:
    """Room for a block of units, the pairs of quantities, room for the sums and for the products."""
    pairs = np.array(kernel.PAIRS, np.int64)
    return (
        np.zeros((kernel.WIDTH, kernel.BLOCK), np.int64),
        pairs,
        np.zeros(kernel.WIDTH, np.int64),
        np.zeros(len(pairs), np.int64),
    )


def _matrices(columns: Columns, session: int) -> Iterator[NDArray[np.int64]]:
    """The columns as rows of matrices, few deals in each, so that they are still near when they are counted."""
    deals = len(next(iter(columns.values())))
    step = max(1, _NEAR // session) * session
    matrix = np.empty((len(columns), min(step, deals)), np.int64)
    for start in range(0, deals, step):
        if deals - start < step:
            matrix = np.empty((len(columns), deals - start), np.int64)
        for row, values in zip(matrix, columns.values(), strict=True):
            row[:] = values[start : start + step]
        yield matrix


def _levels(values: NDArray[Any]) -> NDArray[np.int64]:
    """Room for the levels of a column."""
    return np.zeros((int(values.max(initial=0)) + 1, 3), np.int64)


def _pays(kernel: Any, columns: Columns) -> NDArray[np.int64]:
    """Room for how often each payoff came up, of everything that has a spread."""
    seats = [columns[f"payoff_{seat}"] for seat in range(kernel.SEAT_COUNT)]
    most = max(abs(int(edge)) for pay in seats for edge in (pay.min(initial=0), pay.max(initial=0)))
    return np.zeros((len(kernel.SPREADS), 2 * most + 1), np.int64)


def _by_value(table: NDArray[np.int64], wide: int, low: int = 0) -> Table:
    """The first ``wide`` columns of the rows whose second one, a count of deals, is not 0."""
    return {low + int(at): tuple(map(int, table[at, :wide])) for at in np.flatnonzero(table[:, 1])}


def _named(
    kernel: Any,
    session: int,
    units: int,
    sums: NDArray[np.int64],
    products: NDArray[np.int64],
    pays: NDArray[np.int64],
) -> Totals:
    """Sums and products by name; squares, split into high and low words, are put together again."""
    totals = Totals(session, units, dict(zip(kernel.QUANTITIES, map(int, sums), strict=False)))
    from ..kernels.moments import SHIFT

    names = [*kernel.QUANTITIES]
    by_pair = dict(zip(kernel.PAIRS, map(int, products), strict=True))
    up = 1 << SHIFT
    square = {kernel.words(at): name for at, name in enumerate(kernel.SPREADS)}
    for (high, low), name in square.items():
        at, q = names.index(name), f"{name}_squares"
        totals.sums[q] = int(sums[high]) * up + int(sums[low])
        totals.products[name, q] = by_pair[at, high] * up + by_pair[at, low]
        totals.products[q, q] = (by_pair[high, high] * up + 2 * by_pair[high, low]) * up + by_pair[low, low]
        for other in range(len(names)):
            if other != at and (high, other) in by_pair:
                totals.products[q, names[other]] = by_pair[high, other] * up + by_pair[low, other]
    for (a, b), value in by_pair.items():
        if max(a, b) < len(names):
            totals.products[names[a], names[b]] = value
    nothing = pays.shape[1] // 2
    for name, counts in zip(kernel.SPREADS, pays, strict=True):
        if name.startswith("payoff"):
            totals.values[name] = {int(at) - nothing: (int(counts[at]),) for at in np.flatnonzero(counts)}
    return totals
