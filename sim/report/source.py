"""What a study left in its folder, read with care: whatever is not as it should be is told in a sentence."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import UsageError
from ..storage import readable
from ..text import clip
from .figures import Number

if TYPE_CHECKING:
    from pathlib import Path

Row: TypeAlias = dict[str, Any]
MOST_ROWS = 50_000


class Source:
    """An object from a file or folder; every look at it says what is wrong and where."""

    def __init__(self, path: Path, top: Any) -> None:
        self.path = path
        self.top: Row = top if isinstance(top, dict) else self.damaged("it is no object")

    def damaged(self, why: str) -> Any:
        """Say so."""
        raise UsageError(f"{clip(str(self.path), 200)} is damaged: {why}")

    def rows(self, key: str, row: Row | None = None) -> list[Row]:
        """A list of objects."""
        found = (self.top if row is None else row).get(key)
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            return list(self.damaged(f"{key} is no list of rows"))
        if len(found) > MOST_ROWS:
            self.damaged(f"{key} has {len(found)} rows, more than {MOST_ROWS}")
        return found

    def object(self, key: str, row: Row | None = None) -> Row:
        """An object."""
        found = (self.top if row is None else row).get(key)
        return found if isinstance(found, dict) else dict(self.damaged(f"{key} is missing or no object"))

    def real(self, row: Row, key: str) -> float | None:
        """A number, or None."""
        found = row.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not abs(found) < 1e15:
            self.damaged(f"{key} holds {clip(found)}, which is no number")
        return float(found)

    def whole(self, row: Row, key: str) -> int:
        """A whole number."""
        found = self.real(row, key)
        if found is None or found != math.floor(found):
            self.damaged(f"{key} holds {clip(row.get(key))}, which is no whole number")
        return int(found or 0)

    def word(self, row: Row, key: str) -> str:
        """A text."""
        found = row.get(key)
        return found if isinstance(found, str) else str(self.damaged(f"{key} is missing or no text"))

    def number(self, row: Row, key: str, low: str = "", high: str = "") -> Number:
        """A figure with its interval; by default its ends are ``key_low`` and ``key_high``."""
        value, ends = (
            self.real(row, key),
            (self.real(row, low or f"{key}_low"), self.real(row, high or f"{key}_high")),
        )
        known = [end for end in ends if end is not None]
        if len(known) == 2 and known[0] > known[1]:
            self.damaged(f"the interval of {key} ends before it begins")
        return Number(value, *ends)

    def estimate(self, row: Row) -> Number:
        """A figure as ``stats.Estimate.to_dict`` has it."""
        return self.number(row, "value", "low", "high")


def json_file(path: Path) -> Source:
    """A JSON file."""
    try:
        found = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is not JSON"
        raise UsageError(f"{clip(str(path), 200)} can't be read: {reason}") from None
    return Source(path, found)


def tables(folder: Path, names: tuple[str, ...]) -> Source:
    """The rows of Parquet files ``NAME.parquet`` by name."""
    import pyarrow.parquet as pq

    found: Row = {}
    for name in names:
        path = folder / f"{name}.parquet"
        try:
            with readable(path) as source, pq.ParquetFile(source) as file:
                rows = file.metadata.num_rows
                found[name] = [] if rows > MOST_ROWS else file.read().to_pylist()
        except (OSError, ValueError, TypeError, LookupError, NotImplementedError) as error:
            missing = isinstance(error, FileNotFoundError)
            reason = "there is no such file" if missing else "it is no Parquet file, or a damaged one"
            raise UsageError(f"{clip(str(path), 200)} can't be read: {reason}") from None
        if rows > MOST_ROWS:
            raise UsageError(
                f"{clip(str(path), 200)} has {rows} rows, more than a page can show ({MOST_ROWS})"
            )
    return Source(folder, found)
