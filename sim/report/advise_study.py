"""Advice on a hand, as its folder has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..advise_situation import Choice
from ..advise_text import BANKER, CHOICES, DECISIONS, label
from ..cards import FACES, SMALL_JOKER, SUIT_SYMBOLS, SUITS, parse_cards, show_card, show_suit
from ..errors import UsageError
from ..text import Text
from .html import plain

if TYPE_CHECKING:
    from ..text import Lang
    from .figures import Number
    from .source import Row, Source

_STOPS = ("fixed", "best", "max")
_MOST = 200  # cards, bids or calls in a situation


@dataclass(frozen=True)
class Option:
    """A choice and what it came to. ``behind``: the best's payoff less this one's, None for the best itself."""

    choice: Choice
    label: Text
    payoff: Number
    behind: Number | None
    banker: Number
    made: Number
    solo: Number | None

    @property
    def same(self) -> bool:
        """Whether it never came to anything else than the best."""
        return self.behind == (0, 0, 0)


class Study:
    """The answer; ``options``: the best first, then by payoff."""

    def __init__(self, source: Source, game: str, lang: Lang) -> None:
        self.source, self.lang = source, lang
        top = source.top
        if source.word(top, "game") != game:
            source.damaged(f"it is of another game than its manifest, {game}")
        self.two = game == "die-wu-fen"
        self.known = source.object("situation")
        self.phase = source.word(self.known, "decision")
        if self.phase not in DECISIONS:
            source.damaged(f"there is no decision {plain(self.phase, 40)!r}")
        self.seat = source.whole(self.known, "seat")
        self.worlds = source.whole(top, "worlds")
        self.tried = source.whole(top, "worlds_tried") if self.known.get("news") else None
        self.stopped_by = source.word(top, "stopped_by")
        if self.stopped_by not in _STOPS:
            source.damaged(f"there is no stopped_by {plain(self.stopped_by, 40)!r}")
        confidence = source.real(top, "confidence")
        if confidence is None or not 0 <= confidence <= 1:
            source.damaged("confidence is no number from 0 to 1")
        self.confidence = confidence or 0.0
        self.settled = top.get("settled") is True
        best = self._choice(source.object("best"))
        found = [self._option(row) for row in source.rows("options")]
        self.options = sorted(found, key=lambda one: (one.choice != best, -(one.payoff.value or 0.0)))
        if not found or [one.choice for one in found].count(best) != 1:
            source.damaged("the best is not one of the options")

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    @property
    def best(self) -> Option:
        """The best choice, as far as it was played."""
        return self.options[0]

    @property
    def others(self) -> list[Option]:
        """The choices that are not the best in all but name."""
        return [one for one in self.options[1:] if not one.same]

    @property
    def is_banker(self) -> bool:
        """Whether the seat is banker already."""
        return self.phase in BANKER

    def _choice(self, row: Row) -> Choice:
        kind, value = self.source.word(row, "choice"), self.source.word(row, "value")
        if kind not in CHOICES or len(value) > _MOST:
            self.source.damaged(f"there is no choice {plain(kind, 40)!r} with the value {plain(value, 40)!r}")
        return Choice(kind, value, 0)

    def _option(self, row: Row) -> Option:
        source, choice = self.source, self._choice(row)
        try:
            named = Text(label(choice, "en"), label(choice, "zh"))
        except ValueError:  # no suit, or no cards
            source.damaged(f"a choice has the value {plain(choice.value, 40)!r}")
        behind = row.get("behind_best")
        return Option(
            choice,
            Text(*(plain(text, 300) for text in named)),
            source.estimate(source.object("payoff", row)),
            None if behind is None else source.estimate(source.object("behind_best", row)),
            source.estimate(source.object("banker", row)),
            source.estimate(source.object("made", row)),
            source.estimate(source.object("solo", row)) if "solo" in row else None,
        )

    # --- what is known, in words

    def cards(self, key: str, row: Row | None = None) -> list[int]:
        """Cards of the situation, none where it has none."""
        row = self.known if row is None else row
        if row.get(key) is None:
            return []
        try:
            found = parse_cards(self.source.word(row, key)[: 3 * _MOST])
        except UsageError:
            return list(self.source.damaged(f"{key} holds what is no card"))
        return found

    def held(self, faces: list[int]) -> str:
        """Cards by suit, high ones first."""
        parts = []
        jokers = sorted((face for face in faces if face >= SMALL_JOKER), reverse=True)
        if jokers:
            parts.append(" ".join(show_card(face, self.lang) for face in jokers))
        for suit, sign in enumerate(SUIT_SYMBOLS):
            ranks = sorted((face % 13 for face in faces if face // 13 == suit), reverse=True)
            if ranks:
                shown = ("10" if FACES[rank][0] == "T" else FACES[rank][0] for rank in ranks)
                parts.append(f"{sign}{' '.join(shown)}")
        return self.say("; ", "；").join(parts)

    def trump(self) -> str:
        """The trump suit, if it is fixed."""
        suit = self.known.get("trump")
        if suit is None:
            return ""
        if suit not in tuple(SUITS):
            self.source.damaged(f"trump holds {plain(suit, 40)!r}")
        return show_suit(SUITS.index(str(suit)), self.lang)

    def bids(self) -> str:
        """The bids so far (DWF-6)."""
        found = self.known.get("bid_so_far")
        words = found.split()[:_MOST] if isinstance(found, str) else []
        told = []
        for word in words:
            seat, _, bid = (plain(part, 20) for part in word.partition(":"))
            if bid == "pass":
                told.append(self.say(f"seat {seat} passed", f"座位 {seat} 不叫"))
            else:
                told.append(self.say(f"seat {seat} bid {bid}", f"座位 {seat} 叫 {bid}"))
        return self.say(", ", "，").join(told)

    def revealed(self) -> str:
        """Who showed which cards (DWF-3, DWF-4)."""
        found = self.known.get("revealed")
        told = []
        for word in found[:_MOST] if isinstance(found, list) else []:
            seat, _, cards = plain(word, 60).partition(":")
            try:
                shown = " ".join(show_card(face, self.lang) for face in parse_cards(cards))
            except UsageError:
                shown = cards
            told.append(self.say(f"seat {seat.strip()} showed {shown}", f"座位 {seat.strip()} 亮 {shown}"))
        return self.say(", ", "，").join(told)
