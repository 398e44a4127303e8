"""Exact totals over played deals of hong-wu-wu-jia: one pass, integers only.

As `kernels.totals` has it for the first game: a *unit* is a deal, or a session of ``size`` hands; of each quantity the
sum over the units is kept, of some pairs the sum of the products of a unit's totals, and squared payoffs and points as
high * 2**SHIFT + low (`kernels.moments`).
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel
from .moments import BLOCK, add_block, clear, end_classes, end_levels, see, single_classes, single_levels

SEAT_COUNT = 5
MOST = 1 << 16

#: Rows of the matrix the kernel reads.
COLUMNS = (
    "first_seat trump banker bottom_points bottom_multiplier defender_points throws failed_throws "
    "payoff_0 payoff_1 payoff_2 payoff_3 payoff_4 previous_banker pressed reveal_after named named_held partner "
    "partner_trick direct solo grade"
).split()
(
    _FIRST_SEAT, _TRUMP, _BANKER, _BOTTOM_POINTS, _BOTTOM_MULTIPLIER, _DEFENDER_POINTS, _THROWS, _FAILED_THROWS,
    _PAYOFF, _P1, _P2, _P3, _P4, _PREVIOUS, _PRESSED, _REVEAL_AFTER, _NAMED, _NAMED_HELD, _PARTNER,
    _PARTNER_TRICK, _DIRECT, _SOLO, _GRADE,
) = range(len(COLUMNS))  # fmt: skip

#: Those with a spread; the squares' high and low words follow all quantities, in this order.
SPREADS = [
    "defender_points",
    *("payoff_banker payoff_partner payoff_defender").split(),
    *("payoff_first payoff_second payoff_third payoff_fourth payoff_fifth").split(),
]
QUANTITIES = [
    *SPREADS,
    *(
        "partners defenders revealed pressed reveal_after previous_stays solo direct won won_with_partner won_solo "
        "won_revealed won_pressed won_direct partner_found throws failed_throws bottom_points bottom_dug "
        "bottom_dug_points"
    ).split(),
]
_POINTS, _PAY_BANKER, _PAY_PARTNER, _PAY_DEFENDER, _PAY_PLACE = range(5)
(
    _N_PARTNERS, _N_DEFENDERS, _N_REVEALED, _N_PRESSED, _N_REVEAL_AFTER, _N_STAYS, _N_SOLO, _N_DIRECT, _N_WON,
    _N_WON_WITH_PARTNER, _N_WON_SOLO, _N_WON_REVEALED, _N_WON_PRESSED, _N_WON_DIRECT, _N_FOUND, _N_THROWS, _N_FAILED,
    _N_BOTTOM, _N_DUG, _N_DUG_POINTS,
) = range(len(SPREADS), len(QUANTITIES))  # fmt: skip
_PLAIN = len(QUANTITIES)
_SPREAD = len(SPREADS)
_HIGH, _LOW = _PLAIN, _PLAIN + _SPREAD
WIDTH = _PLAIN + 2 * _SPREAD

#: Pairs of quantities whose products are summed, in this order.
PAIRS = [
    *((q, q) for q in range(WIDTH)),
    *((s, _HIGH + s) for s in range(_SPREAD)),
    *((s, _LOW + s) for s in range(_SPREAD)),
    *((_HIGH + s, _LOW + s) for s in range(_SPREAD)),
    *((at, _N_PARTNERS) for at in (_PAY_PARTNER, _HIGH + _PAY_PARTNER, _LOW + _PAY_PARTNER)),
    *((at, _N_DEFENDERS) for at in (_PAY_DEFENDER, _HIGH + _PAY_DEFENDER, _LOW + _PAY_DEFENDER)),
    (_N_WON_WITH_PARTNER, _N_PARTNERS), (_N_DIRECT, _N_PARTNERS), (_N_FOUND, _N_PARTNERS), (_N_WON_SOLO, _N_SOLO),
    (_N_WON_DIRECT, _N_DIRECT), (_N_WON_REVEALED, _N_REVEALED), (_N_REVEAL_AFTER, _N_REVEALED),
    (_N_WON_PRESSED, _N_PRESSED), (_N_FAILED, _N_THROWS), (_N_DUG_POINTS, _N_DUG),
]  # fmt: skip

#: The trick of a partner who is never found, behind all that a deal can have.
NEVER = 32
#: Deals are also counted by these: (class of the lowest value, that value, number of values). ``reveal`` is 0 when
#: nobody revealed, else 1 for 1 to 5 cards held, 2 for 6 to 10 .. 6 for 26 to 29, and 7 in the last two rounds (HW-4).
CLASSES = {
    "grade": (0, -100, 201),
    "named": (201, 0, 54),
    "named_held": (255, 0, 4),
    "reveal": (259, 0, 8),
    "trump": (267, 0, 4),
}
CLASS_COUNT = 271
_BY_GRADE, _BY_NAMED, _BY_HELD, _BY_REVEAL, _BY_TRUMP = (at - low for at, low, _ in CLASSES.values())


def words(spread: int) -> tuple[int, int]:
    """Where the high and the low word of a squared quantity stand."""
    return _HIGH + spread, _LOW + spread


@kernel(i64(arr2, arr2, arr2, i64, i64), inline=True)
def _add_deal(c, block, pays, i, j):
    """Add deal i to the totals of unit j of the block, and to ``pays``; returns 1 if the banker's side won it."""
    won = 1 if c[_GRADE, i] > 0 else 0
    solo, pressed, direct = c[_SOLO, i], c[_PRESSED, i], c[_DIRECT, i]
    after = c[_REVEAL_AFTER, i]
    revealed = 1 if after > 0 else 0
    multiplier = c[_BOTTOM_MULTIPLIER, i]
    points = c[_DEFENDER_POINTS, i]
    banker, partner, first = c[_BANKER, i], c[_PARTNER, i], c[_FIRST_SEAT, i]
    block[_POINTS, j] += points
    block[_HIGH, j] += points * points
    nothing = pays.shape[1] // 2
    for seat in range(SEAT_COUNT):
        pay = c[_PAYOFF + seat, i]
        square = pay * pay
        place = _PAY_PLACE + (seat - first + SEAT_COUNT) % SEAT_COUNT
        side = _PAY_BANKER if seat == banker else (_PAY_PARTNER if seat == partner else _PAY_DEFENDER)
        block[place, j] += pay
        block[side, j] += pay
        block[_HIGH + place, j] += square
        block[_HIGH + side, j] += square
        pays[place, nothing + pay] += 1
        pays[side, nothing + pay] += 1
    partners = 1 if partner >= 0 else 0
    block[_N_PARTNERS, j] += partners
    block[_N_DEFENDERS, j] += SEAT_COUNT - 1 - partners
    block[_N_REVEALED, j] += revealed
    block[_N_PRESSED, j] += pressed
    block[_N_REVEAL_AFTER, j] += after
    block[_N_STAYS, j] += 1 if c[_PREVIOUS, i] == banker else 0
    block[_N_SOLO, j] += solo
    block[_N_DIRECT, j] += direct
    block[_N_WON, j] += won
    block[_N_WON_WITH_PARTNER, j] += won * partners
    block[_N_WON_SOLO, j] += won * solo
    block[_N_WON_REVEALED, j] += won * revealed
    block[_N_WON_PRESSED, j] += won * pressed
    block[_N_WON_DIRECT, j] += won * direct
    block[_N_FOUND, j] += partners * (c[_PARTNER_TRICK, i] + 1)
    block[_N_THROWS, j] += c[_THROWS, i]
    block[_N_FAILED, j] += c[_FAILED_THROWS, i]
    block[_N_BOTTOM, j] += c[_BOTTOM_POINTS, i]
    block[_N_DUG, j] += 1 if multiplier > 0 else 0
    block[_N_DUG_POINTS, j] += c[_BOTTOM_POINTS, i] * multiplier
    return won


@kernel(i64(arr2, i64, arr2, arr2, arr, arr, arr2, arr2, arr2, arr2))
def count(c, size, block, pairs, sums, products, pays, points, found, classes):
    """Add the deals in the columns of ``c`` (int64[COLUMNS, deals], whole units) to the totals; returns the units.

    block: int64[WIDTH, BLOCK], working memory. pairs: PAIRS. sums[WIDTH], products[PAIRS].
    pays[spread, any + payoff]: values of a spread, 0 in the middle. points[defenders' points,
    0..1] and found[trick from 1, 0..1]: deals, and what the squared number of a unit's deals up to this value grows by.
    classes[CLASS_COUNT]: deals won (x) and all (y) of the class, then the sums over the units of xx, xy, yy. Points,
    found and classes have one, one and two more columns of working memory, and are zero at the beginning.
    """
    units = c.shape[1] // size
    single = size == 1  # no counts of a unit are needed: each is 0 or 1
    level, here = 0 if single else 2, 0 if single else 5
    for start in range(0, units, BLOCK):
        n = min(BLOCK, units - start)
        clear(block, WIDTH)
        for j in range(n):
            for i in range((start + j) * size, (start + j + 1) * size):
                won = _add_deal(c, block, pays, i, j)
                after = c[_REVEAL_AFTER, i]
                points[c[_DEFENDER_POINTS, i], level] += 1
                found[NEVER if c[_PARTNER, i] < 0 else c[_PARTNER_TRICK, i] + 1, level] += 1
                see(classes, _BY_GRADE + c[_GRADE, i], won, here)
                see(classes, _BY_NAMED + c[_NAMED, i], won, here)
                see(classes, _BY_HELD + c[_NAMED_HELD, i], won, here)
                see(classes, _BY_REVEAL + (7 if after >= 30 else (after + 4) // 5), won, here)
                see(classes, _BY_TRUMP + c[_TRUMP, i], won, here)
            if not single:
                end_levels(points, 0, points.shape[0] - 1)
                end_levels(found, 0, found.shape[0] - 1)
                end_classes(classes, 0, classes.shape[0] - 1)
        add_block(block, n, _PLAIN, _SPREAD, pairs, sums, products)
    if single:
        single_levels(points)
        single_levels(found)
        single_classes(classes)
    return units
