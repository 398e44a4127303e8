"""One part of a dataset against its entry in the manifest, its hash, and rows that are played again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import TABLES, Rows, Strings, columns_of, concatenated
from .dataset import FILE_HASH, Digest, PartError, PartFile, UnreadError, content, of_table
from .text import Text, clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from .engine import Engine
    from .plan import Plan
    from .storage import Place

MOST_FAULTS = 100  # shown of a file
_LATER = 1 << 14  # deals played at a time


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it should be: in which file, at which deal and column where there is one, and why."""

    file: str
    reason: Text
    deal: int | None = None
    column: str | None = None

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """As plain data."""
        reason = self.reason.zh if lang == "zh" else self.reason.en
        return {"file": self.file, "deal": self.deal, "column": self.column, "reason": reason}


@dataclass
class Looked:
    """What was found in a part. ``rows``: deals that are there; ``replayed``: of them, those played again.

    ``unhashed``: files of whose bytes the manifest has no hash; ``unread``: whether something can't be read here.
    """

    faults: list[Fault] = field(default_factory=list)
    unread: list[Fault] = field(default_factory=list)
    rows: int = 0
    replayed: int = 0
    unhashed: int = 0


class PartCheck:
    """Looks at one part, all tables; may be called by several threads."""

    def __init__(
        self,
        folder: Place,
        plan: Plan,
        detail: str | None,
        engine: Engine | None,
        chosen: NDArray[np.int64] | None,
    ) -> None:
        self._folder, self._plan, self._detail = folder, plan, detail
        self._engine, self._chosen = engine, chosen

    def __call__(self, entry: dict[str, Any]) -> Looked:
        """Look at a part."""
        looked = Looked()
        at, tricks, played = entry["first_deal"], None, None
        for table in TABLES[self._detail]:
            name = (entry if table == "deals" else entry.get(table, entry))["file"]
            try:
                with PartFile(self._folder, entry, self._plan.game.name, table, hashed=True) as file:
                    if played is None:  # the part has as many rows as the manifest says
                        looked.rows = entry["rows"]
                        played = _Played(self._engine, self._detail, *self._ranges(entry))
                        looked.replayed = played.count
                    before = len(looked.faults)
                    tricks = self._table(entry, table, name, file, tricks, played, looked.faults)
            except PartError as error:
                looked.faults.append(Fault(name, Text(error.reason, f"文件不可用：{error.reason}"), at))
                break
            except UnreadError as error:
                looked.unread.append(unread(name, error, at))
                break
            written = of_table(entry, table).get(FILE_HASH)
            looked.unhashed += written is None
            if written is not None and written != file.file_hash and len(looked.faults) == before:
                reason = Text(
                    "its rows are right, but it is not the file that was written: its bytes have another hash",
                    "内容正确，但不是当初写入的文件：字节的哈希不同",
                )
                looked.faults.append(Fault(name, reason, at))
        return looked

    def _ranges(self, entry: dict[str, Any]) -> tuple[int, list[tuple[int, int]]]:
        """The deals of a part that are to be played again, as ranges (first, number)."""
        if self._chosen is None:
            return 0, []
        session, at = self._plan.session, entry["first_deal"]
        low, high = np.searchsorted(self._chosen, [at, at + entry["rows"]])
        ranges: list[tuple[int, int]] = []
        for start in self._chosen[low:high].tolist():
            if start + session > at + entry["rows"]:
                break
            if ranges and sum(ranges[-1]) == start and ranges[-1][1] < _LATER:
                ranges[-1] = (ranges[-1][0], ranges[-1][1] + session)
            else:
                ranges.append((start, session))
        return sum(number for _, number in ranges), ranges

    def _table(
        self,
        entry: dict[str, Any],
        table: str,
        name: str,
        file: PartFile,
        tricks: NDArray[Any] | None,
        played: _Played,
        faults: list[Fault],
    ) -> NDArray[Any] | None:
        """Look at one file; the number of tricks of each deal, from the table of deals."""
        plan, at = self._plan, entry["first_deal"]
        digest, place = Digest(plan.game.name, table), _Place(plan, table, at, entry["rows"], tricks)
        kept: list[dict[str, Any]] = []
        about = {**content(plan), "first_deal": at, "rows": entry["rows"]}
        if file.about() != (about if table == "deals" else {**about, "table": table}):
            faults.append(Fault(name, Text("its metadata are not those of its rows", "元数据与内容不符"), at))
        for group in file.groups(threads=False):
            digest.update(group)
            place.look(group)
            if played.count:
                kept.append(played.of_these(group))
        place.end()
        if place.wrong is not None:
            column, row = place.wrong
            faults.append(
                Fault(name, Text(f"row {row} is out of place", f"第 {row} 行位置不对"), None, column)
            )
        if digest.hexdigest() != of_table(entry, table)["sha256"]:
            reason = Text("its rows have not the hash of the manifest", "内容与清单中的哈希不符")
            faults.append(Fault(name, reason, at))
        if played.count and place.wrong is None:
            faults += played.compare(table, name, kept, plan)
        return np.concatenate(place.tricks) if place.tricks else tricks


def unread(name: str, error: UnreadError, at: int | None = None) -> Fault:
    """That a file can't be read here, which is no fault of the dataset."""
    return Fault(
        name,
        Text(
            f"it can't be read here: {error.reason}; it may be sound, and was not looked at",
            f"在此无法读取：{error.reason}；文件可能完好，未作检查",
        ),
        at,
    )


class _Place:
    """Whether rows stand where they should: every deal once, in order, with all its tricks and plays."""

    def __init__(self, plan: Plan, table: str, first: int, rows: int, tricks: NDArray[Any] | None) -> None:
        self._session, self._first = plan.session, first
        self._rows = 0
        self.tricks: list[NDArray[Any]] = []
        self.wrong: tuple[str, int] | None = None
        self._table = table
        times = np.ones(rows, np.int64)
        if table != "deals" and tricks is not None:
            times = tricks.astype(np.int64) * (1 if table == "tricks" else plan.game.seats)
        self._ends = np.cumsum(np.maximum(times, 0))  # of the rows of each deal

    def look(self, group: dict[str, Any]) -> None:
        """Take more rows."""
        start = self._rows
        self._rows += len(group["deal"])
        low, high = np.searchsorted(self._ends, [start, self._rows - 1], side="right").tolist()
        ends = np.minimum(self._ends[low : high + 1], self._rows)
        deals = np.repeat(
            np.arange(self._first + low, self._first + low + len(ends)), np.diff(ends, prepend=start)
        )
        expected = {"deal": deals}
        if self._table == "deals":
            self.tricks.append(group["tricks"])
            expected |= {"session": deals // self._session, "hand": deals % self._session}
        for name, values in expected.items():
            if self.wrong is None and not np.array_equal(group[name], values):
                short = min(len(values), len(group[name]))
                other = np.flatnonzero(group[name][:short] != values[:short])
                self.wrong = (name, start + (int(other[0]) if len(other) else short))

    def end(self) -> None:
        """There are no more rows."""
        if self.wrong is None and self._rows != self._ends[-1]:
            self.wrong = ("deal", min(self._rows, int(self._ends[-1])))


class _Played:
    """The rows of some deals of a part, played again."""

    def __init__(
        self, engine: Engine | None, detail: str | None, count: int, ranges: list[tuple[int, int]]
    ) -> None:
        self.count = count if engine else 0
        self._ranges = ranges
        self._rows: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES[detail]}
        if engine is None:
            return
        plan = engine.plan
        for first, number in ranges:
            if detail is None:
                columns = engine.play(first, number)
            else:
                columns, more = engine.play_in_full(first, number, plays=detail == "plays")
                for table in TABLES[detail][1:]:
                    self._rows[table].append(more.rows(table, first))
            self._rows["deals"].append(Rows(plan.game, plan.session, first, columns).values)

    def of_these(self, group: dict[str, Any]) -> dict[str, Any]:
        """Those of some stored rows that are of the deals played again."""
        deals = group["deal"]
        mask = np.zeros(len(deals), np.bool_)
        for first, number in self._ranges:  # ascending, as the deals are
            low, high = np.searchsorted(deals, [first, first + number])
            mask[low:high] = True
        at = np.flatnonzero(mask)
        return {name: values.take(at) for name, values in group.items()}

    def compare(self, table: str, name: str, stored: list[dict[str, Any]], plan: Plan) -> Iterator[Fault]:
        """A fault for each value that is not as played again; the first of a file."""
        columns = columns_of(plan.game.name, table)
        there = {c.name: concatenated([group[c.name] for group in stored]) for c in columns}
        again = {c.name: concatenated([group[c.name] for group in self._rows[table]]) for c in columns}
        if len(there["deal"]) != len(again["deal"]):
            some = f"{len(there['deal'])}", f"{len(again['deal'])}"
            yield Fault(
                name,
                Text(
                    f"{some[0]} rows of deals that have {some[1]} when played again",
                    f"有 {some[0]} 行，重新计算得 {some[1]} 行",
                ),
            )
            return
        shown = 0
        for column in columns:
            for row in np.flatnonzero(_unlike(there[column.name], again[column.name])).tolist():
                if shown == MOST_FAULTS:
                    yield Fault(name, Text("and more", "还有更多"))
                    return
                was, now = (_shown(column.values, values[column.name], row) for values in (there, again))
                deal = int(there["deal"][row])
                where = "" if table == "deals" else f" (trick {int(there['trick'][row])})"
                spot = "" if table == "deals" else f"（第 {int(there['trick'][row])} 墩）"
                yield Fault(
                    name,
                    Text(
                        f"{column.name} is {was}{where}, played again {now}",
                        f"{column.name} 为 {was}{spot}，重新计算得 {now}",
                    ),
                    deal,
                    column.name,
                )
                shown += 1


def differing(
    plan: Plan, first: int, stored: Mapping[str, NDArray[Any]], played: dict[str, NDArray[np.int16]]
) -> Iterator[tuple[str, int]]:
    """Column and row of each stored value of deals that is not as played again."""
    again = Rows(plan.game, plan.session, first, played).values
    for name, values in again.items():
        for row in np.flatnonzero(values != stored[name]).tolist():
            yield name, row


def _unlike(a: Any, b: Any) -> Any:
    if isinstance(a, Strings):
        return np.array([x != y for x, y in zip(a.words(), b.words(), strict=True)], np.bool_)
    return a != b


def _shown(words: tuple[str, ...], values: Any, row: int) -> str:
    if isinstance(values, Strings):
        return clip(values.words()[row])
    value = int(values[row])
    return words[value] if words and 0 <= value < len(words) else str(value)
