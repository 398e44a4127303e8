"""Containment of components in cards of one effective suit (COM-8), exactly.

Only the tractors need a search: each takes one face at each of its levels. Pairs and triples are then a matter of
counting, as are singles. Placing the tractors is a sweep over the levels with the set of still unplaced tractors and
the unfinished one as state; since a level of several faces always lies between levels of one face (``layout``), never
more than one tractor crosses from a level to the next. States stay below a few hundred for any hand.
"""

from __future__ import annotations

import numpy as np

from ._jit import kernel
from .bits import highest, lowest, popcount
from .layout import LEVEL_OF, LEVELS, faces_at, levels_of
from .shapes import PAIR, TRIPLE, run_starts

_STATES = 2048
_COUNT_BITS = 4  # at most 8 tractors of one type fit into a hand
_ACTIVE = 32  # bit at which levels left, then triples left, of the unfinished tractor stand
_PINNED = 1 << 44


@kernel()
def _push(keys, costs, n, key, cost):
    for i in range(n):
        if keys[i] == key:
            costs[i] = min(costs[i], cost)
            return n
    keys[n] = key
    costs[n] = cost
    return n + 1


@kernel()
def _take(choice, pairs, triples, length, need, split):
    """One level of a tractor with ``length`` levels and ``need`` triples to go, by one of three ways.

    Returns (possible, pairs left, triples left, triples still needed, cost).
    """
    if choice == 0:  # a triple as a triple
        return need > 0 and triples > 0, pairs, triples - 1, need - 1, 0
    if choice == 1:  # a pair
        return length > need and pairs > 0, pairs - 1, triples, need, 0
    return split and length > need and triples > 0, pairs, triples - 1, need, 1  # two cards of a triple


@kernel()
def place_tractors(w1, w2, lay, suit, types, at, count, split, pin):
    """Place the tractors types[at : at + count] (in precedence order) disjointly.

    With ``pin`` >= 0 one tractor of the first type must begin at level ``pin``. Returns the least number of triples
    that lose two cards to a level that needs only a pair, or -1 if the tractors do not fit.
    """
    keys, costs = np.empty(_STATES, np.int64), np.empty(_STATES, np.int64)
    new_keys, new_costs = np.empty(_STATES, np.int64), np.empty(_STATES, np.int64)
    start = 0
    distinct = 0
    kinds = np.empty(8, np.int64)
    for i in range(count):
        if i == 0 or types[at + i] != types[at + i - 1]:
            kinds[distinct] = types[at + i]
            distinct += 1
        if i == 0 and pin >= 0:
            start |= _PINNED
        else:
            start += 1 << (_COUNT_BITS * (distinct - 1))
    keys[0] = start
    costs[0] = 0
    n = 1
    for level in range(lay[LEVELS + suit]):
        faces = faces_at(lay, suit, level)
        triples = popcount(w2 & faces)
        pairs = popcount(w1 & faces) - triples
        m = 0
        for i in range(n):
            key = keys[i]
            active = (key >> _ACTIVE) & 0xFFF
            waiting = key & ~(0xFFF << _ACTIVE)
            if pin >= 0 and level > pin and waiting & _PINNED:
                continue
            if active == 0:
                m = _start(
                    new_keys,
                    new_costs,
                    m,
                    waiting,
                    costs[i],
                    kinds,
                    distinct,
                    pairs,
                    triples,
                    split,
                    pin == level,
                )
                continue
            length = active & 63
            need = active >> 6
            for choice in range(3):
                possible, p, t, left, cost = _take(choice, pairs, triples, length, need, split)
                if not possible:
                    continue
                if length > 1:
                    m = _push(
                        new_keys,
                        new_costs,
                        m,
                        waiting | ((length - 1 + (left << 6)) << _ACTIVE),
                        costs[i] + cost,
                    )
                else:
                    m = _start(
                        new_keys,
                        new_costs,
                        m,
                        waiting,
                        costs[i] + cost,
                        kinds,
                        distinct,
                        p,
                        t,
                        split,
                        pin == level,
                    )
        keys, new_keys = new_keys, keys
        costs, new_costs = new_costs, costs
        n = m
    best = -1
    for i in range(n):
        if keys[i] == 0 and (best < 0 or costs[i] < best):
            best = costs[i]
    return best


@kernel()
def _start(keys, costs, m, waiting, cost, kinds, distinct, pairs, triples, split, pinned):
    """Push the states in which no tractor, or one of the waiting ones, begins at this level."""
    m = _push(keys, costs, m, waiting, cost)
    if pairs + triples == 0:
        return m
    for j in range(-1, distinct):
        if j < 0:
            if not (pinned and waiting & _PINNED):
                continue
            rest = waiting ^ _PINNED
            kind = kinds[0]
        else:
            if (waiting >> (_COUNT_BITS * j)) & 15 == 0:
                continue
            rest = waiting - (1 << (_COUNT_BITS * j))
            kind = kinds[j]
        length = kind & 31
        need = (kind >> 5) - 2 * length
        for choice in range(3):
            possible, _p, _t, left, extra = _take(choice, pairs, triples, length, need, split)
            if possible:
                m = _push(keys, costs, m, rest | ((length - 1 + (left << 6)) << _ACTIVE), cost + extra)
    return m


@kernel()
def _fits(w1, w2, lay, suit, types, at, count, split, pin):
    """Whether the non-single components types[at : at + count] are contained; ``pin`` as in ``place_tractors``."""
    tractors, levels, in_tractors, triples = 0, 0, 0, 0
    for i in range(count):
        kind = types[at + i]
        if kind > TRIPLE:
            tractors += 1
            levels += kind & 31
            in_tractors += (kind >> 5) - 2 * (kind & 31)
        elif kind == TRIPLE:
            triples += 1
    pairs = count - tractors - triples
    have = popcount(w1)
    have3 = popcount(w2)
    spare = have3 - in_tractors - triples
    if spare < 0:
        return False
    if split:
        if have < levels + triples + pairs:
            return False
    elif have - have3 < levels - in_tractors + pairs:
        return False
    if tractors == 0:
        return True
    if tractors == 1 and (have3 == 0 or (split and count == 1)):  # the usual ones, without a search
        length = types[at] & 31
        starts = run_starts(levels_of(w1, lay, suit), length)
        if pin >= 0:
            starts &= 1 << pin
        if in_tractors == 0 or starts == 0:
            return starts != 0
        three = levels_of(w2, lay, suit)
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            if popcount((three >> start) & ((1 << length) - 1)) >= in_tractors:
                return True
        return False
    cost = place_tractors(w1, w2, lay, suit, types, at, tractors, split, pin)
    return 0 <= cost <= spare if split else cost >= 0


@kernel()
def contains(w1, w2, lay, suit, types, at, count, split):
    """COM-8: whether cards of one effective suit contain the components types[at : at + count], in precedence order.

    ``w1``, ``w2``: the words for second and third copies, only of that suit. ``types`` holds no singles: these only
    need enough cards, which the caller counts. ``split``: the option split_triples.
    """
    if count == 0:
        return True
    if count == 1 and types[at] == PAIR:
        return w1 != 0 if split else w1 & ~w2 != 0
    return _fits(w1, w2, lay, suit, types, at, count, split, -1)


@kernel()
def top_of(w0, w1, w2, lay, suit, types, at, multi, split):
    """The highest level the top of the first component can have when cards contain all of a lead's components.

    -1 if they do not. ``multi`` of the types from ``at`` on are not singles; the rest must only be covered by number,
    which is up to the caller. Serves COM-10 (one component against a hand), COM-16 and COM-17 (play against lead).
    """
    if multi == 0:
        return lay[LEVEL_OF + highest(w0)] if w0 else -1
    first = types[at]
    if multi == 1 and first == PAIR:
        w1 = w1 if split else w1 & ~w2
        return lay[LEVEL_OF + highest(w1)] if w1 else -1
    if not contains(w1, w2, lay, suit, types, at, multi, split):
        return -1
    if first == TRIPLE:
        return lay[LEVEL_OF + highest(w2)]
    if first == PAIR:
        return lay[LEVEL_OF + highest(w1 if split else w1 & ~w2)]
    length = first & 31
    starts = run_starts(levels_of(w1, lay, suit), length)
    while starts:
        start = highest(starts)
        if _fits(w1, w2, lay, suit, types, at, multi, split, start):
            return start + length - 1
        starts ^= 1 << start
    return -1
