"""Who wins a trick, of three or of five plays, and what it is worth (COM-15 to COM-18, DWF-13)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from helpers import PACKS, SEATS, SHAPE_RULES, SUITS_OF, Ints, describe, hand, scaled, suit_hand, table, words

from tuolaji.kernels import legal, play, shapes, view

from naive import DWF, HW, components, effective_suit, trick
from naive.generate import random_assignment
from naive.play import obligations
from naive.shapes import contains

pytestmark = pytest.mark.nojit


def kernel_trick(game: str, lay: Ints, first: int, plays: list[list[str]]) -> tuple[int, bool, int, Ints]:
    """(index of the winner, whether it ruffed, points, pub) after the plays were put on the table one by one."""
    seats = SEATS[game]
    pub = view.fresh_pub()
    own = np.zeros((seats, view.OWN_SIZE), np.int64)
    masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    pub[view.BANKER] = first
    play.start_play(pub, own.ravel(), lay)
    for index, cards in enumerate(plays):
        # a follower's cards come to its hand only now, so that every throw stands
        seat = (first + index) % seats
        own[seat, :3] = words(lay, cards)
        pub[view.LEFT] = len(plays[0])
        if index == 0:
            play.put_lead(pub, own.ravel(), lay, masks, seat, *words(lay, cards))
        else:
            play.put_follow(pub, own.ravel(), lay, seat, *words(lay, cards))
        assert not own[seat, :3].any()
    play.end_trick(pub)
    row = pub[view.HISTORY : view.HISTORY + view.H_STRIDE]
    winner = int(row[view.H_WINNER])
    assert pub[view.LEADER] == winner  # COM-18
    assert pub[view.TAKEN + winner] == row[view.H_POINTS] == pub[view.TAKEN : view.TAKEN + seats].sum()
    return (winner - first) % seats, bool(row[view.H_RUFFED]), int(row[view.H_POINTS]), pub


def random_reply(rng: random.Random, game: str, trump: str, lead: list[str], split: bool) -> list[str]:
    """A play of as many cards: often of the lead's shape, in suit or as a ruff, often just not."""
    n = len(lead)
    kinds = [part.type for part in components(game, trump, lead)]
    suits = "tttt" + SUITS_OF[game, trump]
    suit = rng.choice(suits) if rng.random() < 0.6 else effective_suit(game, trump, lead[0])
    cards = suit_hand(rng, game, trump, suit, 20)
    for _ in range(6):
        if len(cards) >= n and contains(game, trump, cards, kinds, split):
            taken = random_assignment(game, trump, cards, kinds, split, rng)
            if rng.random() < 0.15:  # one card short of the shape, or of the suit
                taken[rng.randrange(n)] = rng.choice(suit_hand(rng, game, trump, rng.choice(suits), 4))
            if max(Counter(taken).values()) <= PACKS[game]:
                return taken
        cards = suit_hand(rng, game, trump, suit, 20)
    while True:
        cards = suit_hand(rng, game, trump, suit, 20) + suit_hand(rng, game, trump, rng.choice(suits), 20)
        taken = rng.sample(cards, min(n, len(cards)))
        if len(taken) == n and max(Counter(taken).values()) <= PACKS[game]:
            return taken


@pytest.mark.parametrize(("game", "rules"), SHAPE_RULES[:1] + SHAPE_RULES[2:4])
def test_com15_to_com18_random_tricks(game: str, rules: dict[str, Any]) -> None:
    rng = random.Random(f"{game} {rules}")
    split = bool(rules.get("split_triples", True))
    met: Counter[str] = Counter()
    for _ in range(scaled(800, 250)):
        trump = rng.choice("shcd")
        suit = rng.choice("t" + SUITS_OF[game, trump])
        lead = suit_hand(rng, game, trump, suit, rng.choice([1, 2, 3, 4, 5, 6, 8]))
        if rng.random() < 0.5:
            lead = list(components(game, trump, lead)[0].cards)  # a plain lead
        plays = [lead] + [random_reply(rng, game, trump, lead, split) for _ in range(SEATS[game] - 1)]
        expected = trick(game, trump, plays, rules)
        found = kernel_trick(game, table(game, trump, rules), rng.randrange(SEATS[game]), plays)
        assert found[:3] == expected, (trump, plays)
        throw = "throw" if len(components(game, trump, lead)) > 1 else "plain"
        met[f"{throw} {'ruff' if expected[1] else 'suit' if expected[0] else 'lead'}"] += 1
    assert {"throw ruff", "throw lead", "plain ruff", "plain suit", "plain lead"} <= {*met}
    assert "throw suit" not in met  # COM-16


@pytest.mark.parametrize(
    ("game", "plays", "winner", "ruffed"),
    [  # trump hearts
        (DWF, ["9s", "Ts", "Ts"], 1, False),  # COM-15: equal, so the earlier one
        (DWF, ["Ks", "As", "4h"], 2, True),
        (DWF, ["Ks", "Ac", "Ad"], 0, False),  # COM-17: everything else is a discard
        (DWF, ["3s", "3c", "3h"], 2, False),  # trumps led: in suit; sub 3s are equal, the main 3 is higher
        (DWF, ["3s", "3c", "3d"], 0, False),
        (DWF, ["8s 8s", "9s Ts", "9s 9s"], 2, False),  # COM-16: one component of the type
        (DWF, ["8s 8s", "As Ks", "Qs Js"], 0, False),
        (DWF, ["As Qs Qs", "As Ks Ks", "4c 5c 6c"], 0, False),  # COM-16: nothing in suit beats a throw
        (DWF, ["As Qs Qs", "4h 4h 3h", "5h 5h 4h"], 2, True),  # COM-17: the pair counts, not the highest card
        (DWF, ["As Qs Qs", "4h 5h 6h", "Ac Ac Ad"], 0, False),  # no pair, no ruff
        (DWF, ["As Qs Qs", "4h 4h Ac", "5c 6c 7c"], 0, False),  # not all trumps
        # DWF-13, trump cards in hearts
        (DWF, ["As Ks 5s 5s 4s 4s", "9h 9h 8h 8h 7h 2h", "4c 4c 5c 6c 7c 8c"], 1, True),
        (DWF, ["As As 5s 5s 4s 4s", "9h 9h 8h 8h 7h 2h", "4c 4c 5c 6c 7c 8c"], 0, False),
        (DWF, ["5s 4s 4s", "9h 7h 7h", "8h 8h 4h"], 2, True),
        (DWF, ["5s 6s 7s", "9h 7h 7h", "8h 8h 4h"], 1, True),
        (DWF, ["5s 6s 7s", "8h 8h 4h", "9h 7h 7h"], 2, True),
        (DWF, ["5s 4s 4s", "7h 7h 4h", "7h 7h BJ"], 1, True),  # COM-17: equal tops, no further comparison
        (DWF, ["5s 5s 4s 4s", "Ah Ah 2s 2s", "Ah Ah 2c 2c"], 1, True),  # equal sub 2s on top: the earlier one
        # the side that can see its trumps in two ways takes the better: KKAA or AA22 out of KKAA2s2s
        (DWF, ["5s 5s 4s 4s 9s 9s", "2c 2c 2h 2h 4h 4h", "Ah Ah 2s 2s 3h 3h"], 1, True),
        (DWF, ["5s 5s 4s 4s 9s 9s", "Kh Kh Ah Ah 4h 4h", "Kh Kh Ah Ah 2s 2s"], 2, True),
        # five players, three packs
        (HW, ["4s 4s 4s", "9s 9s 9s", "Ts Ts Js", "9h 9h 9h", "8h 8h 8h"], 3, True),
        (
            HW,
            ["3s 3s 4s 4s 4s 5s 5s", "9s 9s 9s Ts Ts Js Js", "6s", "7s", "8s"],
            1,
            False,
        ),  # HW-11: (3, 1) each
        (HW, ["3s 3s 4s 4s 4s 5s 5s", "9s 9s Ts Ts Js Js Qs", "6s", "7s", "8s"], 0, False),  # no triple
        (HW, ["4s 4s", "9h 9h", "9h Th", "Th Th", "BJ 5h"], 3, True),
        (HW, ["5h", "BJ", "BJ", "5h", "5h"], 0, False),  # HW-2: 5h is highest, the first of three wins
    ],
)
def test_com15_com16_com17_dwf13_examples(game: str, plays: list[str], winner: int, ruffed: bool) -> None:
    cards = [hand(text) for text in plays]
    cards = [part if len(part) == len(cards[0]) else part * len(cards[0]) for part in cards]
    cards = [
        part if max(Counter(part).values()) <= 3 else hand("Qc Kc Ac 4d 6d 7d 8d")[: len(part)]
        for part in cards
    ]
    found = kernel_trick(game, table(game, "h"), 1, cards)
    assert found[:2] == (winner, ruffed)
    assert found[:2] == trick(game, "h", cards, {})[:2]


def test_com16_split_triples_decides_if_a_triple_holds_the_pair_of_a_ruff() -> None:
    # As 4s 4s thrown, ruffed by 9h 9h 9h: with split_triples a pair and a single
    plays = [hand("As 4s 4s"), hand("9h*3"), hand("Qc Kc Ac"), hand("4d 6d 7d"), hand("8d 9d Td")]
    assert kernel_trick(HW, table(HW, "h", {"split_triples": True}), 0, plays)[:2] == (1, True)
    assert kernel_trick(HW, table(HW, "h", {"split_triples": False}), 0, plays)[:2] == (0, False)


def test_com2_com18_points_go_to_the_winner_who_leads() -> None:
    # Ks led, 5s, then trump Th: 10 + 5 + 10 for the third seat
    winner, ruffed, worth, pub = kernel_trick(DWF, table(DWF, "h"), 2, [["Ks"], ["5s"], ["Th"]])
    assert (winner, ruffed, worth) == (2, True, 25)
    assert pub[view.LEADER] == 1 and pub[view.TAKEN + 1] == 25
    rules = {"points_five": 1, "points_ten": 2, "points_king": 4}
    assert kernel_trick(DWF, table(DWF, "h", rules), 0, [["Ks"], ["5s"], ["Th"]])[2] == 7


@pytest.mark.parametrize("rules", [{"split_triples": True}, {"split_triples": False}])
def test_com16_com17_strength_is_minus_one_exactly_when_a_play_cannot_win(rules: dict[str, Any]) -> None:
    rng = random.Random(str(rules))
    for _ in range(scaled(1500)):
        trump = rng.choice("shcd")
        lead = suit_hand(rng, HW, trump, rng.choice(SUITS_OF[HW, trump]), rng.choice([1, 2, 3, 4, 6]))
        reply = random_reply(rng, HW, trump, lead, rules["split_triples"])
        lay = table(HW, trump, rules)
        described, _ = describe(lay, lead)
        strength = int(legal.wins_with(*words(lay, reply), lay, described))
        winner, ruffed, _ = trick(HW, trump, [lead, reply], rules)
        if winner:
            assert strength > (63 if ruffed else int(described[shapes.TOPS]))
        else:
            assert strength < 64 and (
                strength <= int(described[shapes.TOPS]) or len(components(HW, trump, lead)) > 1
            )


def test_obligations_are_not_needed_to_win() -> None:
    # COM-15 judges what lies on the table; whether a follower could have done more is COM-13's business
    assert obligations(DWF, "h", hand("9s 9s"), hand("8s 8s"), {}) == [("pair", 1, 0)]
    assert kernel_trick(DWF, table(DWF, "h"), 0, [hand("8s*2"), hand("9s Ts"), hand("4c 5c")])[0] == 0
