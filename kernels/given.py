"""Dealing when some cards are where they are, or some numbers within bounds: the rest exactly uniform, no rejection.

A *place* is a seat, or last the bottom. What is known of a deal is one int64 vector that stands where
``rng.shuffle_plan`` stands otherwise; its first word is 1, a shuffle's is 0. ``sim.given`` makes it. The words are
those of the shuffle stream (COM-19), so that a deal is fixed by what is known, seed, deal and attempt.

Numbers are met by counts of *kinds* of cards: a *state* says how many cards of each kind but the first are left, and
its *entries* are what the next place may take, each as often as there are deals with it. Those numbers have up to
some 500 bits, so they are *limbs* of 32 bits, the highest first, and are compared exactly.
"""

from __future__ import annotations

import numpy as np

from ._jit import kernel
from .memory import pointer, shift
from .rng import ATTEMPT, RNG_SIZE, SHUFFLE, below, rng_start, word

# The vector: sizes, then where its tables begin.
IS_GIVEN, FREE_COUNT, PLACES, KINDS, LIMBS, STAGES = 0, 1, 2, 3, 4, 5
START = 6  # the state before the first stage
FREE = 7  # the faces that nobody is known to hold, kind by kind
KIND_SIZES = 8  # how many of them there are of each kind
PLACE_ROWS = (
    9  # PLACE words each: where it begins in ``faces``, its size, cards held, whether to mix, whether a stage
)
HELD = 10  # the faces held, place by place
STAGE_PLACES = 11  # the place of each stage
STATES = 12  # 2 words each: first entry, number of entries
ENTRIES = (
    13  # LIMBS words: ways up to and with this entry; the next state; how many of each kind but the first
)
HEAD = 14
PLACE = 5
MAX_KINDS, MAX_LIMBS, MAX_CARDS = 16, 32, 162

_LEFT = RNG_SIZE  # working memory
_BEGIN = _LEFT + MAX_KINDS
_LOT = _BEGIN + MAX_KINDS
_POOL = _LOT + MAX_LIMBS
_SIZE = _POOL + MAX_CARDS


@kernel()
def _less(a, b, limbs):
    """Whether the number at ``a`` is less than that at ``b``."""
    for k in range(limbs):
        if a[k] != b[k]:
            return a[k] < b[k]
    return False


@kernel()
def _lot_below(box, total, limbs):
    """A uniform number below ``total`` into the lot: words are drawn anew while it is not below."""
    lot = shift(box, _LOT)
    top = 0
    while total[top] == 0:
        top += 1
    mask = total[top]
    for k in (1, 2, 4, 8, 16):
        mask |= mask >> k
    while True:
        for k in range(limbs):
            lot[k] = 0
            if k >= top:
                drawn = word(box, 0)
                lot[k] = drawn & mask if k == top else drawn
        if _less(lot, total, limbs):
            return


@kernel()
def _entry(plan, box, state):
    """Where the entry drawn for a state stands."""
    limbs = plan[LIMBS]
    width = limbs + plan[KINDS]  # limbs, the next state, a count for each kind but the first
    row = plan[STATES] + 2 * state
    low, high = plan[row], plan[row] + plan[row + 1] - 1
    at = plan[ENTRIES]
    _lot_below(box, shift(plan, at + high * width), limbs)
    lot = shift(box, _LOT)
    while low < high:  # the first entry with more ways than the lot
        middle = (low + high) >> 1
        if _less(lot, shift(plan, at + middle * width), limbs):
            high = middle
        else:
            low = middle + 1
    return at + low * width


@kernel()
def _draw(box, n):
    return 0 if n == 1 else below(box, 0, n)


@kernel()
def deal_given(faces, plan, seed, deal, attempt):
    """Fill ``faces`` in place of a shuffle. The places lie one after the other, the bottom last."""
    box_ = np.zeros(_SIZE, np.int64)
    box = pointer(box_)
    rng_start(box, 0, seed, deal, SHUFFLE + ATTEMPT * attempt)
    left, begin, pool = shift(box, _LEFT), shift(box, _BEGIN), shift(box, _POOL)
    kinds, limbs = plan[KINDS], plan[LIMBS]
    for k in range(plan[FREE_COUNT]):
        pool[k] = plan[plan[FREE] + k]
    n = 0
    for k in range(kinds):
        begin[k] = n
        left[k] = plan[plan[KIND_SIZES] + k]
        n += left[k]
    state = plan[START]
    for stage in range(plan[STAGES]):
        place = plan[PLACE_ROWS] + PLACE * plan[plan[STAGE_PLACES] + stage]
        to = plan[place] + plan[place + 2]
        end = plan[place] + plan[place + 1]
        at = _entry(plan, box, state)
        for k in range(kinds - 1, -1, -1):  # what is left is of the first kind
            take = plan[at + limbs + k] if k > 0 else end - to
            for _ in range(take):
                one = begin[k] + _draw(box, left[k])
                left[k] -= 1
                faces[to] = pool[one]
                pool[one] = pool[begin[k] + left[k]]
                to += 1
        state = plan[at + limbs]
    n = 0
    for k in range(kinds):
        for j in range(left[k]):
            pool[n] = pool[begin[k] + j]
            n += 1
    held = plan[HELD]
    for p in range(plan[PLACES]):
        place = plan[PLACE_ROWS] + PLACE * p
        start, size = plan[place], plan[place + 1]
        for k in range(plan[place + 2]):
            faces[start + k] = plan[held]
            held += 1
        if plan[place + 4] == 0:
            for k in range(start + plan[place + 2], start + size):
                one = _draw(box, n)
                n -= 1
                faces[k] = pool[one]
                pool[one] = pool[n]
        if plan[place + 3]:
            for k in range(size - 1):
                other = start + k + _draw(box, size - k)
                t = faces[start + k]
                faces[start + k] = faces[other]
                faces[other] = t
    return box_[0]  # the array behind the pointer lives to the end
