"""Of whose hands the tables of a study are: where something is known of the hands of some seats, of theirs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .errors import UsageError
from .text import Text, clip

if TYPE_CHECKING:
    from .plan import Plan
    from .text import Lang

_HELD = Text("of seats whose cards are held: {}", "仅指定了牌的座位：{}")
_COUNTED = Text("of seats whose cards are counted: {}", "仅限定了张数的座位：{}")
_ASKED = Text("of the seats asked for: {}", "仅所选的座位：{}")
_ALL = Text("of all seats", "全部座位")
_BOTTOM = Text("of all seats, as only the bottom is given", "全部座位（只指定了底牌）")
#: Above tables.
TABLES = Text("The tables and curves are {}.", "表与曲线取自：{}。")
#: Below tables that are of some seats.
OTHERS = Text(
    "The bidding found, what is said of it, and the match at the end are of all seats. The tables of the others: "
    "--seats.",
    "所得叫法、对它的评价与最后的实战取自全部座位。其他座位的表：用 --seats。",
)


def table_seats(plan: Plan, asked: str | None = None) -> tuple[int, ...]:
    """The seats: those asked for (``all``, or numbers like ``0,2``), else the ones held, or counted, or all.

    `UsageError` for seats that there are not.
    """
    every = tuple(range(plan.game.seats))
    if asked is None:
        return known_seats(plan) or every
    if asked.strip() == "all":
        return every
    words = [word.strip() for word in asked.split(",")]
    if not all(re.fullmatch("[0-9]", word) and int(word) in every for word in words):
        raise UsageError(
            f"seats: {clip(asked)} are no seats; write all, or numbers from 0 to {every[-1]} with commas, like 0,2"
        )
    return tuple(sorted({int(word) for word in words}))


def known_seats(plan: Plan) -> tuple[int, ...]:
    """The seats whose cards are held; where there are none, those whose cards are counted."""
    if plan.given is None:
        return ()
    every = range(plan.game.seats)
    held = tuple(seat for seat in every if plan.given.held[seat])
    return held or tuple(seat for seat in every if any(count.place == seat for count in plan.given.counts))


def seats_text(plan: Plan, seats: tuple[int, ...], lang: Lang) -> str:
    """Which seats, and why these."""
    if len(seats) == plan.game.seats:
        only_bottom = plan.given is not None and not known_seats(plan)
        return (_BOTTOM if only_bottom else _ALL).say(lang)
    listed = ("、" if lang == "zh" else ", ").join(map(str, seats))
    if plan.given is None or seats != known_seats(plan):
        return _ASKED.say(lang).format(listed)
    held = any(plan.given.held[seat] for seat in seats)
    return (_HELD if held else _COUNTED).say(lang).format(listed)
