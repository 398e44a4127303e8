"""Die-wu-fen's own: calling, countering, bidding, burying, and a whole deal."""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import add, popcount, remove
from .die_wu_fen_score import BANKER_TRUMP_PAIRS, BANKER_TRUMPS, COLUMNS, score  # the columns are for sim
from .given import IS_GIVEN, deal_given
from .layout import MASK, RULES, SIZE, TRUMP, by_bit
from .memory import ask, play_out, pointer, shift
from .play import start_play
from .rng import ATTEMPT, LOT, SEAT, below, rng_start, shuffle

__all__ = ("COLUMNS", "score")  # what is another module's

SEAT_COUNT, PACK_COUNT, HAND_SIZE, BOTTOM_SIZE, CARDS = 3, 2, 33, 9, 108

# Rule options, offsets in a layout; those of scoring are in ``die_wu_fen_score``.
BID_STEP, OPENING_SINGLE, OPENING_PAIR, BID_MAX, COUNTER_ALLOWED = (
    RULES,
    RULES + 1,
    RULES + 2,
    RULES + 3,
    RULES + 12,
)

END = (HAND_SIZE + 1) * 4  # a turn (4 * cards held + place in the round) after all others
THREES = (1 << 1) | (1 << 14) | (1 << 27) | (1 << 40)  # by face number


@kernel(inline=True)
def deal_to(mine, faces, cards):
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
def deal_to_three(mine, faces, pair):
    """Deal a seat its next cards until it holds a 3, or a pair of 3s; its ASK_FROM is then that many cards.

    With all 33 cards and none of it, ASK_FROM is 34.
    """
    at = mine[view.SEAT] * HAND_SIZE
    cards = mine[view.CARDS]
    w0, w1 = mine[0], mine[1]
    while (w1 if pair else w0) & THREES == 0:
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
def ask_next(pub, own, lay, faces, policies, weights, width, what, until):
    """Ask for calls or counters (``what``) card by card, before the turn ``until``. True if somebody called.

    Each seat's ASK_FROM is how many cards it will hold when it is asked next. Only seats that could call are asked;
    a hand grows only when its seat is asked.
    """
    first = pub[view.FIRST]
    while True:
        seat, when = -1, until
        for k in range(SEAT_COUNT):
            s = first + k if first + k < SEAT_COUNT else first + k - SEAT_COUNT
            turn = own[s * view.OWN_SIZE + view.ASK_FROM] * 4 + k
            if turn < when:
                seat, when = s, turn
        if seat < 0:
            return False
        mine = shift(own, seat * view.OWN_SIZE)
        cards = when >> 2
        deal_to(mine, faces, cards)
        role = seat * 3 + view.ROLE_BIDDING
        answer = ask(policies, role, what, pub, mine, lay, shift(weights, role * width))
        if answer > 0:
            called(pub, seat, what, answer, cards)
            return True
        # with all 33 cards in hand there is no later question here
        mine[view.ASK_FROM] = cards + 1 if cards == HAND_SIZE else min(cards + max(1, -answer), HAND_SIZE)


@kernel(inline=True)
def called(pub, seat, what, answer, cards):
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
def ask_last(pub, own, lay, policies, weights, width, what, start, seats):
    """When all cards are dealt ``seats`` seats are asked once more if they could call or counter, from ``start`` on."""
    for k in range(seats):
        seat = (start + k) % SEAT_COUNT
        mine = shift(own, seat * view.OWN_SIZE)
        if mine[0 if what == view.CALL else 1] & THREES and seat != pub[view.CALLER]:
            role = seat * 3 + view.ROLE_BIDDING
            answer = ask(policies, role, what, pub, mine, lay, shift(weights, role * width))
            if answer > 0:
                called(pub, seat, what, answer, HAND_SIZE)
                return


@kernel(inline=True)
def to_counter(pub, own, faces):
    """After a call with one 3, set from when on each seat is asked to counter it (DWF-4)."""
    for k in range(SEAT_COUNT):
        mine = shift(own, (pub[view.FIRST] + k) % SEAT_COUNT * view.OWN_SIZE)
        if mine[view.SEAT] == pub[view.CALLER]:
            mine[view.ASK_FROM] = HAND_SIZE + 1
        else:  # a seat before the caller in the round is asked from its next card on
            deal_to_three(mine, faces, True)
            later = pub[view.CALL_AFTER] + (k < (pub[view.CALLER] - pub[view.FIRST]) % SEAT_COUNT)
            mine[view.ASK_FROM] = max(mine[view.ASK_FROM], later)


@kernel(inline=True)
def deal_on(pub, own, lay, faces, policies, weights, width, early):
    """After the call: ask for counters (DWF-4), and deal what is left. ``early``: whether it came during the deal."""
    countered = False
    if pub[view.CALL_SIZE] == 1 and lay[COUNTER_ALLOWED] and early:
        to_counter(pub, own, faces)
        countered = ask_next(pub, own, lay, faces, policies, weights, width, view.COUNTER, END)
    for seat in range(SEAT_COUNT):
        deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
    if pub[view.CALL_SIZE] == 1 and lay[COUNTER_ALLOWED] and not countered:
        ask_last(pub, own, lay, policies, weights, width, view.COUNTER, pub[view.CALLER] + 1, SEAT_COUNT)


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
            deal_to_three(mine, faces, False)
    early = asking and ask_next(pub, own, lay, faces, policies, weights, width, view.CALL, END)
    if asking and not early:
        for seat in range(SEAT_COUNT):
            deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)
        ask_last(pub, own, lay, policies, weights, width, view.CALL, pub[view.FIRST], SEAT_COUNT)
    deal_on(pub, own, lay, faces, policies, weights, width, early)
    return pub[view.CALLER] >= 0 or not asking


@kernel()
def take_bid(pub, seat, bid):
    """Note a bid, or a pass (0)."""
    if bid == 0:
        pub[view.PASSED] |= 1 << seat
    else:
        pub[view.BID] = bid
        pub[view.BIDDER] = seat
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
def auction(pub, own, lay, policies, weights, width):
    """DWF-6: bidding from the provisional banker on."""
    pub[view.BID] = 0
    pub[view.BIDS] = 0
    pub[view.PASSED] = 0
    bid_on(pub, own, lay, policies, weights, width, pub[view.OPENER])


@kernel()
def bid_on(pub, own, lay, policies, weights, width, seat):
    """The bidding from a seat's turn on, somebody else having bid unless it opens."""
    left = SEAT_COUNT - popcount(pub[view.PASSED])
    while left > 1 or pub[view.BIDS] == 0:
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
            take_bid(pub, seat, bid)
            if bid == 0:
                left -= 1
            elif bid >= lay[BID_MAX]:
                break
        seat = seat + 1 if seat < SEAT_COUNT - 1 else 0
    pub[view.BANKER] = pub[view.BIDDER]


@kernel()
def clear(pub, own, seed, deal, attempt):
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
        rng_start(mine, view.RNG, seed, deal, SEAT + seat + ATTEMPT * attempt + pub[view.REPLICA])
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
    f0, f1 = 0, 0
    for k in range(HAND_SIZE * SEAT_COUNT, CARDS):
        b = 1 << faces[k]
        f1 |= f0 & b
        f0 |= b
    return take_bottom(pub, own, lay, by_bit(f0, lay), by_bit(f1, lay), policies, weights, width)


@kernel(inline=True)
def take_bottom(pub, own, lay, b0, b1, policies, weights, width):
    """DWF-7 with the bottom by layout bit: the banker's trumps and trump pairs before burying."""
    banker = pub[view.BANKER]
    mine = shift(own, banker * view.OWN_SIZE)
    w0, w1, _w2 = add(mine[0], mine[1], 0, b0, b1, 0)
    mine[0], mine[1] = w0, w1
    role = banker * 3 + view.ROLE_BANKER
    ask(policies, role, view.BURY, pub, mine, lay, shift(weights, role * width))
    p0, p1 = mine[view.OUT], mine[view.OUT_1]
    mine[0], mine[1], mine[2] = remove(w0, w1, 0, p0, p1, 0)
    mine[view.BURIED], mine[view.BURIED + 1] = p0, p1
    trumps = lay[MASK + TRUMP]
    return popcount(w0 & trumps) + popcount(w1 & trumps), popcount(w1 & trumps)


@kernel(inline=True)
def begin(lays, policies, weights, width, plan, seed, deal, first, asking, faces, pub, own):
    """Shuffle and deal, until somebody calls if ``asking`` (DWF-5). Hands are left by face number.

    ``first``: first seat, or -1 to draw it (DWF-19).
    """
    pub[view.FIRST] = first if first >= 0 else first_by_lot(own, seed, deal)
    attempt = 0
    while True:
        clear(pub, own, seed, deal, attempt)
        if plan[IS_GIVEN]:
            deal_given(faces, plan, seed, deal, attempt)
        else:
            for k in range(CARDS):
                faces[k] = k if k < 54 else k - 54
            shuffle(faces, CARDS, plan, seed, deal, attempt)
        if _deal_and_call(pub, own, lays, faces, policies, weights, width, asking):
            break
        attempt += 1  # DWF-5


@kernel(inline=True)
def sort_hands(own, lay):
    """Hands by face number become hands by layout bit: trump is known."""
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[0], mine[1] = by_bit(mine[0], lay), by_bit(mine[1], lay)


@kernel()
def play_deal(
    lays, policies, weights, width, plan, seed, deal, first, contract, faces, pub, own, masks, out, i
):
    """One deal from the shuffle to row i of ``out``. ``first``: first seat, or -1 to draw it (DWF-19).

    ``contract``: (banker, trump, bid), banker -1 when calling and bidding decide.
    """
    begin(lays, policies, weights, width, plan, seed, deal, first, contract[0] < 0, faces, pub, own)
    if contract[0] >= 0:
        pub[view.BANKER] = contract[0]
        pub[view.TRUMP_CARD] = contract[1]
        pub[view.BID] = contract[2]
        pub[view.PASSED] = 0
    lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
    sort_hands(own, lay)
    if contract[0] < 0:
        auction(pub, own, lay, policies, weights, width)
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
    tricks; weights: int64[9, any]; plan: ``rng.shuffle_plan(108)``, or what ``given`` deals by; stop: int64[1], looked
    at before each deal; faces int64[108], pub int64[view.PUB_SIZE], own int64[3, view.OWN_SIZE], masks int64[108]:
    working memory; out: int16[len(COLUMNS), >= count].
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
