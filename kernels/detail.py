"""Tricks and plays of a finished deal, from HISTORY to the rows of their tables, for both games."""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import kernel
from .bits import lowest

#: Rows of the matrix of tricks; a column is a trick.
FIELDS = "trick leader winner points cards_led lead_kind throw failed ruffed".split()
TRICK, LEADER, WINNER, POINTS, CARDS_LED, LEAD_KIND, THROW, FAILED, RUFFED = range(len(FIELDS))
#: Kinds of components by code.
KINDS = ("single", "pair", "triple", "tractor")

# What a layout's cards are called: by place in reading order the bit and the two letters; then by bit the two letters.
_PLACE, _NAME = 3, 2
_NAMES = 54 * _PLACE
LETTERS = _NAMES + 54 * _NAME
_SPACE = 32

tricks_type = types.Array(types.int16, 2, "C")
text_type = types.Array(types.uint8, 1, "C")
ends_type = types.Array(types.int32, 1, "C")


def letters(order: list[int], names: list[str]) -> np.ndarray:
    """int64[LETTERS] from the bits in reading order and the ASCII names by bit."""
    made = np.zeros(LETTERS, np.int64)
    for place, bit in enumerate(order):
        first, second = names[bit].encode()
        made[place * _PLACE : (place + 1) * _PLACE] = bit, first, second
        made[_NAMES + bit * _NAME : _NAMES + (bit + 1) * _NAME] = first, second
    return made


@kernel()
def _spell(p0, p1, p2, names, text, end):
    """Append the cards' names in reading order, with spaces between them; where the text ends then."""
    start = end
    if p0 & (p0 - 1) == 0:  # one face
        at = _NAMES + _NAME * lowest(p0)
        copies = 1 + (p1 != 0) + (p2 != 0)
        for _ in range(copies):
            if end > start:
                text[end] = _SPACE
                end += 1
            text[end] = names[at]
            text[end + 1] = names[at + 1]
            end += 2
        return end
    for place in range(54):
        at = _PLACE * place
        bit = names[at]
        copies = ((p0 >> bit) & 1) + ((p1 >> bit) & 1) + ((p2 >> bit) & 1)
        for _ in range(copies):
            if end > start:
                text[end] = _SPACE
                end += 1
            text[end] = names[at + 1]
            text[end + 1] = names[at + 2]
            end += 2
    return end


@kernel()
def keep(pub, names, seats, plays, tricks, at, text, ends, end):
    """Write the tricks of a finished deal from column ``at`` of ``tricks`` on, and its plays where the text ends.

    names: ``letters`` of the deal's trump; plays: whether plays are wanted; tricks: int16[len(FIELDS), room]; text:
    uint8[room], all cards played, one play after the other, each trick from its leader on; ends: int32[room], where
    the text of each play ends. Returns where the text ends.
    """
    for number in range(pub[view.TRICK]):
        row = view.HISTORY + view.H_STRIDE * number
        leader = pub[row + view.H_LEADER]
        kind = pub[row + view.H_KIND]
        failed = pub[row + view.H_FAILED]
        tricks[TRICK, at] = number
        tricks[LEADER, at] = leader
        tricks[WINNER, at] = pub[row + view.H_WINNER]
        tricks[POINTS, at] = pub[row + view.H_POINTS]
        tricks[CARDS_LED, at] = pub[row + view.H_SIZE]
        tricks[LEAD_KIND, at] = (kind >> 5) - 1 if kind & 31 == 1 else 3
        tricks[THROW, at] = 1 if failed or pub[row + view.H_COUNT] > 1 else 0
        tricks[FAILED, at] = failed
        tricks[RUFFED, at] = pub[row + view.H_RUFFED]
        if plays:
            seat = leader
            for position in range(seats):
                cards = row + view.H_PLAYS + 3 * seat
                end = _spell(pub[cards], pub[cards + 1], pub[cards + 2], names, text, end)
                ends[at * seats + position] = end
                seat = seat + 1 if seat + 1 < seats else 0
        at += 1
    return end
