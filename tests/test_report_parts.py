"""What reports are made of: markup, numbers, evidence in words, sums by class, drawings."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuolaji.sim.report import charts
from tuolaji.sim.report.figures import FEW, Number, direction, evidence, shown, together
from tuolaji.sim.report.html import join, plain, tag
from tuolaji.sim.report.kinds import Bars, Graph, Line, Panel, Rows, curves, forest, histogram
from tuolaji.sim.report.labels import label
from tuolaji.sim.report.tally import Tally
from tuolaji.sim.stats import Sums, mean, proportion
from tuolaji.sim.text import Text

# --- markup -------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects what a browser would show, and every tag and attribute."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.data, self.tags = "", []  # type: tuple[str, list[Any]]

    def handle_data(self, data: str) -> None:
        self.data += data

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, attrs))


@given(st.text(), st.text())
def test_whatever_a_text_holds_it_stays_a_text(inside: str, attribute: str) -> None:
    reader = Reader()
    reader.feed(tag("p", inside, tag("b", inside), title=attribute))
    reader.close()
    assert reader.data == plain(inside, 100_000) * 2
    assert reader.tags == [("p", [("title", plain(attribute))]), ("b", [])]


def test_texts_lose_what_can_mislead_or_break_a_page() -> None:
    assert (
        plain("a\x00b\ud800\u202ec\nd") == "a\N{REPLACEMENT CHARACTER}"
        "b" + "\N{REPLACEMENT CHARACTER}" * 2 + "c d"
    )
    assert len(plain("x" * 10_000)) == 2000
    assert join("<", tag("br"), None, 3) == "&lt;<br>3"
    plain("\ud800").encode("utf-8")


# --- numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figure", "kind", "sign", "found"),
    [
        (Number(0.4076, 0.4054, 0.4098), "share", False, ("40.76 %", "[40.54, 40.98]")),
        (Number(-0.2912, -0.303, -0.279), "number", True, ("−0.291", "[−0.303, −0.279]")),
        (Number(0.12, 0.1, 0.14), "pp", True, ("+12.0 pp", "[10.0, 14.0]")),
        (Number(95, 95, 95), "whole", False, ("95", "[95, 95]")),
        (Number(1234.5, 1200, 1270), "number", False, ("1,234", "[1,200, 1,270]")),
        (Number(-0.0001, -0.02, 0.02), "number", False, ("0.000", "[−0.020, 0.020]")),
        (Number(2.0), "number", True, ("+2", "")),
        (Number(None), "share", False, ("–", "")),
    ],
)
def test_no_more_digits_than_are_known(figure: Number, kind: str, sign: bool, found: tuple[str, str]) -> None:
    assert shown(figure, kind, sign=sign) == found


@pytest.mark.parametrize(
    ("figure", "against", "rows", "verdict", "way"),
    [
        (Number(0.9, -0.1, 1.9), 0.0, 1, "none", 0),
        (Number(1.2, 0.2, 2.2), 0.0, 1, "weak", 1),
        (Number(1.2, 0.2, 2.2), 0.0, 20, "none", 0),  # one of twenty looked at together
        (Number(-2.0, -3.0, -1.0), 0.0, 1, "strong", -1),
        (Number(-4.0, -5.0, -3.0), 0.0, 1, "sure", -1),
        (Number(0.52, 0.42, 0.62), 0.5, 1, "none", 0),
        (Number(0.0, 0.0, 0.0), 0.0, 1, "same", 0),
        (Number(1.0), 0.0, 1, "unknown", 0),
        (Number(1.0, 0.9, 8.0), 0.0, 1, "sure", 1),  # the side towards 0 counts
    ],
)
def test_how_sure_a_difference_is(figure: Number, against: float, rows: int, verdict: str, way: int) -> None:
    judged = together(figure, rows)
    assert evidence(judged, against) == verdict
    assert direction(judged, against) == way


@pytest.mark.parametrize(
    ("words", "en", "zh"),
    [
        (("die-wu-fen", "payoff_banker"), "payoff: banker", "得失：庄家"),
        (("die-wu-fen", "payoff_third_spread"), "payoff: third seat, standard deviation", "得失：末位，标准差"),
        (("hong-wu-wu-jia", "payoff_third"), "payoff: third seat", "得失：第三家"),
        (("die-wu-fen", "defender_points_q05"), "defenders' points, 5 % quantile", "闲家得分，5 % 分位数"),
        (("die-wu-fen", "bid_110_made", "bid", "110"), "bid 110: made", "叫分 110：打成"),
        (("hong-wu-wu-jia", "named_As_won", "named", "As"), None, "找伴牌 ♠A：庄家方胜率"),
        (("hong-wu-wu-jia", "grade_-3_share", "grade", "-3"), "grade −3: share", "等级 −3：占比"),
        (("die-wu-fen", "<b>"), "<b>", "<b>"),
    ],
)  # fmt: skip
def test_figures_have_names(words: tuple[str, ...], en: str | None, zh: str) -> None:
    found = label(*words)
    assert found.zh == zh and (en is None or found.en == en)


# --- sums by class --------------------------------------------------------------------------------------


@pytest.mark.parametrize("session", [1, 4])
def test_a_tally_is_what_the_units_add_up_to(session: int) -> None:
    rng = np.random.default_rng(3)
    units = 300
    classes, won = rng.integers(0, 3, units * session), rng.integers(0, 2, units * session)
    pay = rng.integers(-9, 10, units * session)
    tally = Tally(session, ("won", "pay"))
    for piece in (slice(0, 100 * session), slice(100 * session, None)):  # in pieces, as a dataset is read
        tally.add(classes[piece], {"won": won[piece], "pay": pay[piece]})
    for at in range(3):
        y = (classes == at).reshape(-1, session).sum(axis=1)
        x = ((classes == at) * won).reshape(-1, session).sum(axis=1)
        p = ((classes == at) * pay).reshape(-1, session).sum(axis=1)
        used = int((y > 0).sum())
        assert tally.deals(at) == y.sum()
        size = Sums(units, y.sum(), units * session, y @ y, session * y.sum(), session**2 * units)
        assert tally.share(at) == proportion(size)
        sums = Sums(units, x.sum(), y.sum(), x @ x, x @ y, y @ y)
        assert tally.proportion(at, "won") == proportion(sums)
        expected = mean(Sums(used, p.sum(), y.sum(), p @ p, p @ y, y @ y))
        found = tally.mean(at, "pay")
        assert (found.value, found.low, found.high) == pytest.approx(
            (expected.value, expected.low, expected.high)
        )


def test_few_deals_have_no_interval_of_their_mean() -> None:
    tally = Tally(1, ("pay",))
    tally.add(
        np.array([0] * (FEW - 1) + [1] * FEW + [2] * FEW),
        {"pay": np.array([*range(2 * FEW - 1), *[5] * FEW])},
    )
    assert tally.mean(0, "pay").known is False
    assert tally.mean(1, "pay").known is True
    assert tally.mean(2, "pay") == Number(5.0)  # all alike: nothing is seen of how they differ


# --- drawings -------------------------------------------------------------------------------------------

CHINESE = Text("difference $\\frac{ <b>", "差 <b> $x_{")


def drawings() -> list[charts.Chart]:
    number = Number(0.5, 0.4, 0.7)
    return [
        histogram(
            "h", [Bars(0, number, 0.2), Bars(10, Number(0.3), 0.1)], 10, (CHINESE, Text("b", "乙")), CHINESE, CHINESE,
            title=CHINESE,
        ),
        forest(
            "f", Rows([CHINESE, Text("row", "行")], {1}, [CHINESE, Text("other", "另一")]),
            [Panel(CHINESE, [[number, Number(None)], [Number(1.0, None, 2.0), number]], "share", 0.5)], CHINESE,
            title=CHINESE,
        ),
        curves(
            "c", [Graph(CHINESE, [Line(CHINESE, [1, 2, 3], [number] * 3, Number(2.0, 1.5, None))])], CHINESE, CHINESE,
            CHINESE, title=CHINESE,
        ),
    ]  # fmt: skip


@pytest.mark.parametrize("at", range(3))
def test_drawings_have_real_text_in_both_languages(at: int) -> None:
    pytest.importorskip("matplotlib")
    chart = drawings()[at]
    for lang, words in (("en", "difference $\\frac{ &lt;b&gt;"), ("zh", "差 &lt;b&gt; $x_{")):
        svg = chart.svg(lang, "c7")  # type: ignore[arg-type]
        assert f">{words}</text>" in svg
        assert "<b>" not in svg and "http" not in svg and "mm" not in re.sub("comm", "", svg)
        ids = re.findall(r' id="([^"]*)"', svg)
        assert ids and all(each.startswith("c7-") for each in ids) and len({*ids}) == len(ids)
        assert not re.search(r"#[0-9a-f]{6}", svg), "a colour is not the page's"
        assert "font-family" not in svg
        assert chart.svg(lang, "c7") == svg  # type: ignore[arg-type]


@pytest.mark.parametrize("at", range(3))
def test_pictures_are_english_without_a_chinese_font(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(charts, "chinese_font", lambda: None)
    chart = drawings()[at]
    found = chart.png("zh")
    assert found.startswith(b"\x89PNG")
    assert found == chart.png("en")


def test_a_users_own_settings_of_matplotlib_change_nothing() -> None:
    mpl = pytest.importorskip("matplotlib")
    chart = drawings()[1]
    before = chart.svg("en", "c1")
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.grid": True, "lines.linewidth": 9}):
        assert chart.svg("en", "c1") == before


def test_the_look_at_a_page_finds_what_is_wrong() -> None:
    from report_pages import read

    sound = '<!DOCTYPE html>\n<html lang="en"><body><h1 id="a">x</h1><a href="#a">y</a></body></html>'
    assert read(sound).faults == []
    for old, new in (
        ("<a ", "<a onclick='x' "), ("#a", "#b"), ("<h1 id", "<h1 id='a' id"), ("</a>", ""), ("y", "<img src=x>"),
        ("x<", "<svg></svg><"), ("y", "https://a.b"), ("<h1", "<h2"), ("y", "<script>1</script>"),
    ):  # fmt: skip
        assert read(sound.replace(old, new)).faults, new
