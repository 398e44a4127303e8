"""Figures and their intervals as text, with no more digits than are known, and never rounded onto the other verdict."""

from __future__ import annotations

import math

_MOST = 12  # digits after the point


def digits(error: float) -> int:
    """Digits after the point that show the error with two significant digits."""
    return 0 if error <= 0 else max(0, 1 - math.floor(math.log10(float(f"{error:.1e}"))))


def rounded(value: float, places: int, spec: str = "") -> str:
    """A value with so many digits after the point, and no minus before a zero; ``spec``: such as ``+`` or ``,``."""
    return f"{round(value, places) + 0.0:{spec}.{places}f}"


def bounds(low: float, high: float, places: int, against: float = 0.0, spec: str = "") -> str:
    """``[low, high]``, in which whoever reads it finds ``against`` exactly where the unrounded interval has it.

    An end that rounding would put onto ``against``, or beyond it, gets as many more digits as it takes: what is
    written is the interval that the words beside it were judged by.
    """
    ends = (rounded(end, _apart(end, places, against), spec) for end in (low, high))
    return "[" + ", ".join(ends) + "]"


def _apart(end: float, places: int, against: float) -> int:
    def side(value: float) -> int:
        return (value > against) - (value < against)

    while places < _MOST and side(round(end, places)) != side(end):
        places += 1
    return places


def shown(
    value: float,
    low: float,
    high: float,
    places: int | None = None,
    *,
    against: float = 0.0,
    sign: bool = False,
) -> tuple[str, str]:
    """A figure and its interval, both cut after the second significant digit of half the interval's width.

    ``places``: after so many digits after the point instead; ``sign``: with a plus before what is above 0.
    """
    if places is None:
        places = digits((high - low) / 2) if high > low else 2
    plus = "+" if sign and round(value, places) != 0 else ""
    return rounded(value, places, plus), bounds(low, high, places, against)
