"""What a run plays: game, rules, policies, seed, sessions, contract. Everything that determines the rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from . import searching
from .calls import policy_words, whole, words
from .errors import UsageError
from .games import Game, resolve_game
from .rules import RuleSet, as_rule_set
from .text import clip, one_of
from .weights import weights_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .bidding import Bidding, Bids
    from .calls import Policies, Words
    from .given import Given
    from .rules import Rules

MOST_SESSIONS = 2**31  # sessions are numbered in 32 bits
#: Counts the changes by which the same plan plays other rows (under **Rows** in the changelog): a dataset begun by one
#: version is not gone on with by another.
ROWS_VERSION = 2
ROLES = ("bidding", "banker", "defender")
#: Policies by game, weakest first, and the kernel module each lives in.
POLICIES: dict[str, dict[str, str]] = {
    "die-wu-fen": {"random": "dwf_random", "greedy": "dwf_greedy", "expert": "dwf_expert"},
    "hong-wu-wu-jia": {"random": "hw_random", "greedy": "hw_greedy", "expert": "hw_expert"},
}
#: The policy `searching.NAME`, stronger than all of these and a thousand times slower.
SEARCHES = {"die-wu-fen": "dwf_search", "hong-wu-wu-jia": "hw_search"}
_PLAYED_OUT_BY = searching.NAME, "expert"  # whose weights a search uses
DEFAULT_POLICY = {game: [*known][-1] for game, known in POLICIES.items()}


def kernel_of(game: str, policy: str) -> str:
    """The kernel module of a policy, given as a plan holds it, with its parameters."""
    base = policy.partition(":")[0]
    return SEARCHES[game] if base == searching.NAME else POLICIES[game][base]


@dataclass(frozen=True)
class Contract:
    """A fixed banker, trump suit (0..3 for s h c d) and, in die-wu-fen, bid: nobody calls, bids or reveals."""

    banker: int
    trump: int
    bid: int | None = None


@dataclass(frozen=True)
class Plan:
    """All that a deal's row depends on, besides its index.

    ``policies`` holds seat * 3 + role (see ``ROLES``) -> policy name. ``bidding``: for each seat how its ``expert``
    bids, None where that is as shipped; empty when it is so everywhere. ``given``: what is known of every deal.
    """

    game: Game
    rules: RuleSet
    policies: tuple[str, ...]
    seed: int = 0
    session: int = 1
    contract: Contract | None = None
    bidding: tuple[Bidding | None, ...] = ()
    given: Given | None = None

    @property
    def imported(self) -> bool:
        """Whether the deals were played elsewhere, so that nobody knows by what policies and from what seed."""
        return not self.policies

    def told_policies(self) -> str:
        """Who decides, in words of the command line."""
        found = describe_policies(self.policies)
        return ", ".join(name if role == "all" else f"{role}={name}" for role, name in found.items())

    def told_biddings(self) -> list[str]:
        """By which biddings `expert` bids, where that is not as shipped: their names, and what tells them apart."""
        return list(dict.fromkeys(found.told() for found in self.bidding if found))

    def describe(self) -> dict[str, Any]:
        """The plan as plain data: what a manifest and each part's metadata say about it."""
        described: dict[str, Any] = {
            "game": self.game.name,
            "rules": self.rules.to_dict(),
            "rules_hash": self.rules.hash(),
            "policies": describe_policies(self.policies),
            "weights": {
                name: weights_hash(kernel_of(self.game.name, name.partition(":")[0].replace(*_PLAYED_OUT_BY)))
                or ""
                for name in sorted(set(self.policies))
            },
            "seed": self.seed,
            "session": self.session,
            "rows_version": ROWS_VERSION,
        }
        if self.contract is not None:
            banker, trump, bid = self.contract.banker, self.contract.trump, self.contract.bid
            described["contract"] = {"banker": banker, "trump": "shcd"[trump]}
            if bid is not None:
                described["contract"]["bid"] = bid
        if any(self.bidding):
            described["bidding"] = [found and found.to_dict() for found in self.bidding]
        if self.given is not None:
            described |= self.given.describe()
        return described


def make_plan(
    game: str | Game,
    *,
    rules: Rules = None,
    overrides: Words = (),
    policies: Policies = None,
    seed: int = 0,
    session: int = 1,
    contract: Mapping[str, Any] | None = None,
    bidding: Bids = None,
    hold: Words = (),
    count: Words = (),
) -> Plan:
    """Check and complete what a user asked for.

    ``rules``, ``policies``, ``bidding``: see ``calls``. All who bid as ``expert`` bid by ``bidding``. ``contract``:
    banker, trump and, in die-wu-fen, bid. ``hold``, ``count``: what is known of every deal, see ``given.make_given``.
    Raises ``UsageError`` with one sentence for anything that is not possible.
    """
    found, rule_set = as_rule_set(game, rules, overrides)
    seed = whole(seed, "seed", 0, 2**64 - 1)
    session = whole(session, "session", 1, 32_767)
    who = parse_policies(found, policy_words(policies))
    fixed = None if contract is None else _contract(found, rule_set, contract)
    return Plan(
        found,
        rule_set,
        who,
        seed,
        session,
        fixed,
        () if bidding is None else bidding_for(found, who, bidding),
        _given(found, rule_set, fixed, hold, count),
    )


def _given(game: Game, rules: RuleSet, contract: Contract | None, hold: Words, count: Words) -> Given | None:
    """What is known of every deal, as typed."""
    hold = words(hold, "hold", 'write SEAT:"3h 3h BJ"')
    count = words(count, "count", "write SEAT:WHAT=LOW-HIGH")
    if not hold and not count:
        return None
    from .given import make_given

    return make_given(game, rules, contract.trump if contract else None, hold, count)


def bidding_for(game: Game, policies: tuple[str, ...], given: Bids) -> tuple[Bidding | None, ...]:
    """A bidding, or what stands for one, for every seat that bids as ``expert``; `UsageError` if there is none."""
    from .bidding import POLICY, ROLES_OF, read_bidding

    found = read_bidding(given, game.name)
    roles = ROLES_OF[game.name]
    seats = tuple(
        found if any(policies[3 * seat + role] == POLICY for role in roles) else None
        for seat in range(game.seats)
    )
    if not any(seats):
        raise UsageError(
            f"bidding: nobody here bids as {POLICY}, so a bidding file has no effect; leave it out"
        )
    return seats


def check_deals(plan: Plan, deals: int, first: int) -> None:
    """`UsageError` unless ``deals`` deals from ``first`` on are whole sessions and can be numbered."""
    for name, number, low in (("deals", deals, 1), ("first", first, 0)):
        if whole(number, name, low) % plan.session:
            raise UsageError(f"{name}: {number} is not a multiple of the session length {plan.session}")
    most = MOST_SESSIONS * plan.session
    if first + deals > most:
        raise UsageError(f"first: deals {first} to {first + deals - 1} go beyond the last one, {most - 1}")


def parse_policies(game: Game, words: Iterable[str]) -> tuple[str, ...]:
    """``seat * 3 + role -> name`` from words like ``greedy``, ``banker=random``, ``2=greedy``."""
    known = POLICIES[game.name]
    chosen = [DEFAULT_POLICY[game.name]] * (len(ROLES) * game.seats)
    for word in words:
        role, equals, name = word.partition("=")
        if not equals or ":" in role:  # a parameter's
            role, equals, name = "", "", word
        base = name.partition(":")[0]
        if base != searching.NAME and name not in known:
            allowed = one_of(sorted([*known, searching.NAME]))
            raise UsageError(f"policy: {clip(name)} names no policy of {game.name}; allowed are {allowed}")
        if base == searching.NAME:
            name = str(searching.parse(name))
        if not equals:
            places = list(range(len(chosen)))
        elif role in ROLES:
            places = [seat * 3 + ROLES.index(role) for seat in range(game.seats)]
        elif re.fullmatch("[0-9]", role) and int(role) < game.seats:
            places = [int(role) * 3 + k for k in range(3)]
        else:
            seats = f"a seat number from 0 to {game.seats - 1}"
            raise UsageError(f"policy: {clip(role)} is no role; allowed are {one_of([*ROLES, seats])}")
        for place in places:
            chosen[place] = name
    return tuple(chosen)


def describe_policies(policies: tuple[str, ...]) -> dict[str, str]:
    """The shortest words that give these policies back: ``{"all": …}`` or by role or by ``seat.role``."""
    if len(set(policies)) == 1:
        return {"all": policies[0]}
    by_role = [set(policies[k :: len(ROLES)]) for k in range(len(ROLES))]
    if all(len(names) == 1 for names in by_role):
        return {role: next(iter(names)) for role, names in zip(ROLES, by_role, strict=True)}
    return {f"{i // 3}.{ROLES[i % 3]}": name for i, name in enumerate(policies)}


def plan_from_description(described: Mapping[str, Any]) -> Plan:
    """The plan that ``Plan.describe`` describes, from a manifest say; other keys are ignored.

    ``rules`` may also be the options alone, with ``rules_name`` beside them, as manifests have it.
    Raises ``UsageError`` for a description this version cannot play.
    """
    if described.get("origin") is not None:
        from .imported import plan_of_import

        return plan_of_import(described)
    lacking = [key for key in ("game", "rules", "policies", "seed", "session") if key not in described]
    if lacking:
        raise UsageError(f"the description of the run lacks {one_of(lacking)}")
    found = resolve_game(described["game"])
    rules, seed, session = described["rules"], described["seed"], described["session"]
    options = rules.get("rules", rules) if isinstance(rules, dict) else None
    if not isinstance(options, dict):
        raise UsageError("the description of the run has no rules in it")
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (seed, session)):
        raise UsageError("the description of the run has a seed or session that is no whole number")
    contract = described.get("contract") or None
    if not (contract is None or isinstance(contract, dict)):
        raise UsageError("the description of the run has a contract that names no banker and trump")
    name = described.get("rules_name") or rules.get("name")
    rule_set = RuleSet.build(found.name, options, name=name if isinstance(name, str) else "")
    plan = make_plan(found, rules=rule_set, seed=seed, session=session, contract=contract)
    return replace(
        plan,
        policies=_policies_from(found, described["policies"]),
        bidding=_bidding_from(found, described.get("bidding")),
        given=_given_from(plan, described),
    )


def _bidding_from(game: Game, described: object) -> tuple[Bidding | None, ...]:
    """The biddings that ``Plan.describe`` describes."""
    if not described:
        return ()
    from .bidding import from_dict

    each = described if isinstance(described, list) else []
    if len(each) != game.seats or not all(found is None or isinstance(found, dict) for found in each):
        raise UsageError("the description of the run has a bidding that is not one for each seat")
    return tuple(found and from_dict(found, game.name) for found in each)


def _given_from(plan: Plan, described: Mapping[str, Any]) -> Given | None:
    """What ``Plan.describe`` says of every deal."""
    if not described.get("hold") and not described.get("count"):
        return None
    from .given import given_from

    return given_from(plan.game, plan.rules, plan.contract.trump if plan.contract else None, described)


def _policies_from(game: Game, described: object) -> tuple[str, ...]:
    """The inverse of ``describe_policies``."""
    if not isinstance(described, dict):
        raise UsageError("the description of the run has no policies in it")
    places: dict[int, str] = {}
    for key, name in described.items():
        seat, dot, role = str(key).partition(".")
        if key == "all":
            found = list(range(len(ROLES) * game.seats))
        elif key in ROLES:
            found = [at * len(ROLES) + ROLES.index(key) for at in range(game.seats)]
        elif dot and role in ROLES and seat in map(str, range(game.seats)):
            found = [int(seat) * len(ROLES) + ROLES.index(role)]
        else:
            raise UsageError(f"the description of the run has policies for {clip(key)}, which is no role")
        (checked, *_) = parse_policies(game, [str(name)])
        places.update(dict.fromkeys(found, checked))
    if len(places) < len(ROLES) * game.seats:
        raise UsageError("the description of the run does not say who decides for every seat and role")
    return tuple(places[at] for at in range(len(places)))


def _contract(game: Game, rules: RuleSet, contract: Mapping[str, Any]) -> Contract:
    from .cards import parse_suit

    bids = "bid_max" in rules.values
    example = "banker=0,trump=h,bid=150" if bids else "banker=0,trump=h"
    if not isinstance(contract, Mapping):
        raise UsageError(
            f"contract: {clip(contract)} is no contract; from Python it is a mapping with the keys of {example}"
        )
    lacking = [key for key in ("banker", "trump", "bid")[: 2 + bids] if key not in contract]
    if lacking:
        raise UsageError(f"contract: {one_of(lacking)} is missing; write {example}")
    banker, bid = contract["banker"], contract.get("bid")
    if isinstance(banker, bool) or not (isinstance(banker, int) and 0 <= banker < game.seats):
        raise UsageError(
            f"contract: there is no banker {clip(banker)}; allowed are seats 0 to {game.seats - 1}"
        )
    if not bids and bid is not None:
        raise UsageError(f"contract: there are no bids in {game.name}; write {example}")
    if bids:
        lowest, highest, step = rules["opening_bid_single"], rules["bid_max"], rules["bid_step"]
        if not (isinstance(bid, int) and lowest <= bid <= highest and (bid - lowest) % step == 0):
            raise UsageError(
                f"contract: {clip(bid)} is no bid; allowed are {lowest}, {lowest + step}, … {highest}"
            )
    return Contract(banker, parse_suit(str(contract["trump"])), bid)
