"""The folder of `tuolaji advise --out`: the answer as JSON, and its choices as a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .advise_result import LEAST

if TYPE_CHECKING:
    from .advise_result import Advice, Asked, Option
    from .stats import Estimate
    from .study_out import StudyFolder

KIND = "advise"
_FIGURES = ("payoff", "behind_best", "banker", "made", "solo")
_PARTS = {"": "float64", "_error": "float64", "_low": "float64", "_high": "float64", "_of": "int64"}
#: Type by column: a choice, whether it is the best, and each figure with error, interval and what it is of.
SCHEMA: dict[str, str] = {
    "choice": "string",
    "value": "string",
    "best": "bool",
    **{f"{figure}{part}": kind for figure in _FIGURES for part, kind in _PARTS.items()},
}


def provenance(asked: Asked) -> dict[str, Any]:
    """What determines the answer."""
    rule = asked.rule
    return {
        **asked.plan.describe(),
        "situation": asked.situation.describe(),
        "stopping": (
            {"least": LEAST, "most": asked.worlds, "confidence": rule.confidence}
            if rule
            else {"fixed": asked.worlds}
        ),
    }


def rows(advice: Advice) -> list[dict[str, Any]]:
    """A row for each choice, in the order of the JSON object."""
    return [_row(option, best=at == advice.best) for at, option in enumerate(advice.options)]


def _row(option: Option, *, best: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"choice": option.choice.kind, "value": option.choice.value, "best": best}
    figures = (option.payoff, option.behind, option.banker, option.made, option.solo)
    for name, figure in zip(_FIGURES, figures, strict=True):
        row |= {f"{name}{part}": value for part, value in zip(_PARTS, _parts(figure), strict=True)}
    return row


def _parts(figure: Estimate | None) -> tuple[float | int | None, ...]:
    if figure is None:
        return (None,) * len(_PARTS)
    return figure.value, figure.error, figure.low, figure.high, figure.of


def write(advice: Advice, folder: StudyFolder) -> None:
    """``options.parquet``, ``result.json`` and the manifest."""
    folder.table("options", SCHEMA, rows(advice))
    folder.text("result.json", json.dumps(advice.to_dict(), ensure_ascii=False, indent=1) + "\n")
    folder.finish()
