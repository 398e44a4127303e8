"""From what the kernel found to the faults of the play, trick by trick."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...kernels import audit as kernel
from ...kernels import legal
from ..reasons import several_suits, why, wrong_number
from ..table import size, table_of
from . import sentences as text
from .play import plays_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..fault import Fault
    from ..table import Words
    from .play import Course, Play
    from .read import Reading

#: Codes that are faults whatever else may be wrong in a trick.
_BY_THEMSELVES = {legal.NOT_HELD, kernel.COPIES, kernel.SUITS}


class Walk:
    """From what the kernel found to the faults of the play."""

    def __init__(self, reading: Reading, course: Course) -> None:
        assert reading.tricks is not None
        self.reading, self.course, self.tricks = reading, course, reading.tricks
        self.game = reading.game
        self.table = table_of(reading.ruling.rules, course.trump)
        self.plays = list(plays_of(self.tricks))
        self.faults: list[Fault] = []
        self.turn_clause = "DWF-1" if self.game.seats == 3 else "HW-1"

    def run(self) -> list[Fault]:
        """Every fault of the play, in the order in which they were made."""
        by_trick: dict[int, list[Any]] = {}
        for row in self.course.rows if self.course.rows is not None else []:
            by_trick.setdefault(int(row[kernel.F_TRICK]), []).append(row)
        lost = False  # a trick seems to be missing, and with it what the hands hold
        for number, plays in enumerate(self.plays):
            sound, wrong = self._turns(number)
            lost = lost or not (sound or self.course.ends)
            if wrong or len(plays) < self.game.seats:
                self.course.throws_doubtful = True
            astray = {plays[k][0] for k in wrong}
            for row in by_trick.get(number, []):
                code, seat = int(row[kernel.F_CODE]), plays[int(row[kernel.F_PLAY])][0]
                if seat in astray or ((wrong or lost) and code not in _BY_THEMSELVES):
                    continue
                self._play(number, plays, row)
                if self.course.first_fault is None:
                    self.course.first_fault = number
            if not wrong and self.course.sure[number]:
                self._outcome(number, plays)
        self._end()
        return self.faults

    def add(self, fault: Fault, where: str, number: int, seat: int | None = None) -> None:
        self.faults.append(fault.at(where, trick=number, seat=seat))

    def _due_leaders(self, number: int) -> list[int]:
        """DWF-7, HW-11, COM-18: who leads; the last one rather. A winner that is in doubt allows for both."""
        course, tricks = self.course, self.tricks
        if number == 0:
            return [] if course.banker is None else [course.banker]
        found = [tricks.winners[number - 1], course.winners[number - 1]]
        return [seat for seat in found if seat is not None and seat >= 0]

    def _turns(self, number: int) -> tuple[bool, set[int]]:
        """Who leads, and that everybody plays once, in turn (DWF-1, HW-1): (whether the leader is right, the plays that
        are out of turn)."""
        seats, order, leader = self.game.seats, self.tricks.seats[number], self.tricks.leaders[number]
        due = self._due_leaders(number)
        where = f"tricks[{number}]"
        clause = "COM-18" if number else "DWF-7" if seats == 3 else "HW-11"
        # Whoever makes sense of most plays led the trick, should the record contradict itself.
        known = [*due[::-1], *order[:1], *([] if leader is None else [leader])]
        if not known:
            return True, set()
        first = max(known, key=lambda seat: len(_in_turn(order, seat, seats)))
        if number in self.tricks.guessed:
            return True, {*range(len(order))}
        sound = not due or first in due
        if not sound:
            self.add(text.wrong_leader(clause, first, due[-1]), f"{where}.leader", number, first)
        elif leader is not None and leader != first:
            if due:
                self.add(text.wrong_leader(clause, leader, due[-1]), f"{where}.leader", number, leader)
            else:
                self.add(
                    text.other_leader(self.turn_clause, leader, first), f"{where}.leader", number, leader
                )
        right = _in_turn(order, first, seats)
        wrong = {*range(len(order))} - right
        if wrong:
            k = min(wrong)
            turn = (order[k - 1] + 1) % seats if k and k - 1 in right else (first + k) % seats
            fault = text.out_of_turn(self.turn_clause, order[k], turn)
            self.add(fault, f"{where}.plays[{k}].seat", number, order[k])
        elif order and len(order) < seats:
            fault = text.lacking_plays(self.turn_clause, len(order), seats)
            self.add(fault, f"{where}.plays", number)
            return sound, {0} if order[0] != first else set()
        return sound, wrong

    def _play(self, number: int, plays: list[Play], row: Any) -> None:
        """One play the kernel objects to."""
        index, code = int(row[kernel.F_PLAY]), int(row[kernel.F_CODE])
        seat, cards, meant = plays[index]
        where = f"tricks[{number}].plays[{index}]"
        at = kernel.F_HANDS + 3 * seat
        hand = _words(row[at : at + 3])
        table = self.table
        if code == kernel.COPIES:
            face, copies = Counter(meant or cards).most_common(1)[0]
            if copies <= self.game.packs:
                face, copies = Counter(cards).most_common(1)[0]
            fault = text.copies(face, copies, self.game.packs)
        elif code == kernel.SUITS:
            both = meant or cards
            mixed = both if len({table.suit_of(face) for face in both}) > 1 else [*cards, *meant]
            fault = several_suits(table, mixed)
        elif code in (legal.NOT_HELD, kernel.MEANT_NOT_HELD):
            shown = meant if code == kernel.MEANT_NOT_HELD else cards
            lacking = list((Counter(shown) - Counter(table.faces(hand))).elements())
            fault = self._not_held(number, seat, lacking)
        elif code in (kernel.THROW_FAILS, kernel.OTHER_PART):
            due = table.faces(_words(row[kernel.F_DUE : kernel.F_DUE + 3]))
            holder = self._beater(row, seat, due)
            if code == kernel.THROW_FAILS:
                fault = text.throw_fails(table.sort(cards), due, holder)
            else:
                fault = text.other_part(table.sort(meant), due, table.sort(cards), holder)
        elif code == kernel.THROW_STANDS:
            fault = text.throw_stands(table.sort(meant), len(table.lead(meant).components))
        elif code == kernel.FOLLOWER_THROWS:
            fault = text.follower_throws()
        elif code == legal.NUMBER:
            fault = wrong_number(len(plays[0][1]), len(cards))
        else:
            named = self.reading.values.get("named")
            fault = why(table, code, hand, table.lead(plays[0][1]), table.words(cards), named)
        self.add(fault, where, number, seat)

    def _not_held(self, number: int, seat: int, lacking: list[int]) -> Fault:
        """COM-9, and what became of the cards: played before, or buried."""
        reading = self.reading
        face = lacking[0]
        before = [
            trick
            for trick in range(number)
            for who, cards, _ in self.plays[trick]
            if who == seat and face in cards
        ]
        buried = seat == self.course.banker and face in reading.values.get("buried", [])
        return text.not_held(self.table.sort(lacking), face, before, buried)

    def _beater(self, row: Any, leader: int, due: list[int]) -> tuple[int, list[int]] | None:
        """Who beats a component of a throw, and with which cards."""
        table = self.table
        lead = table.lead(due)
        (part,) = lead.components
        for step in range(1, self.game.seats):
            seat = (leader + step) % self.game.seats
            at = kernel.F_HANDS + 3 * seat
            held = table.of_suit(_words(row[at : at + 3]), lead.suit)
            top = table.top_against(lead, held) if size(held) >= len(due) else -1
            if top <= part.top:
                continue
            if part.name == "tractor":
                better = [
                    p for p in table.lead_of(held).components if p.kind == part.kind and p.top > part.top
                ]
                return seat, table.faces(better[0].words) if better else []
            copies = Counter(table.faces(held))
            return seat, next(
                [face] * len(due)
                for face, n in copies.items()
                if n >= len(due) and table.level_of(face) == top
            )
        return None

    def _outcome(self, number: int, plays: list[Play]) -> None:
        """COM-15 to COM-18 and COM-2: who wins the trick, and what it is worth."""
        course, tricks = self.course, self.tricks
        winner, points = course.winners[number], course.points[number]
        told, counted = tricks.winners[number], tricks.points[number]
        if told is not None and told != winner:
            cards = next(cards for seat, cards, _ in plays if seat == winner)
            clause = "COM-17" if course.ruffed[number] else "COM-16"
            fault = text.wrong_winner(clause, winner, self.table.sort(cards), told)
            self.add(fault, f"tricks[{number}].winner", number, told)
        if counted is not None and counted != points:
            fault = text.wrong_points(points, counted)
            self.add(fault, f"tricks[{number}].points", number)

    def _end(self) -> None:
        """DWF-1, HW-1: all cards are played, and no more."""
        course, whole = self.course, self.game.hand_size
        if course.ends or not self.tricks.plain:
            return
        most = max(course.played)
        if most < whole:
            self.faults.append(text.unfinished(len(self.plays), whole - most).at("tricks"))
        elif not self.faults:
            self.faults.append(text.too_many(self.turn_clause, most, whole).at("tricks"))

    def unheld(self, believed: bool) -> list[Fault]:
        """Cards that nobody could play, where the record does not tell enough for the kernel to know the hands.

        COM-1: no face is played more often than there are packs. COM-9: a banker of whom nobody knows what it buried
        plays what it was dealt and the bottom.
        """
        values, banker = self.reading.values, self.course.banker
        found: list[Fault] = []
        if not (believed and "bottom" in values):
            seen = Counter(values.get("buried", []))
            for where, number, seat, cards in self._each():
                seen.update(cards)
                for face in {face for face in cards if seen[face] > self.game.packs}:
                    fault = text.copies(face, seen[face], self.game.packs)
                    found.append(fault.at(where, trick=number, seat=seat))
                    seen[face] -= 100  # said once
        elif "buried" not in values and banker is not None:
            left = Counter(values["hands"][banker] + values["bottom"])
            for where, number, seat, cards in self._each():
                if seat == banker:
                    lacking = [*(Counter(cards) - left).elements()]
                    left.subtract(cards)
                    if lacking:
                        fault = self._not_held(number, seat, lacking)
                        return [fault.at(where, trick=number, seat=seat)]
        return found

    def _each(self) -> Iterator[tuple[str, int, int, list[int]]]:
        """Every play: its place, trick, seat and cards."""
        for number, plays in enumerate(self.plays):
            for index, (seat, cards, _) in enumerate(plays):
                yield f"tricks[{number}].plays[{index}]", number, seat, cards


def _in_turn(order: list[int], first: int, seats: int) -> set[int]:
    """Which plays are in turn when a seat leads. Where a play is missing, those after it may be."""
    turns = [(first + k) % seats for k in range(seats)]
    if len(order) < seats:
        return {*range(len(order))} if [seat for seat in turns if seat in order] == order else set()
    return {k for k, seat in enumerate(order) if seat == turns[k]}


def _words(values: Any) -> Words:
    return int(values[0]), int(values[1]), int(values[2])
