"""What policies may answer: always something legal, on lumpy hands too; and `random` anything that is legal."""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from helpers import (
    PACKS,
    SEATS,
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

from tuolaji.kernels import die_wu_fen, layout, partner, play, rng, shapes, view
from tuolaji.kernels.memory import ask_once, policy_table
from tuolaji.sim.plan import POLICIES
from tuolaji.sim.weights import weights_of

from naive import DWF, FACES, HW, follow_fault, legal_follows
from naive.hong_wu_wu_jia import NAMEABLE

pytestmark = pytest.mark.nojit

PLAYERS = [(game, policy) for game in POLICIES for policy in sorted(POLICIES[game])]
RULES: dict[str, list[dict[str, Any]]] = {
    DWF: [
        {},
        {"void_order": "by-level"},
        {"forced_trump_binds": "all"},
        {"forced_trump": "throw", "cascade": False},
        {"forced_trump": "off"},
    ],
    HW: [{}, {"cascade": True}, {"split_triples": False}, {"cascade": True, "split_triples": False}],
}
GAME_RULES = [(game, rules) for game in POLICIES for rules in RULES[game]]


@cache
def loaded(game: str, name: str) -> tuple[Any, Ints]:
    """A policy as `ask_once` takes it, and its weights."""
    module = import_module(f"tuolaji.kernels.policies.{POLICIES[game][name]}")
    return policy_table([module.decide]), np.ascontiguousarray(weights_of(module))


class Seat:
    """Seat 1, asked after seat 0 has led."""

    def __init__(self, game: str, name: str, lay: Ints) -> None:
        self.table, self.weights = loaded(game, name)
        self.lay = lay
        self.pub = view.fresh_pub()
        self.own = np.zeros((SEATS[game] + 1, view.OWN_SIZE), np.int64)
        self.masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
        self.pub[view.BANKER] = 0
        self.own[:, view.SEAT] = range(SEATS[game] + 1)
        self.name("5h", known=True)

    def name(self, card: str, *, known: bool) -> None:
        """HW-7: a face is named; whether the partner is known by now."""
        self.pub[view.NAMED] = self.lay[layout.BIT_OF + FACES.index(card)]
        self.pub[view.PARTNER] = 3 if known else -1

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


def situation(picker: random.Random, game: str, trump: str, most: int) -> tuple[list[str], list[str]]:
    """A lead and a follower's hand: long in its suit, short, or void."""
    suit = picker.choice("t" + SUITS_OF[game, trump])
    lead = suit_hand(picker, game, trump, suit, picker.choice([1, 2, 3, 4, 5, 6, 8]))
    held: list[str] = []
    if picker.random() < 0.7:
        held = suit_hand(picker, game, trump, suit, picker.choice([1, 2, most]))
    others = [s for s in "t" + SUITS_OF[game, trump] if s != suit]
    while len(held) < max(len(lead), most - 3):
        some = suit_hand(picker, game, trump, picker.choice(others), picker.randint(1, 6))
        held += [
            card
            for card in dict.fromkeys(some)
            for _ in range(min(some.count(card), PACKS[game] - held.count(card)))
        ]
    return lead, held


def hide(picker: random.Random, game: str, seat: Seat, held: list[str], banker: int) -> str | None:
    """HW-9: name a face, often one that is held, the partner often unknown; the face, if it binds the seat."""
    if game == DWF:
        return None
    mine = [card for card in held if card in NAMEABLE]
    named = picker.choice(mine if mine and picker.random() < 0.8 else NAMEABLE)
    known = picker.random() < 0.2
    seat.name(named, known=known)
    return None if known or banker == 1 else named


@pytest.mark.parametrize(("game", "name"), PLAYERS)
@pytest.mark.parametrize("number", range(5))
def test_com11_to_dwf11_hw9_policies_follow_legally_on_lumpy_hands(game: str, name: str, number: int) -> None:
    if number >= len(RULES[game]):
        return
    rules = RULES[game][number]
    picker = random.Random(f"{name} {rules}")
    for turn in range(scaled(800, 120)):
        trump, banker = picker.choice("shcd"), picker.randrange(3)
        lead, held = situation(picker, game, trump, 12)
        seat = Seat(game, name, table(game, trump, rules))
        seat.lead(lead, held, banker)
        named = hide(picker, game, seat, held, banker)
        answer = seat.ask(view.FOLLOW, turn)
        fault = follow_fault(game, trump, held, lead, answer, rules, named)
        assert fault is None, (trump, held, lead, answer, named)


@pytest.mark.parametrize(("game", "rules"), GAME_RULES)
def test_hw9_design_random_may_follow_with_every_legal_play(game: str, rules: dict[str, Any]) -> None:
    picker = random.Random(f"every {rules}")
    tried = 0
    bound = 0
    while tried < scaled(60, 8):
        trump = picker.choice("hc")
        lead, held = situation(picker, game, trump, 8)
        seat = Seat(game, "random", table(game, trump, rules))
        seat.lead(lead, held)
        named = hide(picker, game, seat, held, 0)
        legal = set(legal_follows(game, trump, held, lead, rules, named))
        if not 1 < len(legal) <= 40:
            continue
        tried += 1
        bound += named is not None and len(legal) < len(legal_follows(game, trump, held, lead, rules))
        missing = set(legal)
        for number in range(20_000):
            answer = tuple(sorted(seat.ask(view.FOLLOW, number)))
            assert answer in legal
            missing.discard(answer)
            if not missing:
                break
        assert not missing, (trump, held, lead, missing)
    assert bound or game == DWF or scaled(60, 8) < 60


@pytest.mark.parametrize("game", [*POLICIES])
def test_design_random_may_lead_anything_of_one_suit(game: str) -> None:
    lay = table(game, "h")
    held = {"t": hand("4h 2s*2 2c"), "s": hand("9s*2 Ts"), "c": hand("Ac")}
    seat = Seat(game, "random", lay)
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


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_com9_policies_lead_cards_they_hold_of_one_suit(game: str, name: str) -> None:
    picker = random.Random(name)
    for number in range(scaled(500)):
        trump = picker.choice("shcd")
        lay = table(game, trump)
        _, held = situation(picker, game, trump, picker.randint(2, 14))
        seat = Seat(game, name, lay)
        seat.lead(["As" if trump != "s" else "Ah"], held)
        play.end_trick(seat.pub)
        hide(picker, game, seat, held, 0)
        answer = seat.ask(view.LEAD, number)
        assert answer and all(answer.count(card) <= held.count(card) for card in answer)
        assert (
            sum(any(card in cards_of(lay, (int(lay[220 + s]), 0, 0)) for card in answer) for s in range(4))
            == 1
        )


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_dwf7_hw6_policies_bury_as_many_of_their_cards_as_the_bottom_had(game: str, name: str) -> None:
    picker = random.Random(name)
    dealt, buried = (42, 9) if game == DWF else (38, 7)
    for number in range(scaled(300)):
        trump = picker.choice("shcd")
        seat = Seat(game, name, table(game, trump))
        suits = SUITS_OF[game, trump]
        pack = sorted(card for suit in suits for card in {*suit_hand(picker, game, trump, suit, 22)})
        cards = picker.sample(pack * PACKS[game], min(dealt, PACKS[game] * len(pack)))
        if len(cards) < buried:
            continue
        seat.pub[view.BANKER] = 1
        seat.own[1, :3] = words(seat.lay, cards)
        answer = seat.ask(view.BURY, number)
        assert len(answer) == buried and all(answer.count(card) <= cards.count(card) for card in answer)


@pytest.mark.parametrize("name", sorted(POLICIES[HW]))
@pytest.mark.parametrize("least", range(4))
def test_hw7_policies_name_a_face_they_may(name: str, least: int) -> None:
    picker = random.Random(f"{name} {least}")
    found = set()
    for number in range(scaled(400)):
        lay = table(HW, "h").copy()
        lay[partner.NAMED_MIN] = least
        seat = Seat(HW, name, lay)
        cards = picker.sample([card for card in FACES for _ in range(3)], 38)
        seat.pub[view.BANKER], seat.pub[view.NAMED], seat.pub[view.PARTNER] = 1, -1, -1
        seat.own[1, :3] = words(lay, cards[:31])
        seat.own[1, view.BURIED : view.BURIED + 3] = words(lay, cards[31:])
        rng.rng_start(seat.own[1], view.RNG, 3, number, 5)
        bit = int(ask_once(seat.table, 0, view.NAME, seat.pub, seat.own[1], lay, seat.weights))
        named = FACES[int(lay[layout.FACE_OF + bit])]
        able = [face for face in NAMEABLE if cards[:31].count(face) >= least]
        assert named in (able or NAMEABLE)
        found.add(named)
    if name == "random":
        assert found == {*NAMEABLE}


@pytest.mark.parametrize("name", sorted(POLICIES[HW]))
def test_hw4_policies_reveal_a_two_they_hold(name: str) -> None:
    lay = table(HW, "s")
    found = set()
    for number in range(3000):
        seat = Seat(HW, name, lay)
        for at in (view.BANKER, view.CALLER, view.TRUMP_CARD, view.NAMED, view.PARTNER):
            seat.pub[at] = -1
        seat.own[1, :3] = words_by_face(hand("2h*2 2d Ah*3 Kh 9h 8h 3d Ad 5h BJ SJ"))
        seat.own[1, view.CARDS] = 14
        rng.rng_start(seat.own[1], view.RNG, 3, number, 5)
        answer = int(ask_once(seat.table, 0, view.REVEAL, seat.pub, seat.own[1], lay, seat.weights))
        assert answer <= 0 or answer in (2, 4)
        found.add(answer)
    if name == "random":
        assert found == {0, 2, 4}


def test_dwf3_dwf4_random_may_make_every_call_and_counter() -> None:
    lay = table(DWF, "h")
    seat = Seat(DWF, "random", lay)
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
    seat = Seat(DWF, "random", lay)
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
