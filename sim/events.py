"""What must happen in some deal for a rule option to matter, counted; so that an option the policies never use is told
from one without effect.

Each option names its event (`options.Option.event`). An event is necessary, not sufficient: where it never came up, the
option can't have made a difference, and a difference of 0 says nothing about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .games import resolve_game
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from .rules import RuleSet
    from .text import Lang
    from .totals import Totals

    Columns = Mapping[str, NDArray[Any]]
    #: From the totals, the rule set they were played by and the option's value elsewhere (None: nothing is compared)
    #: to the number of deals; None where these rules leave no room for it.
    Count = Callable[[Totals, RuleSet, Any], int | None]

_COLUMNS = {
    "die-wu-fen": ("banker bottom_multiplier failed_throws tricks last_winner penalty_0 penalty_1 penalty_2"),
    "hong-wu-wu-jia": "banker tricks last_winner pressed partner grade solo",
}


def columns(game: str) -> tuple[str, ...]:
    """The columns that `count` looks at."""
    return tuple(_COLUMNS[game].split())


def count(game: str, c: Columns) -> dict[str, dict[int, int]]:
    """By name, value → deals, of what the other totals do not tell; deals with the value 0 are not counted."""
    spared = resolve_game(game).hand_size - c["tricks"]
    found = {
        "spared_tricks": np.maximum(spared, 0),
        **(_die_wu_fen(c) if "penalty_0" in c else _hong_wu_wu_jia(c)),
    }
    return {name: _by_value(values) for name, values in found.items()}


def _die_wu_fen(c: Columns) -> dict[str, NDArray[Any]]:
    lost = c["last_winner"] != c["banker"]
    failed, penalty = c["failed_throws"], np.choose(c["banker"], [c[f"penalty_{seat}"] for seat in range(3)])
    # DWF-18: one failed throw shows by its penalty whose it was; of several, or for nothing, it may be anybody's
    mine, theirs = (failed == 1) & (penalty < 0), (failed == 1) & (penalty > 0)
    return {
        "last_trick_lost": lost,
        "dug_times": np.where(lost, c["bottom_multiplier"], 0),
        "banker_failed": (failed > 0) & ~theirs,
        "defender_failed": (failed > 0) & ~mine,
    }


def _hong_wu_wu_jia(c: Columns) -> dict[str, NDArray[Any]]:
    solo, pressed = c["solo"] != 0, c["pressed"] != 0
    dug = (c["last_winner"] != c["banker"]) & (c["last_winner"] != c["partner"])
    lost = np.where(solo, 0, np.maximum(-c["grade"].astype(np.int64), 0))
    return {
        "dug": dug & ~solo,
        "dug_solo": dug & solo,
        "lost_grade": np.where(pressed, 0, lost),
        "lost_grade_pressed": np.where(pressed, lost, 0),
    }


def _by_value(values: NDArray[Any]) -> dict[int, int]:
    number = np.bincount(values.astype(np.int64))
    return {int(value): int(number[value]) for value in np.flatnonzero(number) if value}


@dataclass(frozen=True)
class Event:
    """``never``: a clause that says it did not happen. ``auction``: it is part of calling, bidding or revealing."""

    never: Text
    count: Count
    auction: bool = False


def _at_least(name: str, least: int = 1) -> Count:
    return lambda totals, _rules, _other: sum(
        deals for value, deals in totals.events[name].items() if value >= least
    )


def _sum(*names: str, less: str = "") -> Count:
    return lambda totals, _rules, _other: (
        sum(totals.sums[name] for name in names) - (totals.sums[less] if less else 0)
    )


def _every(totals: Totals, _rules: RuleSet, _other: Any) -> int:
    return totals.deals


def _changed_rows(totals: Totals, by: Mapping[int, tuple[int, ...]], at: int, one: Any, other: Any) -> int:
    """Deals, as ``by`` has them by value, for which two functions of the value differ; all, with nothing to compare."""
    if other is None:
        return totals.deals
    return sum(row[at] for value, row in by.items() if one(value) != other(value))


def _base(totals: Totals, rules: RuleSet, other: Any) -> int:
    """DWF-8: deals with a bid whose base value is another one."""

    def of(table: Any) -> Any:
        return lambda bid: table[max(0, min(9, (bid - 110) // 10))]

    return _changed_rows(totals, totals.classes["bid"], 1, of(rules["base_table"]), other and of(other))


def _grade(totals: Totals, rules: RuleSet, other: Any) -> int:
    """HW-13: deals whose points have another grade."""

    def of(table: Any) -> Any:
        return lambda points: [grade for low, grade in table if low <= points][-1]

    return _changed_rows(
        totals, totals.levels["defender_points"], 0, of(rules["grade_table"]), other and of(other)
    )


def _named(totals: Totals, rules: RuleSet, other: Any) -> int:
    """HW-7: deals in which a card was named that the stricter of two rules forbids, bottom aside."""
    own = rules["named_copies_min"]
    if other is None and own:
        return totals.deals
    limit = 1 if other is None else other
    return sum(row[1] for held, row in totals.classes["named_held"].items() if own <= held < limit)


def _top_bid(totals: Totals, rules: RuleSet, _other: Any) -> int:
    """DWF-6: deals in which the highest bid was reached."""
    return sum(row[1] for bid, row in totals.classes["bid"].items() if bid >= rules["bid_max"])


def _dug(own: str, rest: str) -> Count:
    """DWF-15: deals in which the bottom counted so many times; where that can't be told, all that may be such."""

    def count(totals: Totals, rules: RuleSet, _other: Any) -> int:
        if rules[own] in (0, rules[rest]):
            return sum(totals.events["last_trick_lost"].values())
        return totals.events["dug_times"].get(rules[own], 0)

    return count


def _beyond_cap(option: str, name: str) -> Count:
    """HW-14: deals lost with a partner by more than the cap."""
    return lambda totals, rules, _other: sum(
        deals for grade, deals in totals.events[name].items() if grade > rules[option]
    )


def _countered(totals: Totals, rules: RuleSet, _other: Any) -> int | None:
    return totals.sums["countered"] if rules["counter"] else None


_NOT_THERE = Text(
    "Never used in these {deals} deals: {options}. This says nothing about such an option.",
    "这 {deals} 局中从未用到：{options}。这不能说明该选项有无作用。",
)
_NEVER = Text(
    "Never used by these policies in {deals} deals: {options}. This says nothing about such an option.",
    "这些策略在 {deals} 局中从未用到：{options}。这不能说明该选项有无作用。",
)
#: Marks a figure that is 0, or has no value, because nothing of its kind came up; and what the mark means.
MARK = "†"
MARKED = Text("{mark} never came up in these {deals} deals.", "{mark} 在这 {deals} 局中从未出现。")
_ALWAYS = {"deal": Event(Text("no deal was played", "没有打过一局"), _every)}
_LEADS = {
    "long_lead": Text(
        "no lead was long enough for a tractor or a triple", "首出的牌从未多到可含拖拉机或三张"
    ),
    "several_led": Text("every lead was a single card", "每次首出都是单张"),
}
#: By game, what an option may name.
EVENTS: dict[str, dict[str, Event]] = {
    "die-wu-fen": {
        **_ALWAYS,
        "long_lead": Event(_LEADS["long_lead"], _at_least("spared_tricks", 3)),
        "several_led": Event(_LEADS["several_led"], _at_least("spared_tricks")),
        "counter": Event(Text("no call was countered", "从未反牌"), _countered, auction=True),
        "bidding": Event(
            Text("there was no bidding", "从未叫分"), _sum("call_single", "call_pair"), auction=True
        ),
        "opened_single": Event(
            Text("nobody opened after a call with one 3", "从未在单张 3 叫牌后开叫"),
            _sum("call_single", less="countered"), auction=True,
        ),
        "opened_pair": Event(
            Text("nobody opened after a call with a pair or a counter", "从未在对 3 叫牌或反牌后开叫"),
            _sum("call_pair", "countered"), auction=True,
        ),
        "top_bid": Event(Text("no bid reached the highest", "从未叫到最高分"), _top_bid, auction=True),
        "base": Event(Text("no bid came up whose base value is another one", "从未叫到基础分不同的叫分"), _base),
        "dug": Event(Text("a defender never won the last trick", "闲家从未赢得末轮"), _at_least("last_trick_lost")),
        "dug_pair": Event(
            Text("no bottom was dug with a pair or a tractor", "从未用对子或拖拉机抠底"),
            _dug("bottom_multiplier", "bottom_multiplier_single"),
        ),
        "dug_single": Event(
            Text("no bottom was dug without a pair", "从未用单张抠底"),
            _dug("bottom_multiplier_single", "bottom_multiplier"),
        ),
        "broken": Event(
            Text("no bid was broken", "从未破庄"), lambda totals, _r, _o: totals.deals - totals.sums["made"]
        ),
        "banker_shut_out": Event(Text("no banker was shut out", "庄家从未大光"), _sum("banker_shut_out")),
        "shut_out": Event(Text("nobody was shut out", "从未大光"), _sum("banker_shut_out", "defenders_shut_out")),
        "banker_failed": Event(Text("no throw of a banker failed", "庄家从未甩错牌"), _at_least("banker_failed")),
        "defender_failed": Event(
            Text("no throw of a defender failed", "闲家从未甩错牌"), _at_least("defender_failed")
        ),
    },
    "hong-wu-wu-jia": {
        **_ALWAYS,
        "long_lead": Event(_LEADS["long_lead"], _at_least("spared_tricks", 2)),
        "several_led": Event(_LEADS["several_led"], _at_least("spared_tricks")),
        "named": Event(
            Text("no card was named of which the banker held so few", "从未叫过庄家持有如此少的牌找伴"), _named
        ),
        "dug": Event(
            Text(
                "no defender dug the bottom of a banker with a partner", "有伴的庄家从未被抠底"
            ),
            _at_least("dug"),
        ),
        "dug_solo": Event(
            Text("no defender dug the bottom of a solo banker", "独打的庄家从未被抠底"),
            _at_least("dug_solo"),
        ),
        "grade": Event(Text("no points came up whose grade is another one", "从未出现等级不同的得分"), _grade),
        "lost": Event(
            Text("no partner's loss reached beyond the cap", "伴家所输从未超过此限"),
            _beyond_cap("partner_loss_cap", "lost_grade"),
        ),
        "lost_pressed": Event(
            Text(
                "no partner's loss reached beyond the cap with a banker who was pressed", "压庄时伴家所输从未超过此限"
            ),
            _beyond_cap("pressed_partner_loss_cap", "lost_grade_pressed"), auction=True,
        ),
    },
}  # fmt: skip


def never_used(totals: Totals, rules: RuleSet, *, contract: bool = False) -> dict[str, Event]:
    """The options whose event came up in no deal, though these rules leave room for it.

    ``contract``: nobody calls, bids or reveals, so what is part of that is not missed.
    """
    from .rules import OPTIONS

    events = EVENTS[rules.game]
    return {
        option.name: events[option.event]
        for option in OPTIONS[rules.game].values()
        if totals.deals
        and not (contract and events[option.event].auction)
        and events[option.event].count(totals, rules, None) == 0
    }


def told(never: Mapping[str, Event], deals: int, lang: Lang, *, records: bool = False) -> str:
    """Which options these deals say nothing about, and why; nothing where there are none.

    ``records``: the deals come from elsewhere, and no policy played them.
    """
    if not never:
        return ""
    form, between = ("{}（{}）", "；") if lang == "zh" else ("{} ({})", "; ")
    options = between.join(form.format(name, event.never.say(lang)) for name, event in never.items())
    return (_NOT_THERE if records else _NEVER).say(lang).format(deals=f"{deals:,}", options=options)


def never_used_by(option: str, plays: Sequence[tuple[Totals, RuleSet]]) -> Event | None:
    """The event of an option in which two rule sets differ, if it came up in no deal played by either of them."""
    from .rules import OPTIONS

    (one, rules), (other, others) = plays
    event = EVENTS[rules.game][OPTIONS[rules.game][option].event]
    seen = event.count(one, rules, others[option]), event.count(other, others, rules[option])
    return None if any(seen) else event
