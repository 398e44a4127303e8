"""What the exact totals of both games share: sums over units, of products of two quantities, and counts by value.

A *unit* is a deal, or a session of hands. Units are taken a block at a time, a row of the block to each quantity, so
that the loops over units are plain ones: unit after unit, everything took 1.6 times as long.
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel

SHIFT = 20  # squares are kept as high * 2**SHIFT + low: no product can leave 64 bits
BLOCK = 64  # units


@kernel(i64(arr2, i64))
def clear(block, width):
    """Set the first ``width`` rows of a block to 0."""
    for q in range(width):
        for j in range(BLOCK):
            block[q, j] = 0
    return 0


@kernel(i64(arr2, i64, i64, i64, arr2, arr, arr))
def add_block(block, n, plain, spread, pairs, sums, products):
    """Add the first ``n`` units of a block to the totals.

    block: int64[plain + 2 * spread, BLOCK]; the rows from ``plain`` on hold squares, and after this their high and low
    words. pairs: int64[any, 2], rows whose products are summed. sums: int64[rows]; products: int64[pairs].
    """
    for s in range(spread):
        for j in range(n):
            square = block[plain + s, j]
            block[plain + s, j] = square >> SHIFT
            block[plain + spread + s, j] = square & ((1 << SHIFT) - 1)
    for q in range(plain + 2 * spread):
        total = 0
        for j in range(n):
            total += block[q, j]
        sums[q] += total
    for k in range(pairs.shape[0]):
        a, b = pairs[k, 0], pairs[k, 1]
        total = 0
        for j in range(n):
            total += block[a, j] * block[b, j]
        products[k] += total
    return 0


@kernel(i64(arr2, i64, i64, i64), inline=True)
def see(classes, at, won, here):
    """Count a deal in a class, in the columns from ``here`` on."""
    classes[at, here] += won
    classes[at, here + 1] += 1
    return 0


@kernel(i64(arr2, i64, i64))
def end_classes(classes, low, high):
    """Take a unit's counts by class, in columns 5 and 6, over into the sums of x, y, xx, xy, yy."""
    for at in range(low, high + 1):
        x, y = classes[at, 5], classes[at, 6]
        if y:
            classes[at, 0] += x
            classes[at, 1] += y
            classes[at, 2] += x * x
            classes[at, 3] += x * y
            classes[at, 4] += y * y
            classes[at, 5] = 0
            classes[at, 6] = 0
    return 0


@kernel(i64(arr2, i64, i64))
def end_levels(levels, low, high):
    """Take a unit's counts by level, in column 2, over into their sum and the growth of the square of their number."""
    up_to = 0
    for v in range(low, high + 1):
        here = levels[v, 2]
        if here:
            levels[v, 0] += here
            levels[v, 1] += here * (2 * up_to + here)
            levels[v, 2] = 0
            up_to += here
    return 0


@kernel(i64(arr2))
def single_classes(classes):
    """The sums where each unit is one deal, from x and y: each is 0 or 1."""
    for at in range(classes.shape[0]):
        classes[at, 2] = classes[at, 3] = classes[at, 0]
        classes[at, 4] = classes[at, 1]
    return 0


@kernel(i64(arr2))
def single_levels(levels):
    """The same for levels."""
    for v in range(levels.shape[0]):
        levels[v, 1] = levels[v, 0]
    return 0
