"""Die-wu-fen's own: calling, countering, bidding, burying, scoring, and a whole deal."""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import add, popcount, remove
from .layout import MASK, RULES, SIZE, TRUMP, by_bit, points
from .memory import ask, play_out, pointer, shift
from .play import start_play
from .rng import ATTEMPT, LOT, SEAT, below, rng_start, shuffle

SEAT_COUNT, PACK_COUNT, HAND_SIZE, BOTTOM_SIZE, CARDS = 3, 2, 33, 9, 108

# Rule options, offsets in a layout.
BID_STEP, OPENING_SINGLE, OPENING_PAIR, BID_MAX = RULES, RULES + 1, RULES + 2, RULES + 3
BOTTOM_BY_LEAD, BOTTOM_PAIRED, BOTTOM_SINGLE = RULES + 4, RULES + 5, RULES + 6
BANKER_PENALTY, DEFENDER_PENALTY = RULES + 7, RULES + 8
MADE_TOTAL, SHUTOUT_TOTAL, SHUTOUT_MULTIPLIER = RULES + 9, RULES + 10, RULES + 11
COUNTER_ALLOWED = RULES + 12
BASE_TABLE = RULES + 13  # 10 entries, bids 110, 120 .. 200

# What a deal leaves behind: rows of the chunk's int16 matrix.
COLUMNS = (
    "first_seat trump banker banker_trumps banker_trump_pairs bottom_points bottom_multiplier captured "
    "defender_points throws failed_throws tricks last_winner payoff_0 payoff_1 payoff_2 redeals caller call_size "
    "call_after countered opener bid base bids_made result shutout penalty_0 penalty_1 penalty_2"
).split()
(
    FIRST_SEAT, TRUMP_SUIT, BANKER, BANKER_TRUMPS, BANKER_TRUMP_PAIRS, BOTTOM_POINTS, BOTTOM_MULTIPLIER, CAPTURED,
    DEFENDER_POINTS, THROWS, FAILED_THROWS, TRICKS, LAST_WINNER, PAYOFF, _P1, _P2, REDEALS, CALLER, CALL_SIZE,
    CALL_AFTER, COUNTERED, OPENER, BID, BASE, BIDS_MADE, RESULT, SHUTOUT, PENALTY, _Q1, _Q2,
) = range(len(COLUMNS))  # fmt: skip

_THREES = (1 << 1) | (1 << 14) | (1 << 27) | (1 << 40)  # by face number


@kernel(inline=True)
def _deal_to(mine, faces, cards):
    """Deal a seat its next cards until it holds ``cards`` of them (by face number)."""
    at = mine[view.SEAT] * HAND_SIZE
    w0, w1 = mine[0], mine[1]
    for k in range(at + mine[view.CARDS], at + cards):
        b = 1 << faces[k]
        w1 |= w0 & b
        w0 |= b
    mine[0], mine[1] = w0, w1
    mine[view.CARDS] = max(cards, mine[view.CARDS])


@kernel(inline=True)
def _deal_to_three(mine, faces, pair):
    """Deal a seat its next cards until it holds a 3, or a pair of 3s; its ASK_FROM is then that many cards.

    With all 33 cards and none of it, ASK_FROM is 34.
    """
    at = mine[view.SEAT] * HAND_SIZE
    cards = mine[view.CARDS]
    w0, w1 = mine[0], mine[1]
    while (w1 if pair else w0) & _THREES == 0:
        if cards == HAND_SIZE:
            cards += 1
            break
        b = 1 << faces[at + cards]
        w1 |= w0 & b
        w0 |= b
        cards += 1
    mine[0], mine[1] = w0, w1
    mine[view.CARDS] = min(cards, HAND_SIZE)
    mine[view.ASK_FROM] = cards


@kernel(inline=True)
def _ask_next(pub, own, lay, faces, policies, weights, width, what):
    """Ask for calls or counters (``what``) card by card, as the deal goes round. True if somebody called.

    Each seat's ASK_FROM is how many cards it will hold when it is asked next. Only seats that could call are asked;
    a hand grows only when its seat is asked.
    """
    first = pub[view.FIRST]
    while True:
        seat, when = -1, (HAND_SIZE + 1) * 4
        for k in range(SEAT_COUNT):
            s = first + k if first + k < SEAT_COUNT else first + k - SEAT_COUNT
            turn = own[s * view.OWN_SIZE + view.ASK_FROM] * 4 + k
            if turn < when:
                seat, when = s, turn
        if seat < 0:
            return False
        mine = shift(own, seat * view.OWN_SIZE)
        cards = when >> 2
        _deal_to(mine, faces, cards)
        role = seat * 3 + view.ROLE_BIDDING
        answer = ask(policies, role, what, pub, mine, lay, shift(weights, role * width))
        if answer > 0:
            _called(pub, seat, what, answer, cards)
            return True
        # with all 33 cards in hand there is no later question here
        mine[view.ASK_FROM] = cards + 1 if cards == HAND_SIZE else min(cards + max(1, -answer), HAND_SIZE)


@kernel(inline=True)
def _called(pub, seat, what, answer, cards):
    """Note a call (DWF-3) or a counter (DWF-4) made with ``cards`` cards in hand."""
    if what == view.CALL:
        pub[view.CALLER] = seat
        pub[view.CALL_SIZE] = 1 if answer < 5 else 2
        pub[view.CALL_SUIT] = (answer - 1) & 3
        pub[view.CALL_AFTER] = cards
    else:
        pub[view.COUNTERER] = seat
        pub[view.COUNTER_SUIT] = answer - 5
        pub[view.COUNTER_AFTER] = cards
    pub[view.TRUMP_CARD] = (answer - 1) & 3
    pub[view.OPENER] = seat


@kernel()
def _ask_last(pub, own, lay, policies, weights, width, what, start):
    """When all cards are dealt everybody who could call or counter is asked once more, from ``start`` on."""
    for k in range(SEAT_COUNT):
        seat = (start + k) % SEAT_COUNT
        mine = shift(own, seat * view.OWN_SIZE)
        if mine[0 if what == view.CALL else 1] & _THREES and seat != pub[view.CALLER]:
            role = seat * 3 + view.ROLE_BIDDING
            answer = ask(policies, role, what, pub, mine, lay, shift(weights, role * width))
            if answer > 0:
                _called(pub, seat, what, answer, HAND_SIZE)
                return


@kernel()
def _deal_and_call(pub, own, lay, faces, policies, weights, width, asking):
    """Deal the 99 cards one at a time (DWF-3, DWF-4); hands are left by face number. True if somebody called.

    Seat s gets faces[33 s] .. faces[33 s + 32] in this order (COM-19), whoever is first.
    """
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[0], mine[1], mine[2] = 0, 0, 0
        mine[view.CARDS] = 0
        if asking:
            _deal_to_three(mine, faces, False)
    early = asking and _ask_next(pub, own, lay, faces, policies, weights, width, view.CALL)
    if asking and not early:
        for seat in range(SEAT_COUNT):
            _deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
        _ask_last(pub, own, lay, policies, weights, width, view.CALL, pub[view.FIRST])
    countered = False
    if pub[view.CALL_SIZE] == 1 and lay[COUNTER_ALLOWED] and early:
        for k in range(SEAT_COUNT):
            mine = shift(own, (pub[view.FIRST] + k) % SEAT_COUNT * view.OWN_SIZE)
            if mine[view.SEAT] == pub[view.CALLER]:
                mine[view.ASK_FROM] = HAND_SIZE + 1
            else:  # a seat before the caller in the round is asked from its next card on
                _deal_to_three(mine, faces, True)
                later = pub[view.CALL_AFTER] + (k < (pub[view.CALLER] - pub[view.FIRST]) % SEAT_COUNT)
                mine[view.ASK_FROM] = max(mine[view.ASK_FROM], later)
        countered = _ask_next(pub, own, lay, faces, policies, weights, width, view.COUNTER)
    for seat in range(SEAT_COUNT):
        _deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
    if pub[view.CALL_SIZE] == 1 and lay[COUNTER_ALLOWED] and not countered:
        _ask_last(pub, own, lay, policies, weights, width, view.COUNTER, pub[view.CALLER] + 1)
    return pub[view.CALLER] >= 0 or not asking


@kernel()
def _log_bid(pub, seat, bid):
    pub[view.BID_LOG + pub[view.BIDS]] = seat * 1024 + bid
    pub[view.BIDS] += 1


@kernel()
def opening_bid(pub, lay):
    """DWF-6: the lowest bid the provisional banker may open with."""
    if pub[view.CALL_SIZE] == 2 or pub[view.COUNTERER] >= 0:
        return lay[OPENING_PAIR]
    return lay[OPENING_SINGLE]


@kernel()
def bid_fault(pub, lay, bid):
    """Whether a bid (0: pass) breaks DWF-6 for the seat whose turn it is."""
    if bid == 0:
        return pub[view.BIDS] == 0
    if pub[view.BIDS] == 0 and bid < opening_bid(pub, lay):
        return True
    return bid <= pub[view.BID] or bid > lay[BID_MAX] or (bid - lay[OPENING_SINGLE]) % lay[BID_STEP] != 0


@kernel()
def _auction(pub, own, lay, policies, weights, width):
    """DWF-6: bidding from the provisional banker on."""
    pub[view.BID] = 0
    pub[view.BIDS] = 0
    pub[view.PASSED] = 0
    seat = pub[view.OPENER]
    left = SEAT_COUNT
    while True:
        if (pub[view.PASSED] >> seat) & 1 == 0:
            role = seat * 3 + view.ROLE_BIDDING
            bid = ask(
                policies,
                role,
                view.BID_TURN,
                pub,
                shift(own, seat * view.OWN_SIZE),
                lay,
                shift(weights, role * width),
            )
            if bid_fault(pub, lay, bid):  # a policy that does not know better: the least it may do
                bid = opening_bid(pub, lay) if pub[view.BIDS] == 0 else 0
            _log_bid(pub, seat, bid)
            if bid == 0:
                pub[view.PASSED] |= 1 << seat
                left -= 1
            else:
                pub[view.BID] = bid
                pub[view.BIDDER] = seat
                if bid >= lay[BID_MAX]:
                    break
            if left == 1:
                break
        seat = seat + 1 if seat < SEAT_COUNT - 1 else 0
    pub[view.BANKER] = pub[view.BIDDER]


@kernel()
def _clear(pub, own, seed, deal, attempt):
    """Before the first card of an attempt: nobody knows anything."""
    for at in (view.CALLER, view.COUNTERER, view.OPENER, view.BANKER, view.TRUMP_CARD):
        pub[at] = -1
    pub[view.CALL_SIZE] = 0
    pub[view.CALL_AFTER] = 0
    pub[view.BIDS] = 0
    pub[view.BID] = 0
    pub[view.ATTEMPT_NO] = attempt
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[view.SEAT] = seat
        for k in range(3):
            mine[view.BURIED + k] = 0
        rng_start(mine, view.RNG, seed, deal, SEAT + seat + ATTEMPT * attempt)
        for k in range(view.MEMORY_SIZE):
            mine[view.MEMORY + k] = 0


@kernel()
def first_by_lot(own, seed, deal):
    """DWF-19: the first seat of a single deal."""
    rng_start(own, view.RNG, seed, deal, LOT)
    return below(own, view.RNG, SEAT_COUNT)


@kernel()
def bury(pub, own, lay, faces, policies, weights, width):
    """DWF-7: the banker takes the bottom and buries nine cards. ``own`` is by layout bit from here on."""
    banker = pub[view.BANKER]
    mine = shift(own, banker * view.OWN_SIZE)
    f0, f1 = 0, 0
    for k in range(HAND_SIZE * SEAT_COUNT, CARDS):
        b = 1 << faces[k]
        f1 |= f0 & b
        f0 |= b
    w0, w1, _w2 = add(mine[0], mine[1], 0, by_bit(f0, lay), by_bit(f1, lay), 0)
    mine[0], mine[1] = w0, w1
    role = banker * 3 + view.ROLE_BANKER
    ask(policies, role, view.BURY, pub, mine, lay, shift(weights, role * width))
    p0, p1 = mine[view.OUT], mine[view.OUT_1]
    mine[0], mine[1], mine[2] = remove(w0, w1, 0, p0, p1, 0)
    mine[view.BURIED], mine[view.BURIED + 1] = p0, p1
    trumps = lay[MASK + TRUMP]
    return popcount(w0 & trumps) + popcount(w1 & trumps), popcount(w1 & trumps)


@kernel()
def base_value(lay, bid):
    """DWF-8: the base value of a bid."""
    return lay[BASE_TABLE + max(0, min(9, (bid - 110) // 10))]


@kernel()
def score(pub, own, lay, out, i):
    """DWF-14 to DWF-18: from the finished play to the columns of row i."""
    banker = pub[view.BANKER]
    bid = pub[view.BID]
    base = base_value(lay, bid)
    captured = 0
    for seat in range(SEAT_COUNT):
        if seat != banker:
            captured += pub[view.TAKEN + seat]
    at = banker * view.OWN_SIZE + view.BURIED
    bottom = points(own[at], own[at + 1], 0, lay)
    multiplier = 0
    winner = view.PLAY + 3 * pub[view.BEST_SEAT]
    if pub[view.BEST_SEAT] != banker and pub[winner] & ~lay[MASK + TRUMP] == 0:  # DWF-15
        decides = view.PLAY + 3 * pub[view.LAST_LEADER] if lay[BOTTOM_BY_LEAD] else winner
        multiplier = lay[BOTTOM_PAIRED] if pub[decides + 1] else lay[BOTTOM_SINGLE]
    total = captured + bottom * multiplier
    made = total == 0 or total < lay[MADE_TOTAL] - bid  # DWF-16
    shutout = total == 0 or total >= lay[SHUTOUT_TOTAL] - bid
    stake = base if made else -base  # DWF-17
    if shutout:
        stake *= lay[SHUTOUT_MULTIPLIER]
    to_banker = 0  # DWF-18, from each defender
    for seat in range(SEAT_COUNT):
        if seat == banker:
            to_banker -= pub[view.FAULTS + seat] * lay[BANKER_PENALTY] * base
        else:
            to_banker += pub[view.FAULTS + seat] * lay[DEFENDER_PENALTY] * base
    for seat in range(SEAT_COUNT):
        share = 2 if seat == banker else -1
        out[PENALTY + seat, i] = share * to_banker
        out[PAYOFF + seat, i] = share * (stake + to_banker)
    out[FIRST_SEAT, i] = pub[view.FIRST]
    out[TRUMP_SUIT, i] = pub[view.TRUMP_CARD]
    out[BANKER, i] = banker
    out[BOTTOM_POINTS, i] = bottom
    out[BOTTOM_MULTIPLIER, i] = multiplier
    out[CAPTURED, i] = captured
    out[DEFENDER_POINTS, i] = total
    out[THROWS, i] = pub[view.THROWS]
    out[FAILED_THROWS, i] = pub[view.FAILED]
    out[TRICKS, i] = pub[view.TRICK]
    out[LAST_WINNER, i] = pub[view.BEST_SEAT]
    out[REDEALS, i] = pub[view.ATTEMPT_NO]
    out[CALLER, i] = pub[view.CALLER]
    out[CALL_SIZE, i] = pub[view.CALL_SIZE]
    out[CALL_AFTER, i] = pub[view.CALL_AFTER]
    out[COUNTERED, i] = 1 if pub[view.COUNTERER] >= 0 else 0
    out[OPENER, i] = pub[view.OPENER]
    out[BID, i] = bid
    out[BASE, i] = base
    out[BIDS_MADE, i] = pub[view.BIDS] - popcount(pub[view.PASSED])
    out[RESULT, i] = 0 if made else 1
    out[SHUTOUT, i] = 1 if shutout else 0


@kernel()
def play_deal(
    lays, policies, weights, width, plan, seed, deal, first, contract, faces, pub, own, masks, out, i
):
    """One deal from the shuffle to row i of ``out``. ``first``: first seat, or -1 to draw it (DWF-19).

    ``contract``: (banker, trump, bid), banker -1 when calling and bidding decide.
    """
    pub[view.FIRST] = first if first >= 0 else first_by_lot(own, seed, deal)
    attempt = 0
    while True:
        _clear(pub, own, seed, deal, attempt)
        for k in range(CARDS):
            faces[k] = k if k < 54 else k - 54
        shuffle(faces, CARDS, plan, seed, deal, attempt)
        if _deal_and_call(pub, own, lays, faces, policies, weights, width, contract[0] < 0):
            break
        attempt += 1  # DWF-5
    if contract[0] >= 0:
        pub[view.BANKER] = contract[0]
        pub[view.TRUMP_CARD] = contract[1]
        pub[view.BID] = contract[2]
        pub[view.PASSED] = 0
    lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[0], mine[1] = by_bit(mine[0], lay), by_bit(mine[1], lay)
    if contract[0] < 0:
        _auction(pub, own, lay, policies, weights, width)
    trumps, pairs = bury(pub, own, lay, faces, policies, weights, width)
    out[BANKER_TRUMPS, i] = trumps
    out[BANKER_TRUMP_PAIRS, i] = pairs
    start_play(pub, own, lay)
    play_out(policies, 3 * SEAT_COUNT, pub, own, lay, masks, policies, weights, width)
    score(pub, own, lay, out, i)


_out = types.Array(types.int16, 2, "C")


@kernel(i64(arr2, arr, arr2, arr2, i64, i64, i64, i64, arr, arr, arr, arr, arr2, arr, _out))
def play_chunk(
    lays, policies, weights, plan, seed, first, count, session, contract, stop, faces, pub, own, masks, out
):
    """Play deals first .. first + count - 1 (whole sessions) into the columns of ``out``; returns how many were played.

    lays: int64[4, layout.SIZE]; policies: ``memory.policy_table`` of 9 policies, seat * 3 + role, and a play of all
    tricks; weights: int64[9, any]; plan: ``rng.shuffle_plan(108)``; stop: int64[1], looked at before each deal;
    faces int64[108], pub int64[view.PUB_SIZE], own int64[3, view.OWN_SIZE], masks int64[108]: working memory; out:
    int16[len(COLUMNS), >= count].
    """
    banker = -1
    width = weights.shape[1]
    lays_, weights_, plan_, contract_ = pointer(lays), pointer(weights), pointer(plan), pointer(contract)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, masks_ = pointer(faces), pointer(pub), pointer(own), pointer(masks)
    for i in range(count):
        if stop[0] != 0:
            return i
        if i % session == 0:
            banker = -1
        play_deal(
            lays_, policies_, weights_, width, plan_, seed, first + i, banker, contract_,
            faces_, pub_, own_, masks_, out, i,
        )  # fmt: skip
        banker = pub[view.BANKER]
    return count


def working_memory() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Fresh (faces, pub, own, masks) for ``play_chunk``; one set a thread."""
    return (
        np.zeros(CARDS, np.int64),
        view.fresh_pub(),
        np.zeros((SEAT_COUNT, view.OWN_SIZE), np.int64),
        np.zeros(3 * 36, np.int64),
    )
