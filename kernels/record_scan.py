"""The pieces of a record's JSON text: signs, numbers, cards, keys.

Positions are indexes into the text, or -1 once something unusual was met. The text ends with a zero byte, which no loop
passes.
"""

from __future__ import annotations

import numpy as np

from ._jit import kernel
from .record_layout import KEYS

_WIDTH = 20
_TEXTS = [*KEYS, "leader", "plays", "winner", "points", "seat", "cards", "attempt", "after_card", "card"]
IN_LEADER, IN_PLAYS, IN_WINNER, IN_POINTS, IN_SEAT, IN_CARDS, IN_ATTEMPT, IN_AFTER, IN_CARD = range(
    len(KEYS), len(KEYS) + 9
)
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

QUOTE, COMMA, COLON, OPEN, CLOSE, BEGIN, END, MINUS = (ord(sign) for sign in '",:{}[]-')


@kernel()
def past_blank(t, p):
    """Past any blanks."""
    while t[p] == 32 or t[p] == 9 or t[p] == 10 or t[p] == 13:
        p += 1
    return p


@kernel()
def past_sign(t, p, sign):
    """Past a sign and what blanks there are around it."""
    if p < 0:
        return -1
    p = past_blank(t, p)
    return past_blank(t, p + 1) if t[p] == sign else -1


@kernel()
def past_whole(t, p):
    """A whole number of at most nine digits: (past it, the number)."""
    if p < 0:
        return -1, 0
    negative = t[p] == MINUS
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
def past_long(t, p):
    """Past a whole number of any usual length."""
    if t[p] == MINUS:
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
def past_seat(t, p, seats):
    """A seat: (past it, the seat)."""
    if p < 0 or t[p] < 48 or t[p] >= 48 + seats or 48 <= t[p + 1] <= 57:
        return -1, 0
    return (-1, 0) if t[p + 1] == 46 or t[p + 1] == 69 or t[p + 1] == 101 else (p + 1, _DIGIT[t[p]])


@kernel()
def past_none(t, p):
    """Past null, or -1."""
    if p >= 0 and t[p] == 110 and t[p + 1] == 117 and t[p + 2] == 108 and t[p + 3] == 108:
        return p + 4
    return -1


@kernel()
def past_truth(t, p):
    """true or false: (past it, 1 or 0)."""
    if t[p] == 116 and t[p + 1] == 114 and t[p + 2] == 117 and t[p + 3] == 101:
        return p + 4, 1
    if t[p] == 102 and t[p + 1] == 97 and t[p + 2] == 108 and t[p + 3] == 115 and t[p + 4] == 101:
        return p + 5, 0
    return -1, 0


@kernel()
def past_word(t, p, which):
    """Past one of the words in quotes, or -1."""
    if t[p] != QUOTE:
        return -1
    p += 1
    k = 0
    while _WORD[which, k] != 0:
        if t[p] != _WORD[which, k]:
            return -1
        p += 1
        k += 1
    return p + 1 if t[p] == QUOTE else -1


@kernel()
def past_card(t, p):
    """A card: (past it, its face)."""
    if p < 0 or t[p] != QUOTE or t[p + 1] == 0 or t[p + 2] == 0 or t[p + 3] != QUOTE:
        return -1, 0
    suit, rank = _SUIT[t[p + 2]], _RANK[t[p + 1]]
    if suit >= 0 and rank >= 0:
        return p + 4, suit * 13 + rank
    if t[p + 2] == 74 and (t[p + 1] == 83 or t[p + 1] == 66):  # SJ, BJ
        return p + 4, 52 if t[p + 1] == 83 else 53
    return -1, 0


@kernel()
def past_cards(t, p, out, most):
    """A list of at most so many cards into ``out``: (past it, how many)."""
    p = past_sign(t, p, BEGIN)
    if p < 0:
        return -1, 0
    if t[p] == END:
        return p + 1, 0
    n = 0
    while True:
        p, face = past_card(t, p)
        if p < 0 or n == most:
            return -1, 0
        out[n] = face
        n += 1
        p = past_blank(t, p)
        if t[p] == END:
            return p + 1, n
        p = past_sign(t, p, COMMA)


@kernel()
def past_numbers(t, p, out, count):
    """Past a list of exactly so many whole numbers."""
    p = past_sign(t, p, BEGIN)
    for k in range(count):
        p, out[k] = past_whole(t, p)
        p = past_sign(t, p, END if k == count - 1 else COMMA)
    return p


@kernel()
def past_key(t, p, first, last):
    """One of the names first .. last - 1 and the colon after it: (past them, which), which -1 if it is none."""
    if p < 0 or t[p] != QUOTE:
        return -1, -1
    start = p + 1
    p = start
    while 97 <= t[p] <= 122 or t[p] == 95:
        p += 1
    length = p - start
    if t[p] != QUOTE or length == 0:
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
            return past_sign(t, p + 1, COLON), k
    return -1, -1


@kernel()
def past_entry(t, p, end):
    """After an entry: (past a comma, whether the list or object ends here and is passed)."""
    if p < 0:
        return -1, True
    p = past_blank(t, p)
    if t[p] == COMMA:
        return past_blank(t, p + 1), False
    return (p + 1, True) if t[p] == end else (-1, True)


@kernel()
def past_braces(t, p):
    """Past an object of plain strings, numbers, words and lists; that it is sound JSON is for others to see."""
    if t[p] != OPEN:
        return -1
    depth = 0
    while True:
        sign = t[p]
        if sign == 0 or sign >= 128 or sign == 92:
            return -1
        p += 1
        if sign == QUOTE:
            while t[p] != QUOTE:
                if t[p] == 0 or t[p] >= 128 or t[p] == 92:
                    return -1
                p += 1
            p += 1
        elif sign == OPEN or sign == BEGIN:
            depth += 1
        elif sign == CLOSE or sign == END:
            depth -= 1
            if depth == 0:
                return p


@kernel()
def past_suit(t, p):
    """A suit's letter in quotes: (past it, the suit)."""
    if t[p] != QUOTE or t[p + 1] == 0 or t[p + 2] != QUOTE or _SUIT[t[p + 1]] < 0:
        return -1, 0
    return p + 3, _SUIT[t[p + 1]]
