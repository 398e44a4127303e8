"""What the measuring scripts share: child processes with their costs, the machine, tables.

Imports nothing heavy: on Linux a child's peak memory starts from what its parent held when it was made.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

#: The fixture ``beside`` of conftest.py.
Beside = Callable[..., None]
CLI = (sys.executable, "-m", "tuolaji")
#: Game -> cards in its packs.
GAMES = {"die-wu-fen": 108, "hong-wu-wu-jia": 162}


@dataclass(frozen=True)
class Cost:
    """What a child process cost: seconds on the clock, seconds of all cores together, peak memory in MB."""

    wall: float
    cpu: float
    memory: float


def run(command: Sequence[str | Path]) -> Cost:
    """Run a command and wait for it. An error ends the measurement."""
    words = [str(word) for word in command]
    with tempfile.TemporaryFile() as complaints:
        began = time.perf_counter()
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=complaints)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            complaints.seek(0)
            sys.stderr.write(complaints.read().decode(errors="replace"))
            sys.exit(f"{' '.join(words)} ended with {child.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, _megabytes(usage))


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3 / 1.024)


def simulate(deals: int, policy: str, *, workers: int = 1, game: str = "die-wu-fen") -> Cost:
    """One ``tuolaji simulate`` to Parquet in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="tuolaji-benchmark-") as folder:
        options = {
            "--deals": deals, "--seed": 7, "--policy": policy, "--workers": workers, "--out": Path(folder) / "out",
        }  # fmt: skip
        words = [str(word) for option in options.items() for word in option]
        return run([*CLI, "simulate", game, *words])


def keep_to_one_core() -> None:
    """Use one core from now on, child processes too, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def machine() -> dict[str, Any]:
    """What numbers were measured on, and when."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in ("tuolaji", "numba", "numpy", "pyarrow")},
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def _cpu() -> str:
    with_name = Path("/proc/cpuinfo")
    if with_name.exists():
        for line in with_name.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def sentence(about: dict[str, Any]) -> str:
    """The machine as one line under a table."""
    return (
        f"Measured {about['date']} on {about['cpu']}, {about['cores']} cores, {about['system']}; "
        f"Python {about['python']}, numba {about['numba']}, load at the beginning {about['load']}."
    )


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; the first column left, the others right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def report(
    about: dict[str, Any], head: Sequence[str], rows: Sequence[Sequence[object]], found: object
) -> None:
    """Print the table, the machine, and everything once more as JSON."""
    print(table(head, rows))
    print()
    print(sentence(about))
    print()
    print(json.dumps({"machine": about, "found": found}, ensure_ascii=False))


def median(values: Sequence[float]) -> float:
    """The middle one; of few runs among other processes a better witness than the mean."""
    return statistics.median(values)


def spread(values: Sequence[float]) -> str:
    """Smallest to largest, to show how quiet the machine was."""
    return f"{min(values):.2f} … {max(values):.2f}"
