"""What may stand under each key of a record: how it is read, and what to say when it is something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..cards import FACES, SUITS
from ..fault import Fault
from ..games import GAMES, Game
from ..text import Text, clip

if TYPE_CHECKING:
    from collections.abc import Callable

FACE_OF: dict[Any, int] = {name: face for face, name in enumerate(FACES)}
#: What a fault of the record's form is filed under.
FORM = "record"
NONE: Any = object()  # what is read from a value of the wrong kind


def malformed(where: str, value: object, due: Text, **place: int | None) -> Fault:
    """A value that is not of its kind."""
    shown = clip(value) if isinstance(value, (str, float)) or is_int(value) else _kind(value)
    return Fault.of(
        FORM, f"{where} is {shown}, but it must be {due.en}", f"{where} 的值是 {shown}，应为{due.zh}"
    ).at(where, **place)


def _kind(value: object) -> str:
    names = {list: "a list", dict: "an object", type(None): "null", int: "a very large number"}
    return str(value).lower() if isinstance(value, bool) else names.get(type(value), type(value).__name__)


# --- kinds of values

_HUGE = 1 << 70  # seeds have 64 bits


def is_int(value: object) -> bool:
    """A JSON integer of any sensible size; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and -_HUGE < value < _HUGE


_DEEP = 8  # more than there is in a record


def with_whole_numbers(value: Any, depth: int = 0) -> Any:
    """The same with 1 for 1.0, as tables write whole numbers where there are gaps, and for numpy's 1."""
    if isinstance(value, dict):
        return value if depth > _DEEP else {k: with_whole_numbers(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return value if depth > _DEEP else [with_whole_numbers(v, depth + 1) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.item() if isinstance(value, np.generic) else value


def is_number(value: object) -> bool:
    """A JSON number, of a size that a deal can have."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e9 < value < 1e9


def _faces(value: object) -> list[int] | None:
    """A list of cards as faces; None if it is none."""
    if type(value) is not list:
        return None
    try:
        return [FACE_OF[card] for card in value]
    except (KeyError, TypeError):
        return None


_CARD = Text(
    "a card in ASCII notation, rank then suit (As, Td, 5h), BJ or SJ",
    " ASCII 写法的一张牌：先点数后花色（As、Td、5h），或 BJ、SJ",
)
_CARDS = Text(
    "a list of cards in ASCII notation (As, Td, 5h, BJ, SJ)", " ASCII 写法的牌的列表（As、Td、5h、BJ、SJ）"
)
_BOOL = Text("true or false", " true 或 false")
_INT = Text("a whole number", "整数")
_NUMBER = Text("a number", "数")


_CALLS = Text(
    "a list of calls, each with seat, cards and after_card", "叫牌的列表，每项有 seat、cards、after_card"
)
_BIDS = Text(
    "a list of bids, each with seat and bid (null for a pass)",
    "叫分的列表，每项有 seat 与 bid（不叫为 null）",
)
_RESULT = Text('"made" or "broken"', ' "made" 或 "broken"')
_REVEAL = Text(
    "null, or an object with seat, card and after_card", " null，或含 seat、card、after_card 的对象"
)
_A_TRICK = Text("the number of a trick, or null", "轮次序号或 null")


def _seat_text(seats: int) -> Text:
    return Text(f"a seat from 0 to {seats - 1}", f"座位号 0 至 {seats - 1}")


def _per_seat(seats: int) -> Text:
    return Text(f"a list of {seats} numbers, one a seat", f"每个座位一个数，共 {seats} 个")


class _Kinds:
    """How the keys of a game's records are read: a function from the value to what is kept, or NONE."""

    def __init__(self, game: Game) -> None:
        self.game = game
        seats = game.seats
        seat, per = _seat_text(seats), _per_seat(seats)
        number = (lambda v: v if is_number(v) else NONE, _NUMBER)
        whole = (lambda v: v if is_int(v) else NONE, _INT)
        a_seat = (lambda v: v if is_int(v) and 0 <= v < seats else NONE, seat)
        truth = (lambda v: v if isinstance(v, bool) else NONE, _BOOL)
        shares = (
            lambda v: v if isinstance(v, list) and len(v) == seats and all(map(is_number, v)) else NONE,
            per,
        )
        cards = (_cards_or_none, _CARDS)
        suit = (
            lambda v: SUITS.index(v) if isinstance(v, str) and len(v) == 1 and v in SUITS else NONE,
            Text('"s", "h", "c" or "d"', ' "s"、"h"、"c" 或 "d"'),
        )
        hands = Text(f"a list of {seats} hands, each a list of cards", f"{seats} 手牌，每手为牌的列表")
        common: dict[str, tuple[Callable[[Any], Any], Text]] = {
            "seed": whole, "deal": whole, "first_seat": a_seat, "redeals": whole, "contract": truth,
            "hands": (lambda v: _hands(v, seats), hands),
            "bottom": cards, "trump": suit, "banker": a_seat, "buried": cards, "captured": number,
            "bottom_points": number, "bottom_multiplier": number, "defender_points": number, "payoffs": shares,
        }  # fmt: skip
        dwf: dict[str, tuple[Callable[[Any], Any], Text]] = {
            "calls": (lambda v: _calls(v, seats), _CALLS),
            "bids": (lambda v: _bids(v, seats), _BIDS),
            "bid": whole, "base": number,
            "result": (lambda v: v if v in ("made", "broken") else NONE, _RESULT),
            "shutout": truth, "penalties": shares,
        }  # fmt: skip
        hw: dict[str, tuple[Callable[[Any], Any], Text]] = {
            "previous_banker": a_seat,
            "reveal": (lambda v: _reveal(v, seats), _REVEAL),
            "named": (_card_or_none, _CARD),
            "partner": (
                lambda v: v if v is None or (is_int(v) and 0 <= v < seats) else NONE,
                Text(f"{seat.en} or null", f"{seat.zh}或 null"),
            ),
            "partner_trick": (lambda v: v if v is None or (is_int(v) and v >= 0) else NONE, _A_TRICK),
            "direct": truth, "solo": truth, "grade": number,
        }  # fmt: skip
        self.keys = common | (dwf if game.name == "die-wu-fen" else hw)


def _cards_or_none(value: Any) -> Any:
    found = _faces(value)
    return NONE if found is None else found


def _card_or_none(value: Any) -> Any:
    return FACE_OF.get(value, NONE) if isinstance(value, str) else NONE


def _hands(value: Any, seats: int) -> Any:
    if not isinstance(value, list) or len(value) != seats:
        return NONE
    hands = [_faces(hand) for hand in value]
    return NONE if None in hands else hands


def _seat(value: Any, seats: int) -> bool:
    return type(value) is int and 0 <= value < seats


def _calls(value: Any, seats: int) -> Any:
    """Calls as (seat, faces, after_card)."""
    if not isinstance(value, list):
        return NONE
    found = []
    for call in value:
        if not isinstance(call, dict):
            return NONE
        cards, after = _faces(call.get("cards")), call.get("after_card")
        if not (_seat(call.get("seat"), seats) and cards and is_int(after)):
            return NONE
        found.append((call["seat"], cards, after))
    return found


def _bids(value: Any, seats: int) -> Any:
    """Bids as (seat, bid or None)."""
    if not isinstance(value, list):
        return NONE
    found = []
    for entry in value:
        if not (isinstance(entry, dict) and _seat(entry.get("seat"), seats) and "bid" in entry):
            return NONE
        if not (entry["bid"] is None or is_int(entry["bid"])):
            return NONE
        found.append((entry["seat"], entry["bid"]))
    return found


def _reveal(value: Any, seats: int) -> Any:
    """A reveal as (seat, face, after_card)."""
    if value is None:
        return None
    if not (isinstance(value, dict) and _seat(value.get("seat"), seats) and is_int(value.get("after_card"))):
        return NONE
    face = _card_or_none(value.get("card"))
    return NONE if face is NONE else (value["seat"], face, value["after_card"])


KINDS = {game.name: _Kinds(game) for game in GAMES}
#: Keys that need not be there even in a complete record.
OPTIONAL = frozenset({"seed", "deal", "contract"})


def why_malformed(key: str, value: Any, due: Text) -> Fault:
    """The fault of a value, naming the card at fault in a list of cards."""
    lists = {"hands": value} if key == "hands" and isinstance(value, list) else {}
    if key in ("bottom", "buried"):
        lists = {key: [value]}
    for name, rows in lists.items():
        for index, row in enumerate(rows):
            place = f"{name}[{index}]" if key == "hands" else name
            seat = index if key == "hands" and len(rows) <= 5 else None
            for number, card in enumerate(row if isinstance(row, list) else []):
                if _card_or_none(card) is NONE:
                    return malformed(f"{place}[{number}]", card, _CARD, seat=seat)
    return malformed(key, value, due)


def card_fault(where: str, card: object, **place: int | None) -> Fault:
    """A word that is no card."""
    return malformed(where, card, _CARD, **place)
