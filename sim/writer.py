"""Writing a dataset: the manifest and Parquet parts, each of them complete or absent."""

from __future__ import annotations

import contextlib
import json
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import manifest as manifests
from .columns import TABLES, Rows, arrow_schema, columns_of, in_one_block, to_batch
from .dataset import MANIFEST, Digest, content, rows_in_part
from .detail import joined
from .errors import RunError
from .folder import check_folder, make_folder, refused, take

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from .detail import Detail
    from .plan import Plan
    from .resume import Found

    Piece = dict[str, NDArray[Any]]

GROUP_ROWS = 131_072  # rows in a row group
GROUP_DEALS = 8_192  # deals in a row group of tricks or plays


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


class DatasetWriter:
    """Writes one dataset. `write_part` may run in several threads, for different parts; all else in one.

    ``kept``: deals that were there before; ``totals``: what they come to, or None; ``notes``: sentences about what was
    found; ``spans``: what is to be played.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        *,
        first: int,
        deals: int,
        chunk: int | None = None,
        command_line: str | None = None,
        detail: str | None = None,
        resume: bool = False,
        workers: int = 0,
    ) -> None:
        """Make the folder with a manifest that has no parts yet, or, with ``resume``, find out what is in it.

        `UsageError` if that is not possible, or if the folder holds anything else; `RunError` for a full disk.
        """
        from .resume import examine

        self.folder, self.plan, self.detail = folder, plan, detail
        self.first, self.deals = first, deals
        self.parts: list[dict[str, Any]] = []
        self._later: dict[int, dict[str, Any]] = {}
        self._begun = self._closed = False
        self._made = make_folder(folder, resume=resume)
        self._lock = take(folder, manifests.Clock().now(), self._made)
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
            self.discard() if fresh else self._lock.release()
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
        self.spans = self._spans(found)
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

    def rows_of(self, index: int) -> int:
        """How many deals part ``index`` holds when it is complete."""
        return min(self.part_rows, self.deals - index * self.part_rows)

    def write_part(
        self, index: int, pieces: deque[Piece], details: deque[Detail] | None = None
    ) -> dict[str, Any]:
        """Write the part whose rows are in ``pieces``, the engine's columns; its entry for `add_part`.

        Takes the pieces away as they are written, so that their memory can serve the next part.
        """
        entry: dict[str, Any] = {
            "file": f"deals/part-{index:05}.parquet",
            "first_deal": self.first + index * self.part_rows,
            "rows": sum(len(piece["banker"]) for piece in pieces),
        }
        made: list[Path] = []
        name = entry["file"]
        try:
            for table in TABLES[self.detail][1:]:
                name = f"{table}/part-{index:05}.parquet"
                made.append(self._unfinished(name))
                entry[table] = {
                    "file": name,
                    **self._write_detail(made[-1], table, entry, details or deque()),
                }
            if details:
                details.clear()
            name = entry["file"]
            made.append(self._unfinished(name))
            digest = Digest(self.plan.game.name)
            self._write(made[-1], entry["first_deal"], entry["rows"], pieces, digest)
            entry["sha256"] = digest.hexdigest()
        except BaseException as error:
            for path in made:
                with contextlib.suppress(OSError):
                    path.unlink()
            if isinstance(error, OSError):
                raise RunError(f"{name} can't be written: {error.strerror or error}") from error
            raise
        return {key: entry[key] for key in ("file", "first_deal", "rows", "sha256", *TABLES[self.detail][1:])}

    def _unfinished(self, name: str) -> Path:
        path = self.folder / name
        return path.with_name(f".{path.name}.tmp")

    def _schema(self, table: str, entry: dict[str, Any]) -> Any:
        """A table's schema with what determines the rows in its metadata."""
        about = {**content(self.plan), "first_deal": entry["first_deal"], "rows": entry["rows"]}
        if table != "deals":
            about["table"] = table
        schema = arrow_schema(self.plan.game.name, table)
        return schema.with_metadata({"tuolaji": json.dumps(about, sort_keys=True)})

    def _write(self, path: Path, first: int, rows: int, pieces: deque[Piece], digest: Digest) -> None:
        import pyarrow.parquet as pq

        plan = self.plan
        schema = self._schema("deals", {"first_deal": first, "rows": rows})
        with pq.ParquetWriter(path, schema, **_encoding(plan.game.name)) as writer:
            at = first
            for group in _regroup(pieces, GROUP_ROWS):
                some = Rows(plan.game, plan.session, at, group)
                digest.update(some.values)
                writer.write_batch(some.to_batch(schema), row_group_size=GROUP_ROWS)
                at += some.count
        manifests.sync(path)

    def _write_detail(
        self, path: Path, table: str, entry: dict[str, Any], details: deque[Detail]
    ) -> dict[str, Any]:
        """Write a part of tricks or plays; its number of rows and their hash."""
        import pyarrow.parquet as pq

        game = self.plan.game.name
        schema, digest, rows = self._schema(table, entry), Digest(game, table), 0
        with pq.ParquetWriter(path, schema, **_encoding(game, table)) as writer:
            at = entry["first_deal"]
            for group in _regroup_details(details, GROUP_DEALS):
                values = group.rows(table, at)
                digest.update(values)
                batch = to_batch(columns_of(game, table), values, schema)
                writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
                at, rows = at + len(group), rows + batch.num_rows
        manifests.sync(path)
        return {"rows": rows, "sha256": digest.hexdigest()}

    def add_part(self, entry: dict[str, Any]) -> None:
        """Put a finished part in its place and enter it into the manifest, the next one in order."""
        shorter = self._later.pop(self._index(entry), None)
        if (
            shorter in self.parts
        ):  # it begins what is now more: never let the manifest name a file of other rows
            self.parts.remove(shorter)
            self._save_or_fail(shorter)
        try:
            for name in _files(entry):
                self._unfinished(name).replace(self.folder / name)
            for table in TABLES[self.detail]:
                manifests.sync(self.folder / table)
        except OSError as error:
            if shorter is None:
                self.remove_part(entry)
            raise RunError(f"{entry['file']} can't be written: {error.strerror or error}") from error
        self.parts.append(entry)
        if entry["rows"] == self.rows_of(len(self.parts) - 1):
            self._enter_later()
        try:
            self._save()
        except OSError as error:
            del self.parts[self._index(entry) :]
            if shorter is None:
                self.remove_part(entry)
            raise RunError(f"the manifest can't be written: {error.strerror or error}") from error

    def _save_or_fail(self, shorter: dict[str, Any]) -> None:
        try:
            self._save()
        except OSError as error:
            self.parts.append(shorter)
            raise RunError(f"the manifest can't be written: {error.strerror or error}") from error

    def _enter_later(self) -> None:
        """Enter the parts that were there before and follow on those entered."""
        while (index := len(self.parts)) in self._later:
            self.parts.append(self._later[index])
            if self.parts[-1]["rows"] < self.rows_of(index):
                break

    def _index(self, entry: dict[str, Any]) -> int:
        index: int = (entry["first_deal"] - self.first) // self.part_rows
        return index

    def remove_part(self, entry: dict[str, Any]) -> None:
        """Take away a part that is not in the manifest."""
        for name in _files(entry):
            for path in (self.folder / name, self._unfinished(name)):
                with contextlib.suppress(OSError):
                    path.unlink()

    def remove_unfinished(self, entry: dict[str, Any]) -> None:
        """Take away a part that was written and is not to be entered."""
        for name in _files(entry):
            with contextlib.suppress(OSError):
                self._unfinished(name).unlink()

    def is_gone(self) -> bool:
        """Whether somebody took the folder away."""
        return bool(self.parts) and not (self.folder / MANIFEST).exists()

    def close(self) -> int:
        """Say in the manifest that the run has ended, complete or not; the deals kept. Without any, leave no trace."""
        rows: int = sum(entry["rows"] for entry in self.parts)
        if self._closed:
            return rows
        self._closed = True
        if not self._begun:
            self._lock.release()
            return rows
        if not rows and not self._later:
            self.discard()
            return 0
        if self._changes:
            self.manifest["ended"] = self._clock.now()
            with contextlib.suppress(OSError):  # a full disk: the manifest before is as right
                self._save()
        self._lock.release()
        return rows

    def discard(self) -> None:
        """Remove a dataset without parts, and whatever folders were made for it."""
        for name in (MANIFEST, f".{MANIFEST}.tmp"):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._lock.release()
        for folder in (*(self.folder / table for table in TABLES[self.detail]), *self._made):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _save(self) -> None:
        manifests.save(self.folder, self.manifest)


def _files(entry: dict[str, Any]) -> list[str]:
    """A part's files, that of the deals last."""
    return [*(entry[table]["file"] for table in ("tricks", "plays") if table in entry), entry["file"]]


def _encoding(game: str, table: str = "deals") -> dict[str, Any]:
    """How parts are encoded: chosen for speed (some 0.3 microseconds a row); readers need not know."""
    columns = columns_of(game, table)
    numbers = [c.name for c in columns if c.type.startswith("int")]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": ["deal", "session"] if table == "deals" else ["deal"],
        "use_dictionary": [c.name for c in columns if c.values or c.type == "string"],
        "column_encoding": dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
        "write_page_checksum": True,
    }


def _regroup(pieces: deque[Piece], size: int) -> Iterator[Piece]:
    """The same rows in pieces of ``size`` rows, the last one shorter. Takes the pieces away as it goes."""
    while pieces:
        some: list[Piece] = []
        room = size
        while pieces and room:
            piece = pieces.popleft()
            if len(piece["banker"]) > room:
                pieces.appendleft({name: values[room:] for name, values in piece.items()})
                piece = {name: values[:room] for name, values in piece.items()}
            some.append(piece)
            room -= len(piece["banker"])
        group = _join(some)
        del some, piece  # memory: the group may be all that is left of them
        yield group


def _join(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    kinds = {name: values.dtype for name, values in pieces[0].items()}
    joined = in_one_block(kinds, sum(len(piece["banker"]) for piece in pieces))
    for name, values in joined.items():
        np.concatenate([piece[name] for piece in pieces], out=values)
    return joined


def _regroup_details(pieces: deque[Detail], size: int) -> Iterator[Detail]:
    """The same deals in pieces of ``size`` deals, the last one shorter."""
    some: list[Detail] = []
    room = size
    for piece in pieces:
        at = 0
        while at < len(piece):
            take = min(room, len(piece) - at)
            some.append(piece.part(at, at + take))
            at, room = at + take, room - take
            if room == 0:
                yield joined(some)
                some, room = [], size
    if some:
        yield joined(some)
