"""The summary as a table for a terminal, with no more digits than the errors warrant."""

from __future__ import annotations

import unicodedata
from textwrap import wrap
from typing import TYPE_CHECKING

from .events import MARK, MARKED, told
from .marks import explained, signed
from .rounding import bounds, digits, rounded
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from .given import Given
    from .stats import Estimate
    from .summary import Summary
    from .text import Lang

    Row = tuple[str, ...]

#: Sections of figures: title, then (name in `Summary.figures`, label, whether it is a share shown in %).
Sections = tuple[tuple[Text, tuple[tuple[str, Text, bool], ...]], ...]

#: What both games show last.
COMMON: Sections = (
    (
        Text("Points", "分数"),
        (
            ("defender_points", Text("defenders' points", "闲家得分"), False),
            ("defender_points_spread", Text("  standard deviation", "  标准差"), False),
            ("bottom_points", Text("points buried", "埋底分"), False),
            ("bottom_dug", Text("bottom dug", "抠底"), True),
            ("bottom_dug_points", Text("points when dug", "抠底时得分"), False),
        ),
    ),
    (
        Text("Throws", "甩牌"),
        (
            ("throws", Text("throws a deal", "每局甩牌次数"), False),
            ("failed_throws", Text("failed throws a deal", "每局甩牌失败次数"), False),
            ("failed_share", Text("of throws, failed", "甩牌失败率"), True),
        ),
    ),
)
DIE_WU_FEN: Sections = (
    (
        Text("Calling and bidding", "叫牌与叫分"),
        (
            ("redealt", Text("deals redealt at least once", "至少重发一次的牌局"), True),
            ("redeals", Text("redeals a deal", "每局重发次数"), False),
            ("call_single", Text("called with one 3", "单张 3 叫牌"), True),
            ("call_pair", Text("called with a pair of 3s", "对 3 叫牌"), True),
            ("countered", Text("call countered", "被反牌"), True),
            ("bid", Text("bid", "叫分"), False),
        ),
    ),
    (
        Text("Result", "结果"),
        (
            ("made", Text("bid made", "庄家打成"), True),
            ("defenders_shut_out", Text("defenders shut out", "闲家大光"), True),
            ("banker_shut_out", Text("banker shut out", "庄家大光"), True),
        ),
    ),
    (
        Text("Payoff a deal", "每局得失"),
        (
            ("payoff_banker", Text("banker", "庄家"), False),
            ("payoff_banker_spread", Text("  standard deviation", "  标准差"), False),
            ("payoff_defender", Text("defender", "闲家"), False),
            ("payoff_defender_spread", Text("  standard deviation", "  标准差"), False),
            ("payoff_first", Text("first seat", "首位"), False),
            ("payoff_first_spread", Text("  standard deviation", "  标准差"), False),
            ("payoff_second", Text("second seat", "次位"), False),
            ("payoff_second_spread", Text("  standard deviation", "  标准差"), False),
            ("payoff_third", Text("third seat", "末位"), False),
            ("payoff_third_spread", Text("  standard deviation", "  标准差"), False),
        ),
    ),
    *COMMON,
)
QUANTILE = Text("  {:.0f} % quantile", "  {:.0f} % 分位数")


def render(summary: Summary, lang: Lang) -> str:
    """The whole summary, ending in a line break."""
    if summary.plan.game.name == "hong-wu-wu-jia":
        from .summary_text_hong_wu_wu_jia import SECTIONS, partner_quantiles, tables

        sections, after, more = SECTIONS, {"partner_found": partner_quantiles}, tables(summary, lang)
    else:
        sections, after, more = DIE_WU_FEN, {}, [_bid_table(summary, lang)]
    lines = [*_head(summary, lang), ""]
    lines += aligned(_rows(summary, lang, sections, {"defender_points_spread": _point_quantiles, **after}))
    for table in more:
        lines += ["", *table]
    lines += ["", _legend(summary, lang), *wrapped(never_used(summary, lang), lang)]
    return "\n".join(lines) + "\n"


def _rows(
    summary: Summary,
    lang: Lang,
    sections: Sections,
    after: Mapping[str, Callable[[Summary, Lang], Iterable[Row]]],
) -> list[Row]:
    """The figures by section; ``after`` some of them further rows."""
    figures, never = summary.figures(), summary.never()
    rows: list[Row] = []
    for title, entries in sections:
        if any(name in figures for name, _, _ in entries):  # nobody calls with a fixed contract
            rows.append((title.say(lang), "", ""))
        for name, label, share in entries:
            if name in figures:
                value, interval = show(figures[name], percent=share)
                if name in never:
                    interval = f"{interval} {MARK}".strip()
                rows.append((f"  {label.say(lang)}", value, interval))
                rows += after[name](summary, lang) if name in after else ()
    return rows


def figure_rows(summary: Summary, lang: Lang) -> list[Row]:
    """The figures that are one number, as label, value and uncertainty; a section's title has neither."""
    after: dict[str, Callable[[Summary, Lang], Iterable[Row]]] = {"defender_points_spread": _point_quantiles}
    sections = DIE_WU_FEN
    if summary.plan.game.name == "hong-wu-wu-jia":
        from .summary_text_hong_wu_wu_jia import SECTIONS, partner_quantiles

        sections = SECTIONS
        after["partner_found"] = partner_quantiles
    return _rows(summary, lang, sections, after)


def _point_quantiles(summary: Summary, lang: Lang) -> Iterable[Row]:
    for q, figure in summary.quantiles().items():
        yield f"  {QUANTILE.say(lang).format(100 * q)}", *show(figure)


def show(figure: Estimate, *, percent: bool = False) -> tuple[str, str]:
    """A figure and its uncertainty, both cut after the second significant digit of the uncertainty."""
    if figure.value is None:
        return "–", ""
    scale, unit = (100, " %") if percent else (1, "")
    value = figure.value * scale
    if percent or figure.error is None:
        if figure.low is None or figure.high is None:
            return f"{value:.3g}{unit}", ""
        low, high = figure.low * scale, figure.high * scale
        places = digits((high - low) / 2)
        if figure.error is None:  # a quantile: its values are whole numbers
            places = 0
        return f"{rounded(value, places)}{unit}", bounds(low, high, places)
    error = figure.error * scale
    places = digits(error) if error > 0 else (0 if value == int(value) else 2)
    return rounded(value, places), signed(
        f"± {error:.{places}f}", "approximate" if figure.approximate else ""
    )


def _head(summary: Summary, lang: Lang) -> list[str]:
    plan, totals = summary.plan, summary.totals
    changed = ", ".join(plan.rules.changed())
    zh = lang == "zh"
    rows = [
        ("游戏" if zh else "game", plan.game.title(lang)),
        (
            "规则" if zh else "rules",
            plan.rules.name + (f" ({'改动' if zh else 'changed'}: {changed})" if changed else ""),
        ),
        ("策略" if zh else "policies", plan.told_policies()),
        ("种子" if zh else "seed", str(plan.seed)),
        ("牌局" if zh else "deals", _deals(summary, zh)),
    ]
    if plan.imported:
        origin = "导入的记录" if zh else "imported records"
        rows[2:4] = [("来源" if zh else "origin", origin)]
    if plan.contract is not None:
        c = plan.contract
        fixed = f"banker={c.banker},trump={'shcd'[c.trump]}" + ("" if c.bid is None else f",bid={c.bid}")
        rows.insert(3, ("定约" if zh else "contract", fixed))
    if plan.given is not None:
        rows[4:4] = given_rows(plan.given, zh)
    rows[3:3] = [("叫法" if zh else "bidding", told) for told in plan.told_biddings()]
    if totals.size > 1:
        rows.append(("场次" if zh else "sessions", f"{totals.units:,} × {totals.size}"))
    if summary.pace is not None:
        pace = float(f"{summary.pace:.2g}")
        workers = f"{summary.workers} {'线程' if zh else 'threads' if summary.workers != 1 else 'thread'}"
        text = f"{pace:,.0f} {'局/秒' if zh else 'deals a second'} ({workers}, {summary.seconds:.1f} s)"
        rows.append(("速度" if zh else "speed", text))
    width = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, width)}  {text}" for label, text in rows]


def given_rows(given: Given, zh: bool) -> list[tuple[str, str]]:
    """What is known of every deal, and the chance of the counts."""
    from .given import BOTTOM, probability

    described = given.describe()
    bottom = "底牌" if zh else BOTTOM
    rows = [
        ("指定的牌" if zh else "held", f"{bottom if place == BOTTOM else place}: {cards}")
        for place, cards in described.get("hold", {}).items()
    ]
    counts = [
        f"{bottom if place == BOTTOM else place}: {what} {low}" + (f"-{high}" if high > low else "")
        for place, each in described.get("count", {}).items()
        for what, (low, high) in each.items()
    ]
    if counts:
        chance = float(probability(given))
        shown = f"{chance:.4g}"
        text = f"概率 {shown}" if zh else f"probability {shown}"
        rows.append(("限定" if zh else "counts", f"{', '.join(counts)} ({text})"))
    return rows


def _deals(summary: Summary, zh: bool) -> str:
    first, deals = summary.first, f"{summary.totals.deals:,}"
    if summary.asked and summary.asked > summary.totals.deals:
        deals = f"{deals}（共 {summary.asked:,}）" if zh else f"{deals} of {summary.asked:,}"
    if first == 0:
        return deals
    return f"{deals} ({'从第' if zh else 'from'} {first:,}{' 局起' if zh else ' on'})"


def _bid_table(summary: Summary, lang: Lang) -> list[str]:
    heads = ("叫分", "占比", "", "打成", "") if lang == "zh" else ("bid", "share", "", "made", "")
    rows: list[tuple[str, ...]] = [heads]
    for bid, (share, made) in summary.table("bid").items():
        rows.append((str(bid), *show(share, percent=True), *show(made, percent=True)))
    return aligned(rows)


def _legend(summary: Summary, lang: Lang) -> str:
    if lang == "zh":
        unit = "牌局" if summary.totals.size == 1 else "场次"
        return f"± 后为标准误，[ ] 为 95 % 区间；误差以{unit}为单位。{marked(summary, lang)}"
    unit = "deal" if summary.totals.size == 1 else "session"
    legend = f"± standard error, [ ] 95 % interval; the unit of every error is the {unit}."
    return " ".join(filter(None, (legend, marked(summary, lang))))


def marked(summary: Summary, lang: Lang) -> str:
    """What the marks of figures mean, where there are some."""
    never = MARKED.say(lang).format(mark=MARK, deals=f"{summary.totals.deals:,}") if summary.never() else ""
    approximate = ["approximate"] if any(each.approximate for each in summary.figures().values()) else []
    return ("" if lang == "zh" else " ").join(filter(None, (never, *explained(approximate, lang))))


def never_used(summary: Summary, lang: Lang) -> str:
    """Which options the deals say nothing about."""
    return told(summary.never_used(), summary.totals.deals, lang, records=summary.plan.imported)


def wrapped(text: str, lang: Lang) -> list[str]:
    """A paragraph as lines; Chinese is left to the terminal, and of no text there is nothing."""
    return [text] * bool(text) if lang == "zh" else wrap(text, 100)


def aligned(rows: Sequence[tuple[str, ...]], *, paired: bool = True) -> list[str]:
    """Columns: the first to the left, values to the right, uncertainties to the left.

    ``paired``: every value has an uncertainty behind it; else all but the first column are values.
    """
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            padded(cell, width, right=at % 2 == 1 if paired else at > 0)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def width_of(text: str) -> int:
    """Columns a text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - width_of(text))
    return space + text if right else text + space
