"""The judge: one situation at the table, by the rules of a game.

    >>> from tuolaji import judge
    >>> judge.trick("die-wu-fen", "h", [["As"], ["4h"], ["Ks"]])
    {'winner': 1, 'ruffed': True, 'points': 10}

Cards are ASCII strings, as a list or as one text (``"5s 7s 7s"``); every spelling ``sim.cards`` knows is understood.
``rules``: the name of a preset, a TOML file, a mapping of options, or a ``RuleSet``. Bad input raises ``UsageError``.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .cards import parse_card
from .errors import UsageError
from .fault import Fault, IllegalPlayError
from .games import resolve_game
from .reasons import not_held, wrong_number
from .table import Table, opening_strength

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .games import Game
    from .rules import Rules
    from .table import Component

    Cards = str | Iterable[str]

__all__ = ["Fault", "IllegalPlayError", "follow", "lead", "trick"]


def lead(
    game: str | Game, trump: str, cards: Cards, others: Iterable[Cards] = (), rules: Rules = None
) -> dict[str, Any]:
    """A lead of ``cards`` against the other players' hands: its components, whether it stands, what is played.

    Returns ``stands``, ``played`` (cards from high to low) and ``components`` in precedence order, each with ``kind``
    (single, pair, triple, tractor), ``levels`` (1 unless a tractor), ``triples`` (how many of its levels are triples)
    and ``cards``. ``IllegalPlayError`` if the cards are of several effective suits (COM-9).
    """
    table = _table(game, trump, rules)
    led = _hand(table, cards, "the lead")
    hands = [
        _hand(table, hand, f"hand {i} of the others", empty=True) for i, hand in enumerate(others, start=1)
    ]
    if len(hands) > table.game.seats - 1:
        raise UsageError(
            f"there are {len(hands)} other hands, but {table.game.name} has {table.game.seats} players"
        )
    table.check_together([led, *hands], "the lead and the other hands together")
    found = table.lead(led)
    forced = table.failing(found, [table.words(hand) for hand in hands])
    return {
        "stands": forced is None,
        "played": table.names(forced or found.words),
        "components": [_component(table, one) for one in found.components],
    }


def _component(table: Table, one: Component) -> dict[str, Any]:
    return {"kind": one.name, "levels": one.levels, "triples": one.triples, "cards": table.names(one.words)}


def follow(
    game: str | Game,
    trump: str,
    hand: Cards,
    lead: Cards,
    play: Cards,
    rules: Rules = None,
    named: str | None = None,
) -> Fault | None:
    """Whether ``play`` from ``hand`` (before the play) is a legal follow: None, or the clause broken and why.

    ``lead``: what was played, a throw that stood or a plain lead. ``named``: in hong-wu-wu-jia the partner face, while
    the partner is unknown and this player is not the banker (HW-9).
    """
    table = _table(game, trump, rules)
    held = _hand(table, hand, "the hand")
    led = _hand(table, lead, "the lead")
    played = _hand(table, play, "the play", empty=True)
    table.check_together([held, led], "the hand and the lead together")
    partner = None if named is None else _named(table, named)
    try:
        found = table.lead(led)
    except IllegalPlayError as illegal:
        return illegal.fault
    if len(played) != len(led):
        return wrong_number(len(led), len(played))
    lacking = Counter(played) - Counter(held)
    if lacking:
        return not_held(table, list(lacking.elements()))
    return table.follow_fault(table.words(held), found, table.words(played), partner)


def trick(game: str | Game, trump: str, plays: Sequence[Cards], rules: Rules = None) -> dict[str, Any]:
    """Who wins a trick: ``plays`` in playing order, the lead first.

    Returns ``winner`` (index into ``plays``), ``ruffed`` (whether the winner ruffed) and ``points``. A trick still
    under way is judged as far as it got. ``IllegalPlayError`` if the lead is of several suits (COM-9) or a follow is of
    another number of cards (COM-11); whether a follow was allowed depends on the hand and is for ``follow`` to say.
    """
    table = _table(game, trump, rules)
    seats = table.game.seats
    if not 1 <= len(plays) <= seats:
        raise UsageError(
            f"a trick of {table.game.name} has 1 to {seats} plays, the lead first; {len(plays)} were given"
        )
    faces = [_hand(table, play, f"play {i}", empty=i > 1) for i, play in enumerate(plays, start=1)]
    table.check_together(faces, "the plays together")
    found = table.lead(faces[0])
    winner, best = 0, opening_strength(found)
    for index, mine in enumerate(faces[1:], start=1):
        if len(mine) != found.size:
            fault = wrong_number(found.size, len(mine))
            place = f"play {index + 1}: {fault.text.en}", f"第 {index + 1} 手：{fault.text.zh}"
            raise IllegalPlayError(Fault.of(fault.clause, *place))
        strength = table.strength(found, table.words(mine))
        if strength > best:
            winner, best = index, strength
    points = sum(table.points(table.words(mine)) for mine in faces)
    return {"winner": winner, "ruffed": best >= 64, "points": points}


def _hand(table: Table, cards: Cards, what: str, *, empty: bool = False) -> list[int]:
    """Cards as faces, checked: known, no more copies than packs, no more cards than a hand has."""
    faces = table.parse(cards, what)
    if not faces and not empty:
        raise UsageError(f"{what} has no cards; name at least one")
    if len(faces) > table.game.hand_size:
        raise UsageError(
            f"{what} has {len(faces)} cards, but a hand of {table.game.name} has at most {table.game.hand_size}"
        )
    return faces


def _named(table: Table, word: str) -> int:
    """The named face, if it is one a banker may name (HW-7)."""
    if table.game.name != "hong-wu-wu-jia":
        raise UsageError(f"named: {table.game.name} has no partner card; only hong-wu-wu-jia has")
    face = parse_card(word)
    if not (face == 53 or face == 13 + 3 or (face < 52 and face % 13 >= 11)):
        raise UsageError(f"named: {word} can't be named; allowed are an A or K of any suit, 5h and BJ")
    return face


def _table(game: str | Game, trump: str, rules: Rules) -> Table:
    found = resolve_game(game)
    usual = rules is None and isinstance(trump, str)
    return _default_table(found, trump) if usual else Table(found, trump, rules)


@lru_cache(maxsize=16)
def _default_table(game: Game, trump: str) -> Table:
    """The table of a game's own preset: asked for again and again by notebooks."""
    return Table(game, trump)
