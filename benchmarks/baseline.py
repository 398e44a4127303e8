"""The yardstick of all benchmarks: an unbiased shuffle and deal in C (``baseline.c``), or our own kernel without gcc.

As a program: ``python benchmarks/baseline.py`` prints what a shuffle and deal costs on this machine.
"""

from __future__ import annotations

import ctypes
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
NO_GCC = "no gcc here: the yardstick is the shuffle kernel of tuolaji, not C"


@dataclass(frozen=True)
class Yardstick:
    """Something that shuffles and deals; ``run(deals, seed)`` does so that many times and releases the GIL."""

    name: str
    cards: int
    run: Callable[[int, int], object]

    def ns(self, deals: int = 100_000, *, clock: Callable[[], float] = time.perf_counter) -> float:
        """Nanoseconds a deal, timed once."""
        began = clock()
        self.run(deals, 1)
        return (clock() - began) / deals * 1e9


@cache
def build() -> Path | None:
    """The compiled library, in a temporary folder that goes when Python does; None without gcc."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    folder = tempfile.TemporaryDirectory(prefix="tuolaji-baseline-")
    _folders.append(folder)
    library = Path(folder.name) / "baseline.so"
    subprocess.run([compiler, *FLAGS, "-o", str(library), str(HERE / "baseline.c")], check=True)
    return library


_folders: list[tempfile.TemporaryDirectory[str]] = []


@cache
def in_c(cards: int = 108) -> Yardstick | None:
    """The C shuffle and deal of 108 or 162 cards; None without gcc."""
    library = build()
    if library is None:
        return None
    function = getattr(ctypes.CDLL(str(library)), f"deal_{cards}")
    function.argtypes, function.restype = (ctypes.c_int64, ctypes.c_uint64), ctypes.c_uint64
    return Yardstick("C, gcc -O3 -march=native, xoshiro256++", cards, function)


@cache
def in_kernel(cards: int = 108) -> Yardstick:
    """The same by tuolaji's own shuffle kernel (Philox), dealing included."""
    import numpy as np
    from numba import njit

    from tuolaji.kernels import rng
    from tuolaji.kernels.memory import pointer

    seats, hand = (3, 33) if cards == 108 else (5, 31)
    plan, shuffle = rng.shuffle_plan(cards), rng.shuffle

    @njit(nogil=True, error_model="numpy")
    def deal(deals, seed, faces, hands, plan):  # type: ignore[no-untyped-def]
        total = 0
        faces_, plan_ = pointer(faces), pointer(plan)
        for i in range(deals):
            for k in range(cards):
                faces_[k] = k % 54
            shuffle(faces_, cards, plan_, seed, i, 0)
            for seat in range(seats):
                w0, w1, w2 = 0, 0, 0
                for k in range(seat * hand, seat * hand + hand):
                    b = 1 << faces_[k]
                    w2 |= w1 & b
                    w1 |= w0 & b
                    w0 |= b
                hands[seat, 0], hands[seat, 1], hands[seat, 2] = w0, w1, w2
            total += hands[0, 0] & 1
        return total

    def run(deals: int, seed: int) -> object:
        faces, hands = np.zeros(cards, np.int64), np.zeros((seats, 3), np.int64)
        found: object = deal(deals, seed, faces, hands, plan)
        return found

    run(1, 1)  # compiles
    return Yardstick("tuolaji's kernel, Philox4x32-10", cards, run)


def yardstick(cards: int = 108) -> Yardstick:
    """The one in C, or the kernel's where there is no gcc."""
    return in_c(cards) or in_kernel(cards)


def main() -> None:
    """Print nanoseconds (CPU) a shuffle and deal, median of seven runs taken in turn."""
    if in_c() is None:
        print(NO_GCC)
    sticks = [s for cards in (108, 162) for s in (in_c(cards), in_kernel(cards)) if s is not None]
    times = [[stick.ns(300_000, clock=time.thread_time) for stick in sticks] for _ in range(7)]
    for stick, found in zip(sticks, zip(*times, strict=True), strict=True):
        print(f"{stick.cards} cards, {stick.name}: {statistics.median(found):.0f} ns")


if __name__ == "__main__":
    main()
