"""Game records from anywhere, read into plain values: what is there, what is missing, what is malformed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..fault import Fault
from ..games import GAMES, Game
from ..record import FORMAT
from ..text import Text, one_of
from .ruling import Ruling, ruling_of
from .values import FACE_OF, FORM, KINDS, NONE, OPTIONAL, is_number, malformed, why_malformed

BY_NAME: dict[Any, Game] = {game.name: game for game in GAMES}


@dataclass(slots=True)
class Tricks:
    """The tricks of a record: ``stream`` for ``kernels.audit``, and lists with an entry a trick; None where nothing is
    told, or nothing that can be read."""

    stream: list[int] = field(default_factory=list)
    seats: list[list[int]] = field(default_factory=list)
    leaders: list[int | None] = field(default_factory=list)
    winners: list[int | None] = field(default_factory=list)
    points: list[Any] = field(default_factory=list)
    failed: list[int] = field(default_factory=lambda: [0] * 5)  # attempts, a seat
    plain: bool = True  # every seat and card could be read
    guessed: set[int] = field(default_factory=set)  # tricks of which nobody knows who led
    lacking: set[str] = field(default_factory=set)  # keys that some trick or play lacks
    last: int = 0  # where the last trick begins in the stream
    packed: Any = None  # the stream as an array, where that is at hand


@dataclass(slots=True)
class Reading:
    """A record: its sound values by key, cards as faces."""

    game: Game
    ruling: Ruling
    values: dict[str, Any]
    faults: list[Fault]
    missing: list[str]
    tricks: Tricks | None = None
    cards: Any = None  # hands, bottom and buried as ``kernels.audit`` takes them, where that is at hand


def read(record: Any) -> Reading | Fault:
    """A record's values; a fault instead if it can't be a record of either game."""
    if not isinstance(record, dict):
        return malformed("record", record, Text("an object", "对象"))
    game = BY_NAME.get(record.get("game")) if isinstance(record.get("game"), str) else None
    if game is None:
        names = Text(one_of([f'"{g.name}"' for g in GAMES]), one_of([f' "{g.name}"' for g in GAMES], "zh"))
        if "game" not in record:
            return Fault.of(
                FORM, f"the record does not say which game it is of; game must be {names.en}",
                f"记录没有说明是哪种游戏；game 应为{names.zh}",
            ).at("game")  # fmt: skip
        return malformed("game", record["game"], names)
    faults: list[Fault] = []
    missing: list[str] = []
    if record.get("format", FORMAT) != FORMAT:
        faults.append(malformed("format", record["format"], Text(f'"{FORMAT}"', f' "{FORMAT}"')))
    ruling = ruling_of(game, record)
    faults += ruling.faults
    if "rules" not in record:
        missing.append("rules")
    missing += [f"rules.{name}" for name in ruling.unknown]
    values: dict[str, Any] = {}
    for key, (take, due) in KINDS[game.name].keys.items():
        if key not in record:
            if key not in OPTIONAL:
                missing.append(key)
            continue
        value = take(record[key])
        if value is NONE:
            faults.append(why_malformed(key, record[key], due))
        else:
            values[key] = value
    reading = Reading(game, ruling, values, faults, missing)
    if "tricks" not in record:
        missing.append("tricks")
    else:
        found = fast_tricks(record["tricks"], game)
        if found is None:
            from .tricks import careful_tricks

            found = careful_tricks(record["tricks"], game, values.get("banker"), faults)
        reading.tricks = found
        if found is not None:
            missing += sorted(found.lacking)
    return reading


def fast_tricks(tricks: Any, game: Game) -> Tricks | None:
    """The tricks of a record in which nothing is missing or malformed; None for any other."""
    if type(tricks) is not list or not 1 <= len(tricks) <= game.hand_size:
        return None
    seats, most = game.seats, game.hand_size
    found = Tricks()
    stream, failed = found.stream, found.failed
    try:
        for trick in tricks:
            plays = trick["plays"]
            if type(plays) is not list or not 1 <= len(plays) <= seats:
                return None
            found.last = len(stream)
            stream.append(len(plays))
            order = []
            for play in plays:
                cards, seat = play["cards"], play["seat"]
                faces = [FACE_OF[card] for card in cards]
                n = len(faces)
                if type(cards) is not list or type(seat) is not int or not 0 < n <= most:
                    return None
                if not 0 <= seat < seats:
                    return None
                order.append(seat)
                if "attempt" in play:
                    cards = play["attempt"]
                    meant = [FACE_OF[card] for card in cards]
                    if type(cards) is not list or not 0 < len(meant) <= most:
                        return None
                    stream += (seat, n, len(meant), *faces, *meant)
                    failed[seat] += 1
                else:
                    stream += (seat, n, 0)
                    stream += faces
            leader, winner, points = trick["leader"], trick["winner"], trick["points"]
            if type(leader) is not int or type(winner) is not int or not is_number(points):
                return None
            if not (0 <= leader < seats and 0 <= winner < seats):
                return None
            found.seats.append(order)
            found.leaders.append(leader)
            found.winners.append(winner)
            found.points.append(points)
    except (KeyError, TypeError):
        return None
    return found
