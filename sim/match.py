"""Two policies against each other on mirrored deals: which one plays better, by how much, and how sure that is.

Every deal is played several times with the same cards, seats changed between the policies A and B (a *lineup* says
who decides what); only differences within a deal count, so the luck of the deal largely cancels. The estimators are
explained in docs/statistics.md. Lineups are given out before play and depend on nothing that happens in it.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .bidding import POLICY, looks_like_bidding, read_bidding
from .calls import words
from .errors import Interrupted, UsageError
from .lineups import Lineups, auction_lineups, contract_lineups, hidden_lineups, quantities
from .plan import DEFAULT_POLICY, ROLES, Plan, bidding_for, check_deals, make_plan, parse_policies
from .sequential import StoppingRule, make_rule
from .stats import LEAST_DIFFERING, Estimate, Sums, at_most, mean, normal, wilson
from .text import clip, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from .bidding import Bidding, Bids
    from .calls import Words
    from .engine import Columns
    from .games import Game
    from .rules import Rules

MODES = ("contract", "auction")
DEALS = 10_000  # when neither a number nor an error is asked for


@dataclass(frozen=True)
class Match:
    """What is asked for. ``plan``: game, rules and seed; ``rule`` when an error decides how many deals are played.

    ``bidding``: with mode contract the policy that bids, or reveals; ``bids_by``: how, where that is `expert` and not
    as shipped. ``biddings``: with mode auction the same for A and B.
    """

    plan: Plan
    a: str
    b: str
    mode: str
    bidding: str
    first: int
    deals: int
    rule: StoppingRule | None
    confidence: float
    biddings: tuple[Bidding | None, Bidding | None] = (None, None)
    bids_by: Bidding | None = None

    def bids(self) -> dict[str, tuple[Bidding | None, ...]]:
        """By lineup, how ``expert`` bids in each seat, where that is not as shipped."""
        if self.bids_by:
            return dict.fromkeys(self.lineups(), (self.bids_by,) * self.plan.game.seats)
        if not any(self.biddings):
            return {}
        a, b = self.biddings
        return {
            name: tuple(
                a if (seat == int(name[1])) == (name[0] == "a") else b for seat in range(self.plan.game.seats)
            )
            for name in self.lineups()
        }

    def lineups(self) -> dict[str, tuple[str, ...]]:
        """Who decides what, in each of the plays of a deal."""
        seats = self.plan.game.seats
        if self.mode == "auction":
            return auction_lineups(seats, self.a, self.b)
        make = hidden_lineups if self.hidden else contract_lineups
        return make(seats, self.a, self.b, self.bidding)

    @property
    def hidden(self) -> bool:
        """Whether the banker has a partner that nobody knows."""
        return self.plan.game.name == "hong-wu-wu-jia"

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles whose advantage is told apart."""
        return ("banker", "partner", "defender") if self.hidden else ("banker", "defender")

    @property
    def plays(self) -> tuple[str, ...]:
        """With mode contract: who played banker, hidden partner and defenders in what is compared."""
        return ("aab", "bba", "bbb", "abb") if self.hidden else ("ab", "ba", "bb")

    def sums(self, name: str, deals: int, x: int, xx: int) -> Sums:
        """The sums for the mean a deal of a quantity, which is summed over some of the lineups."""
        scale, seats = 1, self.plan.game.seats
        if self.mode == "contract":
            scale = 2 if name in ("points", "payoff") else 1
        elif name != "differs":
            scale = seats if name.startswith(("a_", "b_")) else 2 * seats
        return Sums(deals, x, scale * deals, xx, scale * x, scale * scale * deals)


@dataclass(frozen=True)
class Result:
    """What a match came to: exact integer sums over the deals of each quantity and of its square."""

    match: Match
    deals: int
    sums: Mapping[str, int]
    squares: Mapping[str, int]
    stopped_by: str
    #: In how many deals a quantity is not 0, and how far from it at most.
    moved: Mapping[str, int] = field(default_factory=Counter)
    largest: Mapping[str, int] = field(default_factory=Counter)

    def figure(self, name: str) -> Estimate:
        """The mean a deal of a quantity."""
        sums = self.match.sums(name, self.deals, self.sums[name], self.squares[name])
        found = mean(sums, self.match.confidence)
        rule = self.match.rule
        return found if rule is None else rule.widened(found, self.deals)

    def advantage(self, name: str) -> dict[str, Any]:
        """A figure of A's advantage as the JSON object has it; ``bound`` where too few deals differ for an error.

        Then it is sure at most that no larger share of deals differs, each by no more than the most that one did.
        """
        found, moved = self.figure(name), self.moved[name]
        if not 0 < moved < LEAST_DIFFERING:
            return _interval(found)
        rule = self.match.rule
        most = rule.at_most(moved, self.deals) if rule else at_most(moved, self.deals, self.match.confidence)
        bound = most * self.largest[name] / self.match.sums(name, 1, 0, 0).y
        return {"mean": found.value, "lo": -bound, "hi": bound, "bound": True}

    def share(self, name: str) -> Estimate:
        """The share of deals where something was so: Wilson's interval; the rule of three where it never was."""
        n, x, level = self.deals, self.sums[name], self.match.confidence
        found = self.figure(name)
        if x in (0, n):
            few = min(1.0, rule_of_three(level) / n)
            low, high = (0.0, few) if x == 0 else (1 - few, 1.0)
        elif self.match.rule is None:
            low, high = wilson(x, n, normal(level))
        else:
            low, high = max(0.0, found.low or 0.0), min(1.0, found.high or 1.0)
        return Estimate(x / n, found.error, low, high, n)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the command; its keys are explained in docs/statistics.md."""
        match = self.match
        contract, rule = match.mode == "contract", match.rule
        points, payoff = self.figure("points") if contract else None, self.figure("payoff")
        by_role = {
            role: {
                "points": self.advantage(f"points_{role}") if contract else None,
                "payoff": self.advantage(f"payoff_{role}"),
            }
            for role in match.roles
        }
        found: dict[str, Any] = {
            "game": match.plan.game.name,
            "mode": match.mode,
            "a": match.a,
            "b": match.b,
            "deals": self.deals,
            "points": self.advantage("points") if contract else None,
            "payoff": self.advantage("payoff"),
            "by_role": by_role,
            "deals_differing": self.sums["differs"],
            "differing": _interval(self.share("differs")),
            "se": {"points": None if points is None else points.error, "payoff": payoff.error},
            "confidence": match.confidence,
            "interval": "fixed" if rule is None else "time-uniform",
            "stopped_by": self.stopped_by,
            "plays": self._plays(),
            "bidding": match.bidding if contract else None,
            "bidding_by": match.bids_by and _named(match.bids_by),
            "biddings": [found and _named(found) for found in match.biddings],
            "rules": match.plan.rules.name,
            "rules_changed": match.plan.rules.changed(),
            "rules_hash": match.plan.rules.hash(),
            "seed": match.plan.seed,
            "first": match.first,
        }
        if rule is not None:
            found |= {"until_se": rule.error, "min_deals": rule.least, "max_deals": rule.most}
        return found

    def _plays(self) -> list[dict[str, Any]]:
        """How it went in itself, by who sat where: levels, not differences."""
        if self.match.mode == "contract":
            return [
                {
                    "banker": name[0],
                    **({"partner": name[1]} if self.match.hidden else {}),
                    "defenders": name[-1],
                    "defender_points": _interval(self.figure(f"{name}_points")),
                    "payoff": _interval(self.figure(f"{name}_payoff")),
                    "made": _interval(self.share(f"{name}_made")),
                    **({"formed": self._formed(name)} if self.match.hidden else {}),
                }
                for name in self.match.plays
            ]
        return [
            {
                "alone": who,
                "others": other,
                "payoff": _interval(self.figure(f"{who}_payoff")),
                **{role: _interval(self.figure(f"{who}_{role}")) for role in self.match.roles[:-1]},
            }
            for who, other in ("ab", "ba")
        ]

    def _formed(self, name: str) -> dict[str, float | None] | None:
        """How often these sides really came about; null where they always do."""
        return _interval(self.share(f"{name}_formed")) if f"{name}_formed" in self.sums else None


def rule_of_three(confidence: float) -> float:
    """Something never seen in n deals happens in at most this over n of them: 3 at 95 %, the log rounded up."""
    return math.ceil(-10 * math.log(1 - confidence)) / 10


def _named(bidding: Bidding) -> dict[str, str]:
    return {"name": bidding.name, "sha256": bidding.hash()}


def _interval(figure: Estimate) -> dict[str, float | None]:
    return {"mean": figure.value, "lo": figure.low, "hi": figure.high}


def match(
    game: str | Game,
    a: str,
    b: str,
    *,
    deals: int | None = None,
    mode: str = "contract",
    seed: int = 0,
    first: int = 0,
    rules: Rules = None,
    bidding: Bids = None,
    until_se: float | None = None,
    min_deals: int | None = None,
    max_deals: int | None = None,
    confidence: float = 0.95,
    biddings: tuple[Bids, Bids] = (None, None),
    workers: int | None = None,
    chunk: int | None = None,
) -> dict[str, Any]:
    """How much better policy ``a`` plays than ``b``: the JSON object of `tuolaji match`.

    ``deals``: how many (default 10,000); or ``until_se``: play until the standard error of the advantage (in points;
    in payoff with ``mode="auction"``) is at most that. ``bidding``: with ``mode="contract"`` the policy that bids, or
    reveals, or what `expert` does so by; ``biddings``: with ``mode="auction"`` what A and B bid by as `expert`. These
    and ``rules``: see ``simulate``. Workers and chunk change nothing but the time it takes.
    """
    asked = make_match(
        game, [a, b], deals=deals, mode=mode, seed=seed, first=first, rules=rules, bidding=bidding,
        until_se=until_se, min_deals=min_deals, max_deals=max_deals, confidence=confidence,
        biddings=biddings,
    )  # fmt: skip
    return run_match(asked, workers=workers, chunk=chunk).to_dict()


def make_match(
    game: str | Game,
    policies: Words,
    *,
    deals: int | None = None,
    mode: str = "contract",
    seed: int = 0,
    first: int = 0,
    rules: Rules = None,
    overrides: Words = (),
    bidding: Bids = None,
    until_se: float | None = None,
    min_deals: int | None = None,
    max_deals: int | None = None,
    confidence: float = 0.95,
    biddings: tuple[Bids, Bids] = (None, None),
) -> Match:
    """Check and complete what was asked for; `UsageError` with one sentence for anything that is not possible."""
    plan = make_plan(game, rules=rules, overrides=overrides, seed=seed)
    names = [_policy(plan.game, name) for name in words(policies, "policies", 'write a name like "greedy"')]
    if len(names) != 2:
        raise UsageError(
            f"policy: a match is between two policies; give --policy exactly twice (given: {len(names)})"
        )
    if mode not in MODES:
        raise UsageError(f"mode: {clip(mode)} is no way to play a match; allowed are {one_of([*MODES])}")
    if bidding is not None and mode != "contract":
        raise UsageError("bidding: with mode auction each seat bids for itself; leave --bidding out")
    if not isinstance(biddings, (tuple, list)) or len(biddings) != 2:
        raise UsageError(f"biddings: {clip(biddings)} are not two, of A and of B; None is as shipped")
    if any(given is not None for given in biddings) and mode != "auction":
        raise UsageError(
            "bidding: biddings can be compared with mode auction only; a contract is bid by one policy"
        )
    if not 0.5 <= confidence <= 0.999999:
        raise UsageError(f"confidence: {confidence} is not a number from 0.5 to 0.999999")
    rule = None
    if until_se is not None:
        if deals is not None:
            raise UsageError("deals: give either a number of deals or a standard error to reach, not both")
        rule = make_rule(until_se, min_deals, max_deals, confidence)
    elif min_deals is not None or max_deals is not None:
        raise UsageError("min-deals and max-deals go with until-se; without it, give deals alone")
    number = rule.most if rule else DEALS if deals is None else deals
    if number == 1:
        raise UsageError("deals: one deal tells nothing about its error; allowed are 2 or more")
    check_deals(plan, number, first)
    bids, bids_by = _who_bids(plan.game, bidding)
    a, b = names
    own_a, own_b = (
        None if given is None else bidding_for(plan.game, (policy,) * len(plan.policies), given)[0]
        for policy, given in zip((a, b), biddings, strict=True)
    )
    return Match(plan, a, b, mode, bids, first, number, rule, confidence, (own_a, own_b), bids_by)


def _who_bids(game: Game, given: Bids) -> tuple[str, Bidding | None]:
    """The policy that bids every contract, and what it bids by if that is not as shipped."""
    if given is None:
        return DEFAULT_POLICY[game.name], None
    if isinstance(given, str) and not looks_like_bidding(given):
        return _policy(game, given), None
    return POLICY, read_bidding(given, game.name)


def _policy(game: Game, name: str) -> str:
    """The name of a policy, checked; a match has no other roles than its own."""
    role, equals, _ = name.partition("=")
    if equals and (role in ROLES or role.isdecimal()):
        raise UsageError(f"policy: a match gives out the roles itself; write a name alone, not {clip(name)}")
    return parse_policies(game, [name])[0]


def run_match(
    asked: Match,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    starting: Callable[[], None] | None = None,
    report: Callable[[int], None] | None = None,
) -> Result:
    """Play a match. ``starting`` is called before kernels are loaded, ``report`` with the deals played so far."""
    if starting:
        starting()
    from .runner import Runner
    from .stopping import stopped_by_user

    tally = _Tally(asked)
    try:
        player = Lineups(asked.plan, asked.lineups(), contract=asked.mode == "contract", bids=asked.bids())
        runner = Runner(player, asked.first, asked.deals, workers=workers, chunk=chunk)
        try:
            with stopped_by_user(runner.stop):
                for found in runner.chunks():
                    going_on = tally.add(found.columns)
                    if report:
                        report(tally.deals)
                    if not going_on:
                        break
        finally:
            runner.close()
        if tally.stopped_by is None:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        done = (
            f"after {tally.deals} of {asked.deals} deals"
            if asked.rule is None
            else f"after {tally.deals} deals"
        )
        raise Interrupted(f"interrupted {done}; a match keeps nothing, so run it again") from None
    return Result(asked, tally.deals, tally.sums, tally.squares, tally.stopped_by, tally.moved, tally.largest)


class _Tally:
    """Adds up the deals in their order, up to where the match ends."""

    def __init__(self, asked: Match) -> None:
        self.deals = 0
        self.sums: Counter[str] = Counter()
        self.squares: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()
        self.largest: Counter[str] = Counter()
        self.stopped_by: str | None = None
        self._asked = asked
        self._judged = "points" if asked.mode == "contract" else "payoff"
        self._looks = iter(asked.rule.looks() if asked.rule else [asked.deals])
        self._look = next(self._looks)

    def add(self, columns: Columns) -> bool:
        """Take a chunk of deals; False once the match has ended, what is left of the chunk then being left out."""
        found = quantities(columns)
        take = self._end_within(found[self._judged])
        for name, values in found.items():
            self.sums[name] += int(values[:take].sum())
            self.squares[name] += int((values[:take] ** 2).sum())
            self.moved[name] += int((values[:take] != 0).sum())
            self.largest[name] = max(self.largest[name], int(abs(values[:take]).max(initial=0)))
        self.deals += take
        return self.stopped_by is None

    def _end_within(self, values: NDArray[np.int64]) -> int:
        """How many of these deals are to be taken; sets ``stopped_by``. Where chunks begin and end plays no part."""
        x, xx, at = self.sums[self._judged], self.squares[self._judged], 0
        while self._look - self.deals <= len(values):
            piece = values[at : self._look - self.deals]
            x, xx, at = x + int(piece.sum()), xx + int((piece**2).sum()), self._look - self.deals
            if self._is_enough(x, xx):
                return at
            self._look = next(self._looks)
        return len(values)

    def _is_enough(self, x: int, xx: int) -> bool:
        rule = self._asked.rule
        if rule is None:
            self.stopped_by = "deals"
            return True
        variance = self._asked.sums(self._judged, self._look, x, xx).variance
        if variance is not None and math.sqrt(variance) <= rule.error:
            self.stopped_by = "until-se"
        elif self._look >= rule.most:
            self.stopped_by = "max-deals"
        return self.stopped_by is not None
