"""How a hong-wu-wu-jia record comes to a banker and a trump suit (HW-4, HW-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards import FACES, SMALL_JOKER
from ..fault import Fault
from ..reasons import cards
from . import sentences as text
from .values import FORM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .deal import Deal
    from .read import Reading

RED_FIVE = 13 + 3
_DIAMONDS = 3


def reveal(reading: Reading, deal: Deal) -> tuple[list[int], int | None]:
    """HW-4, HW-5: the reveal, or the draw when pressed; the trump suits they allow, where they say, and the banker."""
    values = reading.values
    if values.get("redeals", 0) != 0:
        fault = Fault.of(
            FORM, f"redeals is {values['redeals']}, but this game knows no void deals",
            f"redeals 为 {values['redeals']}，但本游戏没有重新发牌",
        )  # fmt: skip
        deal.say(fault, "redeals")
    if "reveal" not in values:
        return [], None
    if values.get("contract"):
        if values["reveal"] is not None:
            fault = Fault.of(
                FORM, "the contract is said to have been given, but somebody revealed",
                "记录称庄家与主牌预先指定，却有人翻牌",
            )  # fmt: skip
            deal.say(fault, "contract")
        return [], None
    reveal, previous = values["reveal"], values.get("previous_banker")
    if reveal is None:
        return _pressed(reading, deal, previous)
    seat, face, after = reveal
    hands = values.get("hands")
    hand = hands[seat] if hands is not None and deal.believed else None
    wrong = _reveal_fault(seat, face, after, hand, previous)
    if wrong:
        deal.say(wrong, "reveal", seat)
        return [], None
    fixed = face // 13
    banker, trump = values.get("banker", seat), values.get("trump", fixed)
    if banker != seat:
        who, shown, other = text.seat_name(seat), cards([face]), text.seat_name(banker)
        fault = Fault.of(
            "HW-4", f"{who.en} revealed {shown.en}, so it is banker, not {other.en}",
            f"{who.zh}翻出 {shown.zh}，应由其坐庄，而不是{other.zh}",
        )  # fmt: skip
        if trump != fixed:  # rather the reveal is wrong than both
            right, false = text.suit(fixed), text.suit(trump)
            fault = Fault.of(
                "HW-4",
                f"{who.en} revealed {shown.en}, which makes it banker and {right.en} trump, but banker is {other.en} "
                f"and trump {false.en}",
                f"{who.zh}翻出 {shown.zh}，应由其坐庄、{right.zh}为主，但记录为{other.zh}坐庄、{false.zh}为主",
            )
        deal.say(fault, "banker")
    elif trump != fixed:
        deal.say(text.wrong_trump("HW-4", cards([face]), fixed, trump), "trump")
    return [fixed], seat


def _reveal_fault(
    seat: int, face: int, after: int, hand: Sequence[int] | None, previous: int | None
) -> Fault | None:
    """HW-4: a 2 held by then; in the last two rounds only the previous banker."""
    shown = cards([face])
    if FACES[face][0] != "2":
        return Fault.of("HW-4", f"only a 2 can be revealed, not {shown.en}", f"只能翻 2，不能翻 {shown.zh}")
    if not 1 <= after <= 31:
        return Fault.of(
            "HW-4", f"nobody ever holds {after} cards while the cards are dealt; a hand has 1 to 31",
            f"发牌时手中的牌为 1 至 31 张，不可能是 {after} 张",
        )  # fmt: skip
    if hand is not None and face not in hand[:after]:
        return Fault.of(
            "HW-4", f"{shown.en} was not yet in the hand after its first {after} cards",
            f"摸到第 {after} 张时手中还没有 {shown.zh}",
        )  # fmt: skip
    if after > 29 and previous is not None and seat != previous:
        who = text.seat_name(previous)
        return Fault.of(
            "HW-4", f"in the last two rounds only the previous banker, {who.en}, may reveal",
            f"最后两轮只有原庄（{who.zh}）可以翻牌",
        )  # fmt: skip
    return None


def _pressed(reading: Reading, deal: Deal, previous: int | None) -> tuple[list[int], int | None]:
    """HW-5: the previous banker is banker, trump drawn from its 2s or the bottom."""
    values = reading.values
    if previous is None:
        return [], None
    if values.get("banker", previous) != previous:
        who, told = text.seat_name(previous), text.seat_name(values["banker"])
        fault = Fault.of(
            "HW-5", f"nobody revealed, so the previous banker, {who.en}, is banker, not {told.en}",
            f"无人翻牌，应由原庄{who.zh}坐庄，而不是{told.zh}",
        )  # fmt: skip
        deal.say(fault, "banker")
        return [], previous
    if not deal.believed or "bottom" not in values:
        return [], previous
    possible = sorted(_drawable(values["hands"][previous], values["bottom"]))
    told_trump = values.get("trump")
    if told_trump is not None and told_trump not in possible:
        able = text.choice([text.suit(suit).en for suit in possible])
        wrong = text.suit(told_trump)
        fault = Fault.of(
            "HW-5", f"nobody revealed, and the draw could only make {able.en} trump, not {wrong.en}",
            f"无人翻牌，抽签只能得到 {able.zh}，而不是 {wrong.zh}",
        )  # fmt: skip
        deal.say(fault, "trump")
        return possible, previous
    return possible if len(possible) == 1 else [], previous


def _drawable(hand: Sequence[int], bottom: Sequence[int]) -> set[int]:
    """HW-5: the suits that the draw can make trump."""
    twos = {face // 13 for face in hand if face < SMALL_JOKER and face % 13 == 0}
    twos = twos or {face // 13 for face in bottom if face < SMALL_JOKER and face % 13 == 0}
    others = {face // 13 for face in bottom if face < SMALL_JOKER and face != RED_FIVE}
    return twos or others or {_DIAMONDS}
