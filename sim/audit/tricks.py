"""The tricks of a record in which something is missing or malformed, read as far as that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..fault import Fault
from ..text import Text
from .read import Tricks
from .values import FACE_OF, FORM, card_fault, is_number, malformed

if TYPE_CHECKING:
    from ..games import Game


def careful_tricks(tricks: Any, game: Game, banker: int | None, faults: list[Fault]) -> Tricks | None:
    """What can be read of a record's tricks; what can't goes to ``faults``. None if there is nothing."""
    if not isinstance(tricks, list):
        faults.append(malformed("tricks", tricks, Text("a list of tricks", "各轮的列表")))
        return None
    if not tricks:
        faults.append(Fault.of(FORM, "there are no tricks", "没有任何一轮").at("tricks"))
        return None
    if len(tricks) > game.hand_size:
        size = game.hand_size
        faults.append(
            Fault.of(
                FORM, f"there are {len(tricks)} tricks, but a hand has {size} cards",
                f"共有 {len(tricks)} 轮，但一手牌只有 {size} 张",
            ).at("tricks")
        )  # fmt: skip
    reader = _Reader(game, banker, faults)
    for number, trick in enumerate(tricks[: game.hand_size]):
        reader.trick(number, trick)
    return reader.found


class _Reader:
    def __init__(self, game: Game, banker: int | None, faults: list[Fault]) -> None:
        self.game, self.banker, self.faults, self.found = game, banker, faults, Tricks()

    def trick(self, number: int, trick: Any) -> None:
        where, found, seats = f"tricks[{number}]", self.found, self.game.seats
        if not isinstance(trick, dict):
            self.faults.append(malformed(where, trick, Text("an object", "对象"), trick=number))
            trick = {"plays": []}
        leader = self.value(trick, "leader", where, number)
        found.leaders.append(leader)
        found.winners.append(self.value(trick, "winner", where, number))
        points = trick.get("points")
        if "points" in trick and not is_number(points):
            self.faults.append(malformed(f"{where}.points", points, Text("a number", "数"), trick=number))
            points = None
        elif "points" not in trick:
            found.lacking.add("tricks.points")
        found.points.append(points)
        plays = trick.get("plays")
        if not isinstance(plays, list):
            if "plays" in trick:
                due = Text("a list of plays", "出牌的列表")
                self.faults.append(malformed(f"{where}.plays", plays, due, trick=number))
            else:
                missing = Fault.of(FORM, f"{where} has no plays", f"{where} 没有 plays")
                self.faults.append(missing.at(where, trick=number))
            plays = []
        elif not plays and "plays" in trick:
            empty = Fault.of(FORM, f"{where} has no plays in it", f"{where} 的 plays 为空")
            self.faults.append(empty.at(f"{where}.plays", trick=number))
        if len(plays) > seats:
            self.faults.append(
                Fault.of(
                    "DWF-1" if seats == 3 else "HW-1", f"there are {len(plays)} plays in a trick of {seats} players",
                    f"{seats} 人的一轮中有 {len(plays)} 次出牌",
                ).at(f"{where}.plays", trick=number)
            )  # fmt: skip
            plays = plays[:seats]
        found.last = len(found.stream)
        found.stream.append(len(plays))
        order: list[int] = []
        first = self.first(plays, leader)
        for index, play in enumerate(plays):
            self.play(number, index, play, first, order)
        found.seats.append(order)
        if not order:
            found.plain = False

    def first(self, plays: list[Any], leader: int | None) -> int | None:
        """Who leads, for plays that do not say whose they are: as others in the trick have it, or the trick before."""
        seats, found = self.game.seats, self.found
        told = [
            (play["seat"] - k) % seats
            for k, play in enumerate(plays)
            if isinstance(play, dict) and type(play.get("seat")) is int
        ]
        if told:
            return int(max(told, key=told.count))
        if leader is not None:
            return leader
        return found.winners[-2] if len(found.winners) > 1 else self.banker

    def value(self, trick: dict[str, Any], key: str, where: str, number: int) -> int | None:
        """A seat of the trick, None if it is missing or none."""
        if key not in trick:
            self.found.lacking.add(f"tricks.{key}")
            return None
        seat: Any = trick[key]
        seats = self.game.seats
        if type(seat) is int and 0 <= seat < seats:
            return int(seat)
        due = Text(f"a seat from 0 to {seats - 1}", f"座位号 0 至 {seats - 1}")
        self.faults.append(malformed(f"{where}.{key}", seat, due, trick=number))
        return None

    def play(self, number: int, index: int, play: Any, first: int | None, order: list[int]) -> None:
        where, seats, found = f"tricks[{number}].plays[{index}]", self.game.seats, self.found
        due = ((first or 0) + index) % seats
        if not isinstance(play, dict):
            self.faults.append(malformed(where, play, Text("an object", "对象"), trick=number))
            play = {"seat": due}
            found.plain = False
        seat = self.value(play, "seat", where, number)
        if seat is None:
            seat = due
            if first is None:
                found.guessed.add(number)
        order.append(seat)
        cards = self.cards(play, "cards", where, number, seat)
        meant = self.cards(play, "attempt", where, number, seat) if "attempt" in play else []
        if number in found.guessed:
            cards = []
        if not cards:
            found.plain = False
            meant = []
        if "attempt" in play:
            found.failed[seat] += 1
        found.stream += [seat, len(cards), len(meant), *cards, *meant]

    def cards(self, play: dict[str, Any], key: str, where: str, number: int, seat: int) -> list[int]:
        """The cards of a play as faces; none if they can't be read."""
        place, value = f"{where}.{key}", play.get(key)
        at = {"trick": number, "seat": seat}
        if key not in play:
            fault = Fault.of(FORM, f"{where} has no {key}", f"{where} 没有 {key}").at(where, **at)
        elif not isinstance(value, list):
            fault = malformed(place, value, Text("a list of cards", "牌的列表"), **at)
        elif not value:
            fault = Fault.of(FORM, f"{place} holds no card", f"{place} 中没有牌").at(place, **at)
        elif len(value) > self.game.hand_size:
            size = self.game.hand_size
            fault = Fault.of(
                "COM-9", f"{len(value)} cards are played at once, but a hand has {size}",
                f"一次出了 {len(value)} 张，但一手牌只有 {size} 张",
            ).at(place, **at)  # fmt: skip
        else:
            wrong = [
                (i, card) for i, card in enumerate(value) if not isinstance(card, str) or card not in FACE_OF
            ]
            if not wrong:
                return [FACE_OF[card] for card in value]
            fault = card_fault(f"{place}[{wrong[0][0]}]", wrong[0][1], **at)
        self.faults.append(fault)
        return []
