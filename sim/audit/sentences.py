"""What is wrong in a record, as sentences; what is wrong with a play in itself is said by ``reasons``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards import SUIT_NAMES, SUIT_SYMBOLS
from ..fault import Fault
from ..reasons import cards
from ..text import Text, clip, one_of
from .values import FORM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..games import Game


def seat_name(seat: int) -> Text:
    """`seat 2`, `2号位`."""
    return Text(f"seat {seat}", f"{seat}号位")


def _seat(seat: int | None) -> Text:
    return Text("nobody", "无人") if seat is None else seat_name(seat)


def suit(index: int) -> Text:
    """`♥`, in both languages."""
    return Text(SUIT_SYMBOLS[index], SUIT_SYMBOLS[index] + SUIT_NAMES["zh"][index])


# --- the cards


def hand_size(clause: str, what: Text, number: int, due: int) -> Fault:
    """DWF-1, HW-1."""
    plural = "card" if number == 1 else "cards"
    return Fault.of(
        clause,
        f"{what.en} has {number} {plural} instead of {due}",
        f"{what.zh}有 {number} 张牌，应为 {due} 张",
    )


def deck(over: Sequence[tuple[int, int]], under: Sequence[tuple[int, int]], packs: int) -> Fault:
    """COM-1: faces that are there too often or too rarely, with how often they are."""

    def listed(faces: Sequence[tuple[int, int]]) -> Text:
        shown, more = faces[:6], len(faces) - 6
        en = ", ".join(f"{cards([face]).en} {_times(number)}" for face, number in shown)
        zh = "、".join(f"{cards([face]).zh} 有 {number} 张" for face, number in shown)
        return Text(
            en + (f" and {more} more" if more > 0 else ""), zh + (f" 等 {more + 6} 种" if more > 0 else "")
        )

    found = listed([*over, *under])
    return Fault.of(
        "COM-1",
        f"hands and bottom together hold {found.en}, but {packs} packs have each card {_times(packs)}",
        f"各家的牌与底牌合计：{found.zh}，但 {packs} 副牌中每种牌恰有 {packs} 张",
    )  # fmt: skip


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def copies(face: int, number: int, packs: int) -> Fault:
    """COM-1: more copies of a face than there are."""
    shown = cards([face])
    return Fault.of(
        "COM-1",
        f"this makes {number} copies of {shown.en}, but {packs} packs have only {packs}",
        f"至此 {shown.zh} 已有 {number} 张，但 {packs} 副牌中只有 {packs} 张",
    )


# --- trump


def wrong_trump(clause: str, shown: Text, fixed: int, told: int) -> Fault:
    """DWF-3, DWF-4, HW-4: a call or a reveal made another suit trump."""
    right, wrong = suit(fixed), suit(told)
    return Fault.of(
        clause, f"{shown.en} made {right.en} trump, not {wrong.en}", f"{shown.zh} 定 {right.zh} 为主，而不是 {wrong.zh}"
    )  # fmt: skip


# --- plays


def not_held(lacking: Sequence[int], face: int, tricks: Sequence[int], buried: bool) -> Fault:
    """COM-9: cards that are not in the hand, and where the first of them went."""
    shown, one = cards(lacking), cards([face])
    en, zh = "", ""
    if tricks:
        played = [str(number + 1) for number in tricks]
        many = "s" if len(played) > 1 else ""
        en = f" ({one.en} was played in trick{many} {one_of_all(played)})"
        zh = f"（{one.zh} 已在第 {'、'.join(played)} 轮打出）"
    elif buried:
        en, zh = f" ({one.en} was buried)", f"（{one.zh} 已扣底）"
    return Fault.of("COM-9", f"the hand does not hold {shown.en}{en}", f"手里没有 {shown.zh}{zh}")


def one_of_all(words: Sequence[str]) -> str:
    """`1, 2 and 3`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _held_by(holder: tuple[int, list[int]] | None) -> Text:
    if holder is None:
        return Text("", "")
    who, shown = seat_name(holder[0]), cards(holder[1])
    if not holder[1]:
        return Text(f"{who.en} can beat it", f"{who.zh}可以盖过")
    return Text(f"{who.en} holds {shown.en}", f"{who.zh}有 {shown.zh}")


def throw_fails(thrown: Sequence[int], due: Sequence[int], holder: tuple[int, list[int]] | None) -> Fault:
    """COM-10: a throw that should have failed."""
    shown, forced, held = cards(thrown), cards(due), _held_by(holder)
    return Fault.of(
        "COM-10",
        f"the throw of {shown.en} fails{', as ' + held.en if holder else ''}: {forced.en} must be played",
        f"甩牌 {shown.zh} 不成立{'（' + held.zh + '）' if holder else ''}：须出 {forced.zh}",
    )


def other_part(
    meant: Sequence[int], due: Sequence[int], played: Sequence[int], holder: tuple[int, list[int]] | None
) -> Fault:
    """COM-10: a failed throw of which something else must be played."""
    shown, forced, put, held = cards(meant), cards(due), cards(played), _held_by(holder)
    return Fault.of(
        "COM-10",
        f"of the failed throw of {shown.en}, {forced.en} must be played and not {put.en}"
        f"{', as ' + held.en if holder else ''}",
        f"甩牌 {shown.zh} 失败{'（' + held.zh + '）' if holder else ''}，须出 {forced.zh}，而不是 {put.zh}",
    )


def throw_stands(meant: Sequence[int], parts: int) -> Fault:
    """COM-10: a throw said to have failed that does not."""
    shown = cards(meant)
    if parts == 1:
        return Fault.of(
            "COM-10",
            f"{shown.en} is one component, so no throw that could fail",
            f"{shown.zh} 只是一个牌型，不是甩牌，不会失败",
        )
    return Fault.of(
        "COM-10",
        f"the throw of {shown.en} does not fail: nobody can beat any part of it",
        f"甩牌 {shown.zh} 成立，并未失败：无人能盖过其中任何一部分",
    )


def follower_throws() -> Fault:
    """COM-10."""
    return Fault.of("COM-10", "only a lead can be a failed throw", "只有首出才可能甩牌失败")


# --- tricks


def wrong_leader(clause: str, seat: int, due: int) -> Fault:
    """DWF-7, HW-11, COM-18."""
    who, right = seat_name(seat), seat_name(due)
    if clause == "COM-18":
        return Fault.of(
            clause,
            f"{who.en} leads, but {right.en} won the trick before",
            f"{who.zh}首出，但上一轮的赢家是{right.zh}",
        )
    return Fault.of(
        clause,
        f"{who.en} leads the first trick, but the banker is {right.en}",
        f"首轮由{who.zh}首出，但庄家是{right.zh}",
    )


def other_leader(clause: str, leader: int, first: int) -> Fault:
    """DWF-1, HW-1: the leader named is not the first to play."""
    return Fault.of(
        clause,
        f"{seat_name(leader).en} is given as the leader, but {seat_name(first).en} plays first",
        f"首家记为{seat_name(leader).zh}，但先出牌的是{seat_name(first).zh}",
    )


def out_of_turn(clause: str, seat: int, due: int) -> Fault:
    """DWF-1, HW-1."""
    return Fault.of(
        clause,
        f"{seat_name(seat).en} plays when it is the turn of {seat_name(due).en}",
        f"轮到{seat_name(due).zh}时由{seat_name(seat).zh}出牌",
    )


def lacking_plays(clause: str, number: int, seats: int) -> Fault:
    """DWF-1, HW-1."""
    are = "play" if number == 1 else "plays"
    return Fault.of(
        clause,
        f"the trick has {number} {are}, but all {seats} players play to it",
        f"本轮只有 {number} 次出牌，应有 {seats} 次",
    )


def wrong_winner(clause: str, winner: int, played: Sequence[int], told: int) -> Fault:
    """COM-16, COM-17."""
    shown = cards(played)
    ruff, ruff_zh = (" with a ruff", "毙牌") if clause == "COM-17" else ("", "")
    return Fault.of(
        clause,
        f"{seat_name(winner).en} wins the trick{ruff} with {shown.en}, not {seat_name(told).en}",
        f"本轮由{seat_name(winner).zh}以 {shown.zh} {ruff_zh}赢得，而不是{seat_name(told).zh}",
    )


def wrong_points(due: int, told: object) -> Fault:
    """COM-2."""
    return Fault.of(
        "COM-2",
        f"the cards of the trick are worth {due}, not {clip(told)}",
        f"本轮的牌共 {due} 分，而不是 {clip(told)} 分",
    )


def unfinished(tricks: int, left: int) -> Fault:
    """The tricks do not use up the hands."""
    have = "card is" if left == 1 else "cards are"
    return Fault.of(
        FORM,
        f"the play ends after {tricks} tricks, when {left} {have} left in a hand",
        f"打了 {tricks} 轮就结束，每家手中还有 {left} 张牌",
    )


def too_many(clause: str, number: int, due: int) -> Fault:
    """More cards are played than a hand has."""
    return Fault.of(
        clause,
        f"a player plays {number} cards, but a hand has {due}",
        f"有玩家共出了 {number} 张牌，但一手牌只有 {due} 张",
    )


# --- values


def instead(clause: str, what: Text, told: object, due: object) -> Fault:
    """A value that is not what it must be."""
    return Fault.of(
        clause,
        f"{what.en} must be {_value(due).en}, not {_value(told).en}",
        f"{what.zh}应为 {_value(due).zh}，而不是 {_value(told).zh}",
    )


def _value(value: object) -> Text:
    """A value as a player reads it."""
    if value is None or value == -1:
        return Text("none", "无")
    if isinstance(value, bool):
        return Text("yes", "是") if value else Text("no", "否")
    if isinstance(value, str):
        words = {"made": "打成", "broken": "破庄"}
        return Text(value, words.get(value, value))
    if isinstance(value, (list, tuple)):
        shown = ", ".join(str(int(one)) if one == int(one) else str(one) for one in value)
        return Text(shown, shown)
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return Text(clip(value), clip(value))


def title(game: Game) -> Text:
    """The game's name."""
    return Text(game.name, game.zh)


def choice(words: Sequence[str]) -> Text:
    """`a, b or c`."""
    return Text(one_of([*words]), one_of([*words], "zh"))


def other_trump(told: int, fits: int) -> Fault:
    """A play that makes sense in another trump suit only."""
    wrong, right = suit(told), suit(fits)
    return Fault.of(
        FORM,
        f"with {wrong.en} as trump the play is full of faults, with {right.en} it has none",
        f"以 {wrong.zh} 为主则出牌处处违例，以 {right.zh} 为主则全部合规",
    )
