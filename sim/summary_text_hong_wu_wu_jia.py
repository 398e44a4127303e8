"""The summary of hong-wu-wu-jia as tables for a terminal: its sections, labels and tables by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import FACES, parse_cards, show_cards
from .summary_hong_wu_wu_jia import NEVER, REVEALS
from .summary_text import COMMON, QUANTILE, Sections, aligned, show
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .stats import Estimate
    from .summary import Summary
    from .text import Lang

_DEVIATION = Text("  standard deviation", "  标准差")
_PAYOFFS = {
    "banker": Text("banker", "庄家"),
    "partner": Text("partner", "伴家"),
    "defender": Text("defender", "闲家"),
    "first": Text("first seat", "第一家"),
    "second": Text("second seat", "第二家"),
    "third": Text("third seat", "第三家"),
    "fourth": Text("fourth seat", "第四家"),
    "fifth": Text("fifth seat", "第五家"),
}
SECTIONS: Sections = (
    (
        Text("Trump and banker", "定主与坐庄"),
        (
            ("revealed", Text("a 2 revealed", "翻2定主"), True),
            ("reveal_after", Text("cards held when revealing", "翻2时手中张数"), False),
            ("pressed", Text("banker pressed", "压庄"), True),
            ("previous_stays", Text("previous banker is banker again", "原庄连庄"), True),
        ),
    ),
    (
        Text("The partner", "找伴"),
        (
            ("solo", Text("banker solo", "独打"), True),
            ("partner_found", Text("partner found in trick", "第几轮找到伴"), False),
            ("direct", Text("of partners, direct", "伴家直接跟出找伴牌"), True),
        ),
    ),
    (
        Text("Banker's side wins", "庄家方得胜"),
        (
            ("won", Text("of all deals", "全部牌局"), True),
            ("won_with_partner", Text("with a partner", "有伴"), True),
            ("won_direct", Text("  with a direct partner", "  直接跟出（胜为直拼，负为直搭）"), True),
            ("won_solo", Text("solo", "独打"), True),
            ("won_revealed", Text("trump revealed", "翻2"), True),
            ("won_pressed", Text("pressed", "压庄"), True),
        ),
    ),
    (
        Text("Payoff a deal", "每局得失"),
        tuple(
            entry
            for name, label in _PAYOFFS.items()
            for entry in ((f"payoff_{name}", label, False), (f"payoff_{name}_spread", _DEVIATION, False))
        ),
    ),
    *COMMON,
)
_SHARE, _WON = Text("share", "占比"), Text("won by the banker's side", "庄家方胜率")
_GRADE = (Text("grade", "等级"), Text("points from", "闲家得分起"))
_NAMED, _HELD = Text("partner card", "找伴牌"), Text("copies at the banker", "庄家手中张数")
_TRUMP, _REVEAL = Text("trump", "主牌花色"), Text("cards when revealed", "翻2时张数")
_PRESSED, SOLO = Text("pressed", "压庄"), Text("solo", "独打")


def partner_quantiles(summary: Summary, lang: Lang) -> Iterable[tuple[str, ...]]:
    """Quantiles of the trick in which the partner is found, over all deals: solo comes after the last trick."""

    def shown(trick: float | None) -> str:
        return "–" if trick is None else SOLO.say(lang) if trick == NEVER else f"{trick:.0f}"

    for q, figure in summary.quantiles("partner_found").items():
        interval = "" if figure.low is None else f"[{shown(figure.low)}, {shown(figure.high)}]"
        yield f"  {QUANTILE.say(lang).format(100 * q)}", shown(figure.value), interval


def tables(summary: Summary, lang: Lang) -> list[list[str]]:
    """How often each grade, partner card … came up, and how often the banker's side then won."""

    def by(name: str, head: Text, shown: Callable[[int], str]) -> list[str]:
        rows: list[tuple[str, ...]] = [(head.say(lang), _SHARE.say(lang), "", _WON.say(lang), "")]
        for value, (share, won) in summary.table(name).items():
            rows.append((shown(value), *_cells(share), *_cells(won)))
        return aligned(rows)

    def cards(word: str) -> str:
        return show_cards(parse_cards([word]), lang)

    found = [
        _grades(summary, lang),
        by("named", _NAMED, lambda face: cards(FACES[face])),
        by("named_held", _HELD, str),
        by("trump", _TRUMP, lambda suit: "♠♥♣♦"[suit]),
    ]
    if summary.plan.contract is None:
        found.append(by("reveal", _REVEAL, lambda at: _span(at) if at else _PRESSED.say(lang)))
    return found


def _span(at: int) -> str:
    low, high = REVEALS[at]
    return f"{low}–{high}"


def _cells(figure: Estimate) -> tuple[str, str]:
    return show(figure, percent=True)


def _grades(summary: Summary, lang: Lang) -> list[str]:
    """HW-13: the grades that came up, best for the banker's side first."""
    low = {grade: points for points, grade in summary.plan.rules["grade_table"]}
    grade, points = (head.say(lang) for head in _GRADE)
    rows: list[tuple[str, ...]] = [(grade, points, "", _SHARE.say(lang), "")]
    for value, (share, _) in reversed(summary.table("grade").items()):
        rows.append((f"{value:+d}", str(low[value]), "", *_cells(share)))
    return aligned(rows)
