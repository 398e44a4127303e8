"""Best responses of rules of revealing to each other: fitted, chosen and judged on deals of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.counterfactual_hong_wu_wu_jia import PRESS
from ..kernels.hong_wu_wu_jia import SEAT_COUNT
from ..kernels.revealing import NEVER
from .climb import climb
from .curves import per_deal
from .reveals import PARTS, Rule, advantage, first_of, leaving, without

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .climb import Numbers
    from .reveals import Reveals
    from .stats import Estimate

ROUNDS = 3
_SCALES = {
    "reveal.margin": 2.0,
    "reveal.share": 0.1,
    "reveal.previous": 2.0,
    "reveal.pair": 1.0,
    "reveal.triple": 1.0,
    "reveal.high": 1.0,
    "reveal.last": 10.0,
}
_FEATURES = tuple(f"reveal.{part}" for part in PARTS)
_TRIED = 10_000  # deals on which a rule to begin with is looked for
BANDS = ((1, 5), (6, 11), (12, 19), (20, 28), (29, 29), (30, 31))  # cards held, in the tables


@dataclass(frozen=True)
class Answer:
    """A rule and how it was judged. ``rounds``: the gain left in each, on the deals for choosing; see `respond`."""

    rule: Rule
    rounds: list[Estimate]
    chosen: int
    left: Estimate
    at_most: Estimate
    advantage: Estimate
    effects: dict[str, dict[str, Any]]


class _Others:
    """The deals as the others leave them to each seat: what a rule of one's own is worth among those who go by one."""

    def __init__(self, reveals: Reveals, rule: Rule) -> None:
        self.reveals = reveals
        each = reveals.first_turns(rule)
        self.others = [without(reveals, *each, seat) for seat in range(SEAT_COUNT)]

    def worth(self, rule: Rule) -> NDArray[np.int64]:
        """What the seats win that alone go by this rule, added up: one value a deal."""
        turns, rows = self.reveals.first_turns(rule)
        total = np.zeros(len(self.reveals), np.int64)
        for seat, (turn, row) in enumerate(self.others):
            chosen = np.where(turns[:, seat] < turn, rows[:, seat], row)
            total += self.reveals.pay(chosen, seat)
        return total


def respond(
    fit: Reveals, choose: Reveals, judge: Reveals, start: Rule, weights: tuple[int, ...] | None
) -> Answer:
    """Damped best responses from ``start`` on: fitted on some deals, chosen among on others, judged on a third lot.

    ``weights``: those of `PARTS` if they are not to be fitted (by a feature); then ``start`` is none of the choices.
    """
    here, tried, answers, rounds = start, [], [], []
    if weights is not None:
        here = _begin(fit.part(0, min(1.0, _TRIED / len(fit))), start, weights)
    for _ in range(ROUNDS):
        answer = _answer(fit, here, free=weights is None)
        tried.append(here)
        answers.append(answer)
        rounds.append(leaving(choose, here, answer))
        here = answer if len(tried) == 1 else _half_way(here, answer)
    chosen = min(range(ROUNDS), key=lambda at: float(rounds[at].value or 0.0))
    best = tried[chosen]
    effects = {name: _effects(judge, rule) for name, rule in (("start", start), ("end", best))}
    free = weights is None
    return Answer(
        best, rounds, chosen, leaving(judge, best, answers[chosen]),
        leaving(judge, best, _answer(judge, best, free=free, least=0.0)), advantage(judge, best, start), effects,
    )  # fmt: skip


def _answer(fit: Reveals, others: Rule, *, free: bool, least: float = 1.0) -> Rule:
    """The rule that pays a single seat best when the others go by theirs; ``least``: see `climb`."""
    start = others.changes()
    start["reveal.last"] = max(0, start["reveal.last"])  # below, it is always reached
    scales = {name: scale for name, scale in _SCALES.items() if free or name not in _FEATURES}
    table = _Others(fit, others)
    path = climb(start, scales, lambda found: table.worth(Rule.from_changes(found)), least)
    return Rule.from_changes(path[-1])


def _begin(some: Reveals, others: Rule, weights: tuple[int, ...]) -> Rule:
    """By a feature: of a coarse grid the rule that pays best among those who go by the bidding studied."""
    table = _Others(some, others)
    grid = [
        Rule((weights[0], weights[1], weights[2], weights[3]), share, margin, 0, 0)
        for share in range(0, 61, 15)
        for margin in range(-100, 901, 50)
    ]
    return max(grid, key=lambda rule: int(table.worth(rule).sum()))


def _half_way(here: Rule, answer: Rule) -> Rule:
    there = answer.changes()
    found: Numbers = {name: (value + there[name]) // 2 for name, value in here.changes().items()}
    return Rule.from_changes(found)


def _effects(reveals: Reveals, rule: Rule) -> dict[str, Any]:
    """How deals go when everybody reveals by a rule: when, by whom, how often the banker wins, and what it gets."""
    turns, rows = reveals.first_turns(rule)
    turn, row = first_of(turns, rows)
    row = np.where(turn < NEVER, row, PRESS)
    banker = np.where(turn < NEVER, row // 4, reveals.previous)
    cards, each = turn >> 3, np.arange(len(reveals))
    found: dict[str, Any] = {
        (f"{low}-{high}" if low < high else str(low)): float(
            np.mean((cards >= low) & (cards <= high) & (turn < NEVER))
        )
        for low, high in BANDS
    }
    return {
        "reveals": found | {"pressed": float(np.mean(turn >= NEVER))},
        "previous": per_deal(banker == reveals.previous),
        "won": per_deal(reveals.won[each, row]),
        "payoff": per_deal(reveals.payoffs[each, row, banker]),
    }
