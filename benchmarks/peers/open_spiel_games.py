"""OpenSpiel: spades and bridge by its rollouts in C++ and by a loop in Python.

Both begin after dealing and bidding, so that each game is exactly 52 card plays. In C++ the only random games that
Python can start without coming back after each are the rollouts of the MCTS bot: a search of one simulation evaluates
the position it was given by that many games to the end.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel
from counting import Games, main, timed

PLAYS = 52
ROLLOUTS = 2000
GAMES: dict[str, tuple[str, list[str]]] = {
    "spades": ("spades", ["3", "3", "3", "3"]),
    "bridge": ("bridge(use_double_dummy_result=false)", ["1NT", "Pass", "Pass", "Pass"]),
}


def ready(name: str, bids: list[str], rng: random.Random) -> tuple[Any, Any]:
    """A game and a state of it, dealt and bid, the first card to be led."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    for bid in bids:
        by_name = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(by_name[bid])
    return game, state


def in_cpp(game: Any, state: Any, rng: random.Random) -> Games:
    """Rollouts in C++."""

    def play() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, rng.getrandbits(30))
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False).mcts_search(state)
        return PLAYS * ROLLOUTS

    return timed(play)


def in_python(state: Any, rng: random.Random) -> Games:
    """The loop its documentation shows."""

    def play() -> int:
        plays = 0
        for _ in range(50):
            at = state.clone()
            while not at.is_terminal():
                at.apply_action(rng.choice(at.legal_actions()))
                plays += 1
        assert plays == 50 * PLAYS
        return plays

    return timed(play)


if __name__ == "__main__":
    generator = random.Random(7)
    contestants = {}
    for title, (game_name, bidding) in GAMES.items():
        start = ready(game_name, bidding, generator)
        contestants[f"OpenSpiel {title}, C++ rollouts"] = in_cpp(*start, generator)
        contestants[f"OpenSpiel {title}, Python loop"] = in_python(start[1], generator)
    main(contestants)
