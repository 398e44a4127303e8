"""The sections of the report on the study ``threshold`` of die-wu-fen."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ..crossing_text import KINDS
from ..text import Text
from ..threshold_text import _CALLS as CALLS
from ..threshold_text import _DECISIONS as DECISIONS
from ..threshold_text import _ORDERS as ORDERS
from .figures import FEW, Number, evidence, judged, said, shown, told
from .html import plain
from .kinds import Graph, Line, Panel, Rows, curves, forest
from .page import Block, Section, Table
from .threshold_study import ESTIMANDS

if TYPE_CHECKING:
    from .page import Cell
    from .threshold_study import Study

_SHOWN = 5  # bids in a chart of curves


def break_evens(study: Study) -> Section:
    """From which strength on each bid pays."""
    say = study.say
    rows: list[list[Cell]] = []
    for bid in study.bids:
        other = study.even.get(("auction", bid))
        hands = f"{study.source.whole(other, 'hands'):,}" if other else ""
        rows.append(
            [str(bid), study.crossing(study.even.get(("marginal", bid))), study.crossing(other), hands]
        )
    heads = [
        say("bid", "叫分"), ESTIMANDS["marginal"].say(study.lang), ESTIMANDS["auction"].say(study.lang),
        say("hands at the auction", "叫分之时手数"),
    ]  # fmt: skip
    drawn = [bid for bid in study.bids if any(study.value(e, bid).value is not None for e in ESTIMANDS)]
    table = Table(heads, rows)
    blocks = [Block(table=table)]
    if drawn:
        values = [[study.value(e, bid) for e in ESTIMANDS] for bid in drawn]
        seen = "; ".join(f"{bid}: {told(v[0])}" for bid, v in zip(drawn, values, strict=True))
        chart = forest(
            "break-even", Rows([Text(str(b), str(b)) for b in drawn], series=[*ESTIMANDS.values()]),
            [Panel(Text(study.by.en.capitalize(), study.by.zh), values)],
            Text(f"Break-even by bid. Any hand: {seen}.", f"各档叫分的平衡点。任意手牌：{seen}。"),
            title=Text("Break-even: from where on a bid pays", "平衡点：从何处起叫此分才合算"),
        )  # fmt: skip
        caption = say("Break-even by bid, with 95 % intervals.", "各档叫分的平衡点与 95 % 区间。")
        blocks = [Block(chart, caption, table)]
    states: list[list[Cell]] = [
        [
            CALLS[row["call"]].say(study.lang), ORDERS[row["order"]].say(study.lang),
            str(study.source.whole(row, "bid")), study.crossing(row), f"{study.source.whole(row, 'hands'):,}",
        ]
        for row in study.states
        if row["kind"] != "unknown"
    ]  # fmt: skip
    if states:
        names = [
            say("call", "叫牌"),
            say("order", "次序"),
            say("bid", "叫分"),
            say("break-even", "平衡点"),
        ]
        folded = say("By call and order at the auction", "按叫牌与次序")
        blocks.append(Block(table=Table([*names, say("hands", "手数")], states, words=(0, 1)), folded=folded))
    prose = say(
        "The weakest hand for which a bid is worth at least as much as leaving it. Where there is no "
        "crossing, it is said up to which hands the bid is known not to pay, or from which on to pay; "
        "beyond, there are too few hands to tell.",
        "叫此分不比不叫差的最弱手牌。没有交点时，说明到何种手牌为止必不合算，或从何种手牌起必合算；再往外手牌太少，"
        "不能断定。",
    )
    note = say("…: the interval has no bound on that side.", "…：该侧没有界限。")
    return Section(say("From where on a bid pays", "从何处起叫分合算"), [prose], blocks, [note])


def curve(study: Study, name: str) -> Section:
    """Difference of bidding and passing, or the chance to make the bid, by strength."""
    say, source = study.say, study.source
    graphs = []
    for estimand, about in ESTIMANDS.items():
        lines = []
        for bid in study.bids[:_SHOWN]:
            some = [row for row in study.curves.get((estimand, bid), []) if source.whole(row, "hands") >= FEW]
            x = [((source.real(row, "from") or 0) + (source.real(row, "to") or 0)) / 2 for row in some]
            y = [source.number(row, name) for row in some]
            crossing = study.value(estimand, bid) if name == "difference" else None
            lines.append(Line(Text(str(bid), str(bid)), x, y, crossing))
        graphs.append(Graph(about, lines))
    label, title = {
        "difference": (
            Text("payoff of bidding less that of passing", "叫与不叫的得失之差"),
            Text("What bidding is worth", "叫分值多少"),
        ),
        "made": (
            Text("chance to make the bid", "打成的机会"),
            Text("The chance to make a bid", "打成的机会"),
        ),
    }[name]
    about = Text(
        f"{label.en.capitalize()} by {study.by.en}, a curve with its 95 % band for each bid: "
        f"{', '.join(map(str, study.bids[:_SHOWN]))}.",
        f"按{study.by.zh}看{label.zh}，每档叫分一条曲线，带 95 % 区间："
        f"{'、'.join(map(str, study.bids[:_SHOWN]))}。",
    )
    chart = curves(name, graphs, study.by, label, about, share=name == "made", title=title)
    caption = say(
        f"A curve for each bid, with its 95 % band; classes of hands with fewer than {FEW} are left out."
        + (" Dots and bars on the line: break-evens." if name == "difference" else ""),
        f"每档叫分一条曲线，带 95 % 区间；不足 {FEW} 手的级别不画。"
        + ("零线上的点与粗线：平衡点。" if name == "difference" else ""),
    )
    rows: list[list[Cell]] = []
    kind = "share" if name == "made" else "number"
    for (estimand, bid), found in sorted(
        study.curves.items(), key=lambda item: (item[0][0] != "marginal", item[0][1])
    ):
        if bid in study.bids[:_SHOWN]:
            rows += [
                [
                    ESTIMANDS[estimand].say(study.lang), str(bid), f"{source.real(row, 'from'):g}",
                    f"{source.whole(row, 'hands'):,}", shown(source.number(row, name), kind, sign=kind == "number"),
                ]
                for row in found
            ]  # fmt: skip
    heads = ["", say("bid", "叫分"), say("from", "起"), say("hands", "手数"), label.say(study.lang)]
    table = Table(heads, rows)
    prose = {
        "difference": say(
            "Above the line at 0, bidding is better than passing; the wider the band, the less is known.",
            "在零线之上，叫比不叫好；带越宽，所知越少。",
        ),
        "made": say(
            "A bid may pay although it is made less often than not, and the other way round: what counts is "
            "the payoff above.",
            "打成不到一半也可能合算，反之亦然：要看上图的得失。",
        ),
    }[name]
    return Section(
        title.say(study.lang),
        [prose],
        [Block(chart, caption), Block(table=table, folded=say("As a table", "列表"))],
    )


def up_to(study: Study) -> Section:
    """What to bid up to, by class of hands."""
    say, source = study.say, study.source
    found = source.rows("bid_up_to")
    names = [
        f"{call}_{order}" for call in CALLS for order in ORDERS if found and f"{call}_{order}" in found[0]
    ]
    heads = [say("from", "起"), ESTIMANDS["marginal"].say(study.lang)]
    heads += [
        f"{CALLS[call].say(study.lang)}, {ORDERS[order].say(study.lang)}"
        for call, order in (n.split("_") for n in names)
    ]
    cells = [
        (
            f"{source.real(row, 'from') or 0:g}",
            tuple(
                ("–" if row.get(n) is None else str(source.whole(row, n)))
                + "?" * (row.get(f"{n}_open") is True)
                for n in ("marginal", *names)
            ),
        )
        for row in found
    ]
    rows: list[list[Cell]] = [
        [next(same)[0], *advice] for advice, same in groupby(cells, key=lambda cell: cell[1])
    ]
    prose = say(
        f"The highest bid that pays, by {study.by.en}; –: no bid pays; ?: too few such hands to tell. "
        "At the auction, by the call (one 3, a pair, a counter) and "
        "the order in which the seat is asked. A line says what holds from its value on.",
        f"按{study.by.zh}可叫到多少；–：不宜叫；?：此类手牌太少，不能断定。"
        "叫分之时按叫牌（单张 3、对 3、反牌）与次序分列。每行自其数值"
        "起适用。",
    )
    return Section(say("What to bid up to", "可叫到多少"), [prose], [Block(table=Table(heads, rows))])


def calls(study: Study) -> Section:
    """Calling and countering against leaving it."""
    say, source = study.say, study.source
    found = [row for row in source.rows("decisions") if source.word(row, "decision") in DECISIONS]
    rows: list[list[Cell]] = []
    for row in found:
        value = source.number(row, "difference")
        kind = source.word(row, "kind")
        cell = study.crossing(row) if kind in KINDS else ("", "")
        rows.append([
            DECISIONS[row["decision"]].say(study.lang), shown(value, sign=True), cell,
            f"{source.whole(row, 'hands'):,}", judged(value, len(found), study.lang),
        ])  # fmt: skip
    heads = [
        "",
        say("difference", "差"),
        say("pays from", "合算之起点"),
        say("hands", "手数"),
        say("different from 0?", "与 0 有别？"),
    ]
    table = Table(heads, rows, words=(0, 4))
    blocks = [Block(table=table)]
    if found:
        values = [[source.number(row, "difference")] for row in found]
        seen = "; ".join(
            f"{DECISIONS[row['decision']].en}: {told(v[0], sign=True)}"
            for row, v in zip(found, values, strict=True)
        )
        chart = forest(
            "calls", Rows([DECISIONS[row["decision"]] for row in found]),
            [Panel(Text("payoff a hand, against leaving it", "每手得失，比之不叫"), values, reference=0.0)],
            Text(
                f"Payoff of calling or countering less that of leaving it. {seen}.",
                f"叫牌、反牌与不叫的得失之差。{seen}。",
            ),
            title=Text("Calling and countering", "叫牌与反牌"),
        )  # fmt: skip
        blocks = [Block(chart, say("Means with 95 % intervals.", "均值与 95 % 区间。"), table)]
    prose = say(
        "Each against leaving it, on the same deals, over all hands that did it. The mean may be a loss "
        "although strong "
        "hands gain: the third column says from where on.",
        "各与不如此做相比，同一副牌，就所有如此做的手牌平均。平均吃亏时强牌仍可能合算：第三列说明从何处起。",
    )
    return Section(say("Whether to call or counter", "该不该叫牌、反牌"), [prose], blocks)


def response(study: Study) -> Section:
    """What the iterated best responses came to."""
    say, source = study.say, study.source
    response = source.object("response")
    match = source.object("match")
    payoff, deals = source.object("payoff", match), source.whole(match, "deals")
    effects = source.object("effects", response)
    both = [source.object(name, effects) for name in ("start", "end")]
    gains: list[tuple[str, Number]] = [
        (say("left to gain by leaving them", "尚可多得"), source.estimate(source.object("left", response))),
        (
            say("at most, best on the same deals", "至多（同批牌局上择优）"),
            source.estimate(source.object("at_most", response)),
        ),
        (say("gain over the start", "胜过起点"), source.estimate(source.object("advantage", response))),
        (
            say(f"match against the bidding studied, {deals:,} deals", f"对所研究叫法实战 {deals:,} 局"),
            source.number(payoff, "mean", "lo", "hi"),
        ),
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [name, shown(value, sign=True), said(evidence(value), study.lang)] for name, value in gains
    ]
    table = Table(
        [say("payoff a deal", "每局得失"), "", say("different from 0?", "与 0 有别？")],
        rows,
        words=(0, 2),
    )
    bids = sorted({key for each in both for key in source.object("bids", each)}, key=lambda b: (len(b), b))
    effect: list[list[Cell]] = [
        [
            say("bids made", "打成"),
            *(shown(source.estimate(source.object("made", each)), "share") for each in both),
        ],
        [
            say("banker's payoff", "庄家得失"),
            *(shown(source.estimate(source.object("payoff", each)), sign=True) for each in both),
        ],
    ]
    for bid in bids:
        shares = [source.real(source.object("bids", each), bid) or 0.0 for each in both]
        if max(shares) >= 0.0005:
            effect.append(
                [
                    say(f"bid {plain(bid, 20)}", f"叫 {plain(bid, 20)}"),
                    *(f"{100 * share:.1f} %" for share in shares),
                ]
            )
    other = Table(
        [say("what changes", "变化"), say("at the start", "起点"), say("at the end", "终点")], effect
    )
    prose = say(
        "Thresholds were changed step by step to the best answer to what the others do, then judged on "
        "deals of their own. If "
        "little is left to gain, nobody has a reason to leave them, as long as all bid by thresholds.",
        "门槛逐步改为对他家的最优回应，再在另外的牌局上检验。若所余不多，则只要大家都按门槛叫分，谁也没有理"
        "由改变。",
    )
    return Section(
        say("Thresholds nobody gains by leaving", "无人愿改的门槛"),
        [prose],
        [Block(table=table), Block(table=other)],
    )
