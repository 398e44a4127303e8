"""Components and the decomposition of a lead against the oracle (COM-5 to COM-7)."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from helpers import (
    SUITS_OF,
    cards_of,
    describe,
    hand,
    scaled,
    suit_code,
    suit_hand,
    table,
    type_code,
    type_of,
)

from tuolaji.kernels import shapes

from naive import DWF, HW, components, effective_suit, level
from naive.shapes import Type, precedence

pytestmark = pytest.mark.nojit

TYPES: list[Type] = [("single", 1, 0), ("pair", 1, 0), ("triple", 1, 1)]
TYPES += [("tractor", length, t) for length in range(2, 13) for t in range(length + 1)]


def test_com5_types_have_numbers_of_their_own() -> None:
    assert len({type_code(kind) for kind in TYPES}) == len(TYPES)
    assert all(type_of(type_code(kind)) == kind for kind in TYPES)
    assert tuple(type_code(kind) for kind in TYPES[:3]) == (shapes.SINGLE, shapes.PAIR, shapes.TRIPLE)
    for name, length, triples in TYPES[3:]:
        assert shapes.tractor(length, triples) == type_code((name, length, triples))


def test_com6_numbers_rank_like_the_types() -> None:
    # tractor > triple > pair > single; of tractors more cards, then more levels: (4, 0) is before (3, 2)
    ranked = sorted(TYPES, key=precedence)
    assert [type_code(kind) for kind in ranked] == sorted(map(type_code, TYPES), reverse=True)
    assert type_code(("tractor", 4, 0)) > type_code(("tractor", 3, 2))
    assert type_code(("tractor", 3, 0)) > type_code(("tractor", 2, 2))


def check_decomposition(game: str, trump: str, cards: list[str]) -> None:
    lay = table(game, trump)
    lead, masks = describe(lay, cards)
    expected = components(game, trump, cards)
    n = int(lead[shapes.COUNT])
    kinds = [type_of(code) for code in lead[shapes.TYPES : shapes.TYPES + n]]
    tops = [int(top) for top in lead[shapes.TOPS : shapes.TOPS + n]]
    assert kinds == [part.type for part in expected]
    assert tops == [part.top for part in expected]
    parts = [
        (*k, top, tuple(sorted(cards_of(lay, m)))) for k, top, m in zip(kinds, tops, masks, strict=False)
    ]
    assert Counter(parts) == Counter((*p.type, p.top, tuple(sorted(p.cards))) for p in expected)
    assert lead[shapes.N] == len(cards)
    assert lead[shapes.MULTI] == sum(kind[0] != "single" for kind in kinds)
    assert lead[shapes.SUIT] == suit_code(lay, effective_suit(game, trump, cards[0]))


@pytest.mark.parametrize(("game", "trump"), [(game, trump) for game in (DWF, HW) for trump in "shcd"])
def test_com7_decomposition_of_lumpy_suits(game: str, trump: str) -> None:
    rng = random.Random(f"{game} {trump}")
    for _ in range(scaled(1200)):
        suit = rng.choice("tt" + SUITS_OF[game, trump])
        cards = suit_hand(rng, game, trump, suit, rng.choice([4, 8, 16, 36]))
        check_decomposition(game, trump, cards)


def test_com7_all_small_sets_around_the_equal_2s_and_3s() -> None:
    # every choice of 0 or 2 copies of the nine faces from Ah to 3h, trump hearts, and with three packs of 0, 2 or 3
    faces = hand("Kh Ah 2s 2c 2d 2h 3s 3c 3d 3h SJ")
    for held in itertools.islice(
        itertools.product((0, 2), repeat=len(faces)), 1, None, 1 if scaled(1000) == 1000 else 37
    ):
        check_decomposition(DWF, "h", [face for face, k in zip(faces, held, strict=True) for _ in range(k)])
    faces = hand("Kh Ah 2s 2c 2d 2h 3d")
    for held in itertools.islice(
        itertools.product((0, 2, 3), repeat=7), 1, None, 1 if scaled(1000) == 1000 else 37
    ):
        check_decomposition(HW, "h", [face for face, k in zip(faces, held, strict=True) for _ in range(k)])


@pytest.mark.parametrize(
    ("game", "trump", "text", "expected"),
    [
        (DWF, "h", "BJ BJ SJ SJ", ["BJ BJ SJ SJ"]),  # DWF-2: the jokers make a tractor
        (DWF, "h", "3h 3h 3s 3s", ["3h 3h 3s 3s"]),  # DWF-2: main 3s with sub 3s of one suit
        (DWF, "h", "2s 2s Ah Ah", ["2s 2s Ah Ah"]),  # DWF-2: a sub 2 pair with trump aces
        (DWF, "h", "5h 5h 4h 4h 3h 3h", ["5h 5h 4h 4h", "3h 3h"]),  # DWF-2: a 3 is no ordinary rank
        (DWF, "h", "3h 3h 3d 3d 3c 3c", ["3c 3c 3h 3h", "3d 3d"]),  # one face a level, clubs before diamonds
        (DWF, "h", "3s 3c 2s 2c", ["3s", "3c", "2s", "2c"]),  # COM-4: equal, but not identical
        (
            DWF,
            "h",
            "4s 4s 5s 5s 7s 7s 8s 8s Ts",
            ["7s 7s 8s 8s", "4s 4s 5s 5s", "Ts"],
        ),  # the higher run first
        (HW, "h", "4h 4h 6h 6h", ["4h 4h 6h 6h"]),  # HW-3: what trump took out is skipped
        (HW, "c", "5h 5h 5h BJ BJ BJ", ["5h 5h 5h BJ BJ BJ"]),  # HW-3
        (HW, "h", "2s 2s 2d 2d 2d Ah Ah", ["Ah Ah 2d 2d 2d", "2s 2s"]),  # COM-7: the face with most copies
        (
            HW,
            "c",
            "3d 3d 4d 4d 4d 5d 5d 7d 7d 7d",
            ["3d 3d 4d 4d 4d 5d 5d", "7d 7d 7d"],
        ),  # COM-5: handle tractor
        (
            HW,
            "s",
            "3d*3 4d*3 6d*2 7d*2 8d*2 Td*3",
            ["6d*2 7d*2 8d*2", "3d*3 4d*3", "Td*3"],
        ),  # longest run, COM-6 order
    ],
)
def test_com5_com7_examples(game: str, trump: str, text: str, expected: list[str]) -> None:
    lay = table(game, trump)
    lead, masks = describe(lay, hand(text))
    parts = [sorted(cards_of(lay, masks[i])) for i in range(int(lead[shapes.COUNT]))]
    if parts and len({len(p) for p in parts}) == 1 and len(parts[0]) == 1:  # equal singles: in any order
        assert sorted(parts) == sorted(sorted(hand(e)) for e in expected)
    else:
        assert parts == [sorted(hand(e)) for e in expected]


def test_com9_a_lead_of_one_face_is_one_component() -> None:
    for game, copies in ((DWF, 2), (HW, 3)):
        lay = table(game, "h")
        for card in ("4s", "As", "4h", "2s", "2h", "SJ", "BJ"):
            for k in range(1, copies + 1):
                lead, masks = describe(lay, [card] * k)
                assert lead[: shapes.TYPES].tolist() == [
                    k,
                    suit_code(lay, effective_suit(game, "h", card)),
                    1,
                    int(k > 1),
                ]
                assert lead[shapes.TYPES] == (33, 65, 97)[k - 1]
                assert lead[shapes.TOPS] == level(game, "h", card)
                assert cards_of(lay, masks[0]) == [card] * k
