"""Numbers improved one at a time, on a sample of deals: simple, and nothing in it is left to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

Numbers = dict[str, int]
STEPS = (40, 20, 10, 5)
_PASSES = 3


def climb(
    start: Numbers,
    scales: Mapping[str, float],
    worth: Callable[[Numbers], NDArray[Any]],
    least: float = 1.0,
    steps: tuple[int, ...] = STEPS,
) -> list[Numbers]:
    """What was reached after each size of step, the last being the best.

    ``worth``: one value a deal. Each number of ``scales`` in turn goes up or down by a step times its scale (at least
    1) where the mean difference is above 0 and ``least`` times its standard error; each step at most three times round.
    """
    here, value, path = dict(start), np.asarray(worth(start), np.float64), []
    for step in steps:
        for _ in range(_PASSES):
            better = False
            for key, scale in scales.items():
                size = max(1, round(step * scale))
                for change in (size, -size):
                    there = {**here, key: here[key] + change}
                    found = np.asarray(worth(there), np.float64)
                    gain = found - value
                    if gain.mean() > max(0.0, least * gain.std() / len(gain) ** 0.5):
                        here, value, better = there, found, True
                        break
            if not better:
                break
        path.append(here)
    return path
