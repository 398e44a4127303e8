"""Dealing the unseen cards by the tables of ways (``ways``)."""

from __future__ import annotations

from ._jit import kernel
from .rng import word
from .ways import (
    CARD,
    COUNTED,
    FREE,
    G_LEFT,
    G_PLACE,
    G_ROOM,
    GROUP,
    GROUP_ROW,
    GROUPS,
    HELD,
    I_BIT,
    I_CHOSEN,
    I_COUNT,
    I_FIRST,
    ITEM,
    ITEM_ROW,
    ITEMS,
    O_COUNTS,
    O_SHIFT,
    OPTION,
    OPTION_ROW,
    OPTIONS,
    PLACE,
    PLACE_ROW,
    PLACES,
    READER,
    REJECTED,
    REST,
    REST_CARD,
    ROOM,
    STATES,
    G,
)

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
def _share(box):
    """A number from 0 to 1, 1 excluded, by lot."""
    return float(word(box, READER)) * (1.0 / 4294967296.0)


@kernel()
def _choose_option(box, tables, weights, i, state):
    """An option of item i in a state, with the odds of the ways it leaves."""
    item = ITEM + ITEM_ROW * i
    first = box[item + I_FIRST]
    options = box[item + I_COUNT]
    if options == 1:
        return first
    states = box[STATES]
    there = (i + 1) * states + state
    r = _share(box) * tables[i * states + state]
    chosen = first
    for o in range(first, first + options):
        ways = tables[weights + o] * tables[there + box[OPTION + OPTION_ROW * o + O_SHIFT]]
        if ways > 0.0:
            chosen = o
            if r < ways:
                break
            r -= ways
    return chosen


@kernel()
def _choose_options(box, tables):
    """An option for every restricted face, into I_CHOSEN. False if the deal is not accepted."""
    groups, counted = box[GROUPS], box[COUNTED]
    items = box[ITEMS]
    weights = box[STATES] * (items + 2)
    for g in range(groups):
        box[G + GROUP_ROW * g + G_LEFT] = box[G + GROUP_ROW * g + G_ROOM]
    state = 0
    for i in range(items):
        o = _choose_option(box, tables, weights, i, state)
        box[ITEM + ITEM_ROW * i + I_CHOSEN] = o
        state += box[OPTION + OPTION_ROW * o + O_SHIFT]
        counts = box[OPTION + OPTION_ROW * o + O_COUNTS]
        g = 0
        while counts:
            box[G + GROUP_ROW * g + G_LEFT] -= counts & 15
            counts >>= 4
            g += 1
    if counted == groups - 1:
        return True
    odds = weights + box[OPTIONS]
    total = 0.0
    free = 0
    for g in range(counted, groups):
        if box[G + GROUP_ROW * g + G_LEFT] < 0:
            return False
        total += tables[odds + g]
        free += box[G + GROUP_ROW * g + G_LEFT]
    chance = 1.0
    n = 0
    for g in range(counted, groups):
        for k in range(box[G + GROUP_ROW * g + G_LEFT]):
            n += 1
            chance *= tables[odds + g] * float(n) / (total * float(k + 1))
    return _share(box) * tables[odds + groups + free] < chance


@kernel()
def accepts(box, tables, tries):
    """Whether any of so many deals would be accepted."""
    for _ in range(tries):
        if _choose_options(box, tables):
            return True
    return False


@kernel()
def draw(box, tables):
    """Deal the unseen cards once: what each place gets is added to its HELD words."""
    while not _choose_options(box, tables):
        box[REJECTED] += 1
    groups = box[GROUPS]
    box[REST] = 0
    for i in range(box[ITEMS]):
        item = ITEM + ITEM_ROW * i
        counts = box[OPTION + OPTION_ROW * box[item + I_CHOSEN] + O_COUNTS]
        bit = box[item + I_BIT]
        g = 0
        while counts:
            n = counts & 15
            if n:
                place = box[G + GROUP_ROW * g + G_PLACE]
                if place >= 0:
                    give(box, place, bit, n)
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
