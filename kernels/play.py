"""Playing the tricks of a deal, for both games."""

from __future__ import annotations

from . import view
from ._jit import kernel
from .bits import add, lowest, popcount, remove, size
from .layout import CASCADE, GAME, HONG_WU_WU_JIA, LEVEL_OF, MASK, SEATS, SUIT_OF, TRUMP, WORTH, points
from .legal import wins_with
from .memory import shift
from .notice import note_shapes, notice, take_back
from .shapes import COUNT, MULTI, PAIR, SINGLE, SUIT, TOPS, TYPES, N, describe
from .throw import throw_check


@kernel()
def start_play(pub, own, lay):
    """Set ``pub`` for the first trick, which the banker leads. Hands are in ``own``, by layout bit."""
    seats = lay[SEATS]
    pub[view.TRICK] = 0
    pub[view.LEADER] = pub[view.BANKER]
    pub[view.POSITION] = 0
    pub[view.LEFT] = size(own[0], own[1], own[2])
    pub[view.THROWS] = 0
    pub[view.FAILED] = 0
    for k in range(3):
        pub[view.SEEN + k] = 0
    for seat in range(seats):
        pub[view.TAKEN + seat] = 0
        pub[view.VOID + seat] = 0
        pub[view.FAULTS + seat] = 0
        pub[view.NO_PAIR + seat] = 0
    if lay[GAME] == HONG_WU_WU_JIA:
        pub[view.SHOWN_SEATS] = 0
        for k in range(view.PUB_SIZE - view.SHOWN):
            pub[view.SHOWN + k] = 0


@kernel(inline=True)
def forced_follow(pub, own, lay):
    """If a follower has no choice, put its cards into OUT and return True."""
    n = pub[N]
    if n == pub[view.LEFT]:
        own[view.OUT] = own[0]
        own[view.OUT_1] = own[1]
        own[view.OUT_2] = own[2]
        return True
    mask = lay[MASK + pub[SUIT]]
    w0 = own[0] & mask
    if n == 1:
        if w0 != 0 and w0 & (w0 - 1) == 0:
            own[view.OUT] = w0
            own[view.OUT_1] = 0
            own[view.OUT_2] = 0
            return True
        return False
    w1, w2 = own[1] & mask, own[2] & mask
    if size(w0, w1, w2) == n:
        own[view.OUT] = w0
        own[view.OUT_1] = w1
        own[view.OUT_2] = w2
        return True
    return False


@kernel(inline=True)
def _put(pub, own, lay, seat, p0, p1, p2):
    """Move cards from a hand to the table."""
    h = seat * view.OWN_SIZE
    own[h], own[h + 1], own[h + 2] = remove(own[h], own[h + 1], own[h + 2], p0, p1, p2)
    s = view.SEEN
    pub[s], pub[s + 1], pub[s + 2] = add(pub[s], pub[s + 1], pub[s + 2], p0, p1, p2)
    at = view.PLAY + 3 * seat
    pub[at], pub[at + 1], pub[at + 2] = p0, p1, p2
    pub[view.TRICK_POINTS] += points(p0, p1, p2, lay)
    if pub[view.LOG]:
        row = view.HISTORY + view.H_STRIDE * pub[view.TRICK] + view.H_PLAYS + 3 * seat
        pub[row], pub[row + 1], pub[row + 2] = p0, p1, p2
    pub[view.POSITION] += 1


@kernel(inline=True)
def _put_one(pub, mine, lay, seat, b):
    """``_put`` for one card of a seat's hand, given as the mask of its face; returns its bit number."""
    w0, w1, w2 = mine[0], mine[1], mine[2]
    mine[0], mine[1], mine[2] = (w0 & ~b) | (w1 & b), (w1 & ~b) | (w2 & b), w2 & ~b
    s = view.SEEN
    w0, w1 = pub[s], pub[s + 1]
    pub[s], pub[s + 1] = w0 | b, w1 | (w0 & b)
    pub[s + 2] |= w1 & b
    at = view.PLAY + 3 * seat
    pub[at], pub[at + 1], pub[at + 2] = b, 0, 0
    if pub[view.LOG]:
        row = view.HISTORY + view.H_STRIDE * pub[view.TRICK] + view.H_PLAYS + 3 * seat
        pub[row], pub[row + 1], pub[row + 2] = b, 0, 0
    bit = lowest(b)
    pub[view.TRICK_POINTS] += lay[WORTH + bit]
    pub[view.POSITION] += 1
    return bit


@kernel(inline=True)
def _follow_one(pub, mine, lay, seat, b):
    """A follower plays one card."""
    suit = pub[SUIT]
    bit = _put_one(pub, mine, lay, seat, b)
    other = lay[SUIT_OF + bit]
    strength = lay[LEVEL_OF + bit]
    if other != suit:
        strength = strength + 64 if other == TRUMP else -1
        pub[view.VOID + seat] |= 1 << suit
    better = strength > pub[view.BEST]
    pub[view.BEST] = strength if better else pub[view.BEST]
    pub[view.BEST_SEAT] = seat if better else pub[view.BEST_SEAT]


@kernel(inline=True)
def put_lead(pub, own, lay, masks, seat, p0, p1, p2):
    """The leader plays p: the throw is checked (COM-10), what is left of it lies on the table."""
    pub[view.TRICK_POINTS] = 0
    pub[view.LEADER] = seat
    pub[view.BEST_SEAT] = seat
    failed = False
    m0, m1, m2 = p0, p1, p2
    if p1 == 0 and p0 & (p0 - 1) == 0:  # one card, most leads: what ``describe`` would say of it
        bit = _put_one(pub, shift(own, seat * view.OWN_SIZE), lay, seat, p0)
        level = lay[LEVEL_OF + bit]
        pub[N], pub[SUIT], pub[COUNT], pub[MULTI] = 1, lay[SUIT_OF + bit], 1, 0
        pub[TYPES], pub[TOPS] = SINGLE, level
        pub[view.BEST] = level
    elif p2 == 0 and p0 == p1 and p0 & (p0 - 1) == 0:  # a pair
        bit = lowest(p0)
        level = lay[LEVEL_OF + bit]
        pub[N], pub[SUIT], pub[COUNT], pub[MULTI] = 2, lay[SUIT_OF + bit], 1, 1
        pub[TYPES], pub[TOPS] = PAIR, level
        pub[view.BEST] = level
        _put(pub, own, lay, seat, p0, p1, p2)
    else:
        describe(p0, p1, p2, lay, pub, masks)
        if pub[COUNT] > 1:
            pub[view.THROWS] += 1
            part = throw_check(pub, masks, own, view.OWN_SIZE, seat, lay[SEATS], lay)
            if part >= 0:
                failed = True
                pub[view.FAILED] += 1
                pub[view.FAULTS + seat] += 1
                if lay[GAME] == HONG_WU_WU_JIA:
                    take_back(pub, seat, m0, m1, m2)
                p0, p1, p2 = masks[3 * part], masks[3 * part + 1], masks[3 * part + 2]
                describe(p0, p1, p2, lay, pub, masks)
        pub[view.BEST] = pub[TOPS] if pub[COUNT] == 1 else 0
        _put(pub, own, lay, seat, p0, p1, p2)
    if pub[view.LOG]:
        row = view.HISTORY + view.H_STRIDE * pub[view.TRICK]
        pub[row + view.H_LEADER] = seat
        pub[row + view.H_FAILED] = failed
        pub[row + view.H_SIZE], pub[row + view.H_KIND], pub[row + view.H_COUNT] = (
            pub[N],
            pub[TYPES],
            pub[COUNT],
        )
        if failed:
            at = row + view.H_ATTEMPT
            pub[at], pub[at + 1], pub[at + 2] = m0, m1, m2


@kernel(inline=True)
def put_follow(pub, own, lay, seat, p0, p1, p2):
    """A follower plays p (a legal play)."""
    suit = pub[SUIT]
    if pub[N] == 1:
        _follow_one(pub, shift(own, seat * view.OWN_SIZE), lay, seat, p0)
        return
    mask = lay[MASK + suit]
    if p0 & ~mask:
        pub[view.VOID + seat] |= 1 << suit
    if lay[GAME] == HONG_WU_WU_JIA:
        note_shapes(pub, lay, seat, p0, p1, p2)
    # with cascade every pair that can answer one of the lead's must (COM-13)
    elif lay[CASCADE] and popcount(p1 & mask) < popcount(pub[view.PLAY + 3 * pub[view.LEADER] + 1]):
        pub[view.NO_PAIR + seat] |= 1 << suit
    if pub[TYPES] == PAIR and pub[COUNT] == 1:  # what ``wins_with`` would say
        strength = -1
        if p1:
            bit = lowest(p1)
            mine = lay[SUIT_OF + bit]
            strength = (
                lay[LEVEL_OF + bit] if mine == suit else lay[LEVEL_OF + bit] + 64 if mine == TRUMP else -1
            )
    else:
        strength = wins_with(p0, p1, p2, lay, pub)
    if strength > pub[view.BEST]:
        pub[view.BEST] = strength
        pub[view.BEST_SEAT] = seat
    _put(pub, own, lay, seat, p0, p1, p2)


@kernel(inline=True)
def end_trick(pub):
    """Give the trick to its winner, who leads next (COM-18)."""
    winner = pub[view.BEST_SEAT]
    if pub[view.LOG]:
        row = view.HISTORY + view.H_STRIDE * pub[view.TRICK]
        pub[row + view.H_WINNER] = winner
        pub[row + view.H_POINTS] = pub[view.TRICK_POINTS]
        pub[row + view.H_RUFFED] = 1 if pub[view.BEST] >= 64 else 0
    pub[view.TAKEN + winner] += pub[view.TRICK_POINTS]
    pub[view.TRICK] += 1
    pub[view.LEFT] -= pub[N]
    pub[view.LAST_LEADER] = pub[view.LEADER]
    pub[view.LEADER] = winner
    pub[view.POSITION] = 0


def choose(what, role, pub, own, lay, policies, weights, width):
    """Answer LEAD or FOLLOW; ``_jit.player`` puts a policy here."""
    raise NotImplementedError


def play_tricks(pub, own, lay, masks, policies, weights, width):
    """Play on to the end, from ``start_play`` or from within a trick, cards chosen by ``choose``.

    Made a kernel by ``_jit.player``, once for each ``choose``: asking through a table at every card, whoever plays,
    cost 4 % of a deal. ``policies`` and ``weights`` (``width`` apart): three a seat, by role.
    """
    seats = lay[SEATS]
    banker = pub[view.BANKER]
    hidden = lay[GAME] == HONG_WU_WU_JIA  # partners
    while pub[view.LEFT] > 0:
        seat = pub[view.LEADER]
        played = pub[view.POSITION]
        if played == 0:
            mine = shift(own, seat * view.OWN_SIZE)
            if pub[view.LEFT] == 1:
                put_lead(pub, own, lay, masks, seat, mine[0], mine[1], mine[2])
            else:
                role = seat * 3 + (view.ROLE_BANKER if seat == banker else view.ROLE_DEFENDER)
                choose(view.LEAD, role, pub, mine, lay, policies, weights, width)
                put_lead(pub, own, lay, masks, seat, mine[view.OUT], mine[view.OUT_1], mine[view.OUT_2])
        # whether there is anything to notice in this trick
        watch = hidden and (pub[view.PARTNER] < 0 or pub[view.SHOWN_SEATS] != 0)
        if played == 0:
            if watch:
                notice(pub, own, lay, seat)
            played = 1
        seat += played
        if seat >= seats:
            seat -= seats
        for _ in range(played, seats):
            mine = shift(own, seat * view.OWN_SIZE)
            role = seat * 3 + (view.ROLE_BANKER if seat == banker else view.ROLE_DEFENDER)
            if not forced_follow(pub, mine, lay):
                choose(view.FOLLOW, role, pub, mine, lay, policies, weights, width)
            if pub[N] == 1:
                _follow_one(pub, mine, lay, seat, mine[view.OUT])
            else:
                put_follow(pub, own, lay, seat, mine[view.OUT], mine[view.OUT_1], mine[view.OUT_2])
            if watch:
                notice(pub, own, lay, seat)
            seat += 1
            if seat == seats:
                seat = 0
        end_trick(pub)
    return 0
