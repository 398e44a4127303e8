"""The rows that the study ``threshold`` leaves in ``rows/``: columns by name, piece by piece, in codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .threshold_columns import row_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .counterfactual import Table
    from .counterfactual_hong_wu_wu_jia import HiddenTable
    from .naming import Namings
    from .reveals import Looks, Reveals, Waits

    Columns = dict[str, NDArray[Any]]

FEATURES = ("trumps", "top-trumps", "trump-pairs", "voids")  # as ``threshold.BY`` has them, in this order


def bid_rows(name: str, table: Table, strength: NDArray[np.int64]) -> Columns:
    """Of die-wu-fen: one a deal, trump and banker; ``name``: ``marginal`` or ``auction``."""
    from .threshold import feature_weights

    shape = strength.shape
    features = [table.features @ feature_weights(by)[1:].astype(np.int16) for by in FEATURES]
    attempt = np.zeros(shape[0], np.int16) if name == "marginal" else table.deals["redeals"]
    values: dict[str, NDArray[Any]] = {
        "deal": (table.first + np.arange(shape[0], dtype=np.int64))[:, None, None],
        "attempt": attempt[:, None, None],
        "trump": table.trump,
        "seat": np.arange(shape[2]),
        "strength": strength,
        **{by.replace("-", "_"): found for by, found in zip(FEATURES, features, strict=True)},
        "defender_points": table.points,
        "penalties": table.penalties,
        **{key: found[:, None, None] for key, found in table.deals.items()},
    }
    return {
        column.name: np.broadcast_to(values[column.name], shape).ravel().astype(column.numpy)
        for column in row_columns(name)
    }


def contract_rows(table: HiddenTable) -> Columns:
    """One a deal and contract there could have been: every 2 revealed in time, and pressed."""
    from ..kernels.counterfactual_hong_wu_wu_jia import PRESS

    plays = {name: values[:, : PRESS + 1] for name, values in table.plays.items()}
    rows = plays["banker"] >= 0
    return _chosen("contracts", rows, _place(table, rows.shape) | plays)


def look_rows(table: HiddenTable, reveals: Reveals, looks: Looks, waits: Waits) -> Columns:
    """One a deal, seat and look at which it holds a 2: what it holds, and what revealing and waiting pay if reached."""
    rows, shape = looks.suit >= 0, looks.suit.shape
    values = {
        "seat": np.arange(shape[1])[:, None],
        "cards": looks.cards,
        "previous": reveals.is_previous[..., None],
        "place": reveals.order[..., None],
        "trump": looks.suit,
        "strength": looks.strength,
        **{
            name: looks.counts[..., at]
            for at, name in enumerate(("trumps", "trump_pairs", "trump_triples", "top_trumps"))
        },
        "reached": waits.reached,
        "won": waits.won,
        "reveal": waits.reveal,
        "wait": waits.wait,
    }
    return _chosen("looks", rows, _place(table, shape) | values)


def name_rows(table: HiddenTable, namings: Namings) -> Columns:
    """One a deal and face that its banker may name: what the banker holds of it, and what naming it pays."""
    from ..kernels.counterfactual_hong_wu_wu_jia import FIRST_NAME, NAME_COLUMNS

    plays = {name: values[:, FIRST_NAME:] for name, values in table.plays.items()}
    notes = {name: namings.notes[..., at] for at, name in enumerate(NAME_COLUMNS)}
    values = _place(table, namings.able.shape) | plays | notes | {"payoff": namings.payoffs}
    return _chosen("names", namings.able, values)


def _place(table: HiddenTable, shape: tuple[int, ...]) -> Columns:
    """Deal and attempt: no deal of hong-wu-wu-jia is dealt again."""
    deals = table.first + np.arange(len(table), dtype=np.int64)
    return {
        "deal": deals.reshape(-1, *(1 for _ in shape[1:])),
        "attempt": np.zeros((1,) * len(shape), np.int16),
    }


def _chosen(name: str, rows: NDArray[np.bool_], values: Columns) -> Columns:
    """Those of a file's columns that are chosen."""
    return {
        column.name: np.broadcast_to(values[column.name], rows.shape)[rows].astype(column.numpy)
        for column in row_columns(name)
    }
