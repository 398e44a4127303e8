"""From chunks to the parts of a dataset: gathered, written while play goes on, entered in order."""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import wait
from typing import TYPE_CHECKING, Any

from .columns import Gathered
from .open_part import GROUP_DEALS, GROUP_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from .runner import Chunk, Runner
    from .writer import DatasetWriter, Span


def written(runner: Runner, writer: DatasetWriter, span: Span) -> Iterator[Chunk]:
    """The runner's chunks, having put each into the dataset; a run that stops leaves a last, shorter part."""
    parts = _Parts(runner, writer, span)
    try:
        for found in runner.chunks():
            parts.add(found)
            yield found
        parts.finish()
    except BaseException:
        runner.stop()
        parts.salvage()
        raise


class _Parts:
    """Gathers chunks into parts, and has the runner's threads write full ones while it plays on."""

    def __init__(self, runner: Runner, writer: DatasetWriter, span: Span) -> None:
        self._runner = runner
        self._writer = writer
        self._pieces, self._details = span.begun, span.begun_detail
        begun = sum(len(piece["banker"]) for piece in self._pieces)
        self._index = span.index
        self._room = writer.rows_of(self._index) - begun
        self._new = False  # whether there is more than what was begun
        # Few workers write a row group at a time, which takes little memory. One thread can't keep up with many: each
        # writes a part then. Either way, no two write the same part.
        self._most = 1 + runner.workers // 8
        self._batch = writer.part_rows
        if self._most == 1:
            self._batch = GROUP_DEALS if writer.detail else GROUP_ROWS
        self._rows = Gathered(writer.plan.game.name, self._batch)
        self._writing: deque[tuple[int, Future[dict[str, Any] | None]]] = deque()
        self._lacking = False  # whether a part could not be written or entered: none behind it can be entered

    def add(self, chunk: Chunk) -> None:
        """Take more rows."""
        start, count = 0, chunk.count
        while start < count:
            take = min(self._room, self._batch - self._rows.count, count - start)
            self._rows.add(chunk.columns, start, start + take)
            if chunk.detail is not None:
                self._details.append(chunk.detail.part(start, start + take))
            start, self._room, self._new = start + take, self._room - take, True
            if self._room == 0 or self._rows.count == self._batch:
                self._submit(last=self._room == 0)

    def finish(self) -> None:
        """Write what is left, and wait until all is on disk."""
        if self._new:
            self._submit(last=True)
        while self._writing:
            self._enter()

    def salvage(self) -> None:
        """After a failure: enter the parts that were written nevertheless, as far as no part before them lacks."""
        with contextlib.suppress(Exception):
            while self._writing and not self._lacking:
                self._enter()
        for index, future in self._writing:
            if not future.cancel() and future.exception() is None:
                entry = future.result()
                if entry:
                    self._writer.remove_unfinished(entry)
            self._writer.abandon(index)
        self._writer.abandon(self._index)

    def _submit(self, *, last: bool) -> None:
        if self._rows.count:
            self._pieces.append(self._rows.taken())
        write = self._writer.write_part if last else self._writer.write_rows
        self._writing.append(
            (self._index, self._runner.submit(write, self._index, self._pieces, self._details))
        )
        self._pieces, self._details = deque(), deque()
        if last:
            self._index += 1
            self._new = False
            self._room = self._writer.rows_of(self._index)
        # Threads play on meanwhile, but more rows gather only when there is room: however long it takes to write them,
        # and however many there are, no more memory is needed than for the first.
        while len(self._writing) >= self._most:
            self._enter()

    def _enter(self) -> None:
        future = self._writing[0][1]
        wait([future])  # an exception here leaves it in the queue: a thread is still writing
        self._writing.popleft()
        try:
            entry = future.result()
            if entry:
                self._writer.add_part(entry)
        except BaseException:
            self._lacking = True
            raise
