"""The play of a record: the kernel that judges it, and its findings as faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels import audit as kernel
from ...kernels import layout, record_layout
from ..games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ..fault import Fault
    from .read import Reading, Tricks

#: Kernel codes that cast doubt on what a failed throw cost (DWF-18).
_THROW_CODES = {kernel.THROW_FAILS, kernel.THROW_STANDS, kernel.OTHER_PART, kernel.FOLLOWER_THROWS}
_THROW_CODES |= {kernel.MEANT_NOT_HELD, kernel.COPIES, kernel.SUITS}
DECKS = {game.name: sorted(list(range(54)) * game.packs) for game in GAMES}


@dataclass(slots=True)
class Course:
    """The play as one trump suit and one banker make it: what the kernel found, and the faults made of it."""

    trump: int
    banker: int | None
    codes: int = 0  # faults of single plays
    winners: list[int] = field(default_factory=list)  # -1: can't be told
    points: list[int] = field(default_factory=list)
    sure: list[bool] = field(default_factory=list)
    ruffed: list[bool] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    throws: int = 0
    partner: int = -1
    partner_trick: int = -1
    direct: bool | None = False
    #: Whether a play before (or in) a trick is faulty; the first such trick, or None.
    first_fault: int | None = None
    throws_doubtful: bool = False
    ends: bool = True  # the deal was played to its end
    rows: Any = None
    faults: list[Fault] = field(default_factory=list)


class Player:
    """Runs the kernel; keeps its memory, so one a thread."""

    def __init__(self) -> None:
        self._state = np.zeros(kernel.STATE_SIZE, np.int64)
        self._rows = np.zeros((kernel.MOST_FAULTS, kernel.FAULT_SIZE), np.int64)
        self._results = np.zeros((kernel.MOST_TRICKS, kernel.TRICK_SIZE), np.int64)
        self._work = np.zeros(kernel.WORK_SIZE, np.int64)

    def run(
        self,
        reading: Reading,
        trump: int,
        banker: int | None,
        cards: NDArray[np.int64],
        known: int,
        hides: bool,
    ) -> Course:
        """Judge the plays. ``cards``, ``known``: see `dealt`; ``hides``: whether HW-9 is to be looked at."""
        tricks = reading.tricks
        assert tricks is not None
        lay = reading.ruling.lays[trump]
        named = reading.values.get("named")
        state, game = self._state, reading.game
        state[kernel.BANKER] = -1 if banker is None else banker
        state[kernel.NAMED] = -1 if named is None or banker is None else lay[layout.BIT_OF + named]
        state[kernel.HIDES], state[kernel.KNOWN], state[kernel.HAND_SIZE] = hides, known, game.hand_size
        stream = np.array(tricks.stream, np.int64) if tricks.packed is None else tricks.packed
        number = len(tricks.seats)
        count = int(
            kernel.judge_plays(stream, number, cards, lay, state, self._rows, self._results, self._work)
        )
        results, told = self._results[:number].T.tolist(), state.tolist()
        course = Course(trump, banker, count, results[kernel.T_WINNER], results[kernel.T_POINTS])
        course.sure, course.ruffed = results[kernel.T_SURE], [best >= 64 for best in results[kernel.T_BEST]]
        course.played = told[kernel.PLAYED : kernel.PLAYED + game.seats]
        course.throws = told[kernel.THROWS]
        course.ends = bool(told[kernel.COMPLETE])
        course.partner, course.partner_trick = told[kernel.PARTNER], told[kernel.PARTNER_TRICK]
        if course.partner >= 0:
            course.direct = None if told[kernel.DIRECT] < 0 else bool(told[kernel.DIRECT])
        if count:
            course.rows = self._rows[:count].copy()
            course.throws_doubtful = not _THROW_CODES.isdisjoint(course.rows[:, kernel.F_CODE].tolist())
        return course


def dealt(reading: Reading, banker: int | None, *, believed: bool) -> tuple[NDArray[np.int64], int]:
    """The cards as the kernel takes them, and the mask of the seats whose hands are known from the deal.

    ``believed``: the hands and the bottom are a deal, so that they can be trusted.
    """
    if reading.cards is not None:
        return reading.cards, (1 << reading.game.seats) - 1 if believed else 0
    values = reading.values
    hands, bottom, buried = values.get("hands"), values.get("bottom"), values.get("buried")
    blocks = np.zeros((record_layout.BLOCKS, record_layout.BLOCK), np.int64)
    known = 0
    if hands is not None and believed and banker is not None:
        for seat, hand in enumerate(hands):
            blocks[seat, 0], blocks[seat, 1 : 1 + len(hand)] = len(hand), hand
            known |= 1 << seat
        if bottom is None or buried is None or len(buried) != reading.game.bottom_size:
            known &= ~(1 << banker)
        else:
            for block, cards in ((kernel.BOTTOM, bottom), (kernel.BURIED, buried)):
                blocks[block, 0], blocks[block, 1 : 1 + len(cards)] = len(cards), cards
    return blocks.reshape(-1), known


def is_plain(tricks: Tricks, course: Course, order: list[list[int]]) -> bool:
    """Whether there is nothing to say about the play: every list is as it must be. ``order``: the turns by leader."""
    hand_size = 33 if len(order) == 3 else 31
    winners = course.winners
    return (
        course.codes == 0
        and tricks.plain
        and tricks.winners == winners
        and tricks.points == course.points
        and tricks.leaders == [course.banker, *winners[:-1]]
        and tricks.seats == [order[leader] for leader in (course.banker or 0, *winners[:-1])]
        and course.played == [hand_size] * len(course.played)
    )


Play = tuple[int, list[int], list[int]]  # seat, faces, faces of the attempt


def plays_of(tricks: Tricks) -> Iterator[list[Play]]:
    """The plays of each trick."""
    at = 0
    for _ in tricks.seats:
        plays, at = _plays_at(tricks.stream, at)
        yield plays


def last_plays(tricks: Tricks) -> list[Play]:
    """The plays of the last trick."""
    return _plays_at(tricks.stream, tricks.last)[0]


def _plays_at(stream: list[int], at: int) -> tuple[list[Play], int]:
    found: list[Play] = []
    number, at = stream[at], at + 1
    for _ in range(number):
        seat, n, m = stream[at : at + 3]
        at += 3
        found.append((seat, stream[at : at + n], stream[at + n : at + n + m]))
        at += n + m
    return found, at
