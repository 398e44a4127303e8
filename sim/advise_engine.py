"""Plays the choices open to a hand in sampled worlds; see ``kernels.advise_die_wu_fen``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import layout, rng, view
from ..kernels.memory import ask_once
from .engine import Engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .plan import Plan

    Ints = NDArray[np.int64]


def words_of(faces: Sequence[int]) -> list[int]:
    """Cards as three words by face number."""
    words = [0, 0, 0]
    for face in faces:
        at = next(k for k in range(3) if not words[k] >> face & 1)
        words[at] |= 1 << face
    return words


class Advisor(Engine):
    """Plays the worlds of a plan whose ``given`` holds what the hand knows. Safe to share by threads."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.kernels = import_module(f"..kernels.advise_{plan.game.name.replace('-', '_')}", __package__)
        self._plain = rng.shuffle_plan(plan.game.cards)

    def choices(
        self,
        asked: Ints,
        answers: Ints,
        burials: Ints,
        first: int,
        count: int,
        stop: Ints | None = None,
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Every choice in worlds ``first`` .. ``first + count - 1``: int64 (worlds, choices, 4), see the kernels.

        Worlds that do not agree with the news, if these count, are left out. With them: of each world tried whether it
        is there.
        """
        flag = np.zeros(1, np.int64) if stop is None else stop
        out = np.zeros((count * len(answers), self.kernels.WIDTH), np.int64)
        kept = np.zeros(count, np.int64)
        memory = self.kernels.working_memory()
        pub = next(array for array in memory if array.shape == (view.PUB_SIZE,))
        pub[view.LOG] = int(self.slow)  # a search reasons from what was played
        if self.plan.game.name == "die-wu-fen":
            done = self.kernels.advise_chunk(
                self._lays, self._policies, self._weights, self._plan, self._plain, self._seed, first, count, asked,
                answers, burials, flag, *memory, kept, out,
            )  # fmt: skip
        else:
            done = self.kernels.advise_chunk(
                self._lays, self._policies, self._weights, self._plan, self._seed, first, count, asked, answers,
                flag, *memory, kept, out,
            )  # fmt: skip
        shaped: Ints = out.reshape(count, len(answers), -1)[:done]
        agrees = kept[:done] != 0
        return shaped[agrees], agrees

    def burial(self, seat: int, trump: int, cards: Sequence[int], bid: int = 0) -> list[int]:
        """What the policy buries as the banker, from its hand with the bottom: faces."""
        lay = self._lays[trump]
        pub = view.fresh_pub()
        pub[view.BANKER], pub[view.TRUMP_CARD], pub[view.BID] = seat, trump, bid
        for at in (view.CALLER, view.COUNTERER, view.PARTNER, view.NAMED):
            pub[at] = -1
        own = np.zeros(view.OWN_SIZE, np.int64)
        own[view.SEAT], own[view.CARDS] = seat, self.plan.game.hand_size
        own[:3] = words_of([int(lay[layout.BIT_OF + face]) for face in cards])
        own[view.RNG] = self._seed
        role = seat * 3 + view.ROLE_BANKER
        ask_once(self._policies, role, view.BURY, pub, own, lay, self._weights[role])
        found = [
            int(lay[layout.FACE_OF + bit])
            for bit in range(54)
            for word in (view.OUT, view.OUT_1, view.OUT_2)
            if int(own[word]) >> bit & 1
        ]
        return sorted(found)
