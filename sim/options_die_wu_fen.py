"""The rule options of die-wu-fen (跌五分), and which of their combinations contradict one another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .options import Option
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

_CARD_POINTS = 50  # 9 buried cards * 50 * 16 and all tricks stay far below the 16-bit columns
_MULTIPLIER = 16

OPTIONS: tuple[Option, ...] = (
    Option(
        "counter", "bool", True, ("DWF-4",),
        Text(
            "Whether a call with one 3 may be countered with a pair of 3s.",
            "单张 3 叫牌后，其他玩家可否用对 3 反牌。",
        ),
        event="counter",
    ),
    Option(
        "bid_step", "int", 10, ("DWF-6",),
        Text("Every bid is a multiple of this many points.", "叫分必须是这个数的倍数。"),
        event="bidding",
        choices=(5, 10, 20),
    ),
    Option(
        "opening_bid_single", "int", 110, ("DWF-6",),
        Text("The lowest opening bid after a call with one 3.", "单张 3 叫牌后的最低开叫分。"),
        event="opened_single",
        low=105, high=200,
    ),
    Option(
        "opening_bid_pair", "int", 120, ("DWF-6",),
        Text(
            "The lowest opening bid after a call with a pair or a counter.", "对 3 叫牌或反牌后的最低开叫分。"
        ),
        event="opened_pair",
        low=105, high=200,
    ),
    Option(
        "bid_max", "int", 200, ("DWF-6",),
        Text("The highest bid; it ends the bidding.", "最高叫分，叫到即止。"),
        event="top_bid",
        low=105, high=200,
    ),
    Option(
        "base_table", "int-list", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10), ("DWF-8",),
        Text(
            "The base value at bids of 110, 120, … 200; a bid in between takes the entry below it.",
            "叫分 110、120……200 的基础分；介于两者之间的叫分取较低一档。",
        ),
        event="base",
        low=1, high=100, least=10, most=10,
    ),
    Option(
        "cascade", "bool", True, ("COM-13", "DWF-9"),
        Text(
            "Whether a follower who can't match a tractor owes shorter tractors and pairs instead.",
            "跟不出同样的拖拉机时，是否须改跟较短的拖拉机和对子。",
        ),
        event="long_lead",
    ),
    Option(
        "forced_trump", "choice", "multi", ("DWF-11",),
        Text(
            "Which side-suit leads force trumps from a hand that can't fill them: all of two or more cards, "
            "only throws, or none.",
            "哪些副牌首出强制垫主：两张以上的所有首出、仅甩牌、或都不强制。",
        ),
        event="several_led",
        choices=("multi", "throw", "off"),
    ),
    Option(
        "void_order", "choice", "pairs-first", ("DWF-11d",),
        Text(
            "In which order a void hand discards trumps: high pairs first, or by level alone.",
            "缺门时垫主的次序：先垫大对，或只按大小。",
        ),
        event="several_led",
        choices=("pairs-first", "by-level"),
    ),
    Option(
        "forced_trump_binds", "choice", "discards", ("DWF-11d",),
        Text(
            "Whether the order binds only discards or also hands that could ruff.",
            "垫主次序只约束垫牌，还是能毙牌的手也受约束。",
        ),
        event="several_led",
        choices=("discards", "all"),
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
        "bottom_shape", "choice", "winner", ("DWF-15",),
        Text(
            "Whose cards decide if the bottom was dug with a pair: the winning play or the lead.",
            "抠底是否算对子，看赢牌的一手还是首出的一手。",
        ),
        event="dug",
        choices=("winner", "lead"),
    ),
    Option(
        "bottom_multiplier", "int", 2, ("DWF-15",),
        Text("Times the bottom counts when dug with a pair or a tractor.", "用对子或拖拉机抠底的倍数。"),
        event="dug_pair",
        low=0, high=_MULTIPLIER,
    ),
    Option(
        "bottom_multiplier_single", "int", 1, ("DWF-15",),
        Text("Times the bottom counts when dug without a pair.", "用单张抠底的倍数。"),
        event="dug_single",
        low=0, high=_MULTIPLIER,
    ),
    Option(
        "made_total", "int", 200, ("DWF-16",),
        Text(
            "The contract is broken when the defenders reach this total less the bid.",
            "闲家得分达到此数减叫分即破庄。",
        ),
        event="broken",
        low=105, high=2000,
    ),
    Option(
        "shutout_total", "int", 300, ("DWF-16",),
        Text(
            "A broken contract is a banker's shutout when the defenders reach this total less the bid.",
            "闲家得分达到此数减叫分为庄家大光。",
        ),
        event="banker_shut_out",
        low=105, high=4000,
    ),
    Option(
        "shutout_multiplier", "int", 2, ("DWF-17",),
        Text("Times the payoff counts in a shutout, either way.", "任何一方大光时的倍数。"),
        event="shut_out",
        low=1, high=10,
    ),
    Option(
        "banker_throw_penalty", "int", 1, ("DWF-18",),
        Text(
            "Base values the banker pays each defender for a failed throw.",
            "庄家甩错牌向每个闲家支付的基础分数。",
        ),
        event="banker_failed",
        low=0, high=20,
    ),
    Option(
        "defender_throw_penalty", "int", 1, ("DWF-18",),
        Text(
            "Base values each defender pays the banker for a defender's failed throw.",
            "闲家甩错牌时每个闲家向庄家支付的基础分数。",
        ),
        event="defender_failed",
        low=0, high=20,
    ),
)  # fmt: skip


def contradictions(v: Mapping[str, Any]) -> list[Text]:
    """Why options that are each allowed do not go together; one sentence a reason, without the place."""
    faults: list[Text] = []

    def fault(en: str, zh: str) -> None:
        faults.append(Text(en, zh))

    step, top = v["bid_step"], v["bid_max"]
    for name in ("opening_bid_single", "opening_bid_pair"):
        if v[name] > top:
            fault(
                f"{name} is {v[name]}, above bid_max = {top}, so nobody could open.",
                f"{name} 为 {v[name]}，高于 bid_max = {top}，无人能开叫。",
            )
    for name in ("opening_bid_single", "opening_bid_pair", "bid_max"):
        if v[name] % step:
            fault(
                f"{name} is {v[name]}, which is not a multiple of bid_step = {step}.",
                f"{name} 为 {v[name]}，不是 bid_step = {step} 的倍数。",
            )
    if top > v["made_total"]:
        fault(
            f"bid_max is {top}, above made_total = {v['made_total']}, so a high bid would have to keep the "
            "defenders below zero points.",
            f"bid_max 为 {top}，高于 made_total = {v['made_total']}，高叫分要求闲家得分低于零。",
        )
    if v["shutout_total"] <= v["made_total"]:
        fault(
            f"shutout_total is {v['shutout_total']}, which must be above made_total = {v['made_total']}, or "
            "every broken contract would be a shutout.",
            f"shutout_total 为 {v['shutout_total']}，须大于 made_total，否则破庄必为大光。",
        )
    table = v["base_table"]
    if any(a > b for a, b in pairwise(table)):
        fault(
            "base_table falls somewhere, but a higher bid must not be worth less than a lower one.",
            "base_table 有下降之处，叫分更高基础分不得更低。",
        )
    if v["forced_trump"] == "off":
        for name, default in (("void_order", "pairs-first"), ("forced_trump_binds", "discards")):
            if v[name] != default:
                fault(
                    f'{name} is "{v[name]}", which has no effect while forced_trump is "off".',
                    f'{name} 为 "{v[name]}"，但 forced_trump 为 "off" 时不起作用。',
                )
    if not (v["points_five"] or v["points_ten"] or v["points_king"]):
        fault("no card is worth any points, so there is nothing to play for.", "没有任何分牌，牌局无分可争。")
    # A deal has at most 33 leads; a failed throw moves at most twice the base times the penalty.
    stake = 2 * v["shutout_multiplier"] + 66 * max(v["banker_throw_penalty"], v["defender_throw_penalty"])
    if max(table) * stake > 32_767:
        fault(
            "base_table, shutout_multiplier and the throw penalties together allow payoffs beyond 32767, "
            "the most a dataset column holds.",
            "base_table、shutout_multiplier 与甩错罚分合起来可使输赢超过数据列上限 32767。",
        )
    return faults
