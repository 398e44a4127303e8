"""The study ``compare``: what a change of the rules does, told on the same deals. See docs/statistics.md."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..kernels.compiling import clock
from .calls import whole, words
from .errors import Interrupted, UsageError
from .plan import Plan, bidding_for, check_deals, make_plan, parse_policies
from .refit import REFIT_DEALS, check_refit, fit_to_each, refit_work
from .summary import Summary
from .text import clip
from .variants import Variant, each_alone, read_variants

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .bidding import Bidding, Bids
    from .calls import Policies, Words
    from .events import Event
    from .games import Game
    from .paired import Difference, Paired
    from .quantities import Figure
    from .rules import Rules, RuleSet
    from .stats import Estimate
    from .variant_plays import Played
    from .variants import Variants

LEAST = 100  # units
CHECK_DEALS, REPLICA_DEALS = 100_000, 20_000  # at most, unless asked for
SLOW_DEALS = 200  # the same where policies search


@dataclass(frozen=True)
class Asked:
    """What is to be compared. ``alone``: by (variant, option) the rule set in which only that option is changed.

    ``refit``: on how many deals, those behind the ones compared, a bidding is fitted to each variant; 0: none is.
    """

    plan: Plan
    variants: tuple[Variant, ...]
    deals: int
    first: int
    alone: dict[tuple[int, str], RuleSet | None]
    bidding: Bidding | None = None
    refit: int = 0
    checks: tuple[tuple[str, int], ...] = ()
    replicas: int = REPLICA_DEALS
    confidence: float = 0.95
    resamples: int | None = None

    def plans(self, policy: str | None = None, biddings: list[Bidding] | None = None) -> list[Plan]:
        """A plan for each variant; ``policy``: everybody plays by it instead."""
        found = []
        for at, variant in enumerate(self.variants):
            plan = replace(self.plan, rules=variant.rules)
            if policy is not None:
                plan = replace(plan, policies=(policy,) * len(plan.policies), bidding=())
            elif biddings:
                plan = replace(plan, bidding=bidding_for(plan.game, plan.policies, biddings[at]))
            found.append(plan)
        return found


@dataclass(frozen=True)
class Row:
    """A figure of a variant, and how it differs from the reference: at the family's level, and by itself.

    ``never``: nothing came up for it, neither under the variant nor under the reference.
    """

    figure: Figure
    variant: int
    estimate: Estimate
    difference: Difference | None
    alone: Difference | None
    never: bool = False


@dataclass(frozen=True)
class Differing:
    """In how many deals a variant was played, or paid, differently from the reference; no values if it can't be.

    ``never``: why an option can't have mattered in these deals, if so.
    """

    variant: int
    option: str
    played: Estimate
    paid: Estimate
    deals: tuple[int, int]
    never: Event | None = None


@dataclass(frozen=True)
class Comparison:
    """All variants by one bidding and policy. ``family``: how many differences the level holds for together."""

    bidding: str
    policy: str | None
    deals: int
    units: int
    family: int
    resamples: int
    rows: list[Row]
    differing: list[Differing]
    clauses: list[Differing] = field(default_factory=list)

    def row(self, figure: str, variant: int) -> Row | None:
        """A figure of a variant, if it came up."""
        return next((r for r in self.rows if r.figure.name == figure and r.variant == variant), None)


@dataclass(frozen=True)
class Result:
    """All that a study came to. ``luck``: by variant the share of the payoffs' variance that the deal explains."""

    asked: Asked
    main: Comparison
    refitted: Comparison | None
    checks: list[Comparison]
    luck: list[Estimate]
    luck_deals: int
    biddings: list[Bidding]
    seconds: float


def ask(
    game: str | Game,
    deals: int,
    *,
    variants: Variants = (),
    grids: Words = (),
    seed: int = 0,
    first: int = 0,
    rules: Rules = None,
    overrides: Words = (),
    policies: Policies = None,
    bidding: Bids = None,
    contract: Mapping[str, Any] | None = None,
    hold: Words = (),
    count: Words = (),
    session: int = 1,
    refit: bool = False,
    refit_deals: int | None = None,
    checks: Words = (),
    check_deals_: int | None = None,
    confidence: float = 0.95,
    resamples: int | None = None,
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible.

    ``variants`` and ``grids``: see `variants.read_variants`; ``rules`` with ``overrides`` is what option lists change.
    ``checks``: policies with which the conclusions are looked at again, on ``check_deals_`` of the deals.
    """
    known: dict[str, Any] = {"contract": contract, "hold": hold, "count": count}
    checks = words(checks, "checks", "write the name of a policy")
    base = make_plan(
        game, rules=rules, overrides=overrides, policies=policies, seed=seed, session=session, **known
    )
    found = read_variants(base.game, variants, grids, base.rules)
    _check_known(base, found, known)
    check_deals(base, deals, first)
    if deals // session < LEAST:
        raise UsageError(
            f"deals: {deals} are too few to compare; allowed are {LEAST * session} or more"
            + (f", {LEAST} sessions" if session > 1 else "")
        )
    if not 0.5 <= confidence <= 0.9999:
        raise UsageError(f"confidence: {confidence} is not a number from 0.5 to 0.9999")
    if resamples is not None:
        resamples = whole(resamples, "resamples", 100, 10_000)
    given = () if bidding is None else bidding_for(base.game, base.policies, bidding)
    training = 0
    if refit:
        training = REFIT_DEALS if refit_deals is None else refit_deals
        check_refit(base, first + deals, training)
    elif refit_deals is not None:
        raise UsageError("refit-deals: it goes with --refit; leave it out, or add --refit")
    if check_deals_ is not None and not checks:
        raise UsageError("check-deals: it goes with --check-policy; leave it out, or name a policy")
    return Asked(
        replace(base, bidding=given), tuple(found), deals, first, each_alone(base.game, found),
        next(filter(None, given), None), training,
        tuple(_check(base, name, deals, check_deals_) for name in checks),
        _fewer(base.policies, deals, REPLICA_DEALS), confidence, resamples,
    )  # fmt: skip


def _check_known(base: Plan, variants: list[Variant], known: dict[str, Any]) -> None:
    """What is fixed of every deal must be possible, and mean the same, by every variant's rules."""
    if any(known.values()):
        for variant in variants:
            if make_plan(base.game, rules=variant.rules, **known).given != base.given:
                raise UsageError(
                    f"count: it counts otherwise by the rules of {clip(variant.name)}; leave it out"
                )


def _check(plan: Plan, name: str, deals: int, given: int | None) -> tuple[str, int]:
    if "=" in name.partition(":")[0]:
        raise UsageError(f"check-policy: it plays all roles; write a name alone, not {clip(name)}")
    policy = parse_policies(plan.game, [name])[0]
    number = min(deals, given) if given else _fewer((policy,), deals, CHECK_DEALS)
    number -= number % plan.session
    if number // plan.session < LEAST:
        raise UsageError(f"check-deals: {number} are too few; allowed are {LEAST * plan.session} or more")
    return policy, number


def _fewer(policies: tuple[str, ...], deals: int, most: int) -> int:
    """At most so many deals, and far fewer where somebody searches."""
    return min(deals, SLOW_DEALS if any(":" in name for name in policies) else most)


def compare(
    game: str | Game, deals: int, variants: Variants, *, workers: int | None = None, **more: Any
) -> dict[str, Any]:
    """What each rule variant changes against the first: the JSON object of `tuolaji compare`.

    ``variants``: presets, files, ``option=value,…``, mappings of options on top of ``rules``, or rule sets. ``more``:
    as `ask` takes it (``grids``, ``seed``, ``policies``, ``refit``, ``checks`` …). Workers change nothing but the time
    it takes.
    """
    from .compare_tables import to_dict

    return to_dict(run(ask(game, deals, variants=variants, **more), workers=workers))


def work(asked: Asked) -> int:
    """How many deals are played in all, for a progress bar; in fitting, those played out."""
    extra = len(_extra(asked))
    per = len(asked.variants)
    found = (per + extra) * asked.deals + 2 * per * asked.replicas
    found += per * sum(deals for _, deals in asked.checks)
    return found + (per * asked.deals + refit_work(asked) if asked.refit else 0)


def _extra(asked: Asked) -> list[RuleSet]:
    """The rule sets to be played beside the variants, to tell which option it was."""
    known = [variant.rules for variant in asked.variants]
    found: list[RuleSet] = []
    for rules in asked.alone.values():
        if rules is not None and rules not in known and rules not in found:
            found.append(rules)
    return found


def run(
    asked: Asked,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    report: Callable[[int], None] | None = None,
    noted: Callable[[int], None] | None = None,
) -> Result:
    """Play and work everything out. ``report`` gets the deals played so far; ``noted`` the variant being refitted."""
    from .variant_plays import luck, play

    began = clock()
    done = 0

    def told(deals: int) -> None:
        if report:
            report(done + deals)

    def one(plans: list[Plan], deals: int, extra: list[RuleSet]) -> Played:
        nonlocal done
        found = play(
            plans, [replace(plans[0], rules=rules) for rules in extra], asked.first, deals,
            resamples=asked.resamples, workers=workers, chunk=chunk, report=told,
        )  # fmt: skip
        done += deals * (len(plans) + len(extra))
        return found

    try:
        extra = _extra(asked)
        played = one(asked.plans(), asked.deals, extra)
        main = comparison(asked, played, "given" if asked.bidding else "shipped", None)
        main.clauses.extend(_clauses(asked, played, extra))
        biddings: list[Bidding] = []
        if asked.refit:
            biddings = fit_to_each(asked, workers=workers, report=told, noted=noted)
            done += refit_work(asked)
        refitted = None
        if biddings:
            found = one(asked.plans(biddings=biddings), asked.deals, [])
            refitted = comparison(asked, found, "refitted", None, biddings)
        checks = [
            comparison(asked, one(asked.plans(policy), deals, []), "shipped", policy)
            for policy, deals in asked.checks
        ]
        shares = []
        for plan in asked.plans():
            shares.append(luck(plan, asked.first, asked.replicas, workers=workers, report=told))
            done += 2 * asked.replicas
    except KeyboardInterrupt:
        raise Interrupted("interrupted; a comparison keeps nothing, so run it again") from None
    return Result(asked, main, refitted, checks, shares, asked.replicas, biddings, clock() - began)


def comparison(
    asked: Asked, played: Played, bidding: str, policy: str | None, biddings: list[Bidding] | None = None
) -> Comparison:
    """Every figure of every variant, with the differences to the first one.

    ``bidding``: `shipped`, `given` or `refitted`, with what was fitted to each variant as ``biddings``; ``policy``: the
    one that everybody played by instead.
    """
    from .paired import EXTRA
    from .quantities import figures_of

    paired: Paired = played.paired
    plans = asked.plans(policy, biddings)
    summaries = [Summary(plan, paired.totals[at], asked.first) for at, plan in enumerate(plans)]
    singles = [summary.figures() for summary in summaries]
    never = [summary.never() for summary in summaries]
    figures = [*figures_of(paired.game, contract=asked.plan.contract is not None), *paired.tables()]
    family = len(figures) * (len(plans) - 1)
    together = 1 - (1 - asked.confidence) / family
    rows = []
    for figure in figures:
        for at in range(len(plans)):
            differences: list[Difference | None] = [None, None]
            if at:
                same = plans[at] == plans[0]
                differences = [
                    paired.difference(figure, at, level, same=same) for level in (together, asked.confidence)
                ]
            extra = figure.name in EXTRA.get(paired.game, ())
            found = paired.extra(figure.x, at) if extra else _estimate(summaries[at], singles[at], figure)
            missing = figure.name in never[0] & never[at]
            rows.append(Row(figure, at, found, differences[0], differences[1], missing))
    differing = [played.differing(at, at, "", asked.confidence) for at in range(1, len(plans))]
    return Comparison(
        bidding, policy, paired.totals[0].deals, paired.units, family, paired.resamples, rows, differing
    )


def _estimate(summary: Summary, figures: dict[str, Estimate], figure: Figure) -> Estimate:
    """A figure of the summary with its own interval, also of a table by value."""
    from .stats import Estimate, proportion

    if figure.name in figures:
        return figures[figure.name]
    totals = summary.totals
    if figure.kind == "quantile":
        return summary.quantiles(figure.x)[figure.at]
    if figure.code not in totals.classes[figure.group]:
        return Estimate(0.0, of=totals.deals) if figure.kind == "share" else Estimate(None)
    sums = totals.share if figure.kind == "share" else totals.won
    return proportion(sums(figure.group, figure.code))


def _clauses(asked: Asked, played: Played, extra: list[RuleSet]) -> list[Differing]:
    """How often each changed option made a difference by itself, and whether it could have."""
    from .events import never_used_by
    from .stats import Estimate

    known = [variant.rules for variant in asked.variants]
    found = []
    for (at, option), rules in asked.alone.items():
        if rules is None:
            nothing = Estimate(None)
            found.append(Differing(at, option, nothing, nothing, (0, 0)))
            continue
        where = known.index(rules) if rules in known else len(known) + extra.index(rules)
        each = played.differing(where, at, option, asked.confidence)
        plays = [(played.paired.totals[one], known[one]) for one in (0, at)]
        if not any(each.deals):
            each = replace(each, never=never_used_by(option, plays))
        found.append(each)
    return found
