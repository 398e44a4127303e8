"""How ``expert`` leads in die-wu-fen: a few candidate leads, scored by features; the weights are data (dwf_expert)."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import highest, popcount
from ..layout import ABOVE, COUNTING, LEVEL_OF, MASK, TRUMP, WORTH, points
from .choose import answer, not_below
from .dwf_know import SIDES, TRUMPS, best_run, cards_of, masters, unseen

# Kinds of lead, each with its own row of weights.
MASTERS, RUN, PAIR, LOW, T_MASTERS, T_RUN, T_PAIR, T_LOW = range(8)
# Features of a lead.
BASE, CARDS, POINTS, BETTER, ENEMY_VOID, SHORT, TRUMPS_OUT, AHEAD, EMPTIES, LATE = range(10)
KINDS, FEATURES = 8, 10


@kernel()
def _score(w, kind, cards, pts, better, enemy_void, short, out, ahead, empties, late):
    at = kind * FEATURES
    return (
        w[at + BASE]
        + w[at + CARDS] * cards
        + w[at + POINTS] * pts
        + w[at + BETTER] * better
        + w[at + ENEMY_VOID] * enemy_void
        + w[at + SHORT] * short
        + w[at + TRUMPS_OUT] * out
        + w[at + AHEAD] * ahead
        + w[at + EMPTIES] * empties
        + w[at + LATE] * late
    )


@kernel()
def lead(pub, own, lay, w):
    """Answer the lead with the highest score; ``w``: KINDS rows of FEATURES weights for the seat's role.

    Candidates in each suit, trumps too: all its masters (a throw when there are several), the longest master tractor
    or else the longest, the highest and the lowest pair, the lowest card. Features: cards (for a pair or a single its
    level) and points led; how many better pairs or tractors may be out; whether an enemy is known to be void; how far
    the suit is too short for everybody to follow (in trumps: with masters and tractors, how many trumps are kept;
    with a pair, whether it is a master); trumps still out; how many more trumps the seat has than the average of the
    others; whether the lead empties the suit; how few cards are left.
    """
    u0, u1 = unseen(pub, own)
    seat = own[view.SEAT]
    banker = pub[view.BANKER]
    enemies = 0
    if seat == banker:
        a = seat + 1 if seat < 2 else 0
        b = seat - 1 if seat > 0 else 2
        enemies = pub[view.VOID + a] | pub[view.VOID + b]
    else:
        enemies = pub[view.VOID + banker]
    out = cards_of(u0, u1, TRUMPS)
    mine = cards_of(own[0], own[1], TRUMPS)
    if (enemies >> TRUMP) & 1 and (seat != banker or out == 0):
        enemies = 0  # no ruff to fear
    if out == 0:
        enemies = 0
    ahead = 2 * mine - out
    late = 33 - pub[view.LEFT]
    best = -(1 << 40)
    c0, c1 = 0, 0
    for suit in range(3):
        mask = lay[MASK + suit]
        m0, m1 = own[0] & mask, own[1] & mask
        if m0 == 0:
            continue
        held = popcount(m0) + popcount(m1)
        us = cards_of(u0, u1, mask)
        enemy_void = (enemies >> suit) & 1
        p0, p1 = masters(pub, own, lay, suit, u0, u1)
        if p0:
            n = popcount(p0) + popcount(p1)
            short = max(0, 2 * n + 2 - us) if out else 0
            s = _score(
                w, MASTERS, n, points(p0, p1, 0, lay), 0, enemy_void, short, out, ahead, held == n, late
            )
            if s > best:
                best, c0, c1 = s, p0, p1
        if m1:
            if m1 & (m1 >> 1):
                run, better = best_run(pub, own, lay, suit, u1)
                n = 2 * popcount(run)
                short = max(0, 2 * n + 2 - us) if out else 0
                s = _score(
                    w,
                    RUN,
                    n,
                    points(run, run, 0, lay),
                    better,
                    enemy_void,
                    short,
                    out,
                    ahead,
                    held == n,
                    late,
                )
                if s > best:
                    best, c0, c1 = s, run, run
            short = max(0, 6 - us) if out else 0
            bit = highest(m1)
            for _ in range(2):
                better = popcount(u1 & lay[ABOVE + 24 * suit + lay[LEVEL_OF + bit]])
                s = _score(
                    w, PAIR, bit - 11 * suit, 2 * lay[WORTH + bit], better, enemy_void, short, out, ahead,
                    held == 2, late,
                )  # fmt: skip
                if s > best:
                    best, c0, c1 = s, 1 << bit, 1 << bit
                if m1 & (m1 - 1) == 0:
                    break
                bit = highest(m1 & -m1)
        plain = m0 & ~lay[COUNTING] & ~m1
        low = plain & -plain if plain else m0 & -m0
        level = highest(low) - 11 * suit
        s = _score(w, LOW, level, lay[WORTH + highest(low)], 0, enemy_void, us, out, ahead, held == 1, late)
        if s > best:
            best, c0, c1 = s, low, 0
    t0, t1 = own[0] & TRUMPS, own[1] & TRUMPS
    if t0:
        only = own[0] & SIDES == 0
        p0, p1 = masters(pub, own, lay, TRUMP, u0, u1)
        if p0:
            n = popcount(p0) + popcount(p1)
            s = _score(w, T_MASTERS, n, points(p0, p1, 0, lay), 0, 0, mine - n, out, ahead, only, late)
            if s > best:
                best, c0, c1 = s, p0, p1
        if t1:
            run, better = best_run(pub, own, lay, TRUMP, u1)
            if run:
                n = 2 * popcount(run)
                s = _score(w, T_RUN, n, points(run, run, 0, lay), better, 0, mine - n, out, ahead, only, late)
                if s > best:
                    best, c0, c1 = s, run, run
            bit = highest(t1)
            for _ in range(2):
                safe = (t1 >> bit << bit) & not_below(lay, TRUMP, u1) != 0
                better = popcount(u1 & lay[ABOVE + 24 * TRUMP + lay[LEVEL_OF + bit]])
                s = _score(
                    w,
                    T_PAIR,
                    lay[LEVEL_OF + bit],
                    2 * lay[WORTH + bit],
                    better,
                    0,
                    safe,
                    out,
                    ahead,
                    only,
                    late,
                )
                if s > best:
                    best, c0, c1 = s, 1 << bit, 1 << bit
                if t1 & (t1 - 1) == 0:
                    break
                bit = highest(t1 & -t1)
        plain = t0 & ~lay[COUNTING] & ~t1
        low = plain & -plain if plain else t0 & -t0
        bit = highest(low)
        s = _score(w, T_LOW, lay[LEVEL_OF + bit], lay[WORTH + bit], 0, 0, 0, out, ahead, only, late)
        if s > best:
            best, c0, c1 = s, low, 0
    answer(own, c0, c1, 0)
