"""tuolaji: die-wu-fen, whole deals on one core: shuffle, deal, calls, auction, bury and scoring are all in the time."""

from __future__ import annotations

from counting import Games, main, timed

from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import POLICIES, make_plan

GAME, SEATS, CARDS, DEALS = "die-wu-fen", 3, 99, 10_000


def plays_of(engine: Engine) -> int:
    """Play the first deals; one seat's turn in a trick is a play, of however many cards."""
    return int(engine.play(0, DEALS)["tricks"].sum()) * SEATS


def deals(engine: Engine) -> Games:
    """Whole deals."""
    return timed(lambda: plays_of(engine))


if __name__ == "__main__":
    engines = {
        f"tuolaji die-wu-fen, {policy}": Engine(make_plan(GAME, policies=policy, seed=7))
        for policy in POLICIES[GAME]
    }
    cards = {name: CARDS * DEALS / plays_of(engine) for name, engine in engines.items()}
    main({name: deals(engine) for name, engine in engines.items()}, cards)
