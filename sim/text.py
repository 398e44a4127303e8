"""Prose in the two languages the tools speak."""

from __future__ import annotations

import contextlib
from typing import Literal, NamedTuple

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")


class Text(NamedTuple):
    """One sentence, in English and in Chinese."""

    en: str
    zh: str

    def say(self, lang: Lang) -> str:
        """The sentence in one language."""
        return self.zh if lang == "zh" else self.en

    def __str__(self) -> str:
        return self.en


def one_of(words: list[str], lang: Lang = "en") -> str:
    """`a, b or c`."""
    joint, last = ("、", " 或 ") if lang == "zh" else (", ", " or ")
    return last.join(filter(None, [joint.join(words[:-1]), words[-1]]))


def legible(name: str) -> str:
    """A name that the system gave, as text that can be written everywhere.

    What Python could not read of it by the system's encoding is read as UTF-8; what is none is shown as ``\\xff``.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        with contextlib.suppress(UnicodeEncodeError):
            return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        return name.encode("utf-8", "backslashreplace").decode("utf-8")
    return name


def clip(value: object, limit: int = 40) -> str:
    """A value quoted for a message, cut short so that the message stays one readable line."""
    shown = legible(f'"{value}"' if isinstance(value, str) else str(value))
    shown = " ".join("".join(c if c.isprintable() else "�" for c in shown.replace("\n", " ")).split())
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"
