"""What a deal of die-wu-fen would have brought, with every seat as the banker and every trump suit.

A deal is shuffled and dealt once; each play-out starts from a copy of what the seats held and remembered then. The
bid is put to 0 while they play: no policy looks at it, so one play-out tells the payoff at every bid.
"""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .die_wu_fen import CARDS, SEAT_COUNT, auction, begin, bury, sort_hands
from .die_wu_fen_score import base_value, count_points, settle, throw_penalties
from .layout import SIZE
from .memory import play_out, pointer, shift
from .play import start_play
from .strength import COUNT, features

#: What a deal leaves behind: rows of an int16 matrix; the auction's are -1 or 0 when nobody was asked.
DEAL_COLUMNS = (
    "first_seat redeals caller call_size call_after countered opener called bids_made banker bid".split()
)
#: And each of its play-outs: trump, banker, the defenders' points (DWF-14, DWF-15) and what each defender pays the
#: banker for failed throws, in bases (DWF-18); then the features of the banker's 33 cards (``strength``).
PLAY_COLUMNS = ("trump", "banker", "defender_points", "penalties")
WIDTH = len(PLAY_COLUMNS) + COUNT

_KEPT = view.MEMORY + view.MEMORY_SIZE  # words of ``own`` that a seat begins to play with
_out = types.Array(types.int16, 2, "C")


@kernel(inline=True)
def _copy(target, source):
    for seat in range(SEAT_COUNT):
        for k in range(_KEPT):
            target[seat * view.OWN_SIZE + k] = source[seat * view.OWN_SIZE + k]


@kernel(inline=True)
def _note_auction(pub, asking, deals, i):
    deals[0, i] = pub[view.FIRST]
    deals[1, i] = pub[view.ATTEMPT_NO]
    deals[2, i] = pub[view.CALLER]
    deals[3, i] = pub[view.CALL_SIZE]
    deals[4, i] = pub[view.CALL_AFTER]
    deals[5, i] = 1 if pub[view.COUNTERER] >= 0 else 0
    deals[6, i] = pub[view.OPENER]
    deals[7, i] = pub[view.TRUMP_CARD]
    if asking:
        passed = 0
        for seat in range(SEAT_COUNT):
            passed += (pub[view.PASSED] >> seat) & 1
        deals[8, i] = pub[view.BIDS] - passed
        deals[9, i] = pub[view.BANKER]
        deals[10, i] = pub[view.BID]
    else:
        deals[8, i], deals[9, i], deals[10, i] = 0, -1, 0


@kernel(inline=True)
def _one(pub, own, lay, faces, policies, weights, width, masks, plays, row):
    """Play one contract out, from hands by layout bit."""
    at = shift(own, pub[view.BANKER] * view.OWN_SIZE)
    notes = shift(own, SEAT_COUNT * view.OWN_SIZE)
    features(at[0], at[1], notes)
    for k in range(COUNT):
        plays[row, 4 + k] = notes[k]
    bury(pub, own, lay, faces, policies, weights, width)
    start_play(pub, own, lay)
    play_out(policies, 3 * SEAT_COUNT, pub, own, lay, masks, policies, weights, width)
    captured, bottom, multiplier = count_points(pub, own, lay)
    plays[row, 0] = pub[view.TRUMP_CARD]
    plays[row, 1] = pub[view.BANKER]
    plays[row, 2] = captured + bottom * multiplier
    plays[row, 3] = throw_penalties(pub, lay)


@kernel(i64(arr2, arr, arr2, arr2, i64, i64, i64, arr, i64, arr, arr, arr, arr2, arr2, arr, _out, _out))
def counterfactual_chunk(
    lays, policies, weights, plan, seed, first, count, trumps, asking, stop, faces, pub, own, saved, masks, deals,
    plays,
):  # fmt: skip
    """Play deals first .. first + count - 1 out with every seat as banker; returns how many.

    trumps: int64[n], the suits to be trump, each of them once for every seat; or, when ``asking``, n = 1: the trump
    that is called, at the attempt at which somebody calls (DWF-5), and then the bidding is noted too. deals:
    int16[len(DEAL_COLUMNS), count]; plays: int16[count * n * 3, WIDTH], rows in the order deal, trump, seat. own and
    saved: int64[4, view.OWN_SIZE], the last row for notes. The rest: see ``die_wu_fen.play_chunk``.
    """
    width = weights.shape[1]
    lays_, weights_, plan_ = pointer(lays), pointer(weights), pointer(plan)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, saved_, masks_ = (
        pointer(faces),
        pointer(pub),
        pointer(own),
        pointer(saved),
        pointer(masks),
    )
    n = trumps.shape[0]
    for i in range(count):
        if stop[0] != 0:
            return i
        begin(lays_, policies_, weights_, width, plan_, seed, first + i, -1, asking != 0, faces_, pub_, own_)
        _copy(saved_, own_)
        if asking != 0:
            lay = shift(lays_, pub_[view.TRUMP_CARD] * SIZE)
            sort_hands(own_, lay)
            auction(pub_, own_, lay, policies_, weights_, width)
        _note_auction(pub_, asking != 0, deals, i)
        called = pub_[view.TRUMP_CARD]
        for k in range(n):
            trump = called if asking != 0 else trumps[k]
            lay = shift(lays_, trump * SIZE)
            for seat in range(SEAT_COUNT):
                _copy(own_, saved_)
                sort_hands(own_, lay)
                pub_[view.TRUMP_CARD] = trump
                pub_[view.BANKER] = seat
                pub_[view.BID] = 0
                pub_[view.PASSED] = 0
                _one(
                    pub_,
                    own_,
                    lay,
                    faces_,
                    policies_,
                    weights_,
                    width,
                    masks_,
                    plays,
                    (i * n + k) * SEAT_COUNT + seat,
                )
    return count


@kernel(i64(arr2, arr, arr, arr2, arr2))
def settle_table(lays, bids, bases, stakes, outcomes):
    """DWF-8, DWF-16, DWF-17 for every bid and total of the defenders.

    bids: int64[n]; bases: int64[n], filled in; stakes: int64[n, totals], what each defender pays the banker; outcomes:
    likewise, 1 where the bid is made plus 2 where it is a shutout.
    """
    lay = pointer(lays)
    for i in range(bids.shape[0]):
        bases[i] = base_value(lay, bids[i])
        for total in range(stakes.shape[1]):
            done, shutout, stake = settle(lay, total, bids[i], bases[i])
            stakes[i, total] = stake
            outcomes[i, total] = (1 if done else 0) + (2 if shutout else 0)
    return bids.shape[0]


def working_memory() -> tuple[np.ndarray, ...]:
    """Fresh (faces, pub, own, saved, masks) for ``counterfactual_chunk``; one set a thread."""
    pub = view.fresh_pub()
    pub[view.LOG] = 0
    own = np.zeros((SEAT_COUNT + 1, view.OWN_SIZE), np.int64)
    return np.zeros(CARDS, np.int64), pub, own, own.copy(), np.zeros(3 * 36, np.int64)
