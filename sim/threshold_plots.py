"""The curves of the study ``threshold`` as pictures; needs matplotlib, which comes with ``tuolaji[plots]``."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from .text import Text
from .threshold_tables import bids, break_evens

if TYPE_CHECKING:
    from pathlib import Path

    from .threshold import Result

MISSING = Text(
    'No plots: matplotlib is not installed; pip install "tuolaji[plots]" brings it.',
    "未画图：没有安装 matplotlib；可用 pip install \"tuolaji[plots]\" 安装。",
)  # fmt: skip
_SHOWN = 5  # bids in a picture
_BY = {
    "strength": "strength (points the banker is expected to keep)",
    "trumps": "trumps",
    "top-trumps": "jokers and 3s",
    "trump-pairs": "pairs of trumps",
    "voids": "side suits not held",
}


def available() -> bool:
    """Whether pictures can be drawn."""
    return find_spec("matplotlib") is not None


def draw(result: Result, folder: Path) -> list[Path]:
    """PNG files in a folder: the difference of bidding and passing by strength, and the chance to make each bid."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in bids(result) if row["call"] == "all"]
    evens = {(row["estimand"], row["bid"]): row for row in break_evens(result) if row["call"] == "all"}
    paths = []
    for name, title in (
        ("difference", "payoff of bidding less that of passing"),
        ("made", "chance to make the bid"),
    ):
        figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.5), sharey=True, layout="constrained")
        for axis, estimand, about in zip(
            axes, ("marginal", "auction"), ("any hand", "at an auction state"), strict=True
        ):
            _panel(axis, [row for row in rows if row["estimand"] == estimand], evens, estimand, name)
            axis.set(title=about, xlabel=_BY[result.asked.by])
            axis.grid(alpha=0.3)
        axes[0].set_ylabel(title)
        axes[0].legend(title="bid", fontsize="small")
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=150)
        pyplot.close(figure)
        paths.append(path)
    return paths


def _panel(axis: Any, rows: list[dict[str, Any]], evens: dict[Any, Any], estimand: str, name: str) -> None:
    """Curves with bands, and on the difference the break-evens with their intervals."""
    for at, bid in enumerate(sorted({bid for _, bid in evens})[:_SHOWN]):
        some = [
            row for row in rows if row["bid"] == bid and row["hands"] >= 30 and row[f"{name}_low"] is not None
        ]
        if len(some) < 2:
            continue
        x = [(row["from"] + row["to"]) / 2 for row in some]
        (line,) = axis.plot(x, [row[name] for row in some], label=str(bid), color=f"C{at}")
        low, high = ([row[f"{name}_{end}"] for row in some] for end in ("low", "high"))
        axis.fill_between(x, low, high, alpha=0.2, color=line.get_color(), linewidth=0)
        even = evens.get((estimand, bid))
        if name == "difference" and even and even["value"] is not None:
            axis.plot(even["value"], 0, "o", color=line.get_color())
            if even["low"] is not None and even["high"] is not None:
                axis.plot([even["low"], even["high"]], [0, 0], color=line.get_color(), linewidth=3)
    if name == "difference":
        axis.axhline(0, color="black", linewidth=0.8)
