"""Catching a policy at one decision: what it was shown, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numba
import numpy as np
from helpers import SEATS
from numpy.typing import NDArray

from tuolaji.kernels import view
from tuolaji.kernels._jit import DECIDE, JIT
from tuolaji.kernels.bits import highest, size
from tuolaji.kernels.memory import ask, ask_once, policy_table, shift
from tuolaji.kernels.policies import dwf_random, mixed
from tuolaji.sim import searching
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.plan import Plan, kernel_of
from tuolaji.sim.weights import weights_of

from naive import DWF

Ints = NDArray[np.int64]

#: The spy's notes, in front of the policy's own weights: which decision to catch (the how manieth of what kind), how
#: many of the kind there were, what was seen and answered.
_TARGET, _COUNT, _WHAT, _ANSWER, _OUT, _POLICY, _PUB = 0, 1, 2, 3, 4, 7, 8
_OWN = _PUB + view.PUB_SIZE
_INNER = _OWN + view.OWN_SIZE


@dataclass(frozen=True)
class Decision:
    """One question to a policy with the two vectors it was given, and the answer: a number, or cards."""

    what: int
    pub: Ints
    own: Ints
    answer: tuple[int, ...]


def _spy_on(decide: Any) -> Any:
    """The policy, taking notes into its weights. With jit its address stands there as well."""

    def spy(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        hit = what == weights[_WHAT] and weights[_COUNT] == weights[_TARGET]
        if what == weights[_WHAT]:
            weights[_COUNT] += 1
        if hit:
            for k in range(view.PUB_SIZE):
                weights[_PUB + k] = pub[k]
            for k in range(view.OWN_SIZE):
                weights[_OWN + k] = own[k]
        if JIT:
            answer = ask(shift(weights, _POLICY), 0, what, pub, own, lay, shift(weights, _INNER))
        else:
            answer = decide(what, pub, own, lay, shift(weights, _INNER))
        if hit:
            weights[_ANSWER] = answer
            weights[_OUT] = own[view.OUT]
            weights[_OUT + 1] = own[view.OUT_1]
            weights[_OUT + 2] = own[view.OUT_2]
        return answer

    return numba.njit(DECIDE)(spy) if JIT else spy


def read_answer(what: int, number: int, out: Any) -> tuple[int, ...]:
    """Cards, or a number for all other questions."""
    return tuple(int(x) for x in out) if what in (view.BURY, view.LEAD, view.FOLLOW) else (int(number),)


PEEKING = "peeking"


def _peeking() -> tuple[Any, Ints]:
    """A policy that leads its lowest card if the next seat holds an even number of faces, else its highest."""
    random = numba.njit(dwf_random.decide.py_func) if JIT else dwf_random.decide

    def decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        if what != view.LEAD or own[view.SEAT] == 2:
            return random(what, pub, own, lay, weights)
        w0 = own[0]
        even = size(own[view.OWN_SIZE], 0, 0) % 2 == 0
        own[view.OUT] = w0 & -w0 if even else 1 << highest(w0)
        own[view.OUT_1] = 0
        own[view.OUT_2] = 0
        return 0

    return (numba.njit(DECIDE)(decide) if JIT else decide), dwf_random.WEIGHTS


class Spy:
    """A policy played by all seats, of which single decisions can be caught and asked again."""

    def __init__(self, decide: Any, weights: Ints, seats: int) -> None:
        self._weights: Ints = np.ascontiguousarray(weights)
        self._places = 3 * seats
        self._spy = policy_table([_spy_on(decide)] * self._places + [mixed.play])
        self._policy = policy_table([decide])
        self.searches = False

    @classmethod
    def named(cls, name: str, game: str = DWF) -> Spy:
        """A policy of `sim.plan.POLICIES`; `PEEKING` is one of die-wu-fen that looks at its neighbour's cards."""
        if name == PEEKING:
            return cls(*_peeking(), 3)
        module = import_module(f"tuolaji.kernels.policies.{kernel_of(game, name)}")
        if hasattr(module, "ASKED"):
            made = cls(module.decide, searching.vector(searching.parse(name), module), SEATS[game])
            made.searches = True
            return made
        return cls(module.decide, weights_of(module), SEATS[game])

    def engine(self, plan: Plan) -> Engine:
        """An engine with the spy at every place."""
        engine = Engine(plan)
        engine._policies = self._spy
        engine.slow = self.searches  # keeps the history of the deal
        engine._weights = np.zeros((self._places, _INNER + self._weights.size), np.int64)
        if JIT:
            engine._weights[:, _POLICY] = self._policy
        engine._weights[:, _INNER:] = self._weights
        return engine

    def counts(self, engine: Engine, deal: int, what: int) -> list[int]:
        """How many decisions of a kind each seat and role (seat * 3 + role) takes in a deal."""
        notes = engine._weights
        notes[:, _TARGET], notes[:, _COUNT], notes[:, _WHAT] = -1, 0, what
        engine.play(deal, 1)
        return [int(n) for n in notes[:, _COUNT]]

    def catch(self, engine: Engine, deal: int, what: int, place: int, number: int) -> tuple[Decision, Trace]:
        """The decision of that number among those of a kind of one seat and role, and the whole deal."""
        notes = engine._weights
        notes[:, _TARGET], notes[:, _COUNT], notes[:, _WHAT] = -1, 0, what
        notes[place, _TARGET] = number
        trace = engine.trace(deal)
        note = notes[place]
        answer = read_answer(what, int(note[_ANSWER]), note[_OUT : _OUT + 3])
        return Decision(what, note[_PUB:_OWN].copy(), note[_OWN:_INNER].copy(), answer), trace

    def ask(self, what: int, pub: Ints, own: Ints, lay: Ints) -> tuple[int, ...]:
        """What the policy answers when shown these."""
        number = ask_once(self._policy, 0, what, pub, own, np.ascontiguousarray(lay), self._weights)
        return read_answer(what, number, (own[view.OUT], own[view.OUT_1], own[view.OUT_2]))
