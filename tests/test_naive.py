"""The oracle itself: the rules' own examples, clause by clause, and brute force on tiny hands."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from naive import (
    DWF,
    FACES,
    HW,
    best_top,
    components,
    contains,
    effective_suit,
    follow_fault,
    ladders,
    legal_follows,
    level,
    obligations,
    points,
    throw_check,
    trick,
)
from naive import die_wu_fen as dwf
from naive import hong_wu_wu_jia as hw
from naive.shapes import Type

PAIR: Type = ("pair", 1, 0)
SINGLE: Type = ("single", 1, 0)


def hand(text: str) -> list[str]:
    return text.split()


def kinds(game: str, trump: str, text: str) -> list[Type]:
    return [part.type for part in components(game, trump, hand(text))]


def fault(
    game: str, held: str, lead: str, play: str, rules: dict[str, Any] | None = None, named: str | None = None
) -> str | None:
    found = follow_fault(game, "h", hand(held), hand(lead), hand(play), rules or {}, named)
    return found[0] if found else None


def follows(held: str, lead: str, **rules: Any) -> set[tuple[str, ...]]:
    return set(legal_follows(DWF, "h", hand(held), hand(lead), rules))


def plays(*texts: str) -> set[tuple[str, ...]]:
    return {tuple(sorted(hand(text))) for text in texts}


def test_com2_points() -> None:
    assert sum(points(card, {}) for card in FACES) == 100
    assert points("Kh", {"points_king": 0}) == 0


@pytest.mark.parametrize("trump", "shcd")
def test_dwf2_hw2_sizes_of_the_suits(trump: str) -> None:
    def size(game: str, suit: str) -> int:
        return sum(map(len, ladders(game, trump)[suit]))

    sides = [suit for suit in "shcd" if suit != trump]
    assert size(DWF, "t") * 2 == 42
    assert all(size(DWF, suit) * 2 == 22 for suit in sides)
    assert size(HW, "t") * 3 == (57 if trump == "h" else 60)
    assert sum(size(HW, suit) for suit in ladders(HW, trump)) == 54
    order = sorted(
        (c for c in FACES if effective_suit(HW, trump, c) == "t"), key=lambda c: -level(HW, trump, c)
    )
    main, sub = "3" + trump, "3" + {"h": "d", "d": "h", "s": "c", "c": "s"}[trump]
    assert order[:6] == ["5h", "BJ", "SJ", main, sub, "2" + trump]


@pytest.mark.parametrize(
    ("game", "trump", "cards", "expected"),
    [
        (DWF, "h", "BJ BJ SJ SJ 3h 3h", [("tractor", 3, 0)]),  # DWF-2: it runs through all trumps
        (DWF, "h", "3h 3h 3s 3s", [("tractor", 2, 0)]),
        (DWF, "h", "2s 2s Ah Ah", [("tractor", 2, 0)]),
        (DWF, "h", "5h 5h 4h 4h 3h 3h", [("tractor", 2, 0), PAIR]),  # DWF-2: a 3 is no ordinary rank
        (DWF, "h", "3h 3h 3c 3c 3s 3s", [("tractor", 2, 0), PAIR]),  # COM-7: one face a level
        (DWF, "h", "2h 2h 3s 3c", [PAIR, SINGLE, SINGLE]),  # COM-4: equal is not identical
        (HW, "h", "4h 4h 6h 6h", [("tractor", 2, 0)]),  # HW-3
        (HW, "s", "4h 4h 6h 6h", [("tractor", 2, 0)]),  # 5h is a trump whatever the trump suit
        (HW, "h", "Ah Ah 2c 2c", [("tractor", 2, 0)]),
        (HW, "c", "5h 5h 5h BJ BJ BJ", [("tractor", 2, 2)]),
        (HW, "h", "3h 3h 3d 3d 2h 2h", [("tractor", 3, 0)]),  # both advisers above the main 2
        (HW, "c", "3d 3d 4d 4d 4d 5d 5d", [("tractor", 3, 1)]),  # COM-5: handle tractor
        (HW, "c", "6d 6d 6d 7d 7d 8d 8d", [("tractor", 3, 1)]),
        (HW, "c", "6d 6d 6d 8d 8d 9s", None),  # COM-9: two suits
        (HW, "c", "6d 6d 6d 8d 8d 9d", [("triple", 1, 1), PAIR, SINGLE]),
    ],
)
def test_com7_decomposition(game: str, trump: str, cards: str, expected: list[Type] | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="one effective suit"):
            components(game, trump, hand(cards))
    else:
        assert kinds(game, trump, cards) == expected


def test_com7_takes_the_longest_highest_run_and_the_fullest_face() -> None:
    parts = components(HW, "h", hand("4s 4s 5s 5s 7s 7s 8s 8s Ts"))
    assert [(part.type, part.cards[-1]) for part in parts][:2] == [
        (("tractor", 2, 0), "8s"),
        (("tractor", 2, 0), "5s"),
    ]
    parts = components(HW, "h", hand("2s 2s 2d 2d 2d Ah Ah"))
    assert parts[0].cards == ("Ah", "Ah", "2d", "2d", "2d")
    assert components(DWF, "h", hand("3h 3h 3d 3d 3c 3c"))[0].cards == ("3c", "3c", "3h", "3h")


@pytest.mark.parametrize(
    ("throw", "others", "played"),
    [  # COM-10's two examples
        ("5s 7s 7s 9s 9s", ["Ts 4s"], "5s"),
        ("5s 7s 7s 9s 9s", ["Ts Ts"], "7s 7s"),
        ("5s 7s 7s 9s 9s", ["8s 8s"], "7s 7s"),
        ("9s 8s 8s 4s 4s", ["Js"], "9s"),
        ("9s 8s 8s 4s 4s", ["Qs Qs"], "4s 4s"),
        ("9s 8s 8s 4s 4s", ["5s 5s"], "4s 4s"),
        ("As 8s 8s", ["9s", "9s"], None),  # one single player must hold the pair
        ("As 8s 8s", ["9h 9h 3h"], None),  # only the led suit counts
        ("8s 8s", ["9s 9s"], None),  # a plain lead is never checked
        ("3c 3s", ["3h"], "3s"),  # equal tops: suit order
        ("9s 9s 8s 8s As As", ["Ts Ts Js Js"], "8s 8s 9s 9s"),
    ],
)
def test_com10_throws(throw: str, others: list[str], played: str | None) -> None:
    stands, cards = throw_check(DWF, "h", hand(throw), [hand(other) for other in others], {})
    assert (stands, cards) == ((True, hand(throw)) if played is None else (False, hand(played)))


def test_com10_a_pair_out_of_a_triple_beats_only_with_split_triples() -> None:
    throw, other = hand("8s 8s As"), [hand("9s 9s 9s")]
    assert throw_check(HW, "h", throw, other, {}) == (False, ["8s", "8s"])
    assert throw_check(HW, "h", throw, other, {"split_triples": False}) == (True, throw)


def test_com13_cascade_and_its_absence() -> None:
    held, lead = "Ts Ts 9s 9s 7s 7s 6s 6s 4s 4s", "As As Ks Ks Qs Qs Js Js"
    assert obligations(DWF, "h", hand(held), hand(lead), {}) == [("tractor", 2, 0)] * 2
    assert follows(held, lead) == plays("Ts Ts 9s 9s 7s 7s 6s 6s")
    assert fault(DWF, held, lead, "Ts Ts 9s 9s 7s 7s 4s 4s") == "COM-13"
    assert obligations(DWF, "h", hand(held), hand(lead), {"cascade": False}) == []
    assert obligations(HW, "h", hand(held), hand(lead), {}) == []
    lead = "As As As Ks Ks Qs Qs"
    assert obligations(HW, "h", hand("9s 9s 8s 8s 6s 6s 4s"), hand(lead), {"cascade": True}) == [
        ("tractor", 2, 0),
        PAIR,
    ]
    assert obligations(HW, "h", hand("9s 9s 8s 7s"), hand("As As As"), {"cascade": True}) == [PAIR]
    assert obligations(HW, "h", hand("9s 9s 8s 7s"), hand("As As As"), {}) == []
    # a throw is answered component by component; a pair may come out of a triple
    assert obligations(HW, "h", hand("9s 9s 9s 8s"), hand("As As Qs"), {}) == [PAIR, SINGLE]
    assert obligations(HW, "h", hand("9s 9s 9s 8s"), hand("As As Qs"), {"split_triples": False}) == [SINGLE]


def test_com11_com12_number_suit_and_possession() -> None:
    assert fault(DWF, "4s 6s 9h", "As", "4s 6s") == "COM-11"
    assert fault(DWF, "4s 6s 9h", "As", "9h") == "COM-12"
    assert fault(DWF, "4s 6s 9h", "As", "7s") == "COM-9"
    assert fault(DWF, "4s 9h 8h 7h", "As As", "9h 8h") == "COM-12"
    assert fault(DWF, "4s 4s 9h 8h", "As As", "4s 4s") is None
    assert fault(DWF, "4s 4s 6s 8h", "As As", "4s 6s") == "COM-13"
    assert fault(DWF, "4h 4s 6c", "Ah Ah", "4h 6c") is None  # DWF-10: trump led, the rest is free
    assert fault(DWF, "4h 6c", "As", "6c") is None  # DWF-10: a single led


def test_dwf11_examples_of_the_source() -> None:
    kkqq = "Ks Ks Qs Qs"
    assert follows("3h 3h Kh Kh 9h 7h 4c 4c 8d 8d", kkqq) == plays("3h 3h Kh Kh")
    assert follows("4s BJ BJ SJ 3h 9c 9c", kkqq) == plays("4s BJ BJ SJ")
    seven = "4s 5s 7s 8s 9s Js Qs"
    got = follows("4h 5h 6h 8h Kh 6c 7c 7d", seven)
    assert got == plays(
        *(f"4h 5h 6h 8h Kh {a} {b}" for a, b in itertools.combinations(["6c", "7c", "7d"], 2))
    )
    assert fault(DWF, "4h 5h 6h 8h Kh 6c 7c 7d", seven, "4h 5h 6h 8h 6c 7c 7d") == "DWF-11a"
    trumps = hand("BJ BJ SJ 3h Kh Qh 9h 8h")
    got = follows("4s 9c 8c " + " ".join(trumps), seven)
    assert got == {tuple(sorted(["4s", *six])) for six in itertools.combinations(trumps, 6)}
    assert fault(DWF, "4s 9c 8c BJ BJ SJ 3h Kh Qh 9h 8h", seven, "4s 9c BJ BJ SJ 3h Kh") == "DWF-11b"
    assert fault(DWF, "4s BJ BJ SJ 3h 9c 9c", kkqq, "4s BJ SJ 3h") == "DWF-11c"


def test_dwf11d_ruff_or_discard() -> None:
    held = "BJ BJ Ah Ah Kh Kh 9h 9h 8h 8h 4c"
    ruffs = ["9h 9h 8h 8h", "Ah Ah Kh Kh"]
    assert follows(held, "5s 5s 4s 4s") == plays(*ruffs, "BJ BJ Ah Ah")
    assert follows(held, "5s 5s 4s 4s", forced_trump_binds="all") == plays("BJ BJ Ah Ah")
    assert fault(DWF, held, "5s 5s 4s 4s", "BJ BJ Kh Kh") == "DWF-11d"
    assert follows("9h 9h BJ 8h 4c", "As Ks Ks") == plays("9h 9h BJ", "9h 9h 8h")
    by_level = {"void_order": "by-level", "forced_trump_binds": "all"}
    assert follows("9h 9h BJ 8h 4c", "As Ks Ks", **by_level) == plays("BJ 9h 9h")
    assert follows("9h Th BJ 8h 4c", "As Ks Ks", **by_level) == plays("BJ 9h Th")
    got = follows("SJ SJ 3h 3h 3c 4c", "Qs Qs 6s")
    assert plays("SJ SJ 3h", "SJ SJ 3c", "3h 3h SJ", "3h 3h 3c") == got
    lead = "As As Ks Ks Qs Qs"
    assert follows("3h 3h 3d 3d 9h 8h 7h 6h 4c", lead) == plays("3h 3h 3d 3d 9h 8h")
    # three cards missing of pairs only: the third breaks the next highest pair
    assert follows("Ah Ah 9h 9h 6h 6h", "As Ks Ks", forced_trump_binds="all") == plays("Ah Ah 9h")
    # equal levels are the player's choice, but a single is not taken out of a pair while unpaired ones remain
    assert follows("2s 2s 2c 2c 2d 6h", "Ks Ks", forced_trump_binds="all") == plays("2s 2s", "2c 2c")
    got = follows("2s 2s 2c 2d 6h", "As Ks Ks", forced_trump_binds="all")
    assert got == plays("2s 2s 2c", "2s 2s 2d")
    # short (11c): the highest by level, breaking pairs, equal ones free
    got = follows("4s 2s 2s 2c 6h", "Ks Ks Qs Qs", forced_trump_binds="all")
    assert got == plays("4s 2s 2s 2c")
    assert follows("4s 2s 2s 2c 6h", "As Ks Ks") == plays("4s 2s 2s", "4s 2s 2c")


def test_dwf11_scope() -> None:
    held, play = "BJ BJ Ah Ah Kh Kh 4c 4c", "4c 4c Kh Kh"
    assert fault(DWF, held, "5s 5s 4s 4s", play) == "DWF-11d"
    assert fault(DWF, held, "5s 5s 4s 4s", play, {"forced_trump": "throw"}) is None
    assert fault(DWF, held, "As 5s 5s 4s", play, {"forced_trump": "throw"}) == "DWF-11d"
    assert fault(DWF, held, "As 5s 5s 4s", play, {"forced_trump": "off"}) is None


@pytest.mark.parametrize(
    ("game", "trump", "cards", "expected"),
    [
        (DWF, "h", ["As Ks 5s 5s 4s 4s", "9h 9h 8h 8h 7h 2h"], (1, True)),  # DWF-13
        (DWF, "h", ["As As 5s 5s 4s 4s", "9h 9h 8h 8h 7h 2h"], (0, False)),
        (DWF, "h", ["5s 4s 4s", "9h 7h 7h", "8h 8h 4h"], (2, True)),
        (DWF, "h", ["5s 6s 7s", "9h 7h 7h", "8h 8h 4h"], (1, True)),
        (DWF, "h", ["3s", "3c", "3d"], (0, False)),  # COM-15: equal, so the earlier
        (DWF, "h", ["As Ks", "As As", "Ks Ks"], (0, False)),  # COM-16: nothing in suit beats a throw
        (DWF, "h", ["Ks Ks", "As As", "4h 4h"], (2, True)),
        (DWF, "h", ["Ks Ks", "As Qs", "4h 6h"], (0, False)),
        (DWF, "h", ["4s 4s 5s 5s", "8s 8s 9s 9s", "Ts Ts Qs Qs"], (1, False)),
        (
            DWF,
            "h",
            ["5s 6s", "9h 7h", "9h 8h"],
            (1, True),
        ),  # COM-17: equal first tops, nothing further compared
        (HW, "c", ["3d 3d 4d 4d 4d 5d 5d", "9d 9d 9d Td Td Jd Jd"], (1, False)),  # HW-11, COM-5
        (HW, "c", ["9d 9d 9d Td Td Jd Jd", "4c 4c 6c 6c 6c 5c 5c"], (1, True)),
        (HW, "c", ["6d 6d Ad", "9c 9c 9c"], (1, True)),  # COM-8: a pair out of a triple
    ],
)
def test_com16_com17_winner(game: str, trump: str, cards: list[str], expected: tuple[int, bool]) -> None:
    winner, ruffed, _ = trick(game, trump, [hand(text) for text in cards], {})
    assert (winner, ruffed) == expected


def test_com17_first_component_takes_its_best_assignment() -> None:
    cards = hand("9c 9c 9c 8c 8c 8c")
    assert best_top(HW, "c", cards, [PAIR, PAIR, SINGLE, SINGLE]) == level(HW, "c", "9c")
    assert best_top(HW, "c", cards, [("triple", 1, 1), PAIR, SINGLE]) == level(HW, "c", "9c")
    assert best_top(HW, "c", cards, [("triple", 1, 1), PAIR, SINGLE], split_triples=False) is None
    assert trick(HW, "c", [hand("6d 6d Ad"), hand("9c 9c 9c")], {"split_triples": False})[:2] == (0, False)


def test_com18_points() -> None:
    assert trick(DWF, "h", [hand("Ks Ks"), hand("5s Ts"), hand("4s 6s")], {})[2] == 35


def _is(game: str, trump: str, cards: list[str], kind: Type, whole: Counter[str], split: bool) -> bool:
    """COM-5, COM-8: whether these very cards are one component."""
    counts = Counter(cards)
    if not split and any(copies == 2 and whole[face] > 2 for face, copies in counts.items()):
        return False
    if kind[0] != "tractor":
        return len(counts) == 1
    heights = sorted(level(game, trump, face) for face in counts)
    run = list(range(heights[0], heights[0] + kind[1]))
    return heights == run and sorted(counts.values()) == [2] * (kind[1] - kind[2]) + [3] * kind[2]


def _tops(game: str, trump: str, cards: list[str], types: list[Type], split: bool) -> set[int]:
    """COM-8: the tops of the first component over every choice of cards whatever."""
    whole = Counter(cards)

    def search(left: list[str], rest: list[Type]) -> list[int]:
        if not rest:
            return [-1]
        size = 1 if rest[0][0] == "single" else 2 * rest[0][1] + rest[0][2]
        tops = set()
        for chosen in itertools.combinations(range(len(left)), size):
            some = [left[index] for index in chosen]
            if _is(game, trump, some, rest[0], whole, split):
                others = [card for index, card in enumerate(left) if index not in chosen]
                if search(others, rest[1:]):
                    tops.add(max(level(game, trump, card) for card in some))
        return list(tops)

    return set(search(cards, types))


def test_com8_containment_is_exact() -> None:
    rng = random.Random(8)
    kinds_tried: list[Type] = [("tractor", 3, 0), ("tractor", 2, 2), ("tractor", 2, 1), ("tractor", 2, 0)]
    kinds_tried += [("triple", 1, 1), PAIR, SINGLE]
    met: Counter[bool] = Counter()
    for _ in range(600):
        pool = rng.sample(hand("Kh Ah 2s 2c 2d 2h 3d"), rng.randint(2, 4)) * 3
        cards = rng.sample(pool, rng.randint(3, min(8, len(pool))))
        types = sorted(rng.choices(kinds_tried, k=rng.randint(1, 3)), key=kinds_tried.index)
        split = rng.random() < 0.6
        tops = _tops(HW, "h", cards, types, split)
        assert contains(HW, "h", cards, types, split) == bool(tops), (cards, types, split)
        assert best_top(HW, "h", cards, types, split) == max(tops, default=None), (cards, types, split)
        met[bool(tops)] += 1
    assert min(met.values()) > 100


def test_hw9_no_hiding() -> None:
    held = "Ac Ac 9d 8d 7h 6h"
    assert fault(HW, held, "Ks", "Ac", named="Ac") == "HW-9"
    assert fault(HW, held, "Ks", "Ac", named=None) is None
    assert fault(HW, held, "Ks", "9d", named="Ac") is None
    assert fault(HW, "Ac Ac 9d", "Ks Ks", "Ac 9d", named="Ac") is None  # unavoidable
    assert fault(HW, "Ac Ac 9d", "Ks Ks", "Ac Ac", named="Ac") == "HW-9"  # one more than unavoidable
    assert fault(HW, "4c Ac 9d", "Kc", "Ac", named="Ac") is None  # in the led suit
    assert fault(HW, "Ah Ah 9d 8d", "Ks Ks", "Ah Ah", named="Ah") is None  # a ruff
    assert fault(HW, "Ah Ah 9h 8d", "Ks Ks", "Ah 9h", named="Ah") == "HW-9"  # trumps, but no ruff
    assert fault(HW, "5h 5h 9d", "Ks", "5h", named="5h") is None  # only A's and K's


def test_hw10_direct() -> None:
    mine = hand("Ac 9c")
    assert hw.is_direct("h", "Ac", True, hand("Kc"), mine)
    assert hw.is_direct("h", "Ac", True, hand("Ac Kc"), mine)
    assert not hw.is_direct("h", "Ac", True, hand("Qc"), mine)
    assert not hw.is_direct("h", "Ac", False, hand("Kc"), mine)
    assert not hw.is_direct("h", "Ac", True, hand("Kc"), hand("Ac Ac 9d"))  # nothing else of that suit
    assert not hw.is_direct("h", "Kc", True, hand("Ac"), hand("Kc 9c"))
    assert not hw.is_direct("h", "Ah", True, hand("BJ"), hand("Ah 9h"))


@pytest.mark.parametrize(
    ("total", "pressed", "banker", "partner", "defender"),
    [  # HW-14 with HW-13
        (0, False, 18, 9, -9),
        (25, False, 8, 4, -4),
        (59, False, 6, 3, -3),
        (119, False, 2, 1, -1),
        (120, False, -2, -1, 1),
        (200, False, -8, -4, 4),
        (225, False, -18, -9, 9),
        (230, False, -21, -9, 10),
        (235, False, -24, -9, 11),
        (300, False, -63, -9, 24),
        (555, False, -63, -9, 24),
        (205, True, -11, -4, 5),
        (210, True, -14, -4, 6),
        (300, True, -68, -4, 24),
    ],
)
def test_hw14_payoffs(total: int, pressed: bool, banker: int, partner: int, defender: int) -> None:
    shares = hw.payoffs(2, 4, hw.grade(total, {}), pressed, False, {})
    assert shares == [defender, defender, banker, defender, partner]
    assert sum(shares) == 0
    turned = hw.payoffs(2, 4, hw.grade(total, {}), pressed, True, {})  # HW-10: only a loss changes places
    assert (turned[2], turned[4]) == ((banker, partner) if banker > 0 else (partner, banker))


def test_hw15_solo_and_hw5_draw() -> None:
    assert hw.payoffs(0, None, 3, False, False, {}) == [24, -6, -6, -6, -6]
    assert hw.payoffs(0, None, -2, True, False, {"base": 5}) == [-80, 20, 20, 20, 20]
    assert hw.pressed_trumps(hand("2c 2s 9h"), hand("2h")) == {"c", "s"}
    assert hw.pressed_trumps(hand("9h"), hand("2h 9c")) == {"h"}
    assert hw.pressed_trumps(hand("9h"), hand("BJ 5h 9c 8s")) == {"c", "s"}
    assert hw.pressed_trumps(hand("9h"), hand("BJ SJ 5h")) == {"d"}


def test_dwf4_counters() -> None:
    def verdict(first_seat: int, seat: int, after: int, cards: str = "3h 3h", **rules: Any) -> bool:
        call = {"seat": 1, "cards": ["3s"], "after_card": 10}
        entry = {"seat": seat, "cards": hand(cards), "after_card": after}
        return dwf.counter_fault(call, entry, first_seat, rules) is None

    assert verdict(0, 2, 10)  # seat 2 is asked after seat 1
    assert not verdict(2, 2, 10)  # here it was asked before
    assert verdict(2, 2, 11)
    assert not verdict(0, 0, 9)
    assert verdict(0, 0, 33)
    assert not verdict(0, 1, 20)
    assert not verdict(0, 2, 20, "3h")
    assert not verdict(0, 2, 20, "3s 3s")
    assert not verdict(0, 2, 20, counter=False)


def test_dwf6_bidding() -> None:
    def ok(bids: list[tuple[int, int | None]], pair: bool = False, **rules: Any) -> bool:
        return not dwf.bid_faults([{"seat": seat, "bid": bid} for seat, bid in bids], 0, pair, rules)

    assert ok([(0, 110), (1, None), (2, None)])
    assert not ok([(0, 110), (1, None), (2, None)], pair=True)
    assert ok([(0, 120), (1, 150), (2, None), (0, 160), (1, None)], pair=True)
    assert ok([(0, 200)])
    assert not ok([(0, 200), (1, None)])
    assert not ok([(0, None), (1, 110), (2, None)])
    assert not ok([(0, 110), (1, None)])
    assert not ok([(0, 110), (1, 110), (2, None), (0, None)])
    assert not ok([(0, 115), (1, None), (2, None)])
    assert ok([(0, 115), (1, None), (2, None)], bid_step=5)
    assert not ok([(0, 110), (1, None), (2, 120), (1, 130), (0, None)])


def test_dwf8_dwf15_to_dwf18_scoring() -> None:
    assert [dwf.base_value(bid, {}) for bid in (110, 115, 150, 200)] == [1, 1, 5, 10]
    assert dwf.bottom_multiplier("h", hand("As"), hand("4h"), {}) == 1
    assert dwf.bottom_multiplier("h", hand("As Ks"), hand("4h 4h"), {}) == 2
    assert dwf.bottom_multiplier("h", hand("As Ks"), hand("4h 4h"), {"bottom_shape": "lead"}) == 1
    assert dwf.bottom_multiplier("h", hand("Ks"), hand("As"), {}) == 0
    assert dwf.outcome(200, 0, {}) == ("made", True)
    assert dwf.outcome(200, 5, {}) == ("broken", False)
    assert dwf.outcome(150, 45, {}) == ("made", False)
    assert dwf.outcome(150, 50, {}) == ("broken", False)
    assert dwf.outcome(150, 150, {}) == ("broken", True)
    extra = dwf.penalties(1, [1, 0, 2, 2], 3, {"defender_throw_penalty": 2})
    assert extra == [-15, 30, -15]
    assert dwf.penalties(1, [1], 3, {}) == [3, -6, 3]
    assert dwf.payoffs(1, 3, "broken", False, [3, -6, 3], {}) == [6, -12, 6]
    assert dwf.payoffs(1, 3, "made", True, [3, -6, 3], {}) == [-3, 6, -3]
