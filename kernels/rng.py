"""Philox4x32-10 and what is drawn from it.

All randomness of a deal is a pure function of (seed, deal, stream) (COM-19): the 64-bit seed is the key, the counter
is (block, stream, deal low, deal high). Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3",
SC 2011; checked against the Random123 test vectors. Everything is int64: products are masked, so wrapped bits
do not matter, and the same code is exact on Python integers when jit is off.
"""

from __future__ import annotations

import numpy as np

from ._jit import kernel

_M32 = 0xFFFFFFFF

#: Streams. A redeal (DWF-5) takes the next sub-stream: stream + ATTEMPT * attempt.
SHUFFLE, LOT, SEAT, NEWS, WORLDS = 0, 1, 2, 8, 16
ATTEMPT = 256
#: A deal played again with the same cards but other random numbers for the seats: stream + REPLICA * (0 .. 7).
REPLICA = 32


@kernel(inline=True)
def philox(c0, c1, c2, c3, k0, k1):
    """One block of Philox4x32-10: four 32-bit counter words, two key words -> four 32-bit words."""
    for _ in range(10):
        a = 0xD2511F53 * c0
        b = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            ((b >> 32) & 0xFFFFFFFF) ^ c1 ^ k0,
            b & 0xFFFFFFFF,
            ((a >> 32) & 0xFFFFFFFF) ^ c3 ^ k1,
            a & 0xFFFFFFFF,
        )
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


@kernel(inline=True)
def block(seed, deal, stream, index):
    """Block ``index`` of a stream: four 32-bit words."""
    seed = int(seed)
    deal = int(deal)
    return philox(
        int(index) & 0xFFFFFFFF,
        int(stream) & 0xFFFFFFFF,
        deal & 0xFFFFFFFF,
        (deal >> 32) & 0xFFFFFFFF,
        seed & 0xFFFFFFFF,
        (seed >> 32) & 0xFFFFFFFF,
    )


# State of a sequential reader: a slice of int64: [seed, deal, stream, next word, four buffered words].
RNG_SIZE = 8


@kernel()
def rng_start(state, at, seed, deal, stream):
    """Point the reader at ``state[at:at + RNG_SIZE]`` to the beginning of a stream."""
    state[at] = seed
    state[at + 1] = deal
    state[at + 2] = stream
    state[at + 3] = 0


@kernel()
def word(state, at):
    """The next 32-bit word of the reader at ``state[at:]``."""
    n = state[at + 3]
    lane = n & 3
    if lane == 0:
        a, b, c, d = block(state[at], state[at + 1], state[at + 2], n >> 2)
        state[at + 4] = a
        state[at + 5] = b
        state[at + 6] = c
        state[at + 7] = d
    state[at + 3] = n + 1
    return state[at + 4 + lane]


@kernel()
def below(state, at, n):
    """A uniform integer in [0, n), 1 <= n < 2**31, without bias (Lemire 2019)."""
    m = int(word(state, at)) * n
    low = m & 0xFFFFFFFF
    if low < n:
        threshold = (0x100000000 - n) % n
        while low < threshold:
            m = int(word(state, at)) * n
            low = m & 0xFFFFFFFF
    return m >> 32


def shuffle_plan(cards: int) -> np.ndarray:
    """How the draws of a shuffle are packed into 32-bit words.

    One word gives several bounded draws at once, still without bias (Brackett-Rozinsky and Lemire, "Batched ranged
    random integer generation", 2024): the low half left after k multiplications is compared with 2**32 mod product.

    Returns int64 (groups, 4): first position (so the first word is 0, see ``given``), number of draws, threshold,
    product of the bounds.
    """
    rows, at = [], 0
    while at < cards - 1:
        k, product = 0, 1
        while at + k < cards - 1 and product * (cards - at - k) <= 2**28:
            product *= cards - at - k
            k += 1
        rows.append((at, k, 2**32 % product, product))
        at += k
    return np.array(rows, dtype=np.int64)


@kernel()
def shuffle(faces, cards, plan, seed, deal, attempt):
    """Fisher-Yates on faces[0:cards] by the words of the shuffle stream; ``plan``: ``shuffle_plan(cards)``, flat."""
    stream = SHUFFLE + ATTEMPT * attempt
    index = 0
    w0, w1, w2, w3 = block(seed, deal, stream, 0)
    left = 4
    at = 0
    g = 0
    while at < cards - 1:
        k = plan[g + 1]
        threshold = plan[g + 2]
        product = plan[g + 3]
        g += 4
        while True:
            if left == 0:
                index += 1
                w0, w1, w2, w3 = block(seed, deal, stream, index)
                left = 4
            r = w0
            w0, w1, w2 = w1, w2, w3
            left -= 1
            # what k multiplications would leave in the low half; a rejected word leaves no trace
            if (r * product) & 0xFFFFFFFF >= threshold:
                break
        for i in range(at, at + k):
            m = r * (cards - i)
            j = i + (m >> 32)
            r = m & 0xFFFFFFFF
            t = faces[i]
            faces[i] = faces[j]
            faces[j] = t
        at += k
