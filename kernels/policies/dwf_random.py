"""``random`` for die-wu-fen: every legal answer has a positive chance.

Calls: each time asked, 1 in 16; then any of the calls it could make alike. Counters: 1 in 4. Bids: pass 1 in 2 (the
opener never), else the lowest bid plus one step for each further coin that falls heads. Buries nine cards by lot.

Leads and follows in suit: see ``lot``. Void on a side suit: a ruff 1 in 2 where one exists, its components placed by
lot; else what DWF-11 leaves open, by lot.
"""

from __future__ import annotations

import numpy as np

from .. import forced, view
from .._jit import kernel, policy
from ..bits import add, highest, popcount, size
from ..contain import contains
from ..die_wu_fen import BID_MAX, BID_STEP, opening_bid
from ..layout import BINDS_ALL, BY_LEVEL, LEVEL_OF, MASK, SCOPE, SPLIT, TRUMP
from ..rng import below
from ..shapes import MULTI, SUIT, TYPES, N
from .choose import answer, any_card, any_cards
from .lot import follow_in_suit, lead_by_lot, ruff_by_lot


@kernel()
def _call(pub, own, pairs_only):
    """A call or counter by lot among those possible, or 0."""
    if below(own, view.RNG, 4 if pairs_only else 16) != 0:
        return 0
    options = 0
    for suit in range(4):
        options += (own[1] >> (13 * suit + 1)) & 1
        if not pairs_only:
            options += (own[0] >> (13 * suit + 1)) & 1
    r = below(own, view.RNG, options)
    for suit in range(4):
        if (own[1] >> (13 * suit + 1)) & 1:
            if r == 0:
                return suit + 5
            r -= 1
        if not pairs_only and (own[0] >> (13 * suit + 1)) & 1:
            if r == 0:
                return suit + 1
            r -= 1
    return 0


@kernel()
def _bid(pub, own, lay):
    if pub[view.BIDS] == 0:
        bid = opening_bid(pub, lay)
    else:
        if below(own, view.RNG, 2) == 0:
            return 0
        bid = pub[view.BID] + lay[BID_STEP]
    while bid + lay[BID_STEP] <= lay[BID_MAX] and below(own, view.RNG, 2) == 0:
        bid += lay[BID_STEP]
    return bid if bid <= lay[BID_MAX] else 0


@kernel()
def _add_level(t, k, lay, own):
    """k faces of the word t, highest levels first, of equal levels by lot."""
    out = 0
    while k > 0:
        level = lay[LEVEL_OF + highest(t)]
        same = 0
        rest = t
        while rest and lay[LEVEL_OF + highest(rest)] == level:
            b = 1 << highest(rest)
            same |= b
            rest ^= b
        while k > 0 and same:
            b = any_card(same, 0, 0, own)
            same ^= b
            out |= b
            k -= 1
        t = rest
    return out


@kernel()
def random_forced(t0, t1, cards, step, lay, own):
    """A discard under DWF-11c (HIGHEST) or 11d (PAIRS_FIRST), equal levels by lot."""
    p0, p1 = 0, 0
    if step == forced.PAIRS_FIRST:
        p1 = _add_level(t1, min(popcount(t1), cards // 2), lay, own)
        p0 = p1
        cards -= 2 * popcount(p1)
        unpaired = t0 & ~t1
        k = min(cards, popcount(unpaired))
        p0 |= _add_level(unpaired, k, lay, own)
        p0 |= _add_level(t1 & ~p1, cards - k, lay, own)
        return p0, p1
    while cards > 0:  # level by level, all copies of equal faces alike
        level = lay[LEVEL_OF + highest(t0)]
        s0 = 0
        rest = t0
        while rest and lay[LEVEL_OF + highest(rest)] == level:
            s0 |= 1 << highest(rest)
            rest &= ~s0
        s1 = t1 & s0
        k = min(cards, popcount(s0) + popcount(s1))
        q0, q1, _q2 = any_cards(s0, s1, 0, k, own)
        p0 |= q0
        p1 |= q1
        cards -= k
        t0 = rest
    return p0, p1


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
    r0, r1 = own[0] & ~mask, own[1] & ~mask  # everything outside the led suit
    missing = n - held
    q0, q1, q2 = 0, 0, 0
    trump = lay[MASK + TRUMP]
    if suit != TRUMP:
        t0, t1 = own[0] & trump, own[1] & trump
        trumps = popcount(t0) + popcount(t1)
        step = forced.branch(pub, held, trumps, lay[SCOPE], lay[BY_LEVEL] != 0)
        may_ruff = held == 0 and trumps >= n and (lay[BINDS_ALL] == 0 or step < forced.HIGHEST)
        if may_ruff and contains(t1, 0, lay, TRUMP, pub, TYPES, pub[MULTI], lay[SPLIT] != 0):
            if below(own, view.RNG, 2) == 0:
                ruff_by_lot(pub, own, lay)
                return
        if step == forced.ALL_TRUMPS:
            q0, q1 = t0, t1
            r0, r1 = r0 & ~trump, r1 & ~trump
            missing -= trumps
        elif step == forced.ANY_TRUMPS:
            r0, r1 = t0, t1
        elif step >= forced.HIGHEST:
            q0, q1 = random_forced(t0, t1, missing, step, lay, own)
            missing = 0
    a0, a1, a2 = any_cards(r0, r1, 0, missing, own)
    q0, q1, q2 = add(q0, q1, q2, a0, a1, a2)
    q0, q1, q2 = add(q0, q1, q2, w0, w1, w2)
    answer(own, q0, q1, q2)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``random`` for die-wu-fen (signature: see the package)."""
    if what == view.CALL:
        return _call(pub, own, False)
    if what == view.COUNTER:
        return _call(pub, own, True)
    if what == view.BID_TURN:
        return _bid(pub, own, lay)
    if what == view.BURY:
        p0, p1, p2 = any_cards(own[0], own[1], own[2], 9, own)
        answer(own, p0, p1, p2)
    elif what == view.LEAD:
        lead_by_lot(own, lay)
    else:
        _follow(pub, own, lay)
    return 0


#: The policy has no numbers of its own.
WEIGHTS = np.zeros(1, np.int64)
