"""Exact totals over played deals of hong-wu-wu-jia: one pass, integers only.

As `kernels.totals` has it for the first game: a *unit* is a deal, or a session of ``size`` hands; of each quantity the
sum over the units is kept, of some pairs the sum of the products of a unit's totals, and squared payoffs and points as
high * 2**SHIFT + low.
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel

SEAT_COUNT = 5
SHIFT = 20
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


@kernel(i64(arr2, arr, i64), inline=True)
def _add_deal(c, unit, i):
    """Add deal i to the totals of its unit; returns 1 if the banker's side won it."""
    won = 1 if c[_GRADE, i] > 0 else 0
    solo, pressed, direct = c[_SOLO, i], c[_PRESSED, i], c[_DIRECT, i]
    after = c[_REVEAL_AFTER, i]
    revealed = 1 if after > 0 else 0
    multiplier = c[_BOTTOM_MULTIPLIER, i]
    points = c[_DEFENDER_POINTS, i]
    banker, partner, first = c[_BANKER, i], c[_PARTNER, i], c[_FIRST_SEAT, i]
    unit[_POINTS] += points
    unit[_HIGH] += points * points
    for seat in range(SEAT_COUNT):
        pay = c[_PAYOFF + seat, i]
        square = pay * pay
        place = _PAY_PLACE + (seat - first + SEAT_COUNT) % SEAT_COUNT
        side = _PAY_BANKER if seat == banker else (_PAY_PARTNER if seat == partner else _PAY_DEFENDER)
        unit[place] += pay
        unit[side] += pay
        unit[_HIGH + place] += square
        unit[_HIGH + side] += square
    partners = 1 if partner >= 0 else 0
    unit[_N_PARTNERS] += partners
    unit[_N_DEFENDERS] += SEAT_COUNT - 1 - partners
    unit[_N_REVEALED] += revealed
    unit[_N_PRESSED] += pressed
    unit[_N_REVEAL_AFTER] += after
    unit[_N_STAYS] += 1 if c[_PREVIOUS, i] == banker else 0
    unit[_N_SOLO] += solo
    unit[_N_DIRECT] += direct
    unit[_N_WON] += won
    unit[_N_WON_WITH_PARTNER] += won * partners
    unit[_N_WON_SOLO] += won * solo
    unit[_N_WON_REVEALED] += won * revealed
    unit[_N_WON_PRESSED] += won * pressed
    unit[_N_WON_DIRECT] += won * direct
    unit[_N_FOUND] += partners * (c[_PARTNER_TRICK, i] + 1)
    unit[_N_THROWS] += c[_THROWS, i]
    unit[_N_FAILED] += c[_FAILED_THROWS, i]
    unit[_N_BOTTOM] += c[_BOTTOM_POINTS, i]
    unit[_N_DUG] += 1 if multiplier > 0 else 0
    unit[_N_DUG_POINTS] += c[_BOTTOM_POINTS, i] * multiplier
    return won


@kernel(i64(arr, arr), inline=True)
def _mix(unit, products):
    """Add a unit's products of different quantities."""
    for s in range(_SPREAD):
        x, high, low = unit[s], unit[_HIGH + s], unit[_LOW + s]
        products[WIDTH + s] += x * high
        products[WIDTH + _SPREAD + s] += x * low
        products[WIDTH + 2 * _SPREAD + s] += high * low
    at = WIDTH + 3 * _SPREAD
    partners, defenders, revealed = unit[_N_PARTNERS], unit[_N_DEFENDERS], unit[_N_REVEALED]
    products[at] += unit[_PAY_PARTNER] * partners
    products[at + 1] += unit[_HIGH + _PAY_PARTNER] * partners
    products[at + 2] += unit[_LOW + _PAY_PARTNER] * partners
    products[at + 3] += unit[_PAY_DEFENDER] * defenders
    products[at + 4] += unit[_HIGH + _PAY_DEFENDER] * defenders
    products[at + 5] += unit[_LOW + _PAY_DEFENDER] * defenders
    products[at + 6] += unit[_N_WON_WITH_PARTNER] * partners
    products[at + 7] += unit[_N_DIRECT] * partners
    products[at + 8] += unit[_N_FOUND] * partners
    products[at + 9] += unit[_N_WON_SOLO] * unit[_N_SOLO]
    products[at + 10] += unit[_N_WON_DIRECT] * unit[_N_DIRECT]
    products[at + 11] += unit[_N_WON_REVEALED] * revealed
    products[at + 12] += unit[_N_REVEAL_AFTER] * revealed
    products[at + 13] += unit[_N_WON_PRESSED] * unit[_N_PRESSED]
    products[at + 14] += unit[_N_FAILED] * unit[_N_THROWS]
    products[at + 15] += unit[_N_DUG_POINTS] * unit[_N_DUG]
    return 0


@kernel(i64(arr2, i64, i64, i64), inline=True)
def _see(classes, at, won, here):
    """Count a deal in a class, in the columns from ``here`` on."""
    classes[at, here] += won
    classes[at, here + 1] += 1
    return 0


@kernel(i64(arr2))
def _end_classes(classes):
    """Take a unit's counts by class over into the sums."""
    for at in range(classes.shape[0]):
        x, y = classes[at, 5], classes[at, 6]
        if y:
            classes[at, 0] += x
            classes[at, 1] += y
            classes[at, 2] += x * x
            classes[at, 3] += x * y
            classes[at, 4] += y * y
            classes[at, 5] = 0
            classes[at, 6] = 0
    return 0


@kernel(i64(arr2))
def _end_levels(levels):
    """Take a unit's counts by level over into the sums."""
    up_to = 0
    for v in range(levels.shape[0]):
        here = levels[v, 2]
        if here:
            levels[v, 0] += here
            levels[v, 1] += here * (2 * up_to + here)
            levels[v, 2] = 0
            up_to += here
    return 0


@kernel(i64(arr2, i64, arr, arr, arr, arr2, arr2, arr2))
def count(c, size, unit, sums, products, points, found, classes):
    """Add the deals in the columns of ``c`` (int64[COLUMNS, deals], whole units) to the totals; returns the units.

    unit: int64[WIDTH], working memory. sums[WIDTH], products[PAIRS]. points[defenders' points, 0..1] and
    found[trick from 1, 0..1]: deals, and what the squared number of a unit's deals up to this value grows by.
    classes[CLASS_COUNT]: deals won (x) and all (y) of the class, then the sums over the units of xx, xy, yy. Points,
    found and classes have one, one and two more columns of working memory, and are zero at the beginning.
    """
    units = c.shape[1] // size
    single = size == 1  # no counts of a unit are needed: each is 0 or 1
    level, here = 0 if single else 2, 0 if single else 5
    for u in range(units):
        for q in range(WIDTH):
            unit[q] = 0
        for i in range(u * size, (u + 1) * size):
            won = _add_deal(c, unit, i)
            after = c[_REVEAL_AFTER, i]
            points[c[_DEFENDER_POINTS, i], level] += 1
            found[NEVER if c[_PARTNER, i] < 0 else c[_PARTNER_TRICK, i] + 1, level] += 1
            _see(classes, _BY_GRADE + c[_GRADE, i], won, here)
            _see(classes, _BY_NAMED + c[_NAMED, i], won, here)
            _see(classes, _BY_HELD + c[_NAMED_HELD, i], won, here)
            _see(classes, _BY_REVEAL + (7 if after >= 30 else (after + 4) // 5), won, here)
            _see(classes, _BY_TRUMP + c[_TRUMP, i], won, here)
        for s in range(_SPREAD):
            square = unit[_HIGH + s]
            unit[_HIGH + s] = square >> SHIFT
            unit[_LOW + s] = square & ((1 << SHIFT) - 1)
        for q in range(WIDTH):
            sums[q] += unit[q]
            products[q] += unit[q] * unit[q]
        _mix(unit, products)
        if not single:
            _end_levels(points)
            _end_levels(found)
            _end_classes(classes)
    if single:
        points[:, 1] = points[:, 0]
        found[:, 1] = found[:, 0]
        for k in range(2, 5):
            classes[:, k] = classes[:, 1 if k == 4 else 0]
    return units
