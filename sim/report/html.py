"""HTML in which nothing is markup by accident: every text that comes in is escaped, whoever wrote it."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

_VOID = ("br", "meta")


class Html(str):
    """Text that is markup already. Only `tag`, `join` and the charts make it."""

    __slots__ = ()


#: What may stand inside a tag: markup as it is, any other value as text; None is nothing.
Inside: TypeAlias = "Html | str | int | None"


def plain(value: object, limit: int = 2000) -> str:
    """A value as text without control characters, half surrogates or turns of direction, and not without end."""
    shown = "".join(
        c if c.isprintable() else " " if c in "\n\t\r" else "\N{REPLACEMENT CHARACTER}" for c in str(value)
    )
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def markup(value: Inside) -> Html:
    """A value as markup."""
    if value is None:
        return Html("")
    return value if isinstance(value, Html) else Html(escape(plain(value, 100_000), quote=True))


def join(*parts: Inside) -> Html:
    """Several values one after the other."""
    return Html("".join(markup(part) for part in parts))


def tag(name: str, /, *inside: Inside, **attributes: Inside) -> Html:
    """An element. ``class_`` is the attribute ``class``, ``aria_label`` is ``aria-label``; None leaves one out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(plain(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{shown}>")
    return Html(f"<{name}{shown}>{join(*inside)}</{name}>")
