"""Audits of records that lack something, and of what is no record."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest
from auditing import FULL, oracle_tricks
from tamper import tampered

import tuolaji
from tuolaji.sim.audit import Auditor

from naive import DWF, FACES, HW, check_record, effective_suit, random_record
from naive.cards import PACKS

# --- records that lack something


@pytest.mark.parametrize("game", [DWF, HW])
def test_missing_keys_are_named_and_are_no_faults(auditor: Auditor, game: str) -> None:
    for seed in range(40 if FULL else 6):
        record = random_record(game, seed + 700)
        rng = random.Random(seed)
        keys = [key for key in record if key != "game"]
        for key in keys:
            report = auditor.examine({name: value for name, value in record.items() if name != key})
            assert (key, report.faults) == (key, [])
            assert report.unchecked == ([] if key == "format" else [key])
        for _ in range(15):
            some = copy.deepcopy(record)
            for key in rng.sample(keys, rng.randint(1, len(keys) - 1)):
                del some[key]
            for trick in some.get("tricks", []):
                for key in ("leader", "winner", "points"):
                    if rng.random() < 0.2:
                        del trick[key]
                for play in trick["plays"]:
                    if rng.random() < 0.1:
                        del play["seat"]
            report = auditor.examine(some)
            assert report.faults == [], (sorted(some), report.faults)
            assert set(keys) - set(some) - {"format"} <= set(report.unchecked)


@pytest.mark.parametrize("game", [DWF, HW])
def test_what_is_left_is_still_judged(auditor: Auditor, game: str) -> None:
    """Hands that a record does not tell follow from what is played later: a revoke shows all the same."""
    found = 0
    for seed in range(15):
        record = random_record(game, seed + 900)
        _, bad, number = tampered(record, random.Random(seed), "revoke")
        if number is None or number not in oracle_tricks(check_record(bad)):
            continue
        for key in ("hands", "bottom", "calls", "bids", "reveal", "previous_banker"):
            bad.pop(key, None)
        found += number in {fault.trick for fault in auditor.examine(bad).faults}
    assert found > 6


@pytest.mark.parametrize("game", [DWF, HW])
def test_com_1_cards_that_cannot_be_there_show_without_hands(auditor: Auditor, game: str) -> None:
    for seed in range(12):
        record = copy.deepcopy(random_record(game, seed + 40))
        for key in ("hands", "bottom", "calls", "bids", "reveal", "previous_banker", "named", "partner"):
            record.pop(key, None)
        plays = [(number, play) for number, trick in enumerate(record["tricks"]) for play in trick["plays"]]
        number, last = plays[-1]
        seen = Counter(card for _, play in plays for card in play["cards"])
        suit = effective_suit(game, record["trump"], last["cards"][0])
        full = [
            face
            for face, copies in seen.items()
            if copies == PACKS[game]
            and face not in last["cards"]
            and effective_suit(game, record["trump"], face) == suit
        ]
        if not full:
            continue
        last["cards"][0] = full[0]
        faults = auditor.examine(record).faults
        assert ("COM-1", number) in {(fault.clause, fault.trick) for fault in faults}


def test_com_9_the_banker_plays_what_it_has_even_if_it_does_not_say_what_it_buried(auditor: Auditor) -> None:
    for game in (DWF, HW):
        record = copy.deepcopy(random_record(game, 5))
        buried = record.pop("buried")
        assert auditor.examine(record).faults == []
        banker = record["banker"]
        had = {*record["hands"][banker], *record["bottom"], *buried}
        number, play = next(
            (number, play)
            for number, trick in enumerate(record["tricks"])
            for play in trick["plays"]
            if play["seat"] == banker
        )
        play["cards"][0] = next(
            face
            for face in FACES
            if face not in had
            and effective_suit(game, record["trump"], face)
            == effective_suit(game, record["trump"], play["cards"][0])
        )
        faults = auditor.examine(record).faults
        assert ("COM-9", number, banker) in {(fault.clause, fault.trick, fault.seat) for fault in faults}


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_deal_cut_short_is_a_fault_and_judged_so_far(auditor: Auditor, game: str) -> None:
    record = copy.deepcopy(random_record(game, 11))
    record["tricks"] = record["tricks"][:5]
    faults = auditor.examine(record).faults
    assert [fault.where for fault in faults] == ["tricks"]
    assert "the play ends after 5 tricks" in faults[0].reason
    record["tricks"][2]["points"] += 5
    assert [fault.where for fault in auditor.examine(record).faults] == ["tricks[2].points", "tricks"]


# --- records that are none


@pytest.mark.parametrize("game", [DWF, HW])
def test_malformed_records_are_faults_with_a_place(auditor: Auditor, game: str) -> None:
    rng = random.Random(5)
    junk: list[Any] = [
        None,
        True,
        -1,
        7,
        10**12,
        10**400,
        0.5,
        1e300,
        float("nan"),
        "",
        "As",
        "Zz",
        [],
        {},
        [[]],
    ]
    junk += [["As"] * 40, {"seat": 1}, {"seat": 1, "cards": ["As"]}, "x" * 5000, [None] * 50]
    bases = [random_record(game, seed) for seed in range(3)]
    for _ in range(4000 if FULL else 300):
        record = copy.deepcopy(rng.choice(bases))
        for _ in range(rng.choice([1, 1, 2, 5])):
            spot: Any = record
            key: Any = rng.choice(list(record))
            while isinstance(spot[key], dict | list) and spot[key] and rng.random() < 0.8:
                spot = spot[key]
                key = rng.choice(list(spot)) if isinstance(spot, dict) else rng.randrange(len(spot))
            if rng.random() < 0.2 and not (spot is record and len(record) == 1):
                del spot[key]
            else:
                spot[key] = copy.deepcopy(rng.choice(junk))
            if not record:
                break
        report = auditor.examine(record)
        for fault in report.faults:
            assert fault.clause and fault.reason and fault.where is not None
            assert len(fault.reason) < 700
            assert "\n" not in fault.reason
    for nothing in (None, 3, "x", [], {}, {"game": 5}, {"game": DWF}, {"game": HW, "tricks": []}):
        assert isinstance(tuolaji.audit(nothing), list)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [True, 1.5, "1", None])
def test_numbers_of_another_kind_do_not_pass(auditor: Auditor, value: Any) -> None:
    record = random_record(DWF, 1)
    for key in ("banker", "bid", "first_seat"):
        (fault,) = [f for f in auditor.examine({**record, key: value}).faults if f.where == key]
        assert fault.clause == "record"
    bad = copy.deepcopy(record)
    bad["rules"]["cascade"] = value if value is not True else 1
    (fault,) = auditor.examine(bad).faults
    assert (fault.where, fault.clause) == ("rules", "record")
