"""Playing until an error is small enough, with an interval that stays valid however one stops.

An ordinary 95 % interval is right for a number of deals fixed beforehand. Looking at it again and again and stopping
when it pleases, it misses the truth far more often. The interval here holds at all numbers of deals at once: the
asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
and asymptotic confidence sequences", Annals of Statistics 52 (2024), which is Robbins' normal mixture with the
standard deviation seen so far. See docs/statistics.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import UsageError
from .stats import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 100  # deals before the first look: the interval leans on the central limit theorem from there on
MIN_DEALS, MAX_DEALS = 1_000, 10_000_000  # when not given


@dataclass(frozen=True)
class StoppingRule:
    """Stop when a standard error is at most ``error``, after ``least`` deals or more and at ``most`` in any case."""

    error: float
    least: int
    most: int
    confidence: float = 0.95

    def looks(self) -> Iterator[int]:
        """The numbers of deals after which the rule is asked: given by ``least`` and ``most`` alone, 1 % apart."""
        deals = self.least
        while deals < self.most:
            yield deals
            deals += max(100, deals // 100)
        yield self.most

    def reach(self, deals: int) -> float:
        """Half the width of the interval in standard errors: about 3 where an ordinary one has 2."""
        k = deals * self._mixing
        return math.sqrt((1 + 1 / k) * (math.log1p(k) - 2 * math.log(1 - self.confidence)))

    def risk(self, distance: float, deals: int) -> float:
        """The least level at which the interval leaves out a value so many standard errors away: 1 for none.

        The chance that it is ever as small as this, looked at after every deal, if that value is the truth.
        """
        k = deals * self._mixing
        return min(1.0, math.exp((math.log1p(k) - distance**2 / (1 + 1 / k)) / 2))

    def at_most(self, count: int, deals: int) -> float:
        """The upper limit of the share of deals like ``count`` of these: valid at all numbers of deals.

        By Ville's inequality from the likelihood of a mixture of shares, beta(1/2, 1/2), over that of a single one.
        """
        if count >= deals:
            return 1.0
        misses = deals - count
        mixed = (
            math.lgamma(count + 0.5) + math.lgamma(misses + 0.5) - math.lgamma(deals + 1) - math.log(math.pi)
        )
        low, high = count / deals, 1.0
        for _ in range(60):
            share = (low + high) / 2
            single = count * math.log(share) + misses * math.log1p(-share)
            low, high = (low, share) if mixed - single > -math.log(1 - self.confidence) else (share, high)
        return high

    @property
    def _mixing(self) -> float:
        """The paper's rho squared: makes the interval narrowest, in standard errors, after least * log(least) deals."""
        k = bound = -2 * math.log(1 - self.confidence)
        for _ in range(60):  # the minimum of ``reach`` is where k = bound + log(1 + k)
            k = bound + math.log1p(k)
        return k / (self.least * math.log(self.least))

    def widened(self, figure: Estimate, deals: int) -> Estimate:
        """An estimate with the interval that is valid at all numbers of deals in place of its own."""
        if figure.value is None or figure.error is None:
            return figure
        half = self.reach(deals) * figure.error
        return Estimate(figure.value, figure.error, figure.value - half, figure.value + half, figure.of)


def make_rule(
    until_se: float, min_deals: int | None, max_deals: int | None, confidence: float
) -> StoppingRule:
    """A rule from what a user asked for; `UsageError` if that can't be."""
    least = MIN_DEALS if min_deals is None else min_deals
    most = max(MAX_DEALS, least) if max_deals is None else max_deals
    if not (math.isfinite(until_se) and until_se > 0):
        raise UsageError(f"until-se: {until_se} is no standard error to reach; allowed are numbers above 0")
    if least < LEAST:
        raise UsageError(
            f"min-deals: {least} deals are too few to judge an error by; allowed are {LEAST} or more"
        )
    if most < least:
        raise UsageError(f"max-deals: {most} is less than the {least} deals that are played at least")
    return StoppingRule(float(until_se), least, most, confidence)
