"""Start-up of the command line beside what its libraries alone take to import."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import measure
import pytest
from measure import Beside

IMPORTS = (sys.executable, "-c", "import numba, pyarrow")
ROUNDS = 5
# Processor time would not see the children, whatever timer the command line asks for.
pytestmark = pytest.mark.benchmark(timer=time.perf_counter)


def test_bare_import_of_numba_and_pyarrow(beside: Beside) -> None:
    beside(measure.run, IMPORTS, calls=1, per="run", rounds=ROUNDS)


def test_help(beside: Beside) -> None:
    beside(measure.run, (*measure.CLI, "--help"), calls=1, per="run", rounds=ROUNDS)


@pytest.mark.parametrize("out", [False, True], ids=["summary_only", "dataset"])
def test_simulate_1000_deals_warm(beside: Beside, benchmark: object, tmp_path: Path, out: bool) -> None:
    command = [*measure.CLI, "simulate", "die-wu-fen", "--deals", "1000"]
    folders = iter(range(1000))

    def run() -> None:
        measure.run([*command, "--out", tmp_path / str(next(folders))] if out else command)

    bare = [measure.run(IMPORTS).wall for _ in range(3)]
    beside(run, calls=1, per="run", rounds=ROUNDS)
    bare += [measure.run(IMPORTS).wall for _ in range(3)]
    info = getattr(benchmark, "extra_info", {})
    if "ns" in info:
        info["ratio_to_bare_import"] = info["ns"] / 1e9 / measure.median(bare)
        print(
            f"\nsimulate --deals 1000: {info['ratio_to_bare_import']:.2f} × a bare import of numba and pyarrow"
        )
