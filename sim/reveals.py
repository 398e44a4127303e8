"""Revealing by thresholds on a counterfactual table of hong-wu-wu-jia: who becomes banker, and what waiting would pay.

When a seat looks at its hand and what it would do then depends on its cards alone; so does the first look at which it
reveals, its *turn*. The earliest turn of the five decides (HW-4), so strategies can be compared on the play-outs of the
same deals, each seat with one of its own, without playing again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..kernels.counterfactual_hong_wu_wu_jia import CARDS_HELD, LOOKS, PRESS, SUITS
from ..kernels.hong_wu_wu_jia import HAND_SIZE, SEAT_COUNT
from ..kernels.revealing import NEVER, best_twos, first_turns
from .bidding import HIDDEN, names
from .curves import per_deal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from .bidding import Bidding
    from .counterfactual_hong_wu_wu_jia import HiddenTable
    from .stats import Estimate

    Ints = NDArray[np.int64]

PARTS = ("trump", "pair", "triple", "high")


@dataclass(frozen=True)
class Rule:
    """By what a seat reveals: the numbers ``reveal`` of a bidding, in their order."""

    weights: tuple[int, int, int, int]
    share: int
    margin: int
    previous: int
    last: int

    @classmethod
    def of(cls, bidding: Bidding) -> Rule:
        """The rule of a bidding."""
        return cls.from_changes(dict(zip(names(HIDDEN), bidding.values, strict=True)))

    @classmethod
    def from_changes(cls, changes: Mapping[str, int]) -> Rule:
        """The inverse of `changes`."""
        trump, pair, triple, high = (changes[f"reveal.{part}"] for part in PARTS)
        numbers = (changes[f"reveal.{key}"] for key in ("share", "margin", "previous", "last"))
        return cls((trump, pair, triple, high), *numbers)

    def changes(self) -> dict[str, int]:
        """As numbers of a bidding."""
        found = {f"reveal.{part}": weight for part, weight in zip(PARTS, self.weights, strict=True)}
        return found | {
            "reveal.share": self.share,
            "reveal.margin": self.margin,
            "reveal.previous": self.previous,
            "reveal.last": self.last,
        }


@dataclass(frozen=True)
class Looks:
    """What each look would reveal: int64 (n, seats, looks). ``suit``: -1 where there is no look."""

    cards: Ints
    suit: Ints
    strength: Ints
    counts: Ints  # a last axis over PARTS


@dataclass(frozen=True)
class Reveals:
    """Deals with their looks and their contracts, a 2 revealed (seat * 4 + suit) or pressed.

    ``first_seat``, ``previous``: int64 (n,); ``notes``: int8 (n, seats, looks, LOOK_WIDTH); ``payoffs``: int16 (n,
    PRESS + 1, seats); ``won``: whether the banker's side won, bool (n, PRESS + 1).
    """

    first_seat: Ints
    previous: Ints
    notes: NDArray[np.int8]
    payoffs: NDArray[np.int16]
    won: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first_seat)

    def part(self, start: float, stop: float) -> Reveals:
        """The deals from one share of them to another."""
        at = slice(int(start * len(self)), int(stop * len(self)))
        seats, hands = (self.first_seat[at], self.previous[at]), self.notes[at]
        return Reveals(*seats, hands, self.payoffs[at], self.won[at])

    @property
    def order(self) -> Ints:
        """How many seats are asked before each in a round: (n, seats)."""
        found: Ints = (np.arange(SEAT_COUNT) - self.first_seat[:, None]) % SEAT_COUNT
        return found

    @property
    def is_previous(self) -> NDArray[np.bool_]:
        """Whether each seat is the previous banker: (n, seats)."""
        found: NDArray[np.bool_] = np.arange(SEAT_COUNT) == self.previous[:, None]
        return found

    def looks(self, weights: tuple[int, ...]) -> Looks:
        """The best 2 at each look, by the weights of ``PARTS``."""
        flat = self._flat()
        found = np.zeros((len(flat), 2 + len(PARTS)), np.int64)
        best_twos(flat, np.array(weights, np.int64), found)
        shaped = found.reshape(len(self), SEAT_COUNT, LOOKS, -1)
        cards = self.notes[..., CARDS_HELD].astype(np.int64)
        return Looks(cards, shaped[..., 0], shaped[..., 1], shaped[..., 2:])

    def turns(self, rule: Rule, looks: Looks | None = None) -> tuple[Ints, Ints]:
        """When each seat would reveal at each look, ``NEVER`` where it would not, and which play-out that is.

        Both int64 (n, seats, looks). ``looks``: those by the rule's weights, if they are there already.
        """
        found = looks or self.looks(rule.weights)
        enough = rule.share * found.cards + rule.margin + rule.previous * self.is_previous[..., None]
        enough = np.where(found.cards == HAND_SIZE, rule.last, enough)
        reveals = (found.suit >= 0) & (found.strength >= enough)
        turn = np.where(reveals, 8 * found.cards + self.order[..., None], NEVER)
        return turn, SUITS * np.arange(SEAT_COUNT)[:, None] + found.suit

    def first_turns(self, rule: Rule) -> tuple[Ints, Ints]:
        """The first of them a seat: int64 (n, seats)."""
        turns = np.zeros((len(self), SEAT_COUNT), np.int64)
        rows = np.zeros_like(turns)
        numbers = np.array([*rule.weights, rule.share, rule.margin, rule.previous, rule.last], np.int64)
        first_turns(self._flat(), self.order, self.previous, numbers, turns, rows)
        return turns, rows

    def _flat(self) -> NDArray[np.int8]:
        return np.ascontiguousarray(self.notes.reshape(-1, self.notes.shape[-1]))

    def outcome(self, turns: Ints, rows: Ints) -> tuple[Ints, Ints]:
        """Turn and play-out of the deal when each seat has a first turn: int64 (n,)."""
        turn, row = first_of(turns, rows)
        return turn, np.where(turn < NEVER, row, PRESS)

    def pay(self, rows: Ints, seat: int) -> Ints:
        """What a seat wins in a play-out of each deal."""
        found: Ints = self.payoffs[np.arange(len(self)), rows, seat].astype(np.int64)
        return found


def first_of(turns: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """The earliest turn along the last axis, and its play-out."""
    at = np.argmin(turns, axis=-1)[..., None]
    return np.take_along_axis(turns, at, -1)[..., 0], np.take_along_axis(rows, at, -1)[..., 0]


def reveals_of(tables: Iterable[HiddenTable]) -> Reveals:
    """From tables with reveals."""
    parts = [
        (
            table.deals["first_seat"].astype(np.int64),
            table.deals["previous_banker"].astype(np.int64),
            table.looks,
            table.payoffs[:, : PRESS + 1],
            table.plays["grade"][:, : PRESS + 1] > 0,
        )
        for table in tables
    ]
    return Reveals(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def without(reveals: Reveals, turns: Ints, rows: Ints, seat: int) -> tuple[Ints, Ints]:
    """Turn and play-out of the deal should this seat never reveal."""
    others = turns.copy()
    others[:, seat] = NEVER
    return reveals.outcome(others, rows)


def alone(reveals: Reveals, mine: tuple[Ints, Ints], others: tuple[Ints, Ints]) -> Ints:
    """What each seat wins when it alone has the first turns ``mine``, the rest having ``others``: (n, seats)."""
    found = np.zeros((len(reveals), SEAT_COUNT), np.int64)
    for seat in range(SEAT_COUNT):
        turn, row = without(reveals, *others, seat)
        own = mine[0][:, seat] < turn
        found[:, seat] = reveals.pay(np.where(own, mine[1][:, seat], row), seat)
    return found


def all_alike(reveals: Reveals, each: tuple[Ints, Ints]) -> Ints:
    """What each seat wins when everybody goes by the same first turns: (n, seats)."""
    _, row = reveals.outcome(*each)
    found: Ints = reveals.payoffs[np.arange(len(reveals)), row].astype(np.int64)
    return found


@dataclass(frozen=True)
class Waits:
    """Every look of some deals: what revealing pays the seat, and what waiting pays it. Arrays (n, seats, looks).

    ``reached``: there is a look, a 2 is held, and nobody else has revealed; the seat itself has waited so far. Waiting:
    the seat goes on by its rule, the others by theirs, and it may be pressed. ``won``: whether its side would win with
    the seat as banker. Payoffs are 0 where it is not reached.
    """

    reached: NDArray[np.bool_]
    reveal: Ints
    wait: Ints
    won: NDArray[np.bool_]


def waits(reveals: Reveals, rule: Rule, looks: Looks) -> Waits:
    """The worth of revealing and of waiting at every look, when everybody goes by a rule."""
    turns, rows = reveals.turns(rule, looks)
    each = first_of(turns, rows)
    shape, n = looks.suit.shape, np.arange(len(reveals))
    found = Waits(
        np.zeros(shape, bool), np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, bool)
    )
    for seat in range(SEAT_COUNT):
        turn, row = without(reveals, *each, seat)
        for look in range(LOOKS):
            held = looks.suit[:, seat, look] >= 0
            here = held & (8 * looks.cards[:, seat, look] + reveals.order[:, seat] < turn)
            there = row
            if look + 1 < LOOKS:
                mine, my_row = first_of(turns[:, seat, look + 1 :], rows[:, seat, look + 1 :])
                there = np.where(mine < turn, my_row, row)
            chosen = np.where(here, rows[:, seat, look], PRESS)
            found.reached[:, seat, look] = here
            found.reveal[:, seat, look] = np.where(here, reveals.pay(chosen, seat), 0)
            found.wait[:, seat, look] = np.where(here, reveals.pay(there, seat), 0)
            found.won[:, seat, look] = here & reveals.won[n, chosen]
    return found


def leaving(reveals: Reveals, rule: Rule, answer: Rule) -> Estimate:
    """What a single seat gains by revealing by ``answer`` while the others go by ``rule``; mean of the seats."""
    here, there = reveals.first_turns(rule), reveals.first_turns(answer)
    gain = alone(reveals, there, here) - all_alike(reveals, here)
    return per_deal(gain.sum(axis=1) / SEAT_COUNT)


def advantage(reveals: Reveals, a: Rule, b: Rule) -> Estimate:
    """What A gains over B, as in ``match --mode auction``: alone among others in each seat, both ways."""
    by_a, by_b = reveals.first_turns(a), reveals.first_turns(b)
    found = alone(reveals, by_a, by_b) - alone(reveals, by_b, by_a)
    return per_deal(found.sum(axis=1) / (2 * SEAT_COUNT))
