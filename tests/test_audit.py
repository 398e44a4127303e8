"""Auditing game records: against the oracle, on sound records and on records with one fact falsified.

By default some hundred records; `TUOLAJI_ACCEPTANCE=1 python -m pytest tests/test_audit.py` falsifies 10,000 and judges
10,000 sound ones.
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tamper import WAYS, tampered

import tuolaji
from tuolaji import judge
from tuolaji.kernels._jit import JIT
from tuolaji.sim.audit import Auditor
from tuolaji.sim.fault import Fault
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.replay import records

from naive import DWF, FACES, HW, check_record, effective_suit, random_record
from naive.cards import PACKS, without
from naive.play import follow_fault

FULL = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))
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
Found = list[tuple[str, str, str]]


@pytest.fixture(scope="module")
def auditor() -> Auditor:
    return Auditor()


def as_line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


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


def oracle_tricks(found: Found) -> list[int]:
    """The tricks in which the oracle sees faults."""
    return [int(match[1]) for _, where, _ in found if (match := re.match(r"trick (\d+)", where))]


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
                hand = _hand_before(record, number, seat)
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
            if named not in _hand_before(record, number, seat) or effective_suit(HW, trump, named) == "t":
                continue
            first = next(f for f in tuolaji.audit(bad) if f.trick is not None)
            assert (first.clause, first.trick, first.seat) == ("HW-9", number, seat)
            met += 1
            break
        if met == 4:
            return
    raise AssertionError("no such situation came up")


def _hand_before(record: dict[str, Any], number: int, seat: int) -> list[str]:
    hand = list(record["hands"][seat])
    if seat == record["banker"]:
        hand = without(hand + record["bottom"], record["buried"]) or []
    for trick in record["tricks"][:number]:
        for play in trick["plays"]:
            if play["seat"] == seat:
                hand = without(hand, play["cards"]) or []
    return hand


def _partner_unknown(record: dict[str, Any], number: int, index: int) -> bool:
    if record["game"] == DWF:
        return False
    before = [play for trick in record["tricks"][:number] for play in trick["plays"]]
    before += record["tricks"][number]["plays"][:index]
    return not any(play["seat"] != record["banker"] and record["named"] in play["cards"] for play in before)


# --- the sentences


def altered(game: str, seed: int, change: Any) -> list[Fault]:
    record = copy.deepcopy(random_record(game, seed))
    change(record)
    return tuolaji.audit({**record, "deal": 7})


def test_dwf_11_a_player_reads_which_trumps_were_due() -> None:
    """DWF-11d: void, a pair or tractor led: the sentence names the trumps that had to be played."""
    met = 0
    for seed in range(400):
        record = random_record(DWF, seed)
        for number, trick in enumerate(record["tricks"]):
            lead = trick["plays"][0]["cards"]
            led = effective_suit(DWF, record["trump"], lead[0])
            for index, play in enumerate(trick["plays"][1:], start=1):
                hand = _hand_before(record, number, play["seat"])
                suits = Counter(effective_suit(DWF, record["trump"], card) for card in hand)
                if led == "t" or suits[led] or len(lead) != 2 or len({*lead}) > 1 or suits["t"] <= 2:
                    continue
                others = [card for card in hand if effective_suit(DWF, record["trump"], card) != "t"]
                if len(others) < 2:
                    continue
                bad = copy.deepcopy(record)
                bad["tricks"][number]["plays"][index]["cards"] = others[:2]
                fault = next(f for f in tuolaji.audit(bad) if f.trick == number)
                assert fault.clause == "DWF-11d"
                assert fault.reason.startswith(
                    f"void in {'♠♥♣♦'['shcd'.index(led)]}, and a pair was led: the highest"
                )
                assert fault.say("zh").startswith(f"{'♠♥♣♦'['shcd'.index(led)]} 缺门，首出的是对子：须垫")
                met += 1
        if met >= 5:
            return
    raise AssertionError("no such situation came up")


def test_sentences_name_what_a_player_needs() -> None:
    def trump(record: dict[str, Any]) -> None:
        record["trump"] = next(suit for suit in "shcd" if suit != record["trump"])

    (fault,) = altered(DWF, 3, trump)
    assert re.fullmatch(r"3[shcd]( 3[shcd])? made [♠♥♣♦] trump, not [♠♥♣♦]", fault.reason)
    assert (fault.clause, fault.where, fault.deal, fault.trick, fault.seat) == (
        "DWF-4",
        "trump",
        7,
        None,
        None,
    )

    def winner(record: dict[str, Any]) -> None:
        record["tricks"][0]["winner"] = (record["tricks"][0]["winner"] + 1) % 3

    (fault,) = altered(DWF, 3, winner)
    assert (fault.clause, fault.where, fault.trick) == ("COM-16", "tricks[0].winner", 0)
    assert re.fullmatch(r"seat \d wins the trick with .+, not seat \d", fault.reason)
    assert re.fullmatch(r"本轮由\d号位以 .+ 赢得，而不是\d号位", fault.say("zh"))

    def payoffs(record: dict[str, Any]) -> None:
        record["payoffs"][0] += 1

    (fault,) = altered(DWF, 3, payoffs)
    assert fault.clause == "DWF-17"
    assert re.fullmatch(r"the payoffs must be (-?\d+, ){2}-?\d+, not (-?\d+, ){2}-?\d+", fault.reason)

    def hand(record: dict[str, Any]) -> None:
        record["hands"][1][0] = "BJ" if record["hands"][1][0] != "BJ" else "SJ"

    (fault,) = altered(DWF, 3, hand)
    assert fault.clause == "COM-1"
    assert "3 times" in fault.reason
    assert "but 2 packs have each card twice" in fault.reason

    def short(record: dict[str, Any]) -> None:
        record["hands"][2].pop()

    (fault,) = altered(DWF, 3, short)
    assert fault.reason == "the hand of seat 2 has 32 cards instead of 33"
    assert (fault.clause, fault.where, fault.seat) == ("DWF-1", "hands[2]", 2)


def test_a_throw_that_should_have_failed_says_who_holds_what() -> None:
    met = 0
    for seed in range(60):
        record = random_record(DWF, seed)
        for number, trick in enumerate(record["tricks"]):
            if "attempt" in trick["plays"][0]:
                bad = copy.deepcopy(record)
                lead = bad["tricks"][number]["plays"][0]
                forced = lead["cards"]
                lead["cards"] = lead.pop("attempt")
                fault = tuolaji.audit(bad)[0]
                assert (fault.clause, fault.trick) == ("COM-10", number)
                assert f": {' '.join(forced)} must be played" in fault.reason
                assert re.search(r"fails, as seat \d (holds [\w ]+|can beat it):", fault.reason)
                met += 1
                break
    assert met > 10


def test_another_trump_suit_is_recognised_where_nobody_called() -> None:
    met = 0
    for seed in range(10):
        record = copy.deepcopy(random_record(DWF, seed))
        record |= {"contract": True, "calls": [], "bids": []}
        if check_record(record):
            continue
        record["trump"] = "shcd"[("shcd".index(record["trump"]) + 1) % 4]
        (fault,) = tuolaji.audit(record)
        assert (fault.where, fault.clause) == ("trump", "record")
        assert "the play is full of faults" in fault.reason
        met += 1
    assert met > 3


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


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_numbers_of_another_kind_do_not_pass(auditor: Auditor, value: Any) -> None:
    record = random_record(DWF, 1)
    for key in ("banker", "bid", "first_seat"):
        (fault,) = [f for f in auditor.examine({**record, key: value}).faults if f.where == key]
        assert fault.clause == "record"
    bad = copy.deepcopy(record)
    bad["rules"]["cascade"] = value if value is not True else 1
    (fault,) = auditor.examine(bad).faults
    assert (fault.where, fault.clause) == ("rules", "record")


# --- the two ways of reading


def readings(auditor: Auditor, text: bytes) -> tuple[Any, Any]:
    """What the kernel and what Python makes of a text; None where it is not read."""
    from tuolaji.sim.audit.read import read
    from tuolaji.sim.records_file import parse_json

    fast = auditor._reader.read(text)
    if fast is None:
        return None, None
    slow = read(parse_json(text))

    def plain(reading: Any) -> Any:
        tricks = reading.tricks
        values = {key: value for key, value in reading.values.items() if key not in ("seed", "deal")}
        lists = tricks.stream, tricks.seats, tricks.leaders, tricks.winners, tricks.points, tricks.failed
        return reading.game, reading.ruling.rules, values, lists, tricks.last, reading.faults, reading.missing

    return plain(fast), plain(slow)


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_the_kernel_reads_what_python_reads(auditor: Auditor, game: str) -> None:
    for seed in range(20 if JIT else 4):
        record = random_record(game, seed)
        layouts: list[dict[str, Any]] = [
            {},
            {"separators": (",", ":")},
            {"indent": 1},
            {"separators": (" , ", "\t:\r")},
        ]
        for options in layouts:
            fast, slow = readings(auditor, json.dumps(record, **options).encode() + b" \n")
            assert fast is not None
            assert fast == slow
        shuffled = dict(random.Random(seed).sample([*record.items()], len(record)))
        fast, slow = readings(auditor, as_line({"game": game, **shuffled}))
        assert fast == slow


@pytest.mark.parametrize("game", [DWF, HW])
def test_what_the_kernel_reads_of_damaged_text_is_right_or_nothing(auditor: Auditor, game: str) -> None:
    rng = random.Random(3)
    bases = [as_line(random_record(game, seed)) for seed in range(4)]
    pieces = [
        b"",
        b" ",
        b"0",
        b"1",
        b"-",
        b".",
        b"e",
        b'"',
        b",",
        b":",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\\",
        b"\0",
        b"\xff",
    ]
    pieces += [b"null", b"true", b'"As"', b"[]", b"\xe2\x99\xa0", b"00", b"1.0", b'"seat":0,', b"9999999999"]
    read = 0
    for _ in range(60_000 if FULL else 3000):
        text = bytearray(rng.choice(bases))
        for _ in range(rng.choice([1, 1, 2, 3])):
            at = rng.randrange(len(text))
            text[at : at + rng.choice([0, 1, 1, 2, 5])] = rng.choice(pieces)
        fast, slow = readings(auditor, bytes(text))
        assert fast == slow, bytes(text)
        read += fast is not None
    assert read > 40
    for text in bases:
        for cut in range(0, len(text), 1 if FULL else 37):
            assert readings(auditor, text[:cut]) == (None, None)
