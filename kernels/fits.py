"""Whether a world agrees with those plays so far that are no matter of counts (``facts``)."""

from __future__ import annotations

from . import view
from ._jit import kernel
from .bits import add
from .facts import CHECKS, FIRST_CHECK, LEAD, MASKS, THEN, THROW
from .layout import SEATS
from .legal import OK, follow_fault
from .memory import shift
from .shapes import describe
from .throw import throw_check


@kernel()
def fits(pub, lay, known, hands):
    """Whether a world passes the checks of ``known`` (``facts.gather``). ``hands``: three words a seat, as now.

    Goes back through the tricks, putting the plays back into the hands.
    """
    first = known[FIRST_CHECK]
    if first == view.MAX_TRICKS:
        return True
    seats = lay[SEATS]
    then = shift(known, THEN)
    lead = shift(known, LEAD)
    masks = shift(known, MASKS)
    for k in range(3 * seats):
        then[k] = hands[k]
    trick = pub[view.TRICK]
    while trick >= first:
        row = view.HISTORY + view.H_STRIDE * trick
        plays = seats if trick < pub[view.TRICK] else pub[view.POSITION]
        leader = pub[row + view.H_LEADER]
        for step in range(plays):
            seat = leader + step if leader + step < seats else leader + step - seats
            at = row + view.H_PLAYS + 3 * seat
            h = 3 * seat
            then[h], then[h + 1], then[h + 2] = add(
                then[h], then[h + 1], then[h + 2], pub[at], pub[at + 1], pub[at + 2]
            )
        check = known[CHECKS + trick]
        if check and not _fits_trick(pub, lay, row, leader, check, then, lead, masks):
            return False
        trick -= 1
    return True


@kernel()
def _fits_trick(pub, lay, row, leader, check, then, lead, masks):
    """Whether the checked plays of one trick are legal with the hands before it, its throw going as it went."""
    seats = lay[SEATS]
    at = row + view.H_PLAYS + 3 * leader
    if check & THROW:
        if pub[row + view.H_FAILED]:
            a = row + view.H_ATTEMPT
            describe(pub[a], pub[a + 1], pub[a + 2], lay, lead, masks)
            part = throw_check(lead, masks, then, 3, leader, seats, lay)
            if part < 0:
                return False
            for k in range(3):
                if masks[3 * part + k] != pub[at + k]:
                    return False
        else:
            describe(pub[at], pub[at + 1], pub[at + 2], lay, lead, masks)
            if throw_check(lead, masks, then, 3, leader, seats, lay) >= 0:
                return False
    if check & (THROW - 1):
        describe(pub[at], pub[at + 1], pub[at + 2], lay, lead, masks)
        for seat in range(seats):
            if (check >> seat) & 1:
                h = 3 * seat
                p = row + view.H_PLAYS + h
                fault = follow_fault(
                    then[h], then[h + 1], then[h + 2], lay, lead, pub[p], pub[p + 1], pub[p + 2], masks
                )
                if fault != OK:
                    return False
    return True
