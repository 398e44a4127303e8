"""The report of a dataset of die-wu-fen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import Text
from .figures import FEW, Number, direction, evidence, judged, number, said, shown, together, told
from .kinds import Panel, Rows, forest
from .page import Block, Section, Table

if TYPE_CHECKING:
    from .deals import Deals
    from .page import Cell, Report


def report(deals: Deals) -> Report:
    """The whole report."""
    say, figures = deals.say, deals.figures
    lead = say(
        "In die-wu-fen one player, the banker, plays alone against two defenders and has bid how well that "
        "will go: a bid is "
        "made when the defenders stay below a number of points, which falls as the bid rises. This page "
        "shows how often "
        "that works, at which bids, and what it pays.",
        "跌五分里庄家一人对两家闲家，叫分即承诺：闲家得分低于某数即为打成，叫分越高，此数越低。本页说明多少"
        "局打成、各档叫分如何、得失"
        "多少。",
    )
    keys = [
        (*shown(figures["made"], "share"), say("bids made", "打成")),
        (*shown(figures["payoff_banker"], sign=True), say("banker's payoff a deal", "庄家每局得失")),
        (*shown(figures["defender_points"]), say("defenders' points", "闲家得分")),
    ]
    if "redealt" in figures:
        keys.append(
            (*shown(figures["redealt"], "share"), say("dealt again for lack of a call", "无人叫牌而重发"))
        )
    sections = [
        deals.points([
            say(
                "Card points the defenders win in tricks, and those of the bottom when they dig it, "
                "multiplied as the rules say.",
                "闲家赢得的牌分，加上抠底时按规则翻倍的底牌分。",
            )
        ]),
        bids(deals),
        deals.payoffs(),
        deals.everything([]),
    ]  # fmt: skip
    return deals.report(lead, keys, findings(deals), sections)


def _payoffs(deals: Deals) -> list[tuple[int, Number]]:
    tally = deals.tallies["bid"]
    return [(bid, tally.mean(bid, "payoff")) for bid in tally.classes if tally.deals(bid) >= FEW]


def findings(deals: Deals) -> list[str]:
    """What stands out, in sentences."""
    say, figures = deals.say, deals.figures
    made, banker = figures["made"], figures["payoff_banker"]
    found = [
        say(
            f"Of all bids, {told(made, 'share', against=0.5)} are made: {deals.half(made)}.",
            f"全部叫分中打成 {told(made, 'share', against=0.5)}：{deals.half(made)}。",
        )
    ]
    way = direction(banker)
    verdict = said(evidence(banker), deals.lang)
    if way:
        found.append(
            say(
                f"Being banker {'wins' if way > 0 else 'loses'} on average: {told(banker, sign=True)} a "
                f"deal ({verdict}).",
                f"坐庄平均{'赢' if way > 0 else '输'}：每局 {told(banker, sign=True)}（{verdict}）。",
            )
        )
    else:
        found.append(
            say(
                f"Whether being banker wins or loses can't be told: {told(banker, sign=True)} a deal.",
                f"坐庄是赢是输分不出：每局 {told(banker, sign=True)}。",
            )
        )
    by_bid = _payoffs(deals)
    groups: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for bid, payoff in by_bid:
        groups[direction(together(payoff, len(by_bid)))].append(str(bid))
    parts = [
        say(f"{text} at {', '.join(groups[key])}", f"{'、'.join(groups[key])} {text_zh}")
        for key, text, text_zh in (
            (1, "wins", "赢"),
            (-1, "loses", "输"),
            (0, "not told apart from 0", "与 0 分不出差别"),
        )
        if groups[key]
    ]
    if len(by_bid) > 1:
        found.append(
            say(f"The banker's payoff by bid: {'; '.join(parts)}.", f"按叫分看庄家得失：{'；'.join(parts)}。")
        )
    return [*found, deals.seats_finding()]


def bids(deals: Deals) -> Section:
    """Made rate and payoff by bid."""
    say, tally = deals.say, deals.tallies["bid"]
    compared = len(_payoffs(deals))
    rows: list[list[Cell]] = []
    for bid in tally.classes:
        payoff = tally.mean(bid, "payoff")
        rows.append([
            str(bid), f"{tally.deals(bid):,}", shown(number(tally.proportion(bid, "won")), "share"),
            shown(payoff, sign=True), shown(number(tally.proportion(bid, "defenders_out")), "share"),
            shown(number(tally.proportion(bid, "banker_out")), "share"),
            judged(payoff, compared, deals.lang),
        ])  # fmt: skip
    heads = [
        say("bid", "叫分"), say("deals", "局数"), say("made", "打成"),
        say("banker's payoff", "庄家得失"),
        say("defenders shut out", "闲家大光"), say("banker shut out", "庄家大光"),
        say("payoff different from 0?", "得失与 0 有别？"),
    ]  # fmt: skip
    drawn = [bid for bid in tally.classes if tally.deals(bid) >= FEW]
    blocks = []
    if drawn:
        made = [number(tally.proportion(bid, "won")) for bid in drawn]
        payoffs = [tally.mean(bid, "payoff") for bid in drawn]
        each = list(zip(drawn, made, payoffs, strict=True))
        alt = Text(
            "Made rate and banker's payoff by bid. "
            + "; ".join(f"{b}: {told(m, 'share')}, {told(p, sign=True)}" for b, m, p in each),
            "各档叫分的打成率与庄家得失。"
            + "；".join(f"{b}：{told(m, 'share')}，{told(p, sign=True)}" for b, m, p in each),
        )
        chart = forest(
            "bids", Rows([Text(str(bid), str(bid)) for bid in drawn]),
            [
                Panel(Text("bids made", "打成"), [[value] for value in made], "share", 0.5),
                Panel(Text("banker's payoff a deal", "庄家每局得失"), [[value] for value in payoffs], reference=0.0),
            ],
            alt, wide=True, title=Text("Made rate and payoff, bid by bid", "各档叫分的打成率与得失"),
        )  # fmt: skip
        caption = say(
            "By bid, with 95 % intervals; the lines stand at one half and at 0.",
            "按叫分，线段为 95 % 区间；竖线为一半与 0。",
        )
        blocks.append(Block(chart, caption))
    blocks.append(Block(table=Table(heads, rows, words=(0, 6))))
    prose = [
        say(
            "How often the banker makes a bid, and what that is worth. Higher bids are made by better "
            "hands, so a row says how "
            "bids of that height went, not what would happen if the same hand bid more; that is what the "
            "study threshold "
            "asks.",
            "各档叫分打成多少、得失多少。叫得高的手牌较好，所以每行说的是叫到此分的牌局结果如何，不是同一手"
            "牌多叫会怎样；后者由"
            " threshold 研究回答。",
        )
    ]
    after = []
    if len(drawn) < len(tally.classes):
        after.append(
            say(
                f"Bids with fewer than {FEW} deals stand in the table only, their payoffs without an "
                "interval.",
                f"不足 {FEW} 局的叫分只列在表中，得失不给区间。",
            )
        )
    return Section(say("Made rate and payoff, bid by bid", "各档叫分的打成率与得失"), prose, blocks, after)
