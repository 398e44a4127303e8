"""Whether a deal of die-wu-fen agrees with the news: who called, countered and bid so far, when, and who did not.

The policies of the others are asked as the deal went, in the order of the rules: worlds that come out as the news says
are distributed as real deals in which that happened. What the hand that asks for advice did itself is taken as it was,
once it is told when: its own cards say nothing about the others' then. When the time of a call is not told, its policy
is asked, too, since a call before its own would have come sooner.
"""

from __future__ import annotations

from . import view
from ._jit import kernel
from .die_wu_fen import (
    BID_STEP,
    COUNTER_ALLOWED,
    END,
    HAND_SIZE,
    SEAT_COUNT,
    THREES,
    ask_last,
    ask_next,
    bid_fault,
    called,
    deal_to,
    deal_to_three,
    opening_bid,
    take_bid,
    to_counter,
)
from .memory import ask, shift
from .rng import NEWS as STREAM
from .rng import below, rng_start

#: What is asked, and how the deal stands: offsets of a vector.
PHASE, ME, FIRST, HELD = 0, 1, 2, 3  # FIRST: the first seat, -1 by lot; HELD: cards in hand when calling
CALLER, CALL_SIZE, CALL_SUIT, COUNTERER, COUNTER_SUIT = 4, 5, 6, 7, 8  # -1, 0 for none
TRUMP, BANKER, BID, BIDS = 9, 10, 11, 12  # BANKER and BID when burying; BIDS: entries of the log
NEWS = 13  # whether a world must agree with the others' calls, silence and bids
CALL_LOW, CALL_HIGH, COUNTER_LOW, COUNTER_HIGH = 14, 15, 16, 17  # with how many cards; equal: told exactly
PLACE = 18  # whether a 3 shown is all that is known of a hand that showed it
LOG = 19  # as view.BID_LOG
SIZE_ASKED = LOG + 40
CALLING, COUNTERING, BIDDING, BURYING = 0, 1, 2, 3


@kernel()
def silent(pub, own, lays, policies, weights, width, faces, asked):
    """Ask the others as the deal went so far: by their policies, is it so that none of them has called (DWF-3)?

    ASK_FROM is left at the next question of each seat: for one that would have called, at its next card.
    """
    me, cards, first = asked[ME], asked[HELD], pub[view.FIRST]
    turn = (me - first) % SEAT_COUNT
    silent = True
    for k in range(SEAT_COUNT):
        seat = (first + k) % SEAT_COUNT
        mine = shift(own, seat * view.OWN_SIZE)
        deal_to_three(mine, faces, False)
        dealt = cards if k <= turn or cards == HAND_SIZE else cards - 1  # after which it has been asked
        if seat == me:
            mine[view.ASK_FROM] = max(mine[view.ASK_FROM], dealt + 1)
            continue
        role = seat * 3 + view.ROLE_BIDDING
        mine_weights = shift(weights, role * width)
        at = mine[view.ASK_FROM]
        while at <= dealt:
            deal_to(mine, faces, at)
            answer = ask(policies, role, view.CALL, pub, mine, lays, mine_weights)
            if answer > 0:
                silent = False
                at = dealt + 1
            else:
                at = at + 1 if at == HAND_SIZE else min(at + max(1, -answer), HAND_SIZE)
        mine[view.ASK_FROM] = at
        if cards == HAND_SIZE and k < turn and silent and mine[0] & THREES:  # in the last round, too
            silent = ask(policies, role, view.CALL, pub, mine, lays, mine_weights) <= 0
    return silent


@kernel()
def _copy(faces, at, three, number):
    """Where the copy ``number`` of a 3 is among the 33 cards from ``at`` on; -1 if there is none."""
    for k in range(at, at + HAND_SIZE):
        if faces[k] == three:
            if number == 0:
                return k
            number -= 1
    return -1


@kernel()
def _move(faces, where, to):
    """Swap two cards."""
    t = faces[where]
    faces[where] = faces[to]
    faces[to] = t


@kernel()
def place_threes(faces, own, asked, seed, deal):
    """Move the 3s that others showed among the cards they had then. Whether the deal counts; own: working memory.

    Dealt with a 3 shown where it was shown, a deal comes up as often as there are copies of it there: so it counts once
    in as many times. Moved, likewise, with the copies among the cards of that time. Then each deal and order of cards
    in which they are there comes up alike.
    """
    rng_start(own, view.RNG, seed, deal, STREAM)
    for counter in range(2):
        seat = asked[COUNTERER if counter else CALLER]
        if seat < 0 or seat == asked[ME]:
            continue
        three = 13 * asked[COUNTER_SUIT if counter else CALL_SUIT] + 1
        high = asked[COUNTER_HIGH if counter else CALL_HIGH]
        at = seat * HAND_SIZE
        second = _copy(faces, at, three, 1)
        if counter or asked[CALL_SIZE] == 2:
            one = below(own, view.RNG, high)
            other = below(own, view.RNG, high - 1)
            other += other >= one
            _move(faces, _copy(faces, at, three, 0), at + one)
            where = _copy(faces, at, three, 0)
            _move(faces, _copy(faces, at, three, 1) if where == at + one else where, at + other)
        else:
            one = 0 if second < 0 else below(own, view.RNG, 2)
            _move(faces, _copy(faces, at, three, one), at + below(own, view.RNG, high))
            second = _copy(faces, at, three, 1)
            if second >= 0 and second < at + high and below(own, view.RNG, 2) != 0:
                return False
    return True


@kernel()
def _mute(own, seat):
    """A seat is not asked during the deal."""
    own[seat * view.OWN_SIZE + view.ASK_FROM] = HAND_SIZE + 1


@kernel()
def _deal_all(own, faces):
    for seat in range(SEAT_COUNT):
        deal_to(shift(own, seat * view.OWN_SIZE), faces, HAND_SIZE)


@kernel()
def _call_agrees(pub, own, lays, policies, weights, width, faces, asked):
    """Whether the first call is who, with what and when the news says (DWF-3): 0 no, 1 after all cards, 2 before."""
    me, first = asked[ME], pub[view.FIRST]
    told = asked[CALL_LOW] == asked[CALL_HIGH]
    mine_by_news = told and asked[CALLER] == me
    for seat in range(SEAT_COUNT):
        deal_to_three(shift(own, seat * view.OWN_SIZE), faces, False)
    if told:
        _mute(own, me)
    until = 4 * asked[CALL_HIGH] + (me - first) % SEAT_COUNT if mine_by_news else END
    early = ask_next(pub, own, lays, faces, policies, weights, width, view.CALL, until)
    if mine_by_news:
        if early:
            return 0
        answer = asked[CALL_SUIT] + 1 + 4 * (asked[CALL_SIZE] - 1)
        called(pub, me, view.CALL, answer, asked[CALL_HIGH])
        return 2
    if not early:
        if asked[CALL_HIGH] < HAND_SIZE:
            return 0
        _deal_all(own, faces)
        for k in range(SEAT_COUNT):
            seat = (first + k) % SEAT_COUNT
            if pub[view.CALLER] < 0 and not (told and seat == me):
                ask_last(pub, own, lays, policies, weights, width, view.CALL, seat, 1)
    if pub[view.CALLER] != asked[CALLER] or pub[view.CALL_SIZE] != asked[CALL_SIZE]:
        return 0
    after = pub[view.CALL_AFTER]
    if pub[view.CALL_SUIT] != asked[CALL_SUIT] or after < asked[CALL_LOW] or after > asked[CALL_HIGH]:
        return 0
    return 2 if early else 1


@kernel()
def calls_agree(pub, own, lays, policies, weights, width, faces, asked):
    """Deal all cards. Whether the call and the counter, or that there was none, come out as the news says.

    When the hand is to counter or not, the seats after it are not asked yet (DWF-4).
    """
    me = asked[ME]
    when = _call_agrees(pub, own, lays, policies, weights, width, faces, asked)
    if when == 0:
        return False
    if pub[view.CALL_SIZE] == 1 and lays[COUNTER_ALLOWED]:
        mine_by_news = asked[COUNTERER] == me and asked[COUNTER_LOW] == asked[COUNTER_HIGH]
        if when == 2:
            to_counter(pub, own, faces)
            if asked[COUNTERER] != me or mine_by_news:
                _mute(own, me)
            until = END
            if mine_by_news:
                until = 4 * asked[COUNTER_HIGH] + (me - pub[view.FIRST]) % SEAT_COUNT
            countered = ask_next(pub, own, lays, faces, policies, weights, width, view.COUNTER, until)
            if mine_by_news and not countered:
                called(pub, me, view.COUNTER, asked[COUNTER_SUIT] + 5, asked[COUNTER_HIGH])
        _deal_all(own, faces)
        for k in range(1, SEAT_COUNT):
            seat = (pub[view.CALLER] + k) % SEAT_COUNT
            if pub[view.COUNTERER] >= 0 or (seat == me and asked[PHASE] == COUNTERING):
                break
            if seat == me and mine_by_news:
                called(pub, me, view.COUNTER, asked[COUNTER_SUIT] + 5, HAND_SIZE)
            elif seat != me or asked[COUNTERER] == me:
                ask_last(pub, own, lays, policies, weights, width, view.COUNTER, seat, 1)
        if pub[view.COUNTERER] != asked[COUNTERER]:
            return False
        if pub[view.COUNTERER] >= 0:
            after = pub[view.COUNTER_AFTER]
            if after < asked[COUNTER_LOW] or after > asked[COUNTER_HIGH]:
                return False
            if pub[view.COUNTER_SUIT] != asked[COUNTER_SUIT]:
                return False
    _deal_all(own, faces)
    return True


@kernel()
def bids_agree(pub, own, lay, policies, weights, width, asked):
    """Note the bids so far (DWF-6). Whether the others, by their policies, would have bid and passed so.

    A raise by more than one step counts where the policy would go as high step by step.
    """
    pub[view.BID] = 0
    pub[view.BIDS] = 0
    pub[view.PASSED] = 0
    alike = True
    for k in range(asked[BIDS]):
        seat, bid = asked[LOG + k] >> 10, asked[LOG + k] & 1023
        if seat != asked[ME] and asked[NEWS] and alike:
            role = seat * 3 + view.ROLE_BIDDING
            mine, mine_weights = shift(own, seat * view.OWN_SIZE), shift(weights, role * width)
            answer = ask(policies, role, view.BID_TURN, pub, mine, lay, mine_weights)
            if bid_fault(pub, lay, answer):
                answer = opening_bid(pub, lay) if k == 0 else 0
            alike = answer == bid
            if answer > 0 and answer < bid:
                highest = pub[view.BID]
                pub[view.BID] = bid - lay[BID_STEP]
                pub[view.BIDS] = max(1, k)
                alike = ask(policies, role, view.BID_TURN, pub, mine, lay, mine_weights) >= bid
                pub[view.BID] = highest
                pub[view.BIDS] = k
        take_bid(pub, seat, bid)
    return alike
