"""How ``expert`` calls, counters and bids in die-wu-fen; see docs/policies.md."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import lowest, popcount
from ..die_wu_fen import BID_MAX, BID_STEP, opening_bid
from ..layout import SIZE, by_bit
from ..memory import shift
from ..strength import COUNT, NAMES, strength

# Offsets in the weights. A hand is worth calling with when its trumps, pairs of trumps, jokers and 3s, each by its
# weight, reach CALL_MARGIN + CALL_SHARE * cards held, or CALL_LAST when all cards are dealt; a counter has its own
# margin and last, and with all cards dealt it is also made from a strength of COUNTER_STRENGTH on.
CALL_SHARE, CALL_MARGIN, CALL_LAST, COUNTER_MARGIN, COUNTER_LAST, COUNTER_STRENGTH = 4, 5, 6, 7, 8, 9
STRENGTH = (
    10  # the constant, then a weight a feature: hundredths of the points the banker is expected to keep
)
# The strength from which on a bid of 110, 120 .. 200 is made, by kind of call (one 3, pair, counter) and by order from
# the opener on.
BIDS = STRENGTH + 1 + COUNT
LEVELS = 10
BIDDING = BIDS + 9 * LEVELS  # how many weights

KINDS = ("single", "pair", "counter")
ORDERS = ("opener", "next", "last")
BIDDING_NAMES = (
    *(f"call.{n}" for n in ("trump", "pair", "joker", "three", "share", "margin", "last")),
    *(f"counter.{n}" for n in ("margin", "last", "strength")),
    "strength.base",
    *(f"strength.{n}" for n in NAMES),
    *(f"bid.{kind}.{order}.{bid}" for kind in KINDS for order in ORDERS for bid in range(110, 210, 10)),
)

_PERMANENT = (3 << 0) | (3 << 13) | (3 << 26) | (3 << 39) | (3 << 52)
_THREES = (1 << 1) | (1 << 14) | (1 << 27) | (1 << 40)
_JOKERS = 3 << 52


@kernel()
def call(own, lays, w, counter):
    """The answer to CALL or COUNTER: the suit of a 3 in hand with most cards, if the hand is worth it.

    ``lays``: the four layouts, by trump suit.
    """
    w0, w1 = own[0], own[1]
    cards = own[view.CARDS]
    threes = (w1 if counter else w0) & _THREES
    best, most = 0, -1
    for suit in range(4):
        plain = 0xFFE << (13 * suit + 1)  # 4 to A
        n = w[0] * (popcount(w0 & plain) + popcount(w1 & plain)) + w[1] * popcount(w1 & plain)
        b = threes & (2 << (13 * suit))
        if b and n > most:
            most = n
            best = b
    always = w[0] * (popcount(w0 & _PERMANENT) + popcount(w1 & _PERMANENT)) + w[1] * popcount(w1 & _PERMANENT)
    always += w[2] * (popcount(w0 & _JOKERS) + popcount(w1 & _JOKERS))
    always += w[3] * (popcount(w0 & _THREES) + popcount(w1 & _THREES))
    need = w[COUNTER_MARGIN if counter else CALL_MARGIN] + w[CALL_SHARE] * cards
    if cards == 33:
        need = min(need, w[COUNTER_LAST if counter else CALL_LAST])
    suit = lowest(best) // 13
    if most + always < need:
        if cards < 33 or not counter:  # looks three times only: after each card cost 0.5 us a deal
            return cards - (22 if cards < 22 else 33)
        lay = shift(lays, suit * SIZE)
        hand = strength(by_bit(w0, lay), by_bit(w1, lay), shift(w, STRENGTH), shift(own, view.SCRATCH))
        if hand < w[COUNTER_STRENGTH]:
            return 0
    return suit + 5 if w1 & best else suit + 1


@kernel()
def bid(pub, own, lay, w):
    """The answer to BID_TURN: one step more, while the strength reaches the threshold of that bid."""
    if pub[view.BIDS] == 0:
        return opening_bid(pub, lay)
    if own[view.MEMORY] == 0:  # 1 + how many levels the hand is good for
        hand = strength(own[0], own[1], shift(w, STRENGTH), shift(own, view.SCRATCH))
        kind = 2 if pub[view.COUNTERER] >= 0 else pub[view.CALL_SIZE] - 1
        order = (own[view.SEAT] - pub[view.OPENER] + 3) % 3
        row = shift(w, BIDS + (kind * 3 + order) * LEVELS)
        level = 0
        while level < LEVELS and hand >= row[level]:
            level += 1
        own[view.MEMORY] = 1 + level
    found = pub[view.BID] + lay[BID_STEP]
    level = max(0, min(LEVELS - 1, (found - 110) // 10))
    return found if level < own[view.MEMORY] - 1 and found <= lay[BID_MAX] else 0
