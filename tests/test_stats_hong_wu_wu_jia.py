"""Totals and the summary of hong-wu-wu-jia against direct computations, on made-up and on played deals."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tuolaji.cli import main
from tuolaji.sim.cards import FACES
from tuolaji.sim.dataset import Dataset
from tuolaji.sim.plan import make_plan
from tuolaji.sim.simulate import run
from tuolaji.sim.stats import Estimate, Powers, spread, t95, wilson
from tuolaji.sim.summary import QUANTILES, Summary, summarize
from tuolaji.sim.summary_hong_wu_wu_jia import NEVER, REVEALS
from tuolaji.sim.summary_text import render
from tuolaji.sim.totals import Totals, count, counted

HW = "hong-wu-wu-jia"
Columns = dict[str, np.ndarray]
PLACES = ("first", "second", "third", "fourth", "fifth")
NAMEABLE = [at for at, face in enumerate(FACES) if face[0] in "AK" or face in ("5h", "BJ")]


@cache
def played(deals: int, session: int = 1) -> Columns:
    """Deals of `random`, in 64 bits."""
    from tuolaji.sim.engine import Engine

    found = Engine(make_plan(HW, policies="random", seed=12, session=session)).play(0, deals)
    return {name: values.astype(np.int64) for name, values in found.items()}


@cache
def made_up(deals: int, seed: int = 1) -> Columns:
    """Deals with any values a deal could have, good and bad ones alike; only payoffs are none of the game's."""
    rng = np.random.default_rng(seed)
    whole = rng.integers
    c = {
        "first_seat": whole(0, 5, deals),
        "banker": whole(0, 5, deals),
        "trump": whole(0, 4, deals),
        "previous_banker": whole(0, 5, deals),
        "pressed": (rng.random(deals) < 0.3).astype(int),
        "named": rng.choice(NAMEABLE, deals),
        "named_held": whole(0, 4, deals),
        "grade": rng.choice([*range(-24, 0), *range(1, 10)], deals),
        "bottom_points": 5 * whole(0, 15, deals),
        "bottom_multiplier": rng.choice([0, 2, 4], deals),
        "defender_points": 5 * whole(0, 70, deals),
        "throws": whole(0, 6, deals),
        "tricks": whole(10, 32, deals),
        "last_winner": whole(0, 5, deals),
    }
    c["reveal_after"] = np.where(c["pressed"] == 1, 0, whole(1, 32, deals))
    c["solo"] = (c["named_held"] == 3).astype(int)
    c["partner"] = np.where(c["solo"] == 1, -1, (c["banker"] + whole(1, 5, deals)) % 5)
    c["partner_trick"] = np.where(c["solo"] == 1, -1, whole(0, 31, deals))
    c["direct"] = ((rng.random(deals) < 0.2) & (c["solo"] == 0)).astype(int)
    c["failed_throws"] = whole(0, c["throws"] + 1)
    for seat in range(5):
        c[f"payoff_{seat}"] = whole(-100, 101, deals)
    c["payoff_4"] -= sum(c[f"payoff_{seat}"] for seat in range(5))
    return {name: values.astype(np.int64) for name, values in c.items()}


def payoffs(c: Columns) -> np.ndarray:
    return np.stack([c[f"payoff_{seat}"] for seat in range(5)])


def of_seat(c: Columns, seat: np.ndarray) -> np.ndarray:
    """The payoff of one seat for each deal."""
    return payoffs(c)[seat, np.arange(len(seat))]


def quantities(c: Columns) -> Columns:
    """What each deal adds to the totals, by name."""
    won, partner = c["grade"] > 0, c["partner"] >= 0
    revealed, pressed, solo = c["reveal_after"] > 0, c["pressed"] == 1, c["solo"] == 1
    banker = of_seat(c, c["banker"])
    beside = np.where(partner, of_seat(c, c["partner"]), 0)  # -1 where there is none
    found = {
        "partners": partner, "defenders": 4 - partner.astype(int), "revealed": revealed, "pressed": pressed,
        "reveal_after": c["reveal_after"], "previous_stays": c["previous_banker"] == c["banker"], "solo": solo,
        "direct": c["direct"], "won": won, "won_with_partner": won & partner, "won_solo": won & solo,
        "won_revealed": won & revealed, "won_pressed": won & pressed, "won_direct": won & (c["direct"] == 1),
        "partner_found": np.where(partner, c["partner_trick"] + 1, 0), "throws": c["throws"],
        "failed_throws": c["failed_throws"], "bottom_points": c["bottom_points"],
        "bottom_dug": c["bottom_multiplier"] > 0, "bottom_dug_points": c["bottom_points"] * c["bottom_multiplier"],
        "defender_points": c["defender_points"], "defender_points_squares": c["defender_points"] ** 2,
        "payoff_banker": banker, "payoff_banker_squares": banker**2,
        "payoff_partner": beside, "payoff_partner_squares": beside**2,
        "payoff_defender": -banker - beside,  # they sum to 0
        "payoff_defender_squares": (payoffs(c) ** 2).sum(axis=0) - banker**2 - beside**2,
    }  # fmt: skip
    for k, place in enumerate(PLACES):
        pay = of_seat(c, (c["first_seat"] + k) % 5)
        found |= {f"payoff_{place}": pay, f"payoff_{place}_squares": pay**2}
    return {name: np.asarray(values).astype(np.int64) for name, values in found.items()}


def by_class(c: Columns) -> Columns:
    """The classes of each deal, by name."""
    reveal = sum((c["reveal_after"] >= low).astype(int) for low, _ in REVEALS[1:])
    return {name: c[name] for name in ("grade", "named", "named_held", "trump")} | {"reveal": reveal}


# --- totals against numpy ---------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("session", [1, 3, 10])
@pytest.mark.parametrize("source", ["made up", "played"])
def test_totals_are_the_sums_over_units(source: str, session: int) -> None:
    c = made_up(210) if source == "made up" else played(30, session)
    totals = count(c, session, HW)
    units = len(c["banker"]) // session

    def by_unit(values: np.ndarray) -> np.ndarray:
        return values.astype(np.int64).reshape(units, session).sum(axis=1)

    of_unit = {name: by_unit(values) for name, values in quantities(c).items()}
    assert (totals.units, totals.deals) == (units, len(c["banker"]))
    assert totals.sums == {name: values.sum() for name, values in of_unit.items()}
    assert totals.products == {(a, b): (of_unit[a] * of_unit[b]).sum() for a, b in totals.products}
    assert set(totals.classes) == set(by_class(c))
    for name, values in by_class(c).items():
        assert set(totals.classes[name]) == set(values)
        for value, sums in totals.classes[name].items():
            x, y = by_unit((values == value) & (c["grade"] > 0)), by_unit(values == value)
            assert sums == (x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())
    found = np.where(c["partner"] < 0, NEVER, c["partner_trick"] + 1)
    for name, values in (("defender_points", c["defender_points"]), ("partner_found", found)):
        assert sum(number for number, _ in totals.levels[name].values()) == len(values)
        squared = 0
        for value in sorted(totals.levels[name]):
            squared += totals.levels[name][value][1]
            assert squared == (by_unit(values <= value) ** 2).sum()


@pytest.mark.parametrize("session", [1, 5])
def test_totals_are_the_same_however_divided(session: int) -> None:
    c = made_up(600)
    whole = count(c, session, HW)
    for cut in (5, 100, 595):
        parts = Totals(session)
        for piece in (slice(0, cut), slice(cut, None)):
            parts.merge(count({name: values[piece] for name, values in c.items()}, session, HW))
        assert parts == whole
    with pytest.raises(ValueError, match="not whole sessions"):
        count({name: values[:7] for name, values in c.items()}, 2, HW)


@pytest.mark.parametrize("session", [1, 1000, 30_000])
def test_totals_are_exact_at_the_largest_payoffs(session: int) -> None:
    # A solo banker at 8 * 100 * 40 points, four defenders at a quarter of it (HW-15).
    c = {name: values.repeat(100) for name, values in made_up(600).items()}
    c["banker"][:], c["partner"][:], c["solo"][:] = 1, -1, 1
    for seat in range(5):
        c[f"payoff_{seat}"][:] = -32_000 if seat == 1 else 8_000
    totals = count(c, session, HW)
    units, each = 60_000 // session, 4 * 8_000**2 * session
    assert totals.sums["payoff_defender_squares"] == units * each
    assert totals.products["payoff_defender_squares", "payoff_defender_squares"] == units * each**2
    assert totals.products["payoff_defender", "payoff_defender_squares"] == units * 32_000 * session * each
    assert (
        totals.products["payoff_banker_squares", "payoff_banker_squares"]
        == units * (32_000**2 * session) ** 2
    )
    assert totals.products["payoff_defender_squares", "defenders"] == units * each * 4 * session


def test_every_counted_column_matters() -> None:
    c = made_up(60)
    before = count(c, 1, HW)
    for name in counted(HW):
        changed = {**c, name: c[name].copy()}
        if name in ("banker", "first_seat", "previous_banker"):
            changed[name] = (changed[name] + 1) % 5
        elif name in ("trump", "named_held"):
            changed[name] = (changed[name] + 1) % 4
        elif name in ("pressed", "direct", "solo"):
            changed[name] = 1 - changed[name]
        elif name == "reveal_after":
            changed[name][changed[name] > 0] = 31
        elif name == "partner":
            changed[name][changed[name] >= 0] = -1
        else:
            changed[name] = changed[name] + 1
        assert count(changed, 1, HW) != before, name


# --- figures against direct computations ------------------------------------------------------------


def summary(c: Columns, session: int = 1) -> Summary:
    return Summary(make_plan(HW, policies="random", session=session), count(c, session, HW), 0)


def is_mean(figure: Estimate, values: np.ndarray) -> bool:
    """A figure is the mean of these values, with the textbook error up to the n of n - 1."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    return figure.value == pytest.approx(values.mean()) and figure.error == pytest.approx(error, rel=0.02)


def is_share(figure: Estimate, of: np.ndarray) -> bool:
    """A figure is the share of True among these, with Wilson's interval."""
    return (figure.low, figure.high) == wilson(int(of.sum()), len(of)) and figure.value == pytest.approx(
        of.mean()
    )


@pytest.mark.parametrize("source", ["made up", "played"])
def test_figures_of_single_deals_are_the_textbook_ones(source: str) -> None:
    c = made_up(2000) if source == "made up" else played(2000)
    figures = summary(c).figures()
    won, partner, solo = c["grade"] > 0, c["partner"] >= 0, c["solo"] == 1
    revealed, pressed, direct = c["reveal_after"] > 0, c["pressed"] == 1, c["direct"] == 1
    shares = {
        "revealed": revealed, "pressed": pressed, "previous_stays": c["previous_banker"] == c["banker"],
        "solo": solo, "direct": direct[partner], "won": won, "won_with_partner": won[partner],
        "won_direct": won[direct], "won_solo": won[solo], "won_revealed": won[revealed],
        "won_pressed": won[pressed], "bottom_dug": c["bottom_multiplier"] > 0,
    }  # fmt: skip
    for name, of in shares.items():
        assert is_share(figures[name], of), name
    dug = c["bottom_multiplier"] > 0
    means = {
        "reveal_after": c["reveal_after"][revealed], "partner_found": c["partner_trick"][partner] + 1,
        "payoff_banker": of_seat(c, c["banker"]), "payoff_partner": of_seat(c, c["partner"])[partner],
        "defender_points": c["defender_points"], "bottom_points": c["bottom_points"], "throws": c["throws"],
        "failed_throws": c["failed_throws"],
        "bottom_dug_points": (c["bottom_points"] * c["bottom_multiplier"])[dug],
    }  # fmt: skip
    means |= {f"payoff_{place}": of_seat(c, (c["first_seat"] + k) % 5) for k, place in enumerate(PLACES)}
    for name, values in means.items():
        assert is_mean(figures[name], values), name
        if name.startswith("payoff"):
            assert figures[f"{name}_spread"].value == pytest.approx(values.std(ddof=1))
    seats = np.arange(5)[:, None]
    defends = (seats != c["banker"]) & (seats != c["partner"])
    assert figures["payoff_defender"].value == pytest.approx(payoffs(c)[defends].mean())
    assert figures["payoff_defender"].of == defends.sum() == 3 * 2000 + solo.sum()
    assert figures["payoff_defender_spread"].value == pytest.approx(payoffs(c)[defends].std(ddof=1))
    assert figures["failed_share"].value == pytest.approx(c["failed_throws"].sum() / c["throws"].sum())


def test_errors_where_deals_hold_different_numbers_of_values() -> None:
    # By leaving out one session at a time: nothing is assumed about how values hang together.
    session, c = 4, {name: values.copy() for name, values in made_up(800).items()}
    seats = np.arange(5)[:, None]

    def defenders(d: Columns) -> np.ndarray:
        return payoffs(d)[(seats != d["banker"]) & (seats != d["partner"])]

    def partners(d: Columns) -> np.ndarray:
        return of_seat(d, d["partner"])[d["partner"] >= 0]

    figures = summary(c, session).figures()
    for name, values in (("payoff_defender", defenders), ("payoff_partner", partners)):
        left: dict[str, list[float]] = {"": [], "_spread": []}
        for start in range(0, 800, session):
            rest = {key: np.delete(v, range(start, start + session)) for key, v in c.items()}
            left[""].append(values(rest).mean())
            left["_spread"].append(values(rest).std(ddof=1))
        for kind, found in left.items():
            n = len(found)
            error = math.sqrt((n - 1) / n * sum((v - sum(found) / n) ** 2 for v in found))
            assert figures[name + kind].error == pytest.approx(error, rel=0.03), name + kind


def test_a_spread_with_equal_counts_is_the_ordinary_one() -> None:
    c = played(300)
    totals = count(c, 3, HW)
    powers = totals.powers("payoff_banker")
    counts = (300, 3 * 3 * 100, 3 * totals.sums["payoff_banker"], 3 * totals.sums["payoff_banker_squares"])
    values = totals.values["payoff_banker"]
    assert spread(powers, values) == spread(Powers(*powers[:7], counts, 300), values)
    assert (
        spread(Powers(5, 0, 3, 9, 9, 27, 81, (1, 1, 3, 9)), {3: (1,)}).value is None
    )  # one partner in five deals


@pytest.mark.parametrize("session", [1, 5])
def test_tables_by_value(session: int) -> None:
    c = played(1500, session)
    described = summary(c, session).to_dict()
    won = c["grade"] > 0
    tables = {
        "named": ("face", FACES.__getitem__), "named_held": ("copies", int),
        "trump": ("trump", "shcd".__getitem__), "reveal": ("cards", REVEALS.__getitem__),
    }  # fmt: skip
    for name, (key, shown) in tables.items():
        values = by_class(c)[name]
        rows = described[{"trump": "trumps", "reveal": "reveals"}.get(name, name)]
        assert [row[key] for row in rows] == [shown(value) for value in sorted(set(values.tolist()))]
        for row, value in zip(rows, sorted(set(values.tolist())), strict=True):
            assert row["share"]["value"] == pytest.approx((values == value).mean())
            assert row["won"]["value"] == pytest.approx(won[values == value].mean())
            if session == 1:
                assert (row["won"]["low"], row["won"]["high"]) == wilson(
                    int(won[values == value].sum()), int((values == value).sum())
                )
    grades = [row["grade"] for row in described["grades"]]
    assert grades == sorted(set(c["grade"].tolist()), reverse=True)
    assert sum(row["share"]["value"] for row in described["grades"]) == pytest.approx(1)


def test_quantiles_of_the_trick_put_solo_last() -> None:
    c = made_up(3000)
    found = np.sort(np.where(c["partner"] < 0, NEVER, c["partner_trick"] + 1))
    figures = summary(c).quantiles("partner_found")
    assert tuple(figures) == QUANTILES
    for share, figure in figures.items():
        assert figure.value == found[math.ceil(share * 3000) - 1]
        reach = t95(2999) * math.sqrt(share * (1 - share) * 3000)
        assert figure.low is not None and figure.high is not None
        assert abs(figure.low - found[math.floor(share * 3000 - reach)]) <= 1
        assert abs(figure.high - found[min(2999, math.ceil(share * 3000 + reach))]) <= 1
    assert figures[0.95].value == NEVER
    text = render(summary(c), "en")
    assert re.search(r"95 % quantile +solo  \[solo, solo\]", text)


# --- as it is printed and stored --------------------------------------------------------------------


def printed(*words: str) -> str:
    result = CliRunner().invoke(
        main, ["simulate", "hwwj", "--policy", "random", *words], catch_exceptions=False
    )
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("session", [1, 5])
def test_the_summary_of_a_dataset_is_that_of_its_run(tmp_path: Path, session: int) -> None:
    plan = make_plan(HW, policies="random", session=session, seed=4)
    first = run(plan, 100, out=tmp_path / "d", chunk=40)
    stored = summarize(Dataset(tmp_path / "d"))
    assert stored.totals == first.totals
    assert stored.to_dict() == {key: value for key, value in first.to_dict().items() if key != "run"}


def test_every_figure_has_its_error() -> None:
    lines = printed("--deals", "3k").partition("\n\n")[2].splitlines()
    sections, *tables = "\n".join(lines).split("\n\n")
    figures = [line for line in sections.splitlines() if line.startswith("  ")]
    assert len(figures) > 45
    for line in figures:
        assert re.search(r"± [0-9.]+$|\[(-?[0-9.]+|solo), (-?[0-9.]+|solo)\]$", line), line
    assert len(tables) == 6
    for table in tables[:-1]:
        heads, *rows = table.splitlines()
        assert all(row.count("[") == (1 if heads.startswith("grade") else 2) for row in rows)
    assert len(tables[1].splitlines()) == 1 + len(NAMEABLE)


def test_json_keys_are_the_documented_ones() -> None:
    found = json.loads(printed("--deals", "300", "--format", "json"))
    page = (Path(__file__).parents[1] / "docs/dataset.md").read_text("utf-8").partition("## The summary")[2]
    words = set(re.findall(r"`([a-z_…]+)`", page))
    for name, figure in found["figures"].items():
        assert name in words or re.sub("payoff_.*_spread", "payoff_…_spread", name) in words, name
        assert set(figure) <= words
    tables = {"grades", "named", "named_held", "trumps", "reveals", "partner_found_quantiles"}
    assert tables | {"defender_points_quantiles"} <= words & set(found)
    for name in tables:
        assert {key for row in found[name] for key in row} <= words


def test_a_fixed_contract_has_no_figures_of_revealing() -> None:
    text = printed("--deals", "200", "--contract", "banker=1,trump=d")
    assert "banker=1,trump=d\n" in text
    assert "reveal" not in text and "pressed" not in text
    assert "banker solo" in text
    found = json.loads(printed("--deals", "200", "--contract", "banker=1,trump=d", "--format", "json"))
    assert "reveals" not in found and "won_pressed" not in found["figures"]


def test_chinese() -> None:
    text = printed("--deals", "200", "--lang", "zh")
    for word in ("红五五家", "翻2", "压庄", "原庄", "伴家", "独打", "直拼", "直搭", "抠底", "大王"):
        assert word in text
    assert not re.findall(r"\b(deals|share|banker|partner|solo|error)\b", text)
