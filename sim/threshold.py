"""The study ``threshold``: how high a hand of die-wu-fen should bid, and how sure that is. See docs/statistics.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.compiling import clock
from .bidding import MOST, Bidding, changed, names, shipped
from .curves import GROUPS, Axis, BreakEven, Curve, break_even
from .errors import UsageError
from .plan import ROLES, bidding_for, check_deals, make_plan
from .table_seats import table_seats

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .auction import Curves, Thresholds
    from .best_response import Response
    from .bidding import Bids
    from .calls import Policies, Words
    from .counterfactual import Scores, Table, Tables
    from .games import Game
    from .plan import Plan
    from .rules import Rules
    from .stats import Estimate

    Ints = NDArray[np.int64]
    #: Gets the name of a table of rows, and columns of some of them.
    Keep = Callable[[str, dict[str, NDArray[Any]]], None]

BY = ("strength", "trumps", "top-trumps", "trump-pairs", "voids")
_PARTS = {
    "trumps": ("trumps",),
    "top-trumps": ("big_jokers", "small_jokers", "main_threes", "sub_threes"),
    "trump-pairs": ("trump_pairs",),
    "voids": ("voids",),
}
_AXES = {
    "strength": Axis(3000, 100, 150, step=5, reach=20),
    "trumps": Axis(0, 1, 34),
    "top-trumps": Axis(0, 1, 13),
    "trump-pairs": Axis(0, 1, 17),
    "voids": Axis(0, 1, 4),
}
LEAST = 1000  # deals
DECISION_DEALS, MATCH_DEALS = 50_000, 50_000  # at most, for calls and counters and for the last comparison


@dataclass(frozen=True)
class Asked:
    """What is to be studied.

    ``score``: the constant and the weights of the features that make up the strength. ``seats``: of whose hands the
    tables are.
    """

    plan: Plan
    deals: int
    first: int
    by: str
    bidding: Bidding
    score: Ints
    seats: tuple[int, ...]

    @property
    def axis(self) -> Axis:
        """What hands are ordered by."""
        return _AXES[self.by]

    def provenance(self) -> dict[str, Any]:
        """What determines the study."""
        found = {**self.plan.describe(), "first": self.first, "deals": self.deals, "by": self.by}
        return found | {"score": [int(weight) for weight in self.score], "seats": [*self.seats]}


@dataclass(frozen=True)
class Decision:
    """Calling or countering against leaving it, on the same deals."""

    name: str
    curve: Curve
    crossing: BreakEven | None


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
    rules: Rules = None,
    overrides: Words = (),
    policies: Policies = None,
    bidding: Bids = None,
    hold: Words = (),
    count: Words = (),
    seats: str | None = None,
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible."""
    plan = make_plan(
        game, rules=rules, overrides=overrides, policies=policies, seed=seed, hold=hold, count=count
    )
    if plan.game.name != "die-wu-fen":
        raise UsageError(f"game: there are no bids in {plan.game.name}; allowed is die-wu-fen")
    if by not in BY:
        raise UsageError(f"by: {by!r} is nothing to order hands by; allowed are {', '.join(BY)}")
    if set(plan.policies[:: len(ROLES)]) != {"expert"}:
        raise UsageError(
            "policy: the bidding that is studied is that of expert; give others for banker or defender"
        )
    if deals < LEAST:
        raise UsageError(f"deals: {deals} are too few for a study; allowed are {LEAST} or more")
    check_deals(plan, deals, first)
    found = shipped() if bidding is None else bidding_for(plan.game, plan.policies, bidding)[0]
    assert found is not None
    plan = replace(plan, bidding=() if bidding is None else (found,) * 3)
    return Asked(plan, deals, first, by, found, score_of(found, by), table_seats(plan, seats))


def score_of(bidding: Bidding, by: str) -> Ints:
    """The constant and the weights of the features, of the bidding's own strength or of a feature."""
    from ..kernels.strength import NAMES

    if by == "strength":
        start = names().index("strength.base")
        return np.array(bidding.values[start : start + 1 + len(NAMES)], np.int64)
    return feature_weights(by)


def feature_weights(by: str) -> Ints:
    """The constant 0, and 1 for the features that a feature of `BY` is the sum of."""
    from ..kernels.strength import NAMES

    return np.array([0, *(int(name in _PARTS[by]) for name in NAMES)], np.int64)


def work(asked: Asked) -> int:
    """How many deals are played out in all, for a progress bar."""
    decided = min(asked.deals, DECISION_DEALS)
    return 2 * asked.deals + 3 * 5 * decided


def run(
    asked: Asked,
    *,
    workers: int | None = None,
    report: Callable[[int], None] | None = None,
    keep: Keep | None = None,
) -> Result:
    """`study` with threads of its own; Ctrl-C: `KeyboardInterrupt`. ``report`` gets the deals played out so far."""
    from .cores import cores
    from .counterfactual import Tables
    from .stopping import interrupt, stopped_by_user

    with stopped_by_user(interrupt):
        return study(asked, Tables(workers or cores(), report), keep=keep)


def study(asked: Asked, tables: Tables, *, keep: Keep | None = None) -> Result:
    """Play the deals out and work everything out. ``keep`` gets the columns of the rows, piece by piece."""
    from .auction import auctions_of, state_curves, strengths
    from .best_response import respond
    from .counterfactual import Counterfactual, scores
    from .threshold_rows import bid_rows

    began = clock()
    scoring = scores(asked.plan.rules)
    every = tuple(range(asked.plan.game.seats))
    marginal = {level: Curve(asked.axis) for level in range(len(scoring.bids))}
    # what everybody bids by comes from all hands, whosever the tables are
    whole = marginal if asked.seats == every else {level: Curve(asked.axis) for level in marginal}
    for table in tables.of(Counterfactual(asked.plan), asked.first, asked.deals):
        found = strengths(table, asked.score)
        _add_marginal(marginal, table, found, scoring, asked, asked.seats)
        if whole is not marginal:
            _add_marginal(whole, table, found, scoring, asked, every)
        if keep:
            keep("marginal", bid_rows("marginal", table, found))
    marginal_even = {level: break_even(curve) for level, curve in marginal.items()}
    whole_even = marginal_even if whole is marginal else {at: break_even(whole[at]) for at in whole}
    decisions, counter = _decisions(asked, tables, scoring)
    bidding = _with_counter(asked, break_even(counter))
    called: list[Table] = []
    plan = replace(asked.plan, bidding=(bidding,) * 3)
    for table in tables.of(Counterfactual(plan, auction=True), asked.first, asked.deals):
        if keep:
            keep("auction", bid_rows("auction", table, strengths(table, asked.score)))
        called.append(table)
    auctions = auctions_of(called, asked.score, asked.plan.rules, scoring)
    redeals = _redeals(called)
    del called
    start = thresholds_of(asked, whole_even, scoring)
    response = respond(asked.axis, auctions, start, whole_even)
    states, pooled = state_curves(auctions, response.thresholds, asked.axis, asked.seats)
    found_bidding = _to_bidding(asked, bidding, response.thresholds)
    return Result(
        asked, scoring, marginal, marginal_even,
        states, {key: break_even(curve) for key, curve in states.items()},
        pooled, {level: break_even(curve) for level, curve in pooled.items()},
        decisions, response, found_bidding, _match(asked, found_bidding), redeals, clock() - began,
    )  # fmt: skip


def _groups(asked: Asked, table: Table, deals: int) -> Ints:
    """The group of each deal of a table, when ``deals`` are divided among the groups."""
    at: Ints = (table.first - asked.first + np.arange(len(table))) * GROUPS // deals
    return at


def _add_marginal(
    curves: dict[int, Curve],
    table: Table,
    strength: Ints,
    scoring: Scores,
    asked: Asked,
    seats: tuple[int, ...],
) -> None:
    """Hands of some seats as banker at every bid, against one of the others at the bid before, with even chances."""
    shares = scoring.of(table.points, table.penalties)
    made, shutout = scoring.made(table.points), scoring.shutout(table.points)
    flat = strength[..., seats].ravel()
    groups = np.repeat(_groups(asked, table, asked.deals), len(flat) // len(table))
    for level, curve in curves.items():
        before = shares[..., max(0, level - 1)]
        others = -(before.sum(axis=-1, keepdims=True) - before) / 2
        curve.add(
            groups, flat, 2 * shares[..., seats, level].ravel(), others[..., seats].ravel(),
            made[..., seats, level].ravel(), shutout[..., seats, level].ravel(),
        )  # fmt: skip


def _decisions(asked: Asked, tables: Tables, scoring: Scores) -> tuple[list[Decision], Curve]:
    """Calling with all cards in hand, calling at once, and countering with all cards in hand.

    And countering over the hands of all seats, whosever the tables are.
    """
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
    counters = Curve(asked.axis)
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
                hands = (
                    _groups(asked, table, deals)[rows], strengths(table, asked.score)[rows, 0, seat],
                    payoff[name][rows], other[rows],
                )  # fmt: skip
                if seat in asked.seats:
                    curve.add(*hands)
                if name == "counter":
                    counters.add(*hands)
    told = [
        Decision(name, curve, None if name == "call at once" else break_even(curve))
        for name, curve in curves.items()
    ]
    return told, counters


def _payoff(table: Table, seat: int, scoring: Scores) -> Ints:
    """What a seat wins in the deals as they were bid."""
    rows = np.arange(len(table))
    banker = table.deals["banker"].astype(np.int64)
    level = np.searchsorted(scoring.bids, table.deals["bid"])
    share = scoring.of(table.points[rows, 0, banker], table.penalties[rows, 0, banker])[rows, level]
    return np.where(banker == seat, 2 * share, -share)


def _with_counter(asked: Asked, crossing: BreakEven) -> Bidding:
    """The bidding studied, ordering hands by the score, countering from the break-even on, with all cards in hand."""
    from ..kernels.strength import NAMES

    new = {"strength.base": int(asked.score[0])}
    new |= {f"strength.{name}": int(weight) for name, weight in zip(NAMES, asked.score[1:], strict=True)}
    if crossing.kind != "unknown":
        new |= {"counter.margin": MOST, "counter.last": MOST}
        new["counter.strength"] = int(np.ceil(crossing.threshold(MOST, -MOST)))
    return changed(asked.bidding, new)


def thresholds_of(asked: Asked, even: dict[int, BreakEven], scoring: Scores) -> Thresholds:
    """Where the best responses begin: the bidding studied, or by a feature the marginal break-evens."""
    from ..kernels.policies.dwf_expert_bid import BIDS, LEVELS
    from .best_response import bounded, by_level

    if asked.by == "strength":
        table = np.array(asked.bidding.values[BIDS : BIDS + 9 * LEVELS], np.float64)
        return bounded(asked.axis, table.reshape(3, 3, LEVELS))
    return bounded(asked.axis, np.broadcast_to(by_level(even, scoring), (3, 3, LEVELS)).copy())


def _redeals(tables: list[Table]) -> Estimate:
    from .curves import per_deal

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
    return run_match(replace(found, plan=replace(found.plan, given=plan.given))).to_dict()
