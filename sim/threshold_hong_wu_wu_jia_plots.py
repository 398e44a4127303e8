"""The curves of the study ``threshold`` of hong-wu-wu-jia as pictures; needs matplotlib (``tuolaji[plots]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reveal_response import BANDS
from .threshold_hong_wu_wu_jia_tables import names, reveal_break_evens, reveals, solos
from .threshold_hong_wu_wu_jia_text import BY, FACES

if TYPE_CHECKING:
    from pathlib import Path

    from .threshold_hong_wu_wu_jia import HiddenResult

_FEW = 30  # hands below which a class is not drawn


def draw_hidden(result: HiddenResult, folder: Path) -> list[Path]:
    """PNG files in a folder: revealing less waiting by strength, faces against the best other, solo by trumps."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    paths = []
    for name, paint in (("reveal", _reveal), ("name", _name), ("solo", _solo)):
        figure, axis = pyplot.subplots(figsize=(8, 5), layout="constrained")
        paint(axis, result)
        axis.grid(alpha=0.3)
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=150)
        pyplot.close(figure)
        paths.append(path)
    return paths


def _reveal(axis: Any, result: HiddenResult) -> None:
    evens = {
        row["cards_from"]: row
        for row in reveal_break_evens(result)
        if row["previous"] == row["place"] == "all"
    }
    for at, (low, high) in enumerate(BANDS):
        some = [
            row
            for row in reveals(result)
            if row["previous"] == row["place"] == "all"
            and row["cards_from"] == low
            and row["hands"] >= _FEW
            and row["difference_low"] is not None
        ]
        if len(some) > 1:
            x = [(row["from"] + row["to"]) / 2 for row in some]
            label = f"{low}–{high}" if high > low else str(low)
            axis.plot(x, [row["difference"] for row in some], color=f"C{at}", label=label)
            ends = ([row[f"difference_{end}"] for row in some] for end in ("low", "high"))
            axis.fill_between(x, *ends, color=f"C{at}", alpha=0.2, linewidth=0)
        if low in evens and evens[low]["value"] is not None:
            axis.plot(evens[low]["value"], 0, "o", color=f"C{at}")
    axis.axhline(0, color="black", linewidth=0.8)
    by = "strength, in trumps" if result.asked.by == "strength" else BY[result.asked.by].en
    axis.set(xlabel=by, ylabel="payoff of revealing less that of waiting")
    axis.legend(title="cards held", fontsize="small")


def _name(axis: Any, result: HiddenResult) -> None:
    rows = [row for row in names(result) if row["from"] is None and row["difference_low"] is not None][::-1]
    places = range(len(rows))
    bars = [
        [row["difference"] - row["difference_low"], row["difference_high"] - row["difference"]]
        for row in rows
    ]
    axis.errorbar(
        [row["difference"] for row in rows], places, xerr=list(zip(*bars, strict=True)), fmt="o", capsize=3
    )
    axis.set_yticks(list(places), [f"{FACES[row['face']].en}, {row['held']} in hand" for row in rows])
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set(xlabel="banker's payoff of naming it less that of the best other face")


def _solo(axis: Any, result: HiddenResult) -> None:
    rows = [row for row in solos(result) if row["face"] == "all" and row["from"] is not None]
    rows = [row for row in rows if row["deals"] >= _FEW and row["difference_low"] is not None]
    if rows:
        x = [f"{row['from']}–{row['to']}" for row in rows]
        bars = [
            [row["difference"] - row["difference_low"], row["difference_high"] - row["difference"]]
            for row in rows
        ]
        axis.errorbar(
            x, [row["difference"] for row in rows], yerr=list(zip(*bars, strict=True)), fmt="o-", capsize=3
        )
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set(xlabel="trumps in hand", ylabel="payoff of solo less that with a partner")
