"""Bit arithmetic on hands against plain multisets."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from helpers import scaled

from tuolaji.kernels import bits

pytestmark = pytest.mark.nojit

Words = tuple[int, int, int]


def multiset(rng: random.Random) -> Counter[int]:
    """Some copies (0 to 3) of some of the 54 faces, the ends of the word among them."""
    faces = rng.sample(range(54), rng.randint(0, 20)) + rng.choice([[], [0], [53], [0, 53]])
    return Counter({face: rng.randint(1, 3) for face in faces})


def pack(cards: Counter[int]) -> Words:
    made = [0, 0, 0]
    for face, copies in cards.items():
        for k in range(copies):
            made[k] |= 1 << face
    return made[0], made[1], made[2]


def unpack(w: Words) -> Counter[int]:
    found = Counter({b: sum((int(x) >> b) & 1 for x in w) for b in range(54)})
    assert pack(+found) == tuple(int(x) for x in w)  # a second copy never stands without a first
    return +found


def part_of(rng: random.Random, cards: Counter[int]) -> Counter[int]:
    return +Counter({face: rng.randint(0, copies) for face, copies in cards.items()})


def test_size_count_highest() -> None:
    rng = random.Random(1)
    for _ in range(scaled(3000)):
        cards = multiset(rng)
        w = pack(cards)
        assert bits.size(*w) == cards.total()
        face = rng.randrange(54)
        assert bits.count_of(*w, face) == cards[face]
        if cards:
            assert bits.highest(w[0]) == max(cards)


def test_remove_add_and_holds_are_multiset_difference_sum_and_inclusion() -> None:
    rng = random.Random(2)
    for _ in range(scaled(5000)):
        cards, other = multiset(rng), multiset(rng)
        part = part_of(rng, cards)
        assert bits.holds(*pack(cards), *pack(part))
        assert bits.holds(*pack(cards), *pack(other)) == (other <= cards)
        rest = unpack(bits.remove(*pack(cards), *pack(part)))
        assert rest == cards - part
        assert unpack(bits.add(*pack(rest), *pack(part))) == cards
        assert unpack(bits.add(*pack(part), *pack(rest))) == cards


def test_one_copy_more_than_is_held_is_not_held() -> None:
    for held in range(4):
        for asked in range(4):
            w, p = pack(+Counter({7: held})), pack(+Counter({7: asked}))
            assert bits.holds(*w, *p) == (asked <= held)
            if asked <= held:
                assert unpack(bits.remove(*w, *p)) == +Counter({7: held - asked})


def test_low_and_high_bits_take_the_ends() -> None:
    rng = random.Random(3)
    for _ in range(scaled(3000)):
        x = rng.getrandbits(54) & rng.getrandbits(54)
        places = [b for b in range(54) if (x >> b) & 1]
        k = rng.randint(1, 12)
        assert bits.low_bits(x, k) == sum(1 << b for b in places[:k])
        assert bits.high_bits(x, k) == sum(1 << b for b in places[::-1][:k])


def test_low_and_high_cards_take_copies_of_a_face_together() -> None:
    rng = random.Random(4)
    for _ in range(scaled(3000)):
        cards = multiset(rng)
        k = rng.randint(0, cards.total())
        rising = sorted(cards.elements())
        assert unpack(bits.low_cards(*pack(cards), k)) == Counter(rising[:k])
        assert unpack(bits.high_cards(*pack(cards), k)) == Counter(rising[::-1][:k])
