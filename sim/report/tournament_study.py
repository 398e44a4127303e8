"""The tables of tournaments, as their folder has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..text import Text
from .figures import Number
from .html import plain
from .source import tables

if TYPE_CHECKING:
    from pathlib import Path

    from ..text import Lang
    from .source import Row, Source

FIGURES = ("wins", "points_a_hand", "advanced")  # of an entrant
_DRAWN = 4  # lengths side by side


@dataclass(frozen=True)
class Figure:
    """A figure, and what it would be if all were alike."""

    value: Number
    by_chance: float | None


_NONE = Figure(Number(None), None)


@dataclass
class Length:
    """Everything of one length of a round: figures by (entrant, figure), and by figure."""

    hands: int
    entrants: dict[tuple[str, str], Figure] = field(default_factory=dict)
    rounds: dict[str, Figure] = field(default_factory=dict)

    def of(self, entrant: str, figure: str) -> Figure:
        """A figure of an entrant."""
        return self.entrants.get((entrant, figure), _NONE)

    def all(self, figure: str) -> Figure:
        """A figure of all."""
        return self.rounds.get(figure, _NONE)

    @property
    def about(self) -> Text:
        """What it is called."""
        hands = "1 hand" if self.hands == 1 else f"{self.hands} hands"
        return Text(f"{hands} a round", f"每轮 {self.hands} 手")


class Study:
    """Lengths from the shortest on; ``names``: kinds of entrants, most points in the longest rounds first."""

    def __init__(self, folder: Path, lang: Lang) -> None:
        self.lang = lang
        self.source: Source = tables(folder, ("entrants", "rounds"))
        source = self.source
        found: dict[int, Length] = {}
        self.count: dict[str, int] = {}
        for row in source.rows("entrants"):
            hands = self._positive(row, "hands")
            name, figure = source.word(row, "entrant"), source.word(row, "figure")
            self.count[name] = self._positive(row, "count")
            found.setdefault(hands, Length(hands)).entrants[name, figure] = self._figure(row)
        for row in source.rows("rounds"):
            hands = self._positive(row, "hands")
            if hands not in found:
                source.damaged(f"rounds has {hands} hands, of which entrants has nothing")
            found[hands].rounds[source.word(row, "figure")] = self._figure(row)
        if not found:
            source.damaged("there are no entrants")
        self.lengths = [found[hands] for hands in sorted(found)]
        last = self.lengths[-1]
        self.names = sorted(self.count, key=lambda name: -(last.of(name, "points_a_hand").value.value or 0.0))
        self.field = sum(self.count.values())

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    def _positive(self, row: Row, key: str) -> int:
        value = self.source.whole(row, key)
        return value if value > 0 else int(self.source.damaged(f"{key} holds {value}"))

    def _figure(self, row: Row) -> Figure:
        return Figure(self.source.number(row, "estimate", "low", "high"), self.source.real(row, "by_chance"))

    @property
    def drawn(self) -> list[Length]:
        """Lengths that have room side by side: the shortest, the longest, and some between."""
        many = len(self.lengths)
        if many <= _DRAWN:
            return self.lengths
        return [self.lengths[round(k * (many - 1) / (_DRAWN - 1))] for k in range(_DRAWN)]

    def label(self, name: str) -> str:
        """A kind of entrant, and how many of it there are."""
        count = self.count[name]
        return plain(name, 60) + (f" × {count}" if count > 1 else "")

    def each(self, length: Length, name: str) -> Number:
        """The chance of one entrant of a kind to win."""
        count = self.count[name]
        return Number(*(None if part is None else part / count for part in length.of(name, "wins").value))

    def has(self, figure: str) -> bool:
        """Whether there is such a figure of any entrant."""
        return any(kind == figure for length in self.lengths for _, kind in length.entrants)

    def best(self, length: Length) -> str:
        """The kind with most points a hand."""
        return max(self.names, key=lambda name: length.of(name, "points_a_hand").value.value or float("-inf"))


def difference(more: Number, less: Number) -> Number:
    """Of two figures as if they were independent; the interval is made of both (Newcombe's)."""
    a, b = more.value, less.value
    if a is None or b is None:
        return Number(None)
    if more.low is None or more.high is None or less.low is None or less.high is None:
        return Number(a - b)
    down = ((a - more.low) ** 2 + (less.high - b) ** 2) ** 0.5
    up = ((more.high - a) ** 2 + (b - less.low) ** 2) ** 0.5
    return Number(a - b, a - b - down, a - b + up)
