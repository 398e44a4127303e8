"""The order of the cards along the bits, against the oracle's ladders (COM-2 to COM-4, DWF-2, HW-2, HW-3)."""

from __future__ import annotations

import random

import pytest
from helpers import PACKS, SEATS, cards_of, face_number, hand, scaled, suit_code, table, words, words_by_face

from tuolaji.kernels import layout
from tuolaji.kernels.layout import by_bit, faces_at, levels_of

from naive import DWF, FACES, HW, effective_suit, ladders, level, points

pytestmark = pytest.mark.nojit

TABLES = [(game, trump) for game in (DWF, HW) for trump in "shcd"]


@pytest.mark.parametrize(("game", "trump"), TABLES)
def test_com3_com4_suit_and_level_of_every_face(game: str, trump: str) -> None:
    lay = table(game, trump)
    for card in FACES:
        bit = int(lay[layout.BIT_OF + face_number(card)])
        suit = suit_code(lay, effective_suit(game, trump, card))
        assert lay[layout.FACE_OF + bit] == face_number(card)
        assert lay[layout.SUIT_OF + bit] == suit
        assert lay[layout.LEVEL_OF + bit] == level(game, trump, card)
        assert [(lay[layout.MASK + s] >> bit) & 1 for s in range(4)] == [int(s == suit) for s in range(4)]
    assert sorted(int(b) for b in lay[layout.BIT_OF : layout.BIT_OF + 54]) == list(range(54))


@pytest.mark.parametrize(("game", "trump"), TABLES)
def test_com4_suits_are_runs_of_bits_with_rising_levels(game: str, trump: str) -> None:
    lay = table(game, trump)
    bit = 0
    for suit in [s for s in "shcd" if s != trump] + ["t"]:
        ladder = ladders(game, trump)[suit]
        code = suit_code(lay, suit)
        assert lay[layout.SHIFT + code] == bit
        assert lay[layout.LEVELS + code] == len(ladder)
        for height, faces in enumerate(ladder):
            mask = 0
            for card in faces:  # equal faces: the order of the suits, which COM-7 and COM-10 break ties by
                assert lay[layout.FACE_OF + bit] == face_number(card)
                mask |= 1 << bit
                bit += 1
            assert faces_at(lay, code, height) == mask
    assert bit == 54
    assert (lay[layout.PACKS], lay[layout.SEATS]) == (PACKS[game], SEATS[game])


@pytest.mark.parametrize(("game", "trump"), TABLES)
def test_com4_faces_fold_into_levels(game: str, trump: str) -> None:
    lay = table(game, trump)
    rng = random.Random(trump)
    for _ in range(scaled(400)):
        cards = rng.sample(FACES, rng.randint(0, 30))
        for suit in ladders(game, trump):
            own = {level(game, trump, card) for card in cards if effective_suit(game, trump, card) == suit}
            assert levels_of(words(lay, cards)[0], lay, suit_code(lay, suit)) == sum(1 << h for h in own)


def test_dwf2_order_of_the_trumps() -> None:
    # trump hearts, low to high: 4h … Ah, the sub 2s, 2h, the sub 3s, 3h, SJ, BJ: 42 cards of two packs
    lay = table(DWF, "h")
    trumps = cards_of(lay, (int(lay[layout.MASK + 3]), 0, 0))
    assert trumps == hand("4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 2c 2d 2h 3s 3c 3d 3h SJ BJ")
    levels = [int(lay[layout.LEVEL_OF + bit]) for bit in range(33, 54)]
    assert levels == [*range(11), 11, 11, 11, 12, 13, 13, 13, 14, 15, 16]


def test_hw2_hw3_order_of_the_trumps_and_what_is_taken_out() -> None:
    # trump hearts: 4h and 6h are neighbours; 5h is the highest card, above the jokers
    lay = table(HW, "h")
    trumps = cards_of(lay, (int(lay[layout.MASK + 3]), 0, 0))
    assert trumps == hand("4h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 2c 2d 2h 3d 3h SJ BJ 5h")
    # trump spades: the clubs' 3 is the sub adviser, so clubs begin with the 4; diamonds keep their 3; hearts lack the 5
    lay = table(HW, "s")
    sides = [cards_of(lay, (int(lay[layout.MASK + s]), 0, 0)) for s in range(3)]
    assert sides[0] == hand("3h 4h 6h 7h 8h 9h Th Jh Qh Kh Ah")
    assert sides[1] == hand("4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac")
    assert sides[2] == hand("3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad")
    assert cards_of(lay, (int(lay[layout.MASK + 3]), 0, 0))[-6:] == hand("2s 3c 3s SJ BJ 5h")


@pytest.mark.parametrize(("game", "trump"), TABLES)
def test_words_by_face_become_words_by_bit(game: str, trump: str) -> None:
    lay = table(game, trump)
    rng = random.Random(trump)
    for _ in range(scaled(400)):
        cards = [card for card in FACES for _ in range(rng.randint(0, PACKS[game]))]
        assert tuple(by_bit(w, lay) for w in words_by_face(cards)) == words(lay, cards)


@pytest.mark.parametrize(("game", "trump"), TABLES)
@pytest.mark.parametrize("values", [(5, 10, 10), (0, 7, 50)])
def test_com2_points(game: str, trump: str, values: tuple[int, int, int]) -> None:
    rules = dict(zip(("points_five", "points_ten", "points_king"), values, strict=True))
    lay = table(game, trump, rules)
    rng = random.Random(trump)
    for _ in range(scaled(200)):
        cards = [card for card in FACES for _ in range(rng.choice([0, 0, 1, PACKS[game]]))]
        assert layout.points(*words(lay, cards), lay) == sum(points(card, rules) for card in cards)
    everything = list(FACES) * PACKS[game]
    if values == (5, 10, 10):
        assert layout.points(*words(lay, everything), lay) == 100 * PACKS[game]
