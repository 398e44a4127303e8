"""What the peers' scripts share: play whole games for a while and say how many cards were played in how long.

Standard library only, since each script runs in the peers' environment or in ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

#: Plays some games; returns the plays made and the processor seconds that these took, not dealing and bidding.
Games = Callable[[], tuple[int, float]]


@dataclass(frozen=True)
class Count:
    """Plays by one contestant in so many processor seconds, and how many cards a play is of."""

    name: str
    plays: int
    seconds: float
    cards_a_play: float = 1.0


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


def main(contestants: dict[str, Games], cards_a_play: dict[str, float] | None = None) -> None:
    """The scripts' main: ``python SCRIPT SECONDS`` prints one JSON list."""
    cards = cards_a_play or {}
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    found = [count(name, games, seconds) for name, games in contestants.items()]
    print(json.dumps([asdict(replace(one, cards_a_play=cards.get(one.name, 1.0))) for one in found]))
