"""Datasets on disk: a manifest and Parquet parts, each of them complete or absent. Format: `docs/dataset.md`."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .columns import Strings, arrow_schema, columns_of, from_arrow
from .errors import UsageError
from .plan import plan_from_description
from .remote import first_line
from .storage import place, readable
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from .plan import Plan
    from .storage import Place

FORMAT = 1
PART_ROWS = 500_000  # deals, rounded down to whole sessions: some 5 to 10 MB
DETAIL_PART_ROWS = {"tricks": 300_000, "plays": 100_000}  # deals: the longest table is then some 10 to 25 MB
MANIFEST = "manifest.json"
FILE_HASH = "file_sha256"  # of all bytes of a part, in its entry; versions before it was there wrote none


def rows_in_part(session: int, detail: str | None = None) -> int:
    """How many deals a full part holds: whole sessions, and nothing that depends on how the run is divided."""
    most = min(PART_ROWS, DETAIL_PART_ROWS[detail]) if detail else PART_ROWS
    return max(1, most // session) * session


def content(plan: Plan) -> dict[str, Any]:
    """What, besides the index of a deal, determines its row."""
    return {"format": FORMAT, **plan.describe(), "rules": plan.rules.options()}


class Digest:
    """SHA-256 over the logical content of rows: independent of encoding, and fed piece by piece."""

    def __init__(self, game: str, table: str = "deals") -> None:
        self._columns = columns_of(game, table)
        self._hashes = [hashlib.sha256(f"{c.name} {c.type}\n".encode()) for c in self._columns]
        self._texts = {
            c.name: hashlib.sha256(f"{c.name} text\n".encode()) for c in self._columns if c.type == "string"
        }

    def update(self, values: dict[str, Any]) -> None:
        """Add rows, in order."""
        for column, digest in zip(self._columns, self._hashes, strict=True):
            found = values[column.name]
            if isinstance(found, Strings):
                self._texts[column.name].update(np.ascontiguousarray(found.text).data)
                found = found.lengths
            digest.update(np.ascontiguousarray(found.astype(column.numpy, copy=False)).data)

    def hexdigest(self) -> str:
        """Of everything so far."""
        every = [*self._hashes, *self._texts.values()]
        return hashlib.sha256(b"".join(digest.digest() for digest in every)).hexdigest()


def read_manifest(folder: str | Place) -> dict[str, Any]:
    """The manifest of a dataset; `UsageError` if there is none or it is not one of this format."""
    path = place(folder) / MANIFEST
    shown = clip(str(path), 200)
    try:
        manifest = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(
            f"{clip(str(folder), 200)} is no dataset: it has no {MANIFEST}; "
            "name a folder that `tuolaji simulate --out` wrote"
        ) from None
    except OSError as error:
        raise UnreadError(path, error, "manifest") from None
    except (ValueError, RecursionError):
        raise UsageError(f"the manifest {shown} can't be read: it is not JSON") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else None
        raise UsageError(f"the manifest {shown} has format {clip(found)}; this version reads format {FORMAT}")
    parts = manifest.get("parts")
    sound = isinstance(parts, list) and all(is_entry(entry) for entry in parts)
    if not sound or not all(_is_count(manifest.get(key)) for key in ("first", "deals")):
        raise UsageError(
            f"the manifest {shown} is damaged: first, deals or parts are missing or not of their kind"
        )
    return manifest


_MOST_COUNT = 2**62  # two of them can be added in 64 bits


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_COUNT


def of_table(entry: dict[str, Any], table: str) -> dict[str, Any]:
    """What a part's entry says of one of its files."""
    found: dict[str, Any] = entry if table == "deals" else entry[table]
    return found


def is_entry(entry: object) -> bool:
    """Whether a part's entry in a manifest has what it must have, and names no file but a dataset's."""
    return (
        isinstance(entry, dict)
        and _is_file(entry)
        and _is_count(entry.get("first_deal"))
        and all(_is_file(entry[table]) for table in ("tricks", "plays") if table in entry)
    )


def _is_file(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("file"), str)
        and re.fullmatch(r"(deals|tricks|plays)/part-[0-9]{5,9}\.parquet", entry["file"]) is not None
        and isinstance(entry.get("sha256"), str)
        and isinstance(entry.get(FILE_HASH, ""), str)
        and _is_count(entry.get("rows"))
    )


class PartError(UsageError):
    """A file of a dataset can't be used. ``reason`` is why, without the name of the file."""

    def __init__(self, path: Place, reason: str) -> None:
        super().__init__(f"the part {clip(str(path), 200)} can't be used: {reason}")
        self.path, self.reason = path, reason

    def __reduce__(self) -> tuple[type[PartError], tuple[Place, str]]:
        return (PartError, (self.path, self.reason))


class UnreadError(UsageError):
    """A file can't be opened or read here, for want of a permission or the like: it may well be sound.

    ``path`` and ``reason``: which, and why.
    """

    def __init__(self, path: Place, error: OSError, what: str = "part") -> None:
        self.path = path
        self.reason = (
            os.strerror(error.errno) if error.errno else first_line(error)
        )  # Arrow has no `strerror`
        self._made_of = (path, error, what)
        super().__init__(
            f"the {what} {clip(str(path), 200)} can't be read here: {self.reason}; "
            "it may be sound, and is left as it is"
        )

    def __reduce__(self) -> tuple[type[UnreadError], tuple[Place, OSError, str]]:
        return (UnreadError, self._made_of)


class PartFile:
    """One Parquet file of a dataset, open to be read.

    `PartError` if it is not what its entry says, `UnreadError` if it can't be read here. ``file_hash``: the SHA-256
    of all its bytes, if that was asked for.
    """

    def __init__(
        self,
        folder: Place,
        entry: Mapping[str, Any],
        game: str,
        table: str = "deals",
        *,
        hashed: bool = False,
    ) -> None:
        """``entry``: the part's in the manifest; ``table``: which of its files; ``hashed``: to take its hash."""
        import pyarrow.parquet as pq

        about = entry if table == "deals" else entry.get(table)
        if about is None:
            raise PartError(folder / table, f"the manifest has no {table} for deal {entry['first_deal']}")
        self.path = folder / about["file"]
        self._columns = columns_of(game, table)
        self._source = _opened(self.path)
        self.file_hash: str | None = None
        try:
            if hashed:
                self.file_hash = _hash_of(self._source, self.path)
            self.file: Any = pq.ParquetFile(self._source, page_checksum_verification=True)
        except _UNREADABLE as error:
            self._source.close()
            raise _refusal(self.path, error) from None
        try:
            if not self.file.schema_arrow.equals(arrow_schema(game, table)):
                raise PartError(
                    self.path, f"its columns are not those of {game if table == 'deals' else table}"
                )
            rows = self.file.metadata.num_rows
            if rows != about["rows"]:
                raise PartError(self.path, f"it has {rows} rows where the manifest has {about['rows']}")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self.file.close()
        self._source.close()

    def about(self) -> dict[str, Any] | None:
        """What its metadata say determines its rows; None if they say nothing."""
        try:
            found = json.loads((self.file.schema_arrow.metadata or {}).get(b"tuolaji", b"null"))
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def groups(self, names: Sequence[str] | None = None, *, threads: bool = True) -> Iterator[dict[str, Any]]:
        """Its rows, a row group at a time: some columns, or all; codes for dictionaries, `Strings` for text.

        ``threads``: whether Arrow may use several; not when that is done outside.
        """
        wanted = [c for c in self._columns if names is None or c.name in names]
        numbers = [c.name for c in wanted if c.type.startswith("int")]
        for group in range(self.file.num_row_groups):
            try:
                table = self.file.read_row_group(group, [c.name for c in wanted], use_threads=threads)
                found = {c.name: from_arrow(c, table[c.name].chunks) for c in wanted}
                self._check_bounds(group, {name: found[name] for name in numbers})
            except _UNREADABLE as error:
                raise _refusal(self.path, error) from None
            yield found

    def _check_bounds(self, group: int, found: Mapping[str, NDArray[Any]]) -> None:
        """`PartError` if the footer says other bounds of a column than its rows have: readers skip groups by them."""
        about = self.file.metadata.row_group(group)
        for at in range(about.num_columns):
            column = about.column(at)
            values, told = found.get(column.path_in_schema), column.statistics
            if values is None or told is None or not told.has_min_max or not len(values):
                continue
            if (told.min, told.max) != (values.min(), values.max()):
                raise PartError(
                    self.path, f"its footer has other bounds of {column.path_in_schema} than its rows"
                )


def footer(path: Place) -> tuple[int | None, dict[str, Any]]:
    """A file's number of rows, None if it is damaged or not there, and what its metadata say determines them.

    `UnreadError` if it can't be read here.
    """
    import pyarrow.parquet as pq

    try:
        with _opened(path) as file:
            found = pq.read_metadata(file)
        about = json.loads((found.metadata or {}).get(b"tuolaji", b"null"))
    except UnreadError:
        raise
    except _UNREADABLE as error:
        if isinstance(error, OSError) and error.errno in _REFUSED:
            raise UnreadError(path, error) from None
        return None, {}
    return int(found.num_rows), about if isinstance(about, dict) else {}


class Dataset:
    """A dataset to be read. Everything its manifest promises is looked at when it is opened, except the rows."""

    def __init__(self, folder: str | Place) -> None:
        """``folder``: a path, or an address like ``s3://bucket/folder``."""
        self.folder = place(folder)
        self.manifest = read_manifest(self.folder)
        self.plan: Plan = plan_from_description(self.manifest)
        self.first: int = self.manifest["first"]
        self.asked: int = self.manifest["deals"]
        self.parts: list[dict[str, Any]] = self.manifest["parts"]
        if not self.parts:
            raise UsageError(f"the dataset {clip(str(folder), 200)} has no finished part yet")
        expected = self.first
        for entry in self.parts:
            if entry["first_deal"] != expected or entry["rows"] % self.plan.session:
                raise PartError(
                    self.folder / entry["file"],
                    "its manifest does not number the parts' deals one after the other",
                )
            expected += entry["rows"]
            self._open(entry).close()

    @property
    def deals(self) -> int:
        """Deals in finished parts."""
        return sum(entry["rows"] for entry in self.parts)

    def read(self, names: Sequence[str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Some columns of all rows in deal order, in pieces of whole sessions; codes for dictionaries."""
        for entry in self.parts:
            with self._open(entry) as file:
                yield from whole_sessions(file.groups(names), self.plan.session)

    def _open(self, entry: dict[str, Any]) -> PartFile:
        return PartFile(self.folder, entry, self.plan.game.name)


def whole_sessions(
    groups: Iterable[dict[str, NDArray[Any]]], session: int
) -> Iterator[dict[str, NDArray[Any]]]:
    """The same rows, beginning with a session's first, in pieces of whole sessions."""
    kept: dict[str, NDArray[Any]] = {}
    for found in groups:
        if kept:
            found = {name: np.concatenate([kept[name], values]) for name, values in found.items()}
        rows = len(next(iter(found.values())))
        whole = rows - rows % session
        kept = {name: values[whole:] for name, values in found.items()}
        yield {name: values[:whole] for name, values in found.items()}


#: What Arrow raises, among others; of memory, when it finds an impossible length in a damaged file.
_UNREADABLE = (OSError, ValueError, TypeError, LookupError, NotImplementedError, MemoryError, RecursionError)
#: Why the system does not let us read a file that may be sound; Arrow's own errors have no number, or that of a wrong
#: argument.
_REFUSED = frozenset(
    getattr(errno, name)
    for name in (
        "EACCES",
        "EPERM",
        "EIO",
        "ESTALE",
        "ETIMEDOUT",
        "EMFILE",
        "ENFILE",
        "ENOMEM",
        "EBUSY",
        "ENODEV",
    )
)
_AT_ONCE = 1 << 20  # bytes


def _opened(path: Place) -> Any:
    """A part's file; `PartError` if there is none, `UnreadError` if it can't be opened here."""
    try:
        if isinstance(path, Path) and path.is_dir():  # for which Arrow has no error of its own
            raise PartError(path, "it is a folder")
        return readable(path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        raise PartError(path, _reason(error)) from None
    except OSError as error:
        raise UnreadError(path, error) from None


def _hash_of(source: Any, path: Place) -> str:
    """The SHA-256 of a file that is open; whatever goes wrong is no damage to it."""
    digest = hashlib.sha256()
    try:
        while piece := source.read(_AT_ONCE):
            digest.update(piece)
        source.seek(0)
    except OSError as error:
        raise UnreadError(path, error) from None
    return digest.hexdigest()


def _refusal(path: Place, error: Exception) -> UsageError:
    """What an error in reading a part means: that it is damaged, or that it can't be read here."""
    if isinstance(error, (PartError, UnreadError)):
        return error
    if isinstance(error, OSError) and error.errno in _REFUSED:
        return UnreadError(path, error)
    return PartError(path, _reason(error))


def _reason(error: Exception) -> str:
    """The first sentence of an error, without the addresses and hints that Arrow adds."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    reason = getattr(error, "strerror", None) or str(error)
    return reason.splitlines()[0].split(". ")[0].rstrip(".") if reason else type(error).__name__
