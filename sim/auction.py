"""Bidding by thresholds on a counterfactual table: who becomes banker, what it pays, and what would have paid more.

A threshold strategy says for each kind of call (one 3, pair, counter), order from the opener on (opener, next, last)
and bid from which strength on a hand goes up to it. Everything is worked out on play-outs of the same deals, so
strategies can be compared without playing again; calls and counters are those of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.bidding import outcomes, values
from ..kernels.policies.dwf_expert_bid import KINDS, LEVELS, ORDERS
from .curves import GROUPS, Axis, Curve, per_deal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .counterfactual import Scores, Table
    from .rules import RuleSet
    from .stats import Estimate

    Ints = NDArray[np.int64]
    #: Thresholds: float64 (kinds, orders, LEVELS), for bids of 110, 120 .. 200.
    Thresholds = NDArray[np.float64]


@dataclass(frozen=True)
class Auctions:
    """Deals with their calls and, for every seat, its strength and the play-out with it as banker.

    ``opener``, ``kind``: int64 (n,); ``strength``, ``points``, ``penalties``: int64 (n, 3).
    """

    rules: RuleSet
    scores: Scores
    opener: Ints
    kind: Ints
    strength: Ints
    points: Ints
    penalties: Ints

    def __len__(self) -> int:
        return len(self.opener)

    def part(self, start: float, stop: float) -> Auctions:
        """The deals from one share of them to another."""
        at = slice(int(start * len(self)), int(stop * len(self)))
        columns = (self.opener, self.kind, self.strength, self.points, self.penalties)
        return Auctions(self.rules, self.scores, *(column[at] for column in columns))

    @property
    def lowest(self) -> Ints:
        """The level of the opening bid."""
        opening = np.where(self.kind == 0, self.rules["opening_bid_single"], self.rules["opening_bid_pair"])
        found: Ints = (opening - self.rules["opening_bid_single"]) // self.rules["bid_step"]
        return found

    @property
    def order(self) -> Ints:
        """0 for the opener, 1 for the next seat, 2 for the last: (n, 3)."""
        return (np.arange(3) - self.opener[:, None]) % 3

    @property
    def shares(self) -> Ints:
        """What each defender pays when a seat is banker at a level: (3 n, levels)."""
        found = self.scores.of(self.points, self.penalties)
        return np.ascontiguousarray(found.reshape(-1, found.shape[-1]), np.int64)

    def most(self, thresholds: Thresholds) -> Ints:
        """The level up to which each seat goes, -1 for none: (n, 3)."""
        reached = self.strength[..., None] >= thresholds[self.kind[:, None], self.order]
        good = np.where(reached.all(-1), LEVELS, np.argmin(reached, -1))
        allowed = steps(self.scores.bids)
        found: Ints = np.searchsorted(allowed, good, side="left") - 1
        return found

    def worth(self, thresholds: Thresholds) -> tuple[Ints, Ints]:
        """For each seat what going up to a level is worth, against the others' thresholds: (n, 3, levels + 1).

        And where it is asked for a level, having gone up to the one below: (n, 3, levels).
        """
        shares, levels = self.shares, len(self.scores.bids)
        worth, asked = (
            np.zeros((len(shares), levels + 1), np.int64),
            np.zeros((len(shares), levels), np.int64),
        )
        values(self.opener, self.lowest, self.most(thresholds), shares, worth, asked)
        return worth.reshape(-1, 3, levels + 1), asked.reshape(-1, 3, levels)

    def results(self, thresholds: Thresholds) -> tuple[Ints, Ints]:
        """Banker and level of each deal when everybody bids by these thresholds."""
        bankers, levels = np.zeros(len(self), np.int64), np.zeros(len(self), np.int64)
        top = len(self.scores.bids) - 1
        outcomes(self.opener, self.lowest, self.most(thresholds), top, bankers, levels)
        return bankers, levels


def steps(bids: Ints) -> Ints:
    """Which of the ``LEVELS`` thresholds each bid of a rule set goes by."""
    return np.clip((bids - 110) // 10, 0, LEVELS - 1)


def auctions_of(tables: list[Table], score: Ints, rules: RuleSet, scores: Scores) -> Auctions:
    """From tables with auctions; ``score``: the constant and the weights of the features."""
    columns: dict[str, list[NDArray[Any]]] = {
        "opener": [],
        "kind": [],
        "strength": [],
        "points": [],
        "penalties": [],
    }
    for table in tables:
        deals = table.deals
        columns["opener"].append(deals["opener"])
        columns["kind"].append(np.where(deals["countered"] == 1, 2, deals["call_size"] - 1))
        columns["strength"].append(strengths(table, score)[:, 0])
        columns["points"].append(table.points[:, 0])
        columns["penalties"].append(table.penalties[:, 0])
    joined = {name: np.concatenate(parts).astype(np.int64) for name, parts in columns.items()}
    return Auctions(rules, scores, **joined)


def strengths(table: Table, score: Ints) -> Ints:
    """The strength of every hand of a table: (deals, trumps, 3)."""
    found: Ints = score[0] + table.features.astype(np.float64) @ score[1:].astype(np.float64)
    return found.astype(np.int64)


Curves = dict[tuple[int, int, int], Curve]


def state_curves(
    auctions: Auctions, thresholds: Thresholds, axis: Axis, seats: tuple[int, ...] = (0, 1, 2)
) -> tuple[Curves, dict[int, Curve]]:
    """Going up to a level and no further against passing at it, where a seat is asked, others going by thresholds.

    By kind, order and level; and by level alone. ``seats``: whose hands.
    """
    worth, asked = auctions.worth(thresholds)
    made, shutout = auctions.scores.made(auctions.points), auctions.scores.shutout(auctions.points)
    groups = np.broadcast_to(
        (np.arange(len(auctions)) * GROUPS // len(auctions))[:, None], auctions.strength.shape
    )
    kinds, orders = np.broadcast_to(auctions.kind[:, None], groups.shape), auctions.order
    states: Curves = {}
    pooled: dict[int, Curve] = {}
    for level in range(asked.shape[-1]):
        here = (asked[..., level] == 1) & np.isin(np.arange(3), seats)
        if not here.any():
            continue
        whole = Curve(axis)
        for kind in range(len(KINDS)):
            for order in range(len(ORDERS)):
                rows = here & (kinds == kind) & (orders == order)
                if rows.any():
                    curve = states[kind, order, level] = Curve(axis)
                    curve.add(
                        groups[rows], auctions.strength[rows], worth[rows, level + 1], worth[rows, level],
                        made[rows, level], shutout[rows, level],
                    )  # fmt: skip
                    whole.merge(curve)
        pooled[level] = whole
    return states, pooled


def advantage(auctions: Auctions, a: Thresholds, b: Thresholds) -> Estimate:
    """What A's thresholds gain over B's, as in ``match --mode auction``: alone among others in each seat, both ways."""
    most_a, most_b = auctions.most(a)[..., None], auctions.most(b)[..., None]
    among_b = np.take_along_axis(auctions.worth(b)[0], most_a + 1, 2).sum(axis=(1, 2))
    among_a = np.take_along_axis(auctions.worth(a)[0], most_b + 1, 2).sum(axis=(1, 2))
    return per_deal((among_b - among_a) / 6)


def leaving(auctions: Auctions, thresholds: Thresholds, answer: Thresholds) -> Estimate:
    """What a single seat gains by bidding by ``answer`` while the others go by thresholds; mean of the seats."""
    worth = auctions.worth(thresholds)[0]
    new = np.take_along_axis(worth, auctions.most(answer)[..., None] + 1, 2)
    old = np.take_along_axis(worth, auctions.most(thresholds)[..., None] + 1, 2)
    return per_deal((new - old).sum(axis=(1, 2)) / 3)


def best_in_sample(auctions: Auctions, thresholds: Thresholds) -> Thresholds:
    """The thresholds that would have paid best on these very deals, each by itself: what can't be beaten there.

    Where nothing was asked for they are those given. They need not rise from bid to bid.
    """
    worth, asked = auctions.worth(thresholds)
    found = thresholds.copy()
    kinds = np.broadcast_to(auctions.kind[:, None], auctions.strength.shape)
    at = steps(auctions.scores.bids)
    for kind in range(len(KINDS)):
        for order in range(len(ORDERS)):
            for level in range(asked.shape[-1]):
                rows = (asked[..., level] == 1) & (kinds == kind) & (auctions.order == order)
                if not rows.any() or (level and at[level] == at[level - 1]):
                    continue
                strength = auctions.strength[rows]
                distinct, place = np.unique(
                    strength, return_inverse=True
                )  # hands of one strength go together
                gain = np.bincount(place, worth[rows, level + 1] - worth[rows, level])[::-1]
                sums = np.concatenate([[0], np.cumsum(gain)])
                cut = int(np.argmax(sums))
                found[kind, order, at[level]] = distinct[-cut] if cut else np.inf
    return found


def in_sample_gain(auctions: Auctions, thresholds: Thresholds) -> Estimate:
    """The gain of leaving for ``best_in_sample``, each threshold by itself: too much, as these deals chose them."""
    worth, asked = auctions.worth(thresholds)
    best = best_in_sample(auctions, thresholds)
    kinds, order = auctions.kind[:, None], auctions.order
    at = steps(auctions.scores.bids)
    steps_up = (worth[..., 1:] - worth[..., :-1]) * asked
    new = (auctions.strength[..., None] >= best[kinds, order][..., at]) * steps_up
    old = (np.arange(asked.shape[-1]) <= auctions.most(thresholds)[..., None]) * steps_up
    return per_deal((new - old).sum(axis=(1, 2)) / 3)
