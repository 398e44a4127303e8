"""The study ``threshold``: how high a hand of die-wu-fen should bid, and how sure that is. See docs/statistics.md."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .bidding import MOST, Bidding, names, shipped
from .curves import GROUPS, Axis, BreakEven, Curve, break_even
from .errors import UsageError
from .plan import ROLES, bidding_for, check_deals, make_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from .auction import Auctions, Curves, Thresholds
    from .counterfactual import Counterfactual, Scores, Table
    from .games import Game
    from .plan import Plan
    from .rules import RuleSet
    from .stats import Estimate

    Ints = NDArray[np.int64]

BY = ("strength", "trumps", "top-trumps", "trump-pairs", "voids")
_PARTS = {
    "trumps": ("trumps",),
    "top-trumps": ("big_jokers", "small_jokers", "main_threes", "sub_threes"),
    "trump-pairs": ("trump_pairs",),
    "voids": ("voids",),
}
_AXES = {
    "strength": Axis(3000, 100, 150),
    "trumps": Axis(0, 1, 34),
    "top-trumps": Axis(0, 1, 13),
    "trump-pairs": Axis(0, 1, 17),
    "voids": Axis(0, 1, 4),
}
LEAST = 1000  # deals
CHUNK = 4000
DECISION_DEALS, MATCH_DEALS = 50_000, 50_000  # at most, for calls and counters and for the last comparison
ROUNDS = 5
FIT, CHOOSE = 0.5, 0.75  # shares of the deals up to which best responses are fitted, and chosen among
_POOLED = 4000  # hands below which a state has no curve of its own for the best response


@dataclass(frozen=True)
class Asked:
    """What is to be studied. ``score``: the constant and the weights of the features that make up the strength."""

    plan: Plan
    deals: int
    first: int
    by: str
    bidding: Bidding
    score: Ints

    @property
    def axis(self) -> Axis:
        """What hands are ordered by."""
        return _AXES[self.by]


@dataclass(frozen=True)
class Decision:
    """Calling or countering against leaving it, on the same deals."""

    name: str
    curve: Curve
    crossing: BreakEven | None


@dataclass(frozen=True)
class Response:
    """Best responses iterated: what came out and how it was judged. ``rounds``: the gain left in each, on chosen deals."""

    thresholds: Thresholds
    rounds: list[Estimate]
    chosen: int
    left: Estimate
    at_most: Estimate
    advantage: Estimate
    effects: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Result:
    """All that a study came to."""

    asked: Asked
    scores: Scores
    marginal: dict[int, Curve]
    marginal_even: dict[int, BreakEven]
    states: Curves
    states_even: dict[tuple[int, int, int], BreakEven]
    pooled: dict[int, Curve]
    pooled_even: dict[int, BreakEven]
    decisions: list[Decision]
    response: Response
    bidding: Bidding
    match: dict[str, Any]
    redeals: Estimate
    seconds: float


def ask(
    game: str | Game,
    deals: int,
    *,
    by: str = "strength",
    seed: int = 0,
    first: int = 0,
    rules: str | RuleSet | None = None,
    overrides: Iterable[str] = (),
    policies: Iterable[str] = (),
    bidding: str | Bidding | None = None,
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible."""
    plan = make_plan(game, rules=rules, overrides=overrides, policies=policies, seed=seed, bidding=None)
    if plan.game.name != "die-wu-fen":
        raise UsageError(f"game: threshold is not there for {plan.game.name} yet; allowed is die-wu-fen")
    if by not in BY:
        raise UsageError(f"by: {by!r} is nothing to order hands by; allowed are {', '.join(BY)}")
    if set(plan.policies[:: len(ROLES)]) != {"expert"}:
        raise UsageError("policy: the bidding that is studied is that of expert; give others for banker or defender")
    if deals < LEAST:
        raise UsageError(f"deals: {deals} are too few for a study; allowed are {LEAST} or more")
    check_deals(plan, deals, first)
    found = bidding_for(plan.game, plan.policies, bidding)[0] if bidding else shipped()
    assert found is not None
    plan = replace(plan, bidding=(found,) * 3 if bidding else ())
    return Asked(plan, deals, first, by, found, score_of(found, by))


def score_of(bidding: Bidding, by: str) -> Ints:
    """The constant and the weights of the features, of the bidding's own strength or of a feature."""
    from ..kernels.strength import NAMES

    if by == "strength":
        start = names().index("strength.base")
        return np.array(bidding.values[start : start + 1 + len(NAMES)], np.int64)
    return np.array([0, *(int(name in _PARTS[by]) for name in NAMES)], np.int64)


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

    def of(self, player: Counterfactual, first: int, deals: int) -> Iterator[Table]:
        """The tables of some deals. `KeyboardInterrupt` when told to stop."""
        with ThreadPoolExecutor(self._workers, thread_name_prefix="tuolaji") as pool:
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


def work(asked: Asked) -> int:
    """How many deals are played out in all, for a progress bar."""
    decided = min(asked.deals, DECISION_DEALS)
    return 2 * asked.deals + 3 * 5 * decided


def run(
    asked: Asked,
    *,
    workers: int | None = None,
    report: Callable[[int], None] | None = None,
    keep: Callable[[str, Table, Ints], None] | None = None,
) -> Result:
    """`study` with threads of its own, ended by Ctrl-C with `KeyboardInterrupt`; ``report`` gets the deals played out."""
    from .runner import cores
    from .simulate import stopped_by_user

    tables = Tables(workers or cores(), report)
    with stopped_by_user(tables.end):
        return study(asked, tables, keep=keep)


def study(
    asked: Asked, tables: Tables, *, keep: Callable[[str, Table, Ints], None] | None = None
) -> Result:
    """Play the deals out and work everything out. ``keep`` gets every table of the two estimands, and its strengths."""
    from .auction import auctions_of, state_curves, strengths
    from .counterfactual import Counterfactual, scores

    began = time.perf_counter()
    scoring = scores(asked.plan.rules)
    marginal = {level: Curve(asked.axis) for level in range(len(scoring.bids))}
    for table in tables.of(Counterfactual(asked.plan), asked.first, asked.deals):
        found = strengths(table, asked.score)
        _add_marginal(marginal, table, found, scoring, asked)
        if keep:
            keep("marginal", table, found)
    marginal_even = {level: break_even(curve) for level, curve in marginal.items()}
    decisions = _decisions(asked, tables, scoring)
    bidding = _with_counter(asked, decisions)
    called: list[Table] = []
    plan = replace(asked.plan, bidding=(bidding,) * 3)
    for table in tables.of(Counterfactual(plan, auction=True), asked.first, asked.deals):
        if keep:
            keep("auction", table, strengths(table, asked.score))
        called.append(table)
    auctions = auctions_of(called, asked.score, asked.plan.rules, scoring)
    redeals = _redeals(called)
    del called
    start = thresholds_of(asked, marginal_even, scoring)
    response = _respond(asked, auctions, start, marginal_even)
    states, pooled = state_curves(auctions, response.thresholds, asked.axis)
    found_bidding = _to_bidding(asked, bidding, response.thresholds)
    return Result(
        asked, scoring, marginal, marginal_even,
        states, {key: break_even(curve) for key, curve in states.items()},
        pooled, {level: break_even(curve) for level, curve in pooled.items()},
        decisions, response, found_bidding, _match(asked, found_bidding), redeals, time.perf_counter() - began,
    )  # fmt: skip


def _groups(asked: Asked, table: Table, deals: int) -> Ints:
    """The group of each deal of a table, when ``deals`` are divided among the groups."""
    at: Ints = (table.first - asked.first + np.arange(len(table))) * GROUPS // deals
    return at


def _add_marginal(
    curves: dict[int, Curve], table: Table, strength: Ints, scoring: Scores, asked: Asked
) -> None:
    """Every hand as banker at every bid, against one of the others as banker at the bid before, with even chances."""
    shares = scoring.of(table.points, table.penalties)
    made, shutout = scoring.made(table.points), scoring.shutout(table.points)
    groups = np.broadcast_to(_groups(asked, table, asked.deals)[:, None, None], strength.shape).ravel()
    flat = strength.ravel()
    for level, curve in curves.items():
        before = shares[..., max(0, level - 1)]
        others = -(before.sum(axis=-1, keepdims=True) - before) / 2
        curve.add(
            groups, flat, 2 * shares[..., level].ravel(), others.ravel(), made[..., level].ravel(),
            shutout[..., level].ravel(),
        )  # fmt: skip


def _decisions(asked: Asked, tables: Tables, scoring: Scores) -> list[Decision]:
    """Calling with all cards in hand, calling at once, and countering with all cards in hand."""
    from .auction import strengths
    from .counterfactual import Counterfactual

    deals = min(asked.deals, DECISION_DEALS)
    variants = {
        "never call": {"call.margin": MOST, "call.last": MOST},
        "call": {"call.margin": MOST, "call.last": -MOST},
        "call at once": {"call.margin": -MOST, "call.last": -MOST},
        "never counter": {"counter.margin": MOST, "counter.last": MOST, "counter.strength": MOST},
        "counter": {"counter.margin": MOST, "counter.last": -MOST},
    }
    curves = {name: Curve(asked.axis) for name in ("call", "call at once", "counter")}
    for seat in range(3):
        players = {}
        for name, changes in variants.items():
            own = changed(asked.bidding, changes)
            each = tuple(own if at == seat else asked.bidding for at in range(3))
            players[name] = Counterfactual(replace(asked.plan, bidding=each), auction=True)
        runs = {name: tables.of(player, asked.first, deals) for name, player in players.items()}
        for found in zip(*runs.values(), strict=True):
            played = dict(zip(runs, found, strict=True))
            payoff = {name: _payoff(table, seat, scoring) for name, table in played.items()}
            for name, curve in curves.items():
                table, against = played[name], "never counter" if name == "counter" else "never call"
                if name == "counter":
                    rows = (table.deals["countered"] == 1) & (table.deals["opener"] == seat)
                    other = payoff[against]
                else:
                    rows = (table.deals["redeals"] == 0) & (table.deals["caller"] == seat)
                    rows &= (table.deals["call_after"] == 33) | (name == "call at once")
                    # without the call the deal may be void, which is worth nothing to anybody
                    other = np.where(played[against].deals["redeals"] > 0, 0, payoff[against])
                curve.add(
                    _groups(asked, table, deals)[rows], strengths(table, asked.score)[rows, 0, seat],
                    payoff[name][rows], other[rows],
                )  # fmt: skip
    return [
        Decision(name, curve, None if name == "call at once" else break_even(curve))
        for name, curve in curves.items()
    ]


def _payoff(table: Table, seat: int, scoring: Scores) -> Ints:
    """What a seat wins in the deals as they were bid."""
    rows = np.arange(len(table))
    banker = table.deals["banker"].astype(np.int64)
    level = np.searchsorted(scoring.bids, table.deals["bid"])
    share = scoring.of(table.points[rows, 0, banker], table.penalties[rows, 0, banker])[rows, level]
    return np.where(banker == seat, 2 * share, -share)


def changed(bidding: Bidding, changes: dict[str, int], name: str | None = None) -> Bidding:
    """A bidding with some of its numbers changed."""
    values = [changes.get(key, value) for key, value in zip(names(), bidding.values, strict=True)]
    return Bidding(name or bidding.name, tuple(values))


def _with_counter(asked: Asked, decisions: list[Decision]) -> Bidding:
    """The bidding studied, ordering hands by the score, countering from the break-even on, with all cards in hand."""
    from ..kernels.strength import NAMES

    crossing = next(decision.crossing for decision in decisions if decision.name == "counter")
    assert crossing is not None
    new = {"strength.base": int(asked.score[0])}
    new |= {f"strength.{name}": int(weight) for name, weight in zip(NAMES, asked.score[1:], strict=True)}
    if crossing.kind != "unknown":
        new |= {"counter.margin": MOST, "counter.last": MOST}
        new["counter.strength"] = int(np.ceil(crossing.threshold(MOST, -MOST)))
    return changed(asked.bidding, new)


def thresholds_of(asked: Asked, even: dict[int, BreakEven], scoring: Scores) -> Thresholds:
    """Where the best responses begin: the bidding studied, or by a feature the marginal break-evens."""
    from ..kernels.policies.dwf_expert_bid import BIDS, LEVELS

    if asked.by == "strength":
        table = np.array(asked.bidding.values[BIDS : BIDS + 9 * LEVELS], np.float64)
        return _bounded(asked.axis, table.reshape(3, 3, LEVELS))
    return _bounded(asked.axis, np.broadcast_to(_by_level(asked, even, scoring), (3, 3, LEVELS)).copy())


def _by_level(asked: Asked, even: dict[int, BreakEven], scoring: Scores) -> NDArray[np.float64]:
    """Break-evens by bid as one threshold for each of ``LEVELS``, rising."""
    from ..kernels.policies.dwf_expert_bid import LEVELS
    from .auction import steps

    found = np.full(LEVELS, np.inf)
    at = steps(scoring.bids)
    for level in sorted(even, reverse=True):
        found[at[level]] = even[level].threshold(np.inf, -np.inf)
    return np.maximum.accumulate(found)


def _bounded(axis: Axis, thresholds: Thresholds) -> Thresholds:
    """Thresholds beyond all strengths become the ends of the axis, so that they can be averaged."""
    return np.clip(thresholds, axis.low - axis.width, axis.low + axis.width * (axis.bins + 1))


def _answer(asked: Asked, auctions: Auctions, others: Thresholds, marginal: dict[int, BreakEven]) -> Thresholds:
    """The best response to thresholds, fitted: the break-even of each state, of all together where there are few hands."""
    from .auction import state_curves, steps

    states, pooled = state_curves(auctions, others, asked.axis)
    at = steps(auctions.scores.bids)
    general = {level: break_even(curve, resamples=0) for level, curve in pooled.items()}
    found = others.copy()
    for kind in range(3):
        opening = asked.plan.rules["opening_bid_pair" if kind else "opening_bid_single"]
        for order in range(3):
            for level in range(len(at) - 1, -1, -1):
                curve = states.get((kind, order, level))
                even = marginal[level]
                if curve is not None and curve.hands >= _POOLED:
                    even = break_even(curve, resamples=0)
                elif level in general and general[level].kind != "unknown":
                    even = general[level]
                if auctions.scores.bids[level] <= opening:  # nobody is asked for it
                    found[kind, order, at[level]] = -np.inf
                elif even.kind != "unknown":
                    found[kind, order, at[level]] = even.threshold(np.inf, -np.inf)
    return _bounded(asked.axis, np.maximum.accumulate(found, axis=-1))


def _respond(
    asked: Asked, auctions: Auctions, start: Thresholds, marginal: dict[int, BreakEven]
) -> Response:
    """Damped best responses, fitted, chosen and judged on deals of their own."""
    from .auction import advantage, in_sample_gain, leaving

    fit, choose, judge = auctions.part(0, FIT), auctions.part(FIT, CHOOSE), auctions.part(CHOOSE, 1)
    here, tried, rounds = start, [], []
    for _ in range(ROUNDS):
        answer = _answer(asked, fit, here, marginal)
        tried.append(here)
        rounds.append(leaving(choose, here, answer))
        here = answer if not len(tried) - 1 else (here + answer) / 2
    chosen = min(range(len(tried)), key=lambda at: float(rounds[at].value or 0.0))
    best = tried[chosen]
    effects = {name: _effects(judge, found) for name, found in (("before", start), ("after", best))}
    return Response(
        best, rounds, chosen, leaving(judge, best, _answer(asked, fit, best, marginal)),
        in_sample_gain(judge, best), advantage(judge, best, start), effects,
    )  # fmt: skip


def _effects(auctions: Auctions, thresholds: Thresholds) -> dict[str, Any]:
    """How deals go when everybody bids by some thresholds: bids, made rate, what the banker wins."""
    from .auction import per_deal

    bankers, levels = auctions.results(thresholds)
    rows = np.arange(len(auctions))
    points, penalties = auctions.points[rows, bankers], auctions.penalties[rows, bankers]
    share = auctions.scores.of(points, penalties)[rows, levels]
    return {
        "bids": {int(bid): float(np.mean(levels == at)) for at, bid in enumerate(auctions.scores.bids)},
        "made": per_deal(auctions.scores.made(points)[rows, levels]),
        "payoff": per_deal(2 * share),
    }


def _redeals(tables: list[Table]) -> Estimate:
    from .auction import per_deal

    return per_deal(np.concatenate([table.deals["redeals"] > 0 for table in tables]))


def _to_bidding(asked: Asked, bidding: Bidding, thresholds: Thresholds) -> Bidding:
    """The thresholds as numbers that ``expert`` bids by."""
    from ..kernels.policies.dwf_expert_bid import BIDS, LEVELS

    top = asked.axis.low + asked.axis.width * asked.axis.bins
    table = np.ceil(thresholds).astype(np.int64)
    table[thresholds >= top], table[thresholds < asked.axis.low] = MOST, -MOST
    changes = dict(zip(names()[BIDS : BIDS + 9 * LEVELS], map(int, table.ravel()), strict=True))
    return changed(bidding, changes, "thresholds")


def _match(asked: Asked, bidding: Bidding) -> dict[str, Any]:
    """The bidding found against the one studied, on deals that nothing else looked at."""
    from .match import make_match, run_match

    deals = min(asked.deals, MATCH_DEALS)
    plan = asked.plan
    found = make_match(
        plan.game, ["expert", "expert"], deals=deals, mode="auction", seed=plan.seed,
        first=asked.first + asked.deals, rules=plan.rules, biddings=(bidding, asked.bidding),
    )  # fmt: skip
    return run_match(found).to_dict()
