"""`tuolaji report` of tournaments: the page says what the tables have, however sure or unsure that is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from report_pages import read

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim import tournament
from tuolaji.sim.report import make
from tuolaji.sim.report.figures import Number, number, together, told
from tuolaji.sim.report.tournament_study import difference
from tuolaji.sim.stats import wilson
from tuolaji.sim.study_out import StudyFolder
from tuolaji.sim.text import Lang
from tuolaji.sim.tournament import Asked, Outcome
from tuolaji.sim.tournament_figures import length_of, provenance, write

HW = "hong-wu-wu-jia"
needs_jit = pytest.mark.skipif(not JIT, reason="plays many hands")


@pytest.fixture(scope="module", autouse=True)
def _needs_matplotlib() -> None:
    pytest.importorskip("matplotlib")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


def refused(folder: Path) -> str:
    result = run("report", str(folder))
    assert result.exit_code == cli.BAD_USAGE and result.stdout == "" and result.stderr.count("\n") == 1
    assert not (folder / "report").exists()
    return result.stderr


def outcome(asked: Asked, hands: int, skill: float) -> Outcome:
    """Rounds with normal luck; entrants' skill a hand spans -skill to skill, the first being the best."""
    draw = np.random.default_rng(hands)
    entrants = len(asked.entrants)
    ability = np.linspace(skill, -skill, entrants)
    points = hands * ability + draw.normal(0, 3 * hands**0.5, (asked.tournaments, entrants))
    opening = np.rint(points - points.mean(axis=1, keepdims=True)).astype(np.int64)
    played = np.where(np.argsort(np.argsort(-opening)) < asked.sizes[-1], 2, 1)
    if not asked.advance:
        played[:] = 1
    return Outcome(opening, played, opening.argmax(axis=1), opening.max(axis=1))


def folder_of(folder: Path, skill: float, **asked: Any) -> tuple[Path, tournament.Result]:
    """A folder as `tournament --out` writes it."""
    found = tournament.ask(HW, **{"tournaments": 60, "number": 15, "hands": [32, 2, 8], **asked})
    lengths = [length_of(found, hands, outcome(found, hands, skill)) for hands in found.hands]
    result = tournament.Result(found, lengths, 1.0)
    write(result, StudyFolder(folder, "tournament", provenance(found), f"tuolaji tournament {HW} --out x"))
    return folder, result


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tournaments_become_a_page(tmp_path: Path, lang: Lang) -> None:
    folder, result = folder_of(tmp_path / "t", 2.0, entrants=["expert@3", "0.5*expert+0.5*greedy"])
    report = make.make(folder, lang)
    seen = read(make.render(report, lang))
    words = seen.words()
    assert seen.faults == []
    assert [chart.name for chart in report.charts()] == ["length", "wins", "points", "goes-on"]
    for length in result.lengths:
        assert told(number(length.best_wins), "share") in words
        assert told(number(length.skill), "share") in words
        for standing in length.standings:
            assert f"{standing.name} × {standing.count}" in words
            assert told(number(standing.wins), "share") in words
            assert told(number(standing.points), sign=True) in words
            assert told(number(standing.advanced), "share") in words
    for part in (f"SHA-256 {result.asked.plan.rules.hash()}", f"tuolaji tournament {HW} --out x", "15 → 10"):
        assert part in words
    finding = " ".join(report.findings)
    family = 2 * len(result.lengths)
    judged = together(number(result.lengths[0].best_wins), family, (0, 1))
    longest = told(judged, "share", against=0.2)  # 32 hands, asked for first
    assert judged.low < (result.lengths[0].best_wins.low or 0)  # type: ignore[operator]
    if lang == "en":
        assert f"32 hands a round: the best entrant wins {longest}" in finding
        assert "20 % (beyond reasonable doubt)" in finding and "From 2 to 32 hands a round" in finding
        assert "more often than by chance: 1 of 2; less often: 1; not told apart from chance: 0" in finding
    else:
        assert f"每轮 32 手：最强者夺冠 {longest}" in finding
        assert "20 %（毫无疑问）" in finding and "每轮由 2 手增至 32 手" in finding
        assert not any(word in finding for word in ("hands", "skill", "beyond"))


def test_where_all_are_alike_nothing_is_made_of_it(tmp_path: Path) -> None:
    folder, _ = folder_of(tmp_path / "t", 0.0, hands=[4], rounds=1)
    report = make.make(folder, "en")
    assert [chart.name for chart in report.charts()] == ["wins", "points"]  # one length, one round
    words = read(make.render(report, "en")).words()
    assert "15 entrants sit at tables of five and play one round" in words
    assert "of 15; less often: 0; not told apart from chance: 15" in " ".join(report.findings)
    assert not any(
        word in " ".join(report.findings) for word in ("strong evidence", "beyond", "extrapolation")
    )


def test_one_kind_of_entrants_has_no_best(tmp_path: Path) -> None:
    folder, _ = folder_of(tmp_path / "t", 0.0, entrants=["greedy"])
    report = make.make(folder, "en")
    assert report.findings == ["All entrants are of one kind: nobody is better, and luck decides."]
    assert read(make.render(report, "en")).faults == []


def changed(folder: Path, table: str, change: dict[str, Any]) -> None:
    path = folder / f"{table}.parquet"
    rows = [{**row, **change} for row in pq.read_table(path).to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows), path)


def test_names_of_entrants_stay_names(tmp_path: Path) -> None:
    folder, _ = folder_of(tmp_path / "t", 1.0, entrants=["expert@3", "greedy"])
    hostile = "</text><script>alert(1)</script> 甲 $\\frac{"
    path = folder / "entrants.parquet"
    rows = pq.read_table(path).to_pylist()
    for row in rows:
        row["entrant"] = hostile if row["entrant"] == "expert" else row["entrant"]
    pq.write_table(pa.Table.from_pylist(rows), path)
    about = json.loads((folder / "manifest.json").read_text("utf-8"))
    about |= {"seed": "<img src=x>", "mix": "<b>", "command_lines": ["<script>"]}
    (folder / "manifest.json").write_text(json.dumps(about), "utf-8")
    result = run("report", str(folder))
    assert result.exit_code == 0, result.output
    seen = read((folder / "report" / "report.html").read_text("utf-8"))
    assert seen.faults == [] and hostile in seen.words() and "<img src=x>" in seen.words()
    assert len([*(folder / "report").glob("*.png")]) == 4


@pytest.mark.parametrize(
    ("table", "change", "part"),
    [
        ("entrants", {"estimate": "much"}, "no number"),
        ("entrants", {"count": 0}, "count holds 0"),
        ("entrants", {"hands": 2.5}, "no whole number"),
        ("entrants", {"entrant": None}, "entrant is missing"),
        ("entrants", {"low": 1.0, "high": 0.0}, "ends before it begins"),
        ("rounds", {"hands": 3}, "entrants has nothing"),
        ("manifest", {"sizes": "<b>"}, "sizes is no list"),
        ("manifest", {"tournaments": None}, "no whole number"),
        ("manifest", {"rules": 5}, "rules is missing"),
        ("manifest", {"game": "bridge"}, "bridge"),
    ],
)
def test_damaged_tournaments_are_told(tmp_path: Path, table: str, change: dict[str, Any], part: str) -> None:
    folder, _ = folder_of(tmp_path / "t", 1.0, entrants=["greedy"], hands=[4])
    if table == "manifest":
        about = json.loads((folder / "manifest.json").read_text("utf-8"))
        (folder / "manifest.json").write_text(json.dumps(about | change), "utf-8")
    else:
        changed(folder, table, change)
    assert part in refused(folder)


def test_tournaments_without_a_table_are_told(tmp_path: Path) -> None:
    folder, _ = folder_of(tmp_path / "t", 1.0, hands=[4])
    (folder / "rounds.parquet").unlink()
    assert "there is no such file" in refused(folder)


def test_the_interval_of_a_difference_is_that_of_newcombe() -> None:
    """Newcombe (1998), method 10: 56 of 70 against 48 of 80 is 0.2 [0.0524, 0.3339]."""
    found = difference(Number(56 / 70, *wilson(56, 70)), Number(48 / 80, *wilson(48, 80)))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert difference(Number(0.5), Number(0.4)) == (pytest.approx(0.1), None, None)
    assert difference(Number(None), Number(0.4)).value is None


@needs_jit
def test_what_tournament_wrote_becomes_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    words = ("--tournaments", "20", "--hands", "1,3", "--entrant", "greedy@5", "--entrant", "random@10")
    assert run("tournament", HW, *words, "--out", str(folder)).exit_code == 0
    result = run("report", str(folder), "--lang", "zh")
    assert result.exit_code == 0, result.output
    seen = read((folder / "report" / "report-zh.html").read_text("utf-8"))
    assert seen.faults == [] and seen.count("svg") == 4
    assert "greedy × 5" in seen.words() and "每轮 3 手" in seen.words()
