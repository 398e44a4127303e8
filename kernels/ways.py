"""Dealing unseen cards to places uniformly among all ways that keep what is known, exactly.

Physical cards are distinguishable: a way gives each unseen card a place (a seat's hand, the bottom) so that every
place gets its number of cards, and every world stands for as many ways as there are to deal its cards.

Faces that may go anywhere need no counting. Places at which nothing is barred are merged into one (their cards are
dealt out among them at the end). The other faces are taken one after the other; ``tables`` holds, for each of them and
each number of cards the places have been given so far, how many ways the rest can go. Drawing a world then is one
choice a face with the right odds, and a shuffle of the free cards.

The numbers of ways are IEEE doubles, added and multiplied in a fixed order: the same on every machine, the odds exact
to about 1e-9 (a draw has 32 bits).
"""

from __future__ import annotations

import math

import numpy as np

from ._jit import kernel
from .bits import lowest
from .rng import RNG_SIZE, word

MAX_PLACES = 6
_MOST_OPTIONS = 40  # ways to split three copies among five places: 35

# Offsets in the working memory of a decision.
READER = 0
FACES = READER + RNG_SIZE  # 3 words: faces of which 1, 2, 3 copies are unseen and lie nowhere for certain
PINNED = FACES + 3  # 2 words: those of them that are at place PIN_A or place PIN_B
PIN_A, PIN_B = PINNED + 2, PINNED + 3
PLACES = PIN_B + 1  # number of places, then a row each:
PLACE = PLACES + 1
ROOM = 0  # cards it gets
BARS = 1  # 4 words: faces of which it gets not just 0, 1, 2, 3 copies
GROUP = 5
HELD = 6  # 3 words: what it gets in the world drawn
PLACE_ROW = 9
GROUPS = PLACE + PLACE_ROW * MAX_PLACES  # number of groups, then a row each; the last one takes what is left
G = GROUPS + 1
G_ROOM, G_MOST, G_STRIDE, G_PLACE, G_LEFT = 0, 1, 2, 3, 4  # G_PLACE: -1 when it is several places
GROUP_ROW = 5
ITEMS = G + GROUP_ROW * MAX_PLACES  # number of restricted faces, then a row each
ITEM = ITEMS + 1
I_BIT, I_COPIES, I_FIRST, I_COUNT = 0, 1, 2, 3
ITEM_ROW = 4
OPTIONS = ITEM + ITEM_ROW * 54  # number of options, then a row each
OPTION = OPTIONS + 1
O_SHIFT, O_COUNTS, O_WEIGHT = 0, 1, 2  # change of the state, 4 bits a group, ways
OPTION_ROW = 3
FREE = OPTION + OPTION_ROW * 54 * _MOST_OPTIONS  # number of free cards, then their bits
CARD = FREE + 1
REST = CARD + 162  # number of cards for the last group, then their bits
REST_CARD = REST + 1
BOX = REST_CARD + 162  # states of one table row
SIZE = BOX + 1

_INVERSE = np.array([1.0 / math.factorial(n) for n in range(163)])
_M32 = 0xFFFFFFFF


@kernel()
def choose(cards, at, n, k, state, reader):
    """Bring k of cards[at : at + n] to its front, every choice alike; one random word gives three or four draws."""
    done = 0 if k < n else k
    while done < k:
        batch = min(4 if n < 128 else 3, k - done)
        product = 1
        for i in range(batch):
            product *= n - done - i
        while True:
            r = int(word(state, reader))
            low = (r * product) & _M32
            if low >= product or low >= 0x100000000 % product:  # see rng.shuffle
                break
        for _ in range(batch):
            m = r * (n - done)
            i = at + done
            j = i + (m >> 32)
            r = m & _M32
            t = cards[i]
            cards[i] = cards[j]
            cards[j] = t
            done += 1


@kernel()
def _restricted(box, place):
    """The faces barred in some number at a place."""
    at = PLACE + PLACE_ROW * place + BARS
    one = (box[at] | box[at + 1]) & box[FACES]
    return one | (box[at + 2] & box[FACES + 1]) | (box[at + 3] & box[FACES + 2])


@kernel()
def _group(box):
    """Merge the places at which nothing is barred; returns the restricted faces."""
    places = box[PLACES]
    faces = box[PINNED]
    groups, merged, alone = 0, 0, 0
    for p in range(places):
        limits = _restricted(box, p)
        faces |= limits
        at = PLACE + PLACE_ROW * p
        if limits or (box[PINNED] and (p == box[PIN_A] or p == box[PIN_B])):
            g = G + GROUP_ROW * groups
            box[at + GROUP] = groups
            box[g + G_ROOM], box[g + G_PLACE] = box[at + ROOM], p
            groups += 1
        else:
            box[at + GROUP] = -1
            merged += 1
            alone = p
    if merged:  # they come last
        g = G + GROUP_ROW * groups
        box[g + G_ROOM] = 0
        box[g + G_PLACE] = alone if merged == 1 else -1
        for p in range(places):
            at = PLACE + PLACE_ROW * p
            if box[at + GROUP] < 0:
                box[at + GROUP] = groups
                box[g + G_ROOM] += box[at + ROOM]
        groups += 1
    else:  # the roomiest comes last
        big = 0
        for i in range(1, groups):
            if box[G + GROUP_ROW * i + G_ROOM] > box[G + GROUP_ROW * big + G_ROOM]:
                big = i
        a, b = G + GROUP_ROW * big, G + GROUP_ROW * (groups - 1)
        box[a + G_ROOM], box[b + G_ROOM] = box[b + G_ROOM], box[a + G_ROOM]
        box[a + G_PLACE], box[b + G_PLACE] = box[b + G_PLACE], box[a + G_PLACE]
        box[PLACE + PLACE_ROW * box[a + G_PLACE] + GROUP] = big
        box[PLACE + PLACE_ROW * box[b + G_PLACE] + GROUP] = groups - 1
    box[GROUPS] = groups
    return faces


@kernel()
def _may(box, g, bit):
    """Which numbers of copies of a face a group may get: bit n for n copies."""
    place = box[G + GROUP_ROW * g + G_PLACE]
    if place < 0:
        return 15
    at = PLACE + PLACE_ROW * place + BARS
    barred = 0
    for n in range(4):
        barred |= ((box[at + n] >> bit) & 1) << n
    return 15 & ~barred


@kernel()
def _ways(counts, copies, pinned, a, b):
    """Ways to deal so many distinguishable copies that the groups get ``counts``, the pinned ones at groups a, b."""
    total = 0
    for j in range(pinned + 1):  # so many of the pinned ones at a
        rest = counts - (j << (4 * a)) - ((pinned - j) << (4 * b))
        if ((counts >> (4 * a)) & 15) < j or ((counts >> (4 * b)) & 15) < pinned - j:
            continue
        ways = 2 if pinned == 2 and j == 1 else 1
        left = copies - pinned
        ways *= 6 if left == 3 else 2 if left == 2 else 1
        while rest:
            n = rest & 15
            ways //= 6 if n == 3 else 2 if n == 2 else 1
            rest >>= 4
        total += ways
    return total


@kernel()
def _list_options(box, item, pinned):
    """All ways to split the copies of a restricted face among the groups; also how many each group may get at most."""
    groups = box[GROUPS]
    bit, copies = box[item + I_BIT], box[item + I_COPIES]
    first = box[OPTIONS]
    n = first
    a, b = 0, 0
    if pinned:
        a = box[PLACE + PLACE_ROW * box[PIN_A] + GROUP]
        b = box[PLACE + PLACE_ROW * box[PIN_B] + GROUP]
    for i in range(groups):
        for j in range(i, groups if copies > 1 else i + 1):
            for k in range(j, groups if copies > 2 else j + 1):
                counts = 1 << (4 * i)
                if copies > 1:
                    counts += 1 << (4 * j)
                if copies > 2:
                    counts += 1 << (4 * k)
                allowed = True
                for g in range(groups):
                    if (_may(box, g, bit) >> ((counts >> (4 * g)) & 15)) & 1 == 0:
                        allowed = False
                ways = _ways(counts, copies, pinned, a, b) if pinned else _ways(counts, copies, 0, 0, 0)
                if not allowed or ways == 0:
                    continue
                at = OPTION + OPTION_ROW * n
                box[at + O_COUNTS], box[at + O_WEIGHT] = counts, ways
                n += 1
    box[OPTIONS] = n
    box[item + I_FIRST], box[item + I_COUNT] = first, n - first


@kernel()
def _list_items(box, faces):
    """The restricted faces with their options, and the free cards."""
    groups = box[GROUPS]
    box[OPTIONS] = 0
    items, free = 0, 0
    last = -1
    for g in range(groups):
        box[G + GROUP_ROW * g + G_MOST] = 0
    rest = box[FACES]
    while rest:
        bit = lowest(rest)
        rest &= rest - 1
        copies = 1 + ((box[FACES + 1] >> bit) & 1) + ((box[FACES + 2] >> bit) & 1)
        if (faces >> bit) & 1 == 0:
            for _ in range(copies):
                box[CARD + free] = bit
                free += 1
            continue
        item = ITEM + ITEM_ROW * items
        items += 1
        box[item + I_BIT], box[item + I_COPIES] = bit, copies
        pinned = ((box[PINNED] >> bit) & 1) + ((box[PINNED + 1] >> bit) & 1)
        pattern = copies * 4 + pinned
        for g in range(groups):
            pattern = pattern * 16 + _may(box, g, bit)
        if pattern == last:  # faces beside each other mostly have the same options
            box[item + I_FIRST] = box[item - ITEM_ROW + I_FIRST]
            box[item + I_COUNT] = box[item - ITEM_ROW + I_COUNT]
        else:
            _list_options(box, item, pinned)
        last = pattern
        for g in range(groups):
            most = 0
            for o in range(box[item + I_FIRST], box[item + I_FIRST] + box[item + I_COUNT]):
                most = max(most, (box[OPTION + OPTION_ROW * o + O_COUNTS] >> (4 * g)) & 15)
            box[G + GROUP_ROW * g + G_MOST] += most
    box[ITEMS] = items
    box[FREE] = free


@kernel()
def lay_out(box, packs):
    """Groups, restricted faces, options and the shape of the tables; returns how many numbers these hold."""
    faces = _group(box)
    _list_items(box, faces)
    states = 1
    for g in range(box[GROUPS] - 1):
        row = G + GROUP_ROW * g
        box[row + G_MOST] = min(box[row + G_MOST], box[row + G_ROOM])
        box[row + G_STRIDE] = states
        states *= box[row + G_MOST] + 1 + packs  # the last ``packs`` numbers are out of reach: no ways
    for o in range(box[OPTIONS]):
        at = OPTION + OPTION_ROW * o
        move = 0
        for g in range(box[GROUPS] - 1):
            move += ((box[at + O_COUNTS] >> (4 * g)) & 15) * box[G + GROUP_ROW * g + G_STRIDE]
        box[at + O_SHIFT] = move
    box[BOX] = states
    return states * (box[ITEMS] + 2)


@kernel()
def _last_row(box, tables):
    """What is left when all restricted faces are dealt: ways to deal the free cards, but for a constant factor.

    The row before it is used as a mask of the states within reach.
    """
    groups = box[GROUPS]
    states = box[BOX]
    items = box[ITEMS]
    dealt = 0
    for i in range(items):
        dealt += box[ITEM + ITEM_ROW * i + I_COPIES]
    end = G + GROUP_ROW * (groups - 1)
    for state in range(states):
        rest = state
        used = 0
        ways = 1.0
        reach = 1.0
        g = groups - 2
        while g >= 0:
            row = G + GROUP_ROW * g
            n = rest // box[row + G_STRIDE]
            rest -= n * box[row + G_STRIDE]
            if n > box[row + G_MOST]:
                reach = 0.0
                break
            used += n
            ways *= _INVERSE[box[row + G_ROOM] - n]
            g -= 1
        left = box[end + G_ROOM] - (dealt - used)
        tables[(items + 1) * states + state] = reach
        if reach == 0.0 or left < 0 or used > dealt:
            ways = 0.0
        else:
            ways *= _INVERSE[left]
        tables[items * states + state] = ways


@kernel()
def count(box, tables):
    """Fill ``tables`` (float64, ``lay_out`` says how many); returns the ways there are, but for a constant factor."""
    states = box[BOX]
    items = box[ITEMS]
    _last_row(box, tables)
    reach = (items + 1) * states
    i = items - 1
    while i >= 0:
        item = ITEM + ITEM_ROW * i
        here, there = i * states, (i + 1) * states
        for s in range(states):
            tables[here + s] = 0.0
        for o in range(box[item + I_FIRST], box[item + I_FIRST] + box[item + I_COUNT]):
            at = OPTION + OPTION_ROW * o
            move = box[at + O_SHIFT]
            ways = float(box[at + O_WEIGHT])
            for s in range(states - move):
                tables[here + s] += ways * tables[there + s + move]
        for s in range(states):
            tables[here + s] *= tables[reach + s]
        i -= 1
    return tables[0]


@kernel()
def give(box, place, bit, copies):
    """A place gets copies of a face."""
    at = PLACE + PLACE_ROW * place + HELD
    b = 1 << bit
    w0, w1, w2 = box[at], box[at + 1], box[at + 2]
    for _ in range(copies):
        w2 |= w1 & b
        w1 |= w0 & b
        w0 |= b
    box[at], box[at + 1], box[at + 2] = w0, w1, w2


@kernel()
def _choose_option(box, tables, i, state):
    """An option of item i in a state, with the odds of the ways it leaves."""
    item = ITEM + ITEM_ROW * i
    first = box[item + I_FIRST]
    options = box[item + I_COUNT]
    if options == 1:
        return first
    states = box[BOX]
    there = (i + 1) * states + state
    r = float(word(box, READER)) * (1.0 / 4294967296.0) * tables[i * states + state]
    chosen = first
    for o in range(first, first + options):
        at = OPTION + OPTION_ROW * o
        ways = float(box[at + O_WEIGHT]) * tables[there + box[at + O_SHIFT]]
        if ways > 0.0:
            chosen = o
            if r < ways:
                break
            r -= ways
    return chosen


@kernel()
def draw(box, tables):
    """Deal the unseen cards once: what each place gets is left in its HELD words, which must be empty before."""
    groups = box[GROUPS]
    for g in range(groups):
        box[G + GROUP_ROW * g + G_LEFT] = box[G + GROUP_ROW * g + G_ROOM]
    box[REST] = 0
    state = 0
    for i in range(box[ITEMS]):
        at = OPTION + OPTION_ROW * _choose_option(box, tables, i, state)
        state += box[at + O_SHIFT]
        counts = box[at + O_COUNTS]
        bit = box[ITEM + ITEM_ROW * i + I_BIT]
        g = 0
        while counts:
            n = counts & 15
            if n:
                row = G + GROUP_ROW * g
                box[row + G_LEFT] -= n
                if box[row + G_PLACE] >= 0:
                    give(box, box[row + G_PLACE], bit, n)
                else:
                    for _ in range(n):
                        box[REST_CARD + box[REST]] = bit
                        box[REST] += 1
            counts >>= 4
            g += 1
    at, n = CARD, box[FREE]
    for g in range(groups - 1):
        k = box[G + GROUP_ROW * g + G_LEFT]
        choose(box, at, n, k, box, READER)
        for i in range(k):
            give(box, box[G + GROUP_ROW * g + G_PLACE], box[at + i], 1)
        at += k
        n -= k
    last = box[G + GROUP_ROW * (groups - 1) + G_PLACE]
    if last >= 0:
        for i in range(n):
            give(box, last, box[at + i], 1)
        return
    for i in range(n):
        box[REST_CARD + box[REST] + i] = box[at + i]
    at, n = REST_CARD, n + box[REST]
    for p in range(box[PLACES]):
        row = PLACE + PLACE_ROW * p
        if box[row + GROUP] == groups - 1:
            k = box[row + ROOM]
            choose(box, at, n, k, box, READER)
            for i in range(k):
                give(box, p, box[at + i], 1)
            at += k
            n -= k
