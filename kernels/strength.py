"""What a hand of die-wu-fen holds, as the features that bidding weighs: 33 cards, with trump known."""

from __future__ import annotations

from ._jit import kernel
from .bits import popcount
from .layout import points

# By layout bit, the same for every trump suit: side suits of 11 cards, 4 to A, from bits 0, 11 and 22; trumps from 33
# on: 4 to A of the trump suit, three sub 2s, main 2, three sub 3s, main 3, small and big joker.
_SIDES = (1 << 33) - 1
_COLUMN = 1 | (1 << 11) | (1 << 22)
_ACES, _KINGS = _COLUMN << 10, _COLUMN << 9
_SUIT = (1 << 11) - 1

NAMES = (
    "trumps", "trump_pairs", "big_jokers", "small_jokers", "main_threes", "sub_threes", "twos", "trump_aces",
    "top_pairs", "trump_runs", "aces", "ace_pairs", "kings", "side_pairs", "side_runs", "voids", "shortest",
    "middle", "points", "trumps_squared", "trumps_by_pairs", "good_pairs",
)  # fmt: skip
COUNT = len(NAMES)
#: What each feature is; cards are counted with their copies, pairs by face.
MEANING = (
    "trumps", "pairs of trumps", "big jokers", "small jokers", "3s of the trump suit", "other 3s", "2s",
    "aces of the trump suit", "pairs of jokers and 3s", "pairs of neighbouring pairs of trumps", "side aces",
    "pairs of side aces", "side kings", "side pairs", "pairs of neighbouring side pairs", "side suits not held",
    "cards in the shortest side suit", "cards in the side suit of middle length", "card points",
    "trumps, squared", "trumps times pairs of trumps", "side pairs from 10 on",
)  # fmt: skip
(
    TRUMPS, TRUMP_PAIRS, BIG_JOKERS, SMALL_JOKERS, MAIN_THREES, SUB_THREES, TWOS, TRUMP_ACES, TOP_PAIRS, TRUMP_RUNS,
    ACES, ACE_PAIRS, KINGS, SIDE_PAIRS, SIDE_RUNS, VOIDS, SHORTEST, MIDDLE, POINTS, SQUARED, BY_PAIRS, GOOD_PAIRS,
) = range(COUNT)  # fmt: skip


@kernel()
def levels_paired(pairs):
    """The levels of trumps (17, from bit 0) at which a word of pairs has one: equal 2s and 3s count once."""
    word = pairs >> 33
    found = word & 0x7FF
    if word & (7 << 11):
        found |= 1 << 11
    found |= ((word >> 14) & 1) << 12
    if word & (7 << 15):
        found |= 1 << 13
    return found | (((word >> 18) & 7) << 14)


@kernel()
def features(w0, w1, lay, out):
    """Write the ``COUNT`` features of a hand, two words by layout bit, to ``out``."""
    s0, s1 = w0 & _SIDES, w1 & _SIDES
    t0, t1 = w0 & ~_SIDES, w1 & ~_SIDES
    trumps, pairs = popcount(t0) + popcount(t1), popcount(t1)
    out[TRUMPS] = trumps
    out[TRUMP_PAIRS] = pairs
    out[BIG_JOKERS] = ((w0 >> 53) & 1) + ((w1 >> 53) & 1)
    out[SMALL_JOKERS] = ((w0 >> 52) & 1) + ((w1 >> 52) & 1)
    out[MAIN_THREES] = ((w0 >> 51) & 1) + ((w1 >> 51) & 1)
    out[SUB_THREES] = popcount(w0 & (7 << 48)) + popcount(w1 & (7 << 48))
    out[TWOS] = popcount(w0 & (15 << 44)) + popcount(w1 & (15 << 44))
    out[TRUMP_ACES] = ((w0 >> 43) & 1) + ((w1 >> 43) & 1)
    out[TOP_PAIRS] = popcount(w1 & (63 << 48))
    levels = levels_paired(t1)
    out[TRUMP_RUNS] = popcount(levels & (levels >> 1))
    out[ACES] = popcount(s0 & _ACES) + popcount(s1 & _ACES)
    out[ACE_PAIRS] = popcount(s1 & _ACES)
    out[KINGS] = popcount(s0 & _KINGS) + popcount(s1 & _KINGS)
    out[SIDE_PAIRS] = popcount(s1)
    out[SIDE_RUNS] = popcount(s1 & (s1 >> 1) & ~_ACES)
    a = popcount(s0 & _SUIT) + popcount(s1 & _SUIT)
    b = popcount(s0 & (_SUIT << 11)) + popcount(s1 & (_SUIT << 11))
    c = popcount(s0 & (_SUIT << 22)) + popcount(s1 & (_SUIT << 22))
    low, high = min(a, b, c), max(a, b, c)
    out[VOIDS] = (a == 0) + (b == 0) + (c == 0)
    out[SHORTEST] = low
    out[MIDDLE] = a + b + c - low - high
    out[POINTS] = points(w0, w1, 0, lay)
    out[SQUARED] = trumps * trumps
    out[BY_PAIRS] = trumps * pairs
    out[GOOD_PAIRS] = popcount(s1 & (_COLUMN * 31 << 6))
