"""The throw check (COM-10)."""

from __future__ import annotations

from ._jit import kernel
from .bits import highest, lowest
from .contain import top_of
from .layout import FACE_OF, LEVEL_OF, MASK, SPLIT
from .shapes import COUNT, SINGLE, SUIT, TOPS, TYPES


@kernel()
def throw_check(lead, masks, hands, stride, seat, seats, lay):
    """The component a throw is reduced to, as an index into the lead's components, or -1 if it stands.

    ``lead``, ``masks``: as ``shapes.describe`` fills them; ``hands``: the three words of each seat's hand, ``stride``
    apart. Of the beatable components the first in precedence counts, among those of one type the one with the lowest
    top, of equal tops the first in the order of the suits.
    """
    suit = lead[SUIT]
    mask = lay[MASK + suit]
    found = -1
    for i in range(lead[COUNT]):
        kind = lead[TYPES + i]
        if found >= 0 and kind != lead[TYPES + found]:
            break
        beaten = False
        for other in range(seats):
            if other != seat:
                at = other * stride
                w0, w1, w2 = hands[at] & mask, hands[at + 1] & mask, hands[at + 2] & mask
                if kind == SINGLE:
                    top = lay[LEVEL_OF + highest(w0)] if w0 else -1
                elif w1 == 0:
                    top = -1
                else:
                    top = top_of(w0, w1, w2, lay, suit, lead, TYPES + i, 1, lay[SPLIT] != 0)
                if top > lead[TOPS + i]:
                    beaten = True
                    break
        if not beaten:
            continue
        if found < 0 or lead[TOPS + i] < lead[TOPS + found]:
            found = i
        elif lead[TOPS + i] == lead[TOPS + found] and _before(masks, i, found, lay):
            found = i
    return found


@kernel()
def _before(masks, i, j, lay):
    """Whether component i comes before j in the order of the suits of their top level's faces."""
    return lay[FACE_OF + lowest(_top_face(masks[3 * i]))] < lay[FACE_OF + lowest(_top_face(masks[3 * j]))]


@kernel()
def _top_face(m):
    while m & (m - 1):
        m &= m - 1
    return m
