"""Plays the same deals under several rule sets side by side, and tells where play and payment part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.detail import FAILED, LEADER, THROW
from .engine import Engine
from .paired import RESAMPLES, Paired, resamples_for
from .quantities import needed
from .runner import Runner
from .stats import Estimate, Sums, mean, proportion
from .stopping import stopped_by_user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from .compare import Differing
    from .detail import Detail
    from .engine import Columns
    from .plan import Plan

_AUCTION = {
    "die-wu-fen": (
        "first_seat", "trump", "banker", "redeals", "caller", "call_size", "call_after", "countered", "opener", "bid",
        "bids_made",
    ),
    "hong-wu-wu-jia": (
        "first_seat", "trump", "banker", "previous_banker", "pressed", "reveal_after", "named",
    ),
}  # fmt: skip


class Variants:
    """Plays deals under each of several plans; a `runner.Player`. The first is what the others are compared with."""

    def __init__(self, plans: list[Plan], kept: int) -> None:
        """Of the first ``kept`` plans all that is counted is handed on, of the others only where they differ."""
        self.plan = plans[0]
        self._engines = [Engine(plan) for plan in plans]
        for engine in self._engines:
            engine.load_detail()
        self._kept = kept
        self._needed = needed(self.plan.game.name)
        self.slow = self._engines[0].slow

    def play(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> Columns:
        """The columns of the first plan; ``K:NAME`` of plan K; 1 in ``K:played``, ``K:paid`` where it differs."""
        columns, detail = self._engines[0].play_in_full(first, count, stop)
        digest = _digest(detail)
        found = dict(columns)
        for at, engine in enumerate(self._engines[1:], 1):
            own, own_detail = engine.play_in_full(first, count, stop)
            done = min(len(own["banker"]), len(found["banker"]))
            found = {name: values[:done] for name, values in found.items()}
            odd = digest[:done] != _digest(own_detail)[:done]
            for name in _AUCTION[self.plan.game.name]:
                odd |= own[name][:done] != found[name]
            seats = range(self.plan.game.seats)
            paid = [own[f"payoff_{seat}"][:done] != found[f"payoff_{seat}"] for seat in seats]
            found[f"{at}:played"] = odd.astype(np.int16)
            found[f"{at}:paid"] = np.logical_or.reduce(paid).astype(np.int16)
            if at < self._kept:
                found |= {f"{at}:{name}": own[name][:done] for name in self._needed}
        return found


def _digest(detail: Detail) -> NDArray[np.uint64]:
    """A 64-bit number of each deal that stands for every card played and every lead, thrown or not.

    Different plays have the same number by a chance of 2**-64 or so.
    """
    plays = detail.plays
    assert plays is not None
    tricks = np.concatenate([[0], np.cumsum(detail.counts, dtype=np.int64)])
    ends = np.concatenate([[0], plays.ends]).astype(np.int64)
    letters = ends[tricks * detail.seats]  # where each deal's text begins
    found = _summed(plays.text, letters, 1)
    found += _summed(plays.lengths, tricks * detail.seats, 2)
    for field_at in (LEADER, THROW, FAILED):
        found += _summed(detail.tricks[field_at], tricks, 3 + field_at)
    return found


def _summed(values: NDArray[Any], bounds: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    """The sum over each stretch of values, each scrambled with its place in it."""
    if not len(values):
        return np.zeros(len(bounds) - 1, np.uint64)
    place = np.arange(len(values), dtype=np.int64) - np.repeat(bounds[:-1], np.diff(bounds))
    mixed = values.astype(np.uint64) + np.uint64(1) + (place.astype(np.uint64) << np.uint64(16))
    mixed += np.uint64(salt) << np.uint64(56)
    mixed ^= mixed >> np.uint64(30)  # splitmix64
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed, dtype=np.uint64)])
    found: NDArray[np.uint64] = total[bounds[1:]] - total[bounds[:-1]]
    return found


@dataclass
class Played:
    """What was found in the same deals under several plans."""

    paired: Paired
    counts: dict[str, tuple[int, int]] = field(
        default_factory=dict
    )  # K:played, K:paid: sum, sum of unit squares

    def add(self, name: str, values: NDArray[np.int64]) -> None:
        """Count deals of whole units."""
        units = values.reshape(-1, self.paired.session).sum(axis=1)
        x, xx = self.counts.get(name, (0, 0))
        self.counts[name] = x + int(units.sum()), xx + int((units * units).sum())

    def differing(self, play: int, variant: int, option: str, confidence: float) -> Differing:
        """In how many deals a play differs from the first, on behalf of a variant, or of one of its options."""
        from .compare import Differing

        played, paid = (self._share(f"{play}:{what}", confidence) for what in ("played", "paid"))
        counts = (self.counts[f"{play}:played"][0], self.counts[f"{play}:paid"][0])
        return Differing(variant, option, played, paid, counts)

    def _share(self, name: str, confidence: float) -> Estimate:
        """Wilson's interval; with none of n deals differing at most -ln(1 - confidence) / n, which is 3 / n."""
        from .match import rule_of_three
        from .stats import normal, wilson

        x, xx = self.counts[name]
        size, units = self.paired.session, self.paired.units
        deals = size * units
        few = min(1.0, rule_of_three(confidence) / units)
        if x in (0, deals):
            low, high = (0.0, few) if x == 0 else (1 - few, 1.0)
            return Estimate(x / deals, 0.0, low, high, deals)
        if size == 1:
            share = x / deals
            return Estimate(
                share, (share * (1 - share) / deals) ** 0.5, *wilson(x, deals, normal(confidence)), deals
            )
        return proportion(Sums(units, x, deals, xx, size * x, size * deals))


def play(
    plans: list[Plan],
    extra: list[Plan],
    first: int,
    deals: int,
    *,
    resamples: int | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    report: Callable[[int], None] | None = None,
) -> Played:
    """Play deals under ``plans``, whose figures are compared, and ``extra``, of which only differing deals are counted.

    `KeyboardInterrupt` when told to stop.
    """
    plan, number = plans[0], len(plans) + len(extra)
    paired = Paired(
        plan.game.name, len(plans), session=plan.session, seed=plan.seed, contract=plan.contract is not None,
        resamples=resamples or min(RESAMPLES, resamples_for(deals // plan.session)),
    )  # fmt: skip
    found = Played(paired)
    names = needed(plan.game.name)
    done = 0
    for columns in _chunks(Variants([*plans, *extra], len(plans)), first, deals, workers, chunk):
        base = {name: columns[name] for name in names}
        others = [{name: columns[f"{at}:{name}"] for name in names} for at in range(1, len(plans))]
        paired.add([base, *others])
        for at in range(1, number):
            for what in ("played", "paid"):
                found.add(f"{at}:{what}", columns[f"{at}:{what}"].astype(np.int64))
        done += len(columns["banker"])
        if report:
            report(done * number)
    paired.finish()
    return found


def _chunks(player: Any, first: int, deals: int, workers: int | None, chunk: int | None) -> Iterator[Columns]:
    runner = Runner(player, first, deals, workers=workers, chunk=chunk)
    try:
        with stopped_by_user(runner.stop):
            for found in runner.chunks():
                yield found.columns
    finally:
        runner.close()
    if runner.stopped_early:
        raise KeyboardInterrupt


class _Replicated:
    """Plays each deal twice: the same cards and lots, other random numbers for the seats."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._engine = Engine(plan)
        self.slow = self._engine.slow

    def play(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> Columns:
        one = self._engine.play(first, count, stop)
        two = self._engine.play(first, count, stop, replica=1)
        done = min(len(one["banker"]), len(two["banker"]))
        names = [f"payoff_{seat}" for seat in range(self.plan.game.seats)]
        return {name: values[:done] for name, values in one.items()} | {
            f"again:{name}": two[name][:done] for name in names
        }


def luck(
    plan: Plan,
    first: int,
    deals: int,
    *,
    workers: int | None = None,
    report: Callable[[int], None] | None = None,
) -> Estimate:
    """The share of the payoffs' variance that the deal explains, all policies' own lots being drawn twice.

    With a and b a seat's payoffs in the two plays, less its mean: the sum of a b over that of (a a + b b) / 2, over
    seats and deals. 1 exactly, and without an interval, where no deal was played differently: policies draw no lots.
    """
    from dataclasses import replace

    plan = replace(plan, session=1)
    names = [f"payoff_{seat}" for seat in range(plan.game.seats)]
    pieces: list[NDArray[np.int64]] = []
    done = 0
    for columns in _chunks(_Replicated(plan), first, deals, workers, None):
        once = np.stack([columns[name] for name in names]).astype(np.int64)
        again = np.stack([columns[f"again:{name}"] for name in names]).astype(np.int64)
        pieces.append(np.stack([once, again]))
        done += once.shape[1]
        if report:
            report(2 * done)
    payoffs = np.concatenate(pieces, axis=2)
    if (payoffs[0] == payoffs[1]).all():
        return Estimate(1.0, 0.0, of=deals)
    a, b = payoffs - payoffs.mean(axis=(0, 2), keepdims=True)
    x, y = (a * b).sum(axis=0), (a * a + b * b).sum(axis=0) / 2
    scaled = [
        [int(value) for value in np.rint(values * 2**20)] for values in (x, y)
    ]  # exact sums, as everywhere
    products = [
        sum(map(int.__mul__, one, other)) for one, other in ((scaled[0], scaled[0]), scaled, (scaled[1],) * 2)
    ]
    found = mean(Sums(deals, sum(scaled[0]), sum(scaled[1]), *products))
    return Estimate(found.value, found.error, found.low, found.high, deals)
