"""The oracle's judgement of whole records: random legal games are clean, falsified ones are not."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from naive import DEFAULTS, DWF, EVENTS, FACES, HW, check_record, coverage, random_record

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (DWF, {}),
    (DWF, {"forced_trump": "throw", "void_order": "by-level", "bottom_shape": "lead", "cascade": False}),
    (DWF, {"forced_trump_binds": "all", "bid_step": 5, "counter": False, "defender_throw_penalty": 2}),
    (DWF, {"forced_trump": "off"}),
    (HW, {}),
    (HW, {"cascade": True, "split_triples": False, "named_copies_min": 1, "base": 3}),
]


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_random_records_are_clean(game: str, rules: dict[str, Any]) -> None:
    for seed in range(12):
        record = random_record(game, seed, rules)
        assert check_record(json.loads(json.dumps(record))) == []
        assert sum(record["payoffs"]) == 0
        shown = sum(entry["points"] for entry in record["tricks"]) + record["bottom_points"]
        assert shown == (200 if game == DWF else 300)


@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_random_records_meet_every_event(game: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(250):
        record = random_record(game, seed)
        assert check_record(record) == []
        met += coverage(record)
    assert not set(EVENTS[game]) - set(met)


def _tampered(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The record with one thing falsified at a time, by the name of the thing."""
    made: dict[str, dict[str, Any]] = {}
    seats = len(record["hands"])

    def put(name: str, value: Any) -> None:
        made[name] = copy.deepcopy(record)
        made[name][name] = value

    for name in record:
        made["without " + name] = {key: value for key, value in record.items() if key != name}
    put("format", "tuolaji-record/2")
    put("game", "bridge")
    put("redeals", -1)
    put("trump", "shcd"[("shcd".index(record["trump"]) + 1) % 4])
    for name in ("captured", "bottom_points", "defender_points", "base", "bid", "grade"):
        if name in record:
            put(name, record[name] + 10)
    put("bottom_multiplier", 7)
    for name in ("payoffs", "penalties"):
        if name in record:
            put(name, [record[name][0] + 1, record[name][1] - 1, *record[name][2:]])
    for name in ("shutout", "direct", "solo"):
        if name in record:
            put(name, not record[name])
    if "result" in record:
        put("result", "made" if record["result"] == "broken" else "broken")
    if "partner" in record:
        put("partner", None if record["partner"] is not None else (record["banker"] + 1) % seats)
        put("partner_trick", None if record["partner_trick"] is not None else 3)
        put("named", "4c")
    put("banker", (record["banker"] + 1) % seats)
    put("buried", record["buried"][1:])
    put("hands", record["hands"][1:] + record["hands"][:1])
    put("bottom", record["hands"][0][: len(record["bottom"])])
    put("tricks", record["tricks"][:-1])
    for name in ("winner", "leader", "points"):
        made["tricks " + name] = copy.deepcopy(record)
        entry = made["tricks " + name]["tricks"][2]
        entry[name] = (entry[name] + 1) % seats
    for position in range(seats):
        made[f"tricks cards {position}"] = copy.deepcopy(record)
        plays_ = made[f"tricks cards {position}"]["tricks"][1]["plays"]
        had = {*record["hands"][plays_[position]["seat"]], *record["bottom"]}
        foreign = next(face for face in FACES if face not in had)
        plays_[position]["cards"] = [*plays_[position]["cards"][1:], foreign]
    made["tricks order"] = copy.deepcopy(record)
    made["tricks order"]["tricks"][1]["plays"].reverse()
    made["tricks attempt"] = copy.deepcopy(record)
    first = made["tricks attempt"]["tricks"][0]["plays"][0]
    if first.pop("attempt", None) is None:
        first["attempt"] = first["cards"]
    return made


@pytest.mark.parametrize("game", [DWF, HW])
def test_tampering_is_found(game: str) -> None:
    for seed in range(6):
        record = random_record(game, seed)
        assert check_record(record) == []
        for name, bad in _tampered(record).items():
            assert check_record(bad), (seed, name)


CLAUSES: dict[str, str | dict[str, str]] = {
    "format": "record",
    "captured": {DWF: "DWF-14", HW: "HW-12"},
    "base": "DWF-8",
    "bid": "DWF-6",
    "result": "DWF-16",
    "penalties": "DWF-18",
    "payoffs": {DWF: "DWF-17", HW: "HW-14"},
    "grade": "HW-13",
    "direct": "HW-10",
    "tricks points": "COM-2",
    "tricks leader": "COM-18",
    "tricks attempt": "COM-10",
}


@pytest.mark.parametrize("game", [DWF, HW])
def test_tampering_is_named_by_its_clause(game: str) -> None:
    record = next(one for one in (random_record(game, seed) for seed in range(20)) if not one.get("solo"))
    made = _tampered(record)
    for name, clause in CLAUSES.items():
        if name in made:
            due = clause if isinstance(clause, str) else clause[game]
            assert due in {found[0] for found in check_record(made[name])}, name


@pytest.mark.parametrize("game", [DWF, HW])
def test_malformed_records_are_faults_and_never_raise(game: str) -> None:
    rng = random.Random(5)
    junk: list[Any] = [None, True, -1, 7, 10**12, 0.5, "", "As", "Zz", [], {}, [[]], ["As"] * 40, {"seat": 1}]
    bases = [random_record(game, seed) for seed in range(3)]
    for _ in range(400):
        record = copy.deepcopy(rng.choice(bases))
        spot: Any = record
        key: Any = rng.choice(list(record))
        while isinstance(spot[key], dict | list) and spot[key] and rng.random() < 0.8:
            spot = spot[key]
            key = rng.choice(list(spot)) if isinstance(spot, dict) else rng.randrange(len(spot))
        if rng.random() < 0.2:
            del spot[key]
        else:
            spot[key] = copy.deepcopy(rng.choice(junk))
        found = check_record(record)
        assert all(len(entry) == 3 and all(isinstance(part, str) for part in entry) for entry in found)
    empty: list[Any] = [[], {}, None]
    assert all(map(check_record, empty))
    assert DEFAULTS[game] == random_record(game, 0)["rules"]
