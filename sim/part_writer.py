"""The Parquet files of one part of a dataset: written by the run itself, or by a worker of a cluster."""

from __future__ import annotations

import contextlib
import json
from collections import deque
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from .columns import TABLES, Rows, arrow_schema, columns_of, in_one_block, to_batch
from .dataset import Digest, content
from .detail import joined
from .errors import RunError
from .remote import RemotePath, first_line
from .storage import move, new_file, sync, sync_folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from numpy.typing import NDArray

    from .detail import Detail
    from .plan import Plan
    from .storage import Place

    Piece = dict[str, NDArray[Any]]

GROUP_ROWS = 131_072  # rows in a row group
GROUP_DEALS = 8_192  # deals in a row group of tricks or plays


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

    def write_part(
        self, index: int, pieces: deque[Piece], details: deque[Detail] | None = None
    ) -> dict[str, Any]:
        """Write the part whose rows are in ``pieces``, the engine's columns; its entry in the manifest.

        Takes the pieces away as they are written, so that their memory can serve the next part.
        """
        entry: dict[str, Any] = {
            "file": f"deals/part-{index:05}.parquet",
            "first_deal": self.first + index * self.part_rows,
            "rows": sum(len(piece["banker"]) for piece in pieces),
        }
        made: list[tuple[Place, Place]] = []
        name = entry["file"]
        try:
            for table in TABLES[self.detail][1:]:
                name = f"{table}/part-{index:05}.parquet"
                made.append(self._places(index, name))
                rows, digest = self._write_detail(made[-1][0], table, entry, details or deque())
                entry[table] = {"file": name, "rows": rows, "sha256": digest}
            if details:
                details.clear()
            name = entry["file"]
            made.append(self._places(index, name))
            hashed = Digest(self.plan.game.name)
            self._write(made[-1][0], entry["first_deal"], entry["rows"], pieces, hashed)
            entry["sha256"] = hashed.hexdigest()
            self._finish(made)
        except BaseException as error:
            for path, place in made:
                if path != place or index in self._staged:
                    with contextlib.suppress(OSError):
                        path.unlink()
            if isinstance(error, OSError):
                raise RunError(f"{name} can't be written: {error.strerror or first_line(error)}") from error
            raise
        return {key: entry[key] for key in ("file", "first_deal", "rows", "sha256", *TABLES[self.detail][1:])}

    def _places(self, index: int, name: str) -> tuple[Place, Place]:
        """Where a file is written to, and where it is to be when the part is complete."""
        place = self._unfinished(name) if index in self._staged else self.folder / name
        if isinstance(place, RemotePath) and place.is_object_store:
            self._check_wanted()
            return place, place  # it appears as a whole
        if self._shared or index not in self._staged:
            return self._unfinished(name, f".{uuid4().hex[:8]}"), place
        return place, place

    def _finish(self, made: list[tuple[Place, Place]]) -> None:
        """Give the files of a complete part their names, that of the deals last."""
        moved = [(path, place) for path, place in made if path != place]
        if moved:
            self._check_wanted()
        for path, place in moved:
            move(path, place)
        for _, place in moved:
            sync_folder_of(place)

    def _check_wanted(self) -> None:
        if self._wanted:
            self._wanted()

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

    def _schema(self, table: str, entry: dict[str, Any]) -> Any:
        """A table's schema with what determines the rows in its metadata."""
        about = {**content(self.plan), "first_deal": entry["first_deal"], "rows": entry["rows"]}
        if table != "deals":
            about["table"] = table
        schema = arrow_schema(self.plan.game.name, table)
        return schema.with_metadata({"tuolaji": json.dumps(about, sort_keys=True)})

    def _write(self, path: Place, first: int, rows: int, pieces: deque[Piece], digest: Digest) -> None:
        import pyarrow.parquet as pq

        plan = self.plan
        schema = self._schema("deals", {"first_deal": first, "rows": rows})
        with (
            new_file(path) as sink,
            pq.ParquetWriter(sink, schema, **_encoding(plan.game.name)) as writer,
        ):
            at = first
            for group in _regroup(pieces, GROUP_ROWS):
                some = Rows(plan.game, plan.session, at, group)
                digest.update(some.values)
                writer.write_batch(some.to_batch(schema), row_group_size=GROUP_ROWS)
                at += some.count

    def _write_detail(
        self, path: Place, table: str, entry: dict[str, Any], details: deque[Detail]
    ) -> tuple[int, str]:
        """Write a part of tricks or plays; its number of rows and their hash."""
        import pyarrow.parquet as pq

        game = self.plan.game.name
        schema, digest, rows = self._schema(table, entry), Digest(game, table), 0
        with new_file(path) as sink, pq.ParquetWriter(sink, schema, **_encoding(game, table)) as writer:
            at = entry["first_deal"]
            for group in _regroup_details(details, GROUP_DEALS):
                values = group.rows(table, at)
                digest.update(values)
                batch = to_batch(columns_of(game, table), values, schema)
                writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
                at, rows = at + len(group), rows + batch.num_rows
        return rows, digest.hexdigest()


def files_of(entry: dict[str, Any]) -> list[str]:
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
