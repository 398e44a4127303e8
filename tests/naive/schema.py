"""The form of a game record (record.md): which keys there are and what stands in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .cards import BOTTOM_SIZE, DEFAULTS, DWF, FACES, GAMES, HAND_SIZE, HW, SEATS, SUITS

Fault = tuple[str, str, str]  # clause, where, reason
Test = Callable[[Any, str], bool]

KNOWN = frozenset(FACES)
CHOICES = {
    "forced_trump": ("multi", "throw", "off"),
    "void_order": ("pairs-first", "by-level"),
    "forced_trump_binds": ("discards", "all"),
    "bottom_shape": ("winner", "lead"),
}


def is_int(value: Any, _game: str = "") -> bool:
    """A JSON integer (true and false are none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any, _game: str = "") -> bool:
    """A JSON number."""
    return is_int(value) or isinstance(value, float)


def is_bool(value: Any, _game: str = "") -> bool:
    """true or false."""
    return isinstance(value, bool)


def is_seat(value: Any, game: str) -> bool:
    """DWF-1, HW-1: a seat of the game."""
    return is_int(value) and 0 <= value < SEATS[game]


def is_card(value: Any, _game: str = "") -> bool:
    """COM-1: a face in ASCII notation."""
    return isinstance(value, str) and value in KNOWN


def is_cards(value: Any, _game: str = "") -> bool:
    """A list of faces."""
    return isinstance(value, list) and all(is_card(card) for card in value)


def is_hands(value: Any, game: str) -> bool:
    """A list of cards for every seat."""
    return isinstance(value, list) and len(value) == SEATS[game] and all(is_cards(hand) for hand in value)


def is_payoffs(value: Any, game: str) -> bool:
    """A number for every seat."""
    return isinstance(value, list) and len(value) == SEATS[game] and all(is_number(share) for share in value)


def is_suit(value: Any, _game: str = "") -> bool:
    """One of the four suits' letters."""
    return isinstance(value, str) and len(value) == 1 and value in SUITS


def is_calls(value: Any, game: str) -> bool:
    """A list of calls."""
    return isinstance(value, list) and all(
        isinstance(call, dict)
        and is_seat(call.get("seat"), game)
        and is_cards(call.get("cards"))
        and bool(call["cards"])
        and is_int(call.get("after_card"))
        for call in value
    )


def is_bids(value: Any, game: str) -> bool:
    """A list of bids and passes."""
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and is_seat(entry.get("seat"), game)
        and "bid" in entry
        and (entry["bid"] is None or is_int(entry["bid"]))
        for entry in value
    )


def is_reveal(value: Any, game: str) -> bool:
    """A reveal, or null when pressed."""
    if value is None:
        return True
    return (
        isinstance(value, dict)
        and is_seat(value.get("seat"), game)
        and is_card(value.get("card"))
        and is_int(value.get("after_card"))
    )


def is_tricks(value: Any, game: str) -> bool:
    """A list of tricks, each with plays of at least one card."""
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("plays"), list)
        and bool(entry["plays"])
        and all(is_play(play, game) for play in entry["plays"])
        for entry in value
    )


def is_play(value: Any, game: str) -> bool:
    """One seat's cards, on a failed throw with what was meant."""
    return (
        isinstance(value, dict)
        and is_seat(value.get("seat"), game)
        and is_cards(value.get("cards"))
        and bool(value["cards"])
        and ("attempt" not in value or (is_cards(value["attempt"]) and bool(value["attempt"])))
    )


def or_null(test: Test) -> Test:
    """The test, or null."""
    return lambda value, game: value is None or test(value, game)


COMMON: dict[str, Test] = {
    "first_seat": is_seat,
    "redeals": is_int,
    "hands": is_hands,
    "bottom": is_cards,
    "trump": is_suit,
    "banker": is_seat,
    "buried": is_cards,
    "tricks": is_tricks,
    "captured": is_number,
    "bottom_points": is_number,
    "bottom_multiplier": is_number,
    "defender_points": is_number,
    "payoffs": is_payoffs,
}
OWN: dict[str, dict[str, Test]] = {
    DWF: {
        "calls": is_calls,
        "bids": is_bids,
        "bid": is_int,
        "base": is_number,
        "result": lambda value, _game: isinstance(value, str),
        "shutout": is_bool,
        "penalties": is_payoffs,
    },
    HW: {
        "previous_banker": is_seat,
        "reveal": is_reveal,
        "named": is_card,
        "partner": or_null(is_seat),
        "partner_trick": or_null(is_int),
        "direct": is_bool,
        "solo": is_bool,
        "grade": is_number,
    },
}


def _option_ok(name: str, value: Any, default: Any) -> bool:
    if name in CHOICES:
        return isinstance(value, str) and value in CHOICES[name]
    if isinstance(default, bool):
        return is_bool(value)
    if name == "bid_step":
        return is_int(value) and value > 0
    if name == "base_table":
        return isinstance(value, list) and bool(value) and all(is_number(entry) for entry in value)
    if name == "grade_table":
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(row, list) and len(row) == 2 and all(map(is_number, row)) for row in value)
        )
    return is_number(value)


def read(record: Any) -> tuple[dict[str, Any], list[Fault]]:
    """record.md: the well-formed entries of a record, and a fault for every one missing or malformed."""
    if not isinstance(record, dict):
        return {}, [("record", "record", "a record is an object")]
    faults: list[Fault] = []
    game = record.get("game")
    if record.get("format") != "tuolaji-record/1":
        faults.append(("record", "format", "must be tuolaji-record/1"))
    if not isinstance(game, str) or game not in GAMES:
        faults.append(("record", "game", "must be one of " + ", ".join(GAMES)))
        return {}, faults
    clean: dict[str, Any] = {"game": game, "rules": {}}
    given = record.get("rules")
    if not isinstance(given, dict):
        faults.append(("record", "rules", "must be an object of options"))
    else:
        for name, value in given.items():
            if name in DEFAULTS[game] and not _option_ok(name, value, DEFAULTS[game][name]):
                faults.append(("record", f"rules.{name}", "no possible value"))
            elif name in DEFAULTS[game]:
                clean["rules"][name] = value
    numbered = [name for name in ("seed", "deal") if name in record]
    faults += [("record", name, "must be an integer") for name in numbered if not is_int(record[name])]
    for name, test in (COMMON | OWN[game]).items():
        if name not in record:
            faults.append(("record", name, "is missing"))
        elif not test(record[name], game):
            faults.append(("record", name, "is malformed"))
        else:
            clean[name] = record[name]
    clean["contract"] = record.get("contract", False)
    if not is_bool(clean["contract"]):
        faults.append(("record", "contract", "must be true or false"))
    return clean, faults


def size_faults(clean: dict[str, Any]) -> list[Fault]:
    """DWF-1, HW-1: the sizes of the hands and of the bottom."""
    game = clean["game"]
    clause = "DWF-1" if game == DWF else "HW-1"
    faults = [
        (clause, f"hands[{seat}]", f"{len(hand)} cards instead of {HAND_SIZE[game]}")
        for seat, hand in enumerate(clean.get("hands", []))
        if len(hand) != HAND_SIZE[game]
    ]
    if "bottom" in clean and len(clean["bottom"]) != BOTTOM_SIZE[game]:
        faults.append((clause, "bottom", f"{len(clean['bottom'])} cards instead of {BOTTOM_SIZE[game]}"))
    return faults
