"""Best responses of threshold strategies to each other, iterated: fitted, chosen and judged on disjoint deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .auction import advantage, in_sample_gain, leaving, state_curves, steps
from .curves import Axis, BreakEven, break_even, per_deal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .auction import Auctions, Thresholds
    from .counterfactual import Scores
    from .stats import Estimate

ROUNDS = 5
FIT, CHOOSE = 0.5, 0.75  # shares of the deals up to which best responses are fitted, and chosen among
_POOLED = 4000  # hands below which a state has no curve of its own for the best response


@dataclass(frozen=True)
class Response:
    """What came out of it and how it was judged. ``rounds``: the gain left in each, on the deals for choosing."""

    thresholds: Thresholds
    rounds: list[Estimate]
    chosen: int
    left: Estimate
    at_most: Estimate
    advantage: Estimate
    effects: dict[str, dict[str, Any]]


def by_level(even: dict[int, BreakEven], scoring: Scores) -> NDArray[np.float64]:
    """Break-evens by bid as one threshold for each of ``LEVELS``, rising."""
    from ..kernels.policies.dwf_expert_bid import LEVELS

    found = np.full(LEVELS, np.inf)
    at = steps(scoring.bids)
    for level in sorted(even, reverse=True):
        found[at[level]] = even[level].threshold(np.inf, -np.inf)
    return np.maximum.accumulate(found)


def bounded(axis: Axis, thresholds: Thresholds) -> Thresholds:
    """Thresholds beyond all strengths become the ends of the axis, so that they can be averaged."""
    return np.clip(thresholds, axis.low - axis.width, axis.low + axis.width * (axis.bins + 1))


def _answer(axis: Axis, auctions: Auctions, others: Thresholds, marginal: dict[int, BreakEven]) -> Thresholds:
    """The best response, fitted: the break-even of each state; of all states together where there are few hands."""

    states, pooled = state_curves(auctions, others, axis)
    at = steps(auctions.scores.bids)
    general = {level: break_even(curve, resamples=0) for level, curve in pooled.items()}
    found = others.copy()
    for kind in range(3):
        opening = auctions.rules["opening_bid_pair" if kind else "opening_bid_single"]
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
    return bounded(axis, np.maximum.accumulate(found, axis=-1))


def respond(axis: Axis, auctions: Auctions, start: Thresholds, marginal: dict[int, BreakEven]) -> Response:
    """Damped best responses, fitted, chosen and judged on deals of their own."""

    fit, choose, judge = auctions.part(0, FIT), auctions.part(FIT, CHOOSE), auctions.part(CHOOSE, 1)
    here, tried, rounds = start, [], []
    for _ in range(ROUNDS):
        answer = _answer(axis, fit, here, marginal)
        tried.append(here)
        rounds.append(leaving(choose, here, answer))
        here = answer if not len(tried) - 1 else (here + answer) / 2
    chosen = min(range(len(tried)), key=lambda at: float(rounds[at].value or 0.0))
    best = tried[chosen]
    effects = {name: _effects(judge, found) for name, found in (("start", start), ("end", best))}
    return Response(
        best, rounds, chosen, leaving(judge, best, _answer(axis, fit, best, marginal)),
        in_sample_gain(judge, best), advantage(judge, best, start), effects,
    )  # fmt: skip


def _effects(auctions: Auctions, thresholds: Thresholds) -> dict[str, Any]:
    """How deals go when everybody bids by some thresholds: bids, made rate, what the banker wins."""

    bankers, levels = auctions.results(thresholds)
    rows = np.arange(len(auctions))
    points, penalties = auctions.points[rows, bankers], auctions.penalties[rows, bankers]
    share = auctions.scores.of(points, penalties)[rows, levels]
    return {
        "bids": {int(bid): float(np.mean(levels == at)) for at, bid in enumerate(auctions.scores.bids)},
        "made": per_deal(auctions.scores.made(points)[rows, levels]),
        "payoff": per_deal(2 * share),
    }
