"""Dealing unseen cards to places uniformly among all ways that keep what is known, exactly.

Physical cards are distinguishable: a way gives each unseen card a place (a seat's hand, the bottom) so that every
place gets its number of cards, and every world stands for as many ways as there are to deal its cards.

Faces that may go anywhere need no counting. Places at which nothing is barred are merged into one (their cards are
dealt out among them at the end); the groups so made are the places below. The other, *restricted* faces are taken one
after the other: ``tables`` holds, for each of them and each state (how many cards the groups have been given so far),
in how many ways the rest can go. Drawing a world then is one choice a face with the right odds, and a shuffle of the
free cards.

With five seats the states may be too many. Then only the first groups, those with the least room, are *counted*, and
the others, the *tail*, get their cards with odds lambda of a group, as if they had no fixed room. What they have
room left for is multinomial in the right proportion: such a deal is accepted with the chance

    multinomial(room left; lambda) / the largest there is for as many cards

and else dealt again. That is exact for any lambda, which only decides how often a deal is accepted; it is fitted so
that each group gets its room in the mean. With all groups but one counted nothing is rejected.

The numbers of ways are IEEE doubles, added and multiplied in a fixed order: the same on every machine, the odds exact
to about 1e-9 (a draw has 32 bits).
"""

from __future__ import annotations

from ._jit import kernel
from .bits import lowest
from .rng import RNG_SIZE

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
GROUPS = PLACE + PLACE_ROW * MAX_PLACES  # number of groups; how many of them are counted; then a row each
COUNTED = GROUPS + 1
G = COUNTED + 1
G_ROOM, G_MOST, G_STRIDE, G_PLACE, G_LEFT = 0, 1, 2, 3, 4  # G_PLACE: -1 when it is several places
GROUP_ROW = 5
ITEMS = G + GROUP_ROW * MAX_PLACES  # number of restricted faces, then a row each
ITEM = ITEMS + 1
I_BIT, I_COPIES, I_FIRST, I_COUNT, I_CHOSEN = 0, 1, 2, 3, 4
ITEM_ROW = 5
OPTIONS = ITEM + ITEM_ROW * 54  # number of options, then a row each
OPTION = OPTIONS + 1
O_SHIFT, O_COUNTS, O_WEIGHT = 0, 1, 2  # change of the state, 4 bits a group, ways
OPTION_ROW = 3
FREE = OPTION + OPTION_ROW * 54 * _MOST_OPTIONS  # number of free cards, then their bits
CARD = FREE + 1
REST = CARD + 162  # number of cards for the last group, then their bits
REST_CARD = REST + 1
STATES = REST_CARD + 162  # states of one table row
REJECTED = STATES + 1  # deals that were not accepted, in all
SIZE = REJECTED + 1
# ``tables``: a row of STATES for each item, one behind the last, one with the states within reach; then the weight of
# each option, lambda of each group, the largest multinomial chance for each number of free cards, what so many weigh.


@kernel()
def _restricted(box, place):
    """The faces barred in some number at a place."""
    at = PLACE + PLACE_ROW * place + BARS
    one = (box[at] | box[at + 1]) & box[FACES]
    return one | (box[at + 2] & box[FACES + 1]) | (box[at + 3] & box[FACES + 2])


@kernel()
def _group(box):
    """Merge the places at which nothing is barred; returns the restricted faces.

    Groups come by their room, the least first, the merged places last.
    """
    places = box[PLACES]
    faces = box[PINNED]
    groups, merged, alone, room = 0, 0, 0, 0
    for p in range(places):
        limits = _restricted(box, p)
        faces |= limits
        at = PLACE + PLACE_ROW * p
        if limits or (box[PINNED] and (p == box[PIN_A] or p == box[PIN_B])):
            g = groups
            while g > 0 and box[G + GROUP_ROW * (g - 1) + G_ROOM] > box[at + ROOM]:
                row = G + GROUP_ROW * g
                box[row + G_ROOM], box[row + G_PLACE] = (
                    box[row - GROUP_ROW + G_ROOM],
                    box[row - GROUP_ROW + G_PLACE],
                )
                g -= 1
            box[G + GROUP_ROW * g + G_ROOM], box[G + GROUP_ROW * g + G_PLACE] = box[at + ROOM], p
            groups += 1
        else:
            box[at + GROUP] = -1
            merged += 1
            alone = p
            room += box[at + ROOM]
    for g in range(groups):
        box[PLACE + PLACE_ROW * box[G + GROUP_ROW * g + G_PLACE] + GROUP] = g
    if merged:
        for p in range(places):
            if box[PLACE + PLACE_ROW * p + GROUP] < 0:
                box[PLACE + PLACE_ROW * p + GROUP] = groups
        g = G + GROUP_ROW * groups
        box[g + G_ROOM], box[g + G_PLACE] = room, alone if merged == 1 else -1
        groups += 1
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
def lay_out(box, packs, budget):
    """Groups, restricted faces, options and the shape of the tables; returns how many numbers these hold.

    ``budget``: how many numbers the rows may hold.
    """
    faces = _group(box)
    _list_items(box, faces)
    rows = box[ITEMS] + 2
    groups = box[GROUPS]
    states, counted = 1, 0
    for g in range(groups - 1):
        row = G + GROUP_ROW * g
        box[row + G_MOST] = min(box[row + G_MOST], box[row + G_ROOM])
        more = box[row + G_MOST] + 1 + packs  # the last ``packs`` numbers are out of reach: no ways
        if states * more * rows > budget:
            break
        box[row + G_STRIDE] = states
        states *= more
        counted += 1
    for o in range(box[OPTIONS]):
        at = OPTION + OPTION_ROW * o
        move = 0
        for g in range(counted):
            move += ((box[at + O_COUNTS] >> (4 * g)) & 15) * box[G + GROUP_ROW * g + G_STRIDE]
        box[at + O_SHIFT] = move
    box[STATES], box[COUNTED] = states, counted
    return states * rows + box[OPTIONS] + groups + 2 * (box[FREE] + 1)
