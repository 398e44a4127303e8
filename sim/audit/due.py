"""What the scoring of a play without faults must be, straight from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...kernels.layout import BIT_OF, SUIT_OF, TRUMP
from .. import scoring
from .play import last_plays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .play import Course
    from .read import Reading, Tricks

_WORTH = {3: "points_five", 8: "points_ten", 11: "points_king"}


def worth(options: Mapping[str, Any], faces: list[int]) -> int:
    """COM-2: the points among some cards."""
    return sum(options[_WORTH[f % 13]] for f in faces if f < 52 and f % 13 in _WORTH)


def dug(options: Mapping[str, Any], lay: Any, tricks: Tricks, seat: int) -> int:
    """DWF-15: the multiplier when a defender's play has won the last trick."""
    plays = last_plays(tricks)
    lead, winning = plays[0][1], next(cards for who, cards, _ in plays if who == seat)
    return scoring.bottom_times(
        options,
        with_trumps=all(lay[SUIT_OF + lay[BIT_OF + face]] == TRUMP for face in winning),
        winner_paired=len(set(winning)) < len(winning),
        lead_paired=len(set(lead)) < len(lead),
    )


def due(reading: Reading, course: Course) -> dict[str, Any] | None:
    """All that the scoring gives, by key, if the play is sound and complete; None if something for it is missing."""
    values, tricks, banker = reading.values, reading.tricks, course.banker
    if banker is None or tricks is None or "buried" not in values:
        return None
    found: dict[str, Any] = {"bottom_points": worth(reading.ruling.rules.values, values["buried"])}
    return (_die_wu_fen if reading.game.seats == 3 else _hong_wu_wu_jia)(
        reading, course, tricks, banker, found
    )


def _captured(course: Course, side: tuple[int, int]) -> int:
    pairs = zip(course.winners, course.points, strict=True)
    return sum(points for winner, points in pairs if winner not in side)


def _die_wu_fen(
    reading: Reading, course: Course, tricks: Tricks, banker: int, found: dict[str, Any]
) -> dict[str, Any] | None:
    """DWF-8, DWF-14 to DWF-18."""
    options, bid = reading.ruling.rules.values, reading.values.get("bid")
    if bid is None:
        return None
    found["captured"] = _captured(course, (banker, banker))
    last, lay = course.winners[-1], reading.ruling.lays[course.trump]
    found["bottom_multiplier"] = 0 if last == banker else dug(options, lay, tricks, last)
    total = found["captured"] + found["bottom_points"] * found["bottom_multiplier"]
    base = scoring.base_value(options, bid)
    result, shutout = scoring.outcome(options, bid, total)
    extra = scoring.penalties(options, banker, tricks.failed[:3], base)
    found |= {
        "defender_points": total, "base": base, "result": result, "shutout": shutout, "penalties": extra,
        "payoffs": scoring.payoffs(options, banker, base, result, shutout, extra),
    }  # fmt: skip
    return found


def _hong_wu_wu_jia(
    reading: Reading, course: Course, _tricks: Tricks, banker: int, found: dict[str, Any]
) -> dict[str, Any] | None:
    """HW-7, HW-8, HW-10, HW-12 to HW-16. Once all cards are played, no partner means that the banker had all copies."""
    options, values = reading.ruling.rules.values, reading.values
    if "named" not in values or "reveal" not in values or course.direct is None:
        return None
    solo = course.partner < 0
    partner = None if solo else course.partner
    found["captured"] = _captured(course, (banker, course.partner))
    times = options["solo_bottom_multiplier" if solo else "bottom_multiplier"]
    found["bottom_multiplier"] = 0 if course.winners[-1] in (banker, partner) else times
    total = found["captured"] + found["bottom_points"] * found["bottom_multiplier"]
    mark = scoring.grade(options, total)
    pressed = values["reveal"] is None and not values.get("contract")
    found |= {
        "solo": solo, "partner": partner, "partner_trick": None if solo else course.partner_trick,
        "direct": course.direct, "defender_points": total, "grade": mark,
        "payoffs": scoring.shares(options, banker, partner, mark, pressed=pressed, direct=course.direct),
    }  # fmt: skip
    return found
