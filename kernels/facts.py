"""What everybody can know for certain about a hand that was not shown: the facts behind sampled worlds (``worlds``).

Gathered from the calls and from HISTORY (``pub[LOG]`` must be set), at the moment of a decision. Two kinds:

*Counts.* For each seat the copies it is known to hold (KNOWN: shown in a call or by a failed throw, not played
since), and for each face the numbers of copies it cannot hold (BARRED). Voids, no pairs and no triples in a suit, no
pair above a level, trumps no higher than those a forced-trump rule took: all are of this kind, for the clauses speak of
what a hand held before a play, and what was played of it is seen.

*Checks.* Plays whose whole meaning is not a matter of counts: tractors that were not held, throws that failed (somebody
beat them), the odd card of DWF-11d. A world must be tested against them by the rules themselves: module ``fits``.

Counts are necessary, and where no check is noted also sufficient, for every play so far to have been legal.
"""

from __future__ import annotations

from . import view
from ._jit import kernel
from .bits import lowest, popcount
from .contain import contains, top_of
from .forced import OFF, THROWS
from .layout import (
    ABOVE,
    BINDS_ALL,
    BIT_OF,
    BY_LEVEL,
    CASCADE,
    FACE_OF,
    GAME,
    HONG_WU_WU_JIA,
    LEVEL_OF,
    MASK,
    PACKS,
    SCOPE,
    SEATS,
    SPLIT,
    SUIT_OF,
    TRUMP,
)
from .memory import shift
from .shapes import (
    COUNT,
    LEAD_SIZE,
    MAX_COMPONENTS,
    MULTI,
    PAIR,
    SINGLE,
    SUIT,
    TOPS,
    TRIPLE,
    TYPES,
    N,
    describe,
)

# Offsets. A row a seat:
KNOWN = 0  # 3 words: held for certain
BARRED = 3  # 4 words: faces of which it cannot hold just 0, 1, 2, 3 copies (the known ones included)
ROW = 7
SHOWN = 35  # 3 words: cards the banker showed in a call and has not played: in its hand or buried
CHECKS = 38  # a trick: mask of the seats whose follow has to be checked; THROW: the lead
FIRST_CHECK = CHECKS + view.MAX_TRICKS + 1  # the earliest trick with a check; MAX_TRICKS if there is none
LEAD = FIRST_CHECK + 1  # working memory: a lead, its components' cards, hands as they were
MASKS = LEAD + LEAD_SIZE
THEN = MASKS + 3 * MAX_COMPONENTS
SIZE = THEN + 3 * 5

THROW = 1 << 8
_ALL = (1 << 54) - 1
_KING, _JOKER = 11, 52


@kernel()
def bar(facts, seat, faces, least):
    """The seat holds fewer than ``least`` copies of each of these faces."""
    at = seat * ROW + BARRED
    for k in range(least, 4):
        facts[at + k] |= faces


@kernel()
def lessen(bars, p0, p1, p2):
    """Four words of barred numbers (counts 0 to 3): what they say of a hand when the cards p have left it."""
    while p0 != 0:
        bars[0] = (bars[0] & ~p0) | (bars[1] & p0)
        bars[1] = (bars[1] & ~p0) | (bars[2] & p0)
        bars[2] = (bars[2] & ~p0) | (bars[3] & p0)
        bars[3] |= p0
        p0 = p1
        p1 = p2
        p2 = 0


@kernel()
def _forget(cards, p0, p1, p2):
    """Take p out of some cards (three words), as far as they are there."""
    while p0 != 0:
        cards[0] = (cards[0] & ~p0) | (cards[1] & p0)
        cards[1] = (cards[1] & ~p0) | (cards[2] & p0)
        cards[2] &= ~p0
        p0 = p1
        p1 = p2
        p2 = 0


@kernel()
def _gone(facts, seat, p0, p1, p2):
    """The seat has played p: what is known of its hand is now about the rest of it."""
    _forget(shift(facts, seat * ROW + KNOWN), p0, p1, p2)
    lessen(shift(facts, seat * ROW + BARRED), p0, p1, p2)


@kernel()
def _show(facts, at, bit, copies):
    """Some copies of one face are known to be at ``facts[at:]``."""
    b = 1 << bit
    for k in range(copies):
        facts[at + k] |= b


@kernel()
def called(what, pub, lay, facts):
    """What calls, counters and reveals have shown (DWF-3, DWF-4, HW-4).

    A banker may have buried it since. While calls are still to come faces stand for bits.
    """
    early = what == view.CALL or what == view.COUNTER or what == view.REVEAL
    hw = lay[GAME] == HONG_WU_WU_JIA
    rank = 0 if hw else 1
    banker = -1 if early else pub[view.BANKER]
    if pub[view.CALLER] >= 0:
        face = pub[view.CALL_SUIT] * 13 + rank
        bit = face if early else lay[BIT_OF + face]
        at = SHOWN if pub[view.CALLER] == banker else pub[view.CALLER] * ROW + KNOWN
        _show(facts, at, bit, 1 if hw else pub[view.CALL_SIZE])
    if not hw and pub[view.COUNTERER] >= 0:
        face = pub[view.COUNTER_SUIT] * 13 + rank
        bit = face if early else lay[BIT_OF + face]
        at = SHOWN if pub[view.COUNTERER] == banker else pub[view.COUNTERER] * ROW + KNOWN
        _show(facts, at, bit, 2)


@kernel()
def _threw(lay, facts, lead, leader, broken):
    """COM-10: nobody could beat the components of a throw above type ``broken`` (0: it stood). True: to be checked."""
    check = broken != 0
    count = lead[COUNT]
    for i in range(count):
        kind = lead[TYPES + i]
        if kind <= broken:
            break
        if i + 1 < count and lead[TYPES + i + 1] == kind:  # the lowest of its type says most
            continue
        if kind > TRIPLE:
            check = True
            continue
        above = lay[ABOVE + 24 * lead[SUIT] + lead[TOPS + i]]
        for seat in range(lay[SEATS]):
            if seat == leader:
                continue
            if kind == PAIR and lay[PACKS] == 3 and lay[SPLIT] == 0:
                facts[seat * ROW + BARRED + 2] |= above  # three copies are no pair
            else:
                bar(facts, seat, above, 1 if kind == SINGLE else 2 if kind == PAIR else 3)
    return check


@kernel()
def _shape(lay, facts, lead, seat, p1, p2):
    """COM-13: a follower with enough cards of the suit put p on a lead with pairs. True: to be checked."""
    suit = lead[SUIT]
    multi = lead[MULTI]
    split = lay[SPLIT] != 0
    if contains(p1, p2, lay, suit, lead, TYPES, multi, split):
        return False
    mask = lay[MASK + suit]
    first = lead[TYPES]
    if multi == 1 and first <= TRIPLE and (lay[CASCADE] == 0 or first == PAIR):
        if first == TRIPLE:
            bar(facts, seat, mask, 3)
        elif split or lay[PACKS] == 2:
            bar(facts, seat, mask, 2)
        else:
            facts[seat * ROW + BARRED + 2] |= mask
        return False
    if (lay[CASCADE] == 0 and first != PAIR) or not (split or lay[PACKS] == 2):
        return True
    owed = 0
    for i in range(multi):
        owed += lead[TYPES + i] & 31
    if popcount(p1) < owed:  # it held no pair but these
        bar(facts, seat, mask & ~p1, 2)
        return lay[PACKS] == 3 and first != PAIR
    return True


@kernel()
def _ruffs(lay, lead, p0, p1, p2):
    """COM-17: whether all of p are trumps on a side suit and contain the lead's components."""
    if lead[SUIT] == TRUMP or p0 & ~lay[MASK + TRUMP]:
        return False
    return top_of(p0, p1, p2, lay, TRUMP, lead, TYPES, lead[MULTI], lay[SPLIT] != 0) >= 0


@kernel()
def _forced(lay, facts, lead, seat, p0, p1):
    """DWF-11: what a short or void follower's trumps say about those it has left. True: to be checked."""
    n = lead[N]
    if lead[SUIT] == TRUMP or n < 2 or lay[SCOPE] == OFF or (lay[SCOPE] == THROWS and lead[COUNT] < 2):
        return False
    mask = lay[MASK + lead[SUIT]]
    trump = lay[MASK + TRUMP]
    held = popcount(p0 & mask) + popcount(p1 & mask)
    t0, t1 = p0 & trump, p1 & trump
    cards = popcount(t0) + popcount(t1)
    if cards < n - held:  # DWF-11a
        bar(facts, seat, trump, 1)
        return False
    if lead[MULTI] == 0:  # DWF-11b
        return False
    if held == 0 and lay[BINDS_ALL] == 0 and _ruffs(lay, lead, p0, p1, 0):
        return False
    above = ABOVE + 24 * TRUMP
    if held > 0 or lay[BY_LEVEL]:  # DWF-11c
        bar(facts, seat, lay[above + lay[LEVEL_OF + lowest(t0)]], 1)
        return False
    single = t0 & ~t1
    if popcount(t1) < cards // 2:  # DWF-11d: all its pairs, then the highest others
        bar(facts, seat, trump, 2)
        bar(facts, seat, single | lay[above + lay[LEVEL_OF + lowest(single)]], 1)
        return False
    bar(facts, seat, lay[above + lay[LEVEL_OF + lowest(t1)]], 2)
    if single == 0:
        return False
    # the odd card was the highest unpaired trump, or there was none and it broke the highest pair left
    facts[seat * ROW + BARRED + 1] |= lay[above + lay[LEVEL_OF + lowest(single)]]
    return True


@kernel()
def _followed(lay, facts, lead, seat, p0, p1, p2, named):
    """A follow of two cards or more. True: to be checked. ``named``: the face nobody may hide now (HW-9), or 0."""
    mask = lay[MASK + lead[SUIT]]
    check = False
    if p0 & ~mask == 0:
        if lead[MULTI]:
            check = _shape(lay, facts, lead, seat, p1, p2)
        _gone(facts, seat, p0, p1, p2)
        return check
    _gone(facts, seat, p0, p1, p2)
    bar(facts, seat, mask, 1)
    if p0 & named & ~mask and not _ruffs(lay, lead, p0, p1, p2):
        bar(facts, seat, _ALL & ~named, 1)  # HW-9: it had nothing else to throw off
    return _forced(lay, facts, lead, seat, p0, p1)


@kernel()
def _followed_one(lay, facts, suit, seat, p0, named):
    """A follow of one card."""
    _gone(facts, seat, p0, 0, 0)
    other = lay[SUIT_OF + lowest(p0)]
    if other != suit:
        bar(facts, seat, lay[MASK + suit], 1)
        if p0 & named and other != TRUMP:
            bar(facts, seat, _ALL & ~named, 1)


@kernel()
def gather(what, pub, own, lay, facts):
    """Fill ``facts`` (int64[SIZE]) for a decision of the kind ``what`` of the seat whose row is ``own``."""
    for k in range(LEAD):
        facts[k] = 0
    facts[FIRST_CHECK] = view.MAX_TRICKS
    called(what, pub, lay, facts)
    if what != view.LEAD and what != view.FOLLOW:
        return
    seats = lay[SEATS]
    me = own[view.SEAT]
    banker = pub[view.BANKER]
    lead = shift(facts, LEAD)
    masks = shift(facts, MASKS)
    named, hidden = 0, 0  # the named face while the partner is unknown; the same if it must not be hidden
    if lay[GAME] == HONG_WU_WU_JIA:
        named = 1 << pub[view.NAMED]
        face = lay[FACE_OF + pub[view.NAMED]]
        hidden = named if face < _JOKER and face % 13 >= _KING else 0
    for trick in range(pub[view.TRICK] + 1):
        plays = seats if trick < pub[view.TRICK] else pub[view.POSITION]
        if plays == 0:
            break
        row = view.HISTORY + view.H_STRIDE * trick
        leader = pub[row + view.H_LEADER]
        at = row + view.H_PLAYS + 3 * leader
        l0, l1, l2 = pub[at], pub[at + 1], pub[at + 2]
        one = pub[row + view.H_SIZE] == 1
        check = 0
        if pub[row + view.H_FAILED]:
            a = row + view.H_ATTEMPT
            describe(pub[a], pub[a + 1], pub[a + 2], lay, lead, masks)
            for k in range(3):
                facts[leader * ROW + KNOWN + k] |= pub[a + k]
            if _threw(lay, facts, lead, leader, pub[row + view.H_KIND]):
                check = THROW
            if not one:
                describe(l0, l1, l2, lay, lead, masks)
        elif not one:
            describe(l0, l1, l2, lay, lead, masks)
            if lead[COUNT] > 1 and _threw(lay, facts, lead, leader, 0):
                check = THROW
        suit = lay[SUIT_OF + lowest(l0)]
        seat = leader
        for step in range(plays):
            at = row + view.H_PLAYS + 3 * seat
            p0, p1, p2 = pub[at], pub[at + 1], pub[at + 2]
            if step == 0:
                _gone(facts, seat, p0, p1, p2)
            elif seat != me:
                mine = hidden if seat != banker else 0
                if one:
                    _followed_one(lay, facts, suit, seat, p0, mine)
                elif _followed(lay, facts, lead, seat, p0, p1, p2, mine):
                    check |= 1 << seat
            if seat == banker:
                _forget(shift(facts, SHOWN), p0, p1, p2)
            elif p0 & named:
                named, hidden = 0, 0
            seat = seat + 1 if seat + 1 < seats else 0
        if check:
            facts[CHECKS + trick] = check
            facts[FIRST_CHECK] = min(facts[FIRST_CHECK], trick)
    if banker != me:  # what the banker has shown since, it holds
        k = banker * ROW + KNOWN
        _forget(shift(facts, SHOWN), facts[k], facts[k + 1], facts[k + 2])
