"""Kernels one by one, each in a compiled loop over situations from real deals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import situations
from measure import Beside
from numba import njit
from situations import LEAD_SIZE, MASKS_SIZE, SEATS

from tuolaji.kernels import bits, contain, die_wu_fen, layout, legal, play, rng, shapes, throw, view
from tuolaji.kernels.memory import pointer, shift

SIZE, OWN, TRUMP_ROW = layout.SIZE, view.OWN_SIZE, 3 * SEATS
MASK, MULTI, SPLIT, SUIT, TYPES = layout.MASK, shapes.MULTI, layout.SPLIT, shapes.SUIT, shapes.TYPES
REPEATS = 200

compiled = njit(nogil=True, error_model="numpy")

block, below, shuffle = rng.block, rng.below, rng.shuffle
by_bit, points = layout.by_bit, layout.points
describe, decompose = shapes.describe, shapes.decompose
contains, top_of = contain.contains, contain.top_of
obligations, follow_fault, wins_with = legal.obligations, legal.follow_fault, legal.wins_with
throw_check, size = throw.throw_check, bits.size
put_lead, put_follow, end_trick = play.put_lead, play.put_follow, play.end_trick
score = die_wu_fen.score


@compiled
def loop_block(count):  # type: ignore[no-untyped-def]
    total = 0
    for i in range(count):
        a, b, c, d = block(7, i, 0, 0)
        total += a ^ b ^ c ^ d
    return total


@compiled
def loop_below(count, state):  # type: ignore[no-untyped-def]
    total = 0
    for i in range(count):
        total += below(state, 0, 2 + (i & 63))
    return total


@compiled
def loop_shuffle(count, cards, plan, faces):  # type: ignore[no-untyped-def]
    faces_, plan_ = pointer(faces), pointer(plan)
    for i in range(count):
        shuffle(faces_, cards, plan_, 7, i, 0)
    return faces[0]


@compiled
def loop_by_bit(repeats, tables, trumps, words):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay = shift(tables, trumps[i] * SIZE)
            total += by_bit(words[i, 0], lay) ^ by_bit(words[i, 1], lay)
    return total


@compiled
def loop_points(repeats, tables, trumps, cards):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            total += points(cards[i, 0], cards[i, 1], cards[i, 2], shift(tables, trumps[i] * SIZE))
    return total


@compiled
def loop_describe(repeats, tables, trumps, cards, lead, masks):  # type: ignore[no-untyped-def]
    lead_, masks_ = pointer(lead), pointer(masks)
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay = shift(tables, trumps[i] * SIZE)
            describe(cards[i, 0], cards[i, 1], cards[i, 2], lay, lead_, masks_)
            total += lead_[0]
    return total


@compiled
def loop_decompose(repeats, tables, trumps, leads, hands, lead, masks):  # type: ignore[no-untyped-def]
    types, tops, masks_ = pointer(lead), shift(lead, 40), pointer(masks)
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay = shift(tables, trumps[i] * SIZE)
            suit = leads[i, SUIT]
            m = lay[MASK + suit]
            total += decompose(
                hands[i, 0] & m, hands[i, 1] & m, hands[i, 2] & m, lay, suit, types, tops, masks_
            )
    return total


@compiled
def loop_contains(repeats, tables, trumps, leads, hands):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            suit = lead[SUIT]
            m = lay[MASK + suit]
            types = shift(lead, TYPES)
            total += contains(
                hands[i, 1] & m, hands[i, 2] & m, lay, suit, types, 0, lead[MULTI], lay[SPLIT] != 0
            )
    return total


@compiled
def loop_top_of(repeats, tables, trumps, leads, hands):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            suit = lead[SUIT]
            m = lay[MASK + suit]
            w0, w1, w2 = hands[i, 0] & m, hands[i, 1] & m, hands[i, 2] & m
            total += top_of(w0, w1, w2, lay, suit, lead, TYPES, lead[MULTI], lay[SPLIT] != 0)
    return total


@compiled
def loop_obligations(repeats, tables, trumps, leads, hands, scratch):  # type: ignore[no-untyped-def]
    out = pointer(scratch)
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            m = lay[MASK + lead[SUIT]]
            total += obligations(hands[i, 1] & m, hands[i, 2] & m, lay, lead, out)
    return total


@compiled
def loop_follow_fault(repeats, tables, trumps, leads, hands, plays, scratch):  # type: ignore[no-untyped-def]
    out = pointer(scratch)
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            h, p = shift(hands, 3 * i), shift(plays, 3 * i)
            total += follow_fault(h[0], h[1], h[2], lay, lead, p[0], p[1], p[2], out)
    return total


@compiled
def loop_wins_with(repeats, tables, trumps, leads, plays):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            total += wins_with(plays[i, 0], plays[i, 1], plays[i, 2], lay, lead)
    return total


@compiled
def loop_throw_check(repeats, tables, trumps, leads, masks, hands, leader):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay, lead = shift(tables, trumps[i] * SIZE), shift(leads, i * LEAD_SIZE)
            at = shift(hands, i * TRUMP_ROW)
            total += throw_check(lead, shift(masks, i * MASKS_SIZE), at, 3, leader[i], SEATS, lay)
    return total


@compiled
def loop_put(repeats, follow, tables, trumps, leader, attempts, plays, hands, pub, own, masks):  # type: ignore[no-untyped-def]
    pub_, own_, masks_ = pointer(pub), pointer(own), pointer(masks)
    for _ in range(repeats):
        for i in range(len(trumps)):
            lay = shift(tables, trumps[i] * SIZE)
            for seat in range(SEATS):
                mine, h = shift(own, seat * OWN), shift(hands, i * TRUMP_ROW + 3 * seat)
                mine[0], mine[1], mine[2] = h[0], h[1], h[2]
            pub_[view.TRICK] = 0
            seat = leader[i]
            put_lead(pub_, own_, lay, masks_, seat, attempts[i, 0], attempts[i, 1], attempts[i, 2])
            if follow:
                for _other in range(SEATS - 1):
                    seat = seat + 1 if seat < SEATS - 1 else 0
                    p = shift(plays, i * TRUMP_ROW + 3 * seat)
                    put_follow(pub_, own_, lay, seat, p[0], p[1], p[2])
                end_trick(pub_)
    return pub[view.BEST_SEAT]


@compiled
def loop_score(count, tables, trump, pub, own, out):  # type: ignore[no-untyped-def]
    lay, pub_, own_ = shift(tables, trump * SIZE), pointer(pub), pointer(own)
    for i in range(count):
        score(pub_, own_, lay, out, i)
    return out[0, 0]


def followers(kind: str) -> tuple[Any, ...]:
    """Tables, trumps, leads, hands and plays of the seat after the leader."""
    t = situations.tricks(kind)
    second = (t.leader + 1) % SEATS
    rows = np.arange(len(t))
    hands, plays = np.ascontiguousarray(t.hands[rows, second]), np.ascontiguousarray(t.plays[rows, second])
    return situations.tables(), t.trumps, t.leads, hands, plays


def test_philox_block(beside: Beside) -> None:
    beside(loop_block, 100_000, calls=100_000)


def test_bounded_draw(beside: Beside) -> None:
    state = np.zeros(rng.RNG_SIZE, np.int64)
    beside(loop_below, 100_000, state, calls=100_000)


@pytest.mark.parametrize("cards", [108, 162])
def test_shuffle(beside: Beside, cards: int) -> None:
    beside(loop_shuffle, 20_000, cards, rng.shuffle_plan(cards), np.arange(cards) % 54, calls=20_000)


def test_hand_by_bit(beside: Beside) -> None:
    tables, trumps, _, hands, _ = followers("single")
    beside(loop_by_bit, REPEATS, tables, trumps, hands, calls=REPEATS * len(trumps))


def test_points(beside: Beside) -> None:
    tables, trumps, _, _, plays = followers("many")
    beside(loop_points, REPEATS, tables, trumps, plays, calls=REPEATS * len(trumps))


@pytest.mark.parametrize("kind", ["single", "many", "throw"])
def test_describe(beside: Beside, kind: str) -> None:
    t = situations.tricks(kind)
    lead, masks = np.zeros(LEAD_SIZE, np.int64), np.zeros(MASKS_SIZE, np.int64)
    beside(
        loop_describe, REPEATS, situations.tables(), t.trumps, t.attempts, lead, masks, calls=REPEATS * len(t)
    )


def test_decompose_a_whole_suit(beside: Beside) -> None:
    tables, trumps, leads, hands, _ = followers("single")
    lead, masks = np.zeros(80, np.int64), np.zeros(MASKS_SIZE, np.int64)
    beside(loop_decompose, REPEATS, tables, trumps, leads, hands, lead, masks, calls=REPEATS * len(trumps))


@pytest.mark.parametrize("kind", ["many", "throw"])
def test_contains(beside: Beside, kind: str) -> None:
    tables, trumps, leads, hands, _ = followers(kind)
    beside(loop_contains, REPEATS, tables, trumps, leads, hands, calls=REPEATS * len(trumps))


@pytest.mark.parametrize("kind", ["single", "many", "throw"])
def test_top_of(beside: Beside, kind: str) -> None:
    tables, trumps, leads, hands, _ = followers(kind)
    beside(loop_top_of, REPEATS, tables, trumps, leads, hands, calls=REPEATS * len(trumps))


@pytest.mark.parametrize("kind", ["many", "throw"])
def test_obligations(beside: Beside, kind: str) -> None:
    tables, trumps, leads, hands, _ = followers(kind)
    scratch = np.zeros(shapes.MAX_COMPONENTS, np.int64)
    beside(loop_obligations, REPEATS, tables, trumps, leads, hands, scratch, calls=REPEATS * len(trumps))


@pytest.mark.parametrize("kind", ["single", "many", "throw"])
def test_follow_fault(beside: Beside, kind: str) -> None:
    tables, trumps, leads, hands, plays = followers(kind)
    scratch = np.zeros(shapes.MAX_COMPONENTS, np.int64)
    beside(
        loop_follow_fault, REPEATS, tables, trumps, leads, hands, plays, scratch, calls=REPEATS * len(trumps)
    )


@pytest.mark.parametrize("kind", ["single", "many", "throw"])
def test_wins_with(beside: Beside, kind: str) -> None:
    tables, trumps, leads, _, plays = followers(kind)
    beside(loop_wins_with, REPEATS, tables, trumps, leads, plays, calls=REPEATS * len(trumps))


def test_throw_check(beside: Beside) -> None:
    t = situations.tricks("throw")
    leads, masks = np.zeros((len(t), LEAD_SIZE), np.int64), np.zeros((len(t), MASKS_SIZE), np.int64)
    for i, cards in enumerate(t.attempts):  # what was meant, before the check took cards back
        shapes.describe(*map(int, cards), situations.tables()[t.trumps[i]], leads[i], masks[i])
    args = (situations.tables(), t.trumps, leads, masks, t.hands, t.leader)
    beside(loop_throw_check, REPEATS, *args, calls=REPEATS * len(t))


@pytest.mark.parametrize("kind", ["single", "many", "throw"])
@pytest.mark.parametrize("follow", [False, True], ids=["put_lead", "whole_trick"])
def test_put(beside: Beside, kind: str, follow: bool) -> None:
    t = situations.tricks(kind)
    _, pub, own, masks = die_wu_fen.working_memory()
    args = (situations.tables(), t.trumps, t.leader, t.attempts, t.plays, t.hands, pub, own, masks)
    beside(loop_put, REPEATS, follow, *args, calls=REPEATS * len(t), per="trick" if follow else "call")


def test_score(beside: Beside) -> None:
    trace = situations.engine("greedy").trace(0)
    out = np.zeros((len(die_wu_fen.COLUMNS), 10_000), np.int16)
    args = (situations.tables(), trace.row["trump"], trace.pub, trace.own, out)
    beside(loop_score, 10_000, *args, calls=10_000, per="deal")
