"""Where `read_record` leaves what it reads: the keys of a record, and places in an int64 vector."""

from __future__ import annotations

import numpy as np

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
OPTIONAL = (1 << SEED) | (1 << DEAL) | (1 << CONTRACT)
#: Which keys a record of each game has.
NEEDED = np.array(
    [
        (_COMMON & ~OPTIONAL) | ((1 << PREVIOUS_BANKER) - (1 << CALLS)),
        (_COMMON & ~OPTIONAL) | ((1 << (GRADE + 1)) - (1 << PREVIOUS_BANKER)),
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
