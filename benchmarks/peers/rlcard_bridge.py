"""RLCard: bridge by its environment with random agents, and by its game alone without the states for learning.

The clock runs from the first card led to the last.
"""

from __future__ import annotations

import random
import time
from typing import Any

import rlcard
from counting import Games, main
from rlcard.agents import RandomAgent
from rlcard.games.bridge.game import BridgeGame
from rlcard.games.bridge.utils.action_event import BidAction, PassAction


def by_environment() -> Games:
    """As a user of the library plays: ``env.step`` with what an agent answers."""
    env: Any = rlcard.make("bridge", config={"seed": 7})
    agents = [RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)]

    def games() -> tuple[int, float]:
        state, player = env.reset()
        while not env.game.round.is_bidding_over():
            state, player = env.step(agents[player].step(state))
        plays = 0
        began = time.process_time()
        while not env.is_over():
            state, player = env.step(agents[player].step(state))
            plays += 1
        return plays, time.process_time() - began  # no play at all when everybody passed

    return games


def by_game() -> Games:
    """Only rules: legal actions, one of them by lot, step."""
    rng = random.Random(7)

    def games() -> tuple[int, float]:
        game: Any = BridgeGame()
        game.init_game()
        game.step(BidAction(bid_amount=1, bid_suit=None))  # no trumps
        for _ in range(3):
            game.step(PassAction())
        plays = 0
        began = time.process_time()
        while not game.is_over():
            game.step(rng.choice(game.judger.get_legal_actions()))
            plays += 1
        return plays, time.process_time() - began

    return games


if __name__ == "__main__":
    main({"RLCard bridge, environment": by_environment(), "RLCard bridge, game alone": by_game()})
