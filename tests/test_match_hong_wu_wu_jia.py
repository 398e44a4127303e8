"""`match` where the partner is hidden: every seat is tried as the partner, and the guess that comes true counts."""

from __future__ import annotations

import sys
from functools import cache
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from click.testing import CliRunner

import tuolaji
from tuolaji.cli import main
from tuolaji.kernels import view
from tuolaji.kernels._jit import DECIDE, JIT, address
from tuolaji.kernels.layout import points
from tuolaji.kernels.memory import ask, shift
from tuolaji.kernels.policies import hw_random
from tuolaji.kernels.rng import below
from tuolaji.sim.errors import RunError
from tuolaji.sim.lineups import Lineups, hidden_lineups
from tuolaji.sim.match import make_match, match
from tuolaji.sim.plan import POLICIES
from tuolaji.sim.stats import student, wilson

HW = "hong-wu-wu-jia"
ROLES = ("banker", "partner", "defender")
DEALS, SEED, FIRST = 250, 2, 10
jitted = pytest.mark.skipif(not JIT, reason="addresses of policies are a matter of compiled code")


def intervals(found: dict[str, Any]) -> list[dict[str, float]]:
    """Every interval of A's advantage in a result."""
    own = [found["points"], found["payoff"]]
    roles = [found["by_role"][role][unit] for role in ROLES for unit in ("points", "payoff")]
    return [figure for figure in own + roles if figure is not None]


@cache
def chooser(kind: str) -> Any:
    """A policy that buries or follows by taking the most pleasing of several plays that `random` thinks of.

    ``buries``: the most points into the bottom. ``follows``: points to its own side, as far as it knows it: a seat that
    holds the named face is on the banker's. ``gives``: points to the banker, whatever its own side is.
    """
    buries, gives = kind == "buries", kind == "gives"
    tries = 8

    def decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        random = shift(weights, 1)
        if what != (view.BURY if buries else view.FOLLOW):
            return ask(weights, 0, what, pub, own, lay, random)
        best, w0, w1, w2 = -1000, 0, 0, 0
        seat = own[view.SEAT]
        named = (own[0] >> pub[view.NAMED]) & 1 if pub[view.NAMED] >= 0 else 0
        helps = gives or seat == pub[view.BANKER] or seat == pub[view.PARTNER] or named == 1
        winner = pub[view.BEST_SEAT]
        banker_wins = winner == pub[view.BANKER] or winner == pub[view.PARTNER]
        for _ in range(tries):
            ask(weights, 0, what, pub, own, lay, random)
            worth = points(own[view.OUT], own[view.OUT_1], own[view.OUT_2], lay)
            if not buries and helps != banker_wins:
                worth = -worth
            if worth > best:
                best, w0, w1, w2 = worth, own[view.OUT], own[view.OUT_1], own[view.OUT_2]
        own[view.OUT], own[view.OUT_1], own[view.OUT_2] = w0, w1, w2
        return 0

    return numba.njit(DECIDE)(decide)


@cache
def twin() -> Any:
    """`random` with other random numbers: plays just as well, but never the same."""

    def decide(what: Any, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        if own[view.MEMORY] == 0:
            own[view.MEMORY] = 1
            below(own, view.RNG, 2)
        return ask(weights, 0, what, pub, own, lay, shift(weights, 1))

    return numba.njit(DECIDE)(decide)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a policy of this test among the game's, under its own name."""

    def put(kind: str) -> str:
        name = f"tuolaji.kernels.policies.{kind}"
        weights = np.array([address(hw_random.decide)], np.int64)
        module = SimpleNamespace(
            __name__=name, decide=twin() if kind == "twin" else chooser(kind), WEIGHTS=weights
        )
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setitem(POLICIES[HW], kind, kind)
        return kind

    return put


@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("name", sorted(POLICIES[HW]))
def test_a_policy_against_itself_is_exactly_even(name: str, mode: str) -> None:
    found = match(HW, name, name, deals=300, mode=mode, seed=3)
    assert len(intervals(found)) == (8 if mode == "contract" else 4)
    assert all(set(figure.values()) == {0.0} for figure in intervals(found))
    assert found["deals_differing"] == 0
    if mode == "contract":  # somebody is the partner, and each seat is tried; or the banker is solo
        assert [play["formed"] and play["formed"]["mean"] for play in found["plays"]] == [
            1.0,
            1.0,
            None,
            None,
        ]


@jitted
@pytest.mark.parametrize("mode", ["contract", "auction"])
def test_changing_a_and_b_changes_the_sign_alone(made: Any, mode: str) -> None:
    follows = made("follows")
    one = match(HW, follows, "random", deals=300, mode=mode, bidding="random" if mode == "contract" else None)
    other = match(
        HW, "random", follows, deals=300, mode=mode, bidding="random" if mode == "contract" else None
    )
    for unit in ("points", "payoff") if mode == "contract" else ("payoff",):
        assert one[unit]["mean"] == -other[unit]["mean"] != 0
        assert one[unit]["lo"] == pytest.approx(-other[unit]["hi"])
    assert one["deals_differing"] == other["deals_differing"] > 0


@jitted
def test_who_plays_better_is_better_in_each_role(made: Any) -> None:
    found = match(HW, made("follows"), "random", deals=3000, bidding="random", confidence=0.999)
    assert all(0 < figure["lo"] < figure["mean"] < figure["hi"] for figure in intervals(found))
    assert found["deals_differing"] > 2900
    auction = match(HW, "follows", "random", deals=800, mode="auction", confidence=0.99)
    assert auction["points"] is None and auction["payoff"]["lo"] > 0


@jitted
def test_who_helps_the_banker_is_a_good_partner_and_a_bad_defender(made: Any) -> None:
    """The two have opposite aims, and neither is set off against the other."""
    found = match(HW, made("gives"), "random", deals=3000, bidding="random", confidence=0.999)
    roles = {role: found["by_role"][role] for role in ROLES}
    for unit in ("points", "payoff"):
        assert roles["partner"][unit]["lo"] > 0
        assert roles["defender"][unit]["hi"] < 0


@jitted
def test_choosing_the_guess_that_comes_true_favours_nobody(made: Any) -> None:
    """Equally good policies that never play alike; the guess is right in some deals for one of them alone."""
    found = match(HW, made("twin"), "random", deals=4000, bidding="random", confidence=0.999)
    assert found["deals_differing"] == 4000
    assert 0.7 < found["plays"][0]["formed"]["mean"] < 0.95
    assert all(figure["lo"] < 0 < figure["hi"] for figure in intervals(found))
    assert found["points"]["hi"] - found["points"]["lo"] < 4


@jitted
def test_a_policy_crippled_on_purpose_loses_in_the_role_it_is_crippled_in(made: Any) -> None:
    found = match(HW, made("buries"), "random", deals=2000, bidding="random", confidence=0.999)
    assert found["by_role"]["banker"]["points"]["hi"] < -1
    for role in ("partner", "defender"):  # they bury nothing
        assert set(found["by_role"][role]["points"].values()) == {0.0}
    assert found["points"]["hi"] < 0


@jitted
@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("ending", [{"deals": 600}, {"until_se": 1.1, "min_deals": 200, "max_deals": 600}])
def test_neither_workers_nor_chunks_change_anything(made: Any, mode: str, ending: dict[str, Any]) -> None:
    made("follows")
    divided = [{"workers": 1}, {"workers": 3, "chunk": 97}]
    found = [match(HW, "follows", "random", mode=mode, seed=9, first=50, **ending, **how) for how in divided]
    assert found[0] == found[1]


@jitted
def test_the_advantage_is_half_the_sum_of_those_in_the_roles(made: Any) -> None:
    found = match(HW, made("follows"), "random", deals=400, seed=5)
    plays = {play["banker"] + play["partner"] + play["defenders"]: play for play in found["plays"]}
    for unit, key, sign in (("points", "defender_points", 1), ("payoff", "payoff", -1)):
        parts = [found["by_role"][role][unit]["mean"] for role in ROLES]
        assert found[unit]["mean"] == pytest.approx(sum(parts) / 2, abs=1e-9)
        level = {name: sign * play[key]["mean"] for name, play in plays.items()}
        assert parts == pytest.approx(
            [level["bbb"] - level["abb"], level["abb"] - level["aab"], level["bba"] - level["bbb"]], abs=1e-9
        )
    auction = match(HW, "follows", "random", deals=300, seed=5, mode="auction")
    parts = [auction["by_role"][role]["payoff"]["mean"] for role in ROLES]
    assert auction["payoff"]["mean"] == pytest.approx(sum(parts), abs=1e-9)


# --- the same from `simulate`


def expected(differences: Any) -> dict[str, float]:
    """Mean and interval the plain way."""
    n, mean = len(differences), float(np.mean(differences))
    half = student(n - 1, 0.95) * float(np.std(differences, ddof=1)) / n**0.5
    return {"mean": pytest.approx(mean), "lo": pytest.approx(mean - half), "hi": pytest.approx(mean + half)}


def rows(*policies: str) -> list[dict[str, Any]]:
    return tuolaji.simulate(HW, DEALS, seed=SEED, first=FIRST, policies=policies).to_pylist()


def side(row: dict[str, Any]) -> int:
    """What banker and partner get together."""
    return sum(row[f"payoff_{seat}"] for seat in {row["banker"], row["partner"]} - {-1})


@jitted
def test_contract_mode_from_plain_rows(made: Any) -> None:
    """The banker's side of one policy among the other's, with the partner guessed before play."""
    made("follows")
    plays: dict[str, list[dict[str, Any]]] = {"bbb": rows("random")}
    formed: dict[str, list[bool]] = {"aab": [], "bba": []}
    for name, one, other in (("aab", "follows", "random"), ("bba", "random", "follows")):
        # Later words win: the seat guessed, but not its revealing; whoever is banker, all the same.
        tried = [rows(other, f"{seat}={one}", "bidding=random", f"banker={one}") for seat in range(5)]
        plays[name] = []
        for deal in range(DEALS):
            banker = tried[0][deal]["banker"]
            order = [(banker + k) % 5 for k in range(1, 5)]
            right = [seat for seat in order if tried[seat][deal]["partner"] == seat]
            plays[name].append(tried[right[0] if right else banker][deal])
            formed[name].append(bool(right) or tried[banker][deal]["solo"])
        if name == "aab":
            plays["abb"] = [tried[tried[0][deal]["banker"]][deal] for deal in range(DEALS)]
    points = {name: np.array([row["defender_points"] for row in found]) for name, found in plays.items()}
    payoff = {name: np.array([side(row) for row in found]) for name, found in plays.items()}
    for one in plays.values():
        for key in ("banker", "trump", "pressed", "reveal_after", "first_seat"):
            assert [row[key] for row in one] == [row[key] for row in plays["bbb"]]

    found = match(HW, "follows", "random", deals=DEALS, seed=SEED, first=FIRST, bidding="random")
    assert found["points"] == expected((points["bba"] - points["aab"]) / 2)
    assert found["payoff"] == expected((payoff["aab"] - payoff["bba"]) / 2)
    better = {"banker": ("bbb", "abb"), "partner": ("abb", "aab"), "defender": ("bba", "bbb")}
    for role, (less, more) in better.items():
        assert found["by_role"][role]["points"] == expected(points[less] - points[more])
        assert found["by_role"][role]["payoff"] == expected(payoff[more] - payoff[less])
    for play in found["plays"]:
        name = play["banker"] + play["partner"] + play["defenders"]
        won = sum(row["grade"] > 0 for row in plays[name])
        assert (play["made"]["lo"], play["made"]["hi"]) == wilson(won, DEALS)
        if name in formed:
            assert play["formed"]["mean"] == np.mean(formed[name])
        else:
            assert play["formed"] is None
    assert 0 < min(np.mean(formed["aab"]), np.mean(formed["bba"])) < 1  # both kinds occur


@jitted
def test_auction_mode_from_plain_rows(made: Any) -> None:
    made("follows")
    total, by_role = np.zeros(DEALS), {role: np.zeros(DEALS) for role in ROLES}
    for seat in range(5):
        for sign, found in ((1, rows("random", f"{seat}=follows")), (-1, rows("follows", f"{seat}=random"))):
            for deal, row in enumerate(found):
                role = (
                    "banker" if row["banker"] == seat else "partner" if row["partner"] == seat else "defender"
                )
                by_role[role][deal] += sign * row[f"payoff_{seat}"] / 10
                total[deal] += sign * row[f"payoff_{seat}"] / 10
    result = match(HW, "follows", "random", deals=DEALS, seed=SEED, first=FIRST, mode="auction")
    assert result["payoff"] == expected(total)
    for role in ROLES:
        assert result["by_role"][role]["payoff"] == expected(by_role[role])


def test_revealing_may_not_know_who_plays() -> None:
    asked = make_match(HW, ["random", "random"], deals=100, bidding="random")
    played = hidden_lineups(5, "random", "random", "random")
    assert asked.lineups() == played
    engines = Lineups(asked.plan, played, contract=True)
    other = asked.plan.__class__(asked.plan.game, asked.plan.rules, asked.plan.policies, seed=1)
    engines._engines["ba3"] = type(engines._engines["ba3"])(other)
    with pytest.raises(RunError, match="depends on who plays"):
        engines.play(0, 100)


@pytest.mark.parametrize("mode", ["contract", "auction"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tables_of_a_policy_against_itself(mode: str, lang: str) -> None:
    words = ["match", "hwwj", "--policy", "random", "--policy", "random", "--deals", "200", "--mode", mode]
    result = CliRunner().invoke(main, [*words, "--lang", lang], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    said = ("played every deal alike", "partner") if lang == "en" else ("每局都打得一样", "伴家")
    assert all(word in result.stdout for word in said)
    assert "-0" not in result.stdout.replace("-0.", "")
    if lang == "zh":
        assert not {"banker", "partner", "deal", "points"} & set(result.stdout.split())
        assert "红五五家" in result.stdout
