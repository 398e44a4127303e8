"""What the kernel tests share: cards as text on one side, words of bits on the other, and hands made to be nasty.

Tests think in cards (`"As Td BJ"`, as the oracle does), kernels in three words a hand (`kernels.bits`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji.kernels import layout, shapes
from tuolaji.kernels._jit import JIT

from naive import DWF, FACES, HW, ladders
from naive.shapes import Type, precedence

Words = tuple[int, int, int]
Ints = NDArray[np.int64]
Cards = Sequence[str]

GAME_CODE = {DWF: layout.DIE_WU_FEN, HW: layout.HONG_WU_WU_JIA}
PACKS = {DWF: 2, HW: 3}
SEATS = {DWF: 3, HW: 5}
#: Every combination of the options that bear on shapes, by game.
SHAPE_RULES: list[tuple[str, dict[str, Any]]] = [
    (DWF, {"cascade": True}),
    (DWF, {"cascade": False}),
    *((HW, {"cascade": c, "split_triples": s}) for c in (False, True) for s in (True, False)),
]
_CODES = {"s": 0, "h": 1, "c": 2, "d": 3, "t": 3}
_DEFAULTS: dict[str, Any] = {
    "forced_trump": "multi", "void_order": "pairs-first", "forced_trump_binds": "discards", "split_triples": True,
    "points_five": 5, "points_ten": 10, "points_king": 10,
}  # fmt: skip


def scaled(count: int, least: int = 20) -> int:
    """How many random cases to try: fewer when the kernels run as plain Python."""
    return count if JIT else max(min(count, least), count // 8)


def hand(text: str) -> list[str]:
    """Cards from a line of text; `9h*2` stands for two of them."""
    found: list[str] = []
    for word in text.split():
        card, _, times = word.partition("*")
        found += [card] * int(times or 1)
    return found


@cache
def _built(game: str, trump: str, items: tuple[tuple[str, Any], ...]) -> Ints:
    rules = _DEFAULTS | {"cascade": game == DWF} | dict(items)
    lay = layout.build(GAME_CODE[game], _CODES[trump])
    lay[layout.CASCADE] = rules["cascade"]
    lay[layout.SPLIT] = rules["split_triples"]
    scope = ("multi", "throw", "off").index(rules["forced_trump"])
    lay[layout.SCOPE] = scope if game == DWF else 2  # HW-11: what is missing is free
    lay[layout.BY_LEVEL] = rules["void_order"] == "by-level"
    lay[layout.BINDS_ALL] = rules["forced_trump_binds"] == "all"
    layout.set_values(lay, rules["points_five"], rules["points_ten"], rules["points_king"])
    return lay


def table(game: str, trump: str, rules: dict[str, Any] | None = None) -> Ints:
    """The layout of a game and trump suit with the shared rule options filled in."""
    return _built(game, trump, tuple(sorted((rules or {}).items())))


def face_number(card: str) -> int:
    """The kernels' number of a face; the oracle lists the faces in the same order, suits and ranks ascending."""
    return FACES.index(card)


def words(lay: Ints, cards: Iterable[str]) -> Words:
    """Cards as three words by layout bit."""
    made = [0, 0, 0]
    for card, copies in Counter(cards).items():
        for k in range(copies):
            made[k] |= 1 << int(lay[layout.BIT_OF + face_number(card)])
    return made[0], made[1], made[2]


def words_by_face(cards: Iterable[str]) -> Words:
    """Cards as three words by face number, as hands are held before trump is known."""
    made = [0, 0, 0]
    for card, copies in Counter(cards).items():
        for k in range(copies):
            made[k] |= 1 << face_number(card)
    return made[0], made[1], made[2]


def cards_of(lay: Ints, w: Sequence[Any]) -> list[str]:
    """Three words by layout bit as cards, lowest bit first."""
    w0, w1, w2 = (int(x) for x in w)
    assert w2 & ~w1 == 0 and w1 & ~w0 == 0, "a second copy without a first"
    found = []
    for bit in range(54):
        copies = ((w0 >> bit) & 1) + ((w1 >> bit) & 1) + ((w2 >> bit) & 1)
        found += [FACES[int(lay[layout.FACE_OF + bit])]] * copies
    return found


def suit_code(lay: Ints, suit: str) -> int:
    """The number of an effective suit, "t" for trumps."""
    if suit == "t":
        return layout.TRUMP
    sides = [int(s) for s in lay[layout.REAL_SUIT : layout.REAL_SUIT + 3]]
    return sides.index(_CODES[suit])


def type_code(kind: Type) -> int:
    """The kernels' number of a component type."""
    name, levels, triples = kind
    cards = {"single": 1, "pair": 2, "triple": 3}.get(name, 2 * levels + triples)
    return cards * 32 + levels


def type_of(code: int) -> Type:
    """The component type of a kernel's number."""
    cards, levels = divmod(int(code), 32)
    if levels == 1:
        return {1: ("single", 1, 0), 2: ("pair", 1, 0), 3: ("triple", 1, 1)}[cards]
    return ("tractor", levels, cards - 2 * levels)


def type_list(kinds: Iterable[Type]) -> tuple[Ints, int]:
    """Types without the singles as the kernels take them (in precedence order), and how many there are."""
    ordered = sorted((kind for kind in kinds if kind[0] != "single"), key=precedence)
    made = np.zeros(shapes.MAX_COMPONENTS, np.int64)
    made[: len(ordered)] = [type_code(kind) for kind in ordered]
    return made, len(ordered)


def describe(lay: Ints, cards: Cards) -> tuple[Ints, Ints]:
    """A lead as the kernels describe it: (lead, the three words of each of its components)."""
    lead = np.zeros(shapes.LEAD_SIZE, np.int64)
    masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    shapes.describe(*words(lay, cards), lay, lead, masks)
    return lead, masks.reshape(-1, 3)


# --- hands made to be nasty

#: Chances of 0, 1, 2 (and 3) copies of a face.
_STYLES = {
    "pairs": (0.15, 0.15, 0.6, 0.1),
    "triples": (0.15, 0.05, 0.2, 0.6),
    "mixed": (0.1, 0.2, 0.35, 0.35),
    "gaps": (0.45, 0.05, 0.3, 0.2),
    "thin": (0.4, 0.4, 0.15, 0.05),
}


def suit_hand(rng: random.Random, game: str, trump: str, suit: str, most: int = 16) -> list[str]:
    """At most `most` cards of one effective suit on neighbouring levels, full of pairs, triples and runs.

    In trumps the levels around the equal 2s and 3s come up more often than others.
    """
    ladder = ladders(game, trump)[suit]
    width = rng.randint(2, len(ladder))
    low = rng.randint(0, len(ladder) - width)
    if suit == "t" and rng.random() < 0.6:
        low = max(0, min(len(ladder) - width, 10 - rng.randint(0, width)))
    weights = _STYLES[rng.choice([*_STYLES])]
    faces = [face for level in ladder[low : low + width] for face in level]
    rng.shuffle(faces)
    found: list[str] = []
    for face in faces:
        copies = min(rng.choices(range(4), weights)[0], PACKS[game], most - len(found))
        found += [face] * copies
    return found or [faces[0]]


def small_hand(rng: random.Random, game: str, trump: str, suits: str, size: int) -> list[str]:
    """A hand of at most `size` cards from a few effective suits, lumpy as `suit_hand` makes them."""
    found: list[str] = []
    for suit in rng.sample(suits, len(suits)):
        room = size - len(found)
        if room > 0:
            found += suit_hand(rng, game, trump, suit, rng.randint(0, room) if rng.random() < 0.7 else room)
    return found[:size]


def sub_multisets(cards: Cards, sizes: Iterable[int]) -> list[list[str]]:
    """All distinct choices from some cards of the given sizes."""
    stock = sorted(Counter(cards).items())
    wanted = set(sizes)
    most = max(wanted)
    found: list[list[str]] = []

    def choose(at: int, taken: list[str]) -> None:
        if at == len(stock):
            if len(taken) in wanted:
                found.append(taken)
            return
        face, copies = stock[at]
        for k in range(min(copies, most - len(taken)) + 1):
            choose(at + 1, taken + [face] * k)

    choose(0, [])
    return found


def lead_types(lead: Ints) -> list[Type]:
    """The component types that a described lead lists, in its order."""
    return [type_of(code) for code in lead[shapes.TYPES : shapes.TYPES + int(lead[shapes.COUNT])]]


def normal_of_chi2(value: float, freedom: float) -> float:
    """Wilson and Hilferty: a chi-square value as a standard normal one."""
    a = 2.0 / (9.0 * freedom)
    return ((value / freedom) ** (1.0 / 3.0) - (1.0 - a)) / a**0.5


SUITS_OF: dict[tuple[str, str], str] = {
    (game, trump): "t" + "".join(s for s in "shcd" if s != trump) for game in (DWF, HW) for trump in "shcd"
}
