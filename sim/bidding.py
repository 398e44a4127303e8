"""Biddings of ``expert`` as data: TOML files that ``simulate --bidding FILE`` plays by.

A bidding is a part of the policy's weights: in die-wu-fen what decides on calls, counters and bids (``call``,
``counter``, ``strength``, ``bid``), in hong-wu-wu-jia on reveals and on the face that is named, solo or not
(``reveal``, ``naming``). The play is that of ``expert`` whatever the bidding.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from .errors import UsageError
from .text import clip, legible, one_of
from .toml import read_bytes, read_toml

GAME, HIDDEN, POLICY = "die-wu-fen", "hong-wu-wu-jia", "expert"
#: In which roles (``plan.ROLES``) a policy decides by the numbers of a bidding.
ROLES_OF = {GAME: (0,), HIDDEN: (0, 1)}
MOST = 10**9  # no number in a bidding is larger, so that sums stay within 64 bits


@dataclass(frozen=True)
class Bidding:
    """The numbers of one bidding, in the order of `names` of its game."""

    name: str
    values: tuple[int, ...]
    game: str = GAME

    def hash(self) -> str:
        """sha256 over the numbers: equal for files that say the same."""
        return hashlib.sha256(json.dumps(self.values).encode()).hexdigest()

    def told(self) -> str:
        """The name for a reader, and what tells it from others of that name."""
        return f"{self.name} (SHA-256 {self.hash()[:16]}…)"

    def to_dict(self) -> dict[str, Any]:
        """Name and numbers as plain data; `from_dict` reads it."""
        tables: dict[str, Any] = {}
        for name, value in zip(_told(self.game), self.values, strict=True):
            *parents, key = name.split(".")
            table = tables
            for parent in parents:
                table = table.setdefault(parent, {})
            table[key] = value
        return {"name": self.name, **tables}

    def to_toml(self, provenance: Mapping[str, Any]) -> str:
        """As a file, with where the numbers come from."""
        from .weights import to_toml

        return to_toml(self.values, _told(self.game), {"game": self.game, "policy": POLICY, **provenance})


#: A preset, a TOML file of `threshold`, a mapping like such a file, or a bidding; None: as `expert` has it.
Bids: TypeAlias = str | PathLike[str] | Mapping[str, object] | Bidding | None


@cache
def names(game: str = GAME) -> tuple[str, ...]:
    """What the numbers of a bidding are, as dotted paths."""
    if game == HIDDEN:
        from ..kernels.policies import hw_expert as policy
    else:
        from ..kernels.policies import dwf_expert_bid as policy
    found: tuple[str, ...] = policy.BIDDING_NAMES
    return found


@cache
def _told(game: str) -> tuple[str, ...]:
    """The same as files and manifests have them, where ``name`` is that of the bidding: ``naming``."""
    return tuple(re.sub(r"^name\.", "naming.", name) for name in names(game))


@cache
def places(game: str = GAME) -> tuple[int, ...]:
    """Where they stand among the weights of ``expert``."""
    return tuple(_expert(game).NAMES.index(name) for name in names(game))


def _expert(game: str) -> Any:
    if game == HIDDEN:
        from ..kernels.policies import hw_expert

        return hw_expert
    from ..kernels.policies import dwf_expert

    return dwf_expert


@cache
def shipped(game: str = GAME) -> Bidding:
    """The bidding that `expert` has without a file."""
    from .weights import weights_of

    weights = weights_of(_expert(game))
    return Bidding("expert", tuple(int(weights[place]) for place in places(game)), game)


def changed(bidding: Bidding, changes: Mapping[str, int], name: str | None = None) -> Bidding:
    """A bidding with some of its numbers changed."""
    values = [changes.get(key, value) for key, value in zip(names(bidding.game), bidding.values, strict=True)]
    return Bidding(name or bidding.name, tuple(values), bidding.game)


def presets() -> list[str]:
    """The names of the biddings that come with the package."""
    files = resources.files(__package__).joinpath("biddings").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def looks_like_bidding(word: str) -> bool:
    """Whether this names a bidding, where it could also be the name of a policy."""
    return word in presets() or word.endswith(".toml") or "/" in word or "\\" in word


def read_bidding(given: Bids, game: str = GAME) -> Bidding:
    """A bidding by the name of a preset, from a file, or from a mapping like such a file.

    `UsageError` for anything that is none of this game.
    """
    if isinstance(given, Mapping):
        return from_dict({"name": "bidding", **given}, game)
    if isinstance(given, Bidding):
        if given.game != game:
            raise UsageError(f"bidding: {clip(given.name)} is for {given.game}; allowed is {game}")
        return given
    if not isinstance(given, (str, PathLike)):
        raise UsageError(
            f"bidding: {clip(given)} is no bidding; allowed are a file that `tuolaji threshold` wrote, a mapping like "
            "it, or a preset"
        )
    if given in presets():
        text = resources.files(__package__).joinpath("biddings", f"{given}.toml").read_text("utf-8")
        return from_dict({"name": given, **read_toml(text)}, game)
    path = Path(given)
    shown = clip(str(path), 200)
    try:
        tables = read_toml(
            read_bytes(path, "a bidding").decode("utf-8-sig")
        )  # editors put a mark before the text
    except FileNotFoundError:
        raise UsageError(
            f"bidding: there is no file {shown}; allowed are "
            + one_of(["a file that `tuolaji threshold` wrote", *(x for x in presets() if x.startswith(game))])
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise UsageError(f"bidding: the file {shown} can't be read: {reason}") from None
    return from_dict({"name": legible(path.stem), **tables}, game)


def from_dict(tables: Mapping[str, Any], game: str = GAME) -> Bidding:
    """A bidding from tables as `Bidding.to_dict` or a file has them; `UsageError` for what is missing or no number."""
    origin = tables.get("provenance", {})
    whose = origin.get("game", game) if isinstance(origin, dict) else game
    if whose != game:
        raise UsageError(f"bidding: {clip(tables.get('name'))} is for {clip(whose)}; allowed is {game}")
    known = {name.partition(".")[0] for name in _told(game)}
    unknown = sorted(map(str, set(tables) - {"name", "provenance", *known}))
    if unknown:
        raise UsageError(
            f"bidding: {clip(tables.get('name'))} has a table {clip(unknown[0])}, which no bidding has"
        )
    values = []
    for name in _told(game):
        value: Any = tables
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
            raise UsageError(
                f"bidding: {clip(tables.get('name'))} has {name} = {clip(value)}; allowed are whole numbers from "
                f"-{MOST} to {MOST}"
            )
        values.append(value)
    return Bidding(str(tables.get("name", "")), tuple(values), game)
