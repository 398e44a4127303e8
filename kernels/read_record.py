"""Reading a game record's JSON text into numbers, for records of the usual form.

Python's own reader is right about every text, but takes longer than all the judging. This one knows the keys of
docs/record.md and nothing else, and gives up at whatever is unusual: an escape in a string, a fraction, a key twice or
missing or unknown, a value that is not of its kind. Then the record is read the long way. What it does read means the
same there: tests compare the two.

Positions are indexes into the text, or -1 once something unusual was met. The text ends with a zero byte, which no loop
passes.
"""

from __future__ import annotations

import numpy as np
from numba import types

from ._jit import i64, kernel
from .memory import pointer, shift

KEYS = (
    "format game rules seed deal contract first_seat redeals hands bottom trump banker buried tricks captured "
    "bottom_points bottom_multiplier defender_points payoffs "
    "calls bids bid base result shutout penalties "
    "previous_banker reveal named partner partner_trick direct solo grade"
).split()
(
    FORMAT, GAME, RULES, SEED, DEAL, CONTRACT, FIRST_SEAT, REDEALS, HANDS, BOTTOM, TRUMP, BANKER, BURIED, TRICKS,
    CAPTURED, BOTTOM_POINTS, BOTTOM_MULTIPLIER, DEFENDER_POINTS, PAYOFFS, CALLS, BIDS, BID, BASE, RESULT, SHUTOUT,
    PENALTIES, PREVIOUS_BANKER, REVEAL, NAMED, PARTNER, PARTNER_TRICK, DIRECT, SOLO, GRADE,
) = range(len(KEYS))  # fmt: skip
_COMMON = (1 << (PAYOFFS + 1)) - 1
_OPTIONAL = (1 << SEED) | (1 << DEAL) | (1 << CONTRACT)
#: Which keys a record of each game has.
_NEEDED = np.array(
    [
        (_COMMON & ~_OPTIONAL) | ((1 << PREVIOUS_BANKER) - (1 << CALLS)),
        (_COMMON & ~_OPTIONAL) | ((1 << (GRADE + 1)) - (1 << PREVIOUS_BANKER)),
    ]
)

# --- what comes out: an int64 vector
SEEN = 0  # which keys there are
VALUE = 1  # a number for each key that has one: seats, points, faces, 0 or 1; -1 for null
RULES_END = VALUE + len(KEYS)  # the rules are the text from VALUE + RULES to here
PAID, FINED = RULES_END + 1, RULES_END + 6  # payoffs and penalties, a seat
CALL_COUNT = FINED + 5
CALL = CALL_COUNT + 1  # 2 times: seat, after_card, number of cards, two cards
BID_COUNT = CALL + 10
BID_LOG = BID_COUNT + 1  # seat and bid (-1: pass), in turn
MOST_BIDS = 40
REVEAL_AFTER, REVEAL_CARD = BID_LOG + 2 * MOST_BIDS, BID_LOG + 2 * MOST_BIDS + 1  # REVEAL: the seat
#: Blocks of cards, each a number and the cards: a hand a seat, then the bottom and what was buried.
CARDS = REVEAL_CARD + 1
BLOCK = 40
BLOCKS = 7
TRICK_COUNT = CARDS + BLOCKS * BLOCK
MOST_TRICKS = 33
LEADERS, WINNERS = TRICK_COUNT + 1, TRICK_COUNT + 1 + MOST_TRICKS
WORTHS, FAILED = WINNERS + MOST_TRICKS, WINNERS + 2 * MOST_TRICKS
TURNS = FAILED + 5  # 5 a trick: the seats in playing order, -1 where nobody is left
LAST_TRICK = TURNS + 5 * MOST_TRICKS  # where it begins in the stream
STREAM_END = LAST_TRICK + 1  # how long the stream is
STREAM = STREAM_END + 1  # as ``audit`` takes it
STREAM_SIZE = 2048
SIZE = STREAM + STREAM_SIZE

_WIDTH = 20
_TEXTS = [*KEYS, "leader", "plays", "winner", "points", "seat", "cards", "attempt", "after_card", "card"]
_LEADER, _PLAYS, _WINNER, _POINTS, _SEAT, _CARDS, _ATTEMPT, _AFTER, _CARD = range(len(KEYS), len(KEYS) + 9)
_NAMES = np.zeros((len(_TEXTS), _WIDTH), np.int64)
_LENGTHS = np.array([len(name) for name in _TEXTS])
for _row, _name in zip(_NAMES, _TEXTS, strict=True):
    _row[: len(_name)] = list(_name.encode())
_WORDS = [word.encode() for word in ("tuolaji-record/1", "die-wu-fen", "hong-wu-wu-jia", "made", "broken")]
_WORD = np.zeros((len(_WORDS), _WIDTH), np.int64)
for _row, _word in zip(_WORD, _WORDS, strict=True):
    _row[: len(_word)] = list(_word)
_SUIT, _RANK = np.full(256, -1), np.full(256, -1)
_SUIT[list(b"shcd")] = range(4)
_RANK[list(b"23456789TJQKA")] = range(13)
_DIGIT = np.arange(256) - 48

_QUOTE, _COMMA, _COLON, _OPEN, _CLOSE, _BEGIN, _END, _MINUS = (ord(sign) for sign in '",:{}[]-')


@kernel()
def _blank(t, p):
    """Past any blanks."""
    while t[p] == 32 or t[p] == 9 or t[p] == 10 or t[p] == 13:
        p += 1
    return p


@kernel()
def _sign(t, p, sign):
    """Past a sign and what blanks there are around it."""
    if p < 0:
        return -1
    p = _blank(t, p)
    return _blank(t, p + 1) if t[p] == sign else -1


@kernel()
def _whole(t, p):
    """A whole number of at most nine digits: (past it, the number)."""
    if p < 0:
        return -1, 0
    negative = t[p] == _MINUS
    if negative:
        p += 1
    start, value = p, 0
    while 48 <= t[p] <= 57:
        value = value * 10 + _DIGIT[t[p]]
        p += 1
        if p - start > 9:
            return -1, 0
    digits = p - start
    if digits == 0 or (digits > 1 and t[start] == 48) or t[p] == 46 or t[p] == 69 or t[p] == 101:
        return -1, 0
    return p, -value if negative else value


@kernel()
def _long(t, p):
    """Past a whole number of any usual length."""
    if t[p] == _MINUS:
        p += 1
    start = p
    while 48 <= t[p] <= 57:
        p += 1
    digits = p - start
    if (
        digits == 0
        or digits > 20
        or (digits > 1 and t[start] == 48)
        or t[p] == 46
        or t[p] == 69
        or t[p] == 101
    ):
        return -1
    return p


@kernel()
def _seat(t, p, seats):
    """A seat: (past it, the seat)."""
    if p < 0 or t[p] < 48 or t[p] >= 48 + seats or 48 <= t[p + 1] <= 57:
        return -1, 0
    return (-1, 0) if t[p + 1] == 46 or t[p + 1] == 69 or t[p + 1] == 101 else (p + 1, _DIGIT[t[p]])


@kernel()
def _none(t, p):
    """Past null, or -1."""
    if p >= 0 and t[p] == 110 and t[p + 1] == 117 and t[p + 2] == 108 and t[p + 3] == 108:
        return p + 4
    return -1


@kernel()
def _truth(t, p):
    """true or false: (past it, 1 or 0)."""
    if t[p] == 116 and t[p + 1] == 114 and t[p + 2] == 117 and t[p + 3] == 101:
        return p + 4, 1
    if t[p] == 102 and t[p + 1] == 97 and t[p + 2] == 108 and t[p + 3] == 115 and t[p + 4] == 101:
        return p + 5, 0
    return -1, 0


@kernel()
def _word(t, p, which):
    """Past one of the words in quotes, or -1."""
    if t[p] != _QUOTE:
        return -1
    p += 1
    k = 0
    while _WORD[which, k] != 0:
        if t[p] != _WORD[which, k]:
            return -1
        p += 1
        k += 1
    return p + 1 if t[p] == _QUOTE else -1


@kernel()
def _card(t, p):
    """A card: (past it, its face)."""
    if p < 0 or t[p] != _QUOTE or t[p + 1] == 0 or t[p + 2] == 0 or t[p + 3] != _QUOTE:
        return -1, 0
    suit, rank = _SUIT[t[p + 2]], _RANK[t[p + 1]]
    if suit >= 0 and rank >= 0:
        return p + 4, suit * 13 + rank
    if t[p + 2] == 74 and (t[p + 1] == 83 or t[p + 1] == 66):  # SJ, BJ
        return p + 4, 52 if t[p + 1] == 83 else 53
    return -1, 0


@kernel()
def _cards(t, p, out, most):
    """A list of at most so many cards into ``out``: (past it, how many)."""
    p = _sign(t, p, _BEGIN)
    if p < 0:
        return -1, 0
    if t[p] == _END:
        return p + 1, 0
    n = 0
    while True:
        p, face = _card(t, p)
        if p < 0 or n == most:
            return -1, 0
        out[n] = face
        n += 1
        p = _blank(t, p)
        if t[p] == _END:
            return p + 1, n
        p = _sign(t, p, _COMMA)


@kernel()
def _numbers(t, p, out, count):
    """Past a list of exactly so many whole numbers."""
    p = _sign(t, p, _BEGIN)
    for k in range(count):
        p, out[k] = _whole(t, p)
        p = _sign(t, p, _END if k == count - 1 else _COMMA)
    return p


@kernel()
def _key(t, p, first, last):
    """One of the names first .. last - 1 and the colon after it: (past them, which), which -1 if it is none."""
    if p < 0 or t[p] != _QUOTE:
        return -1, -1
    start = p + 1
    p = start
    while 97 <= t[p] <= 122 or t[p] == 95:
        p += 1
    length = p - start
    if t[p] != _QUOTE or length == 0:
        return -1, -1
    for k in range(first, last):
        if _LENGTHS[k] != length or _NAMES[k, 0] != t[start]:
            continue
        same = True
        for i in range(1, length):
            if _NAMES[k, i] != t[start + i]:
                same = False
                break
        if same:
            return _sign(t, p + 1, _COLON), k
    return -1, -1


@kernel()
def _next(t, p, end):
    """After an entry: (past a comma, whether the list or object ends here and is passed)."""
    if p < 0:
        return -1, True
    p = _blank(t, p)
    if t[p] == _COMMA:
        return _blank(t, p + 1), False
    return (p + 1, True) if t[p] == end else (-1, True)


@kernel()
def _rules(t, p):
    """Past an object of plain strings, numbers, words and lists; that it is sound JSON is for others to see."""
    if t[p] != _OPEN:
        return -1
    depth = 0
    while True:
        sign = t[p]
        if sign == 0 or sign >= 128 or sign == 92:
            return -1
        p += 1
        if sign == _QUOTE:
            while t[p] != _QUOTE:
                if t[p] == 0 or t[p] >= 128 or t[p] == 92:
                    return -1
                p += 1
            p += 1
        elif sign == _OPEN or sign == _BEGIN:
            depth += 1
        elif sign == _CLOSE or sign == _END:
            depth -= 1
            if depth == 0:
                return p


@kernel()
def _play(t, p, out, at, seats, most):
    """A play into the stream at ``at``: (past it, past it in the stream)."""
    p = _sign(t, p, _OPEN)
    seen = 0
    last = False
    while not last:
        p, key = _key(t, p, _SEAT, _AFTER)
        if p < 0 or (seen >> key) & 1:
            return -1, at
        seen |= 1 << key
        if key == _SEAT:
            p, out[at] = _seat(t, p, seats)
        elif key == _CARDS:
            p, out[at + 1] = _cards(t, p, shift(out, at + 3), most)
            out[at + 2] = 0
            if out[at + 1] == 0:
                return -1, at
        else:
            if (seen >> _CARDS) & 1 == 0:
                return -1, at
            p, out[at + 2] = _cards(t, p, shift(out, at + 3 + out[at + 1]), most)
            if out[at + 2] == 0:
                return -1, at
        p, last = _next(t, p, _CLOSE)
    if p < 0 or (seen >> _SEAT) & 3 != 3:
        return -1, at
    return p, at + 3 + out[at + 1] + out[at + 2]


@kernel()
def _trick(t, p, out, number, at, seats, most):
    """A trick into the vector, its plays into the stream at ``at``: (past it, past it in the stream)."""
    p = _sign(t, p, _OPEN)
    seen = 0
    last = False
    end = at
    while not last:
        p, key = _key(t, p, _LEADER, _SEAT)
        if p < 0 or (seen >> key) & 1:
            return -1, at
        seen |= 1 << key
        if key == _LEADER:
            p, out[LEADERS + number] = _seat(t, p, seats)
        elif key == _WINNER:
            p, out[WINNERS + number] = _seat(t, p, seats)
        elif key == _POINTS:
            p, out[WORTHS + number] = _whole(t, p)
        else:
            p = _sign(t, p, _BEGIN)
            plays = 0
            end = at + 1
            ended = False
            while not ended:
                if plays == seats or end + 3 + 2 * most >= STREAM + STREAM_SIZE:
                    return -1, at
                head = end
                p, end = _play(t, p, out, end, seats, most)
                if p < 0:
                    return -1, at
                out[TURNS + 5 * number + plays] = out[head]
                if out[head + 2]:
                    out[FAILED + out[head]] += 1
                plays += 1
                p, ended = _next(t, p, _END)
            out[at] = plays
            for k in range(plays, 5):
                out[TURNS + 5 * number + k] = -1
        p, last = _next(t, p, _CLOSE)
    if p < 0 or (seen >> _LEADER) & 15 != 15:
        return -1, at
    return p, end


@kernel()
def _tricks(t, p, out, seats, most):
    """Past the tricks."""
    p = _sign(t, p, _BEGIN)
    at, number = STREAM, 0
    last = False
    while not last:
        if p < 0 or number == most:
            return -1
        out[LAST_TRICK] = at - STREAM
        p, at = _trick(t, p, out, number, at, seats, most)
        number += 1
        p, last = _next(t, p, _END)
    out[TRICK_COUNT], out[STREAM_END] = number, at - STREAM
    return p


@kernel()
def _calls(t, p, out, seats):
    """Past the calls."""
    p = _sign(t, p, _BEGIN)
    out[CALL_COUNT] = 0
    if p >= 0 and t[p] == _END:
        return p + 1
    last = False
    while not last:
        if out[CALL_COUNT] == 2:
            return -1
        at = CALL + 5 * out[CALL_COUNT]
        p = _sign(t, p, _OPEN)
        seen = 0
        ended = False
        while not ended:
            p, key = _key(t, p, _SEAT, _CARD)
            if p < 0 or (seen >> key) & 1:
                return -1
            seen |= 1 << key
            if key == _SEAT:
                p, out[at] = _seat(t, p, seats)
            elif key == _CARDS:
                p, out[at + 2] = _cards(t, p, shift(out, at + 3), 2)
                if out[at + 2] == 0:
                    return -1
            elif key == _AFTER:
                p, out[at + 1] = _whole(t, p)
            else:
                return -1
            p, ended = _next(t, p, _CLOSE)
        if p < 0 or seen != (1 << _SEAT) | (1 << _CARDS) | (1 << _AFTER):
            return -1
        out[CALL_COUNT] += 1
        p, last = _next(t, p, _END)
    return p


@kernel()
def _bids(t, p, out, seats):
    """Past the bids."""
    p = _sign(t, p, _BEGIN)
    out[BID_COUNT] = 0
    if p >= 0 and t[p] == _END:
        return p + 1
    last = False
    while not last:
        if out[BID_COUNT] == MOST_BIDS:
            return -1
        at = BID_LOG + 2 * out[BID_COUNT]
        p = _sign(t, p, _OPEN)
        seen = 0
        ended = False
        while not ended:
            p, key = _key(t, p, BID, _CARDS)
            if p < 0 or (seen >> key) & 1:
                return -1
            seen |= 1 << key
            if key == _SEAT:
                p, out[at] = _seat(t, p, seats)
            elif key == BID:
                past = _none(t, p)
                out[at + 1] = -1
                if past >= 0:
                    p = past
                else:
                    p, out[at + 1] = _whole(t, p)
                    if out[at + 1] < 0:
                        return -1
            else:
                return -1
            p, ended = _next(t, p, _CLOSE)
        if p < 0 or seen != (1 << _SEAT) | (1 << BID):
            return -1
        out[BID_COUNT] += 1
        p, last = _next(t, p, _END)
    return p


@kernel()
def _reveal(t, p, out, seats):
    """Past the reveal, or null."""
    past = _none(t, p)
    out[VALUE + REVEAL] = -1
    if past >= 0:
        return past
    p = _sign(t, p, _OPEN)
    seen = 0
    ended = False
    while not ended:
        p, key = _key(t, p, _SEAT, _CARD + 1)
        if p < 0 or (seen >> key) & 1:
            return -1
        seen |= 1 << key
        if key == _SEAT:
            p, out[VALUE + REVEAL] = _seat(t, p, seats)
        elif key == _CARD:
            p, out[REVEAL_CARD] = _card(t, p)
        elif key == _AFTER:
            p, out[REVEAL_AFTER] = _whole(t, p)
        else:
            return -1
        p, ended = _next(t, p, _CLOSE)
    return p if seen == (1 << _SEAT) | (1 << _CARD) | (1 << _AFTER) else -1


@kernel()
def _suit(t, p):
    """A suit's letter in quotes: (past it, the suit)."""
    if t[p] != _QUOTE or t[p + 1] == 0 or t[p + 2] != _QUOTE or _SUIT[t[p + 1]] < 0:
        return -1, 0
    return p + 3, _SUIT[t[p + 1]]


@kernel()
def _hands(t, p, out, seats, most):
    """Past the hands."""
    p = _sign(t, p, _BEGIN)
    for seat in range(seats):
        if p < 0:
            return -1
        at = CARDS + BLOCK * seat
        p, out[at] = _cards(t, p, shift(out, at + 1), most)
        p = _sign(t, p, _END if seat == seats - 1 else _COMMA)
    return p


@kernel()
def _value(t, p, key, out, game):
    """Past the value of a key, which goes into the vector; the game is known."""
    seats, most = (3, 33) if game == 0 else (5, 31)
    at = VALUE + key
    if key == FORMAT:
        return _word(t, p, 0)
    if key == RULES:
        out[at] = p
        p = _rules(t, p)
        out[RULES_END] = p
        return p
    if key == SEED or key == DEAL:
        return _long(t, p)
    if key == CONTRACT or key == SHUTOUT or key == DIRECT or key == SOLO:
        p, out[at] = _truth(t, p)
        return p
    if key == FIRST_SEAT or key == BANKER or key == PREVIOUS_BANKER:
        p, out[at] = _seat(t, p, seats)
        return p
    if key == PARTNER or key == PARTNER_TRICK:
        out[at] = -1
        past = _none(t, p)
        if past >= 0:
            return past
        p, out[at] = _whole(t, p)
        return -1 if out[at] < 0 or (key == PARTNER and out[at] >= seats) else p
    if key == HANDS:
        return _hands(t, p, out, seats, most)
    if key == BOTTOM or key == BURIED:
        block = CARDS + BLOCK * (5 if key == BOTTOM else 6)
        p, out[block] = _cards(t, p, shift(out, block + 1), most)
        return p
    if key == TRUMP:
        p, out[at] = _suit(t, p)
        return p
    if key == NAMED:
        p, out[at] = _card(t, p)
        return p
    if key == TRICKS:
        return _tricks(t, p, out, seats, most)
    if key == PAYOFFS:
        return _numbers(t, p, shift(out, PAID), seats)
    if key == PENALTIES:
        return _numbers(t, p, shift(out, FINED), seats)
    if key == CALLS:
        return _calls(t, p, out, seats)
    if key == BIDS:
        return _bids(t, p, out, seats)
    if key == RESULT:
        past = _word(t, p, 3)
        out[at] = 0 if past >= 0 else 1
        return past if past >= 0 else _word(t, p, 4)
    if key == REVEAL:
        return _reveal(t, p, out, seats)
    p, out[at] = _whole(t, p)
    return p


@kernel(i64(types.Array(types.uint8, 1, "C", readonly=True), types.Array(i64, 1, "C")))
def read(text, vector):
    """Read a record into ``vector`` (int64[SIZE]); the game (0, 1), or -1 for a text to be read the long way.

    ``text``: UTF-8, with a zero byte at its end and none before.
    """
    out = pointer(vector)
    t = text
    for k in range(5):
        out[FAILED + k] = 0
    p = _sign(t, 0, _OPEN)
    seen = 0
    game = -1
    last = False
    while not last:
        p, key = _key(t, p, 0, GRADE + 1)
        if p < 0 or (seen >> key) & 1 or (game < 0 and key > GAME):
            return -1
        seen |= 1 << key
        if key == GAME:
            past = _word(t, p, 1)
            game = 0 if past >= 0 else 1
            p = past if past >= 0 else _word(t, p, 2)
        else:
            p = _value(t, p, key, out, game)
        p, last = _next(t, p, _CLOSE)
    if p < 0 or seen & ~_OPTIONAL != _NEEDED[game]:
        return -1
    p = _blank(t, p)
    out[SEEN] = seen
    return game if t[p] == 0 and p == len(t) - 1 else -1
