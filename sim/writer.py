"""Writing a dataset: the manifest and Parquet parts, each of them complete or absent."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .columns import Rows, arrow_schema, columns_of, in_one_block
from .dataset import FORMAT, MANIFEST, Digest, content, rows_in_part
from .errors import RunError, UsageError
from .text import clip

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from .plan import Plan

    Piece = dict[str, NDArray[Any]]

GROUP_ROWS = 131_072  # rows in a row group


class DatasetWriter:
    """Writes one dataset. `write_part` may run in several threads, for different parts; `add_part` in one."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        *,
        first: int,
        deals: int,
        chunk: int | None = None,
        command_line: str | None = None,
    ) -> None:
        """Make the folder with a manifest that has no parts yet. `UsageError` if that is not possible."""
        self.folder = folder
        self.plan = plan
        self.first = first
        self.part_rows = rows_in_part(plan.session)
        self._made = _make_folder(folder)
        self.parts: list[dict[str, Any]] = []
        self.manifest: dict[str, Any] = {
            "tool": f"tuolaji {__version__}",
            "format": FORMAT,
            **plan.describe(),
            "first": first,
            "deals": deals,
            "chunk": chunk,
            "command_lines": [command_line] if command_line else [],
            "libraries": _versions(),
            "started": _now(),
            "ended": None,
            "parts": self.parts,
        }
        try:
            (folder / "deals").mkdir()
            self._save()
        except OSError as error:
            self.discard()
            raise UsageError(
                f"out: can't write to the folder {clip(str(folder), 200)}: {error.strerror}"
            ) from None

    def write_part(self, index: int, pieces: deque[Piece]) -> dict[str, Any]:
        """Write the part whose rows are in ``pieces``, the engine's columns; its entry for the manifest.

        Takes the pieces away as they are written, so that their memory can serve the next part.
        """
        name = f"deals/part-{index:05}.parquet"
        path = self.folder / name
        unfinished = path.with_name(f".{path.name}.tmp")
        first = self.first + index * self.part_rows
        rows = sum(len(piece["banker"]) for piece in pieces)
        digest = Digest(self.plan.game.name)
        try:
            self._write(unfinished, first, rows, pieces, digest)
            unfinished.replace(path)
            _sync(path.parent)
        except BaseException as error:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            if isinstance(error, OSError):
                raise RunError(f"{name} can't be written: {error.strerror or error}") from error
            raise
        return {"file": name, "first_deal": first, "rows": rows, "sha256": digest.hexdigest()}

    def _write(self, path: Path, first: int, rows: int, pieces: deque[Piece], digest: Digest) -> None:
        import pyarrow.parquet as pq

        plan = self.plan
        about = {**content(plan), "first_deal": first, "rows": rows}
        schema = arrow_schema(plan.game.name).with_metadata({"tuolaji": json.dumps(about, sort_keys=True)})
        with pq.ParquetWriter(path, schema, **_encoding(plan.game.name)) as writer:
            at = first
            for group in _regroup(pieces, GROUP_ROWS):
                some = Rows(plan.game, plan.session, at, group)
                digest.update(some.values)
                writer.write_batch(some.to_batch(schema), row_group_size=GROUP_ROWS)
                at += some.count
        _sync(path)

    def add_part(self, entry: dict[str, Any]) -> None:
        """Enter a finished part into the manifest."""
        self.parts.append(entry)
        try:
            self._save()
        except OSError as error:
            self.parts.pop()
            self.remove_part(entry)
            raise RunError(f"the manifest can't be written: {error.strerror or error}") from error

    def remove_part(self, entry: dict[str, Any]) -> None:
        """Take away a part that is not in the manifest."""
        with contextlib.suppress(OSError):
            (self.folder / entry["file"]).unlink()

    def close(self) -> int:
        """Say in the manifest that the run has ended, complete or not; the deals kept. Without any, leave no trace."""
        if self.parts:
            self.manifest["ended"] = _now()
            with contextlib.suppress(OSError):  # a full disk: the manifest before is as right
                self._save()
        else:
            self.discard()
        return sum(entry["rows"] for entry in self.parts)

    def discard(self) -> None:
        """Remove a dataset without parts, and whatever folders were made for it."""
        for name in (MANIFEST, f".{MANIFEST}.tmp"):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        for folder in (self.folder / "deals", *self._made):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _save(self) -> None:
        """Replace the manifest as a whole: whoever reads it sees the old one or the new one."""
        unfinished = self.folder / f".{MANIFEST}.tmp"
        try:
            with unfinished.open("w", encoding="utf-8") as file:
                file.write(json.dumps(self.manifest, ensure_ascii=False, indent=1) + "\n")
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self.folder / MANIFEST)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
        _sync(self.folder)


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder for a new dataset; which folders had to be made, innermost first."""
    shown = clip(str(folder), 200)
    try:
        if (folder / MANIFEST).exists():
            raise UsageError(f"out: {shown} already holds a dataset; name a folder that is new or empty")
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"out: {shown} is a file; name a folder that is new or empty")
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"out: the folder {shown} is not empty; name a folder that is new or empty")
        made = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"out: can't make the folder {shown}: {reason}") from None
    return made


def _encoding(game: str) -> dict[str, Any]:
    """How parts are encoded: chosen for speed (some 0.3 microseconds a row); readers need not know."""
    columns = columns_of(game)
    numbers = [c.name for c in columns if c.type.startswith("int")]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": ["deal", "session"],
        "use_dictionary": [c.name for c in columns if c.values],
        "column_encoding": dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
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


def _sync(path: Path) -> None:
    """Make sure a file or a folder's entries have reached the disk, where the system can do that."""
    with contextlib.suppress(PermissionError, NotImplementedError):  # folders on Windows
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "pyarrow")},
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
