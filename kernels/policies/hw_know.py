"""What a seat of hong-wu-wu-jia can work out: which cards are out, which of its own nobody can beat, who is with it.

Everything is counted from the seat's own cards, its own bottom if it is the banker, and the cards played.
"""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import add, count_of, highest, popcount
from ..layout import MASK, SUIT_OF, faces_at, levels_of
from ..shapes import run_starts
from .choose import not_below

ALL_FACES = (1 << 54) - 1
SEATS = 5
ALL_SEATS = (1 << SEATS) - 1
SURE = 64  # chances are in 1/64
_SPREAD = 1 | (1 << 7) | (1 << 14) | (1 << 21) | (1 << 28)
_BYTES = 1 | (1 << 8) | (1 << 16) | (1 << 24) | (1 << 32)


@kernel(inline=True)
def unseen(pub, own):
    """Faces of which the seat has not seen at least one copy, two copies, all three."""
    s, b = view.SEEN, view.BURIED
    k0, k1, k2 = add(pub[s], pub[s + 1], pub[s + 2], own[0], own[1], own[2])
    k0, k1, k2 = add(k0, k1, k2, own[b], own[b + 1], own[b + 2])
    return ALL_FACES & ~k2, ALL_FACES & ~k1, ALL_FACES & ~k0


@kernel(inline=True)
def cards_of(w0, w1, w2, mask):
    """How many cards among some faces."""
    return popcount(w0 & mask) + popcount(w1 & mask) + popcount(w2 & mask)


@kernel(inline=True)
def spread(seats):
    """A mask of seats as one byte for each of them."""
    return (seats * _SPREAD) & _BYTES


@kernel(inline=True)
def allies(pub, own, lay, doubt):
    """The chance in 1/64 that a seat plays on this one's side, a byte for each seat; its own is 64.

    While the partner is unknown, who holds the named card (HW-7) takes itself for it, less ``doubt`` for each copy that
    it has not seen: somebody else may show one first. To the others everybody may be the partner who is not known to
    be void of the named card's suit.
    """
    seat, banker, partner = own[view.SEAT], pub[view.BANKER], pub[view.PARTNER]
    named = pub[view.NAMED]
    if partner < 0 and seat != banker and (own[0] >> named) & 1:
        played = view.SEEN
        known = count_of(own[0], own[1], own[2], named)
        known += count_of(pub[played], pub[played + 1], pub[played + 2], named)
        not_it = min(SURE, doubt * (3 - known))
        others = ALL_SEATS & ~((1 << banker) | (1 << seat))
        # if it is not, one of the other three is
        return (
            SURE * spread(1 << seat)
            + (SURE - not_it) * spread(1 << banker)
            + (not_it * 2 // 3) * spread(others)
        )
    if partner >= 0:
        ours = (1 << banker) | (1 << partner)
        return SURE * spread(ours if (ours >> seat) & 1 else ALL_SEATS & ~ours)
    suit = lay[SUIT_OF + named]
    maybe = ALL_SEATS & ~((1 << banker) | (1 << seat))
    for s in range(SEATS):
        maybe &= ~(((pub[view.VOID + s] >> suit) & 1) << s)
    n = popcount(maybe)
    if seat == banker:
        b = view.BURIED
        mine = count_of(own[0], own[1], own[2], named) + count_of(own[b], own[b + 1], own[b + 2], named)
        if n == 0 or mine == 3:  # HW-8
            return SURE << (8 * seat)
        return (SURE << (8 * seat)) + spread(maybe) * (SURE // n)
    return SURE * spread(ALL_SEATS & ~(1 << banker)) - spread(maybe) * (SURE // n if n > 0 else 0)


@kernel(inline=True)
def masters(own, lay, suit, u0, u1, u2, no_pairs, no_triples):
    """The seat's cards of a suit that nobody can beat: all copies of master singles, master pairs, master triples.

    Led together they make a throw that stands. ``no_pairs``, ``no_triples``: whether nobody else has any.
    """
    mask = lay[MASK + suit]
    m0, m1, m2 = own[0] & mask, own[1] & mask, own[2] & mask
    p0 = m0 & not_below(lay, suit, u0)
    p1, p2 = 0, 0
    if m1:
        p2 = m2 if no_triples else m2 & not_below(lay, suit, u2)
        p1 = p2 | (m1 if no_pairs else m1 & not_below(lay, suit, u1))
        p0 |= p1
        p1 = m1 & p0
        p2 = m2 & p0
    return p0, p1, p2


@kernel()
def longest_run(own, lay, suit):
    """The longest tractor of a suit, of equally long ones the highest, as words with all copies; 0 if there is none."""
    mask = lay[MASK + suit]
    levels = levels_of(own[1], lay, suit)
    if levels & (levels >> 1) == 0:
        return 0, 0
    length = 2
    while run_starts(levels, length + 1):
        length += 1
    start = highest(run_starts(levels, length))
    faces, triples = 0, 0
    for level in range(start, start + length):
        at = own[1] & mask & faces_at(lay, suit, level)
        if at & own[2]:
            at &= own[2]
            triples |= at & -at
        faces |= at & -at
    return faces, triples
