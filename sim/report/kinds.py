"""The kinds of charts that reports are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .charts import Chart
from .style import SERIES, colour

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..text import Text
    from .figures import Number

    Say = Callable[[Text], str]

HALF, WHOLE = 6.3, 11.2  # inches: a chart beside a table, and one by itself
_MOST_ROWS = 60  # in a chart; the table beside it has them all


@dataclass
class Bars:
    """A bar: where it stands, its share with interval, and which part of it is of the first kind."""

    at: float
    share: Number
    first: float


def histogram(
    name: str,
    bars: Sequence[Bars],
    width: float,
    kinds: tuple[Text, Text],
    label: Text,
    alt: Text,
    *,
    title: Text,
) -> Chart:
    """Shares by value, each bar divided into two kinds, with the interval of the whole."""

    def draw(figure: Any, say: Say) -> None:
        axis = figure.subplots()
        at = [bar.at + width / 2 for bar in bars]
        first = [bar.first for bar in bars]
        second = [max(0.0, (bar.share.value or 0.0) - bar.first) for bar in bars]
        axis.bar(at, first, width * 0.92, color=colour("a"), label=say(kinds[0]))
        axis.bar(at, second, width * 0.92, bottom=first, color=colour("b"), label=say(kinds[1]))
        _whiskers(axis, at, [bar.share for bar in bars], vertical=True)
        axis.set_xlabel(say(label))
        _percent(axis.yaxis)
        axis.grid(axis="y")
        axis.set_ylim(bottom=0)
        axis.margins(x=0.01)
        axis.legend(loc="upper right")

    return Chart(name, (HALF, 3.5), draw, alt, title)


@dataclass
class Panel:
    """A column of a forest plot. ``values``: by row, by series; ``reference``: where a line stands; ``limits``: the
    ends of its scale, else as the values need it.
    """

    title: Text
    values: list[list[Number]]
    kind: str = "number"
    reference: float | None = None
    limits: tuple[float, float] | None = None


@dataclass
class Rows:
    """Labels of a forest plot's rows, ``new`` those before which there is a gap, and its series by name."""

    labels: list[Text]
    new: set[int] = field(default_factory=set)
    series: list[Text] = field(default_factory=list)


def forest(
    name: str,
    rows: Rows,
    panels: Sequence[Panel],
    alt: Text,
    *,
    title: Text,
    wide: bool = False,
    same: bool = False,
) -> Chart:
    """Estimates with intervals, a row each; several panels share the rows, and with ``same`` the scale."""
    shown = len(rows.labels[:_MOST_ROWS])
    places: list[float] = []
    for at in range(shown):
        places.append((places[-1] if places else 0.0) + (1.55 if at in rows.new and at else 1.0))
    many = max(1, max((len(values) for panel in panels for values in panel.values), default=1))
    height = 0.85 + (places[-1] if places else 1) * (0.26 + 0.1 * (many - 1)) + 0.28 * (many > 1)

    def draw(figure: Any, say: Say) -> None:
        figure.get_layout_engine().set(wspace=0.07)
        axes = figure.subplots(1, len(panels), sharey=True, sharex=same, squeeze=False)[0]
        for axis, panel in zip(axes, panels, strict=True):
            for series in range(many):
                shift = 0.0 if many == 1 else min(0.66, 0.21 * many) * (series / (many - 1) - 0.5)
                values = [each[series] for each in panel.values[:shown]]
                tint = colour(SERIES[series % len(SERIES)])
                y = [place + shift for place in places]
                _whiskers(axis, y, values, vertical=False, tint=tint)
                seen = [(v.value, at) for v, at in zip(values, y, strict=True) if v.value is not None]
                axis.plot(
                    [x for x, _ in seen], [at for _, at in seen], "o", color=tint, markersize=4.5,
                    label=say(rows.series[series]) if rows.series else None,
                )  # fmt: skip
            if panel.reference is not None:
                axis.axvline(panel.reference, color=colour("ink"), linewidth=0.9, zorder=0.9)
            axis.set_title(say(panel.title))
            axis.grid(axis="x")
            axis.spines["left"].set_visible(False)
            axis.tick_params(axis="y", length=0, labelleft=False)
            axis.set_yticks([])
            axis.margins(x=0.06)
            if panel.limits:
                axis.set_xlim(*panel.limits)
            axis.locator_params(axis="x", nbins=5 if len(panels) > 1 else 7)
            if panel.kind in ("share", "pp"):
                _percent(axis.xaxis, "" if panel.kind == "pp" else " %")
        axes[0].set_ylim((places[-1] if places else 1) + 0.7, (places[0] if places else 0) - 0.7)
        for place, label in zip(places, rows.labels, strict=False):
            axes[0].text(
                -0.02, place, say(label), transform=axes[0].get_yaxis_transform(), ha="right", va="center",
                fontsize=9.5,
            )  # fmt: skip
        if rows.series:
            handles, labels = axes[0].get_legend_handles_labels()
            wide_as = max(len(text) for text in labels) + 6
            columns = max(1, min(many, int(11 * figure.bbox.width / figure.dpi / wide_as)))
            figure.legend(handles, labels, loc="outside upper left", ncols=columns)

    return Chart(name, (WHOLE if wide else HALF, height), draw, alt, title, wide)


@dataclass
class Line:
    """A curve with its band, and where it crosses zero, if that is known. ``dots``: its points are marked."""

    label: Text
    x: list[float]
    y: list[Number]
    crossing: Number | None = None
    dots: bool = False


@dataclass
class Graph:
    """A panel of curves."""

    title: Text
    lines: list[Line]


def curves(
    name: str,
    graphs: Sequence[Graph],
    x_label: Text,
    y_label: Text,
    alt: Text,
    *,
    title: Text,
    share: bool = False,
) -> Chart:
    """Curves with bands, panels side by side on one scale; crossings of zero with their intervals on the zero line."""

    def draw(figure: Any, say: Say) -> None:
        axes = figure.subplots(1, len(graphs), sharey=True, sharex=True, squeeze=False)[0]
        for axis, graph in zip(axes, graphs, strict=True):
            for at, line in enumerate(graph.lines):
                _curve(axis, line, say, colour(SERIES[at % len(SERIES)]))
            if not share:
                axis.axhline(0, color=colour("ink"), linewidth=0.9)
            axis.set_title(say(graph.title))
            axis.set_xlabel(say(x_label))
            axis.grid()
        axes[0].set_ylabel(say(y_label))
        if share:
            _percent(axes[0].yaxis)
        handles, labels = axes[0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, labels, loc="outside upper left", ncols=len(handles))

    return Chart(name, (WHOLE, 4.4), draw, alt, title, wide=True)


def _curve(axis: Any, line: Line, say: Say, tint: str) -> None:
    known = [(x, y) for x, y in zip(line.x, line.y, strict=True) if y.value is not None]
    axis.plot(
        [x for x, _ in known], [y.value for _, y in known], "o-" if line.dots else "-", color=tint, markersize=4.5,
        linewidth=1.6, label=say(line.label),
    )  # fmt: skip
    band = [(x, y.low, y.high) for x, y in known if y.known]
    axis.fill_between(
        [x for x, _, _ in band], [low for _, low, _ in band], [high for _, _, high in band], color=tint,
        alpha=0.22, linewidth=0,
    )  # fmt: skip
    even = line.crossing
    if even and even.value is not None:
        axis.plot(even.value, 0, "o", color=tint, markersize=6, zorder=4)
        axis.plot([*_ends(even)], [0, 0], color=tint, linewidth=4, alpha=0.75, solid_capstyle="butt")


def _whiskers(
    axis: Any, at: Sequence[float], values: Sequence[Number], *, vertical: bool, tint: str | None = None
) -> None:
    """The intervals."""
    ends = [
        (place, *_ends(value)) for place, value in zip(at, values, strict=True) if value.value is not None
    ]
    places, low, high = ([end[k] for end in ends] for k in range(3))
    lines = axis.vlines if vertical else axis.hlines
    lines(places, low, high, color=tint or colour("ink"), linewidth=1.0 if vertical else 2.0)


def _ends(value: Number) -> tuple[float, float]:
    """The ends of an interval; one that has no bound on a side is drawn up to the value there."""
    middle = value.value or 0.0
    return middle if value.low is None else value.low, middle if value.high is None else value.high


def _percent(axis: Any, unit: str = " %") -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}{unit}".replace("-", "−")))
