"""Advice on one hand: every choice open to it, played in the same worlds. See docs/advice.md.

A world is a deal of all cards the hand does not see, uniform among those that agree with what is known (``given``).
The worlds are numbered, and played in blocks of a fixed size; the answer depends on the seed and on what was asked,
not on the number of threads.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any

from ..kernels.compiling import clock
from .advise_result import CONFIDENCE, LEAST, MOST, Advice, Asked, Tally
from .advise_situation import Choice, Known, Situation
from .calls import whole, words
from .cards import format_cards
from .errors import Interrupted, UsageError
from .plan import make_plan
from .sequential import StoppingRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from .advise_engine import Advisor
    from .bidding import Bids
    from .calls import Policies, Words
    from .games import Game
    from .rules import Rules

#: Worlds between two looks; with `search`; worlds tried when they must agree with the news.
BLOCK, SLOW_BLOCK, NEWS_BLOCK = 500, 20, 2000


def ask(
    game: str | Game,
    known: Known,
    *,
    fixed: int | None = None,
    most: int | None = None,
    seed: int = 0,
    rules: Rules = None,
    overrides: Words = (),
    policies: Policies = None,
    bidding: Bids = None,
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible."""
    plan = make_plan(game, rules=rules, overrides=overrides, policies=policies, seed=seed, bidding=bidding)
    if fixed is not None and most is not None:
        raise UsageError(
            "max: with a fixed number of worlds there is no other limit; leave one of the two out"
        )
    for name, number, low in (("fixed", fixed, 2), ("max", most, LEAST)):
        if number is not None and whole(number, name, 0) < low:
            raise UsageError(f"{name}: {number} worlds are too few; allowed are {low} or more")
    module = import_module(f".advise_{plan.game.name.replace('-', '_')}", __package__)
    situation: Situation = module.situation(plan.game, plan.rules, known)
    plan = replace(plan, given=situation.given)
    if fixed is not None:
        return Asked(plan, situation, fixed, None)
    limit = MOST if most is None else most
    return Asked(plan, situation, limit, StoppingRule(0.0, LEAST, limit, CONFIDENCE))


def run(
    asked: Asked,
    *,
    workers: int | None = None,
    starting: Callable[[], None] | None = None,
    report: Callable[[int], None] | None = None,
) -> Advice:
    """Play the worlds. ``starting`` is called before kernels are loaded, ``report`` with the worlds played so far."""
    if starting:
        starting()
    import numpy as np

    from .advise_engine import Advisor, words_of
    from .cores import cores
    from .stopping import stopped_by_user

    advisor = Advisor(asked.plan)
    situation, buried = _ready(asked, advisor)
    kernels = advisor.kernels
    vector = np.zeros(kernels.SIZE_ASKED, np.int64)
    for name, value in situation.fields.items():
        vector[getattr(kernels, name)] = value
    if situation.log:
        vector[kernels.LOG : kernels.LOG + len(situation.log)] = situation.log
    burials = np.array([words_of(cards)[:2] for cards in situation.burials] or [[0, 0]], np.int64)
    if asked.plan.game.name != "die-wu-fen" and buried:
        vector[kernels.BURIED : kernels.BURIED + 3] = words_of(buried)
    answers = np.array([choice.answer for choice in situation.choices], np.int64)
    block = SLOW_BLOCK if advisor.slow else NEWS_BLOCK if situation.fields["NEWS"] else BLOCK
    tally = Tally(asked, situation.choices)
    stop = np.zeros(1, np.int64)
    began = clock()
    used = workers or cores()

    def end() -> None:
        stop[0] = 1

    try:
        with stopped_by_user(end):
            for found, agrees in _blocks(advisor, (vector, answers, burials), block, used, stop):
                going_on = tally.add(found, agrees)
                if report:
                    report(tally.worlds)
                if not going_on:
                    stop[0] = 1
                    break
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {tally.worlds} worlds; advice keeps nothing, so ask again"
        ) from None
    seconds = clock() - began
    return tally.advice(buried, seconds, used)


def _ready(asked: Asked, advisor: Advisor) -> tuple[Situation, tuple[int, ...]]:
    """The situation with its choices where these follow from what is buried; and what is, for naming."""
    situation = asked.situation
    if situation.choices:
        return situation, ()
    every = [*situation.hand, *situation.bottom]
    own = tuple(
        advisor.burial(situation.me, situation.fields["TRUMP"], every, situation.fields.get("BID", 0))
    )
    if situation.phase == "bury":
        kinds = [("bury", cards) for cards in dict.fromkeys((own, *situation.burials))]
        choices = tuple(Choice(kind, format_cards(cards), at) for at, (kind, cards) in enumerate(kinds))
        return replace(situation, choices=choices, burials=tuple(cards for _, cards in kinds)), ()
    from .advise_hong_wu_wu_jia import names

    buried = situation.burials[0] if situation.burials else own
    kept = list(every)
    for face in buried:
        kept.remove(face)
    return replace(situation, choices=names(asked.plan.rules, kept, every)), buried


def _blocks(
    advisor: Advisor,
    what: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    block: int,
    workers: int,
    stop: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Blocks of worlds without end, in order, as `Advisor.choices`. `KeyboardInterrupt` when told to stop."""
    with ThreadPoolExecutor(workers, thread_name_prefix="tuolaji") as pool:
        waiting: deque[Any] = deque()
        for start in count(0, block):
            waiting.append(pool.submit(advisor.choices, *what, start, block, stop))
            if len(waiting) > workers + 1:
                found, agrees = waiting.popleft().result()
                if len(agrees) < block:
                    raise KeyboardInterrupt
                yield found, agrees


def advise(
    game: str | Game,
    hand: str,
    *,
    seat: int = 0,
    first_seat: int | None = None,
    trump: str | None = None,
    revealed: Words = (),
    bids: str | None = None,
    bottom: str | None = None,
    bury: Words = (),
    previous_banker: int | None = None,
    pressed: bool = False,
    news: bool = False,
    fixed: int | None = None,
    most: int | None = None,
    seed: int = 0,
    rules: Rules = None,
    policies: Policies = None,
    bidding: Bids = None,
    workers: int | None = None,
) -> dict[str, Any]:
    """The worth of each choice open to a hand: the JSON object of `tuolaji advise`.

    ``news``: only worlds in which the others, by their policies, would have done what they did, when they did: called,
    countered, bid, passed, or kept silent. What is known is given as on the command line: ``revealed=["1:3h@14"]``,
    with how many cards in hand only with ``news``; ``bids="1:110 2:pass"``. ``fixed``: so many worlds; else they are
    played until the best choice stands out, ``most`` at most. ``rules``, ``policies``, ``bidding``: see ``simulate``.
    """
    known = Known(
        hand,
        seat,
        first_seat,
        trump,
        tuple(words(revealed, "revealed", 'write SEAT:"3h"')),
        bids,
        bottom,
        tuple(words(bury, "bury", "write cards")),
        previous_banker,
        pressed,
        news,
    )
    asked = ask(
        game, known, fixed=fixed, most=most, seed=seed, rules=rules, policies=policies, bidding=bidding
    )
    return run(asked, workers=workers).to_dict()
