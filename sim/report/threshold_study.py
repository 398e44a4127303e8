"""The tables of a threshold study, as its folder has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..crossing_text import KINDS, no_crossing
from ..text import Text
from ..threshold_text import _BY as BY
from ..threshold_text import _CALLS as CALLS
from ..threshold_text import _ORDERS as ORDERS
from .figures import Number, shown
from .html import plain

if TYPE_CHECKING:
    from ..text import Lang
    from .source import Row, Source

ESTIMANDS = {"marginal": Text("any hand", "任意手牌"), "auction": Text("at the auction", "叫分之时")}


class Study:
    """The tables of the study."""

    def __init__(self, source: Source, lang: Lang) -> None:
        self.source, self.lang = source, lang
        by = source.word(source.top, "by")
        self.by = BY.get(by) or source.damaged(f"by is {by!r}, which is nothing hands are ordered by")
        self.even: dict[tuple[str, int], Row] = {}
        self.states: list[Row] = []
        for row in source.rows("break_even"):
            self._check(row)
            if row["call"] == "all":
                self.even[row["estimand"], source.whole(row, "bid")] = row
            else:
                self.states.append(row)
        self.curves: dict[tuple[str, int], list[Row]] = {}
        for row in source.rows("bids"):
            self._check(row)
            if row["call"] == "all":
                self.curves.setdefault((row["estimand"], source.whole(row, "bid")), []).append(row)
        self.bids = sorted({bid for _, bid in self.even})

    def _check(self, row: Row) -> None:
        for key, known in (("estimand", ESTIMANDS), ("call", CALLS), ("order", ORDERS)):
            if self.source.word(row, key) not in known:
                self.source.damaged(f"there is no {key} {plain(row[key], 40)!r}")
        if "kind" in row and self.source.word(row, "kind") not in KINDS:
            self.source.damaged(f"there is no kind {plain(row['kind'], 40)!r}")

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    def crossing(self, row: Row | None) -> tuple[str, str]:
        """A break-even as a cell."""
        if row is None:
            return "", ""
        value = self.source.number(row, "value", "low", "high")
        if row["kind"] != "crossing":
            return no_crossing(row["kind"], value.low, value.high, self.lang), ""
        if value.known or value.value is None:
            return shown(value)
        low, high = (f"{end:.1f}" if end is not None else "…" for end in (value.low, value.high))
        return f"{value.value:.1f}", f"[{low}, {high}]".replace("-", "−")

    def value(self, estimand: str, bid: int) -> Number:
        """A break-even as a figure."""
        row = self.even.get((estimand, bid))
        known = row is not None and row["kind"] == "crossing"
        return self.source.number(row, "value", "low", "high") if row and known else Number(None)
