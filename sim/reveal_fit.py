"""Revealing and naming of hong-wu-wu-jia fitted on a counterfactual table: a bidding for the rules of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .bidding import changed
from .counterfactual_hong_wu_wu_jia import HiddenCounterfactual
from .naming import Namings, fit_naming, namings_of, numbers_of
from .reveal_response import respond
from .reveals import Reveals, Rule, reveals_of

if TYPE_CHECKING:
    from .bidding import Bidding
    from .counterfactual import Tables
    from .naming import Fitted
    from .plan import Plan
    from .reveal_response import Answer

FIT, CHOOSE = 0.5, 0.75  # shares of the deals up to which rules are fitted, and chosen among


@dataclass(frozen=True)
class Fit:
    """What was found for revealing and for naming, how each was judged, and both as a bidding."""

    answer: Answer
    naming: Fitted
    bidding: Bidding


def fit(reveals: Reveals, namings: Namings, start: Bidding, weights: tuple[int, ...] | None = None) -> Fit:
    """Fitted on the first half of the deals, chosen among on a quarter, judged on the last quarter.

    ``start``: the bidding by which the deals were played. ``weights``: see `reveal_response.respond`.
    """
    naming = fit_naming(
        namings.part(0, FIT), namings.part(FIT, CHOOSE), namings.part(CHOOSE, 1), numbers_of(start)
    )
    answer = respond(
        reveals.part(0, FIT), reveals.part(FIT, CHOOSE), reveals.part(CHOOSE, 1), Rule.of(start), weights
    )
    bidding = changed(start, {**answer.rule.changes(), **naming.numbers}, "thresholds")
    return Fit(answer, naming, bidding)


def played(plan: Plan, first: int, deals: int, tables: Tables) -> tuple[Reveals, Namings]:
    """Deals of a plan played out with every reveal and every naming there could have been, for `fit`.

    `KeyboardInterrupt` when ``tables`` are told to stop.
    """
    reveals, namings = [], []
    for table in tables.of(HiddenCounterfactual(plan), first, deals):
        reveals.append(reveals_of([table]))
        namings.append(namings_of([table]))
    return joined(reveals, namings)


def joined(reveals: list[Reveals], namings: list[Namings]) -> tuple[Reveals, Namings]:
    """Pieces as a whole."""
    parts = [(r.first_seat, r.previous, r.notes, r.payoffs, r.won) for r in reveals]
    others = [(n.notes, n.payoffs, n.won) for n in namings]
    return (
        Reveals(*(np.concatenate(part) for part in zip(*parts, strict=True))),
        Namings(*(np.concatenate(part) for part in zip(*others, strict=True))),
    )
