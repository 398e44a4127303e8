"""The bidding of ``expert`` fitted to each rule variant of a comparison, on deals behind those that are compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .bidding import HIDDEN, ROLES_OF, shipped
from .errors import UsageError
from .plan import ROLES, check_deals

if TYPE_CHECKING:
    from collections.abc import Callable

    from .bidding import Bidding
    from .compare import Asked
    from .plan import Plan
    from .rules import RuleSet
    from .threshold import Asked as BidsAsked

    Report = Callable[[int], None]

REFIT_DEALS = 50_000


def check_refit(plan: Plan, first: int, deals: int) -> None:
    """`UsageError` unless a bidding can be fitted to ``deals`` deals from ``first`` on."""
    from .threshold import LEAST

    if plan.contract is not None or plan.given is not None:
        raise UsageError("refit: it goes with neither --contract, --hold nor --count; leave them out")
    roles = ROLES_OF[plan.game.name]
    if {name for at, name in enumerate(plan.policies) if at % len(ROLES) in roles} != {"expert"}:
        what = "revealing and naming" if plan.game.name == HIDDEN else "bidding"
        how = "reveals and names" if plan.game.name == HIDDEN else "bids"
        raise UsageError(
            f"refit: what is fitted is the {what} of expert, but it is not expert that {how} here"
        )
    if deals < LEAST:
        raise UsageError(f"refit-deals: {deals} are too few to fit; allowed are {LEAST} or more")
    check_deals(replace(plan, session=1), deals, first)


def refit_work(asked: Asked) -> int:
    """How many deals are played out to fit, in all."""
    return _each(asked) * len({variant.rules.hash() for variant in asked.variants})


def _each(asked: Asked) -> int:
    """The same for one variant."""
    from . import threshold

    if asked.plan.game.name == HIDDEN:
        return asked.refit
    return threshold.work(_study(asked, asked.plan.rules))


def fit_to_each(
    asked: Asked,
    *,
    workers: int | None = None,
    report: Report | None = None,
    noted: Report | None = None,
) -> list[Bidding]:
    """A bidding for each variant; those with the same rules share one. Workers make no difference to it.

    Fitted on ``asked.refit`` deals from the one on that comes after those compared: in die-wu-fen by the study
    ``threshold``, in hong-wu-wu-jia by `reveal_fit.fit`. ``report`` gets the deals played out so far; ``noted`` the
    variant it is at. Ctrl-C: `KeyboardInterrupt`.
    """
    made: dict[str, Bidding] = {}
    found = []
    each = _each(asked)

    def told(deals: int) -> None:
        if report:
            report(len(made) * each + deals)

    for at, variant in enumerate(asked.variants):
        key = variant.rules.hash()
        if key not in made:
            if noted:
                noted(at)
            fit = _reveals if asked.plan.game.name == HIDDEN else _bids
            made[key] = replace(fit(asked, variant.rules, workers, told), name=f"refitted {at}")
        found.append(made[key])
    return found


def _study(asked: Asked, rules: RuleSet) -> BidsAsked:
    from . import threshold

    study = threshold.ask(
        asked.plan.game, asked.refit, seed=asked.plan.seed, first=asked.first + asked.deals, rules=rules,
        bidding=asked.bidding,
    )  # fmt: skip
    return replace(study, plan=replace(study.plan, policies=asked.plan.policies))


def _bids(asked: Asked, rules: RuleSet, workers: int | None, report: Report) -> Bidding:
    """Counters and bids of die-wu-fen."""
    from . import threshold

    return threshold.run(_study(asked, rules), workers=workers, report=report).bidding


def _reveals(asked: Asked, rules: RuleSet, workers: int | None, report: Report) -> Bidding:
    """Revealing and naming, solo or not, of hong-wu-wu-jia."""
    from .cores import cores
    from .counterfactual import Tables
    from .reveal_fit import fit, played
    from .stopping import interrupt, stopped_by_user

    plan, tables = replace(asked.plan, rules=rules), Tables(workers or cores(), report)
    with stopped_by_user(interrupt):
        found = played(plan, asked.first + asked.deals, asked.refit, tables)
        return fit(*found, asked.bidding or shipped(HIDDEN)).bidding
