"""What policies may answer: always something legal, on lumpy hands too; and `random` anything that is legal."""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from helpers import (
    SUITS_OF,
    Ints,
    cards_of,
    hand,
    scaled,
    sub_multisets,
    suit_hand,
    table,
    words,
    words_by_face,
)

from tuolaji.kernels import die_wu_fen, play, rng, shapes, view
from tuolaji.kernels.memory import ask_once, policy_table
from tuolaji.sim.plan import POLICIES
from tuolaji.sim.weights import weights_of

from naive import DWF, follow_fault, legal_follows

pytestmark = pytest.mark.nojit

POLICY_NAMES = sorted(POLICIES[DWF])
RULES: list[dict[str, Any]] = [
    {},
    {"void_order": "by-level"},
    {"forced_trump_binds": "all"},
    {"forced_trump": "throw", "cascade": False},
    {"forced_trump": "off"},
]


@cache
def loaded(name: str) -> tuple[Any, Ints]:
    """A policy as `ask_once` takes it, and its weights."""
    module = import_module(f"tuolaji.kernels.policies.{POLICIES[DWF][name]}")
    return policy_table([module.decide]), np.ascontiguousarray(weights_of(module))


class Seat:
    """Seat 1 of three, asked after seat 0 has led (and, if it is to play last, seat 2 has followed)."""

    def __init__(self, name: str, lay: Ints) -> None:
        self.table, self.weights = loaded(name)
        self.lay = lay
        self.pub = view.fresh_pub()
        self.own = np.zeros((3, view.OWN_SIZE), np.int64)
        self.masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
        self.pub[view.BANKER] = 0
        self.own[:, view.SEAT] = range(3)

    def lead(self, cards: list[str], held: list[str], banker: int = 0) -> None:
        """Put a lead on the table; the seat then holds `held`."""
        self.pub[view.BANKER] = banker
        self.own[:, :3] = 0
        self.own[0, :3] = words(self.lay, cards)
        play.start_play(self.pub, self.own.ravel(), self.lay)
        play.put_lead(self.pub, self.own.ravel(), self.lay, self.masks, 0, *words(self.lay, cards))
        self.own[1, :3] = words(self.lay, held)
        self.pub[view.LEFT] = len(held)

    def ask(self, what: int, number: int) -> list[str]:
        """The cards answered, with the seat's stream at a place of its own for each number."""
        own = self.own[1]
        own[view.OUT] = own[view.OUT_1] = own[view.OUT_2] = -1
        rng.rng_start(own, view.RNG, 3, number, 5)
        ask_once(self.table, 0, what, self.pub, own, self.lay, self.weights)
        return cards_of(self.lay, (own[view.OUT], own[view.OUT_1], own[view.OUT_2]))


def situation(picker: random.Random, trump: str, most: int) -> tuple[list[str], list[str]]:
    """A lead and a follower's hand: long in its suit, short, or void."""
    suit = picker.choice("t" + SUITS_OF[DWF, trump])
    lead = suit_hand(picker, DWF, trump, suit, picker.choice([1, 2, 3, 4, 5, 6, 8]))
    held: list[str] = []
    if picker.random() < 0.7:
        held = suit_hand(picker, DWF, trump, suit, picker.choice([1, 2, most]))
    others = [s for s in "t" + SUITS_OF[DWF, trump] if s != suit]
    while len(held) < max(len(lead), most - 3):
        some = suit_hand(picker, DWF, trump, picker.choice(others), picker.randint(1, 6))
        held += [
            card for card in dict.fromkeys(some) for _ in range(min(some.count(card), 2 - held.count(card)))
        ]
    return lead, held


@pytest.mark.parametrize("name", POLICY_NAMES)
@pytest.mark.parametrize("rules", RULES)
def test_com11_to_dwf11_policies_follow_legally_on_lumpy_hands(name: str, rules: dict[str, Any]) -> None:
    picker = random.Random(f"{name} {rules}")
    for number in range(scaled(800, 120)):
        trump = picker.choice("shcd")
        lead, held = situation(picker, trump, 12)
        seat = Seat(name, table(DWF, trump, rules))
        seat.lead(lead, held, picker.randrange(3))
        answer = seat.ask(view.FOLLOW, number)
        assert follow_fault(DWF, trump, held, lead, answer, rules) is None, (trump, held, lead, answer)


@pytest.mark.parametrize("rules", RULES)
def test_design_random_may_follow_with_every_legal_play(rules: dict[str, Any]) -> None:
    picker = random.Random(f"every {rules}")
    tried = 0
    while tried < scaled(60, 8):
        trump = picker.choice("hc")
        lead, held = situation(picker, trump, 8)
        legal = set(legal_follows(DWF, trump, held, lead, rules))
        if not 1 < len(legal) <= 40:
            continue
        tried += 1
        seat = Seat("random", table(DWF, trump, rules))
        seat.lead(lead, held)
        missing = set(legal)
        for number in range(20_000):
            answer = tuple(sorted(seat.ask(view.FOLLOW, number)))
            assert answer in legal
            missing.discard(answer)
            if not missing:
                break
        assert not missing, (trump, held, lead, missing)


def test_design_random_may_lead_anything_of_one_suit() -> None:
    lay = table(DWF, "h")
    held = {"t": hand("4h 2s*2 2c"), "s": hand("9s*2 Ts"), "c": hand("Ac")}
    seat = Seat("random", lay)
    seat.own[1, :3] = words(lay, [card for cards in held.values() for card in cards])
    possible = {
        tuple(sorted(lead))
        for cards in held.values()
        for lead in sub_multisets(cards, range(1, len(cards) + 1))
    }
    found = {
        tuple(sorted(seat.ask(view.LEAD, number))) for number in range(6000 if scaled(1000) == 1000 else 2500)
    }
    assert found == possible


@pytest.mark.parametrize("name", POLICY_NAMES)
def test_com9_policies_lead_cards_they_hold_of_one_suit(name: str) -> None:
    picker = random.Random(name)
    for number in range(scaled(500)):
        trump = picker.choice("shcd")
        lay = table(DWF, trump)
        _, held = situation(picker, trump, picker.randint(2, 14))
        seat = Seat(name, lay)
        seat.lead(["As" if trump != "s" else "Ah"], held)
        play.end_trick(seat.pub)
        answer = seat.ask(view.LEAD, number)
        assert answer and all(answer.count(card) <= held.count(card) for card in answer)
        assert (
            sum(any(card in cards_of(lay, (int(lay[220 + s]), 0, 0)) for card in answer) for s in range(4))
            == 1
        )


@pytest.mark.parametrize("name", POLICY_NAMES)
def test_dwf7_policies_bury_nine_of_their_cards(name: str) -> None:
    picker = random.Random(name)
    for number in range(scaled(300)):
        trump = picker.choice("shcd")
        seat = Seat(name, table(DWF, trump))
        suits = SUITS_OF[DWF, trump]
        pack = sorted(card for suit in suits for card in {*suit_hand(picker, DWF, trump, suit, 22)})
        cards = picker.sample(pack * 2, min(42, 2 * len(pack)))
        if len(cards) < 9:
            continue
        seat.pub[view.BANKER] = 1
        seat.own[1, :3] = words(seat.lay, cards)
        answer = seat.ask(view.BURY, number)
        assert len(answer) == 9 and all(answer.count(card) <= cards.count(card) for card in answer)


def test_dwf3_dwf4_random_may_make_every_call_and_counter() -> None:
    lay = table(DWF, "h")
    seat = Seat("random", lay)
    seat.own[1, :3] = words_by_face(hand("3s 3c*2 3d As"))
    calls, counters = set(), set()
    for number in range(3000):
        for what, found in ((view.CALL, calls), (view.COUNTER, counters)):
            rng.rng_start(seat.own[1], view.RNG, 3, number, what)
            found.add(int(ask_once(seat.table, 0, what, seat.pub, seat.own[1], lay, seat.weights)))
    assert calls == {0, 1, 3, 7, 4}  # 3s, 3c, 3c 3c, 3d
    assert counters == {0, 7}


def test_dwf6_random_may_make_every_bid() -> None:
    from tuolaji.sim.engine import encode_rules
    from tuolaji.sim.rules import RuleSet

    lay = np.ascontiguousarray(encode_rules(RuleSet.build(DWF, {}))[1])
    seat = Seat("random", lay)
    seat.pub[view.CALL_SIZE], seat.pub[view.COUNTERER] = 1, -1
    for bids, highest, expected in (
        (0, 0, {*range(110, 201, 10)}),
        (1, 170, {0, 180, 190, 200}),
        (2, 190, {0, 200}),
    ):
        seat.pub[view.BIDS], seat.pub[view.BID] = bids, highest
        found = set()
        for number in range(12_000 if bids == 0 else 1000):
            rng.rng_start(seat.own[1], view.RNG, 3, number, 5)
            found.add(int(ask_once(seat.table, 0, view.BID_TURN, seat.pub, seat.own[1], lay, seat.weights)))
        assert found == expected
        assert not any(die_wu_fen.bid_fault(seat.pub, lay, bid) for bid in found)
