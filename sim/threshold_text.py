"""The main tables of the study ``threshold`` in words, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from .crossing_text import crossing
from .rounding import shown
from .summary_text import aligned, given_rows, padded, width_of
from .table_seats import OTHERS, seats_text
from .text import Text
from .threshold_tables import bid_up_to, break_evens, decisions

if TYPE_CHECKING:
    from .stats import Estimate
    from .text import Lang
    from .threshold import Result
    from .threshold_out import Asked

_BY = {
    "strength": Text("strength (points the banker is expected to keep)", "牌力（预计庄家能守住的分数）"),
    "trumps": Text("trumps", "主牌张数"),
    "top-trumps": Text("jokers and 3s", "王和 3 的张数"),
    "trump-pairs": Text("pairs of trumps", "主牌对子数"),
    "voids": Text("side suits not held", "缺门数"),
}
_CALLS = {
    "all": Text("all", "全部"),
    "single": Text("one 3", "单张 3"),
    "pair": Text("pair", "对 3"),
    "counter": Text("counter", "反牌"),
}
_ORDERS = {
    "all": Text("all", "全部"),
    "opener": Text("opener", "首叫"),
    "next": Text("next", "次家"),
    "last": Text("last", "末家"),
}
_DECISIONS = {
    "call": Text("call, all cards dealt", "发完牌后叫牌"),
    "call at once": Text("call with the first 3", "见 3 即叫"),
    "counter": Text("counter, all cards dealt", "发完牌后反牌"),
}
_HEAD_EVEN = Text("Break-even: a bid pays from this {by} on", "平衡点：{by}达到此值起，叫此分才合算")
_HEAD_UP_TO = Text(
    "What to bid up to, by {by}; -: no bid pays; ?: too few such hands to tell",
    "按{by}可叫到多少；-：不宜叫；?：此类手牌太少，不能断定",
)
_HEAD_CALLS = Text(
    "Calling or countering, against leaving it (payoff a hand, same deals)",
    "叫牌、反牌与不叫之比（每手得失，同一副牌）",
)
_MARGINAL = Text("any hand", "任意手牌")
_STATE = Text("at the auction", "叫分之时")
_NOTES = (
    Text(
        "Any hand: every seat as banker with every trump suit at this bid, against one of the others as banker at the "
        "bid before, with even chances. At the auction: where the seat is asked for this bid while the others bid by "
        "the thresholds found: going up to it and no further, against passing; others' passes and raises carry news.",
        "任意手牌：每个座位、每门主花色各坐一次庄，叫此分，比之由另两家之一（机会均等）以前一档分坐庄。\n叫分之时：其余两家按所得"
        "门槛叫分、轮到此家叫此分时，叫到此分为止，比之不叫；他家的不叫与加叫含有信息。",
    ),
    Text(
        "Play is blind to the bid: no policy looks at it, so one play-out stands for all bids. Bots are not people.",
        "打牌不看叫分：各策略都不理会叫分，故一次打完即知各档叫分的结果。机器不等于真人。",
    ),
    Text("[ ] 95 % interval; the unit is the deal.", "[ ] 为 95 % 区间，以牌局为单位。"),
)  # fmt: skip


def render(result: Result, lang: Lang) -> str:
    """The whole text, ending in a line break."""
    by = _BY[result.asked.by].say(lang)
    lines = [*head(result.asked, lang), "", _HEAD_EVEN.say(lang).format(by=by), *_even(result, lang)]
    lines += ["", _HEAD_UP_TO.say(lang).format(by=by), *_up_to(result, lang)]
    lines += ["", _HEAD_CALLS.say(lang), *_decisions(result, lang), "", *_response(result, lang), ""]
    for note in notes(result.asked, _NOTES):
        for paragraph in note.say(lang).splitlines():
            lines += wrap(paragraph, 100)
    return "\n".join(lines) + "\n"


def head(asked: Asked, lang: Lang) -> list[str]:
    """What was studied."""
    zh = lang == "zh"
    changed = ", ".join(asked.plan.rules.changed())
    rules = asked.plan.rules.name + (f" ({'改动' if zh else 'changed'}: {changed})" if changed else "")
    rows = [
        ("游戏" if zh else "game", asked.plan.game.title(lang)),
        ("规则" if zh else "rules", rules),
        *(("叫法" if zh else "bidding", told) for told in asked.plan.told_biddings()),
        ("牌局" if zh else "deals", f"{asked.deals:,}"),
        ("种子" if zh else "seed", str(asked.plan.seed)),
    ]
    if asked.plan.given is not None:
        rows += given_rows(asked.plan.given, zh)
    if asked.plan.given is not None or len(asked.seats) < asked.plan.game.seats:
        rows.append(("表中手牌" if zh else "tables", seats_text(asked.plan, asked.seats, lang)))
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def notes(asked: Asked, own: tuple[Text, ...]) -> tuple[Text, ...]:
    """What stands below the tables: a study's own notes, and, where the tables are of some seats, what is not."""
    return (*own, OTHERS) if len(asked.seats) < asked.plan.game.seats else own


def _even(result: Result, lang: Lang) -> list[str]:
    """By bid: the marginal break-even and that of all auction states; then the states that have one of their own."""
    zh = lang == "zh"
    found = break_evens(result)
    rows: list[tuple[str, ...]] = [
        ("叫分" if zh else "bid", _MARGINAL.say(lang), "", _STATE.say(lang), "", "手数" if zh else "hands")
    ]
    pooled = {row["bid"]: row for row in found if row["estimand"] == "auction" and row["call"] == "all"}
    for row in found:
        if row["estimand"] == "marginal":
            other = pooled.get(row["bid"])
            state = (*crossing(other, lang), f"{other['hands']:,}") if other else ("", "", "")
            rows.append((str(row["bid"]), *crossing(row, lang), *state))
    lines = aligned(rows)
    states = [
        (
            f"{_CALLS[row['call']].say(lang)}, {_ORDERS[row['order']].say(lang)}, {row['bid']}",
            *crossing(row, lang), f"{row['hands']:,}",
        )
        for row in found
        if row["estimand"] == "auction" and row["call"] != "all" and row["kind"] != "unknown"
    ]  # fmt: skip
    if states:
        head = (
            "叫牌、次序、叫分" if zh else "call, order, bid",
            _STATE.say(lang),
            "",
            "手数" if zh else "hands",
        )
        lines += ["", *aligned([head, *states])]
    return lines


def _up_to(result: Result, lang: Lang) -> list[str]:
    rows = bid_up_to(result)
    states = [name for name in rows[0] if name not in ("from", "to", "marginal", "marginal_open")]
    heads = [
        f"{_CALLS[call].say(lang)}/{_ORDERS[order].say(lang)}"
        for call, _, order in (s.partition("_") for s in states)
    ]
    shown: list[tuple[str, ...]] = [("", _MARGINAL.say(lang), *heads)]
    last: tuple[str, ...] = ()
    for row in rows:
        cells = tuple("-" if row[name] is None else str(row[name]) for name in ("marginal", *states))
        cells = (cells[0] + "?" * row["marginal_open"], *cells[1:])
        if cells != last:  # classes with the same advice are told once
            shown.append((f"{row['from']:g}", *cells))
        last = cells
    return aligned(shown, paired=False)


def _decisions(result: Result, lang: Lang) -> list[str]:
    zh = lang == "zh"
    heads = (
        "差" if zh else "difference",
        "",
        "合算之起点" if zh else "pays from",
        "",
        "手数" if zh else "hands",
    )
    rows: list[tuple[str, ...]] = [("", *heads)]
    for row in decisions(result):
        cells = ("", "") if row["kind"] == "none" else crossing(row, lang)
        shown = number(row["difference"], row["difference_low"], row["difference_high"], "+")
        rows.append((_DECISIONS[row["decision"]].say(lang), *shown, *cells, f"{row['hands']:,}"))
    return aligned(rows)


def _response(result: Result, lang: Lang) -> list[str]:
    """What the iterated best responses came to."""
    zh, response = lang == "zh", result.response
    match = result.match["payoff"]
    rows: list[tuple[str, ...]] = [
        ("最优反应迭代" if zh else "best responses, iterated", "", ""),
        ("  尚可多得" if zh else "  left to gain by leaving", *estimate(response.left, "+")),
        ("  至多（同批牌局上择优）" if zh else "  at most (best on the same deals)", *estimate(response.at_most, "+")),
        ("  胜过起点" if zh else "  gain over the start", *estimate(response.advantage, "+")),
        (
            ("  对所研究的叫法实战 {:,} 局" if zh else "  match against the bidding studied, {:,} deals").format(
                result.match["deals"]
            ),
            *number(match["mean"], match["lo"], match["hi"], "+"),
        ),
        ("重发之局" if zh else "deals with redeals", *percent(result.redeals)),
    ]  # fmt: skip
    for name, each in response.effects.items():
        label = {"start": ("起点", "at the start"), "end": ("终点", "at the end")}[name][0 if zh else 1]
        bids = "  ".join(
            f"{bid}{'：' if zh else ': '}{100 * share:.1f} %"
            for bid, share in each["bids"].items()
            if share >= 0.0005
        )
        label += "：" if zh else ": "
        rows.append((f"{label}{'打成' if zh else 'made'}", *percent(each["made"])))
        rows.append(
            (f"{label}{'庄家得失' if zh else 'payoff of the banker'}", *estimate(each["payoff"], "+"))
        )
        rows.append((f"{label}{bids}", "", ""))
    wide = max(width_of(row[0]) for row in rows if row[1])
    return [f"{padded(label, wide)}  {value}  {interval}".rstrip() for label, value, interval in rows]


def estimate(figure: Estimate, sign: str = "") -> tuple[str, str]:
    """A figure and its interval."""
    return number(figure.value, figure.low, figure.high, sign)


def number(value: float | None, low: float | None, high: float | None, sign: str = "") -> tuple[str, str]:
    """The same from its parts, cut after the second significant digit of half the interval's width."""
    if value is None:
        return "", ""
    if low is None or high is None:
        return f"{value:{sign if value else ''}.3g}", ""
    return shown(value, low, high, sign=bool(sign))


def percent(figure: Estimate) -> tuple[str, str]:
    """A share in percent."""
    if figure.value is None:
        return "", ""
    value, low, high = (
        None if part is None else 100 * part for part in (figure.value, figure.low, figure.high)
    )
    shown = number(value, low, high)
    return f"{shown[0]} %", shown[1]
