"""Auditing game records: against the oracle, on sound records and on records with one fact falsified.

By default some hundred records; `TUOLAJI_ACCEPTANCE=1 python -m pytest tests/test_audit*.py` falsifies 10,000 and
judges 10,000 sound ones.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from auditing import FULL, Found, as_line, hand_before, oracle_tricks
from tamper import WAYS, tampered

import tuolaji
from tuolaji import judge
from tuolaji.kernels._jit import JIT
from tuolaji.sim.audit import Auditor
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.replay import records

from naive import DWF, HW, check_record, effective_suit, random_record
from naive.play import follow_fault

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (DWF, {}),
    (DWF, {"forced_trump": "throw", "void_order": "by-level", "bottom_shape": "lead", "cascade": False}),
    (DWF, {"forced_trump_binds": "all", "bid_step": 5, "counter": False, "defender_throw_penalty": 2}),
    (DWF, {"forced_trump": "off", "points_king": 15, "bottom_multiplier": 4}),
    (HW, {}),
    (HW, {"cascade": True, "split_triples": False, "named_copies_min": 1, "base": 3}),
    (HW, {"cascade": True, "partner_loss_cap": 20}),
]
PLAYABLE = [game for game in (DWF, HW) if POLICIES[game]]


def variant_id(variant: object) -> str:
    return "-".join(map(str, variant.values())) if isinstance(variant, dict) else str(variant)


# --- sound records


@pytest.mark.nojit
@pytest.mark.parametrize(("game", "rules"), VARIANTS, ids=variant_id)
def test_sound_records_have_no_faults(auditor: Auditor, game: str, rules: dict[str, Any]) -> None:
    for seed in range(1500 if FULL else 15 if JIT else 3):
        record = random_record(game, seed, rules)
        assert tuolaji.audit(record) == []
        report = auditor.examine_line(as_line(record))
        assert (report.faults, report.unchecked) == ([], [])


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games")
@pytest.mark.parametrize("game", PLAYABLE)
def test_what_we_play_has_no_faults(auditor: Auditor, game: str) -> None:
    for policy in POLICIES[game]:
        for seed, contract in ((1, None), (2, {"banker": 1, "trump": "c", "bid": 150})):
            if contract and game == HW:
                del contract["bid"]
            plan = make_plan(game, policies=policy, seed=seed, contract=contract)
            for record in records(plan, 0, 1000 if FULL else 25):
                report = auditor.examine_line(as_line(record))
                assert (report.faults, report.unchecked) == ([], []), record["deal"]


def test_rules_of_the_record_are_those_that_count(auditor: Auditor) -> None:
    met: Counter[str] = Counter()
    for game, rules in VARIANTS:
        if rules:
            for seed in range(4):
                record = random_record(game, seed, rules)
                other = {**record, "rules": random_record(game, 0)["rules"]}
                assert bool(auditor.examine(other).faults) == bool(check_record(other))
                met[game] += bool(check_record(other))
    assert min(met.values()) > 2


# --- records with one fact falsified


def falsified(game: str, count: int, seed: int) -> Iterator[tuple[str, dict[str, Any], int | None, Found]]:
    """So many falsified records, each way in turn, proved faulty by the oracle: (way, record, trick, its faults)."""
    rng = random.Random(f"{game} {seed}")
    variants = [rules for name, rules in VARIANTS if name == game]
    kinds = sorted(WAYS[game])
    made = number = 0
    while made < count:
        base = random_record(game, seed + number, rng.choice(variants))
        number += 1
        assert check_record(base) == []
        for kind in rng.sample(kinds, min(len(kinds), count - made)):
            kind, record, trick = tampered(base, rng, kind)
            found = check_record(record)
            if found:
                made += 1
                yield kind, record, trick, found


@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_every_falsified_record_is_found_at_the_right_trick(auditor: Auditor, game: str) -> None:
    kinds: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    clauses: set[str] = set()
    for kind, record, trick, due in falsified(game, 5000 if FULL else 170, 10_000):
        found = auditor.examine_line(as_line(record)).faults
        assert found, (kind, due)
        assert found == auditor.examine(record).faults
        named = oracle_tricks(due)
        right = trick if trick in named else min(named, default=None)
        if trick is not None and right is not None:
            assert next(f.trick for f in found if f.trick is not None) == right, (kind, trick, due[:3], found)
        kinds[kind] += 1
        faults[kind] += len(found)
        clauses |= {fault.clause for fault in found}
        for fault in found:
            assert fault.reason
            assert fault.say("zh") != fault.reason
            assert fault.deal == record.get("deal")
    assert set(kinds) == set(WAYS[game])
    # One false fact is one fault, as a rule: a card exchanged between hands is two, a revoke shows twice.
    assert sum(faults.values()) < 1.25 * sum(kinds.values())
    common = {"COM-1", "COM-2", "COM-9", "COM-10", "COM-11", "COM-12", "COM-16", "COM-18", "record"}
    own = {"DWF-1", "DWF-3", "DWF-6", "DWF-8", "DWF-14", "DWF-15", "DWF-16", "DWF-17", "DWF-18"}
    if game == HW:
        own = {"HW-1", "HW-4", "HW-5", "HW-7", "HW-8", "HW-10", "HW-12", "HW-13", "HW-14"}
    assert common | own <= clauses


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_without_compilation_too(auditor: Auditor, game: str) -> None:
    for _kind, record, trick, due in falsified(game, 40, 20_000):
        found = auditor.examine_line(as_line(record)).faults
        assert found
        if trick is not None and trick in oracle_tricks(due):
            assert trick in {fault.trick for fault in found}


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_single_false_value_is_a_single_fault(auditor: Auditor, game: str) -> None:
    once = ["captured", "bottom_points", "defender_points", "payoffs", "winner", "points", "leader"]
    once += ["foreign card", "trump", "banker"]
    once += ["bid", "base", "result", "shutout", "penalties"] if game == DWF else ["grade", "direct", "solo"]
    rng = random.Random(5)
    for seed in range(8):
        record = random_record(game, seed + 300)
        for kind in once:
            bad = tampered(record, rng, kind).record
            if check_record(bad):
                found = auditor.examine(bad).faults
                assert len(found) == 1, (kind, seed, found)


@pytest.mark.slow
def test_a_fault_is_what_the_judge_says_of_the_play() -> None:
    clauses: Counter[str] = Counter()
    for game in (DWF, HW):
        for seed in range(12 if game == HW else 40):
            record, rng = random_record(game, seed + 500), random.Random(seed)
            for number, trick in enumerate(record["tricks"]):
                lead = trick["plays"][0]["cards"]
                index = rng.randrange(1, len(trick["plays"]))
                if len(lead) < 2 and rng.random() < 0.9:
                    continue
                seat = trick["plays"][index]["seat"]
                named = record.get("named") if _partner_unknown(record, number, index) else None
                named = None if seat == record["banker"] else named
                hand = hand_before(record, number, seat)
                led = effective_suit(game, record["trump"], lead[0])
                play = rng.sample(hand, len(hand))
                if rng.random() < 0.7:
                    play.sort(key=lambda card: effective_suit(game, record["trump"], card) != led)
                play = play[: len(lead)]
                rules = record["rules"]
                due = follow_fault(game, record["trump"], hand, lead, play, rules, named)
                if due is None:
                    continue
                bad = copy.deepcopy(record)
                bad["tricks"][number]["plays"][index]["cards"] = play
                first = next(f for f in tuolaji.audit(bad) if f.trick is not None)
                said = judge.follow(game, record["trump"], hand, lead, play, rules, named)
                assert said is not None
                assert (first.clause, first.reason) == (said.clause, said.reason)
                assert (first.clause, first.trick, first.seat) == (due[0], number, seat)
                clauses[first.clause] += 1
    assert {"COM-12", "COM-13", "DWF-11a", "DWF-11b", "DWF-11c", "DWF-11d"} <= set(clauses)


def test_hw_9_hiding_is_named() -> None:
    met = 0
    for seed in range(400):
        record = random_record(HW, seed)
        if record["solo"] or record["named"][0] not in "AK" or record["partner_trick"] == 0:
            continue
        seat, named, trump = record["partner"], record["named"], record["trump"]
        for number, trick in enumerate(record["tricks"][: record["partner_trick"]]):
            index = next(k for k, play in enumerate(trick["plays"]) if play["seat"] == seat)
            lead, play = trick["plays"][0]["cards"], trick["plays"][index]["cards"]
            if (
                index == 0
                or len(lead) > 1
                or effective_suit(HW, trump, play[0])
                in (
                    effective_suit(HW, trump, lead[0]),
                    "t",
                )
            ):
                continue  # fmt: skip
            bad = copy.deepcopy(record)
            bad["tricks"][number]["plays"][index]["cards"] = [named]
            if named not in hand_before(record, number, seat) or effective_suit(HW, trump, named) == "t":
                continue
            first = next(f for f in tuolaji.audit(bad) if f.trick is not None)
            assert (first.clause, first.trick, first.seat) == ("HW-9", number, seat)
            met += 1
            break
        if met == 4:
            return
    raise AssertionError("no such situation came up")


def _partner_unknown(record: dict[str, Any], number: int, index: int) -> bool:
    if record["game"] == DWF:
        return False
    before = [play for trick in record["tricks"][:number] for play in trick["plays"]]
    before += record["tricks"][number]["plays"][:index]
    return not any(play["seat"] != record["banker"] and record["named"] in play["cards"] for play in before)
