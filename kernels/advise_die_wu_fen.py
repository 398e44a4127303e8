"""Every choice open to one hand of die-wu-fen, in the same worlds: what it pays.

A world is a deal of the cards the hand does not see (``given``). In each of them every choice is made in turn, the
policies go on from there, and the deal is played out. Play does not look at the bid, so choices that lead to the same
trump and banker share a play-out.
"""

from __future__ import annotations

import numpy as np

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import remove
from .die_wu_fen import (
    BID_MAX,
    CARDS,
    END,
    HAND_SIZE,
    SEAT_COUNT,
    ask_last,
    ask_next,
    auction,
    begin,
    bid_on,
    bury,
    called,
    clear,
    deal_on,
    deal_to,
    first_by_lot,
    sort_hands,
    take_bid,
)
from .die_wu_fen_score import base_value, count_points, settle, throw_penalties
from .given import deal_given
from .layout import SIZE, by_bit
from .memory import play_out, pointer, shift
from .news_die_wu_fen import (
    BANKER,
    BID,
    BIDDING,
    BIDS,
    BURYING,
    CALL_HIGH,
    CALL_LOW,
    CALL_SIZE,
    CALL_SUIT,
    CALLER,
    CALLING,
    COUNTER_HIGH,
    COUNTER_LOW,
    COUNTER_SUIT,
    COUNTERER,
    COUNTERING,
    FIRST,
    HELD,
    LOG,
    ME,
    NEWS,
    PHASE,
    PLACE,
    SIZE_ASKED,
    TRUMP,
    bids_agree,
    calls_agree,
    place_threes,
    silent,
)
from .play import start_play

__all__ = (
    "BIDS",
    "CALL_HIGH",
    "CALL_LOW",
    "COUNTER_HIGH",
    "COUNTER_LOW",
    "LOG",
    "SIZE_ASKED",
    "TRUMP",
)  # for sim

#: What a choice comes to in a world: columns. The last: whether the bid would be made if it stood (-1: no bid).
PAYOFF, IS_BANKER, MADE, WOULD_MAKE = 0, 1, 2, 3
WIDTH = 4


@kernel()
def _call(pub, own, lays, policies, weights, width, faces, asked, answer):
    """The hand calls, or does not (0), and the calls go on from ASK_FROM. False if nobody calls (DWF-3 to DWF-5)."""
    me, cards, first = asked[ME], asked[HELD], pub[view.FIRST]
    early = cards < HAND_SIZE
    if answer > 0:
        called(pub, me, view.CALL, answer, cards)
        deal_on(pub, own, lays, faces, policies, weights, width, early)
        return True
    if early:
        early = ask_next(pub, own, lays, faces, policies, weights, width, view.CALL, END)
    if not early:
        for seat in range(SEAT_COUNT):
            deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
        if cards < HAND_SIZE:
            ask_last(pub, own, lays, policies, weights, width, view.CALL, first, SEAT_COUNT)
        else:
            turn = (me - first) % SEAT_COUNT
            ask_last(pub, own, lays, policies, weights, width, view.CALL, me + 1, SEAT_COUNT - 1 - turn)
    if pub[view.CALLER] < 0:
        return False
    deal_on(pub, own, lays, faces, policies, weights, width, early)
    return True


@kernel()
def _stand(pub, own, faces, asked):
    """All hands dealt, by face number, and the calls as they were."""
    for seat in range(SEAT_COUNT):
        deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
    if asked[CALLER] >= 0:
        call_size = asked[CALL_SIZE]
        called(pub, asked[CALLER], view.CALL, asked[CALL_SUIT] + 1 + 4 * (call_size - 1), HAND_SIZE)
    if asked[COUNTERER] >= 0:
        called(pub, asked[COUNTERER], view.COUNTER, asked[COUNTER_SUIT] + 5, HAND_SIZE)


@kernel()
def _bid(pub, own, lay, policies, weights, width, asked, answer):
    """The hand's own bid, and the bidding from there on (DWF-6)."""
    take_bid(pub, asked[ME], answer)
    if answer >= lay[BID_MAX]:
        pub[view.BANKER] = asked[ME]
    else:
        bid_on(pub, own, lay, policies, weights, width, (asked[ME] + 1) % SEAT_COUNT)


@kernel()
def _play(pub, own, lay, policies, weights, width, faces, masks, banker, p0, p1):
    """Play out with a banker, from the cards alone: the defenders' points, and penalties in bases.

    The bottom is buried by the policy, unless ``p0`` and ``p1``, by face number, say what is.
    """
    bid = pub[view.BID]
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[0], mine[1], mine[2] = 0, 0, 0
        mine[view.CARDS] = 0
        for k in range(3):
            mine[view.BURIED + k] = 0
        for k in range(view.MEMORY_SIZE):
            mine[view.MEMORY + k] = 0
        deal_to(mine, faces, HAND_SIZE)
    mine = shift(own, banker * view.OWN_SIZE)
    if p0 != 0:
        w0, w1 = mine[0], mine[1]
        for k in range(HAND_SIZE * SEAT_COUNT, CARDS):
            b = 1 << faces[k]
            w1 |= w0 & b
            w0 |= b
        mine[0], mine[1], mine[2] = remove(w0, w1, 0, p0, p1, 0)
        mine[view.BURIED], mine[view.BURIED + 1] = by_bit(p0, lay), by_bit(p1, lay)
    sort_hands(own, lay)
    pub[view.BANKER] = banker
    pub[view.BID] = 0
    if p0 == 0:
        bury(pub, own, lay, faces, policies, weights, width)
    start_play(pub, own, lay)
    play_out(policies, 3 * SEAT_COUNT, pub, own, lay, masks, policies, weights, width)
    pub[view.BID] = bid
    captured, bottom, multiplier = count_points(pub, own, lay)
    return captured + bottom * multiplier, throw_penalties(pub, lay)


@kernel(
    i64(
        arr2,
        arr,
        arr2,
        arr2,
        arr2,
        i64,
        i64,
        i64,
        arr,
        arr,
        arr2,
        arr,
        arr,
        arr,
        arr,
        arr2,
        arr,
        arr2,
        arr,
        arr2,
    )
)
def advise_chunk(
    lays, policies, weights, plan, plain, seed, first, count, asked, answers, burials, stop, faces, other, pub, own,
    masks, known, kept, out,
):  # fmt: skip
    """Make every choice in worlds first .. first + count - 1; returns in how many.

    plan: what ``given`` deals by; plain: ``rng.shuffle_plan(108)``, for a void deal (DWF-5); asked: int64[SIZE_ASKED];
    answers: int64[n], as policies answer, when burying the rows of burials: int64[any, 2], by face number, zeros where
    the policy buries. kept: int64[count], whether the world agrees with the news (else it is not played); out:
    int64[count * n, WIDTH]. known: int64[12, 3], other: int64[108]: working memory. The rest:
    see ``die_wu_fen.play_chunk``.
    """
    width = weights.shape[1]
    lays_, weights_, plan_, plain_ = pointer(lays), pointer(weights), pointer(plan), pointer(plain)
    policies_ = pointer(policies) if JIT else policies
    faces_, other_, pub_, own_ = pointer(faces), pointer(other), pointer(pub), pointer(own)
    masks_, asked_ = pointer(masks), pointer(asked)
    n = answers.shape[0]
    me, phase = asked[ME], asked[PHASE]
    for i in range(count):
        if stop[0] != 0:
            return i
        deal = first + i
        starts = asked[FIRST] if asked[FIRST] >= 0 else first_by_lot(own_, seed, deal)
        deal_given(faces_, plan_, seed, deal, 0)
        known[:, 0] = 0
        kept[i] = 1
        if asked[PLACE] and not place_threes(faces_, own_, asked_, seed, deal):
            kept[i] = 0
            continue
        for c in range(n):
            answer = answers[c]
            clear(pub_, own_, seed, deal, 0)
            for seat in range(SEAT_COUNT):
                mine = shift(own_, seat * view.OWN_SIZE)
                mine[0], mine[1], mine[2] = 0, 0, 0
                mine[view.CARDS] = 0
            pub_[view.FIRST] = starts
            pub_[view.PASSED] = 0
            void, agrees = False, True
            p0, p1 = 0, 0
            if phase == CALLING:
                agrees = silent(pub_, own_, lays_, policies_, weights_, width, faces_, asked_)
                if not agrees and asked[NEWS]:
                    kept[i] = 0
                    break
                void = not _call(pub_, own_, lays_, policies_, weights_, width, faces_, asked_, answer)
            elif asked[NEWS]:
                if not calls_agree(pub_, own_, lays_, policies_, weights_, width, faces_, asked_):
                    kept[i] = 0
                    break
            else:
                _stand(pub_, own_, faces_, asked_)
            if phase == COUNTERING:
                if answer > 0:
                    called(pub_, me, view.COUNTER, answer, HAND_SIZE)
                else:
                    after = (pub_[view.CALLER] - 1 - me) % SEAT_COUNT  # seats still to be asked
                    ask_last(pub_, own_, lays_, policies_, weights_, width, view.COUNTER, me + 1, after)
            if void:
                begin(lays_, policies_, weights_, width, plain_, seed, deal, starts, True, other_, pub_, own_)
            lay = shift(lays_, pub_[view.TRUMP_CARD] * SIZE)
            sort_hands(own_, lay)
            if phase == BIDDING or (phase == BURYING and asked[NEWS]):
                if not bids_agree(pub_, own_, lay, policies_, weights_, width, asked_):
                    kept[i] = 0
                    break
            if phase == BURYING:
                pub_[view.BANKER] = asked[BANKER]
                pub_[view.BID] = asked[BID]
                p0, p1 = burials[answer, 0], burials[answer, 1]
            elif phase == BIDDING:
                _bid(pub_, own_, lay, policies_, weights_, width, asked_, answer)
            else:
                auction(pub_, own_, lay, policies_, weights_, width)
            banker, bid = pub_[view.BANKER], pub_[view.BID]
            key = 3 * pub_[view.TRUMP_CARD] + banker
            if void or phase == BURYING:
                total, penalties = _play(
                    pub_,
                    own_,
                    lay,
                    policies_,
                    weights_,
                    width,
                    other_ if void else faces_,
                    masks_,
                    banker,
                    p0,
                    p1,
                )
            else:
                if known[key, 0] == 0:
                    known[key, 1], known[key, 2] = _play(
                        pub_, own_, lay, policies_, weights_, width, faces_, masks_, banker, 0, 0
                    )
                    known[key, 0] = 1
                total, penalties = known[key, 1], known[key, 2]
            base = base_value(lay, bid)
            made, _shutout, stake = settle(lay, total, bid, base)
            share = stake + penalties * base
            row = i * n + c
            out[row, PAYOFF] = 2 * share if banker == me else -share
            out[row, IS_BANKER] = 1 if banker == me else 0
            out[row, MADE] = 1 if made else 0
            out[row, WOULD_MAKE] = -1
            if phase == BIDDING and answer > 0:
                key = 3 * pub_[view.TRUMP_CARD] + me
                if known[key, 0] == 0:
                    known[key, 1], known[key, 2] = _play(
                        pub_, own_, lay, policies_, weights_, width, faces_, masks_, me, 0, 0
                    )
                    known[key, 0] = 1
                made, _shutout, stake = settle(lay, known[key, 1], answer, base_value(lay, answer))
                out[row, WOULD_MAKE] = 1 if made else 0
    return count


def working_memory() -> tuple[np.ndarray, ...]:
    """Fresh (faces, other, pub, own, masks, known) for ``advise_chunk``; one set a thread."""
    return (
        np.zeros(CARDS, np.int64),
        np.zeros(CARDS, np.int64),
        view.fresh_pub(),
        np.zeros((SEAT_COUNT, view.OWN_SIZE), np.int64),
        np.zeros(3 * 36, np.int64),
        np.zeros((12, 3), np.int64),
    )
