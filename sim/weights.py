"""The numbers policies decide by, kept as data: TOML files with their provenance."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


def weights_of(policy: Any) -> NDArray[np.int64]:
    """The weights of a policy's kernel module: its own ``WEIGHTS``, or the shipped file for its ``NAMES``."""
    names = getattr(policy, "NAMES", None)
    if names is None:
        own: NDArray[np.int64] = policy.WEIGHTS
        return own
    return read(policy.__name__.rpartition(".")[2], names)


def read(name: str, names: Sequence[str]) -> NDArray[np.int64]:
    """The weights of ``weights/NAME.toml`` in the order of ``names``; names are dotted paths of tables."""
    return from_tables(_tables(name), names)


@cache
def _tables(name: str) -> dict[str, Any]:
    """The content of a shipped file, read once: a plan asks for each seat and role."""
    text = resources.files(__package__).joinpath("weights", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def weights_hash(name: str) -> str | None:
    """sha256 of the shipped weights of a policy's kernel module, or None if it has no file."""
    file = resources.files(__package__).joinpath("weights", f"{name}.toml")
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None


def from_tables(tables: dict[str, Any], names: Sequence[str]) -> NDArray[np.int64]:
    """Nested tables as a vector in the order of ``names``. Raises KeyError for a name that is missing."""
    import numpy as np

    values = []
    for name in names:
        value: Any = tables
        for part in name.split("."):
            value = value[part]
        values.append(int(value))
    return np.array(values, np.int64)


def to_toml(weights: Sequence[int], names: Sequence[str], provenance: dict[str, Any]) -> str:
    """A weights file: a table for every prefix, and where the numbers come from."""
    from json import dumps

    lines = ["[provenance]", *(f"{key} = {dumps(value)}" for key, value in provenance.items())]
    table = "provenance"
    for name, weight in zip(names, weights, strict=True):
        prefix, _, key = name.rpartition(".")
        if prefix != table:
            lines += ["", f"[{prefix}]"]
            table = prefix
        lines.append(f"{key} = {int(weight)}")
    return "\n".join(lines) + "\n"
