"""Whole deals by one thread, in the engine: no Arrow, no files."""

from __future__ import annotations

import measure
import pytest
import situations
from measure import Beside

from tuolaji.sim.plan import POLICIES

DEALS = 20_000


def test_shuffle_and_deal_alone(beside: Beside) -> None:
    """The yardstick itself, as a benchmark: its ratio shows how quiet the machine is."""
    import baseline

    beside(baseline.yardstick().run, 100_000, 1, calls=100_000, per="deal")


@pytest.mark.parametrize(
    ("game", "policy"), [(game, policy) for game in POLICIES for policy in POLICIES[game]]
)
def test_whole_deal(beside: Beside, game: str, policy: str) -> None:
    play = situations.engine(policy, game).play
    beside(play, 0, DEALS, calls=DEALS, per="deal", cards=measure.GAMES[game])
