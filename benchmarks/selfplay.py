"""A game played by its ``expert`` with weights that may be exchanged: what tuning and ablation share."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from tuolaji.kernels.memory import policy_table
from tuolaji.kernels.policies import mixed
from tuolaji.sim.engine import Engine
from tuolaji.sim.games import resolve_game
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.weights import weights_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

GAMES = ("die-wu-fen", "hong-wu-wu-jia")


@dataclass(frozen=True)
class Role:
    """Weights that serve one role: their names as patterns, and whether it wants points or wants none of them."""

    names: tuple[str, ...]
    sign: int
    banker: bool


#: What is tuned by self-play: burying, naming and each role's play. The auction is fitted apart.
ROLES: dict[str, dict[str, Role]] = {
    "die-wu-fen": {
        "banker": Role(("bury.*", "banker.*"), -1, True),
        "defender": Role(("defender.*",), 1, False),
    },
    "hong-wu-wu-jia": {
        "banker": Role(("bury.*", "name.[!s]*", "name.side*", "banker.*"), -1, True),
        # points are blind to what the partner itself pays (HW-10) and to who else would like to be it
        "partner": Role(("partner.lead.*", "partner.follow.[!d]*"), -1, False),
        "defender": Role(("defender.*",), 1, False),
    },
}


class Table:
    """The engine with ``expert`` on every seat, each role's weights exchangeable."""

    def __init__(self, game: str, seed: int, bidding: str = "expert") -> None:
        self.game = resolve_game(game)
        self.engine = Engine(make_plan(self.game, policies=["expert", f"bidding={bidding}"], seed=seed))
        modules = [self._module(name) for name in self.engine.plan.policies]
        # all tricks by asking each seat, with its own weights
        self.engine._policies = policy_table([*(m.decide for m in modules), mixed.play])
        self.expert = self._module("expert")
        self.names: tuple[str, ...] = self.expert.NAMES
        self.weights: Ints = weights_of(self.expert)

    def _module(self, name: str) -> Any:
        return import_module(f"tuolaji.kernels.policies.{POLICIES[self.game.name][name]}")

    def places(self, patterns: Iterable[str]) -> list[int]:
        """The weights whose names match a pattern."""
        found = set()
        for pattern in patterns:
            hits = {i for i, name in enumerate(self.names) if fnmatch(name, pattern)}
            if not hits:
                raise SystemExit(f"no weight is called {pattern}")
            found |= hits
        return sorted(found)

    def play(self, banker: Ints, others: Ints, first: int, deals: int) -> dict[str, NDArray[np.int16]]:
        """The columns of some deals; who is not the banker decides by ``others``."""
        for seat in range(self.game.seats):
            self.engine._weights[3 * seat + 1, : banker.size] = banker
            self.engine._weights[3 * seat + 2, : others.size] = others
        return self.engine.play(first, deals)

    def points(self, banker: Ints, others: Ints, first: int, deals: int) -> NDArray[np.float64]:
        """The defenders' points in each of some deals."""
        return self.play(banker, others, first, deals)["defender_points"].astype(np.float64)
