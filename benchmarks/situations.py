"""Situations from real deals, so that kernels are timed on what they meet, not on random words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tuolaji.kernels import bits, shapes, view
from tuolaji.sim.engine import Engine, Trace, encode_rules
from tuolaji.sim.plan import POLICIES, make_plan

Ints = NDArray[np.int64]
GAME, SEATS = "die-wu-fen", 3
LEAD_SIZE, MASKS_SIZE = shapes.LEAD_SIZE, 3 * shapes.MAX_COMPONENTS


@cache
def engine(policy: str, game: str = GAME) -> Engine:
    """An engine in which everybody plays this policy."""
    return Engine(make_plan(game, policies=policy, seed=7))


@cache
def tables() -> Ints:
    """The layouts of the game by trump suit, with the default rules."""
    return encode_rules(engine("random").plan.rules)


@cache
def policies() -> tuple[str, ...]:
    """The policies of this version whose kernels exist."""
    found = []
    for name in POLICIES[GAME]:
        try:
            engine(name)
        except ImportError:
            continue
        found.append(name)
    return tuple(found)


@dataclass(frozen=True)
class Tricks:
    """Tricks of several cards or of one, n of them, with everybody's hand before and after the lead was made.

    trumps[n]: the trump suit, a row of `tables()`; leader[n]; attempts[n, 3]: what was meant to be led;
    leads[n, LEAD_SIZE], masks[n, MASKS_SIZE]: the lead that stood, described;
    plays[n, seat, 3]; hands[n, seat, 3]: before the trick.
    """

    trumps: Ints
    leader: Ints
    attempts: Ints
    leads: Ints
    masks: Ints
    plays: Ints
    hands: Ints

    def __len__(self) -> int:
        return len(self.leader)


def _tricks(trace: Trace) -> list[dict[str, Any]]:
    """Every trick of a finished deal, last one first; hands are what was played from there on."""
    pub, found = trace.pub, []
    hands = np.zeros((SEATS, 3), np.int64)
    for trick in range(int(pub[view.TRICK]) - 1, -1, -1):
        at = view.HISTORY + view.H_STRIDE * trick
        plays = pub[at + view.H_PLAYS : at + view.H_PLAYS + 3 * SEATS].reshape(SEATS, 3).copy()
        leader = int(pub[at + view.H_LEADER])
        # a failed throw goes back to the hand, and its cards were played later
        hands = np.array([bits.add(*map(int, hands[s]), *map(int, plays[s])) for s in range(SEATS)], np.int64)
        failed = bool(pub[at + view.H_FAILED])
        attempt = pub[at + view.H_ATTEMPT : at + view.H_ATTEMPT + 3].copy() if failed else plays[leader]
        lead, masks = np.zeros(LEAD_SIZE, np.int64), np.zeros(MASKS_SIZE, np.int64)
        shapes.describe(*map(int, plays[leader]), trace.lay, lead, masks)
        found.append(
            {
                "trumps": trace.row["trump"],
                "leader": leader,
                "attempts": attempt,
                "leads": lead,
                "masks": masks,
            }
            | {"plays": plays, "hands": hands}
        )
    return found


@cache
def tricks(kind: str, count: int = 256) -> Tricks:
    """``count`` tricks led with one card (kind "single"), with more ("many"), or with a throw ("throw").

    Few enough to stay in the processor's nearer caches, as a deal at play does.
    """
    wanted: Callable[[dict[str, Any]], bool] = {
        "single": lambda t: t["attempts"][1] == 0 and int(t["attempts"][0]).bit_count() == 1,
        "many": lambda t: int(t["leads"][shapes.N]) > 1,
        "throw": lambda t: (
            (t["attempts"] != t["plays"][t["leader"]]).any() or int(t["leads"][shapes.COUNT]) > 1
        ),
    }[kind]
    # random throws, and pairs and tractors are led often; greedy's are the usual single cards
    played = engine("greedy" if kind == "single" else "random")
    found: list[dict[str, Any]] = []
    deal = 0
    while len(found) < count:
        found += [trick for trick in _tricks(played.trace(deal)) if wanted(trick)]
        deal += 1
    columns = {name: np.array([trick[name] for trick in found[:count]], np.int64) for name in found[0]}
    return Tricks(**columns)
