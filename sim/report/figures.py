"""Numbers as a reader sees them, and how strongly they speak: the words are defined here and explained on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..rounding import bounds, digits, rounded
from ..stats import Z95, normal
from ..text import Text

if TYPE_CHECKING:
    from ..stats import Estimate
    from ..text import Lang

FEW = 30  # deals that are too few for an interval of their mean
MINUS = "−"


class Number(NamedTuple):
    """A figure with its interval, wherever it comes from; None where the data can't tell."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def known(self) -> bool:
        """Whether it has an interval."""
        return None not in (self.value, self.low, self.high)


def number(figure: Estimate) -> Number:
    """Of an estimate."""
    return Number(figure.value, figure.low, figure.high)


def shown(
    figure: Number, kind: str = "number", *, sign: bool = False, against: float = 0.0
) -> tuple[str, str]:
    """Value and interval, both cut after the second significant digit of half the interval's width.

    ``kind``: ``number``, ``share`` (as percent), ``pp`` (a difference of shares, in percentage points) or ``whole`` (a
    quantile: its values are whole numbers). ``against``: what the words beside it compare it with; rounding moves no
    end of the interval onto it.
    """
    if figure.value is None:
        return "–", ""
    unit = {"share": " %", "pp": " pp"}.get(kind, "")
    scale = 100.0 if unit else 1.0
    plus = "+" if sign else ""
    if figure.low is None or figure.high is None:
        return _minus(f"{figure.value * scale:{plus}.3g}") + unit, ""
    low, high = figure.low * scale, figure.high * scale
    places = 0 if kind == "whole" else digits((high - low) / 2) if high > low else _needed(low)
    return (
        _minus(rounded(figure.value * scale, places, f"{plus},")) + unit,
        _minus(bounds(low, high, places, against * scale, ",")),
    )


def told(figure: Number, kind: str = "number", *, sign: bool = False, against: float = 0.0) -> str:
    """Value and interval in a sentence."""
    return " ".join(part for part in shown(figure, kind, sign=sign, against=against) if part)


def together(figure: Number, rows: int, limits: tuple[float, float] | None = None) -> Number:
    """The same with the interval that holds for ``rows`` such figures together (Bonferroni), inside ``limits``.

    Words about several figures are judged by these intervals, so these are what stands beside the words.
    """
    if figure.value is None or figure.low is None or figure.high is None:
        return figure
    wider = normal(1 - 0.05 / max(1, rows)) / Z95
    low, high = (figure.value + wider * (end - figure.value) for end in (figure.low, figure.high))
    if limits:
        low, high = max(limits[0], low), min(limits[1], high)
    return Number(figure.value, low, high)


def _needed(value: float) -> int:
    return 0 if value == int(value) else 2


def _minus(text: str) -> str:
    return text.replace("-", MINUS)


_WORDS = {
    "unknown": Text("too few to tell", "样本太少，无从判断"),
    "same": Text("exactly equal", "完全相同"),
    "none": Text("not told apart", "分不出差别"),
    "weak": Text("some evidence", "略有证据"),
    "strong": Text("strong evidence", "证据有力"),
    "sure": Text("beyond reasonable doubt", "毫无疑问"),
}
DISTANCE = Text(
    "How strong the evidence is, in words: the distance of an estimate from what it is compared with, in half-widths "
    "of the interval printed beside it. Up to 1: not told apart, which is not the same as equal; to 1.5: some "
    "evidence; to 3: strong evidence; more: beyond reasonable doubt.",
    "证据强弱的说法：以旁边所列区间的半宽为单位，看估计值离比较值多远。不到 1：分不出差别（不等于没有差别）；到 "
    "1.5：略有证据；到 3：证据有力；更远：毫无疑问。",
)  # fmt: skip
SCALE = Text(
    f"{DISTANCE.en} Where several figures are judged, the brackets beside the words are wider than those of one figure "
    "(Bonferroni), so that they and all the words hold together.",
    f"{DISTANCE.zh}同时判断多项时，说法旁边的区间按邦费罗尼法放宽，使各区间与各说法同时成立。",
)  # fmt: skip


def evidence(figure: Number, against: float = 0.0) -> str:
    """How sure it is that a figure is not ``against``, by its own interval: a key of `said`."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "unknown"
    above = figure.value > against
    half = figure.value - figure.low if above else figure.high - figure.value
    distance = abs(figure.value - against)
    if figure.low == figure.high:
        return "same" if distance == 0 else "sure"
    if distance <= half:
        return "none"
    return "weak" if distance <= 1.5 * half else "strong" if distance <= 3 * half else "sure"


def said(verdict: str, lang: Lang) -> str:
    """Such a verdict in words."""
    return _WORDS[verdict].say(lang)


def judged(
    figure: Number, rows: int, lang: Lang, kind: str = "number", against: float = 0.0
) -> tuple[str, str]:
    """The word for one of ``rows`` figures in a table, and the interval that it was judged by."""
    wide = together(figure, rows, (0.0, 1.0) if kind == "share" else None)
    interval = shown(wide, kind, against=against)[1] if rows > 1 else ""
    return said(evidence(wide, against), lang), interval + (" %" if interval and kind == "share" else "")


def direction(figure: Number, against: float = 0.0) -> int:
    """1 above, -1 below, 0 where that is not sure."""
    if figure.value is None or evidence(figure, against) in ("unknown", "none", "same"):
        return 0
    return 1 if figure.value > against else -1
