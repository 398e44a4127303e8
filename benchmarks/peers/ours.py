"""tuolaji: die-wu-fen, whole deals on one core: shuffle, deal, calls, auction, bury and scoring are all in the time."""

from __future__ import annotations

from counting import Games, main, timed

from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import POLICIES, make_plan

GAME, SEATS, DEALS = "die-wu-fen", 3, 10_000


def deals(policy: str) -> Games:
    """Whole deals; a play is one seat's turn in a trick, of however many cards."""
    engine = Engine(make_plan(GAME, policies=policy, seed=7))

    def play() -> int:
        return int(engine.play(0, DEALS)["tricks"].sum()) * SEATS

    return timed(play)


if __name__ == "__main__":
    main({f"tuolaji die-wu-fen, {policy}": deals(policy) for policy in POLICIES[GAME]})
