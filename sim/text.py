"""Prose in the two languages the tools speak."""

from __future__ import annotations

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


def clip(value: object, limit: int = 40) -> str:
    """A value quoted for a message, cut short so that the message stays one readable line."""
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    shown = " ".join("".join(c if c.isprintable() else "�" for c in shown.replace("\n", " ")).split())
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"
