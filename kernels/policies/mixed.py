"""Seats of different minds: every decision is asked of the policy of its seat and role, through the engine's table."""

from __future__ import annotations

from .._jit import kernel, player
from ..memory import ask, shift
from ..play import play_tricks


@kernel(inline=True)
def _choose(what, role, pub, own, lay, policies, weights, width):
    return ask(policies, role, what, pub, own, lay, shift(weights, role * width))


#: All tricks of a deal, whoever plays.
play = player(play_tricks, _choose)
