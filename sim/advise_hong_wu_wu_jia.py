"""What a hand of hong-wu-wu-jia knows and may do: revealing a 2, naming the partner's card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .advise_situation import (
    Choice,
    Known,
    Situation,
    bottom_of,
    burials_of,
    cards_of,
    full_hand,
    not_too_many,
    refuse,
    seat_of,
    shown_by,
)
from .cards import FACES, SUITS, CardError, format_cards, parse_suit
from .errors import UsageError
from .given import checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .games import Game
    from .rules import RuleSet

PHASES = ("reveal", "name")
NAMEABLE = tuple(FACES.index(name) for name in (*(r + s for s in "shcd" for r in "AK"), "5h", "BJ"))  # HW-7
LATEST = 29  # cards with which anybody but the previous banker may reveal (HW-4)


def situation(game: Game, _rules: RuleSet, known: Known) -> Situation:
    """The decision a hand is to make; `UsageError` for what can't be."""
    refuse(known, ("bids",), f"there are no bids in {game.name}")
    me = seat_of(game, known.seat, "seat")
    hand = cards_of(game, known.hand, "hand")
    fields = {
        "ME": me, "FIRST": seat_of(game, known.first_seat, "first-seat"), "HELD": len(hand), "TRUMP": -1,
        "PREVIOUS": seat_of(game, known.previous_banker, "previous-banker"), "PRESSED": int(known.pressed),
        "NEWS": int(known.news), "CALL_LOW": 1, "CALL_HIGH": game.hand_size,
    }  # fmt: skip
    held: list[list[int]] = [[] for _ in range(game.seats + 1)]
    held[me] = hand
    about: dict[str, object] = {"hand": format_cards(sorted(hand)), "seat": me}
    if known.first_seat is not None:
        about["first_seat"] = known.first_seat
    if known.trump is None and not known.revealed:
        return _revealing(game, known, hand, fields, held, about)
    trump = _trump(game, known, fields, hand)
    full_hand(game, hand)
    if known.bottom is None:
        raise UsageError(f"bottom: seat {me} names its partner after taking the bottom; give --bottom")
    bottom = bottom_of(game, known)
    held[game.seats] = bottom
    not_too_many(game, held)
    if len(known.bury) > 1:
        raise UsageError("bury: the choices here are the cards to name; give what is buried once")
    burials = burials_of(game, known, [*hand, *bottom])
    hint = f'say with how many cards it was revealed, like --revealed "{me}:2{SUITS[trump]}@14", or '
    if known.pressed or fields["CALL_LOW"] == fields["CALL_HIGH"]:
        hint = ""
    fields |= {"TRUMP": trump, "PHASE": 1}
    if known.news:
        about["news"] = True
    if known.revealed:
        about["revealed"] = list(known.revealed)
    if fields["PREVIOUS"] >= 0:
        about["previous_banker"] = fields["PREVIOUS"]
    about |= {"trump": SUITS[trump], "bottom": format_cards(sorted(bottom)), "pressed": known.pressed}
    given = checked(game, held)
    assert given is not None
    return Situation(
        "name", me, fields, (), given, hand=tuple(sorted(hand)), bottom=tuple(sorted(bottom)), burials=burials,
        about=about, hint=hint,
    )  # fmt: skip


def _revealing(
    game: Game,
    known: Known,
    hand: list[int],
    fields: dict[str, int],
    held: list[list[int]],
    about: dict[str, object],
) -> Situation:
    """HW-4: reveal a 2 now, or wait."""
    refuse(known, ("bottom", "bury", "pressed"), "it goes with --trump")
    if not 1 <= len(hand) <= game.hand_size:
        raise UsageError(f"hand: these are {len(hand)} cards; allowed are 1 to {game.hand_size}")
    if len(hand) > LATEST:
        _only_previous(fields, len(hand), "hand")
    if known.news:
        about["news"] = True
    if fields["PREVIOUS"] >= 0:
        about["previous_banker"] = fields["PREVIOUS"]
    choices = [Choice("reveal", letter, suit + 1) for suit, letter in enumerate(SUITS) if 13 * suit in hand]
    if not choices:
        raise UsageError("hand: it has no 2 to reveal (HW-4); give --trump once somebody has revealed")
    given = checked(game, held, ordered=(fields["ME"],))
    assert given is not None
    fields["PHASE"] = 0
    return Situation("reveal", fields["ME"], fields, (*choices, Choice("wait", "", 0)), given, about=about)


def _trump(game: Game, known: Known, fields: dict[str, int], hand: Sequence[int]) -> int:
    """The trump suit: what was revealed, or what --trump says; into the fields when it was revealed."""
    trump, me = -1, fields["ME"]
    for each in shown_by(game, known):
        face = each.faces[0]
        if len(known.revealed) > 1 or len(each.faces) != 1 or face % 13 != 0 or face >= 52:
            raise UsageError(
                f"revealed: {format_cards(each.faces)} is not one 2, which one seat reveals (HW-4)"
            )
        if each.seat != me:
            raise UsageError(
                f"revealed: seat {each.seat} is banker then, and seat {me} has nothing to decide before play"
            )
        if face not in hand:
            raise UsageError(f"revealed: {format_cards(each.faces)} is not in the hand")
        if known.pressed:
            raise UsageError(
                "pressed: then nobody revealed (HW-5); leave out one of --pressed and --revealed"
            )
        trump = face // 13
        fields |= {"CALL_LOW": each.low, "CALL_HIGH": each.high, "HELD": each.low}
        if each.low > LATEST:
            _only_previous(fields, each.low, "revealed")
    if known.pressed:
        fields["HELD"] = game.hand_size
        if fields["PREVIOUS"] not in (-1, me):
            raise UsageError(
                f"previous-banker: the previous banker is who is pressed (HW-5), and that is seat {me}; leave it out"
            )
        fields["PREVIOUS"] = me
    if known.trump is not None:
        try:
            named = parse_suit(known.trump)
        except CardError as error:
            raise UsageError(f"trump: {error}") from None
        if trump not in (-1, named):
            raise UsageError(f"trump: {SUITS[named]} is not what was revealed, which is {SUITS[trump]}")
        trump = named
    return trump


def _only_previous(fields: dict[str, int], cards: int, option: str) -> None:
    """HW-4: with so many cards nobody but the previous banker may reveal; so the hand is that."""
    if fields["PREVIOUS"] not in (-1, fields["ME"]):
        raise UsageError(
            f"{option}: with {cards} cards only the previous banker, seat {fields['PREVIOUS']}, may reveal (HW-4)"
        )
    fields["PREVIOUS"] = fields["ME"]


def names(rules: RuleSet, kept: Sequence[int], all_cards: Sequence[int]) -> tuple[Choice, ...]:
    """HW-7: the faces that may be named; those of which all three copies are with the banker are a solo (HW-8)."""
    faces = [face for face in NAMEABLE if kept.count(face) >= rules["named_copies_min"]] or list(NAMEABLE)
    return tuple(
        Choice("solo" if all_cards.count(face) == 3 else "name", FACES[face], face) for face in faces
    )
