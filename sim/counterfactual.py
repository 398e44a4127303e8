"""The counterfactual table of die-wu-fen: a deal's payoff with every seat as banker, at every bid.

Play does not look at the bid (no policy reads it after the bidding; a test plays every contract at every bid), so one
play-out tells the payoff at all of them. Rows are the same as those of ``simulate --contract`` for the same deals.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from .engine import Engine
from .errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from .plan import Plan
    from .rules import RuleSet

    Ints = NDArray[np.int64]
    Shorts = NDArray[np.int16]

CHUNK = 4000  # deals in a piece of a table
T_co = TypeVar("T_co", bound=Sized, covariant=True)


class Player(Protocol[T_co]):
    """What plays a piece of a table of some kind."""

    def table(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> T_co:
        """The play-outs of some deals."""
        ...


@dataclass(frozen=True)
class Table:
    """Play-outs of consecutive deals.

    ``deals``: a column by name, a value a deal: the auction (-1 and 0 without one). The others are by deal, trump and
    banker: int16 (deals, trumps, 3), ``features`` with a last axis over ``FEATURES``. ``penalties``: what each defender
    pays the banker for failed throws, in bases.
    """

    first: int
    deals: dict[str, Shorts]
    trump: Shorts
    points: Shorts
    penalties: Shorts
    features: Shorts

    def __len__(self) -> int:
        return len(self.points)


class Counterfactual(Engine):
    """Plays deals of a plan out with every seat as banker. Safe to share by threads."""

    def __init__(self, plan: Plan, *, auction: bool = False, trumps: tuple[int, ...] = (0, 1, 2, 3)) -> None:
        """``auction``: with the trump that is called, after redeals if need be; else with each of ``trumps``."""
        if plan.game.name != "die-wu-fen":
            raise UsageError(f"game: bids are not for {plan.game.name}; allowed is die-wu-fen")
        super().__init__(replace(plan, contract=None, session=1))
        from ..kernels import counterfactual

        self._kernels = counterfactual
        self._auction = auction
        self._trumps = np.array([0] if auction else trumps, np.int64)

    def table(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> Table:
        """The play-outs of deals ``first`` .. ``first + count - 1``; fewer when ``stop`` becomes non-zero."""
        kernels = self._kernels
        seats, suits = self.plan.game.seats, len(self._trumps)
        deals = np.zeros((len(kernels.DEAL_COLUMNS), count), np.int16)
        plays = np.zeros((count * suits * seats, kernels.WIDTH), np.int16)
        flag = np.zeros(1, np.int64) if stop is None else stop
        done = kernels.counterfactual_chunk(
            self._lays, self._policies, self._weights, self._plan, self._seed, first, count, self._trumps,
            int(self._auction), flag, *kernels.working_memory(), deals, plays,
        )  # fmt: skip
        shaped = plays.reshape(count, suits, seats, kernels.WIDTH)[:done]
        columns = dict(zip(kernels.DEAL_COLUMNS, deals[:, :done], strict=True))
        own = len(kernels.PLAY_COLUMNS)
        return Table(first, columns, shaped[..., 0], shaped[..., 2], shaped[..., 3], shaped[..., own:])


class Tables:
    """Plays counterfactual tables on all cores, in order."""

    def __init__(self, workers: int, report: Callable[[int], None] | None) -> None:
        self.stop = np.zeros(1, np.int64)
        self._workers = workers
        self._report = report
        self._done = 0

    def end(self) -> None:
        """Have every thread end after the deal it plays."""
        self.stop[0] = 1

    def of(self, player: Player[T_co], first: int, deals: int) -> Iterator[T_co]:
        """The tables of some deals. `KeyboardInterrupt` when told to stop."""
        with ThreadPoolExecutor(self._workers, thread_name_prefix="tuolaji") as pool:
            try:
                yield from self._in_order(pool, player, first, deals)
            except BaseException:
                self.end()  # or the threads would play on to the end of their pieces
                raise

    def _in_order(
        self, pool: ThreadPoolExecutor, player: Player[T_co], first: int, deals: int
    ) -> Iterator[T_co]:
        waiting: deque[Any] = deque()
        starts = iter(range(first, first + deals, CHUNK))
        while True:
            for start in starts:
                size = min(CHUNK, first + deals - start)
                waiting.append((size, pool.submit(player.table, start, size, self.stop)))
                if len(waiting) > self._workers + 1:
                    break
            if not waiting:
                return
            size, future = waiting.popleft()
            table = future.result()
            if len(table) < size:
                raise KeyboardInterrupt
            self._done += size
            if self._report:
                self._report(self._done)
            yield table


@dataclass(frozen=True)
class Scores:
    """DWF-16 to DWF-18 of a rule set as tables: everything a play-out comes to at every bid."""

    bids: Ints
    bases: Ints
    stakes: Ints
    outcomes: Ints

    def of(self, points: NDArray[Any], penalties: NDArray[Any]) -> Ints:
        """What each defender pays the banker at each bid, on a new last axis. The banker gets twice that."""
        stakes = self.stakes[:, points]
        return np.moveaxis(stakes, 0, -1) + penalties[..., None].astype(np.int64) * self.bases

    def made(self, points: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each bid is made, on a new last axis."""
        found: NDArray[np.bool_] = np.moveaxis(self.outcomes[:, points], 0, -1) & 1 == 1
        return found

    def shutout(self, points: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether it is a shutout at each bid, of either kind."""
        found: NDArray[np.bool_] = np.moveaxis(self.outcomes[:, points], 0, -1) & 2 == 2
        return found


def scores(rules: RuleSet) -> Scores:
    """The scoring of a rule set, for every bid it allows."""
    from ..kernels import counterfactual
    from .engine import encode_rules

    lays = encode_rules(rules)
    bids = np.arange(rules["opening_bid_single"], rules["bid_max"] + 1, rules["bid_step"], dtype=np.int64)
    most = int(4 * sum(rules[f"points_{card}"] * 2 for card in ("five", "ten", "king")))
    most += most * max(rules["bottom_multiplier"], rules["bottom_multiplier_single"])
    stakes = np.zeros((len(bids), most + 1), np.int64)
    outcomes = np.zeros_like(stakes)
    bases = np.zeros_like(bids)
    counterfactual.settle_table(lays, bids, bases, stakes, outcomes)
    return Scores(bids, bases, stakes, outcomes)
