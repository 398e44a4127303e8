"""The sections of the report on advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..advise_text import ALONE
from ..text import Text
from .figures import Number, evidence, said, shown, told
from .html import plain
from .kinds import Panel, Rows, forest
from .page import Block, Section, Table

if TYPE_CHECKING:
    from .advise_study import Option, Study
    from .page import Cell

_TOLD = 10  # choices in words for those who don't see the chart
_DRAWN = 60  # a chart has
_NONE = Number(None)
_WHOLE = (-0.02, 1.02)  # 0 to 100 %, with room for the dots at the ends
PAYOFF = Text("payoff a deal", "每局得失")
BEHIND = Text("behind the best", "落后于最优")
_BANKER = Text("is banker", "坐庄")
_MADE, _WON = Text("makes the bid", "打成"), Text("the banker's side wins", "庄家方得胜")


def situation(study: Study) -> Section:
    """The hand, and what else is known."""
    say, known = study.say, study.known
    hand, bottom = study.cards("hand"), study.cards("bottom")
    buried = study.cards("buried", study.source.top)
    rows: list[list[Cell]] = [
        [say("seat", "座位"), str(study.seat)],
        [say(f"hand, {len(hand)} cards", f"手牌 {len(hand)} 张"), study.held(hand)],
    ]
    for faces, en, zh in ((bottom, "bottom", "底牌"), (buried, "buried", "埋底")):
        if faces:
            rows.append([say(en, zh), study.held(faces)])
    for text, en, zh in (
        (study.trump(), "trump", "主牌"),
        (study.revealed(), "shown", "亮牌"),
        (study.bids(), "bids so far", "叫分经过"),
        (_seat(study, "first_seat"), "first card to", "首张摸牌"),
        (_seat(study, "previous_banker"), "previous banker", "上局庄家"),
        (say("yes", "是") if known.get("pressed") is True else "", "pressed, nobody revealed", "压庄，无人翻牌"),
    ):  # fmt: skip
        if text:
            rows.append([say(en, zh), text])
    news = (
        say("only worlds that agree with them, by the policies", "只取按策略相符的发牌")
        if known.get("news")
        else say("left out", "不计")
    )
    rows.append([say("what the others' calls, bids and silence tell", "他家叫牌、叫分与沉默所透露的"), news])
    table = Table([say("known", "已知"), ""], rows, words=(0, 1))
    prose = [
        say(
            "Cards are ordered as printed, high ones first, whatever trump makes of them.",
            "牌按牌面从大到小排列，不论是否为主。",
        )
    ]
    return Section(say("The hand and what is known", "手牌与已知情况"), [], [Block(table=table)], prose)


def _seat(study: Study, key: str) -> str:
    found = study.known.get(key)
    return "" if found is None else study.say(f"seat {plain(found, 20)}", f"座位 {plain(found, 20)}")


def payoffs(study: Study) -> Section:
    """What each choice pays, and how far it is behind the best."""
    say, lang = study.say, study.lang
    drawn = study.options[:_DRAWN]
    alone = len(study.options) == 1
    panels = [Panel(PAYOFF, [[one.payoff] for one in drawn])]
    if not alone:
        panels.append(Panel(BEHIND, [[one.behind or _NONE] for one in drawn], reference=0.0))
    seen = {
        at: "; ".join(f"{one.label.say(at)}: {told(one.payoff, sign=True)}" for one in drawn[:_TOLD])
        for at in ("en", "zh")
    }
    chart = forest(
        "payoff", Rows([one.label for one in drawn]), panels,
        Text(f"Payoff a deal, best first. {seen['en']}.", f"每局得失，最优在前。{seen['zh']}。"),
        title=Text("What each choice pays", "每种选择得失多少"), wide=True,
    )  # fmt: skip
    caption = say(
        "Left: mean payoff of this seat a deal, best choice first, with 95 % intervals."
        + (
            ""
            if alone
            else " Right: the best's payoff less this one's, world by world; right of the line is worse."
        ),
        "左：本座位每局平均得失与 95 % 区间，最优在前。"
        + ("" if alone else "右：最优者减去该选择，逐一比较同一发牌；线右为更差。"),
    )
    if len(study.options) > len(drawn):
        caption += say(f" The first {len(drawn)} are drawn.", f"只画前 {len(drawn)} 种。")
    heads = [say("choice", "选择"), PAYOFF.say(lang)]
    if not alone:
        heads += [BEHIND.say(lang), say("worse than the best?", "不如最优？")]
    rows: list[list[Cell]] = [
        [
            one.label.say(lang), shown(one.payoff, sign=True),
            *(() if alone else (shown(one.behind, sign=True) if one.behind else "", _verdict(study, one))),
        ]
        for one in study.options
    ]  # fmt: skip
    prose = [
        ALONE.say(lang)
        if alone
        else say(
            "All choices were made in the same worlds, so most of the luck drops out of their differences: these are "
            "known better than the payoffs themselves, and decide which choice is best.",
            "各种选择都在同样的发牌里打一遍，差值中大部分运气相消：差值比得失本身更准，由它定最优。",
        )
    ]
    table = Table(heads, rows, words=(0, 3))
    return Section(say("What each choice pays", "每种选择得失多少"), prose, [Block(chart, caption, table)])


def _verdict(study: Study, one: Option) -> str:
    return said(evidence(one.behind), study.lang) if one.behind else study.say("the best", "最优")


def made(study: Study) -> Text:
    """What the chance to win is called."""
    return _MADE if study.two else _WON


def chances(study: Study) -> Section:
    """How often this seat becomes banker, and how often that comes off."""
    say, lang = study.say, study.lang
    title = (
        say("The chance to make the bid", "打成的机会")
        if study.two
        else say("The chance that the banker's side wins", "庄家方得胜的机会")
    )
    drawn = study.options[:_DRAWN]
    if study.two and study.phase == "bid":
        about = say(
            "Of a bid: how often it would be made, if it stood. Of passing: how often the bid is made when this seat "
            "is banker all the same.",
            "叫分：该叫分成立时打成的比例。不叫：本座位仍坐庄时打成的比例。",
        )
    elif study.is_banker:
        about = say("How often it comes off in all worlds.", "占全部发牌的比例。")
    else:
        about = say(
            "Of the worlds in which this seat is banker after that choice; these differ from choice to choice.",
            "只算该选择之后本座位坐庄的发牌；各选择之间并不相同。",
        )
    panels = (
        [] if study.is_banker else [Panel(_BANKER, [[one.banker] for one in drawn], "share", limits=_WHOLE)]
    )
    panels.append(Panel(made(study), [[one.made] for one in drawn], "share", limits=_WHOLE))
    seen = {
        at: "; ".join(f"{one.label.say(at)}: {told(one.made, 'share')}" for one in drawn[:_TOLD])
        for at in ("en", "zh")
    }
    name = made(study)
    chart = forest(
        "chance", Rows([one.label for one in drawn]), panels,
        Text(f"{name.en.capitalize()}: {seen['en']}.", f"{name.zh}：{seen['zh']}。"),
        title=Text("The chance to win, by choice", "各选择的胜率"), wide=True,
    )  # fmt: skip
    heads = [say("choice", "选择"), *([] if study.is_banker else [_BANKER.say(lang)]), name.say(lang)]
    solo = any(one.solo for one in drawn) and not study.is_banker
    if solo:
        heads.append(say("of it alone (solo)", "其中独打"))
    rows: list[list[Cell]] = [
        [
            one.label.say(lang), *([] if study.is_banker else [shown(one.banker, "share")]), shown(one.made, "share"),
            *([shown(one.solo or _NONE, "share")] if solo else []),
        ]
        for one in study.options
    ]  # fmt: skip
    caption = say("Shares with 95 % intervals, in the order of payoffs.", "比例与 95 % 区间，按得失排列。")
    return Section(title, [about], [Block(chart, caption, Table(heads, rows, words=(0,)))])
