"""The report of a dataset: what both games have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..summary import PLACES, Summary
from ..summary_text import figure_rows, marked, never_used
from ..text import Text
from ..totals import Totals, count, counted
from .figures import SCALE, Number, direction, evidence, judged, number, said, shown, together, told
from .kinds import Bars, Panel, Rows, forest, histogram
from .labels import part
from .page import Block, Report, Section, Table
from .provenance import of_plan
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..dataset import Dataset
    from ..text import Lang
    from .page import Cell

BIN = 10  # points in a bar
_TAIL = 0.001  # the share of deals that the chart of points leaves out at its end
#: Of a class: is it won by the banker's side, the banker's payoff, the defenders' points, the two kinds of shutout.
QUANTITIES = ("won", "payoff", "points", "defenders_out", "banker_out")

ROLES = ("banker", "partner", "defender")


class Deals:
    """Everything the report says about a dataset, from one pass through its rows. ``say``: one of two texts."""

    def __init__(self, dataset: Dataset, lang: Lang) -> None:
        self.dataset, self.plan, self.lang = dataset, dataset.plan, lang
        game = self.plan.game
        self.two = game.name == "die-wu-fen"
        names = {
            *counted(game.name),
            *(("bid",) if self.two else ("pressed", "solo", "direct", "named_held")),
        }
        totals = Totals(self.plan.session)
        self.tallies: dict[str, Tally] = {}
        for columns in dataset.read(sorted(names)):
            totals.merge(count(columns, self.plan.session, game.name))
            self._tally(columns)
        self.summary = Summary(self.plan, totals, dataset.first, asked=dataset.asked)
        self.figures = {name: number(figure) for name, figure in self.summary.figures().items()}

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    @property
    def deals(self) -> int:
        """How many."""
        return self.summary.totals.deals

    def _tally(self, columns: Mapping[str, NDArray[Any]]) -> None:
        payoffs = np.stack([columns[f"payoff_{seat}"] for seat in range(self.plan.game.seats)])
        banker = columns["banker"].astype(np.int64)
        won = columns["result"] == 0 if self.two else columns["grade"] > 0
        shutout = columns["shutout"] == 1 if self.two else np.zeros_like(won)
        points = columns["defender_points"].astype(np.int64)
        values = {
            "won": won, "payoff": payoffs[banker, np.arange(len(banker))], "points": points,
            "defenders_out": won & shutout, "banker_out": ~won & shutout,
        }  # fmt: skip
        classes: dict[str, NDArray[Any]] = {"points": points // BIN}
        if self.two:
            classes["bid"] = columns["bid"]
        else:
            solo, direct = columns["solo"] == 1, columns["direct"] == 1
            classes |= {
                "grade": columns["grade"], "trump": columns["pressed"],
                "partner": np.where(solo, 2, np.where(direct, 1, 0)), "held": columns["named_held"],
            }  # fmt: skip
        for name, of in classes.items():
            self.tallies.setdefault(name, Tally(self.plan.session, QUANTITIES)).add(of, values)

    def points(self, lines: list[str]) -> Section:
        """How the defenders' points are spread; ``lines``: what the game says about them."""
        tally, say = self.tallies["points"], self.say
        beyond = 0
        keep: list[int] = []
        for at in reversed(tally.classes):
            if not keep and beyond + tally.deals(at) <= _TAIL * self.deals:
                beyond += tally.deals(at)
            else:
                keep.append(at)
        bars = [
            Bars(at * BIN, number(tally.share(at)), tally.proportion(at, "won").value or 0.0)
            for at in sorted(keep)
        ]
        for bar in bars:
            bar.first *= bar.share.value or 0.0
        kinds = (
            (Text("bid made", "打成"), Text("bid broken", "打破"))
            if self.two
            else (Text("banker's side wins", "庄家方胜"), Text("banker's side loses", "庄家方负"))
        )
        mean = told(self.figures["defender_points"])
        chart = histogram(
            "defender-points", bars, BIN, kinds, Text("defenders' points", "闲家得分"),
            Text(
                f"Histogram of the defenders' points in {self.deals:,} deals, each bar divided by who wins; "
                f"mean {mean}.",
                f"{self.deals:,} 局中闲家得分的直方图，每条按胜负分色；均值 {mean}。",
            ),
            title=Text("Points the defenders take", "闲家得了多少分"),
        )  # fmt: skip
        rows: list[list[Cell]] = [
            [say("mean", "均值"), shown(self.figures["defender_points"])],
            [say("standard deviation", "标准差"), shown(self.figures["defender_points_spread"])],
        ]
        for share, figure in self.summary.quantiles().items():
            label = say(f"{100 * share:.0f} % of deals have at most", f"{100 * share:.0f} % 的牌局不超过")
            rows.append([label, shown(number(figure), "whole")])
        caption = say(
            f"Share of deals for every {BIN} points; lines: 95 % intervals.",
            f"每 {BIN} 分一条，高度为占牌局的比例；竖线为 95 % 区间。",
        )
        if beyond:
            caption += say(
                f" {beyond:,} deals ({100 * beyond / self.deals:.2f} %) lie further to the right.",
                f" 另有 {beyond:,} 局（{100 * beyond / self.deals:.2f} %）在图右之外。",
            )
        table = Table([say("defenders' points", "闲家得分"), say("value", "数值")], rows)
        return Section(
            say("Points the defenders take", "闲家得了多少分"), lines, [Block(chart, caption, table)]
        )

    def payoffs(self) -> Section:
        """What each role and each seat wins."""
        say = self.say
        names = [name for name in (*ROLES, *PLACES) if f"payoff_{name}" in self.figures]
        values = [self.figures[f"payoff_{name}"] for name in names]
        labels = [part(self.plan.game.name, name) for name in names]
        seats = sum(name in PLACES for name in names)
        rows: list[list[Cell]] = []
        for name, label, value in zip(names, labels, values, strict=True):
            of = seats if name in PLACES else len(names) - seats
            rows.append([label.say(self.lang), shown(value, sign=True), judged(value, of, self.lang)])
        seen = "; ".join(f"{label} {told(v, sign=True)}" for label, v in zip(labels, values, strict=True))
        seen_zh = "；".join(
            f"{label.zh} {told(v, sign=True)}" for label, v in zip(labels, values, strict=True)
        )
        chart = forest(
            "payoffs", Rows(labels, {len(names) - seats}),
            [Panel(Text("payoff a deal", "每局得失"), [[value] for value in values], reference=0.0)],
            Text(f"Mean payoff a deal with 95 % intervals. {seen}.", f"每局平均得失与 95 % 区间。{seen_zh}。"),
            title=Text("Who wins, and who pays", "谁赢谁付"),
        )  # fmt: skip
        heads = [
            "", say("payoff a deal", "每局得失"),
            say("different from 0?", "与 0 有别？"),
        ]  # fmt: skip
        prose = say(
            "What a player wins or pays in a deal: by the part played, and by the place at the table, "
            "counted from the seat "
            "that gets the first card. In a game fair to all places, those of the places would all be 0.",
            "一局里各人的得失：先按所任之职，再按座次（从摸第一张牌的人数起）。若各座次公平，后几行都应为 "
            "0。",
        )
        caption = say("Means with 95 % intervals.", "均值与 95 % 区间。")
        block = Block(chart, caption, Table(heads, rows, words=(0, 2)))
        return Section(say("Who wins, and who pays", "谁赢谁付"), [prose], [block])

    def everything(self, more: list[Table]) -> Section:
        """All figures of the summary, folded."""
        say = self.say
        tables: list[Table] = []
        for label, value, interval in figure_rows(self.summary, self.lang):
            if not value and not interval and not label.startswith(" "):
                tables.append(Table([label.strip(), say("value", "数值")], []))
            else:
                uncertain = interval.replace("-", "−")
                tables[-1].rows.append([label.strip(), (value.replace("-", "−"), uncertain)])
        unit = self.unit()
        note = say(
            f"± standard error, [ ] 95 % interval; the unit of every error is the {unit}.",
            f"± 后为标准误，[ ] 为 95 % 区间；误差以{unit}为单位。",
        )
        blocks = [Block(table=table, folded=table.heads[0]) for table in (*tables, *more) if table.rows]
        notes = [note, marked(self.summary, self.lang), never_used(self.summary, self.lang)]
        return Section(say("All figures", "全部数字"), [text for text in notes if text], blocks)

    def unit(self) -> str:
        """What errors are counted by."""
        if self.plan.session > 1:
            return self.say("session", "场次")
        return self.say("deal", "牌局")

    def seats_finding(self) -> str:
        """A sentence on the places at the table."""
        names = [name for name in PLACES if f"payoff_{name}" in self.figures]
        values = {name: together(self.figures[f"payoff_{name}"], len(names)) for name in names}
        sure = [
            f"{part(self.plan.game.name, name).say(self.lang)} {told(value, sign=True)}"
            for name, value in values.items()
            if direction(value)
        ]
        if sure:
            return self.say(
                f"The place at the table matters: {', '.join(sure)} a deal, counted from the first card.",
                f"座次有影响：按摸第一张牌数起，每局{'、'.join(sure)}。",
            )
        widest = max(
            (max(abs(v.low or 0), abs(v.high or 0)) for v in values.values() if v.known), default=None
        )
        if widest is None:
            return self.say(
                "Too few deals to say whether the place at the table matters.",
                "牌局太少，无从判断座次有无影响。",
            )
        return self.say(
            f"No advantage of any place at the table can be told; one of more than about {widest:.2g} a "
            "deal is unlikely.",
            f"看不出座次有何利弊；若有，每局也不大会超过约 {widest:.2g}。",
        )

    def half(self, value: Number) -> str:
        """A share, and how it stands to one half."""
        verdict = evidence(value, 0.5)
        if verdict in ("unknown", "none", "same"):
            return self.say("not told apart from one half", "与一半分不出差别")
        above = (value.value or 0) > 0.5
        word = said(verdict, self.lang)
        return self.say(
            f"{'more' if above else 'less'} than half, {word}", f"{'多于' if above else '少于'}一半，{word}"
        )

    def report(
        self, lead: str, keys: list[tuple[str, str, str]], findings: list[str], sections: list[Section]
    ) -> Report:
        """The whole, with what stands in all of them."""
        say, plan = self.say, self.plan
        game = plan.game.zh if self.lang == "zh" else plan.game.name.capitalize()
        names = list(dict.fromkeys(plan.policies))
        if plan.imported:
            who = say("imported records", "导入的记录")
        else:
            who = say(f"played by {', '.join(names)}", f"由 {'、'.join(names)} 打牌")
        number, there = f"{self.deals:,}", f"{self.deals:,} 局"
        if self.deals < self.dataset.asked:
            number, there = f"{number} of {self.dataset.asked:,}", f"{self.dataset.asked:,} 局中的 {there}"
        some = "1 deal" if number == "1" else f"{number} deals"
        title = say(f"{game}: {some}, {who}", f"{game}：{there}，{who}")
        intro = say(
            "Brackets are 95 % intervals: a procedure that catches the true value in 95 of 100 cases. The "
            "unit is the "
            f"{self.unit()}: several players or hands of one {self.unit()} never count as several "
            "observations.",
            f"方括号内为 95 % 区间：照此法所得的区间，100 次里约有 95 次含有真值。以{self.unit()}为单位：同"
            f"一{self.unit()}里的几位玩家"
            "、几手牌不当作几次观察。",
        )
        people = (
            say(
                "The deals are records from elsewhere; how they were chosen decides what they say about "
                "others.",
                "这些牌局来自别处的记录；它们怎样选出，决定了能说明什么。",
            )
            if plan.imported
            else say(
                "The players are programs, and bots are not people: the numbers say what happens when "
                "everyone plays by the "
                "policies named below, not what happens at a table of people.",
                "打牌的是程序，机器不等于真人：数字说明人人照下列策略打时会怎样，不说明真人桌上会怎样。",
            )
        )
        notes = [intro, SCALE.say(self.lang), people]
        kicker = say("tuolaji · report on a dataset", "tuolaji · 数据集报告")
        origin = of_plan(plan, self.dataset.manifest, self.lang, self.deals)
        return Report(title, kicker, [lead], keys, findings, sections, notes, origin)
