"""What a hand that asks for advice knows, and which choices it has: what both games share."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .cards import FACES, CardError, format_cards, parse_cards
from .errors import UsageError
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .games import Game
    from .given import Given

BOTTOM = "bottom"


@dataclass(frozen=True)
class Known:
    """What a user says, as typed; see `advise.ask`."""

    hand: str
    seat: int = 0
    first_seat: int | None = None
    trump: str | None = None
    revealed: tuple[str, ...] = ()
    bids: str | None = None
    bottom: str | None = None
    bury: tuple[str, ...] = ()
    previous_banker: int | None = None
    pressed: bool = False
    news: bool = False


@dataclass(frozen=True)
class Choice:
    """One thing the hand can do: its ``kind``; ``value``: a suit, a bid, cards; and what a policy would answer."""

    kind: str
    value: str
    answer: int


@dataclass(frozen=True)
class Situation:
    """A decision: the ``phase`` it belongs to, the kernel's vector by name, the choices, what is known of the deal.

    ``choices`` is empty, and ``hand``, ``bottom`` and ``burials`` are used, where these follow from what is buried.
    ``hint``: what may help when few worlds agree with the news, to be put into a sentence.
    """

    phase: str
    me: int
    fields: Mapping[str, int]
    choices: tuple[Choice, ...]
    given: Given
    log: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    bottom: tuple[int, ...] = ()
    burials: tuple[tuple[int, ...], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    hint: str = ""

    def describe(self) -> dict[str, Any]:
        """The decision and what is known, fit for JSON."""
        return {"decision": self.phase, **self.about}


def seat_of(game: Game, seat: int | None, what: str) -> int:
    """A seat number, checked; -1 for none."""
    if seat is None:
        return -1
    if not 0 <= seat < game.seats:
        raise UsageError(f"{what}: there is no seat {seat}; allowed are 0 to {game.seats - 1}")
    return seat


def cards_of(game: Game, text: str, what: str) -> list[int]:
    """Cards as faces, no more copies than there are."""
    try:
        return parse_cards(text, packs=game.packs, what=what)
    except CardError as error:
        raise UsageError(f"{what}: {error}") from None


def bottom_of(game: Game, known: Known) -> list[int]:
    """The bottom as taken; empty for none."""
    if known.bottom is None:
        return []
    bottom = cards_of(game, known.bottom, "bottom")
    if len(bottom) != game.bottom_size:
        raise UsageError(f"bottom: these are {len(bottom)} cards; the bottom has {game.bottom_size}")
    return bottom


@dataclass(frozen=True)
class Shown:
    """Who showed which cards, and with how many in hand: ``low`` to ``high``, any number unless ``timed``."""

    seat: int
    faces: tuple[int, ...]
    low: int
    high: int
    timed: bool


def shown_by(game: Game, known: Known) -> list[Shown]:
    """``1:3h`` or ``2:3s 3s@14``: who showed which cards, in order, and when if that is told."""
    found = []
    for word in known.revealed:
        seat, colon, text = word.partition(":")
        if not colon or not re.fullmatch("[0-9]", seat.strip()) or int(seat) >= game.seats:
            raise UsageError(
                f'revealed: {clip(word)} says not who showed which cards; write SEAT:"3h", seats 0 to {game.seats - 1}'
            )
        cards, at, when = text.partition("@")
        faces = cards_of(game, cards, "revealed")
        if not faces:
            raise UsageError(
                f"revealed: {clip(word)} names no card; write it after the colon, like {seat}:3h"
            )
        if at and not known.news:
            raise UsageError("revealed: with how many cards it was (@) counts only with --news; add it")
        low, high = _when(game, word, when, len(faces)) if at else (len(faces), game.hand_size)
        found.append(Shown(int(seat), tuple(faces), low, high, bool(at)))
    return found


def _when(game: Game, word: str, when: str, least: int) -> tuple[int, int]:
    """``14`` or ``10-20``: with how many cards in hand."""
    numbers = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:-\s*([0-9]{1,3})\s*)?", when, re.ASCII)
    if numbers is None:
        raise UsageError(
            f"revealed: {clip(word)} says not with how many cards in hand; write @14 or @10-20 at its end"
        )
    low, high = int(numbers[1]), int(numbers[2] or numbers[1])
    if low > high:
        raise UsageError(f"revealed: {low}-{high} is from more to less; write {high}-{low}")
    if low < least or high > game.hand_size:
        raise UsageError(
            f"revealed: {clip(word)} can't be, {least} to {game.hand_size} cards are in hand when they are shown"
        )
    return low, high


def full_hand(game: Game, hand: Sequence[int]) -> None:
    """Refuse a hand that is not all there."""
    if len(hand) != game.hand_size:
        more = "; give the bottom apart, with --bottom" if len(hand) > game.hand_size else ""
        raise UsageError(
            f"hand: these are {len(hand)} cards; once trump is known it has {game.hand_size}{more}"
        )


def burials_of(game: Game, known: Known, cards: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """What ``--bury`` names, each to be found among the cards."""
    found = []
    for text in known.bury:
        buried = cards_of(game, text, "bury")
        if len(buried) != game.bottom_size:
            raise UsageError(f"bury: these are {len(buried)} cards; {game.bottom_size} are buried")
        lacking = Counter(buried) - Counter(cards)
        if lacking:
            raise UsageError(f"bury: {format_cards(sorted(lacking.elements()))} is not in hand or bottom")
        found.append(tuple(sorted(buried)))
    return tuple(found)


def not_too_many(game: Game, held: Sequence[Sequence[int]]) -> None:
    """Refuse more copies of a face than there are in all that is known together."""
    for face, copies in sorted(Counter(face for cards in held for face in cards).items()):
        if copies > game.packs:
            raise UsageError(
                f"hand: with the other cards known {FACES[face]} stands there {copies} times; "
                f"{game.name} has {game.packs} of it"
            )


def refuse(known: Known, names: Iterable[str], why: str) -> None:
    """Refuse what does not belong to the decision."""
    for name in names:
        if getattr(known, name) not in (None, (), False):
            option = {"bids": "bid-so-far"}.get(name, name.replace("_", "-"))
            raise UsageError(f"{option}: {why}; leave it out")
