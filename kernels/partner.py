"""The hidden partner of hong-wu-wu-jia: the faces that may be named (HW-7), and who turns out to hold one (HW-10)."""

from __future__ import annotations

from . import view
from ._jit import kernel
from .layout import BIT_OF, FACE_OF, MASK, NAMEABLE, NO_HIDING, RULES, SEATS, SUIT_OF
from .shapes import SUIT

NAMED_MIN = RULES  # the option named_copies_min

_ACE, _SMALL_JOKER = 12, 52


@kernel()
def nameable(own, lay):
    """HW-7: the faces, as a mask, that the banker may name, its hand being what it kept.

    These are those it holds often enough (named_copies_min); if it holds none so often, all there are.
    """
    faces = lay[NAMEABLE]
    least = lay[NAMED_MIN]
    if least > 0:
        held = faces & own[least - 1]
        if held:
            return held
    return faces


@kernel()
def hides(pub, own, lay):
    """HW-9: the named face, as a mask, if this follower must not throw it off in this trick; else 0.

    A ruff is free, and so are the copies that the seat's other cards leave unavoidable.
    """
    if pub[view.PARTNER] >= 0 or own[view.SEAT] == pub[view.BANKER]:
        return 0
    named = pub[view.NAMED]
    if lay[SUIT_OF + named] == pub[SUIT]:
        return 0
    return (1 << named) & lay[NO_HIDING]


@kernel()
def show_partner(pub, own, lay, seat):
    """HW-7, HW-10: a seat other than the banker has just played the first copy of the named face.

    ``own``: all rows; its play lies on the table and has left its hand.
    """
    pub[view.PARTNER] = seat
    pub[view.PARTNER_TRICK] = pub[view.TRICK]
    named = pub[view.NAMED]
    face = lay[FACE_OF + named]
    if face >= _SMALL_JOKER or face % 13 != _ACE or pub[view.LEADER] != pub[view.BANKER]:
        return
    called = (1 << named) | (1 << lay[BIT_OF + face - 1])
    if pub[view.PLAY + 3 * pub[view.BANKER]] & ~called:
        return
    pub[view.ASKED] = 1
    held = own[seat * view.OWN_SIZE] | pub[view.PLAY + 3 * seat]
    if held & lay[MASK + lay[SUIT_OF + named]] & ~(1 << named):
        own[lay[SEATS] * view.OWN_SIZE + view.DIRECT] = 1
