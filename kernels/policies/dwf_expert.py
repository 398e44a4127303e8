"""``expert`` for die-wu-fen: remembers what is out, weighs its plays; see docs/policies.md."""

from __future__ import annotations

from .. import view
from .._jit import kernel, player, policy
from ..bits import lowest, popcount
from ..die_wu_fen import BID_MAX, BID_STEP, opening_bid
from ..layout import MASK, WORTH
from ..memory import shift
from ..play import play_tricks
from .choose import answer
from .dwf_expert_follow import FOLLOWS, follow
from .dwf_expert_lead import FEATURES, KINDS, lead
from .dwf_know import SIDES, SUIT_TOPS, TRUMPS, cards_of

_LEADS = KINDS * FEATURES
# Offsets in the weights: the auction, burying, then leads and follows of the banker and of a defender.
# A hand is worth calling with when its trumps, pairs of trumps, jokers and 3s, each by its weight, reach
# CALL_MARGIN + CALL_SHARE * cards held, or CALL_LAST when all cards are dealt; a counter has its own margin and last.
CALL, CALL_SHARE, CALL_MARGIN, CALL_LAST, COUNTER_MARGIN, COUNTER_LAST = 0, 4, 5, 6, 7, 8
STRENGTH = 9  # 10
BID_FROM, BID_EACH = 19, 20
BURY_LEVEL, BURY_ACE, BURY_PAIR, BURY_POINT, BURY_VOID, BURY_TRUMP, BURY_RUN = 21, 22, 23, 24, 25, 26, 27
BANKER = 28
DEFENDER = BANKER + _LEADS + FOLLOWS
COUNT = DEFENDER + _LEADS + FOLLOWS

_PERMANENT = (3 << 0) | (3 << 13) | (3 << 26) | (3 << 39) | (3 << 52)
_THREES = (1 << 1) | (1 << 14) | (1 << 27) | (1 << 40)
_JOKERS = 3 << 52


@kernel()
def _call(own, w, need, last, pairs_only):
    """The suit of a 3 in hand with most cards, if the hand is worth it; see ``CALL``. ``need``: for so many cards."""
    w0, w1 = own[0], own[1]
    cards = own[view.CARDS]
    threes = (w1 if pairs_only else w0) & _THREES
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
    if own[view.CARDS] == 33:
        need = min(need, last)
    if most + always < need:
        return cards - (
            22 if cards < 22 else 33
        )  # looks three times only: after each card cost 0.5 us a deal
    suit = lowest(best) // 13
    return suit + 5 if w1 & best else suit + 1


@kernel()
def strength(own, lay, w):
    """What a hand is worth with trump known, in hundredths of a point (``w`` from STRENGTH on)."""
    t0, t1 = own[0] & TRUMPS, own[1] & TRUMPS
    s0, s1 = own[0] & SIDES, own[1] & SIDES
    jokers = 3 << 52
    threes = 15 << 48
    kings = SUIT_TOPS >> 1
    total = w[0] * (popcount(t0) + popcount(t1)) + w[1] * popcount(t1)
    total += w[2] * (popcount(t0 & jokers) + popcount(t1 & jokers))
    total += w[3] * (popcount(t0 & threes) + popcount(t1 & threes))
    total += w[4] * (popcount(s0 & SUIT_TOPS) + popcount(s1 & SUIT_TOPS)) + w[5] * popcount(s1 & SUIT_TOPS)
    total += w[6] * popcount(s1) + w[7] * (popcount(s0 & kings) + popcount(s1 & kings))
    for suit in range(3):
        mask = lay[MASK + suit]
        total += w[8] * max(0, 3 - cards_of(own[0], own[1], mask))
    runs = own[1] & (own[1] >> 1) & ~SUIT_TOPS
    return total + w[9] * popcount(runs)


@kernel()
def _bid(pub, own, lay, w):
    if pub[view.BIDS] == 0:
        return opening_bid(pub, lay)
    if own[view.MEMORY] == 0:
        own[view.MEMORY] = 1 + max(0, strength(own, lay, shift(w, STRENGTH)))
    step = lay[BID_STEP]
    worth = 110 + (own[view.MEMORY] - 1 - w[BID_FROM]) * 10 // w[BID_EACH]
    bid = pub[view.BID] + step
    return bid if bid <= worth and bid <= lay[BID_MAX] else 0


@kernel()
def _keep(own, lay, w, bit):
    """What a card is worth keeping from the bottom."""
    b = 1 << bit
    if b & TRUMPS:
        return w[BURY_TRUMP] + bit
    level = bit - (0 if bit < 11 else 11 if bit < 22 else 22)
    keep = w[BURY_LEVEL] * level + w[BURY_POINT] * lay[WORTH + bit] + w[BURY_ACE] * (b & SUIT_TOPS != 0)
    if own[1] & b:
        runs = (own[1] & (own[1] >> 1) & ~SUIT_TOPS) | (own[1] & (own[1] << 1) & ~(SUIT_TOPS >> 10))
        keep += w[BURY_PAIR] + w[BURY_RUN] * (runs & b != 0)
    return keep


@kernel()
def _bury(own, lay, w):
    """Empty those side suits whose emptying costs least, then bury the cards least worth keeping."""
    keeps = shift(
        own, view.SCRATCH
    )  # the side faces by what they are worth, then the trumps from the lowest on
    faces = shift(keeps, 64)
    total = shift(faces, 64)  # what each side suit is worth as a whole
    total[0], total[1], total[2] = 0, 0, 0
    n = 0
    pool = own[0]
    while pool:
        bit = lowest(pool)
        pool &= pool - 1
        keep = _keep(own, lay, w, bit)
        copies = 1 + ((own[1] >> bit) & 1)
        if bit < 33:
            total[bit // 11] += keep * copies
        i = n
        while i > 0 and keeps[i - 1] > keep:
            keeps[i], faces[i] = keeps[i - 1], faces[i - 1]
            i -= 1
        keeps[i], faces[i] = keep, bit
        n += 1
        if n > 20 and bit > 33:  # trumps enough to fill up with
            break
    best, p0, p1 = -(1 << 40), 0, 0
    for emptied in range(8):
        q0, q1 = 0, 0
        gain = 0
        for suit in range(3):
            if (emptied >> suit) & 1:
                mask = lay[MASK + suit]
                q0 |= own[0] & mask
                q1 |= own[1] & mask
                gain += w[BURY_VOID] * (own[0] & mask != 0) - total[suit]
        missing = 9 - popcount(q0) - popcount(q1)
        if missing < 0:
            continue
        for i in range(n):
            if missing == 0:
                break
            b = 1 << faces[i]
            if q0 & b == 0:
                q0 |= b
                missing -= 1
                gain -= keeps[i]
                if own[1] & b and missing > 0:
                    q1 |= b
                    missing -= 1
                    gain -= keeps[i]
        if missing == 0 and gain > best:
            best, p0, p1 = gain, q0, q1
    answer(own, p0, p1, 0)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``expert`` for die-wu-fen (signature: see the package)."""
    if what == view.FOLLOW or what == view.LEAD:
        role = BANKER if own[view.SEAT] == pub[view.BANKER] else DEFENDER
        if what == view.LEAD:
            lead(pub, own, lay, shift(weights, role))
        else:
            follow(pub, own, lay, shift(weights, role + KINDS * FEATURES))
        return 0
    if what == view.CALL or what == view.COUNTER:
        counter = what == view.COUNTER
        need = weights[COUNTER_MARGIN if counter else CALL_MARGIN] + weights[CALL_SHARE] * own[view.CARDS]
        return _call(own, weights, need, weights[COUNTER_LAST if counter else CALL_LAST], counter)
    if what == view.BID_TURN:
        return _bid(pub, own, lay, weights)
    _bury(own, lay, weights)
    return 0


@kernel(inline=True)
def _choose(what, role, pub, own, lay, policies, weights, width):
    decide(what, pub, own, lay, weights)


#: All tricks of a deal in which every seat is ``expert``.
play = player(play_tricks, _choose)


def _names() -> tuple[str, ...]:
    kinds = ("masters", "run", "pair", "low", "trump_masters", "trump_pair", "trump_low")
    features = ("base", "cards", "points", "enemy_void", "short", "trumps_out", "ahead", "empties", "late")
    follows = (
        *(f"beats_{k}" for k in range(6)),
        *("ruffs", "feed", "stint", "leads", "mate_leads"),
        *("side_level", "side_master", "side_pair", "side_last"),
        *("trump_base", "trump_level", "trump_pair", "trump_master"),
        *("point", "ruff_each", "ruff_pair", "beat_pair"),
    )
    strengths = (
        "trump",
        "trump_pair",
        "joker",
        "three",
        "ace",
        "ace_pair",
        "side_pair",
        "king",
        "short",
        "run",
    )
    names = [f"call.{n}" for n in ("trump", "pair", "joker", "three", "share", "margin", "last")]
    names += ["counter.margin", "counter.last", *(f"strength.{n}" for n in strengths)]
    names += ["bid.first", "bid.each"]
    names += [f"bury.{n}" for n in ("level", "ace", "pair", "point", "void", "trump", "run")]
    for role in ("banker", "defender"):
        names += [f"{role}.lead.{kind}.{feature}" for kind in kinds for feature in features]
        names += [f"{role}.follow.{n}" for n in follows]
    return tuple(names)


#: What each weight is, in the order of the vector; the values are in sim/weights/dwf_expert.toml.
NAMES = _names()
