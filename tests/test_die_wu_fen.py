"""Calling, countering, bidding, burying and sessions of die-wu-fen (DWF-1, DWF-3 to DWF-8, DWF-19)."""

from __future__ import annotations

import random

import numpy as np
import pytest
import scripted
from helpers import cards_of, scaled
from scripted import BIDS, CALL_ANSWER, CALL_AT, COUNTER_ANSWER, COUNTER_AT, FROM_ATTEMPT

from tuolaji.kernels import die_wu_fen, rng, view
from tuolaji.sim.engine import Engine, encode_rules
from tuolaji.sim.plan import make_plan
from tuolaji.sim.rules import RuleSet

from naive import DWF, FACES
from naive import die_wu_fen as oracle
from naive.cards import of_suit

pytestmark = pytest.mark.nojit

SUITS = "shcd"
Moment = tuple[int, int]  # seat, cards it holds


def dealt(seed: int, deal: int, attempt: int = 0) -> list[str]:
    faces = np.array([k % 54 for k in range(108)], np.int64)
    rng.shuffle(faces, 108, rng.shuffle_plan(108).ravel(), seed, deal, attempt)
    return [FACES[int(face)] for face in faces]


def first_seat(seed: int, deal: int) -> int:
    own = np.zeros(view.OWN_SIZE, np.int64)
    return int(die_wu_fen.first_by_lot(own, seed, deal))


def threes(cards: list[str], seat: int, held: int, copies: int) -> list[str]:
    mine = cards[33 * seat : 33 * seat + held]
    return [card for card in ("3s", "3h", "3c", "3d") if mine.count(card) >= copies]


def moments(first: int) -> list[Moment]:
    """DWF-1, DWF-3: who is asked when, as long as nobody calls: after each card, then all once more."""
    turns = [((first + step) % 3, held) for held in range(1, 34) for step in range(3)]
    return turns + [((first + step) % 3, 33) for step in range(3)]


# --- DWF-3 to DWF-5: calls, counters, void deals


@pytest.mark.parametrize("counter", [True, False])
def test_dwf1_dwf3_dwf4_dwf5_who_is_asked_and_what_the_answers_do(counter: bool) -> None:
    """Random scripts: the caller's moment, then perhaps a counter's, after perhaps some void deals."""
    picker = random.Random(f"auction {counter}")
    met = {"last round": 0, "countered": 0, "late counter": 0, "pair": 0, "redealt": 0}
    for deal in range(scaled(600, 150)):
        void = picker.choice([0, 0, 0, 1, 2])
        cards, first = dealt(5, deal, void), first_seat(5, deal)
        asked = [moment for moment in moments(first) if threes(cards, *moment, 1)]
        at = picker.choice(
            [picker.randrange(len(asked)), picker.randrange(max(0, len(asked) - 4), len(asked))]
        )
        caller, held = asked[at]
        face = picker.choice(threes(cards, caller, held, 1))
        pair = face in threes(cards, caller, held, 2) and picker.random() < 0.5
        scripts = scripted.blank()
        scripts[:, FROM_ATTEMPT] = void
        scripts[caller, CALL_AT] = sum(seat == caller for seat, _ in asked[:at])
        scripts[caller, CALL_ANSWER] = SUITS.index(face[1]) + (5 if pair else 1)
        # DWF-4: everybody else, later in the deal, who holds a pair of 3s; then once more, after the caller
        place = [i for i, moment in enumerate(moments(first)) if threes(cards, *moment, 1)][at]
        later = [m for m in moments(first)[place + 1 : 99] if m[0] != caller]
        later += [((caller + step) % 3, 33) for step in (1, 2)]
        able = [moment for moment in later if threes(cards, *moment, 2)] if counter and not pair else []
        counterer, count_at = -1, len(able)
        if able and picker.random() < 0.6:
            count_at = picker.choice([picker.randrange(len(able)), len(able) - 1])
            counterer, counter_held = able[count_at]
            counter_face = picker.choice(threes(cards, counterer, counter_held, 2))
            scripts[counterer, COUNTER_AT] = sum(seat == counterer for seat, _ in able[:count_at])
            scripts[counterer, COUNTER_ANSWER] = SUITS.index(counter_face[1]) + 5
        opener = counterer if counterer >= 0 else caller
        scripts[opener, BIDS] = 200
        trace = scripted.engine(scripts, seed=5, overrides=[f"counter={str(counter).lower()}"]).trace(deal)

        row, pub = trace.row, trace.pub
        assert [FACES[int(f)] for f in trace.faces] == cards
        assert (row["redeals"], row["first_seat"]) == (void, first)  # DWF-5: the first seat stays
        assert (row["caller"], row["call_size"], row["call_after"]) == (caller, 1 + pair, held)
        assert (row["countered"], row["opener"], row["banker"]) == (int(counterer >= 0), opener, opener)
        assert SUITS[row["trump"]] == (counter_face[1] if counterer >= 0 else face[1])
        if counterer >= 0:
            assert (pub[view.COUNTERER], pub[view.COUNTER_AFTER]) == (counterer, counter_held)
        for seat in range(3):  # nobody was asked too often or passed over
            asked_for = [
                sum(s == seat for s, _ in asked[: at + 1]),
                sum(s == seat for s, _ in able[: count_at + 1]),
                int(seat == opener),
            ]
            assert trace.own[seat, view.MEMORY : view.MEMORY + 3].tolist() == asked_for
        met["last round"] += place >= 99
        met["late counter"] += counterer >= 0 and count_at >= len(able) - 2
        met["countered"] += counterer >= 0
        met["pair"] += pair
        met["redealt"] += void > 0
    assert all(met.values()) or not counter


def test_dwf1_thirty_three_cards_each_and_nine_to_the_bottom() -> None:
    trace = Engine(make_plan("dwf", policies="random", seed=3)).trace(0)
    cards = [FACES[int(face)] for face in trace.faces]
    assert sorted(cards) == sorted(list(FACES) * 2)
    left = {seat: sorted(cards[33 * seat : 33 * seat + 33]) for seat in range(3)}
    banker = trace.row["banker"]
    left[banker] = sorted(left[banker] + cards[99:])
    for number in range(trace.row["tricks"]):
        row = trace.pub[view.HISTORY + view.H_STRIDE * number :]
        for seat in range(3):
            for card in cards_of(trace.lay, row[view.H_PLAYS + 3 * seat : view.H_PLAYS + 3 * seat + 3]):
                left[seat].remove(card)
    # DWF-7: what the banker did not play lies buried, nine cards
    buried = cards_of(trace.lay, trace.own[banker, view.BURIED : view.BURIED + 3])
    assert len(buried) == 9 and left.pop(banker) == sorted(buried)
    assert not any(left.values())


# --- DWF-6: bidding


def opened(call_size: int, counterer: int) -> np.ndarray:
    pub = view.fresh_pub()
    pub[view.CALL_SIZE], pub[view.COUNTERER] = call_size, counterer
    return pub


def test_dwf6_every_bid_at_every_state_of_the_bidding() -> None:
    for rules in (
        {},
        {"bid_step": 5, "bid_max": 180},
        {"bid_step": 20, "opening_bid_single": 120, "opening_bid_pair": 140},
    ):
        rule_set = RuleSet.build(DWF, rules)
        lay = encode_rules(rule_set)[1]
        for pair, pub in ((False, opened(1, -1)), (True, opened(2, -1)), (True, opened(1, 2))):
            least = rule_set["opening_bid_pair" if pair else "opening_bid_single"]
            assert die_wu_fen.opening_bid(pub, lay) == least
            grid = [bid for bid in range(least, rule_set["bid_max"] + 1) if bid % rule_set["bid_step"] == 0]
            assert [bid for bid in range(300) if not die_wu_fen.bid_fault(pub, lay, bid)] == grid
            for highest in grid[:: scaled(1, 4) if scaled(100) < 100 else 1]:
                pub[view.BIDS], pub[view.BID] = 1, highest
                allowed = [0] + [bid for bid in grid if bid > highest]
                assert [bid for bid in range(300) if not die_wu_fen.bid_fault(pub, lay, bid)] == allowed


def test_dwf6_turns_passes_and_the_end_of_the_bidding() -> None:
    """Random bids and passes; the log has to be what the clause lets come about, and the oracle agrees."""
    picker = random.Random(8)
    ends = {"two passed": 0, "at the top": 0}
    for deal in range(scaled(600, 80)):
        cards, first = dealt(6, deal), first_seat(6, deal)
        asked = [moment for moment in moments(first) if threes(cards, *moment, 1)]
        caller, held = asked[0]
        pair = bool(threes(cards, caller, held, 2))
        face = threes(cards, caller, held, 2 if pair else 1)[0]
        scripts = scripted.blank()
        scripts[caller, CALL_AT], scripts[caller, CALL_ANSWER] = 0, SUITS.index(face[1]) + (5 if pair else 1)
        turn, bid, passed, log = caller, picker.choice([110, 120, 150] if not pair else [120, 190]), set(), []
        spoken = [0, 0, 0]
        while True:
            if turn not in passed:
                if log:
                    raised = bid + 10 * picker.choice([1, 1, 2, 4])
                    bid, spoke = (raised, raised) if picker.random() < 0.7 and raised <= 200 else (bid, 0)
                else:
                    spoke = bid
                scripts[turn, BIDS + spoken[turn]] = spoke
                spoken[turn] += 1
                log.append({"seat": turn, "bid": spoke or None})
                if spoke == 0:
                    passed.add(turn)
                if spoke == 200 or len(passed) == 2:
                    break
            turn = (turn + 1) % 3
        assert oracle.bid_faults(log, caller, pair, {}) == []
        trace = scripted.engine(scripts, seed=6, overrides=["counter=false"]).trace(deal)
        entries = [
            divmod(int(e), 1024) for e in trace.pub[view.BID_LOG : view.BID_LOG + trace.pub[view.BIDS]]
        ]
        assert [{"seat": seat, "bid": spoke or None} for seat, spoke in entries] == log
        highest = max((entry for entry in log if entry["bid"]), key=lambda entry: entry["bid"])
        assert (trace.row["banker"], trace.row["bid"]) == (highest["seat"], highest["bid"])
        assert trace.row["bids_made"] == sum(entry["bid"] is not None for entry in log)
        assert trace.row["base"] == (trace.row["bid"] - 100) // 10  # DWF-8
        assert SUITS[trace.row["trump"]] == face[1]  # trump stays
        ends["at the top" if log[-1]["bid"] == 200 else "two passed"] += 1
    assert all(ends.values())


@pytest.mark.parametrize(("answer", "logged"), [(0, 110), (100, 110), (115, 110), (210, 110), (120, 120)])
def test_dwf6_the_opener_must_bid(answer: int, logged: int) -> None:
    # a policy that answers what is not allowed: the opener bids the least there is, others pass
    for deal in range(40):
        cards, first = dealt(9, deal), first_seat(9, deal)
        caller, held = next(moment for moment in moments(first) if threes(cards, *moment, 1))
        if threes(cards, caller, held, 2):
            continue
        scripts = scripted.blank()
        scripts[caller, CALL_AT] = 0
        scripts[caller, CALL_ANSWER] = SUITS.index(threes(cards, caller, held, 1)[0][1]) + 1
        scripts[:, BIDS] = answer
        trace = scripted.engine(scripts, seed=9, overrides=["counter=false"]).trace(deal)
        entries = [
            divmod(int(e), 1024)[1] for e in trace.pub[view.BID_LOG : view.BID_LOG + trace.pub[view.BIDS]]
        ]
        assert entries == [logged, 0, 0]
        return


# --- DWF-7: the bottom


def test_dwf7_the_banker_takes_the_bottom_and_its_trumps_are_counted() -> None:
    engine = Engine(make_plan("dwf", policies="random", seed=11))
    for deal in range(scaled(200)):
        trace = engine.trace(deal)
        cards = [FACES[int(face)] for face in trace.faces]
        banker, trump = trace.row["banker"], SUITS[trace.row["trump"]]
        mine = of_suit(DWF, trump, cards[33 * banker : 33 * banker + 33] + cards[99:], "t")
        assert trace.row["banker_trumps"] == len(mine)
        assert trace.row["banker_trump_pairs"] == sum(mine.count(card) == 2 for card in {*mine})
        assert trace.pub[view.HISTORY + view.H_LEADER] == banker  # and leads


# --- DWF-19: who is first


def test_dwf19_single_deals_draw_the_first_seat_by_lot() -> None:
    seats = [first_seat(1, deal) for deal in range(scaled(3000, 600))]
    assert all(abs(seats.count(seat) - len(seats) / 3) < 5 * (len(seats) * 2 / 9) ** 0.5 for seat in range(3))
    engine = Engine(make_plan("dwf", policies="random", seed=1))
    assert engine.play(0, 40)["first_seat"].tolist() == seats[:40]


@pytest.mark.parametrize("session", [2, 5])
def test_dwf19_in_a_session_the_last_banker_is_first(session: int) -> None:
    engine = Engine(make_plan("dwf", policies="random", seed=2, session=session))
    rows = engine.play(0, 40)
    for deal in range(40):
        if deal % session:
            assert rows["first_seat"][deal] == rows["banker"][deal - 1]
        else:
            assert rows["first_seat"][deal] == first_seat(2, deal)
