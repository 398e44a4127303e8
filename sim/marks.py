"""Signs beside intervals that promise less than others do, and what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .stats import LEAST_DIFFERING, MANY
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .text import Lang

SIGNS = {"bound": "≤", "approximate": "≈"}
_MEANINGS = {
    "bound": Text(
        "{sign} fewer than {few} units differ: no more than a bound is known, to both sides of 0.",
        "{sign} 不同的单位不足 {few} 个：只能给出 0 两侧的上界。",
    ),
    "approximate": Text(
        "{sign} standard deviation from fewer than {many:,} deals: its uncertainty is known only roughly.",
        "{sign} 标准差所据不足 {many:,} 局：其误差只是大概。",
    ),
}


def signed(interval: str, mark: str) -> str:
    """An interval with the sign of its mark behind it."""
    return f"{interval} {SIGNS[mark]}".strip() if mark else interval


def explained(marks: Iterable[str], lang: Lang) -> list[str]:
    """What the signs mean that came up, a sentence each."""
    used = set(marks)
    return [
        text.say(lang).format(sign=SIGNS[mark], few=LEAST_DIFFERING, many=MANY)
        for mark, text in _MEANINGS.items()
        if mark in used
    ]
