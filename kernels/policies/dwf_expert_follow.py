"""How ``expert`` follows in die-wu-fen: the expected worth of each play, in fixed point; the weights are data."""

from __future__ import annotations

from .. import forced, view
from .._jit import kernel
from ..bits import add, highest, lowest, popcount, remove, size
from ..layout import ABOVE, COUNTING, LEVEL_OF, MASK, SUIT_OF, TRUMP, WORTH
from ..legal import obligations, wins_with
from ..memory import shift
from ..shapes import COUNT, MULTI, SUIT, N
from .choose import CHEAP, RICH, answer, give, place
from .dwf_know import TRUMPS, cards_of, unseen
from .short import discard, forced_step, low_ruff, may_ruff

# Weights of following, offsets. Worths are in 1/64 of a point, probabilities in 1/64.
BEATS = 0  # 6: chance that the next player beats a card with 0..5+ better ones unseen
RUFFS = 6  # chance that a void enemy ruffs
FEED, STINT = 7, 8  # points to expect from the next player if a partner, an enemy
LEADS, MATE_LEADS = 9, 10  # worth of winning the trick oneself, of the partner winning it
# Cost of a side card: for each level, if a master, if half a pair, less if the last of its suit.
SIDE_LEVEL, SIDE_MASTER, SIDE_PAIR, SIDE_LAST = 11, 12, 13, 14
TRUMP_BASE, TRUMP_LEVEL, TRUMP_PAIR, TRUMP_MASTER = 15, 16, 17, 18
POINT = 19  # cost of parting with a point, whoever wins
RUFF_EACH, RUFF_PAIR = 20, 21  # cost of a many-card ruff with trumps one may keep: each trump, each pair
BEAT_PAIR = 22  # cost of beating with a pair, a level
FOLLOWS = 23


@kernel(inline=True)
def _cost(own, lay, w, bit, u0):
    """What parting with a card costs, the trick apart."""
    b = 1 << bit
    suit = lay[SUIT_OF + bit]
    level = lay[LEVEL_OF + bit]
    paired = (own[1] >> bit) & 1
    top = lay[ABOVE + 24 * suit + level] & u0 == 0
    cost = w[POINT] * lay[WORTH + bit]
    if suit == TRUMP:
        return cost + w[TRUMP_BASE] + w[TRUMP_LEVEL] * level + w[TRUMP_PAIR] * paired + w[TRUMP_MASTER] * top
    last = own[0] & lay[MASK + suit] == b and paired == 0
    return cost + w[SIDE_LEVEL] * level + w[SIDE_PAIR] * paired + w[SIDE_MASTER] * top - w[SIDE_LAST] * last


@kernel(inline=True)
def _next_beats(pub, lay, w, other, suit, strength, u0, u1):
    """The chance in 1/64 that the next player beats what now wins the trick, ``suit`` led."""
    void = (pub[view.VOID + other] >> suit) & 1
    short = void or cards_of(u0, u1, lay[MASK + suit]) == 0
    if suit == TRUMP:
        above = lay[ABOVE + 24 * TRUMP + strength]
        better = cards_of(u0, u1, above)
        return 0 if void else w[BEATS + min(better, 5)]
    trumps = 0 if (pub[view.VOID + other] >> TRUMP) & 1 else TRUMPS
    if strength >= 64:
        trumps &= lay[ABOVE + 24 * TRUMP + strength - 64]
        return w[BEATS + min(cards_of(u0, u1, trumps), 5)] if short else 0
    if short:
        return w[RUFFS] if cards_of(u0, u1, trumps) else 0
    return w[BEATS + min(cards_of(u0, u1, lay[ABOVE + 24 * suit + strength]), 5)]


@kernel(inline=True)
def _single(pub, own, lay, w):
    """Following a single card: every different card one may play, by its worth."""
    suit = pub[SUIT]
    u0, u1 = unseen(pub, own)
    seat = own[view.SEAT]
    banker = pub[view.BANKER]
    mate = 3 - seat - banker if seat != banker else -1
    last = pub[view.POSITION] == 2
    other = seat + 1 if seat < 2 else 0
    pool = own[0] & lay[MASK + suit]
    void = pool == 0
    if void:
        pool = own[0]
    holder = pub[view.BEST_SEAT]
    standing = pub[view.BEST]
    staked = pub[view.TRICK_POINTS]
    # the chance that the side of this seat wins when its card does not
    if last:
        if_loses = 64 if holder == mate else 0
    else:
        beaten = _next_beats(pub, lay, w, other, suit, standing, u0, u1)
        if holder == mate:
            if_loses = 64 - beaten  # the banker is next
        elif other == mate:
            if_loses = beaten
        else:
            if_loses = 0
        staked += (w[FEED] if other == mate else w[STINT]) >> 6
    best, card = -(1 << 40), 0
    while pool:
        bit = lowest(pool)
        pool &= pool - 1
        mine = lay[SUIT_OF + bit]
        strength = -1
        if mine == suit:
            strength = lay[LEVEL_OF + bit]
        elif mine == TRUMP:
            strength = lay[LEVEL_OF + bit] + 64
        value = lay[WORTH + bit]
        if strength > standing:
            wins = 64
            if not last and other != mate:
                wins -= _next_beats(pub, lay, w, other, suit, strength, u0, u1)
            tempo = w[LEADS]
        else:
            wins = if_loses
            tempo = w[MATE_LEADS]
        worth = (2 * wins - 64) * (staked + value) + ((wins * tempo) >> 6) - _cost(own, lay, w, bit, u0)
        if worth > best:
            best, card = worth, 1 << bit
    answer(own, card, 0, 0)


@kernel(inline=True)
def _side_wins(pub, own):
    """Whether the partner holds the trick."""
    return pub[view.BEST_SEAT] != pub[view.BANKER] and own[view.SEAT] != pub[view.BANKER]


@kernel()
def _short_many(pub, own, lay, w, order):
    """Several cards led and not enough of the suit: a ruff if it pays, else what must be and what is cheapest."""
    n = pub[N]
    suit = pub[SUIT]
    if suit != TRUMP and own[0] & lay[MASK + suit] == 0 and not _side_wins(pub, own):
        if may_ruff(pub, own, lay):
            p0, p1, p2 = low_ruff(pub, own, lay, CHEAP)
            strength = wins_with(p0, p1, p2, lay, pub)
            if strength > pub[view.BEST]:
                must = forced_step(pub, own, lay)
                worth = (
                    128 * pub[view.TRICK_POINTS] + w[LEADS] - w[RUFF_EACH] * n - w[RUFF_PAIR] * popcount(p1)
                )
                if must >= forced.HIGHEST or worth > 0:  # the trumps go anyway, and the highest first
                    answer(own, p0, p1, p2)
                    return
    p0, p1, p2 = discard(pub, own, lay, order)
    answer(own, p0, p1, p2)


@kernel()
def follow(pub, own, lay, w):
    """Answer a lead; ``w``: the weights of the seat's role, from BEATS on."""
    n = pub[N]
    if n == 1:
        _single(pub, own, lay, w)
        return
    suit = pub[SUIT]
    mask = lay[MASK + suit]
    w0, w1 = own[0] & mask, own[1] & mask
    mate = _side_wins(pub, own)
    safe = mate and (pub[view.POSITION] == 2 or pub[view.BEST] >= 64 or pub[COUNT] > 1 or suit == TRUMP)
    order = RICH if safe else CHEAP
    if popcount(w0) + popcount(w1) < n:
        _short_many(pub, own, lay, w, order)
        return
    if pub[MULTI] == 0 or w1 == 0:
        p0, p1, p2 = give(w0, w1, 0, lay, n, order)
        answer(own, p0, p1, p2)
        return
    if n == 2:
        beating = w1 & lay[ABOVE + 24 * suit + pub[view.BEST]] if pub[view.BEST] < 64 and not mate else 0
        if beating:
            b = beating & -beating
            rich = beating & lay[COUNTING]
            if rich and pub[view.POSITION] == 2:
                b = rich & -rich
            level = lay[LEVEL_OF + highest(b)]
            if 128 * (pub[view.TRICK_POINTS] + 2 * lay[WORTH + highest(b)]) + w[LEADS] > w[BEAT_PAIR] * level:
                answer(own, b, b, 0)
                return
        p0, p1, p2 = give(w1, 0, 0, lay, 1, order)
        answer(own, p0, p0, 0)
        return
    types = shift(own, view.SCRATCH)
    count = obligations(w1, 0, lay, pub, types)
    p0, p1, p2 = place(w0, w1, 0, lay, suit, types, 0, count, False, own)
    w0, w1, _w2 = remove(w0, w1, 0, p0, p1, p2)
    q0, q1, q2 = give(w0, w1, 0, lay, n - size(p0, p1, p2), order)
    p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    answer(own, p0, p1, p2)
