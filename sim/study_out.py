"""The folder of a study that comes to tables: Parquet files, a manifest, and nothing at all if it can't be finished."""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

from .. import __version__
from .errors import Interrupted, RunError
from .manifest import Clock, libraries
from .new_folder import NewFolder
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

FORMAT = 1


class StudyFolder(NewFolder):
    """All that a study promises is in its folder at the end, or the folder is as it was before.

    ``provenance``: what determines the tables; it stands in the manifest and in the metadata of every Parquet file.
    """

    def __init__(
        self, folder: str | Path, kind: str, provenance: Mapping[str, Any], command_line: str | None
    ) -> None:
        self._clock = Clock()
        self._provenance = {"kind": kind, "format": FORMAT, **provenance}
        self._tables: list[dict[str, Any]] = []
        self._about = {
            "kind": kind,
            "format": FORMAT,
            "tool": f"tuolaji {__version__}",
            **provenance,
            "command_lines": [command_line] if command_line else [],
            "libraries": libraries(),
            "started": self._clock.now(),
        }
        super().__init__(folder, self._clock.now())

    def table(self, name: str, schema: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
        """Write ``NAME.parquet``; ``schema``: type by column."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        about = json.dumps(self._provenance, sort_keys=True)
        fields = [pa.field(key, pa.type_for_alias(kind)) for key, kind in schema.items()]
        table = pa.Table.from_pylist(list(rows), schema=pa.schema(fields, metadata={"tuolaji": about}))
        digest = hashlib.sha256(json.dumps(table.to_pylist(), sort_keys=True).encode()).hexdigest()
        with self._refusing(), self.file(f"{name}.parquet") as file:
            pq.write_table(table, file, compression="zstd")
        self._tables.append({"file": f"{name}.parquet", "rows": len(rows), "sha256": digest})

    def text(self, name: str, text: str) -> None:
        """Write a text file."""
        with self._refusing(), self.file(name) as file:
            file.write(text.encode())

    def finish(self) -> None:
        """Write the manifest, the last file; the folder is complete."""
        manifest = {**self._about, "ended": self._clock.now(), "files": self._tables}
        self.text("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")
        self.release()

    @contextlib.contextmanager
    def _refusing(self) -> Any:
        try:
            yield
        except OSError as error:
            shown = clip(str(self.path), 200)
            raise RunError(f"{shown} can't be written: {error.strerror or error}") from error


@contextlib.contextmanager
def or_nothing(folder: NewFolder | None) -> Iterator[None]:
    """Whatever goes wrong within, take away again what was written; `Interrupted` if the user stops it."""
    from .stopping import interrupt, stopped_by_user, undisturbed

    try:
        with stopped_by_user(interrupt):
            yield
            if folder:
                folder.release()
    except BaseException as error:
        if folder:
            with undisturbed():
                folder.discard()
        if isinstance(error, KeyboardInterrupt) and not isinstance(error, Interrupted):
            raise Interrupted("interrupted; nothing was written") from None
        raise
