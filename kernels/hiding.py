"""No hiding of the named face in hong-wu-wu-jia (HW-9)."""

from __future__ import annotations

from ._jit import kernel
from .bits import count_of, size
from .layout import FACE_OF, MASK, SUIT_OF
from .legal import wins_with
from .shapes import SUIT, N

_KING = 11


@kernel()
def hiding_allowance(h0, h1, h2, lay, lead, named):
    """How many copies of the face with bit ``named`` a follower may throw off: what its other cards leave unavoidable.

    ``h``: the hand before the play. A face of the led suit is never thrown off; then the answer means nothing.
    """
    mask = lay[MASK + lead[SUIT]]
    held = size(h0 & mask, h1 & mask, h2 & mask)
    others = size(h0 & ~mask, h1 & ~mask, h2 & ~mask) - count_of(h0, h1, h2, named)
    return max(0, lead[N] - held - others)


@kernel()
def hiding_fault(h0, h1, h2, lay, lead, p0, p1, p2, named):
    """Whether a follow that is legal otherwise throws off the named face against HW-9.

    ``h``: the hand before the play, ``p``: the play, ``lead``: as ``shapes.describe`` fills it, ``named``: the bit of
    the named face. Only asked of a player who is not the banker, while the partner is unknown.
    """
    face = lay[FACE_OF + named]
    if face >= 52 or face % 13 < _KING:  # 5h and BJ may be thrown off
        return False
    if lay[SUIT_OF + named] == lead[SUIT]:
        return False
    thrown = count_of(p0, p1, p2, named)
    if thrown <= hiding_allowance(h0, h1, h2, lay, lead, named):
        return False
    return wins_with(p0, p1, p2, lay, lead) < 64  # a ruff is free
