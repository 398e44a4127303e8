"""Cards, effective suits, levels, points and rule defaults, written from the clauses alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

Card = str
Rules = Mapping[str, Any]
Ladder = tuple[tuple[Card, ...], ...]

DWF = "die-wu-fen"
HW = "hong-wu-wu-jia"
GAMES = (DWF, HW)

SUITS = "shcd"  # COM-7: spades, hearts, clubs, diamonds
RANKS = "23456789TJQKA"
FACES: tuple[Card, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "SJ", "BJ")
SAME_COLOUR = {"h": "d", "d": "h", "s": "c", "c": "s"}

PACKS = {DWF: 2, HW: 3}
SEATS = {DWF: 3, HW: 5}
HAND_SIZE = {DWF: 33, HW: 31}
BOTTOM_SIZE = {DWF: 9, HW: 7}


def _grades() -> list[list[int]]:
    """HW-13: thresholds of the defenders' points and the grade from there on."""
    table = [[0, 9], [5, 8], [10, 7], [15, 6], [20, 5], [25, 4], [30, 3], [60, 2], [90, 1]]
    table += [[120, -1], [160, -2], [180, -3]]
    table += [[200 + 5 * step, -4 - step] for step in range(21)]
    return table


DEFAULTS: dict[str, dict[str, Any]] = {
    DWF: {
        "forced_trump": "multi",
        "void_order": "pairs-first",
        "forced_trump_binds": "discards",
        "cascade": True,
        "bid_step": 10,
        "opening_bid_single": 110,
        "opening_bid_pair": 120,
        "bid_max": 200,
        "bottom_shape": "winner",
        "bottom_multiplier": 2,
        "bottom_multiplier_single": 1,
        "banker_throw_penalty": 1,
        "defender_throw_penalty": 1,
        "points_five": 5,
        "points_ten": 10,
        "points_king": 10,
        "made_total": 200,
        "shutout_total": 300,
        "shutout_multiplier": 2,
        "base_table": list(range(1, 11)),
        "counter": True,
    },
    HW: {
        "cascade": False,
        "split_triples": True,
        "named_copies_min": 0,
        "bottom_multiplier": 2,
        "solo_bottom_multiplier": 4,
        "partner_loss_cap": 9,
        "pressed_partner_loss_cap": 4,
        "base": 1,
        "points_five": 5,
        "points_ten": 10,
        "points_king": 10,
        "grade_table": _grades(),
    },
}


def option(game: str, rules: Rules, name: str) -> Any:
    """The value of a rule option, the default where the rules leave it out."""
    if name in rules:
        return rules[name]
    if name == "split_triples" and game == DWF:
        return True  # two packs have no triples, so COM-8's option means nothing there
    return DEFAULTS[game][name]


def suit_rank(card: Card) -> int:
    """COM-7's suit order; the jokers stand alone on their levels, so any value does."""
    return SUITS.find(card[1])


@cache
def ladders(game: str, trump: str) -> dict[str, Ladder]:
    """COM-3, COM-4, DWF-2, HW-2, HW-3: the levels of each effective suit, low to high, each its faces."""
    if game not in GAMES or trump not in SUITS or len(trump) != 1:
        raise ValueError(f"no such game or trump: {game}, {trump}")
    others = [suit for suit in SUITS if suit != trump]
    sub_twos = tuple("2" + suit for suit in others)
    if game == DWF:
        low = [(rank + trump,) for rank in "456789TJQKA"]
        sub_threes = tuple("3" + suit for suit in others)
        high = [sub_twos, ("2" + trump,), sub_threes, ("3" + trump,), ("SJ",), ("BJ",)]
        result = {"t": tuple(low + high)}
        for suit in others:
            result[suit] = tuple((rank + suit,) for rank in "456789TJQKA")
        return result
    low = [(rank + trump,) for rank in "456789TJQKA" if rank + trump != "5h"]
    high = [sub_twos, ("2" + trump,), ("3" + SAME_COLOUR[trump],), ("3" + trump,), ("SJ",), ("BJ",), ("5h",)]
    result = {"t": tuple(low + high)}
    taken = {face for faces in result["t"] for face in faces}
    for suit in others:
        result[suit] = tuple((rank + suit,) for rank in "3456789TJQKA" if rank + suit not in taken)
    return result


@cache
def places(game: str, trump: str) -> dict[Card, tuple[str, int]]:
    """Every face's effective suit and level."""
    found: dict[Card, tuple[str, int]] = {}
    for suit, ladder in ladders(game, trump).items():
        for height, faces in enumerate(ladder):
            for face in faces:
                found[face] = (suit, height)
    return found


def effective_suit(game: str, trump: str, card: Card) -> str:
    """COM-3: "t" for trumps, else the side suit's letter."""
    return places(game, trump)[card][0]


def level(game: str, trump: str, card: Card) -> int:
    """COM-4: the height inside the effective suit; consecutive integers are adjacent levels."""
    return places(game, trump)[card][1]


def points(card: Card, rules: Rules) -> int:
    """COM-2: what a card counts."""
    counting = {"5": ("points_five", 5), "T": ("points_ten", 10), "K": ("points_king", 10)}
    if card[0] not in counting:
        return 0
    name, usual = counting[card[0]]
    return int(rules.get(name, usual))


def total_points(cards: Iterable[Card], rules: Rules) -> int:
    """COM-2: the sum over some cards."""
    return sum(points(card, rules) for card in cards)


def of_suit(game: str, trump: str, cards: Iterable[Card], suit: str) -> list[Card]:
    """The cards of one effective suit (COM-3)."""
    where = places(game, trump)
    return [card for card in cards if where[card][0] == suit]


def without(cards: Sequence[Card], gone: Iterable[Card]) -> list[Card] | None:
    """The cards left when some are taken out, or None if they are not all there."""
    left = list(cards)
    for card in gone:
        if card not in left:
            return None
        left.remove(card)
    return left
