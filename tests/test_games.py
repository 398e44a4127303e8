"""Whole games of die-wu-fen: every record through the oracle, what happens in them, invariants, reproducibility.

By default a few hundred records; `TUOLAJI_ACCEPTANCE=1 python -m pytest tests/test_games.py` checks 2,000 a policy at
the default rules and 200 at each other option value.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tuolaji.kernels import rng
from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import POLICIES, ROLES, make_plan
from tuolaji.sim.replay import records
from tuolaji.sim.rules import OPTIONS

from naive import DWF, EVENTS, FACES, check_record, coverage

pytestmark = pytest.mark.skipif(not JIT, reason="whole games; a sample is played without jit by a test below")

FULL = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))
POLICY_NAMES = sorted(POLICIES[DWF])
#: What has to change along with an option so that the rule set is free of contradictions.
ALONG: dict[tuple[str, Any], list[str]] = {
    ("bid_step", 20): ["opening_bid_single=120", "opening_bid_pair=140"],
    ("opening_bid_single", 105): ["bid_step=5"],
    ("opening_bid_pair", 105): ["bid_step=5"],
    ("bid_max", 105): ["bid_step=5", "opening_bid_single=105", "opening_bid_pair=105"],
    ("made_total", 105): ["bid_max=105", "bid_step=5", "opening_bid_single=105", "opening_bid_pair=105"],
    ("made_total", 2000): ["shutout_total=4000"],
    ("shutout_total", 105): ["shutout_total=201"],
}
OTHERS: dict[str, list[Any]] = {
    "base_table": ["1,1,2,2,3,3,4,4,5,5", "100,100,100,100,100,100,100,100,100,100"],
}


def option_values() -> list[tuple[str, Any]]:
    """Every option at each other value; of numbers both ends of the range and one between."""
    found: list[tuple[str, Any]] = []
    for option in OPTIONS[DWF].values():
        if option.kind == "bool":
            values: list[Any] = [False, True]
        elif option.choices:
            values = [*option.choices]
        elif option.kind == "int":
            between = {"bid_max": 150, "made_total": 210, "shutout_total": 290}
            assert isinstance(option.default, int)
            values = [
                option.low,
                between.get(option.name, option.default + 10 * (option.low > 100) + 1),
                option.high,
            ]
            if option.name.startswith("opening"):
                values[1] = 150
        else:
            values = OTHERS[option.name]
        found += [(option.name, value) for value in values if value != option.default]
    return found


def overrides(name: str, value: Any) -> list[str]:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    along = ALONG.get((name, value), [])
    own = [] if any(word.startswith(name + "=") for word in along) else [f"{name}={text}"]
    return [*own, *along]


def check(policies: list[str], count: int, seed: int, options: list[str] | None = None) -> Counter[str]:
    """So many records through the oracle; what happened in them."""
    plan = make_plan(DWF, policies=policies, seed=seed, overrides=options or [])
    met: Counter[str] = Counter()
    for record in records(plan, 0, count):
        assert check_record(record) == [], f"deal {record['deal']} of {policies}, seed {seed}, {options}"
        assert sum(trick["points"] for trick in record["tricks"]) + record["bottom_points"] == deck_points(
            record
        )
        assert sum(record["payoffs"]) == sum(record["penalties"]) == 0
        met += coverage(record)
    return met


def deck_points(record: dict[str, Any]) -> int:
    """COM-2: all the points there are."""
    rules = record["rules"]
    return 8 * (rules["points_five"] + rules["points_ten"] + rules["points_king"])


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_com1_to_dwf18_records_at_the_default_rules(policy: str) -> None:
    met = check([policy], 2000 if FULL else 150, 101)
    assert met["ruff"] and met["tractor_led"] and met["bottom_x1"]


@pytest.mark.slow
@pytest.mark.parametrize("mix", list(itertools.product(POLICY_NAMES, repeat=len(ROLES))), ids="-".join)
def test_records_of_every_mix_of_policies_by_role(mix: tuple[str, ...]) -> None:
    check([f"{role}={name}" for role, name in zip(ROLES, mix, strict=True)], 200 if FULL else 15, 102)


@pytest.mark.slow
@pytest.mark.parametrize("mix", list(itertools.product(POLICY_NAMES, repeat=3)), ids="-".join)
def test_records_of_every_mix_of_policies_by_seat(mix: tuple[str, ...]) -> None:
    check([f"{seat}={name}" for seat, name in enumerate(mix)], 50 if FULL else 5, 103)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICY_NAMES)
@pytest.mark.parametrize(("name", "value"), option_values())
def test_records_at_every_other_value_of_every_option(name: str, value: Any, policy: str) -> None:
    check([policy], 200 if FULL else 8, 104, overrides(name, value))


@pytest.mark.slow
def test_dwf11_and_all_other_events_occur_in_records_that_pass() -> None:
    """Throws that stand and fail, each branch of DWF-11, ruffs and over-ruffs of throws, shutouts, bottoms × 1 and × 2.

    What is rare is looked for in the rows of many deals first.
    """
    met: Counter[str] = Counter()
    for policies in (["random"], ["greedy"], ["random", "banker=greedy"], ["greedy", "banker=random"]):
        met += check(policies, 400 if FULL else 60, 105)
        engine = Engine(make_plan(DWF, policies=policies, seed=105))
        rows = engine.play(0, 30_000)
        wanted = {
            "shutout_defenders": rows["defender_points"] == 0,
            "shutout_banker": (rows["shutout"] == 1) & (rows["result"] == 1),
            "bottom_x1": rows["bottom_multiplier"] == 1,
            "bottom_x2": rows["bottom_multiplier"] == 2,
            "redeal": rows["redeals"] > 0,
            "pair_call": rows["call_size"] == 2,
        }
        for name, where in wanted.items():
            for deal in np.flatnonzero(where)[:3]:
                (record,) = records(engine.plan, int(deal), 1)
                assert check_record(record) == []
                found = coverage(record)
                assert found[name]
                met += found
    assert not set(EVENTS[DWF]) - set(met)


# --- invariants


RANGES = {
    "first_seat": (0, 2), "trump": (0, 3), "banker": (0, 2), "banker_trumps": (0, 42), "banker_trump_pairs": (0, 21),
    "bottom_points": (0, 80), "bottom_multiplier": (0, 2), "captured": (0, 200), "defender_points": (0, 360),
    "throws": (0, 33), "failed_throws": (0, 33), "tricks": (1, 33), "last_winner": (0, 2), "redeals": (0, 50),
    "caller": (0, 2), "call_size": (1, 2), "call_after": (1, 33), "countered": (0, 1), "opener": (0, 2),
    "bid": (110, 200), "base": (1, 10), "bids_made": (1, 10), "result": (0, 1), "shutout": (0, 1),
    **{f"payoff_{seat}": (-800, 800) for seat in range(3)}, **{f"penalty_{seat}": (-700, 700) for seat in range(3)},
}  # fmt: skip


@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_dwf17_dwf18_rows_stay_in_range_and_sum_to_zero(policy: str) -> None:
    rows = Engine(make_plan(DWF, policies=policy, seed=106)).play(0, 20_000)
    assert set(rows) == set(RANGES)
    for name, (low, high) in RANGES.items():
        assert low <= rows[name].min() and rows[name].max() <= high, name
    wide = {name: values.astype(np.int64) for name, values in rows.items()}
    assert not sum(wide[f"payoff_{seat}"] for seat in range(3)).any()
    assert not sum(wide[f"penalty_{seat}"] for seat in range(3)).any()
    assert (wide["captured"] + wide["bottom_points"] <= 200).all()  # COM-2: all there is
    assert (
        wide["defender_points"] == wide["captured"] + wide["bottom_points"] * wide["bottom_multiplier"]
    ).all()
    assert (wide["failed_throws"] <= wide["throws"]).all() and (wide["throws"] <= wide["tricks"]).all()
    assert (wide["bid"] % 10 == 0).all() and (wide["base"] == (wide["bid"] - 100) // 10).all()
    unopposed = wide["countered"] == 0
    assert (wide["opener"] == wide["caller"])[unopposed].all() and (wide["opener"] != wide["caller"])[
        ~unopposed
    ].all()
    assert (wide["call_size"] == 1)[~unopposed].all()
    assert (wide["bid"] >= 120)[(wide["call_size"] == 2) | ~unopposed].all()
    assert {*rows["trump"].tolist()} == {0, 1, 2, 3}


# --- COM-19: the same rows however the work is divided


def equal(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("mix", [[name] for name in POLICY_NAMES] + [["random", "1=greedy"]])
def test_com19_rows_do_not_depend_on_chunks_order_or_threads(mix: list[str]) -> None:
    plan = make_plan(DWF, policies=mix, seed=2**64 - 5)
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


@pytest.mark.parametrize("policy", POLICY_NAMES)
def test_com19_sessions_are_the_same_in_any_chunk(policy: str) -> None:
    engine = Engine(make_plan(DWF, policies=policy, seed=4, session=6))
    whole = engine.play(0, 60)
    assert equal({name: values[18:42] for name, values in whole.items()}, engine.play(18, 24))
    assert engine.trace(40).row == {name: int(values[40]) for name, values in whole.items()}


def test_com19_a_stop_flag_ends_a_chunk_between_deals() -> None:
    engine = Engine(make_plan(DWF, policies="greedy", seed=4))
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


def test_com19_a_seats_policy_draws_from_a_stream_of_its_own() -> None:
    # With the auction fixed, seats 1 and 2 bury and lead the same first card whoever plays seat 0
    contract = {"banker": 1, "trump": "h", "bid": 150}
    traces = []
    for mix in (["random"], ["random", "0=greedy"]):
        engine = Engine(make_plan(DWF, seed=5, policies=mix, contract=contract))
        traces.append([engine.trace(deal) for deal in range(20)])
    from tuolaji.kernels import view

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
    engine = Engine(make_plan("die-wu-fen", **run))
    columns = engine.play(40, 8)
    rows.append({name: values.tolist() for name, values in columns.items()})
    rows[-1]["pub"] = [int(x) for x in engine.trace(47).pub]
print(json.dumps(rows))
"""


def test_design_the_same_rows_without_jit() -> None:
    runs: list[dict[str, Any]] = [{"policies": name, "seed": 8} for name in POLICY_NAMES]
    runs += [{"policies": name, "seed": 2**63 + 9, "session": 4} for name in POLICY_NAMES]
    runs += [
        {
            "policies": ["random", "1=greedy"],
            "seed": 10,
            "overrides": [f"forced_trump_binds={b}", f"void_order={o}"],
        }
        for b, o in (("all", "by-level"), ("discards", "by-level"))
    ]
    runs += [{"policies": "random", "seed": 11, "contract": {"banker": 0, "trump": "d", "bid": 120}}]
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
