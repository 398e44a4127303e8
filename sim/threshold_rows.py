"""The rows that the study ``threshold`` leaves in ``rows/``: as columns by name, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .counterfactual import Table
    from .counterfactual_hong_wu_wu_jia import HiddenTable
    from .naming import Namings
    from .reveals import Looks, Reveals, Waits

    Columns = dict[str, NDArray[Any]]

_ROWS = {
    "deal": "int64", "trump": "int8", "seat": "int8", "strength": "int32", "trumps": "int8", "top_trumps": "int8",
    "trump_pairs": "int8", "voids": "int8", "defender_points": "int16", "penalties": "int16",
}  # fmt: skip
FEATURES = ("trumps", "top-trumps", "trump-pairs", "voids")  # as ``threshold.BY`` has them, in this order
_AUCTION = {"opener": "int8", "call_size": "int8", "countered": "bool", "redeals": "int16"}
_CONTRACT = {
    "banker": "int8", "trump": "int8", "pressed": "bool", "reveal_after": "int8", "banker_trumps": "int8",
    "banker_trump_pairs": "int8", "named": "int8", "named_held": "int8", "partner": "int8", "solo": "bool",
    "direct": "bool", "defender_points": "int16", "grade": "int8",
}  # fmt: skip
_NAMED = ("banker", "trump", "named", "partner", "solo", "direct", "defender_points", "grade")


def bid_rows(name: str, table: Table, strength: NDArray[np.int64]) -> Columns:
    """Of die-wu-fen: one a deal, trump and banker; ``name``: ``marginal`` or ``auction``."""
    from .threshold import feature_weights

    shape = strength.shape
    features = [table.features @ feature_weights(by)[1:].astype(np.int16) for by in FEATURES]
    deals = table.first + np.arange(shape[0], dtype=np.int64)
    parts: tuple[NDArray[Any], ...] = (
        deals[:, None, None], table.trump, np.arange(shape[2]), strength, *features, table.points, table.penalties,
    )  # fmt: skip
    kinds = dict(_ROWS)
    if name == "auction":
        kinds |= _AUCTION
        parts = (*parts, *(table.deals[key][:, None, None] for key in _AUCTION))
    return {
        key: np.broadcast_to(values, shape).ravel().astype(kind)
        for (key, kind), values in zip(kinds.items(), parts, strict=True)
    }


def contract_rows(table: HiddenTable) -> Columns:
    """One a deal and contract there could have been: every 2 revealed in time, and pressed."""
    from ..kernels.counterfactual_hong_wu_wu_jia import PRESS

    plays = {name: values[:, : PRESS + 1] for name, values in table.plays.items()}
    rows = plays["banker"] >= 0
    found: Columns = {"deal": _deals(table, rows.shape)[rows]}
    found |= {name: plays[name][rows].astype(kind) for name, kind in _CONTRACT.items()}
    payoffs = {name: values for name, values in plays.items() if name.startswith("payoff_")}
    return found | {name: values[rows] for name, values in payoffs.items()}


def look_rows(table: HiddenTable, reveals: Reveals, looks: Looks, waits: Waits) -> Columns:
    """One a deal, seat and look at which it holds a 2: what it holds, and what revealing and waiting pay if reached."""
    rows, shape = looks.suit >= 0, looks.suit.shape
    parts: dict[str, tuple[NDArray[Any], str]] = {
        "deal": (_deals(table, shape), "int64"),
        "seat": (np.arange(shape[1])[:, None], "int8"),
        "cards": (looks.cards, "int8"),
        "previous": (reveals.is_previous[..., None], "bool"),
        "place": (reveals.order[..., None], "int8"),
        "trump": (looks.suit, "int8"),
        "strength": (looks.strength, "int32"),
        **{
            name: (looks.counts[..., at], "int8")
            for at, name in enumerate(("trumps", "trump_pairs", "trump_triples", "top_trumps"))
        },
        "reached": (waits.reached, "bool"),
        "won": (waits.won, "bool"),
        "reveal": (waits.reveal, "int16"),
        "wait": (waits.wait, "int16"),
    }
    return {name: np.broadcast_to(values, shape)[rows].astype(kind) for name, (values, kind) in parts.items()}


def name_rows(table: HiddenTable, namings: Namings) -> Columns:
    """One a deal and face that its banker may name: what the banker holds of it, and what naming it pays."""
    from ..kernels.counterfactual_hong_wu_wu_jia import FIRST_NAME, NAME_COLUMNS

    rows = namings.able
    plays = {name: values[:, FIRST_NAME:] for name, values in table.plays.items()}
    found: Columns = {"deal": _deals(table, rows.shape)[rows]}
    found |= {name: plays[name][rows].astype(_CONTRACT[name]) for name in _NAMED}
    found |= {
        name: namings.notes[..., at][rows].astype("int8")
        for at, name in enumerate(NAME_COLUMNS)
        if name != "bit"
    }
    return found | {"payoff": namings.payoffs[rows].astype("int16")}


def _deals(table: HiddenTable, shape: tuple[int, ...]) -> NDArray[np.int64]:
    found = table.first + np.arange(len(table), dtype=np.int64)
    return np.broadcast_to(found.reshape(-1, *(1 for _ in shape[1:])), shape)
