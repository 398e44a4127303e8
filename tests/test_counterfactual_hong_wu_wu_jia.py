"""The counterfactual table of hong-wu-wu-jia: whatever a deal comes to, by whatever bidding, is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tuolaji.kernels import rng
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.counterfactual_hong_wu_wu_jia import (
    FACES as NAMEABLE,
)
from tuolaji.kernels.counterfactual_hong_wu_wu_jia import (
    FIRST_NAME,
    LOOKS,
    NAME_COLUMNS,
    OF_SUIT,
    PRESS,
)
from tuolaji.sim.bidding import MOST, Bidding, changed, names, shipped
from tuolaji.sim.counterfactual import Tables
from tuolaji.sim.counterfactual_hong_wu_wu_jia import HiddenCounterfactual, HiddenTable
from tuolaji.sim.engine import Columns, Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.match import match
from tuolaji.sim.naming import Namings, namings_of, numbers_of
from tuolaji.sim.plan import Plan, make_plan
from tuolaji.sim.reveals import NEVER, Reveals, Rule, advantage, leaving, reveals_of, waits

from naive import FACES, HW, effective_suit
from naive.hong_wu_wu_jia import grade, payoffs, reveal_fault

DEALS = 300 if JIT else 2
SEED, FIRST = 19, 40
RULES: list[tuple[str, ...]] = [
    (),
    ("named_copies_min=1", "pressed_partner_loss_cap=2", "bottom_multiplier=3", "base=2"),
]


def hidden(**words: Any) -> Plan:
    return make_plan(HW, seed=SEED, **words)


@cache
def dealt(overrides: tuple[str, ...] = (), bidding: Bidding | None = None) -> HiddenTable:
    plan = hidden(overrides=overrides, bidding=bidding)
    return HiddenCounterfactual(plan).table(FIRST, DEALS)


def some_bidding(seed: int) -> Bidding:
    """Numbers around the shipped ones by lot, so that other seats reveal, earlier or later, and name other faces."""
    draw = np.random.default_rng(seed)
    spread = {"reveal.share": 25, "reveal.margin": 400, "reveal.previous": 300, "name.solo": 3000}
    values = []
    for name, value in zip(names(HW), shipped(HW).values, strict=True):
        reach = spread.get(name, 60)
        values.append(max(-MOST, value) + int(draw.integers(-reach, reach + 1)))
    found = Bidding(f"lot {seed}", tuple(values), HW)
    return changed(found, {"reveal.last": int(draw.integers(0, 2000))})


def agree(table: HiddenTable, rows: Columns, at: Any, leave: tuple[str, ...] = ()) -> None:
    """A play-out of each deal has the columns of the deals as they were played."""
    each = np.arange(len(table))
    for name, values in rows.items():
        if name not in leave:
            assert (table.plays[name][each, at] == values).all(), name


@pytest.mark.nojit
@pytest.mark.parametrize("overrides", RULES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_hw4_hw7_what_a_deal_comes_to_by_any_bidding_is_in_the_table(
    overrides: tuple[str, ...], seed: int
) -> None:
    """Who reveals what, or is pressed: a table made with any bidding has the play-out; when it was does not matter.

    And what is named then: the table of the same bidding has it among the faces of that contract.
    """
    bidding = some_bidding(seed) if seed else shipped(HW)
    rows = Engine(hidden(overrides=overrides, bidding=bidding)).play(FIRST, DEALS)
    own = dealt(overrides, bidding)
    contract = np.where(rows["pressed"] == 1, PRESS, 4 * rows["banker"] + rows["trump"])
    agree(own, rows, contract, ("reveal_after",))
    assert all((own.deals[name] == rows[name]).all() for name in own.deals if name != "pressed_trump")
    named = FIRST_NAME + np.array([NAMEABLE.index(face) for face in rows["named"]])
    agree(own, rows, named)
    if seed:  # the reveals of the shipped bidding's table, where the same face is named there
        shipped_table = dealt(overrides)
        same = shipped_table.plays["named"][np.arange(DEALS), contract] == rows["named"]
        for name in ("defender_points", "partner", "payoff_0", "payoff_3"):
            found = shipped_table.plays[name][np.arange(DEALS), contract]
            assert (found == rows[name])[same].all(), name


def test_other_biddings_do_reveal_and_name_otherwise() -> None:
    """Else the test above would say little."""
    found = [Engine(hidden(bidding=some_bidding(seed))).play(FIRST, DEALS) for seed in range(1, 4)]
    contracts = {tuple(rows["banker"].tolist()) for rows in found}
    assert len(contracts) == 3
    assert len({face for rows in found for face in rows["named"].tolist()}) > 3


@pytest.mark.nojit
@pytest.mark.parametrize("policy", ["random", "greedy", "expert"])
def test_hw4_contracts_are_those_of_simulate(policy: str) -> None:
    table = HiddenCounterfactual(hidden(policies=policy), namings=False).table(FIRST, DEALS)
    for banker, trump in ((0, 1), (2, 3), (4, 0)) if JIT else ((0, 1),):
        contract = {"banker": banker, "trump": "shcd"[trump]}
        rows = Engine(hidden(policies=policy, contract=contract)).play(FIRST, DEALS)
        there = table.plays["banker"][:, 4 * banker + trump] >= 0
        assert not JIT or 0.2 < there.mean() < 0.8
        for name, values in rows.items():
            if name != "reveal_after":
                assert (table.plays[name][:, 4 * banker + trump] == values)[there].all(), name
    assert (table.plays["banker"][:, FIRST_NAME:] == -1).all()


@pytest.mark.nojit
def test_hw5_nobody_reveals() -> None:
    never = changed(shipped(HW), {"reveal.margin": MOST, "reveal.last": MOST})
    rows = Engine(hidden(bidding=never)).play(FIRST, DEALS)
    assert (rows["pressed"] == 1).all()
    agree(dealt(), rows, PRESS)
    assert (dealt().deals["pressed_trump"] == rows["trump"]).all()


@pytest.mark.parametrize("kind", ["side_ace", "side_king", "trump_ace_king", "big_joker", "red_five"])
def test_hw7_hw8_a_bidding_that_prefers_a_kind_of_face_gets_what_the_table_says(kind: str) -> None:
    wants = changed(shipped(HW), {f"name.{kind}": 100_000, "name.solo": 50_000})
    rows = Engine(hidden(bidding=wants)).play(FIRST, DEALS)
    named = FIRST_NAME + np.array([NAMEABLE.index(face) for face in rows["named"]])
    agree(dealt(), rows, named)
    notes = dealt().names[np.arange(DEALS), named - FIRST_NAME]
    assert (notes[:, 1] == names(HW)[8:].index(f"name.{kind}")).mean() > 0.8
    assert ((notes[:, 3] == 3) == (rows["solo"] == 1)).all() and (notes[:, 3] == rows["named_held"]).all()


# --- against the clauses, from the cards


@cache
def cards_of(deal: int) -> tuple[list[list[str]], list[str]]:
    """COM-19: hands in dealing order, and the bottom."""
    plan, faces = rng.shuffle_plan(162).ravel(), np.arange(162) % 54
    faces = np.ascontiguousarray(faces, np.int64)
    rng.shuffle(faces, 162, plan, SEED, deal, 0)
    names_ = [FACES[face] for face in faces]
    return [names_[31 * seat : 31 * seat + 31] for seat in range(5)], names_[155:]


def features(cards: list[str], trump: str) -> tuple[int, int, int, int]:
    """Trumps, pairs and triples of them, jokers and red fives."""
    trumps = Counter(card for card in cards if effective_suit(HW, trump, card) == "t")
    copies = list(trumps.values())
    high = sum(trumps[card] for card in ("BJ", "SJ", "5h"))
    return sum(copies), sum(n >= 2 for n in copies), sum(n == 3 for n in copies), high


Decide = Callable[[int, list[str]], str | None]


def by_rule(rule: Rule, previous: int) -> Decide:
    """``expert`` as told: which 2, if any, a seat reveals with these cards."""

    def decide(seat: int, cards: list[str]) -> str | None:
        twos = [suit for suit in "shcd" if "2" + suit in cards]
        first = next(k for k, card in enumerate(cards, 1) if card[0] == "2")
        if len(cards) not in (first, 12, 20, 29, 31):
            return None
        worth = {
            suit: sum(w * n for w, n in zip(rule.weights, features(cards, suit), strict=True))
            for suit in twos
        }
        best = max(twos, key=lambda suit: worth[suit])
        enough = rule.share * len(cards) + rule.margin + rule.previous * (seat == previous)
        return best if worth[best] >= (rule.last if len(cards) == 31 else enough) else None

    return decide


def story(deal: int, first: int, previous: int, decide: list[Decide]) -> tuple[int, str, int] | None:
    """HW-4, card by card: banker, trump and cards held; None when nobody reveals."""
    hands, _ = cards_of(deal)
    for cards in range(1, 32):
        for k in range(5):
            seat = (first + k) % 5
            held = hands[seat][:cards]
            if not any(card[0] == "2" for card in held) or (cards > 29 and seat != previous):
                continue
            suit = decide[seat](seat, held)
            if suit is not None:
                reveal = {"seat": seat, "card": "2" + suit, "after_card": cards}
                assert reveal_fault(reveal, hands[seat], previous) is None
                return seat, suit, cards
    return None


def lots(at: int) -> tuple[int, int]:
    table = dealt()
    return int(table.deals["first_seat"][at]), int(table.deals["previous_banker"][at])


@cache
def reveals() -> Reveals:
    return reveals_of([dealt()])


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(3))
def test_hw4_rules_on_the_table_reveal_as_told_at_the_table(seed: int) -> None:
    rule = Rule.of(some_bidding(seed) if seed else shipped(HW))
    turns, rows = reveals().first_turns(rule)
    turn, row = reveals().outcome(turns, rows)
    again = reveals().turns(rule)
    for at in range(DEALS):
        first, previous = lots(at)
        told = story(FIRST + at, first, previous, [by_rule(rule, previous)] * 5)
        if told is None:
            assert row[at] == PRESS and turn[at] == NEVER
        else:
            seat, suit, cards = told
            assert (row[at], turn[at] >> 3) == (4 * seat + "shcd".index(suit), cards)
    assert (again[0].min(axis=-1) == turns).all()


@pytest.mark.nojit
def test_hw4_there_is_a_contract_for_every_2_that_may_be_revealed() -> None:
    table = dealt()
    for at in range(DEALS):
        hands, _ = cards_of(FIRST + at)
        _, previous = lots(at)
        for seat in range(5):
            for k, suit in enumerate("shcd"):
                after = next((n for n, card in enumerate(hands[seat], 1) if card == "2" + suit), 99)
                reveal = {"seat": seat, "card": "2" + suit, "after_card": after}
                may = reveal_fault(reveal, hands[seat], previous) is None
                assert (table.plays["banker"][at, 4 * seat + k] == seat) == may
                if may:
                    assert table.plays["reveal_after"][at, 4 * seat + k] == after


@pytest.mark.nojit
def test_looks_and_faces_are_what_the_cards_say() -> None:
    table = dealt()
    for at in range(min(DEALS, 60)):
        hands, bottom = cards_of(FIRST + at)
        for seat in range(5):
            for look in range(LOOKS):
                note = table.looks[at, seat, look]
                held = hands[seat][: note[0]]
                for k, suit in enumerate("shcd"):
                    found = note[OF_SUIT + 3 * k : OF_SUIT + 3 * k + 3].tolist()
                    if note[0]:
                        *counts, high = features(held, suit)
                        assert found == (counts if "2" + suit in held else [-1, -1, -1])
                        assert note[1] == high
        banker, trump = int(table.deals["banker"][at]), "shcd"[table.deals["trump"][at]]
        every = Counter(hands[banker] + bottom)
        sides = {card for card in every if effective_suit(HW, trump, card) != "t"}
        for k, face in enumerate(FACES[face] for face in NAMEABLE):
            note = dict(zip(NAME_COLUMNS, table.names[at, k].tolist(), strict=True))
            side = effective_suit(HW, trump, face) != "t"
            assert note["all_held"] == every[face] >= note["held"] >= every[face] - 7
            kind = (0 if face[0] == "A" else 1) if side else {"BJ": 3, "5h": 4}.get(face, 2)
            assert note["kind"] == kind
            suit = effective_suit(HW, trump, face)
            most = sum(n for card, n in every.items() if effective_suit(HW, trump, card) == suit)
            assert most - 7 <= note["length"] <= most and note["trumps"] <= every.total() - 7
            kings = every["K" + face[1]] if face[0] == "A" else 0
            assert kings - 7 <= note["kings"] <= kings
        assert sides


@pytest.mark.nojit
@pytest.mark.parametrize("overrides", RULES, ids=str)
def test_hw13_to_hw16_payoffs_are_those_of_the_clauses(overrides: tuple[str, ...]) -> None:
    plays = dealt(overrides).plays
    rules = {word.partition("=")[0]: int(word.partition("=")[2]) for word in overrides}
    solos = 0
    for at in range(DEALS):
        for row in np.flatnonzero(plays["banker"][at] >= 0):
            play = {name: int(values[at, row]) for name, values in plays.items()}
            partner = None if play["solo"] else play["partner"]
            mark = grade(play["defender_points"], rules)
            expected = payoffs(
                play["banker"], partner, mark, play["pressed"] == 1, play["direct"] == 1, rules
            )
            assert [play[f"payoff_{seat}"] for seat in range(5)] == expected
            assert play["solo"] == (play["named_held"] == 3)
            solos += play["solo"]
    assert not JIT or overrides or solos > 10


def never_until(rule: Rule, previous: int, me: int, cards: int, suit: str | None) -> Decide:
    """Waits until it holds so many cards, then reveals a 2 or goes on by its rule."""
    usual = by_rule(rule, previous)

    def decide(seat: int, held: list[str]) -> str | None:
        if len(held) < cards:
            return None
        if len(held) == cards:
            return suit
        return usual(me, held)

    return decide


def test_hw4_waiting_is_worth_what_the_story_without_the_reveal_pays() -> None:
    rule = Rule.of(shipped(HW))
    looks = reveals().looks(rule.weights)
    found = waits(reveals(), rule, looks)
    payoff = dealt().payoffs
    reached = 0
    for at in range(40):
        first, previous = lots(at)
        usual = [by_rule(rule, previous)] * 5
        for seat in range(5):
            for look in range(LOOKS):
                cards, k = int(looks.cards[at, seat, look]), int(looks.suit[at, seat, look])
                if k < 0:
                    assert not found.reached[at, seat, look]
                    continue
                paid = []
                for suit in ("shcd"[k], None):
                    each = list(usual)
                    each[seat] = never_until(rule, previous, seat, cards, suit)
                    told = story(FIRST + at, first, previous, each)
                    row = PRESS if told is None else 4 * told[0] + "shcd".index(told[1])
                    paid.append((told, int(payoff[at, row, seat])))
                here = paid[0][0] == (seat, "shcd"[k], cards)
                assert found.reached[at, seat, look] == here
                if here:
                    reached += 1
                    pair = (int(found.reveal[at, seat, look]), int(found.wait[at, seat, look]))
                    assert pair == (paid[0][1], paid[1][1])
                    won = int(dealt().plays["grade"][at, 4 * seat + k]) > 0
                    assert found.won[at, seat, look] == won
    assert reached > 200


# --- strategies on the table and in play


@pytest.mark.skipif(not JIT, reason="plays many deals")
def test_the_gain_of_another_rule_on_the_table_is_that_of_a_match() -> None:
    bold = changed(shipped(HW), {"reveal.margin": 100, "reveal.previous": 150, "reveal.last": 1300})
    found = match(
        HW, "expert", "expert", deals=DEALS, seed=SEED, first=FIRST, mode="auction", biddings=(bold, None)
    )
    ours = advantage(reveals(), Rule.of(bold), Rule.of(shipped(HW)))
    assert ours.value == pytest.approx(found["payoff"]["mean"]) and ours.value
    assert leaving(reveals(), Rule.of(bold), Rule.of(bold)).value == 0.0


@pytest.mark.skipif(not JIT, reason="plays many deals")
def test_the_gain_of_another_naming_is_a_fifth_of_the_bankers() -> None:
    """One seat of five is the banker, and only the banker names."""
    wants = changed(shipped(HW), {"name.big_joker": 90, "name.held_1": 90})
    found = match(
        HW, "expert", "expert", deals=DEALS, seed=SEED, first=FIRST, mode="auction", biddings=(wants, None)
    )
    faces: Namings = namings_of([dealt()])
    picks = [faces.picks(numbers_of(bidding)) for bidding in (wants, shipped(HW))]
    gain = (faces.pay(picks[0]) - faces.pay(picks[1])).mean()
    assert gain and gain / 5 == pytest.approx(found["payoff"]["mean"])


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(3))
def test_hw7_numbers_on_the_table_name_as_expert_does(seed: int) -> None:
    bidding = some_bidding(seed) if seed else shipped(HW)
    table = dealt((), bidding)
    rows = Engine(hidden(bidding=bidding)).play(FIRST, DEALS)
    faces, numbers = namings_of([table]), numbers_of(bidding)
    picks = faces.picks(numbers)
    assert (np.array(NAMEABLE)[picks] == rows["named"]).all()
    other = faces.alternatives(numbers)
    each = np.arange(DEALS)
    assert (other[each, picks] != picks).all()
    assert ((other == picks[:, None]) | (np.arange(10) == picks[:, None])).all()
    partner = faces.alternatives(numbers, solo=False)
    assert not np.take_along_axis(faces.solo, partner, 1).any()
    assert (faces.pay(picks) == faces.payoffs[each, picks]).all()


@pytest.mark.skipif(not JIT, reason="plays many deals")
def test_neither_pieces_nor_workers_change_a_table() -> None:
    player = HiddenCounterfactual(hidden(policies=["expert", "defender=greedy"]))
    whole = player.table(5, 40)
    parts = [player.table(5, 17), player.table(22, 23)]
    threads = list(Tables(3, None).of(player, 5, 40))
    for many in (parts, threads):
        assert (whole.payoffs == np.concatenate([part.payoffs for part in many])).all()
        assert (whole.looks == np.concatenate([part.looks for part in many])).all()
        assert (whole.names == np.concatenate([part.names for part in many])).all()
    assert len(player.table(0, 10, np.ones(1, np.int64))) == 0
    tables = Tables(2, None)
    tables.end()
    with pytest.raises(KeyboardInterrupt):
        list(tables.of(player, 0, 10))


def test_there_is_no_such_table_for_the_other_game() -> None:
    with pytest.raises(UsageError, match="die-wu-fen"):
        HiddenCounterfactual(make_plan("die-wu-fen"))
