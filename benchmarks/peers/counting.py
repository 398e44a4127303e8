"""What the peers' scripts share: play whole games for a while and say how many cards were played in how long.

Standard library only, since each script runs in the peers' environment or in ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

#: Plays some games; returns the card plays made and the processor seconds that these took, not dealing and bidding.
Games = Callable[[], tuple[int, float]]


@dataclass(frozen=True)
class Count:
    """Card plays by one contestant in so many processor seconds."""

    name: str
    plays: int
    seconds: float


def count(name: str, games: Games, seconds: float) -> Count:
    """Play until the plays have taken ``seconds``, once before to warm up."""
    games()
    plays, taken = 0, 0.0
    while taken < seconds:
        more, spent = games()
        plays, taken = plays + more, taken + spent
    return Count(name, plays, taken)


def timed(play: Callable[[], int]) -> Games:
    """``Games`` from a function that returns the card plays it made and does nothing else."""

    def games() -> tuple[int, float]:
        began = time.process_time()
        plays = play()
        return plays, time.process_time() - began

    return games


def main(contestants: dict[str, Games]) -> None:
    """The scripts' main: ``python SCRIPT SECONDS`` prints one JSON list."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(json.dumps([asdict(count(name, games, seconds)) for name, games in contestants.items()]))
