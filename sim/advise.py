"""Advice on one hand: every choice open to it, played in the same worlds. See docs/advice.md.

A world is a deal of all cards the hand does not see, uniform among those that agree with what is known (``given``).
The worlds are numbered, and played in blocks of a fixed size; the answer depends on the seed and on what was asked,
not on the number of threads.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from math import log
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from .. import __version__
from .advise_situation import Choice, Known, Situation
from .cards import format_cards
from .errors import Interrupted, UsageError
from .plan import make_plan
from .sequential import StoppingRule
from .stats import Estimate, Sums, mean, proportion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from .advise_engine import Advisor
    from .bidding import Bidding
    from .games import Game
    from .plan import Plan
    from .rules import RuleSet

BLOCK, SLOW_BLOCK = 500, 20  # worlds between two looks, with `search` the second
LEAST, MOST = 1_000, 50_000  # worlds, unless told otherwise
TRIED = 200_000  # worlds in which the news, if it counts, must have come true now and then
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Asked:
    """What is asked for; ``rule`` when the play ends as soon as the best choice stands out."""

    plan: Plan
    situation: Situation
    worlds: int
    rule: StoppingRule | None


@dataclass(frozen=True)
class Option:
    """What a choice came to. ``behind``: by how much its payoff is behind the best one's; ``same``: in no world was
    there a difference.
    """

    choice: Choice
    payoff: Estimate
    behind: Estimate | None
    banker: Estimate
    made: Estimate
    solo: Estimate | None
    same: bool = False


@dataclass(frozen=True)
class Advice:
    """The answer. ``best``: index of an option; ``confidence``: that no other is better, at least."""

    asked: Asked
    options: tuple[Option, ...]
    best: int
    confidence: float
    worlds: int
    tried: int
    stopped_by: str
    buried: tuple[int, ...]
    seconds: float
    workers: int

    @property
    def settled(self) -> bool:
        """Whether the best stands out."""
        return self.confidence >= CONFIDENCE

    def to_dict(self) -> dict[str, Any]:
        """Everything at full precision, fit for JSON."""
        found: dict[str, Any] = {
            "tool": f"tuolaji {__version__}",
            "kind": "tuolaji advise",
            **self.asked.plan.describe(),
            "situation": {"decision": self.asked.situation.phase, **self.asked.situation.about},
            "worlds": self.worlds,
            **({"worlds_tried": self.tried} if "news" in self.asked.situation.about else {}),
            "stopped_by": self.stopped_by,
            "best": _named(self.options[self.best].choice),
            "confidence": self.confidence,
            "settled": self.settled,
            "options": [
                {
                    **_named(option.choice),
                    "payoff": option.payoff.to_dict(),
                    "behind_best": option.behind and option.behind.to_dict(),
                    "banker": option.banker.to_dict(),
                    "made": option.made.to_dict(),
                    **({"solo": option.solo.to_dict()} if option.solo else {}),
                }
                for option in self.options
            ],
        }
        if self.buried:
            found["buried"] = format_cards(self.buried)
        found["run"] = {"seconds": self.seconds, "workers": self.workers}
        return found


def _named(choice: Choice) -> dict[str, str]:
    return {"choice": choice.kind, "value": choice.value}


def ask(
    game: str | Game,
    known: Known,
    *,
    fixed: int | None = None,
    most: int | None = None,
    seed: int = 0,
    rules: str | RuleSet | None = None,
    overrides: Iterable[str] = (),
    policies: Iterable[str] = (),
    bidding: str | Bidding | None = None,
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible."""
    plan = make_plan(
        game, rules=rules, overrides=overrides, policies=list(policies), seed=seed, bidding=bidding
    )
    if fixed is not None and most is not None:
        raise UsageError(
            "max: with a fixed number of worlds there is no other limit; leave one of the two out"
        )
    for name, number, low in (("fixed", fixed, 2), ("max", most, LEAST)):
        if number is not None and number < low:
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
    from .runner import cores
    from .simulate import stopped_by_user

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
    block = SLOW_BLOCK if advisor.slow else BLOCK
    tally = _Tally(asked, situation.choices)
    stop = np.zeros(1, np.int64)
    began = time.perf_counter()
    used = workers or cores()

    def end() -> None:
        stop[0] = 1

    try:
        with stopped_by_user(end):
            for found, tried in _blocks(advisor, (vector, answers, burials), block, used, stop):
                going_on = tally.add(found, tried)
                if report:
                    report(tally.worlds)
                if not going_on:
                    stop[0] = 1
                    break
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {tally.worlds} worlds; advice keeps nothing, so ask again"
        ) from None
    seconds = time.perf_counter() - began
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
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Blocks of worlds without end, in order, and how many were tried. `KeyboardInterrupt` when told to stop."""
    with ThreadPoolExecutor(workers, thread_name_prefix="tuolaji") as pool:
        waiting: deque[Any] = deque()
        for start in count(0, block):
            waiting.append(pool.submit(advisor.choices, *what, start, block, stop))
            if len(waiting) > workers + 1:
                found, tried = waiting.popleft().result()
                if tried < block:
                    raise KeyboardInterrupt
                yield found, tried


class _Tally:
    """Adds up worlds in their order, and judges after each block."""

    def __init__(self, asked: Asked, choices: tuple[Choice, ...]) -> None:
        import numpy as np

        n = len(choices)
        self.worlds = self.tried = 0
        self._asked, self._choices = asked, choices
        self._payoff = np.zeros(n, np.int64)
        self._products = np.zeros((n, n), np.int64)
        self._shares = np.zeros((n, 6), np.int64)
        self.stopped_by: str | None = None

    def add(self, found: NDArray[np.int64], tried: int) -> bool:
        """Take a block; False once it is enough."""
        self.tried += tried
        found = found[: self._asked.worlds - self.worlds]
        payoff, banker, made, more = (found[:, :, k] for k in range(4))
        self.worlds += len(found)
        self._payoff += payoff.sum(axis=0)
        self._products += payoff.T @ payoff
        told = more >= 0
        columns = (banker, banker * made, made, told, more * told, more * told * banker)
        for at, values in enumerate(columns):
            self._shares[:, at] += values.sum(axis=0)
        if self.tried >= TRIED and self.worlds < self.tried // 10_000:
            raise UsageError(
                f"news: of {self.tried} worlds {self.worlds} agree with how the others have called and bid, by their "
                "policies; leave --news out"
            )
        if self.worlds >= self._asked.worlds:
            self.stopped_by = "max" if self._asked.rule else "fixed"
        if self._asked.rule and self.worlds >= LEAST and self._confidence() >= CONFIDENCE:
            self.stopped_by = "best"
        return self.stopped_by is None

    def _best(self) -> int:
        return int(self._payoff.argmax())

    def _difference(self, one: int, other: int) -> Sums:
        """The sums for the mean of one choice's payoff less another's."""
        p, n = self._products, self.worlds
        x = int(self._payoff[one] - self._payoff[other])
        return Sums(n, x, n, int(p[one, one] - 2 * p[one, other] + p[other, other]), x, n)

    def _is_same(self, one: int, other: int) -> bool:
        return self._difference(one, other).xx == 0

    def _confidence(self) -> float:
        """That no choice is better than the best seen: one minus the sum of the chances, each taken by itself.

        Should another be the truth's best, it is among these: so it is right whatever made the best seen lead.
        """
        best, risk = self._best(), 0.0
        for other in range(len(self._choices)):
            if other == best or self._is_same(best, other):
                continue
            sums = self._difference(best, other)
            error = (sums.variance or 0.0) ** 0.5
            if error == 0.0:
                continue  # ahead by the same in every world
            distance = sums.x / sums.y / error
            rule = self._asked.rule
            risk += rule.risk(distance, self.worlds) if rule else NormalDist().cdf(-distance)
        return max(0.0, 1.0 - risk)

    def _estimate(self, sums: Sums) -> Estimate:
        found = mean(sums, CONFIDENCE)
        rule = self._asked.rule
        return rule.widened(found, self.worlds) if rule else found

    def _share(self, x: int, y: int) -> Estimate:
        """A share: ``x`` of the ``y`` worlds where something was so."""
        sums = Sums(self.worlds, x, y, x, x, y)
        found = proportion(sums)
        rule = self._asked.rule
        if rule is None or found.value is None or found.error is None:
            return found
        if x in (0, y):  # so many in a row: the bound holds whenever one looks
            few = min(1.0, -log(1 - CONFIDENCE) / y)
            return Estimate(found.value, 0.0, *((0.0, few) if x == 0 else (1.0 - few, 1.0)), y)
        wide = rule.widened(found, self.worlds)
        assert wide.low is not None
        assert wide.high is not None
        return Estimate(wide.value, wide.error, max(0.0, wide.low), min(1.0, wide.high), wide.of)

    def advice(self, buried: tuple[int, ...], seconds: float, workers: int) -> Advice:
        """All of it, once the worlds are played."""
        best, n = self._best(), self.worlds
        two = self._asked.plan.game.name == "die-wu-fen"
        options = []
        for at, choice in enumerate(self._choices):
            x, xx = int(self._payoff[at]), int(self._products[at, at])
            banker, made, _, told, more, _ = map(int, self._shares[at])
            options.append(
                Option(
                    choice,
                    self._estimate(Sums(n, x, n, xx, x, n)),
                    None if at == best else self._estimate(self._difference(best, at)),
                    self._share(banker, n),
                    self._share(more, told) if two and told else self._share(made, banker),
                    None if two else self._share(int(self._shares[at, 5]), banker),
                    same=at != best and self._is_same(best, at),
                )
            )
        assert self.stopped_by is not None
        return Advice(
            self._asked,
            tuple(options),
            best,
            self._confidence(),
            n,
            self.tried,
            self.stopped_by,
            buried,
            seconds,
            workers,
        )


def advise(
    game: str | Game,
    hand: str,
    *,
    seat: int = 0,
    first_seat: int | None = None,
    trump: str | None = None,
    revealed: Iterable[str] = (),
    bids: str | None = None,
    bottom: str | None = None,
    bury: Iterable[str] = (),
    previous_banker: int | None = None,
    pressed: bool = False,
    news: bool = False,
    fixed: int | None = None,
    most: int | None = None,
    seed: int = 0,
    rules: str | RuleSet | None = None,
    policies: Iterable[str] = (),
    workers: int | None = None,
) -> dict[str, Any]:
    """The worth of each choice open to a hand: the JSON object of `tuolaji advise`.

    ``news``: only worlds in which the others, by their policies, would have called and bid as they did.
    What is known is given as on the command line: ``revealed=["1:3h"]``, ``bids="1:110 2:pass"``. ``fixed``: so many
    worlds; else they are played until the best choice stands out, ``most`` at most.
    """
    known = Known(
        hand,
        seat,
        first_seat,
        trump,
        tuple(revealed),
        bids,
        bottom,
        tuple(bury),
        previous_banker,
        pressed,
        news,
    )
    asked = ask(game, known, fixed=fixed, most=most, seed=seed, rules=rules, policies=policies)
    return run(asked, workers=workers).to_dict()
