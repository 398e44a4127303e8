"""What everybody at the table learns from a play in hong-wu-wu-jia: the partner, shapes not held, cards shown."""

from __future__ import annotations

from . import view
from ._jit import kernel
from .bits import popcount
from .layout import CASCADE, MASK, SPLIT, levels_of
from .partner import show_partner
from .shapes import COUNT, PAIR, SUIT, TRIPLE, TYPES, run_starts, tractor


@kernel()
def note_shapes(pub, lay, seat, p0, p1, p2):
    """What a follow of two or more cards says about the seat's other cards of the led suit (COM-12, COM-13)."""
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    if p0 & ~mask:  # void from now on
        pub[view.NO_PAIR + seat] |= 1 << suit
        pub[view.NO_TRIPLE + seat] |= 1 << suit
        pub[view.NO_TRACTOR + seat] |= 1 << suit
        return
    kind = pub[TYPES]
    lead = view.PLAY + 3 * pub[view.LEADER]
    if kind == TRIPLE and popcount(p2) < popcount(pub[lead + 2]):
        pub[view.NO_TRIPLE + seat] |= 1 << suit
    if lay[SPLIT] == 0:  # then a triple owes no pair
        return
    if (lay[CASCADE] or kind == PAIR) and popcount(p1) < popcount(pub[lead + 1]):
        pub[view.NO_PAIR + seat] |= 1 << suit
    if kind == tractor(2, 0) and pub[COUNT] == 1 and run_starts(levels_of(p1, lay, suit), 2) == 0:
        pub[view.NO_TRACTOR + seat] |= 1 << suit


@kernel()
def take_back(pub, seat, m0, m1, m2):
    """A throw failed: what was meant has been seen; ``notice`` then takes off what was played of it."""
    at = view.SHOWN + 3 * seat
    pub[at] |= m0
    pub[at + 1] |= m1
    pub[at + 2] |= m2
    pub[view.SHOWN_SEATS] |= 1 << seat


@kernel()
def _forget(pub, seat):
    """Of the cards a seat is known to hold, those of its play are gone."""
    at, play = view.SHOWN + 3 * seat, view.PLAY + 3 * seat
    k0, k1, k2 = pub[at], pub[at + 1], pub[at + 2]
    p0, p1, p2 = pub[play], pub[play + 1], pub[play + 2]
    pub[at] = (k0 & ~p0) | (k1 & ~p1) | (k2 & ~p2)
    pub[at + 1] = (k1 & ~p0) | (k2 & ~p1)
    pub[at + 2] = k2 & ~p0
    if pub[at] == 0:
        pub[view.SHOWN_SEATS] &= ~(1 << seat)


@kernel(inline=True)
def notice(pub, own, lay, seat):
    """After each play: whether the partner shows (HW-7, HW-10), and what of a seat's shown cards is gone.

    ``own``: all rows; the seat's play lies on the table and has left its hand.
    """
    if (pub[view.SHOWN_SEATS] >> seat) & 1:
        _forget(pub, seat)
    if (
        pub[view.PARTNER] < 0
        and (pub[view.PLAY + 3 * seat] >> pub[view.NAMED]) & 1
        and seat != pub[view.BANKER]
    ):
        show_partner(pub, own, lay, seat)
