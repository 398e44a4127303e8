"""The study ``threshold`` of hong-wu-wu-jia: when to reveal, which face to name, when solo pays. docs/statistics.md."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.compiling import clock
from .bidding import Bidding, shipped
from .curves import GROUPS, Axis, BreakEven, Curve, break_even
from .errors import UsageError
from .plan import ROLES, bidding_for, check_deals, make_plan
from .table_seats import table_seats
from .threshold import LEAST, MATCH_DEALS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .bidding import Bids
    from .calls import Policies, Words
    from .counterfactual import Tables
    from .counterfactual_hong_wu_wu_jia import HiddenTable
    from .games import Game
    from .naming import Fitted, Namings
    from .plan import Plan
    from .reveal_response import Answer
    from .reveals import Looks, Reveals, Rule, Waits
    from .rules import Rules
    from .stats import Estimate

#: What a 2 that could be revealed is weighed by, and the weights of ``reveals.PARTS`` for it.
BY: dict[str, tuple[int, ...] | None] = {
    "strength": None,  # as the bidding studied weighs it
    "trumps": (100, 0, 0, 0),
    "trump-pairs": (0, 100, 0, 0),
    "top-trumps": (0, 0, 0, 100),
}
UNIT = 100  # of a strength: a trump, or one of the feature
LEARN_DEALS = 120_000  # at most, for fitting, choosing and judging
SOLO_AXIS = Axis(0, 1, 32)  # trumps in hand
#: Cards of the suit in hand, counted down: naming a face pays up to a number of them.
LENGTH_AXIS = Axis(-31, 1, 32)


@dataclass(frozen=True)
class HiddenAsked:
    """What is to be studied. ``bidding``: by what everybody reveals and names; ``seats``: whose hands tables are of."""

    plan: Plan
    deals: int
    first: int
    by: str
    bidding: Bidding
    seats: tuple[int, ...]

    @property
    def axis(self) -> Axis:
        """What hands are ordered by: half trumps of strength, or the feature."""
        return Axis(0, UNIT // 2, 64, step=2, reach=8) if self.by == "strength" else Axis(0, 1, 32)

    @property
    def unit(self) -> int:
        """What a trump of strength, or one of the feature, is on that axis."""
        return UNIT if self.by == "strength" else 1

    def provenance(self) -> dict[str, Any]:
        """What determines the study."""
        found = {**self.plan.describe(), "first": self.first, "deals": self.deals, "by": self.by}
        return found | {"studied": self.bidding.to_dict(), "seats": [*self.seats]}


@dataclass(frozen=True)
class When:
    """Which looks a curve is of: a number of ``reveal_response.BANDS``, previous banker or not, place in the round."""

    band: int
    previous: bool | None = None
    place: int | None = None


@dataclass(frozen=True)
class What:
    """Which faces a curve is of: an index into ``naming.KINDS``, and copies in the banker's hand."""

    kind: int
    held: int


@dataclass(frozen=True)
class HiddenResult:
    """All that a study came to. ``solo``: by kind of face, and None for all kinds together."""

    asked: HiddenAsked
    reveals: dict[When, Curve]
    reveals_even: dict[When, BreakEven]
    names: dict[What, Curve]
    names_even: dict[What, BreakEven]
    picked: dict[What, int]
    solo: dict[int | None, Curve]
    solo_even: dict[int | None, BreakEven]
    answer: Answer
    naming: Fitted
    bidding: Bidding
    match: dict[str, Any]
    pressed: Estimate
    could_solo: Estimate
    seconds: float


def ask_hidden(
    game: str | Game,
    deals: int,
    *,
    by: str = "strength",
    seed: int = 0,
    first: int = 0,
    rules: Rules = None,
    overrides: Words = (),
    policies: Policies = None,
    bidding: Bids = None,
    hold: Words = (),
    count: Words = (),
    seats: str | None = None,
) -> HiddenAsked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible."""
    plan = make_plan(
        game, rules=rules, overrides=overrides, policies=policies, seed=seed, hold=hold, count=count
    )
    if plan.game.name != "hong-wu-wu-jia":
        raise UsageError(f"game: nobody reveals in {plan.game.name}; allowed is hong-wu-wu-jia")
    if by not in BY:
        raise UsageError(
            f"by: {by!r} is nothing to order hands of {plan.game.name} by; allowed are {', '.join(BY)}"
        )
    if {plan.policies[at] for at in range(len(plan.policies)) if ROLES[at % 3] != "defender"} != {"expert"}:
        raise UsageError(
            "policy: the revealing and naming that is studied is that of expert; give others for defender"
        )
    if deals < LEAST:
        raise UsageError(f"deals: {deals} are too few for a study; allowed are {LEAST} or more")
    check_deals(plan, deals, first)
    named = None if bidding is None else bidding_for(plan.game, plan.policies, bidding)[0]
    found = named or shipped(plan.game.name)
    plan = replace(plan, bidding=(found,) * plan.game.seats if named else ())
    return HiddenAsked(plan, deals, first, by, found, table_seats(plan, seats))


def study_hidden(
    asked: HiddenAsked, tables: Tables, *, keep: Callable[[str, dict[str, Any]], None] | None = None
) -> HiddenResult:
    """Play the deals out and work everything out. ``keep`` gets the columns of the rows, piece by piece."""
    from .counterfactual_hong_wu_wu_jia import HiddenCounterfactual
    from .curves import per_deal
    from .naming import namings_of, numbers_of
    from .reveal_fit import fit, joined
    from .reveals import Rule, reveals_of
    from .threshold_rows import contract_rows, look_rows, name_rows

    began = clock()
    rule, numbers = Rule.of(asked.bidding), numbers_of(asked.bidding)
    gathered = _Gathered(asked)
    kept: tuple[list[Reveals], list[Namings]] = ([], [])
    pressed, could = [], []
    for table in tables.of(HiddenCounterfactual(asked.plan), asked.first, asked.deals):
        reveals, namings = reveals_of([table]), namings_of([table])
        looks, waits = gathered.add_looks(table, reveals, rule)
        gathered.add_names(table, namings, numbers)
        pressed.append(table.deals["pressed"] == 1)
        could.append(namings.solo.any(axis=1))
        if table.first - asked.first < LEARN_DEALS:
            kept[0].append(reveals)
            kept[1].append(namings)
        if keep:
            keep("contracts", contract_rows(table))
            keep("looks", look_rows(table, reveals, looks, waits))
            keep("names", name_rows(table, namings))
    found = fit(*joined(*kept), asked.bidding, BY[asked.by])
    return HiddenResult(
        asked,
        gathered.looks, {key: break_even(curve) for key, curve in gathered.looks.items()},
        gathered.names, {key: break_even(curve) for key, curve in gathered.names.items()}, gathered.picked,
        gathered.solo, {key: break_even(curve) for key, curve in gathered.solo.items()},
        found.answer, found.naming, found.bidding, _match(asked, found.bidding),
        per_deal(np.concatenate(pressed)), per_deal(np.concatenate(could)), clock() - began,
    )  # fmt: skip


def run_hidden(
    asked: HiddenAsked,
    *,
    workers: int | None = None,
    report: Callable[[int], None] | None = None,
    keep: Callable[[str, dict[str, Any]], None] | None = None,
) -> HiddenResult:
    """`study_hidden` with threads of its own; Ctrl-C: `KeyboardInterrupt`. ``report`` gets the deals played so far."""
    from .cores import cores
    from .counterfactual import Tables
    from .stopping import interrupt, stopped_by_user

    with stopped_by_user(interrupt):
        return study_hidden(asked, Tables(workers or cores(), report), keep=keep)


class _Gathered:
    """The curves of a study, growing piece by piece."""

    def __init__(self, asked: HiddenAsked) -> None:
        from .naming import KINDS
        from .reveal_response import BANDS

        self.asked = asked
        self.looks: dict[When, Curve] = {}
        for band in range(len(BANDS)):
            keys = [When(band), *(When(band, is_it) for is_it in (True, False))]
            for key in (*keys, *(When(band, None, place) for place in range(asked.plan.game.seats))):
                self.looks[key] = Curve(asked.axis)
        each = [What(kind, held) for kind in range(len(KINDS)) for held in range(3)]
        self.names = {key: Curve(LENGTH_AXIS) for key in each}
        self.picked = dict.fromkeys(each, 0)
        self.solo: dict[int | None, Curve] = {key: Curve(SOLO_AXIS) for key in (None, *range(len(KINDS)))}

    def _groups(self, table: HiddenTable, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """The group of each deal, as an array of this shape, deals first."""
        found = (table.first - self.asked.first + np.arange(len(table))) * GROUPS // self.asked.deals
        return np.broadcast_to(found.reshape(-1, *(1 for _ in shape[1:])), shape)

    def add_looks(self, table: HiddenTable, reveals: Reveals, rule: Rule) -> tuple[Looks, Waits]:
        """Revealing against waiting, at every look that comes about."""
        from .reveal_response import BANDS
        from .reveals import waits

        looks = reveals.looks(rule.weights)
        found = waits(reveals, rule, looks)
        by = BY[self.asked.by]
        values = looks.strength if by is None else looks.counts @ np.array(by, np.int64) // UNIT
        groups = self._groups(table, looks.suit.shape)
        previous = np.broadcast_to(reveals.is_previous[..., None], looks.suit.shape)
        places = np.broadcast_to(reveals.order[..., None], looks.suit.shape)
        asked = np.isin(np.arange(self.asked.plan.game.seats), self.asked.seats)[:, None]
        for when, curve in self.looks.items():
            low, high = BANDS[when.band]
            rows = found.reached & asked & (looks.cards >= low) & (looks.cards <= high)
            if when.previous is not None:
                rows &= previous == when.previous
            if when.place is not None:
                rows &= places == when.place
            curve.add(groups[rows], values[rows], found.reveal[rows], found.wait[rows], found.won[rows])
        return looks, found

    def add_names(self, table: HiddenTable, namings: Namings, numbers: dict[str, int]) -> None:
        """Each face against the best of the others; and all copies of a face against a partner."""
        groups = self._groups(table, namings.able.shape)
        asked = np.isin(table.deals["banker"], self.asked.seats)[:, None]
        faces = np.arange(namings.able.shape[1])
        picks = faces == namings.picks(numbers)[:, None]
        other = namings.pay(namings.alternatives(numbers))
        partner = namings.pay(namings.alternatives(numbers, solo=False))
        pay = namings.payoffs.astype(np.int64)
        for what, curve in self.names.items():
            rows = (
                namings.able
                & asked
                & ~namings.solo
                & (namings.kind == what.kind)
                & (namings.held == what.held)
            )
            curve.add(groups[rows], -namings.length[rows], pay[rows], other[rows], namings.won[rows])
            self.picked[what] += int((picks & rows).sum())
        # one a deal, however many faces there are of which all copies are held: the one preferred
        scores = np.where(namings.solo, namings.scores(numbers), -np.inf)
        best = (faces == np.argmax(scores, axis=1)[:, None]) & namings.solo & asked
        for kind, curve in self.solo.items():
            rows = best if kind is None else best & (namings.kind == kind)
            curve.add(groups[rows], namings.trumps[rows], pay[rows], partner[rows], namings.won[rows])


def _match(asked: HiddenAsked, bidding: Bidding) -> dict[str, Any]:
    """The bidding found against the one studied, on deals that nothing else looked at."""
    from .match import make_match, run_match

    plan = asked.plan
    found = make_match(
        plan.game, ["expert", "expert"], deals=min(asked.deals, MATCH_DEALS), mode="auction", seed=plan.seed,
        first=asked.first + asked.deals, rules=plan.rules, biddings=(bidding, asked.bidding),
    )  # fmt: skip
    return run_match(replace(found, plan=replace(found.plan, given=plan.given))).to_dict()
