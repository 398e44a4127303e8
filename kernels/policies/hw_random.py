"""``random`` for hong-wu-wu-jia: every legal answer has a positive chance.

Reveals: each time asked, 1 in 64, then any suit it holds a 2 of alike; so about a quarter of all deals is pressed.
Buries seven cards by lot. Names by lot among the faces it may name; 1 in 2 only among those of them it has all three
copies of, if there are any, so that it plays solo now and then.

Leads and follows in suit: see ``lot``. Void on a side suit: a ruff 1 in 2 where one exists, its components placed by
lot; else, or short, cards by lot as far as HW-9 leaves them free.
"""

from __future__ import annotations

import numpy as np

from .. import view
from .._jit import kernel, policy
from ..bits import add, count_of, lowest, popcount, size
from ..contain import contains
from ..layout import MASK, SPLIT, TRUMP
from ..legal import wins_with
from ..partner import hides, nameable
from ..rng import below
from ..shapes import MULTI, SUIT, TYPES, N
from .choose import answer, any_cards, nth_bit
from .lot import follow_in_suit, lead_by_lot, ruff_by_lot

_TWOS = 1 | (1 << 13) | (1 << 26) | (1 << 39)  # by face number


@kernel()
def _reveal(own):
    if below(own, view.RNG, 64) != 0:
        return 0
    twos = own[0] & _TWOS
    return lowest(nth_bit(twos, below(own, view.RNG, popcount(twos)))) // 13 + 1


@kernel()
def _name(own, lay):
    able = nameable(own, lay)
    if below(own, view.RNG, 2) == 0:
        full = 0
        rest = able
        while rest:
            bit = lowest(rest)
            rest &= rest - 1
            kept = count_of(own[0], own[1], own[2], bit)
            b = view.BURIED
            if kept + count_of(own[b], own[b + 1], own[b + 2], bit) == 3:
                full |= 1 << bit
        if full:
            able = full
    return lowest(nth_bit(able, below(own, view.RNG, popcount(able))))


@kernel()
def _follow(pub, own, lay):
    n = pub[N]
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    held = size(w0, w1, w2)
    if held >= n:
        follow_in_suit(pub, own, lay)
        return
    if held == 0 and suit != TRUMP:
        trump = lay[MASK + TRUMP]
        t0, t1, t2 = own[0] & trump, own[1] & trump, own[2] & trump
        if size(t0, t1, t2) >= n and contains(t1, t2, lay, TRUMP, pub, TYPES, pub[MULTI], lay[SPLIT] != 0):
            if below(own, view.RNG, 2) == 0:
                ruff_by_lot(pub, own, lay)
                return
        if lay[SPLIT] == 0 and size(t0, t1, t2) >= n and below(own, view.RNG, 4) == 0:
            p0, p1, p2 = any_cards(t0, t1, t2, n, own)  # see lot.follow_in_suit
            if wins_with(p0, p1, p2, lay, pub) >= 64:
                answer(own, p0, p1, p2)
                return
    kept = hides(pub, own, lay)
    free = ~(mask | kept)
    r0, r1, r2 = own[0] & free, own[1] & free, own[2] & free
    missing = n - held
    others = size(r0, r1, r2)
    if others < missing:  # some copies of the named face are unavoidable
        a0, a1, a2 = any_cards(own[0] & kept, own[1] & kept, own[2] & kept, missing - others, own)
        w0, w1, w2 = add(w0, w1, w2, a0, a1, a2)
        missing = others
    a0, a1, a2 = any_cards(r0, r1, r2, missing, own)
    p0, p1, p2 = add(w0, w1, w2, a0, a1, a2)
    answer(own, p0, p1, p2)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``random`` for hong-wu-wu-jia (signature: see the package)."""
    if what == view.REVEAL:
        return _reveal(own)
    if what == view.NAME:
        return _name(own, lay)
    if what == view.BURY:
        p0, p1, p2 = any_cards(own[0], own[1], own[2], 7, own)
        answer(own, p0, p1, p2)
    elif what == view.LEAD:
        lead_by_lot(own, lay)
    else:
        _follow(pub, own, lay)
    return 0


#: The policy has no numbers of its own.
WEIGHTS = np.zeros(1, np.int64)
