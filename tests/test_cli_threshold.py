"""`tuolaji threshold` and `--bidding` from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from click.testing import Result as CliResult

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim import threshold_plots
from tuolaji.sim.plan import plan_from_description

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="plays many deals")]
DEALS = ("--deals", "1200", "--seed", "2")


def invoke(*words: str) -> CliResult:
    return CliRunner().invoke(main, [*words])


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CliResult]:
    folder = tmp_path_factory.mktemp("study") / "new" / "one"
    return folder, invoke("threshold", "die-wu-fen", *DEALS, "--out", str(folder), "--no-plots")


def test_a_study_prints_its_main_tables(study: tuple[Path, CliResult]) -> None:
    _, done = study
    assert done.exit_code == 0, done.output
    for part in (
        "any hand",
        "at the auction",
        "Break-even",
        "bid up to",
        "counter",
        "blind to the bid",
        "200",
    ):
        assert part in done.output
    assert all(len(line) < 180 for line in done.output.splitlines())


def test_a_study_leaves_rows_tables_thresholds_and_a_manifest(study: tuple[Path, CliResult]) -> None:
    folder, _ = study
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["deals"] == 1200 and manifest["kind"] == "tuolaji threshold" and manifest["ended"]
    assert plan_from_description(manifest).seed == 2
    assert len(manifest["files"]) == 7
    for entry in manifest["files"]:
        file = pq.ParquetFile(folder / entry["file"])
        assert file.metadata.num_rows == entry["rows"] > 0
        about = json.loads(file.schema_arrow.metadata[b"tuolaji"])
        assert about["seed"] == 2 and about["rules_hash"] == manifest["rules_hash"]
        file.close()
    rows = {entry["file"]: entry["rows"] for entry in manifest["files"]}
    assert rows["rows/marginal.parquet"] == 12 * 1200 and rows["rows/auction.parquet"] == 3 * 1200


def test_the_rows_are_those_of_simulate(study: tuple[Path, CliResult], tmp_path: Path) -> None:
    """Deal, trump and banker of a row, as a contract of `simulate`: the same points."""
    folder, _ = study
    done = invoke(
        "simulate",
        "die-wu-fen",
        *DEALS,
        "--contract",
        "banker=2,trump=c,bid=130",
        "--out",
        str(tmp_path / "d"),
    )
    assert done.exit_code == 0, done.output
    with pq.ParquetFile(tmp_path / "d" / "deals" / "part-00000.parquet") as file:
        points = file.read(["defender_points"])["defender_points"].to_pylist()
    with pq.ParquetFile(folder / "rows" / "marginal.parquet") as file:
        found = file.read().to_pylist()
    mine = [row["defender_points"] for row in found if row["trump"] == "c" and row["seat"] == 2]
    assert mine == points
    assert all(row["top_trumps"] <= row["trumps"] <= 33 for row in found)


def test_simulate_and_match_play_by_the_thresholds(study: tuple[Path, CliResult], tmp_path: Path) -> None:
    folder, _ = study
    file = str(folder / "thresholds.toml")
    out = tmp_path / "d"
    done = invoke("simulate", "die-wu-fen", *DEALS, "--bidding", file, "--out", str(out), "--format", "json")
    assert done.exit_code == 0, done.output
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert [found["name"] for found in manifest["bidding"]] == ["thresholds"] * 3
    shown = invoke("replay", str(out), "--deal", "3", "--format", "jsonl")
    assert shown.exit_code == 0, shown.output
    done = invoke(
        "match", "die-wu-fen", "--policy", "expert", "--policy", "expert", "--mode", "auction", *DEALS,
        "--bidding-a", file, "--bidding-b", "die-wu-fen-1", "--format", "json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["biddings"][1]["name"] == "die-wu-fen-1" and found["deals_differing"] > 0


def test_the_json_object_has_what_the_tables_have() -> None:
    done = invoke("threshold", "die-wu-fen", *DEALS, "--by", "voids", "--format", "json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["by"] == "voids" and found["play_sees_bids"] is False
    assert {row["estimand"] for row in found["bids"]} == {"marginal", "auction"}
    marginal = [row for row in found["bids"] if row["estimand"] == "marginal" and row["bid"] == 110]
    assert sum(row["hands"] for row in marginal) == 12 * 1200
    for row in marginal:
        assert row["difference"] == pytest.approx(row["bidding"] - row["passing"])
        assert row["made_low"] <= row["made"] <= row["made_high"]
    assert len([row for row in found["break_even"] if row["estimand"] == "marginal"]) == 10


def test_workers_change_nothing() -> None:
    found = [
        invoke("threshold", "die-wu-fen", *DEALS, "--workers", workers, "--format", "json").output
        for workers in ("1", "3")
    ]
    assert found[0] == found[1]


def test_the_study_speaks_chinese() -> None:
    done = invoke("threshold", "跌五分", *DEALS, "--by", "trumps", "--lang", "zh")
    assert done.exit_code == 0, done.output
    for part in ("平衡点", "任意手牌", "叫分之时", "反牌", "打牌不看叫分", "起点：打成"):
        assert part in done.output


def test_plots_need_matplotlib_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_plots, "available", lambda: False)
    done = invoke("threshold", "die-wu-fen", *DEALS, "--out", str(tmp_path / "s"))
    assert done.exit_code == 0
    assert "tuolaji[plots]" in done.stderr and not (tmp_path / "s" / "plots").exists()


def test_plots_are_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = invoke("threshold", "die-wu-fen", *DEALS, "--out", str(tmp_path / "s"))
    assert done.exit_code == 0, done.output
    for name in ("difference", "made"):
        assert (tmp_path / "s" / "plots" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["hong-wu-wu-jia", "--deals", "500"], "too few"),
        (["hong-wu-wu-jia", "--deals", "5000", "--by", "voids"], "strength, trumps"),
        (["hong-wu-wu-jia", "--deals", "5000", "--policy", "banker=greedy"], "defender"),
        (["hong-wu-wu-jia", "--deals", "5000", "--bidding", "die-wu-fen-1"], "allowed is hong-wu-wu-jia"),
        (["die-wu-fen", "--deals", "500"], "too few"),
        (["die-wu-fen", "--deals", "5000", "--by", "luck"], "luck"),
        (["die-wu-fen", "--deals", "5000", "--policy", "random"], "expert"),
        (["die-wu-fen", "--deals", "5000", "--bidding", "nowhere.toml"], "nowhere.toml"),
        (["die-wu-fen", "--deals", "5000", "--set", "bid_step=7"], "bid_step"),
    ],
)
def test_what_is_not_possible_is_told_in_a_sentence(
    words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "s"
    with pytest.raises(SystemExit) as left:
        main(["threshold", *words, "--out", str(out)])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert part in said and "Traceback" not in said
    assert not out.exists()


def test_a_study_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tuolaji.sim import threshold_out

    def full(*_words: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(threshold_out.Folder, "_text", full)
    monkeypatch.setattr(sys, "argv", ["tuolaji"])
    out = tmp_path / "new" / "s"
    done = invoke("threshold", "die-wu-fen", *DEALS, "--out", str(out))
    assert done.exit_code == 3 and "No space left" in done.stderr
    assert not (tmp_path / "new").exists()
