"""The study of hong-wu-wu-jia: when to reveal, which face to name, when solo pays; and its numbers as a file."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from click.testing import Result as CliResult

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim.bidding import MOST, changed, from_dict, names, read_bidding, shipped
from tuolaji.sim.climb import climb
from tuolaji.sim.counterfactual_hong_wu_wu_jia import HiddenCounterfactual
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.naming import Namings, fit_naming, namings_of, numbers_of
from tuolaji.sim.plan import make_plan, plan_from_description
from tuolaji.sim.threshold_hong_wu_wu_jia import HiddenResult, What, When, ask_hidden, run_hidden
from tuolaji.sim.threshold_hong_wu_wu_jia_tables import LENGTHS, name_break_evens, reveals, solos, tables
from tuolaji.sim.threshold_hong_wu_wu_jia_tables import names as name_table

HW = "hong-wu-wu-jia"
DEALS, SEED = 1500, 6
pytestmark = pytest.mark.skipif(not JIT, reason="plays many deals")


@cache
def result(by: str = "strength") -> HiddenResult:
    return run_hidden(ask_hidden(HW, DEALS, by=by, seed=SEED))


# --- the tables


def test_every_look_that_comes_about_is_in_the_curves_once() -> None:
    found = result()
    rows = Engine(make_plan(HW, seed=SEED)).play(0, DEALS)
    for band in range(6):
        hands = found.reveals[When(band)].hands
        assert hands == sum(found.reveals[When(band, is_it)].hands for is_it in (True, False))
        assert hands == sum(found.reveals[When(band, None, place)].hands for place in range(5))
    # with all cards dealt only the previous banker looks (HW-4); where it reveals, the look came about
    late = found.reveals[When(5, True)]
    assert found.reveals[When(5, False)].hands == 0
    assert late.hands >= int((rows["reveal_after"] >= 30).sum()) > 20


def test_a_difference_is_that_of_its_two_payoffs() -> None:
    for rows, chosen, other in (
        (reveals(result()), "reveal", "wait"),
        (name_table(result()), "name", "other"),
        (solos(result()), "solo", "partner"),
    ):
        assert rows
        for row in rows:
            assert row["difference"] == pytest.approx(row[chosen] - row[other])
            if row["difference_low"] is not None:
                assert row["difference_low"] <= row["difference"] <= row["difference_high"]
            assert 0 <= row["won"] <= 1


def test_all_copies_and_fewer_are_told_apart() -> None:
    """HW-8: a face of which the banker has every copy is in the table of solo, and in no other."""
    table = HiddenCounterfactual(make_plan(HW, seed=SEED), reveals=False).table(0, DEALS)
    faces = namings_of([table])
    named = sum(curve.hands for curve in result().names.values())
    assert named == int((~faces.solo).sum())
    assert result().solo[None].hands == int(faces.solo.any(axis=1).sum())
    alone = faces.payoffs[faces.solo].mean()
    assert alone < -40 < result().solo[None].mean("other").value  # type: ignore[operator]
    whole = [row for row in name_table(result()) if row["from"] is None]
    for row in whole:
        parts = [
            part
            for part in name_table(result())
            if (part["face"], part["held"]) == (row["face"], row["held"]) and part["from"] is not None
        ]
        assert sum(part["faces"] for part in parts) == row["faces"]
    assert LENGTHS[0][0] == 0 and LENGTHS[-1][1] == 31


def test_what_is_picked_is_what_expert_names() -> None:
    rows = Engine(make_plan(HW, seed=SEED)).play(0, DEALS)
    assert sum(result().picked.values()) == int((rows["solo"] == 0).sum())
    aces = sum(result().picked[What(0, held)] for held in range(3))
    named, trump = rows["named"], rows["trump"]
    side = (named < 52) & (named % 13 == 12) & (named // 13 != trump)
    assert aces == int(((rows["solo"] == 0) & side).sum())


def test_up_to_a_number_of_cards_is_a_break_even_turned_round() -> None:
    for row in name_break_evens(result()):
        if row["value"] is not None:
            assert 0 <= row["value"] <= 31
        if row["low"] is not None and row["high"] is not None:
            assert row["low"] <= row["high"]


@pytest.mark.slow
def test_stronger_hands_gain_more_by_revealing() -> None:
    curve = result().reveals[When(4)]  # 29 cards
    found = [
        curve.mean("difference", slice(2 * low, 2 * high)).value
        for low, high in ((6, 12), (12, 16), (17, 30))
    ]
    assert found[0] is not None and found[1] is not None and found[2] is not None
    assert found[0] < found[1] < found[2] and found[0] < 0 < found[2]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["trumps", "top-trumps"])
def test_by_a_feature_the_rule_found_weighs_nothing_else(by: str) -> None:
    found = result(by)
    numbers = dict(zip(names(HW), found.bidding.values, strict=True))
    weighed = [numbers[f"reveal.{part}"] for part in ("trump", "pair", "triple", "high")]
    assert weighed == ([100, 0, 0, 0] if by == "trumps" else [0, 0, 0, 100])
    for when, curve in found.reveals.items():
        assert curve.hands == result().reveals[when].hands  # only ordered otherwise


def test_rules_are_judged_on_deals_of_their_own() -> None:
    found = result()
    assert found.match["first"] == DEALS
    assert found.answer.left.of == found.naming.gain.of == DEALS - int(0.75 * DEALS)
    assert found.answer.at_most.value is not None and found.answer.left.value is not None
    for each in found.answer.effects.values():
        assert sum(each["reveals"].values()) == pytest.approx(1)
    played = from_dict({"name": "x", **tomllib.loads(found.bidding.to_toml({}))}, HW)
    assert played.values == found.bidding.values


# --- fitting


def test_climbing_goes_where_the_values_are_higher() -> None:
    draw = np.random.default_rng(0)
    noise = draw.normal(0, 1, 4000)

    def worth(numbers: dict[str, int]) -> Any:
        return noise - ((numbers["a"] - 130) / 50) ** 2 - ((numbers["b"] + 7) / 50) ** 2

    path = climb({"a": 0, "b": 0, "c": 5}, {"a": 1.0, "b": 0.5}, worth)
    assert abs(path[-1]["a"] - 130) <= 5 and abs(path[-1]["b"] + 7) <= 3 and path[-1]["c"] == 5
    flat = climb({"a": 3}, {"a": 1.0}, lambda numbers: draw.normal(0, 1, 4000), least=5.0)
    assert flat[-1] == {"a": 3}  # noise alone moves nothing


def test_naming_that_is_worse_where_it_is_chosen_is_not_taken() -> None:
    table = HiddenCounterfactual(make_plan(HW, seed=SEED), reveals=False).table(0, 600)
    faces, start = namings_of([table]), numbers_of(shipped(HW))
    fit = faces.part(0, 0.5)
    upside_down = Namings(fit.notes, -fit.payoffs, fit.won)  # teaches to name what loses
    found = fit_naming(upside_down, faces.part(0.5, 1), faces.part(0, 1), start)
    assert found.numbers == start and found.gain.value == 0.0 and found.differing.value == 0.0
    taught = fit_naming(upside_down, upside_down, upside_down, start)
    assert taught.gain.value is not None and taught.gain.value > 0 and taught.numbers != start


# --- biddings as files


def test_a_bidding_goes_through_its_file_and_its_plan(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    late = changed(shipped(HW), {"reveal.margin": 500, "name.red_five": 500})
    file.write_text(late.to_toml({"about": "late"}), "utf-8")
    plan = make_plan(HW, seed=4, bidding=str(file))
    assert all(found is not None and found.name == "mine" for found in plan.bidding)
    assert read_bidding("hong-wu-wu-jia-1", HW).name == "hong-wu-wu-jia-1"
    assert plan_from_description(json.loads(json.dumps(plan.describe()))) == plan
    rows, plain = Engine(plan).play(0, 300), Engine(make_plan(HW, seed=4)).play(0, 300)
    assert (rows["named"] == 16).mean() > 0.95  # but for those who hold all three
    assert rows["reveal_after"].mean() > plain["reveal_after"].mean()
    same = Engine(make_plan(HW, seed=4, bidding=shipped(HW))).play(0, 300)
    assert all((plain[name] == same[name]).all() for name in plain)


def test_each_role_of_a_seat_goes_by_it_where_it_is_expert() -> None:
    file = changed(shipped(HW), {"reveal.margin": MOST, "reveal.last": MOST, "name.red_five": 500})
    banker = Engine(make_plan(HW, policies=["bidding=greedy"], bidding=file)).play(0, 200)
    plain = Engine(make_plan(HW, policies=["bidding=greedy"])).play(0, 200)
    assert (banker["named"] == 16).mean() > 0.95 and (banker["banker"] == plain["banker"]).all()
    bids = Engine(make_plan(HW, policies=["banker=greedy", "2=greedy"], bidding=file)).play(0, 200)
    assert set(bids["banker"][bids["pressed"] == 0]) == {2} and (bids["named"] != 16).any()
    with pytest.raises(UsageError, match="no effect"):
        make_plan(HW, policies="greedy", bidding=file)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "reveal.trump"),
        ("[bid]\nx = 1", "bid"),
        ('[provenance]\ngame = "die-wu-fen"', "die-wu-fen"),
    ],
)
def test_a_file_that_is_no_bidding_is_refused(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=part):
        read_bidding(str(file), HW)
    with pytest.raises(UsageError, match="a file that `tuolaji threshold` wrote"):
        read_bidding("nowhere.toml", HW)


# --- the command


def invoke(*words: str) -> CliResult:
    return CliRunner().invoke(main, ["threshold", HW, "--deals", str(DEALS), "--seed", str(SEED), *words])


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CliResult]:
    folder = tmp_path_factory.mktemp("study") / "new"
    return folder, invoke("--out", str(folder), "--no-plots")


@pytest.mark.slow
def test_the_study_prints_its_main_tables(study: tuple[Path, CliResult]) -> None:
    _, done = study
    assert done.exit_code == 0, done.output
    for part in (
        "reveal",
        "wait",
        "previous banker",
        "side A, 0",
        "red five, 2",
        "solo pays from",
        "left to gain",
    ):
        assert part in done.output
    assert all(len(line) < 180 for line in done.output.splitlines())
    chinese = invoke("--lang", "zh", "--by", "trumps")
    assert chinese.exit_code == 0, chinese.output
    for part in ("翻", "原庄", "副牌 A, 0", "独打合算之起点：", "主牌张数", "原规则：庄家胜"):
        assert part in chinese.output
    assert "pressed" not in chinese.output


@pytest.mark.slow
def test_the_study_leaves_rows_tables_thresholds_and_a_manifest(
    study: tuple[Path, CliResult], tmp_path: Path
) -> None:
    folder, _ = study
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["deals"] == DEALS and manifest["ended"]
    assert plan_from_description(manifest).seed == SEED
    assert {entry["file"] for entry in manifest["files"]} == {
        *(f"rows/{name}.parquet" for name in ("contracts", "looks", "names")),
        *(f"tables/{name}.parquet" for name in tables(result())),
    }
    found: dict[str, Any] = {}
    for entry in manifest["files"]:
        with pq.ParquetFile(folder / entry["file"]) as file:
            assert file.metadata.num_rows == entry["rows"] > 0
            assert json.loads(file.schema_arrow.metadata[b"tuolaji"])["seed"] == SEED
            found[entry["file"]] = file.read()
    reached = found["rows/looks.parquet"]
    hands = sum(result().reveals[When(band)].hands for band in range(6))
    assert sum(reached["reached"].to_pylist()) == hands
    rows = Engine(make_plan(HW, seed=SEED)).play(0, DEALS)
    contracts = found["rows/contracts.parquet"].to_pylist()
    by_deal = {(row["deal"], row["banker"], row["trump"]): row for row in contracts if not row["pressed"]}
    for deal in np.flatnonzero(rows["pressed"] == 0)[:50].tolist():
        row = by_deal[deal, int(rows["banker"][deal]), "shcd"[rows["trump"][deal]]]
        assert all(row[f"payoff_{seat}"] == rows[f"payoff_{seat}"][deal] for seat in range(5))
    file_ = str(folder / "thresholds.toml")
    assert read_bidding(file_, HW).values == result().bidding.values
    done = CliRunner().invoke(
        main, ["simulate", HW, "--deals", "300", "--bidding", file_, "--out", str(tmp_path / "d")]
    )
    assert done.exit_code == 0, done.output
    again = CliRunner().invoke(main, ["verify", str(tmp_path / "d")])
    assert again.exit_code == 0, again.output


@pytest.mark.slow
def test_the_json_object_has_what_the_tables_have_whatever_the_workers() -> None:
    outputs = [invoke("--format", "json", "--workers", workers).output for workers in ("1", "3")]
    assert outputs[0] == outputs[1]
    found = json.loads(outputs[0])
    for name, rows in tables(result()).items():
        assert found[name] == json.loads(json.dumps(rows))
    assert found["game"] == HW and found["naming"]["numbers"] == result().naming.numbers
    assert found["response"]["reveal"] == result().answer.rule.changes()


@pytest.mark.slow
def test_plots_are_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = invoke("--out", str(tmp_path / "s"))
    assert done.exit_code == 0, done.output
    for name in ("reveal", "name", "solo"):
        assert (tmp_path / "s" / "plots" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
