"""A part of a dataset that is being written, a row group at a time: memory is that of row groups, not of parts."""

from __future__ import annotations

import contextlib
import json
from base64 import b64encode
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import arrow_schema, columns_of, in_one_block
from .dataset import FILE_HASH, Digest
from .detail import joined
from .storage import Hashed, new_file, remove_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from .detail import Detail
    from .storage import Place

    Piece = dict[str, NDArray[Any]]

GROUP_ROWS = 65_536  # rows in a row group
GROUP_DEALS = 8_192  # deals in a row group of tricks or plays


class OpenFile:
    """One of a part's Parquet files: written at ``path``, to be at ``place`` when the part is complete."""

    def __init__(self, path: Place, place: Place, game: str, table: str) -> None:
        import pyarrow.parquet as pq

        self.path, self.place = path, place
        self.deals = self.rows = 0
        self.digest = Digest(game, table)
        self.schema = arrow_schema(game, table)
        self._stack = contextlib.ExitStack()
        try:
            remove_unfinished(path)
            sink = self._bytes = Hashed(self._stack.enter_context(new_file(path)))
            self._writer = self._stack.enter_context(
                pq.ParquetWriter(sink, self.schema, **encoding(game, table))
            )
        except BaseException:
            self.abandon(keep=path == place)  # in an object store it may be another worker's
            raise

    def write(self, values: dict[str, Any], batch: Any, deals: int) -> None:
        """A row group."""
        self.digest.update(values)
        self._writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
        self.deals += deals
        self.rows += batch.num_rows

    def finish(self, about: dict[str, Any]) -> None:
        """Close it, with what determines its rows in its metadata; all of it is on disk then."""
        metadata = {"tuolaji": json.dumps(about, sort_keys=True)}
        schema = self.schema.with_metadata(metadata).serialize()  # which readers would else find without it
        self._writer.add_key_value_metadata(metadata | {"ARROW:schema": b64encode(schema)})
        self._stack.close()

    def hashes(self) -> dict[str, str]:
        """Of its rows, and, when it is finished, of its bytes, as the manifest has them."""
        return {"sha256": self.digest.hexdigest(), FILE_HASH: self._bytes.hexdigest()}

    def abandon(self, *, keep: bool) -> None:
        """Close it as it is; with ``keep`` it stays."""
        stop = RuntimeError("abandoned")  # so that nothing is sent to a store
        with contextlib.suppress(Exception):
            self._stack.__exit__(RuntimeError, stop, None)
        if not keep:
            with contextlib.suppress(OSError):
                self.path.unlink()


@dataclass
class OpenPart:
    """A part being written, and what waits until a row group is full. ``at``: the file that was last at work."""

    index: int
    first_deal: int
    files: dict[str, OpenFile] = field(default_factory=dict)
    pieces: deque[Piece] = field(default_factory=deque)
    details: deque[Detail] = field(default_factory=deque)
    at: str = ""

    def entry(self) -> dict[str, Any]:
        """What the manifest is to say of it."""
        name = f"part-{self.index:05}.parquet"
        deals = self.files["deals"]
        entry: dict[str, Any] = {
            "file": f"deals/{name}",
            "first_deal": self.first_deal,
            "rows": deals.rows,
            **deals.hashes(),
        }
        for table in ("tricks", "plays"):
            if table in self.files:
                file = self.files[table]
                entry[table] = {"file": f"{table}/{name}", "rows": file.rows, **file.hashes()}
        return entry


def regrouped(pieces: deque[Piece], size: int, *, last: bool) -> Iterator[Piece]:
    """The same rows in pieces of ``size`` rows, with ``last`` a shorter one too. Takes pieces away as it goes."""
    there = sum(len(piece["banker"]) for piece in pieces)
    while there >= size or (last and there):
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
        there -= size - room
        yield group


def _join(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    kinds = {name: values.dtype for name, values in pieces[0].items()}
    found = in_one_block(kinds, sum(len(piece["banker"]) for piece in pieces))
    for name, values in found.items():
        np.concatenate([piece[name] for piece in pieces], out=values)
    return found


def regrouped_details(pieces: deque[Detail], size: int) -> Iterator[tuple[Detail, bool]]:
    """The same deals in pieces of ``size`` deals, the last one shorter; and whether it is a whole one."""
    some: list[Detail] = []
    room = size
    for piece in pieces:
        at = 0
        while at < len(piece):
            take = min(room, len(piece) - at)
            some.append(piece.part(at, at + take))
            at, room = at + take, room - take
            if room == 0:
                yield joined(some), True
                some, room = [], size
    if some:
        yield joined(some), False


def encoding(game: str, table: str) -> dict[str, Any]:
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
