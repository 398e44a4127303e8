"""The sections of the report on tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..text import Text
from .figures import Number, judged, shown, told
from .html import plain
from .kinds import Graph, Line, Panel, Rows, curves, forest
from .page import Block, Section, Table

if TYPE_CHECKING:
    from .page import Cell
    from .tournament_study import Length, Study

_ROWS = 60  # a chart has
_TOLD = 10  # entrants in words for those who don't see the chart


@dataclass(frozen=True)
class _About:
    """How a figure of the entrants is told. ``against``: what its evidence is about."""

    chart: str
    kind: str
    title: Text
    figure: Text
    axis: Text
    against: Text
    prose: Text


_ABOUT = {
    "wins": _About(
        "wins", "share", Text("Who wins", "谁夺冠"), Text("wins", "夺冠"), Text("chance to win", "夺冠机会"),
        Text("more or less than by chance?", "与全凭运气有别？"),
        Text(
            "How often an entrant wins the tournament. By chance: if all were alike. Entrants stand in the order of "
            "their points, most first.",
            "参赛者夺冠的比例。全凭运气：假如人人相当。按得分从高到低排列。",
        ),
    ),
    "points_a_hand": _About(
        "points", "number", Text("Points", "得分"), Text("points a hand", "每手得分"),
        Text("points a hand", "每手得分"), Text("different from the field?", "与全场有别？"),
        Text(
            "Points a hand in the first round, in which everybody plays. All entrants' points add up to 0, so this is "
            "by how much one is better than the field. It tells who is better much sooner than wins do.",
            "首轮每手得分；首轮人人都打。全场得分之和为 0，故此数即比全场强多少。它比夺冠次数更早看出强弱。",
        ),
    ),
    "advanced": _About(
        "goes-on", "share", Text("Who goes on after the first round", "谁在首轮后晋级"), Text("goes on", "晋级"),
        Text("chance to go on", "晋级机会"), Text("more or less than by chance?", "与全凭运气有别？"),
        Text("How often an entrant goes on to the second round.", "参赛者进入第二轮的比例。"),
    ),
}  # fmt: skip


def entrants(study: Study, figure: str) -> Section:
    """A figure of every entrant: a forest plot, a panel for each length, and tables."""
    say, about = study.say, _ABOUT[figure]
    title, several = about.title.say(study.lang), len(study.lengths) > 1
    if not study.has(figure):
        return Section(title)
    names, drawn = study.names[:_ROWS], study.drawn
    values = [[_drawn(study, length, name, figure) for name in names] for length in drawn]
    seen = {
        lang: "; ".join(
            f"{study.label(name)}: {told(value, about.kind, sign=about.kind == 'number')}"
            for name, value in zip(names[:_TOLD], values[-1], strict=False)
        )
        for lang in ("en", "zh")
    }
    last = drawn[-1].about
    chart = forest(
        about.chart, Rows([Text(study.label(name), study.label(name)) for name in names]),
        [
            Panel(
                length.about if several else about.axis,
                [[value] for value in column], about.kind, _reference(study, length, figure),
            )
            for length, column in zip(drawn, values, strict=True)
        ],
        Text(f"{about.axis.en.capitalize()}, {last.en}: {seen['en']}.", f"{about.axis.zh}，{last.zh}：{seen['zh']}。"),
        title=about.title, wide=several, same=True,
    )  # fmt: skip
    caption = say(
        f"{about.axis.en.capitalize()} with 95 % intervals; the line: "
        + ("the mean of the field." if figure == "points_a_hand" else "if all were alike."),
        f"{about.axis.zh}与 95 % 区间；竖线："
        + ("全场平均。" if figure == "points_a_hand" else "人人相当时。"),
    )
    if figure == "wins" and max(study.count.values()) > 1:
        caption += say(
            " Of kinds with several entrants it is the chance of one of them; the table has that of all together.",
            "一类有多人时，图中为其中一人的机会；表中为该类合计。",
        )
    if len(study.names) > len(names):
        caption += say(f" The first {len(names)} are drawn.", f"只画前 {len(names)} 名。")
    if len(study.lengths) > len(drawn):
        caption += say(" Some of the lengths are drawn; the tables have all.", "只画部分手数；表中为全部。")
    prose = [about.prose.say(study.lang)]
    if not several:
        return Section(title, prose, [Block(chart, caption, _table(study, study.lengths[0], figure))])
    blocks = [Block(chart, caption)]
    for length in study.lengths:
        folded = say(f"As a table: {length.about.en}", f"列表：{length.about.zh}")
        blocks.append(Block(table=_table(study, length, figure), folded=folded))
    return Section(title, prose, blocks)


def _drawn(study: Study, length: Length, name: str, figure: str) -> Number:
    return study.each(length, name) if figure == "wins" else length.of(name, figure).value


def _reference(study: Study, length: Length, figure: str) -> float | None:
    """Where the line stands: an entrant's share if all were alike."""
    if figure == "wins":
        return 1 / study.field
    return 0.0 if figure == "points_a_hand" else length.of(study.names[0], figure).by_chance


def _table(study: Study, length: Length, figure: str) -> Table:
    say, about = study.say, _ABOUT[figure]
    share = about.kind == "share"
    rows: list[list[Cell]] = []
    for name in study.names:
        found = length.of(name, figure)
        verdict = judged(found.value, len(study.names), study.lang, about.kind, found.by_chance or 0.0)
        rows.append([
            study.label(name), shown(found.value, about.kind, sign=not share),
            *([_percent(found.by_chance)] if share else []), verdict,
        ])  # fmt: skip
    heads = [
        say("entrant", "参赛者"), about.figure.say(study.lang), *([say("by chance", "全凭运气")] if share else []),
        about.against.say(study.lang),
    ]  # fmt: skip
    return Table(heads, rows, words=(0, len(heads) - 1))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.3g} %"


def lengths(study: Study) -> Section:
    """The best entrant's chance, and skill's share, by length of a round."""
    say = study.say
    several = len(study.lengths) > 1
    title = (
        say("What the length of a round does", "每轮手数的影响") if several else say("Skill and luck", "实力与运气")
    )  # fmt: skip
    family = 2 * len(study.lengths)
    rows: list[list[Cell]] = []
    for length in study.lengths:
        best, skill = length.all("best_wins"), length.all("skill_share")
        rows.append([
            str(length.hands), plain(study.best(length), 60), shown(best.value, "share"), _percent(best.by_chance),
            judged(best.value, family, study.lang, "share", best.by_chance or 0.0), shown(skill.value, "share"),
            judged(skill.value, family, study.lang, "share"), *(_points(length, k) for k in ("skill", "luck")),
            half(length) or "–",
        ])  # fmt: skip
    heads = [
        say("hands a round", "每轮手数"), say("most points", "得分最高"), say("best wins", "最强者夺冠"),
        say("by chance", "全凭运气"), say("different?", "有别？"), say("skill", "实力占比"),
        say("different from 0?", "与 0 有别？"), say("points of skill", "实力（分）"),
        say("points of luck", "运气（分）"), say("half skill at, hands", "实力过半需（手）"),
    ]  # fmt: skip
    table = Table(heads, rows, words=(1, 4, 6))
    prose = [
        say(
            "The best is the kind of entrant with most points in one half of the tournaments; its wins are counted in "
            "the other half, both ways round, so that the choice does not flatter it.",
            "最强者由一半比赛的得分判定，在另一半中数其夺冠次数，两半互换再数一遍；故不因挑选而偏高。",
        ),
        say(
            "Skill is the share of the variance of an entrant's points in a first round that is due to who it is; the "
            "rest is luck: cards, seats, opponents, lots. Points of skill and of luck are the two standard deviations, "
            "a round.",
            "实力占比：首轮得分的方差中出自各人本身的部分；其余为运气：牌、座位、对手、抽签。实力与运气的分数为"
            "两者在一轮中的标准差。",
        ),
    ]
    blocks = [Block(table=table)]
    if several:
        blocks.insert(0, _curves(study))
    after = [
        say(
            "Half skill at: so many hands a round would make skill half of the variance, were skill and luck to go on "
            "as here. An extrapolation without an interval.",
            "实力过半需：照此推算，每轮多少手时实力占一半。此为外推，没有区间。",
        )
    ]
    return Section(title, prose, blocks, after)


def _curves(study: Study) -> Block:
    panels = {
        "best_wins": Text("The best entrant wins", "最强者夺冠"),
        "skill_share": Text("Share of skill", "实力占比"),
    }
    x = [float(length.hands) for length in study.lengths]
    graphs: list[Graph] = []
    seen: dict[str, list[str]] = {"en": [], "zh": []}
    for figure, about in panels.items():
        found = [length.all(figure) for length in study.lengths]
        graphs.append(
            Graph(about, [
                Line(Text("as played", "实际"), x, [each.value for each in found], dots=True),
                Line(Text("if all were alike", "人人相当时"), x, [Number(each.by_chance) for each in found]),
            ])
        )  # fmt: skip
        for lang, told_as in (("en", about.en), ("zh", about.zh)):
            each = (f"{at:g}: {told(one.value, 'share')}" for at, one in zip(x, found, strict=True))
            seen[lang].append(f"{told_as}: {', '.join(each)}")
    chart = curves(
        "length", graphs, Text("hands a round", "每轮手数"), Text("share", "比例"),
        Text(
            f"By hands a round. {'. '.join(seen['en'])}.", f"按每轮手数。{'。'.join(seen['zh'])}。",
        ),
        title=Text("What the length of a round does", "每轮手数的影响"), share=True,
    )  # fmt: skip
    caption = study.say(
        "Dots: the lengths that were played, with their 95 % band; between them nothing was played.",
        "圆点为所打的手数，带为 95 % 区间；圆点之间并未打过。",
    )
    return Block(chart, caption)


def _points(length: Length, which: str) -> str:
    value = length.all(f"{which}_points").value.value
    return "–" if value is None else f"± {value:.3g}"


def half(length: Length) -> str:
    """At how many hands a round skill would be half of the variance."""
    value = length.all("hands_for_half").value.value
    return "" if value is None else f"{float(f'{value:.2g}'):,.0f}"
