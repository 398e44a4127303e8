"""Hands of hong-wu-wu-jia at many tables, where who plays how may change from hand to hand (HW-17, HW-18)."""

from __future__ import annotations

from numba import types

from . import view
from ._jit import JIT, arr, arr2, i64, kernel
from .hong_wu_wu_jia import SEAT_COUNT, play_deal
from .memory import pointer

ROLES = 3
_out = types.Array(types.int16, 2, "C")


@kernel(i64(arr2, arr, arr, arr2, arr2, arr2, i64, i64, i64, arr2, arr, arr, arr, arr, arr2, arr, _out))
def play_tables(
    lays,
    known,
    seated,
    kinds,
    weights,
    plan,
    seed,
    first,
    hands,
    minds,
    contract,
    stop,
    faces,
    pub,
    own,
    masks,
    out,
):
    """Play the deals first .. first + len(minds) - 1, ``hands`` of them a table, into the columns of ``out``.

    minds: int64[deals, 5], by seat a row of ``kinds``, the weights of the policies ``known`` (whose last entry is a
    play of all tricks that asks each seat). seated: room for 16 policies, weights: int64[15, width] for their weights.
    A table's first hand has seat 0 as previous banker, a later one the last hand's banker (HW-4, HW-17).
    Returns how many were played; ``stop`` as in ``play_chunk``.
    """
    width = weights.shape[1]
    lays_, weights_, plan_, contract_ = pointer(lays), pointer(weights), pointer(plan), pointer(contract)
    policies_ = pointer(seated) if JIT else seated
    faces_, pub_, own_, masks_ = pointer(faces), pointer(pub), pointer(own), pointer(masks)
    count = minds.shape[0]
    seated[ROLES * SEAT_COUNT] = known[kinds.shape[0]]
    for i in range(count):
        if stop[0] != 0:
            return i
        for seat in range(SEAT_COUNT):
            kind = minds[i, seat]
            if i == 0 or kind != minds[i - 1, seat]:
                for role in range(ROLES):
                    at = ROLES * seat + role
                    seated[at] = known[kind]
                    for k in range(width):
                        weights[at, k] = kinds[kind, k]
        previous = 0 if i % hands == 0 else pub[view.BANKER]
        play_deal(
            lays_, policies_, weights_, width, plan_, seed, first + i, previous, contract_,
            faces_, pub_, own_, masks_, out, i,
        )  # fmt: skip
    return count
