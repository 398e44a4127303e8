"""Datasets of small parts, for tests of runs: in this process, and in others that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tuolaji.sim.plan import Plan, make_plan
from tuolaji.sim.simulate import run
from tuolaji.sim.summary import Summary

#: The command line, with small parts.
COMMAND = """
import sys
from tuolaji.sim import dataset
dataset.PART_ROWS = {part}
dataset.DETAIL_PART_ROWS = {{"tricks": {part}, "plays": {part}}}
from tuolaji.sim import part_writer, parts
if {groups}:
    for module in (part_writer, parts):
        module.GROUP_ROWS = module.GROUP_DEALS = {part} // 3
from tuolaji.cli import main
main(sys.argv[1:])
"""


def small_parts(monkeypatch: pytest.MonkeyPatch, size: int, *, groups: bool = True) -> None:
    """Parts of so many deals in this process; with ``groups`` they are of three row groups and a bit."""
    monkeypatch.setattr("tuolaji.sim.dataset.PART_ROWS", size)
    monkeypatch.setattr("tuolaji.sim.dataset.DETAIL_PART_ROWS", {"tricks": size, "plays": size})
    for module in ("part_writer", "parts") if groups else ():
        for name in ("GROUP_ROWS", "GROUP_DEALS"):
            monkeypatch.setattr(f"tuolaji.sim.{module}.{name}", size // 3)


def command(*args: str | Path, part: int = 2000, groups: bool = True) -> list[str]:
    """A command line with small parts, for another process; ``groups``: see `small_parts`."""
    return [sys.executable, "-c", COMMAND.format(part=part, groups=groups), *map(str, args)]


def finished(
    *args: str | Path, part: int = 2000, groups: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Such a command, run to its end."""
    line = command(*args, part=part, groups=groups)
    return subprocess.run(line, capture_output=True, text=True, check=False, **options)


def plan_of(game: str = "dwf", **options: Any) -> Plan:
    """A plan that is quick to play."""
    return make_plan(game, **{"policies": "random", "seed": 3, **options})


def written(folder: str | Path, deals: int = 60, game: str = "dwf", **options: Any) -> Summary:
    """A dataset in ``folder``; options of the plan and of the run."""
    names = ("first", "workers", "chunk", "command_line", "detail", "resume", "found", "report", "scheduler")
    of_run = {key: options.pop(key) for key in names if key in options}
    return run(plan_of(game, **options), deals, out=folder, **of_run)


def manifest(folder: Path) -> dict[str, Any]:
    """The manifest as it lies there."""
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return found


def change(folder: Path, **keys: Any) -> None:
    """Write other values into a manifest."""
    (folder / "manifest.json").write_text(json.dumps(manifest(folder) | keys), "utf-8")


def contents(folder: Path) -> list[tuple[Any, ...]]:
    """First deal, rows and hashes of every part."""
    tables = ("tricks", "plays")
    return [
        (part["first_deal"], part["rows"], part["sha256"], *(part[t]["sha256"] for t in tables if t in part))
        for part in manifest(folder)["parts"]
    ]


def names(folder: Path) -> list[str]:
    """Everything in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
