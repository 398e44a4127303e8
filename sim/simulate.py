"""Runs: playing deals on all cores, into totals, a dataset or a table."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from .errors import Interrupted, RunError
from .plan import check_deals, make_plan
from .summary import Summary
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from .engine import Columns
    from .games import Game
    from .plan import Plan
    from .rules import RuleSet
    from .runner import Chunk, Runner
    from .writer import DatasetWriter


def simulate(
    game: str | Game,
    deals: int,
    *,
    seed: int = 0,
    first: int = 0,
    rules: str | RuleSet | None = None,
    policies: str | Iterable[str] | None = None,
    session: int = 1,
    contract: Mapping[str, Any] | None = None,
    workers: int | None = None,
    chunk: int | None = None,
) -> pa.Table:
    """Play deals and return their rows: the `deals` columns of a dataset.

    ``policies`` are words as on the command line: ``"greedy"``, ``["random", "banker=greedy"]``. ``contract`` is a dict
    with banker, trump and, in die-wu-fen, bid. Workers and chunk change nothing but the time it takes.
    """
    import pyarrow as pa

    from .columns import Rows, arrow_schema

    plan = make_plan(game, rules=rules, policies=policies, seed=seed, session=session, contract=contract)
    batches: list[pa.RecordBatch] = []

    def keep(found: Chunk) -> None:
        batches.append(Rows(plan.game, plan.session, found.first, found.columns).to_batch())

    run(plan, deals, first=first, workers=workers, chunk=chunk, keep=keep)
    return pa.Table.from_batches(batches, schema=arrow_schema(plan.game.name))


def run(
    plan: Plan,
    deals: int,
    *,
    first: int = 0,
    workers: int | None = None,
    chunk: int | None = None,
    out: Path | None = None,
    command_line: str | None = None,
    starting: Callable[[], None] | None = None,
    keep: Callable[[Chunk], None] | None = None,
    report: Callable[[int], None] | None = None,
) -> Summary:
    """Play deals; the summary of all of them.

    ``out``: a folder that is new or empty, to become a dataset. ``starting`` is called when everything asked for has
    been checked, before kernels are loaded or compiled; ``keep`` with each chunk in deal order; then ``report`` with
    the number of deals played so far. `Interrupted` when the user stops it, `RunError` when it can't go on; what was
    played until then has been written.
    """
    check_deals(plan, deals, first)
    writer = None
    if out is not None:
        from .writer import DatasetWriter

        writer = DatasetWriter(out, plan, first=first, deals=deals, chunk=chunk, command_line=command_line)
    try:
        if starting:
            starting()
        from .engine import Engine
        from .runner import Runner
        from .totals import Totals

        totals = Totals(plan.session)
        engine = Engine(plan)
        began = time.perf_counter()
        runner = Runner(engine, first, deals, workers=workers, chunk=chunk)
        try:
            with stopped_by_user(runner.stop):
                for found in _written(runner, writer):
                    totals.merge(found.totals)
                    if keep:
                        keep(found)
                    if report:
                        report(totals.deals)
        finally:
            runner.close()
        if totals.deals < deals:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {_kept(writer, first, deals)}") from None
    except RunError as error:
        raise RunError(f"{error}; {_kept(writer, first, deals)}") from error
    except BaseException:
        if writer:
            writer.close()
        raise
    if writer:
        writer.close()
    return Summary(plan, totals, first, time.perf_counter() - began, runner.workers)


def _kept(writer: DatasetWriter | None, first: int, deals: int) -> str:
    """Close what was written and say what it holds and how to go on."""
    rows = writer.close() if writer else 0
    if writer is None or not rows:
        return "nothing was written"
    return (
        f"{rows} deals are complete and readable in {clip(str(writer.folder), 200)}; play the rest with "
        f"--first {first + rows} --deals {deals - rows} and another --out"
    )


def _written(runner: Runner, writer: DatasetWriter | None) -> Iterator[Chunk]:
    """The runner's chunks, having put each into the dataset; a run that stops leaves a last, shorter part."""
    if writer is None:
        yield from runner.chunks()
        return
    parts = _Parts(runner, writer)
    try:
        for found in runner.chunks():
            parts.add(found.columns)
            yield found
        parts.finish()
    except BaseException:
        runner.stop()
        parts.salvage()
        raise


class _Parts:
    """Gathers chunks into parts, and has the runner's threads write full ones while it plays on."""

    def __init__(self, runner: Runner, writer: DatasetWriter) -> None:
        self._runner = runner
        self._writer = writer
        self._game = writer.plan.game.name
        self._pieces: deque[dict[str, NDArray[Any]]] = deque()
        self._room = writer.part_rows
        self._index = 0
        self._writing: deque[Future[dict[str, Any]]] = deque()
        self._most = 1 + runner.workers // 8  # parts being written at a time; bounds memory

    def add(self, columns: Columns) -> None:
        """Take more rows."""
        from .columns import narrowed

        start, count = 0, len(columns["banker"])
        while start < count:
            take = min(self._room, count - start)
            self._pieces.append(narrowed(self._game, columns, start, start + take))
            start, self._room = start + take, self._room - take
            if self._room == 0:
                self._submit()

    def finish(self) -> None:
        """Write what is left, and wait until all is on disk."""
        if self._pieces:
            self._submit()
        while self._writing:
            self._enter()

    def salvage(self) -> None:
        """After a failure: enter the parts that were written nevertheless, as far as no part before them lacks."""
        with contextlib.suppress(Exception):
            while self._writing:
                self._enter()
        for future in self._writing:
            if not future.cancel() and future.exception() is None:
                self._writer.remove_part(future.result())

    def _submit(self) -> None:
        self._writing.append(self._runner.submit(self._writer.write_part, self._index, self._pieces))
        self._pieces, self._room = deque(), self._writer.part_rows
        self._index += 1
        # Threads play on meanwhile, but the next part gathers only when there is room: however long a part takes to
        # write, and however many there are, no more memory is needed than for the first.
        while len(self._writing) >= self._most:
            self._enter()

    def _enter(self) -> None:
        future = self._writing[0]
        try:
            self._writer.add_part(future.result())
        finally:
            self._writing.popleft()


@contextlib.contextmanager
def stopped_by_user(stop: Callable[[], None]) -> Iterator[None]:
    """Turn the first Ctrl-C, or request to terminate, into a call of ``stop``; a second one is as rude as ever."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def restore() -> None:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)

    def handler(_number: int, _frame: object) -> None:
        restore()
        stop()

    for number, known in before.items():
        if known not in (None, signal.SIG_IGN):  # an ignored signal stays ignored: started with nohup, say
            signal.signal(number, handler)
    try:
        yield
    finally:
        restore()
