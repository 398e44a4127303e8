"""Forced trumps (垫主) of die-wu-fen: DWF-11, what a short or void follower must put on a side-suit lead.

Two packs only, so a hand of trumps is two words.
"""

from __future__ import annotations

from ._jit import kernel
from .bits import highest, lowest, popcount
from .layout import LEVEL_OF
from .shapes import COUNT, MULTI, N

# Branches of DWF-11; FREE: out of scope, the missing cards are free.
FREE, ALL_TRUMPS, ANY_TRUMPS, HIGHEST, PAIRS_FIRST = 0, 1, 2, 3, 4
# Values of the option forced_trump.
MULTI_LEADS, THROWS, OFF = 0, 1, 2


@kernel()
def branch(lead, held, trumps, scope, by_level):
    """Which branch of DWF-11 binds: ``held`` cards of the led side suit (fewer than led), ``trumps`` in hand.

    ``scope``: option forced_trump; ``by_level``: option void_order is "by-level". ALL_TRUMPS is DWF-11a,
    ANY_TRUMPS 11b, HIGHEST 11c (or 11d by level), PAIRS_FIRST 11d.
    """
    if scope == OFF or lead[N] < 2 or (scope == THROWS and lead[COUNT] < 2):
        return FREE
    if trumps <= lead[N] - held:
        return ALL_TRUMPS
    if lead[MULTI] == 0:
        return ANY_TRUMPS
    if held > 0 or by_level:
        return HIGHEST
    return PAIRS_FIRST


@kernel()
def _tops(chosen, others, lay):
    """Whether no face of ``others`` has a higher level than the lowest of ``chosen`` (words of faces)."""
    if chosen == 0 or others == 0:
        return True
    return lay[LEVEL_OF + lowest(chosen)] >= lay[LEVEL_OF + highest(others)]


@kernel()
def is_highest(t0, t1, p0, p1, lay):
    """DWF-11c: whether p are the highest trumps of t by level, equal levels at choice. p is contained in t."""
    rest = (t0 & ~p0) | (t1 & p0 & ~p1)
    return _tops(p0, rest, lay)


@kernel()
def is_pairs_first(t0, t1, p0, p1, lay):
    """DWF-11d's discard: whether p takes t's highest pairs, then highest unpaired, then highest remaining trumps.

    p is contained in t and smaller than t.
    """
    cards = popcount(p0) + popcount(p1)
    if popcount(p1) != min(popcount(t1), cards // 2) or not _tops(p1, t1 & ~p1, lay):
        return False
    single = p0 & ~p1
    if single == 0:
        return True
    unpaired = t0 & ~t1
    if unpaired:
        return single & t1 == 0 and _tops(single, unpaired & ~single, lay)
    return _tops(single, t1 & ~p1, lay)


@kernel()
def highest_trumps(t0, t1, cards):
    """The ``cards`` highest trumps of t (DWF-11c), of equal levels the ones with the higher bit."""
    p0, p1 = 0, 0
    while cards > 0:
        b = 1 << highest(t0)
        t0 ^= b
        p0 |= b
        cards -= 1
        if cards > 0 and t1 & b:
            p1 |= b
            cards -= 1
    return p0, p1


@kernel()
def pairs_first(t0, t1, cards):
    """DWF-11d's discard of ``cards`` trumps of t, of equal levels the ones with the higher bit."""
    p0, p1 = 0, 0
    pairs = t1
    while cards > 1 and pairs:
        b = 1 << highest(pairs)
        pairs ^= b
        p0 |= b
        p1 |= b
        cards -= 2
    unpaired = t0 & ~t1
    while cards > 0 and unpaired:
        b = 1 << highest(unpaired)
        unpaired ^= b
        p0 |= b
        cards -= 1
    if cards > 0:  # one card missing, only pairs left
        p0 |= 1 << highest(pairs)
    return p0, p1
