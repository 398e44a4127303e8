"""The report of a dataset of hong-wu-wu-jia."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards import FACES, parse_cards, show_cards
from ..summary_text import show
from ..text import Text
from .figures import FEW, direction, judged, number, shown, together, told
from .kinds import Panel, Rows, forest
from .page import Block, Section, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from .deals import Deals
    from .page import Cell, Report

_WON = Text("banker's side wins", "庄家方胜")
_PAYOFF = Text("banker's payoff a deal", "庄家每局得失")
#: Kinds of deals: tally, class, what it is. The first of a tally begins a group.
KINDS = (
    ("trump", 0, Text("a 2 revealed", "翻2定主")),
    ("trump", 1, Text("pressed: nobody revealed", "压庄：无人翻2")),
    ("partner", 0, Text("partner, not direct", "有伴，非直接跟出")),
    ("partner", 1, Text("partner, direct", "有伴，直接跟出")),
    ("partner", 2, Text("solo", "独打")),
    ("held", 0, Text("named card: banker has 0", "找伴牌：庄家 0 张")),
    ("held", 1, Text("named card: banker has 1", "找伴牌：庄家 1 张")),
    ("held", 2, Text("named card: banker has 2", "找伴牌：庄家 2 张")),
    ("held", 3, Text("named card: banker has 3", "找伴牌：庄家 3 张")),
)


def report(deals: Deals) -> Report:
    """The whole report."""
    say, figures = deals.say, deals.figures
    lead = say(
        "In hong-wu-wu-jia five play: the banker names a card, and whoever shows it is the partner, hidden "
        "until then; the "
        "others defend. A banker who holds every copy plays solo. The points the defenders take decide the "
        "grade of the "
        "result, above 0 when the banker's side wins, and with it what everyone pays. This page shows how "
        "often that "
        "side wins, and what decides it.",
        "红五五家五人打牌：庄家指定找伴牌，跟出者为伴家，此前无人知晓；余者为闲家。庄家握有全部该牌则为独"
        "打。闲家得分定等级，正数为"
        "庄家方胜，并定各人得失。本页说明庄家方胜多少、由什么决定。",
    )
    keys = [
        (*shown(figures["won"], "share"), say("won by the banker's side", "庄家方胜")),
        (*shown(figures["payoff_banker"], sign=True), say("banker's payoff a deal", "庄家每局得失")),
        (*shown(figures["defender_points"]), say("defenders' points", "闲家得分")),
        (*shown(figures["solo"], "share"), say("played solo", "独打")),
    ]
    sections = [
        deals.points([
            say(
                "Card points the defenders win in tricks, and those of the bottom when they dig it, "
                "multiplied as the rules say.",
                "闲家赢得的牌分，加上抠底时按规则翻倍的底牌分。",
            )
        ]),
        grades(deals),
        kinds(deals),
        deals.payoffs(),
        deals.everything(_more(deals)),
    ]  # fmt: skip
    return deals.report(lead, keys, findings(deals), sections)


def findings(deals: Deals) -> list[str]:
    """What stands out, in sentences."""
    say, figures = deals.say, deals.figures
    won = figures["won"]
    found = [
        say(
            f"The banker's side wins {told(won, 'share', against=0.5)} of the deals: {deals.half(won)}.",
            f"庄家方胜 {told(won, 'share', against=0.5)}：{deals.half(won)}。",
        )
    ]
    roles = [
        name for name in ("banker", "partner", "defender") if figures[f"payoff_{name}"].value is not None
    ]
    words = {"banker": ("banker", "庄家"), "partner": ("partner", "伴家"), "defender": ("defender", "闲家")}
    parts, parts_zh = [], []
    for name in roles:
        value = together(figures[f"payoff_{name}"], len(roles))
        way = direction(value)
        verb = {1: ("wins", "赢"), -1: ("loses", "输"), 0: ("can't be told from 0:", "与 0 分不出差别：")}[
            way
        ]
        parts.append(f"the {words[name][0]} {verb[0]} {told(value, sign=True)}")
        parts_zh.append(f"{words[name][1]}{verb[1]} {told(value, sign=True)}")
    found.append(say(f"Of the parts, a deal: {', '.join(parts)}.", f"每局得失：{'，'.join(parts_zh)}。"))
    partner = deals.tallies["partner"]
    solo, other = partner.deals(2), partner.deals(0) + partner.deals(1)
    if solo >= FEW and other >= FEW:
        alone = number(partner.proportion(2, "won"))
        with_one = figures["won_with_partner"]
        found.append(
            say(
                f"Solo, the banker wins {told(alone, 'share')}; with a partner the side wins "
                f"{told(with_one, 'share')}.",
                f"独打胜 {told(alone, 'share')}；有伴胜 {told(with_one, 'share')}。",
            )
        )
    return [*found, deals.seats_finding()]


def grades(deals: Deals) -> Section:
    """How often each grade comes up, and what it pays the banker (HW-13)."""
    say, tally = deals.say, deals.tallies["grade"]
    low = {grade: points for points, grade in deals.plan.rules["grade_table"]}
    order = sorted(tally.classes, reverse=True)
    share = {grade: number(tally.share(grade)) for grade in order}
    payoff = {grade: tally.mean(grade, "payoff") for grade in order}
    drawn = [grade for grade in order if tally.deals(grade) >= FEW]
    names = {grade: f"{grade:+d}".replace("-", "−") for grade in order}
    rows: list[list[Cell]] = [
        [
            names[grade], str(low.get(grade, "–")), f"{tally.deals(grade):,}", shown(share[grade], "share"),
            shown(payoff[grade], sign=True),
        ]
        for grade in order
    ]  # fmt: skip
    heads = [
        say("grade", "等级"), say("points from", "闲家得分起"), say("deals", "局数"), say("share", "占比"),
        say("banker's payoff", "庄家得失"),
    ]  # fmt: skip
    blocks = [Block(table=Table(heads, rows))]
    if drawn:
        seen = [f"{names[g]}: {told(share[g], 'share')}, {told(payoff[g], sign=True)}" for g in drawn]
        chart = forest(
            "grades", Rows([Text(names[g], names[g]) for g in drawn]),
            [
                Panel(Text("share of deals", "占牌局"), [[share[g]] for g in drawn], "share", 0.0),
                Panel(_PAYOFF, [[payoff[g]] for g in drawn], reference=0.0),
            ],
            Text(
                "Share of deals and banker's payoff by grade. " + "; ".join(seen),
                "各等级的占比与庄家得失。" + "；".join(seen),
            ),
            title=Text("Grades: by how much", "等级：胜负多大"),
        )  # fmt: skip
        caption = say(
            "By grade, best for the banker first; 95 % intervals.",
            "按等级，对庄家最好的在上；线段为 95 % 区间。",
        )
        blocks = [Block(chart, caption, blocks[0].table)]
    prose = say(
        "The grade says by how much a side wins. At the same grade the banker's payoff still differs: it is "
        "larger solo, and "
        "other when the banker was pressed or the partner came directly.",
        "等级表示胜负的大小。同一等级庄家得失仍有不同：独打更大，压庄或伴家直接跟出时另计。",
    )
    return Section(say("Grades: by how much", "等级：胜负多大"), [prose], blocks)


def kinds(deals: Deals) -> Section:
    """What decides: how trump came about, the partner, the card named."""
    say = deals.say
    there = [
        kind
        for kind in KINDS
        if deals.tallies[kind[0]].deals(kind[1]) and (kind[0] != "trump" or deals.plan.contract is None)
    ]
    won = {k[:2]: number(deals.tallies[k[0]].proportion(k[1], "won")) for k in there}
    payoff = {k[:2]: deals.tallies[k[0]].mean(k[1], "payoff") for k in there}
    rows: list[list[Cell]] = []
    for name, at, label in there:
        tally = deals.tallies[name]
        rows.append([
            label.say(deals.lang), f"{tally.deals(at):,}", shown(number(tally.share(at)), "share"),
            shown(won[name, at], "share"), shown(payoff[name, at], sign=True), shown(tally.mean(at, "points")),
            judged(payoff[name, at], len(there), deals.lang),
        ])  # fmt: skip
    heads = [
        "", say("deals", "局数"), say("share", "占比"), _WON.say(deals.lang),
        say("banker's payoff", "庄家得失"),
        say("defenders' points", "闲家得分"), say("payoff different from 0?", "得失与 0 有别？"),
    ]  # fmt: skip
    drawn = [kind for kind in there if deals.tallies[kind[0]].deals(kind[1]) >= FEW]
    blocks = []
    if drawn:
        new = {at for at, kind in enumerate(drawn) if at and kind[0] != drawn[at - 1][0]}
        seen = "; ".join(f"{k[2].en}: {told(won[k[:2]], 'share')}" for k in drawn)
        seen_zh = "；".join(f"{k[2].zh}：{told(won[k[:2]], 'share')}" for k in drawn)
        chart = forest(
            "kinds", Rows([kind[2] for kind in drawn], new),
            [
                Panel(_WON, [[won[k[:2]]] for k in drawn], "share", 0.5),
                Panel(_PAYOFF, [[payoff[k[:2]]] for k in drawn], reference=0.0),
            ],
            Text(f"How often the banker's side wins. {seen}.", f"庄家方胜率。{seen_zh}。"), wide=True,
            title=Text("What decides", "由什么决定"),
        )  # fmt: skip
        caption = say(
            "By kind of deal, with 95 % intervals; the lines stand at one half and at 0.",
            "按牌局种类，线段为 95 % 区间；竖线为一半与 0。",
        )
        blocks.append(Block(chart, caption))
    blocks.append(Block(table=Table(heads, rows, words=(0, 6))))
    prose = say(
        "How trump and banker came about, how the partner came, and how many copies of the named card the "
        "banker held. Kinds "
        "of deals differ in the hands that lead to them, so a difference between rows is not what a choice "
        "does.",
        "定主坐庄的方式、伴家怎样现身、找伴牌庄家自己有几张。各种牌局的手牌本就不同，所以行与行之差不等于选"
        "择的效果。",
    )
    return Section(say("What decides", "由什么决定"), [prose], blocks)


def _more(deals: Deals) -> list[Table]:
    """By partner card and by trump."""
    say, summary = deals.say, deals.summary

    def table(name: str, head: str, label: Callable[[int], str]) -> Table:
        rows: list[list[Cell]] = [
            [label(at), show(share, percent=True), show(won, percent=True)]
            for at, (share, won) in summary.table(name).items()
        ]
        return Table([head, say("share", "占比"), _WON.say(deals.lang)], rows)

    def card(face: int) -> str:
        return show_cards(parse_cards([FACES[face]]), deals.lang)

    return [
        table("named", say("partner card", "找伴牌"), card),
        table("trump", say("trump", "主牌花色"), lambda suit: "♠♥♣♦"[suit]),
    ]
