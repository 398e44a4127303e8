"""The scoring of both games in whole numbers, from the rule options: DWF-8, DWF-15 to DWF-18, HW-12 to HW-16."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Options = Mapping[str, Any]


def base_value(options: Options, bid: int) -> int:
    """DWF-8: the base value of a bid; between the tens that of the lower ten."""
    table: Sequence[int] = options["base_table"]
    return table[max(0, min(len(table) - 1, (bid - 110) // 10))]


def bottom_times(options: Options, *, with_trumps: bool, winner_paired: bool, lead_paired: bool) -> int:
    """DWF-15: how often the bottom counts when a defender has won the last trick."""
    if not with_trumps:
        return 0
    paired = lead_paired if options["bottom_shape"] == "lead" else winner_paired
    times: int = options["bottom_multiplier" if paired else "bottom_multiplier_single"]
    return times


def outcome(options: Options, bid: int, total: float) -> tuple[str, bool]:
    """DWF-16: ``made`` or ``broken``, and whether it is a shutout."""
    if total == 0:
        return "made", True
    if total < options["made_total"] - bid:
        return "made", False
    return "broken", total >= options["shutout_total"] - bid


def penalties(options: Options, banker: int, failed: Sequence[int], base: float) -> list[float]:
    """DWF-18: what failed throws (how many, a seat) cost and bring each seat."""
    each = sum(
        times * options["banker_throw_penalty"]
        if seat == banker
        else -times * options["defender_throw_penalty"]
        for seat, times in enumerate(failed)
    )
    return [each * base * (1 if seat != banker else 1 - len(failed)) for seat in range(len(failed))]


def payoffs(
    options: Options, banker: int, base: float, result: str, shutout: bool, extra: Sequence[float]
) -> list[float]:
    """DWF-17: the payoffs, with the penalties ``extra`` (one a seat)."""
    stake = base * (options["shutout_multiplier"] if shutout else 1) * (1 if result == "made" else -1)
    return [
        (len(extra) - 1 if seat == banker else -1) * stake + penalty for seat, penalty in enumerate(extra)
    ]


def grade(options: Options, total: float) -> int:
    """HW-13: the grade of the last row whose threshold the defenders' points reach."""
    reached: list[int] = [row[1] for row in options["grade_table"] if row[0] <= total]
    return reached[-1] if reached else 0


def shares(
    options: Options,
    banker: int,
    partner: int | None,
    mark: float,
    *,
    pressed: bool,
    direct: bool,
    seats: int = 5,
) -> list[float]:
    """HW-14 to HW-16 with HW-10: the payoffs at a grade; ``partner`` None for a solo banker."""
    if partner is None:
        found = [2 * (seats - 1) * mark if seat == banker else -2 * mark for seat in range(seats)]
    else:
        mine, other, each = 2 * mark, mark, -mark
        if mark <= 0:
            cap = options["pressed_partner_loss_cap" if pressed else "partner_loss_cap"]
            each = -mark
            other = -min(each, cap)
            mine = -((seats - 2) * each + other)
            if direct:
                mine, other = other, mine
        found = [each] * seats
        found[banker], found[partner] = mine, other
    return [share * options["base"] for share in found]
