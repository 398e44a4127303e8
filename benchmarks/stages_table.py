"""Laying the plays of a finished deal on the table once more: what the table costs, for stages.py."""

from __future__ import annotations

from numba import njit

from tuolaji.kernels import layout, play, view
from tuolaji.kernels.notice import notice

OWN = view.OWN_SIZE
start_play = play.start_play
put_lead, put_follow, end_trick = play.put_lead, play.put_follow, play.end_trick


@njit(nogil=True, error_model="numpy")
def again(pub, own, lay, masks, saved, seats):  # type: ignore[no-untyped-def]
    """Lay the plays of a finished deal on the table once more, from the hands ``saved``."""
    tricks = pub[view.TRICK]
    hidden = lay[layout.GAME] == layout.HONG_WU_WU_JIA
    if hidden:
        pub[view.PARTNER] = -1
    for seat in range(seats):
        for k in range(3):
            own[seat * OWN + k] = saved[3 * seat + k]
    start_play(pub, own, lay)
    for trick in range(tricks):
        row = view.HISTORY + view.H_STRIDE * trick
        seat = pub[row + view.H_LEADER]
        at = row + view.H_ATTEMPT if pub[row + view.H_FAILED] else row + view.H_PLAYS + 3 * seat
        put_lead(pub, own, lay, masks, seat, pub[at], pub[at + 1], pub[at + 2])
        if hidden:
            notice(pub, own, lay, seat)
        for _ in range(seats - 1):
            seat = seat + 1 if seat < seats - 1 else 0
            at = row + view.H_PLAYS + 3 * seat
            put_follow(pub, own, lay, seat, pub[at], pub[at + 1], pub[at + 2])
            if hidden:
                notice(pub, own, lay, seat)
        end_trick(pub)
