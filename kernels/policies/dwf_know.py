"""What a seat of die-wu-fen can work out: which cards are still out, and which of its own nobody can beat.

Everything is counted from the seat's own cards, its own bottom if it is the banker, and the cards played. Side suits
lie in bits 0-10, 11-21, 22-32, trumps in bits 33-53, for every trump suit.
"""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import add, highest, popcount
from ..layout import ABOVE, MASK, levels_of
from ..shapes import run_starts
from .choose import not_below

ALL_FACES = (1 << 54) - 1
SIDES = (1 << 33) - 1
TRUMPS = ALL_FACES & ~SIDES
COLUMN = 1 | (1 << 11) | (1 << 22)
SUIT_TOPS = COLUMN << 10  # the three side aces


@kernel(inline=True)
def unseen(pub, own):
    """Faces of which the seat has not seen at least one copy, and those of which it has seen none."""
    s = view.SEEN
    k0, k1, _k2 = add(pub[s], pub[s + 1], 0, own[0], own[1], 0)
    k0, k1, _k2 = add(k0, k1, 0, own[view.BURIED], own[view.BURIED + 1], 0)
    return ALL_FACES & ~k1, ALL_FACES & ~k0


@kernel(inline=True)
def pairs_possible(pub, seat, suit, u1):
    """Whether somebody else may hold a pair of the suit, given the faces unseen twice."""
    if u1 == 0:
        return False
    for k in range(1, 3):
        other = seat + k if seat + k < 3 else seat + k - 3
        if ((pub[view.NO_PAIR + other] | pub[view.VOID + other]) >> suit) & 1 == 0:
            return True
    return False


@kernel()
def masters(pub, own, lay, suit, u0, u1):
    """The seat's cards of a suit that nobody can beat: all copies of master singles, and master pairs.

    Led together they make a throw that stands, if the unseen cards are all with the other players.
    """
    mask = lay[MASK + suit]
    m0, m1 = own[0] & mask, own[1] & mask
    if m0 == 0:
        return 0, 0
    singles = m0 & not_below(lay, suit, u0)
    if m1 == 0:
        return singles, 0
    pairs = m1
    if pairs_possible(pub, own[view.SEAT], suit, u1 & mask):
        pairs &= not_below(lay, suit, u1)
    return singles | pairs, (m1 & singles) | pairs


@kernel()
def best_run(pub, own, lay, suit, u1):
    """The longest tractor of a suit that no unseen tractor beats, as faces, and 0; if there is none, the longest one,
    and how many of its length may beat it. No faces if the seat has no tractor.
    """
    pairs = levels_of(own[1], lay, suit)
    if pairs & (pairs >> 1) == 0:
        return 0, 0
    out = levels_of(u1, lay, suit)
    if not pairs_possible(pub, own[view.SEAT], suit, u1 & lay[MASK + suit]):
        out = 0
    longest = 2
    while run_starts(pairs, longest + 1):
        longest += 1
    length, better = longest, 0
    start = highest(run_starts(pairs, length))
    while length >= 2:
        top = highest(run_starts(pairs, length))
        theirs = run_starts(out, length) >> (top + 1)
        if theirs == 0:
            start, better = top, 0
            break
        if length == longest:
            better = popcount(theirs)
        length -= 1
    if length < 2:
        length = longest
    faces = 0
    for level in range(start, start + length):
        at = own[1] & lay[MASK + suit] & _at_level(lay, suit, level)
        faces |= at & -at
    return faces, better


@kernel()
def _at_level(lay, suit, level):
    above = lay[ABOVE + 24 * suit + level]
    below = lay[ABOVE + 24 * suit + level - 1] if level > 0 else lay[MASK + suit]
    return below & ~above


@kernel(inline=True)
def cards_of(w0, w1, mask):
    """How many cards among some faces."""
    return popcount(w0 & mask) + popcount(w1 & mask)
