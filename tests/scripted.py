"""A policy of die-wu-fen that calls, counters and bids by a script, and otherwise plays as `random` does.

It counts what it is asked: `own[MEMORY]` calls, `own[MEMORY + 1]` counters, `own[MEMORY + 2]` bids.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from tuolaji.kernels import view
from tuolaji.kernels._jit import DECIDE, JIT
from tuolaji.kernels.memory import ask, policy_table, shift
from tuolaji.kernels.policies import dwf_random, mixed
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan

#: The script of a seat: which of its questions to answer with what; from BIDS on its bids in order, 0 a pass.
CALL_AT, CALL_ANSWER, COUNTER_AT, COUNTER_ANSWER, FROM_ATTEMPT, BIDS = 0, 1, 2, 3, 4, 5
WIDTH = 40
NEVER = 1000
#: Where the script of a seat ends; with jit the address of `random` stands there.
_POLICY = 39


def _decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
    if what == view.CALL:
        asked = own[view.MEMORY]
        own[view.MEMORY] = asked + 1
        if asked == weights[CALL_AT] and pub[view.ATTEMPT_NO] == weights[FROM_ATTEMPT]:
            return weights[CALL_ANSWER]
        return 0
    if what == view.COUNTER:
        asked = own[view.MEMORY + 1]
        own[view.MEMORY + 1] = asked + 1
        return weights[COUNTER_ANSWER] if asked == weights[COUNTER_AT] else 0
    if what == view.BID_TURN:
        asked = own[view.MEMORY + 2]
        own[view.MEMORY + 2] = asked + 1
        return weights[BIDS + asked]
    if JIT:
        return ask(shift(weights, _POLICY), 0, what, pub, own, lay, weights)
    return dwf_random.decide(what, pub, own, lay, weights)


_table = policy_table([numba.njit(DECIDE)(_decide) if JIT else _decide] * 9 + [mixed.play])


def engine(scripts: np.ndarray, **plan: Any) -> Engine:
    """An engine of die-wu-fen whose seats follow their scripts (int64[3, WIDTH])."""
    made = Engine(make_plan("die-wu-fen", policies="random", **plan))
    made._policies = _table
    made._weights = np.ascontiguousarray(np.repeat(scripts, 3, axis=0))
    if JIT:
        made._weights[:, _POLICY] = policy_table([dwf_random.decide])
    return made


def blank() -> np.ndarray:
    """Scripts in which nobody calls, counters or raises."""
    scripts = np.zeros((3, WIDTH), np.int64)
    scripts[:, [CALL_AT, COUNTER_AT]] = NEVER
    return scripts
