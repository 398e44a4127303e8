"""The counterfactual table: the same as playing each contract by itself, and the features of a hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tuolaji.kernels import rng
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.strength import NAMES
from tuolaji.sim.counterfactual import Counterfactual, Tables, scores
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.plan import make_plan

from naive import FACES

DWF = "die-wu-fen"
DEALS = 200 if JIT else 3
POLICIES: list[Any] = ["random", "greedy", "expert", ["greedy", "banker=random", "2=expert"]]
RULES: list[tuple[str, ...]] = [
    (),
    ("bottom_multiplier=3", "defender_throw_penalty=2", "banker_throw_penalty=3", "shutout_multiplier=4"),
    ("made_total=220", "bottom_shape=lead", "points_ten=5"),
]


@pytest.mark.nojit
@pytest.mark.parametrize("policies", POLICIES, ids=str)
@pytest.mark.parametrize("overrides", RULES, ids=str)
def test_dwf7_dwf14_dwf18_a_table_says_what_every_contract_would_have_come_to(
    policies: Any, overrides: tuple[str, ...]
) -> None:
    plan = make_plan(DWF, policies=policies, overrides=overrides, seed=12)
    table = Counterfactual(plan).table(40, DEALS)
    scoring = scores(plan.rules)
    shares = scoring.of(table.points, table.penalties)
    made, shutout = scoring.made(table.points), scoring.shutout(table.points)
    for trump in range(4):
        for banker in range(3):
            level = (3 * trump + banker) % 10
            contract = {"banker": banker, "trump": "shcd"[trump], "bid": 110 + 10 * level}
            rows = Engine(
                make_plan(DWF, policies=policies, overrides=overrides, seed=12, contract=contract)
            ).play(40, DEALS)
            at = (slice(None), trump, banker)
            assert (rows["defender_points"] == table.points[at]).all()
            assert ((rows["result"] == 0) == made[at][:, level]).all()
            assert ((rows["shutout"] == 1) == shutout[at][:, level]).all()
            for seat in range(3):
                share = shares[at][:, level] * (2 if seat == banker else -1)
                assert (rows[f"payoff_{seat}"] == share).all()


@pytest.mark.parametrize("policy", ["random", "greedy", "expert"])
def test_play_does_not_look_at_the_bid(policy: str) -> None:
    """What the table rests on: the same cards are played at every bid."""
    found = []
    for bid in range(110, 210, 10):
        plan = make_plan(DWF, policies=policy, seed=8, contract={"banker": 1, "trump": "d", "bid": bid})
        rows = Engine(plan).play(0, DEALS)
        found.append(
            [rows[name] for name in ("captured", "bottom_points", "tricks", "throws", "failed_throws")]
        )
    assert all((np.array(rows) == np.array(found[0])).all() for rows in found)


@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_dwf3_dwf6_with_an_auction_the_banker_of_the_deal_gets_what_it_got(policy: str) -> None:
    """These policies draw no lots, so the play after the bidding is the play of the table."""
    plan = make_plan(DWF, policies=policy, seed=9)
    table = Counterfactual(plan, auction=True).table(0, DEALS)
    rows = Engine(plan).play(0, DEALS)
    for name, values in table.deals.items():
        assert (values == rows["trump" if name == "called" else name]).all(), name
    assert (table.trump[:, 0] == rows["trump"][:, None]).all()
    each = np.arange(DEALS)
    assert (table.points[each, 0, rows["banker"]] == rows["defender_points"]).all()
    scoring = scores(plan.rules)
    shares = scoring.of(table.points, table.penalties)[each, 0, rows["banker"], (rows["bid"] - 110) // 10]
    assert (2 * shares == np.choose(rows["banker"], [rows[f"payoff_{seat}"] for seat in range(3)])).all()


def test_neither_pieces_nor_workers_change_a_table() -> None:
    player = Counterfactual(make_plan(DWF, policies="random", seed=3))
    whole = player.table(5, 60)
    parts = [player.table(5, 17), player.table(22, 43)]
    threads = list(Tables(3, None).of(player, 5, 60))
    for name in ("points", "penalties", "features", "trump"):
        assert (getattr(whole, name) == np.concatenate([getattr(part, name) for part in parts])).all()
        assert (getattr(whole, name) == np.concatenate([getattr(part, name) for part in threads])).all()


def test_a_table_stops_when_it_is_told_to() -> None:
    player = Counterfactual(make_plan(DWF, policies="random"))
    assert len(player.table(0, 10, np.ones(1, np.int64))) == 0
    tables = Tables(2, None)
    tables.end()
    with pytest.raises(KeyboardInterrupt):
        list(tables.of(player, 0, 10))


def test_there_are_no_bids_in_the_other_game() -> None:
    with pytest.raises(UsageError, match="hong-wu-wu-jia"):
        Counterfactual(make_plan("hong-wu-wu-jia"))


def slow_features(cards: list[str], trump: str) -> dict[str, int]:
    """The features counted from the names of the cards."""

    def is_trump(card: str) -> bool:
        return card in ("BJ", "SJ") or card[0] in "23" or card[1] == trump

    held = Counter(cards)
    trumps = [card for card in cards if is_trump(card)]
    ranks = "456789TJQKA"
    suits = [
        [card for card in cards if not is_trump(card) and card[1] == suit] for suit in "shcd" if suit != trump
    ]
    lengths = sorted(map(len, suits))
    pairs = [card for card, copies in held.items() if copies == 2]
    side = [card for card in pairs if not is_trump(card)]
    aces = sum(card[0] == "A" for suit in suits for card in suit)
    # neighbours by layout bit: trump suit 4 to A, the 2s (main one last), the 3s likewise, jokers
    order = [rank + trump for rank in ranks]
    for rank in "23":
        order += [rank + suit for suit in "shcd" if suit != trump] + [rank + trump]
    order += ["SJ", "BJ"]
    return {
        "trumps": len(trumps),
        "trump_pairs": len(pairs) - len(side),
        "big_jokers": held["BJ"],
        "small_jokers": held["SJ"],
        "main_threes": held["3" + trump],
        "sub_threes": sum(held["3" + suit] for suit in "shcd" if suit != trump),
        "twos": sum(held["2" + suit] for suit in "shcd"),
        "aces": aces,
        "ace_pairs": sum(card[0] == "A" for card in side),
        "kings": sum(card[0] == "K" for suit in suits for card in suit),
        "side_pairs": len(side),
        "side_runs": sum(
            a + suit in side and b + suit in side for suit in "shcd" for a, b in pairwise(ranks)
        ),
        "good_pairs": sum(card[0] in "TJQKA" for card in side),
        "voids": lengths.count(0),
        "short": sum(max(0, 3 - length) for length in lengths),
        "shortest": lengths[0],
        "middle": lengths[1],
        "trumps_squared": len(trumps) ** 2,
        "shortest_by_pairs": lengths[0] * len(side),
        "aces_squared": aces**2,
        "trump_runs": sum(a in pairs and b in pairs for a, b in pairwise(order)),
    }


@pytest.mark.nojit
def test_the_features_are_what_their_names_say() -> None:
    deals = 100 if JIT else 2
    table = Counterfactual(make_plan(DWF, policies="random", seed=21)).table(0, deals)
    plan, faces = rng.shuffle_plan(108).ravel(), np.zeros(108, np.int64)
    for deal in range(deals):
        faces[:] = np.arange(108) % 54
        rng.shuffle(faces, 108, plan, 21, deal, 0)
        for trump in range(4):
            for seat in range(3):
                cards = [FACES[face] for face in faces[33 * seat : 33 * seat + 33]]
                found = dict(zip(NAMES, map(int, table.features[deal, trump, seat]), strict=True))
                assert found == slow_features(cards, "shcd"[trump])


def test_the_table_of_stakes_reaches_the_most_points_there_can_be() -> None:
    plan = make_plan(DWF, overrides=["bottom_multiplier=4"])
    most = 4 * 2 * (plan.rules["points_five"] + plan.rules["points_ten"] + plan.rules["points_king"])
    assert scores(plan.rules).stakes.shape == (10, 1 + most + 4 * most)
