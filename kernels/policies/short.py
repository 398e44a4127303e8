"""Short or void: what a deterministic policy of die-wu-fen puts when it does not follow suit in full."""

from __future__ import annotations

from .. import forced
from .._jit import kernel
from ..bits import add, popcount, remove, size
from ..contain import contains
from ..layout import BINDS_ALL, BY_LEVEL, MASK, SCOPE, SPLIT, TRUMP
from ..shapes import MULTI, SUIT, TYPES, N
from .choose import give, place


@kernel()
def forced_step(pub, own, lay):
    """The branch of DWF-11 that binds this follower (``forced.branch``); FREE when it is not short of a side suit."""
    suit = pub[SUIT]
    if suit == TRUMP:
        return forced.FREE
    mask = lay[MASK + suit]
    held = popcount(own[0] & mask) + popcount(own[1] & mask)
    trumps = popcount(own[0] & lay[MASK + TRUMP]) + popcount(own[1] & lay[MASK + TRUMP])
    return forced.branch(pub, held, trumps, lay[SCOPE], lay[BY_LEVEL] != 0)


@kernel()
def may_ruff(pub, own, lay):
    """Whether a seat void in the led side suit has a ruff it is free to choose (COM-17, DWF-11d)."""
    t0, t1 = own[0] & lay[MASK + TRUMP], own[1] & lay[MASK + TRUMP]
    if popcount(t0) + popcount(t1) < pub[N]:
        return False
    if lay[BINDS_ALL] and forced_step(pub, own, lay) >= forced.HIGHEST:
        return False
    return contains(t1, 0, lay, TRUMP, pub, TYPES, pub[MULTI], lay[SPLIT] != 0)


@kernel()
def low_ruff(pub, own, lay, order):
    """The ruff with the lowest components, filled up with trumps in the given order; ``may_ruff`` must hold."""
    t0, t1 = own[0] & lay[MASK + TRUMP], own[1] & lay[MASK + TRUMP]
    p0, p1, p2 = place(t0, t1, 0, lay, TRUMP, pub, TYPES, pub[MULTI], False, own)
    missing = pub[N] - size(p0, p1, p2)
    if missing > 0:
        t0, t1, _t2 = remove(t0, t1, 0, p0, p1, p2)
        q0, q1, q2 = give(t0, t1, 0, lay, missing, order)
        p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    return p0, p1, p2


@kernel()
def discard(pub, own, lay, order):
    """All cards of the led suit and what DWF-11 asks for; where cards are free, in the given order.

    Keeps ruffs for those who want them: where any trumps do (DWF-11b) they are the lowest.
    """
    mask = lay[MASK + pub[SUIT]]
    trump = lay[MASK + TRUMP]
    w0, w1 = own[0] & mask, own[1] & mask
    missing = pub[N] - popcount(w0) - popcount(w1)
    step = forced_step(pub, own, lay)
    t0, t1 = own[0] & trump, own[1] & trump
    q0, q1, q2 = 0, 0, 0
    if step == forced.HIGHEST:
        q0, q1 = forced.highest_trumps(t0, t1, missing)
    elif step == forced.PAIRS_FIRST:
        q0, q1 = forced.pairs_first(t0, t1, missing)
    elif step == forced.ANY_TRUMPS:
        q0, q1, q2 = give(t0, t1, 0, lay, missing, order)
    else:
        r0, r1 = own[0] & ~mask, own[1] & ~mask
        if step == forced.ALL_TRUMPS:
            q0, q1 = t0, t1
            r0, r1 = r0 & ~trump, r1 & ~trump
            missing -= popcount(t0) + popcount(t1)
        a0, a1, a2 = give(r0, r1, 0, lay, missing, order)
        q0, q1, q2 = add(q0, q1, q2, a0, a1, a2)
    return add(w0, w1, 0, q0, q1, q2)
