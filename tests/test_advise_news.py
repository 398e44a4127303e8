"""`tuolaji advise --news`: its worlds are real deals in which the news came about.

Real deals are dealt with the same hand held, as `simulate --hold` does, and played by the policies; those are kept in
which the calls, counters, reveals and bids were the news. `TUOLAJI_ACCEPTANCE=1` plays so many that a tenth of a point
would show.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from test_advise import DWF, HW, HW_STRONG, HW_WEAK, WEAK, one_world, stand, traces

from tuolaji.kernels import view
from tuolaji.sim.advise import Known, ask, run
from tuolaji.sim.advise_result import Advice
from tuolaji.sim.cards import parse_cards
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.given import make_given
from tuolaji.sim.plan import Plan, make_plan

FULL = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))
MIDDLING = (
    "BJ SJ 2h 2s Ah Kh Qh Jh Th 9h 9h 5h As As Ks 9s 8s Ac Kc Kc Qc Jc 7c 6c 5c Ad Ad Kd Qd 9d 6d 4d 4c"
)
THREES = "BJ SJ 3h 3s 2h 2s Ah Ah Kh Qh Jh Th 9h 9h 5h As As Ks 9s 8s Ac Kc Kc Qc 7c 6c Ad Ad Kd Qd 9d 6d 4d"
CLUBS = "BJ SJ 3c 2c 2s Ac Ac Kc Qc Jc Tc 9c 9c 5c As As Ks 9s 8s Ah Kh Kh Qh 7h 6h Ad Ad Kd Qd 9d 6d 4d 8d"
PAIR = "3d 3d BJ SJ 2h Ad Kd Kd Qd Jd 9d 8d 6d As As Ks 9s 8s Ah Kh Kh Qh 7h 6h Ac Ac Kc Qc 9c 6c 4c 8c 5s"
LOW = "4h 6h 7h 4s 4s 6s 7s 7s 8s 9s Js 4c 4c 6c 6c 7c 8c 9c Jc Jc 4d 4d 6d 7d 7d 8d 9d Jd Qd Qs Qc 8h 5d"
MIXED = HW_STRONG.replace("5h 5h 5h BJ BJ SJ SJ", "5h 6h 7h BJ SJ 8h 9h")
TUTORIAL = (
    "BJ 3c 3s 3d 2c 2h Ac Kc Kc Qc Jc Tc 5c 4c 4c Qs 7s 6s 6s 4s 4s Qh 8h Ad Kd Kd Qd Td 9d 9d 8d 6d 4d"
)


@dataclass(frozen=True)
class Case:
    """News of a game: what is asked, and how many real deals are dealt for it, by default and in full."""

    game: str
    hand: str
    seat: int
    words: dict[str, Any]
    deals: tuple[int, int]
    policies: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()

    def known(self, *, news: bool = True) -> Known:
        return Known(self.hand, self.seat, news=news, **self.words)


def situation(case: Case, *, news: bool = True, **more: Any) -> Any:
    return ask(case.game, case.known(news=news), policies=case.policies, overrides=case.overrides, **more)


def happened(case: Case, asked: Any, trace: Trace) -> bool:
    """Whether the news is what happened in a real deal."""
    pub, fields = trace.pub, asked.situation.fields
    if fields["FIRST"] >= 0 and trace.row["first_seat"] != fields["FIRST"]:
        return False
    low, high = fields["CALL_LOW"], fields["CALL_HIGH"]
    if case.game == HW:
        if case.known().pressed or trace.row["pressed"]:
            return bool(case.known().pressed and trace.row["pressed"] and trace.row["banker"] == case.seat)
        same = trace.row["banker"] == case.seat and trace.row["trump"] == fields["TRUMP"]
        return bool(same and low <= trace.row["reveal_after"] <= high)
    for name in ("CALLER", "CALL_SIZE", "CALL_SUIT", "COUNTERER"):
        if pub[getattr(view, name)] != fields[name]:
            return False
    if not low <= pub[view.CALL_AFTER] <= high:
        return False
    if fields["COUNTERER"] >= 0:
        if pub[view.COUNTER_SUIT] != fields["COUNTER_SUIT"]:
            return False
        if not fields["COUNTER_LOW"] <= pub[view.COUNTER_AFTER] <= fields["COUNTER_HIGH"]:
            return False
    log = asked.situation.log
    return list(pub[view.BID_LOG : view.BID_LOG + len(log)]) == list(log) and pub[view.BIDS] >= len(log)


def held_deals(case: Case, asked: Any, count: int, seed: int) -> Iterator[tuple[Trace, Plan]]:
    """Real deals with the same cards held in which the news came about."""
    plan = make_plan(case.game, seed=seed, policies=list(case.policies), overrides=list(case.overrides))
    holds = [f"{case.seat}:{case.hand}"]
    bottom = case.words.get("bottom")
    given = make_given(plan.game, plan.rules, None, [*holds, *([f"bottom:{bottom}"] if bottom else [])], [])
    engine = Engine(replace(plan, given=given))
    columns, fields = engine.play(0, count), asked.situation.fields
    may = np.ones(count, bool)
    if case.game == DWF:
        may &= (columns["caller"] == fields["CALLER"]) & (columns["trump"] == fields["TRUMP"])
    else:
        may &= (columns["banker"] == case.seat) & (columns["trump"] == fields["TRUMP"])
    for deal in np.flatnonzero(may):
        trace = engine.trace(int(deal))
        if happened(case, asked, trace):
            yield trace, plan


def chosen(case: Case, asked: Any, trace: Trace) -> int:
    """What the hand's own policy did in a real deal, as the answer of one of the choices."""
    pub, phase = trace.pub, asked.situation.phase
    if phase == "bid":
        seat, bid = divmod(int(pub[view.BID_LOG + len(asked.situation.log)]), 1024)
        assert seat == case.seat
        return bid
    if phase == "counter":
        return int(pub[view.COUNTER_SUIT]) + 5 if pub[view.COUNTERER] == case.seat else 0
    return int(trace.row["named"]) if phase == "name" else 0


def placed(case: Case, asked: Any) -> float:
    """How many copies of the 3s shown lie, in the mean, where worlds are dealt with one each."""
    fields, hand, chance = asked.situation.fields, parse_cards(case.hand), 1.0
    bottom = parse_cards(case.words.get("bottom", ""))
    unseen = 108 - len(hand) - len(bottom)
    if case.game == DWF and fields["FIRST"] >= 0:
        chance = 1 / 3
    for who, suit, high in (
        ("COUNTERER", "COUNTER_SUIT", "COUNTER_HIGH"),
        ("CALLER", "CALL_SUIT", "CALL_HIGH"),
    ):
        if case.game == HW or fields[who] in (-1, case.seat):
            continue
        copies = 2 - [*hand, *bottom].count(13 * fields[suit] + 1)
        if who == "COUNTERER" or fields["CALL_SIZE"] == 2:
            chance *= fields[high] * (fields[high] - 1) / (unseen * (unseen - 1))
            unseen -= 2
        else:
            chance *= copies * fields[high] / unseen
            unseen -= 1
    return chance


C = {"trump": "c"}
BOTTOM = "Qs Js Jh Th 4h Qd Td 8c 7c"
CASES = {
    "the tutorial": Case(DWF, TUTORIAL, 2, {**C, "revealed": ("1:3c",), "bids": "1:110"}, (20_000, 400_000)),
    "one 3": Case(DWF, MIDDLING, 2, {**C, "revealed": ("1:3c",), "bids": "1:110"}, (16_000, 300_000)),
    "one 3, with 22 cards": Case(
        DWF, MIDDLING, 0, {**C, "revealed": ("1:3c@22",), "bids": "1:110 2:pass"}, (20_000, 400_000)
    ),
    "one 3 early, first seat told": Case(
        DWF, THREES, 2, {**C, "revealed": ("1:3c@3-9",), "bids": "1:110", "first_seat": 1}, (40_000, 400_000)
    ),
    "3s of its own it would have called": Case(
        DWF, THREES, 0, {**C, "revealed": ("1:3c",), "bids": "1:110 2:pass"}, (12_000, 300_000)
    ),
    "a raise": Case(DWF, LOW, 0, {**C, "revealed": ("1:3c",), "bids": "1:110 2:120"}, (30_000, 400_000)),
    "a pair": Case(
        DWF, MIDDLING, 2, {**C, "revealed": ("1:3c 3c",), "bids": "1:120"}, (20_000, 400_000)
    ),
    "a counter": Case(
        DWF, MIDDLING, 0, {"trump": "d", "revealed": ("1:3c", "2:3d 3d"), "bids": "2:120"}, (40_000, 400_000)
    ),
    "a counter before the end": Case(
        DWF, MIDDLING, 0, {"trump": "d", "revealed": ("1:3c", "2:3d 3d@10-32"), "bids": "2:120"}, (40_000, 400_000),
        ("greedy", "0=expert"),
    ),
    "not to counter": Case(DWF, PAIR, 0, {**C, "revealed": ("1:3c",)}, (20_000, 400_000)),
    "what to bury": Case(
        DWF, CLUBS, 0, {**C, "revealed": ("0:3c",), "bids": "0:110 1:pass 2:pass", "bottom": BOTTOM}, (12_000, 200_000)
    ),
    "what to bury after a call with 5 cards": Case(
        DWF, CLUBS, 0, {**C, "revealed": ("0:3c@5",), "bids": "0:110 1:pass 2:pass", "bottom": BOTTOM},
        (40_000, 400_000),
    ),
    "others who bid by lot": Case(
        DWF, MIDDLING, 2, {**C, "revealed": ("1:3c",), "bids": "1:130"}, (30_000, 400_000), ("bidding=random",)
    ),
    "its own reveal": Case(
        HW, MIXED, 2, {"revealed": ("2:2s",), "bottom": "4c 6c 7c 8c 4d 6d 7d"}, (2_000, 100_000)
    ),
    "its own reveal with 9 cards": Case(
        HW, MIXED, 2, {"revealed": ("2:2s@9",), "bottom": "4c 6c 7c 8c 4d 6d 7d"}, (8_000, 200_000)
    ),
    "a pressed banker": Case(
        HW, HW_WEAK.replace("2s", "As"), 3,
        {"trump": "h", "pressed": True, "bottom": "2h 2h 2h 2c 2c 2d 2d"}, (20_000, 400_000),
    ),
}  # fmt: skip
#: Where the hand's own policy might have done otherwise, or a raise counts that would go as high: no share to compare.
FREE = (
    "what to bury after a call with 5 cards", "others who bid by lot", "not to counter", "its own reveal with 9 cards",
    "a pressed banker",
)  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_worlds_that_agree_are_real_deals_in_which_the_news_came_about(name: str) -> None:
    case = CASES[name]
    deals = case.deals[FULL]
    asked = situation(case, fixed=20_000 if FULL else 1_000, seed=11)
    found, real, first = run(asked), dict[int, list[int]](), 0
    for trace, _ in held_deals(case, asked, deals, 12):
        first += trace.row.get("redeals", 0) == 0
        real.setdefault(chosen(case, asked, trace), []).append(trace.row[f"payoff_{case.seat}"])
    compared = 0
    for option in found.options:
        payoffs = np.array(real.get(option.choice.answer, []), float)
        if len(payoffs) >= 50:
            compared += 1
            assert option.payoff.value is not None and option.payoff.error is not None
            error = sqrt(option.payoff.error**2 + payoffs.var() / len(payoffs))
            assert abs(option.payoff.value - payoffs.mean()) < 4 * error
    assert compared
    if name in FREE:
        return
    chance = found.worlds / found.tried * placed(case, asked)
    error = chance * sqrt(1 / found.worlds + 1 / first)
    assert abs(chance - first / deals) < 4 * error


@pytest.mark.parametrize(("game", "hand"), [(DWF, WEAK), (HW, HW_WEAK)])
def test_others_are_as_silent_as_in_real_deals(game: str, hand: str) -> None:
    """The first 15 cards of a hand that waits for more."""
    me, cards = 2, 15
    known = Known(" ".join(hand.split()[:cards]), me, news=True)
    asked = ask(game, known, fixed=20_000 if FULL else 2_000, seed=15)
    plan = replace(make_plan(game, seed=16), given=asked.plan.given)
    deals, seats = 200_000 if FULL else 10_000, plan.game.seats
    rows = Engine(plan).play(0, deals)
    who, after = (
        rows["banker" if game == HW else "caller"],
        rows["reveal_after" if game == HW else "call_after"],
    )
    turns = [8 * held + (seat - rows["first_seat"]) % seats for held, seat in ((after, who), (cards, me))]
    silent = (turns[0] > turns[1]) | (rows["pressed" if game == HW else "redeals"] > 0)
    assert not ((who == me) & ~silent).any()
    found = run(asked)
    chance, real = found.worlds / found.tried, silent.mean()
    assert abs(chance - real) < 4 * sqrt(real * (1 - real) * (1 / deals + 1 / found.tried))
    payoff, payoffs = found.options[-1].payoff, rows[f"payoff_{me}"][silent].astype(float)
    if (
        game == DWF
    ):  # a void deal is dealt again from all cards, so it is worth nothing in the mean; held, it is not
        payoffs[rows["redeals"][silent] > 0] = 0.0
    assert payoff.value is not None
    assert payoff.error is not None
    error = sqrt(payoff.error**2 + payoffs.var() / len(payoffs))
    assert abs(payoff.value - payoffs.mean()) < 4 * error


def test_leaving_the_bid_or_not_is_worth_what_it_is_in_real_deals() -> None:
    """The example that showed calls left out: 120 gained three times as much over all deals as after that call."""
    case = CASES["the tutorial"]
    news = run(situation(case, fixed=50_000 if FULL else 4_000))
    plain = run(situation(case, news=False, fixed=50_000 if FULL else 4_000))
    gains, bids = [], situation(case, fixed=2).situation.log
    for trace, plan in held_deals(case, situation(case, fixed=2), 150_000 if FULL else 4_000, 14):
        fields = stand(trace) | {"PHASE": 2, "ME": case.seat, "BIDS": 1}
        found = one_world(trace, plan, fields, [0, 120], log=bids)
        assert found is not None
        gains.append(int(found[1, 0] - found[0, 0]))
    real, error = np.mean(gains), np.std(gains) / sqrt(len(gains))
    told, told_error = gain(news)
    untold, untold_error = gain(plain)
    assert abs(told - real) < 4 * sqrt(error**2 + told_error**2)
    assert untold - told > (4 if FULL else 2) * sqrt(told_error**2 + untold_error**2)


def gain(advice: Advice) -> tuple[float, float]:
    """By how much a bid of 120 pays more than to pass, and the error of that."""
    assert advice.options[advice.best].choice.value == "120"
    behind = next(option.behind for option in advice.options if option.choice.kind == "pass")
    assert behind is not None
    assert behind.value is not None
    assert behind.error is not None
    return behind.value, behind.error


def test_the_news_of_a_deal_is_true_in_that_very_deal_and_other_news_is_not() -> None:
    """Whoever asks: the call and the counter when they were made. Not a card sooner or later, nor another, nor none."""
    countered = 0
    for number, (trace, plan) in enumerate(traces(DWF, 300, 48)):
        pub = trace.pub
        counter = bool(trace.row["countered"])
        countered += counter
        if number >= 6 and not (counter and countered <= 6):
            continue
        fields, log = stand(trace) | {"PHASE": 2, "NEWS": 1, "BIDS": 1}, [int(pub[view.BID_LOG])]
        after = int(pub[view.CALL_AFTER])
        fields |= {"CALL_LOW": after, "CALL_HIGH": after}
        if counter:
            fields |= dict.fromkeys(("COUNTER_LOW", "COUNTER_HIGH"), int(pub[view.COUNTER_AFTER]))
        for me in range(3):
            at = fields | {"ME": me}
            assert one_world(trace, plan, at, [0], log=log) is not None
            untold = at | {"CALL_LOW": 1, "CALL_HIGH": 33, "COUNTER_LOW": 1, "COUNTER_HIGH": 33}
            assert one_world(trace, plan, untold, [0], log=log) is not None
            if me != fields["CALLER"]:
                wrong = [{"CALL_SUIT": (fields["CALL_SUIT"] + 1) % 4}, {"CALL_SIZE": 3 - fields["CALL_SIZE"]}]
                wrong += [{"CALL_LOW": after + 1, "CALL_HIGH": after + 1}] * (after < 33)
                wrong += [{"CALL_LOW": after - 1, "CALL_HIGH": after - 1}] * (after > 1)
                for other in wrong:
                    assert one_world(trace, plan, at | other, [0], log=log) is None
            if counter and me != fields["COUNTERER"]:
                late = dict.fromkeys(("COUNTER_LOW", "COUNTER_HIGH"), int(pub[view.COUNTER_AFTER]) - 1)
                for other in ({"COUNTERER": -1}, late):
                    assert one_world(trace, plan, at | other, [0], log=log) is None
            if me != fields["CALLER"] and not counter and fields["CALL_SIZE"] == 1:
                other = {
                    "COUNTERER": 3 - me - fields["CALLER"],
                    "COUNTER_SUIT": (fields["CALL_SUIT"] + 1) % 4,
                }
                assert one_world(trace, plan, at | other, [0], log=log) is None
    assert countered


def test_a_raise_by_more_counts_where_the_policy_would_go_as_high() -> None:
    for trace, plan in traces(DWF, 40, 49):
        log = [int(entry) for entry in trace.pub[view.BID_LOG : view.BID_LOG + trace.pub[view.BIDS]]]
        opener, opening = divmod(log[0], 1024)
        highest = max(entry % 1024 for entry in log)
        fields = stand(trace) | {"PHASE": 2, "ME": (opener + 1) % 3, "NEWS": 1, "BIDS": 1}
        assert one_world(trace, plan, fields, [0], log=log[:1]) is not None
        if (
            highest == opening
        ):  # nobody raised: how high the opener would have gone shows when it bids once more
            continue
        for bid in range(opening + 10, 210, 10):
            found = one_world(trace, plan, fields, [0], log=[opener * 1024 + bid])
            if bid <= highest and trace.row["banker"] == opener:
                assert found is not None
            elif trace.row["banker"] != opener and bid > highest:
                assert found is None
