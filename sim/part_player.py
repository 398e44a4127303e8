"""What a worker of a cluster does: one part of a dataset, played and written where the worker is.

What goes there and comes back is small and plain, so that versions that differ say so, and not something obscure.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import socket
import threading
import time
from collections import deque
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from .. import __version__
from .columns import narrowed
from .errors import RunError
from .lock import holds
from .part_writer import ALL, PartWriter
from .plan import plan_from_description
from .runner import IN_FULL, LARGEST
from .startup import give_memory_back
from .storage import Place, place
from .text import clip
from .totals import Totals, count, counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .detail import Detail
    from .engine import Engine

_PACKAGE = Path(__file__).resolve().parent.parent
_SLOW = 16  # deals at a time when policies search
_EVERY = 5.0  # seconds between two looks at whether the part is still wanted


class Order(TypedDict):
    """What a run asks for, the same for all its parts. ``made_by``: `fingerprint`; ``run``: see `lock.holds`."""

    made_by: dict[str, str]
    run: str
    folder: str
    plan: dict[str, Any]
    first: int
    deals: int
    part_rows: int
    detail: str | None
    staged: list[int]


@cache
def fingerprint() -> dict[str, str]:
    """What has to be the same everywhere for rows to be the same: versions, and hashes of the package's sources."""
    return {
        "tuolaji": __version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "kernels": _hash(_PACKAGE / "kernels"),
        "code": _hash(_PACKAGE / "sim"),
    }


def _hash(folder: Path) -> str:
    """Of every source file in a folder of the package; line ends don't count."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:20]


def difference(mine: dict[str, str], theirs: dict[str, Any], who: str) -> str | None:
    """A sentence about the first thing in which another process is unlike this one; None if there is none."""
    for name, value in mine.items():
        found = theirs.get(name)
        if found == value:
            continue
        if name in ("kernels", "code"):
            what = "kernels" if name == "kernels" else "modules"
            return f"{who} has other {what} of tuolaji {mine['tuolaji']} than this machine; install the same on both"
        shown = clip(str(found)).strip('"')
        has = f"{name} {shown}" if found else f"no {name}"
        return f"{who} has {has} where this machine has {value}; install the same on both"
    return None


def shares(folder: str, run: str) -> bool:
    """Whether this process sees the folder of a run as the run does."""
    return holds(place(folder), run)


def play_part(order: Order, index: int) -> tuple[dict[str, Any], Totals]:
    """Play and write part ``index``; its entry in the manifest and its totals.

    `RunError` if this process would not play the same rows, does not see the folder, or if the run has ended.
    """
    who = f"the worker with process {os.getpid()} on {socket.gethostname()}"
    unlike = difference(order["made_by"], fingerprint(), who)
    if unlike:
        raise RunError(unlike)
    folder = place(order["folder"])
    wanted = _Wanted(folder, order["run"], who)
    wanted()
    with _LOADING:
        give_memory_back()
        engine = _engine(json.dumps(order["plan"]), order["detail"])
    writer = PartWriter(
        folder, engine.plan, first=order["first"], part_rows=order["part_rows"], detail=order["detail"],
        staged=ALL if index in order["staged"] else (), shared=True, wanted=wanted,
    )  # fmt: skip
    try:
        return _play(engine, order, index, writer, wanted)
    except BaseException:
        writer.abandon(index)
        raise


_LOADING = threading.Lock()


@lru_cache(maxsize=2)
def _engine(described: str, detail: str | None) -> Engine:
    """Called by one thread at a time: kernels are loaded or compiled."""
    from .engine import Engine

    engine = Engine(plan_from_description(json.loads(described)))
    counted(engine.plan.game.name)
    if detail:
        engine.load_detail()
    return engine


class _Wanted:
    """Raises `RunError` when the run that ordered a part has ended, or has another folder than this worker."""

    def __init__(self, folder: Place, run: str, who: str) -> None:
        self._folder, self._run, self._who = folder, run, who
        self.looked = 0.0

    def __call__(self) -> None:
        self.looked = time.monotonic()
        if not holds(self._folder, self._run):
            raise RunError(
                f"{self._who} does not find the run's lock in {clip(str(self._folder), 200)}: "
                "the folder must be one that all workers share, or an address like s3://bucket/folder"
            )


def _play(
    engine: Engine, order: Order, index: int, writer: PartWriter, wanted: _Wanted
) -> tuple[dict[str, Any], Totals]:
    """Play the deals of a part and write them."""
    plan, detail = engine.plan, order["detail"]
    at = order["first"] + index * order["part_rows"]
    end = min(at + order["part_rows"], order["first"] + order["deals"])
    most = _SLOW if engine.slow else IN_FULL if detail else LARGEST
    step = max(1, most // plan.session) * plan.session
    pieces: deque[dict[str, NDArray[Any]]] = deque()
    details: deque[Detail] = deque()
    totals = Totals(plan.session)
    while at < end:
        if time.monotonic() - wanted.looked > _EVERY:
            wanted()
        number = min(step, end - at)
        if detail:
            columns, more = engine.play_in_full(at, number, plays=detail == "plays")
            details.append(more)
        else:
            columns = engine.play(at, number)
        totals.merge(count(columns, plan.session, plan.game.name))
        pieces.append(narrowed(plan.game.name, columns, 0, number))
        at += number
        if at < end:
            writer.write_rows(index, pieces, details)
    return writer.write_part(index, pieces, details), totals
