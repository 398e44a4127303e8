"""Replaying the tricks of a record and judging each play of it, for both games.

A record may say anything, so nothing is believed: cards that are not in the hand, players out of turn, leads of several
suits. After a fault of a seat its hand is taken to be what it plays later, where the record goes to the end of the
deal: so one false card is one fault, and what follows is still judged.

The plays come as one int64 vector: for each trick the number of plays, for each play the seat, the number of cards, the
number of cards of a failed throw's attempt (0: none), then these cards, all by face number. A play of no cards is one
that could not be read.
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel
from .bits import count_of, holds, remove, size
from .hiding import hiding_fault
from .layout import BIT_OF, FACE_OF, MASK, PACKS, SEATS, SUIT_OF, points
from .legal import HIDING, NOT_HELD, NUMBER, OK, follow_fault, wins_with
from .memory import pointer, shift
from .record_layout import BLOCK
from .shapes import COUNT, LEAD_SIZE, MAX_COMPONENTS, TOPS, N, describe
from .throw import throw_check

# What may be wrong with a play, besides the codes of ``legal``.
COPIES, SUITS, THROW_FAILS, THROW_STANDS, OTHER_PART, FOLLOWER_THROWS, MEANT_NOT_HELD = (
    20,
    21,
    22,
    23,
    24,
    25,
    26,
)

BOTTOM, BURIED = 5, 6  # blocks of cards, after the hands
MOST_TRICKS = 33
MOST_SEATS = 5
#: Columns of a fault: trick, index of the play, code, three words of the component due, then three words of each
#: seat's hand before the play.
F_TRICK, F_PLAY, F_CODE, F_DUE, F_HANDS = 0, 1, 2, 3, 6
FAULT_SIZE = F_HANDS + 3 * MOST_SEATS
MOST_FAULTS = MOST_TRICKS * MOST_SEATS
#: Columns of a trick: the seat that won it or -1, its points, whether both are beyond doubt, how strong the winner was.
T_WINNER, T_POINTS, T_SURE, T_BEST = 0, 1, 2, 3
TRICK_SIZE = 4
#: What goes in besides. NAMED: the bit of the partner face or -1. HIDES: whether to look at HW-9. KNOWN: which seats'
#: hands are given (a mask).
BANKER, NAMED, HIDES, KNOWN, HAND_SIZE = 0, 1, 2, 3, 4
#: What comes out besides. THROWS: throws tried. DIRECT: -1 where it can't be told. PLAYED: cards, a seat. COMPLETE:
#: whether most seats play a whole hand.
THROWS, PARTNER, PARTNER_TRICK, DIRECT, COMPLETE, PLAYED = 5, 6, 7, 8, 9, 10
STATE_SIZE = PLAYED + MOST_SEATS

_HANDS = 0
_LEAD = _HANDS + 3 * MOST_SEATS
_MASKS = _LEAD + LEAD_SIZE
_SCRATCH = _MASKS + 3 * MAX_COMPONENTS
_DUE = _SCRATCH + MAX_COMPONENTS
WORK_SIZE = _DUE + 3
_ACE, _KING = 12, 11


@kernel()
def words_of(cards, start, n, lay):
    """Cards by face number as words: (whether there are no more copies than packs, the three words)."""
    w0, w1, w2 = 0, 0, 0
    sound = True
    for k in range(start, start + n):
        b = 1 << lay[BIT_OF + cards[k]]
        if w0 & b == 0:
            w0 |= b
        elif w1 & b == 0:
            w1 |= b
        elif w2 & b == 0 and lay[PACKS] == 3:
            w2 |= b
        else:
            sound = False
    return sound, w0, w1, w2


@kernel()
def _take(w0, w1, w2, p0, p1, p2):
    """``w`` without those cards of ``p`` that it holds."""
    return remove(w0, w1, w2, w0 & p0, w1 & p1, w2 & p2)


@kernel()
def _count_played(stream, tricks, state, seats):
    """How many cards each seat plays, and whether the record goes to the end of the deal, for most seats at least."""
    for seat in range(seats):
        state[PLAYED + seat] = 0
    at = 0
    for _ in range(tricks):
        plays = stream[at]
        at += 1
        for _ in range(plays):
            state[PLAYED + stream[at]] += stream[at + 1]
            at += 3 + stream[at + 1] + stream[at + 2]
    whole = 0
    for seat in range(seats):
        if state[PLAYED + seat] == state[HAND_SIZE]:
            whole += 1
    state[COMPLETE] = 1 if 2 * whole > seats else 0


@kernel()
def _later(stream, at, tricks, seat, state, lay, hand):
    """Set a hand to what the seat plays in the ``tricks`` tricks from ``at`` on; whether that may be its hand."""
    w0, w1, w2 = 0, 0, 0
    sound = state[COMPLETE] != 0
    for _ in range(tricks):
        plays = stream[at]
        at += 1
        for _ in range(plays):
            n = stream[at + 1]
            if stream[at] == seat:
                for k in range(at + 3, at + 3 + n):
                    b = 1 << lay[BIT_OF + stream[k]]
                    if w0 & b == 0:
                        w0 |= b
                    elif w1 & b == 0:
                        w1 |= b
                    elif w2 & b == 0 and lay[PACKS] == 3:
                        w2 |= b
                    else:
                        sound = False
            at += 3 + n + stream[at + 2]
    hand[0], hand[1], hand[2] = w0, w1, w2
    return sound and size(w0, w1, w2) <= state[HAND_SIZE]


@kernel()
def _deal(stream, tricks, cards, state, lay, hands):
    """The hands at the first trick, given or else what is played; the mask of those known.

    ``cards``: blocks of ``BLOCK``, each a number and the cards: a hand a seat, then ``BOTTOM`` and ``BURIED``.
    """
    seats = lay[SEATS]
    banker = state[BANKER]
    known = 0
    for seat in range(seats):
        at = BLOCK * seat
        mine = shift(hands, 3 * seat)
        sound = False
        if (state[KNOWN] >> seat) & 1:
            sound, mine[0], mine[1], mine[2] = words_of(cards, at + 1, cards[at], lay)
        if not sound:
            sound = _later(stream, 0, tricks, seat, state, lay, mine)
        if sound:
            known |= 1 << seat
    if banker >= 0 and (state[KNOWN] >> banker) & 1:
        mine = shift(hands, 3 * banker)
        at = BLOCK * BOTTOM
        for k in range(at + 1, at + 1 + cards[at]):
            b = 1 << lay[BIT_OF + cards[k]]
            mine[2] |= mine[1] & b
            mine[1] |= mine[0] & b
            mine[0] |= b
        at = BLOCK * BURIED
        _sound, p0, p1, p2 = words_of(cards, at + 1, cards[at], lay)
        mine[0], mine[1], mine[2] = _take(mine[0], mine[1], mine[2], p0, p1, p2)
    return known


@kernel()
def _lead_fault(stream, at, seat, known, lay, hands, lead, masks, due, state):
    """What is wrong with a lead (COM-9, COM-10); ``lead`` and ``masks`` are filled for what was played.

    ``due``: the three words of what must be played, when a throw fails.
    """
    n, m = stream[at + 1], stream[at + 2]
    sound, p0, p1, p2 = words_of(stream, at + 3, n, lay)
    meant_sound, q0, q1, q2 = sound, p0, p1, p2
    if m:
        meant_sound, q0, q1, q2 = words_of(stream, at + 3 + n, m, lay)
    if not (sound and meant_sound):
        return COPIES
    suit = lay[SUIT_OF + lay[BIT_OF + stream[at + 3]]]
    if (p0 | q0) & ~lay[MASK + suit]:
        return SUITS
    h = 3 * seat
    if (known >> seat) & 1:
        if not holds(hands[h], hands[h + 1], hands[h + 2], p0, p1, p2):
            return NOT_HELD
        if not holds(hands[h], hands[h + 1], hands[h + 2], q0, q1, q2):
            return MEANT_NOT_HELD
    seats = lay[SEATS]
    describe(q0, q1, q2, lay, lead, masks)
    if lead[COUNT] > 1:
        state[THROWS] += 1
        for other in range(seats):
            if (known >> other) & 1 == 0:
                hands[3 * other], hands[3 * other + 1], hands[3 * other + 2] = 0, 0, 0
        part = throw_check(lead, masks, hands, 3, seat, seats, lay)
        for k in range(3):
            due[k] = masks[3 * part + k] if part >= 0 else 0
        everyone = known | (1 << seat) == (1 << seats) - 1
        if m == 0 and part >= 0:
            return THROW_FAILS
        if m and everyone:
            if part < 0:
                return THROW_STANDS
            if due[0] != p0 or due[1] != p1 or due[2] != p2:
                return OTHER_PART
        if m:
            describe(p0, p1, p2, lay, lead, masks)
    elif m:
        return THROW_STANDS
    return OK


@kernel()
def _follow_code(hand, known, lead, lead_sound, n, sound, p0, p1, p2, lay, named, scratch):
    """What is wrong with a follow, as far as the hand is known and the lead was one."""
    if lead_sound and n != lead[N]:
        return NUMBER
    if not sound or (known and not holds(hand[0], hand[1], hand[2], p0, p1, p2)):
        return NOT_HELD
    if not known or not lead_sound:
        return OK
    code = follow_fault(hand[0], hand[1], hand[2], lay, lead, p0, p1, p2, scratch)
    if code == OK and named >= 0 and hiding_fault(hand[0], hand[1], hand[2], lay, lead, p0, p1, p2, named):
        return HIDING
    return code


@kernel()
def _is_direct(hand, known, banker_led, l0, lay, bit):
    """HW-10, for the play of the named face with this bit onto the lead with the faces ``l0``; -1: can't be told."""
    face = lay[FACE_OF + bit]
    if face >= 52 or face % 13 != _ACE or not banker_led:
        return 0
    if l0 & ~((1 << bit) | (1 << lay[BIT_OF + face - _ACE + _KING])):
        return 0
    if not known:
        return -1
    return 1 if hand[0] & lay[MASK + lay[SUIT_OF + bit]] & ~(1 << bit) else 0


@kernel()
def _note(rows, count, trick, play, code, due, hands):
    """Write down a fault; the new number of faults."""
    if count < rows.shape[0]:
        rows[count, F_TRICK], rows[count, F_PLAY], rows[count, F_CODE] = trick, play, code
        for k in range(3):
            rows[count, F_DUE + k] = due[k]
        for k in range(3 * MOST_SEATS):
            rows[count, F_HANDS + k] = hands[k]
    return count + 1


@kernel(i64(arr, i64, arr, arr, arr, arr2, arr2, arr))
def judge_plays(stream, tricks, cards, layout, state, rows, results, work):
    """Judge the plays of a record; returns the number of faults.

    stream, cards: see above and ``_deal``. state: int64[STATE_SIZE], of which BANKER (or -1), NAMED, HIDES, KNOWN and
    HAND_SIZE go in. rows: int64[MOST_FAULTS, FAULT_SIZE]; results:
    int64[>= tricks, TRICK_SIZE]; work: int64[WORK_SIZE].
    """
    lay, memory = pointer(layout), pointer(work)
    hands, lead = shift(memory, _HANDS), shift(memory, _LEAD)
    masks, scratch, due = shift(memory, _MASKS), shift(memory, _SCRATCH), shift(memory, _DUE)
    seats = lay[SEATS]
    banker, named = state[BANKER], state[NAMED]
    state[THROWS], state[PARTNER], state[PARTNER_TRICK], state[DIRECT] = 0, -1, -1, 0
    _count_played(stream, tricks, state, seats)
    known = _deal(stream, tricks, cards, state, lay, hands)
    count = 0
    at = 0
    for trick in range(tricks):
        plays = stream[at]
        at += 1
        lead_sound, sure = False, plays == seats
        winner, best, leader, l0 = -1, -1, -1, 0
        worth, seen, broken = 0, 0, 0
        for play in range(plays):
            seat, n, m = stream[at], stream[at + 1], stream[at + 2]
            hand = shift(hands, 3 * seat)
            mine = (known >> seat) & 1 != 0
            sound, p0, p1, p2 = words_of(stream, at + 3, n, lay)
            due[0], due[1], due[2] = 0, 0, 0
            code = OK
            if play == 0:
                leader, l0 = seat, p0
                if n:
                    code = _lead_fault(stream, at, seat, known, lay, hands, lead, masks, due, state)
                lead_sound = n > 0 and code == OK
                if lead_sound:
                    winner = seat
                    best = lead[TOPS] if lead[COUNT] == 1 else 0
            elif n:
                hides = named if state[HIDES] and seat != banker and state[PARTNER] < 0 else -1
                code = _follow_code(hand, mine, lead, lead_sound, n, sound, p0, p1, p2, lay, hides, scratch)
                if lead_sound and sound and n == lead[N]:
                    strength = wins_with(p0, p1, p2, lay, lead)
                    if strength > best:
                        winner, best = seat, strength
                if code == OK and m:
                    code = FOLLOWER_THROWS
            if code != OK:
                count = _note(rows, count, trick, play, code, due, hands)
            if code != OK or n == 0:
                broken |= 1 << seat
                sure = False
            if (seen >> seat) & 1:
                broken |= 1 << seat
                sure = False
            seen |= 1 << seat
            if named >= 0 and seat != banker and state[PARTNER] < 0 and count_of(p0, p1, p2, named):
                state[PARTNER], state[PARTNER_TRICK] = seat, trick
                if play > 0:
                    state[DIRECT] = _is_direct(hand, mine, leader == banker, l0, lay, named)
            hand[0], hand[1], hand[2] = _take(hand[0], hand[1], hand[2], p0, p1, p2)
            worth += points(p0, p1, p2, lay)
            at += 3 + n + m
        results[trick, T_WINNER], results[trick, T_POINTS] = winner, worth
        results[trick, T_SURE], results[trick, T_BEST] = sure and lead_sound, best
        broken |= ((1 << seats) - 1) & ~seen
        for seat in range(seats):
            if (broken >> seat) & 1:
                known &= ~(1 << seat)
                if _later(stream, at, tricks - trick - 1, seat, state, lay, shift(hands, 3 * seat)):
                    known |= 1 << seat
    return count
