"""`--count 0:3h=1`, `=1-2`: copies of a card at a place, exactly or at least so many; and what `--hold` means."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from helpers import scaled
from numpy.typing import NDArray

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.given import deal_given
from tuolaji.sim import given as sim_given
from tuolaji.sim.cards import FACES
from tuolaji.sim.errors import UsageError
from tuolaji.sim.games import resolve_game
from tuolaji.sim.given import COUNTED, Given, given_from, probability, vector
from tuolaji.sim.plan import make_plan

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"


def given_of(game: str, **words: Any) -> Given:
    found = make_plan(game, policies="random", **words).given
    assert found is not None
    return found


def copies(given: Given, face: str, place: int, deals: int) -> NDArray[np.int64]:
    """How many copies of a face a place has, in some deals."""
    game, plan = resolve_game(given.game), vector(given).ravel()
    rows = np.zeros((deals, game.cards), np.int64)
    for deal, row in enumerate(rows):
        deal_given(row, plan, 6, deal, 0)
    start = game.hand_size * place
    hand = rows[:, start : start + game.hand_size] if place < game.seats else rows[:, start:]
    found: NDArray[np.int64] = (hand == FACES.index(face)).sum(axis=1)
    return found


def odds(game: str, place: int, held: int = 0) -> list[Fraction]:
    """The chance of each number of copies of a card at a place, ``held`` of them for sure: hypergeometric."""
    found = resolve_game(game)
    size = (found.hand_size if place < found.seats else found.bottom_size) - held
    cards, free = found.cards - held, found.packs - held
    return [Fraction(0)] * held + [
        Fraction(comb(free, k) * comb(cards - free, size - k), comb(cards, size)) for k in range(free + 1)
    ]


def near(found: NDArray[np.int64], expected: list[Fraction]) -> None:
    """Every number of copies about as often as expected, and none that can't be."""
    counts, deals = np.bincount(found, minlength=len(expected)), len(found)
    assert len(counts) == len(expected)
    for count, chance in zip(counts, map(float, expected), strict=True):
        assert abs(count / deals - chance) <= 4.5 * (chance * (1 - chance) / deals) ** 0.5


CASES = [
    (DWF, "0:3h=1", "3h", 0, (1, 1)),
    (DWF, "0:3h=1-2", "3h", 0, (1, 2)),
    (DWF, "bottom:BJ=1-2", "BJ", 3, (1, 2)),
    (DWF, "2:SJ=0", "SJ", 2, (0, 0)),
    (HW, "0:5h=1", "5h", 0, (1, 1)),
    (HW, "4:5h=1-3", "5h", 4, (1, 3)),
    (HW, "1:2c=2-3", "2c", 1, (2, 3)),
    (HW, "bottom:As=1", "As", 5, (1, 1)),
]


@pytest.mark.parametrize(("game", "word", "face", "place", "bounds"), CASES)
def test_copies_of_a_card_are_counted_as_the_formula_has_it(
    game: str, word: str, face: str, place: int, bounds: tuple[int, int]
) -> None:
    given, every = given_of(game, count=[word]), odds(game, place)
    low, high = bounds
    chance = sum(every[low : high + 1])
    assert probability(given) == chance
    expected = [each / chance if low <= k <= high else Fraction(0) for k, each in enumerate(every)]
    near(copies(given, face, place, scaled(4000, 200)), expected)


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_count_is_of_all_copies_those_held_too(game: str) -> None:
    """Held is one copy for sure, and the others fall where they fall; counted are all of them."""
    every, packs = odds(game, 0, held=1), resolve_game(game).packs
    near(copies(given_of(game, hold=["0:3h"]), "3h", 0, scaled(4000, 200)), every)
    one = given_of(game, hold=["0:3h"], count=["0:3h=1"])
    assert probability(one) == every[1]
    assert set(copies(one, "3h", 0, scaled(500, 50)).tolist()) == {1}
    more = given_of(game, hold=["0:3h"], count=[f"0:3h=2-{packs}"])
    assert probability(more) == 1 - every[1]
    assert copies(more, "3h", 0, scaled(500, 50)).min() == 2
    with pytest.raises(UsageError, match="no deal has 0:3h=0-0 with the cards held"):
        given_of(game, hold=["0:3h"], count=["0:3h=0"])
    with pytest.raises(UsageError, match="no deal has 1:3h="):
        given_of(game, hold=["0:3h"], count=[f"1:3h={packs}"])


def test_one_copy_for_sure_is_not_at_least_one() -> None:
    """The figures of the documentation: a pair in 29.9 % of deals with one copy held, in 17.6 % with at least one."""
    held, counted = odds(DWF, 0, held=1)[2], odds(DWF, 0)
    assert (f"{float(held):.3f}", f"{float(counted[2] / sum(counted[1:])):.3f}") == ("0.299", "0.176")
    page = (Path(cli.__file__).parent / "docs" / "statistics.md").read_text("utf-8")
    assert "29.9 %" in page and "17.6 %" in page


def test_cards_and_their_kinds_are_counted_together() -> None:
    """Of two 3s at seat 0 exactly one is 3h: by listing how many of each of three kinds the hand has."""
    given = given_of(DWF, count=["0:threes=2", "0:3h=1", "1:3h=0-1"])
    total, size = comb(108, 33), 33
    first = comb(2, 1) * comb(6, 1) * comb(100, size - 2)  # at seat 0: one 3h, one other 3
    assert probability(given) == Fraction(first, total)  # one 3h is left, so seat 1 has one at most
    both = given_of(DWF, count=["0:threes=2", "0:3h=1", "1:3h=1"])
    assert probability(both) == Fraction(first, total) * Fraction(33, 75)  # the one left is among 75 cards


@pytest.mark.parametrize("word", ["0:♥3=1", "0:h3=1", "0:红桃3=1", " 0 : 3h = 1 ", "0:3H=1-1"])
def test_a_card_is_written_as_anywhere(word: str) -> None:
    try:
        given = given_of(DWF, count=[word])
    except UsageError as error:  # a spelling that no other option knows either
        with pytest.raises(UsageError):
            given_of(DWF, hold=[word.partition("=")[0]])
        assert "are not counted" in str(error)
        return
    assert given == given_of(DWF, count=["0:3h=1"]) and given.typed() == {"count": ["0:3h=1-1"]}


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("0:3x=1", "are not counted; allowed are trumps, points, "),
        ("0:3h,4h=1", "or a card such as 3h"),
        ("0:=1", "write SEAT:trumps=14-18, bottom:points=0 or SEAT:3h=1-2"),
        ("0:3h=2-1", "2-1 is from more to less; write 1-2"),
        ("0:3h=3", "no deal has 0:3h=3-3; widen it"),
        ("9:3h=1", "there is no"),
        ("0:3h=one", "is no count"),
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(word: str, part: str) -> None:
    with pytest.raises(UsageError, match="^count: ") as found:
        given_of(DWF, count=[word])
    assert part in str(found.value)


def test_the_same_card_twice_is_refused_however_it_is_written() -> None:
    with pytest.raises(UsageError, match="count: 3h of 0 stand there twice"):
        given_of(DWF, count=["0:3h=1", "0:♥3=0-1"])


def test_too_many_cards_at_once_are_refused_and_none_of_them_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables grow with what may be chosen; a dozen cards that are not there leave no choice."""
    cards = FACES[:13]
    given = given_of(HW, count=[f"2:{card}=0" for card in cards])
    assert probability(given) == Fraction(comb(162 - 39, 31), comb(162, 31))
    assert len(vector(given).ravel()) < 500
    with pytest.raises(UsageError, match="count: these counts divide the cards into too many kinds"):
        vector(given_of(HW, count=[f"2:{card}=0" for card in FACES[:17]]))
    monkeypatch.setattr(sim_given, "MOST_TRIED", 5000)  # sooner, for the sake of time
    with pytest.raises(UsageError, match="count: these counts together take too large tables"):
        given_of(HW, count=[f"2:{card}=0-3" for card in cards])


def test_counts_of_cards_go_through_a_manifest() -> None:
    given = given_of(HW, hold=["0:5h"], count=["0:5h=1-2", "0:aces=3", "bottom:BJ=0"])
    described = json.loads(json.dumps(given.describe()))
    assert described["count"] == {"0": {"aces": [3, 3], "5h": [1, 2]}, "bottom": {"BJ": [0, 0]}}
    assert given_from(resolve_game(HW), make_plan(HW).rules, None, described) == given
    assert not {*COUNTED} & {*FACES}


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="plays many deals")
@pytest.mark.parametrize(("game", "word", "low", "high"), [(DWF, "1:3h=1-2", 1, 2), (HW, "1:2h=1", 1, 1)])
def test_every_deal_that_is_played_has_them(
    game: str, word: str, low: int, high: int, tmp_path: Path
) -> None:
    """From the command line to the records, redeals too (DWF-5), and `verify` finds the dataset sound."""
    out = str(tmp_path / "d")
    words = [
        "simulate",
        game,
        "--deals",
        "400",
        "--seed",
        "3",
        "--count",
        word,
        "--out",
        out,
        "--no-progress",
    ]
    done = CliRunner().invoke(cli.main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    seat, card = 1, word[2:4]
    shown = f"1: {card} {low}" + (f"-{high}" if high > low else "")
    assert f"{shown} (probability {float(sum(odds(game, seat)[low : high + 1])):.4g})" in done.stdout
    replayed = CliRunner().invoke(
        cli.main, ["replay", out, "--deal", "0", "--count", "400", "--format", "jsonl"]
    )
    told = [json.loads(line) for line in replayed.stdout.splitlines()]
    found = [record["hands"][seat].count(card) for record in told]
    assert len(found) == 400 and {*found} == {*range(low, high + 1)}
    assert CliRunner().invoke(cli.main, ["verify", out]).exit_code == 0
