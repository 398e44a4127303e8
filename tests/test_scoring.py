"""Scoring of die-wu-fen: points, the bottom, results, payoffs, penalties (DWF-8, DWF-14 to DWF-18)."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from helpers import hand, scaled, words

from tuolaji.kernels import die_wu_fen, view
from tuolaji.sim.engine import encode_rules
from tuolaji.sim.rules import RuleSet

from naive import DWF, FACES
from naive import die_wu_fen as oracle
from naive.cards import total_points

pytestmark = pytest.mark.nojit


@cache
def encoded(rules: RuleSet) -> np.ndarray:
    return encode_rules(rules)[1]


def scored(
    rules: RuleSet, banker: int, bid: int, taken: list[int], faults: list[int], buried: list[str],
    plays: list[list[str]], leader: int, winner: int,
) -> dict[str, int]:  # fmt: skip
    """The columns of a deal (trump hearts) that ended like this; ``plays`` is the last trick by seat."""
    lay = encoded(rules)
    pub, own = view.fresh_pub(), np.zeros((3, view.OWN_SIZE), np.int64)
    pub[view.BANKER], pub[view.BID], pub[view.TRICK] = banker, bid, 5
    pub[view.TAKEN : view.TAKEN + 3], pub[view.FAULTS : view.FAULTS + 3] = taken, faults
    own[banker, view.BURIED : view.BURIED + 3] = words(lay, buried)
    pub[view.BEST_SEAT] = winner
    row = view.HISTORY + 4 * view.H_STRIDE
    pub[row + view.H_LEADER] = leader
    for seat, cards in enumerate(plays):
        pub[view.PLAY + 3 * seat : view.PLAY + 3 * seat + 3] = words(lay, cards)
        pub[row + view.H_PLAYS + 3 * seat : row + view.H_PLAYS + 3 * seat + 3] = words(lay, cards)
    out = np.zeros((len(die_wu_fen.COLUMNS), 2), np.int16)
    die_wu_fen.score(pub, own.ravel(), lay, out, 1)
    assert not out[:, 0].any()
    return {name: int(value) for name, value in zip(die_wu_fen.COLUMNS, out[:, 1], strict=True)}


SCORINGS: list[dict[str, Any]] = [
    {},
    {"bottom_shape": "lead", "bottom_multiplier": 4, "bottom_multiplier_single": 0},
    {"made_total": 220, "shutout_total": 310, "shutout_multiplier": 3, "points_five": 10, "points_king": 0},
    {"banker_throw_penalty": 3, "defender_throw_penalty": 2, "base_table": [1, 1, 2, 2, 3, 3, 4, 4, 5, 9]},
    {"bid_step": 5},
]


@pytest.mark.parametrize("options", SCORINGS)
def test_dwf8_dwf14_to_dwf18_scores_of_random_endings(options: dict[str, Any]) -> None:
    rules = RuleSet.build(DWF, options)
    picker = random.Random(str(options))
    pools = [hand("4h 7h 2c 3h BJ"), hand("4s 9s Ks As")]
    for _ in range(scaled(1500, 300)):
        banker, leader, winner = (picker.randrange(3) for _ in range(3))
        bid = picker.randrange(110, 201, rules["bid_step"])
        taken = picker.choice([[picker.randrange(0, 120, 5) for _ in range(3)], [0, 0, 0], [5, 0, 0]])
        faults = [picker.choice([0, 0, 1, 3]) for _ in range(3)]
        buried = picker.sample([card for card in FACES for _ in (0, 1)], 9)
        shape = picker.choice([(1,), (2,), (1, 1), (2, 1)])
        plays = []
        for _ in range(3):
            pool = picker.choice(pools)
            plays.append(
                [f for f, k in zip(picker.sample(pool, len(shape)), shape, strict=True) for _ in range(k)]
            )
        row = scored(rules, banker, bid, taken, faults, buried, plays, leader, winner)
        # DWF-14: only what defenders took; DWF-15: the bottom
        captured = sum(taken) - taken[banker]
        worth = total_points(buried, options)
        times = 0
        if winner != banker:
            times = oracle.bottom_multiplier("h", plays[leader], plays[winner], options)
        assert (row["captured"], row["bottom_points"], row["bottom_multiplier"]) == (captured, worth, times)
        total = captured + worth * times
        assert row["defender_points"] == total
        # DWF-16 to DWF-18
        result, shutout = oracle.outcome(bid, total, options)
        assert (("made", "broken")[row["result"]], bool(row["shutout"])) == (result, shutout)
        base = oracle.base_value(bid, options)
        extra = oracle.penalties(
            banker, [seat for seat in range(3) for _ in range(faults[seat])], base, options
        )
        shares = oracle.payoffs(banker, base, result, shutout, extra, options)
        assert row["base"] == base
        assert [row[f"penalty_{seat}"] for seat in range(3)] == extra
        assert [row[f"payoff_{seat}"] for seat in range(3)] == shares
        assert sum(shares) == sum(extra) == 0


def ending(
    total: int, bid: int, banker: int = 0, faults: tuple[int, ...] = (0, 0, 0), **rules: Any
) -> dict[str, int]:
    """A deal in which the defenders took so many points and the banker won the last trick."""
    taken = [0, 0, 0]
    taken[(banker + 1) % 3] = total
    plays = [["4h"], ["As"], ["5s"]]
    return scored(
        RuleSet.build(DWF, rules), banker, bid, taken, list(faults), hand("5c Kc"), plays, banker, banker
    )


@pytest.mark.parametrize(
    ("total", "bid", "result", "shutout", "banker"),
    [
        (0, 110, "made", True, 4),  # DWF-16, DWF-17: D = 0 doubles, base 1: 2 × 2 × 1
        (0, 200, "made", True, 40),  # a 200 bid is made only at D = 0
        (5, 200, "broken", False, -20),
        (95, 200, "broken", False, -20),
        (100, 200, "broken", True, -40),  # D ≥ 300 − bid
        (85, 110, "made", False, 2),
        (90, 110, "broken", False, -2),  # D ≥ 200 − bid
        (185, 110, "broken", False, -2),
        (190, 110, "broken", True, -4),
        (45, 150, "made", False, 10),
        (50, 150, "broken", False, -10),
    ],
)
def test_dwf16_dwf17_results(total: int, bid: int, result: str, shutout: bool, banker: int) -> None:
    row = ending(total, bid)
    assert (("made", "broken")[row["result"]], bool(row["shutout"])) == (result, shutout)
    assert [row[f"payoff_{seat}"] for seat in range(3)] == [banker, -banker // 2, -banker // 2]


def test_dwf18_failed_throws_are_paid_each_time_and_never_doubled() -> None:
    # base 3 (a bid of 130), shutout: the banker's two failed throws cost it 2 × 3 to each defender
    row = ending(0, 130, faults=(2, 0, 0))
    assert [row[f"penalty_{seat}"] for seat in range(3)] == [-12, 6, 6]
    assert [row[f"payoff_{seat}"] for seat in range(3)] == [12 - 12, -6 + 6, -6 + 6]
    # one by a defender: both defenders pay
    row = ending(0, 130, faults=(0, 1, 0))
    assert [row[f"penalty_{seat}"] for seat in range(3)] == [6, -3, -3]
    row = ending(0, 130, faults=(1, 1, 1), defender_throw_penalty=5, banker_throw_penalty=0)
    assert [row[f"penalty_{seat}"] for seat in range(3)] == [60, -30, -30]


@pytest.mark.parametrize(
    ("plays", "leader", "winner", "options", "times"),
    [  # trump hearts, seat 0 is banker; DWF-15
        (["As", "4s", "4h"], 0, 2, {}, 1),  # with a trump
        (["Ks", "As", "4s"], 0, 1, {}, 0),  # with a side card: nothing
        (["4h", "5s", "6s"], 0, 0, {}, 0),  # by the banker: nothing
        (["5h*2", "6h*2", "7s*2"], 0, 1, {}, 2),  # with a pair
        (["As Ks", "4h*2", "5s 6s"], 0, 1, {}, 2),  # a pair ruffs two singles: the winner's cards decide
        (["As Ks", "4h*2", "5s 6s"], 0, 1, {"bottom_shape": "lead"}, 1),  # … or the lead's
        (["4h*2 5h*2", "6h*2 7h*2", "4s*2 5s*2"], 0, 1, {"bottom_multiplier": 3}, 3),
        (["As", "3h", "4s"], 0, 1, {"bottom_multiplier_single": 5}, 5),
    ],
)
def test_dwf15_the_bottom(
    plays: list[str], leader: int, winner: int, options: dict[str, Any], times: int
) -> None:
    rules = RuleSet.build(DWF, options)
    cards = [hand(text) for text in plays]
    row = scored(rules, 0, 150, [10, 20, 5], [0, 0, 0], hand("5c Kc Th 4d"), cards, leader, winner)
    assert (row["bottom_points"], row["bottom_multiplier"]) == (25, times)
    assert (row["captured"], row["defender_points"]) == (25, 25 + 25 * times)
