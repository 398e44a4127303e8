"""Sums by class of deals, in whole sessions: shares, proportions and means by bid, by grade, by kind of partner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..stats import Estimate, Sums, mean, proportion
from .figures import FEW, Number, number

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tally:
    """For each class the exact sums of `stats.Sums` over the units (deals, or sessions), for several quantities.

    The quantity ``""`` is the number of deals itself. All others are integers.
    """

    def __init__(self, session: int, names: tuple[str, ...]) -> None:
        self.session, self.units = session, 0
        self.names = names
        #: class -> units with a deal of it, then y and yy, then x, xx and xy of each quantity.
        self.sums: dict[int, list[int]] = {}

    def add(self, classes: NDArray[Any], values: dict[str, NDArray[Any]]) -> None:
        """Whole sessions, in order: the class of each deal, and its quantities."""
        self.units += len(classes) // self.session
        for at in np.unique(classes):
            mask = classes == at
            y = self._by_unit(mask.astype(np.int64))
            x = [self._by_unit(np.where(mask, values[name].astype(np.int64), 0)) for name in self.names]
            new = [np.count_nonzero(y), y.sum(), y @ y]
            for each in x:
                new += [each.sum(), each @ each, each @ y]
            old = self.sums.setdefault(int(at), [0] * len(new))
            self.sums[int(at)] = [int(a) + int(b) for a, b in zip(old, new, strict=True)]

    def _by_unit(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = values.reshape(-1, self.session).sum(axis=1)
        return found

    @property
    def classes(self) -> list[int]:
        """Those that came up, in order."""
        return sorted(self.sums)

    def deals(self, at: int) -> int:
        """How many deals of a class there are."""
        return self.sums[at][1] if at in self.sums else 0

    def share(self, at: int) -> Estimate:
        """The share of a class among all deals."""
        _, y, yy, *_ = self.sums[at]
        size = self.session
        return proportion(Sums(self.units, y, self.units * size, yy, size * y, size * self.units * size))

    def proportion(self, at: int, name: str) -> Estimate:
        """The share of a class's deals with a quantity of 1, which is 0 or 1."""
        return proportion(self._sums(at, name, self.units))

    def mean(self, at: int, name: str) -> Number:
        """The mean a deal of a class. Without an interval where too few deals say how much they differ."""
        found = number(mean(self._sums(at, name, self.sums[at][0])))
        return found if self.deals(at) >= FEW and found.low != found.high else Number(found.value)

    def _sums(self, at: int, name: str, units: int) -> Sums:
        _, y, yy, *rest = self.sums[at]
        x, xx, xy = rest[3 * self.names.index(name) : 3 * self.names.index(name) + 3]
        return Sums(units, x, y, xx, xy, yy)
