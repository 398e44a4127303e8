"""Game records, judged and made into a dataset: `deals` rows of play that was not ours."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.layout import BIT_OF, SUIT_OF, TRUMP
from .audit import Auditor
from .audit.due import due
from .audit.play import plays_of
from .audit.values import FORM
from .columns import columns_of
from .errors import Interrupted, UsageError
from .fault import Fault
from .imported import ImportedPlan
from .records_file import lines, no_record
from .stopping import interrupt, stopped_by_user, undisturbed
from .writer import DatasetWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from .audit import Report
    from .audit.play import Course
    from .audit.read import Reading
    from .records_file import Line
    from .storage import Place

PIECE_ROWS = 50_000
_LARGEST = 32_767  # what the columns hold


@dataclass
class Imported:
    """What became of some records. ``complete``: the dataset is there."""

    records: int = 0
    faulty: int = 0
    complete: bool = False


def import_records(
    files: list[str],
    out: str | Place,
    *,
    skip_faulty: bool = False,
    faulty: Callable[[Line, Report], None] | None = None,
    report: Callable[[int], None] | None = None,
    command_line: str | None = None,
) -> Imported:
    """Write the deals of sound records into a new dataset ``out``, numbered from 0 in the order of the files.

    Faulty records, and those that lack what a row needs, go to ``faulty``; without ``skip_faulty`` one is enough for no
    dataset to be left. ``UsageError`` if files or folder can't be used, or if not all records are of one game and rule
    set. After an error nothing is left behind.
    """
    auditor, result = Auditor(), Imported()
    sink: _Sink | None = None
    sources: Counter[str] = Counter()
    try:
        with stopped_by_user(interrupt):
            for line in lines(files):
                try:
                    verdict = auditor.examine_line(line.text)
                except (ValueError, RecursionError) as error:
                    raise no_record(line, error) from None
                result.records += 1
                values = None if verdict.faults else _row(verdict)
                if values is None:
                    result.faulty += 1
                    if faulty:
                        faulty(line, verdict)
                elif result.faulty == 0 or skip_faulty:
                    assert verdict.reading is not None
                    if sink is None:
                        plan = ImportedPlan(verdict.reading.game, verdict.reading.ruling.rules, ())
                        sink = _Sink(DatasetWriter(out, plan, first=0, deals=0, command_line=command_line))
                    sink.check(verdict.reading, line)
                    sink.add(values)
                    sources[line.file] += 1
                if report and result.records % 1000 == 0:
                    report(result.records)
            if sink is not None and (result.faulty == 0 or skip_faulty):
                sink.finish([{"file": name, "deals": number} for name, number in sources.items()])
                result.complete = True
                sink = None
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was imported") from None
    finally:
        if sink is not None:
            with undisturbed():
                sink.undo()
    return result


class _Sink:
    """Gathers rows and writes them part by part."""

    def __init__(self, writer: DatasetWriter) -> None:
        self._writer = writer
        self._names = [c.name for c in columns_of(writer.plan.game.name) if c.name not in _PLACE]
        self._rows: list[list[int]] = []
        self._pieces: deque[dict[str, Any]] = deque()
        self._room = writer.part_rows
        self._parts = self._deals = 0

    def check(self, reading: Reading, line: Line) -> None:
        """Refuse a record of another game or rule set than the first."""
        plan = self._writer.plan
        if reading.game != plan.game:
            raise UsageError(
                f"{line.where()} is a record of {reading.game.name}, those before it of {plan.game.name}; a dataset "
                "holds one game, so import them apart"
            )
        if reading.ruling.rules is not plan.rules and reading.ruling.rules != plan.rules:
            mine, theirs = plan.rules.options(), reading.ruling.rules.options()
            name = next(name for name in mine if mine[name] != theirs[name])
            raise UsageError(
                f"{line.where()} was played by other rules than those before it: {name} is {theirs[name]}, not "
                f"{mine[name]}; a dataset holds one rule set, so import them apart"
            )

    def add(self, values: dict[str, int]) -> None:
        """Take a row."""
        self._rows.append([values[name] for name in self._names])
        self._deals += 1
        self._room -= 1
        if len(self._rows) == PIECE_ROWS or self._room == 0:
            self._gather()
        if self._room == 0:
            self._write()

    def finish(self, sources: list[dict[str, Any]]) -> None:
        """Write what is left; the dataset is complete."""
        self._gather()
        self._writer.manifest["sources"] = sources
        if self._pieces:
            self._write()
        self._writer.close()

    def undo(self) -> None:
        """Leave nothing behind."""
        for entry in self._writer.parts:
            self._writer.remove_part(entry)
        self._writer.parts.clear()
        self._writer.discard()

    def _gather(self) -> None:
        if self._rows:
            table = np.array(self._rows, np.int16).T
            self._pieces.append(dict(zip(self._names, table, strict=True)))
            self._rows = []

    def _write(self) -> None:
        self._writer.manifest["deals"] = self._deals
        self._writer.add_part(self._writer.write_part(self._parts, self._pieces))
        self._pieces, self._room = deque(), self._writer.part_rows
        self._parts += 1


_PLACE = ("deal", "session", "hand")


# --- one record as a row


def _row(verdict: Report) -> dict[str, int] | None:
    """The columns of a sound record; None, and a fault in the verdict, if it lacks something they need."""
    reading, course = verdict.reading, verdict.course
    assert reading is not None
    lacking = _complete(reading, course)
    scores = verdict.due
    if not lacking and course is not None and scores is None:
        scores = due(reading, course)
    if lacking or course is None or course.banker is None or scores is None:
        keys = ", ".join(lacking) or "what the scoring needs"
        verdict.faults.append(
            Fault.of(
                FORM,
                f"the record can't be a row of a dataset, for it does not tell {keys}",
                f"记录缺少 {keys}，不能成为数据集的一行",
            ).at(lacking[0] if lacking else "")
        )
        return None
    found = _common(reading, course, scores)
    found |= (_die_wu_fen if reading.game.seats == 3 else _hong_wu_wu_jia)(reading, course, scores)
    beyond = [name for name, value in found.items() if not -_LARGEST <= value <= _LARGEST]
    if beyond:
        verdict.faults.append(
            Fault.of(
                FORM,
                f"{beyond[0]} is {found[beyond[0]]}, more than a dataset holds",
                f"{beyond[0]} 为 {found[beyond[0]]}，超出数据集所能容纳",
            ).at(beyond[0])
        )
        return None
    return found


def _complete(reading: Reading, course: Course | None) -> list[str]:
    """Fill in what follows from the rest of a record; the keys that are still missing."""
    values = reading.values
    if reading.tricks is None or course is None:
        return [key for key in ("tricks", "trump") if key in reading.missing] or ["trump"]
    if "buried" not in values and {"hands", "bottom"} <= values.keys() and course.banker is not None:
        rest = Counter(values["hands"][course.banker] + values["bottom"])
        rest.subtract(_played(reading, course.banker))
        values["buried"] = [*rest.elements()]
    made = [bid for _, bid in values.get("bids", []) if bid is not None]
    if "bid" not in values and made:
        values["bid"] = max(made)
    needed = ["banker"] if course.banker is None else []
    needed += ["buried", "bid"] if reading.game.seats == 3 else ["buried", "named", "reveal"]
    return [key for key in needed if key not in values]


def _played(reading: Reading, seat: int) -> list[int]:
    """All cards a seat plays."""
    assert reading.tricks is not None
    return [
        face for plays in plays_of(reading.tricks) for who, cards, _ in plays if who == seat for face in cards
    ]


def _common(reading: Reading, course: Course, scores: dict[str, Any]) -> dict[str, int]:
    values, tricks, banker = reading.values, reading.tricks, course.banker
    assert tricks is not None
    assert banker is not None
    if {"hands", "bottom"} <= values.keys():
        held = Counter(values["hands"][banker] + values["bottom"])
    else:
        held = Counter(_played(reading, banker) + values["buried"])
    lay = reading.ruling.lays[course.trump]
    trumps = [face for face in held if lay[SUIT_OF + lay[BIT_OF + face]] == TRUMP]
    found = {
        "first_seat": values.get("first_seat", -1),
        "trump": course.trump,
        "banker": banker,
        "banker_trumps": sum(held[face] for face in trumps),
        "banker_trump_pairs": sum(held[face] >= 2 for face in trumps),
        "throws": course.throws,
        "failed_throws": sum(tricks.failed),
        "tricks": len(tricks.seats),
        "last_winner": course.winners[-1],
        **{key: int(scores[key]) for key in _SCORES},
        **{f"payoff_{seat}": int(share) for seat, share in enumerate(scores["payoffs"])},
    }
    if reading.game.seats == 5:
        found["named_held"] = held[values["named"]]
    return found


_SCORES = ("bottom_points", "bottom_multiplier", "captured", "defender_points")


def _die_wu_fen(reading: Reading, _course: Course, scores: dict[str, Any]) -> dict[str, int]:
    """What a record without calls or bids leaves open is as with a fixed contract."""
    values = reading.values
    calls = values.get("calls") or [(-1, [], 0)]
    caller, shown, after = calls[0]
    return {
        "redeals": values.get("redeals", 0),
        "caller": caller,
        "call_size": len(shown),
        "call_after": after,
        "countered": int(len(calls) > 1),
        "opener": calls[-1][0],
        "bid": values["bid"],
        "base": int(scores["base"]),
        "bids_made": sum(bid is not None for _, bid in values.get("bids", [])),
        "result": int(scores["result"] == "broken"),
        "shutout": int(scores["shutout"]),
        **{f"penalty_{seat}": int(share) for seat, share in enumerate(scores["penalties"])},
    }


def _hong_wu_wu_jia(reading: Reading, _course: Course, scores: dict[str, Any]) -> dict[str, int]:
    values = reading.values
    reveal = values["reveal"]
    return {
        "previous_banker": values.get("previous_banker", -1),
        "pressed": int(reveal is None and not values.get("contract")),
        "reveal_after": 0 if reveal is None else reveal[2],
        "named": values["named"],
        "partner": -1 if scores["partner"] is None else scores["partner"],
        "partner_trick": -1 if scores["partner_trick"] is None else scores["partner_trick"],
        "direct": int(scores["direct"]),
        "solo": int(scores["solo"]),
        "grade": scores["grade"],
    }
