"""Worlds: complete deals of the cards a seat has not seen, consistent with all that it can know for certain.

A world is uniform among all ways to deal the unseen physical cards to the places they can be at (hands, the bottom) so
that every fact holds: ``facts`` says which facts there are, ``ways`` counts and deals. What is no hard fact is not
used: that the banker chose what it buried, that seats call, bid, lead and follow for a reason.

    tables = prepare(what, pub, own, lay, box, BUDGET)
    for _ in range(n):
        draw(what, pub, own, lay, box, tables, world)

Nothing but ``pub`` and the seat's own row is looked at, and the random numbers come from a stream of the seat's own
(rng.WORLDS + seat) at a place fixed by the decision: the same knowledge gives the same worlds.
"""

from __future__ import annotations

import numpy as np

from . import facts, view, ways, ways_count, ways_draw
from ._jit import kernel
from .bits import add, remove, size
from .fits import fits
from .layout import DIE_WU_FEN, GAME, PACKS, SEATS
from .memory import shift
from .rng import ATTEMPT, WORLDS, rng_start
from .shapes import N

# Working memory of a decision, int64[SIZE].
FACTS = ways.SIZE
AT = FACTS + facts.SIZE  # what each place is: a seat, BOTTOM or COMING
HANDS = AT + ways.MAX_PLACES  # 3 words a seat (five of them), then of BOTTOM and COMING
LOOSENED = (
    HANDS + 3 * 7
)  # 0; 1, 2: facts contradicted each other, so counts above none, or all counts, were dropped
MISSED = LOOSENED + 1  # worlds handed out that do not pass the checks, since none of TRIES deals did
TRIED = MISSED + 1  # deals drawn in all
SIZE = TRIED + 1

BOTTOM, COMING = 5, 6  # the bottom, the cards the seat will still get (while calls are to come)
TRIES = 2_000
BUDGET = 5_000  # numbers in the tables of ways: more take longer to make, fewer deals are rejected
_MOST = 2_000_000  # the same when of _TRIALS deals none is accepted
_TRIALS = 100

# A world, int64[seats * OWN_SIZE + 6]: rows as in ``own``, then the bottom, then the seat's own cards still to come.
EXTRA = 6
_ALL = (1 << 54) - 1


@kernel()
def decision_number(what, pub, own):
    """A number below 256, different for all decisions a seat takes in one deal."""
    if what == view.LEAD or what == view.FOLLOW:
        return 192 + pub[view.TRICK]
    if what == view.BID_TURN:
        return 128 + pub[view.BIDS]
    if what == view.BURY:
        return 190
    if what == view.NAME:
        return 191
    return own[view.CARDS] + (64 if what == view.COUNTER else 0)


@kernel()
def _start_reader(what, pub, own, box):
    """The random numbers of this decision: 2**24 words of the seat's stream of worlds."""
    stream = WORLDS + own[view.SEAT] + ATTEMPT * pub[view.ATTEMPT_NO] + pub[view.REPLICA]
    rng_start(box, ways.READER, own[view.RNG], own[view.RNG + 1], stream)
    box[ways.READER + 3] = decision_number(what, pub, own) << 24


@kernel()
def _add_place(box, at, cards, level):
    """A place with so many cards, those known to be there included; returns the room left by them."""
    p = box[ways.PLACES]
    box[ways.PLACES] += 1
    box[AT + p] = at
    row = ways.PLACE + ways.PLACE_ROW * p
    bars = shift(box, row + ways.BARS)
    for k in range(4):
        bars[k] = 0
    if at < BOTTOM:
        known = FACTS + facts.ROW * at + facts.KNOWN
        barred = FACTS + facts.ROW * at + facts.BARRED
        cards -= size(box[known], box[known + 1], box[known + 2])
        if level < 2 and cards > 0:
            for k in range(4):
                bars[k] = box[barred + k]
            facts.lessen(bars, box[known], box[known + 1], box[known + 2])
            if level == 1:
                bars[0], bars[2], bars[3] = 0, bars[1], bars[1]
    box[row + ways.ROOM] = cards
    return cards


@kernel()
def _unseen(what, pub, own, lay, box):
    """The cards that lie the seat knows not where, into FACES; returns how many cards it has not seen."""
    w0, w1, w2 = own[0], own[1], own[2]
    playing = what == view.LEAD or what == view.FOLLOW
    if playing or what == view.NAME:
        w0, w1, w2 = add(w0, w1, w2, own[view.BURIED], own[view.BURIED + 1], own[view.BURIED + 2])
    if playing:
        s = view.SEEN
        w0, w1, w2 = add(w0, w1, w2, pub[s], pub[s + 1], pub[s + 2])
    if lay[PACKS] == 2:
        u0, u1, u2 = _ALL & ~w1, _ALL & ~w0, 0
    else:
        u0, u1, u2 = _ALL & ~w2, _ALL & ~w1, _ALL & ~w0
    total = size(u0, u1, u2)
    for seat in range(lay[SEATS]):
        if seat != own[view.SEAT]:
            row = FACTS + facts.ROW * seat
            u0, u1, u2 = remove(u0, u1, u2, box[row], box[row + 1], box[row + 2])
    box[ways.FACES], box[ways.FACES + 1], box[ways.FACES + 2] = u0, u1, u2
    return total


@kernel()
def _places(what, pub, own, lay, box, unseen, level):
    """The places the unseen cards are dealt to."""
    seats = lay[SEATS]
    me = own[view.SEAT]
    playing = what == view.LEAD or what == view.FOLLOW
    early = what == view.CALL or what == view.COUNTER or what == view.REVEAL
    hand = 33 if lay[GAME] == DIE_WU_FEN else 31
    box[ways.PLACES] = 0
    box[ways.PINNED], box[ways.PINNED + 1] = 0, 0
    for seat in range(seats):
        if seat == me:
            continue
        cards = hand
        if playing:
            turn = seat - pub[view.LEADER] if seat >= pub[view.LEADER] else seat - pub[view.LEADER] + seats
            cards = pub[view.LEFT] - (pub[N] if turn < pub[view.POSITION] else 0)
        if playing and seat == pub[view.BANKER]:
            box[ways.PIN_A] = box[ways.PLACES]
            box[ways.PINNED] = box[FACTS + facts.SHOWN]
            box[ways.PINNED + 1] = box[FACTS + facts.SHOWN + 1]
        unseen -= cards
        _add_place(box, seat, cards, level)
    if early:
        coming = hand - own[view.CARDS]
        unseen -= coming
        if coming > 0:
            _add_place(box, COMING, coming, level)
    if unseen > 0:
        box[ways.PIN_B] = box[ways.PLACES]
        _add_place(box, BOTTOM, unseen, level)


@kernel()
def prepare(what, pub, own, lay, box, budget):
    """Make ready to draw worlds for a decision ``what`` of the seat whose row is ``own``; returns the tables of ways.

    ``box``: int64[SIZE], working memory; ``budget``: ``BUDGET``.
    """
    _start_reader(what, pub, own, box)
    facts.gather(what, pub, own, lay, shift(box, FACTS))
    unseen = _unseen(what, pub, own, lay, box)
    box[MISSED], box[TRIED] = 0, 0
    box[LOOSENED] = 0
    while True:
        _places(what, pub, own, lay, box, unseen, box[LOOSENED])
        tables = np.empty(ways.lay_out(box, lay[PACKS], budget), np.float64)
        if ways_count.count(box, tables) > 0.0 or box[LOOSENED] == 2:
            if budget >= _MOST or ways_draw.accepts(box, tables, _TRIALS):
                return tables
            budget *= 8
        else:
            box[LOOSENED] += 1


@kernel()
def _deal(own, lay, box, tables):
    """One deal of the unseen cards into HANDS."""
    places = box[ways.PLACES]
    for p in range(places):
        row = ways.PLACE + ways.PLACE_ROW * p + ways.HELD
        seat = box[AT + p]
        for k in range(3):
            box[row + k] = box[FACTS + facts.ROW * seat + k] if seat < BOTTOM else 0
    ways_draw.draw(box, tables)
    for k in range(3 * 7):
        box[HANDS + k] = 0
    for k in range(3):
        box[HANDS + 3 * own[view.SEAT] + k] = own[k]
    for p in range(places):
        row = ways.PLACE + ways.PLACE_ROW * p + ways.HELD
        for k in range(3):
            box[HANDS + 3 * box[AT + p] + k] = box[row + k]


@kernel()
def draw(what, pub, own, lay, box, tables, world):
    """Draw a world: HAND, BURIED and SEAT of each seat's row, the bottom and the cards to come behind them.

    ``world``: int64[seats * OWN_SIZE + EXTRA]. While calls are to come cards are by face number.
    """
    tries = 0
    hands = shift(box, HANDS)
    while True:
        _deal(own, lay, box, tables)
        tries += 1
        if fits(pub, lay, shift(box, FACTS), hands):
            break
        if tries == TRIES:
            box[MISSED] += 1
            break
    box[TRIED] += tries
    seats = lay[SEATS]
    me = own[view.SEAT]
    playing = what == view.LEAD or what == view.FOLLOW
    for seat in range(seats):
        row = seat * view.OWN_SIZE
        world[row + view.SEAT] = seat
        for k in range(3):
            world[row + k] = hands[3 * seat + k]
            world[row + view.BURIED + k] = 0
    for k in range(EXTRA):
        world[seats * view.OWN_SIZE + k] = hands[3 * BOTTOM + k]
    if playing or what == view.NAME:
        banker = pub[view.BANKER]
        for k in range(3):
            if me == banker:
                world[seats * view.OWN_SIZE + k] = own[view.BURIED + k]
            world[banker * view.OWN_SIZE + view.BURIED + k] = world[seats * view.OWN_SIZE + k]
