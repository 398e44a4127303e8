"""`tuolaji report` of datasets: what the page says, and that nothing in a dataset can say anything else."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from report_pages import read
from runs import change, manifest, names, written

from tuolaji import cli
from tuolaji.sim import storage
from tuolaji.sim.dataset import Dataset
from tuolaji.sim.report import charts, make
from tuolaji.sim.report.deals import Deals
from tuolaji.sim.report.figures import number, told
from tuolaji.sim.summary import summarize
from tuolaji.sim.text import Lang

DEALS = {"dwf": 800, "hwwj": 400}


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


def refused(*args: str) -> str:
    """Run a command that must be refused; the sentence it gives."""
    result = run(*args)
    assert result.exit_code == cli.BAD_USAGE
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for game, deals in DEALS.items():
        found[game] = tmp_path_factory.mktemp("data") / game
        written(
            found[game],
            deals,
            game,
            session=4 if game == "hwwj" else 1,
            command_line=f"tuolaji simulate {game}",
        )
    return found


@pytest.fixture(scope="module", autouse=True)
def _needs_matplotlib() -> None:
    pytest.importorskip("matplotlib")


# --- the page -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("game", ["dwf", "hwwj"])
def test_a_page_is_whole_and_needs_nothing_else(
    folders: dict[str, Path], game: str, lang: Lang, tmp_path: Path
) -> None:
    out = tmp_path / "new" / "page"
    result = run("report", str(folders[game]), "--out", str(out), "--lang", lang)
    assert result.exit_code == 0, result.output
    name = "report.html" if lang == "en" else "report-zh.html"
    assert str(out / name) in result.stdout
    page = (out / name).read_text("utf-8")
    seen = read(page)
    assert seen.faults == []
    charts_there = {"dwf": 3, "hwwj": 4}[game]
    assert seen.count("svg") == charts_there and seen.count("text") > 30
    assert seen.count("table") >= 5 and seen.count("figcaption") == charts_there
    assert ('<html lang="zh-Hans">' in page) == (lang == "zh")
    pictures = [path for path in out.iterdir() if path.suffix == ".png"]
    assert len(pictures) == charts_there and all(p.read_bytes().startswith(b"\x89PNG") for p in pictures)
    assert len([*out.iterdir()]) == charts_there + 1


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
def test_it_says_what_the_summary_says(folders: dict[str, Path], game: str) -> None:
    summary = summarize(Dataset(folders[game]))
    seen = read(make.render(make.make(folders[game]), "en")).words()
    figures = summary.figures()
    share = "made" if game == "dwf" else "won"
    for figure, kind, sign in (
        (figures[share], "share", False),
        (figures["payoff_banker"], "number", True),
        (figures["payoff_first"], "number", True),
        (figures["defender_points"], "number", False),
    ):
        assert told(number(figure), kind, sign=sign) in seen
    unit = "session" if game == "hwwj" else "deal"
    assert f"the unit of every error is the {unit}" in seen
    assert f"{summary.totals.deals:,} deals" in seen


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
def test_classes_are_those_of_the_summary(folders: dict[str, Path], game: str) -> None:
    dataset = Dataset(folders[game])
    deals, summary = Deals(dataset, "en"), summarize(dataset)
    for tally, name in (("bid", "bid"),) if game == "dwf" else (("grade", "grade"), ("held", "named_held")):
        table = summary.table(name)
        assert deals.tallies[tally].classes == [*table]
        for value, (share, won) in table.items():
            assert deals.tallies[tally].share(value) == share
            assert deals.tallies[tally].proportion(value, "won") == won
    for tally in deals.tallies.values():
        assert sum(tally.deals(at) for at in tally.classes) == summary.totals.deals
        total = sum((tally.mean(at, "payoff").value or 0) * tally.deals(at) for at in tally.classes)
        banker = summary.figures()["payoff_banker"].value
        assert total / summary.totals.deals == pytest.approx(banker)


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
@pytest.mark.parametrize("deals", [1, 5])
def test_few_deals_make_a_page_that_says_little(tmp_path: Path, game: str, deals: int) -> None:
    written(tmp_path / "d", deals, game)
    found = make.make(tmp_path / "d")
    seen = read(make.render(found, "en"))
    assert seen.faults == []
    assert "too few to tell" in seen.words() or deals > 1
    assert "beyond reasonable doubt" not in " ".join(found.findings)
    assert all(chart.png("en") for chart in found.charts())


@pytest.mark.parametrize(
    ("game", "contract"),
    [("dwf", {"banker": 1, "trump": "s", "bid": 140}), ("hwwj", {"banker": 1, "trump": "s"})],
)
def test_a_fixed_contract_leaves_out_what_nobody_decided(
    tmp_path: Path, game: str, contract: dict[str, Any]
) -> None:
    written(tmp_path / "d", 60, game, contract=contract)
    words = read(make.render(make.make(tmp_path / "d"), "en")).words()
    assert "banker 1, trump s" in words
    assert (
        "dealt again" not in words and "pressed" not in words.partition("Grades")[2].partition("By kind")[2]
    )


def test_provenance_stands_at_the_foot(folders: dict[str, Path]) -> None:
    about = manifest(folders["dwf"])
    foot = (
        read(make.render(make.make(folders["dwf"]), "en")).words().partition("Where the numbers come from")[2]
    )
    foot = foot.partition("Where the numbers come from")[2]
    for part in (
        about["rules_hash"], about["tool"], f"numba {about['libraries']['numba']}", about["started"],
        "tuolaji simulate dwf", "random", "all options at their defaults", "seed 3",
    ):  # fmt: skip
        assert part in foot, part


def test_equal_data_make_equal_files(folders: dict[str, Path], tmp_path: Path) -> None:
    for out in ("a", "b"):
        assert run("report", str(folders["hwwj"]), "--out", str(tmp_path / out)).exit_code == 0
    files = {out: {p.name: p.read_bytes() for p in (tmp_path / out).iterdir()} for out in ("a", "b")}
    assert files["a"] == files["b"]


def test_a_report_inside_a_dataset_leaves_it_sound(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    written(folder, 60)
    for _ in range(2):  # a second one replaces the first
        assert run("report", str(folder)).exit_code == 0
    assert (folder / "report" / "report.html").exists() and not [*folder.rglob("*.tmp")]
    assert run("verify", str(folder)).exit_code == 0
    written(folder, 80, resume=True)
    assert run("verify", str(folder)).exit_code == 0
    assert run("report", str(folder)).exit_code == 0


# --- what may be in a dataset from elsewhere --------------------------------------------------------------

HOSTILE = (
    "</style></title><script>alert(1)</script><img src=x onerror=alert(1)>\" onload='x' \ud800\u202e $\\frac{"
)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_manifests_texts_stay_texts(tmp_path: Path, lang: str) -> None:
    folder = tmp_path / "d"
    written(folder, 60)
    rules = {**manifest(folder)["rules"], "name": HOSTILE}
    change(
        folder, tool=HOSTILE, command_lines=[HOSTILE, {HOSTILE: 1}], libraries={HOSTILE: HOSTILE}, started=HOSTILE,
        rules=rules, sources=[{"file": HOSTILE}, 5],
    )  # fmt: skip
    result = run("report", str(folder), "--lang", lang)
    assert result.exit_code == 0, result.output
    page = next((folder / "report").glob("*.html")).read_text("utf-8")
    seen = read(page)
    assert seen.faults == []
    assert seen.words().count("<script>alert(1)</script>") >= 6
    assert "\u202e" not in page


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"kind": "<b>tournament</b>"}, "tournament"),
        ({"kind": ["threshold"]}, "threshold"),
        ({"game": "bridge"}, "bridge"),
        ({"parts": [{"file": "../../etc/passwd"}]}, "damaged"),
        ({"format": 99}, "format"),
    ],
)
def test_what_is_no_dataset_is_refused(tmp_path: Path, keys: dict[str, Any], part: str) -> None:
    folder = tmp_path / "d"
    written(folder, 60)
    change(folder, **keys)
    before = names(folder)
    assert part in refused("report", str(folder))
    assert names(folder) == before


def test_a_folder_without_anything_is_refused(tmp_path: Path) -> None:
    assert "no manifest.json" in refused("report", str(tmp_path))
    assert "no manifest.json" in refused("report", str(tmp_path / "nowhere"))
    for text in ("{", "[1]", "[" * 100_000):
        (tmp_path / "manifest.json").write_text(text)
        assert "manifest" in refused("report", str(tmp_path))
    assert names(tmp_path) == ["manifest.json"]


# --- where it is written ----------------------------------------------------------------------------------


def test_a_place_that_can_t_be_written_to_is_told(folders: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "is a file" in refused("report", str(folders["dwf"]), "--out", str(tmp_path / "file"))
    assert "--out" in refused("report", str(folders["dwf"]), "--out", str(tmp_path / "file" / "below"))


def test_a_full_disk_leaves_nothing(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = storage.new_file

    @contextlib.contextmanager
    def full(path: Path) -> Iterator[Any]:
        with kept(path) as file:
            if path.name.endswith(".png.tmp"):
                raise OSError(28, "No space left on device")
            yield file

    monkeypatch.setattr(make, "new_file", full)
    result = run("report", str(folders["dwf"]), "--out", str(tmp_path / "new" / "page"))
    assert result.exit_code == cli.UNFINISHED and "No space left" in result.stderr
    assert names(tmp_path) == []


def test_only_its_own_older_pages_are_replaced(folders: dict[str, Path], tmp_path: Path) -> None:
    pages, other = tmp_path / "pages", tmp_path / "other"
    for lang in ("en", "zh", "en"):
        assert run("report", str(folders["dwf"]), "--out", str(pages), "--lang", lang).exit_code == 0
    for name in ("note.txt", "report.html", "bids.png"):
        shutil.rmtree(other, ignore_errors=True)
        other.mkdir()
        (other / name).write_text("mine")
        assert "something else than an older page" in refused(
            "report", str(folders["dwf"]), "--out", str(other)
        )
        assert names(other) == [name] and (other / name).read_text() == "mine"


def test_a_planted_link_is_not_followed(folders: dict[str, Path], tmp_path: Path) -> None:
    victim, pages = tmp_path / "victim", tmp_path / "pages"
    victim.write_text("mine")
    pages.mkdir()
    for name in (".report.html.tmp", ".bids.png.tmp"):
        (pages / name).symlink_to(victim)
    assert run("report", str(folders["dwf"]), "--out", str(pages)).exit_code == 0
    assert (victim.read_text(), victim.is_symlink()) == ("mine", False)
    assert not any(path.is_symlink() for path in pages.iterdir())
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    shutil.copytree(folders["dwf"], data, ignore=shutil.ignore_patterns("report"))
    elsewhere.mkdir()
    (data / "report").symlink_to(elsewhere)
    assert "is a symbolic link" in refused("report", str(data))
    assert names(elsewhere) == []


def test_without_matplotlib_one_sentence_says_what_brings_it(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    assert "tuolaji[plots]" in refused("report", str(folders["dwf"]), "--out", str(tmp_path / "p"))
    assert names(tmp_path) == []


def test_chinese_pictures_need_a_font_and_say_so(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "chinese_font", lambda: None)
    result = run("report", str(folders["dwf"]), "--out", str(tmp_path), "--lang", "zh")
    assert result.exit_code == 0 and "中文字体" in result.stderr
    page = (tmp_path / "report-zh.html").read_text("utf-8")
    drawn = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", page))
    assert "打成" in drawn and "闲家得分" in drawn
    assert not re.search("[a-z]{5,}", drawn), "an English word is left in a Chinese chart"
    assert json.dumps(sorted(p.name for p in tmp_path.iterdir())) == json.dumps(
        ["bids.png", "defender-points.png", "payoffs.png", "report-zh.html"]
    )
