"""From played deals to files and statistics, per row."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import count as numbers
from pathlib import Path
from typing import Any

import situations
from measure import Beside

from tuolaji.sim.columns import Rows
from tuolaji.sim.dataset import Digest
from tuolaji.sim.totals import count
from tuolaji.sim.writer import DatasetWriter

ROWS = 65_536


@cache
def played() -> dict[str, Any]:
    """Columns of deals as the engine leaves them."""
    return situations.engine("greedy").play(0, ROWS)


@cache
def rows() -> Rows:
    """The same, in the types of the dataset."""
    plan = situations.engine("greedy").plan
    return Rows(plan.game, plan.session, 0, played())


def test_columns_in_their_types(beside: Beside) -> None:
    plan = situations.engine("greedy").plan
    beside(Rows, plan.game, plan.session, 0, played(), calls=ROWS, per="row")


def test_arrow_batch(beside: Beside) -> None:
    beside(rows().to_batch, calls=ROWS, per="row")


def test_hash(beside: Beside) -> None:
    beside(Digest("die-wu-fen").update, rows().values, calls=ROWS, per="row")


def test_statistics(beside: Beside) -> None:
    beside(count, played(), 1, calls=ROWS, per="row")


def test_whole_part_on_disk(beside: Beside, tmp_path: Path) -> None:
    writer = DatasetWriter(tmp_path / "out", situations.engine("greedy").plan, first=0, deals=ROWS)
    index = numbers()

    def write() -> None:
        writer.write_part(next(index), deque([played()]))

    beside(write, calls=ROWS, per="row")
