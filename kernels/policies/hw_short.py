"""Short or void: what a deterministic policy of hong-wu-wu-jia puts when it does not follow suit in full."""

from __future__ import annotations

from .._jit import kernel
from ..bits import add, remove, size
from ..contain import contains
from ..layout import MASK, SPLIT, TRUMP
from ..partner import hides
from ..shapes import MULTI, SUIT, TYPES, N
from .choose import give, place


@kernel()
def may_ruff(pub, own, lay):
    """Whether a seat void in the led side suit has a ruff (COM-17)."""
    trump = lay[MASK + TRUMP]
    t0, t1, t2 = own[0] & trump, own[1] & trump, own[2] & trump
    if size(t0, t1, t2) < pub[N]:
        return False
    return contains(t1, t2, lay, TRUMP, pub, TYPES, pub[MULTI], lay[SPLIT] != 0)


@kernel()
def low_ruff(pub, own, lay, order):
    """The ruff with the lowest components, filled up with trumps in the given order; ``may_ruff`` must hold."""
    trump = lay[MASK + TRUMP]
    t0, t1, t2 = own[0] & trump, own[1] & trump, own[2] & trump
    p0, p1, p2 = place(t0, t1, t2, lay, TRUMP, pub, TYPES, pub[MULTI], False, own)
    missing = pub[N] - size(p0, p1, p2)
    if missing > 0:
        t0, t1, t2 = remove(t0, t1, t2, p0, p1, p2)
        q0, q1, q2 = give(t0, t1, t2, lay, missing, order)
        p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    return p0, p1, p2


@kernel()
def discard(pub, own, lay, order):
    """All cards of the led suit, then others in the given order; the named face only if HW-9 leaves nothing else."""
    mask = lay[MASK + pub[SUIT]]
    kept = hides(pub, own, lay)
    free = ~(mask | kept)
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    r0, r1, r2 = own[0] & free, own[1] & free, own[2] & free
    missing = pub[N] - size(w0, w1, w2)
    others = size(r0, r1, r2)
    if others < missing:
        q0, q1, q2 = give(own[0] & kept, own[1] & kept, own[2] & kept, lay, missing - others, order)
        w0, w1, w2 = add(w0, w1, w2, q0, q1, q2)
        missing = others
    q0, q1, q2 = give(r0, r1, r2, lay, missing, order)
    return add(w0, w1, w2, q0, q1, q2)
