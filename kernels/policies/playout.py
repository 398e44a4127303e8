"""The heart of ``search``: every candidate is played out by ``expert`` in the same worlds, and the best mean wins.

A world is a deal of the unseen cards that agrees with all the seat knows (``worlds``). Budgets are in worlds, never in
time, and random numbers come from the seat's own streams, so the same knowledge gives the same decision.

A search policy's vector of weights begins with the numbers below; then come the addresses of the kernels it asks, a
table that sim makes for each process, and the weights of ``expert``.
"""

from __future__ import annotations

import numpy as np

from .. import view, worlds
from .._jit import kernel
from ..bits import remove
from ..layout import GAME, HONG_WU_WU_JIA, MASK, SEATS
from ..memory import ask, play_out, pointer, shift
from ..notice import notice
from ..play import put_follow, put_lead, start_play
from ..shapes import SUIT, N
from .candidates import MOST

# Weights: worlds a decision; what is averaged (POINTS or PAYOFF); how many standard errors, in hundredths, another
# candidate must be ahead of what expert does; the kinds of decisions that are searched, the others being expert's.
WORLDS, BY, MARGIN, ONLY = 0, 1, 2, 3
POINTS, PAYOFF = 0, 1
TABLE = 4  # addresses: expert for each seat and role (up to 15), its play, then WORTH, GREEDY, RANDOM
PLAY, WORTH, GREEDY, RANDOM = 15, 16, 17, 18
GREEDY_WEIGHTS = TABLE + 20  # 16 words
HEAD = GREEDY_WEIGHTS + 16  # weights of expert from here on

# Kinds of decisions; a lead is early while a player has more than HALF cards left.
BID, BURY, NAME, LEAD_EARLY, LEAD_LATE, FOLLOW_SINGLE, FOLLOW_MANY, VOID = (1 << k for k in range(8))
HALF = 16

LOOKS = 8  # candidates far behind are dropped after so many worlds, and whenever these have doubled
_FAR = 3.0  # standard errors of the paired difference


@kernel()
def kind_of(what, pub, own, lay):
    """The kind of a decision; 0 for those that no search weighs."""
    if what == view.BID_TURN:
        return BID
    if what == view.BURY:
        return BURY
    if what == view.NAME:
        return NAME
    if what == view.LEAD:
        return LEAD_EARLY if pub[view.LEFT] > HALF else LEAD_LATE
    if what == view.FOLLOW:
        if own[0] & lay[MASK + pub[SUIT]] == 0:
            return VOID
        return FOLLOW_SINGLE if pub[N] == 1 else FOLLOW_MANY
    return 0


@kernel()
def set_up(pub, lay, world, table, hands):
    """The table and all hands as they are in a world, for one play-out."""
    for k in range(view.HISTORY):
        table[k] = pub[k]
    table[view.LOG] = 0
    seats = lay[SEATS]
    for seat in range(seats):
        row = seat * view.OWN_SIZE
        for k in range(view.SEAT + 1):
            hands[row + k] = world[row + k]
        for k in range(view.MEMORY_SIZE):
            hands[row + view.MEMORY + k] = 0
    hands[seats * view.OWN_SIZE + view.DIRECT] = 0


@kernel()
def _apply(what, me, lay, table, hands, masks, p0, p1, p2):
    """Take the candidate; the play then stands where ``expert`` goes on."""
    row = me * view.OWN_SIZE
    if what == view.BURY:
        hands[row], hands[row + 1], hands[row + 2] = remove(
            hands[row], hands[row + 1], hands[row + 2], p0, p1, p2
        )
        hands[row + view.BURIED], hands[row + view.BURIED + 1], hands[row + view.BURIED + 2] = p0, p1, p2
        return
    if what == view.NAME:
        table[view.NAMED] = p0
        return
    if what == view.LEAD:
        put_lead(table, hands, lay, masks, me, p0, p1, p2)
    else:
        put_follow(table, hands, lay, me, p0, p1, p2)
    if lay[GAME] == HONG_WU_WU_JIA:
        notice(table, hands, lay, me)


@kernel()
def _behind(values, most, a, b, n):
    """How many standard errors candidate b is behind a over the first n worlds, and by how much in all."""
    total, squares = 0.0, 0.0
    for w in range(n):
        d = float(values[a * most + w] - values[b * most + w])
        total += d
        squares += d * d
    spread = squares - total * total / n
    if spread <= 0.0:
        return (1e9 if total > 0.0 else 0.0), total
    return total / np.sqrt(spread * n / (n - 1)), total


@kernel()
def leader(sums, alive, n):
    """The candidate with the highest sum, of equal ones the first."""
    best = -1
    for c in range(n):
        if alive[c] and (best < 0 or sums[c] > sums[best]):
            best = c
    return best


@kernel()
def drop(values, most, sums, alive, n, done):
    """Drop the candidates that are far behind the leader; returns how many are left."""
    best = leader(sums, alive, n)
    left = 0
    for c in range(n):
        if alive[c] and c != best:
            far, _total = _behind(values, most, best, c, done)
            if far > _FAR:
                alive[c] = 0
        left += alive[c]
    return left


@kernel()
def pick(values, most, sums, alive, n, done, margin):
    """The leader, unless it is not ``margin`` (in hundredths of a standard error) ahead of candidate 0."""
    best = leader(sums, alive, n)
    if best > 0 and alive[0]:
        ahead, _total = _behind(values, most, best, 0, done)
        if ahead * 100.0 < margin:
            best = 0
    return best


@kernel()
def best_of(what, pub, own, lay, weights, experts, cands, n):
    """The index of the candidate with the best mean over the worlds; of equal ones the first.

    ``what``: BURY, NAME (a candidate's first word is then the bit of the face), LEAD or FOLLOW. Candidate 0 is what
    ``expert`` does; another one must be MARGIN ahead of it. ``own``: the seat's row alone.
    """
    most = weights[WORLDS]
    me = own[view.SEAT]
    seats = lay[SEATS]
    box_ = np.zeros(worlds.SIZE, np.int64)
    box = pointer(box_)
    tables = worlds.prepare(what, pub, own, lay, box, worlds.BUDGET)
    world_ = np.zeros(seats * view.OWN_SIZE + worlds.EXTRA, np.int64)
    table_ = np.zeros(view.PUB_SIZE, np.int64)
    hands_ = np.zeros((seats + 1) * view.OWN_SIZE, np.int64)
    masks_ = np.zeros(108, np.int64)
    world, table, hands, masks = pointer(world_), pointer(table_), pointer(hands_), pointer(masks_)
    values = np.zeros(MOST * most, np.int64)
    sums = np.zeros(MOST, np.int64)
    alive = np.ones(MOST, np.int64)
    mine = shift(weights, HEAD)
    look = LOOKS
    done = 0
    for w in range(most):
        worlds.draw(what, pub, own, lay, box, tables, world)
        for c in range(n):
            if not alive[c]:
                continue
            set_up(pub, lay, world, table, hands)
            if what == view.BURY or what == view.NAME:
                _apply(what, me, lay, table, hands, masks, cands[3 * c], cands[3 * c + 1], cands[3 * c + 2])
                if what == view.BURY and lay[GAME] == HONG_WU_WU_JIA:
                    row = shift(hands, me * view.OWN_SIZE)
                    table[view.NAMED] = ask(
                        experts, 3 * me + view.ROLE_BANKER, view.NAME, table, row, lay, mine
                    )
                start_play(table, hands, lay)
            else:
                _apply(what, me, lay, table, hands, masks, cands[3 * c], cands[3 * c + 1], cands[3 * c + 2])
            play_out(experts, PLAY, table, hands, lay, masks, experts, mine, 0)
            value = ask(experts, WORTH, me, table, hands, lay, weights)
            values[c * most + w] = value
            sums[c] += value
        done = w + 1
        if done == look and done < most:
            look *= 2
            if drop(values, most, sums, alive, n, done) == 1:
                break
    best = pick(values, most, sums, alive, n, done, weights[MARGIN])
    # the arrays behind the pointers live to the end
    keep = box_[0] + world_[0] + table_[0] + hands_[0] + masks_[0]
    return best + (keep - keep)
