"""How ``expert`` leads in hong-wu-wu-jia: candidate leads, scored by features; the weights are data (hw_expert)."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import highest, popcount
from ..layout import ABOVE, COUNTING, LEVEL_OF, MASK, SHIFT, SUIT_OF, TRUMP, WORTH, points
from .choose import answer
from .hw_know import SEATS, SURE, cards_of, longest_run, masters

# Kinds of lead, each with its own row of weights.
MASTERS, RUN, MULTIPLE, LOW, T_MASTERS, T_RUN, T_MULTIPLE, T_LOW = range(8)
# Features of a lead.
BASE, CARDS, POINTS, BETTER, ENEMY_VOID, ALLY_VOID, SHORT, NAMED, TRUMPS_OUT, AHEAD, EMPTIES, LATE = range(12)
KINDS, FEATURES = 8, 12


@kernel(inline=True)
def _always(w, kind, named, out, ahead, late):
    """The part of a score that depends on the kind and the situation only."""
    at = kind * FEATURES
    return (
        w[at] + w[at + NAMED] * named + w[at + TRUMPS_OUT] * out + w[at + AHEAD] * ahead + w[at + LATE] * late
    )


@kernel(inline=True)
def _score(w, kind, always, cards, pts, better, enemy_void, ally_void, short, empties):
    at = kind * FEATURES
    return (
        always
        + w[at + CARDS] * cards
        + w[at + POINTS] * pts
        + w[at + BETTER] * better
        + w[at + ENEMY_VOID] * enemy_void
        + w[at + ALLY_VOID] * ally_void
        + w[at + SHORT] * short
        + w[at + EMPTIES] * empties
    )


@kernel(inline=True)
def lead(pub, own, lay, w, f, u0, u1, u2):
    """Answer the lead with the highest score; ``w``: KINDS rows of FEATURES weights for the seat's role.

    Candidates in each side suit: all its masters (a throw when there are several), the longest tractor, the highest
    triple or else pair, the lowest card; the same in trumps. Features: cards (for a single, pair or triple its
    level) and points led; how many better ones are out; how likely enemies and friends are to ruff (``f``:
    ``allies``); how far the suit is too short for everybody to follow; whether the partner is unknown and the suit
    the named card's; trumps still out; how many more trumps the seat has than the average of the others; whether the
    lead empties the suit; how many tricks' cards have been played.
    """
    seat = own[view.SEAT]
    trump = lay[MASK + TRUMP]
    out = cards_of(u0, u1, u2, trump)
    mine = cards_of(own[0], own[1], own[2], trump)
    ahead = 4 * mine - out
    late = 31 - pub[view.LEFT]
    named_suit = lay[SUIT_OF + pub[view.NAMED]] if pub[view.PARTNER] < 0 else -1
    voids, no_pairs, no_triples = 0, 15, 15  # of anybody, of everybody else
    for s in range(SEATS):
        if s != seat:
            voids |= pub[view.VOID + s]
            no_pairs &= pub[view.NO_PAIR + s]
            no_triples &= pub[view.NO_TRIPLE + s]
    best = -(1 << 40)
    c0, c1, c2 = 0, 0, 0
    for suit in range(3):
        mask = lay[MASK + suit]
        m0, m1, m2 = own[0] & mask, own[1] & mask, own[2] & mask
        if m0 == 0:
            continue
        held = popcount(m0) + popcount(m1) + popcount(m2)
        us = cards_of(u0, u1, u2, mask)
        enemy_void, ally_void = 0, 0
        if out and (voids >> suit) & 1:
            for s in range(SEATS):
                void = pub[view.VOID + s]
                if (void >> suit) & 1 and (void >> TRUMP) & 1 == 0:
                    with_us = (f >> (8 * s)) & 255
                    enemy_void += SURE - with_us
                    ally_void += with_us
        named = suit == named_suit
        no_pair = (no_pairs >> suit) & 1 != 0
        no_triple = (no_triples >> suit) & 1 != 0
        p0, p1, p2 = masters(own, lay, suit, u0, u1, u2, no_pair, no_triple)
        if p0:
            n = popcount(p0) + popcount(p1) + popcount(p2)
            short = max(0, 4 * n + 4 - us) if out else 0
            s = _score(
                w, MASTERS, _always(w, MASTERS, named, out, ahead, late), n, points(p0, p1, p2, lay), 0,
                enemy_void, ally_void, short, held == n,
            )  # fmt: skip
            if s > best:
                best, c0, c1, c2 = s, p0, p1, p2
        if m1:
            if m1 & (m1 >> 1):
                r1, r2 = longest_run(own, lay, suit)
                n = 2 * popcount(r1) + popcount(r2)
                short = max(0, 4 * n + 4 - us) if out else 0
                level = lay[LEVEL_OF + highest(r1)]
                better = popcount(u1 & lay[ABOVE + 24 * suit + level])
                s = _score(
                    w, RUN, _always(w, RUN, named, out, ahead, late), n, points(r1, r1, r2, lay), better,
                    enemy_void, ally_void, short, held == n,
                )  # fmt: skip
                if s > best:
                    best, c0, c1, c2 = s, r1, r1, r2
            b2 = m2
            bit = highest(m2 if m2 else m1)
            b = 1 << bit
            n = 3 if m2 else 2
            better = popcount((u2 if m2 else u1) & lay[ABOVE + 24 * suit + lay[LEVEL_OF + bit]])
            s = _score(
                w, MULTIPLE, _always(w, MULTIPLE, named, out, ahead, late), n * 16 + lay[LEVEL_OF + bit],
                n * lay[WORTH + bit], better, enemy_void, ally_void, max(0, 4 * n + 4 - us) if out else 0, held == n,
            )  # fmt: skip
            if s > best:
                best, c0, c1, c2 = s, b, b, b & b2
        plain = m0 & ~lay[COUNTING] & ~m1
        low = plain & -plain if plain else m0 & -m0
        bit = highest(low)
        s = _score(
            w, LOW, _always(w, LOW, named, out, ahead, late), bit - lay[SHIFT + suit], lay[WORTH + bit], 0,
            enemy_void, ally_void, us, held == 1,
        )  # fmt: skip
        if s > best:
            best, c0, c1, c2 = s, low, 0, 0
    if mine:
        t0, t1, t2 = own[0] & trump, own[1] & trump, own[2] & trump
        only = own[0] & ~trump == 0
        named = named_suit == TRUMP
        p0, p1, p2 = masters(
            own, lay, TRUMP, u0, u1, u2, (no_pairs >> TRUMP) & 1 != 0, (no_triples >> TRUMP) & 1 != 0
        )
        if p0:
            n = popcount(p0) + popcount(p1) + popcount(p2)
            s = _score(
                w, T_MASTERS, _always(w, T_MASTERS, named, out, ahead, late), n, points(p0, p1, p2, lay), 0, 0, 0,
                mine - n, only,
            )  # fmt: skip
            if s > best:
                best, c0, c1, c2 = s, p0, p1, p2
        if t1:
            r1, r2 = longest_run(own, lay, TRUMP)
            if r1:
                n = 2 * popcount(r1) + popcount(r2)
                better = popcount(u1 & lay[ABOVE + 24 * TRUMP + lay[LEVEL_OF + highest(r1)]])
                s = _score(
                    w, T_RUN, _always(w, T_RUN, named, out, ahead, late), n, points(r1, r1, r2, lay), better, 0, 0,
                    mine - n, only,
                )  # fmt: skip
                if s > best:
                    best, c0, c1, c2 = s, r1, r1, r2
            bit = highest(t2 if t2 else t1)
            b = 1 << bit
            n = 3 if t2 else 2
            better = popcount((u2 if t2 else u1) & lay[ABOVE + 24 * TRUMP + lay[LEVEL_OF + bit]])
            s = _score(
                w, T_MULTIPLE, _always(w, T_MULTIPLE, named, out, ahead, late), n * 16 + lay[LEVEL_OF + bit],
                n * lay[WORTH + bit], better, 0, 0, 0, only,
            )  # fmt: skip
            if s > best:
                best, c0, c1, c2 = s, b, b, b & t2
        plain = t0 & ~lay[COUNTING] & ~t1
        low = plain & -plain if plain else t0 & -t0
        bit = highest(low)
        s = _score(
            w, T_LOW, _always(w, T_LOW, named, out, ahead, late), lay[LEVEL_OF + bit], lay[WORTH + bit], 0, 0, 0, 0,
            only,
        )  # fmt: skip
        if s > best:
            best, c0, c1, c2 = s, low, 0, 0
    answer(own, c0, c1, c2)
