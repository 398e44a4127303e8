"""The throw check and what becomes of a failed throw (COM-9, COM-10)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from helpers import (
    PACKS,
    SEATS,
    SHAPE_RULES,
    SUITS_OF,
    Ints,
    cards_of,
    describe,
    hand,
    scaled,
    suit_hand,
    table,
    words,
)

from tuolaji.kernels import play, shapes, throw, view

from naive import DWF, HW, components, throw_check

pytestmark = pytest.mark.nojit


def played(game: str, lay: Ints, cards: list[str], others: list[list[str]]) -> tuple[bool, list[str]]:
    """Whether a throw by seat 1 stands, and what is played, as the kernel sees it."""
    lead, masks = describe(lay, cards)
    if int(lead[shapes.COUNT]) < 2:
        return True, cards
    hands = np.zeros((SEATS[game], 5), np.int64)
    hands[1, :3] = words(lay, cards)
    places = [seat for seat in range(SEATS[game]) if seat != 1]
    for seat, other in zip(places, others, strict=False):
        hands[seat, :3] = words(lay, other)
    part = int(throw.throw_check(lead, masks.ravel(), hands.ravel(), 5, 1, SEATS[game], lay))
    return (True, cards) if part < 0 else (False, cards_of(lay, masks[part]))


def deal_round(rng: random.Random, game: str, cards: list[str], others: list[list[str]]) -> list[list[str]]:
    """The other hands without what there are not copies enough of."""
    left = Counter({card: PACKS[game] for hand_ in [cards, *others] for card in hand_}) - Counter(cards)
    kept = []
    for other in others:
        mine = list((Counter(other) & left).elements())
        left -= Counter(mine)
        kept.append(mine)
    return kept


@pytest.mark.parametrize(("game", "rules"), SHAPE_RULES)
def test_com10_throws_against_lumpy_hands(game: str, rules: dict[str, Any]) -> None:
    rng = random.Random(f"{game} {rules}")
    verdicts: Counter[bool] = Counter()
    kinds: Counter[str] = Counter()
    for _ in range(scaled(1500, 150)):
        trump = rng.choice("shcd")
        suit = rng.choice("tt" + SUITS_OF[game, trump])
        cards = suit_hand(rng, game, trump, suit, rng.choice([3, 5, 8, 12]))
        others = [suit_hand(rng, game, trump, suit, rng.randint(1, 9)) for _ in range(SEATS[game] - 1)]
        others = deal_round(rng, game, cards, others)
        strangers = [s for s in SUITS_OF[game, trump] if s != suit]
        others[0] += suit_hand(rng, game, trump, rng.choice(strangers), 4)  # only the led suit counts
        expected = throw_check(game, trump, cards, others, rules)
        found = played(game, table(game, trump, rules), cards, others)
        assert (found[0], sorted(found[1])) == (expected[0], sorted(expected[1])), (trump, cards, others)
        verdicts[found[0]] += 1
        if not found[0]:
            kinds[components(game, trump, found[1])[0].kind] += 1
    assert verdicts[True] > 10 and verdicts[False] > 10
    assert {"single", "pair", "tractor"} <= {*kinds}


@pytest.mark.parametrize(
    ("cards", "others", "expected"),
    [  # COM-10's two examples, trump hearts, two packs
        ("5s 7s 7s 9s 9s", ["Ts 4s"], "5s"),
        ("5s 7s 7s 9s 9s", ["Ts Ts"], "7s 7s"),
        ("5s 7s 7s 9s 9s", ["8s 8s"], "7s 7s"),
        ("9s 8s 8s 4s 4s", ["Js"], "9s"),
        ("9s 8s 8s 4s 4s", ["Qs Qs"], "4s 4s"),
        ("9s 8s 8s 4s 4s", ["5s 5s"], "4s 4s"),
        ("As 8s 8s", ["9s", "9s"], None),  # one single player has to hold the pair
        ("As 8s 8s", ["9h 9h 3h"], None),  # only cards of the led suit count
        ("8s 8s", ["9s 9s"], None),  # a plain lead is never checked
        ("3c 3s", ["3h"], "3s"),  # equal tops: spades before clubs
        ("3c 3c 3s 3s Ah", ["3h 3h"], "3s 3s"),  # pairs come before singles, of equal pairs spades
        ("9s 9s 8s 8s As As", ["Ts Ts Js Js"], "8s 8s 9s 9s"),  # the tractor first, though the pair stands
        ("5s 5s 4s 4s 8s 8s 7s 7s Ks", ["Qs Qs Js Js As"], "5s 5s 4s 4s"),  # of one type the lowest
        ("As As Ks Ks Qs", ["Js Js Ts Ts"], None),
        ("3s 3s Ah Ah Kh Kh", ["2h 2h 2s 2s"], "Ah Ah Kh Kh"),  # in trumps; the pair of 3s is not beaten
    ],
)
def test_com10_examples(cards: str, others: list[str], expected: str | None) -> None:
    stands, out = played(DWF, table(DWF, "h"), hand(cards), [hand(other) for other in others])
    assert (stands, sorted(out)) == (expected is None, sorted(hand(expected or cards)))


def test_com10_a_pair_out_of_a_triple_beats_only_with_split_triples() -> None:
    cards, others = hand("8s 8s As"), [hand("9s*3")]
    assert played(HW, table(HW, "h", {"split_triples": True}), cards, others) == (False, ["8s", "8s"])
    assert played(HW, table(HW, "h", {"split_triples": False}), cards, others) == (True, cards)


def test_com10_with_equal_tops_a_handle_tractor_is_chosen_by_its_top_face() -> None:
    # AA 2s2s and KK(A A taken) cannot both end on the 2s here, so: 2s2s and 2c2c as pairs, the spades' is forced
    stands, out = played(DWF, table(DWF, "h"), hand("2c*2 2s*2 BJ"), [hand("3h*2")])
    assert (stands, out) == (False, hand("2s*2"))


def test_com9_com10_a_failed_throw_takes_its_cards_back_and_is_recorded() -> None:
    # trump hearts; seat 2 throws 57799 of spades, seat 1 holds a pair of tens: 77 is played, the rest stays in hand
    lay = table(DWF, "h")
    pub = view.fresh_pub()
    own = np.zeros((3, view.OWN_SIZE), np.int64)
    masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    held, thrown = hand("5s 7s*2 9s*2 Ah"), hand("5s 7s*2 9s*2")
    own[2, :3] = words(lay, held)
    own[1, :3] = words(lay, hand("Ts*2 4s 4h 5h 6h"))
    own[0, :3] = words(lay, hand("8s 4c 5c 6c 7c 8c"))
    pub[view.BANKER] = 2
    play.start_play(pub, own.ravel(), lay)
    play.put_lead(pub, own.ravel(), lay, masks, 2, *words(lay, thrown))
    assert cards_of(lay, own[2, :3]) == hand("5s 9s*2 Ah")
    row = pub[view.HISTORY : view.HISTORY + view.H_STRIDE]
    assert cards_of(lay, row[view.H_PLAYS + 6 : view.H_PLAYS + 9]) == hand("7s*2")
    assert cards_of(lay, row[view.H_ATTEMPT : view.H_ATTEMPT + 3]) == thrown
    assert (row[view.H_FAILED], row[view.H_LEADER], row[view.H_SIZE], row[view.H_COUNT]) == (1, 2, 2, 1)
    assert (pub[view.THROWS], pub[view.FAILED]) == (1, 1)
    assert pub[view.FAULTS : view.FAULTS + 3].tolist() == [0, 0, 1]
    # from now on it is the plain lead of a pair: seat 0 follows with what it has, seat 1's tens win
    assert (pub[shapes.N], pub[shapes.COUNT], pub[shapes.MULTI]) == (2, 1, 1)
    assert cards_of(lay, pub[view.SEEN : view.SEEN + 3]) == hand("7s*2")  # taken back: seen, not played
    play.put_follow(pub, own.ravel(), lay, 0, *words(lay, hand("8s 4c")))
    play.put_follow(pub, own.ravel(), lay, 1, *words(lay, hand("Ts*2")))
    play.end_trick(pub)
    assert pub[view.LEADER] == 1
    assert pub[view.TAKEN : view.TAKEN + 3].tolist() == [0, 20, 0]
    assert pub[view.LEFT] == 4


def test_com9_a_throw_that_stands_is_counted_and_played_whole() -> None:
    lay = table(DWF, "h")
    pub = view.fresh_pub()
    own = np.zeros((3, view.OWN_SIZE), np.int64)
    masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    own[0, :3] = words(lay, hand("As Ks*2 4h"))
    own[1, :3] = words(lay, hand("Qs*2 4s 4c"))
    own[2, :3] = words(lay, hand("Js*2 Ts 5c"))
    play.start_play(pub, own.ravel(), lay)
    play.put_lead(pub, own.ravel(), lay, masks, 0, *words(lay, hand("As Ks*2")))
    row = pub[view.HISTORY : view.HISTORY + view.H_STRIDE]
    assert (pub[view.THROWS], pub[view.FAILED], row[view.H_FAILED], row[view.H_COUNT]) == (1, 0, 0, 2)
    assert cards_of(lay, own[0, :3]) == hand("4h")
