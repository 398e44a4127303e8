"""`tuolaji compare` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from click.testing import Result as CliResult

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim import compare as compare_module

pytestmark = pytest.mark.skipif(not JIT, reason="plays many deals")
RUN = ("compare", "die-wu-fen", "--deals", "600", "--policy", "random", "--seed", "2")


def invoke(*words: str) -> CliResult:
    return CliRunner().invoke(main, [*words])


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CliResult]:
    folder = tmp_path_factory.mktemp("study") / "new" / "one"
    words = ("--grid", "defender_throw_penalty=1,2", "--check-policy", "greedy", "--out", str(folder))
    return folder, invoke(*RUN, *words)


def test_it_prints_differences_fairness_and_conclusions(study: tuple[Path, CliResult]) -> None:
    _, done = study
    assert done.exit_code == 0, done.output
    for part in (
        "=2: differences to defender_throw_penalty=1", "Payoff a deal", "of it, for failed throws",
        "Deals that differ", "Fairness", "variance due to the deal", "survive", "greedy", "Bonferroni",
    ):  # fmt: skip
        assert part in done.output, part
    lines = done.output.splitlines()
    assert any(line.startswith("  bid made") and line.endswith(" 0") for line in lines)
    assert any(line.startswith("  banker  ") and line.endswith("*") for line in lines)


def test_it_leaves_tables_that_explain_themselves(study: tuple[Path, CliResult]) -> None:
    folder, _ = study
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["kind"] == "compare" and manifest["deals"] == 600 and manifest["ended"]
    assert [v["rules"]["defender_throw_penalty"] for v in manifest["variants"]] == [1, 2]
    assert {entry["file"] for entry in manifest["files"]} == {
        f"{name}.parquet" for name in ("variants", "figures", "differing", "fairness", "conclusions")
    }
    for entry in manifest["files"]:
        table = pq.read_table(folder / entry["file"])
        assert table.num_rows == entry["rows"]
        about = json.loads(table.schema.metadata[b"tuolaji"])
        assert about["seed"] == 2 and about["kind"] == "compare"
    figures = pq.read_table(folder / "figures.parquet").to_pylist()
    (row,) = (
        r
        for r in figures
        if r["figure"] == "payoff_banker" and not r["reference"] and r["policy"] == "random"
    )
    assert (
        row["difference_low"]
        < row["single_low"]
        < row["difference"]
        < row["single_high"]
        < row["difference_high"]
    )
    assert (
        row["unit"] == "deal"
        and row["measure"] == "payoff"
        and row["level"] == 0.95
        and row["differing"] > 500
    )
    result = json.loads((folder / "result.json").read_text("utf-8"))
    assert len(result["figures"]) == len(figures)


def test_json_is_the_same_as_the_folder_holds(study: tuple[Path, CliResult]) -> None:
    folder, _ = study
    done = invoke(
        *RUN, "--grid", "defender_throw_penalty=1,2", "--check-policy", "greedy", "--format", "json"
    )
    one, two = json.loads(done.output), json.loads((folder / "result.json").read_text("utf-8"))
    one.pop("seconds"), two.pop("seconds")
    assert one == two


def test_in_chinese_nothing_is_left_in_english() -> None:
    done = invoke(*RUN, "--variant", "cascade=false", "--lang", "zh", "--check-policy", "greedy")
    assert done.exit_code == 0, done.output
    for part in ("打法不同", "公平", "方差中出自发牌的部分", "每局得失", "经得起检验"):
        assert part in done.output
    for word in ("Payoff", "difference", "Deals", "share", "deals"):
        assert word not in done.output


def test_a_variant_alone_is_compared_with_the_rules() -> None:
    done = invoke(*RUN, "--set", "bottom_multiplier=3", "--variant", "cascade=false", "--format", "json")
    found = json.loads(done.output)
    assert [v["rules"]["bottom_multiplier"] for v in found["variants"]] == [3, 3]
    assert [row["option"] for row in found["differing"]] == [None, "cascade"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((), "nothing to compare"),
        (("--variant", "bid_step=7"), "bid_step"),
        (("--variant", "hong-wu-wu-jia"), "hong-wu-wu-jia"),
        (("--variant", "nowhere.toml"), "can't be read"),
        (("--variant", "cascade=false", "--refit"), "expert"),
        (("--grid", "cascade"), "option=a,b,c"),
    ],
)
def test_bad_usage_is_one_sentence(words: tuple[str, ...], part: str, tmp_path: Path) -> None:
    done = invoke(*RUN, *words, "--out", str(tmp_path / "d"))
    assert done.exit_code == 2
    assert part in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "d").exists()


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine", "utf-8")
    done = invoke(*RUN, "--variant", "cascade=false", "--out", str(tmp_path))
    assert done.exit_code == 2 and "not empty" in done.stderr


def test_what_goes_wrong_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tuolaji.sim.variant_plays.play", broken)
    assert compare_module.run
    done = invoke(*RUN, "--variant", "cascade=false", "--out", str(tmp_path / "a" / "b"))
    assert done.exit_code == 130 and "interrupted" in done.stderr
    assert not (tmp_path / "a").exists()
