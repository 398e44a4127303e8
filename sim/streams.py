"""The standard streams of a command: what it means when one is closed, is full, or has lost its reader.

What is printed is mostly the result itself, so that a standard output which takes nothing ends the command. A standard
error that takes nothing changes nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from .errors import Interrupted, RunError
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .text import Lang

_NOT_PRINTED = Text(
    "the rest is not printed, for the standard output refused it: {reason}",
    "其余内容未能打印，因为标准输出拒绝写入：{reason}",
)
_PAUSE = 0.01  # seconds, where a stream that does not wait by itself is full


class ReaderLeft(Exception):  # noqa: N818  # nothing went wrong
    """Who read the standard output has left (`| head`, say). ``code`` is what the command is to end with."""

    code = 0

    def __init__(self, stream: _Guard) -> None:
        super().__init__("the reader of the standard output has left")
        self.stream = stream


class RefusedError(RunError):
    """The standard output is closed (``reason`` is None), or the system refuses what is written to it."""

    def __init__(self, stream: _Guard, reason: str | None) -> None:
        said = "is closed" if reason is None else f"refused it: {reason}"
        super().__init__(f"the result is lost, for the standard output {said}")
        self.stream, self.reason = stream, reason


class _Guard(io.RawIOBase):
    """Writes to a stream that may be missing, and tells how it failed; ``quiet``: it does not, and goes on."""

    def __init__(self, stream: Any, *, quiet: bool) -> None:
        super().__init__()
        self._stream = stream
        self._quiet = quiet
        self.failed = False

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream is not None and bool(self._stream.isatty())

    def fileno(self) -> int:
        if self._stream is None:
            raise io.UnsupportedOperation("the stream is closed")
        return int(self._stream.fileno())

    def mute(self) -> None:
        """Take and forget whatever else is written."""
        self._quiet = self.failed = True

    def write(self, data: Any) -> int:
        if self.failed and self._quiet:
            return len(data)
        try:
            if self._stream is not None:
                while (written := self._stream.write(data)) is None:
                    time.sleep(_PAUSE)
                return int(written)
            error: Exception = RefusedError(self, None)
        except BrokenPipeError:
            error = ReaderLeft(self)
        except (OSError, ValueError) as refused:  # the second where the stream was closed in this process
            error = RefusedError(self, getattr(refused, "strerror", None) or str(refused))
        self.failed = True
        if self._quiet:
            return len(data)
        raise error


def _guarded(stream: TextIO | None, *, quiet: bool) -> tuple[Any, _Guard | None]:
    """A stream to be used instead, and its guard; the stream itself if it is none of bytes."""
    if stream is not None and not hasattr(stream, "buffer"):
        return stream, None
    if stream is not None:
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    # Below its buffer, which would try again at the end of the process what was refused.
    guard = _Guard(stream and getattr(stream.buffer, "raw", stream.buffer), quiet=quiet)
    text = io.TextIOWrapper(
        io.BufferedWriter(guard),
        encoding=getattr(stream, "encoding", None) or "utf-8",
        errors="replace",  # a terminal without ♠ shows ?, and does not end the run
        line_buffering=quiet or bool(getattr(stream, "line_buffering", False)),
    )
    return text, guard


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Within, something can be written to both streams, and the standard output fails as described above.

    Where the process began without one of the three standard streams, their numbers are given to the null device:
    the next file opened would have such a number else, and what libraries print would end in it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    before = sys.stdout, sys.stderr
    out, out_guard = _guarded(sys.stdout, quiet=False)
    err, err_guard = _guarded(sys.stderr, quiet=True)
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        if out_guard and out_guard.failed:
            out_guard.mute()
        for stream in (out, err):
            with contextlib.suppress(ReaderLeft, RefusedError):
                stream.flush()
        # Python writes to no stream that is None: it would try at its end, and change the exit code.
        sys.stdout, sys.stderr = (
            None if guard and guard.failed else stream
            for guard, stream in zip((out_guard, err_guard), before, strict=True)
        )


@contextlib.contextmanager
def verdict(code: int | Callable[[], int]) -> Iterator[None]:
    """Within, a result is printed whose verdict is known: a reader that leaves does not change the exit code."""
    try:
        yield
    except ReaderLeft as left:
        left.code = code if isinstance(code, int) else code()
        raise


@contextlib.contextmanager
def beside(kept: object, lang: Lang) -> Iterator[None]:
    """Within, something is printed beside a result that is kept in a folder, if there is one (``kept``).

    Then no standard output is needed: one that takes nothing does not end the command. A refusal is told once.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not kept:
            raise
        raise Interrupted("interrupted while printing; all that was to be written is there") from None
    except (ReaderLeft, RefusedError) as failure:
        if not kept:
            raise
        failure.stream.mute()
        reason = getattr(failure, "reason", None)
        if reason is not None:
            print(_NOT_PRINTED.say(lang).format(reason=reason), file=sys.stderr)
