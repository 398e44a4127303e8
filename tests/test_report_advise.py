"""`tuolaji advise --out`, and `tuolaji report` of it: the page says what the answer has, however sure that is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from report_pages import read
from test_advise import DWF, HW, HW_STRONG, HW_WEAK, STRONG, WEAK

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim import advise_result
from tuolaji.sim.advise_out import SCHEMA
from tuolaji.sim.advise_situation import Choice
from tuolaji.sim.advise_text import label
from tuolaji.sim.report import charts, make
from tuolaji.sim.report.figures import Number, told
from tuolaji.sim.text import Lang

pytestmark = pytest.mark.skipif(not JIT, reason="plays many deals")
PAIR = STRONG.replace("3s 3c", "3c 4s")  # cards outside of hearts that --revealed may show

#: Game and words by decision.
ASKED: dict[str, tuple[str, ...]] = {
    "call": (DWF, "--hand", WEAK, "--seat", "2", "--fixed", "300"),
    "counter": (DWF, "--hand", PAIR, "--seat", "1", "--revealed", "0:3s", "--fixed", "200"),
    "bid": (
        DWF, "--hand", PAIR, "--seat", "1", "--trump", "s", "--revealed", "0:3s", "--bid-so-far", "0:110",
        "--max", "1k",
    ),
    "bury": (
        DWF, "--hand", STRONG, "--seat", "1", "--trump", "h", "--bid-so-far", "1:110 2:pass 0:pass", "--bottom",
        "4c 6c 7c 8c 4d 6d 7d 9d 9c", "--bury", "4c 6c 7c 8c 4d 6d 7d Ad Ad", "--fixed", "200",
    ),
    "reveal": (HW, "--hand", HW_WEAK, "--seat", "3", "--fixed", "200"),
    "name": (HW, "--hand", HW_STRONG, "--trump", "s", "--bottom", "4c 6c 7c 8c 4d 6d 7d", "--fixed", "100"),
}  # fmt: skip
SCENES: dict[str, tuple[str, str]] = {
    "call": ("Seat 2 may call trump, or wait.", "座位 2 可以叫牌，也可以等待。"),
    "counter": ("Seat 0 showed 3♠. Seat 1 may counter", "座位 0 亮 ♠3。座位 1 可用对 3 反牌"),
    "bid": (
        "Trump is ♠ spades. Seat 0 showed 3♠. Seat 0 bid 110.",
        "主牌为♠ 黑桃。座位 0 亮 ♠3。座位 0 叫 110。",
    ),
    "bury": ("Seat 1 is banker at 110", "座位 1 以 110 坐庄"),
    "reveal": ("Seat 3 may reveal a 2, or wait.", "座位 3 可以翻 2"),
    "name": ("Seat 0 is banker and has taken the bottom", "座位 0 坐庄，已取底牌"),
}


@pytest.fixture(scope="module", autouse=True)
def _needs_matplotlib() -> None:
    pytest.importorskip("matplotlib")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


@pytest.fixture(scope="module")
def advice(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for decision, words in ASKED.items():
        found[decision] = tmp_path_factory.mktemp("advice") / decision
        result = run("advise", *words, "--format", "json", "--out", str(found[decision]))
        assert result.exit_code == 0, result.output
        (found[decision].parent / "printed.json").write_text(result.stdout, "utf-8")
    return found


def answer(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "result.json").read_text("utf-8"))
    return found


def figure(found: dict[str, Any]) -> Number:
    return Number(found["value"], found["low"], found["high"])


# --- the folder -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", ASKED)
def test_the_folder_has_what_was_printed(advice: dict[str, Path], decision: str) -> None:
    folder = advice[decision]
    assert {path.name for path in folder.iterdir()} >= {"manifest.json", "result.json", "options.parquet"}
    found = answer(folder)
    assert found == json.loads((folder.parent / "printed.json").read_text("utf-8"))
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["kind"] == "advise" and manifest["situation"] == found["situation"]
    assert manifest["stopping"] == (
        {"least": 1000, "most": 1000, "confidence": 0.95} if decision == "bid" else {"fixed": found["worlds"]}
    )
    table = pq.read_table(folder / "options.parquet")
    assert table.column_names == [*SCHEMA]
    rows = table.to_pylist()
    assert [(row["choice"], row["value"]) for row in rows] == [
        (one["choice"], one["value"]) for one in found["options"]
    ]
    for row, one in zip(rows, found["options"], strict=True):
        for name in ("payoff", "behind_best", "banker", "made", "solo"):
            parts = one.get(name) or dict.fromkeys(("value", "error", "low", "high", "of"))
            assert {key: row[f"{name}_{key}".removesuffix("_value")] for key in parts} == parts
        assert row["best"] is (found["best"] == {key: one[key] for key in ("choice", "value")})
    about = json.loads(table.schema.metadata[b"tuolaji"])
    assert about["kind"] == "advise" and about["seed"] == 0 and about["situation"] == found["situation"]


def test_a_folder_that_can_not_be_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    for out, part in ((tmp_path, "is not empty"), (tmp_path / "x", "is a file")):
        result = run("advise", *ASKED["call"], "--out", str(out))
        assert result.exit_code == cli.BAD_USAGE and part in result.stderr and not result.stdout
    result = run("advise", *ASKED["call"], "--out", "s3://bucket/d")
    assert result.exit_code == cli.BAD_USAGE and "here only a folder will do" in result.stderr


def test_an_answer_that_can_not_be_had_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advise_result, "TRIED", 2_000)
    hand = STRONG.replace("3h 3h", "3h 2d")
    bids = "0:110 1:120 2:130 0:140 1:150 2:160 0:170 1:180 2:190"
    words = ("--hand", hand, "--seat", "0", "--trump", "h", "--bid-so-far", bids, "--news")
    result = run("advise", DWF, *words, "--out", str(tmp_path / "new" / "a"))
    assert result.exit_code == cli.BAD_USAGE and "leave --news out" in result.stderr
    assert [*tmp_path.iterdir()] == []


# --- the page ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("decision", ASKED)
def test_advice_becomes_a_page(advice: dict[str, Path], decision: str, lang: Lang) -> None:
    folder = advice[decision]
    report = make.make(folder, lang)
    seen = read(make.render(report, lang))
    words = seen.words()
    assert seen.faults == []
    assert [chart.name for chart in report.charts()] == ["payoff", "chance"] and seen.count("svg") == 2
    found = answer(folder)
    for one in found["options"]:
        assert label(Choice(one["choice"], one["value"], 0), lang) in words
        assert told(figure(one["payoff"]), sign=True) in words
        assert told(figure(one["made"]), "share") in words
        if decision not in ("bury", "name"):
            assert told(figure(one["banker"]), "share") in words
            assert not one.get("solo") or told(figure(one["solo"]), "share") in words
        if one["behind_best"]:
            assert told(figure(one["behind_best"]), sign=True) in words
    for part in (SCENES[decision][lang == "zh"], found["rules_hash"], f"{found['worlds']:,}", "expert"):
        assert part in words
    table = report.sections[0].blocks[0].table
    assert table
    first = Choice(found["best"]["choice"], found["best"]["value"], 0)
    assert table.rows[0][0] == label(first, lang)
    mean = {
        label(Choice(one["choice"], one["value"], 0), lang): one["payoff"]["value"]
        for one in found["options"]
    }
    order = [mean[str(row[0])] for row in table.rows]
    assert len(order) == len(mean) and order == sorted(order, reverse=True)
    if lang == "zh":
        assert not any(word in words for word in ("behind the best", "Seat", "choice", "worlds", "interval"))


def test_the_files_are_a_page_and_two_pictures(advice: dict[str, Path], tmp_path: Path) -> None:
    for lang, page in (("en", "report.html"), ("zh", "report-zh.html")):
        result = run("report", str(advice["bid"]), "--out", str(tmp_path), "--lang", lang)
        assert result.exit_code == 0, result.output
        assert read((tmp_path / page).read_text("utf-8")).faults == []
    pictures = {path.name for path in tmp_path.glob("*.png")}
    chinese = {"payoff-zh.png", "chance-zh.png"} if charts.chinese_font() else set()
    assert pictures == {"payoff.png", "chance.png"} | chinese
    assert all((tmp_path / name).read_bytes()[:4] == b"\x89PNG" for name in pictures)


def changed(folder: Path, to: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    shutil.copytree(folder, to)
    found = answer(folder)
    change(found)
    (to / "result.json").write_text(json.dumps(found), "utf-8")
    return to


def estimate(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "error": 0.1, "low": low, "high": high, "of": 1000}


def test_what_is_open_is_said_to_be_open(advice: dict[str, Path], tmp_path: Path) -> None:
    """Three choices: the best by a little, one that may be as good, one that is the same, one that is worse."""

    def change(found: dict[str, Any]) -> None:
        best = found["options"][0]
        found["options"] = found["options"][:4]
        found["best"] = {key: best[key] for key in ("choice", "value")}
        found |= {"settled": False, "confidence": 0.7312, "stopped_by": "max", "worlds": 50_000}
        for at, (payoff, behind) in enumerate(
            ((2.0, None), (1.9, (0.1, -0.1, 0.3)), (2.0, (0.0, 0.0, 0.0)), (1.0, (1.0, 0.5, 1.5)))
        ):
            found["options"][at]["payoff"] = estimate(payoff, payoff - 0.5, payoff + 0.5)
            found["options"][at]["behind_best"] = behind and estimate(*behind)

    folder = changed(advice["bid"], tmp_path / "a", change)
    names = [label(Choice(one["choice"], one["value"], 0), "en") for one in answer(folder)["options"]]
    report = make.make(folder, "en")
    assert report.findings == [
        f"Not settled: {names[0]} leads so far, that it is best has confidence 73.1 %.",
        f"It pays +2.00 [1.50, 2.50] a deal, +0.10 [−0.10, 0.30] more than the next, {names[1]} (not told apart).",
        f"Each by itself, 1 of the 2 other choices is worse than it for sure; not told apart from it: {names[1]}.",
        f"In no world was there a difference between {names[0]} and {names[2]}.",
        "Worlds: 50,000, the most allowed, without the best choice standing out.",
    ]
    table = report.sections[0].blocks[0].table
    assert table
    assert [(row[0], row[3]) for row in table.rows] == [
        (names[0], "the best"),
        (names[2], "exactly equal"),
        (names[1], "not told apart"),
        (names[3], "strong evidence"),
    ]
    zh = make.make(folder, "zh").findings
    assert (
        zh[0].startswith("尚无定论")
        and "分不出差别" in zh[1]
        and zh[-1].endswith("已达上限，最优者尚未分出。")
    )


def test_one_choice_is_no_choice(advice: dict[str, Path], tmp_path: Path) -> None:
    def change(found: dict[str, Any]) -> None:
        best = {"choice": "bury", "value": found["best"]["value"]}
        found["options"] = [one for one in found["options"] if one["value"] == best["value"]]

    folder = changed(advice["bury"], tmp_path / "a", change)
    for lang, words in (("en", "There is nothing to choose"), ("zh", "无可选择")):
        report = make.make(folder, lang)  # type: ignore[arg-type]
        assert report.findings[0].startswith(words) and len(report.findings) == 2
        assert "> 99.9 %" not in make.render(report, lang)  # type: ignore[arg-type]
        assert read(make.render(report, lang)).faults == []  # type: ignore[arg-type]


def test_news_says_how_many_worlds_were_tried(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    words = (*ASKED["bid"][:-2], "--fixed", "40", "--news")
    assert run("advise", *words, "--out", str(folder)).exit_code == 0
    tried = answer(folder)["worlds_tried"]
    report = make.make(folder, "en")
    assert f"of {tried:,} tried, those that agree" in report.findings[-1]
    assert "the others, by their policies, would have done all that they did, and no more" in report.notes[0]


def test_words_of_a_situation_stay_words(advice: dict[str, Path], tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>"

    def change(found: dict[str, Any]) -> None:
        found["situation"] |= {"bid_so_far": f"{hostile}:110", "revealed": [f"{hostile}:{hostile}"]}

    folder = changed(advice["bid"], tmp_path / "a", change)
    about = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(about | {"command_lines": [hostile]}), "utf-8")
    for lang in ("en", "zh"):
        result = run("report", str(folder), "--lang", lang)
        assert result.exit_code == 0, result.output
        seen = read(next((folder / "report").glob(f"report{'-zh' if lang == 'zh' else ''}.html")).read_text())
        assert seen.faults == [] and hostile in seen.words()


def _first(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda found: found["options"][0].update({key: value})


DAMAGE: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda found: found.update(game=HW), "another game"),
    (lambda found: found.update(options=None), "options is no list of rows"),
    (lambda found: found.update(options=[]), "the best is not one of the options"),
    (lambda found: found.update(best={"choice": "bid", "value": "90"}), "the best is not one"),
    (lambda found: found.update(best=5), "best is missing"),
    (lambda found: found.update(confidence=1.5), "no number from 0 to 1"),
    (lambda found: found.update(confidence=float("nan")), "no number"),
    (lambda found: found.update(worlds="many"), "no number"),
    (lambda found: found.update(stopped_by="<b>"), "there is no stopped_by"),
    (lambda found: found.update(situation=[]), "situation is missing"),
    (lambda found: found["situation"].update(decision="dance"), "there is no decision"),
    (lambda found: found["situation"].update(hand="Zz"), "hand holds what is no card"),
    (lambda found: found["situation"].update(trump=7), "trump holds '7'"),
    (lambda found: found["situation"].update(seat=None), "no whole number"),
    (_first("choice", "dance"), "there is no choice"),
    (lambda found: found["options"][0].update(choice="counter", value="x"), "a choice has the value 'x'"),
    (lambda found: found["options"][0].update(choice="bury", value="Zz"), "a choice has the value 'Zz'"),
    (_first("payoff", None), "payoff is missing"),
    (_first("made", {"value": "much"}), "no number"),
    (_first("banker", {"value": 0.5, "low": 0.6, "high": 0.4}), "ends before it begins"),
]


@pytest.mark.parametrize(("change", "part"), DAMAGE, ids=[part for _, part in DAMAGE])
def test_damaged_advice_is_told(
    advice: dict[str, Path], tmp_path: Path, change: Callable[[dict[str, Any]], None], part: str
) -> None:
    folder = changed(advice["bid"], tmp_path / "a", change)
    result = run("report", str(folder))
    assert result.exit_code == cli.BAD_USAGE and result.stdout == "" and result.stderr.count("\n") == 1
    assert part in result.stderr and "result.json" in result.stderr
    assert not (folder / "report").exists()
