"""What a match came to, in words and as a table, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .games import resolve_game
from .marks import explained, signed
from .rounding import shown
from .summary_text import aligned, padded, width_of
from .text import Text

if TYPE_CHECKING:
    from .match import Result
    from .text import Lang

_HOW = {
    "contract": Text(
        "one contract a deal, bid by {bidding}: A banker against B, B banker against A, B against B",
        "每局一个定约，由 {bidding} 叫定：A 坐庄对 B，B 坐庄对 A，B 对 B",
    ),
    "hidden": Text(
        "one contract a deal, revealed by {bidding}: A's banker and partner against B, B's against A, B against B",
        "每局一个定约，由 {bidding} 翻2 定主：A 坐庄作伴对 B，B 坐庄作伴对 A，B 对 B",
    ),
    "auction": Text(
        "whole deals with bidding: A alone among B in each seat, B alone among A in each seat",
        "整局，含叫牌叫分：A 一人对 B，逐个座位；B 一人对 A，逐个座位",
    ),
    "hidden auction": Text(
        "whole deals from the revealing on: A alone among B in each seat, B alone among A in each seat",
        "整局，含翻2 定主：A 一人对 B，逐个座位；B 一人对 A，逐个座位",
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
_TOTAL = Text("A's advantage a deal", "A 每局的优势")
_ROLES = {
    "banker": Text("  as banker", "  坐庄时"),
    "partner": Text("  as hidden partner", "  为伴家时"),
    "defender": Text("  defending", "  为闲家时"),
}
_NOTES = {
    "contract": Text(
        "Points are the defenders', payoff the banker's. The advantage is the mean of those in the two roles, and "
        "in a role: what changes when A has it instead of B, against B.",
        "分数指闲家得分，得失指庄家得失。总优势是两种角色下优势的平均；角色的优势：同对 B，由 A 打比由 B 打好多少。",
    ),
    "hidden": Text(
        "Points are the defenders', payoff that of banker and partner together. Each seat is tried as the partner, and "
        "the guess that comes true counts: how often one did, the last column says. The advantage is half the sum of "
        "the three: what changes when A takes over from B as banker, as partner too, as all defenders.",
        "分数指闲家得分，得失指庄家与伴家之和。伴家先逐座假定，以假定成真者为准；末栏为其占比。\n总优势是三项之和的一半："
        "由 B 换成 A 坐庄、再换成 A 作伴、换成 A 作全部闲家，各好多少。",
    ),
    "auction": Text(
        "The advantage in payoff is the sum of what is gained in deals where the one alone was banker and where it "
        "was a defender.",
        "得失的优势，是独坐者坐庄的牌局与为闲家的牌局两部分之和。",
    ),
    "hidden auction": Text(
        "The advantage in payoff is the sum of what is gained in deals where the one alone was banker, where it came "
        "to be the partner, and where it was a defender.",
        "得失的优势，是独坐者坐庄、为伴家、为闲家的牌局三部分之和。",
    ),
}
#: Columns of the levels: first those that name policies, then figures.
_WHO = {
    "banker": Text("banker", "庄家"),
    "partner": Text("partner", "伴家"),
    "defenders": Text("defenders", "闲家"),
    "alone": Text("alone", "独坐"),
    "others": Text("others", "其余"),
}
_FIGURES = {
    "contract": {
        "defender_points": Text("defenders' points", "闲家得分"),
        "payoff": Text("banker's payoff", "庄家得失"),
        "made": Text("made", "打成"),
    },
    "hidden": {
        "defender_points": Text("defenders' points", "闲家得分"),
        "payoff": Text("their side's payoff", "庄家方得失"),
        "made": Text("won", "得胜"),
        "formed": Text("came about", "成局"),
    },
    "auction": {"payoff": Text("its payoff", "独坐者得失"), "banker": Text("is banker", "坐庄")},
}
_FIGURES["hidden auction"] = _FIGURES["auction"] | {"partner": Text("is partner", "为伴家")}
_SHARES = ("made", "formed", "banker", "partner")
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
    for paragraph in _NOTES[_kind(found)].say(lang).splitlines():
        lines += wrap(paragraph, 100)
    figures = [found, *found["by_role"].values()]
    if any((each[key] or {}).get("bound") for each in figures for key in ("points", "payoff")):
        lines += explained(["bound"], lang)
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
    sides = [_bidding_by(found[who], by, lang) for who, by in zip("ab", found["biddings"], strict=True)]
    bidding = _bidding_by(found["bidding"], found["bidding_by"], lang)
    differ = f"{found['deals_differing']:,}  {'  '.join(_share(found['differing']))}"
    rows = [
        ("游戏" if zh else "game", resolve_game(found["game"]).title(lang)),
        ("规则" if zh else "rules", rules),
        *zip("AB", sides, strict=True),
        ("方式" if zh else "mode", _HOW[_kind(found)].say(lang).format(bidding=bidding)),
        ("种子" if zh else "seed", str(found["seed"])),
        ("牌局" if zh else "deals", ended.format(deals=deals, aim=found.get("until_se"))),
        ("有别" if zh else "differing", differ),
    ]
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def _bidding_by(policy: str, bidding: dict[str, str] | None, lang: Lang) -> str:
    """A policy, and the bidding it bids by if that is not as shipped."""
    if bidding is None:
        return policy
    told = f"{bidding['name']} (SHA-256 {bidding['sha256'][:16]}…)"
    return f"{policy}，叫法 {told}" if lang == "zh" else f"{policy} by {told}"


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
    of = [(_TOTAL, found), *((_ROLES[role], figures) for role, figures in found["by_role"].items())]
    for label, figures in of:
        rows.append((label.say(lang), *(cell for key, _ in units for cell in _shown(figures[key]))))
    return aligned(rows)


def _plays(found: dict[str, Any], lang: Lang) -> list[str]:
    """The levels that the advantage is made of."""
    plays = found["plays"]
    heads = [text.say(lang) for key, text in _WHO.items() if isinstance(plays[0].get(key), str)]
    figures = _FIGURES[_kind(found)]
    rows = [(" ".join(heads), *(cell for text in figures.values() for cell in (text.say(lang), "")))]
    for play in plays:
        who = [value.upper() for key, value in play.items() if key in _WHO and isinstance(value, str)]
        cells = [
            ("", "") if play[key] is None else _share(play[key]) if key in _SHARES else _shown(play[key], "")
            for key in figures
        ]
        names = "".join(padded(name, width_of(head) + 1) for name, head in zip(who, heads, strict=True))
        rows.append((names.rstrip(), *(cell for pair in cells for cell in pair)))
    return aligned(rows)


def _kind(found: dict[str, Any]) -> str:
    """The mode, and whether the partner is hidden."""
    if "partner" not in found["by_role"]:
        return str(found["mode"])
    return "hidden" if found["mode"] == "contract" else "hidden auction"


def _shown(figure: dict[str, float], sign: str = "+") -> tuple[str, str]:
    """A mean and its interval, cut after the second significant digit of half the interval's width."""
    places = None if figure["hi"] > figure["lo"] else 0
    value, interval = shown(figure["mean"], figure["lo"], figure["hi"], places, sign=bool(sign))
    return value, signed(interval, "bound" if figure.get("bound") else "")


def _share(figure: dict[str, float]) -> tuple[str, str]:
    """The same in percent."""
    value, interval = _shown({key: 100 * part for key, part in figure.items()}, "")
    return f"{value} %", interval
