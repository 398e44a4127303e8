"""``expert`` for die-wu-fen: remembers what is out, weighs its plays; see docs/policies.md."""

from __future__ import annotations

from .. import view
from .._jit import kernel, player, policy
from ..bits import lowest, popcount
from ..layout import MASK, WORTH
from ..memory import shift
from ..play import play_tricks
from .choose import answer
from .dwf_expert_bid import BIDDING, BIDDING_NAMES, bid, call
from .dwf_expert_follow import FOLLOWS, follow
from .dwf_expert_lead import FEATURES, KINDS, lead
from .dwf_know import SUIT_TOPS, TRUMPS

_LEADS = KINDS * FEATURES
# Offsets in the weights: the auction (``dwf_expert_bid``), burying, then leads and follows of the banker and of a
# defender.
BURY_LEVEL, BURY_ACE, BURY_PAIR, BURY_POINT, BURY_VOID, BURY_TRUMP, BURY_RUN = range(BIDDING, BIDDING + 7)
BANKER = BIDDING + 7
DEFENDER = BANKER + _LEADS + FOLLOWS
COUNT = DEFENDER + _LEADS + FOLLOWS


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
        return call(own, lay, weights, what == view.COUNTER)
    if what == view.BID_TURN:
        return bid(pub, own, lay, weights)
    _bury(own, lay, weights)
    return 0


@kernel(inline=True)
def _choose(what, role, pub, own, lay, policies, weights, width):
    decide(what, pub, own, lay, weights)


#: All tricks of a deal in which every seat is ``expert``.
play = player(play_tricks, _choose)


def _names() -> tuple[str, ...]:
    kinds = ("masters", "run", "pair", "low", "trump_masters", "trump_run", "trump_pair", "trump_low")
    features = (
        "base", "cards", "points", "better", "enemy_void", "short", "trumps_out", "ahead", "empties", "late",
    )  # fmt: skip
    follows = (
        *(f"beats_{k}" for k in range(6)),
        *("ruffs", "feed", "stint", "leads", "mate_leads"),
        *("side_level", "side_master", "side_pair", "side_last"),
        *("trump_base", "trump_level", "trump_pair", "trump_master"),
        *("point", "ruff_each", "ruff_pair", "beat_pair"),
    )
    names = list(BIDDING_NAMES)
    names += [f"bury.{n}" for n in ("level", "ace", "pair", "point", "void", "trump", "run")]
    for role in ("banker", "defender"):
        names += [f"{role}.lead.{kind}.{feature}" for kind in kinds for feature in features]
        names += [f"{role}.follow.{n}" for n in follows]
    return tuple(names)


#: What each weight is, in the order of the vector; the values are in sim/weights/dwf_expert.toml.
NAMES = _names()
