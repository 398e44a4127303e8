"""Whole games: every record through the oracle, and what happens in them.

By default a few hundred records; `TUOLAJI_ACCEPTANCE=1 python -m pytest tests/test_games.py` checks 2,000 a policy at
the default rules and 200 at each other option value.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tuolaji.kernels import view
from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import POLICIES, ROLES, make_plan
from tuolaji.sim.replay import records
from tuolaji.sim.rules import OPTIONS

from naive import DWF, EVENTS, HW, check_record, coverage

pytestmark = pytest.mark.skipif(not JIT, reason="whole games; test_reproducible plays a sample without jit")

FULL = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))
PLAYERS = [(game, policy) for game in POLICIES for policy in sorted(POLICIES[game])]
SEATS, DECKS = {DWF: 3, HW: 5}, {DWF: 2, HW: 3}
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
    "grade_table": ["0:1,120:-1", ",".join(f"{5 * i}:{40 - i if i < 40 else 39 - i}" for i in range(64))],
}


def option_values() -> list[tuple[str, str, Any]]:
    """Every option of each game at each other value; of numbers both ends of the range and one between."""
    found: list[tuple[str, str, Any]] = []
    for game, option in [(name, option) for name, known in OPTIONS.items() for option in known.values()]:
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
            if option.name == "named_copies_min":
                values = [1, 2, 3]
        else:
            values = OTHERS[option.name]
        found += [(game, option.name, value) for value in values if value != option.default]
    return found


def overrides(name: str, value: Any) -> list[str]:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    along = ALONG.get((name, value), [])
    own = [] if any(word.startswith(name + "=") for word in along) else [f"{name}={text}"]
    return [*own, *along]


def check(
    game: str, policies: list[str], count: int, seed: int, options: list[str] | None = None
) -> Counter[str]:
    """So many records through the oracle; what happened in them."""
    plan = make_plan(game, policies=policies, seed=seed, overrides=options or [])
    met: Counter[str] = Counter()
    for record in records(plan, 0, count):
        assert check_record(record) == [], f"deal {record['deal']} of {policies}, seed {seed}, {options}"
        assert sum(trick["points"] for trick in record["tricks"]) + record["bottom_points"] == deck_points(
            record
        )
        assert sum(record["payoffs"]) == sum(record.get("penalties", [])) == 0
        met += coverage(record)
    return met


def deck_points(record: dict[str, Any]) -> int:
    """COM-2: all the points there are."""
    rules = record["rules"]
    return 4 * DECKS[record["game"]] * (rules["points_five"] + rules["points_ten"] + rules["points_king"])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "policy"), PLAYERS)
def test_com1_to_dwf18_com1_to_hw16_records_at_the_default_rules(game: str, policy: str) -> None:
    met = check(game, [policy], 2000 if FULL else 150, 101)
    assert met["ruff"] and met["tractor_led"]
    assert met["bottom_x1" if game == DWF else "bottom_x2"]


def mixes(game: str, places: int, most: int) -> list[Any]:
    """Who plays at so many places: every mix of a game's policies, or some of them by lot."""
    every = [*itertools.product(sorted(POLICIES[game]), repeat=places)]
    if len(every) > most:
        every = random.Random(places).sample(every, most)
    return [pytest.param(game, mix, id="-".join((game[:2], *mix))) for mix in every]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "mix"), [mix for game in POLICIES for mix in mixes(game, len(ROLES), 27)])
def test_records_of_every_mix_of_policies_by_role(game: str, mix: tuple[str, ...]) -> None:
    check(game, [f"{role}={name}" for role, name in zip(ROLES, mix, strict=True)], 200 if FULL else 15, 102)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "mix"), [mix for game in POLICIES for mix in mixes(game, SEATS[game], 27)])
def test_records_of_mixes_of_policies_by_seat(game: str, mix: tuple[str, ...]) -> None:
    check(game, [f"{seat}={name}" for seat, name in enumerate(mix)], 50 if FULL else 5, 103)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name", "value", "policy"),
    [(*found, policy) for found in option_values() for policy in sorted(POLICIES[found[0]])],
)
def test_records_at_every_other_value_of_every_option(game: str, name: str, value: Any, policy: str) -> None:
    check(game, [policy], 200 if FULL else 8, 104, overrides(name, value))


def rare(game: str, rows: dict[str, Any]) -> dict[str, Any]:
    """Event -> where among played rows it is."""
    if game == DWF:
        return {
            "shutout_defenders": rows["defender_points"] == 0,
            "shutout_banker": (rows["shutout"] == 1) & (rows["result"] == 1),
            "bottom_x1": rows["bottom_multiplier"] == 1,
            "bottom_x2": rows["bottom_multiplier"] == 2,
            "redeal": rows["redeals"] > 0,
            "pair_call": rows["call_size"] == 2,
        }
    return {
        "solo": rows["solo"] == 1,
        "pressed": rows["pressed"] == 1,
        "direct_won": (rows["direct"] == 1) & (rows["grade"] > 0),
        "direct_lost": (rows["direct"] == 1) & (rows["grade"] < 0),
        "bottom_x2": rows["bottom_multiplier"] == 2,
        "bottom_x4": rows["bottom_multiplier"] == 4,
    }


def handle_tractor_leads(engine: Engine, deals: int) -> Iterator[int]:
    """Deals in which a handle tractor is led: the type of a lead's first component tells (``kernels.shapes``)."""
    kinds = [view.HISTORY + view.H_STRIDE * trick + view.H_KIND for trick in range(31)]
    for deal in range(deals):
        trace = engine.trace(deal)
        for kind in trace.pub[kinds[: trace.row["tricks"]]].tolist():
            if 0 < (kind >> 5) - 2 * (kind & 31) < (kind & 31):
                yield deal
                break


def players(game: str) -> list[list[str]]:
    """Policies alone, and the strongest against `random` both ways."""
    best = [*POLICIES[game]][-1]
    mixed = [["random", f"banker={best}"], [best, "banker=random"]] if best != "random" else []
    return [*([name] for name in POLICIES[game]), *mixed]


@pytest.mark.slow
@pytest.mark.parametrize("game", [*POLICIES])
def test_dwf11_hw5_hw8_hw10_and_all_other_events_occur_in_records_that_pass(game: str) -> None:
    """Throws that stand (of several kinds, too) and fail, ruffs and over-ruffs of throws, tractors; each branch of
    DWF-11, shutouts, bottoms × 1 and × 2; solo, pressed, direct partners that won and lost, bottoms × 4.

    What is rare is looked for in the rows of many deals first.
    """
    met: Counter[str] = Counter()
    for policies in players(game):
        met += check(game, policies, 400 if FULL else 60, 105)
        engine = Engine(make_plan(game, policies=policies, seed=105))
        found_in = {
            name: np.flatnonzero(where)[:3] for name, where in rare(game, engine.play(0, 30_000)).items()
        }
        if game == HW:
            found_in["handle_tractor_led"] = itertools.islice(handle_tractor_leads(engine, 5000), 2)
        for name, deals in found_in.items():
            for deal in deals:
                (record,) = records(engine.plan, int(deal), 1)
                assert check_record(record) == []
                found = coverage(record)
                assert found[name]
                met += found
    assert not set(EVENTS[game]) - set(met)


def test_hw_contracts_and_sessions_pass() -> None:
    given = {"banker": 3, "trump": "h"}
    for plan in (
        make_plan(HW, policies="random", seed=106, contract=given),
        make_plan(HW, policies="random", seed=106, session=5),
    ):
        for record in records(plan, 0, 15):
            assert check_record(record) == []
            assert ("contract" in record) == (plan.contract is not None)
            if plan.contract:
                assert (record["banker"], record["trump"], record["reveal"]) == (3, "h", None)
