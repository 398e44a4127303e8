"""Datasets on disk: a manifest and Parquet parts, each of them complete or absent. Format: `docs/dataset.md`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import arrow_schema, columns_of, numbers
from .errors import UsageError
from .plan import plan_from_description
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from .plan import Plan

FORMAT = 1
PART_ROWS = 500_000  # rounded down to whole sessions
MANIFEST = "manifest.json"


def rows_in_part(session: int) -> int:
    """How many deals a full part holds: whole sessions, and nothing that depends on how the run is divided."""
    return max(1, PART_ROWS // session) * session


def content(plan: Plan) -> dict[str, Any]:
    """What, besides the index of a deal, determines its row."""
    return {"format": FORMAT, **plan.describe(), "rules": plan.rules.options()}


class Digest:
    """SHA-256 over the logical content of rows: independent of encoding, and fed piece by piece."""

    def __init__(self, game: str) -> None:
        self._columns = columns_of(game)
        self._hashes = [hashlib.sha256(f"{c.name} {c.type}\n".encode()) for c in self._columns]

    def update(self, values: dict[str, NDArray[Any]]) -> None:
        """Add rows, in order."""
        for column, digest in zip(self._columns, self._hashes, strict=True):
            digest.update(np.ascontiguousarray(values[column.name].astype(column.numpy, copy=False)).data)

    def hexdigest(self) -> str:
        """Of everything so far."""
        return hashlib.sha256(b"".join(digest.digest() for digest in self._hashes)).hexdigest()


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a dataset; `UsageError` if there is none or it is not one of this format."""
    path = Path(folder) / MANIFEST
    shown = clip(str(path), 200)
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"{clip(str(folder), 200)} is no dataset: it has no {MANIFEST}; "
            "name a folder that `tuolaji simulate --out` wrote"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not JSON"
        raise UsageError(f"the manifest {shown} can't be read: {reason}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else None
        raise UsageError(f"the manifest {shown} has format {clip(found)}; this version reads format {FORMAT}")
    parts = manifest.get("parts")
    sound = isinstance(parts, list) and all(_is_entry(entry) for entry in parts)
    if not sound or not all(_is_count(manifest.get(key)) for key in ("first", "deals")):
        raise UsageError(
            f"the manifest {shown} is damaged: first, deals or parts are missing or not of their kind"
        )
    return manifest


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("file"), str)
        and isinstance(entry.get("sha256"), str)
        and all(_is_count(entry.get(key)) for key in ("first_deal", "rows"))
    )


class Dataset:
    """A dataset to be read. Everything its manifest promises is looked at when it is opened, except the rows."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(folder)
        self.plan: Plan = plan_from_description(self.manifest)
        self.first: int = self.manifest["first"]
        self.parts: list[dict[str, Any]] = self.manifest["parts"]
        if not self.parts:
            raise UsageError(f"the dataset {clip(str(folder), 200)} has no finished part yet")
        expected = self.first
        for entry in self.parts:
            if entry["first_deal"] != expected or entry["rows"] % self.plan.session:
                raise self._damaged(
                    entry, "its manifest does not number the parts' deals one after the other"
                )
            expected += entry["rows"]
            with self._open(entry):
                pass

    @property
    def deals(self) -> int:
        """Deals in finished parts."""
        return sum(entry["rows"] for entry in self.parts)

    def read(self, names: Sequence[str]) -> Iterator[dict[str, NDArray[Any]]]:
        """Some columns of all rows in deal order, in pieces of whole sessions; codes for dictionaries."""
        wanted = [column for column in columns_of(self.plan.game.name) if column.name in names]
        for entry in self.parts:
            kept: dict[str, NDArray[Any]] = {}
            with self._open(entry) as file:
                for group in range(file.num_row_groups):
                    try:
                        table = file.read_row_group(group, [column.name for column in wanted])
                        found = {
                            c.name: _joined([numbers(c, a) for a in table[c.name].chunks]) for c in wanted
                        }
                    except (OSError, ValueError) as error:  # what Arrow raises derives from these
                        raise self._damaged(entry, _reason(error)) from None
                    if kept:
                        found = {name: _joined([kept[name], values]) for name, values in found.items()}
                    rows = len(found[wanted[0].name])
                    whole = rows - rows % self.plan.session
                    kept = {name: values[whole:] for name, values in found.items()}
                    yield {name: values[:whole] for name, values in found.items()}

    def _open(self, entry: dict[str, Any]) -> Any:
        import pyarrow.parquet as pq

        game = self.plan.game.name
        try:
            file = pq.ParquetFile(self.folder / entry["file"])
        except (OSError, ValueError) as error:
            raise self._damaged(entry, _reason(error)) from None
        if not file.schema_arrow.equals(arrow_schema(game)):
            file.close()
            raise self._damaged(entry, f"its columns are not those of {game}")
        rows = file.metadata.num_rows
        if rows != entry["rows"]:
            file.close()
            raise self._damaged(entry, f"it has {rows} rows where the manifest has {entry['rows']}")
        return file

    def _damaged(self, entry: dict[str, Any], reason: str) -> UsageError:
        return UsageError(f"the part {clip(str(self.folder / entry['file']), 200)} can't be used: {reason}")


def _joined(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _reason(error: Exception) -> str:
    """The first sentence of an error, without the addresses and hints that Arrow adds."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    reason = getattr(error, "strerror", None) or str(error)
    return reason.splitlines()[0].split(". ")[0].rstrip(".") if reason else type(error).__name__
