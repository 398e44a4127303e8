"""What advice comes to: worlds added up, the best choice, how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from .. import __version__
from .cards import format_cards
from .errors import UsageError
from .stats import Estimate, Sums, mean, proportion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .advise_situation import Choice, Situation
    from .plan import Plan
    from .sequential import StoppingRule

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
            "situation": self.asked.situation.describe(),
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


class Tally:
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

    def add(self, found: NDArray[np.int64], agrees: NDArray[np.bool_]) -> bool:
        """Take a block, and which of the worlds tried are in it; False once it is enough."""
        left = self._asked.worlds - self.worlds
        # worlds after the last one needed do not count as tried
        self.tried += len(agrees) if len(found) < left else int(agrees.nonzero()[0][left - 1]) + 1
        found = found[:left]
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
                f"news: of {self.tried:,} worlds tried {self.worlds:,} agree with what happened by the policies, too "
                f"few to advise by; {self._asked.situation.hint}leave --news out"
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
