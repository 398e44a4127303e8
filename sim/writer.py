"""Writing a dataset: the manifest and Parquet parts, each of them complete or absent."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import manifest as manifests
from .columns import TABLES
from .dataset import MANIFEST, rows_in_part
from .errors import RunError
from .folder import check_folder, make_folder, refused, remove_empty, take
from .part_writer import ALL, PartWriter
from .remote import RemotePath, first_line
from .stopping import undisturbed
from .storage import place, put

if TYPE_CHECKING:
    from .detail import Detail
    from .open_part import Piece
    from .plan import Plan
    from .resume import Found
    from .storage import Place


@dataclass
class Span:
    """Deals to be played, ``first`` .. ``first + deals - 1``: they begin in part ``index``.

    ``begun``, ``begun_detail``: rows of that part which are there already, in front of them.
    """

    index: int
    first: int
    deals: int
    begun: deque[Piece] = field(default_factory=deque)
    begun_detail: deque[Detail] = field(default_factory=deque)


class DatasetWriter(PartWriter):
    """Writes one dataset. `write_part` may run in several threads, for different parts; all else in one.

    ``elsewhere``: workers of a cluster write the parts, whole ones only. Parts then get their place when they are
    complete, and not when they are entered into the manifest, which may be much later. So it is in other file systems
    than this machine's, too.
    ``kept``: deals that were there before; ``totals``: what they come to, or None; ``notes``: sentences about what was
    found; ``spans``: what is to be played.
    """

    def __init__(
        self,
        folder: str | Place,
        plan: Plan,
        *,
        first: int,
        deals: int,
        chunk: int | None = None,
        command_line: str | None = None,
        detail: str | None = None,
        resume: bool = False,
        workers: int = 0,
        elsewhere: bool = False,
    ) -> None:
        """Make the folder with a manifest that has no parts yet, or, with ``resume``, find out what is in it.

        `UsageError` if that is not possible, or if the folder holds anything else; `RunError` for a full disk.
        """
        from .resume import examine

        folder = place(folder)
        super().__init__(folder, plan, first=first, part_rows=0, detail=detail)
        self._elsewhere = elsewhere
        self.ahead = 0  # at the end: parts that are in their place, but not in the manifest
        self.deals = deals
        self.parts: list[dict[str, Any]] = []
        self._not_before = 0.0
        self._later: dict[int, dict[str, Any]] = {}
        self._begun = self._closed = self._wrote = self._unsaved = False
        self._on_disk: list[dict[str, Any]] = []  # the parts of the manifest that is there
        self._spoiled: set[str] = set()  # files of parts that can't be kept
        try:
            with undisturbed():
                self._made = make_folder(folder, resume=resume)
                self._lock = take(folder, manifests.Clock().now(), self._made)
        except KeyboardInterrupt:
            self._leave()
            raise
        self.notes = [self._lock.stale] if self._lock.stale else []
        fresh = False
        try:
            check_folder(folder, resume=resume, ours=True)
            found = examine(folder, plan, first, deals, detail, workers) if resume else None
            fresh = found is None
            self._adopt(found, chunk, command_line)
            if fresh:
                self.begin()
        except BaseException as error:
            self.discard() if fresh else self._leave()
            if isinstance(error, OSError):
                raise refused(folder, error) from None
            raise

    def begin(self) -> None:
        """Write the manifest of what is to be played: at once for a new dataset, else once the rows there agree.

        A manifest that is there is left until there is more, lest what fails leave less than there was.
        """
        if self._begun:
            return
        self._begun = True
        before = self._on_disk
        more = self.parts != before and self.parts[: len(before)] == before
        try:
            if self.spans or self._fresh:
                for table in TABLES[self.detail]:
                    (self.folder / table).mkdir(exist_ok=True)
            if self._fresh or more or (not self.spans and (self.parts != before or not self._had_ended)):
                self._save()
        except OSError as error:
            raise refused(self.folder, error) from None

    def _adopt(self, found: Found | None, chunk: int | None, command_line: str | None) -> None:
        """Put together the manifest, and what is to be played, from what was found in the folder."""
        before = found.manifest if found else {}
        self._fresh, self._on_disk = found is None, [*before.get("parts", ())]
        self.part_rows = found.part_rows if found else rows_in_part(self.plan.session, self.detail)
        self.manifest = manifests.new_manifest(
            self.plan, first=self.first, deals=self.deals, part_rows=self.part_rows, detail=self.detail, chunk=chunk
        )  # fmt: skip
        self._had_ended = bool(before.get("ended"))
        self._clock = manifests.Clock(before.get("ended") or before.get("started"))
        self.manifest["started"] = before.get("started") or self._clock.now()
        lines = before.get("command_lines")
        self.manifest["command_lines"] = [
            *(lines if isinstance(lines, list) else []),
            *([command_line] if command_line else []),
        ]
        self.manifest["parts"] = self.parts
        if found:
            self._later = dict(found.entries)
            self.notes += found.notes
        self.totals = found.totals if found else None
        self.kept = sum(entry["rows"] for entry in self._later.values())
        if found:
            for index, totals in found.begun_totals.items():
                if self._elsewhere:
                    self.kept -= self._later[index]["rows"]
                else:
                    found.totals.merge(totals)
        self.spans = self._spans(found)
        #: Indexes of parts that are shorter than they are to be.
        self.replaced = frozenset(i for i, e in self._later.items() if e["rows"] < self.rows_of(i))
        if self._elsewhere or isinstance(self.folder, RemotePath):
            self._staged = self.replaced  # never over a part that the manifest names
            if found:
                there = {path.name for path in (self.folder / "deals").glob("part-*.parquet")}
                self._spoiled = there - {_name(entry) for entry in self._later.values()}
        self._enter_later()

    def _spans(self, found: Found | None) -> list[Span]:
        """What is lacking, in runs of parts."""
        spans: list[Span] = []
        for index in range(-(-self.deals // self.part_rows)):
            at, size = self.first + index * self.part_rows, self.rows_of(index)
            entry = self._later.get(index)
            if entry and entry["rows"] == size:
                continue
            if not entry and spans and spans[-1].first + spans[-1].deals == at:
                spans[-1].deals += size
                continue
            spans.append(Span(index, at, size))
            if entry and found:  # a shorter part, which `examine` leaves only behind a complete one
                spans[-1].begun, spans[-1].begun_detail = found.begun[index]
                spans[-1].first, spans[-1].deals = at + entry["rows"], size - entry["rows"]
        return spans

    @property
    def run(self) -> str:
        """Names this run: see `lock.holds`."""
        return self._lock.run

    @property
    def address(self) -> str:
        """Where the dataset is, for other processes."""
        return self.folder.uri if isinstance(self.folder, RemotePath) else str(self.folder.resolve())

    def parts_of(self, span: Span) -> range:
        """The indexes of the parts that a span's deals are in."""
        return range(span.index, (span.first + span.deals - self.first - 1) // self.part_rows + 1)

    def rows_of(self, index: int) -> int:
        """How many deals part ``index`` holds when it is complete."""
        return min(self.part_rows, self.deals - index * self.part_rows)

    def add_part(self, entry: dict[str, Any], *, at_leisure: bool = False) -> None:
        """Put a finished part in its place and enter it into the manifest, the next one in order.

        ``at_leisure``: write the manifest only if that has not just been done; `close` makes up for it.
        """
        index = self._index(entry)
        shorter = self._later.pop(index, None)
        before, unsaved = [*self.parts], self._unsaved
        try:
            if shorter is not None and shorter in before:
                self._put_for_shorter(entry, before)
                return
            self._put(entry)
            self._enter(entry)
            if not at_leisure or time.monotonic() >= self._not_before:
                self._save()
        except (OSError, RunError) as error:
            self.parts[:], self._unsaved = before, unsaved
            if shorter is not None:
                self._later.setdefault(index, shorter)
            elif all(named["file"] != entry["file"] for named in self._on_disk):
                self.remove_part(entry)
            if isinstance(error, RunError):
                raise
            raise RunError(f"the manifest can't be written: {_why(error)}") from error

    def _put(self, entry: dict[str, Any]) -> None:
        try:
            if self._index(entry) in self._staged:
                self.put_in_place(entry)
        except OSError as error:
            self.remove_unfinished(entry)
            raise RunError(f"{entry['file']} can't be written: {_why(error)}") from error

    def _put_for_shorter(self, entry: dict[str, Any], before: list[dict[str, Any]]) -> None:
        """Put a part in the place of the last one of those ``before``, with whose rows it begins.

        The manifest never names a file of other rows: in between that part is only said to be behind the others. And it
        is as it was if that fails.
        """
        shorter = self.parts.pop()
        without = {**self._whole_manifest(), "behind": [shorter]}
        self._enter(entry)
        path, named, wrote = self.folder / MANIFEST, self._on_disk, self._wrote
        was = path.read_text("utf-8")
        with manifests.replacing(self.folder, self._whole_manifest()):
            manifests.save(self.folder, without)
            self._on_disk, self._wrote = without["parts"], True
            try:
                self._put(entry)
            except BaseException:
                with contextlib.suppress(OSError):
                    put(path, was)
                    self._on_disk, self._wrote = named, wrote
                raise
            before.remove(shorter)  # it is not there any more, whatever happens now
            self._later[self._index(entry)] = entry
        self._saved()

    def _enter(self, entry: dict[str, Any]) -> None:
        self.parts.append(entry)
        self._unsaved = True
        if entry["rows"] == self.rows_of(len(self.parts) - 1):
            self._enter_later()

    def _enter_later(self) -> None:
        """Enter the parts that were there before and follow on those entered."""
        while (index := len(self.parts)) in self._later:
            self.parts.append(self._later[index])
            if self.parts[-1]["rows"] < self.rows_of(index):
                break

    def _index(self, entry: dict[str, Any]) -> int:
        index: int = (entry["first_deal"] - self.first) // self.part_rows
        return index

    def is_gone(self) -> bool:
        """Whether somebody took the folder away."""
        try:
            return bool(self._on_disk) and not (self.folder / MANIFEST).exists()
        except OSError:
            return False

    @property
    def sound(self) -> int:
        """Deals of all parts that can be kept, those behind a lacking one too."""
        return sum(entry["rows"] for entry in (*self.parts, *self._behind()))

    @property
    def readable(self) -> bool:
        """Whether the manifest that is there names the parts before the first that is lacking, and no others."""
        return self._on_disk == self.parts

    def close(self) -> int:
        """Say in the manifest that the run has ended, complete or not; the deals kept. Without any, leave no trace."""
        rows: int = sum(entry["rows"] for entry in self.parts)
        if self._closed:
            return rows
        self._closed = True
        if not self._begun:
            self._leave()
            return rows
        if self._elsewhere:
            self._sweep()
        self._count_ahead()
        if self._fresh and not rows and not self.ahead:
            self.discard()
            return 0
        if self._wrote or self._unsaved:
            self.manifest["ended"] = self._clock.now()
            with contextlib.suppress(OSError):  # a full disk: the manifest before is as right
                self._save()
        self._lock.release()
        return rows

    def _sweep(self) -> None:
        """Remove what workers left unfinished that were lost. Those that are still at it will find that out."""
        with contextlib.suppress(OSError):
            for table in TABLES[self.detail]:
                for path in (self.folder / table).glob(".part-*.tmp"):
                    path.unlink()

    def _count_ahead(self) -> None:
        """Parts may be in their place behind one that is lacking, or that this run was not told of any more."""
        self.ahead = len(self._behind())
        if self._staged is ALL:
            return
        with contextlib.suppress(OSError):
            there = {path.name for path in (self.folder / "deals").glob("part-*.parquet")}
            self.ahead = len(there - self._spoiled - {_name(entry) for entry in self.parts})

    def discard(self) -> None:
        """Remove a dataset without parts, and whatever folders were made for it."""
        for name in (MANIFEST, *manifests.UNFINISHED):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._lock.release()
        for folder in (*(self.folder / table for table in TABLES[self.detail]), *self._made):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _leave(self) -> None:
        """Give the folder free as it is; if it was made and nothing is in it, it goes."""
        self._lock.release()
        remove_empty(self._made)

    def _whole_manifest(self) -> dict[str, Any]:
        """The manifest; parts that lie behind one that is lacking are named in it, too, that their hashes be kept."""
        behind = self._behind()
        return {**self.manifest, "parts": [*self.parts], **({"behind": behind} if behind else {})}

    def _behind(self) -> list[dict[str, Any]]:
        return [entry for index, entry in sorted(self._later.items()) if index >= len(self.parts)]

    def _save(self) -> None:
        began = time.monotonic()
        manifests.save(self.folder, self._whole_manifest())
        self._saved()
        now = time.monotonic()
        self._not_before = now + max(
            1.0, 20 * (now - began)
        )  # of a hundred thousand parts it is a large file

    def _saved(self) -> None:
        self._wrote, self._unsaved, self._on_disk = True, False, [*self.parts]


def _name(entry: dict[str, Any]) -> str:
    """Of a part's file."""
    return str(entry["file"]).rpartition("/")[2]


def _why(error: OSError) -> str:
    return error.strerror or first_line(error)
