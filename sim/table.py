"""A card table: game, trump and rules, with cards by name outside and the kernels' words inside.

The judge, replays and audits all ask their questions here, so that there is one reading of the rules.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..kernels import bits, contain, forced, hiding, layout, legal, shapes, throw
from .cards import FACES, check_copies, parse_cards, parse_suit
from .encode import encode_play, reading_place
from .fault import Fault, IllegalPlayError
from .rules import RuleSet, as_rule_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .games import Game
    from .rules import Rules

#: Cards as three words by layout bit: word k holds the faces of which there are more than k copies.
Words = tuple[int, int, int]
TRUMP = layout.TRUMP


class Component(NamedTuple):
    """One component of a lead (COM-5): its type as ``kernels.shapes`` numbers them, its top level, its cards."""

    kind: int
    top: int
    words: Words

    @property
    def levels(self) -> int:
        """1, or the length of a tractor."""
        return self.kind & 31

    @property
    def triples(self) -> int:
        """How many of its levels are triples."""
        return max(0, (self.kind >> 5) - 2 * self.levels)

    @property
    def name(self) -> str:
        """``single``, ``pair``, ``triple`` or ``tractor``."""
        return kind_name(self.kind)


def kind_name(kind: int) -> str:
    """``single``, ``pair``, ``triple`` or ``tractor`` for a type."""
    return {shapes.SINGLE: "single", shapes.PAIR: "pair", shapes.TRIPLE: "triple"}.get(kind, "tractor")


class Lead(NamedTuple):
    """A lead taken apart: ``vector`` and ``masks`` as ``kernels.shapes.describe`` fills them."""

    vector: Any
    masks: Any
    words: Words
    suit: int
    components: tuple[Component, ...]

    @property
    def size(self) -> int:
        """Number of cards."""
        return int(self.vector[shapes.N])

    @property
    def multi(self) -> int:
        """How many components are not singles; they come first."""
        return int(self.vector[shapes.MULTI])


class Table:
    """Game, trump and rules; answers about cards given as words."""

    def __init__(self, game: str | Game, trump: str, rules: Rules = None) -> None:
        self.game, self.rules = as_rule_set(game, rules)
        self.trump = parse_suit(trump)
        self.lay = encode_play(self.rules)[self.trump]
        self._bit_of: list[int] = self.lay[layout.BIT_OF : layout.BIT_OF + 54].tolist()
        self._face_of: list[int] = self.lay[layout.FACE_OF : layout.FACE_OF + 54].tolist()
        self._place = [reading_place(self.lay, bit) for bit in self._bit_of]

    # --- cards

    def parse(self, cards: str | Iterable[str], what: str) -> list[int]:
        """Cards as faces; ``CardError`` for a word that is none, or more copies than there are packs."""
        return parse_cards(cards, packs=self.game.packs, what=what)

    def check_together(self, hands: Iterable[Iterable[int]], what: str) -> None:
        """Refuse cards that several places can't hold at once."""
        check_copies([face for hand in hands for face in hand], self.game.packs, what=what)

    def suit_of(self, face: int) -> int:
        """The effective suit: 0 to 2 a side suit, 3 trumps."""
        return int(self.lay[layout.SUIT_OF + self._bit_of[face]])

    def level_of(self, face: int) -> int:
        """The level inside the effective suit (COM-4)."""
        return int(self.lay[layout.LEVEL_OF + self._bit_of[face]])

    def real_suit(self, suit: int) -> int:
        """The printed suit (0..3) of a side suit; of the trumps, the trump suit."""
        return self.trump if suit == TRUMP else int(self.lay[layout.REAL_SUIT + suit])

    def bit_of(self, face: int) -> int:
        """The layout bit of a face."""
        return self._bit_of[face]

    def sort(self, faces: Iterable[int]) -> list[int]:
        """Cards in reading order: trumps, then the other suits, each from high to low, identical cards together."""
        return sorted(faces, key=self._place.__getitem__)

    def words(self, faces: Iterable[int]) -> Words:
        """Faces as words."""
        out = [0, 0, 0]
        for face, copies in Counter(faces).items():
            for k in range(copies):
                out[k] |= 1 << self._bit_of[face]
        return out[0], out[1], out[2]

    def faces(self, words: Sequence[int]) -> list[int]:
        """Words as faces, in reading order."""
        found = []
        for word in words:
            rest = int(word)
            while rest:
                bit = (rest & -rest).bit_length() - 1
                found.append(self._face_of[bit])
                rest &= rest - 1
        return self.sort(found)

    def names(self, words: Sequence[int]) -> list[str]:
        """Words as ASCII names, in reading order."""
        return [FACES[face] for face in self.faces(words)]

    def of_suit(self, words: Sequence[int], suit: int) -> Words:
        """The cards of one effective suit."""
        mask = int(self.lay[layout.MASK + suit])
        return int(words[0]) & mask, int(words[1]) & mask, int(words[2]) & mask

    def points(self, words: Sequence[int]) -> int:
        """What the cards count."""
        return int(layout.points(*words, self.lay))

    # --- questions

    def lead(self, faces: Sequence[int]) -> Lead:
        """A lead taken apart (COM-7); ``IllegalPlayError`` if it is of several effective suits (COM-9)."""
        suits = sorted({self.suit_of(face) for face in faces})
        if len(suits) != 1:
            from .reasons import several_suits

            raise IllegalPlayError(several_suits(self, faces))
        return self.lead_of(self.words(faces))

    def lead_of(self, words: Words) -> Lead:
        """The same for words known to be of one effective suit."""
        vector = np.zeros(shapes.LEAD_SIZE, np.int64)
        masks = np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
        shapes.describe(*words, self.lay, vector, masks)
        components = [
            Component(
                int(vector[shapes.TYPES + i]), int(vector[shapes.TOPS + i]), _row(masks[3 * i : 3 * i + 3])
            )
            for i in range(vector[shapes.COUNT])
        ]
        # Of one type and top the kernel lists the suits as it meets them.
        components.sort(key=lambda one: (-one.kind, -one.top, self.faces(one.words)[0]))
        return Lead(vector, masks, words, int(vector[shapes.SUIT]), tuple(components))

    def failing(self, lead: Lead, others: Sequence[Words]) -> Words | None:
        """The component a throw is reduced to against the other hands, None if it stands (COM-10)."""
        if len(lead.components) < 2:
            return None
        hands = np.zeros(3 * (1 + len(others)), np.int64)
        for seat, words in enumerate(others, start=1):
            hands[3 * seat : 3 * seat + 3] = words
        part = throw.throw_check(lead.vector, lead.masks, hands, 3, 0, 1 + len(others), self.lay)
        return None if part < 0 else _row(lead.masks[3 * part : 3 * part + 3])

    def follow_code(self, hand: Words, lead: Lead, play: Words, named: int | None = None) -> int:
        """What is wrong with a follow, as ``kernels.legal`` numbers it; ``named``: the named face, if HW-9 binds."""
        scratch = np.zeros(shapes.MAX_COMPONENTS, np.int64)
        code = int(legal.follow_fault(*hand, self.lay, lead.vector, *play, scratch))
        if code == legal.OK and named is not None:
            bit = self._bit_of[named]
            if hiding.hiding_fault(*hand, self.lay, lead.vector, *play, bit):
                return int(legal.HIDING)
        return code

    def follow_fault(self, hand: Words, lead: Lead, play: Words, named: int | None = None) -> Fault | None:
        """The same as a fault with its reason; None for a legal follow."""
        code = self.follow_code(hand, lead, play, named)
        if code == legal.OK:
            return None
        from .reasons import why

        return why(self, code, hand, lead, play, named)

    def obligations(self, hand: Words, lead: Lead) -> list[int]:
        """COM-13: the types, singles apart, that a hand with enough cards of the led suit owes."""
        _w0, w1, w2 = self.of_suit(hand, lead.suit)
        scratch = np.zeros(shapes.MAX_COMPONENTS, np.int64)
        count = legal.obligations(w1, w2, self.lay, lead.vector, scratch)
        return [int(kind) for kind in scratch[:count]]

    def branch(self, hand: Words, lead: Lead) -> int:
        """DWF-11: the branch, as ``kernels.forced`` numbers it, that binds this follower; FREE if none does."""
        held = size(self.of_suit(hand, lead.suit))
        if lead.suit == TRUMP or held >= lead.size:
            return int(forced.FREE)
        trumps = size(self.of_suit(hand, TRUMP))
        scope, by_level = self.lay[layout.SCOPE], bool(self.lay[layout.BY_LEVEL])
        return int(forced.branch(lead.vector, held, trumps, scope, by_level))

    def top_against(self, lead: Lead, held: Words) -> int:
        """The highest top with which cards of the led suit contain a component of a plain lead's type; -1 if none."""
        split = bool(self.lay[layout.SPLIT])
        return int(contain.top_of(*held, self.lay, lead.suit, lead.vector, shapes.TYPES, lead.multi, split))

    def strength(self, lead: Lead, play: Words) -> int:
        """How strong a follow is: -1 can't win, from 0 on its top in the led suit, from 64 on a ruff."""
        return int(legal.wins_with(*play, self.lay, lead.vector))


@lru_cache(maxsize=32)
def table_of(rules: RuleSet, trump: int) -> Table:
    """The table of a rule set and a trump suit (0..3), kept for the next time."""
    return Table(rules.game, "shcd"[trump], rules)


def opening_strength(lead: Lead) -> int:
    """What a follow must exceed to beat the lead itself; see ``Table.strength``."""
    return lead.components[0].top if len(lead.components) == 1 else 0


def size(words: Words) -> int:
    """Number of cards."""
    return sum(word.bit_count() for word in words)


def without(words: Words, gone: Words) -> Words:
    """Cards with some taken out, which must be there."""
    return _row(bits.remove(*words, *gone))


def with_more(words: Words, more: Words) -> Words:
    """Cards and more cards together."""
    return _row(bits.add(*words, *more))


def _row(values: Any) -> Words:
    return int(values[0]), int(values[1]), int(values[2])
