"""Building legal plays: placing obliged components, filling up, discarding."""

from __future__ import annotations

from .. import view
from .._jit import kernel
from ..bits import add, highest, lowest, popcount, remove, size
from ..contain import contains
from ..layout import ABOVE, COUNTING, FIVES, KINGS, LEVEL_OF, MASK, SHIFT, SPLIT, TENS, faces_at, levels_of
from ..rng import below
from ..shapes import PAIR, TRIPLE, run_starts

# Order in which cards are given away.
LOW, CHEAP, RICH, ANY = 0, 1, 2, 3  # lowest first; no points first; points first; by lot


@kernel()
def nth_bit(x, n):
    """The n-th lowest set bit of x as a mask, n from 0."""
    for _ in range(n):
        x &= x - 1
    return x & -x


@kernel()
def any_card(w0, w1, w2, own):
    """One of the cards by lot, every copy alike: its bit as a mask."""
    n0, n1 = popcount(w0), popcount(w1)
    r = below(own, view.RNG, n0 + n1 + popcount(w2))
    if r < n0:
        return nth_bit(w0, r)
    if r < n0 + n1:
        return nth_bit(w1, r - n0)
    return nth_bit(w2, r - n0 - n1)


@kernel()
def any_cards(w0, w1, w2, k, own):
    """k of the cards by lot, without replacement."""
    p0, p1, p2 = 0, 0, 0
    for _ in range(k):
        b = any_card(w0, w1, w2, own)
        w0, w1, w2 = remove(w0, w1, w2, b, 0, 0)
        p0, p1, p2 = add(p0, p1, p2, b, 0, 0)
    return p0, p1, p2


@kernel()
def _tractor_at(w1, w2, lay, suit, start, length, triples_at, split, by_lot, own):
    """Faces for a tractor from level ``start`` with triples at the levels of ``triples_at``: (found, faces, triples).

    At a level that needs a pair a face with just two copies goes first: a triple left over can do all a pair can.
    """
    m0, m2 = 0, 0
    for k in range(length):
        at = faces_at(lay, suit, start + k)
        if (triples_at >> k) & 1:
            free = w2 & at
            if free == 0:
                return False, 0, 0
        else:
            free = w1 & at if split else w1 & ~w2 & at
            if free == 0:
                return False, 0, 0
            if free & ~w2 and not by_lot:
                free &= ~w2
        if by_lot and free & (free - 1):
            b = nth_bit(free, below(own, view.RNG, popcount(free)))
        else:
            b = free & -free
        m0 |= b
        if (triples_at >> k) & 1:
            m2 |= b
    return True, m0, m2


@kernel()
def _lot_of(length, triples, own):
    """``triples`` of ``length`` levels by lot, as a mask."""
    levels = (1 << length) - 1
    out = 0
    for _ in range(triples):
        b = nth_bit(levels, below(own, view.RNG, popcount(levels)))
        levels ^= b
        out |= b
    return out


@kernel()
def place_one(w0, w1, w2, lay, suit, types, i, count, by_lot, own):
    """Cards for component ``i`` such that the components after it still fit into the rest.

    ``w``: cards of one suit that contain types[i:count]. Lowest first, or by lot with every choice possible.
    """
    split = lay[SPLIT] != 0
    kind = types[i]
    if kind <= TRIPLE:
        if kind == TRIPLE:
            free = w2
        else:
            free = w1 if split else w1 & ~w2
        if not by_lot and kind == PAIR and free & ~w2:
            free &= ~w2
        for _ in range(64):
            b = nth_bit(free, below(own, view.RNG, popcount(free))) if by_lot else free & -free
            m2 = b if kind == TRIPLE else 0
            if i + 1 >= count:
                return b, b, m2
            _r0, r1, r2 = remove(w0, w1, w2, b, b, m2)
            if contains(r1, r2, lay, suit, types, i + 1, count - i - 1, split):
                return b, b, m2
            free ^= b
        return 0, 0, 0  # not reached: some choice fits
    length = kind & 31
    triples = (kind >> 5) - 2 * length
    starts = run_starts(levels_of(w1, lay, suit), length)
    if by_lot:
        for _ in range(24):
            start = lowest(nth_bit(starts, below(own, view.RNG, popcount(starts))))
            found, m0, m2 = _tractor_at(
                w1, w2, lay, suit, start, length, _lot_of(length, triples, own), split, True, own
            )
            if found:
                _r0, r1, r2 = remove(w0, w1, w2, m0, m0, m2)
                if contains(r1, r2, lay, suit, types, i + 1, count - i - 1, split):
                    return m0, m0, m2
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        for subset in range(1 << length if triples else 1):
            if popcount(subset) != triples:
                continue
            found, m0, m2 = _tractor_at(w1, w2, lay, suit, start, length, subset, split, False, own)
            if found:
                _r0, r1, r2 = remove(w0, w1, w2, m0, m0, m2)
                if contains(r1, r2, lay, suit, types, i + 1, count - i - 1, split):
                    return m0, m0, m2
    return 0, 0, 0


@kernel()
def place(w0, w1, w2, lay, suit, types, at, count, by_lot, own):
    """Cards for all components types[at : at + count], which ``w`` must contain; lowest first or by lot."""
    p0, p1, p2 = 0, 0, 0
    for i in range(at, at + count):
        m0, m1, m2 = place_one(w0, w1, w2, lay, suit, types, i, at + count, by_lot, own)
        w0, w1, w2 = remove(w0, w1, w2, m0, m1, m2)
        p0, p1, p2 = add(p0, p1, p2, m0, m1, m2)
    return p0, p1, p2


@kernel()
def worth(lay, bit):
    """Points of one card."""
    b = 1 << bit
    if b & lay[COUNTING] == 0:
        return 0
    return 5 if b & lay[FIVES] else 10


@kernel()
def lowest_side(w, lay):
    """The face of lowest level among side cards, as a mask; 0 if there are none."""
    s1, s2 = lay[SHIFT + 1], lay[SHIFT + 2]
    a, b, c = w & lay[MASK], w & lay[MASK + 1], w & lay[MASK + 2]
    low = a | (b >> s1) | (c >> s2)
    low &= -low
    best = (low & a) | ((low << s1) & b) | ((low << s2) & c)
    return best & -best


@kernel()
def one_to_give(w0, w1, lay, order):
    """One face of w to part with: LOW, CHEAP (no points, unpaired first) or RICH (points first)."""
    pool = w0
    if order == RICH:
        rich = w0 & (lay[TENS] | lay[KINGS])
        if rich == 0:
            rich = w0 & lay[FIVES]
        if rich:
            return rich & -rich
    elif order == CHEAP:
        cheap = w0 & ~lay[COUNTING]
        if cheap == 0:
            cheap = w0 & lay[FIVES]
        if cheap:
            pool = cheap
        if pool & ~w1:
            pool &= ~w1
    side = lowest_side(pool, lay)
    return side if side else pool & -pool


@kernel()
def give(w0, w1, w2, lay, k, order):
    """k of the cards w, which holds at least k, in the given order; side cards before trumps."""
    p0, p1, p2 = 0, 0, 0
    for _ in range(k):
        b = one_to_give(w0, w1, lay, order)
        w0, w1, w2 = remove(w0, w1, w2, b, 0, 0)
        p0, p1, p2 = add(p0, p1, p2, b, 0, 0)
    return p0, p1, p2


@kernel(inline=True)
def one_in_suit(w0, w1, lay, order):
    """``one_to_give`` when all cards are of one suit."""
    fives, tens = w0 & lay[FIVES], w0 & (lay[TENS] | lay[KINGS])
    if order == RICH:
        pool = tens if tens else (fives if fives else w0)
        return pool & -pool
    cheap = w0 & ~lay[COUNTING]
    pool = cheap if cheap else (fives if fives else w0)
    single = pool & ~w1
    pool = single if single else pool
    return pool & -pool


@kernel()
def give_in_suit(w0, w1, w2, lay, k, order):
    """``give`` when all cards are of one suit."""
    p0, p1, p2 = 0, 0, 0
    for _ in range(k):
        b = one_in_suit(w0, w1, lay, order)
        w0, w1, w2 = (w0 & ~b) | (w1 & b), (w1 & ~b) | (w2 & b), w2 & ~b
        p0, p1, p2 = p0 | b, p1 | (p0 & b), p2 | (p1 & b)
    return p0, p1, p2


@kernel()
def answer(own, p0, p1, p2):
    """Put cards into OUT."""
    own[view.OUT] = p0
    own[view.OUT_1] = p1
    own[view.OUT_2] = p2


@kernel()
def top_card(w, lay):
    """Level of the highest face of w inside its suit, -1 if none."""
    return lay[LEVEL_OF + highest(w)] if w else -1


@kernel()
def in_hand(own, mask):
    """Number of cards a seat holds among some faces."""
    return size(own[0] & mask, own[1] & mask, own[2] & mask)


@kernel()
def not_below(lay, suit, word):
    """The faces of a suit at or above the highest level at which ``word`` has a card; the whole suit if it has none."""
    mine = word & lay[MASK + suit]
    if mine == 0:
        return lay[MASK + suit]
    level = lay[LEVEL_OF + highest(mine)]
    return lay[ABOVE + 24 * suit + level - 1] if level > 0 else lay[MASK + suit]
