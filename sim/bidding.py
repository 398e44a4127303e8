"""Biddings of ``expert`` in die-wu-fen as data: TOML files that ``simulate --bidding FILE`` plays by.

A bidding is the part of the policy's weights that decides on calls, counters and bids (``call``, ``counter``,
``strength``, ``bid``); the play is that of ``expert`` whatever the bidding.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .text import clip, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

GAME, POLICY = "die-wu-fen", "expert"
MOST = 10**9  # no number in a bidding is larger, so that sums stay within 64 bits


@dataclass(frozen=True)
class Bidding:
    """The numbers of one bidding, in the order of ``dwf_expert_bid.BIDDING_NAMES``."""

    name: str
    values: tuple[int, ...]

    def hash(self) -> str:
        """sha256 over the numbers: equal for files that say the same."""
        return hashlib.sha256(json.dumps(self.values).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Name and numbers as plain data; `from_dict` reads it."""
        tables: dict[str, Any] = {}
        for name, value in zip(names(), self.values, strict=True):
            *parents, key = name.split(".")
            table = tables
            for parent in parents:
                table = table.setdefault(parent, {})
            table[key] = value
        return {"name": self.name, **tables}

    def to_toml(self, provenance: Mapping[str, Any]) -> str:
        """As a file, with where the numbers come from."""
        from .weights import to_toml

        return to_toml(self.values, names(), {"game": GAME, "policy": POLICY, **provenance})


def names() -> tuple[str, ...]:
    """What the numbers of a bidding are, as dotted paths."""
    from ..kernels.policies.dwf_expert_bid import BIDDING_NAMES

    found: tuple[str, ...] = BIDDING_NAMES
    return found


@cache
def shipped() -> Bidding:
    """The bidding that `expert` has without a file."""
    from ..kernels.policies import dwf_expert
    from .weights import weights_of

    return Bidding("expert", tuple(map(int, weights_of(dwf_expert)[: len(names())])))


def presets() -> list[str]:
    """The names of the biddings that come with the package."""
    files = resources.files(__package__).joinpath("biddings").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def read_bidding(given: str) -> Bidding:
    """A bidding by the name of a preset or from a file; `UsageError` for anything that is none."""
    if given in presets():
        text = resources.files(__package__).joinpath("biddings", f"{given}.toml").read_text("utf-8")
        return from_dict({"name": given, **tomllib.loads(text)})
    path = Path(given)
    shown = clip(given, 200)
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(
            f"bidding: there is no file {shown}; name a file that `tuolaji threshold` wrote or {one_of(presets())}"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise UsageError(f"bidding: the file {shown} can't be read: {reason}") from None
    return from_dict({"name": path.stem, **tables})


def from_dict(tables: Mapping[str, Any]) -> Bidding:
    """A bidding from tables as `Bidding.to_dict` or a file has them; `UsageError` for what is missing or no number."""
    origin = tables.get("provenance", {})
    game = origin.get("game", GAME) if isinstance(origin, dict) else GAME
    if game != GAME:
        raise UsageError(f"bidding: {clip(tables.get('name'))} is for {clip(game)}; allowed is {GAME}")
    unknown = sorted(set(tables) - {"name", "provenance", *(name.partition(".")[0] for name in names())})
    if unknown:
        raise UsageError(
            f"bidding: {clip(tables.get('name'))} has a table {clip(unknown[0])}, which no bidding has"
        )
    values = []
    for name in names():
        value: Any = tables
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
            raise UsageError(
                f"bidding: {clip(tables.get('name'))} has {name} = {clip(value)}; allowed are whole numbers from "
                f"-{MOST} to {MOST}"
            )
        values.append(value)
    return Bidding(str(tables.get("name", "")), tuple(values))
