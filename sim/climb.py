"""Numbers improved one at a time: simple, and nothing in it is left to chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Numbers = dict[str, int]
STEPS = (40, 20, 10, 5)
_PASSES = 3


def climb(
    start: Numbers,
    scales: Mapping[str, float],
    worth: Callable[[Numbers], float],
    steps: tuple[int, ...] = STEPS,
) -> list[Numbers]:
    """What was reached after each size of step, the last being the best.

    Each number of ``scales`` in turn goes up or down by a step times its scale (at least 1) as long as ``worth`` grows;
    each step at most three times round.
    """
    here, most, path = dict(start), worth(start), []
    for step in steps:
        for _ in range(_PASSES):
            before = most
            for key, scale in scales.items():
                size = max(1, round(step * scale))
                for change in (size, -size):
                    there = {**here, key: here[key] + change}
                    found = worth(there)
                    if found > most:
                        here, most = there, found
                        break
            if most == before:
                break
        path.append(here)
    return path
