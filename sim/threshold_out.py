"""What the study ``threshold`` leaves in a folder: rows and tables as Parquet, thresholds as TOML, a manifest."""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .. import __version__
from .columns import to_batch
from .errors import RunError
from .folder import refused
from .manifest import Clock, libraries
from .new_folder import NewFolder
from .text import clip
from .threshold_columns import row_columns, row_schema, units

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from .bidding import Bidding
    from .plan import Plan

FORMAT = 1
KIND = "tuolaji threshold"


class Asked(Protocol):
    """What a study was asked for."""

    @property
    def plan(self) -> Plan:
        """Who plays what."""
        ...

    @property
    def deals(self) -> int:
        """How many deals."""
        ...

    @property
    def first(self) -> int:
        """The first of them."""
        ...

    @property
    def by(self) -> str:
        """What hands are ordered by."""
        ...

    @property
    def seats(self) -> tuple[int, ...]:
        """Of whose hands the tables are."""
        ...

    @property
    def bidding(self) -> Bidding:
        """The bidding studied."""
        ...

    def provenance(self) -> dict[str, Any]:
        """What determines the study."""
        ...


class Folder(NewFolder):
    """A study's folder, being written: all it promises is in it at the end, or the folder is as it was before."""

    def __init__(self, folder: str | Path, asked: Asked, command_line: str | None) -> None:
        self._clock = Clock()
        self._open: dict[str, Any] = {}
        self._tables: list[dict[str, Any]] = []
        self._provenance = {
            "kind": KIND,
            "format": FORMAT,
            **asked.provenance(),
        }
        self._asked = asked
        self._about = {
            "tool": f"tuolaji {__version__}",
            **self._provenance,
            "command_lines": [command_line] if command_line else [],
            "libraries": libraries(),
            "started": self._clock.now(),
        }
        super().__init__(folder, self._clock.now())
        try:
            for name in ("rows", "tables"):
                self.subfolder(name)
        except BaseException as error:
            self.discard()
            if isinstance(error, OSError):
                raise refused(self.path, error) from None
            raise

    def keep(self, name: str, columns: dict[str, NDArray[Any]]) -> None:
        """Write the rows of some deals to ``rows/NAME.parquet``."""
        import pyarrow.parquet as pq

        schema = self._stamped(row_schema(name), units=units(name, self._asked.by))
        try:
            if name not in self._open:
                stack = contextlib.ExitStack()
                self._open[name] = [stack, None, 0, {}]
                file = stack.enter_context(self.file(f"rows/{name}.parquet"))
                writer = pq.ParquetWriter(file, schema, compression="zstd")
                self._open[name][1] = stack.enter_context(writer)
            entry = self._open[name]
            entry[1].write_batch(to_batch(row_columns(name), columns, schema))
        except OSError as error:
            raise RunError(f"rows/{name}.parquet can't be written: {error.strerror or error}") from error
        entry[2] += len(next(iter(columns.values())))
        for key, values in columns.items():
            digest = entry[3].setdefault(key, hashlib.sha256(f"{key} {values.dtype}\n".encode()))
            digest.update(np.ascontiguousarray(values).data)

    def finish(
        self, tables: dict[str, list[dict[str, Any]]], bidding: Bidding, result: dict[str, Any]
    ) -> None:
        """Write tables, thresholds, the result as JSON and the manifest."""
        try:
            for name, (stack, _, count, digests) in self._open.items():
                stack.close()
                whole = hashlib.sha256(b"".join(digest.digest() for digest in digests.values()))
                self._enter(f"rows/{name}.parquet", count, whole.hexdigest())
            self._open.clear()
            for name, rows in tables.items():
                self._table(name, rows)
            self._text("thresholds.toml", bidding.to_toml(self._origin()))
            self._text("result.json", json.dumps(result, ensure_ascii=False, indent=1) + "\n")
            manifest = {**self._about, "ended": self._clock.now(), "files": self._tables}
            self._text("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
        except OSError as error:
            raise RunError(
                f"{clip(str(self.path), 200)} can't be written: {error.strerror or error}"
            ) from error

    def discard(self) -> None:
        """Take everything away again."""
        for stack, *_ in self._open.values():
            with contextlib.suppress(Exception):
                stack.close()
        super().discard()

    def _origin(self) -> dict[str, Any]:
        """Where the thresholds come from."""
        asked, plan = self._asked, self._asked.plan
        return {
            "about": f"found by tuolaji threshold, by {asked.by}",
            "tool": f"tuolaji {__version__}",
            "rules": plan.rules.name,
            "rules_hash": plan.rules.hash(),
            "seed": str(plan.seed),
            "first": asked.first,
            "deals": asked.deals,
            "start": asked.bidding.name,
            "start_sha256": asked.bidding.hash(),
            **(plan.given.typed() if plan.given else {}),
        }

    def _stamped(self, schema: Any, **more: Any) -> Any:
        about = json.dumps({**self._provenance, **more}, sort_keys=True)
        return schema.with_metadata({"tuolaji": about})

    def _table(self, name: str, rows: list[dict[str, Any]]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.Table.from_pylist(rows)
        with self.file(f"tables/{name}.parquet") as file:
            pq.write_table(table.cast(self._stamped(table.schema)), file)
        digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
        self._enter(f"tables/{name}.parquet", len(rows), digest)

    def _enter(self, name: str, rows: int, digest: str) -> None:
        """Note what the manifest is to say of a file."""
        self._tables.append({"file": name, "rows": rows, "sha256": digest})

    def _text(self, name: str, text: str) -> None:
        with self.file(name) as file:
            file.write(text.encode())
