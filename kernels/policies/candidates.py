"""Plays a search weighs: those of other policies, and the sensible ones of each kind.

A list of candidates is int64[3 * MOST], three words a play, without repeats; every one of them is legal.
"""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import highest, remove, size
from ..hiding import hiding_fault
from ..layout import ABOVE, COUNTING, GAME, HONG_WU_WU_JIA, LEVEL_OF, MASK, PACKS, TRUMP, faces_at
from ..legal import OK, follow_fault
from ..memory import shift
from ..shapes import MAX_COMPONENTS, SINGLE, SUIT, TRIPLE, N, decompose
from .choose import CHEAP, give

MOST = 32


@kernel()
def note(cands, n, p0, p1, p2):
    """Add a play unless it is in the list (or the list is full); the new length."""
    if p0 == 0 or n == MOST:
        return n
    for i in range(n):
        if cands[3 * i] == p0 and cands[3 * i + 1] == p1 and cands[3 * i + 2] == p2:
            return n
    cands[3 * n], cands[3 * n + 1], cands[3 * n + 2] = p0, p1, p2
    return n + 1


@kernel()
def note_legal(pub, own, lay, cands, n, p0, p1, p2):
    """``note`` for a follow, if the rules allow it."""
    scratch = shift(own, view.SCRATCH)
    if follow_fault(own[0], own[1], own[2], lay, pub, p0, p1, p2, scratch) != OK:
        return n
    if lay[GAME] == HONG_WU_WU_JIA and pub[view.PARTNER] < 0 and own[view.SEAT] != pub[view.BANKER]:
        if hiding_fault(own[0], own[1], own[2], lay, pub, p0, p1, p2, pub[view.NAMED]):
            return n
    return note(cands, n, p0, p1, p2)


@kernel()
def _masters(pub, own, lay, suit):
    """The cards of a suit with which no single card still out could win, as one play."""
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    s0, s1, s2 = pub[view.SEEN], pub[view.SEEN + 1], pub[view.SEEN + 2]
    if lay[PACKS] == 2:
        out = mask & ~(w1 | s1 | (w0 & s0))
    else:
        out = mask & ~(w2 | s2 | (w1 & s0) | (w0 & s1))
    if out:  # equal levels do not beat
        level = lay[LEVEL_OF + highest(out)]
        keep = lay[ABOVE + 24 * suit + level] | faces_at(lay, suit, level)
        w0, w1, w2 = w0 & keep, w1 & keep, w2 & keep
    return w0, w1, w2


@kernel()
def leads(pub, own, lay, cands, n):
    """Leads of each suit: its masters as a throw; each tractor; the highest and lowest triple, pair and single."""
    types = shift(own, view.SCRATCH)
    tops = shift(types, MAX_COMPONENTS)
    masks = shift(tops, MAX_COMPONENTS)
    for suit in range(4):
        mask = lay[MASK + suit]
        w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
        if w0 == 0:
            continue
        p0, p1, p2 = _masters(pub, own, lay, suit)
        n = note(cands, n, p0, p1, p2)
        count = decompose(w0, w1, w2, lay, suit, types, tops, masks)
        for i in range(count):
            first = i == 0 or types[i - 1] != types[i]
            last = i == count - 1 or types[i + 1] != types[i]
            if types[i] > TRIPLE or ((first or last) and types[i] != SINGLE):
                n = note(cands, n, masks[3 * i], masks[3 * i + 1], masks[3 * i + 2])
        high, low = 1 << highest(w0), w0 & -w0
        n = note(cands, n, high, 0, 0)
        n = note(cands, n, low, 0, 0)
        cheap = w0 & ~lay[COUNTING]
        n = note(cands, n, cheap & -cheap, 0, 0)
        if w1:
            high = 1 << highest(w1)
            n = note(cands, n, high, high, 0)
    return n


@kernel()
def _kinds(pub, own, lay, cands, n, w, above):
    """Of the faces w: the lowest without points, the three lowest with, and the highest; so too of those that beat."""
    for _ in range(2):
        if w == 0:
            break
        plain, rich = w & ~lay[COUNTING], w & lay[COUNTING]
        n = note_legal(pub, own, lay, cands, n, plain & -plain, 0, 0)
        for _k in range(3):
            n = note_legal(pub, own, lay, cands, n, rich & -rich, 0, 0)
            rich &= rich - 1
        n = note_legal(pub, own, lay, cands, n, 1 << highest(w), 0, 0)
        w &= above
    return n


@kernel()
def follows(pub, own, lay, cands, n):
    """Follows to a single card, by what they do: from each suit, with and without points, winning or not.

    To two or more cards of which the led suit has enough: each pair, or triple, when that was led.
    """
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    best = pub[view.BEST]
    if pub[N] == 1:
        w0 = own[0] & mask
        if w0:
            above = lay[ABOVE + 24 * suit + best] if best < 64 else 0
            return _kinds(pub, own, lay, cands, n, w0, above)
        for other in range(4):
            above = 0
            if other == TRUMP:
                above = lay[ABOVE + 24 * TRUMP + best - 64] if best >= 64 else mask | lay[MASK + TRUMP]
            n = _kinds(pub, own, lay, cands, n, own[0] & lay[MASK + other], above)
        return n
    if pub[N] <= 3 and size(own[0] & mask, own[1] & mask, own[2] & mask) >= pub[N]:
        w = own[1] & mask if pub[N] == 2 else own[2] & mask
        while w:
            b = w & -w
            w ^= b
            n = note_legal(pub, own, lay, cands, n, b, b, b if pub[N] == 3 else 0)
    return n


@kernel()
def buries(own, lay, cards, cands, n):
    """Ways to bury so many cards: with each set of side suits emptied, the rest the cheapest."""
    for emptied in range(8):
        q0, q1, q2 = 0, 0, 0
        for suit in range(3):
            if (emptied >> suit) & 1:
                mask = lay[MASK + suit]
                q0, q1, q2 = q0 | own[0] & mask, q1 | own[1] & mask, q2 | own[2] & mask
        missing = cards - size(q0, q1, q2)
        if missing < 0:
            continue
        w0, w1, w2 = remove(own[0], own[1], own[2], q0, q1, q2)
        r0, r1, r2 = give(w0, w1, w2, lay, missing, CHEAP)
        n = note(cands, n, q0 | r0, q1 | r1, q2 | r2)
    return n
