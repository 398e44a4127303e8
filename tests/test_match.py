"""`match`: policies against each other on mirrored deals."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from click.testing import CliRunner
from click.testing import Result as CliResult

import tuolaji
from tuolaji.cli import main
from tuolaji.kernels import view
from tuolaji.kernels._jit import DECIDE, JIT, address
from tuolaji.kernels.memory import ask, shift
from tuolaji.kernels.policies import dwf_greedy, dwf_random
from tuolaji.sim.errors import Interrupted, RunError
from tuolaji.sim.lineups import Lineups
from tuolaji.sim.match import Result, make_match, match, rule_of_three, run_match
from tuolaji.sim.match_text import render
from tuolaji.sim.plan import POLICIES
from tuolaji.sim.sequential import StoppingRule, make_rule
from tuolaji.sim.stats import LEAST_DIFFERING, at_most, student

DWF = "die-wu-fen"
ROLES = ("banker", "defender")


def invoke(*words: str) -> CliResult:
    return CliRunner().invoke(main, ["match", *words])


def intervals(found: dict[str, Any]) -> list[dict[str, float]]:
    """Every interval of A's advantage in a result."""
    own = [found["points"], found["payoff"]]
    roles = [found["by_role"][role][unit] for role in ROLES for unit in ("points", "payoff")]
    return [figure for figure in own + roles if figure is not None]


@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("name", sorted(POLICIES[DWF]))
def test_a_policy_against_itself_is_exactly_even(name: str, mode: str) -> None:
    found = match(DWF, name, name, deals=600, mode=mode, seed=3)
    assert len(intervals(found)) == (6 if mode == "contract" else 3)
    assert all(set(figure.values()) == {0.0} for figure in intervals(found))
    assert found["deals_differing"] == 0
    assert found["differing"] == {"mean": 0.0, "lo": 0.0, "hi": 3 / 600}  # the rule of three


@pytest.mark.parametrize("mode", ["contract", "auction"])
def test_greedy_beats_random_in_each_role(mode: str) -> None:
    found = match(DWF, "greedy", "random", deals=1500, mode=mode, confidence=0.999)
    assert all(0 < figure["lo"] < figure["mean"] < figure["hi"] for figure in intervals(found))
    assert (found["points"] is None) == (mode == "auction")
    assert found["deals_differing"] > 1400


@pytest.mark.parametrize("mode", ["contract", "auction"])
def test_changing_a_and_b_changes_the_sign_alone(mode: str) -> None:
    one = match(DWF, "greedy", "random", deals=300, mode=mode)
    other = match(DWF, "random", "greedy", deals=300, mode=mode)
    for unit in ("points", "payoff") if mode == "contract" else ("payoff",):
        assert one[unit]["mean"] == -other[unit]["mean"]
        assert one[unit]["lo"] == pytest.approx(-other[unit]["hi"])
    assert one["deals_differing"] == other["deals_differing"]


@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("ending", [{"deals": 3000}, {"until_se": 0.55, "min_deals": 500, "max_deals": 2000}])
def test_neither_workers_nor_chunks_change_anything(mode: str, ending: dict[str, Any]) -> None:
    divided = [{"workers": 1}, {"workers": 4, "chunk": 97}, {"workers": 2, "chunk": 2500}]
    found = [match(DWF, "greedy", "random", mode=mode, seed=9, first=50, **ending, **how) for how in divided]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("unit", ["points", "payoff"])
def test_the_advantage_is_the_mean_of_those_in_the_roles(unit: str) -> None:
    found = match(DWF, "greedy", "random", deals=500, seed=5)
    parts = [found["by_role"][role][unit]["mean"] for role in ROLES]
    assert found[unit]["mean"] == pytest.approx(sum(parts) / 2, abs=1e-12)
    plays = {play["banker"] + play["defenders"]: play for play in found["plays"]}
    level = {
        name: play["defender_points" if unit == "points" else "payoff"]["mean"]
        for name, play in plays.items()
    }
    sign = 1 if unit == "points" else -1  # defenders' points are good for the defenders
    assert parts[0] == pytest.approx(sign * (level["bb"] - level["ab"]), abs=1e-9)
    assert parts[1] == pytest.approx(sign * (level["ba"] - level["bb"]), abs=1e-9)


def test_in_auction_mode_the_roles_add_up() -> None:
    found = match(DWF, "greedy", "random", deals=500, mode="auction")
    parts = [found["by_role"][role]["payoff"]["mean"] for role in ROLES]
    assert found["payoff"]["mean"] == pytest.approx(sum(parts), abs=1e-12)
    alone = {play["alone"]: play["payoff"]["mean"] for play in found["plays"]}
    assert found["payoff"]["mean"] == pytest.approx((alone["a"] - alone["b"]) / 2, abs=1e-12)


def expected(differences: Any) -> dict[str, float]:
    """Mean and interval the plain way."""
    n, mean = len(differences), float(differences.mean())
    half = student(n - 1, 0.95) * float(differences.std(ddof=1)) / n**0.5
    return {"mean": pytest.approx(mean), "lo": pytest.approx(mean - half), "hi": pytest.approx(mean + half)}


def rows(*policies: str) -> dict[str, Any]:
    """The columns of 400 deals as `simulate` has them."""
    table = tuolaji.simulate(DWF, 400, seed=2, first=10, policies=policies)
    return {name: np.array(table[name].to_pylist()) for name in table.column_names}


def test_contract_mode_from_plain_rows() -> None:
    """The same from `simulate`: a reference policy bids, A and B change seats."""
    one = rows("bidding=random", "banker=greedy", "defender=expert")
    other = rows("bidding=random", "banker=expert", "defender=greedy")
    for name in ("banker", "trump", "bid", "redeals"):
        assert (one[name] == other[name]).all()
    found = match(DWF, "greedy", "expert", deals=400, seed=2, first=10, bidding="random")
    assert found["points"] == expected((other["defender_points"] - one["defender_points"]) / 2)
    banker = one["banker"]
    payoffs = [np.choose(banker, [deal[f"payoff_{seat}"] for seat in range(3)]) for deal in (one, other)]
    assert found["payoff"] == expected((payoffs[0] - payoffs[1]) / 2)
    differing = [name for name in one if (one[name] != other[name]).any()]
    assert set(differing) <= {"bottom_points", "bottom_multiplier", "captured", "defender_points", "throws",
                              "failed_throws", "tricks", "last_winner", "payoff_0", "payoff_1", "payoff_2",
                              "result", "shutout", "penalty_0", "penalty_1", "penalty_2"}  # fmt: skip
    odd = np.logical_or.reduce([one[name] != other[name] for name in differing])
    assert found["deals_differing"] == odd.sum()


def test_auction_mode_from_plain_rows() -> None:
    """The same from `simulate`: A in each seat among B, then B in each seat among A; each bids for itself."""
    total: Any = 0
    at_banker: Any = 0
    for seat in range(3):
        a = rows("random", f"{seat}=greedy")
        b = rows("greedy", f"{seat}=random")
        total = total + (a[f"payoff_{seat}"] - b[f"payoff_{seat}"]) / 6
        for sign, deal in ((1, a), (-1, b)):
            at_banker = at_banker + sign * np.where(deal["banker"] == seat, deal[f"payoff_{seat}"], 0) / 6
    found = match(DWF, "greedy", "random", deals=400, seed=2, first=10, mode="auction")
    assert found["payoff"] == expected(total)
    assert found["by_role"]["banker"]["payoff"] == expected(at_banker)
    assert found["by_role"]["defender"]["payoff"] == expected(total - at_banker)


def crippled(monkeypatch: pytest.MonkeyPatch, decide: Any, weights: Any) -> str:
    """The name of a policy of this test alone."""
    module = SimpleNamespace(__name__="tuolaji.kernels.policies.crippled", decide=decide, WEIGHTS=weights)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(POLICIES[DWF], "crippled", "crippled")
    return "crippled"


@cache
def careless() -> Any:
    """A policy that answers one kind of question as `random` does and all others as `greedy` does.

    Its weights: the addresses of the two, the question, then those of `greedy`.
    """

    def decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        who = 1 if what == weights[2] else 0
        return ask(weights, who, what, pub, own, lay, shift(weights, 3))

    return numba.njit(DECIDE)(decide)


@pytest.mark.skipif(not JIT, reason="addresses of policies are a matter of compiled code")
@pytest.mark.parametrize(
    ("question", "least"), [(view.BURY, (5, 0)), (view.LEAD, (5, 1)), (view.FOLLOW, (5, 5))],
    ids=["buries", "leads", "follows"],
)  # fmt: skip
def test_a_policy_crippled_on_purpose_loses_in_the_role_it_is_crippled_in(
    monkeypatch: pytest.MonkeyPatch, question: int, least: tuple[int, int]
) -> None:
    weights = np.array(
        [address(dwf_greedy.decide), address(dwf_random.decide), question, *dwf_greedy.WEIGHTS], np.int64
    )
    found = match(DWF, crippled(monkeypatch, careless(), weights), "greedy", deals=3000, confidence=0.999)
    for role, by in zip(ROLES, least, strict=True):
        points = found["by_role"][role]["points"]
        assert points["hi"] < -by if by else set(points.values()) == {0.0}, role
    assert found["points"]["hi"] < 0


def test_a_policy_that_bids_recklessly_loses_where_bids_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """`greedy` that calls at once and bids 200 on any hand, but plays as before."""
    weights = dwf_greedy.WEIGHTS.copy()
    weights[[dwf_greedy.CALL_SHARE, dwf_greedy.CALL_MARGIN]] = 0
    weights[dwf_greedy.BID_FROM] = -100_000
    reckless = crippled(monkeypatch, dwf_greedy.decide, weights)
    found = match(DWF, reckless, "greedy", deals=1000, mode="auction", confidence=0.999)
    assert found["payoff"]["hi"] < -1
    assert found["plays"][0]["banker"]["mean"] > 0.95
    assert match(DWF, reckless, "greedy", deals=300, bidding="random")["deals_differing"] == 0


def test_what_bids_may_not_know_who_plays() -> None:
    asked = make_match(DWF, ["greedy", "random"], deals=100)
    lineups = asked.lineups() | {"ba": ("random", "random", "greedy") * 3}
    with pytest.raises(RunError, match="depends on who plays"):
        Lineups(asked.plan, lineups, contract=True).play(0, 100)


def test_until_se_stops_at_the_first_look_that_is_good_enough() -> None:
    found = match(DWF, "greedy", "random", until_se=0.5, min_deals=300)
    looks = [n for n in StoppingRule(0.5, 300, 10**6).looks() if n <= found["deals"]]
    assert found["stopped_by"] == "until-se"
    assert found["interval"] == "time-uniform"
    assert found["deals"] == looks[-1] > 300
    assert found["se"]["points"] <= 0.5
    for n in looks[:-1]:
        assert match(DWF, "greedy", "random", deals=n)["se"]["points"] > 0.5
    # the same deals, but a wider interval than with a number fixed beforehand
    fixed = match(DWF, "greedy", "random", deals=found["deals"])
    assert fixed["points"]["mean"] == found["points"]["mean"]
    assert fixed["interval"] == "fixed"
    assert (
        1.4
        < (found["points"]["hi"] - found["points"]["lo"]) / (fixed["points"]["hi"] - fixed["points"]["lo"])
        < 2
    )


def test_until_se_gives_up_at_the_most() -> None:
    found = match(DWF, "greedy", "random", until_se=1e-6, min_deals=200, max_deals=450, mode="auction")
    assert (found["deals"], found["stopped_by"]) == (450, "max-deals")
    assert found["se"] == {"points": None, "payoff": found["se"]["payoff"]}


def test_until_se_with_nothing_differing_stops_at_the_least() -> None:
    found = match(DWF, "greedy", "greedy", until_se=0.1, min_deals=400)
    assert (found["deals"], found["deals_differing"]) == (400, 0)
    assert found["differing"]["hi"] == 3 / 400


def test_rule_of_three() -> None:
    assert rule_of_three(0.95) == 3
    for confidence in (
        0.9,
        0.99,
        0.999,
    ):  # never seen in n trials with that chance: probability at most 1 - confidence
        assert (
            (1 - rule_of_three(confidence) / 1000) ** 1000
            < 1 - confidence
            < 1.1 * np.exp(-rule_of_three(confidence) + 0.1)
        )


KEYS = {"game", "mode", "a", "b", "deals", "points", "payoff", "by_role", "deals_differing"}


def test_the_command_prints_the_json_object() -> None:
    result = invoke("dwf", "--policy", "greedy", "--policy", "random", "--deals", "200", "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert set(found) > KEYS
    assert (found["game"], found["mode"], found["a"], found["b"], found["deals"]) == (
        DWF, "contract", "greedy", "random", 200,
    )  # fmt: skip
    assert set(found["points"]) == set(found["payoff"]) == {"mean", "lo", "hi"}
    assert found == tuolaji.match("dwf", "greedy", "random", deals=200)


def test_the_command_takes_the_options() -> None:
    result = invoke(
        "跌五分", "--policy", "random", "--policy", "greedy", "--mode", "auction", "--until-se", "2",
        "--min-deals", "1e2", "--max-deals", "5k", "--confidence", "0.99", "--seed", "8", "--first", "20",
        "--set", "counter=false",
        "--workers", "1", "--chunk", "50", "--no-progress", "--format", "json",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["rules_changed"] == {"counter": False}
    assert (found["seed"], found["first"], found["confidence"]) == (8, 20, 0.99)
    assert found["payoff"]["hi"] < 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--policy", "greedy"], "exactly twice"),
        ([], "exactly twice"),
        (["--policy", "greedy"] * 3, "exactly twice"),
        (["--policy", "greedy", "--policy", "best"], "expert, greedy, random or search"),
        (["--policy", "greedy", "--policy", "banker=random"], "a name alone"),
        (["--policy", "greedy", "--policy", "2=random"], "a name alone"),
        (["--policy", "greedy", "--policy", "random", "--bidding", "best"], "expert, greedy, random or search"),
        (["--policy", "greedy", "--policy", "random", "--bidding", "random", "--mode", "auction"], "bids for itself"),
        (["--policy", "greedy", "--policy", "random", "--mode", "fair"], "contract"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "0"], "above 0"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "-1"], "above 0"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "nan"], "above 0"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "small"], "until-se"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "1", "--deals", "9"], "not both"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "1", "--min-deals", "9"], "100 or more"),
        (["--policy", "greedy", "--policy", "random", "--until-se", "1", "--max-deals", "500"], "max-deals"),
        (["--policy", "greedy", "--policy", "random", "--min-deals", "500"], "until-se"),
        (["--policy", "greedy", "--policy", "random", "--deals", "1"], "from 2"),
        (["--policy", "greedy", "--policy", "random", "--confidence", "95"], "from 0.5 to 0.999999"),
        (["--policy", "greedy", "--policy", "random", "--set", "counter=perhaps"], "counter"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str) -> None:
    result = invoke("dwf", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_ctrl_c_ends_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = make_match(DWF, ["greedy", "random"], deals=10**7)
    with pytest.raises(Interrupted, match="interrupted after [0-9]+ of 10000000 deals"):
        run_match(asked, report=lambda _: os.kill(os.getpid(), signal.SIGINT))

    def interrupted(*_: Any, **__: Any) -> None:
        raise Interrupted("interrupted after 3 deals")

    monkeypatch.setattr("tuolaji.sim.match.run_match", interrupted)
    result = invoke("dwf", "--policy", "greedy", "--policy", "random")
    assert result.exit_code == 130
    assert result.stderr == "Error: interrupted after 3 deals.\n"


def made_up(points: int, **changes: Any) -> Result:
    """A result with a chosen sum of points over 100 deals, half of them differing."""
    asked = replace(make_match(DWF, ["greedy", "random"], deals=100), **changes)
    names = ("points", "payoff", *(f"{unit}_{role}" for unit in ("points", "payoff") for role in ROLES),
             *(f"{pair}_{what}" for pair in ("ab", "ba", "bb") for what in ("points", "payoff", "made")))  # fmt: skip
    sums = dict.fromkeys(names, 30) | {"points": points, "differs": 50}
    return Result(asked, 100, sums, dict.fromkeys(names, 40_000) | {"differs": 50}, "deals")


@pytest.mark.parametrize("rule", [None, make_rule(0.1, 100, 100, 0.95)])
def test_where_few_deals_differ_an_advantage_has_but_a_bound(rule: StoppingRule | None) -> None:
    """The share of deals of which there are so few, times the most that one of them gained."""
    found = made_up(38, rule=rule)
    few = dict.fromkeys(found.sums, LEAST_DIFFERING - 1)
    found = replace(found, moved=few, largest=dict.fromkeys(found.sums, 12))
    share = rule.at_most(19, 100) if rule else at_most(19, 100, 0.95)
    points = found.to_dict()["points"]
    assert points == {"mean": 0.19, "lo": -points["hi"], "hi": pytest.approx(share * 6), "bound": True}
    assert found.to_dict()["by_role"]["banker"]["payoff"]["hi"] == pytest.approx(share * 12)
    assert "no more than a bound is known" in render(found, "en")
    assert "≤" in render(found, "zh") and "上界" in render(found, "zh")
    enough = replace(found, moved=dict.fromkeys(found.sums, LEAST_DIFFERING)).to_dict()
    assert "bound" not in enough["points"] and "bound" not in made_up(800).to_dict()["points"]


def test_a_match_counts_the_deals_that_bear_on_an_advantage() -> None:
    asked = make_match(DWF, ["greedy", "expert"], deals=300)
    whole = run_match(asked, workers=1, chunk=300)
    parts = run_match(asked, workers=2, chunk=70)
    assert whole.moved == parts.moved and whole.largest == parts.largest
    assert 0 < whole.moved["points"] <= whole.moved["differs"] == whole.sums["differs"]
    assert (
        whole.largest["points"] ** 2
        <= whole.squares["points"]
        <= whole.moved["points"] * whole.largest["points"] ** 2
    )


def test_the_table_says_who_is_better_and_no_more_digits_than_it_knows() -> None:
    # sum 800 of halves of points, squares 40,000: mean 4, standard error 0.92, interval 4 ± 1.8
    text = render(made_up(800), "en")
    assert "A (greedy) is better than B (random): +4.0 points [2.2, 5.8] a deal (95 % interval)." in text
    assert "A (greedy) is worse than B (random): -4.0 points [-5.8, -2.2] a deal" in render(
        made_up(-800), "en"
    )
    assert "is not settled: +1.0 points [-1.0, 3.0] a deal (99 % " not in render(made_up(200), "en")
    assert "is not settled: +1.0 points [-1.0, 3.0] a deal (95 % " in render(made_up(200), "en")
    assert "(99 % interval)" in render(made_up(200, confidence=0.99), "en")
    assert "差" not in text
    chinese = render(made_up(800), "zh")
    assert "A（greedy）胜过 B（random）：每局分数 +4.0 [2.2, 5.8]（95 % 区间）。" in chinese
    assert "advantage" not in chinese


@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tables_of_a_policy_against_itself(mode: str, lang: str) -> None:
    result = invoke(
        "dwf", "--policy", "greedy", "--policy", "greedy", "--deals", "300", "--mode", mode, "--lang", lang
    )
    assert result.exit_code == 0
    assert ("played every deal alike" if lang == "en" else "每局都打得一样") in result.stdout
    assert "1 %" in result.stdout  # 3 / 300
    assert "-0" not in result.stdout.replace("-0.", "")
