"""Per game and trump suit: which bit each face has, and what a bit is worth.

The 54 faces lie along bits 0..53 so that each effective suit (COM-3) is one run of bits: the three side suits in the
order spades, hearts, clubs, diamonds, then the trumps. Inside a run levels (COM-4) ascend; faces of equal level (the
off-suit 2s and, in die-wu-fen, the off-suit 3s) are three neighbouring bits in the order of the suits.

Faces are numbered suit * 13 + rank, suits s h c d, ranks 2..9 T J Q K A; 52 is the small joker, 53 the big one.
A layout is one int64 vector; the constants below are offsets into it. It also carries the rule options, so that one
vector holds all that every player knows before the deal.
"""

from __future__ import annotations

import numpy as np

from ._jit import kernel
from .bits import popcount

DIE_WU_FEN, HONG_WU_WU_JIA = 0, 1

BIT_OF = 0  # 54: face -> bit
FACE_OF = 54  # 54: bit -> face
LEVEL_OF = 108  # 54: bit -> level inside its effective suit, from 0
SUIT_OF = 162  # 54: bit -> effective suit 0..2 side, 3 trump
SHIFT = 216  # 4: lowest bit of each effective suit
MASK = 220  # 4: all bits of each effective suit
LEVELS = 224  # 4: number of levels of each effective suit
FIVES, TENS, KINGS, COUNTING = 228, 229, 230, 231  # masks of the faces worth points (COM-2); all of them
GROUP1, GROUP2 = (
    232,
    233,
)  # where the trumps' groups of three equal faces begin, from the lowest trump; 62: none
TRUMP_SUIT, GAME, PACKS, SEATS = 234, 235, 236, 237
REAL_SUIT = 238  # 3: the suit (0..3) of each side suit
# The rule options that kernels of both games read; each game's own follow from RULES on.
CASCADE, SPLIT, SCOPE, BY_LEVEL, BINDS_ALL = 241, 242, 243, 244, 245
VALUE_FIVE, VALUE_TEN, VALUE_KING = 246, 247, 248
RULES = 249  # room for 80
# How words by face number become words by bit: SEGMENTS moves of (mask of faces, shift left or, negative, right).
SEGMENTS = RULES + 80
SEGMENT = SEGMENTS + 1
WORTH = SEGMENT + 2 * 24  # 54: bit -> points of the card
ABOVE = WORTH + 54  # 4 * 24: suit * 24 + level -> the faces of the suit above that level
# Of hong-wu-wu-jia: the faces that may be named (HW-7), those of them that nobody may hide (HW-9).
NAMEABLE, NO_HIDING = ABOVE + 96, ABOVE + 97
GRADES = NO_HIDING + 1  # HW-13: number of rows, then threshold and grade of each
MAX_GRADES = 64
SIZE = GRADES + 1 + 2 * MAX_GRADES

TRUMP = 3  # the effective suit of trumps

_TWO, _THREE, _FOUR, _FIVE, _KING, _ACE = 0, 1, 2, 3, 11, 12
_SJ, _BJ = 52, 53


def face(suit: int, rank: int) -> int:
    """The face number of a rank (0 = 2 .. 12 = A) in a suit (0..3)."""
    return suit * 13 + rank


def _trump_levels(game: int, trump: int) -> list[list[int]]:
    """The trumps, low to high, faces of equal level together (DWF-2, HW-2)."""
    others = [s for s in range(4) if s != trump]
    plain = [face(trump, r) for r in range(_FOUR, _ACE + 1)]
    subs2 = [face(s, _TWO) for s in others]
    if game == DIE_WU_FEN:
        subs3 = [face(s, _THREE) for s in others]
        tail = [[face(trump, _TWO)], subs3, [face(trump, _THREE)], [_SJ], [_BJ]]
        return [[f] for f in plain] + [subs2] + tail
    red_five = face(1, _FIVE)
    partner_suit = trump ^ 2  # spades and clubs are one colour, hearts and diamonds the other
    tail = [
        [face(trump, _TWO)],
        [face(partner_suit, _THREE)],
        [face(trump, _THREE)],
        [_SJ],
        [_BJ],
        [red_five],
    ]
    return [[f] for f in plain if f != red_five] + [subs2] + tail


def build(game: int, trump: int) -> np.ndarray:
    """The layout of a game (``DIE_WU_FEN`` or ``HONG_WU_WU_JIA``) and trump suit 0..3 as int64[SIZE]."""
    lay = np.zeros(SIZE, np.int64)
    trumps = _trump_levels(game, trump)
    taken = {f for level in trumps for f in level}
    sides = [s for s in range(4) if s != trump]
    runs = [[[face(s, r)] for r in range(13) if face(s, r) not in taken] for s in sides] + [trumps]
    bit = 0
    groups: list[int] = []
    for suit, run in enumerate(runs):
        lay[SHIFT + suit] = bit
        lay[LEVELS + suit] = len(run)
        for level, faces in enumerate(run):
            if len(faces) > 1:
                groups.append(bit - int(lay[SHIFT + suit]))
            for f in faces:
                lay[BIT_OF + f] = bit
                lay[FACE_OF + bit] = f
                lay[LEVEL_OF + bit] = level
                lay[SUIT_OF + bit] = suit
                lay[MASK + suit] |= 1 << bit
                rank = f % 13 if f < 52 else -1
                for at, counted in ((FIVES, 3), (TENS, 8), (KINGS, 11)):
                    if rank == counted:
                        lay[at] |= 1 << bit
                bit += 1
    moves: dict[int, int] = {}
    for f in range(54):
        shift = int(lay[BIT_OF + f]) - f
        moves[shift] = moves.get(shift, 0) | (1 << f)
    lay[SEGMENTS] = len(moves)
    for i, (shift, mask) in enumerate(sorted(moves.items())):
        lay[SEGMENT + 2 * i], lay[SEGMENT + 2 * i + 1] = mask, shift
    for suit, run in enumerate(runs):
        above = 0
        for level in range(len(run) - 1, -1, -1):
            lay[ABOVE + 24 * suit + level] = above
            for f in run[level]:
                above |= 1 << int(lay[BIT_OF + f])
    lay[COUNTING] = lay[FIVES] | lay[TENS] | lay[KINGS]
    groups += [62] * (2 - len(groups))
    lay[GROUP1], lay[GROUP2] = groups[0], groups[1]
    lay[TRUMP_SUIT], lay[GAME] = trump, game
    lay[PACKS], lay[SEATS] = (2, 3) if game == DIE_WU_FEN else (3, 5)
    lay[REAL_SUIT : REAL_SUIT + 3] = sides
    if game == HONG_WU_WU_JIA:
        for f in (face(s, r) for s in range(4) for r in (_KING, _ACE)):
            lay[NO_HIDING] |= 1 << int(lay[BIT_OF + f])
        lay[NAMEABLE] = lay[NO_HIDING] | 1 << int(lay[BIT_OF + face(1, _FIVE)]) | 1 << int(lay[BIT_OF + _BJ])
    return lay


def build_all(game: int) -> np.ndarray:
    """The four layouts of a game, int64[4, SIZE], by trump suit."""
    return np.stack([build(game, trump) for trump in range(4)])


@kernel()
def fold(run, group1, group2):
    """Trumps as levels: the bits of a group of equal faces become the one bit of their level.

    ``run`` is a word shifted so that the lowest trump is bit 0; the result has one bit a level.
    """
    if group1 < 60:
        low = (1 << group1) - 1
        any1 = ((run >> group1) | (run >> (group1 + 1)) | (run >> (group1 + 2))) & 1
        run = (run & low) | (any1 << group1) | ((run >> (group1 + 3)) << (group1 + 1))
        if group2 < 60:
            at = group2 - 2
            low = (1 << at) - 1
            any2 = ((run >> at) | (run >> (at + 1)) | (run >> (at + 2))) & 1
            run = (run & low) | (any2 << at) | ((run >> (at + 3)) << (at + 1))
    return run


def set_values(lay: np.ndarray, five: int, ten: int, king: int) -> None:
    """Fill in what a 5, a 10 and a king are worth (options points_five, points_ten, points_king)."""
    lay[VALUE_FIVE], lay[VALUE_TEN], lay[VALUE_KING] = five, ten, king
    for bit in range(54):
        for mask, value in ((FIVES, five), (TENS, ten), (KINGS, king)):
            if (int(lay[mask]) >> bit) & 1:
                lay[WORTH + bit] = value


@kernel()
def by_bit(word, lay):
    """A word by face number as a word by layout bit."""
    out = 0
    for i in range(lay[SEGMENTS]):
        part = word & lay[SEGMENT + 2 * i]
        shift = lay[SEGMENT + 2 * i + 1]
        out |= part << shift if shift >= 0 else part >> -shift
    return out


@kernel()
def levels_of(word, lay, suit):
    """The levels of an effective suit at which ``word`` has at least one face, as bits from 0."""
    run = (word & lay[MASK + suit]) >> lay[SHIFT + suit]
    if suit == 3:
        return fold(run, lay[GROUP1], lay[GROUP2])
    return run


@kernel()
def faces_at(lay, suit, level):
    """The bits (as a mask) of the faces at a level of an effective suit."""
    at = level
    width = 1
    if suit == 3:
        g1 = lay[GROUP1]
        g2 = lay[GROUP2]
        if level >= g1:
            if level == g1:
                width = 7
            else:
                at = level + 2
                if at >= g2:
                    if at == g2:
                        width = 7
                    else:
                        at += 2
    return width << (at + lay[SHIFT + suit])


@kernel(inline=True)
def points(p0, p1, p2, lay):
    """The points among some cards (COM-2), with the values of the rule set."""
    if p0 & lay[COUNTING] == 0:
        return 0
    total = 0
    while p0 != 0:
        f = p0 & lay[FIVES]
        t = p0 & lay[TENS]
        k = p0 & lay[KINGS]
        total += lay[VALUE_FIVE] * popcount(f) + lay[VALUE_TEN] * popcount(t) + lay[VALUE_KING] * popcount(k)
        p0 = p1
        p1 = p2
        p2 = 0
    return total
