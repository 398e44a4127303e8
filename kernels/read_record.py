"""Reading a game record's JSON text into numbers, for records of the usual form.

Python's own reader is right about every text, but takes longer than all the judging. This one knows the keys of
docs/record.md and nothing else, and gives up at whatever is unusual: an escape in a string, a fraction, a key twice or
missing or unknown, a value that is not of its kind. Then the record is read the long way. What it does read means the
same there: tests compare the two.
"""

from __future__ import annotations

from numba import types

from . import record_layout as r
from ._jit import i64, kernel
from .memory import pointer, shift
from .record_scan import (
    BEGIN,
    CLOSE,
    COMMA,
    END,
    IN_AFTER,
    IN_CARD,
    IN_CARDS,
    IN_LEADER,
    IN_POINTS,
    IN_SEAT,
    IN_WINNER,
    OPEN,
    past_blank,
    past_braces,
    past_card,
    past_cards,
    past_entry,
    past_key,
    past_long,
    past_none,
    past_numbers,
    past_seat,
    past_sign,
    past_suit,
    past_truth,
    past_whole,
    past_word,
)


@kernel()
def _play(t, p, out, at, seats, most):
    """A play into the stream at ``at``: (past it, past it in the stream)."""
    p = past_sign(t, p, OPEN)
    seen = 0
    last = False
    while not last:
        p, key = past_key(t, p, IN_SEAT, IN_AFTER)
        if p < 0 or (seen >> key) & 1:
            return -1, at
        seen |= 1 << key
        if key == IN_SEAT:
            p, out[at] = past_seat(t, p, seats)
        elif key == IN_CARDS:
            p, out[at + 1] = past_cards(t, p, shift(out, at + 3), most)
            out[at + 2] = 0
            if out[at + 1] == 0:
                return -1, at
        else:
            if (seen >> IN_CARDS) & 1 == 0:
                return -1, at
            p, out[at + 2] = past_cards(t, p, shift(out, at + 3 + out[at + 1]), most)
            if out[at + 2] == 0:
                return -1, at
        p, last = past_entry(t, p, CLOSE)
    if p < 0 or (seen >> IN_SEAT) & 3 != 3:
        return -1, at
    return p, at + 3 + out[at + 1] + out[at + 2]


@kernel()
def _trick(t, p, out, number, at, seats, most):
    """A trick into the vector, its plays into the stream at ``at``: (past it, past it in the stream)."""
    p = past_sign(t, p, OPEN)
    seen = 0
    last = False
    end = at
    while not last:
        p, key = past_key(t, p, IN_LEADER, IN_SEAT)
        if p < 0 or (seen >> key) & 1:
            return -1, at
        seen |= 1 << key
        if key == IN_LEADER:
            p, out[r.LEADERS + number] = past_seat(t, p, seats)
        elif key == IN_WINNER:
            p, out[r.WINNERS + number] = past_seat(t, p, seats)
        elif key == IN_POINTS:
            p, out[r.WORTHS + number] = past_whole(t, p)
        else:
            p = past_sign(t, p, BEGIN)
            plays = 0
            end = at + 1
            ended = False
            while not ended:
                if plays == seats or end + 3 + 2 * most >= r.STREAM + r.STREAM_SIZE:
                    return -1, at
                head = end
                p, end = _play(t, p, out, end, seats, most)
                if p < 0:
                    return -1, at
                out[r.TURNS + 5 * number + plays] = out[head]
                if out[head + 2]:
                    out[r.FAILED + out[head]] += 1
                plays += 1
                p, ended = past_entry(t, p, END)
            out[at] = plays
            for k in range(plays, 5):
                out[r.TURNS + 5 * number + k] = -1
        p, last = past_entry(t, p, CLOSE)
    if p < 0 or (seen >> IN_LEADER) & 15 != 15:
        return -1, at
    return p, end


@kernel()
def _tricks(t, p, out, seats, most):
    """Past the tricks."""
    p = past_sign(t, p, BEGIN)
    at, number = r.STREAM, 0
    last = False
    while not last:
        if p < 0 or number == most:
            return -1
        out[r.LAST_TRICK] = at - r.STREAM
        p, at = _trick(t, p, out, number, at, seats, most)
        number += 1
        p, last = past_entry(t, p, END)
    out[r.TRICK_COUNT], out[r.STREAM_END] = number, at - r.STREAM
    return p


@kernel()
def _calls(t, p, out, seats):
    """Past the calls."""
    p = past_sign(t, p, BEGIN)
    out[r.CALL_COUNT] = 0
    if p >= 0 and t[p] == END:
        return p + 1
    last = False
    while not last:
        if out[r.CALL_COUNT] == 2:
            return -1
        at = r.CALL + 5 * out[r.CALL_COUNT]
        p = past_sign(t, p, OPEN)
        seen = 0
        ended = False
        while not ended:
            p, key = past_key(t, p, IN_SEAT, IN_CARD)
            if p < 0 or (seen >> key) & 1:
                return -1
            seen |= 1 << key
            if key == IN_SEAT:
                p, out[at] = past_seat(t, p, seats)
            elif key == IN_CARDS:
                p, out[at + 2] = past_cards(t, p, shift(out, at + 3), 2)
                if out[at + 2] == 0:
                    return -1
            elif key == IN_AFTER:
                p, out[at + 1] = past_whole(t, p)
            else:
                return -1
            p, ended = past_entry(t, p, CLOSE)
        if p < 0 or seen != (1 << IN_SEAT) | (1 << IN_CARDS) | (1 << IN_AFTER):
            return -1
        out[r.CALL_COUNT] += 1
        p, last = past_entry(t, p, END)
    return p


@kernel()
def _bids(t, p, out, seats):
    """Past the bids."""
    p = past_sign(t, p, BEGIN)
    out[r.BID_COUNT] = 0
    if p >= 0 and t[p] == END:
        return p + 1
    last = False
    while not last:
        if out[r.BID_COUNT] == r.MOST_BIDS:
            return -1
        at = r.BID_LOG + 2 * out[r.BID_COUNT]
        p = past_sign(t, p, OPEN)
        seen = 0
        ended = False
        while not ended:
            p, key = past_key(t, p, r.BID, IN_CARDS)
            if p < 0 or (seen >> key) & 1:
                return -1
            seen |= 1 << key
            if key == IN_SEAT:
                p, out[at] = past_seat(t, p, seats)
            elif key == r.BID:
                past = past_none(t, p)
                out[at + 1] = -1
                if past >= 0:
                    p = past
                else:
                    p, out[at + 1] = past_whole(t, p)
                    if out[at + 1] < 0:
                        return -1
            else:
                return -1
            p, ended = past_entry(t, p, CLOSE)
        if p < 0 or seen != (1 << IN_SEAT) | (1 << r.BID):
            return -1
        out[r.BID_COUNT] += 1
        p, last = past_entry(t, p, END)
    return p


@kernel()
def _reveal(t, p, out, seats):
    """Past the reveal, or null."""
    past = past_none(t, p)
    out[r.VALUE + r.REVEAL] = -1
    if past >= 0:
        return past
    p = past_sign(t, p, OPEN)
    seen = 0
    ended = False
    while not ended:
        p, key = past_key(t, p, IN_SEAT, IN_CARD + 1)
        if p < 0 or (seen >> key) & 1:
            return -1
        seen |= 1 << key
        if key == IN_SEAT:
            p, out[r.VALUE + r.REVEAL] = past_seat(t, p, seats)
        elif key == IN_CARD:
            p, out[r.REVEAL_CARD] = past_card(t, p)
        elif key == IN_AFTER:
            p, out[r.REVEAL_AFTER] = past_whole(t, p)
        else:
            return -1
        p, ended = past_entry(t, p, CLOSE)
    return p if seen == (1 << IN_SEAT) | (1 << IN_CARD) | (1 << IN_AFTER) else -1


@kernel()
def _hands(t, p, out, seats, most):
    """Past the hands."""
    p = past_sign(t, p, BEGIN)
    for seat in range(seats):
        if p < 0:
            return -1
        at = r.CARDS + r.BLOCK * seat
        p, out[at] = past_cards(t, p, shift(out, at + 1), most)
        p = past_sign(t, p, END if seat == seats - 1 else COMMA)
    return p


@kernel()
def _value(t, p, key, out, game):
    """Past the value of a key, which goes into the vector; the game is known."""
    seats, most = (3, 33) if game == 0 else (5, 31)
    at = r.VALUE + key
    if key == r.FORMAT:
        return past_word(t, p, 0)
    if key == r.RULES:
        out[at] = p
        p = past_braces(t, p)
        out[r.RULES_END] = p
        return p
    if key == r.SEED or key == r.DEAL:
        return past_long(t, p)
    if key == r.CONTRACT or key == r.SHUTOUT or key == r.DIRECT or key == r.SOLO:
        p, out[at] = past_truth(t, p)
        return p
    if key == r.FIRST_SEAT or key == r.BANKER or key == r.PREVIOUS_BANKER:
        p, out[at] = past_seat(t, p, seats)
        return p
    if key == r.PARTNER or key == r.PARTNER_TRICK:
        out[at] = -1
        past = past_none(t, p)
        if past >= 0:
            return past
        p, out[at] = past_whole(t, p)
        return -1 if out[at] < 0 or (key == r.PARTNER and out[at] >= seats) else p
    if key == r.HANDS:
        return _hands(t, p, out, seats, most)
    if key == r.BOTTOM or key == r.BURIED:
        block = r.CARDS + r.BLOCK * (5 if key == r.BOTTOM else 6)
        p, out[block] = past_cards(t, p, shift(out, block + 1), most)
        return p
    if key == r.TRUMP:
        p, out[at] = past_suit(t, p)
        return p
    if key == r.NAMED:
        p, out[at] = past_card(t, p)
        return p
    if key == r.TRICKS:
        return _tricks(t, p, out, seats, most)
    if key == r.PAYOFFS:
        return past_numbers(t, p, shift(out, r.PAID), seats)
    if key == r.PENALTIES:
        return past_numbers(t, p, shift(out, r.FINED), seats)
    if key == r.CALLS:
        return _calls(t, p, out, seats)
    if key == r.BIDS:
        return _bids(t, p, out, seats)
    if key == r.RESULT:
        past = past_word(t, p, 3)
        out[at] = 0 if past >= 0 else 1
        return past if past >= 0 else past_word(t, p, 4)
    if key == r.REVEAL:
        return _reveal(t, p, out, seats)
    p, out[at] = past_whole(t, p)
    return p


@kernel(i64(types.Array(types.uint8, 1, "C", readonly=True), types.Array(i64, 1, "C")))
def read(text, vector):
    """Read a record into ``vector`` (int64[r.SIZE]); the game (0, 1), or -1 for a text to be read the long way.

    ``text``: UTF-8, with a zero byte at its end and none before.
    """
    out = pointer(vector)
    t = text
    for k in range(5):
        out[r.FAILED + k] = 0
    p = past_sign(t, 0, OPEN)
    seen = 0
    game = -1
    last = False
    while not last:
        p, key = past_key(t, p, 0, r.GRADE + 1)
        if p < 0 or (seen >> key) & 1 or (game < 0 and key > r.GAME):
            return -1
        seen |= 1 << key
        if key == r.GAME:
            past = past_word(t, p, 1)
            game = 0 if past >= 0 else 1
            p = past if past >= 0 else past_word(t, p, 2)
        else:
            p = _value(t, p, key, out, game)
        p, last = past_entry(t, p, CLOSE)
    if p < 0 or seen & ~r.OPTIONAL != r.NEEDED[game]:
        return -1
    p = past_blank(t, p)
    out[r.SEEN] = seen
    return game if t[p] == 0 and p == len(t) - 1 else -1
