"""Chunks of deals on all cores, results in deal order."""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..kernels.compiling import clock
from .cores import cores
from .totals import Totals, count, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from .detail import Detail
    from .engine import Columns
    from .plan import Plan

CHUNK_SECONDS = 0.5
SLOWEST = 4  # deals in the first chunk when policies search
SMALLEST, LARGEST = 1 << 10, 1 << 14  # deals in a chunk of the runner's choosing
MOST = 1 << 20  # and in any chunk: bounds memory
IN_FULL = 1 << 13  # with tricks or plays, which take fifty times as much: most deals in a chunk


class Player(Protocol):
    """What a runner asks for deals: an ``Engine``, or what puts several together. It may have ``slow``: search."""

    @property
    def plan(self) -> Plan: ...

    def play(self, first: int, count: int, stop: NDArray[np.int64] | None = None) -> Columns:
        """See ``Engine.play``."""


@dataclass(frozen=True)
class Chunk:
    """Played deals: the engine's columns, their totals, and how long a deal took."""

    first: int
    columns: Columns
    totals: Totals
    seconds_per_deal: float
    detail: Detail | None = None

    @property
    def count(self) -> int:
        """Deals played."""
        return self.totals.deals


class Runner:
    """Plays the deals ``first`` .. ``first + deals - 1`` of an engine's plan by several threads.

    Kernels release the GIL. How deals are divided into chunks changes no result: with ``chunk`` None, chunks are
    sized to take half a second, or less where deals are fast: memory.
    """

    def __init__(
        self,
        engine: Player,
        first: int,
        deals: int,
        *,
        workers: int | None = None,
        chunk: int | None = None,
        in_full: Callable[..., tuple[Columns, Detail]] | None = None,
    ) -> None:
        """``in_full``: as ``engine.play``, for the tricks too."""
        self.workers = workers or cores()
        self._engine = engine
        self._session = engine.plan.session
        counted(engine.plan.game.name)  # loads the kernel here, not in a thread
        self._next, self._end = first, first + deals
        self.stopped_early = False  # whether `chunks` ended before all was played
        self._chunk = chunk
        self._smallest = SLOWEST if getattr(engine, "slow", False) else SMALLEST
        self._in_full = in_full
        self._seconds_per_deal: float | None = None
        self._stop = np.zeros(1, np.int64)
        self._urgent: deque[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = deque()
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="tuolaji")

    def submit(self, job: Callable[..., Any], *args: Any) -> Future[Any]:
        """Have something else done by the same threads, before they begin another chunk."""
        future: Future[Any] = Future()
        self._urgent.append((future, job, args))
        self._pool.submit(self._attend)  # for a thread that has no chunk to begin
        return future

    def _attend(self) -> None:
        """Do what is more urgent than chunks."""
        with contextlib.suppress(IndexError):
            while True:
                future, job, args = self._urgent.popleft()
                if future.set_running_or_notify_cancel():
                    try:
                        future.set_result(job(*args))
                    except BaseException as error:
                        future.set_exception(error)

    def chunks(self) -> Iterator[Chunk]:
        """Every chunk in deal order, computed ahead by a bounded number; after `stop` those that are at hand."""
        waiting: deque[tuple[int, Future[Chunk]]] = deque()
        ahead = self.workers + max(1, self.workers // 2)
        while True:
            while self._next < self._end and len(waiting) < ahead and not self.stopped:
                size = self._size()
                waiting.append((size, self._pool.submit(self._play, self._next, size)))
                self._next += size
            if not waiting:
                self.stopped_early = self._next < self._end
                return
            size, future = waiting.popleft()
            chunk = future.result()
            if chunk.count:
                self._seconds_per_deal = chunk.seconds_per_deal
                yield chunk
            if chunk.count < size:  # stopped; what follows is not connected
                self.stopped_early = True
                return

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return bool(self._stop[0])

    def stop(self) -> None:
        """Have every thread end after the deal it plays. May be called from a signal handler."""
        self._stop[0] = 1

    def close(self) -> None:
        """Stop, and wait for what is running."""
        self.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for future, _, _ in self._urgent:
            future.cancel()

    def _size(self) -> int:
        left = self._end - self._next
        if self._chunk is not None:
            size = min(self._chunk, IN_FULL if self._in_full else MOST)
        else:
            pace = self._seconds_per_deal
            size = self._smallest if pace is None else max(1, int(CHUNK_SECONDS / pace))
            fair = left // (2 * self.workers)  # so that all threads end at about the same time
            size = min(size, IN_FULL if self._in_full else LARGEST, max(fair, self._smallest))
        sessions = max(1, size // self._session)
        return min(sessions * self._session, left)

    def _play(self, first: int, size: int) -> Chunk:
        self._attend()
        began = clock()
        detail = None
        if self._in_full:
            columns, detail = self._in_full(first, size, self._stop)
        else:
            columns = self._engine.play(first, size, self._stop)
        whole = len(columns["banker"]) // self._session * self._session
        if whole < size:  # told to stop
            columns = {name: values[:whole] for name, values in columns.items()}
            detail = detail.part(0, whole) if detail else None
        totals = count(columns, self._session, self._engine.plan.game.name)
        return Chunk(first, columns, totals, (clock() - began) / max(1, whole), detail)
