"""Scoring of hong-wu-wu-jia: points, the bottom, grades, payoffs (HW-8, HW-10, HW-12 to HW-16)."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from helpers import hand, scaled, words

from tuolaji.kernels import hong_wu_wu_jia as hw
from tuolaji.kernels import view
from tuolaji.sim.engine import encode_rules
from tuolaji.sim.rules import RuleSet

from naive import FACES, HW
from naive import hong_wu_wu_jia as oracle
from naive.cards import total_points

pytestmark = pytest.mark.nojit


@cache
def encoded(rules: RuleSet) -> np.ndarray:
    return encode_rules(rules)[1]


def scored(
    rules: RuleSet, banker: int, partner: int, taken: list[int], buried: list[str], winner: int,
    *, pressed: bool = False, direct: bool = False,
) -> dict[str, int]:  # fmt: skip
    """The columns of a deal (trump hearts) that ended like this; ``partner`` -1 when the banker is solo."""
    lay = encoded(rules)
    _faces, pub, own, _masks = hw.working_memory()
    hw.clear(pub, own.ravel(), 0, 0)
    pub[view.BANKER], pub[view.PARTNER], pub[view.PRESSED] = banker, partner, pressed
    pub[view.NAMED], pub[view.TRICK], pub[view.BEST_SEAT] = 0, 5, winner
    pub[view.TAKEN : view.TAKEN + 5] = taken
    own[banker, view.BURIED : view.BURIED + 3] = words(lay, buried)
    own[5, view.DIRECT] = direct
    out = np.zeros((len(hw.COLUMNS), 2), np.int16)
    hw.score(pub, own.ravel(), lay, out, 1)
    assert not out[:, 0].any()
    return {name: int(value) for name, value in zip(hw.COLUMNS, out[:, 1], strict=True)}


def ending(total: int, partner: int = 3, **how: bool) -> tuple[int, list[int]]:
    """The grade and the payoffs when the defenders took so many points; seat 1 is banker and wins the last trick."""
    taken = [total, 10, 0, 0, 0]
    taken[partner] += 15 if partner >= 0 else 0
    row = scored(RuleSet.build(HW, {}), 1, partner, taken, hand("Ks Ts"), 1, **how)
    assert (row["captured"], row["defender_points"], row["bottom_multiplier"]) == (total, total, 0)
    return row["grade"], [row[f"payoff_{seat}"] for seat in range(5)]


# The source's three tables, line by line: points from, to -> banker, partner, each defender.
NORMAL = [
    (0, 0, 2 * 9, 9, -9), (5, 5, 2 * 8, 8, -8), (10, 10, 2 * 7, 7, -7), (15, 15, 2 * 6, 6, -6),
    (20, 20, 2 * 5, 5, -5), (25, 25, 2 * 4, 4, -4), (30, 59, 2 * 3, 3, -3), (60, 89, 2 * 2, 2, -2),
    (90, 119, 2 * 1, 1, -1), (120, 159, -2 * 1, -1, 1), (160, 179, -2 * 2, -2, 2), (180, 199, -2 * 3, -3, 3),
    (200, 200, -2 * 4, -4, 4), (205, 205, -2 * 5, -5, 5), (210, 210, -2 * 6, -6, 6), (215, 215, -2 * 7, -7, 7),
    (220, 220, -2 * 8, -8, 8), (225, 225, -2 * 9, -9, 9), (230, 230, -2 * 10 - 1, -9, 10),
    (235, 235, -2 * 11 - 2, -9, 11), (240, 240, -2 * 12 - 3, -9, 12), (295, 295, -2 * 23 - 14, -9, 23),
    (300, 1000, -2 * 24 - 15, -9, 24),
]  # fmt: skip
PRESSED = [
    *(line for line in NORMAL if line[0] <= 200),
    (205, 205, -2 * 5 - 1, -4, 5), (210, 210, -2 * 6 - 2, -4, 6), (215, 215, -2 * 7 - 3, -4, 7),
    (295, 295, -2 * 23 - 19, -4, 23), (300, 1000, -2 * 24 - 20, -4, 24),
]  # fmt: skip
SOLO = [
    (0, 0, 8 * 9, 0, -2 * 9), (5, 5, 8 * 8, 0, -2 * 8), (10, 10, 8 * 7, 0, -2 * 7), (15, 15, 8 * 6, 0, -2 * 6),
    (20, 20, 8 * 5, 0, -2 * 5), (25, 25, 8 * 4, 0, -2 * 4), (30, 59, 8 * 3, 0, -2 * 3), (60, 89, 8 * 2, 0, -2 * 2),
    (90, 119, 8 * 1, 0, -2 * 1), (120, 159, -8 * 1, 0, 2 * 1), (160, 179, -8 * 2, 0, 2 * 2),
    (180, 199, -8 * 3, 0, 2 * 3), (200, 200, -8 * 4, 0, 2 * 4), (205, 205, -8 * 5, 0, 2 * 5),
    (210, 210, -8 * 6, 0, 2 * 6), (295, 295, -8 * 23, 0, 2 * 23), (300, 1000, -8 * 24, 0, 2 * 24),
]  # fmt: skip


@pytest.mark.parametrize("line", NORMAL)
def test_hw13_hw14_the_table_with_a_partner(line: tuple[int, ...]) -> None:
    low, high, banker, partner, defender = line
    for total in {low, high}:
        assert ending(total)[1] == [defender, banker, defender, partner, defender]


@pytest.mark.parametrize("line", PRESSED)
def test_hw13_hw14_the_table_of_a_pressed_banker(line: tuple[int, ...]) -> None:
    low, high, banker, partner, defender = line
    for total in {low, high}:
        assert ending(total, pressed=True)[1] == [defender, banker, defender, partner, defender]


@pytest.mark.parametrize("line", SOLO)
@pytest.mark.parametrize("pressed", [False, True])
def test_hw8_hw13_hw15_the_table_of_a_solo_banker(line: tuple[int, ...], pressed: bool) -> None:
    low, high, banker, _partner, defender = line
    for total in {low, high}:
        grade, shares = ending(total, partner=-1, pressed=pressed)
        assert shares == [defender, banker, defender, defender, defender]
        assert grade == oracle.grade(total, {})


@pytest.mark.parametrize("line", NORMAL)
@pytest.mark.parametrize("pressed", [False, True])
def test_hw10_a_direct_partner_changes_places_with_a_banker_who_lost(
    line: tuple[int, ...], pressed: bool
) -> None:
    low = line[0]
    grade, apart = ending(low, pressed=pressed)
    _, shares = ending(low, pressed=pressed, direct=True)
    if grade < 0:  # 直搭
        apart[1], apart[3] = apart[3], apart[1]
    assert shares == apart


@pytest.mark.parametrize(
    ("winner", "partner", "times"), [(1, 3, 0), (3, 3, 0), (0, 3, 2), (4, 3, 2), (1, -1, 0), (3, -1, 4)]
)
def test_hw12_the_bottom_counts_when_a_defender_wins_the_last_trick(
    winner: int, partner: int, times: int
) -> None:
    row = scored(
        RuleSet.build(HW, {}), 1, partner, [10, 20, 40, 80, 160], hand("5c*2 Kc Th 4d 6d 7d"), winner
    )
    captured = 10 + 40 + 160 + (80 if partner < 0 else 0)
    assert (row["captured"], row["bottom_points"], row["bottom_multiplier"]) == (captured, 30, times)
    assert row["defender_points"] == captured + 30 * times


SCORINGS: list[dict[str, Any]] = [
    {},
    {"bottom_multiplier": 3, "solo_bottom_multiplier": 1, "points_five": 10, "points_king": 0},
    {"partner_loss_cap": 2, "pressed_partner_loss_cap": 0, "base": 7},
    {"partner_loss_cap": 100, "grade_table": [[0, 2], [80, 1], [120, -3]]},
    {"grade_table": [[5 * i, 50 - i] for i in range(50)] + [[250 + i, -1 - i] for i in range(14)]},
]


@pytest.mark.parametrize("options", SCORINGS)
def test_hw8_hw10_hw12_to_hw16_scores_of_random_endings(options: dict[str, Any]) -> None:
    rules = RuleSet.build(HW, options)
    picker = random.Random(str(options))
    for _ in range(scaled(1500, 300)):
        banker, winner = picker.randrange(5), picker.randrange(5)
        partner = picker.choice([seat for seat in range(5) if seat != banker] + [-1])
        most = picker.choice([5, 30, 80, 150])
        taken = [picker.randrange(0, most, 5) for _ in range(5)]
        buried = picker.sample([card for card in FACES for _ in range(3)], 7)
        pressed, direct = picker.random() < 0.3, partner >= 0 and picker.random() < 0.3
        row = scored(rules, banker, partner, taken, buried, winner, pressed=pressed, direct=direct)
        side = {banker, partner}
        captured = sum(won for seat, won in enumerate(taken) if seat not in side)
        worth = total_points(buried, options)
        times = 0
        if winner not in side:
            times = rules["solo_bottom_multiplier" if partner < 0 else "bottom_multiplier"]
        total = captured + worth * times
        assert (row["captured"], row["bottom_points"], row["bottom_multiplier"]) == (captured, worth, times)
        assert row["defender_points"] == total
        grade = oracle.grade(total, options)
        shares = oracle.payoffs(banker, None if partner < 0 else partner, grade, pressed, direct, options)
        assert row["grade"] == grade
        assert [row[f"payoff_{seat}"] for seat in range(5)] == shares
        assert sum(shares) == 0
        assert (row["solo"], row["partner"], row["direct"]) == (partner < 0, partner, direct)
