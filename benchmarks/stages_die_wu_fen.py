"""The deal of die-wu-fen up to a stage, as `die_wu_fen.play_deal` does it, for stages.py."""

from __future__ import annotations

from numba import njit
from stages_table import again

from tuolaji.kernels import die_wu_fen, layout, rng, view
from tuolaji.kernels.memory import play_out, pointer, shift
from tuolaji.kernels.play import start_play

SEATS, CARDS, OWN, SIZE = die_wu_fen.SEAT_COUNT, die_wu_fen.CARDS, view.OWN_SIZE, layout.SIZE
CLEAR, SHUFFLE, DEAL, CALL, SORT, AUCTION, BURY, PLAY, AGAIN, SCORE = range(10)
STAGES = {
    CLEAR: "clear memory, first seat by lot",
    SHUFFLE: "shuffle (Philox, batched draws)",
    DEAL: "deal: 99 cards into hands",
    CALL: "calls and counters",
    SORT: "hands by layout bit",
    AUCTION: "auction",
    BURY: "bury",
    PLAY: "play",
    AGAIN: "of it, the table: put cards, check throws, find winners",
    SCORE: "scoring into columns",
}

clear, first_by_lot, bury, score = (
    die_wu_fen.clear,
    die_wu_fen.first_by_lot,
    die_wu_fen.bury,
    die_wu_fen.score,
)
_deal_and_call, _auction = die_wu_fen._deal_and_call, die_wu_fen.auction
shuffle, by_bit = rng.shuffle, layout.by_bit


@njit(nogil=True, error_model="numpy")
def up_to(stage, lays, policies, weights, plan, first, count, faces, pub, own, masks, saved, out):  # type: ignore[no-untyped-def]
    """Deals ``first`` .. ``first + count - 1`` up to a stage."""
    width = weights.shape[1]
    lays, policies, weights, plan = pointer(lays), pointer(policies), pointer(weights), pointer(plan)
    faces, pub, own, masks, saved = pointer(faces), pointer(pub), pointer(own), pointer(masks), pointer(saved)
    for i in range(count):
        deal = first + i
        pub[view.FIRST] = first_by_lot(own, 7, deal)
        attempt = 0
        while True:
            clear(pub, own, 7, deal, attempt)
            for k in range(CARDS):
                faces[k] = k if k < 54 else k - 54
            if stage >= SHUFFLE:
                shuffle(faces, CARDS, plan, 7, deal, attempt)
            if stage < DEAL or _deal_and_call(pub, own, lays, faces, policies, weights, width, stage >= CALL):
                break
            attempt += 1
        if stage < SORT:
            continue
        lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
        for seat in range(SEATS):
            mine = shift(own, seat * OWN)
            mine[0], mine[1] = by_bit(mine[0], lay), by_bit(mine[1], lay)
        if stage < AUCTION:
            continue
        _auction(pub, own, lay, policies, weights, width)
        if stage < BURY:
            continue
        bury(pub, own, lay, faces, policies, weights, width)
        if stage < PLAY:
            continue
        for seat in range(SEATS):
            for k in range(3):
                saved[3 * seat + k] = own[seat * OWN + k]
        start_play(pub, own, lay)
        play_out(policies, 3 * SEATS, pub, own, lay, masks, policies, weights, width)
        if stage == AGAIN:
            again(pub, own, lay, masks, saved, SEATS)
        if stage == SCORE:
            score(pub, own, lay, out, i)
    return pub[view.BANKER]
