"""What the players know, as two int64 vectors.

``pub`` is what everybody at the table has seen; ``own`` what one seat alone knows. A policy gets ``pub``, its own row
of ``own``, the layout (rules and card order) and its weights, and nothing else: it cannot see the deal.

``pub`` begins with the lead of the current trick (``shapes``: N, SUIT, COUNT, MULTI, TYPES, TOPS). Before trump is
known cards are masks by face number, afterwards by layout bit.
"""

from __future__ import annotations

import numpy as np

from .rng import RNG_SIZE
from .shapes import LEAD_SIZE

# --- pub: the auction
FIRST = LEAD_SIZE  # first seat
TRUMP_CARD = FIRST + 1  # trump suit 0..3, or -1
CALLER = FIRST + 2  # seat that called trump first (HW-4: revealed a 2), or -1
CALL_SIZE = FIRST + 3  # 1: with one 3, 2: with a pair
CALL_SUIT = FIRST + 4
CALL_AFTER = FIRST + 5  # cards the caller held
COUNTERER = FIRST + 6  # seat that countered, or -1
COUNTER_SUIT = FIRST + 7
COUNTER_AFTER = FIRST + 8
OPENER = FIRST + 9  # provisional banker
BID = FIRST + 10  # highest bid so far
BIDDER = FIRST + 11  # who made it
PASSED = FIRST + 12  # mask of seats that passed
BIDS = FIRST + 13  # number of entries in BID_LOG
BANKER = FIRST + 14  # or -1
ATTEMPT_NO = FIRST + 15  # void deals before this one
# --- pub: hong-wu-wu-jia
PREVIOUS = FIRST + 16  # previous banker
NAMED = FIRST + 17  # bit of the named face, or -1
PARTNER = FIRST + 18  # seat of the partner once known, or -1
PARTNER_TRICK = FIRST + 19  # the trick in which it showed, or -1
# Whether it showed on a lead of the banker's of nothing but A's and K's of its suit: a direct partner, unless it held
# nothing else of that suit, which the others cannot know (HW-10).
ASKED = FIRST + 20
PRESSED = FIRST + 21  # whether nobody revealed (HW-5)
# The engine's: added to the streams that seats draw from, so that a deal can be played again with other lots of theirs.
REPLICA = FIRST + 22
# --- pub: the play
TRICK = FIRST + 24  # number of tricks finished
LEADER = FIRST + 25
POSITION = FIRST + 26  # plays made in this trick
BEST_SEAT = FIRST + 27  # who wins the trick so far
BEST = FIRST + 28  # how strongly: level in suit, 64 + level for a ruff
TRICK_POINTS = FIRST + 29
LEFT = FIRST + 30  # cards in each hand before this trick
THROWS = FIRST + 31
FAILED = FIRST + 32
SHOWN_SEATS = FIRST + 33  # hong-wu-wu-jia: mask of the seats that SHOWN has cards of
SEEN = FIRST + 36  # 3 words: all cards played in finished tricks and this one
PLAY = FIRST + 40  # 3 words a seat: what it played in this trick
TAKEN = FIRST + 56  # points in tricks won, a seat
VOID = FIRST + 62  # a seat: mask of the effective suits it has shown not to hold
FAULTS = FIRST + 68  # failed throws, a seat
# A seat: mask of the effective suits in which it has shown to hold no pair; in die-wu-fen only with cascade.
NO_PAIR = FIRST + 74
LOG = FIRST + 80  # whether HISTORY is kept; it costs 0.25 us a deal, and only replays read it
LAST_LEADER = FIRST + 81  # who led the last finished trick
BID_LOG = FIRST + 82  # 40 entries: seat * 1024 + bid, bid 0 for a pass
# --- pub: finished tricks, one row each
HISTORY = BID_LOG + 40
H_LEADER, H_WINNER, H_POINTS, H_SIZE, H_FAILED, H_RUFFED = 0, 1, 2, 3, 4, 5
H_KIND, H_COUNT = 6, 7  # type of the lead's first component, number of its components
H_ATTEMPT = 8  # 3 words: what was meant, when the throw failed
H_PLAYS = 11  # 3 words a seat
H_STRIDE = 26
MAX_TRICKS = 33
# --- pub: more of hong-wu-wu-jia
SHOWN = HISTORY + H_STRIDE * MAX_TRICKS  # 3 words a seat: what failed throws showed that it still holds
NO_TRIPLE = SHOWN + 15  # a seat, as NO_PAIR: suits without a triple
NO_TRACTOR = SHOWN + 20  # suits without a tractor of two levels
PUB_SIZE = SHOWN + 25


def fresh_pub() -> np.ndarray:
    """A new ``pub``, with HISTORY kept."""
    pub = np.zeros(PUB_SIZE, np.int64)
    pub[LOG] = 1
    return pub


# --- own
HAND = 0  # 3 words
BURIED = 3  # 3 words: the bottom as the banker left it, 0 for everyone else
SEAT = 6
CARDS = 7  # cards received so far
ASK_FROM = 9  # the engine's: no call is coming before this many cards
# Where a policy puts the cards it buries or plays. Not side by side: the compiler would read two words just written
# as one and wait for both to reach the cache, 11 % of a deal.
OUT, OUT_1, OUT_2 = 8, 10, 12
RNG = 14  # the reader of this seat's random stream
MEMORY = RNG + RNG_SIZE  # a policy's own notes, zero at the start of a deal
MEMORY_SIZE = 12
SCRATCH = MEMORY + MEMORY_SIZE  # working memory for one decision
SCRATCH_SIZE = 192
OWN_SIZE = SCRATCH + SCRATCH_SIZE
# In hong-wu-wu-jia a row after the last seat's is the engine's own: RNG reads the lots, and
DIRECT = MEMORY  # whether the partner is direct (HW-10)

# --- what a policy is asked
# Returns suit + 1 to call with one 3, suit + 5 with a pair, 0 not to (DWF-3); -k: not, and do not ask before there are
# k cards more (when all cards are dealt everybody is asked).
CALL = 0
COUNTER = 1  # returns suit + 5, or 0 or -k as above (DWF-4)
BID_TURN = 2  # returns the bid, 0 to pass (DWF-6)
BURY = 3  # OUT, OUT_1, OUT_2: the cards put down
LEAD = 4  # OUT: the cards led
FOLLOW = 5  # OUT: the cards played
# Returns suit + 1 to reveal a 2 of the suit, or 0 not to; -k: not, and do not ask before there are k cards more, not
# even for the last time (HW-4).
REVEAL = 6
NAME = 7  # returns the bit of the face named (HW-7)

# --- which of a seat's three policies decides
ROLE_BIDDING, ROLE_BANKER, ROLE_DEFENDER = 0, 1, 2
