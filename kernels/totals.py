"""Exact totals over played deals of die-wu-fen: one pass, integers only.

A *unit* is a deal, or a session of ``size`` hands. Of each quantity the kernel keeps the sum over the units, and
of some pairs the sum of the products of a unit's totals. Squared payoffs and points are kept as high * 2**SHIFT + low,
so that no product can leave 64 bits (``MOST`` deals at once, any payoffs of 16 bits, any session).
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel
from .moments import BLOCK, add_block, clear, end_classes, end_levels, see, single_classes, single_levels

SEAT_COUNT = 3
MOST = 1 << 16

#: Rows of the matrix the kernel reads.
COLUMNS = (
    "first_seat banker bottom_points bottom_multiplier defender_points throws failed_throws payoff_0 payoff_1 payoff_2 "
    "redeals call_size countered bid result shutout"
).split()
(
    _FIRST_SEAT, _BANKER, _BOTTOM_POINTS, _BOTTOM_MULTIPLIER, _DEFENDER_POINTS, _THROWS, _FAILED_THROWS,
    _PAYOFF, _P1, _P2, _REDEALS, _CALL_SIZE, _COUNTERED, _BID, _RESULT, _SHUTOUT,
) = range(len(COLUMNS))  # fmt: skip

#: Those with a spread; the squares' high and low words follow all quantities, in this order.
SPREADS = [
    "defender_points",
    "payoff_banker",
    "payoff_defender",
    "payoff_first",
    "payoff_second",
    "payoff_third",
]
QUANTITIES = [
    *SPREADS,
    *(
        "redeals redealt call_single call_pair countered bid made defenders_shut_out banker_shut_out throws "
        "failed_throws bottom_points bottom_dug bottom_dug_points"
    ).split(),
]
_POINTS, _PAY_BANKER, _PAY_DEFENDER, _PAY_PLACE = 0, 1, 2, 3
(
    _N_REDEALS, _N_REDEALT, _N_SINGLE, _N_PAIR, _N_COUNTERED, _N_BID, _N_MADE, _N_DEFENDERS_OUT, _N_BANKER_OUT,
    _N_THROWS, _N_FAILED, _N_BOTTOM, _N_DUG, _N_DUG_POINTS,
) = range(len(SPREADS), len(QUANTITIES))  # fmt: skip
_PLAIN = len(QUANTITIES)
_SPREAD = len(SPREADS)
_HIGH, _LOW = _PLAIN, _PLAIN + _SPREAD  # high words, then low words, of the squares of the first quantities
WIDTH = _PLAIN + 2 * _SPREAD

#: Pairs of quantities whose products are summed, in this order.
PAIRS = [
    *((q, q) for q in range(WIDTH)),
    *((s, _HIGH + s) for s in range(_SPREAD)),
    *((s, _LOW + s) for s in range(_SPREAD)),
    *((_HIGH + s, _LOW + s) for s in range(_SPREAD)),
    (_N_FAILED, _N_THROWS),
    (_N_DUG_POINTS, _N_DUG),
]


def words(spread: int) -> tuple[int, int]:
    """Where the high and the low word of a squared quantity stand."""
    return _HIGH + spread, _LOW + spread


@kernel(i64(arr2, arr2, arr2, i64, i64), inline=True)
def _add_deal(c, block, pays, i, j):
    """Add deal i to the totals of unit j of the block, and to ``pays``; returns 1 if it was made."""
    made = 1 - c[_RESULT, i]
    shutout = c[_SHUTOUT, i]
    multiplier = c[_BOTTOM_MULTIPLIER, i]
    points = c[_DEFENDER_POINTS, i]
    banker, first = c[_BANKER, i], c[_FIRST_SEAT, i]
    block[_POINTS, j] += points
    block[_HIGH, j] += points * points
    nothing = pays.shape[1] // 2
    for seat in range(SEAT_COUNT):
        pay = c[_PAYOFF + seat, i]
        square = pay * pay
        place = _PAY_PLACE + (seat - first + SEAT_COUNT) % SEAT_COUNT
        side = _PAY_BANKER if seat == banker else _PAY_DEFENDER
        block[place, j] += pay
        block[side, j] += pay
        block[_HIGH + place, j] += square
        block[_HIGH + side, j] += square
        pays[place, nothing + pay] += 1
        pays[side, nothing + pay] += 1
    block[_N_REDEALS, j] += c[_REDEALS, i]
    block[_N_REDEALT, j] += 1 if c[_REDEALS, i] > 0 else 0
    block[_N_SINGLE, j] += 1 if c[_CALL_SIZE, i] == 1 else 0
    block[_N_PAIR, j] += 1 if c[_CALL_SIZE, i] == 2 else 0
    block[_N_COUNTERED, j] += c[_COUNTERED, i]
    block[_N_BID, j] += c[_BID, i]
    block[_N_MADE, j] += made
    block[_N_DEFENDERS_OUT, j] += made * shutout
    block[_N_BANKER_OUT, j] += (1 - made) * shutout
    block[_N_THROWS, j] += c[_THROWS, i]
    block[_N_FAILED, j] += c[_FAILED_THROWS, i]
    block[_N_BOTTOM, j] += c[_BOTTOM_POINTS, i]
    block[_N_DUG, j] += 1 if multiplier > 0 else 0
    block[_N_DUG_POINTS, j] += c[_BOTTOM_POINTS, i] * multiplier
    return made


@kernel(i64(arr2, i64, arr2, arr2, arr, arr, arr2, arr2, arr2))
def count(c, size, block, pairs, sums, products, pays, levels, classes):
    """Add the deals in the columns of ``c`` (int64[COLUMNS, deals], whole units) to the totals; returns the units.

    block: int64[WIDTH, BLOCK], working memory. pairs: PAIRS. sums[WIDTH], products[PAIRS].
    pays[spread, any + payoff]: values of a spread, 0 in the middle. levels[points, 0..1]: deals
    by the defenders' points, and what the squared number of a unit's deals up to these points grows by. classes[bid]:
    made (x) and all (y) deals of that bid, then the sums over the units of xx, xy, yy. levels and classes have one and
    two more columns of working memory, and are zero at the beginning.
    """
    units = c.shape[1] // size
    single = size == 1  # no counts of a unit are needed: each is 0 or 1
    level, here = 0 if single else 2, 0 if single else 5
    for start in range(0, units, BLOCK):
        n = min(BLOCK, units - start)
        clear(block, WIDTH)
        for j in range(n):
            low_points, high_points, low_bid, high_bid = levels.shape[0], 0, classes.shape[0], 0
            for i in range((start + j) * size, (start + j + 1) * size):
                made = _add_deal(c, block, pays, i, j)
                points, bid = c[_DEFENDER_POINTS, i], c[_BID, i]
                levels[points, level] += 1
                see(classes, bid, made, here)
                low_points, high_points = min(low_points, points), max(high_points, points)
                low_bid, high_bid = min(low_bid, bid), max(high_bid, bid)
            if not single:
                end_levels(levels, low_points, high_points)
                end_classes(classes, low_bid, high_bid)
        add_block(block, n, _PLAIN, _SPREAD, pairs, sums, products)
    if single:
        single_levels(levels)
        single_classes(classes)
    return units
