"""The folder of a study that comes to tables: Parquet files, a manifest, and nothing at all if it can't be finished."""

from __future__ import annotations

import contextlib
import hashlib
import json
from typing import TYPE_CHECKING, Any

from .. import __version__
from .errors import RunError
from .folder import make_folder
from .manifest import Clock, libraries
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Protocol

    class Discardable(Protocol):
        """What can take back all that it wrote."""

        def discard(self) -> None: ...


FORMAT = 1


class StudyFolder:
    """All that a study promises is in its folder at the end, or the folder is as it was before.

    ``provenance``: what determines the tables; it stands in the manifest and in the metadata of every Parquet file.
    """

    def __init__(
        self, folder: Path, kind: str, provenance: Mapping[str, Any], command_line: str | None
    ) -> None:
        self.folder = folder
        self._made = make_folder(folder, resume=False)
        self._written: list[Path] = []
        self._clock = Clock()
        self._provenance = {"kind": kind, "format": FORMAT, **provenance}
        self._files: list[dict[str, Any]] = []
        self._about = {
            "kind": kind,
            "format": FORMAT,
            "tool": f"tuolaji {__version__}",
            **provenance,
            "command_lines": [command_line] if command_line else [],
            "libraries": libraries(),
            "started": self._clock.now(),
        }

    def table(self, name: str, schema: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
        """Write ``NAME.parquet``; ``schema``: type by column."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        about = json.dumps(self._provenance, sort_keys=True)
        fields = [pa.field(key, pa.type_for_alias(kind)) for key, kind in schema.items()]
        table = pa.Table.from_pylist(list(rows), schema=pa.schema(fields, metadata={"tuolaji": about}))
        digest = hashlib.sha256(json.dumps(table.to_pylist(), sort_keys=True).encode()).hexdigest()
        with self._refusing():
            pq.write_table(table, self._path(f"{name}.parquet"), compression="zstd")
        self._files.append({"file": f"{name}.parquet", "rows": len(rows), "sha256": digest})

    def text(self, name: str, text: str) -> None:
        """Write a text file."""
        with self._refusing():
            self._path(name).write_text(text, encoding="utf-8")

    def finish(self) -> None:
        """Write the manifest, the last file."""
        manifest = {**self._about, "ended": self._clock.now(), "files": self._files}
        self.text("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1) + "\n")

    def discard(self) -> None:
        """Take everything away again."""
        for path in self._written:
            with contextlib.suppress(OSError):
                path.unlink()
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _path(self, name: str) -> Path:
        path = self.folder / name
        self._written.append(path)
        return path

    @contextlib.contextmanager
    def _refusing(self) -> Any:
        try:
            yield
        except OSError as error:
            shown = clip(str(self.folder), 200)
            raise RunError(f"{shown} can't be written: {error.strerror or error}") from error


@contextlib.contextmanager
def or_nothing(folder: Discardable | None) -> Iterator[None]:
    """Whatever goes wrong within, take away again what was written."""
    try:
        yield
    except BaseException:
        if folder:
            folder.discard()
        raise
