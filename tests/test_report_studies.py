"""`tuolaji report` of studies: threshold, compare; and folders of them that are not as they should be."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from report_pages import read

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim.report import make
from tuolaji.sim.report.figures import Number, told
from tuolaji.sim.text import Lang


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


def refused(folder: Path) -> str:
    result = run("report", str(folder))
    assert result.exit_code == cli.BAD_USAGE and result.stdout == "" and result.stderr.count("\n") == 1
    assert not (folder / "report").exists()
    return result.stderr


@pytest.fixture(scope="module", autouse=True)
def _needs_matplotlib() -> None:
    pytest.importorskip("matplotlib")


# --- threshold --------------------------------------------------------------------------------------------

plays = pytest.mark.skipif(not JIT, reason="plays many deals")


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for by in ("strength", "trumps"):
        found[by] = tmp_path_factory.mktemp("threshold") / by
        result = run(
            "threshold",
            "dwf",
            "--deals",
            "2k",
            "--seed",
            "2",
            "--by",
            by,
            "--no-plots",
            "--out",
            str(found[by]),
        )
        assert result.exit_code == 0, result.output
    return found


@plays
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("by", ["strength", "trumps"])
def test_a_threshold_study_becomes_a_page(
    studies: dict[str, Path], by: str, lang: Lang, tmp_path: Path
) -> None:
    result = run("report", str(studies[by]), "--out", str(tmp_path), "--lang", lang)
    assert result.exit_code == 0, result.output
    page = next(tmp_path.glob("*.html")).read_text("utf-8")
    seen = read(page)
    assert seen.faults == []
    assert seen.count("svg") == 4 and len([*tmp_path.glob("*.png")]) == 4
    study = json.loads((studies[by] / "result.json").read_text("utf-8"))
    words = seen.words()
    assert f"{study['deals']:,}" in words and study["rules_hash"] in words
    bids = [row for row in study["bids"] if row["call"] == "all" and row["bid"] <= 150]
    assert words.count("any hand" if lang == "en" else "任意手牌") >= sum(
        r["estimand"] == "marginal" for r in bids
    )
    even = next(row for row in study["break_even"] if row["estimand"] == "marginal" and row["bid"] == 110)
    assert even["kind"] == "crossing" and told(Number(even["value"], even["low"], even["high"])) in words


@plays
@pytest.mark.slow
def test_a_threshold_study_of_the_other_game_becomes_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    result = run("threshold", "hwwj", "--deals", "2k", "--seed", "2", "--no-plots", "--out", str(folder))
    assert result.exit_code == 0, result.output
    study = json.loads((folder / "result.json").read_text("utf-8"))
    for lang, words in (
        ("en", ("Reveal now or wait", "side A, 0 in hand")),
        ("zh", ("翻还是等", "副牌 A，手中 0 张")),
    ):
        report = make.make(folder, lang)  # type: ignore[arg-type]
        seen = read(make.render(report, lang))  # type: ignore[arg-type]
        assert seen.faults == []
        assert {chart.name for chart in report.charts()} >= {"reveal", "reveal-curves", "name"}
        assert all(word in seen.words() for word in words) and study["rules_hash"] in seen.words()
        for row in study["name"]:
            if row["from"] is None and row["faces"] >= 100:
                figure = Number(row["difference"], row["difference_low"], row["difference_high"])
                assert told(figure, sign=True) in seen.words()
    damaged = _changed(
        folder, tmp_path / "d", lambda found: found["reveal_break_even"][0].update(previous="<b>")
    )
    assert "no previous" in refused(damaged)


def _changed(study: Path, to: Path, change: Any) -> Path:
    shutil.copytree(study, to)
    found = json.loads((to / "result.json").read_text("utf-8"))
    change(found)
    (to / "result.json").write_text(json.dumps(found), "utf-8")
    return to


@plays
@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value", "part"),
    [
        ("by", "<script>", "nothing hands are ordered by"),
        ("bids", None, "bids is no list of rows"),
        ("bids", [{"estimand": "<b>", "call": "all", "order": "all", "bid": 110}], "estimand"),
        ("bids", [{}] * 60_000, "60000 rows"),
        ("break_even", [5], "break_even is no list"),
        ("deals", 2.5, "no whole number"),
        ("deals", float("nan"), "no number"),
        ("deals", 10**400, "no number"),
        ("response", [], "response is missing"),
        ("match", {"deals": 5, "payoff": {"mean": 0, "lo": 2, "hi": 1}}, "ends before it begins"),
    ],
)
def test_a_damaged_threshold_study_is_told(
    studies: dict[str, Path], tmp_path: Path, key: str, value: Any, part: str
) -> None:
    folder = _changed(studies["trumps"], tmp_path / "s", lambda found: found.update({key: value}))
    said = refused(folder)
    assert part in said and "result.json" in said


@plays
@pytest.mark.slow
def test_a_threshold_study_without_its_result_is_told(studies: dict[str, Path], tmp_path: Path) -> None:
    folder = _changed(studies["trumps"], tmp_path / "s", lambda found: None)
    (folder / "result.json").unlink()
    assert "No such file" in refused(folder)
    (folder / "result.json").write_text("[" * 100_000)
    assert "not JSON" in refused(folder)


# --- compare ----------------------------------------------------------------------------------------------

#: Difference, its interval, and in how many deals it differs.
MOVED = {
    "made": (-0.12, -0.14, -0.10, 939),
    "bid_110_made": (-0.11, -0.13, -0.09, 700),
    "payoff_banker": (-0.68, -0.80, -0.56, 1050),
    "payoff_first": (0.01, -0.04, 0.06, 1050),
    "defender_points": (12.2, 10.7, 13.8, 3341),
    "redealt": (0.0, -0.0015, 0.0015, 0),
}
MEASURES = {"payoff_banker": "payoff", "payoff_first": "payoff", "defender_points": "points"}


def comparison(folder: Path, other: str = "no-forced", reference: str = "die-wu-fen") -> Path:
    """A folder as `compare` writes it: manifest and tables."""
    place = {"bidding": "shipped", "policy": "expert"}
    figures, fair = [], []
    for name, (difference, low, high, differing) in MOVED.items():
        row = {
            **place, "figure": name, "group": "bid" if "bid_" in name else "", "value": "110" if "bid_" in name else "",
            "kind": "mean", "measure": MEASURES.get(name, "share"), "estimate": 0.4, "low": 0.38, "high": 0.42,
            "unit": "deal", "units": 5000, "level": 0.95, "family": 6,
        }  # fmt: skip
        none = dict.fromkeys(("difference", "difference_low", "difference_high", "differing"))
        figures.append({**row, "variant": reference, "reference": True, **none})
        moved = {
            "difference": difference,
            "difference_low": low,
            "difference_high": high,
            "differing": differing,
        }
        figures.append({**row, "variant": other, "reference": False, **moved})
        if name.startswith("payoff"):
            fair += [
                {**place, "variant": v, "quantity": name, "estimate": 0.1, "low": 0.0, "high": 0.2,
                 "difference": middle, "difference_low": start, "difference_high": end}
                for v, middle, start, end in ((reference, None, None, None), (other, difference, low, high))
            ]  # fmt: skip
    share = {f"{what}_{end}": 0.2 for what in ("played", "paid") for end in ("share", "low", "high")}
    tables: dict[str, list[dict[str, Any]]] = {
        "variants": [
            {"variant": reference, "reference": True, "changes": "{}", "rules_hash": "abc"},
            {"variant": other, "reference": False, "changes": json.dumps({"forced_trump": other}), "rules_hash": "def"},
        ],
        "figures": figures,
        "differing": [
            {**place, "variant": other, "option": None, "clauses": None, "from": None, "to": None, **share},
            *(
                {**place, "variant": other, "option": option, "clauses": clause, "from": "a", "to": other, **share}
                for option, clause in (("forced_trump", "DWF-11"), ("bottom_multiplier", "DWF-15"))
            ),
        ],
        "fairness": fair,
        "conclusions": [
            {"variant": other, "figure": "made", "difference": -0.12, "difference_low": -0.14, "difference_high": -0.1,
             "check": "greedy", "check_deals": 5000, "check_difference": -0.01, "check_low": -0.02, "check_high": 0.01,
             "verdict": "open"},
        ],
    }  # fmt: skip
    folder.mkdir()
    for name, rows in tables.items():
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")
    manifest = {
        "kind": "compare", "format": 1, "tool": "tuolaji 0.1.0", "game": "die-wu-fen", "policies": {"all": "expert"},
        "seed": 7, "first": 0, "deals": 5000, "checks": [{"policy": "greedy", "deals": 5000}],
        "command_lines": ["tuolaji compare die-wu-fen"], "libraries": {"numpy": "2.4.6"},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return folder


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_comparison_becomes_a_page(tmp_path: Path, lang: Lang) -> None:
    folder = comparison(tmp_path / "c")
    report = make.make(folder, lang)
    seen = read(make.render(report, lang))
    words = seen.words()
    assert seen.faults == []
    assert {chart.name for chart in report.charts()} == {
        "differences-share", "differences-share-by-value", "differences-payoff", "differences-points", "fairness",
    }  # fmt: skip
    assert "−12.0 pp [−14.0, −10.0]" in words and "−0.68 [−0.80, −0.56]" in words
    assert "tuolaji compare die-wu-fen" in words and "DWF-11" in words
    finding = " ".join(report.findings)
    if lang == "en":
        assert "4 of 6 figures differ for sure" in finding and "payoff: banker −0.68" in finding
        assert "open: can't be told there" in words
        assert "Exactly equal in every deal: deals redealt at least once" in words
        assert "some evidence" not in finding and "beyond reasonable doubt" in finding
    else:
        assert "6 项中 4 项确有差别" in finding and "得失：庄家 −0.68" in finding
        assert "未定" in words and "每局完全相同：至少重发一次的牌局" in words


def test_names_of_variants_stay_names(tmp_path: Path) -> None:
    hostile = "</text><script>alert(1)</script> 规则甲 $\\frac{"
    folder = comparison(tmp_path / "c", hostile, "<img src=x onerror=alert(1)>")
    result = run("report", str(folder))
    assert result.exit_code == 0, result.output
    seen = read((folder / "report" / "report.html").read_text("utf-8"))
    assert seen.faults == []
    assert "</text><script>alert(1)</script> 规则甲 $\\frac{" in seen.words()


def test_a_comparison_in_which_nothing_differs_says_so(tmp_path: Path) -> None:
    folder = comparison(tmp_path / "c")
    rows = pq.read_table(folder / "figures.parquet").to_pylist()
    for row in rows:
        if not row["reference"]:
            row |= {"difference": 0.0, "difference_low": None, "difference_high": None, "differing": 0}
    pq.write_table(pa.Table.from_pylist(rows), folder / "figures.parquet")
    report = make.make(folder)
    assert report.findings == ["no-forced: not a single deal differs from die-wu-fen."]
    assert [chart.name for chart in report.charts()] == ["fairness"]
    assert read(make.render(report, "en")).faults == []


def test_a_damaged_comparison_is_told(tmp_path: Path) -> None:
    folder = comparison(tmp_path / "c")
    kept = (folder / "figures.parquet").read_bytes()
    rows = pq.read_table(folder / "figures.parquet").to_pylist()
    for change, part in (
        ({"difference": "much"}, "no number"),
        ({"figure": None}, "figure is missing"),
        ({"low": 0.9}, "ends before it begins"),
    ):
        damaged = [{**row, **change} for row in rows]
        pq.write_table(pa.Table.from_pylist(damaged), folder / "figures.parquet")
        assert part in refused(folder)
    (folder / "figures.parquet").write_bytes(kept[: len(kept) // 2])
    assert "figures.parquet" in refused(folder)
    (folder / "figures.parquet").unlink()
    assert "there is no such file" in refused(folder)


@plays
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("game", "variants"),
    [
        ("dwf", ["die-wu-fen", "die-wu-fen-no-forced-trump"]),
        ("hwwj", ["hong-wu-wu-jia", "partner_loss_cap=4,base=2"]),
    ],
)
def test_what_compare_wrote_becomes_a_page(
    tmp_path: Path, game: str, variants: list[str], lang: Lang
) -> None:
    folder = tmp_path / "c"
    words = [word for variant in variants for word in ("--variant", variant)]
    assert run("compare", game, "--deals", "2k", *words, "--out", str(folder)).exit_code == 0
    report = make.make(folder, lang)
    seen = read(make.render(report, lang))
    assert seen.faults == [] and len(report.charts()) >= 2
    assert variants[1] in seen.words()
    assert all(chart.png(lang) for chart in report.charts())
