"""The deal of hong-wu-wu-jia up to a stage, as `hong_wu_wu_jia.play_deal` does it, for stages.py."""

from __future__ import annotations

from numba import njit
from stages_table import again

from tuolaji.kernels import hong_wu_wu_jia, layout, rng, view
from tuolaji.kernels.memory import play_out, pointer, shift
from tuolaji.kernels.play import start_play

SEATS, CARDS, OWN, SIZE = hong_wu_wu_jia.SEAT_COUNT, hong_wu_wu_jia.CARDS, view.OWN_SIZE, layout.SIZE
CLEAR, SHUFFLE, REVEAL, DEAL, BURY, PLAY, AGAIN, SCORE = range(8)
STAGES = {
    CLEAR: "clear memory, seats by lot",
    SHUFFLE: "shuffle (Philox, batched draws)",
    REVEAL: "deal until a 2 is revealed",
    DEAL: "all 155 cards into hands, by layout bit",
    BURY: "bury and name",
    PLAY: "play",
    AGAIN: "of it, the table: put cards, check throws, find winners",
    SCORE: "scoring into columns",
}

clear, bury_and_name, score, press = (
    hong_wu_wu_jia.clear,
    hong_wu_wu_jia.bury_and_name,
    hong_wu_wu_jia.score,
    hong_wu_wu_jia.press,
)
_reveal, deal_all, _lot = hong_wu_wu_jia._reveal, hong_wu_wu_jia.deal_all, rng.LOT
shuffle, rng_start, below = rng.shuffle, rng.rng_start, rng.below


@njit(nogil=True, error_model="numpy")
def up_to(stage, lays, policies, weights, plan, first, count, faces, pub, own, masks, saved, out):  # type: ignore[no-untyped-def]
    """Deals ``first`` .. ``first + count - 1`` up to a stage."""
    width = weights.shape[1]
    lays, policies, weights, plan = pointer(lays), pointer(policies), pointer(weights), pointer(plan)
    faces, pub, own, masks, saved = pointer(faces), pointer(pub), pointer(own), pointer(masks), pointer(saved)
    lots = shift(own, SEATS * OWN)
    for i in range(count):
        deal = first + i
        clear(pub, own, 7, deal)
        rng_start(lots, view.RNG, 7, deal, _lot)
        pub[view.FIRST] = below(lots, view.RNG, SEATS)
        pub[view.PREVIOUS] = below(lots, view.RNG, SEATS)
        for k in range(54):
            faces[k] = k
            faces[54 + k] = k
            faces[108 + k] = k
        if stage < SHUFFLE:
            continue
        shuffle(faces, CARDS, plan, 7, deal, 0)
        if stage < REVEAL:
            continue
        if not _reveal(pub, own, lays, faces, policies, weights, width):
            press(pub, faces, lots)
        if stage < DEAL:
            continue
        lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
        deal_all(own, lay, faces)
        if stage < BURY:
            continue
        bury_and_name(pub, own, lay, faces, policies, weights, width, -1)
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
