"""The counterfactual table of hong-wu-wu-jia: a deal with every reveal there could have been, and every face named.

Each alternative is a deal of its own, with all the columns of the dataset: for every 2 that a seat gets in time, the
deal in which it reveals it; the deal in which nobody does; and, in the contract that came about, the deal for every
face the banker may name. When a 2 is revealed does not matter to play: no policy reads it (a test compares the deals of
`simulate`, by any bidding, with the table), so one play-out stands for all times at which that 2 could be revealed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .engine import Engine
from .errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .plan import Plan

    Shorts = NDArray[np.int16]
    Bytes = NDArray[np.int8]


@dataclass(frozen=True)
class HiddenTable:
    """Play-outs of n consecutive deals.

    ``deals``: a column by name (``DEAL_COLUMNS``), int16 (n,): lots, and the contract that came about. ``plays``: the
    columns of the dataset by name, int16 (n, rows), rows as in ``kernels.counterfactual_hong_wu_wu_jia``: a 2 revealed
    (seat * 4 + suit), pressed, a face named; ``banker`` is -1 where there is no such play. ``looks``: int8 (n, seats,
    looks, LOOK_WIDTH), what hands are worth when ``expert`` looks at them. ``names``: int16 (n, faces,
    len(NAME_COLUMNS)), what the banker holds of each face.
    """

    first: int
    deals: dict[str, Shorts]
    plays: dict[str, Shorts]
    looks: Bytes
    names: Shorts

    def __len__(self) -> int:
        return len(self.looks)

    @property
    def payoffs(self) -> Shorts:
        """What each seat wins in each play-out: int16 (n, rows, seats)."""
        return np.stack([self.plays[f"payoff_{seat}"] for seat in range(self.looks.shape[1])], axis=-1)


class HiddenCounterfactual(Engine):
    """Plays deals of a plan with all their alternatives. Safe to share by threads."""

    def __init__(self, plan: Plan, *, reveals: bool = True, namings: bool = True) -> None:
        """``reveals``, ``namings``: which alternatives are played; rows of the others are empty."""
        if plan.game.name != "hong-wu-wu-jia":
            raise UsageError(
                f"game: reveals and namings are not for {plan.game.name}; allowed is hong-wu-wu-jia"
            )
        super().__init__(replace(plan, contract=None, session=1))
        from ..kernels import counterfactual_hong_wu_wu_jia

        self._kernels = counterfactual_hong_wu_wu_jia
        self._wanted = int(reveals), int(namings)

    def table(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> HiddenTable:
        """The play-outs of deals ``first`` .. ``first + count - 1``; fewer when ``stop`` becomes non-zero."""
        kernels, seats = self._kernels, self.plan.game.seats
        deals = np.zeros((len(kernels.DEAL_COLUMNS), count), np.int16)
        plays = np.zeros((len(self.columns), count * kernels.ROWS), np.int16)
        looks = np.zeros((count * seats * kernels.LOOKS, kernels.LOOK_WIDTH), np.int16)
        names = np.zeros((count * kernels.NAMES, len(kernels.NAME_COLUMNS)), np.int16)
        flag = np.zeros(1, np.int64) if stop is None else stop
        done = kernels.counterfactual_chunk(
            self._lays, self._policies, self._weights, self._plan, self._seed, first, count, *self._wanted, flag,
            *kernels.memory(), deals, plays, looks, names, kernels.spare(),
        )  # fmt: skip
        shaped = plays.reshape(len(self.columns), count, kernels.ROWS)[:, :done]
        return HiddenTable(
            first,
            dict(zip(kernels.DEAL_COLUMNS, deals[:, :done], strict=True)),
            dict(zip(self.columns, shaped, strict=True)),
            looks.reshape(count, seats, kernels.LOOKS, -1)[:done].astype(np.int8),
            names.reshape(count, kernels.NAMES, -1)[:done],
        )
