"""How ``expert`` follows in hong-wu-wu-jia: the expected worth of each play, in fixed point; the weights are data."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import add, lowest, popcount, remove, size
from ..layout import ABOVE, CASCADE, FACE_OF, LEVEL_OF, MASK, SPLIT, SUIT_OF, TRUMP, WORTH
from ..legal import obligations, wins_with
from ..memory import shift
from ..partner import hides
from ..shapes import COUNT, MULTI, PAIR, SUIT, TRIPLE, TYPES, N
from .choose import CHEAP, RICH, answer, give_in_suit, place
from .hw_know import SEATS, SURE, cards_of
from .hw_short import discard, low_ruff, may_ruff

# Weights of following, offsets. Worths are in 1/64 of a point, chances in 1/64.
BEATS = 0  # 8: chance that a player still to come beats a card with 0..7+ better ones unseen
SHORT = 8  # 6: that it is void of the led suit, with 0-1, 2-3 .. 10+ cards of it unseen
RUFFS = 14  # that it ruffs when it is void
OVERRUFFS = 15  # 4: the same over a ruff, with 0, 1-4, 5-8, 9+ better trumps unseen
FEED, STINT = 19, 20  # points to expect from a player still to come on one's own side, on the other
LEADS, MATE_LEADS = 21, 22  # worth of winning the trick oneself, of one's side winning it
# Cost of a side card: for each level, if a master, if half a pair, if of a triple, less if the last of its suit.
SIDE_LEVEL, SIDE_MASTER, SIDE_PAIR, SIDE_TRIPLE, SIDE_LAST = 23, 24, 25, 26, 27
TRUMP_BASE, TRUMP_LEVEL, TRUMP_PAIR, TRUMP_TRIPLE, TRUMP_MASTER, TRUMP_LATE = 28, 29, 30, 31, 32, 33
POINT = 34  # cost of parting with a point, whoever wins
SHOW, DIRECT = 35, 36  # cost of turning out the partner, and of doing it when that makes it direct (HW-10)
RICH_FROM = 37  # chance of winning from which points are added to a play of several cards
MANY_BEATS, MANY_RUFFS = 38, 39  # chances that a player still to come beats or ruffs several cards
SAME_BEATS = 40  # 4: the same for a pair or triple with 0..3+ better ones unseen
SAME_LEVEL, SAME_TRUMP = 44, 45  # cost of beating with a pair or triple, a level; more if of trumps
RUFF_EACH, RUFF_PAIR = 46, 47  # cost of a many-card ruff: each trump, each pair
FOLLOWS = 48


@kernel(inline=True)
def _cost(pub, own, lay, w, bit, u0, late):
    """What parting with a card costs, the trick apart."""
    b = 1 << bit
    suit = lay[SUIT_OF + bit]
    level = lay[LEVEL_OF + bit]
    paired = (own[1] >> bit) & 1
    tripled = (own[2] >> bit) & 1
    top = lay[ABOVE + 24 * suit + level] & u0 == 0
    cost = w[POINT] * lay[WORTH + bit]
    if suit == TRUMP:
        return (
            cost + w[TRUMP_BASE] + w[TRUMP_LEVEL] * level + w[TRUMP_PAIR] * paired + w[TRUMP_TRIPLE] * tripled
            + w[TRUMP_MASTER] * top + w[TRUMP_LATE] * late
        )  # fmt: skip
    last = own[0] & lay[MASK + suit] == b and paired == 0
    return (
        cost + w[SIDE_LEVEL] * level + w[SIDE_PAIR] * paired + w[SIDE_TRIPLE] * tripled + w[SIDE_MASTER] * top
        - w[SIDE_LAST] * last
    )  # fmt: skip


@kernel(inline=True)
def _showing(pub, own, lay, w):
    """What playing the named card costs its holder: it turns out to be the partner, perhaps a direct one (HW-10)."""
    named = pub[view.NAMED]
    banker = pub[view.BANKER]
    if pub[view.PARTNER] >= 0 or own[view.SEAT] == banker:
        return 0
    cost = w[SHOW]
    if pub[view.LEADER] == banker:
        face = lay[FACE_OF + named]
        called = 3 << (named - 1)  # the A and the K, which lie side by side
        if face < 52 and face % 13 == 12 and pub[view.PLAY + 3 * banker] & ~called == 0:
            cost += w[DIRECT]
    return cost


@kernel(inline=True)
def _fate(pub, w, lay, seat, later, f, suit, strength, p, us, u0, u1, u2):
    """The chance in 1/64 that this side wins the trick if it is ``p`` as things stand, ``later`` players to come."""
    if later == 0:
        return p
    if suit == TRUMP:
        over = w[BEATS + min(cards_of(u0, u1, u2, lay[ABOVE + 24 * TRUMP + strength]), 7)]
        void = 0
    else:
        if strength >= 64:
            trumps = cards_of(u0, u1, u2, lay[ABOVE + 24 * TRUMP + strength - 64])
            void = w[OVERRUFFS + min((trumps + 3) >> 2, 3)]
            over = 0
        else:
            over = w[BEATS + min(cards_of(u0, u1, u2, lay[ABOVE + 24 * suit + strength]), 7)]
            void = w[RUFFS]
        if us == 0:
            over = void
        else:
            over += (w[SHORT + min(us >> 1, 5)] * void) >> 6
    for k in range(1, later + 1):
        q = seat + k if seat + k < SEATS else seat + k - SEATS
        chance = over
        voids = pub[view.VOID + q]
        if (voids >> suit) & 1:
            chance = 0 if (voids >> TRUMP) & 1 else void
        p += (((f >> (8 * q)) & 255) - p) * chance >> 6
    return p


@kernel(inline=True)
def _single(pub, own, lay, w, f, u0, u1, u2):
    """Following a single card: every different card one may play, by its worth."""
    suit = pub[SUIT]
    seat = own[view.SEAT]
    later = SEATS - 1 - pub[view.POSITION]
    pool = own[0] & lay[MASK + suit]
    if pool == 0:
        pool = own[0] & ~hides(pub, own, lay)
        if pool == 0:
            pool = own[0]
    us = cards_of(u0, u1, u2, lay[MASK + suit])
    standing = pub[view.BEST]
    staked = pub[view.TRICK_POINTS]
    holds = (f >> (8 * pub[view.BEST_SEAT])) & 255
    loses = _fate(pub, w, lay, seat, later, f, suit, standing, holds, us, u0, u1, u2)
    if later:
        come = 0
        for k in range(1, later + 1):
            q = seat + k if seat + k < SEATS else seat + k - SEATS
            with_us = (f >> (8 * q)) & 255
            come += with_us * w[FEED] + (SURE - with_us) * w[STINT]
        staked += come >> 12
    late = 31 - pub[view.LEFT]
    named = pub[view.NAMED]
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
        wins = loses
        tempo = w[MATE_LEADS]
        if strength > standing:
            wins = _fate(pub, w, lay, seat, later, f, suit, strength, SURE, us, u0, u1, u2)
            tempo = w[LEADS]
        worth = (2 * wins - SURE) * (staked + value) + ((wins * tempo) >> 6)
        worth -= _cost(pub, own, lay, w, bit, u0, late)
        if bit == named:
            worth -= _showing(pub, own, lay, w)
        if worth > best:
            best, card = worth, 1 << bit
    answer(own, card, 0, 0)


@kernel()
def _many_fate(pub, w, seat, later, f, p, over):
    """As ``_fate`` for several cards, ``over`` being the chance that a player with cards of the suit beats them."""
    suit = pub[SUIT]
    for k in range(1, later + 1):
        q = seat + k if seat + k < SEATS else seat + k - SEATS
        voids = pub[view.VOID + q]
        chance = over
        if (voids >> suit) & 1:
            chance = 0 if suit == TRUMP or (voids >> TRUMP) & 1 else w[MANY_RUFFS]
        p += (((f >> (8 * q)) & 255) - p) * chance >> 6
    return p


@kernel()
def _same(pub, own, lay, w, f, u1, u2, pool, n, loses, later):
    """A pair or a triple led and held: every different one, by its worth."""
    suit = pub[SUIT]
    seat = own[view.SEAT]
    best, face = -(1 << 40), 0
    while pool:
        bit = lowest(pool)
        pool &= pool - 1
        level = lay[LEVEL_OF + bit]
        wins = loses
        tempo = w[MATE_LEADS]
        if level > pub[view.BEST]:
            better = popcount((u1 if n == 2 else u2) & lay[ABOVE + 24 * suit + level])
            wins = _many_fate(pub, w, seat, later, f, SURE, w[SAME_BEATS + min(better, 3)])
            tempo = w[LEADS]
        worth = (2 * wins - SURE) * (pub[view.TRICK_POINTS] + n * lay[WORTH + bit]) + ((wins * tempo) >> 6)
        worth -= (w[SAME_LEVEL] + (w[SAME_TRUMP] if suit == TRUMP else 0)) * level
        worth -= w[POINT] * n * lay[WORTH + bit]
        if n == 2:
            worth -= w[SIDE_TRIPLE] * ((own[2] >> bit) & 1)
        if bit == pub[view.NAMED]:
            worth -= _showing(pub, own, lay, w)
        if worth > best:
            best, face = worth, 1 << bit
    answer(own, face, face, face if n == 3 else 0)


@kernel()
def _many(pub, own, lay, w, f, u0, u1, u2):
    """Following several cards."""
    n = pub[N]
    suit = pub[SUIT]
    seat = own[view.SEAT]
    mask = lay[MASK + suit]
    w0, w1, w2 = own[0] & mask, own[1] & mask, own[2] & mask
    held = size(w0, w1, w2)
    later = SEATS - 1 - pub[view.POSITION]
    kind = pub[TYPES]
    plain = pub[COUNT] == 1
    over = 0
    if plain and pub[view.BEST] < 64:
        over = w[MANY_BEATS]
        if kind <= TRIPLE:
            above = lay[ABOVE + 24 * suit + pub[view.BEST]]
            over = w[SAME_BEATS + min(popcount((u1 if kind == PAIR else u2) & above), 3)]
    loses = _many_fate(pub, w, seat, later, f, (f >> (8 * pub[view.BEST_SEAT])) & 255, over)
    order = RICH if loses >= w[RICH_FROM] else CHEAP
    if held < n:
        if held == 0 and suit != TRUMP and may_ruff(pub, own, lay):
            p0, p1, p2 = low_ruff(pub, own, lay, CHEAP)
            if wins_with(p0, p1, p2, lay, pub) > pub[view.BEST]:
                wins = _many_fate(pub, w, seat, later, f, SURE, 0)
                worth = 2 * (wins - loses) * pub[view.TRICK_POINTS] + ((wins * w[LEADS]) >> 6)
                if worth > w[RUFF_EACH] * n + w[RUFF_PAIR] * popcount(p1):
                    answer(own, p0, p1, p2)
                    return
        p0, p1, p2 = discard(pub, own, lay, order)
        answer(own, p0, p1, p2)
        return
    if plain and (kind == PAIR or (kind == TRIPLE and (w2 or lay[CASCADE] == 0))):
        pool = w2 if kind == TRIPLE else w1 if lay[SPLIT] else w1 & ~w2
        if pool:
            _same(pub, own, lay, w, f, u1, u2, pool, n, loses, later)
            return
    p0, p1, p2 = 0, 0, 0
    if pub[MULTI] and w1:
        types = shift(own, view.SCRATCH)
        count = obligations(w1, w2, lay, pub, types)
        p0, p1, p2 = place(w0, w1, w2, lay, suit, types, 0, count, False, own)
        w0, w1, w2 = remove(w0, w1, w2, p0, p1, p2)
        n -= size(p0, p1, p2)
    q0, q1, q2 = give_in_suit(w0, w1, w2, lay, n, order)
    p0, p1, p2 = add(p0, p1, p2, q0, q1, q2)
    answer(own, p0, p1, p2)


@kernel(inline=True)
def follow(pub, own, lay, w, f, u0, u1, u2):
    """Answer a lead; ``w``: the weights of the seat's role, from BEATS on; ``f``: ``hw_know.allies``."""
    if pub[N] == 1:
        _single(pub, own, lay, w, f, u0, u1, u2)
    else:
        _many(pub, own, lay, w, f, u0, u1, u2)
