"""What a match came to, in words and as a table, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .summary_text import aligned, digits, padded, width_of
from .text import Text

if TYPE_CHECKING:
    from .match import Result
    from .text import Lang

_HOW = {
    "contract": Text(
        "one contract a deal, bid by {bidding}: A banker against B, B banker against A, B against B",
        "每局一个定约，由 {bidding} 叫定：A 坐庄对 B，B 坐庄对 A，B 对 B",
    ),
    "auction": Text(
        "whole deals with bidding: A alone among B in each seat, B alone among A in each seat",
        "整局，含叫牌叫分：A 一人对 B，逐个座位；B 一人对 A，逐个座位",
    ),
}
_ENDED = {
    "deals": Text("{deals}", "{deals}"),
    "until-se": Text("{deals}, until a standard error of {aim}", "{deals}，至标准误达到 {aim} 为止"),
    "max-deals": Text(
        "{deals}, the most allowed; a standard error of {aim} was not reached",
        "{deals}，已达上限；标准误未能达到 {aim}",
    ),
}
_POINTS, _PAYOFF = Text("points", "分数"), Text("payoff", "得失")
_IN_POINTS, _IN_PAYOFF = Text("{} points {}", "分数 {} {}"), Text("{} in payoff {}", "得失 {} {}")
_VERDICT = {
    "same": Text(
        "{a} and {b} played every deal alike: at most {share} of all deals differ ({level}).",
        "{a} 与 {b} 每局都打得一样：有别的牌局至多占 {share}（{level}）。",
    ),
    "better": Text(
        "A ({a}) is better than B ({b}): {size} a deal ({level}).",
        "A（{a}）胜过 B（{b}）：每局{size}（{level}）。",
    ),
    "worse": Text(
        "A ({a}) is worse than B ({b}): {size} a deal ({level}).",
        "A（{a}）不如 B（{b}）：每局{size}（{level}）。",
    ),
    "open": Text(
        "Which of A ({a}) and B ({b}) is better is not settled: {size} a deal ({level}).",
        "A（{a}）与 B（{b}）孰优孰劣尚无定论：每局{size}（{level}）。",
    ),
}
_TABLE = (
    (Text("A's advantage a deal", "A 每局的优势"), ()),
    (Text("  as banker", "  坐庄时"), ("by_role", "banker")),
    (Text("  defending", "  为闲家时"), ("by_role", "defender")),
)
_NOTES = {
    "contract": Text(
        "Points are the defenders', payoff the banker's. The advantage is the mean of those in the two roles, and "
        "in a role: what changes when A has it instead of B, against B.",
        "分数指闲家得分，得失指庄家得失。总优势是两种角色下优势的平均；角色的优势：同对 B，由 A 打比由 B 打好多少。",
    ),
    "auction": Text(
        "The advantage in payoff is the sum of what is gained in deals where the one alone was banker and where it "
        "was a defender.",
        "得失的优势，是独坐者坐庄的牌局与为闲家的牌局两部分之和。",
    ),
}
_CONTRACT_HEADS = (
    Text("banker", "庄家"), Text("defenders", "闲家"), Text("defenders' points", "闲家得分"),
    Text("banker's payoff", "庄家得失"), Text("made", "打成"),
)  # fmt: skip
_AUCTION_HEADS = (
    Text("alone", "独坐"), Text("others", "其余"), Text("its payoff", "独坐者得失"), Text("is banker", "坐庄"),
)  # fmt: skip
_UNIT = {
    "fixed": Text("[ ] {level}; the unit is the deal.", "[ ] 为 {level}，以牌局为单位。"),
    "time-uniform": Text(
        "[ ] {level}, valid however the number of deals was chosen; the unit is the deal.",
        "[ ] 为 {level}，无论何时停止都有效，以牌局为单位。",
    ),
}


def render(result: Result, lang: Lang) -> str:
    """The whole text, ending in a line break."""
    found = result.to_dict()
    level = f"{100 * found['confidence']:.6g} %" + (" 区间" if lang == "zh" else " interval")
    lines = [*_head(found, lang), "", _verdict(found, level, lang), ""]
    lines += _advantage(found, lang)
    lines += ["", *_plays(found, lang), ""]
    lines += wrap(_NOTES[found["mode"]].say(lang), 100)
    lines.append(_UNIT[found["interval"]].say(lang).format(level=level))
    return "\n".join(lines) + "\n"


def _head(found: dict[str, Any], lang: Lang) -> list[str]:
    zh = lang == "zh"
    changed = ", ".join(found["rules_changed"])
    rules = found["rules"] + (f" ({'改动' if zh else 'changed'}: {changed})" if changed else "")
    deals = f"{found['deals']:,}"
    if found["first"]:
        deals += f" ({'从第' if zh else 'from'} {found['first']:,}{' 局起' if zh else ' on'})"
    ended = _ENDED[found["stopped_by"]].say(lang)
    differ = f"{found['deals_differing']:,}  {'  '.join(_share(found['differing']))}"
    rows = [
        ("游戏" if zh else "game", "跌五分" if zh and found["game"] == "die-wu-fen" else found["game"]),
        ("规则" if zh else "rules", rules),
        ("A", found["a"]),
        ("B", found["b"]),
        ("方式" if zh else "mode", _HOW[found["mode"]].say(lang).format(bidding=found["bidding"])),
        ("种子" if zh else "seed", str(found["seed"])),
        ("牌局" if zh else "deals", ended.format(deals=deals, aim=found.get("until_se"))),
        ("有别" if zh else "differing", differ),
    ]
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def _verdict(found: dict[str, Any], level: str, lang: Lang) -> str:
    """Which is better, by the figure that the mode is about."""
    about = found["points"] or found["payoff"]
    if found["deals_differing"] == 0:
        kind = "same"
    elif about["lo"] > 0:
        kind = "better"
    else:
        kind = "worse" if about["hi"] < 0 else "open"
    share = f"{100 * found['differing']['hi']:.2g} %"
    size = (_IN_POINTS if found["points"] else _IN_PAYOFF).say(lang).format(*_shown(about))
    return _VERDICT[kind].say(lang).format(a=found["a"], b=found["b"], size=size, level=level, share=share)


def _advantage(found: dict[str, Any], lang: Lang) -> list[str]:
    units = [(key, text) for key, text in (("points", _POINTS), ("payoff", _PAYOFF)) if found[key]]
    rows = [("", *(cell for _, text in units for cell in (text.say(lang), "")))]
    for label, path in _TABLE:
        at = found
        for key in path:
            at = at[key]
        rows.append((label.say(lang), *(cell for key, _ in units for cell in _shown(at[key]))))
    return aligned(rows)


def _plays(found: dict[str, Any], lang: Lang) -> list[str]:
    """The levels that the advantage is made of."""
    contract = found["mode"] == "contract"
    one, other, *titles = (text.say(lang) for text in (_CONTRACT_HEADS if contract else _AUCTION_HEADS))
    rows = [(f"{one} {other}", *(cell for title in titles for cell in (title, "")))]
    for play in found["plays"]:
        first, second = (
            play[key].upper() for key in (("banker", "defenders") if contract else ("alone", "others"))
        )
        figures: list[tuple[str, str]] = [
            _shown(play["payoff"], ""),
            _share(play["made" if contract else "banker"]),
        ]
        if contract:
            figures.insert(0, _shown(play["defender_points"], ""))
        rows.append((padded(first, width_of(one) + 1) + second, *(cell for pair in figures for cell in pair)))
    return aligned(rows)


def _shown(figure: dict[str, float], sign: str = "+") -> tuple[str, str]:
    """A mean and its interval, cut after the second significant digit of half the interval's width."""
    places = digits((figure["hi"] - figure["lo"]) / 2)
    value, low, high = (round(figure[key], places) + 0.0 for key in ("mean", "lo", "hi"))
    return f"{value:{sign if value else ''}.{places}f}", f"[{low:.{places}f}, {high:.{places}f}]"


def _share(figure: dict[str, float]) -> tuple[str, str]:
    """The same in percent."""
    value, interval = _shown({key: 100 * part for key, part in figure.items()}, "")
    return f"{value} %", interval
