"""Every choice open to one hand of hong-wu-wu-jia, in the same worlds: what it pays. See ``advise_die_wu_fen``."""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import remove
from .given import deal_given
from .hong_wu_wu_jia import (
    CARDS,
    COLUMNS,
    GRADE,
    HAND_SIZE,
    LATEST,
    NEVER,
    PAYOFF,
    SEAT_COUNT,
    bury_and_name,
    clear,
    deal_all,
    deal_to,
    find_banker,
    first_two,
    press,
    reveal_from,
    score,
)
from .layout import BIT_OF, SIZE, by_bit
from .memory import ask, play_out, pointer, shift
from .play import start_play
from .rng import LOT, below, rng_start

#: What is asked, and how the deal stands: offsets of a vector. FIRST, PREVIOUS: seats, -1 by lot (HW-1, HW-4).
PHASE, ME, FIRST, HELD, PREVIOUS, TRUMP, PRESSED = range(7)
NEWS = 7  # whether a world must agree with the others' silence
CALL_LOW, CALL_HIGH = 8, 9  # when naming: with how many cards the hand revealed; equal: told exactly
BURIED = 10  # 3 words by face number: what the banker has buried, when it names
SIZE_ASKED = BURIED + 3
REVEALING, NAMING = 0, 1

#: What a choice comes to in a world: columns.
PAID, IS_BANKER, WON, SOLO = 0, 1, 2, 3
WIDTH = 4

_row = types.Array(types.int16, 2, "C")


@kernel()
def _silence(pub, own, lays, policies, weights, width, faces, asked):
    """Ask the others as the deal went until the hand held HELD cards: would none of them have revealed (HW-4)?

    ASK_FROM is left at the next question of each seat: for one that would have revealed, at its next card.
    """
    me, cards = asked[ME], asked[HELD]
    turn = (me - pub[view.FIRST]) % SEAT_COUNT
    silent = True
    for k in range(SEAT_COUNT):
        seat = (pub[view.FIRST] + k) % SEAT_COUNT
        mine = shift(own, seat * view.OWN_SIZE)
        latest = HAND_SIZE if seat == pub[view.PREVIOUS] else LATEST
        dealt = cards if k <= turn else cards - 1  # after which it has been asked
        at = first_two(mine, faces, latest)
        if seat == me:
            at = max(at, dealt + 1)
        role = seat * 3 + view.ROLE_BIDDING
        while at <= min(dealt, latest):
            deal_to(mine, faces, at)
            answer = ask(policies, role, view.REVEAL, pub, mine, lays, shift(weights, role * width))
            if 0 < answer < 5 and (mine[0] >> (13 * (answer - 1))) & 1:
                silent = False
                at = dealt + 1
            else:
                at += max(1, -answer)
        mine[view.ASK_FROM] = at if at <= latest else NEVER
    return silent


@kernel()
def _reveal(pub, own, lays, policies, weights, width, faces, asked, answer):
    """The hand reveals a 2, or waits (0), and the deal goes on from ASK_FROM (HW-4). True if somebody revealed."""
    if answer > 0:
        pub[view.CALLER] = pub[view.BANKER] = asked[ME]
        pub[view.CALL_SUIT] = pub[view.TRUMP_CARD] = answer - 1
        pub[view.CALL_AFTER] = asked[HELD]
        return True
    return reveal_from(pub, own, lays, faces, policies, weights, width)


@kernel()
def _banker_agrees(pub, own, lays, policies, weights, width, faces, asked):
    """Whether the hand is banker as the news says: revealed its 2 before any other did, or was pressed (HW-5).

    When it revealed is taken as it was, if that is told; else its own policy is asked, too.
    """
    me, trump = asked[ME], asked[TRUMP]
    if asked[PRESSED] or asked[CALL_LOW] == asked[CALL_HIGH]:
        if not _silence(pub, own, lays, policies, weights, width, faces, asked):
            return False
        return asked[PRESSED] or _reveal(pub, own, lays, policies, weights, width, faces, asked, trump + 1)
    find_banker(pub, own, lays, faces, policies, weights, width)
    if pub[view.PRESSED] or pub[view.BANKER] != me or pub[view.TRUMP_CARD] != trump:
        return False
    return asked[CALL_LOW] <= pub[view.CALL_AFTER] and pub[view.CALL_AFTER] <= asked[CALL_HIGH]


@kernel()
def _bury(pub, own, lay, faces, asked):
    """The banker takes the bottom and buries what it has chosen (HW-6)."""
    mine = shift(own, pub[view.BANKER] * view.OWN_SIZE)
    w0, w1, w2 = mine[0], mine[1], mine[2]
    for k in range(SEAT_COUNT * HAND_SIZE, CARDS):
        b = 1 << lay[BIT_OF + faces[k]]
        w2 |= w1 & b
        w1 |= w0 & b
        w0 |= b
    p0, p1, p2 = by_bit(asked[BURIED], lay), by_bit(asked[BURIED + 1], lay), by_bit(asked[BURIED + 2], lay)
    mine[0], mine[1], mine[2] = remove(w0, w1, w2, p0, p1, p2)
    mine[view.BURIED], mine[view.BURIED + 1], mine[view.BURIED + 2] = p0, p1, p2


@kernel(i64(arr2, arr, arr2, arr2, i64, i64, i64, arr, arr, arr, arr, arr, arr2, arr, _row, arr, arr2))
def advise_chunk(
    lays,
    policies,
    weights,
    plan,
    seed,
    first,
    count,
    asked,
    answers,
    stop,
    faces,
    pub,
    own,
    masks,
    row,
    kept,
    out,
):
    """Make every choice in worlds first .. first + count - 1; returns in how many.

    plan: what ``given`` deals by; asked: int64[SIZE_ASKED]; answers: int64[n], as policies answer (faces, when naming);
    kept: int64[count], whether the world agrees with the news (else it is not played); out: int64[count * n, WIDTH];
    row: int16[len(COLUMNS), 1], working memory. The rest: see ``hong_wu_wu_jia.play_chunk``.
    """
    width = weights.shape[1]
    lays_, weights_, plan_ = pointer(lays), pointer(weights), pointer(plan)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, masks_, asked_ = (
        pointer(faces),
        pointer(pub),
        pointer(own),
        pointer(masks),
        pointer(asked),
    )
    n = answers.shape[0]
    me = asked[ME]
    for i in range(count):
        if stop[0] != 0:
            return i
        deal = first + i
        deal_given(faces_, plan_, seed, deal, 0)
        kept[i] = 1
        for c in range(n):
            clear(pub_, own_, seed, deal)
            lots = shift(own_, SEAT_COUNT * view.OWN_SIZE)
            rng_start(lots, view.RNG, seed, deal, LOT)
            starts, drawn = below(lots, view.RNG, SEAT_COUNT), below(lots, view.RNG, SEAT_COUNT)
            pub_[view.FIRST] = asked[FIRST] if asked[FIRST] >= 0 else starts
            pub_[view.PREVIOUS] = asked[PREVIOUS] if asked[PREVIOUS] >= 0 else drawn
            if asked[PHASE] == REVEALING:
                agrees = _silence(pub_, own_, lays_, policies_, weights_, width, faces_, asked_)
                if not agrees and asked[NEWS]:
                    kept[i] = 0
                    break
                if not _reveal(pub_, own_, lays_, policies_, weights_, width, faces_, asked_, answers[c]):
                    press(pub_, faces_, lots)
            else:
                if asked[NEWS]:
                    agrees = _banker_agrees(pub_, own_, lays_, policies_, weights_, width, faces_, asked_)
                    if not agrees:
                        kept[i] = 0
                        break
                pub_[view.BANKER] = me
                pub_[view.TRUMP_CARD] = asked[TRUMP]
                pub_[view.PRESSED] = asked[PRESSED]
            lay = shift(lays_, pub_[view.TRUMP_CARD] * SIZE)
            deal_all(own_, lay, faces_)
            if asked[PHASE] == REVEALING:
                bury_and_name(pub_, own_, lay, faces_, policies_, weights_, width, -1)
            else:
                _bury(pub_, own_, lay, faces_, asked_)
                pub_[view.NAMED] = lay[BIT_OF + answers[c]]
            start_play(pub_, own_, lay)
            play_out(policies_, 3 * SEAT_COUNT, pub_, own_, lay, masks_, policies_, weights_, width)
            score(pub_, own_, lay, row, 0)
            at = i * n + c
            out[at, PAID] = row[PAYOFF + me, 0]
            out[at, IS_BANKER] = 1 if pub_[view.BANKER] == me else 0
            out[at, WON] = 1 if row[GRADE, 0] > 0 else 0
            out[at, SOLO] = 1 if pub_[view.PARTNER] < 0 else 0
    return count


def working_memory() -> tuple[np.ndarray, ...]:
    """Fresh (faces, pub, own, masks, row) for ``advise_chunk``; one set a thread."""
    return (
        np.zeros(CARDS, np.int64),
        view.fresh_pub(),
        np.zeros((SEAT_COUNT + 1, view.OWN_SIZE), np.int64),
        np.zeros(3 * 36, np.int64),
        np.zeros((len(COLUMNS), 1), np.int16),
    )
