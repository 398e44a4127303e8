"""Invariants of many played rows, and COM-19: the same rows whatever divides the work and on any machine."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tuolaji.kernels import rng, view
from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import POLICIES, make_plan

from naive import DWF, FACES, HW

pytestmark = pytest.mark.skipif(not JIT, reason="a test below compares with what is played without jit")

PLAYERS = [(game, policy) for game in POLICIES for policy in sorted(POLICIES[game])]
PACKS = {DWF: 2, HW: 3}

RANGES_DWF = {
    "first_seat": (0, 2), "trump": (0, 3), "banker": (0, 2), "banker_trumps": (0, 42), "banker_trump_pairs": (0, 21),
    "bottom_points": (0, 80), "bottom_multiplier": (0, 2), "captured": (0, 200), "defender_points": (0, 360),
    "throws": (0, 33), "failed_throws": (0, 33), "tricks": (1, 33), "last_winner": (0, 2), "redeals": (0, 50),
    "caller": (0, 2), "call_size": (1, 2), "call_after": (1, 33), "countered": (0, 1), "opener": (0, 2),
    "bid": (110, 200), "base": (1, 10), "bids_made": (1, 10), "result": (0, 1), "shutout": (0, 1),
    **{f"payoff_{seat}": (-800, 800) for seat in range(3)}, **{f"penalty_{seat}": (-700, 700) for seat in range(3)},
}  # fmt: skip
RANGES_HW = {
    "first_seat": (0, 4), "trump": (0, 3), "banker": (0, 4), "banker_trumps": (0, 38), "banker_trump_pairs": (0, 19),
    "bottom_points": (0, 70), "bottom_multiplier": (0, 4), "captured": (0, 300), "defender_points": (0, 580),
    "throws": (0, 31), "failed_throws": (0, 31), "tricks": (1, 31), "last_winner": (0, 4), "previous_banker": (0, 4),
    "pressed": (0, 1), "reveal_after": (0, 31), "named": (0, 53), "named_held": (0, 3), "partner": (-1, 4),
    "partner_trick": (-1, 30), "direct": (0, 1), "solo": (0, 1), "grade": (-24, 9),
    **{f"payoff_{seat}": (-192, 72) for seat in range(5)},
}  # fmt: skip


def wide_rows(game: str, policy: str) -> dict[str, Any]:
    """Many rows, every column in its range, payoffs that sum to zero."""
    rows = Engine(make_plan(game, policies=policy, seed=106)).play(0, 20_000)
    ranges = RANGES_DWF if game == DWF else RANGES_HW
    assert set(rows) == set(ranges)
    for name, (low, high) in ranges.items():
        assert low <= rows[name].min() and rows[name].max() <= high, name
    wide: dict[str, Any] = {name: values.astype(np.int64) for name, values in rows.items()}
    assert not sum(values for name, values in wide.items() if name.startswith("payoff_")).any()
    assert (wide["captured"] + wide["bottom_points"] <= 100 * PACKS[game]).all()  # COM-2: all there is
    assert (
        wide["defender_points"] == wide["captured"] + wide["bottom_points"] * wide["bottom_multiplier"]
    ).all()
    assert (wide["failed_throws"] <= wide["throws"]).all() and (wide["throws"] <= wide["tricks"]).all()
    assert {*rows["trump"].tolist()} == {0, 1, 2, 3}
    return wide


@pytest.mark.parametrize("policy", sorted(POLICIES[DWF]))
def test_dwf17_dwf18_rows_stay_in_range_and_sum_to_zero(policy: str) -> None:
    wide = wide_rows(DWF, policy)
    assert not sum(wide[f"penalty_{seat}"] for seat in range(3)).any()
    assert (wide["bid"] % 10 == 0).all() and (wide["base"] == (wide["bid"] - 100) // 10).all()
    unopposed = wide["countered"] == 0
    assert (wide["opener"] == wide["caller"])[unopposed].all() and (wide["opener"] != wide["caller"])[
        ~unopposed
    ].all()
    assert (wide["call_size"] == 1)[~unopposed].all()
    assert (wide["bid"] >= 120)[(wide["call_size"] == 2) | ~unopposed].all()


@pytest.mark.parametrize("policy", sorted(POLICIES[HW]))
def test_hw7_hw8_hw14_hw15_hw16_rows_stay_in_range_and_sum_to_zero(policy: str) -> None:
    wide = wide_rows(HW, policy)
    pressed, solo = wide["pressed"] == 1, wide["solo"] == 1
    assert ((wide["reveal_after"] == 0) == pressed).all()
    assert (wide["banker"] == wide["previous_banker"])[pressed].all()
    late = wide["reveal_after"] > 29
    assert (wide["banker"] == wide["previous_banker"])[late].all()
    assert ((wide["named_held"] == 3) == solo).all() and ((wide["partner"] < 0) == solo).all()
    assert ((wide["partner_trick"] < 0) == solo).all() and (wide["partner"] != wide["banker"]).all()
    assert not wide["direct"][solo].any() and (wide["partner_trick"] < wide["tricks"]).all()
    aces = (wide["named"] < 52) & (wide["named"] % 13 == 12)
    kings = (wide["named"] < 52) & (wide["named"] % 13 == 11)
    assert (aces | kings | (wide["named"] == 53) | (wide["named"] == FACES.index("5h"))).all()
    assert aces[wide["direct"] == 1].all()
    payoffs = np.stack([wide[f"payoff_{seat}"] for seat in range(5)])
    at = np.arange(payoffs.shape[1])
    assert (payoffs[wide["banker"], at] == 8 * wide["grade"])[solo].all()
    won = ~solo & (wide["grade"] > 0)
    assert (payoffs[wide["banker"], at] == 2 * wide["grade"])[won].all()
    assert (payoffs[wide["partner"], at] == wide["grade"])[won].all()


# --- COM-19: the same rows however the work is divided


def equal(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize(
    ("game", "mix"), [*((game, [name]) for game, name in PLAYERS), (DWF, ["random", "1=greedy"])]
)
def test_com19_rows_do_not_depend_on_chunks_order_or_threads(game: str, mix: list[str]) -> None:
    plan = make_plan(game, policies=mix, seed=2**64 - 5)
    whole = Engine(plan).play(0, 120)
    cuts = [0, 1, 2, 50, 51, 119, 120]
    engine = Engine(plan)
    engine.play(5000, 40)  # what was played before leaves no trace
    parts = {first: engine.play(first, last - first) for first, last in reversed([*itertools.pairwise(cuts)])}
    spliced = {name: np.concatenate([parts[first][name] for first in cuts[:-1]]) for name in whole}
    assert equal(whole, spliced)
    with ThreadPoolExecutor(4) as pool:
        columns = list(pool.map(lambda first: engine.play(first, 1), range(120)))
    assert equal(whole, {name: np.concatenate([column[name] for column in columns]) for name in whole})
    assert all(engine.trace(deal).row["payoff_0"] == whole["payoff_0"][deal] for deal in (0, 7, 119))


@pytest.mark.parametrize(("game", "policy"), PLAYERS)
def test_com19_sessions_are_the_same_in_any_chunk(game: str, policy: str) -> None:
    engine = Engine(make_plan(game, policies=policy, seed=4, session=6))
    whole = engine.play(0, 60)
    assert equal({name: values[18:42] for name, values in whole.items()}, engine.play(18, 24))
    assert engine.trace(40).row == {name: int(values[40]) for name, values in whole.items()}


@pytest.mark.parametrize(("game", "policy"), PLAYERS)
def test_com19_a_stop_flag_ends_a_chunk_between_deals(game: str, policy: str) -> None:
    engine = Engine(make_plan(game, policies=policy, seed=4))
    stop = np.ones(1, np.int64)
    assert all(values.size == 0 for values in engine.play(0, 50, stop).values())


def test_com19_cards_depend_on_seed_deal_and_attempt_alone() -> None:
    contract = {"banker": 1, "trump": "c", "bid": 160}
    runs: list[dict[str, Any]] = [
        {"policies": "random"},
        {"policies": "greedy"},
        {"policies": "random", "overrides": ["forced_trump=off", "cascade=false", "counter=false"]},
        {"policies": "random", "session": 10},
        {"policies": "random", "contract": contract},
        {"policies": "random", "contract": contract | {"banker": 2, "trump": "s"}},
    ]
    plan = rng.shuffle_plan(108).ravel()
    firsts = []
    for run in runs:
        engine = Engine(make_plan(DWF, seed=77, **run))
        firsts.append([])
        for deal in range(40):
            trace = engine.trace(deal)
            faces = np.array([k % 54 for k in range(108)], np.int64)
            rng.shuffle(faces, 108, plan, 77, deal, trace.row["redeals"])
            assert trace.faces.tolist() == faces.tolist()
            assert sorted(FACES[f] for f in faces.tolist()) == sorted([*FACES, *FACES])
            firsts[-1].append(trace.row["first_seat"])
    assert firsts[0] == firsts[1] == firsts[2] == firsts[4]
    assert firsts[0] != firsts[3]  # sessions: other first seats, the same cards


def test_com19_hw1_cards_depend_on_seed_and_deal_alone() -> None:
    best = [*POLICIES[HW]][-1]
    runs: list[dict[str, Any]] = [
        {"policies": "random"},
        {"policies": best},
        {"policies": "random", "overrides": ["cascade=true", "split_triples=false", "named_copies_min=2"]},
        {"policies": "random", "session": 10},
        {"policies": "random", "contract": {"banker": 1, "trump": "c"}},
    ]
    plan = rng.shuffle_plan(162).ravel()
    firsts = []
    for run in runs:
        engine = Engine(make_plan(HW, seed=77, **run))
        firsts.append([])
        for deal in range(40):
            trace = engine.trace(deal)
            faces = np.array([k % 54 for k in range(162)], np.int64)
            rng.shuffle(faces, 162, plan, 77, deal, 0)
            assert trace.faces.tolist() == faces.tolist()
            firsts[-1].append(trace.row["first_seat"])
    assert all(found == firsts[0] for found in firsts)


def test_com19_a_seats_policy_draws_from_a_stream_of_its_own() -> None:
    # With the auction fixed, seats 1 and 2 bury and lead the same first card whoever plays seat 0
    contract = {"banker": 1, "trump": "h", "bid": 150}
    traces = []
    for mix in (["random"], ["random", "0=greedy"]):
        engine = Engine(make_plan(DWF, seed=5, policies=mix, contract=contract))
        traces.append([engine.trace(deal) for deal in range(20)])
    for one, two in zip(*traces, strict=True):
        assert (
            one.own[1, view.BURIED : view.BURIED + 3].tolist()
            == two.own[1, view.BURIED : view.BURIED + 3].tolist()
        )
        lead = view.HISTORY + view.H_PLAYS + 3
        assert one.pub[lead : lead + 3].tolist() == two.pub[lead : lead + 3].tolist()


SAMPLE = """
import json, sys
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
rows = []
for run in json.loads(sys.argv[1]):
    engine = Engine(make_plan(**run))
    columns = engine.play(40, 8)
    rows.append({name: values.tolist() for name, values in columns.items()})
    rows[-1]["pub"] = [int(x) for x in engine.trace(47).pub]
print(json.dumps(rows))
"""


def test_design_the_same_rows_without_jit() -> None:
    runs: list[dict[str, Any]] = [{"game": game, "policies": name, "seed": 8} for game, name in PLAYERS]
    runs += [{"game": game, "policies": name, "seed": 2**63 + 9, "session": 4} for game, name in PLAYERS]
    runs += [
        {
            "game": DWF,
            "policies": ["random", "1=greedy"],
            "seed": 10,
            "overrides": [f"forced_trump_binds={b}", f"void_order={o}"],
        }
        for b, o in (("all", "by-level"), ("discards", "by-level"))
    ]
    given = {"banker": 0, "trump": "d"}
    runs += [{"game": DWF, "policies": "random", "seed": 11, "contract": given | {"bid": 120}}]
    runs += [{"game": HW, "policies": "random", "seed": 11, "contract": given}]
    options = ["split_triples=false", "cascade=true", "named_copies_min=1"]
    runs += [{"game": HW, "policies": "random", "seed": 12, "overrides": options}]
    printed = []
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", SAMPLE, json.dumps(runs)],
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        )
        assert not done.stderr  # no overflow warnings either
        printed.append(json.loads(done.stdout))
    assert printed[0] == printed[1]
