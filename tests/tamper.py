"""Falsifying one fact of a sound record, in every way there is."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from naive import DWF, FACES, effective_suit

Record = dict[str, Any]


class Tampered(NamedTuple):
    """A falsified record: in which way, and the trick in which it was done, None if it was in none."""

    kind: str
    record: Record
    trick: int | None


def tampered(record: Record, rng: random.Random, kind: str | None = None) -> Tampered:
    """A copy of a record with one fact falsified; it may be sound all the same (two equal cards exchanged)."""
    game = record["game"]
    kinds = WAYS[game]
    kind = kind or rng.choice(sorted(kinds))
    bad = copy.deepcopy(record)
    trick = kinds[kind](bad, rng)
    return Tampered(kind, bad, trick)


def _other(values: list[Any], value: Any, rng: random.Random) -> Any:
    return rng.choice([one for one in values if one != value])


def _seats(record: Record) -> list[int]:
    return [*range(len(record["hands"]))]


def _shift(number: Any, rng: random.Random) -> Any:
    return number + rng.choice([-10, -5, -1, 1, 5, 10])


# --- one value


def _value(key: str) -> Callable[[Record, random.Random], None]:
    def change(record: Record, rng: random.Random) -> None:
        value = record[key]
        if isinstance(value, bool):
            record[key] = not value
        elif key in ("banker", "previous_banker"):
            record[key] = _other(_seats(record), value, rng)
        elif key == "partner":
            record[key] = _other([None, *_seats(record)], value, rng)
        elif key == "partner_trick":
            record[key] = _other([None, *range(len(record["tricks"]))], value, rng)
        elif key == "trump":
            record[key] = _other([*"shcd"], value, rng)
        elif key == "result":
            record[key] = "made" if value == "broken" else "broken"
        elif key == "named":
            record[key] = _other([*(r + s for r in "AK" for s in "shcd"), "5h", "BJ", "Qs"], value, rng)
        elif key == "game":
            record[key] = rng.choice(["bridge", None, 3])
        elif key == "format":
            record[key] = "tuolaji-record/2"
        elif isinstance(value, list):
            at, to = rng.sample(range(len(value)), 2)
            by = rng.choice([1, 2, 6])
            value[at] += by
            value[to] -= by if rng.random() < 0.8 else 0
        else:
            record[key] = _shift(value, rng)

    return change


# --- cards


def _card(key: str) -> Callable[[Record, random.Random], None]:
    def change(record: Record, rng: random.Random) -> None:
        cards = rng.choice(record[key]) if key == "hands" else record[key]
        at = rng.randrange(len(cards))
        cards[at] = _other([*FACES], cards[at], rng)

    return change


def _drop_card(record: Record, rng: random.Random) -> None:
    cards = rng.choice([*record["hands"], record["bottom"], record["buried"]])
    cards.pop(rng.randrange(len(cards)))


def _exchange(record: Record, rng: random.Random) -> None:
    """Two hands exchange a card: still a deal, but not the one that was played."""
    one, two = rng.sample(record["hands"], 2)
    i, j = rng.randrange(len(one)), rng.randrange(len(two))
    one[i], two[j] = two[j], one[i]


def _no_card(record: Record, rng: random.Random) -> None:
    cards = rng.choice([*record["hands"], record["bottom"], record["buried"]])
    cards[rng.randrange(len(cards))] = rng.choice(["Zz", "10h", "as", "", None, 7, ["As"], "A♠"])


def _type(record: Record, rng: random.Random) -> None:
    keys = [key for key in record if key not in ("seed", "deal", "contract")]
    key = rng.choice(keys)
    junk = [True, "x", [], {}, 0.5, [[]], -1, {"seat": 0}]
    record[key] = rng.choice(
        [one for one in junk if one != record[key] or type(one) is not type(record[key])]
    )


# --- plays


def _trick(record: Record, rng: random.Random) -> tuple[int, dict[str, Any]]:
    number = rng.randrange(len(record["tricks"]))
    return number, record["tricks"][number]


def _foreign(record: Record, rng: random.Random) -> int:
    """A card becomes one that the player does not have."""
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"])
    had = {*record["hands"][play["seat"]], *record["bottom"]}
    at = rng.randrange(len(play["cards"]))
    play["cards"][at] = rng.choice([face for face in FACES if face not in had])
    return number


def _any_card(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"])
    at = rng.randrange(len(play["cards"]))
    play["cards"][at] = _other([*FACES], play["cards"][at], rng)
    return number


def _later_card(record: Record, rng: random.Random) -> int | None:
    """A follower plays a card of another suit that it keeps for later: a revoke, if the suit was there."""
    numbers = [*range(len(record["tricks"]) - 1)]
    rng.shuffle(numbers)
    game, trump = record["game"], record["trump"]
    for number in numbers:
        plays = record["tricks"][number]["plays"]
        led = effective_suit(game, trump, plays[0]["cards"][0])
        for play in rng.sample(plays[1:], len(plays) - 1):
            later = [
                card
                for entry in record["tricks"][number + 1 :]
                for one in entry["plays"]
                if one["seat"] == play["seat"]
                for card in one["cards"]
                if effective_suit(game, trump, card) != led
            ]
            mine = [i for i, card in enumerate(play["cards"]) if effective_suit(game, trump, card) == led]
            if later and mine:
                play["cards"][rng.choice(mine)] = rng.choice(later)
                return number
    return None


def _revoke(record: Record, rng: random.Random) -> int | None:
    """The same, and the card kept back is really played later: no card is false, only the order of play."""
    game, trump = record["game"], record["trump"]
    numbers = [*range(len(record["tricks"]) - 1)]
    rng.shuffle(numbers)
    for number in numbers:
        plays = record["tricks"][number]["plays"]
        led = effective_suit(game, trump, plays[0]["cards"][0])
        for play in plays[1:]:
            mine = [i for i, card in enumerate(play["cards"]) if effective_suit(game, trump, card) == led]
            if not mine:
                continue
            for entry in record["tricks"][number + 1 :]:
                for one in entry["plays"]:
                    if one["seat"] != play["seat"] or one is entry["plays"][0]:
                        continue
                    for j, card in enumerate(one["cards"]):
                        if effective_suit(game, trump, card) != led:
                            i = rng.choice(mine)
                            play["cards"][i], one["cards"][j] = card, play["cards"][i]
                            return number
    return None


def _number(record: Record, rng: random.Random) -> int:
    """A play of a card more or less."""
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"][1:])
    if len(play["cards"]) > 1 and rng.random() < 0.5:
        play["cards"].pop()
    else:
        play["cards"].append(rng.choice(FACES))
    return number


def _no_play_card(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"])
    play["cards"][rng.randrange(len(play["cards"]))] = rng.choice(["Zz", "10h", None, 7, ["As"]])
    return number


def _attempt(record: Record, rng: random.Random) -> int:
    """A failed throw invented, undone or changed."""
    throws = [k for k, entry in enumerate(record["tricks"]) if "attempt" in entry["plays"][0]]
    number = rng.choice(throws) if throws and rng.random() < 0.8 else rng.randrange(len(record["tricks"]))
    lead = record["tricks"][number]["plays"][0]
    if "attempt" not in lead:
        lead["attempt"] = [*lead["cards"], rng.choice(FACES)]
    elif rng.random() < 0.4:
        del lead["attempt"]
    elif rng.random() < 0.5:
        lead["cards"] = lead.pop("attempt")
    else:
        at = rng.randrange(len(lead["attempt"]))
        lead["attempt"][at] = _other([*FACES], lead["attempt"][at], rng)
    return number


def _follower_attempt(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"][1:])
    play["attempt"] = [*play["cards"], rng.choice(FACES)]
    return number


def _in_trick(key: str) -> Callable[[Record, random.Random], int]:
    def change(record: Record, rng: random.Random) -> int:
        number, entry = _trick(record, rng)
        if key == "points":
            entry[key] = _shift(entry[key], rng)
        else:
            entry[key] = _other(_seats(record), entry[key], rng)
        return number

    return change


def _seat(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    play = rng.choice(entry["plays"])
    play["seat"] = _other(_seats(record), play["seat"], rng)
    return number


def _order(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    i, j = rng.sample(range(len(entry["plays"])), 2)
    entry["plays"][i], entry["plays"][j] = entry["plays"][j], entry["plays"][i]
    return number


def _lost_play(record: Record, rng: random.Random) -> int:
    number, entry = _trick(record, rng)
    entry["plays"].pop(rng.randrange(len(entry["plays"])))
    return number


def _lost_trick(record: Record, rng: random.Random) -> None:
    record["tricks"].pop(rng.choice([-1, -1, rng.randrange(len(record["tricks"]))]))


# --- before the play


def _call(record: Record, rng: random.Random) -> None:
    call = rng.choice(record["calls"])
    what = rng.randrange(4)
    if what == 0:
        call["seat"] = _other(_seats(record), call["seat"], rng)
    elif what == 1:
        call["cards"] = _other(["3s", "3h", "3c", "3d", "4s"], call["cards"][0], rng).split() * len(
            call["cards"]
        )
    elif what == 2:
        call["after_card"] = rng.choice([0, 34, max(0, call["after_card"] - rng.randint(1, 9))])
    else:
        call["cards"] = call["cards"] + call["cards"] if rng.random() < 0.5 else call["cards"] * 3


def _calls(record: Record, rng: random.Random) -> None:
    if len(record["calls"]) == 2:
        record["calls"].pop(rng.randrange(2))
    else:
        record["calls"] *= rng.choice([0, 2])


def _bids(record: Record, rng: random.Random) -> None:
    bids = record["bids"]
    what = rng.randrange(4)
    at = rng.randrange(len(bids))
    if what == 0:
        bids[at]["seat"] = _other(_seats(record), bids[at]["seat"], rng)
    elif what == 1:
        bids[at]["bid"] = None if bids[at]["bid"] else rng.choice([110, 150, 200])
    elif what == 2 and bids[at]["bid"]:
        bids[at]["bid"] += rng.choice([-10, -5, 5, 10, 100])
    else:
        bids.pop(at)


def _reveal(record: Record, rng: random.Random) -> None:
    reveal = record["reveal"]
    if reveal is None:
        seat = rng.choice(_seats(record))
        record["reveal"] = {"seat": seat, "card": "2" + rng.choice("shcd"), "after_card": rng.randint(1, 31)}
        return
    what = rng.randrange(4)
    if what == 0:
        reveal["seat"] = _other(_seats(record), reveal["seat"], rng)
    elif what == 1:
        reveal["card"] = rng.choice(
            [card for card in ("2s", "2h", "2c", "2d", "Ah") if card != reveal["card"]]
        )
    elif what == 2:
        reveal["after_card"] = rng.choice([0, 32, max(0, reveal["after_card"] - rng.randint(1, 9))])
    else:
        record["reveal"] = None


_NUMBERS = ["captured", "bottom_points", "bottom_multiplier", "defender_points"]
_BOTH: dict[str, Callable[[Record, random.Random], int | None]] = {
    **{
        key: _value(key)
        for key in ["format", "game", "trump", "banker", *_NUMBERS, "payoffs"]
    },
    "hands": _card("hands"), "bottom": _card("bottom"), "buried": _card("buried"), "card lost": _drop_card,
    "cards exchanged": _exchange, "no card": _no_card, "type": _type, "foreign card": _foreign,
    "any card": _any_card, "card of later": _later_card, "revoke": _revoke, "number": _number,
    "no card in a play": _no_play_card, "attempt": _attempt, "attempt of a follower": _follower_attempt,
    "winner": _in_trick("winner"), "leader": _in_trick("leader"), "points": _in_trick("points"), "seat": _seat,
    "order": _order, "play lost": _lost_play, "trick lost": _lost_trick,
}  # fmt: skip
_DWF = {key: _value(key) for key in ["bid", "base", "result", "shutout", "penalties"]}
_DWF |= {"call": _call, "calls": _calls, "bids": _bids}
_HW = {
    key: _value(key)
    for key in ["previous_banker", "named", "partner", "partner_trick", "direct", "solo", "grade"]
}
_HW |= {"reveal": _reveal}
WAYS = {game: _BOTH | (_DWF if game == DWF else _HW) for game in ("die-wu-fen", "hong-wu-wu-jia")}
