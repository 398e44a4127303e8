"""What the policies ``random`` of both games do alike: leads, follows in suit and ruffs by lot."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import add, high_cards, remove, size
from ..contain import contains
from ..layout import MASK, SPLIT, TRUMP
from ..legal import obligations
from ..memory import shift
from ..rng import below
from ..shapes import MAX_COMPONENTS, MULTI, SUIT, TYPES, N, decompose
from .choose import answer, any_card, any_cards, place


@kernel()
def lead_by_lot(own, lay):
    """A lead: an effective suit by lot among those held, then alike one of: a single by lot; one of the components its
    cards of the suit decompose into (COM-7); its j highest cards, j by lot; j cards by lot, j by lot. Since the last
    covers every set of cards of one suit, every lead can come up; the third makes throws that may stand.
    """
    held = 0
    for suit in range(4):
        held += own[0] & lay[MASK + suit] != 0
    r = below(own, view.RNG, held)
    suit = 0
    for s in range(4):
        if own[0] & lay[MASK + s]:
            if r == 0:
                suit = s
            r -= 1
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    cards = size(w0, w1, w2)
    way = below(own, view.RNG, 4)
    if way == 0:
        answer(own, any_card(w0, w1, w2, own), 0, 0)
    elif way == 1:
        types = shift(own, view.SCRATCH)
        tops = shift(types, MAX_COMPONENTS)
        masks = shift(tops, MAX_COMPONENTS)
        i = below(own, view.RNG, decompose(w0, w1, w2, lay, suit, types, tops, masks))
        answer(own, masks[3 * i], masks[3 * i + 1], masks[3 * i + 2])
    elif way == 2:
        p0, p1, p2 = high_cards(w0, w1, w2, 1 + below(own, view.RNG, cards))
        answer(own, p0, p1, p2)
    else:
        p0, p1, p2 = any_cards(w0, w1, w2, 1 + below(own, view.RNG, cards), own)
        answer(own, p0, p1, p2)


@kernel()
def follow_in_suit(pub, own, lay):
    """A follow by lot with enough cards of the led suit: obliged components (COM-13) at any places that leave room for
    the others, the rest filled up by lot.

    Without split_triples two of three identical cards are a pair once played, though not in the hand: so 1 in 4 any
    cards by lot, if they will do.
    """
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    types = shift(own, view.SCRATCH)
    count = obligations(w1, w2, lay, pub, types)
    if lay[SPLIT] == 0 and below(own, view.RNG, 4) == 0:
        p0, p1, p2 = any_cards(w0, w1, w2, pub[N], own)
        if contains(p1, p2, lay, suit, types, 0, count, False):
            answer(own, p0, p1, p2)
            return
    p0, p1, p2 = place(w0, w1, w2, lay, suit, types, 0, count, True, own)
    _fill(pub, own, w0, w1, w2, p0, p1, p2)


@kernel()
def ruff_by_lot(pub, own, lay):
    """A ruff by lot (COM-17); the seat's trumps must contain the lead's components."""
    trump = lay[MASK + TRUMP]
    t0, t1, t2 = own[0] & trump, own[1] & trump, own[2] & trump
    p0, p1, p2 = place(t0, t1, t2, lay, TRUMP, pub, TYPES, pub[MULTI], True, own)
    _fill(pub, own, t0, t1, t2, p0, p1, p2)


@kernel()
def _fill(pub, own, w0, w1, w2, p0, p1, p2):
    """Answer with p and as many more of the cards w by lot as were led."""
    w0, w1, w2 = remove(w0, w1, w2, p0, p1, p2)
    q0, q1, q2 = any_cards(w0, w1, w2, pub[N] - size(p0, p1, p2), own)
    p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    answer(own, p0, p1, p2)
