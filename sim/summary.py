"""What a run comes to: the figures made of its totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .stats import Estimate, mean, proportion

if TYPE_CHECKING:
    from .dataset import Dataset
    from .events import Event
    from .plan import Plan
    from .totals import Totals

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PLACES = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class Summary:
    """The figures of a run, and what was played.

    ``asked``: how many deals there are to be, if they are not all there.
    ``seconds``, ``workers`` and ``played``, the deals played in these seconds: when it has just been played.
    """

    plan: Plan
    totals: Totals
    first: int
    seconds: float | None = None
    workers: int | None = None
    played: int | None = None
    asked: int | None = None

    @property
    def pace(self) -> float | None:
        """Deals played a second; None when none had to be."""
        return self.played / self.seconds if self.played and self.seconds else None

    def figures(self) -> dict[str, Estimate]:
        """Every figure that is one number, by name, in the order they are shown."""
        if self.plan.game.name == "hong-wu-wu-jia":
            from .summary_hong_wu_wu_jia import figures

            return figures(self)
        return _die_wu_fen(self)

    def table(self, name: str) -> dict[int, tuple[Estimate, Estimate]]:
        """By each value that came up, of one of `Totals.classes`: its share of the deals, and how often it won."""
        totals = self.totals
        return {
            value: (proportion(totals.share(name, value)), proportion(totals.won(name, value)))
            for value in sorted(totals.classes[name])
        }

    def quantiles(self, name: str = "defender_points") -> dict[float, Estimate]:
        """Quantiles of one of `Totals.levels`."""
        return {share: self.totals.quantile(name, share) for share in QUANTILES}

    def never(self) -> frozenset[str]:
        """The figures for which nothing came up in these deals."""
        from .quantities import never

        return never(self.plan.game.name, self.totals, contract=self.plan.contract is not None)

    def never_used(self) -> dict[str, Event]:
        """The rule options that these deals say nothing about: what they need to matter never happened."""
        from .events import never_used

        return never_used(self.totals, self.plan.rules, contract=self.plan.contract is not None)

    def to_dict(self) -> dict[str, Any]:
        """Everything at full precision, fit for JSON. The keys are documented in `docs/dataset.md`."""
        described: dict[str, Any] = {
            **self.plan.describe(),
            "first": self.first,
            "deals": self.totals.deals,
            "asked": self.asked or self.totals.deals,
            "unit": "deal" if self.totals.size == 1 else "session",
            "units": self.totals.units,
            "figures": {name: figure.to_dict() for name, figure in self.figures().items()},
            "never": {
                "figures": [name for name in self.figures() if name in self.never()],
                "options": {name: event.never.en for name, event in self.never_used().items()},
            },
        }
        if self.plan.given is not None:
            from .given import told

            described |= told(self.plan.given)
        if self.plan.game.name == "hong-wu-wu-jia":
            from .summary_hong_wu_wu_jia import tables

            described |= tables(self)
        else:
            described["bids"] = [
                {"bid": bid, "share": share.to_dict(), "made": made.to_dict()}
                for bid, (share, made) in self.table("bid").items()
            ]
        described["defender_points_quantiles"] = listed(self.quantiles())
        if self.pace is not None:
            described["run"] = {
                "seconds": self.seconds,
                "deals_per_second": self.pace,
                "workers": self.workers,
            }
        return described


def _die_wu_fen(summary: Summary) -> dict[str, Estimate]:
    totals = summary.totals
    found: dict[str, Estimate] = {}
    if summary.plan.contract is None:
        found["redealt"] = proportion(totals.ratio("redealt"))
        found["redeals"] = mean(totals.ratio("redeals"))
        for name in ("call_single", "call_pair", "countered"):
            found[name] = proportion(totals.ratio(name))
        found["bid"] = mean(totals.ratio("bid"))
    for name in ("made", "defenders_shut_out", "banker_shut_out"):
        found[name] = proportion(totals.ratio(name))
    for name in ("banker", "defender", *PLACES[:3]):
        key, each = f"payoff_{name}", 2 if name == "defender" else 1
        found[key] = _scaled(mean(totals.ratio(key)), each)
        found[f"{key}_spread"] = totals.spread(key, each)
    return found | common(totals)


def common(totals: Totals) -> dict[str, Estimate]:
    """What both games have: points, the bottom, throws."""
    found = {
        "defender_points": mean(totals.ratio("defender_points")),
        "defender_points_spread": totals.spread("defender_points"),
        "bottom_points": mean(totals.ratio("bottom_points")),
        "bottom_dug": proportion(totals.ratio("bottom_dug")),
        "bottom_dug_points": mean(totals.ratio("bottom_dug_points", "bottom_dug")),
    }
    for name in ("throws", "failed_throws"):
        found[name] = mean(totals.ratio(name))
    found["failed_share"] = proportion(totals.ratio("failed_throws", "throws"))
    return found


def listed(quantiles: dict[float, Estimate]) -> list[dict[str, Any]]:
    """Quantiles as plain data."""
    return [{"share": share, **figure.to_dict()} for share, figure in quantiles.items()]


def _scaled(figure: Estimate, each: int) -> Estimate:
    """The mean of single values, from the mean of the sum of ``each`` of them."""
    if each == 1 or figure.value is None:
        return figure
    low, high, error = (None if x is None else x / each for x in (figure.low, figure.high, figure.error))
    return Estimate(figure.value / each, error, low, high, figure.of * each)


def summarize(dataset: Dataset) -> Summary:
    """The summary of a dataset: the same figures as when it was played."""
    from .totals import Totals, count, counted

    plan = dataset.plan
    totals = Totals(plan.session)
    for columns in dataset.read(counted(plan.game.name)):
        totals.merge(count(columns, plan.session, plan.game.name))
    return Summary(plan, totals, dataset.first, asked=dataset.asked)
