"""What an audit says of a fault, in words that a player understands."""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import Any

from auditing import hand_before

import tuolaji
from tuolaji.sim.fault import Fault

from naive import DWF, check_record, effective_suit, random_record

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
                hand = hand_before(record, number, play["seat"])
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
