"""Components of a lead (COM-5 to COM-7).

A component's *type* is one integer, cards * 32 + levels: single 33, pair 65, triple 97, tractor (L, t)
(2L + t) * 32 + L. Types compare as COM-6 ranks them: more cards first, then more levels.

A *lead* is an int64 vector: N cards, SUIT (effective suit), COUNT components of which the first MULTI are not singles,
then COUNT types from TYPES on and COUNT top levels from TOPS on, in precedence order (equal types: higher top first).
"""

from __future__ import annotations

from ._jit import kernel
from .bits import highest, lowest, popcount, remove, size
from .layout import LEVEL_OF, SUIT_OF, faces_at, levels_of
from .memory import shift

SINGLE, PAIR, TRIPLE = 33, 65, 97
MAX_COMPONENTS = 36
N, SUIT, COUNT, MULTI, TYPES = 0, 1, 2, 3, 4
TOPS = TYPES + MAX_COMPONENTS
LEAD_SIZE = TOPS + MAX_COMPONENTS


@kernel()
def tractor(length, triples):
    """The type of a tractor (L, t)."""
    return (2 * length + triples) * 32 + length


@kernel()
def run_starts(levels, length):
    """Bit s is set where levels s .. s + length - 1 are all set."""
    for _ in range(length - 1):
        levels &= levels >> 1
    return levels


@kernel()
def decompose(p0, p1, p2, lay, suit, types, tops, masks):
    """COM-7: the components of cards of one effective suit, in precedence order.

    Writes types[i], tops[i] and the cards as masks[3 * i : 3 * i + 3]; returns how many.
    """
    n = 0
    while True:
        levels = levels_of(p1, lay, suit)
        length = 1
        while levels & (levels >> 1):
            levels &= levels >> 1
            length += 1
        if length < 2:
            break
        start = highest(levels)
        m0, m2 = 0, 0
        for level in range(start, start + length):
            held = p1 & faces_at(lay, suit, level)
            if held & p2:
                held &= p2
                m2 |= held & -held
            m0 |= held & -held
        n = _insert(m0, m0, m2, tractor(length, popcount(m2)), start + length - 1, types, tops, masks, n)
        p0, p1, p2 = remove(p0, p1, p2, m0, m0, m2)
    while p2:
        b = 1 << highest(p2)
        n = _insert(b, b, b, TRIPLE, lay[LEVEL_OF + highest(b)], types, tops, masks, n)
        p0, p1, p2 = p0 ^ b, p1 ^ b, p2 ^ b
    while p1:
        b = 1 << highest(p1)
        n = _insert(b, b, 0, PAIR, lay[LEVEL_OF + highest(b)], types, tops, masks, n)
        p0, p1 = p0 ^ b, p1 ^ b
    while p0:
        b = 1 << highest(p0)
        n = _insert(b, 0, 0, SINGLE, lay[LEVEL_OF + highest(b)], types, tops, masks, n)
        p0 ^= b
    return n


@kernel()
def _insert(m0, m1, m2, kind, top, types, tops, masks, n):
    """Insert a component so that the list stays in precedence order; returns the new length."""
    i = n
    while i > 0 and (types[i - 1] < kind or (types[i - 1] == kind and tops[i - 1] < top)):
        types[i] = types[i - 1]
        tops[i] = tops[i - 1]
        masks[3 * i] = masks[3 * i - 3]
        masks[3 * i + 1] = masks[3 * i - 2]
        masks[3 * i + 2] = masks[3 * i - 1]
        i -= 1
    types[i] = kind
    tops[i] = top
    masks[3 * i] = m0
    masks[3 * i + 1] = m1
    masks[3 * i + 2] = m2
    return n + 1


@kernel()
def describe(p0, p1, p2, lay, lead, masks):
    """Take a lead apart: ``lead`` (int64[LEAD_SIZE]), and ``masks`` (int64[3 * MAX_COMPONENTS]) as in ``decompose``."""
    bit = lowest(p0)
    suit = lay[SUIT_OF + bit]
    lead[SUIT] = suit
    if p0 == 1 << bit:  # one face: a single, a pair or a triple
        lead[N] = 1 + (p1 != 0) + (p2 != 0)
        lead[COUNT] = 1
        lead[MULTI] = 1 if p1 else 0
        lead[TYPES] = lead[N] * 32 + 1
        lead[TOPS] = lay[LEVEL_OF + bit]
        masks[0], masks[1], masks[2] = p0, p1, p2
        return
    lead[N] = size(p0, p1, p2)
    n = decompose(p0, p1, p2, lay, suit, shift(lead, TYPES), shift(lead, TOPS), masks)
    lead[COUNT] = n
    while n > 0 and lead[TYPES + n - 1] == SINGLE:
        n -= 1
    lead[MULTI] = n
