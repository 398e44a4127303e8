"""Bit arithmetic on hands.

A set of cards is three int64 words ``(w0, w1, w2)``: word k has a face's bit set where the set holds more than k
copies. Bits 0..53 are used (see ``layout``), so every word is non-negative and signed arithmetic is exact.
"""

from __future__ import annotations

from typing import Any

from ._jit import JIT, i64, kernel

if JIT:
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typingctx: Any, x: Any) -> Any:
        """Number of set bits of an int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return i64(i64), codegen

    @intrinsic
    def lowest(typingctx: Any, x: Any) -> Any:
        """Index of the lowest set bit of a non-zero int64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return i64(i64), codegen

    @intrinsic
    def _leading_zeros(typingctx: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

        return i64(i64), codegen

    @kernel()
    def highest(x):
        """Index of the highest set bit of a non-zero int64."""
        return 63 - _leading_zeros(x)

else:  # portable twins for NUMBA_DISABLE_JIT=1

    def popcount(x: Any) -> int:
        return int(x).bit_count()

    def lowest(x: Any) -> int:
        return (int(x) & -int(x)).bit_length() - 1

    def highest(x: Any) -> int:
        return int(x).bit_length() - 1


@kernel()
def size(w0, w1, w2):
    """Number of cards."""
    return popcount(w0) + popcount(w1) + popcount(w2)


@kernel()
def count_of(w0, w1, w2, bit):
    """How many copies of one face (given by its bit number) the set holds."""
    return ((w0 >> bit) & 1) + ((w1 >> bit) & 1) + ((w2 >> bit) & 1)


@kernel(inline=True)
def remove(w0, w1, w2, p0, p1, p2):
    """``w`` without ``p``; ``p`` must be contained in ``w``."""
    return (
        (w0 & ~p0) | (w1 & p0 & ~p1) | (w2 & p1 & ~p2),
        (w1 & ~p0) | (w2 & p0 & ~p1),
        w2 & ~p0,
    )


@kernel(inline=True)
def add(w0, w1, w2, p0, p1, p2):
    """``w`` and ``p`` together (at most three copies of a face in all)."""
    return (
        w0 | p0,
        w1 | p1 | (w0 & p0),
        w2 | p2 | (w1 & p0) | (w0 & p1),
    )


@kernel()
def holds(w0, w1, w2, p0, p1, p2):
    """Whether ``p`` is contained in ``w``."""
    return (p0 & ~w0) | (p1 & ~w1) | (p2 & ~w2) == 0


@kernel()
def low_bits(x, k):
    """The k lowest set bits of x (all of them if there are no more than k)."""
    rest = x
    for _ in range(k):
        rest &= rest - 1
        if rest == 0:
            break
    return x & ~rest


@kernel()
def high_bits(x, k):
    """The k highest set bits of x (all of them if there are no more than k)."""
    out = 0
    for _ in range(k):
        if x == 0:
            break
        b = 1 << highest(x)
        out |= b
        x ^= b
    return out


@kernel()
def low_cards(w0, w1, w2, k):
    """The k lowest cards of w by bit order, copies of a face together; w must hold at least k cards."""
    p0, p1, p2 = 0, 0, 0
    while k > 0 and w0 != 0:
        b = w0 & -w0
        p0 |= b
        k -= 1
        if k > 0 and w1 & b:
            p1 |= b
            k -= 1
            if k > 0 and w2 & b:
                p2 |= b
                k -= 1
        w0 ^= b
    return p0, p1, p2


@kernel()
def high_cards(w0, w1, w2, k):
    """The k highest cards of w by bit order, copies of a face together; w must hold at least k cards."""
    p0, p1, p2 = 0, 0, 0
    while k > 0 and w0 != 0:
        b = 1 << highest(w0)
        p0 |= b
        k -= 1
        if k > 0 and w1 & b:
            p1 |= b
            k -= 1
            if k > 0 and w2 & b:
                p2 |= b
                k -= 1
        w0 ^= b
    return p0, p1, p2
