"""``greedy`` for hong-wu-wu-jia: simple, fast, sensible; looks at its own cards and the current trick only.

Looks at its hand when it gets its first 2 and at a few more card counts, and reveals the 2 whose trumps are ahead of
the average; the previous banker, who would be pressed, reveals its best 2 in the end. Buries low side cards without
points, short suits first. Names the ace of the side suit it holds fewest copies of, then the one of its longest suit.

Leads the longest side tractor, else a side triple, else a high side pair, else a side ace, else (a banker rich in
trumps) trumps from the top, else a side pair, else a low card without points. Following: when its side wins the trick
it adds points; otherwise the cheapest winner if points are at stake or it plays last, else its cheapest card. Void:
ruffs for points. Its side is the banker's if it is the banker, the partner, or holds the named card; else everybody
but the banker and a known partner.
"""

from __future__ import annotations

import numpy as np

from .. import view
from .._jit import kernel, player, policy
from ..bits import add, highest, lowest, popcount, remove, size
from ..hong_wu_wu_jia import HAND_SIZE
from ..layout import ABOVE, CASCADE, COUNTING, LEVEL_OF, LEVELS, MASK, SHIFT, SPLIT, TRUMP
from ..legal import obligations, wins_with
from ..memory import shift
from ..partner import hides, nameable
from ..play import play_tricks
from ..shapes import COUNT, MULTI, PAIR, SUIT, TRIPLE, TYPES, N
from .choose import CHEAP, RICH, answer, give_in_suit, one_in_suit, one_to_give, place
from .hw_short import discard, low_ruff, may_ruff

# Weights: reveal when trumps * 100 >= SHARE * cards + MARGIN; draw trumps with so many.
REVEAL_SHARE, REVEAL_MARGIN, DRAW_TRUMPS = 0, 1, 2
WEIGHTS = np.array([40, 180, 14], np.int64)

_SEATS = 5
_ALL = (1 << _SEATS) - 1
# By face number: the 2s, the jokers and the red five are trumps always.
_TWOS = 1 | (1 << 13) | (1 << 26) | (1 << 39)
ALWAYS = _TWOS | (3 << 52) | (1 << 16)


@kernel()
def best_two(own, each, pair):
    """The 2 in hand whose suit makes most trumps: (suit, each * trumps + pair * pairs of trumps), by face number."""
    w0, w1, w2 = own[0], own[1], own[2]
    best, most = -1, -1
    for suit in range(4):
        if (w0 >> (13 * suit)) & 1:
            # 3 to A, the other 3 of the colour, and what is trump always
            mask = (0x1FFE << (13 * suit)) | (2 << (13 * (suit ^ 2))) | ALWAYS
            pairs = popcount(w1 & mask)
            n = each * (popcount(w0 & mask) + pairs + popcount(w2 & mask)) + pair * pairs
            if n > most:
                best, most = suit, n
    return best, most


@kernel()
def next_look(cards):
    """The answer to REVEAL that puts off the question until the next of a few card counts."""
    if cards < 12:
        return cards - 12
    if cards < 20:
        return cards - 20
    if cards < HAND_SIZE - 2:
        return cards - HAND_SIZE + 2
    return cards - HAND_SIZE


@kernel(inline=True)
def _reveal(pub, own, weights):
    cards = own[view.CARDS]
    suit, most = best_two(own, 100, 0)
    if cards == HAND_SIZE:  # HW-5: it would be pressed, in a suit by lot
        return suit + 1
    if most < weights[REVEAL_SHARE] * cards + weights[REVEAL_MARGIN]:
        return next_look(cards)
    return suit + 1


@kernel(inline=True)
def tops(lay):
    """The aces of the side suits, their highest faces."""
    return (1 << (lay[SHIFT + 1] - 1)) | (1 << (lay[SHIFT + 2] - 1)) | (1 << (lay[SHIFT + TRUMP] - 1))


@kernel(inline=True)
def _bury(own, lay):
    side = ~lay[MASK + TRUMP]
    aces = tops(lay)
    p0, p1, p2 = 0, 0, 0
    left = 7
    taken_suits = 0
    for _ in range(3):  # single low cards, shortest suit first
        best, shortest = 0, 99
        for suit in range(3):
            mask = lay[MASK + suit]
            n = size(own[0] & mask, own[1] & mask, own[2] & mask)
            if (taken_suits >> suit) & 1 == 0 and n < shortest:
                shortest, best = n, suit
        taken_suits |= 1 << best
        junk = own[0] & ~own[1] & ~aces & ~lay[COUNTING] & lay[MASK + best]
        while left > 0 and junk:
            b = junk & -junk
            junk ^= b
            p0 |= b
            left -= 1
    stage = 0
    while left > 0:  # then low pairs, then points, then whatever is lowest
        r0, _r1, _r2 = remove(own[0], own[1], own[2], p0, p1, p2)
        if stage == 0:
            pool = r0 & side & ~aces & ~lay[COUNTING] & ~own[2]
        elif stage == 1:
            pool = r0 & side & ~aces
        else:
            pool = r0
        if pool == 0:
            stage += 1
            continue
        b = one_to_give(pool, 0, lay, CHEAP)
        p0, p1, p2 = add(p0, p1, p2, b, 0, 0)
        left -= 1
    answer(own, p0, p1, p2)


@kernel(inline=True)
def _name(own, lay):
    able = nameable(own, lay)
    named = able & tops(lay)
    if named == 0:
        named = able
    for held in (own[0], own[1]):  # rather one it holds no copy of, or at most one
        if named & ~held:
            named &= ~held
            break
    best, longest = 0, -1
    while named:
        bit = lowest(named)
        named &= named - 1
        for suit in range(4):
            mask = lay[MASK + suit]
            if (mask >> bit) & 1:
                n = size(own[0] & mask, own[1] & mask, own[2] & mask)
                if n > longest:
                    best, longest = bit, n
    return best


@kernel(inline=True)
def _high_side(w, lay):
    """The face of highest rank among side cards, as a mask."""
    best, under = 0, 99
    for suit in range(3):
        s = w & lay[MASK + suit]
        if s:
            bit = highest(s)
            if lay[SHIFT + suit + 1] - bit < under:
                best, under = 1 << bit, lay[SHIFT + suit + 1] - bit
    return best


@kernel(inline=True)
def _lead(pub, own, lay, weights):
    w0, w1, w2 = own[0], own[1], own[2]
    trump = lay[MASK + TRUMP]
    aces = tops(lay)
    pairs = w1 & ~trump
    best_pair = 0
    if pairs:
        runs = pairs & (pairs >> 1) & ~aces
        if runs:
            length = 2
            while runs & (runs >> 1) & ~aces:
                runs &= (runs >> 1) & ~aces
                length += 1
            run = ((1 << length) - 1) << highest(runs)
            answer(own, run, run, w2 & run)
            return
        triples = w2 & pairs
        if triples:
            b = _high_side(triples, lay)
            answer(own, b, b, b)
            return
        best_pair = _high_side(pairs, lay)
        if best_pair & (aces | (aces >> 1) | (aces >> 2)):
            answer(own, best_pair, best_pair, 0)
            return
    if w0 & aces:
        b = w0 & aces
        answer(own, b & -b, 0, 0)
        return
    t0, t1, t2 = w0 & trump, w1 & trump, w2 & trump
    if t0 and own[view.SEAT] == pub[view.BANKER] and size(t0, t1, t2) >= weights[DRAW_TRUMPS]:
        b = 1 << highest(t0)
        answer(own, b, t1 & b, t2 & b)
        return
    if best_pair:
        answer(own, best_pair, best_pair, 0)
        return
    answer(own, one_to_give(w0, w1, lay, CHEAP), 0, 0)


@kernel(inline=True)
def _side(pub, own):
    """The seats this one plays with, as a mask."""
    seat, banker, partner = own[view.SEAT], pub[view.BANKER], pub[view.PARTNER]
    ours = 1 << banker
    if partner >= 0:
        ours |= 1 << partner
    elif seat != banker and (own[0] >> pub[view.NAMED]) & 1:
        ours |= 1 << seat
    return ours if (ours >> seat) & 1 else _ALL & ~ours


@kernel(inline=True)
def _follow_single(pub, own, lay, mate):
    suit = pub[SUIT]
    best = pub[view.BEST]
    last = pub[view.POSITION] == _SEATS - 1
    w0, w1 = own[0] & lay[MASK + suit], own[1] & lay[MASK + suit]
    if w0:
        if mate:
            order = RICH if last or best >= lay[LEVELS + suit] - 2 else CHEAP
            return one_in_suit(w0, w1, lay, order)
        higher = w0 & lay[ABOVE + 24 * suit + best] if best < 64 else 0
        if higher == 0:
            return one_in_suit(w0, w1, lay, CHEAP)
        if last:
            rich = higher & lay[COUNTING]
            return rich & -rich if rich else higher & -higher
        top = 1 << highest(higher)
        if pub[view.TRICK_POINTS] > 0 or lay[ABOVE + 24 * suit + lay[LEVEL_OF + highest(top)]] == 0:
            return top
        return one_in_suit(w0, w1, lay, CHEAP)
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
    pool = own[0] & ~hides(pub, own, lay)
    return one_to_give(pool if pool else own[0], own[1], lay, RICH if mate else CHEAP)


@kernel(inline=True)
def _follow(pub, own, lay):
    mate = (_side(pub, own) >> pub[view.BEST_SEAT]) & 1 != 0
    n = pub[N]
    if n == 1:
        answer(own, _follow_single(pub, own, lay, mate), 0, 0)
    else:
        _follow_many(pub, own, lay, mate)


@kernel(inline=True)
def _follow_many(pub, own, lay, mate):
    n = pub[N]
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    held = size(w0, w1, w2)
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
        p0, p1, p2 = give_in_suit(w0, w1, w2, lay, n, order)
        answer(own, p0, p1, p2)
        return
    kind = pub[TYPES]
    if pub[COUNT] == 1 and (kind == PAIR or (kind == TRIPLE and (w2 or lay[CASCADE] == 0))):
        pool = w2 if kind == TRIPLE else w1 if lay[SPLIT] else w1 & ~w2
        if pool == 0:
            p0, p1, p2 = give_in_suit(w0, w1, w2, lay, n, order)
            answer(own, p0, p1, p2)
            return
        beating = pool & lay[ABOVE + 24 * suit + pub[view.BEST]] if pub[view.BEST] < 64 and not mate else 0
        b = beating & -beating if beating else one_in_suit(pool, w2, lay, order)
        answer(own, b, b, b if kind == TRIPLE else 0)
        return
    types = shift(own, view.SCRATCH)
    count = obligations(w1, w2, lay, pub, types)
    p0, p1, p2 = place(w0, w1, w2, lay, suit, types, 0, count, False, own)
    w0, w1, w2 = remove(w0, w1, w2, p0, p1, p2)
    q0, q1, q2 = give_in_suit(w0, w1, w2, lay, n - size(p0, p1, p2), order)
    p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    answer(own, p0, p1, p2)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``greedy`` for hong-wu-wu-jia (signature: see the package)."""
    if what == view.FOLLOW:
        _follow(pub, own, lay)
        return 0
    if what == view.LEAD:
        _lead(pub, own, lay, weights)
        return 0
    if what == view.REVEAL:
        return _reveal(pub, own, weights)
    if what == view.NAME:
        return _name(own, lay)
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
