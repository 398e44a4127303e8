"""`tuolaji advise`: every choice open to a hand, in the same worlds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from helpers import scaled
from numpy.typing import NDArray

import tuolaji
from tuolaji import cli
from tuolaji.kernels import view
from tuolaji.sim import advise as sim_advise
from tuolaji.sim import advise_result
from tuolaji.sim.advise import Known, ask
from tuolaji.sim.advise_engine import Advisor, words_of
from tuolaji.sim.cards import format_cards, parse_cards
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.given import Given
from tuolaji.sim.plan import make_plan
from tuolaji.sim.record import make_record
from tuolaji.sim.sequential import StoppingRule

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
STRONG = "BJ BJ SJ SJ 3h 3h 3s 3c 2h 2h Ah Ah Kh Kh Qh Jh Th Th 9h 9h 8h As As Ac Ac Ad Ad Ks Ks 5h 6h 7h 4h"
WEAK = "3h 4h 6h 7h 4s 4s 6s 7s 7s 8s 9s Js 4c 4c 6c 6c 7c 8c 9c Jc Jc 4d 4d 6d 7d 7d 8d 9d Jd Qd Qs Qc 8h"
HW_STRONG = "5h 5h 5h BJ BJ SJ SJ 3s 3s 3c 2s 2s 2h As As As Ks Ks Qs Qs Js Js Ts Ts 9s Ah Ah Kh Ac Ac Ad"
HW_WEAK = "2s 4s 6s 7s 8s 3h 3h 4h 6h 6h 7h 8h 9h 4c 4c 6c 7c 8c 9c Jc 3d 3d 4d 4d 6d 7d 7d 8d 9d Jd Qd"


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["advise", *args], catch_exceptions=False)


def answer(*args: str) -> dict[str, Any]:
    result = run(*args, "--format", "json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    found.pop("run")
    return found


# --- choices come to what the engine comes to ---------------------------------------------------------


def one_world(
    trace: Trace, plan: Any, fields: Mapping[str, int], answers: Sequence[int], *, burial: Sequence[int] = (),
    log: Sequence[int] = (),
) -> NDArray[np.int64] | None:  # fmt: skip
    """What choices come to in the very deal of a trace; None if the deal does not agree with the news."""
    game = plan.game
    faces = [int(face) for face in trace.faces]
    size = game.hand_size
    held = [tuple(faces[seat * size : (seat + 1) * size]) for seat in range(game.seats)]
    given = Given(game.name, (*held, tuple(faces[game.seats * size :])), ordered=tuple(range(game.seats + 1)))
    advisor = Advisor(replace(plan, given=given))
    kernels = advisor.kernels
    vector = np.zeros(kernels.SIZE_ASKED, np.int64)
    for name in ("CALLER", "COUNTERER", "BANKER", "TRUMP"):
        if hasattr(kernels, name):
            vector[getattr(kernels, name)] = -1
    for name, value in fields.items():
        vector[getattr(kernels, name)] = value
    if log:
        vector[kernels.LOG : kernels.LOG + len(log)] = log
    if burial and game.name == HW:
        vector[kernels.BURIED : kernels.BURIED + 3] = words_of(burial)
    burials = np.array([words_of(burial)[:2]], np.int64)
    found, agrees = advisor.choices(vector, np.array(answers, np.int64), burials, 0, 1)
    assert len(agrees) == 1
    return found[0] if len(found) else None


def traces(game: str, count: int, seed: int, **options: Any) -> Iterator[tuple[Trace, Any]]:
    plan = make_plan(game, policies="expert", seed=seed, **options)
    engine = Engine(plan)
    for deal in range(scaled(count, 6)):
        yield engine.trace(deal), plan


def payoffs(trace: Trace, seats: int) -> list[int]:
    return [trace.row[f"payoff_{seat}"] for seat in range(seats)]


def first_card(trace: Trace, seat: int, size: int, rank: int) -> int:
    """How many cards a seat holds when it gets its first card of a rank; size + 1 for never."""
    hand = [int(face) for face in trace.faces[seat * size : (seat + 1) * size]]
    return next((k + 1 for k, face in enumerate(hand) if face < 52 and face % 13 == rank), size + 1)


def test_dwf3_the_call_that_was_made_comes_to_what_the_deal_came_to() -> None:
    for trace, plan in traces(DWF, 40, 41):
        pub, caller = trace.pub, int(trace.pub[view.CALLER])
        fields = {"PHASE": 0, "ME": caller, "FIRST": trace.row["first_seat"], "HELD": trace.row["call_after"]}
        called = int(pub[view.CALL_SUIT]) + (1 if pub[view.CALL_SIZE] == 1 else 5)
        found = one_world(trace, plan, fields, [called])
        assert found is not None
        assert found[0, 0] == payoffs(trace, 3)[caller]
        assert found[0, 1] == (trace.row["banker"] == caller)
        assert found[0, 2] == (trace.row["result"] == 0)


def test_dwf3_waiting_goes_on_as_the_deal_did_and_news_tell_a_call_before() -> None:
    """A seat without a 3 so far waits; the others go on as they did. Once somebody has called, the silence is false."""
    early = late = 0
    for trace, plan in traces(DWF, 120, 42):
        for me in range(3):
            after, caller = trace.row["call_after"], trace.row["caller"]
            if me == caller or trace.row["redeals"] or first_card(trace, me, 33, 1) < after + 2:
                continue
            fields = {"PHASE": 0, "ME": me, "FIRST": trace.row["first_seat"], "NEWS": 1}
            if after > 2:
                found = one_world(trace, plan, fields | {"HELD": after // 2}, [0])
                assert found is not None
                assert found[0, 0] == payoffs(trace, 3)[me]
                early += 1
            if after < 32:
                assert one_world(trace, plan, fields | {"HELD": after + 1}, [0]) is None
                late += 1
    assert early > 0
    assert late > 0


def stand(trace: Trace) -> dict[str, int]:
    pub = trace.pub
    return {
        "FIRST": trace.row["first_seat"], "HELD": 33, "CALLER": int(pub[view.CALLER]),
        "CALL_SIZE": int(pub[view.CALL_SIZE]), "CALL_SUIT": int(pub[view.CALL_SUIT]),
        "COUNTERER": int(pub[view.COUNTERER]), "COUNTER_SUIT": int(pub[view.COUNTER_SUIT]),
        "TRUMP": trace.row["trump"], "CALL_LOW": 1, "CALL_HIGH": 33, "COUNTER_LOW": 1, "COUNTER_HIGH": 33,
    }  # fmt: skip


def test_dwf4_countering_or_not_comes_to_what_the_deal_came_to() -> None:
    countered = not_countered = 0
    for trace, plan in traces(DWF, 150, 43):
        pub, fields = trace.pub, stand(trace)
        before = fields | {"PHASE": 1, "COUNTERER": -1, "TRUMP": fields["CALL_SUIT"]}
        if trace.row["call_size"] == 2:
            continue
        if trace.row["countered"]:
            if pub[view.COUNTER_AFTER] < 33:
                continue
            me, answers = fields["COUNTERER"], [fields["COUNTER_SUIT"] + 5]
            countered += 1
        else:
            me, answers = (fields["CALLER"] + 1) % 3, [0]
            not_countered += 1
        found = one_world(trace, plan, before | {"ME": me}, answers)
        assert found is not None
        assert found[0, 0] == payoffs(trace, 3)[me]
    assert countered > 0
    assert not_countered > 0


def test_dwf6_every_bid_and_pass_that_was_made_comes_to_what_the_deal_came_to() -> None:
    """And so does the news: policies bid as they bid, and where one passed it would not have bid."""
    raised = 0
    for number, (trace, plan) in enumerate(traces(DWF, 400, 44)):
        log = [int(entry) for entry in trace.pub[view.BID_LOG : view.BID_LOG + trace.pub[view.BIDS]]]
        raised += len(log) > 3
        if number >= 20 and len(log) == 3:
            continue
        for k, (me, bid) in enumerate(divmod(entry, 1024) for entry in log):
            fields = stand(trace) | {"PHASE": 2, "ME": me, "BIDS": k, "NEWS": 1}
            found = one_world(trace, plan, fields, [bid], log=log[:k])
            assert found is not None
            assert found[0, 0] == payoffs(trace, 3)[me]
            if k > 1 and log[k - 1] % 1024 == 0:
                other = log[k - 1] + max(entry % 1024 for entry in log[:k]) + 10
                assert one_world(trace, plan, fields, [0], log=[*log[: k - 1], other]) is None
    assert raised > 0


def test_dwf7_burying_what_was_buried_comes_to_what_the_deal_came_to() -> None:
    for trace, plan in traces(DWF, 40, 45):
        banker = trace.row["banker"]
        record = make_record(plan, 0, trace)
        fields = stand(trace) | {"PHASE": 3, "ME": banker, "BANKER": banker, "BID": trace.row["bid"]}
        burial = parse_cards(record["buried"])
        found = one_world(trace, plan, fields, [0], burial=burial)
        assert found is not None
        assert found[0, 0] == payoffs(trace, 3)[banker]
        every = parse_cards([*record["hands"][banker], *record["bottom"]])
        chosen = Advisor(plan).burial(banker, trace.row["trump"], every, trace.row["bid"])
        assert chosen == sorted(burial)


def test_hw4_revealing_or_waiting_comes_to_what_the_deal_came_to() -> None:
    revealed = waited = pressed = false = 0
    for trace, plan in traces(HW, 60, 46):
        row = trace.row
        fields = {"PHASE": 0, "FIRST": row["first_seat"], "PREVIOUS": row["previous_banker"], "NEWS": 1}
        if row["pressed"]:
            pressed += 1
            after = 30
        else:
            after = row["reveal_after"]
            me = row["banker"]
            found = one_world(trace, plan, fields | {"ME": me, "HELD": after}, [row["trump"] + 1])
            assert found is not None
            assert found[0, 0] == payoffs(trace, 5)[me]
            assert found[0, 2] == (row["grade"] > 0)
            revealed += 1
        for me in range(5):
            if first_card(trace, me, 31, 0) > after + 1 and me != row["banker"] and after > 2:
                found = one_world(trace, plan, fields | {"ME": me, "HELD": after // 2}, [0])
                assert found is not None
                assert found[0, 0] == payoffs(trace, 5)[me]
                waited += 1
                if not row["pressed"] and after < 29:
                    assert one_world(trace, plan, fields | {"ME": me, "HELD": after + 1}, [0]) is None
                    false += 1
    assert revealed > 0
    assert waited > 0
    assert false > 0


def test_hw7_naming_what_was_named_comes_to_what_the_deal_came_to() -> None:
    for trace, plan in traces(HW, 40, 47):
        banker = trace.row["banker"]
        record = make_record(plan, 0, trace)
        burial = parse_cards(record["buried"])
        fields = {
            "PHASE": 1, "ME": banker, "FIRST": 0, "PREVIOUS": 0, "TRUMP": trace.row["trump"],
            "PRESSED": trace.row["pressed"],
        }  # fmt: skip
        found = one_world(trace, plan, fields, [trace.row["named"]], burial=burial)
        assert found is not None
        assert found[0, 0] == payoffs(trace, 5)[banker]
        assert found[0, 3] == trace.row["solo"]
        every = parse_cards([*record["hands"][banker], *record["bottom"]])
        assert Advisor(plan).burial(banker, trace.row["trump"], every) == sorted(burial)


# --- what it advises ------------------------------------------------------------------------------------


def bidding(hand: str, *more: str) -> dict[str, Any]:
    """Seat 0 has called with 3h and opened at 110."""
    state = ["--seat", "1", "--revealed", "0:3h", "--bid-so-far", "0:110"]
    return answer(DWF, "--hand", hand, *state, "--fixed", "1000", *more)


def test_a_strong_hand_bids_and_a_weak_one_passes() -> None:
    strong, weak_one = bidding(STRONG.replace("3h 3h", "3h 2d")), bidding(WEAK.replace("3h", "5h"))
    assert strong["best"]["choice"] == "bid"
    assert strong["confidence"] > 0.99
    assert weak_one["best"] == {"choice": "pass", "value": ""}
    assert weak_one["confidence"] > 0.99
    passing = [next(o for o in found["options"] if o["choice"] == "pass") for found in (strong, weak_one)]
    assert strong["options"][1]["payoff"]["value"] > passing[0]["payoff"]["value"]
    made = [found["options"][1]["made"]["value"] for found in (strong, weak_one)]
    assert made[0] > 0.95
    assert made[1] < 0.1


def test_a_strong_hand_calls_and_a_weak_one_waits() -> None:
    strong, weak = (answer(DWF, "--hand", hand, "--seat", "2") for hand in (STRONG, WEAK))
    assert strong["best"]["choice"] in ("call", "call-pair")
    assert weak["best"]["choice"] == "wait"
    assert strong["stopped_by"] == weak["stopped_by"] == "best"


def test_hw_a_strong_hand_reveals_and_names_itself_a_good_partner() -> None:
    hand = " ".join(HW_STRONG.split()[:20])
    strong = answer(HW, "--hand", hand, "--seat", "2")
    assert strong["best"] == {"choice": "reveal", "value": "s"}
    weak = answer(HW, "--hand", " ".join(HW_WEAK.split()[:20]), "--seat", "2", "--fixed", "2000")
    assert weak["options"][0]["payoff"]["value"] < strong["options"][0]["payoff"]["value"]
    solo = answer(
        HW, "--hand", HW_STRONG, "--trump", "s", "--bottom", "4c 6c 7c 8c 4d 6d 7d", "--fixed", "500"
    )
    kinds = {o["value"]: o["choice"] for o in solo["options"]}
    assert kinds == {
        "As": "solo", "Ks": "name", "Ah": "name", "Kh": "name", "Ac": "name", "Kc": "name", "Ad": "name", "Kd": "name",
        "5h": "solo", "BJ": "name",
    }  # fmt: skip
    assert [o["solo"]["value"] for o in solo["options"] if o["choice"] == "solo"] == [1.0, 1.0]
    assert [o["solo"]["value"] for o in solo["options"] if o["value"] == "Kd"] == [0.0]


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads() -> None:
    words = [DWF, "--hand", WEAK, "--seat", "2", "--seed", "5"]
    found = [answer(*words, "--workers", workers) for workers in ("1", "2", "3")]
    assert found[0] == found[1] == found[2]
    other = answer(*words[:-1], "6")
    assert other["options"] != found[0]["options"]
    hand = [HW, "--hand", HW_WEAK, "--seat", "2", "--seed", "5", "--fixed", "750"]
    one, two = (answer(*hand, "--workers", workers) for workers in ("1", "2"))
    assert one == two
    assert one["worlds"] == 750


def test_with_fixed_worlds_intervals_shrink_as_the_root_of_their_number() -> None:
    widths = []
    for worlds in ("500", "8000"):
        found = bidding(WEAK.replace("3h", "5h"), "--fixed", worlds)
        assert found["worlds"] == int(worlds)
        assert found["stopped_by"] == "fixed"
        widths += [
            [o[key]["high"] - o[key]["low"] for o in found["options"] if o[key]]
            for key in ("payoff", "behind_best")
        ]
    for few, many in ((widths[0], widths[2]), (widths[1], widths[3])):
        for a, b in zip(few, many, strict=True):
            assert a / b == pytest.approx(4, rel=0.25)


def test_the_differences_are_paired() -> None:
    """Worlds are shared, so a difference is surer than two payoffs are."""
    found = bidding(WEAK.replace("3h", "5h"))
    for option in found["options"]:
        if option["behind_best"] and option["choice"] == "bid" and option["value"] in ("130", "140"):
            best = next(o for o in found["options"] if not o["behind_best"])
            apart = math.hypot(best["payoff"]["error"], option["payoff"]["error"])
            assert option["behind_best"]["error"] < apart
            difference = best["payoff"]["value"] - option["payoff"]["value"]
            assert option["behind_best"]["value"] == pytest.approx(difference)


def test_the_risk_is_the_inverse_of_the_reach() -> None:
    for confidence in (0.9, 0.95, 0.999):
        rule = StoppingRule(0.0, 1000, 50_000, confidence)
        for deals in (1000, 5000, 50_000):
            assert rule.risk(rule.reach(deals), deals) == pytest.approx(1 - confidence)
            assert rule.risk(0.0, deals) == 1.0
            assert rule.risk(9.0, deals) < 1e-6


def test_stopping_seldom_names_one_of_two_equal_choices() -> None:
    """Differences without a mean, looked at after each 500 of 20,000: at most 5 % may ever stand out."""
    rule = StoppingRule(0.0, advise_result.LEAST, 20_000, 0.95)
    wrong, draws = 0, np.random.default_rng(3)
    looks = np.arange(advise_result.LEAST, 20_001, sim_advise.BLOCK)
    for _ in range(400):
        sums = draws.normal(size=20_000).cumsum()[looks - 1]
        wrong += any(
            rule.risk(abs(x) / math.sqrt(n), int(n)) <= 0.05 for x, n in zip(sums, looks, strict=True)
        )
    assert wrong <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_several_burials_are_compared_and_the_bad_one_loses() -> None:
    hand, bottom = STRONG, "4s 6s 7s 8s 4c 6c 7c 4d 6d"
    bids = ["--trump", "h", "--bid-so-far", "0:110 1:120 2:pass 0:pass", "--seat", "1"]
    words = [DWF, "--hand", hand.replace("3h 3h", "3h 2d"), "--bottom", bottom, *bids]
    words += ["--bury", "BJ BJ SJ SJ Ah Ah Kh Kh 2h"]
    found = answer(*words)
    assert found["best"] == {"choice": "bury", "value": found["options"][0]["value"]}
    assert len(found["options"]) == 2
    assert found["options"][1]["value"] == format_cards(sorted(parse_cards(words[-1])))
    assert found["options"][1]["behind_best"]["low"] > 0
    alone = answer(*words[:-2], "--fixed", "100")
    assert len(alone["options"]) == 1
    assert alone["confidence"] == 1


def test_news_leaves_out_worlds_and_says_how_many() -> None:
    plain = answer(DWF, "--hand", WEAK, "--seat", "2", "--fixed", "600")
    news = answer(DWF, "--hand", WEAK, "--seat", "2", "--fixed", "600", "--news")
    assert "worlds_tried" not in plain
    assert news["worlds"] == 600
    assert news["worlds_tried"] > 600
    assert news["situation"]["news"]
    assert news["options"] != plain["options"]


def test_what_is_given_is_in_the_provenance() -> None:
    found = bidding(WEAK.replace("3h", "5h"), "--set", "bottom_multiplier=3")
    assert found["rules"]["rules"]["bottom_multiplier"] == 3
    assert found["policies"] == {"all": "expert"}
    assert found["seed"] == 0
    assert found["hold"]["0"] == "3h"
    assert len(found["hold"]["1"].split()) == 33
    situation = found["situation"]
    assert (situation["decision"], situation["seat"], situation["trump"]) == ("bid", 1, "h")
    assert situation["bid_so_far"] == "0:110"


def test_in_python_it_is_the_same() -> None:
    found = tuolaji.advise(DWF, WEAK, seat=2, fixed=300, workers=1)
    found.pop("run")
    assert found == answer(DWF, "--hand", WEAK, "--seat", "2", "--fixed", "300")


def test_known_things_make_the_worlds() -> None:
    """The caller's 3 is in its hand in every world, the bottom at the bottom."""
    hand = WEAK.replace("3h", "5h")
    asked = ask(DWF, Known(hand, seat=1, revealed=("0:3h",), bids="0:110"))
    assert asked.plan.given is not None
    assert asked.plan.given.held[0] == (parse_cards("3h")[0],)
    assert sorted(asked.plan.given.held[1]) == sorted(parse_cards(hand))
