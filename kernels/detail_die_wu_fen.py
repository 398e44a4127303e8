"""Deals of die-wu-fen with all tricks and plays."""

from __future__ import annotations

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .detail import ends_type, keep, text_type, tricks_type
from .die_wu_fen import SEAT_COUNT, _out, play_deal
from .memory import pointer, shift


@kernel(
    i64(
        arr2, arr, arr2, arr2, i64, i64, i64, i64, arr, arr, arr, arr, arr2, arr, _out,
        arr2, i64, tricks_type, text_type, ends_type,
    )
)  # fmt: skip
def play_in_full(
    lays, policies, weights, plan, seed, first, count, session, contract, stop, faces, pub, own, masks, out,
    names, plays, tricks, text, ends,
):  # fmt: skip
    """As ``die_wu_fen.play_chunk``, and ``detail.keep`` of each deal. names: int64[4, detail.LETTERS], by trump."""
    banker = -1
    width = weights.shape[1]
    lays_, weights_, plan_, contract_ = pointer(lays), pointer(weights), pointer(plan), pointer(contract)
    policies_ = pointer(policies) if JIT else policies
    faces_, pub_, own_, masks_ = pointer(faces), pointer(pub), pointer(own), pointer(masks)
    names_ = pointer(names)
    at, end = 0, 0
    for i in range(count):
        if stop[0] != 0:
            return i
        if i % session == 0:
            banker = -1
        play_deal(
            lays_, policies_, weights_, width, plan_, seed, first + i, banker, contract_,
            faces_, pub_, own_, masks_, out, i,
        )  # fmt: skip
        banker = pub[view.BANKER]
        mine = shift(names_, pub[view.TRUMP_CARD] * names.shape[1])
        end = keep(pub_, mine, SEAT_COUNT, plays, tricks, at, text, ends, end)
        at += pub[view.TRICK]
    return count
