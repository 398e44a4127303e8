"""Naming by scores on a counterfactual table of hong-wu-wu-jia: which face, solo or not, and what others would pay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..kernels.counterfactual_hong_wu_wu_jia import FIRST_NAME, NAME_COLUMNS
from .bidding import HIDDEN, names
from .climb import climb
from .curves import per_deal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from .bidding import Bidding
    from .climb import Numbers
    from .counterfactual_hong_wu_wu_jia import HiddenTable
    from .stats import Estimate

    Ints = NDArray[np.int64]

KINDS = ("side_ace", "side_king", "trump_ace_king", "big_joker", "red_five")
ALL_HELD = 3  # copies at the banker: solo (HW-8)
_BIT, _KIND, _HELD, _ALL, _LENGTH, _KINGS, _TRUMPS = range(len(NAME_COLUMNS))
_NUMBERS = (
    *(f"name.{kind}" for kind in KINDS),
    *(f"name.{name}" for name in ("held_0", "held_1", "held_2", "length", "kings", "solo", "solo_trumps")),
)
_STEPS = (120, 80, 40, 20, 10, 5)  # smaller ones alone would not make it name a kind that it never names
_SURE = 2.0  # standard errors
_SCALES = {f"name.{name}": 1.0 for name in (*KINDS[1:], "held_0", "held_1", "held_2", "kings")} | {
    "name.length": 0.2,
    "name.solo": 10.0,
    "name.solo_trumps": 1.0,
}


@dataclass(frozen=True)
class Namings:
    """What a banker could name, and what each would pay it.

    ``notes``: int16 (n, faces, len(NAME_COLUMNS)); ``payoffs``: the banker's, int16 (n, faces); ``won``: bool, too.
    """

    notes: NDArray[np.int16]
    payoffs: NDArray[np.int16]
    won: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.notes)

    def part(self, start: float, stop: float) -> Namings:
        """The deals from one share of them to another."""
        at = slice(int(start * len(self)), int(stop * len(self)))
        return Namings(self.notes[at], self.payoffs[at], self.won[at])

    def note(self, at: int) -> Ints:
        """One of the notes: int64 (n, faces)."""
        return self.notes[..., at].astype(np.int64)

    @property
    def able(self) -> NDArray[np.bool_]:
        """Which faces may be named."""
        found: NDArray[np.bool_] = self.notes[..., _BIT] >= 0
        return found

    @property
    def solo(self) -> NDArray[np.bool_]:
        """Which of them make the banker play alone."""
        found: NDArray[np.bool_] = self.able & (self.notes[..., _ALL] == ALL_HELD)
        return found

    @property
    def kind(self) -> Ints:
        """What each face is, of `KINDS`."""
        return self.note(_KIND)

    @property
    def held(self) -> Ints:
        """Copies in the banker's hand."""
        return self.note(_HELD)

    @property
    def length(self) -> Ints:
        """Cards of the face's suit in the banker's hand."""
        return self.note(_LENGTH)

    @property
    def trumps(self) -> Ints:
        """Trumps in the banker's hand, after burying."""
        return self.note(_TRUMPS)

    @cached_property
    def _design(self) -> NDArray[np.float64]:
        """What the numbers for naming are of: (n, faces, len(_NUMBERS))."""
        alone = self.notes[..., _ALL] == ALL_HELD
        held = np.minimum(self.held, 2)
        parts = [self.kind == kind for kind in range(len(KINDS))]
        parts += [(held == copies) & ~alone for copies in range(3)]
        parts += [self.length, self.note(_KINGS), alone, alone * self.trumps]
        return np.stack(parts, axis=-1).astype(np.float64)

    def scores(self, numbers: Numbers) -> NDArray[np.float64]:
        """How ``expert`` orders the faces; of equal ones it takes the lowest bit. Whole numbers: (n, faces)."""
        found = self._design @ np.array([numbers[name] for name in _NUMBERS], np.float64)
        return np.where(self.able, 64 * found - self.notes[..., _BIT], -np.inf)

    def picks(self, numbers: Numbers) -> Ints:
        """The face that is named: int64 (n,)."""
        found: Ints = np.argmax(self.scores(numbers), axis=1)
        return found

    def alternatives(self, numbers: Numbers, *, solo: bool = True) -> Ints:
        """For each face the one to be named if it could not be: int64 (n, faces). ``solo`` False: with a partner."""
        scores = self.scores(numbers)
        if not solo:
            scores = np.where(self.solo, -np.inf, scores)
        order = np.argsort(-scores, axis=1, kind="stable")
        first, second = order[:, :1], order[:, 1:2]
        return np.where(np.arange(scores.shape[1]) == first, second, first)

    def pay(self, picks: Ints) -> Ints:
        """What the banker gets for naming some faces: int64, as ``picks`` ((n,) or (n, k))."""
        flat = picks.reshape(len(self), -1)
        found: Ints = np.take_along_axis(self.payoffs, flat, 1).astype(np.int64).reshape(picks.shape)
        return found


def numbers_of(bidding: Bidding) -> Numbers:
    """The numbers ``name`` of a bidding."""
    every = zip(names(HIDDEN), bidding.values, strict=True)
    return {name: value for name, value in every if name.startswith("name.")}


def namings_of(tables: Iterable[HiddenTable]) -> Namings:
    """From tables with namings."""
    parts = []
    for table in tables:
        banker = table.deals["banker"].astype(np.int64)[:, None, None]
        payoffs = np.take_along_axis(table.payoffs[:, FIRST_NAME:], banker, 2)[..., 0]
        parts.append((table.names, payoffs, table.plays["grade"][:, FIRST_NAME:] > 0))
    return Namings(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@dataclass(frozen=True)
class Fitted:
    """Numbers for naming, and what they gain the banker a deal on deals that they were neither fitted nor chosen on."""

    numbers: Numbers
    gain: Estimate
    differing: Estimate


def fit_naming(fit: Namings, choose: Namings, judge: Namings, start: Numbers) -> Fitted:
    """Numbers fitted on some deals, chosen among on others, judged on a third lot.

    They are those of the start unless others are two standard errors ahead on the second lot.
    """

    def gain(deals: Namings) -> Callable[[Numbers], Ints]:
        before = deals.pay(deals.picks(start))
        return lambda numbers: deals.pay(deals.picks(numbers)) - before

    fitted, chosen = gain(fit), gain(choose)
    path = climb(start, _SCALES, fitted, steps=_STEPS)
    best = max(path, key=lambda numbers: float(chosen(numbers).mean()))
    found = per_deal(chosen(best))
    if not (found.value and found.error and found.value > _SURE * found.error):
        best = start
    changed = judge.picks(best) != judge.picks(start)
    return Fitted(best, per_deal(gain(judge)(best)), per_deal(changed))
