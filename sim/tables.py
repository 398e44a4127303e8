"""Hands of hong-wu-wu-jia at many tables, each seat with a policy of its own in every hand."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import hong_wu_wu_jia, rng, view
from ..kernels.memory import policy_table
from . import searching
from .engine import encode_rules
from .plan import kernel_of
from .weights import weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .rules import RuleSet

    Ints = NDArray[np.int64]


class TableEngine:
    """Plays hands by the policies ``names``; compiles or loads the kernels when made. Safe to share by threads."""

    def __init__(self, rules: RuleSet, names: list[str], seed: int) -> None:
        from ..kernels import tournament

        self.names = names
        self._kernel = tournament.play_tables
        self._lays = encode_rules(rules)
        modules = [
            import_module(f"..kernels.policies.{kernel_of(rules.game, name)}", __package__) for name in names
        ]
        mixed = import_module("..kernels.policies.mixed", __package__)
        self._known = policy_table([*(module.decide for module in modules), mixed.play])
        self._logged = any(hasattr(module, "ASKED") for module in modules)
        vectors = [
            searching.vector(searching.parse(name), module)
            if hasattr(module, "ASKED")
            else weights_of(module)
            for name, module in zip(names, modules, strict=True)
        ]
        self._kinds = np.zeros((len(names), max(vector.size for vector in vectors)), np.int64)
        for row, vector in zip(self._kinds, vectors, strict=True):
            row[: vector.size] = vector
        self._plan = rng.shuffle_plan(hong_wu_wu_jia.CARDS)
        self._seed = seed - 2**64 if seed >= 2**63 else seed
        self.columns: tuple[str, ...] = tuple(hong_wu_wu_jia.COLUMNS)

    def play(
        self, first: int, hands: int, minds: Ints, stop: Ints | None = None
    ) -> dict[str, NDArray[np.int16]]:
        """The columns of deals from ``first`` on, ``hands`` a table (HW-17); ``minds``: by deal and seat a policy."""
        faces, pub, own, masks = hong_wu_wu_jia.working_memory()
        pub[view.LOG] = self._logged
        roles = 3 * hong_wu_wu_jia.SEAT_COUNT
        weights = np.zeros((roles, self._kinds.shape[1]), np.int64)
        room = np.zeros(roles + 1, np.int64)
        seated: Any = room if isinstance(self._known, np.ndarray) else [None] * len(room)  # without jit
        out = np.zeros((len(self.columns), len(minds)), np.int16)
        flag = np.zeros(1, np.int64) if stop is None else stop
        contract = np.array([-1, 0, 0], np.int64)
        done = self._kernel(
            self._lays, self._known, seated, self._kinds, weights, self._plan, self._seed, first, hands,
            np.ascontiguousarray(minds, np.int64), contract, flag, faces, pub, own, masks, out,
        )  # fmt: skip
        return dict(zip(self.columns, out[:, :done], strict=True))
