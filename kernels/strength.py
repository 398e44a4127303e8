"""What a hand of die-wu-fen holds, as the features that bidding weighs: 33 cards, with trump known."""

from __future__ import annotations

from ._jit import kernel
from .bits import popcount

# By layout bit, the same for every trump suit: side suits of 11 cards, 4 to A, from bits 0, 11 and 22; trumps from 33
# on: 4 to A of the trump suit, three sub 2s, main 2, three sub 3s, main 3, small and big joker.
_SIDES = (1 << 33) - 1
_COLUMN = 1 | (1 << 11) | (1 << 22)
_ACES, _KINGS = _COLUMN << 10, _COLUMN << 9
_SUIT = (1 << 11) - 1

NAMES = (
    "trumps", "trump_pairs", "big_jokers", "small_jokers", "main_threes", "sub_threes", "twos", "aces", "ace_pairs",
    "kings", "side_pairs", "side_runs", "good_pairs", "voids", "short", "shortest", "middle", "trumps_squared",
    "shortest_by_pairs", "aces_squared", "trump_runs",
)  # fmt: skip
COUNT = len(NAMES)
#: What each feature is; cards are counted with their copies, pairs by face.
MEANING = (
    "trumps", "pairs of trumps", "big jokers", "small jokers", "3s of the trump suit", "other 3s", "2s", "side aces",
    "pairs of side aces", "side kings", "side pairs", "pairs of neighbouring side pairs", "side pairs from 10 on",
    "side suits not held", "cards short of three, all side suits together", "cards of the shortest side suit",
    "cards of the side suit of middle length", "trumps, squared", "cards of the shortest side suit times side pairs",
    "side aces, squared", "neighbouring pairs of trumps",
)  # fmt: skip
(
    TRUMPS, TRUMP_PAIRS, BIG_JOKERS, SMALL_JOKERS, MAIN_THREES, SUB_THREES, TWOS, ACES, ACE_PAIRS, KINGS, SIDE_PAIRS,
    SIDE_RUNS, GOOD_PAIRS, VOIDS, SHORT, SHORTEST, MIDDLE, SQUARED, SHORT_PAIRS, ACES_SQUARED, TRUMP_RUNS,
) = range(COUNT)  # fmt: skip


@kernel()
def features(w0, w1, out):
    """Write the ``COUNT`` features of a hand, two words by layout bit, to ``out``."""
    s0, s1 = w0 & _SIDES, w1 & _SIDES
    t0, t1 = w0 & ~_SIDES, w1 & ~_SIDES
    trumps, pairs = popcount(t0) + popcount(t1), popcount(s1)
    aces = popcount(s0 & _ACES) + popcount(s1 & _ACES)
    out[TRUMPS] = trumps
    out[TRUMP_PAIRS] = popcount(t1)
    out[BIG_JOKERS] = ((w0 >> 53) & 1) + ((w1 >> 53) & 1)
    out[SMALL_JOKERS] = ((w0 >> 52) & 1) + ((w1 >> 52) & 1)
    out[MAIN_THREES] = ((w0 >> 51) & 1) + ((w1 >> 51) & 1)
    out[SUB_THREES] = popcount(w0 & (7 << 48)) + popcount(w1 & (7 << 48))
    out[TWOS] = popcount(w0 & (15 << 44)) + popcount(w1 & (15 << 44))
    out[ACES] = aces
    out[ACE_PAIRS] = popcount(s1 & _ACES)
    out[KINGS] = popcount(s0 & _KINGS) + popcount(s1 & _KINGS)
    out[SIDE_PAIRS] = pairs
    out[SIDE_RUNS] = popcount(s1 & (s1 >> 1) & ~_ACES)
    out[GOOD_PAIRS] = popcount(s1 & (_COLUMN * 31 << 6))
    a = popcount(s0 & _SUIT) + popcount(s1 & _SUIT)
    b = popcount(s0 & (_SUIT << 11)) + popcount(s1 & (_SUIT << 11))
    c = popcount(s0 & (_SUIT << 22)) + popcount(s1 & (_SUIT << 22))
    low, high = min(a, b, c), max(a, b, c)
    out[VOIDS] = (1 if a == 0 else 0) + (1 if b == 0 else 0) + (1 if c == 0 else 0)
    out[SHORT] = max(0, 3 - a) + max(0, 3 - b) + max(0, 3 - c)
    out[SHORTEST] = low
    out[MIDDLE] = a + b + c - low - high
    out[SQUARED] = trumps * trumps
    out[SHORT_PAIRS] = low * pairs
    out[ACES_SQUARED] = aces * aces
    out[TRUMP_RUNS] = popcount(t1 & (t1 >> 1))


@kernel()
def strength(w0, w1, weights, notes):
    """What a hand is worth: weights[0] and each feature times its weight, from weights[1] on. ``notes``: ``COUNT``."""
    features(w0, w1, notes)
    total = weights[0]
    for k in range(COUNT):
        total += weights[1 + k] * notes[k]
    return total
