"""From chunks to the parts of a dataset: gathered, written while play goes on, entered in order."""

from __future__ import annotations

import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any

from .columns import narrowed

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
        self._game = writer.plan.game.name
        self._pieces, self._details = span.begun, span.begun_detail
        begun = sum(len(piece["banker"]) for piece in self._pieces)
        self._index = span.index
        self._room = writer.rows_of(self._index) - begun
        self._new = False  # whether there is more than what was begun
        self._writing: deque[Future[dict[str, Any]]] = deque()
        self._most = 1 + runner.workers // 8  # parts being written at a time; bounds memory

    def add(self, chunk: Chunk) -> None:
        """Take more rows."""
        start, count = 0, chunk.count
        while start < count:
            take = min(self._room, count - start)
            self._pieces.append(narrowed(self._game, chunk.columns, start, start + take))
            if chunk.detail is not None:
                self._details.append(chunk.detail.part(start, start + take))
            start, self._room, self._new = start + take, self._room - take, True
            if self._room == 0:
                self._submit()

    def finish(self) -> None:
        """Write what is left, and wait until all is on disk."""
        if self._new:
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
                self._writer.remove_unfinished(future.result())

    def _submit(self) -> None:
        self._writing.append(
            self._runner.submit(self._writer.write_part, self._index, self._pieces, self._details)
        )
        self._index += 1
        self._pieces, self._details, self._new = deque(), deque(), False
        self._room = self._writer.rows_of(self._index)
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
