"""The parts of a dataset as they are written: by the run itself, or by a worker of a cluster."""

from __future__ import annotations

import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .columns import TABLES, Rows, columns_of, to_batch
from .dataset import content
from .errors import RunError
from .open_part import GROUP_DEALS, GROUP_ROWS, OpenFile, OpenPart, regrouped, regrouped_details
from .remote import RemotePath, first_line
from .storage import move, sync, sync_folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from .detail import Detail
    from .open_part import Piece
    from .plan import Plan
    from .storage import Place


#: Every part is written beside its place first.
ALL = range(10**9)


class PartWriter:
    """Writes parts of a dataset; may be called by several threads, for different parts.

    ``staged``: the indexes of parts that are not put in their place when they are complete: `put_in_place` does that.
    ``shared``: whether others may be writing the same part, because this worker was thought lost. ``wanted`` is called
    before a part is put in its place and may raise.
    """

    def __init__(
        self,
        folder: Place,
        plan: Plan,
        *,
        first: int,
        part_rows: int,
        detail: str | None = None,
        staged: Container[int] = ALL,
        shared: bool = False,
        wanted: Callable[[], None] | None = None,
    ) -> None:
        self.folder, self.plan, self.detail = folder, plan, detail
        self.first, self.part_rows = first, part_rows
        self._staged, self._shared, self._wanted = staged, shared, wanted
        self._open: dict[int, OpenPart] = {}

    def write_rows(
        self, index: int, pieces: deque[Piece], details: deque[Detail] | None = None
    ) -> dict[str, Any] | None:
        """Write more rows of part ``index``, the engine's columns, but the last of it; None.

        Takes the pieces away, so that their memory can serve the next ones. What does not fill a row group waits for
        more. `RunError` if they can't be written; no file of the part is left then.
        """
        self._write(index, pieces, details, last=False)
        return None

    def write_part(
        self, index: int, pieces: deque[Piece], details: deque[Detail] | None = None
    ) -> dict[str, Any]:
        """Write the last rows of part ``index``, or all: as `write_rows`. The part's entry in the manifest."""
        return self._write(index, pieces, details, last=True).entry()

    def _write(
        self, index: int, pieces: deque[Piece], details: deque[Detail] | None, *, last: bool
    ) -> OpenPart:
        part = self._open.setdefault(index, OpenPart(index, self.first + index * self.part_rows))
        part.pieces += pieces
        pieces.clear()
        if details:
            part.details += details
            details.clear()
        try:
            for table in (*TABLES[self.detail][1:], "deals"):
                part.at = f"{table}/part-{index:05}.parquet"
                if table not in part.files:
                    path, place = self._places(index, part.at)
                    part.files[table] = OpenFile(path, place, self.plan.game.name, table)
                self._add(part, table, last=last)
            if last:
                self._complete(part)
        except BaseException as error:
            self.abandon(index)
            if isinstance(error, OSError):
                reason = error.strerror or first_line(error)
                raise RunError(f"{part.at} can't be written: {reason}") from error
            raise
        if last:
            del self._open[index]
        return part

    def abandon(self, index: int) -> None:
        """Leave nothing of a part that was not finished."""
        part = self._open.pop(index, None)
        for file in part.files.values() if part else ():
            file.abandon(keep=file.path == file.place and index not in self._staged)

    def _add(self, part: OpenPart, table: str, *, last: bool) -> None:
        """Write the row groups that are full."""
        file, plan = part.files[table], self.plan
        at = part.first_deal + file.deals
        if table == "deals":
            for group in regrouped(part.pieces, GROUP_ROWS, last=last):
                some = Rows(plan.game, plan.session, at, group)
                file.write(some.values, some.to_batch(file.schema), some.count)
                at += some.count
            return
        kept: deque[Detail] = deque()
        for details, whole in regrouped_details(part.details, GROUP_DEALS):
            if not whole and not last:
                kept.append(details)
                continue
            values = details.rows(table, at)
            file.write(values, to_batch(columns_of(plan.game.name, table), values, file.schema), len(details))
            at += len(details)
        if table == TABLES[self.detail][-1]:
            part.details = kept

    def _places(self, index: int, name: str) -> tuple[Place, Place]:
        """Where a file is written to, and where it is to be when the part is complete."""
        place = self._unfinished(name) if index in self._staged else self.folder / name
        if isinstance(place, RemotePath) and place.is_object_store:
            return place, place  # it appears as a whole, at the end
        if self._shared or index not in self._staged:
            return self._unfinished(name, f".{uuid4().hex[:8]}"), place
        return place, place

    def _complete(self, part: OpenPart) -> None:
        """Close the files of a part and give them their names, that of the deals last."""
        if self._wanted:
            self._wanted()
        for table, file in part.files.items():
            part.at = f"{table}/part-{part.index:05}.parquet"
            file.finish(self._about(part, table))
        moved = [(file.path, file.place) for file in part.files.values() if file.path != file.place]
        if moved and self._wanted:
            self._wanted()
        for path, place in moved:
            move(path, place)
        for _, place in moved:
            sync_folder_of(place)

    def put_in_place(self, entry: dict[str, Any]) -> None:
        """Give a part that was staged its name."""
        for name in files_of(entry):
            move(self._unfinished(name), self.folder / name)
        for table in TABLES[self.detail]:
            sync(self.folder / table)

    def remove_part(self, entry: dict[str, Any]) -> None:
        """Take away a part that is not in the manifest."""
        for name in files_of(entry):
            for path in (self.folder / name, self._unfinished(name)):
                with contextlib.suppress(OSError):
                    path.unlink()

    def remove_unfinished(self, entry: dict[str, Any]) -> None:
        """Take away a part that was staged and is not to be entered."""
        for name in files_of(entry):
            with contextlib.suppress(OSError):
                self._unfinished(name).unlink()

    def _unfinished(self, name: str, mark: str = "") -> Place:
        path = self.folder / name
        return path.with_name(f".{path.name}{mark}.tmp")

    def _about(self, part: OpenPart, table: str) -> dict[str, Any]:
        """What determines a file's rows, for its metadata."""
        about = {**content(self.plan), "first_deal": part.first_deal, "rows": part.files["deals"].deals}
        return about if table == "deals" else {**about, "table": table}


def files_of(entry: dict[str, Any]) -> list[str]:
    """A part's files, that of the deals last."""
    return [*(entry[table]["file"] for table in ("tricks", "plays") if table in entry), entry["file"]]
