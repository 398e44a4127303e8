"""Leading, following and winning a trick (COM-9 to COM-18), written from the clauses alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from . import die_wu_fen, hong_wu_wu_jia
from .cards import DWF, HW, Card, Rules, effective_suit, of_suit, option, suit_rank, total_points, without
from .shapes import (
    PAIR,
    Type,
    best_top,
    components,
    contains,
    in_order,
    is_ruff,
    precedence,
    tractor,
    types_of,
)

Fault = tuple[str, str]


def _split(game: str, rules: Rules) -> bool:
    return bool(option(game, rules, "split_triples"))


def throw_check(
    game: str, trump: str, cards: Sequence[Card], others: Sequence[Sequence[Card]], rules: Rules
) -> tuple[bool, list[Card]]:
    """COM-10: whether a lead stands against the other hands, and what is played."""
    parts = components(game, trump, cards)
    if len(parts) < 2:
        return True, list(cards)
    suit = effective_suit(game, trump, cards[0])
    beatable = []
    for part in parts:
        for other in others:
            top = best_top(game, trump, of_suit(game, trump, other, suit), [part.type], _split(game, rules))
            if top is not None and top > part.top:
                beatable.append(part)
                break
    if not beatable:
        return True, list(cards)
    forced = min(beatable, key=lambda part: (precedence(part.type), part.top, suit_rank(part.cards[-1])))
    return False, list(forced.cards)


def obligations(
    game: str, trump: str, held_in_suit: Sequence[Card], lead: Sequence[Card], rules: Rules
) -> list[Type]:
    """COM-13: the list of components a follower with enough cards of the suit is obliged to."""
    owed: list[Type] = []
    cascade = bool(option(game, rules, "cascade"))

    def joins(kind: Type) -> bool:
        if contains(game, trump, held_in_suit, [*owed, kind], _split(game, rules)):
            owed.append(kind)
            return True
        return False

    for kind in types_of(game, trump, lead):
        if joins(kind) or not cascade:
            continue
        if kind[0] == "triple":
            joins(PAIR)
        elif kind[0] == "tractor":
            uncovered = kind[1]
            length = uncovered
            while length >= 2:
                if joins(tractor(length, 0)):
                    uncovered -= length
                    length = uncovered
                else:
                    length -= 1
            for _ in range(uncovered):
                joins(PAIR)
    return owed


def follow_fault(
    game: str,
    trump: str,
    hand: Sequence[Card],
    lead: Sequence[Card],
    play: Sequence[Card],
    rules: Rules,
    named: Card | None = None,
) -> Fault | None:
    """COM-11 to COM-14 with DWF-9 to DWF-11 and HW-9: None for a legal follow, else (clause, reason)."""
    if len(play) != len(lead):
        return "COM-11", f"{len(lead)} cards were led, {len(play)} played"
    if without(hand, play) is None:
        return "COM-9", "not all of these cards are in the hand"
    suit = effective_suit(game, trump, lead[0])
    held = of_suit(game, trump, hand, suit)
    given = of_suit(game, trump, play, suit)
    if len(given) != min(len(held), len(lead)):
        due = min(len(held), len(lead))
        return "COM-12", f"{due} cards of the led suit are due, {len(given)} were played"
    if len(held) >= len(lead):
        owed = obligations(game, trump, held, lead, rules)
        if not contains(game, trump, given, owed, _split(game, rules)):
            return "COM-13", "the play lacks the shape the hand owes: " + ", ".join(map(str, owed))
        return None
    if game == DWF:
        return die_wu_fen.forced_trump_fault(trump, hand, lead, play, rules)
    if game == HW and named is not None and not is_ruff(game, trump, lead, play, _split(game, rules)):
        return hong_wu_wu_jia.hiding_fault(trump, hand, lead, play, named)
    return None


def _choices(stock: list[tuple[Card, int]], number: int) -> Iterator[tuple[Card, ...]]:
    """Every distinct multiset of `number` cards out of the counted faces."""
    if number == 0:
        yield ()
        return
    if not stock:
        return
    face, copies = stock[0]
    for taken in range(min(copies, number), -1, -1):
        for rest in _choices(stock[1:], number - taken):
            yield (face,) * taken + rest


def legal_follows(
    game: str,
    trump: str,
    hand: Sequence[Card],
    lead: Sequence[Card],
    rules: Rules,
    named: Card | None = None,
) -> list[tuple[Card, ...]]:
    """All legal follows of a small hand, by trying every choice of n cards."""
    stock = sorted(Counter(hand).items())
    plays = _choices(stock, len(lead))
    return sorted(p for p in plays if follow_fault(game, trump, hand, lead, p, rules, named) is None)


def trick(game: str, trump: str, plays: Sequence[Sequence[Card]], rules: Rules) -> tuple[int, bool, int]:
    """COM-15 to COM-18: (index of the winner, whether it ruffed, the trick's points)."""
    lead = plays[0]
    split = _split(game, rules)
    types = in_order(types_of(game, trump, lead))
    suit = effective_suit(game, trump, lead[0])
    winner, ruffed = 0, False
    top = best_top(game, trump, lead, types, split)
    for index, play in enumerate(plays[1:], start=1):
        if len(play) != len(lead):
            continue
        if is_ruff(game, trump, lead, play, split):
            mine = best_top(game, trump, play, types, split)
            if not ruffed or _higher(mine, top):
                winner, ruffed, top = index, True, mine
        elif not ruffed and len(types) == 1 and len(of_suit(game, trump, play, suit)) == len(lead):
            mine = best_top(game, trump, play, types, split)
            if _higher(mine, top):
                winner, top = index, mine
    return winner, ruffed, sum(total_points(play, rules) for play in plays)


def _higher(mine: int | None, other: int | None) -> bool:
    """COM-15: strictly higher; a play without the shape never is."""
    return mine is not None and (other is None or mine > other)
