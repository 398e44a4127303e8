"""What a deal of hong-wu-wu-jia would have brought: with every reveal there could have been, and every face named.

A deal is shuffled once. Each alternative is then played from its first card on: the policies know what they would have
known, and nothing of the other alternatives.
"""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import count_of, popcount, size
from .hong_wu_wu_jia import (
    BANKER,
    CARDS,
    COLUMNS,
    HAND_SIZE,
    LATEST,
    SEAT_COUNT,
    begin,
    deal_cards,
    deal_to,
    find_banker,
    finish,
    prepare,
    press,
    working_memory,
)
from .layout import BIT_OF, MASK, SIZE, SUIT_OF, TRUMP
from .memory import pointer, shift
from .partner import nameable
from .policies.hw_greedy import ALWAYS, next_look

#: The faces that may be named (HW-7) by face number: A and K of each suit, red five, big joker; and what they are.
FACES = (12, 11, 25, 24, 38, 37, 51, 50, 16, 53)
SUITS, NAMES = 4, len(FACES)
#: Rows a deal in the table of play-outs: seat * 4 + suit of a 2 that is revealed, one for being pressed, and one for
#: each face in the contract that came about. Columns are those of the dataset; banker -1 where there is no such play.
PRESS = SEAT_COUNT * SUITS
FIRST_NAME = PRESS + 1
ROWS = FIRST_NAME + NAMES
#: What a deal leaves behind: its lots, and the contract that came about.
DEAL_COLUMNS = "first_seat previous_banker pressed_trump banker trump reveal_after pressed".split()
#: When ``expert`` looks at its hand: at its first 2, then at 12, 20, 29 and 31 cards (``hw_greedy.next_look``).
LOOKS = 5
#: A look: cards held (0: there is none), jokers and red fives; then for each suit trumps, pairs and triples of trumps
#: were it trump, all -1 without a 2 of it.
CARDS_HELD, HIGH, OF_SUIT = 0, 1, 2
LOOK_WIDTH = OF_SUIT + 3 * SUITS
#: A face that may be named: its bit (-1: it may not), kind (``hw_expert``: side A, side K, trump A or K, big joker, red
#: five), copies in hand, copies with those buried, cards of its suit, kings of the suit of an A; trumps in hand.
NAME_COLUMNS = "bit kind held all_held length kings trumps".split()

_HIGHEST = (3 << 52) | (1 << 16)
_faces = np.array(FACES, np.int64)
_out = types.Array(types.int16, 2, "C")


@kernel()
def _note_look(mine, looks, row):
    """What a hand by face number is worth with each suit as trump."""
    w0, w1, w2 = mine[0], mine[1], mine[2]
    looks[row, CARDS_HELD] = mine[view.CARDS]
    looks[row, HIGH] = size(w0 & _HIGHEST, w1 & _HIGHEST, w2 & _HIGHEST)
    for suit in range(SUITS):
        at = OF_SUIT + 3 * suit
        looks[row, at], looks[row, at + 1], looks[row, at + 2] = -1, -1, -1
        if (w0 >> (13 * suit)) & 1:
            mask = (0x1FFE << (13 * suit)) | (2 << (13 * (suit ^ 2))) | ALWAYS
            looks[row, at] = size(w0 & mask, w1 & mask, w2 & mask)
            looks[row, at + 1] = popcount(w1 & mask)
            looks[row, at + 2] = popcount(w2 & mask)


@kernel()
def _note_looks(pub, own, faces, looks, at, first_two):
    """All looks of a deal; ``first_two``, seat * 4 + suit: cards held when the first 2 of a suit came, 0 for never.

    A seat has as many looks as it may be asked at (HW-4), whether somebody reveals before or not.
    """
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        latest = HAND_SIZE if seat == pub[view.PREVIOUS] else LATEST
        for k in range(SUITS):
            first_two[SUITS * seat + k] = 0
        first = 0
        for k in range(latest):
            face = faces[seat * HAND_SIZE + k]
            if face < 52 and face % 13 == 0:
                if first_two[SUITS * seat + face // 13] == 0:
                    first_two[SUITS * seat + face // 13] = k + 1
                if first == 0:
                    first = k + 1
        for k in range(LOOKS):
            looks[at + LOOKS * seat + k, CARDS_HELD] = 0
        cards = first
        while 0 < cards <= latest:
            deal_to(mine, faces, cards)
            look = 0
            if cards != first:
                look = 1 if cards == 12 else (2 if cards == 20 else (3 if cards == LATEST else 4))
            _note_look(mine, looks, at + LOOKS * seat + look)
            cards += max(1, -next_look(cards))


@kernel()
def _note_names(own, lay, names, at):
    """The banker's hand after burying, as it bears on what to name. ``own``: its row, by layout bit."""
    able = nameable(own, lay)
    b = view.BURIED
    trump = lay[MASK + TRUMP]
    trumps = size(own[0] & trump, own[1] & trump, own[2] & trump)
    for k in range(NAMES):
        bit = lay[BIT_OF + _faces[k]]
        row = at + k
        suit = lay[SUIT_OF + bit]
        mask = lay[MASK + suit]
        kind = (0 if k % 2 == 0 else 1) if suit != TRUMP else 2
        if k >= 8:
            kind = 4 if k == 8 else 3
        held = count_of(own[0], own[1], own[2], bit)
        names[row, 0] = bit if (able >> bit) & 1 else -1
        names[row, 1] = kind
        names[row, 2] = held
        names[row, 3] = held + count_of(own[b], own[b + 1], own[b + 2], bit)
        names[row, 4] = size(own[0] & mask, own[1] & mask, own[2] & mask)
        names[row, 5] = count_of(own[0], own[1], own[2], bit - 1) if k < 8 and k % 2 == 0 else 0
        names[row, 6] = trumps


@kernel(
    i64(
        arr2, arr, arr2, arr2, i64, i64, i64, i64, i64, arr, arr, arr, arr2, arr, _out, _out, _out, _out, _out
    )
)
def counterfactual_chunk(
    lays, policies, weights, plan, seed, first, count, reveals, namings, stop, faces, pub, own, masks, deals, plays,
    looks, names, spare,
):  # fmt: skip
    """Play deals first .. first + count - 1 with all their alternatives; returns how many.

    reveals, namings: which of the two are wanted, 0 or 1. deals: int16[len(DEAL_COLUMNS), count]; plays:
    int16[len(COLUMNS), count * ROWS], a column a play-out, in the order deal, row; looks: int16[count * 25, LOOK_WIDTH]
    in the order deal, seat, look; names: int16[count * 10, len(NAME_COLUMNS)] in the order deal, face; spare:
    int16[len(COLUMNS), 1]. The rest: see ``hong_wu_wu_jia.play_chunk``, here with own int64[7, view.OWN_SIZE], the last
    row for notes.
    """
    width = weights.shape[1]
    lays_, weights_, plan_ = pointer(lays), pointer(weights), pointer(plan)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, masks_ = pointer(faces), pointer(pub), pointer(own), pointer(masks)
    first_two = shift(own_, (SEAT_COUNT + 1) * view.OWN_SIZE)
    lots = shift(own_, SEAT_COUNT * view.OWN_SIZE)
    for i in range(count):
        if stop[0] != 0:
            return i
        deal, at = first + i, i * ROWS
        for k in range(ROWS):
            plays[BANKER, at + k] = -1
        deal_cards(faces_, plan_, seed, deal)
        begin(pub_, own_, seed, deal, -1)
        _note_looks(pub_, own_, faces_, looks, i * SEAT_COUNT * LOOKS, first_two)
        deals[0, i], deals[1, i] = pub_[view.FIRST], pub_[view.PREVIOUS]
        press(pub_, faces_, lots)
        deals[2, i] = pub_[view.TRUMP_CARD]
        if reveals != 0:
            prepare(pub_, own_, lays_, faces_, policies_, weights_, width, -1, plays, at + PRESS)
            finish(pub_, own_, lays_, policies_, weights_, width, masks_, plays, at + PRESS)
            for k in range(PRESS):
                if first_two[k] > 0:
                    begin(pub_, own_, seed, deal, -1)
                    pub_[view.CALLER] = pub_[view.BANKER] = k // SUITS
                    pub_[view.CALL_SUIT] = pub_[view.TRUMP_CARD] = k % SUITS
                    pub_[view.CALL_AFTER] = first_two[k]
                    prepare(pub_, own_, lays_, faces_, policies_, weights_, width, -1, plays, at + k)
                    finish(pub_, own_, lays_, policies_, weights_, width, masks_, plays, at + k)
        begin(pub_, own_, seed, deal, -1)
        find_banker(pub_, own_, lays_, faces_, policies_, weights_, width)
        banker = pub_[view.BANKER]
        deals[3, i], deals[4, i] = banker, pub_[view.TRUMP_CARD]
        deals[5, i], deals[6, i] = pub_[view.CALL_AFTER], pub_[view.PRESSED]
        if namings != 0:
            lay = shift(lays_, pub_[view.TRUMP_CARD] * SIZE)
            prepare(pub_, own_, lays_, faces_, policies_, weights_, width, -1, spare, 0)
            _note_names(shift(own_, banker * view.OWN_SIZE), lay, names, i * NAMES)
            for k in range(NAMES):
                if names[i * NAMES + k, 0] >= 0:
                    row = at + FIRST_NAME + k
                    begin(pub_, own_, seed, deal, -1)
                    find_banker(pub_, own_, lays_, faces_, policies_, weights_, width)
                    prepare(pub_, own_, lays_, faces_, policies_, weights_, width, _faces[k], plays, row)
                    finish(pub_, own_, lays_, policies_, weights_, width, masks_, plays, row)
    return count


def memory() -> tuple[np.ndarray, ...]:
    """Fresh (faces, pub, own, masks) for ``counterfactual_chunk``; one set a thread."""
    faces, pub, _, masks = working_memory()
    pub[view.LOG] = 0
    assert len(faces) == CARDS
    return faces, pub, np.zeros((SEAT_COUNT + 2, view.OWN_SIZE), np.int64), masks


def spare() -> np.ndarray:
    """Room for the columns of a deal that is not kept."""
    return np.zeros((len(COLUMNS), 1), np.int16)
