"""Texts in TOML that users hand in: read in a time that grows with their length, and refused in one sentence."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from .text import Text

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES = 64 * 1024
#: Of a key like `a.b.c`: the time that tomllib takes grows with the square of their number, and we need three.
MOST_PARTS = 20
MOST_SIGNS = 1000  # of a key or a number: what Python reads in base 16 it may refuse to show
#: Strings, closed or not, and comments: what may hold dots that are none of a key's. It never looks back.
_TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}+)?'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}+)?"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
_BETWEEN_KEYS = re.compile(r"[=,\[\]{}]")  # a bare value holds one dot at the most


class TomlError(ValueError):
    """A text is not TOML, or TOML that we do not read. ``reason``: why, in one line."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.reason = Text(en, zh)


def read_bytes(path: Path, what: str) -> bytes:
    """All of a file; `OSError` if it can't be read, `ValueError` if it is larger than `MAX_FILE_BYTES`.

    ``what``: its kind, to be named in the message, like "a rule file".
    """
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError(f"it is larger than {MAX_FILE_BYTES // 1024} KiB, the most {what} may have")
    return content


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text in TOML; `TomlError` for what is none, or is too deep or too long to be ours."""
    for number, line in enumerate(_TEXT.sub(_lines, text).split("\n"), 1):
        for piece in _BETWEEN_KEYS.split(line):
            if piece.count(".") >= MOST_PARTS:
                raise TomlError(
                    f"a key in line {number} has more than {MOST_PARTS} parts",
                    f"第 {number} 行有超过 {MOST_PARTS} 段的键",
                )
            if len(piece.strip()) > MOST_SIGNS:
                raise TomlError(
                    f"a key or a number in line {number} is longer than {MOST_SIGNS} characters",
                    f"第 {number} 行有超过 {MOST_SIGNS} 个字符的键或数",
                )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TomlError("nested too deeply", "嵌套太深") from None
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise TomlError(reason, reason) from None


def _lines(found: re.Match[str]) -> str:
    """Of a string or a comment only the ends of lines."""
    return "\n" * found[0].count("\n")
