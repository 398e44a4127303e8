"""The manifest of a dataset that is being written: what is in it, its times, and how it is replaced."""

from __future__ import annotations

import contextlib
import json
import platform
import time
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from .. import __version__
from . import storage
from .dataset import FORMAT, MANIFEST
from .storage import put

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .plan import Plan
    from .storage import Place


class Clock:
    """The time in UTC, which never goes back while the process lives, whatever is done to the system's clock."""

    def __init__(self, not_before: str | None = None) -> None:
        """``not_before``: a time as `now` gives it, which a dataset already bears."""
        self._began, self._at = datetime.now(UTC), time.monotonic()
        with contextlib.suppress(ValueError, TypeError):
            self._began = max(self._began, datetime.fromisoformat(str(not_before)))

    def now(self) -> str:
        """As text, to the second."""
        found = self._began + timedelta(seconds=time.monotonic() - self._at)
        return found.isoformat(timespec="seconds")


def new_manifest(
    plan: Plan, *, first: int, deals: int, part_rows: int, detail: str | None, chunk: int | None
) -> dict[str, Any]:
    """A manifest without parts, command lines and times."""
    return {
        "tool": f"tuolaji {__version__}",
        "format": FORMAT,
        **plan.describe(),
        "first": first,
        "deals": deals,
        "detail": detail,
        "part_rows": part_rows,
        "chunk": chunk,
        "command_lines": [],
        "libraries": libraries(),
        "started": None,
        "ended": None,
        "parts": [],
    }


def libraries() -> dict[str, str]:
    """The versions of Python and the libraries that a run uses."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "pyarrow")},
    }


#: Names that a manifest may have while it is written.
UNFINISHED = (f".{MANIFEST}.tmp", f".{MANIFEST}.next.tmp")


def save(folder: Place, manifest: Mapping[str, Any]) -> None:
    """Replace the manifest as a whole: whoever reads it sees the old one or the new one."""
    put(folder / MANIFEST, _text(manifest))


def replacing(folder: Place, manifest: Mapping[str, Any]) -> contextlib.AbstractContextManager[None]:
    """As `save`, at the end of what is within: see `storage.replacing`."""
    return storage.replacing(folder / MANIFEST, _text(manifest), ".next.tmp")


def _text(manifest: Mapping[str, Any]) -> str:
    """JSON to be read by people: a line a key, and a line a part."""
    lines = []
    for key, value in manifest.items():
        if key in ("parts", "behind") and value:
            shown = "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n ]"
        else:
            shown = json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\n ")
        lines.append(f" {json.dumps(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
