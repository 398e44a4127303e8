"""Counting ways (``ways``): the tables that worlds are drawn from."""

from __future__ import annotations

import math

import numpy as np

from ._jit import kernel
from .ways import (
    COUNTED,
    FREE,
    G_LEFT,
    G_MOST,
    G_ROOM,
    G_STRIDE,
    GROUP_ROW,
    GROUPS,
    I_COUNT,
    I_FIRST,
    ITEM,
    ITEM_ROW,
    ITEMS,
    MAX_PLACES,
    O_COUNTS,
    O_SHIFT,
    O_WEIGHT,
    OPTION,
    OPTION_ROW,
    OPTIONS,
    REJECTED,
    STATES,
    G,
)

_FITTING = 12  # rounds of fitting lambda
_INVERSE = np.array([1.0 / math.factorial(n) for n in range(163)])


@kernel()
def _weigh(box, tables, weights, odds, counted):
    """Weight each option by its ways and by the odds of the groups from ``counted`` on."""
    for o in range(box[OPTIONS]):
        at = OPTION + OPTION_ROW * o
        counts = box[at + O_COUNTS] >> (4 * counted)
        weight = float(box[at + O_WEIGHT])
        g = counted
        while counts:
            for _ in range(counts & 15):
                weight *= tables[odds + g]
            counts >>= 4
            g += 1
        tables[weights + o] = weight


@kernel()
def _fit(box, tables, weights, odds):
    """Odds of the groups with which each gets its room in the mean: iterative proportional fitting."""
    groups = box[GROUPS]
    items = box[ITEMS]
    mean = np.empty(MAX_PLACES, np.float64)
    for g in range(groups):
        tables[odds + g] = float(box[G + GROUP_ROW * g + G_ROOM])
    for _ in range(_FITTING):
        most, total = 0.0, 0.0
        for g in range(groups):
            most = max(most, tables[odds + g])
        for g in range(groups):
            tables[odds + g] /= most
            total += tables[odds + g]
        _weigh(box, tables, weights, odds, 0)
        for g in range(groups):
            mean[g] = float(box[FREE]) * tables[odds + g] / total
        i = 0
        while i < items:
            first = box[ITEM + ITEM_ROW * i + I_FIRST]
            options = box[ITEM + ITEM_ROW * i + I_COUNT]
            alike = 1.0
            i += 1
            while i < items and box[ITEM + ITEM_ROW * i + I_FIRST] == first:
                alike += 1.0
                i += 1
            total = 0.0
            for o in range(first, first + options):
                total += tables[weights + o]
            if total > 0.0:
                for o in range(first, first + options):
                    chance = alike * tables[weights + o] / total
                    counts = box[OPTION + OPTION_ROW * o + O_COUNTS]
                    for g in range(groups):
                        mean[g] += chance * float((counts >> (4 * g)) & 15)
        for g in range(groups):
            if mean[g] > 0.0:
                tables[odds + g] *= float(box[G + GROUP_ROW * g + G_ROOM]) / mean[g]


@kernel()
def _largest(box, tables, odds, largest):
    """The largest chance a multinomial of the tail's odds gives, for each number of free cards.

    One card more goes to the group it makes likeliest: that stays the largest, since the terms are log-concave.
    Behind these the same times total**n / n!, ``total`` being the sum of the odds: what n free cards weigh.
    """
    groups, counted = box[GROUPS], box[COUNTED]
    total = 0.0
    for g in range(counted, groups):
        total += tables[odds + g]
        box[G + GROUP_ROW * g + G_LEFT] = 0
    terms = largest + box[FREE] + 1
    tables[largest], tables[terms] = 1.0, 1.0
    for n in range(1, box[FREE] + 1):
        best, more = counted, -1.0
        for g in range(counted, groups):
            gain = tables[odds + g] / (total * float(box[G + GROUP_ROW * g + G_LEFT] + 1))
            if gain > more:
                best, more = g, gain
        box[G + GROUP_ROW * best + G_LEFT] += 1
        tables[largest + n] = tables[largest + n - 1] * more * float(n)
        tables[terms + n] = tables[terms + n - 1] * more * total


@kernel()
def _last_row(box, tables, terms):
    """What is left when all restricted faces are dealt: ways to deal the free cards, but for a constant factor.

    The row behind it marks the states within reach.
    """
    states = box[STATES]
    items = box[ITEMS]
    for state in range(states):
        rest = state
        free = box[FREE]
        ways = 1.0
        reach = 1.0
        g = box[COUNTED] - 1
        while g >= 0:
            row = G + GROUP_ROW * g
            n = rest // box[row + G_STRIDE]
            rest -= n * box[row + G_STRIDE]
            if n > box[row + G_MOST]:
                reach = 0.0
                break
            left = box[row + G_ROOM] - n
            free -= left
            ways *= _INVERSE[left]
            g -= 1
        tables[(items + 1) * states + state] = reach
        if reach == 0.0 or free < 0:
            ways = 0.0
        else:
            ways *= tables[terms + free]
        tables[items * states + state] = ways


@kernel()
def count(box, tables):
    """Fill ``tables`` (float64, ``lay_out`` says how many); returns the ways there are, but for a constant factor."""
    states = box[STATES]
    items = box[ITEMS]
    groups, counted = box[GROUPS], box[COUNTED]
    weights = states * (items + 2)
    odds = weights + box[OPTIONS]
    largest = odds + groups
    box[REJECTED] = 0
    if counted < groups - 1:
        _fit(box, tables, weights, odds)
    else:
        tables[odds + groups - 1] = 1.0
    _weigh(box, tables, weights, odds, counted)
    _largest(box, tables, odds, largest)
    _last_row(box, tables, largest + box[FREE] + 1)
    reach = (items + 1) * states
    i = items - 1
    while i >= 0:
        item = ITEM + ITEM_ROW * i
        here, there = i * states, (i + 1) * states
        for s in range(states):
            tables[here + s] = 0.0
        for o in range(box[item + I_FIRST], box[item + I_FIRST] + box[item + I_COUNT]):
            move = box[OPTION + OPTION_ROW * o + O_SHIFT]
            weight = tables[weights + o]
            for s in range(states - move):
                tables[here + s] += weight * tables[there + s + move]
        for s in range(states):
            tables[here + s] *= tables[reach + s]
        i -= 1
    return tables[0]
