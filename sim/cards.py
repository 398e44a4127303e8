"""Cards as people write them (rule clause COM-1).

A *face* is a number: `suit * 13 + rank` with suits in the order ♠ ♥ ♣ ♦ and ranks 2 … A, so 0 … 51; the small
joker is 52 and the big joker 53. Text is ASCII in records and in the Python API (`As`, `Th`, `BJ`), and
`A♠` / `♠A` on a screen.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Literal

from .errors import CardError
from .text import clip, legible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .text import Lang

__all__ = [
    "BIG_JOKER",
    "FACES",
    "NUM_FACES",
    "RANKS",
    "SMALL_JOKER",
    "SUITS",
    "SUIT_NAMES",
    "SUIT_SYMBOLS",
    "CardError",
    "canonical",
    "check_copies",
    "face_name",
    "face_rank",
    "face_suit",
    "format_cards",
    "parse_card",
    "parse_cards",
    "parse_suit",
    "show_card",
    "show_cards",
    "show_suit",
]

Suit = Literal["s", "h", "c", "d"]

SUITS = "shcd"
RANKS = "23456789TJQKA"
SUIT_SYMBOLS = "♠♥♣♦"
SUIT_NAMES: dict[Lang, tuple[str, str, str, str]] = {
    "en": ("spades", "hearts", "clubs", "diamonds"),
    "zh": ("黑桃", "红桃", "梅花", "方块"),
}
SMALL_JOKER, BIG_JOKER = 52, 53
NUM_FACES = 54
FACES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "SJ", "BJ")

_JOKER_NAMES: dict[Lang, tuple[str, str]] = {"en": ("SJ", "BJ"), "zh": ("小王", "大王")}
_ALLOWED = (
    "write rank then suit (As, Td or 10d, 5h, 3c), a suit sign on either side (♥A, A♥), "
    "or BJ / SJ (大王 / 小王) for the jokers"
)


def _words_for_faces() -> dict[str, int]:
    """Every accepted spelling, in upper case. A suit letter stands after the rank only: `SJ` is the joker."""
    words = {name.upper(): face for face, name in enumerate(FACES)}
    words |= {name: SMALL_JOKER + i for i, name in enumerate(_JOKER_NAMES["zh"])}
    signs: list[set[str]] = [{"♠", "♤"}, {"♥", "♡"}, {"♣", "♧"}, {"♦", "♢"}]
    chinese: list[set[str]] = [{"黑桃"}, {"红桃", "红心"}, {"梅花", "草花"}, {"方块", "方片"}]
    for suit, letter in enumerate(SUITS):
        for index, rank in enumerate(RANKS):
            for spelling in {rank, "10" if rank == "T" else rank}:
                words[spelling + letter.upper()] = suit * 13 + index
                for mark in signs[suit] | chinese[suit]:
                    words[mark + spelling] = suit * 13 + index
                for mark in signs[suit]:
                    words[spelling + mark] = suit * 13 + index
    return words


_FACE_OF = _words_for_faces()
_SUIT_OF = {
    word: index
    for index in range(4)
    for word in (
        SUITS[index],
        SUIT_SYMBOLS[index],
        SUIT_NAMES["en"][index],
        SUIT_NAMES["en"][index][:-1],
        SUIT_NAMES["zh"][index],
    )
}
_EMOJI_STYLE = "\ufe0f"  # follows a suit sign typed on a telephone
_BETWEEN_CARDS = re.compile(r"[\s,，、;；]+")


def _lookup(word: str) -> int | None:
    return _FACE_OF.get(legible(word).strip().replace(_EMOJI_STYLE, "").upper())


def parse_card(word: str) -> int:
    """The face one word stands for; `CardError` if it stands for none."""
    face = _lookup(word) if isinstance(word, str) else None
    if face is None:
        raise CardError(f"{clip(word)} is not a card; {_ALLOWED}")
    return face


def parse_cards(
    cards: str | Iterable[str], *, packs: int | None = None, what: str = "the cards"
) -> list[int]:
    """The faces of several cards: one text (`"5s 7s 7s"`, commas work too) or a list of words, in order.

    With `packs`, more copies of a face than there are packs are refused. `what` names the cards in messages.
    """
    if isinstance(cards, str):
        words = [word for word in _BETWEEN_CARDS.split(legible(cards).replace(_EMOJI_STYLE, "")) if word]
    else:
        words = list(cards)
    faces = []
    for place, word in enumerate(words, start=1):
        face = _lookup(word) if isinstance(word, str) else None
        if face is None:
            raise CardError(f"card {place} of {what}, {clip(word)}, is not a card; {_ALLOWED}")
        faces.append(face)
    if packs is not None:
        check_copies(faces, packs, what=what)
    return faces


def check_copies(faces: Iterable[int], packs: int, *, what: str = "the cards") -> None:
    """Refuse more copies of a face than `packs` packs hold; the message names the first such face."""
    for face, copies in Counter(faces).items():
        if copies > packs:
            raise CardError(
                f"{FACES[face]} stands {copies} times in {what}, but {packs} packs have only {packs} copies of it"
            )


def parse_suit(word: str) -> int:
    """The index of a suit in ♠ ♥ ♣ ♦ from `s h c d`, a sign, or a name; `CardError` if it is none."""
    index = (
        _SUIT_OF.get(legible(word).strip().replace(_EMOJI_STYLE, "").lower())
        if isinstance(word, str)
        else None
    )
    if index is None:
        raise CardError(f"{clip(word)} is not a suit; allowed are s, h, c and d (♠ ♥ ♣ ♦)")
    return index


def face_name(face: int) -> str:
    """A face in ASCII: `As`, `Td`, `SJ`, `BJ`."""
    if not 0 <= face < NUM_FACES:
        raise CardError(f"{face} is not a face number; allowed are 0 to {NUM_FACES - 1}")
    return FACES[face]


def canonical(word: str) -> str:
    """Any accepted spelling of a card in ASCII notation."""
    return FACES[parse_card(word)]


def face_suit(face: int) -> int | None:
    """The index of the printed suit (0 … 3 for ♠ ♥ ♣ ♦), None for a joker."""
    return None if face >= SMALL_JOKER else face // 13


def face_rank(face: int) -> str | None:
    """The printed rank, one of `23456789TJQKA`, None for a joker."""
    return None if face >= SMALL_JOKER else RANKS[face % 13]


def format_cards(faces: Sequence[int]) -> str:
    """Cards in ASCII with spaces between them, as `parse_cards` reads them."""
    return " ".join(face_name(face) for face in faces)


def show_card(face: int, lang: Lang = "en") -> str:
    """A face for a reader: `A♠`, `10♥`, `BJ` in English; `♠A`, `♥10`, `大王` in Chinese."""
    if face >= SMALL_JOKER:
        return _JOKER_NAMES[lang][face - SMALL_JOKER]
    suit, rank = divmod(face, 13)
    printed = "10" if RANKS[rank] == "T" else RANKS[rank]
    return SUIT_SYMBOLS[suit] + printed if lang == "zh" else printed + SUIT_SYMBOLS[suit]


def show_cards(faces: Sequence[int], lang: Lang = "en") -> str:
    """Cards for a reader, with spaces between them."""
    return " ".join(show_card(face, lang) for face in faces)


def show_suit(suit: int, lang: Lang = "en") -> str:
    """A suit for a reader: its sign and its name."""
    return f"{SUIT_SYMBOLS[suit]} {SUIT_NAMES[lang][suit]}"
