"""Hong-wu-wu-jia's own: revealing, the pressed banker, burying, naming, scoring, and a whole deal."""

from __future__ import annotations

import numpy as np
from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .bits import add, count_of, popcount, remove
from .given import IS_GIVEN, deal_given
from .layout import BIT_OF, FACE_OF, GRADES, MASK, RULES, SIZE, TRUMP, points
from .memory import ask, play_out, pointer, shift
from .partner import nameable
from .play import start_play
from .rng import LOT, SEAT, below, rng_start, shuffle

SEAT_COUNT, PACK_COUNT, HAND_SIZE, BOTTOM_SIZE, CARDS = 5, 3, 31, 7, 162

# Rule options, offsets in a layout; RULES itself is partner.NAMED_MIN.
BOTTOM_TIMES, SOLO_BOTTOM_TIMES = RULES + 1, RULES + 2
PARTNER_CAP, PRESSED_CAP, STAKE = RULES + 3, RULES + 4, RULES + 5

# What a deal leaves behind: rows of the chunk's int16 matrix.
COLUMNS = (
    "first_seat trump banker banker_trumps banker_trump_pairs bottom_points bottom_multiplier captured "
    "defender_points throws failed_throws tricks last_winner payoff_0 payoff_1 payoff_2 payoff_3 payoff_4 "
    "previous_banker pressed reveal_after named named_held partner partner_trick direct solo grade"
).split()
(
    FIRST_SEAT, TRUMP_SUIT, BANKER, BANKER_TRUMPS, BANKER_TRUMP_PAIRS, BOTTOM_POINTS, BOTTOM_MULTIPLIER, CAPTURED,
    DEFENDER_POINTS, THROWS, FAILED_THROWS, TRICKS, LAST_WINNER, PAYOFF, _P1, _P2, _P3, _P4,
    PREVIOUS_BANKER, PRESSED, REVEAL_AFTER, NAMED, NAMED_HELD, PARTNER, PARTNER_TRICK, DIRECT, SOLO, GRADE,
) = range(len(COLUMNS))  # fmt: skip

_TWOS = 1 | (1 << 13) | (1 << 26) | (1 << 39)  # by face number
_RED_FIVE, _SMALL_JOKER, _DIAMONDS = 16, 52, 3
LATEST = HAND_SIZE - 2  # cards at which all but the previous banker are asked for the last time (HW-4)
NEVER = HAND_SIZE + 1


@kernel()
def clear(pub, own, seed, deal):
    """Before the first card: nobody knows anything."""
    for at in (view.CALLER, view.BANKER, view.TRUMP_CARD, view.NAMED, view.PARTNER, view.PARTNER_TRICK):
        pub[at] = -1
    for at in (view.ASKED, view.PRESSED, view.CALL_AFTER, view.ATTEMPT_NO):
        pub[at] = 0
    own[SEAT_COUNT * view.OWN_SIZE + view.DIRECT] = 0
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[view.SEAT] = seat
        mine[view.CARDS] = 0
        for k in range(3):
            mine[k] = 0
            mine[view.BURIED + k] = 0
        rng_start(mine, view.RNG, seed, deal, SEAT + seat + pub[view.REPLICA])
        for k in range(view.MEMORY_SIZE):
            mine[view.MEMORY + k] = 0


# --- HW-4, HW-5: banker and trump


@kernel()
def deal_to(mine, faces, cards):
    """Deal a seat its next cards until it holds ``cards`` of them (by face number)."""
    at = mine[view.SEAT] * HAND_SIZE
    w0, w1, w2 = mine[0], mine[1], mine[2]
    for k in range(at + mine[view.CARDS], at + cards):
        b = 1 << faces[k]
        w2 |= w1 & b
        w1 |= w0 & b
        w0 |= b
    mine[0], mine[1], mine[2] = w0, w1, w2
    mine[view.CARDS] = max(cards, mine[view.CARDS])


@kernel()
def first_two(mine, faces, latest):
    """How many cards a seat holds when it gets its first 2; ``NEVER`` if that is after ``latest`` cards."""
    at = mine[view.SEAT] * HAND_SIZE
    for k in range(latest):
        if (_TWOS >> faces[at + k]) & 1:
            return k + 1
    return NEVER


@kernel()
def reveal_from(pub, own, lay, faces, policies, weights, width):
    """HW-4 from where each seat is asked from ASK_FROM on."""
    first, previous = pub[view.FIRST], pub[view.PREVIOUS]
    while True:
        seat, when = -1, NEVER * 8
        for k in range(SEAT_COUNT):
            s = first + k if first + k < SEAT_COUNT else first + k - SEAT_COUNT
            turn = own[s * view.OWN_SIZE + view.ASK_FROM] * 8 + k
            if turn < when:
                seat, when = s, turn
        if seat < 0:
            return False
        mine = shift(own, seat * view.OWN_SIZE)
        cards = when >> 3
        deal_to(mine, faces, cards)
        role = seat * 3 + view.ROLE_BIDDING
        answer = ask(policies, role, view.REVEAL, pub, mine, lay, shift(weights, role * width))
        if 0 < answer < 5 and (mine[0] >> (13 * (answer - 1))) & 1:
            pub[view.CALLER] = pub[view.BANKER] = seat
            pub[view.CALL_SUIT] = pub[view.TRUMP_CARD] = answer - 1
            pub[view.CALL_AFTER] = cards
            return True
        cards += max(1, -answer)
        mine[view.ASK_FROM] = cards if cards <= (HAND_SIZE if seat == previous else LATEST) else NEVER


@kernel()
def _reveal(pub, own, lay, faces, policies, weights, width):
    """HW-4: deal card by card, each seat asked after its cards until one reveals a 2. True if one did.

    Seat s gets faces[31 s] .. faces[31 s + 30] in this order (COM-19), whoever is first. Only seats that hold a 2 are
    asked, and a hand grows only when its seat is asked. ASK_FROM is how many cards it will hold then.
    """
    previous = pub[view.PREVIOUS]
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        mine[view.ASK_FROM] = first_two(mine, faces, HAND_SIZE if seat == previous else LATEST)
    return reveal_from(pub, own, lay, faces, policies, weights, width)


@kernel()
def _drawable(face, twos):
    """HW-5: whether a card may be drawn: a 2, or a card that is neither joker nor 5h."""
    if face >= _SMALL_JOKER:
        return False
    return face % 13 == 0 if twos else face != _RED_FIVE


@kernel()
def _draw_suit(faces, at, count, twos, lots):
    """The suit of a card by lot among those of faces[at : at + count] that may be drawn; -1 if none may."""
    n = 0
    for k in range(at, at + count):
        if _drawable(faces[k], twos):
            n += 1
    if n == 0:
        return -1
    r = below(lots, view.RNG, n)
    for k in range(at, at + count):
        if _drawable(faces[k], twos):
            if r == 0:
                return faces[k] // 13
            r -= 1
    return -1


@kernel()
def press(pub, faces, lots):
    """HW-5: nobody revealed; the previous banker is banker, and trump is drawn by lot."""
    banker = pub[view.PREVIOUS]
    bottom = SEAT_COUNT * HAND_SIZE
    suit = _draw_suit(faces, banker * HAND_SIZE, HAND_SIZE, True, lots)
    if suit < 0:
        suit = _draw_suit(faces, bottom, BOTTOM_SIZE, True, lots)
    if suit < 0:
        suit = _draw_suit(faces, bottom, BOTTOM_SIZE, False, lots)
    pub[view.PRESSED] = 1
    pub[view.BANKER] = banker
    pub[view.TRUMP_CARD] = suit if suit >= 0 else _DIAMONDS


# --- HW-6 to HW-8: the bottom and the named face


@kernel()
def deal_all(own, lay, faces):
    """All hands from their first cards on, by layout bit; the banker's without the bottom."""
    for seat in range(SEAT_COUNT):
        mine = shift(own, seat * view.OWN_SIZE)
        at = seat * HAND_SIZE
        w0, w1, w2 = 1 << lay[BIT_OF + faces[at]], 0, 0
        p0, p1, p2 = 0, 0, 0
        for k in range(at + 1, at + HAND_SIZE, 2):  # in two heaps, since each card waits for the one before
            b = 1 << lay[BIT_OF + faces[k]]
            c = 1 << lay[BIT_OF + faces[k + 1]]
            w2 |= w1 & b
            p2 |= p1 & c
            w1 |= w0 & b
            p1 |= p0 & c
            w0 |= b
            p0 |= c
        w0, w1, w2 = add(w0, w1, w2, p0, p1, p2)
        mine[0], mine[1], mine[2] = w0, w1, w2
        mine[view.CARDS] = HAND_SIZE


@kernel()
def bury_and_name(pub, own, lay, faces, policies, weights, width, face):
    """HW-6, HW-7: the banker takes the bottom, buries seven cards and names a face.

    ``own`` is by layout bit. Returns its trumps and trump pairs before burying, and its copies of the named face, those
    buried included (HW-8).
    A face it may not name is replaced by the lowest bit it may. ``face``: what it names instead of its own choice, by
    face number, if it may be named; -1 for its own choice.
    """
    banker = pub[view.BANKER]
    mine = shift(own, banker * view.OWN_SIZE)
    w0, w1, w2 = mine[0], mine[1], mine[2]
    for k in range(SEAT_COUNT * HAND_SIZE, CARDS):
        b = 1 << lay[BIT_OF + faces[k]]
        w2 |= w1 & b
        w1 |= w0 & b
        w0 |= b
    mine[0], mine[1], mine[2] = w0, w1, w2
    role = banker * 3 + view.ROLE_BANKER
    mine_weights = shift(weights, role * width)
    ask(policies, role, view.BURY, pub, mine, lay, mine_weights)
    p0, p1, p2 = mine[view.OUT], mine[view.OUT_1], mine[view.OUT_2]
    mine[0], mine[1], mine[2] = remove(w0, w1, w2, p0, p1, p2)
    mine[view.BURIED], mine[view.BURIED + 1], mine[view.BURIED + 2] = p0, p1, p2
    named = ask(policies, role, view.NAME, pub, mine, lay, mine_weights)
    able = nameable(mine, lay)
    if not (0 <= named < 54 and (able >> named) & 1):
        named = popcount((able & -able) - 1)
    if face >= 0 and (able >> lay[BIT_OF + face]) & 1:
        named = lay[BIT_OF + face]
    pub[view.NAMED] = named
    trumps = lay[MASK + TRUMP]
    held = popcount(w0 & trumps) + popcount(w1 & trumps) + popcount(w2 & trumps)
    return held, popcount(w1 & trumps), count_of(w0, w1, w2, named)


# --- HW-12 to HW-16: scoring


@kernel()
def grade_of(lay, total):
    """HW-13: the grade of the defenders' total: that of the last row whose threshold it reaches."""
    row = GRADES + 1
    last = GRADES + 2 * lay[GRADES] - 1
    while row < last and lay[row + 2] <= total:
        row += 2
    return lay[row + 1]


@kernel()
def score(pub, own, lay, out, i):
    """HW-12 to HW-16: from the finished play to the columns of row i."""
    banker = pub[view.BANKER]
    partner = pub[view.PARTNER]
    solo = partner < 0  # HW-8: a copy that is not with the banker has been played by now
    direct = own[SEAT_COUNT * view.OWN_SIZE + view.DIRECT]
    captured = 0
    for seat in range(SEAT_COUNT):
        if seat != banker and seat != partner:
            captured += pub[view.TAKEN + seat]
    at = banker * view.OWN_SIZE + view.BURIED
    bottom = points(own[at], own[at + 1], own[at + 2], lay)
    multiplier = 0
    if pub[view.BEST_SEAT] != banker and pub[view.BEST_SEAT] != partner:
        multiplier = lay[SOLO_BOTTOM_TIMES] if solo else lay[BOTTOM_TIMES]
    total = captured + bottom * multiplier
    grade = grade_of(lay, total)
    if solo:  # HW-15
        to_banker, to_partner, to_defender = 8 * grade, 0, -2 * grade
    elif grade > 0:  # HW-14
        to_banker, to_partner, to_defender = 2 * grade, grade, -grade
    else:
        loss = -grade
        to_defender = loss
        to_partner = -min(loss, lay[PRESSED_CAP] if pub[view.PRESSED] else lay[PARTNER_CAP])
        to_banker = -3 * loss - to_partner
        if direct:  # HW-10
            to_banker, to_partner = to_partner, to_banker
    for seat in range(SEAT_COUNT):
        share = to_banker if seat == banker else (to_partner if seat == partner else to_defender)
        out[PAYOFF + seat, i] = share * lay[STAKE]
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
    out[PREVIOUS_BANKER, i] = pub[view.PREVIOUS]
    out[PRESSED, i] = pub[view.PRESSED]
    out[REVEAL_AFTER, i] = pub[view.CALL_AFTER]
    out[NAMED, i] = lay[FACE_OF + pub[view.NAMED]]
    out[PARTNER, i] = partner
    out[PARTNER_TRICK, i] = pub[view.PARTNER_TRICK]
    out[DIRECT, i] = direct
    out[SOLO, i] = 1 if solo else 0
    out[GRADE, i] = grade


@kernel()
def begin(pub, own, seed, deal, previous):
    """Before the first card of a deal, with its lots. ``previous``: the previous banker, or -1 to draw it (HW-4).

    Lots come from one stream in this order: first seat (HW-1), previous banker (drawn even if it is given), the draw
    of HW-5.
    """
    clear(pub, own, seed, deal)
    lots = shift(own, SEAT_COUNT * view.OWN_SIZE)  # the engine's own row
    rng_start(lots, view.RNG, seed, deal, LOT)
    pub[view.FIRST] = below(lots, view.RNG, SEAT_COUNT)
    drawn = below(lots, view.RNG, SEAT_COUNT)
    pub[view.PREVIOUS] = previous if previous >= 0 else drawn


@kernel()
def deal_cards(faces, plan, seed, deal):
    """COM-19: the shuffled cards of a deal, by face number; some of them given, if the plan says so."""
    if plan[IS_GIVEN]:
        deal_given(faces, plan, seed, deal, 0)
        return
    for k in range(54):
        faces[k] = k
        faces[54 + k] = k
        faces[108 + k] = k
    shuffle(faces, CARDS, plan, seed, deal, 0)


@kernel()
def find_banker(pub, own, lays, faces, policies, weights, width):
    """HW-4, HW-5: somebody reveals, or the previous banker is pressed."""
    if not _reveal(pub, own, lays, faces, policies, weights, width):
        press(pub, faces, shift(own, SEAT_COUNT * view.OWN_SIZE))


@kernel()
def prepare(pub, own, lays, faces, policies, weights, width, face, out, i):
    """With banker and trump settled: all hands, the bottom, the named face (``face``: see ``bury_and_name``)."""
    lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
    deal_all(own, lay, faces)
    trumps, pairs, held = bury_and_name(pub, own, lay, faces, policies, weights, width, face)
    out[BANKER_TRUMPS, i] = trumps
    out[BANKER_TRUMP_PAIRS, i] = pairs
    out[NAMED_HELD, i] = held


@kernel()
def finish(pub, own, lays, policies, weights, width, masks, out, i):
    """All tricks and the scoring."""
    lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
    start_play(pub, own, lay)
    play_out(policies, 3 * SEAT_COUNT, pub, own, lay, masks, policies, weights, width)
    score(pub, own, lay, out, i)


@kernel()
def play_deal(
    lays, policies, weights, width, plan, seed, deal, previous, contract, faces, pub, own, masks, out, i
):
    """One deal from the shuffle to row i of ``out``. ``previous``: see ``begin``.

    ``contract``: (banker, trump), banker -1 when revealing decides.
    """
    begin(pub, own, seed, deal, previous)
    deal_cards(faces, plan, seed, deal)
    if contract[0] >= 0:
        pub[view.BANKER] = contract[0]
        pub[view.TRUMP_CARD] = contract[1]
    else:
        find_banker(pub, own, lays, faces, policies, weights, width)
    prepare(pub, own, lays, faces, policies, weights, width, -1, out, i)
    finish(pub, own, lays, policies, weights, width, masks, out, i)


_out = types.Array(types.int16, 2, "C")


@kernel(i64(arr2, arr, arr2, arr2, i64, i64, i64, i64, arr, arr, arr, arr, arr2, arr, _out))
def play_chunk(
    lays, policies, weights, plan, seed, first, count, session, contract, stop, faces, pub, own, masks, out
):
    """Play deals first .. first + count - 1 (whole sessions) into the columns of ``out``; returns how many were played.

    As ``die_wu_fen.play_chunk``, with 15 policies and a play of all tricks, faces int64[162] and own
    int64[6, view.OWN_SIZE]. In a session of several hands the first hand's previous banker is seat 0, then it is the
    last hand's banker (HW-4, HW-17).
    """
    width = weights.shape[1]
    lays_, weights_, plan_, contract_ = pointer(lays), pointer(weights), pointer(plan), pointer(contract)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, masks_ = pointer(faces), pointer(pub), pointer(own), pointer(masks)
    previous = -1
    for i in range(count):
        if stop[0] != 0:
            return i
        if i % session == 0:
            previous = 0 if session > 1 else -1
        play_deal(
            lays_, policies_, weights_, width, plan_, seed, first + i, previous, contract_,
            faces_, pub_, own_, masks_, out, i,
        )  # fmt: skip
        previous = pub[view.BANKER]
    return count


def working_memory() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Fresh (faces, pub, own, masks) for ``play_chunk``; one set a thread."""
    return (
        np.zeros(CARDS, np.int64),
        view.fresh_pub(),
        np.zeros((SEAT_COUNT + 1, view.OWN_SIZE), np.int64),
        np.zeros(3 * 36, np.int64),
    )
