"""Texts in TOML that users hand in: read in a time that grows with their length, and refused in one sentence."""

from __future__ import annotations

import re
import tomllib
from typing import Any

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
_BETWEEN_KEYS = re.compile(r"[=,\n\[\]{}]")  # a bare value holds one dot at the most


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text in TOML; `ValueError`, with a reason of one line, for what is none or is too deep."""
    for piece in _BETWEEN_KEYS.split(_TEXT.sub("", text)):
        if piece.count(".") >= MOST_PARTS:
            raise ValueError(f"a key has more than {MOST_PARTS} parts")
        if len(piece.strip()) > MOST_SIGNS:
            raise ValueError(f"a key or a number is longer than {MOST_SIGNS} characters")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
