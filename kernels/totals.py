"""Exact totals over played deals of die-wu-fen: one pass, integers only.

A *unit* is a deal, or a session of ``size`` hands. Of each quantity the kernel keeps the sum over the units, and
of some pairs the sum of the products of a unit's totals. Squared payoffs and points are kept as high * 2**SHIFT + low,
so that no product can leave 64 bits (``MOST`` deals at once, any payoffs of 16 bits, any session).
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel

SEAT_COUNT = 3
SHIFT = 20
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


@kernel(i64(arr2, arr, i64))
def _add_deal(c, unit, i):
    """Add deal i to the totals of its unit; returns 1 if it was made."""
    made = 1 - c[_RESULT, i]
    shutout = c[_SHUTOUT, i]
    multiplier = c[_BOTTOM_MULTIPLIER, i]
    points = c[_DEFENDER_POINTS, i]
    banker, first = c[_BANKER, i], c[_FIRST_SEAT, i]
    unit[_POINTS] += points
    unit[_HIGH] += points * points
    for seat in range(SEAT_COUNT):
        pay = c[_PAYOFF + seat, i]
        square = pay * pay
        place = _PAY_PLACE + (seat - first + SEAT_COUNT) % SEAT_COUNT
        side = _PAY_BANKER if seat == banker else _PAY_DEFENDER
        unit[place] += pay
        unit[side] += pay
        unit[_HIGH + place] += square
        unit[_HIGH + side] += square
    unit[_N_REDEALS] += c[_REDEALS, i]
    unit[_N_REDEALT] += 1 if c[_REDEALS, i] > 0 else 0
    unit[_N_SINGLE] += 1 if c[_CALL_SIZE, i] == 1 else 0
    unit[_N_PAIR] += 1 if c[_CALL_SIZE, i] == 2 else 0
    unit[_N_COUNTERED] += c[_COUNTERED, i]
    unit[_N_BID] += c[_BID, i]
    unit[_N_MADE] += made
    unit[_N_DEFENDERS_OUT] += made * shutout
    unit[_N_BANKER_OUT] += (1 - made) * shutout
    unit[_N_THROWS] += c[_THROWS, i]
    unit[_N_FAILED] += c[_FAILED_THROWS, i]
    unit[_N_BOTTOM] += c[_BOTTOM_POINTS, i]
    unit[_N_DUG] += 1 if multiplier > 0 else 0
    unit[_N_DUG_POINTS] += c[_BOTTOM_POINTS, i] * multiplier
    return made


@kernel(i64(arr2, i64))
def _add_class(classes, at):
    """Take a unit's counts of one class over into the sums."""
    x, y = classes[at, 5], classes[at, 6]
    classes[at, 0] += x
    classes[at, 1] += y
    classes[at, 2] += x * x
    classes[at, 3] += x * y
    classes[at, 4] += y * y
    classes[at, 5] = 0
    classes[at, 6] = 0
    return 0


@kernel(i64(arr2, i64, arr, arr, arr, arr2, arr2))
def count(c, size, unit, sums, products, levels, classes):
    """Add the deals in the columns of ``c`` (int64[COLUMNS, deals], whole units) to the totals; returns the units.

    unit: int64[WIDTH], working memory. sums[WIDTH], products[PAIRS]. levels[points, 0..1]: deals by
    the defenders' points, and what the squared number of a unit's deals up to these points grows by. classes[bid]: made
    (x) and all (y) deals of that bid, then the sums over the units of xx, xy, yy. levels and classes have two and two
    more columns of working memory.
    """
    units = c.shape[1] // size
    for u in range(units):
        for q in range(WIDTH):
            unit[q] = 0
        low_points, high_points, low_bid, high_bid = levels.shape[0], 0, classes.shape[0], 0
        for i in range(u * size, (u + 1) * size):
            made = _add_deal(c, unit, i)
            points, bid = c[_DEFENDER_POINTS, i], c[_BID, i]
            levels[points, 2] += 1
            classes[bid, 5] += made
            classes[bid, 6] += 1
            if size == 1:  # the loops below, for the one value there is
                levels[points, 0] += 1
                levels[points, 1] += 1
                levels[points, 2] = 0
                _add_class(classes, bid)
            else:
                low_points, high_points = min(low_points, points), max(high_points, points)
                low_bid, high_bid = min(low_bid, bid), max(high_bid, bid)
        for s in range(_SPREAD):
            square = unit[_HIGH + s]
            unit[_HIGH + s] = square >> SHIFT
            unit[_LOW + s] = square & ((1 << SHIFT) - 1)
        for q in range(WIDTH):
            sums[q] += unit[q]
            products[q] += unit[q] * unit[q]
        for s in range(_SPREAD):
            products[WIDTH + s] += unit[s] * unit[_HIGH + s]
            products[WIDTH + _SPREAD + s] += unit[s] * unit[_LOW + s]
            products[WIDTH + 2 * _SPREAD + s] += unit[_HIGH + s] * unit[_LOW + s]
        products[WIDTH + 3 * _SPREAD] += unit[_N_FAILED] * unit[_N_THROWS]
        products[WIDTH + 3 * _SPREAD + 1] += unit[_N_DUG_POINTS] * unit[_N_DUG]
        if size > 1:
            up_to = 0
            for v in range(low_points, high_points + 1):
                here = levels[v, 2]
                if here:
                    levels[v, 0] += here
                    levels[v, 1] += here * (2 * up_to + here)
                    levels[v, 2] = 0
                    up_to += here
            for b in range(low_bid, high_bid + 1):
                if classes[b, 6]:
                    _add_class(classes, b)
    return units
