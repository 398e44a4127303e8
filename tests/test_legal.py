"""Following suit against the oracle: number, suit, shape, forced trumps, hiding (COM-11 to COM-14, DWF-9 to DWF-11)."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from helpers import (
    SHAPE_RULES,
    SUITS_OF,
    Ints,
    describe,
    face_number,
    hand,
    scaled,
    small_hand,
    sub_multisets,
    suit_hand,
    table,
    type_of,
    words,
)

from tuolaji.kernels import hiding, layout, legal, shapes

from naive import DWF, HW, follow_fault, obligations
from naive.shapes import precedence

pytestmark = pytest.mark.nojit

CLAUSES = {
    legal.OK: None,
    legal.NUMBER: "COM-11",
    legal.NOT_HELD: "COM-9",
    legal.SUIT_FIRST: "COM-12",
    legal.SHAPE: "COM-13",
    legal.F_ALL: "DWF-11a",
    legal.F_ANY: "DWF-11b",
    legal.F_HIGHEST: "DWF-11c",
    legal.F_PAIRS: "DWF-11d",
}
FORCED_RULES: list[dict[str, Any]] = [
    {"forced_trump": scope, "void_order": order, "forced_trump_binds": binds}
    for scope, order, binds in itertools.product(
        ("multi", "throw", "off"), ("pairs-first", "by-level"), ("discards", "all")
    )
]
SCRATCH = np.zeros(shapes.MAX_COMPONENTS, np.int64)


def verdict(lay: Ints, held: list[str], lead: Ints, play: list[str]) -> str | None:
    """The clause a follow breaks, as the kernel sees it."""
    return CLAUSES[int(legal.follow_fault(*words(lay, held), lay, lead, *words(lay, play), SCRATCH))]


def naive_verdict(
    game: str, trump: str, held: list[str], lead: list[str], play: list[str], rules: dict[str, Any]
) -> str | None:
    found = follow_fault(game, trump, held, lead, play, rules)
    return found[0] if found else None


def compare_all_plays(
    game: str, trump: str, held: list[str], lead: list[str], rules: dict[str, Any]
) -> set[str]:
    """Every choice of as many cards as were led, one fewer and one more; returns the clauses met."""
    lay = table(game, trump, rules)
    described, _ = describe(lay, lead)
    met = set()
    n = len(lead)
    for play in sub_multisets(held, [n - 1, n, n + 1] if n > 1 else [n, n + 1]):
        expected = naive_verdict(game, trump, held, lead, play, rules)
        assert verdict(lay, held, described, play) == expected, (game, trump, held, lead, play, rules)
        met.add(expected or "legal")
    assert "legal" in met or len(held) < n  # an invariant: whoever has cards enough has a legal play
    return met


@pytest.mark.parametrize(("game", "rules"), SHAPE_RULES)
def test_com11_com12_com13_all_plays_of_small_hands(game: str, rules: dict[str, Any]) -> None:
    rng = random.Random(f"{game} {rules}")
    met: set[str] = set()
    for _ in range(scaled(600, 120)):
        trump = rng.choice("shcd")
        suit = rng.choice("tt" + SUITS_OF[game, trump])
        lead = suit_hand(rng, game, trump, suit, rng.choice([1, 2, 3, 4, 4, 5, 6, 6, 7]))
        held = suit_hand(rng, game, trump, suit, rng.randint(1, 9))
        held += small_hand(
            rng, game, trump, SUITS_OF[game, trump].replace(suit, ""), rng.randint(0, 10 - len(held))
        )
        if len(held) >= len(lead):
            met |= compare_all_plays(game, trump, held, lead, rules)
    assert {"legal", "COM-11", "COM-12", "COM-13"} <= met


@pytest.mark.parametrize("rules", FORCED_RULES)
def test_dwf11_all_plays_of_short_and_void_hands(rules: dict[str, Any]) -> None:
    rng = random.Random(str(rules))
    met: set[str] = set()
    for _ in range(scaled(400, 150)):
        trump = rng.choice("shcd")
        suit, other = rng.sample(SUITS_OF[DWF, trump][1:], 2)
        lead = suit_hand(rng, DWF, trump, suit, rng.choice([2, 3, 4, 4, 5, 6, 6, 7]))
        held = suit_hand(rng, DWF, trump, suit, rng.randint(1, 3)) if rng.random() < 0.4 else []
        held = held[: len(lead) - 1]
        held += suit_hand(rng, DWF, trump, "t", rng.randint(1, 9 - len(held)))
        if len(held) < 9:
            held += suit_hand(rng, DWF, trump, other, 9 - len(held))
        if len(held) >= len(lead):
            met |= compare_all_plays(DWF, trump, held, lead, rules)
    if rules["forced_trump"] == "off":
        assert not any(clause.startswith("DWF") for clause in met)
    else:
        assert {"legal", "DWF-11a", "DWF-11b", "DWF-11c", "DWF-11d"} <= met


def test_com11_and_possession_beat_everything() -> None:
    lay = table(DWF, "h")
    lead, _ = describe(lay, hand("As"))
    assert verdict(lay, hand("4s 6s 9h"), lead, hand("4s 6s")) == "COM-11"
    assert verdict(lay, hand("4s 6s 9h"), lead, hand("7s")) == "COM-9"
    lead, _ = describe(lay, hand("As As"))
    assert verdict(lay, hand("4s 6s 9h"), lead, hand("4s 4s")) == "COM-9"  # one 4 is held, two were played


def test_com12_all_cards_of_a_short_suit() -> None:
    # A A led, 4s and three hearts (trump clubs): the 4s has to be among the two
    lay = table(DWF, "c")
    lead, _ = describe(lay, hand("As As"))
    held = hand("4s 9h 8h 7h")
    assert verdict(lay, held, lead, hand("9h 8h")) == "COM-12"
    assert verdict(lay, held, lead, hand("4s 8h")) is None


def test_dwf10_trump_led_or_a_single_led_frees_the_rest() -> None:
    lay = table(DWF, "h")
    lead, _ = describe(lay, hand("Ah Ah"))
    assert verdict(lay, hand("4h 4s 6c 3c"), lead, hand("4h 3c")) is None
    assert verdict(lay, hand("4h 4s 6c"), lead, hand("4h 6c")) is None  # 4h was the only trump
    assert verdict(lay, hand("9c 4s 6c"), lead, hand("9c 6c")) is None
    lead, _ = describe(lay, hand("As"))
    assert verdict(lay, hand("4h 6c"), lead, hand("6c")) is None


@pytest.mark.parametrize(("game", "rules"), SHAPE_RULES)
def test_com13_obligations(game: str, rules: dict[str, Any]) -> None:
    rng = random.Random(f"{game} {rules} o")
    out = np.zeros(shapes.MAX_COMPONENTS, np.int64)
    for _ in range(scaled(3000)):
        trump = rng.choice("shcd")
        suit = rng.choice("tt" + SUITS_OF[game, trump])
        lead = suit_hand(rng, game, trump, suit, rng.randint(2, 14))
        held = suit_hand(rng, game, trump, suit, rng.randint(len(lead), 16))
        if len(held) < len(lead):
            continue
        lay = table(game, trump, rules)
        described, _ = describe(lay, lead)
        _, w1, w2 = words(lay, held)
        count = int(legal.obligations(w1, w2, lay, described, out))
        expected = [kind for kind in obligations(game, trump, held, lead, rules) if kind[0] != "single"]
        assert [type_of(code) for code in out[:count]] == sorted(expected, key=precedence), (held, lead)


@pytest.mark.parametrize(
    ("game", "rules", "held", "lead", "owed"),
    [
        # COM-13's example: AAKKQQJJ led, TT99 77 66 44 held: all of TT99 and 7766
        (DWF, {}, "Ts*2 9s*2 7s*2 6s*2 4s*2", "As*2 Ks*2 Qs*2 Js*2", "(2,0) (2,0)"),
        (DWF, {"cascade": False}, "Ts*2 9s*2 7s*2 6s*2 4s*2", "As*2 Ks*2 Qs*2 Js*2", ""),
        (HW, {}, "Ts*2 9s*2 7s*2 6s*2 4s*2", "As*2 Ks*2 Qs*2 Js*2", ""),
        (DWF, {}, "Ts*2 9s*2 8s*2 5s*2 4s*2", "As*2 Ks*2 Qs*2 Js*2", "(3,0) 2"),
        (DWF, {}, "Ts*2 9s*2 7s*2 5s 4s", "As*2 Ks*2 Qs*2 Js*2", "(2,0) 2"),
        (HW, {"cascade": True}, "9s*2 8s*2 6s*2 4s", "As*3 Ks*2 Qs*2", "(2,0) 2"),
        (HW, {"cascade": True}, "9s*2 8s 7s", "As*3", "2"),
        (HW, {}, "9s*2 8s 7s", "As*3", ""),
        (HW, {}, "9s*3 8s", "As*2 Qs", "2"),  # a pair may come out of a triple
        (HW, {"split_triples": False}, "9s*3 8s", "As*2 Qs", ""),
        (DWF, {}, "Ts*2 9s*2 8s*2 7s 6s", "As*2 Ks*2 4s*2 6s", "(2,0) 2"),  # a throw, component by component
    ],
)
def test_com13_examples(game: str, rules: dict[str, Any], held: str, lead: str, owed: str) -> None:
    lay = table(game, "h", rules)
    described, _ = describe(lay, hand(lead))
    _, w1, w2 = words(lay, hand(held))
    count = int(legal.obligations(w1, w2, lay, described, SCRATCH))
    names = {"pair": "2", "triple": "3"}
    found = [type_of(code) for code in SCRATCH[:count]]
    assert " ".join(names.get(k[0], f"({k[1]},{k[2]})") for k in found) == owed


def test_dwf9_com13_the_play_of_the_example() -> None:
    lay = table(DWF, "h")
    lead, _ = describe(lay, hand("As*2 Ks*2 Qs*2 Js*2"))
    held = hand("Ts*2 9s*2 7s*2 6s*2 4s*2")
    assert verdict(lay, held, lead, hand("Ts*2 9s*2 7s*2 6s*2")) is None
    assert verdict(lay, held, lead, hand("Ts*2 9s*2 7s*2 4s*2")) == "COM-13"
    # trumps led are followed in the same way
    lead, _ = describe(lay, hand("BJ*2 SJ*2"))
    held = hand("2s*2 2h*2 9h*2 4h 5h")
    assert verdict(lay, held, lead, hand("2s*2 2h*2")) is None
    assert verdict(lay, held, lead, hand("2h*2 9h*2")) == "COM-13"


# --- DWF-11: the source's examples and the clause's own (trump hearts, spades led)


def legal_plays(held: str, lead: str, **rules: Any) -> set[tuple[str, ...]]:
    lay = table(DWF, "h", rules)
    described, _ = describe(lay, hand(lead))
    every = sub_multisets(hand(held), [len(hand(lead))])
    return {tuple(sorted(play)) for play in every if verdict(lay, hand(held), described, play) is None}


def plays(*texts: str) -> set[tuple[str, ...]]:
    return {tuple(sorted(hand(text))) for text in texts}


def test_dwf11d_void_without_a_trump_tractor_gives_its_pairs() -> None:
    # KKQQ led; trump pairs 3h3h and KhKh only: these four
    assert legal_plays("3h*2 Kh*2 9h 7h 4c*2 8d*2", "Ks*2 Qs*2") == plays("3h*2 Kh*2")


def test_dwf11c_short_gives_its_highest_trumps_breaking_pairs() -> None:
    # KKQQ led; 4s and BJ BJ SJ 3h: 4s BJ BJ SJ
    assert legal_plays("4s BJ*2 SJ 3h", "Ks*2 Qs*2") == plays("4s BJ*2 SJ")
    # 4s 5s: of BJ SJ SJ the two highest, which breaks the pair
    assert legal_plays("4s 5s BJ SJ*2", "Ks*2 Qs*2") == plays("4s 5s BJ SJ")
    # equal levels are the player's choice, two of one face or one of each
    assert legal_plays("4s 5s 3s*2 3c 9h", "Ks*2 Qs*2") == plays("4s 5s 3s*2", "4s 5s 3s 3c")


def test_dwf11a_all_trumps_then_anything() -> None:
    # 4 5 7 8 9 J Q led; trumps 4h 5h 6h 8h Kh: all five and two side cards
    found = legal_plays("4h 5h 6h 8h Kh 9c 8d 4d", "4s 5s 7s 8s 9s Js Qs")
    assert found == plays(*(f"4h 5h 6h 8h Kh {two}" for two in ("9c 8d", "9c 4d", "8d 4d")))
    # short, with just as many trumps as are missing
    assert legal_plays("4s 9h 3c 8d Ad", "Ks*2 Qs") == plays("4s 9h 3c")


def test_dwf11b_singles_led_any_trumps() -> None:
    # the same lead; 4s and BJ BJ SJ 3h Kh Qh 9h 8h: 4s and any six of them
    trumps = hand("BJ*2 SJ 3h Kh Qh 9h 8h")
    expected = {tuple(sorted(["4s", *six])) for six in itertools.combinations(trumps, 6)}
    assert legal_plays("4s BJ*2 SJ 3h Kh Qh 9h 8h", "4s 5s 7s 8s 9s Js Qs") == expected


def test_dwf11d_a_ruff_or_the_discard_and_nothing_else() -> None:
    # 5544 led, void, trumps BJ BJ Ah Ah Kh Kh 9h 9h 8h 8h: 9988 or AAKK (ruffs), or BJ BJ Ah Ah
    held, lead = "BJ*2 Ah*2 Kh*2 9h*2 8h*2", "5s*2 4s*2"
    assert legal_plays(held, lead) == plays("9h*2 8h*2", "Ah*2 Kh*2", "BJ*2 Ah*2")
    assert legal_plays(held, lead, forced_trump_binds="all") == plays("BJ*2 Ah*2")
    # AKK thrown, void, trumps 9h 9h BJ 8h: 99 with any third trump
    assert legal_plays("9h*2 BJ 8h", "As Ks*2") == plays("9h*2 BJ", "9h*2 8h")
    # QQ6 thrown, void, SJ SJ 3h 3h 3c: SJ SJ with any third; 3h3h with any third ruffs as well
    found = legal_plays("SJ*2 3h*2 3c", "Qs*2 6s")
    assert {play for play in found if play.count("SJ") == 2} == plays("SJ*2 3h", "SJ*2 3c")
    assert found - plays("SJ*2 3h", "SJ*2 3c") == plays("3h*2 SJ", "3h*2 3c")
    # AAKKQQ led (a tractor of three), void, 3h3h 3d3d 9h 8h 7h 6h: no ruff, so pairs, then the highest single trumps
    held, lead = "3h*2 3d*2 9h 8h 7h 6h", "As*2 Ks*2 Qs*2"
    assert legal_plays(held, lead) == plays("3h*2 3d*2 9h 8h")
    # by level the same cards come out; with a lone joker they do not
    held = "SJ 3h*2 9h*2 8h 7h 6h"
    assert legal_plays(held, "As*2 Ks*2") == plays("3h*2 9h*2")
    assert legal_plays(held, "As*2 Ks*2", void_order="by-level") == plays("SJ 3h*2 9h")


def test_dwf11d_a_step_never_takes_half_a_pair_for_an_unpaired_trump() -> None:
    # KKQQ5 thrown, void, SJ SJ 2h 2h 9h 4h: no tractor, so both pairs and the highest unpaired one, 9h
    assert legal_plays("SJ*2 2h*2 9h 4h", "Ks*2 Qs*2 5s") == plays("SJ*2 2h*2 9h")
    # without unpaired trumps the highest of the remaining pairs is broken; of equal 3s either
    assert legal_plays("SJ*2 3c*2 3d*2", "As*2 Ks*2 5s") == plays("SJ*2 3c*2 3d", "SJ*2 3d*2 3c")


def test_dwf11_scope_of_the_options() -> None:
    held = "3h*2 Kh*2 9h 7h 4c 8d"
    assert len(legal_plays(held, "Ks*2 Qs*2", forced_trump="throw")) > 20  # a plain tractor binds nobody
    assert legal_plays(held, "Ks*2 Js*2", forced_trump="throw") == legal_plays(held, "Ks*2 Js*2")
    assert len(legal_plays(held, "Ks*2 Js*2", forced_trump="off")) > 20


# --- HW-9, HW-11: five players


def test_com14_hw11_short_or_void_the_rest_is_free() -> None:
    lay = table(HW, "h")
    lead, _ = describe(lay, hand("As As Ks"))
    assert verdict(lay, hand("4s 9h*3 8c 7c"), lead, hand("4s 8c 7c")) is None
    assert verdict(lay, hand("4s 9h*3 8c 7c"), lead, hand("4s 9h 7c")) is None
    assert verdict(lay, hand("4s 9h*3 8c 7c"), lead, hand("9h 8c 7c")) == "COM-12"


@pytest.mark.parametrize("rules", [{}, {"split_triples": False}])
def test_hw9_hiding_in_all_plays_of_small_hands(rules: dict[str, Any]) -> None:
    rng = random.Random(f"hiding {rules}")
    met = {True: 0, False: 0}
    for _ in range(scaled(600, 300)):
        trump = rng.choice("shcd")
        suits = SUITS_OF[HW, trump]
        suit, other = rng.sample(suits, 2)
        named = (
            rng.choice(["A", "K"]) + rng.choice("shcd") if rng.random() < 0.9 else rng.choice(["5h", "BJ"])
        )
        lead = suit_hand(rng, HW, trump, suit, rng.choice([1, 2, 3, 4, 5]))
        held = suit_hand(rng, HW, trump, suit, 2) if rng.random() < 0.6 else []
        held = [card for card in held if card != named] + [named] * rng.randint(1, 3)
        held += [c for c in suit_hand(rng, HW, trump, other, 8 - len(held)) if c != named]
        if len(held) < len(lead):
            continue
        lay = table(HW, trump, rules)
        described, _ = describe(lay, lead)
        bit = int(lay[layout.BIT_OF + face_number(named)])
        for play in sub_multisets(held, [len(lead)]):
            if naive_verdict(HW, trump, held, lead, play, rules):
                continue
            expected = follow_fault(HW, trump, held, lead, play, rules, named) is not None
            w = words(lay, held), words(lay, play)
            assert bool(hiding.hiding_fault(*w[0], lay, described, *w[1], bit)) == expected, (
                held,
                lead,
                play,
                named,
            )
            met[expected] += 1
    assert min(met.values()) > 10
