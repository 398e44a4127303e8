"""The auditor: puts the parts of the judgement together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..fault import Fault
from ..games import GAMES
from ..records_file import parse_json
from . import sentences as text
from .deal import Deal, buried_fault, look_at, named_fault
from .due import due
from .fast import FastReader
from .play import Course, Player, dealt, is_plain
from .read import Reading, read
from .score import Scorer
from .values import NONE, is_int, with_whole_numbers
from .walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Auditor", "Report", "audit"]

_ORDERS = {
    game.name: [[(leader + k) % game.seats for k in range(game.seats)] for leader in range(game.seats)]
    for game in GAMES
}
#: So many plays and winners must be wrong before the trump suit is doubted.
_TRUMP_DOUBTED = 2


def audit(record: dict[str, Any]) -> list[Fault]:
    """Every fault of a record, in the order of the game; an empty list if nothing is wrong with what it tells.

    A fault has ``clause``, ``reason`` (``say("zh")`` in Chinese), ``deal``, ``trick`` (from 0), ``seat`` and ``where``,
    the key of the record. Never raises for anything a record may hold.
    """
    return Auditor().examine(record).faults


@dataclass(slots=True)
class Report:
    """The verdict on one record.

    ``unchecked``: keys it lacks, without which something could not be judged. ``due``: what the scoring must be, where
    the play is sound.
    """

    faults: list[Fault]
    unchecked: list[str] = field(default_factory=list)
    reading: Reading | None = None
    course: Course | None = None
    due: dict[str, Any] | None = None


class Auditor:
    """Judges one record after the other. Not to be shared by threads."""

    def __init__(self) -> None:
        self._player = Player()
        self._reader = FastReader()

    def examine(self, record: Any) -> Report:
        """The verdict on a record: any value that JSON can hold."""
        record = with_whole_numbers(record)
        reading = read(record)
        if isinstance(reading, Fault):
            return Report([_numbered(reading, record)])
        report = self._judge(reading)
        if report.faults:
            report.faults = _in_order([_numbered(fault, record) for fault in report.faults])
        return report

    def examine_line(self, line: bytes) -> Report:
        """The same for a record as JSON text; ``ValueError`` if it is none.

        What the report has besides faults lasts until the next line is read.
        """
        reading = self._reader.read(line)
        if reading is not None:
            report = self._judge(reading)
            if not report.faults:
                return report
        return self.examine(parse_json(line))

    def _judge(self, reading: Reading) -> Report:
        """The verdict, faults in no order."""
        deal = look_at(reading)
        faults = [*reading.faults, *deal.faults]
        report = Report(faults, reading.missing, reading)
        if not reading.ruling.faults:  # else nobody knows by which rules to judge the rest
            report.course, found = self._play(reading, deal)
            faults += found
            course, sound = report.course, not found and not reading.faults
            if course is not None and sound and course.ends and all(course.sure):
                report.due = due(reading, course)
            if report.due is None or any(
                reading.values.get(key, NONE) != one for key, one in report.due.items()
            ):
                scorer = Scorer(reading, report.course, believed=deal.believed, sound=sound, faults=faults)
                faults += (scorer.die_wu_fen if reading.game.seats == 3 else scorer.hong_wu_wu_jia)()
        return report

    def _play(self, reading: Reading, deal: Deal) -> tuple[Course | None, list[Fault]]:
        """The burying, the naming and the play, by whichever banker and trump suit leave least to object to."""
        if reading.tricks is None or not deal.trumps:
            banker = deal.bankers[0]
            few = (buried_fault(reading, banker, deal.believed), named_fault(reading, banker, deal.believed))
            return None, [fault for fault in few if fault]
        tried = [self._try(reading, deal, trump, banker) for trump in deal.trumps for banker in deal.bankers]
        objections, course, before = min(tried, key=lambda one: one[0])
        told, actual = reading.values.get("banker"), course.banker
        if told is not None and actual is not None and told != actual:
            if not any(fault.where == "banker" for fault in deal.faults):
                clause = "DWF-7" if reading.game.seats == 3 else "HW-11"
                before.append(text.wrong_leader(clause, actual, told).at("tricks[0].leader", trick=0))
        elif objections == 0 and is_plain(reading.tricks, course, _ORDERS[reading.game.name]):
            if deal.believed and {"bottom", "buried"} <= reading.values.keys():
                return course, before
            return course, [*before, *Walk(reading, course).unheld(deal.believed)]
        if objections + _surprises(reading, course) >= _TRUMP_DOUBTED and not deal.fixed:
            other = self._other_trump(reading, deal, course)
            if other is not None:
                return other[0], [*before, other[1]]
        walk = Walk(reading, course)
        return course, [*before, *walk.run(), *walk.unheld(deal.believed)]

    def _try(
        self, reading: Reading, deal: Deal, trump: int, banker: int | None
    ) -> tuple[int, Course, list[Fault]]:
        """How much there is to object to with this banker and trump suit, and what."""
        buried = buried_fault(reading, banker, deal.believed)
        named = named_fault(reading, banker, deal.believed)
        cards, known = dealt(reading, banker, believed=deal.believed)
        if buried and banker is not None:
            known &= ~(1 << banker)
        course = self._player.run(reading, trump, banker, cards, known, hides=True)
        partner = reading.values.get("partner", course.partner)
        if (
            course.codes and (-1 if partner is None else partner) != course.partner
        ):  # HW-9 hangs on the face named
            course = self._player.run(reading, trump, banker, cards, known, hides=False)
        before = [fault for fault in (buried, named) if fault]
        first = reading.tricks.seats[0][:1] if reading.tricks is not None else []
        return course.codes + len(before) + (first != [banker]), course, before

    def _other_trump(self, reading: Reading, deal: Deal, course: Course) -> tuple[Course, Fault] | None:
        """Another trump suit in which nothing is wrong with a play that is full of faults in the one given."""
        for trump in range(4):
            objections, tried, _ = self._try(reading, deal, trump, course.banker)
            if objections + _surprises(reading, tried) == 0:
                return tried, text.other_trump(course.trump, trump).at("trump")
        return None


def _surprises(reading: Reading, course: Course) -> int:
    """How many tricks were won by others than the record says."""
    assert reading.tricks is not None
    pairs = zip(reading.tricks.winners, course.winners, course.sure, strict=True)
    return sum(told is not None and sure and told != winner for told, winner, sure in pairs)


def _numbered(fault: Fault, record: Any) -> Fault:
    deal = record.get("deal") if isinstance(record, dict) else None
    return replace(fault, deal=deal) if is_int(deal) else fault


_STAGES = [
    "game",
    "format",
    "rules",
    "seed",
    "deal",
    "first_seat",
    "previous_banker",
    "redeals",
    "contract",
    "hands",
]
_STAGES += ["bottom", "calls", "reveal", "trump", "bids", "banker", "bid", "buried", "named", "tricks"]


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    """Faults in the order of the game: what comes before the play, the tricks, the scoring."""

    def place(fault: Fault) -> tuple[int, int]:
        key = fault.where.partition("[")[0].partition(".")[0]
        stage = _STAGES.index(key) if key in _STAGES else len(_STAGES)
        last = 99 if key == "tricks" else -1
        return stage, last if fault.trick is None else fault.trick

    return sorted(faults, key=place)
