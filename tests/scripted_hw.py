"""A policy of hong-wu-wu-jia that reveals, names and plays by a script, and otherwise does as `random`; deals made up.

`engine` plays dealt deals by scripts; `staged` plays hands of the test's choosing. The policy counts in `own[MEMORY]`
how often it is asked to reveal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numba
import numpy as np
from helpers import face_number, words

from tuolaji.kernels import hong_wu_wu_jia as hw
from tuolaji.kernels import play, view
from tuolaji.kernels._jit import DECIDE, JIT
from tuolaji.kernels.layout import BIT_OF
from tuolaji.kernels.memory import ask, play_out, pointer, policy_table, shift
from tuolaji.kernels.policies import hw_random, mixed
from tuolaji.sim.engine import Engine, Trace, encode_rules
from tuolaji.sim.plan import make_plan
from tuolaji.sim.record import make_record

from naive import FACES, HW

#: The script of a seat: which question to reveal to answer with what, and what to answer to the others; the face to
#: name, or -1; from PLAYS on four words a trick: 1 if the play is scripted, then the play.
REVEAL_AT, REVEAL_ANSWER, ELSE, NAME, PLAYS = 0, 1, 2, 3, 4
_POLICY = PLAYS + 4 * 32
WIDTH = _POLICY + 1
NEVER = 1000


def _decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
    if what == view.REVEAL:
        asked = own[view.MEMORY]
        own[view.MEMORY] = asked + 1
        return weights[REVEAL_ANSWER] if asked == weights[REVEAL_AT] else weights[ELSE]
    if what == view.NAME and weights[NAME] >= 0:
        return lay[BIT_OF + weights[NAME]] if weights[NAME] < 54 else weights[NAME]
    if what == view.LEAD or what == view.FOLLOW:
        at = PLAYS + 4 * pub[view.TRICK]
        if weights[at] != 0:
            own[view.OUT] = weights[at + 1]
            own[view.OUT_1] = weights[at + 2]
            own[view.OUT_2] = weights[at + 3]
            return 0
    if JIT:
        return ask(shift(weights, _POLICY), 0, what, pub, own, lay, weights)
    return hw_random.decide(what, pub, own, lay, weights)


_table = policy_table([numba.njit(DECIDE)(_decide) if JIT else _decide] * 15 + [mixed.play])


def blank() -> np.ndarray:
    """Scripts in which nobody reveals, and `random` decides the rest."""
    scripts = np.zeros((5, WIDTH), np.int64)
    scripts[:, REVEAL_AT], scripts[:, NAME] = NEVER, -1
    if JIT:
        scripts[:, _POLICY] = policy_table([hw_random.decide])
    return scripts


def engine(scripts: np.ndarray, **plan: Any) -> Engine:
    """An engine whose seats follow their scripts (int64[5, WIDTH])."""
    made = Engine(make_plan(HW, policies="random", **plan))
    made._policies = _table
    made._weights = np.ascontiguousarray(np.repeat(scripts, 3, axis=0))
    return made


def _play_and_score(pub: Any, own: Any, lay: Any, masks: Any, policies: Any, weights: Any, out: Any) -> None:
    width = weights.shape[1]
    policies_ = pointer(policies) if JIT else policies
    own_ = pointer(own)
    pub_, lay_ = pointer(pub), pointer(lay)
    play.start_play(pub_, own_, lay_)
    play_out(policies_, 15, pub_, own_, lay_, pointer(masks), policies_, pointer(weights), width)
    hw.score(pub_, own_, lay_, out, 0)


_kernel = numba.njit(_play_and_score) if JIT else _play_and_score


def fill_up(
    picker: random.Random, fixed: Sequence[Sequence[str]], bottom: Sequence[str] = ()
) -> list[list[str]]:
    """Five hands of 31 cards that hold the given ones, and a bottom of 7: the rest is dealt at random."""
    left = Counter(dict.fromkeys(FACES, 3))
    for cards in (*fixed, bottom):
        left.subtract(Counter(cards))
    assert min(left.values()) >= 0
    pool = [*left.elements()]
    picker.shuffle(pool)
    made = []
    for cards, size in zip((*fixed, bottom), (31,) * 5 + (7,), strict=True):
        made.append([*cards, *(pool.pop() for _ in range(size - len(cards)))])
    return made


def staged(
    hands: Sequence[Sequence[str]],
    trump: str,
    banker: int,
    named: str,
    plays: Mapping[tuple[int, int], Sequence[str]] | None = None,
    seed: int = 0,
    **options: Any,
) -> dict[str, Any]:
    """The record of a deal with these hands and this bottom, which the banker buries again (`fill_up`).

    ``plays``: (trick, seat) -> cards. The record says that banker and trump were given.
    """
    overrides = [f"{name}={str(value).lower()}" for name, value in options.items()]
    given = {"banker": banker, "trump": trump}
    plan = make_plan(HW, policies="random", seed=seed, contract=given, overrides=overrides)
    lay = np.ascontiguousarray(encode_rules(plan.rules)["shcd".index(trump)])
    _faces, pub, own, masks = hw.working_memory()
    hw.clear(pub, own.ravel(), seed, 0)
    pub[view.FIRST], pub[view.PREVIOUS], pub[view.BANKER] = 0, 1, banker
    pub[view.TRUMP_CARD], pub[view.NAMED] = "shcd".index(trump), lay[BIT_OF + face_number(named)]
    for seat in range(5):
        own[seat, :3] = words(lay, hands[seat])
    own[banker, view.BURIED : view.BURIED + 3] = words(lay, hands[5])
    scripts = blank()
    for (trick, seat), cards in (plays or {}).items():
        at = PLAYS + 4 * trick
        scripts[seat, at : at + 4] = (1, *words(lay, cards))
    out = np.zeros((len(hw.COLUMNS), 1), np.int16)
    _kernel(pub, own, lay, masks, _table, np.ascontiguousarray(np.repeat(scripts, 3, axis=0)), out)
    row = {name: int(value) for name, value in zip(hw.COLUMNS, out[:, 0], strict=True)}
    faces = np.array([face_number(card) for cards in hands for card in cards], np.int64)
    return make_record(plan, 0, Trace(row, pub, own, faces, lay))
