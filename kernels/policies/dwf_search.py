"""``search`` for die-wu-fen: candidates played out by ``expert`` in sampled worlds (``playout``).

Searches bids, what to bury, leads and follows; calls and counters as ``expert`` does.
"""

from __future__ import annotations

import numpy as np

from .. import view
from .._jit import JIT, kernel, policy
from ..die_wu_fen import BOTTOM_SIZE
from ..die_wu_fen_score import base_value, count_points, settle, throw_penalties
from ..memory import ask, pointer, shift
from . import dwf_expert, dwf_greedy, dwf_random
from .candidates import MOST, buries, follows, leads, note, note_legal
from .choose import answer
from .playout import BY, GREEDY, GREEDY_WEIGHTS, HEAD, PAYOFF, RANDOM, TABLE, best_of

_BY_LOT = 8  # candidates of ``random`` when several cards are led


@policy
def worth(what, pub, own, lay, weights):
    """What a finished deal is worth to seat ``what``; ``own``: all rows. By payoff, or by the defenders' points."""
    banker = pub[view.BANKER]
    captured, bottom, multiplier = count_points(pub, own, lay)
    total = captured + bottom * multiplier
    if weights[BY] != PAYOFF:
        return -total if what == banker else total
    bid = pub[view.BID]
    base = base_value(lay, bid)
    _made, _shutout, stake = settle(lay, total, bid, base)
    stake += throw_penalties(pub, lay) * base
    return 2 * stake if what == banker else -stake


@kernel()
def _search(what, pub, own, lay, weights, experts):
    mine = shift(weights, HEAD)
    seat = own[view.SEAT]
    banker = seat == pub[view.BANKER] and what != view.BID_TURN
    role = 3 * seat + (view.ROLE_BANKER if banker else view.ROLE_DEFENDER)
    first = ask(experts, role, what, pub, own, lay, mine)
    if what != view.BURY and what != view.LEAD and what != view.FOLLOW:
        return first
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
        if pub[0] > 1:
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
