"""``search`` for hong-wu-wu-jia: candidates played out by ``expert`` in sampled worlds (``playout``).

Searches what to bury, which face to name (solo or not), leads and follows; reveals as ``expert`` does.
"""

from __future__ import annotations

import numpy as np

from .. import view
from .._jit import JIT, kernel, policy
from ..bits import lowest
from ..hong_wu_wu_jia import BOTTOM_SIZE, COLUMNS, DEFENDER_POINTS, score
from ..hong_wu_wu_jia import PAYOFF as PAYOFF_COLUMN
from ..memory import ask, pointer, shift
from ..partner import nameable
from ..shapes import N
from . import hw_expert, hw_greedy, hw_random
from .candidates import MOST, buries, follows, leads, note, note_legal
from .choose import answer
from .playout import BY, GREEDY, GREEDY_WEIGHTS, HEAD, ONLY, PAYOFF, RANDOM, TABLE, best_of, kind_of

#: By default. By points, solo is not weighed right: over expert in auctions +0.06 [-0.06, 0.19] paid a deal, by payoff
#: +0.38 [0.30, 0.45].
BEST_BY = PAYOFF
_BY_LOT = 8  # candidates of ``random`` when several cards are led
_ROWS = len(COLUMNS)


@policy
def worth(what, pub, own, lay, weights):
    """What a finished deal is worth to seat ``what``; ``own``: all rows. By payoff, or by the defenders' points."""
    out = np.zeros((_ROWS, 1), np.int16)
    score(pub, own, lay, out, 0)
    if weights[BY] == PAYOFF:
        return int(out[PAYOFF_COLUMN + what, 0])
    total = int(out[DEFENDER_POINTS, 0])
    return -total if what == pub[view.BANKER] or what == pub[view.PARTNER] else total


@kernel()
def _search(what, pub, own, lay, weights, experts):
    mine = shift(weights, HEAD)
    seat = own[view.SEAT]
    role = 3 * seat + (view.ROLE_BANKER if seat == pub[view.BANKER] else view.ROLE_DEFENDER)
    first = ask(experts, role, what, pub, own, lay, mine)
    if kind_of(what, pub, own, lay) & weights[ONLY] == 0:
        return first
    cands_ = np.zeros(3 * MOST, np.int64)
    cands = pointer(cands_)
    n = 0
    if what == view.NAME:
        able = nameable(own, lay)
        if (able >> first) & 1:
            cands[0] = first
            n = 1
            able ^= 1 << first
        while able and n < MOST:
            cands[3 * n] = lowest(able)
            able &= able - 1
            n += 1
        best = best_of(what, pub, own, lay, weights, experts, cands, n) if n > 1 else 0
        return cands_[3 * best]
    n = note(cands, n, own[view.OUT], own[view.OUT_1], own[view.OUT_2])
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
ASKED = [hw_expert.decide] * 15 + [hw_expert.play, worth, hw_greedy.decide, hw_random.decide]
#: The policies it builds on.
EXPERT, QUICK = hw_expert, hw_greedy


@policy
def decide(what, pub, own, lay, weights):
    """The policy ``search`` for hong-wu-wu-jia (signature: see the package)."""
    return _search(what, pub, own, lay, weights, shift(weights, TABLE) if JIT else ASKED)
