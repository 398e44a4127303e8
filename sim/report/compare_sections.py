"""The sections of the report on the study ``compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..marks import signed
from ..text import Text
from .figures import Number, evidence, said, shown, told
from .html import plain
from .kinds import Panel, Rows, forest
from .labels import label
from .page import Block, Section, Table
from .style import SERIES

if TYPE_CHECKING:
    from .compare_study import Figure, Study
    from .page import Cell

_MEASURES = {
    "share": (Text("Shares and rates", "比例"), Text("difference in percentage points", "百分点之差")),
    "payoff": (Text("Payoffs", "得失"), Text("difference in payoff a deal", "每局得失之差")),
    "points": (Text("Points", "分数"), Text("difference in points", "分数之差")),
    "count": (Text("Counts", "次数"), Text("difference in number", "次数之差")),
}
_VERDICTS = {
    "survives": Text("survives: the same sign, for sure", "成立：方向相同，确定"),
    "reversed": Text("reversed: the other sign, for sure", "相反：方向相反，确定"),
    "open": Text("open: can't be told there", "未定：看不出"),
    "absent": Text("absent: nothing differs there", "无差：全无不同"),
}


def variants(study: Study) -> Section:
    """What is compared, and in how many deals it matters."""
    say, source = study.say, study.source
    whole = {str(row.get("variant")): row for row in study.differing if not row.get("option")}
    rows: list[list[Cell]] = []
    for row in study.variants:
        name = source.word(row, "variant")
        other = whole.get(name)
        cells: list[Cell] = [study.full[name], study.changes(row) or say("the reference", "比较的基准")]
        cells += [
            shown(source.number(other, f"{what}_share", f"{what}_low", f"{what}_high"), "share")
            if other
            else ""
            for what in ("played", "paid")
        ]
        rows.append(cells)
    heads = [
        say("variant", "规则"), say("what it changes", "改动"), say("deals played differently", "打法不同的牌局"),
        say("paid differently", "得失不同"),
    ]  # fmt: skip
    blocks = [Block(table=Table(heads, rows, words=(0, 1)))]
    single: list[list[Cell]] = [
        [
            plain(source.word(row, "variant"), 100), f"{plain(row['option'], 60)} ({plain(row.get('clauses'), 60)})",
            f"{plain(row.get('from'), 100)} → {plain(row.get('to'), 100)}",
            *(shown(source.number(row, f"{w}_share", f"{w}_low", f"{w}_high"), "share") for w in ("played", "paid")),
        ]
        for row in study.differing
        if row.get("option")
    ]  # fmt: skip
    if len(single) > len(study.others):
        names = [heads[0], say("option changed alone", "只改一项"), say("from, to", "由，改为"), *heads[2:]]
        blocks.append(Block(table=Table(names, single, words=(0, 1, 2))))
    prose = say(
        "Deals are played differently when some card, call, bid or name is another one; they may be paid "
        "alike all the same.",
        "任何一张牌、叫牌、叫分或找伴有别即为打法不同；得失仍可能一样。",
    )
    never = study.never_used()
    return Section(say("What is compared", "比较什么"), [prose], blocks, [never] if never else [])


def _short(study: Study, name: str) -> str:
    return study.short.get(name) or plain(name, 60)


def differences(study: Study, rows: list[Figure], *, refitted: bool = False) -> list[Section]:
    """A section with a forest plot for each kind of figure."""
    say, found = study.say, []
    series = study.others[: len(SERIES)]
    for measure, (title, axis) in _MEASURES.items():
        of = [row for row in rows if row.measure == measure]
        names = list(dict.fromkeys(row.figure for row in of))
        by = {(row.figure, row.variant): row for row in of}
        still = _still(study, rows)
        moved = [name for name in names if name not in still]
        if not moved:
            continue
        cells: list[list[Cell]] = [
            [
                by[name, variant].label.say(study.lang), *([study.short[variant]] if len(study.others) > 1 else []),
                shown(by[name, variant].estimate, by[name, variant].unit),
                _marked(by[name, variant]),
                said(evidence(by[name, variant].difference), study.lang),
            ]
            for name in moved
            for variant in study.others
            if (name, variant) in by
        ]  # fmt: skip
        heads = [
            "", *([say("variant", "规则")] if len(study.others) > 1 else []), say("value", "数值"),
            say("difference", "差"), say("different from 0?", "与 0 有别？"),
        ]  # fmt: skip
        words = (0, 1, 4) if len(study.others) > 1 else (0, 3)
        blocks = []
        suffix = "-refitted" if refitted else ""
        plots = {
            "": [n for n in moved if not _of(by, n).group and _of(by, n).kind not in ("spread", "quantile")],
            "by-value": [n for n in moved if _of(by, n).group],
        }
        for part, drawn in plots.items():
            if not drawn:
                continue
            nothing = Number(None)
            values = [[by[n, v].difference if (n, v) in by else nothing for v in series] for n in drawn]
            labels = [_of(by, n).label for n in drawn]
            seen, seen_zh = (
                "; ".join(
                    f"{text.say(which)}: {told(v[0], _of(by, n).step, sign=True)}"
                    for text, v, n in zip(labels, values, drawn, strict=True)
                )
                for which in ("en", "zh")
            )
            chart = forest(
                "-".join(filter(None, ("differences", measure, part))) + suffix,
                Rows(labels, series=[Text(*2 * (study.short[v],)) for v in series]),
                [Panel(axis, values, "pp" if measure == "share" else "number", 0.0)],
                Text(
                    f"{axis.en.capitalize()} to {study.short[study.reference]}, {study.short[series[0]]}: "
                    f"{seen}.",
                    f"{axis.zh}，{study.short[series[0]]} 比 {study.short[study.reference]}：{seen_zh}。",
                ),
                title=title, wide=True,
            )  # fmt: skip
            caption = say(
                "Differences to the first variant, with intervals that hold for all of them together.",
                "与第一种规则之差；区间对全部差同时成立。",
            )
            if len(study.others) > len(series):
                caption += say(
                    f" The first {len(series)} variants are drawn; the table has all.",
                    f"只画前 {len(series)} 种规则；表中为全部。",
                )
            blocks.append(Block(chart, caption))
        if cells:
            blocks.append(Block(table=Table(heads, cells, words=words), folded=say("As a table", "列表")))
        head = title.say(study.lang)
        if refitted:
            head += say(", with the bidding fitted to each variant", "（叫法按各规则重新拟合）")
        found.append(Section(head, [], blocks))
    return found


def _marked(row: Figure) -> tuple[str, str]:
    """A difference and its interval, with the sign of its mark."""
    value, interval = shown(row.difference, row.step, sign=True)
    return value, signed(interval, row.mark)


def _still(study: Study, rows: list[Figure]) -> list[str]:
    """The figures that no deal changes, in any variant."""
    moved = {row.figure for row in rows if row.differing != 0 and row.variant in study.others}
    return [name for name in dict.fromkeys(row.figure for row in rows) if name not in moved]


def unmoved(study: Study) -> Section:
    """What no deal changes."""
    say, lang = study.say, study.lang
    still = _still(study, study.main)
    labels = {row.figure: row.label.say(lang) for row in study.main if row.figure in still and not row.group}
    came_up = {row.figure for row in study.main if not row.never}
    missing = [label for name, label in labels.items() if name not in came_up]
    labels = {name: label for name, label in labels.items() if name in came_up}
    title = say("What no deal changes", "没有一局不同的")
    if not still:
        return Section(title)
    listed = say("; ", "；").join(labels.values())
    others = len(still) - len(labels) - len(missing)
    more = say(
        f" and {others} figures by value" if others else "", f"；以及 {others} 项分类数字" if others else ""
    )
    prose = [say(f"Exactly equal in every deal: {listed}{more}.", f"每局完全相同：{listed}{more}。")]
    if missing:
        names = say("; ", "；").join(missing)
        prose.append(
            say(
                f"Never came up in these deals by any of the rule sets, so that nothing is said about it: {names}.",
                f"在各种规则下，这批牌局中都从未出现，故不说明任何问题：{names}。",
            )
        )
    return Section(title, prose)


def _of(by: dict[tuple[str, str], Figure], name: str) -> Figure:
    return next(row for (figure, _), row in by.items() if figure == name)


def fairness(study: Study) -> Section:
    """The banker's payoff, the places' advantage, and how much of the payoffs is luck of the deal, by variant."""
    say, source = study.say, study.source
    rows = [row for row in source.rows("fairness") if (row["bidding"], row["policy"]) == study.first]
    names = [study.reference, *study.others]
    by = {(source.word(row, "quantity"), source.word(row, "variant")): row for row in rows}
    quantities = [q for q in dict.fromkeys(q for q, _ in by) if q.startswith("payoff")]
    cells: list[list[Cell]] = []
    for quantity in dict.fromkeys(q for q, _ in by):
        for name in names:
            row = by.get((quantity, name))
            if row is None:
                continue
            what = label(study.game, quantity).say(study.lang)
            kind = "number"
            if quantity == "variance_due_to_deal":
                what, kind = say("share of the variance due to the deal", "方差中出自发牌的部分"), "share"
            value, step = source.number(row, "estimate", "low", "high"), source.number(row, "difference")
            cells.append([
                what, study.short[name], shown(value, kind, sign=kind == "number"),
                shown(step, "pp" if kind == "share" else kind, sign=True) if step.value is not None else "",
            ])  # fmt: skip
    heads = ["", say("variant", "规则"), say("value", "数值"), say("difference", "差")]
    if not cells:
        return Section(say("Fairness", "公平"))
    blocks = [Block(table=Table(heads, cells, words=(0, 1)))]
    if quantities:
        drawn = names[: len(SERIES)]
        values = [
            [
                source.number(by[q, n], "estimate", "low", "high") if (q, n) in by else Number(None)
                for n in drawn
            ]
            for q in quantities
        ]
        seen = "; ".join(
            f"{label(study.game, q).en}: {told(v[0], sign=True)}"
            for q, v in zip(quantities, values, strict=True)
        )
        chart = forest(
            "fairness",
            Rows([label(study.game, q) for q in quantities], series=[Text(*2 * (study.short[n],)) for n in drawn]),
            [Panel(Text("payoff a deal", "每局得失"), values, reference=0.0)],
            Text(
                f"Mean payoffs by variant; {study.short[drawn[0]]}: {seen}.",
                f"各规则下的平均得失；{study.short[drawn[0]]}：{seen}。",
            ),
            title=Text("Fairness: payoff by role and place", "公平：各职各座次的得失"), wide=True,
        )  # fmt: skip
        blocks = [Block(chart, say("Means with 95 % intervals.", "均值与 95 % 区间。"), blocks[0].table)]
    prose = say(
        "A game is fair to the banker when the banker's mean payoff is 0, and to the places at the table "
        "when theirs are, counted "
        "from the first card. The share of the variance due to the deal says how much of the outcome is in "
        "the cards, the "
        "rest being in how these policies happen to play; 100 % means that they play the same every time.",
        "庄家平均得失为 0，则对庄家公平；各座次（按摸第一张牌数起）为 0，则对座次公平。方差中出自发牌的部分"
        "说明输赢有多少由牌定，"
        "其余由策略的随机打法定；100 % 即每次打法相同。",
    )
    return Section(say("Fairness", "公平"), [prose], blocks)


def conclusions(study: Study) -> Section:
    """Which differences are there with other policies, too."""
    say, source = study.say, study.source
    cells: list[list[Cell]] = []
    for row in source.rows("conclusions"):
        name = source.word(row, "figure")
        known = next((r for r in study.main if r.figure == name), None)
        text, unit = (known.label, known.step) if known else (label(study.game, name), "number")
        verdict = _VERDICTS.get(source.word(row, "verdict"))
        check = f"{plain(source.word(row, 'check'), 40)} ({source.whole(row, 'check_deals'):,})"
        cells.append([
            text.say(study.lang), _short(study, source.word(row, "variant")),
            shown(source.number(row, "difference"), unit, sign=True), check,
            shown(source.number(row, "check_difference", "check_low", "check_high"), unit, sign=True),
            verdict.say(study.lang) if verdict else plain(row["verdict"], 40),
        ])  # fmt: skip
    heads = [
        "", say("variant", "规则"), say("difference", "差"), say("checked with (deals)", "检验（局数）"),
        say("difference there", "检验所得之差"), say("verdict", "结论"),
    ]  # fmt: skip
    prose = say(
        "Every difference that is sure, looked at again with other policies or with the bidding fitted "
        "anew, on the same deals. "
        "What survives does not hang on the way of playing; of the rest that is not known.",
        "每个确定的差，再用别的策略或重新拟合的叫法在同一批牌局上看一遍。成立的不取决于打法；其余则不得而"
        "知。",
    )
    title = say("Do the differences survive other ways of playing?", "换一种打法，差别还在吗？")
    if not cells:
        return Section(title)
    return Section(title, [prose], [Block(table=Table(heads, cells, words=(0, 1, 3, 5)))])
