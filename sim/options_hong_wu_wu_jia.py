"""The rule options of hong-wu-wu-jia (红五五家), and which of their combinations contradict one another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .options import Option
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

_CARD_POINTS = 50
_MULTIPLIER = 16
# HW-13; from 200 points on the grade falls by one every five points
_GRADES: tuple[tuple[int, int], ...] = (
    (0, 9), (5, 8), (10, 7), (15, 6), (20, 5), (25, 4), (30, 3), (60, 2), (90, 1),
    (120, -1), (160, -2), (180, -3),
    *((200 + 5 * i, -4 - i) for i in range(21)),
)  # fmt: skip

OPTIONS: tuple[Option, ...] = (
    Option(
        "cascade", "bool", False, ("COM-13", "HW-11"),
        Text(
            "Whether a follower who can't match a tractor or triple owes smaller shapes instead.",
            "跟不出同样的牌型时，是否须改跟较小的牌型。",
        ),
        event="long_lead",
    ),
    Option(
        "split_triples", "bool", True, ("COM-8", "HW-11"),
        Text(
            "Whether a pair may be taken out of a triple to satisfy a shape.",
            "是否可以拆三张当对子来满足牌型。",
        ),
        event="several_led",
    ),
    Option(
        "named_copies_min", "int", 0, ("HW-7",),
        Text(
            "Copies of the partner card the banker must hold in hand to name it.",
            "庄家叫伴牌时手中至少须有的张数。",
        ),
        event="named",
        low=0, high=3,
    ),
    Option(
        "points_five", "int", 5, ("COM-2",),
        Text("Points of a 5.", "每张 5 的分值。"),
        event="deal",
        low=0, high=_CARD_POINTS,
    ),
    Option(
        "points_ten", "int", 10, ("COM-2",),
        Text("Points of a 10.", "每张 10 的分值。"),
        event="deal",
        low=0, high=_CARD_POINTS,
    ),
    Option(
        "points_king", "int", 10, ("COM-2",),
        Text("Points of a king.", "每张 K 的分值。"),
        event="deal",
        low=0, high=_CARD_POINTS,
    ),
    Option(
        "bottom_multiplier", "int", 2, ("HW-12",),
        Text("Times the bottom counts when a defender takes the last trick.", "闲家抠底的倍数。"),
        event="dug",
        low=0, high=_MULTIPLIER,
    ),
    Option(
        "solo_bottom_multiplier", "int", 4, ("HW-12",),
        Text("The same against a banker without a partner.", "庄家独打时抠底的倍数。"),
        event="dug_solo",
        low=0, high=_MULTIPLIER,
    ),
    Option(
        "grade_table", "pair-list", _GRADES, ("HW-13",),
        Text(
            "Rows [threshold, grade], by the defenders' points; positive: the banker's side wins.",
            "各行为 [下限, 等级]：闲家得分达到下限取该等级，正数为庄家胜。",
        ),
        event="grade",
        low=-100, high=10_000, least=2, most=64,
    ),
    Option(
        "partner_loss_cap", "int", 9, ("HW-14",),
        Text("The most a partner pays when the banker's side loses, in bases.", "庄家方输时伴家最多支付的分。"),
        event="lost",
        low=0, high=100,
    ),
    Option(
        "pressed_partner_loss_cap", "int", 4, ("HW-14",),
        Text("The same when the banker was pressed.", "压庄时伴家最多支付的分数。"),
        event="lost_pressed",
        low=0, high=100,
    ),
    Option(
        "base", "int", 1, ("HW-16",),
        Text("All payoffs are multiplied by this.", "所有输赢乘以此数。"),
        event="deal",
        low=1, high=100,
    ),
)  # fmt: skip


def contradictions(v: Mapping[str, Any]) -> list[Text]:
    """Why options that are each allowed do not go together; one sentence a reason, without the place."""
    faults: list[Text] = []

    def fault(en: str, zh: str) -> None:
        faults.append(Text(en, zh))

    table = v["grade_table"]
    thresholds, grades = [row[0] for row in table], [row[1] for row in table]
    if thresholds[0] != 0:
        fault(
            f"grade_table begins at {thresholds[0]}, but it must begin at 0, or a low total has no grade.",
            f"grade_table 从 {thresholds[0]} 分开始，必须从 0 开始，否则低分没有等级。",
        )
    for low, high in pairwise(thresholds):
        if low >= high:
            fault(
                f"grade_table has threshold {high} after {low}, but thresholds must ascend.",
                f"grade_table 的下限 {low} 之后是 {high}，下限必须递增。",
            )
    for better, worse in pairwise(grades):
        if better <= worse:
            fault(
                f"grade_table has grade {worse} after {better}, but grades must fall from row to row.",
                f"grade_table 的等级 {better} 之后是 {worse}，等级必须逐行下降。",
            )
    if 0 in grades:
        fault("grade_table has a grade of 0, which nobody would win.", "grade_table 中有等级 0，无人得胜。")
    if not (v["points_five"] or v["points_ten"] or v["points_king"]):
        fault("no card is worth any points, so there is nothing to play for.", "没有任何分牌，牌局无分可争。")
    # HW-15 has the largest payoff of all: a solo banker stands for eight times the grade.
    if 8 * max(map(abs, grades)) * v["base"] > 32_767:
        fault(
            "grade_table and base together allow payoffs beyond 32767, the most a dataset column holds.",
            "grade_table 与 base 合起来可使输赢超过数据列上限 32767。",
        )
    return faults
