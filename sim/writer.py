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
from .storage import place

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
        self._begun = self._closed = False
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
        """Write the manifest of what is to be played: at once for a new dataset, else once the rows there agree."""
        if self._begun:
            return
        self._begun = True
        if not self._changes:
            return
        try:
            for table in TABLES[self.detail]:
                (self.folder / table).mkdir(exist_ok=True)
            self._save()
        except OSError as error:
            raise refused(self.folder, error) from None

    def _adopt(self, found: Found | None, chunk: int | None, command_line: str | None) -> None:
        """Put together the manifest, and what is to be played, from what was found in the folder."""
        before = found.manifest if found else {}
        self.part_rows = found.part_rows if found else rows_in_part(self.plan.session, self.detail)
        self.manifest = manifests.new_manifest(
            self.plan, first=self.first, deals=self.deals, part_rows=self.part_rows, detail=self.detail, chunk=chunk
        )  # fmt: skip
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
        self._enter_later()
        self._changes = bool(self.spans) or before.get("parts") != self.parts

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
        staged = self._index(entry) in self._staged
        shorter = self._later.pop(self._index(entry), None)
        if (
            shorter in self.parts
        ):  # it begins what is now more: never let the manifest name a file of other rows
            self.parts.remove(shorter)
            self._save_or_fail(shorter)
        try:
            if staged:
                self.put_in_place(entry)
        except OSError as error:
            if shorter is None:
                self.remove_part(entry)
            raise RunError(f"{entry['file']} can't be written: {_why(error)}") from error
        self.parts.append(entry)
        if entry["rows"] == self.rows_of(len(self.parts) - 1):
            self._enter_later()
        if at_leisure and time.monotonic() < self._not_before:
            return
        try:
            self._save()
        except OSError as error:
            del self.parts[self._index(entry) :]
            if shorter is None:
                self.remove_part(entry)
            raise RunError(f"the manifest can't be written: {_why(error)}") from error

    def _save_or_fail(self, shorter: dict[str, Any]) -> None:
        try:
            self._save()
        except OSError as error:
            self.parts.append(shorter)
            raise RunError(f"the manifest can't be written: {_why(error)}") from error

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
            return bool(self.parts) and not (self.folder / MANIFEST).exists()
        except OSError:
            return False

    def close(self) -> int:
        """Say in the manifest that the run has ended, complete or not; the deals kept. Without any, leave no trace."""
        rows: int = sum(entry["rows"] for entry in self.parts)
        if self._closed:
            return rows
        self._closed = True
        if not self._begun:
            self._lock.release()
            return rows
        if self._elsewhere:
            self._sweep()
        if self._staged is not ALL:
            self._count_ahead()
        if not rows and not self._later and not self.ahead:
            self.discard()
            return 0
        if self._changes:
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
        """Parts may be in their place that this run was not told of any more."""
        with contextlib.suppress(OSError):
            there = {path.name for path in (self.folder / "deals").glob("part-*.parquet")}
            self.ahead = len(there - {entry["file"].rpartition("/")[2] for entry in self.parts})

    def discard(self) -> None:
        """Remove a dataset without parts, and whatever folders were made for it."""
        for name in (MANIFEST, f".{MANIFEST}.tmp"):
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

    def _save(self) -> None:
        began = time.monotonic()
        manifests.save(self.folder, self.manifest)
        now = time.monotonic()
        self._not_before = now + max(
            1.0, 20 * (now - began)
        )  # of a hundred thousand parts it is a large file


def _why(error: OSError) -> str:
    return error.strerror or first_line(error)
