"""What callers from Python may hand over, read in one way for all functions: rules, policies, biddings, words, numbers.

Whatever else they hand over is a `UsageError` that says what is allowed.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from .errors import UsageError
from .text import clip

#: ``"greedy"``, ``["random", "banker=greedy"]``, ``{"banker": "greedy", 2: "random"}``; None: the game's default.
Policies: TypeAlias = str | Iterable[str] | Mapping[str | int, str] | None
#: One word as on the command line, or several.
Words: TypeAlias = str | Iterable[str] | None

_POLICIES = 'write "greedy", ["random", "banker=greedy"] or {"banker": "greedy"}'


def words(given: Words, name: str, allowed: str) -> list[str]:
    """One or several words as a list; ``allowed``: what to write instead of anything else."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    found = [*given] if isinstance(given, Iterable) and not isinstance(given, (bytes, Mapping)) else [given]
    for each in found:
        if not isinstance(each, str):
            raise UsageError(f"{name}: {clip(each)} is no text; {allowed}")
    return [str(each) for each in found]


def policy_words(given: Policies) -> list[str]:
    """Policies as words of the command line: ``NAME`` or ``ROLE=NAME``, later ones win."""
    if not isinstance(given, Mapping):
        return words(given, "policies", _POLICIES)
    found = []
    for role, name in given.items():
        if not isinstance(name, str) or isinstance(role, bool) or not isinstance(role, (str, int)):
            raise UsageError(f"policies: {clip({role: name})} gives no policy to a role; {_POLICIES}")
        found.append(name if role == "all" else f"{role}={name}")
    return found


def whole(given: object, name: str, low: int, high: int | None = None) -> int:
    """A whole number within bounds, numpy's too."""
    try:
        number = None if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]  # refused below
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        bounds = f"from {low} on" if high is None else f"from {low} to {high}"
        raise UsageError(f"{name}: {clip(given)} is not a whole number {bounds}")
    return number


def numbers(given: object, name: str, low: int, high: int) -> list[int]:
    """One or several whole numbers within bounds as a list."""
    found = [*given] if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    return [whole(number, name, low, high) for number in found]
