"""The scoring of a record: every number and verdict compared with what it must be.

Each value follows from others. It may follow from what the record itself says of these, or from what they should have
been: so a number that is wrong is one fault, and those made of it are judged by what they were made of.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import scoring
from ..text import Text
from . import sentences as text
from .deal import can_be_named
from .due import dug, worth
from .play import DECKS, last_plays, plays_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..fault import Fault
    from .play import Course
    from .read import Reading

#: How values are called in a sentence.
NAMES = {
    "base": Text("the base value", "基础分"),
    "solo": Text("solo", "独打"),
    "partner": Text("the partner", "伴家"),
    "partner_trick": Text("the trick in which the partner showed (from 0)", "伴家亮明的轮次（从 0 起）"),
    "direct": Text("direct", "直搭"),
    "captured": Text("the points captured by the defenders", "闲家捡分"),
    "bottom_points": Text("the points buried", "底牌分"),
    "bottom_multiplier": Text("the bottom's multiplier", "抠底倍数"),
    "defender_points": Text("the defenders' points", "闲家总分"),
    "grade": Text("the grade", "等级"),
    "result": Text("the result", "结果"),
    "shutout": Text("shutout", "大光"),
    "penalties": Text("the penalties", "罚分"),
    "payoffs": Text("the payoffs", "输赢"),
}


class Scorer:
    """Goes through the values in the order in which they follow from one another."""

    def __init__(
        self,
        reading: Reading,
        course: Course | None,
        *,
        believed: bool,
        sound: bool,
        faults: Iterable[Fault] = (),
    ) -> None:
        """``believed``: the hands are a deal; ``sound``: nothing is wrong with what was buried or played; ``faults``:
        those found so far."""
        self.doubtful = {fault.where for fault in faults}
        self.reading, self.course = reading, course
        self.believed, self.sound = believed, sound
        self.values, self.game = reading.values, reading.game
        self.options = reading.ruling.rules.values
        self.due: dict[str, Any] = {}
        self.faults: list[Fault] = []

    # --- the way values follow from others

    def told(self, key: str) -> Any:
        """What the record says, else what should be."""
        return self.values.get(key, self.due.get(key))

    def settle(self, key: str, clause: str, ways: list[Callable[[], Any]]) -> bool:
        """Work a value out in several ways (None: can't be told); a fault if the record has none of these results."""
        found = [value for value in (way() for way in ways) if value is not None]
        if found:
            self.due[key] = found[0]
        if key not in self.values or not found:
            return True
        value = self.values[key]
        if any(value == one for one in found):
            return True
        self.faults.append(text.instead(clause, NAMES[key], value, found[0]).at(key))
        return False

    def both(self, function: Callable[..., Any], *keys: str) -> list[Callable[[], Any]]:
        """A value as it follows from what others should be, and from what the record says of them."""

        def way(take: Callable[[str], Any]) -> Callable[[], Any]:
            def result() -> Any:
                given = [take(key) for key in keys]
                return None if None in given else function(*given)

            return result

        return [way(lambda key: self.due.get(key, self.values.get(key))), way(self.told)]

    # --- parts that both games share

    def by_trick(self, side: set[int]) -> list[Callable[[], Any]]:
        """The points in tricks that nobody of ``side`` won, as they should be and as the record has them."""
        course, tricks = self.course, self.reading.tricks
        if course is None or tricks is None or not course.ends:
            return []

        def mended() -> Any:
            """What is beyond doubt, else what the record says."""
            total = 0
            for k, winner in enumerate(course.winners):
                sure = course.sure[k]
                who = winner if sure else tricks.winners[k]
                worth = course.points[k] if sure else tricks.points[k]
                if who is None or worth is None:
                    return None
                total += worth if who not in side else 0
            return total

        def told() -> Any:
            if None in tricks.winners or None in tricks.points:
                return None
            pairs = zip(tricks.winners, tricks.points, strict=True)
            return sum(points for seat, points in pairs if seat not in side)

        return [mended] if self.sound and tricks.winners == course.winners else [mended, told]

    def buried(self) -> list[Callable[[], Any]]:
        """The points among the cards buried; where that is in doubt, among those nobody plays."""
        ways: list[Callable[[], Any]] = []
        cards = self.values.get("buried")
        if cards is not None:
            ways.append(lambda: worth(self.options, cards))
        course, tricks = self.course, self.reading.tricks
        if course is None or tricks is None or not (course.ends and tricks.plain):
            return ways
        if cards is None or not self.sound:
            rest = Counter(DECKS[self.game.name])
            for plays in plays_of(tricks):
                for _, played, _ in plays:
                    rest.subtract(played)
            if min(rest.values()) >= 0:
                ways.append(lambda: worth(self.options, [*rest.elements()]))
        return ways

    def last_winners(self) -> list[int]:
        """Who won the last trick: as it should be, and as the record has it."""
        course, tricks = self.course, self.reading.tricks
        if course is None or tricks is None or not course.ends:
            return []
        found = [course.winners[-1]] if course.sure[-1] else []
        able = {seat for seat, cards, _ in last_plays(tricks) if cards}
        return [*dict.fromkeys([*found, *(seat for seat in tricks.winners[-1:] if seat in able)])]

    def multiplier(self, clause: str, *times: Callable[[int], int]) -> None:
        """The bottom's multiplier; 0 for a bottom without points will do as well."""
        if self.values.get("bottom_multiplier") == 0 and self.told("bottom_points") == 0:
            self.due["bottom_multiplier"] = 0
            return
        found = [one(seat) for one in times for seat in self.last_winners()]
        ways: list[Callable[[], Any]] = [partial(int, value) for value in found]
        self.settle("bottom_multiplier", clause, ways)

    def total(self, clause: str) -> None:
        """The defenders' points."""
        keys = ("captured", "bottom_points", "bottom_multiplier")
        self.settle("defender_points", clause, self.both(lambda c, b, m: c + b * m, *keys))

    def sum_to_zero(self, key: str, clause: str) -> None:
        """What can't be worked out must at least sum to 0."""
        if key in self.due or key not in self.values:
            return
        total = sum(self.values[key])
        if total != 0:
            self.faults.append(text.instead(clause, _SUMS[key], total, 0).at(key))

    # --- die-wu-fen

    def die_wu_fen(self) -> list[Fault]:
        """DWF-8, DWF-14 to DWF-18."""
        course, options, values = self.course, self.options, self.values
        banker = course.banker if course is not None else values.get("banker")
        bids = [bid for _, bid in values.get("bids", []) if bid is not None]
        if bids:
            self.due["bid"] = max(bids)
        sound = self.settle("base", "DWF-8", self.both(lambda bid: scoring.base_value(options, bid), "bid"))
        if banker is not None:
            self.settle("captured", "DWF-14", self.by_trick({banker}))
        self.settle("bottom_points", "DWF-15", self.buried())
        self.multiplier("DWF-15", self._dug)
        self.total("DWF-15")
        if sound or bids:  # else it may as well be the bid that is wrong
            for at, key in enumerate(("result", "shutout")):

                def verdict(bid: int, total: float, at: int = at) -> Any:
                    return scoring.outcome(options, bid, total)[at]

                self.settle(key, "DWF-16", self.both(verdict, "bid", "defender_points"))
        if banker is not None:
            self._penalties(banker)
            keys = ("base", "result", "shutout", "penalties")
            pays = self.both(lambda *given: scoring.payoffs(options, banker, *given), *keys)
            self.settle("payoffs", "DWF-17", pays)
        self.sum_to_zero("penalties", "DWF-18")
        self.sum_to_zero("payoffs", "DWF-17")
        return self.faults

    def _dug(self, seat: int) -> int:
        """DWF-15."""
        assert self.course is not None
        assert self.reading.tricks is not None
        if seat == self.course.banker:
            return 0
        lay = self.reading.ruling.lays[self.course.trump]
        return dug(self.options, lay, self.reading.tricks, seat)

    def _penalties(self, banker: int) -> None:
        """DWF-18. Where a throw is faulty itself nobody can say what was due."""
        course, tricks = self.course, self.reading.tricks
        if course is None or tricks is None or not course.ends or course.throws_doubtful:
            return
        failed = tricks.failed[: self.game.seats]
        ways = self.both(lambda base: scoring.penalties(self.options, banker, failed, base), "base")
        self.settle("penalties", "DWF-18", ways)

    # --- hong-wu-wu-jia

    def hong_wu_wu_jia(self) -> list[Fault]:
        """HW-7, HW-8, HW-10, HW-12 to HW-16. Here -1 is no partner, and no trick."""
        course, options = self.course, self.options
        banker = course.banker if course is not None else self.values.get("banker")
        self.values = {
            key: -1 if value is None and key.startswith("partner") else value
            for key, value in self.values.items()
        }
        self._partner(banker)
        mine: tuple[Any, Any] = (self.told("partner"), self.told("solo"))
        right: tuple[Any, Any] = (self.due.get("partner", mine[0]), self.due.get("solo", mine[1]))
        known = banker is not None and None not in mine
        if banker is not None and known:
            sides = [{banker, partner} for partner, _ in dict.fromkeys((right, mine))]
            self.settle("captured", "HW-12", [way for side in sides for way in self.by_trick(side)])
        self.settle("bottom_points", "HW-12", self.buried())
        if banker is not None and known:
            times = [self._times(solo, {banker, partner}) for partner, solo in dict.fromkeys((right, mine))]
            self.multiplier("HW-12", *times)
        self.total("HW-12")
        grades = self.both(lambda total: scoring.grade(options, total), "defender_points")
        self.settle("grade", "HW-13", grades)
        if banker is not None and known and "reveal" in self.values:
            pressed = self.values["reveal"] is None and not self.values.get("contract")
            ways: list[Callable[[], Any]] = []
            for one in (pressed, not pressed) if "reveal" in self.doubtful else (pressed,):

                def shares(mark: float, direct: bool, partner: int, pressed: bool = one) -> list[float]:
                    who = None if partner < 0 else partner
                    return scoring.shares(options, banker, who, mark, pressed=pressed, direct=direct)

                ways += self.both(shares, "grade", "direct", "partner")
            self.settle("payoffs", "HW-15" if right[1] else "HW-14", ways)
        self.sum_to_zero("payoffs", "HW-16")
        return self.faults

    def _times(self, solo: bool, side: set[int]) -> Callable[[int], int]:
        """HW-12: how often the bottom counts, by who won the last trick."""
        times: Any = self.options["solo_bottom_multiplier" if solo else "bottom_multiplier"]
        return lambda seat: 0 if seat in side else times

    def _partner(self, banker: int | None) -> None:
        """HW-7, HW-8, HW-10. After a faulty play the record's own word is taken for what hangs on it."""
        course, values = self.course, self.values
        named = values.get("named")
        if named is None or banker is None or not can_be_named(named):
            return
        sound = True
        if self.believed and "bottom" in values:
            copies = (values["hands"][banker] + values["bottom"]).count(named)
            sound = self.settle("solo", "HW-8", [lambda: copies == self.game.packs])
        if course is None or not course.ends:
            return
        last = max(values.get("partner_trick", -1), course.partner_trick)
        if course.first_fault is not None and course.first_fault <= (99 if last < 0 else last):
            return
        self.due.setdefault("solo", course.partner < 0)
        due = {"partner": course.partner, "partner_trick": course.partner_trick, "direct": course.direct}
        self.due.update((key, value) for key, value in due.items() if value is not None)
        clauses = {"partner": "HW-7", "partner_trick": "HW-7", "direct": "HW-10"}
        for key, value in due.items():  # one of these is wrong: what hangs on it is too
            if sound and key in values and value is not None and values[key] != value:
                self.faults.append(text.instead(clauses[key], NAMES[key], values[key], value).at(key))
                return


_SUMS = {
    "penalties": Text("the sum of the penalties", "罚分之和"),
    "payoffs": Text("the sum of the payoffs", "输赢之和"),
}
