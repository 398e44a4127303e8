"""Files of records, one JSON object a line: read line by line, whatever their size."""

from __future__ import annotations

import contextlib
import gzip
import json
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from .errors import UsageError
from .text import clip, legible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

#: The longest line that is read; the longest records take some 20 KB.
MAX_LINE_BYTES = 1 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A record as text, with its place: ``file`` as named by the user, ``number`` from 1."""

    file: str
    number: int
    text: bytes

    def where(self) -> str:
        """`line 3 of games.jsonl`."""
        return f"line {self.number} of {clip(self.file, 200)}"


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def parse_json(text: bytes) -> Any:
    """The value of a JSON text in UTF-8; ``ValueError`` or ``RecursionError`` if it is none."""
    return _DECODER.decode(text.decode("utf-8"))


def lines(files: list[str]) -> Iterator[Line]:
    """Every line of the files but blank ones. ``-`` is the standard input; a name in ``.gz`` is unpacked.

    ``UsageError`` for a file that can't be read, a line beyond ``MAX_LINE_BYTES``, or a file without a record.
    """
    for name in files:
        found = False
        try:
            with _opened(name) as file:
                number = 0
                while text := file.readline(MAX_LINE_BYTES + 1):
                    number += 1
                    if len(text) > MAX_LINE_BYTES:
                        raise UsageError(
                            f"line {number} of {clip(name, 200)} is longer than {MAX_LINE_BYTES >> 20} MiB, the most a "
                            "record may take"
                        )
                    text = text.removeprefix(
                        _BYTE_ORDER_MARK
                    )  # also where files were put one behind the other
                    if text.strip():
                        found = True
                        yield Line(legible(name), number, text)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            if isinstance(error, UsageError):
                raise
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise UsageError(f"the file {clip(name, 200)} can't be read: {reason}") from None
        if not found:
            raise UsageError(f"the file {clip(name, 200)} holds no record")


def _opened(name: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if name == "-":
        if sys.stdin is None:
            raise UsageError("the standard input (-) is closed; name a file, or give it something to read")
        return contextlib.nullcontext(sys.stdin.buffer)
    if name.endswith(".gz"):
        return gzip.open(name, "rb")  # type: ignore[return-value]
    return Path(name).open("rb")  # the caller's with closes it


def no_record(line: Line, error: Exception) -> UsageError:
    """What to say about a line that is no JSON."""
    if isinstance(error, UnicodeDecodeError):
        reason = "it is not UTF-8"
    elif isinstance(error, RecursionError):
        reason = "it is nested too deeply"
    elif isinstance(error, json.JSONDecodeError):
        reason = f"{error.msg[0].lower()}{error.msg[1:].removesuffix(' at')} at character {error.pos + 1}"
    else:
        reason = str(error).partition(";")[0]
    return UsageError(f"{line.where()} is no JSON ({reason}); a file of records has one JSON object a line")
