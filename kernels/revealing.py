"""Which 2 a hand of hong-wu-wu-jia would reveal when it looks, and how strong it is: from the notes of a table."""

from __future__ import annotations

from numba import types

from ._jit import arr, arr2, i64, kernel
from .counterfactual_hong_wu_wu_jia import CARDS_HELD, HIGH, LOOKS, OF_SUIT, SUITS
from .hong_wu_wu_jia import HAND_SIZE, SEAT_COUNT

NEVER = 8 * (HAND_SIZE + 1)  # a turn after all others
_looks = types.Array(types.int8, 2, "C")


@kernel(inline=True)
def best_two(looks, row, weights):
    """The suit of the 2 that makes the strongest trumps, and how strong; -1 without a 2."""
    best, most = -1, 0
    for suit in range(SUITS):
        at = OF_SUIT + 3 * suit
        if looks[row, at] >= 0:
            strength = weights[0] * int(looks[row, at]) + weights[1] * int(looks[row, at + 1])
            strength += weights[2] * int(looks[row, at + 2]) + weights[3] * int(looks[row, HIGH])
            if best < 0 or strength > most:
                best, most = suit, strength
    return best, most


@kernel(i64(_looks, arr, arr2))
def best_twos(looks, weights, found):
    """The suit that makes the strongest trumps, as ``expert`` weighs them, and what it counts.

    looks: int8[n, LOOK_WIDTH]; weights: int64[4], of trumps, pairs and triples of trumps, jokers and red fives; found:
    int64[n, 6], filled in: suit (-1: no look, or no 2), strength, and what the weights are of.
    """
    for i in range(looks.shape[0]):
        found[i, 0] = -1
        if looks[i, CARDS_HELD] == 0:
            continue
        suit, most = best_two(looks, i, weights)
        found[i, 0], found[i, 1] = suit, most
        if suit >= 0:
            for k in range(3):
                found[i, 2 + k] = looks[i, OF_SUIT + 3 * suit + k]
            found[i, 5] = looks[i, HIGH]
    return looks.shape[0]


@kernel(i64(_looks, arr2, arr, arr, arr2, arr2))
def first_turns(looks, orders, previous, rule, turns, rows):
    """When each seat would reveal first, and which 2.

    looks: int8[n * 25, LOOK_WIDTH] in the order deal, seat, look; orders: int64[n, 5], how many seats are asked before
    each in a round; previous: int64[n]; rule: int64[8], the weights ``reveal`` of ``expert``. turns, rows: int64[n, 5],
    filled in: 8 * cards + order, or ``NEVER``; seat * 4 + suit.
    """
    share, margin, more, last = rule[4], rule[5], rule[6], rule[7]
    for i in range(turns.shape[0]):
        for seat in range(SEAT_COUNT):
            turns[i, seat], rows[i, seat] = NEVER, -1
            extra = margin + (more if previous[i] == seat else 0)
            for look in range(LOOKS):
                row = (i * SEAT_COUNT + seat) * LOOKS + look
                cards = int(looks[row, CARDS_HELD])
                if cards == 0:
                    continue
                enough = last if cards == HAND_SIZE else share * cards + extra
                suit, most = best_two(looks, row, rule)
                if suit >= 0 and most >= enough:
                    turns[i, seat], rows[i, seat] = 8 * cards + orders[i, seat], SUITS * seat + suit
                    break
    return turns.shape[0]
