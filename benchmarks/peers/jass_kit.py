"""jass-kit: Schieber, 36 cards, by its arena with its random agents, and by its simulator alone.

The simulator's clock runs from the first card led to the last; the arena's includes dealing and choosing trumps, which
it does in one go (a few of some 40 decisions).
"""

from __future__ import annotations

import logging
import random
import time
from typing import Any

import numpy as np
from counting import Games, main, timed
from jass.agents.agent_random_schieber import AgentRandomSchieber
from jass.arena.arena import Arena
from jass.game.const import next_player
from jass.game.game_sim import GameSim
from jass.game.game_util import deal_random_hand
from jass.game.rule_schieber import RuleSchieber

PLAYS = 36


def by_arena() -> Games:
    """As a user of the library plays, without its checks of each card."""
    logging.disable(logging.INFO)

    def play() -> int:
        games = 20
        arena: Any = Arena(nr_games_to_play=games, print_every_x_games=games + 1, check_move_validity=False)
        # ``set_players`` refuses its own agents in this version
        arena.north, arena.east, arena.south, arena.west = (AgentRandomSchieber() for _ in range(4))
        dealer = 0
        for _ in range(games):
            arena.play_game(dealer)
            dealer = next_player[dealer]
        return games * PLAYS

    return timed(play)


def by_simulator() -> Games:
    """Only rules: valid cards, one of them by lot, play."""
    rng = random.Random(7)
    rule: Any = RuleSchieber()

    def games() -> tuple[int, float]:
        sim: Any = GameSim(rule=rule)
        sim.init_from_cards(hands=deal_random_hand(), dealer=rng.randrange(4))
        sim.action_trump(rng.randrange(4))
        began = time.process_time()
        for _ in range(PLAYS):
            sim.action_play_card(rng.choice(np.flatnonzero(rule.get_valid_cards_from_state(sim.state))))
        return PLAYS, time.process_time() - began

    return games


if __name__ == "__main__":
    main({"jass-kit Schieber, arena": by_arena(), "jass-kit Schieber, simulator alone": by_simulator()})
