"""What tables say: words and stars by the interval that is printed, rows in their sections, names that differ."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim.report.figures import Number, evidence, judged, shown, together
from tuolaji.sim.report.labels import label, value_of
from tuolaji.sim.rounding import bounds
from tuolaji.sim.rounding import shown as cut
from tuolaji.sim.summary_text import aligned, width_of
from tuolaji.sim.variants import short_names

plays = pytest.mark.skipif(not JIT, reason="plays many deals")


# --- intervals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "places", "against", "found"),
    [
        (0.3, 20.1, 0, 0.0, "[0.3, 20]"),
        (-20.1, -0.04, 0, 0.0, "[-20, -0.04]"),
        (-0.004, 5.2, 1, 0.0, "[-0.004, 5.2]"),
        (0.0, 5.2, 1, 0.0, "[0.0, 5.2]"),
        (50.03, 54.4, 1, 50.0, "[50.03, 54.4]"),
        (45.1, 49.98, 0, 50.0, "[45, 49.98]"),
        (-1.23, 4.56, 1, 0.0, "[-1.2, 4.6]"),
    ],
)
def test_rounding_moves_no_end_of_an_interval_onto_what_it_is_judged_against(
    low: float, high: float, places: int, against: float, found: str
) -> None:
    assert bounds(low, high, places, against) == found


def test_a_figure_that_rounds_to_0_has_no_sign() -> None:
    assert cut(-0.0004, -0.02, 0.02, sign=True) == ("0.000", "[-0.020, 0.020]")
    assert cut(0.7, 0.2, 1.2, sign=True) == ("+0.70", "[0.20, 1.20]")


@pytest.mark.parametrize("rows", [1, 2, 5, 40])
@pytest.mark.parametrize("value", [-3.0, -0.4, 0.2, 1.05, 1.3, 2.1, 5.3])
def test_the_word_and_the_interval_beside_it_agree(value: float, rows: int) -> None:
    figure = Number(value, value - 1.0, value + 1.0)
    word, interval = judged(figure, rows, "en")
    if rows == 1:
        assert interval == ""
        interval = shown(figure)[1]
    assert interval == shown(together(figure, rows))[1]
    low, high = (float(end) for end in interval.replace("−", "-").strip("[]").split(", "))
    assert (word == "not told apart") == (low <= 0.0 <= high)


def test_figures_judged_together_have_wider_intervals_within_their_limits() -> None:
    wide = together(Number(0.05, 0.01, 0.09), 20, (0.0, 1.0))
    assert wide.low == 0.0 and wide.high is not None and wide.high > 0.09
    assert (
        evidence(Number(5.3, 0.7, 10.1)) == "weak" and evidence(together(Number(5.3, 0.7, 10.1), 5)) == "none"
    )
    assert together(Number(1.0), 5) == Number(1.0)
    assert judged(Number(0.3, 0.21, 0.39), 4, "en", "share", 0.2)[1].endswith("] %")


# --- names --------------------------------------------------------------------------------------------


def test_names_that_are_cut_stay_different() -> None:
    names = [f"base_table=[1,2,3,4,5,6,7,8,9,10],defender_throw_penalty={n}" for n in (1, 2, 3)]
    short = short_names(names, 28)
    assert len({*short}) == 3 and all(len(name) <= 28 for name in short)
    assert short[1].startswith("2: base_table=[1,2") and short_names(["a", "b"], 28) == ["a", "b"]


def test_values_are_written_as_players_write_them() -> None:
    assert value_of("named", "Kh") == ("K♥", "♥K") and value_of("named", "BJ").zh == "大王"
    assert value_of("reveal", "pressed") == ("pressed", "压庄")
    assert value_of("reveal", "6-10") == ("6–10", "6–10")  # a span has no minus
    assert value_of("trump", "d").en == "♦" and value_of("grade", "-3").en == "−3"
    assert label("hong-wu-wu-jia", "reveal_6-10_won", "reveal", "6-10").zh == "翻2时 6–10 张：庄家方胜率"


def test_columns_without_uncertainties_are_all_aligned_to_the_right() -> None:
    rows = [("", "first", "second"), ("from", "1", "20")]
    assert aligned(rows, paired=False) == ["      first  second", "from      1      20"]
    assert aligned(rows) == ["      first  second", "from      1  20"]


# --- the tables of compare ----------------------------------------------------------------------------


def _table(*words: str) -> list[str]:
    done = CliRunner().invoke(main, ["compare", *words, "--deals", "600", "--seed", "3"])
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def _starred(lines: list[str]) -> int:
    """How many rows have a star; it must stand exactly where the printed interval leaves out 0."""
    stars = 0
    for line in lines[: next(at for at, line in enumerate(lines) if line.startswith("Deals that differ"))]:
        found = re.search(r"\s[+-]?[0-9.]+( pp)?  \[(-?[0-9.]+), (-?[0-9.]+)\]( \*)?$", line)
        if found and "*" not in line.split("[")[0]:
            low, high = float(found[2]), float(found[3])
            assert bool(found[4]) == (low > 0 or high < 0), line
            stars += bool(found[4])
    return stars


def _section_of(lines: list[str], row: str) -> list[str]:
    """The headings above the first row with a label."""
    at = next(at for at, line in enumerate(lines) if line.strip().startswith(row))
    depth = len(lines[at]) - len(lines[at].lstrip())
    found = []
    for line in reversed(lines[:at]):
        own = len(line) - len(line.lstrip())
        if line and own < depth:
            found.append(line.strip().split("  ")[0])
            depth = own
    return found


@plays
def test_rows_of_compare_stand_in_their_sections() -> None:
    lines = _table(
        "dwf", "--variant", "cascade=false,base_table=[3,6,9,12,15,18,21,24,27,30]", "--policy", "greedy"
    )
    assert _section_of(lines, "5 % quantile")[0] == "defenders' points"
    assert _section_of(lines, "of it, for failed throws")[:2] == ["banker", "Payoff a deal"]
    assert _section_of(lines, "bid made") == ["Result"]
    assert _section_of(lines, "of throws, failed") == ["Throws"]
    assert _starred(lines) >= 3
    text = "\n".join(lines)
    assert "cascade=false" in text and "False" not in text


@plays
def test_compare_of_hong_wu_wu_jia_leaves_nothing_bare_or_untranslated() -> None:
    lines = _table(
        "hwwj",
        "--variant",
        "bottom_multiplier=9,named_copies_min=1",
        "--check-policy",
        "random",
        "--policy",
        "greedy",
        "--lang",
        "zh",
    )
    assert _section_of(lines, "有伴") == ["庄家方得胜"] and _section_of(lines, "压庄")[0] == "定主与坐庄"
    assert _section_of(lines, "♥A：占比") == ["找伴牌"] and _section_of(lines, "♥：占比") == ["主牌花色"]
    assert _section_of(lines, "5 % 分位数")[0] == "第几轮找到伴"
    text = "\n".join(lines[lines.index("") :])
    for word in ("pressed", "solo", "Kh", "Ah", ": 占比", " (叫法", "，  "):
        assert word not in text, word
    assert (
        "庄家方得胜：" in text[text.index("经得起检验") :]
    )  # where a row stands alone it says what it is about


@plays
def test_two_columns_of_a_grid_never_read_alike() -> None:
    tables = "base_table=[1,2,3,4,5,6,7,8,9,10],[1,1,2,2,3,3,4,4,5,5]"
    lines = _table("dwf", "--policy", "random", "--grid", tables, "--grid", "shutout_multiplier=2,3")
    heads = [line.split("  ") for line in lines if line.endswith("difference") and "…" in line]
    names = [[cell.strip() for cell in head if cell.strip()][:2] for head in heads]
    assert len(names) == 3 and all(one != other for one, other in names)
    assert len({other for _, other in names}) == 3
    titles = [line for line in lines if ": differences to " in line]
    assert len({*titles}) == 3
    text = "\n".join(lines)
    assert "(1, 1" not in text and "base_table=[1,1,2,2,3,3,4,4,5,5] (DWF-8)" in text
    numbered = [line for line in lines[:6] if "4: base_table=" in line]
    assert len(numbered) == 1 and width_of(numbered[0]) < 200


@plays
def test_a_report_on_a_grid_tells_its_variants_apart(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from tuolaji.sim.report.compare_study import Study

    tables = "base_table=[1,2,3,4,5,6,7,8,9,10],[1,1,2,2,3,3,4,4,5,5]"
    _table(
        "dwf",
        "--policy",
        "random",
        "--grid",
        tables,
        "--grid",
        "shutout_multiplier=2,3",
        "--out",
        str(tmp_path / "s"),
    )
    study = Study(tmp_path / "s", "die-wu-fen", "en")
    assert len({*study.short.values()}) == 4 and study.full[study.others[0]].startswith("2: base_table=[1,2")
