"""``search`` for die-wu-fen: candidates played out by ``expert`` in sampled worlds (``playout``).

Searches bids, what to bury, leads and follows; calls and counters as ``expert`` does.
"""

from __future__ import annotations

import numpy as np

from .. import view, worlds
from .._jit import JIT, kernel, policy
from ..die_wu_fen import (
    BID_MAX,
    BID_STEP,
    BOTTOM_SIZE,
    SEAT_COUNT,
    bid_on,
    opening_bid,
    take_bid,
    take_bottom,
)
from ..die_wu_fen_score import base_value, count_points, settle, throw_penalties
from ..memory import ask, play_out, pointer, shift
from ..play import start_play
from ..shapes import N
from . import dwf_expert, dwf_greedy, dwf_random
from .candidates import MOST, buries, follows, leads, note, note_legal
from .choose import answer
from .playout import (
    BY,
    GREEDY,
    GREEDY_WEIGHTS,
    HEAD,
    LOOKS,
    MARGIN,
    ONLY,
    PAYOFF,
    PLAY,
    POINTS,
    RANDOM,
    TABLE,
    WORLDS,
    best_of,
    drop,
    kind_of,
    pick,
    set_up,
)

#: By default. Over expert in auctions +0.43 [0.37, 0.49] paid a deal, by payoff +0.34 [0.21, 0.46].
BEST_BY = POINTS
_PENALTY = 20  # points that a base paid for a failed throw counts for
_BIDS = 3  # bids weighed, besides passing
_BY_LOT = 8  # candidates of ``random`` when several cards are led


@kernel()
def _payoff(pub, own, lay, seat):
    captured, bottom, multiplier = count_points(pub, own, lay)
    bid = pub[view.BID]
    base = base_value(lay, bid)
    _made, _shutout, stake = settle(lay, captured + bottom * multiplier, bid, base)
    stake += throw_penalties(pub, lay) * base
    return 2 * stake if seat == pub[view.BANKER] else -stake


@policy
def worth(what, pub, own, lay, weights):
    """What a finished deal is worth to seat ``what``; ``own``: all rows. By payoff, or by the defenders' points."""
    banker = pub[view.BANKER]
    captured, bottom, multiplier = count_points(pub, own, lay)
    total = captured + bottom * multiplier
    if weights[BY] != PAYOFF:
        total -= _PENALTY * throw_penalties(pub, lay)
        return -total if what == banker else total
    return _payoff(pub, own, lay, what)


@kernel()
def _search_bid(first, pub, own, lay, weights, experts):
    """The bid (0: pass) with the best mean payoff, the rest of the auction and the play being ``expert``'s."""
    bids = np.zeros(_BIDS + 2, np.int64)
    bids[0] = first
    n = 1
    bid = opening_bid(pub, lay) if pub[view.BIDS] == 0 else pub[view.BID] + lay[BID_STEP]
    if pub[view.BIDS] > 0 and first != 0:
        n = 2  # passing
    for _ in range(_BIDS):
        if bid <= lay[BID_MAX] and bid != first:
            bids[n] = bid
            n += 1
        bid += lay[BID_STEP]
    if n == 1:
        return first
    most = weights[WORLDS]
    me = own[view.SEAT]
    box_ = np.zeros(worlds.SIZE, np.int64)
    world_ = np.zeros(SEAT_COUNT * view.OWN_SIZE + worlds.EXTRA, np.int64)
    table_ = np.zeros(view.PUB_SIZE, np.int64)
    hands_ = np.zeros((SEAT_COUNT + 1) * view.OWN_SIZE, np.int64)
    masks_ = np.zeros(108, np.int64)
    box, world, table, hands, masks = (
        pointer(box_), pointer(world_), pointer(table_), pointer(hands_), pointer(masks_),
    )  # fmt: skip
    tables = worlds.prepare(view.BID_TURN, pub, own, lay, box, worlds.BUDGET)
    values = np.zeros((_BIDS + 2) * most, np.int64)
    sums = np.zeros(_BIDS + 2, np.int64)
    alive = np.ones(_BIDS + 2, np.int64)
    mine = shift(weights, HEAD)
    bottom = SEAT_COUNT * view.OWN_SIZE
    look = LOOKS
    done = 0
    for w in range(most):
        worlds.draw(view.BID_TURN, pub, own, lay, box, tables, world)
        for c in range(n):
            if not alive[c]:
                continue
            set_up(pub, lay, world, table, hands)
            take_bid(table, me, bids[c])
            if bids[c] >= lay[BID_MAX]:
                table[view.BANKER] = me
            else:
                bid_on(table, hands, lay, experts, mine, 0, (me + 1) % SEAT_COUNT)
            take_bottom(table, hands, lay, world[bottom], world[bottom + 1], experts, mine, 0)
            start_play(table, hands, lay)
            play_out(experts, PLAY, table, hands, lay, masks, experts, mine, 0)
            values[c * most + w] = _payoff(table, hands, lay, me)
            sums[c] += values[c * most + w]
        done = w + 1
        if done == look and done < most:
            look *= 2
            if drop(values, most, sums, alive, n, done) == 1:
                break
    best = pick(values, most, sums, alive, n, done, weights[MARGIN])
    keep = box_[0] + world_[0] + table_[0] + hands_[0] + masks_[0]
    return bids[best] + (keep - keep)


@kernel()
def _search(what, pub, own, lay, weights, experts):
    mine = shift(weights, HEAD)
    seat = own[view.SEAT]
    banker = seat == pub[view.BANKER] and what != view.BID_TURN
    role = 3 * seat + (view.ROLE_BANKER if banker else view.ROLE_DEFENDER)
    first = ask(experts, role, what, pub, own, lay, mine)
    if kind_of(what, pub, own, lay) & weights[ONLY] == 0:
        return first
    if what == view.BID_TURN:
        return _search_bid(first, pub, own, lay, weights, experts)
    cands_ = np.zeros(3 * MOST, np.int64)
    cands = pointer(cands_)
    n = note(cands, 0, own[view.OUT], own[view.OUT_1], own[view.OUT_2])
    ask(experts, GREEDY, what, pub, own, lay, shift(weights, GREEDY_WEIGHTS))
    n = note(cands, n, own[view.OUT], own[view.OUT_1], own[view.OUT_2])
    if what == view.BURY:
        n = buries(own, lay, BOTTOM_SIZE, cands, n)
    elif what == view.LEAD:
        n = leads(pub, own, lay, cands, n)
    else:
        n = follows(pub, own, lay, cands, n)
        if pub[N] > 1:
            for _ in range(_BY_LOT):
                ask(experts, RANDOM, what, pub, own, lay, mine)
                n = note_legal(pub, own, lay, cands, n, own[view.OUT], own[view.OUT_1], own[view.OUT_2])
    best = best_of(what, pub, own, lay, weights, experts, cands, n) if n > 1 else 0
    answer(own, cands[3 * best], cands[3 * best + 1], cands[3 * best + 2])
    return cands_[0] * 0


#: What the table in the weights holds: the addresses of these.
ASKED = (
    [dwf_expert.decide] * 15
    + [dwf_expert.play, worth, dwf_greedy.decide, dwf_random.decide]
)  # fmt: skip


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``search`` for die-wu-fen (signature: see the package)."""
    return _search(what, pub, own, lay, weights, shift(weights, TABLE) if JIT else ASKED)


#: The policies it builds on.
EXPERT, QUICK = dwf_expert, dwf_greedy
