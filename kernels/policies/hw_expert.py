"""``expert`` for hong-wu-wu-jia: knows what is out, works out who is with it, weighs its plays (docs/policies.md)."""

from __future__ import annotations

from .. import view
from .._jit import kernel, player, policy
from ..bits import count_of, lowest, popcount, size
from ..hong_wu_wu_jia import BOTTOM_SIZE, HAND_SIZE
from ..layout import FACE_OF, LEVEL_OF, MASK, SHIFT, SUIT_OF, TRUMP, WORTH
from ..memory import shift
from ..partner import nameable
from ..play import play_tricks
from .choose import answer
from .hw_expert_follow import FOLLOWS, follow
from .hw_expert_lead import FEATURES, KINDS, lead
from .hw_greedy import ALWAYS, next_look, tops
from .hw_know import SURE, allies, unseen

_LEADS = KINDS * FEATURES
# Offsets in the weights. A 2 is revealed when its suit's trumps, their pairs and triples, jokers and red fives, each by
# its weight, reach REVEAL_SHARE * cards held + REVEAL_MARGIN, and REVEAL_PREVIOUS more at the previous banker; with all
# cards dealt, when they reach REVEAL_LAST (only the previous banker is asked then, HW-4).
REVEAL, REVEAL_SHARE, REVEAL_MARGIN, REVEAL_PREVIOUS, REVEAL_LAST = 0, 4, 5, 6, 7
BURY_LEVEL, BURY_ACE, BURY_PAIR, BURY_TRIPLE, BURY_POINT, BURY_VOID, BURY_TRUMP, BURY_RUN = range(8, 16)
# A face to name: by kind (side A, side K, trump A or K, big joker, red five), by copies held, for each card of its
# suit held, each K of the suit of an A; and playing solo, which takes so much of the strength of its trumps.
NAME_KIND, NAME_HELD, NAME_LENGTH, NAME_KINGS, NAME_SOLO, NAME_STRENGTH = 16, 21, 24, 25, 26, 27
DOUBT = 28  # see hw_know.allies
BANKER = 29
PARTNER = BANKER + _LEADS + FOLLOWS
DEFENDER = PARTNER + _LEADS + FOLLOWS
COUNT = DEFENDER + _LEADS + FOLLOWS

_HIGHEST = (3 << 52) | (1 << 16)  # jokers and red fives, by face number


@kernel(inline=True)
def _best_two(own, w):
    """The 2 in hand whose suit makes the strongest trumps, and how strong."""
    w0, w1, w2 = own[0], own[1], own[2]
    always = w[0] * (popcount(w0 & ALWAYS) + popcount(w1 & ALWAYS) + popcount(w2 & ALWAYS))
    always += w[1] * popcount(w1 & ALWAYS) + w[2] * popcount(w2 & ALWAYS)
    always += w[3] * (popcount(w0 & _HIGHEST) + popcount(w1 & _HIGHEST) + popcount(w2 & _HIGHEST))
    best, most = -1, -1
    for suit in range(4):
        if (w0 >> (13 * suit)) & 1:
            # 3 to A and the other 3 of the colour
            mask = ((0x1FFE << (13 * suit)) | (2 << (13 * (suit ^ 2)))) & ~ALWAYS
            n = w[0] * (popcount(w0 & mask) + popcount(w1 & mask) + popcount(w2 & mask))
            n += w[1] * popcount(w1 & mask) + w[2] * popcount(w2 & mask)
            if n > most:
                best, most = suit, n
    return best, most + always


@kernel(inline=True)
def _reveal(pub, own, w):
    cards = own[view.CARDS]
    suit, most = _best_two(own, w)
    enough = w[REVEAL_LAST]  # else it will be pressed, in a suit by lot (HW-5)
    if cards < HAND_SIZE:
        enough = w[REVEAL_SHARE] * cards + w[REVEAL_MARGIN]
        if own[view.SEAT] == pub[view.PREVIOUS]:
            enough += w[REVEAL_PREVIOUS]
    return suit + 1 if most >= enough else next_look(cards)


@kernel(inline=True)
def _keep(own, lay, w, bit, aces, runs):
    """What a card is worth keeping from the bottom."""
    b = 1 << bit
    suit = lay[SUIT_OF + bit]
    if suit == TRUMP:
        return w[BURY_TRUMP] + lay[LEVEL_OF + bit]
    keep = w[BURY_LEVEL] * (14 - lay[SHIFT + suit + 1] + bit) + w[BURY_POINT] * lay[WORTH + bit]
    keep += w[BURY_ACE] * (b & aces != 0)
    if own[1] & b:
        keep += w[BURY_PAIR] + w[BURY_RUN] * (runs & b != 0)
        keep += w[BURY_TRIPLE] * (own[2] & b != 0)
    return keep


@kernel()
def _bury(own, lay, w):
    """Empty those side suits whose emptying costs least, then bury the cards least worth keeping."""
    keeps = shift(own, view.SCRATCH)  # the side faces by what they are worth, then the lowest trumps
    faces = shift(keeps, 64)
    total = shift(faces, 64)  # what each side suit is worth as a whole
    total[0], total[1], total[2] = 0, 0, 0
    aces = tops(lay)
    below = own[1] & (own[1] >> 1) & ~aces
    runs = below | (below << 1)
    n = 0
    pool = own[0]
    cards = 0
    while pool:
        bit = lowest(pool)
        pool &= pool - 1
        suit = lay[SUIT_OF + bit]
        if suit == TRUMP and cards >= BOTTOM_SIZE:
            break
        keep = _keep(own, lay, w, bit, aces, runs)
        copies = count_of(own[0], own[1], own[2], bit)
        cards += copies
        if suit != TRUMP:
            total[suit] += keep * copies
        i = n
        while i > 0 and keeps[i - 1] > keep:
            keeps[i], faces[i] = keeps[i - 1], faces[i - 1]
            i -= 1
        keeps[i], faces[i] = keep, bit
        n += 1
    best, p0, p1, p2 = -(1 << 40), 0, 0, 0
    for emptied in range(8):
        q0, q1, q2 = 0, 0, 0
        gain = 0
        for suit in range(3):
            if (emptied >> suit) & 1:
                mask = lay[MASK + suit]
                q0 |= own[0] & mask
                q1 |= own[1] & mask
                q2 |= own[2] & mask
                gain += w[BURY_VOID] * (own[0] & mask != 0) - total[suit]
        missing = BOTTOM_SIZE - size(q0, q1, q2)
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
                    if own[2] & b and missing > 0:
                        q2 |= b
                        missing -= 1
                        gain -= keeps[i]
        if missing == 0 and gain > best:
            best, p0, p1, p2 = gain, q0, q1, q2
    answer(own, p0, p1, p2)


@kernel()
def _name(own, lay, w):
    """The face to name with the highest score."""
    pool = nameable(own, lay)
    b = view.BURIED
    best, named = -(1 << 40), 0
    trump = lay[MASK + TRUMP]
    trumps = size(own[0] & trump, own[1] & trump, own[2] & trump)
    while pool:
        bit = lowest(pool)
        pool &= pool - 1
        held = count_of(own[0], own[1], own[2], bit)
        all_held = held + count_of(own[b], own[b + 1], own[b + 2], bit)
        suit = lay[SUIT_OF + bit]
        mask = lay[MASK + suit]
        face = lay[FACE_OF + bit]
        rank = face % 13 if face < 52 else 0
        if suit != TRUMP:
            s = w[NAME_KIND] if rank == 12 else w[NAME_KIND + 1]
        elif rank >= 11:
            s = w[NAME_KIND + 2]
        else:
            s = w[NAME_KIND + 3] if face == 53 else w[NAME_KIND + 4]
        s += w[NAME_LENGTH] * size(own[0] & mask, own[1] & mask, own[2] & mask)
        if rank == 12:
            s += w[NAME_KINGS] * count_of(own[0], own[1], own[2], bit - 1)
        if all_held == 3:
            s += w[NAME_SOLO] + w[NAME_STRENGTH] * trumps
        else:
            s += w[NAME_HELD + min(held, 2)]
        if s > best:
            best, named = s, bit
    return named


@kernel(inline=True)
def _play(what, pub, own, lay, weights):
    f = allies(pub, own, lay, weights[DOUBT])
    u0, u1, u2 = unseen(pub, own)
    seat, banker = own[view.SEAT], pub[view.BANKER]
    role = DEFENDER
    if seat == banker:
        role = BANKER
    elif (f >> (8 * banker)) & 255 >= SURE // 2:
        role = PARTNER
    if what == view.LEAD:
        lead(pub, own, lay, shift(weights, role), f, u0, u1, u2)
    else:
        follow(pub, own, lay, shift(weights, role + _LEADS), f, u0, u1, u2)


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``expert`` for hong-wu-wu-jia (signature: see the package)."""
    if what == view.FOLLOW or what == view.LEAD:
        _play(what, pub, own, lay, weights)
        return 0
    if what == view.REVEAL:
        return _reveal(pub, own, weights)
    if what == view.NAME:
        return _name(own, lay, weights)
    _bury(own, lay, weights)
    return 0


@kernel(inline=True)
def _choose(what, role, pub, own, lay, policies, weights, width):
    _play(what, pub, own, lay, weights)


#: All tricks of a deal in which every seat is ``expert``.
play = player(play_tricks, _choose)


def _names() -> tuple[str, ...]:
    kinds = (
        "masters", "run", "multiple", "low", "trump_masters", "trump_run", "trump_multiple", "trump_low",
    )  # fmt: skip
    features = (
        "base", "cards", "points", "better", "enemy_void", "ally_void", "short", "named", "trumps_out", "ahead",
        "empties", "late",
    )  # fmt: skip
    follows = (
        *(f"beats_{k}" for k in range(8)),
        *(f"short_{2 * k}" for k in range(6)),
        "ruffs",
        *(f"overruffs_{4 * k}" for k in range(4)),
        *("feed", "stint", "leads", "mate_leads"),
        *("side_level", "side_master", "side_pair", "side_triple", "side_last"),
        *("trump_base", "trump_level", "trump_pair", "trump_triple", "trump_master", "trump_late"),
        *("point", "show", "direct", "rich_from", "many_beats", "many_ruffs"),
        *(f"same_beats_{k}" for k in range(4)),
        *("same_level", "same_trump", "ruff_each", "ruff_pair"),
    )
    names = [
        f"reveal.{n}" for n in ("trump", "pair", "triple", "high", "share", "margin", "previous", "last")
    ]
    names += [f"bury.{n}" for n in ("level", "ace", "pair", "triple", "point", "void", "trump", "run")]
    names += [f"name.{n}" for n in ("side_ace", "side_king", "trump_ace_king", "big_joker", "red_five")]
    names += [f"name.{n}" for n in ("held_0", "held_1", "held_2", "length", "kings", "solo", "solo_trumps")]
    names += ["partner.doubt"]
    for role in ("banker", "partner", "defender"):
        names += [f"{role}.lead.{kind}.{feature}" for kind in kinds for feature in features]
        names += [f"{role}.follow.{n}" for n in follows]
    return tuple(names)


#: What each weight is, in the order of the vector; the values are in sim/weights/hw_expert.toml.
NAMES = _names()
#: Those that `--bidding` replaces: what is revealed and what is named.
BIDDING_NAMES = tuple(name for name in NAMES if name.startswith(("reveal.", "name.")))
