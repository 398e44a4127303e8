"""Exact containment and the best top against the oracle's search (COM-8, COM-16, COM-17)."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from helpers import (
    PACKS,
    SUITS_OF,
    Ints,
    hand,
    scaled,
    suit_code,
    suit_hand,
    table,
    type_code,
    type_list,
    words,
)

from tuolaji.kernels import contain

from naive import DWF, HW, best_top, components, contains
from naive.shapes import Type, precedence, size

pytestmark = pytest.mark.nojit

PAIR: Type = ("pair", 1, 0)
TRIPLE: Type = ("triple", 1, 1)
SINGLE: Type = ("single", 1, 0)
TRACTORS: list[Type] = [("tractor", length, t) for length in range(2, 7) for t in range(length + 1)]
BOTH = [(DWF, True), (HW, True), (HW, False)]


def holds(lay: Ints, suit: str, cards: list[str], kinds: list[Type], split: bool) -> bool:
    _, w1, w2 = words(lay, cards)
    types, count = type_list(kinds)
    return bool(contain.contains(w1, w2, lay, suit_code(lay, suit), types, 0, count, split))


def top(lay: Ints, suit: str, cards: list[str], kinds: list[Type], split: bool) -> int | None:
    """What the kernel finds, once the caller has seen that there are cards enough."""
    if sum(map(size, kinds)) > len(cards):
        return None
    ordered = sorted(kinds, key=precedence)
    types = np.array([type_code(kind) for kind in ordered], np.int64)
    multi = sum(kind != SINGLE for kind in kinds)
    found = int(contain.top_of(*words(lay, cards), lay, suit_code(lay, suit), types, 0, multi, split))
    return None if found < 0 else found


def wanted(rng: random.Random, game: str, trump: str, cards: list[str]) -> list[Type]:
    """A list of components near what some cards can hold: often just possible, often just not."""
    kinds = [part.type for part in components(game, trump, cards)]
    for _ in range(rng.randint(0, 3)):  # cut up, lengthen, swap triples for pairs
        at = rng.randrange(len(kinds))
        name, length, t = kinds[at]
        way = rng.randrange(5)
        if way == 0 and name == "tractor" and length > 3:
            cut = rng.randint(2, length - 2) if length > 4 else 2
            first = max(0, min(t, cut, rng.randint(0, t)))
            parts: list[Type] = [
                ("tractor", cut, first),
                ("tractor", length - cut, min(t - first, length - cut)),
            ]
            kinds[at : at + 1] = parts
        elif way == 1 and name == "tractor" and t:
            kinds[at] = (name, length, t - 1)
        elif way == 2 and name == "tractor" and t < length and game == HW:
            kinds[at] = (name, length, t + 1)
        elif way == 3 and name == "tractor" and length > 2:
            kinds[at : at + 1] = [("tractor", length - 1, min(t, length - 1)), PAIR]
        elif way == 4:
            kinds[at] = rng.choice([PAIR, TRIPLE if game == HW else PAIR, ("tractor", 2, 0)])
    if rng.random() < 0.3:
        kinds = rng.choices(kinds + TRACTORS[:6] + [PAIR, TRIPLE], k=rng.randint(1, 4))
    if game == DWF:
        kinds = [PAIR if kind == TRIPLE else (kind[0], kind[1], 0) for kind in kinds]
    rng.shuffle(kinds)
    return kinds[: rng.choice([2, 4, 6])]


@pytest.mark.parametrize(("game", "split"), BOTH)
@pytest.mark.parametrize("trump", "hc")
def test_com8_containment_and_best_top_on_lumpy_suits(game: str, trump: str, split: bool) -> None:
    rng = random.Random(f"{game} {trump} {split}")
    lay = table(game, trump)
    seen = {True: 0, False: 0}
    for _ in range(scaled(2500)):
        suit = rng.choice("tt" + SUITS_OF[game, trump])
        cards = suit_hand(rng, game, trump, suit, rng.choice([6, 10, 14, 18]))
        kinds = wanted(rng, game, trump, cards)
        multi = [kind for kind in kinds if kind != SINGLE]
        expected = contains(game, trump, cards, multi, split)
        seen[expected] += 1
        assert holds(lay, suit, cards, multi, split) == expected, (cards, multi)
        if multi:
            expected_top = best_top(game, trump, cards, kinds, split)
            assert top(lay, suit, cards, kinds, split) == expected_top, (cards, kinds)
    assert min(seen.values()) > sum(seen.values()) // 20  # both verdicts are met often


@pytest.mark.parametrize(("game", "split"), BOTH)
def test_com8_every_tractor_type_up_to_six_levels(game: str, split: bool) -> None:
    rng = random.Random(f"{game} {split}")
    lay = table(game, "d")
    kinds = [kind for kind in TRACTORS if game == HW or kind[2] == 0]
    for _ in range(scaled(60, 3)):
        suit = rng.choice("ttts")
        cards = suit_hand(rng, game, "d", suit, 20)
        for kind in kinds:
            assert holds(lay, suit, cards, [kind], split) == contains(game, "d", cards, [kind], split), (
                cards,
                kind,
            )
            assert top(lay, suit, cards, [kind], split) == best_top(game, "d", cards, [kind], split), (
                cards,
                kind,
            )


@pytest.mark.parametrize(("game", "split"), BOTH)
def test_com8_all_pairs_of_components_in_all_fillings_of_five_levels(game: str, split: bool) -> None:
    # Every hand with 0, 2 (or 3) copies of Ah, of two sub 2s, of 2h and of the level above, trump hearts;
    # against every list of two or three of the components it could hold.
    lay = table(game, "h")
    faces = hand("Kh Ah 2s 2c 2h 3s") if game == DWF else hand("Kh Ah 2s 2c 2h 3d")
    kinds = [PAIR, ("tractor", 2, 0), ("tractor", 3, 0), ("tractor", 4, 0)]
    if game == HW:
        kinds += [
            TRIPLE,
            ("tractor", 2, 1),
            ("tractor", 2, 2),
            ("tractor", 3, 1),
            ("tractor", 3, 3),
            ("tractor", 4, 2),
        ]
    lists = [list(two) for two in itertools.combinations_with_replacement(kinds, 2)]
    lists += [[PAIR, *two] for two in lists]
    copies = (0, 2, 3) if game == HW else (0, 2)
    fillings = [f for f in itertools.product(copies, repeat=len(faces)) if any(f)]
    step = 1 if game == DWF else 3
    for held in fillings[:: step if scaled(10**6) == 10**6 else 40 * step]:
        cards = [face for face, k in zip(faces, held, strict=True) for _ in range(k)]
        for some in lists:
            assert holds(lay, "t", cards, some, split) == contains(game, "h", cards, some, split), (
                cards,
                some,
            )
            if sum(map(size, some)) <= len(cards):
                assert top(lay, "t", cards, some, split) == best_top(game, "h", cards, some, split), (
                    cards,
                    some,
                )


@pytest.mark.parametrize(
    ("game", "suit", "cards", "kinds", "split", "expected"),
    [
        # two tractors of two across the equal 2s: Ah-2s and 2c-2h, which taking the first face greedily misses
        (DWF, "t", "Ah*2 2s*2 2c*2 2h*2", [("tractor", 2, 0)] * 2, True, True),
        (DWF, "t", "Ah*2 2s*2 2h*2 3c*2", [("tractor", 2, 0)] * 2, True, True),
        (DWF, "t", "Ah*2 2s*2 2c*2 3c*2", [("tractor", 2, 0)] * 2, True, False),  # 2s and 3s are not adjacent
        (DWF, "t", "Kh*2 Ah*2 2s*2 2c*2 2h*2 3s*2", [("tractor", 3, 0)] * 2, True, True),
        (DWF, "t", "Kh*2 Ah*2 2s*2 2c*2 2h*2 3s*2", [("tractor", 4, 0), ("tractor", 2, 0)], True, False),
        (DWF, "t", "Ah*2 2s*2 2c*2 2d*2 2h*2", [("tractor", 3, 0), PAIR, PAIR], True, True),
        # a pair out of a triple, alone or as a level of a tractor
        (HW, "s", "9s*3 Ts*2", [("tractor", 2, 0)], True, True),
        (HW, "s", "9s*3 Ts*2", [("tractor", 2, 0)], False, False),
        (HW, "s", "9s*3 Ts*2", [("tractor", 2, 1)], False, True),
        (HW, "s", "9s*3", [PAIR], True, True),
        (HW, "s", "9s*3", [PAIR], False, False),
        # the one triple can be a triple or a level, not both: T T T has to stay whole
        (HW, "s", "9s*2 Ts*3 Js*2", [("tractor", 3, 0), TRIPLE], True, False),
        (HW, "s", "9s*2 Ts*3 Js*2 As*3", [("tractor", 3, 0), TRIPLE], True, True),
        (HW, "s", "9s*3 Ts*3 Js*2 Qs*2", [("tractor", 2, 1), ("tractor", 2, 1)], True, False),
        (HW, "s", "9s*3 Ts*2 Js*3 Qs*2", [("tractor", 2, 1), ("tractor", 2, 1)], True, True),
        # which of two equal faces is broken matters: 2c2c into the tractor leaves 2s2s2s whole
        (HW, "t", "Ah*2 2s*3 2c*2", [("tractor", 2, 0), TRIPLE], True, True),
        (HW, "t", "Ah*2 2s*3 2c*3", [("tractor", 2, 0), TRIPLE], True, True),
        (HW, "t", "Ah*2 2s*3 2c*3", [("tractor", 2, 0), TRIPLE], False, False),
    ],
)
def test_com8_examples(
    game: str, suit: str, cards: str, kinds: list[Any], split: bool, expected: bool
) -> None:
    assert contains(game, "h", hand(cards), kinds, split) == expected
    assert holds(table(game, "h"), suit, hand(cards), kinds, split) == expected


def test_hw11_a_handle_tractor_beats_one_with_its_triple_elsewhere() -> None:
    # HW-11's example: 99 9 TT JJ as a (3, 1) against 33 444 55, with a card too many in the source
    lay = table(HW, "h")
    kinds: list[Type] = [("tractor", 3, 1)]
    low = top(lay, "s", hand("3s*2 4s*3 5s*2"), kinds, True)
    high = top(lay, "s", hand("9s*3 Ts*2 Js*2"), kinds, True)
    assert low is not None and high is not None and high > low


def test_com17_best_top_leaves_room_for_the_other_components() -> None:
    # K A 2 2 2 of trumps in pairs, wanted: a tractor of two twice; the higher one ends on the main 2
    lay = table(DWF, "h")
    two: list[Type] = [("tractor", 2, 0)] * 2
    assert top(lay, "t", hand("Kh*2 Ah*2 2s*2 2h*2"), two, True) == 12
    # 9 9 T T J J Q Q: a (3, 0) may end on the queen only without a second tractor
    lay = table(DWF, "c")
    kinds: list[Type] = [("tractor", 3, 0), ("tractor", 2, 0)]
    cards = hand("8s*2 9s*2 Ts*2 Js*2 Qs*2")
    assert top(lay, "s", cards, kinds[:1], True) == 8
    assert top(lay, "s", cards, kinds, True) == 8
    assert top(lay, "s", cards[:-2] + hand("As*2 Ks*2"), kinds, True) == 7


@pytest.mark.parametrize(("game", "split"), [(DWF, True), (HW, True), (HW, False)])
def test_com8_the_fullest_hands_stay_within_the_search(game: str, split: bool) -> None:
    """Whole trump suits, all copies: many tractors of many types, which is where the search has most states."""
    lay = table(game, "h")
    faces = hand("4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 2c 2d 2h 3d 3h SJ BJ")
    faces = [*faces, "3s", "3c"] if game == DWF else [f for f in faces if f != "5h"] + ["5h"]
    rng = random.Random(7)
    for _ in range(scaled(300)):
        cards = [face for face in faces for _ in range(rng.choice([2, PACKS[game], PACKS[game]]))]
        while len(cards) > 42:
            cards.remove(rng.choice(cards))
        kinds: list[Type] = []
        while sum(map(size, kinds)) < 34:
            length = rng.choice([2, 2, 2, 3, 3, 4])
            kinds.append(("tractor", length, rng.randint(0, length) if game == HW else 0))
        kinds.pop()
        # splitting hands this full is too much for the oracle; what is certain: a part of what fits fits too
        if holds(lay, "t", cards, kinds, split):
            for gone in range(len(kinds)):
                assert holds(lay, "t", cards, kinds[:gone] + kinds[gone + 1 :], split)
            assert top(lay, "t", cards, kinds, split) is not None
        else:
            assert top(lay, "t", cards, kinds, split) is None
