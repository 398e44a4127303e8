"""`--hold` and `--count`: what is known of every deal, and the rest exactly uniform."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from helpers import scaled
from numpy.typing import NDArray
from runs import plan_of, written

from tuolaji import cli
from tuolaji.kernels.given import deal_given
from tuolaji.sim.cards import FACES, parse_cards
from tuolaji.sim.dataset import content
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.games import resolve_game
from tuolaji.sim.given import Count, Given, checked, probability, vector
from tuolaji.sim.plan import make_plan, plan_from_description
from tuolaji.sim.replay import records
from tuolaji.sim.resume import check_same
from tuolaji.sim.verify import verify

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
HEARTS = {"banker": 0, "trump": "h", "bid": 150}
HEARTS_HW = {"banker": 0, "trump": "h"}


def dealt(given: Given | None, deals: int, seed: int = 1) -> NDArray[np.int64]:
    """Deals, one a row, faces in the order of the places."""
    assert given is not None
    plan = vector(given).ravel()
    rows = np.zeros((deals, resolve_game(given.game).cards), np.int64)
    for deal, row in enumerate(rows):
        deal_given(row, plan, seed, deal, 0)
    return rows


def given_of(game: str, **words: Any) -> Given:
    found = make_plan(game, policies="random", **words).given
    assert found is not None
    return found


def far(counts: NDArray[Any], expected: NDArray[Any] | float, lost: int = 1) -> float:
    """Chi-square as a standard normal value (Wilson-Hilferty)."""
    counts = np.asarray(counts, float).ravel()
    freedom = counts.size - lost
    square = float(((counts - np.ravel(expected)) ** 2 / np.ravel(expected)).sum())
    return float(((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5)


# --- cards held


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("game", "hold"),
    [(DWF, ["0:3h 3h BJ", "bottom:5s", "2:As As Ks"]), (HW, ["4:2h 2h 5h", "1:5h", "bottom:BJ BJ"])],
)
def test_cards_held_are_there_and_every_deal_is_whole(game: str, hold: list[str]) -> None:
    found, size = resolve_game(game), resolve_game(game).hand_size
    for row in dealt(given_of(game, hold=hold), scaled(300)):
        assert Counter(row.tolist()) == Counter(dict.fromkeys(range(54), found.packs))
        for word in hold:
            where, _, cards = word.partition(":")
            seat = found.seats if where == "bottom" else int(where)
            assert Counter(parse_cards(cards)) <= Counter(row[seat * size : (seat + 1) * size].tolist())


@pytest.mark.parametrize("game", [DWF, HW])
def test_the_rest_is_uniform(game: str) -> None:
    """Every free card is as often at every seat as the free room there is, and as often in each place of a hand."""
    found = resolve_game(game)
    given = given_of(game, hold=["0:3h 3h BJ 9s", "1:5s", "bottom:Td"])
    deals = scaled(40_000)
    rows = dealt(given, deals)
    free = np.full(54, found.packs)
    for cards in given.held:
        np.subtract.at(free, list(cards), 1)
    starts = np.arange(found.seats + 1) * found.hand_size
    at: NDArray[np.int64] = np.minimum(np.arange(found.cards) // found.hand_size, found.seats)
    counts = np.zeros((found.seats + 1, 54))
    for place in range(found.seats + 1):
        counts[place] = np.bincount(rows[:, at == place].ravel(), minlength=54)
        np.subtract.at(counts[place], list(given.held[place]), deals)
    room = np.bincount(at) - np.array([len(cards) for cards in given.held])
    expected = deals * room[:, None] * free[None, :] / room.sum()
    some = free > 0
    assert (counts[:, ~some] == 0).all()
    # counts within a place are less than independent, so that a square is a little small at most
    assert abs(far(counts[:, some], expected[:, some], lost=int(some.sum()) + found.seats)) < 4.5
    for place, face in ((0, "3h"), (0, "9s"), (0, "Ac"), (1, "5s"), (2, "Ac"), (found.seats, "Td")):
        where = rows[:, starts[place] : starts[place] + (at == place).sum()] == FACES.index(face)
        places = where.sum(axis=0)
        assert abs(far(places, places.mean())) < 4.5, (place, face)
    # two cards of a hand, held and dealt, stand at independent places
    hand = rows[:, : found.hand_size]
    pairs = [np.argmax(hand == FACES.index(face), axis=1) for face in ("BJ", "9s")]
    assert abs(np.corrcoef(pairs)[0, 1] + 1 / (found.hand_size - 1)) < 5 / deals**0.5 + 0.02


def test_another_copy_of_a_card_held_is_dealt_like_all_others() -> None:
    """One copy of 3h is at seat 0; the other is there in 32 of 107 deals."""
    deals = scaled(40_000)
    rows = dealt(given_of(DWF, hold=["0:3h"]), deals)
    share = (np.sum(rows[:, :33] == FACES.index("3h"), axis=1) == 2).mean()
    p = 32 / 107
    assert abs(share - p) < 4 * (p * (1 - p) / deals) ** 0.5


@pytest.mark.nojit
def test_the_same_deal_whatever_else_and_another_for_each_seed_deal_and_attempt() -> None:
    plan = vector(given_of(DWF, hold=["0:3h 3h BJ"], contract=HEARTS, count=["0:trumps=14-18"])).ravel()
    seen = []
    for how in ((1, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1)):
        faces = np.full(108, -1, np.int64)
        deal_given(faces, plan, *how)
        seen.append(tuple(faces.tolist()))
    assert seen[0] == seen[1]
    assert len(set(seen)) == 4


# --- counts


def all_but(free: str, slots: dict[int, int], game: str = DWF) -> list[list[int]]:
    """All cards held but a few, so that all deals can be listed; ``slots``: how many of these each place takes."""
    found = resolve_game(game)
    rest = Counter(dict.fromkeys(range(54), found.packs))
    rest.subtract(parse_cards(free))
    cards = iter(sorted(rest.elements()))
    sizes = [found.hand_size] * found.seats + [found.bottom_size]
    return [[next(cards) for _ in range(size - slots.get(at, 0))] for at, size in enumerate(sizes)]


def every_deal(free: list[int], slots: dict[int, int]) -> Iterator[dict[int, tuple[int, ...]]]:
    """All ways to deal a few distinguishable cards."""
    places = [at for at, size in slots.items() for _ in range(size)]
    for order in set(permutations(places)):
        yield {at: tuple(card for card, to in zip(free, order, strict=True) if to == at) for at in slots}


SMALL = [
    ([(0, "aces", 1, 2)], "As As Kd Kd 5h 5h 7c 8c"),
    ([(0, "aces", 0, 1), (1, "aces", 1, 1)], "As As Kd Kd 5h 5h 7c 8c"),
    ([(0, "points", 10, 15), (3, "points", 0, 10)], "Ts 5s 5d Kd 9h 8h 7c 8c"),
    ([(0, "points", 15, 20), (0, "hearts", 1, 2), (2, "aces", 0, 0)], "Th 5h 5d Kd 9h 8h Ac Ac"),
    ([(1, "spades", 2, 3), (1, "jokers", 0, 1), (0, "spades", 0, 1)], "2s 3s 4s 5s SJ BJ 7c 8c"),
    ([(0, "As", 1, 1)], "As As Kd Kd 5h 5h 7c 8c"),
    ([(0, "As", 1, 2), (1, "5h", 0, 1), (0, "hearts", 0, 1)], "As As Kd Kd 5h 5h 7c 8c"),
    ([(0, "BJ", 1, 2), (0, "SJ", 0, 0), (3, "jokers", 0, 1)], "BJ BJ SJ SJ 5h 5h 7c 8c"),
]


@pytest.mark.parametrize(("asked", "free"), SMALL)
def test_counts_are_exact_by_listing_every_deal(asked: list[tuple[int, str, int, int]], free: str) -> None:
    """The chance is the share of all deals; the deals that meet the counts come equally often, and no other."""
    from tuolaji.sim.given import worth_of

    plan = make_plan(DWF)
    slots = {0: 3, 1: 2, 2: 1, 3: 2}
    held = all_but(free, slots)
    counts = []
    worths = {what: worth_of(plan.rules, None, what) for _, what, _, _ in asked}
    for place, what, low, high in asked:
        worth = worths[what]
        here = sum(worth[face] for face in held[place])
        counts.append(Count(place, what, low + here, high + here, worth))
    given = checked(plan.game, held, counts)
    assert given is not None
    names = sorted(parse_cards(free))
    ways: Counter[tuple[tuple[int, ...], ...]] = Counter()
    total = 0
    for deal in every_deal(names, slots):
        total += 1
        if all(
            low <= sum(worths[what][face] for face in deal[place]) <= high for place, what, low, high in asked
        ):
            ways[tuple(deal[at] for at in slots)] += 1
    assert probability(given) == Fraction(sum(ways.values()), total)
    deals = scaled(20_000, 400)
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for row in dealt(given, deals):
        parts = []
        for at in slots:
            cards = Counter(row[33 * at : 33 * (at + 1)].tolist())
            cards.subtract(held[at])
            parts.append(tuple(sorted(cards.elements())))
        found[tuple(parts)] += 1
    assert set(found) <= set(ways)
    keys = sorted(ways)
    expected = np.array([ways[key] for key in keys]) * deals / sum(ways.values())
    if expected.min() >= 5:
        assert abs(far(np.array([found[key] for key in keys]), expected)) < 4.5


def hypergeometric(size: int, cards: int, special: int, k: int) -> Fraction:
    return Fraction(comb(special, k) * comb(cards - special, size - k), comb(cards, size))


@pytest.mark.parametrize(
    ("game", "contract", "cards", "size", "trumps"),
    [
        (DWF, HEARTS, 108, 33, 42),
        (HW, HEARTS_HW, 162, 31, 57),
        (HW, {"banker": 1, "trump": "s"}, 162, 31, 60),
    ],
)
def test_trumps_are_counted_as_the_formula_has_it(
    game: str, contract: dict[str, Any], cards: int, size: int, trumps: int
) -> None:
    """DWF-2: 42 trumps; HW-2: 57 in hearts, else 60. Within the bounds each number keeps its odds."""
    given = given_of(game, contract=contract, count=["0:trumps=14-18"])
    odds = np.array([float(hypergeometric(size, cards, trumps, k)) for k in range(14, 19)])
    assert probability(given) == sum(hypergeometric(size, cards, trumps, k) for k in range(14, 19))
    worth = np.array(given.counts[0].worth)
    deals = scaled(20_000)
    found = np.bincount(worth[dealt(given, deals)[:, :size]].sum(axis=1), minlength=40)
    assert found[14:19].sum() == deals
    assert abs(far(found[14:19], odds / odds.sum() * deals)) < 4.5


def test_a_rare_count_and_one_that_leaves_no_choice() -> None:
    given = given_of(HW, count=["2:aces=12"])
    assert probability(given) == Fraction(comb(150, 19), comb(162, 31))
    aces = {FACES.index("A" + suit) for suit in "shcd"}
    for row in dealt(given, 20):
        assert {face for face in row[62:93].tolist() if face in aces} == aces
        assert sum(face in aces for face in row[62:93].tolist()) == 12


def test_counts_of_all_places_together() -> None:
    """The counts of three seats and the bottom, all exact, out of one chance."""
    words = ["0:trumps=14", "1:trumps=14", "2:trumps=10", "bottom:trumps=4"]
    given = given_of(DWF, contract=HEARTS, count=words)
    ways = comb(33, 14) * comb(33, 14) * comb(33, 10) * comb(9, 4)
    assert probability(given) == Fraction(ways, comb(108, 42))
    worth = np.array(given.counts[0].worth)
    rows = worth[dealt(given, 50)]
    assert {tuple(part.sum() for part in np.split(row, [33, 66, 99])) for row in rows} == {(14, 14, 10, 4)}


def test_held_cards_count() -> None:
    given = given_of(DWF, hold=["0:As As Ah"], count=["0:aces=3"])
    assert probability(given) == Fraction(comb(100, 30), comb(105, 30))
    assert probability(given_of(DWF, hold=["0:As"])) == 1


# --- runs


@pytest.mark.parametrize("game", [DWF, HW])
def test_rows_do_not_depend_on_how_the_run_is_divided(game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "game": game, "hold": ["0:2s 3h", "bottom:Kd"], "count": ["1:aces=3-5"], "deals": 120,
    }  # fmt: skip
    hashes = []
    for name, how in (("a", {}), ("b", {"chunk": 7, "workers": 2}), ("c", {"chunk": 50})):
        written(tmp_path / name, **options, **how)
        found = json.loads((tmp_path / name / "manifest.json").read_text("utf-8"))
        assert found["hold"] == {"0": "2s 3h", "bottom": "Kd"}
        assert found["count"] == {"1": {"aces": [3, 5]}}
        hashes.append([part["sha256"] for part in found["parts"]])
    assert hashes[0] == hashes[1] == hashes[2]
    report = verify(tmp_path / "a")
    assert report.sound
    assert report.replayed == 120
    plan = plan_of(game, hold=options["hold"], count=options["count"])
    assert plan_from_description(found) == plan
    assert content(plan) == content(plan_from_description(found))


@pytest.mark.parametrize("game", [DWF, HW])
def test_every_record_has_the_cards(game: str) -> None:
    plan = plan_of(game, hold=["1:2s 2s 3h", "bottom:Kd"], count=["0:jokers=0"])
    for record in records(plan, 5, scaled(30)):
        assert Counter({"2s": 2, "3h": 1}) <= Counter(record["hands"][1])
        assert "Kd" in record["bottom"]
        assert not {"BJ", "SJ"} & set(record["hands"][0])


def test_a_redeal_has_the_cards_too() -> None:
    """DWF-5: with all the 3s at the bottom nobody can call; with all but one there, only its holder."""
    columns = Engine(plan_of(hold=["bottom:3s 3s 3h 3h 3c 3c 3d"])).play(0, 50)
    assert set(columns["trump"].tolist()) == {3}
    assert columns["redeals"].max() > 0


def test_resume_goes_on_and_refuses_other_cards(tmp_path: Path) -> None:
    written(tmp_path / "d", deals=40, hold=["0:3h 3h"])
    written(tmp_path / "d", deals=80, hold=["0:3h 3h"], resume=True)
    written(tmp_path / "whole", deals=80, hold=["0:3h 3h"])
    both = [json.loads((tmp_path / name / "manifest.json").read_text("utf-8")) for name in ("d", "whole")]
    assert both[0]["parts"] == both[1]["parts"]
    for other, key in (
        ({}, "hold"),
        ({"hold": ["0:3h"]}, "hold"),
        ({"hold": ["0:3h 3h"], "count": ["1:aces=1"]}, "count"),
    ):
        with pytest.raises(UsageError, match=f"^{key}: .* was written with"):
            check_same(tmp_path / "d", both[0], plan_of(**other), 0, 80, None)


def test_plain_plans_say_nothing_of_it() -> None:
    described = make_plan(DWF).describe()
    assert "hold" not in described
    assert "count" not in described


def cards_of(number: int) -> str:
    return " ".join([*FACES, *FACES][:number])


BAD = [
    (["--hold", "0:3h 3h 3h"], "3h is held 3 times"),
    (["--hold", "0:3h 3h", "--hold", "1:3h"], "3h is held 3 times"),
    (["--hold", f"0:{cards_of(34)}"], "34 cards are more than seat 0 has; allowed are 33 or fewer"),
    (["--hold", f"bottom:{cards_of(10)}"], "10 cards are more than the bottom has; allowed are 9"),
    (["--hold", "3:3h"], "allowed are seats 0 to 2 and bottom"),
    (["--hold", "3h"], "names no seat"),
    (["--hold", "0:"], "names no cards"),
    (["--hold", "0:Zz"], '"Zz", is not a card'),
    (["--count", "0:trumps=14"], "give --contract"),
    (["--count", "5:aces=1"], "allowed are seats 0 to 2"),
    (["--count", "0:sevens=1"], "allowed are trumps, points"),
    (["--count", "0:aces"], "is no count"),
    (["--count", "0:aces=3-2"], "write 2-3"),
    (["--count", "0:aces=9"], "no deal has 0:aces=9-9"),
    (["--count", "0:points=3"], "no deal has"),
    (["--hold", "1:As As Ah", "--count", "0:aces=6-8"], "no deal has 0:aces=6-8 with the cards held"),
    (["--count", "0:aces=1", "--count", "0:aces=2"], "twice"),
    (["--count", "0:points=0-200", "--count", "1:hearts=0-20", "--count", "2:aces=0-8"], "too large tables"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "why"), BAD)
def test_what_can_not_be_is_refused_in_one_sentence(words: list[str], why: str) -> None:
    found = CliRunner().invoke(cli.main, ["simulate", DWF, "--deals", "10", *words], catch_exceptions=False)
    assert found.exit_code == cli.BAD_USAGE
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert why in found.stderr


@pytest.mark.parametrize(
    "change",
    [{"hold": 5}, {"hold": {"0": 7}}, {"hold": "abc"}, {"count": {"0": {"aces": 3}}}, {"count": [1]}],
)
def test_a_damaged_description_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        plan_from_description(make_plan(DWF).describe() | change)


def test_the_summary_shows_what_is_known_and_its_chance() -> None:
    words = ["--policy", "random", "--hold", "0:3h 3h", "--count", "1:aces=4", "--deals", "50"]
    run = CliRunner().invoke(cli.main, ["simulate", DWF, *words, "--format", "json"], catch_exceptions=False)
    found = json.loads(run.stdout)
    chance = Fraction(comb(8, 4) * comb(98, 29), comb(106, 33))
    assert Fraction(found["probability"]["exact"]) == chance
    assert found["probability"]["value"] == float(chance)
    for lang, label in (("en", "held"), ("zh", "指定的牌")):
        table = (
            CliRunner()
            .invoke(cli.main, ["simulate", DWF, *words, "--lang", lang], catch_exceptions=False)
            .stdout
        )
        assert f"{label}" in table
        assert "0: 3h 3h" in table
        assert f"{float(chance):.4g}" in table


def test_replay_takes_cards_and_shows_them(tmp_path: Path) -> None:
    written(tmp_path / "d", deals=20, hold=["0:3h 3h"], count=["1:aces=4"])
    for words in ([str(tmp_path / "d")], [DWF, "--policy", "random", "--seed", "3", "--hold", "0:3h 3h"]):
        found = CliRunner().invoke(cli.main, ["replay", *words, "--deal", "7"], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        assert "seat 0: 3♥ 3♥" in found.stdout
