"""Following: what a player must, and whether a play does it (COM-11 to COM-14, DWF-9 to DWF-11)."""

from __future__ import annotations

from . import forced
from ._jit import kernel
from .bits import holds, popcount, size
from .contain import contains, top_of
from .layout import BINDS_ALL, BY_LEVEL, CASCADE, MASK, SCOPE, SPLIT, TRUMP
from .shapes import COUNT, MULTI, PAIR, SUIT, TRIPLE, TYPES, N, tractor

# What is wrong with a follow; OK, or the clause broken.
OK, NUMBER, NOT_HELD, SUIT_FIRST, SHAPE, F_ALL, F_ANY, F_HIGHEST, F_PAIRS, HIDING = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
)


@kernel()
def _try(w1, w2, lay, suit, out, n, kind, split):
    """Add a component to the obligations out[0:n] if the cards then still contain them all; the new length.

    Keeps ``out`` in precedence order, as ``contains`` wants it.
    """
    i = n
    while i > 0 and out[i - 1] < kind:
        out[i] = out[i - 1]
        i -= 1
    out[i] = kind
    if contains(w1, w2, lay, suit, out, 0, n + 1, split):
        return n + 1
    while i < n:
        out[i] = out[i + 1]
        i += 1
    return n


@kernel()
def obligations(w1, w2, lay, lead, out):
    """COM-13: the non-single components a follower with enough cards of the led suit is obliged to.

    ``w1``, ``w2``: the follower's words for second and third copies, only of the led suit. Writes types to ``out`` in
    precedence order and returns their number.
    """
    n = 0
    suit = lead[SUIT]
    split = lay[SPLIT] != 0
    if w1 == 0:
        return 0
    for i in range(lead[MULTI]):
        kind = lead[TYPES + i]
        before = n
        n = _try(w1, w2, lay, suit, out, n, kind, split)
        if n > before or lay[CASCADE] == 0 or kind == PAIR:
            continue
        if kind == TRIPLE:
            n = _try(w1, w2, lay, suit, out, n, PAIR, split)
            continue
        left = kind & 31  # levels of the tractor still uncovered
        length = left
        while length >= 2:
            if length > left:
                length = left
                continue
            before = n
            n = _try(w1, w2, lay, suit, out, n, tractor(length, 0), split)
            if n > before:
                left -= length
            else:
                length -= 1
        for _ in range(left):
            before = n
            n = _try(w1, w2, lay, suit, out, n, PAIR, split)
            if n == before:
                break
    return n


@kernel()
def follow_fault(h0, h1, h2, lay, lead, p0, p1, p2, scratch):
    """Whether a follow is legal: OK or the fault (HW-9 apart).

    ``h``: the hand before the play, ``p``: the play, ``lead``: what was led, as ``shapes.describe`` fills it,
    ``scratch``: int64[MAX_COMPONENTS].
    """
    n = lead[N]
    suit = lead[SUIT]
    mask = lay[MASK + suit]
    if not holds(h0, h1, h2, p0, p1, p2):
        return NOT_HELD
    if size(p0, p1, p2) != n:
        return NUMBER
    held = size(h0 & mask, h1 & mask, h2 & mask)
    played = size(p0 & mask, p1 & mask, p2 & mask)
    if played != min(held, n):
        return SUIT_FIRST
    if held >= n:
        if lead[MULTI] == 0:
            return OK
        count = obligations(h1 & mask, h2 & mask, lay, lead, scratch)
        if contains(p1 & mask, p2 & mask, lay, suit, scratch, 0, count, lay[SPLIT] != 0):
            return OK
        return SHAPE
    if suit == TRUMP:
        return OK
    trump = lay[MASK + TRUMP]
    t0, t1 = h0 & trump, h1 & trump
    q0, q1 = p0 & trump, p1 & trump
    trumps = popcount(t0) + popcount(t1)
    paid = popcount(q0) + popcount(q1)
    step = forced.branch(lead, held, trumps, lay[SCOPE], lay[BY_LEVEL] != 0)
    if step == forced.FREE:
        return OK
    if step == forced.ALL_TRUMPS:
        return OK if paid == trumps else F_ALL
    if step == forced.ANY_TRUMPS:
        return OK if paid == n - held else F_ANY
    if held == 0 and lay[BINDS_ALL] == 0 and paid == n:
        if top_of(q0, q1, 0, lay, TRUMP, lead, TYPES, lead[MULTI], lay[SPLIT] != 0) >= 0:
            return OK  # a ruff is the follower's right
    if paid == n - held:
        if step == forced.HIGHEST and forced.is_highest(t0, t1, q0, q1, lay):
            return OK
        if step == forced.PAIRS_FIRST and forced.is_pairs_first(t0, t1, q0, q1, lay):
            return OK
    return F_HIGHEST if held > 0 else F_PAIRS


@kernel()
def wins_with(p0, p1, p2, lay, lead):
    """How strong a follow is against the lead: -1 cannot win, 0.. in suit (top level), 64.. a ruff (COM-16, COM-17)."""
    suit = lead[SUIT]
    mask = lay[MASK + suit]
    split = lay[SPLIT] != 0
    if p0 & ~mask == 0:
        if lead[COUNT] > 1:
            return -1
        return top_of(p0, p1, p2, lay, suit, lead, TYPES, lead[MULTI], split)
    if suit == TRUMP or p0 & ~lay[MASK + TRUMP]:
        return -1
    top = top_of(p0, p1, p2, lay, TRUMP, lead, TYPES, lead[MULTI], split)
    return top + 64 if top >= 0 else -1
