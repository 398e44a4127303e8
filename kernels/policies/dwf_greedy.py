"""``greedy`` for die-wu-fen: simple, fast, sensible; looks at its own cards and the current trick only.

Looks at its hand when it gets its first 3, at 22 and at 33 cards, and calls the suit of a 3 it holds if its trumps in
that suit are ahead of the average, with a pair when it has one; counters by the same measure. Bids one step more while
the bid is below what its strength is worth. Buries low side cards without points, short suits first.

Leads the longest side tractor, else a high side pair, else a side ace, else (banker rich in trumps) trumps from the
top, else a side pair, else (the banker) a trump pair, else a low card without points. Following: when its partner
wins the trick it adds points; otherwise the cheapest winner if points are at stake or it plays last, else its cheapest
card. Void: ruffs for points.
"""

from __future__ import annotations

import numpy as np

from .. import view
from .._jit import kernel, player, policy
from ..bits import add, highest, lowest, popcount, remove, size
from ..die_wu_fen import BID_MAX, BID_STEP, opening_bid
from ..layout import ABOVE, COUNTING, FIVES, KINGS, LEVEL_OF, LEVELS, MASK, SHIFT, TENS, TRUMP
from ..legal import obligations, wins_with
from ..memory import shift
from ..play import play_tricks
from ..shapes import MULTI, SUIT, N
from .choose import CHEAP, RICH, answer, give, one_to_give, place
from .short import discard, low_ruff, may_ruff

# Weights, in hundredths of a trump.
CALL_SHARE, CALL_MARGIN, CALL_LAST = 0, 1, 2
W_TRUMP, W_PAIR, W_JOKER, W_THREE, W_ACE, W_SIDE_PAIR, W_VOID = 3, 4, 5, 6, 7, 8, 9
BID_FROM, BID_EACH = 10, 11
DRAW_TRUMPS = 12
WEIGHTS = np.array(
    [
        42, 150, 1250,  # call when trumps * 100 >= 42 * cards + 150; with all cards, from 12.5 trumps on
        100, 60, 150, 60, 120, 80, 100,  # strength: trump, trump pair, joker, 3, side ace, side pair, void
        3000, 150,  # strength worth a bid of 110, and each further step
        12,  # banker draws trumps while it holds at least this many
    ],
    np.int64,
)  # fmt: skip

_PERMANENT = (3 << 0) | (3 << 13) | (3 << 26) | (3 << 39) | (3 << 52)  # 2s, 3s, jokers by face number
# By layout bit, the same for every trump suit: side suits of 11 cards, 4 to A, from bits 0, 11 and 22.
_SIDES = (1 << 33) - 1
_COLUMN = 1 | (1 << 11) | (1 << 22)
_ACES = _SUIT_TOPS = _COLUMN << 10
_HIGH_SIDES = _COLUMN * 0b111 << 8  # Q, K, A
_THREES = (1 << 1) | (1 << 14) | (1 << 27) | (1 << 40)


@kernel(inline=True)
def _call(own, weights, pairs_only):
    w0, w1 = own[0], own[1]
    cards = own[view.CARDS]
    threes = (w1 if pairs_only else w0) & _THREES
    best, most = 0, -1
    for suit in range(4):
        plain = 0xFFE << (13 * suit + 1)  # 4 to A
        n = popcount(w0 & plain) + popcount(w1 & plain)
        b = threes & (2 << (13 * suit))
        if b and n > most:
            most = n
            best = b
    permanent = popcount(w0 & _PERMANENT) + popcount(w1 & _PERMANENT)
    need = weights[CALL_SHARE] * cards + weights[CALL_MARGIN]
    if cards == 33:
        need = min(need, weights[CALL_LAST])
    if (most + permanent) * 100 < need:
        return cards - (
            22 if cards < 22 else 33
        )  # looks three times only: after each card cost 0.5 us a deal
    suit = lowest(best) // 13
    return suit + 5 if w1 & best else suit + 1


@kernel(inline=True)
def strength(own, lay, weights):
    """The strength of a hand with trump known, in hundredths of a trump; weights from W_TRUMP on."""
    mask = lay[MASK + TRUMP]
    t0, t1 = own[0] & mask, own[1] & mask
    low = lay[SHIFT + TRUMP]
    jokers = 3 << (low + 19)
    threes = 15 << (low + 15)
    total = weights[W_TRUMP] * (popcount(t0) + popcount(t1)) + weights[W_PAIR] * popcount(t1)
    total += weights[W_JOKER] * (popcount(t0 & jokers) + popcount(t1 & jokers))
    total += weights[W_THREE] * (popcount(t0 & threes) + popcount(t1 & threes))
    s0, s1 = own[0] & ~mask, own[1] & ~mask
    total += weights[W_ACE] * (popcount(s0 & _ACES) + popcount(s1 & _ACES))
    total += weights[W_SIDE_PAIR] * popcount(s1)
    for suit in range(3):
        if own[0] & lay[MASK + suit] == 0:
            total += weights[W_VOID]
    return total


@kernel(inline=True)
def _bid(pub, own, lay, weights):
    if pub[view.BIDS] == 0:
        return opening_bid(pub, lay)
    if own[view.MEMORY] == 0:
        own[view.MEMORY] = 1 + strength(own, lay, weights)
    step = lay[BID_STEP]
    worth = 110 + (own[view.MEMORY] - 1 - weights[BID_FROM]) * step // weights[BID_EACH]
    bid = pub[view.BID] + step
    return bid if bid <= worth and bid <= lay[BID_MAX] else 0


@kernel(inline=True)
def _bury(own, lay):
    side = ~lay[MASK + TRUMP]
    p0, p1 = 0, 0
    left = 9
    taken_suits = 0
    for _ in range(3):  # single low cards, shortest suit first
        best, shortest = -1, 99
        for suit in range(3):
            mask = lay[MASK + suit]
            n = popcount(own[0] & mask) + popcount(own[1] & mask)
            if (taken_suits >> suit) & 1 == 0 and n < shortest:
                shortest, best = n, suit
        taken_suits |= 1 << best
        junk = own[0] & ~own[1] & ~_ACES & ~lay[COUNTING] & lay[MASK + best]
        while left > 0 and junk:
            b = junk & -junk
            junk ^= b
            p0 |= b
            left -= 1
    stage = 0
    while left > 0:  # then low pairs, then points, then whatever is lowest
        r0, _r1, _r2 = remove(own[0], own[1], 0, p0, p1, 0)
        if stage == 0:
            pool = r0 & side & ~_ACES & ~lay[COUNTING]
        elif stage == 1:
            pool = r0 & side & ~_ACES
        else:
            pool = r0
        if pool == 0:
            stage += 1
            continue
        b = one_to_give(pool, 0, lay, CHEAP)
        p0, p1, _p2 = add(p0, p1, 0, b, 0, 0)
        left -= 1
    answer(own, p0, p1, 0)


@kernel()
def _top_level_face(w):
    """The face of highest level among side cards, the three side suits lying side by side, 11 bits each."""
    level = highest((w | (w >> 11) | (w >> 22)) & 0x7FF)
    w &= _COLUMN << level
    return w & -w


@kernel(inline=True)
def _lead(pub, own, lay, weights):
    w0, w1 = own[0], own[1]
    pairs = w1 & _SIDES
    best_pair = 0
    if pairs:
        runs = pairs & (pairs >> 1) & ~_SUIT_TOPS
        if runs:
            length = 2
            while runs & (runs >> 1) & ~_SUIT_TOPS:
                runs &= (runs >> 1) & ~_SUIT_TOPS
                length += 1
            run = ((1 << length) - 1) << highest(runs)
            answer(own, run, run, 0)
            return
        best_pair = _top_level_face(pairs)
        if best_pair & _HIGH_SIDES:
            answer(own, best_pair, best_pair, 0)
            return
    aces = w0 & _ACES
    if aces:
        answer(own, aces & -aces, 0, 0)
        return
    trump = lay[MASK + TRUMP]
    t0, t1 = w0 & trump, w1 & trump
    if t0 and own[view.SEAT] == pub[view.BANKER]:
        if popcount(t0) + popcount(t1) >= weights[DRAW_TRUMPS]:
            b = 1 << highest(t0)
            answer(own, b, t1 & b, 0)
            return
        if best_pair == 0 and t1:
            best_pair = 1 << highest(t1)
    if best_pair:
        answer(own, best_pair, best_pair, 0)
        return
    answer(own, one_to_give(w0, w1, lay, CHEAP), 0, 0)


@kernel(inline=True)
def _give_in_suit(w0, w1, lay, order):
    """``one_to_give`` when all cards are of one suit."""
    fives, tens = w0 & lay[FIVES], w0 & (lay[TENS] | lay[KINGS])
    if order == RICH:
        pool = tens if tens else (fives if fives else w0)
        return pool & -pool
    cheap = w0 & ~lay[COUNTING]
    pool = cheap if cheap else (fives if fives else w0)
    single = pool & ~w1
    pool = single if single else pool
    return pool & -pool


@kernel(inline=True)
def _follow_single(pub, own, lay, mate):
    suit = pub[SUIT]
    best = pub[view.BEST]
    last = pub[view.POSITION] == 2
    w0, w1 = own[0] & lay[MASK + suit], own[1] & lay[MASK + suit]
    if w0:
        if mate:
            order = RICH if last or best >= lay[LEVELS + suit] - 2 else CHEAP
            return _give_in_suit(w0, w1, lay, order)
        higher = w0 & lay[ABOVE + 24 * suit + best] if best < 64 else 0
        if higher == 0:
            return _give_in_suit(w0, w1, lay, CHEAP)
        if last:
            rich = higher & lay[COUNTING]
            return rich & -rich if rich else higher & -higher
        top = 1 << highest(higher)
        if pub[view.TRICK_POINTS] > 0 or lay[ABOVE + 24 * suit + lay[LEVEL_OF + highest(top)]] == 0:
            return top
        return _give_in_suit(w0, w1, lay, CHEAP)
    if not mate and suit != TRUMP and (pub[view.TRICK_POINTS] > 0 or last):
        t0 = own[0] & lay[MASK + TRUMP]
        if best >= 64:
            t0 &= lay[ABOVE + 24 * TRUMP + best - 64]
        if t0:
            rich = t0 & lay[COUNTING] if last else 0
            plain = t0 & ~lay[COUNTING]
            if rich:
                return rich & -rich
            return plain & -plain if plain else t0 & -t0
    return one_to_give(own[0], own[1], lay, RICH if mate else CHEAP)


@kernel(inline=True)
def _follow(pub, own, lay):
    mate = pub[view.BEST_SEAT] != pub[view.BANKER] and own[view.SEAT] != pub[view.BANKER]
    n = pub[N]
    if n == 1:
        answer(own, _follow_single(pub, own, lay, mate), 0, 0)
        return
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    w0, w1 = own[0] & mask, own[1] & mask
    held = popcount(w0) + popcount(w1)
    order = RICH if mate else CHEAP
    if held < n:
        if held == 0 and suit != TRUMP and not mate and may_ruff(pub, own, lay):
            p0, p1, p2 = low_ruff(pub, own, lay, CHEAP)
            if wins_with(p0, p1, p2, lay, pub) > pub[view.BEST]:
                answer(own, p0, p1, p2)
                return
        p0, p1, p2 = discard(pub, own, lay, order)
        answer(own, p0, p1, p2)
        return
    if pub[MULTI] == 0:
        p0, p1, p2 = give(w0, w1, 0, lay, n, order)
        answer(own, p0, p1, p2)
        return
    if n == 2:  # a pair
        if w1 == 0:
            p0, p1, p2 = give(w0, 0, 0, lay, 2, order)
            answer(own, p0, p1, p2)
            return
        beating = w1 & lay[ABOVE + 24 * suit + pub[view.BEST]] if pub[view.BEST] < 64 and not mate else 0
        b = beating & -beating if beating else one_to_give(w1, 0, lay, order)
        answer(own, b, b, 0)
        return
    types = shift(own, view.SCRATCH)
    count = obligations(w1, 0, lay, pub, types)
    p0, p1, p2 = place(w0, w1, 0, lay, suit, types, 0, count, False, own)
    w0, w1, _w2 = remove(w0, w1, 0, p0, p1, p2)
    q0, q1, q2 = give(w0, w1, 0, lay, n - size(p0, p1, p2), order)
    p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    answer(own, p0, p1, p2)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``greedy`` for die-wu-fen (signature: see the package)."""
    if what == view.FOLLOW:
        _follow(pub, own, lay)
        return 0
    if what == view.LEAD:
        _lead(pub, own, lay, weights)
        return 0
    if what == view.CALL:
        return _call(own, weights, False)
    if what == view.COUNTER:
        return _call(own, weights, True)
    if what == view.BID_TURN:
        return _bid(pub, own, lay, weights)
    _bury(own, lay)
    return 0


@kernel(inline=True)
def _choose(what, role, pub, own, lay, policies, weights, width):
    if what == view.LEAD:
        _lead(pub, own, lay, weights)
    else:
        _follow(pub, own, lay)


#: All tricks of a deal in which every seat is ``greedy``.
play = player(play_tricks, _choose)
