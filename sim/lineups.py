"""The several ways in which a match plays one deal, and what is compared between them.

A *lineup* says who decides what, seat * 3 + role -> policy. Lineups are given out before play and depend on nothing
that happens in it, so nobody learns from them who is whose partner. Where the partner is hidden, every seat is tried as
the one who plays with the banker, and the lineup counts whose guess comes true.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import RunError
from .plan import ROLES, Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from .bidding import Bidding
    from .engine import Columns

    Ints = NDArray[np.int64]

_FROM_AUCTION = (
    "first_seat", "trump", "banker",
    *("redeals", "bid"), *("previous_banker", "pressed", "reveal_after"),  # of the one game and of the other
)  # fmt: skip
_MARK = "match:"  # in front of the names of quantities, beside the columns of a dataset


def contract_lineups(seats: int, a: str, b: str, bidding: str) -> dict[str, tuple[str, ...]]:
    """By name, banker first: a third policy bids, then A is banker against B, B against A, and B against itself."""
    sides = {"ab": (a, b), "ba": (b, a), "bb": (b, b)}
    return {name: (bidding, *both) * seats for name, both in sides.items()}


def auction_lineups(seats: int, a: str, b: str) -> dict[str, tuple[str, ...]]:
    """By name: A alone in each seat, and B alone in each seat; bidding is theirs too."""
    return {
        f"{who}{seat}": tuple(odd if at == seat else rest for at in range(seats) for _ in ROLES)
        for who, odd, rest in (("a", a, b), ("b", b, a))
        for seat in range(seats)
    }


def hidden_lineups(seats: int, a: str, b: str, bidding: str) -> dict[str, tuple[str, ...]]:
    """The same where the partner is hidden: the banker's side against the others, with each seat as the partner.

    ``ab2``: A is banker, and A sits in seat 2 too, among B. Where seat 2 is the banker, A is banker alone.
    """
    found = {"bb": (bidding, b, b) * seats}
    for name, one, other in (("ab", a, b), ("ba", b, a)):
        for guess in range(seats):
            each = ((bidding, one, one if seat == guess else other) for seat in range(seats))
            found[f"{name}{guess}"] = tuple(policy for seat in each for policy in seat)
    return found


class Lineups:
    """Plays every lineup of a match and finds what matters of it, deal by deal; a `runner.Player`."""

    def __init__(
        self,
        plan: Plan,
        lineups: Mapping[str, tuple[str, ...]],
        *,
        contract: bool,
        bids: Mapping[str, tuple[Bidding | None, ...]] | None = None,
    ) -> None:
        """``bids``: by lineup, the bidding of each seat; see ``Plan``."""
        from .engine import Engine

        self.plan = plan
        self._engines = {
            name: Engine(replace(plan, policies=who, bidding=(bids or {}).get(name, ())))
            for name, who in lineups.items()
        }
        self._contract = contract
        self.slow = any(engine.slow for engine in self._engines.values())

    def play(self, first: int, count: int, stop: Ints | None = None) -> Columns:
        """The columns of the first lineup, and beside them the quantities of each deal."""
        played = {name: engine.play(first, count, stop) for name, engine in self._engines.items()}
        done = min(len(columns["banker"]) for columns in played.values())
        played = {
            name: {key: values[:done] for key, values in columns.items()} for name, columns in played.items()
        }
        if self._contract:
            _check_contracts(played, first)
            if self.plan.game.name == "hong-wu-wu-jia":
                found = hidden_quantities(played)
            else:
                found = contract_quantities(played)
        else:
            found = auction_quantities(played, self.plan.game.seats)
        base = next(iter(played.values()))
        return base | {_MARK + name: values.astype(np.int32) for name, values in found.items()}


def quantities(columns: Columns) -> dict[str, Ints]:
    """What `Lineups.play` put beside the columns: by name, a whole number a deal, summed over lineups."""
    return {
        name.removeprefix(_MARK): values.astype(np.int64)
        for name, values in columns.items()
        if name.startswith(_MARK)
    }


def contract_quantities(played: Mapping[str, Columns]) -> dict[str, Ints]:
    """One contract, played by A as banker, by B as banker, and by B alone. Positive differences: A is better."""
    points = {name: columns["defender_points"].astype(np.int64) for name, columns in played.items()}
    payoff = {name: _payoffs(columns, columns["banker"]) for name, columns in played.items()}
    found = {
        "points": points["ba"] - points["ab"],
        "points_banker": points["bb"] - points["ab"],
        "points_defender": points["ba"] - points["bb"],
        "payoff": payoff["ab"] - payoff["ba"],
        "payoff_banker": payoff["ab"] - payoff["bb"],
        "payoff_defender": payoff["bb"] - payoff["ba"],
        "differs": _differing(played["ab"], [played["ba"]]),
    }
    for name, columns in played.items():
        found |= {f"{name}_points": points[name], f"{name}_payoff": payoff[name]}
        found[f"{name}_made"] = (columns["result"] == 0).astype(np.int64)
    return found


def hidden_quantities(played: Mapping[str, Columns]) -> dict[str, Ints]:
    """One contract, played by A, by B, and by A and B, on the banker's side and against it. Positive: A is better.

    Names are those of the banker, the partner and the defenders: ``aab`` is A's side against B. A deal without such a
    play (somebody else became the partner) is represented by the play in which the banker's policy sits nowhere else.
    """
    chosen = {"bbb": played["bb"]}
    formed = {}
    for name, of in (("aab", "ab"), ("bba", "ba")):
        guesses = [played[f"{of}{seat}"] for seat in range(sum(key.startswith(of) for key in played))]
        at, formed[name] = _come_true(guesses)
        chosen[name] = _chosen(guesses, at)
        if name == "aab":
            chosen["abb"] = _chosen(guesses, guesses[0]["banker"])
    points = {name: columns["defender_points"].astype(np.int64) for name, columns in chosen.items()}
    side = {name: _side_payoffs(columns) for name, columns in chosen.items()}
    found = {
        "points": points["bba"] - points["aab"],
        "points_banker": points["bbb"] - points["abb"],
        "points_partner": points["abb"] - points["aab"],
        "points_defender": points["bba"] - points["bbb"],
        "payoff": side["aab"] - side["bba"],
        "payoff_banker": side["abb"] - side["bbb"],
        "payoff_partner": side["aab"] - side["abb"],
        "payoff_defender": side["bbb"] - side["bba"],
    }
    differs = [
        _differing(columns, [played["ba" + key[2:]]]) for key, columns in played.items() if key[:2] == "ab"
    ]
    found["differs"] = np.asarray(np.logical_or.reduce(differs), np.int64)
    for name, columns in chosen.items():
        found |= {f"{name}_points": points[name], f"{name}_payoff": side[name]}
        found[f"{name}_made"] = (columns["grade"] > 0).astype(np.int64)
    return found | {f"{name}_formed": values for name, values in formed.items()}


def _come_true(guesses: Sequence[Columns]) -> tuple[Ints, Ints]:
    """For each deal the seat whose guess comes true (of several the first after the banker, of none the banker).

    And 1 where the banker's side is as guessed: the partner is, or there is none and no other seat was given.
    """
    banker = guesses[0]["banker"].astype(np.int64)
    at, formed = banker.copy(), (guesses[0]["partner"] < 0).astype(np.int64)
    for offset in range(len(guesses) - 1, 0, -1):
        seat = (banker + offset) % len(guesses)
        partner = np.choose(seat, [columns["partner"] for columns in guesses])
        at, formed = np.where(partner == seat, seat, at), np.where(partner == seat, 1, formed)
    return at, formed


def _chosen(guesses: Sequence[Columns], at: NDArray[np.integer[Any]]) -> Columns:
    """The columns of one play for each deal."""
    return {name: np.choose(at, [columns[name] for columns in guesses]) for name in guesses[0]}


def _side_payoffs(columns: Columns) -> Ints:
    """The payoff of the banker's side: banker and partner."""
    partner = columns["partner"]
    beside = _payoffs(columns, np.where(partner < 0, columns["banker"], partner))
    return _payoffs(columns, columns["banker"]) + np.where(partner < 0, 0, beside)


def auction_quantities(played: Mapping[str, Columns], seats: int) -> dict[str, Ints]:
    """Whole deals with A in one seat among B, and B in one seat among A; the sums over the seats."""
    found: dict[str, Ints] = {}
    for who in "ab":
        alone = [(seat, played[f"{who}{seat}"]) for seat in range(seats)]
        payoffs = [_payoffs(columns, seat) for seat, columns in alone]
        found[f"{who}_payoff"] = found[f"{who}_payoff_defender"] = np.asarray(sum(payoffs))
        for role in ("banker", "partner"):
            if role in alone[0][1]:
                mine = [(columns[role] == seat).astype(np.int64) for seat, columns in alone]
                here = np.asarray(sum(p * m for p, m in zip(payoffs, mine, strict=True)))
                found[f"{who}_{role}"] = np.asarray(sum(mine))
                found[f"{who}_payoff_{role}"] = here
                found[f"{who}_payoff_defender"] = found[f"{who}_payoff_defender"] - here
    for name in [name.removeprefix("a_") for name in found if name.startswith("a_payoff")]:
        found[name] = found[f"a_{name}"] - found[f"b_{name}"]
    first, *others = played.values()
    found["differs"] = _differing(first, others)
    return found


def _payoffs(columns: Columns, seat: int | NDArray[np.int16]) -> Ints:
    """The payoff of a seat; or of one seat for each deal."""
    if isinstance(seat, int):
        return columns[f"payoff_{seat}"].astype(np.int64)
    found = np.zeros(len(seat), np.int64)
    for at in range(1 + int(seat.max(initial=-1))):
        mine = seat == at
        found[mine] = columns[f"payoff_{at}"][mine]
    return found


def _differing(one: Columns, others: Iterable[Columns]) -> Ints:
    """1 for each deal where some column has another value."""
    differs = np.zeros(len(one["banker"]), bool)
    for other in others:
        for name, values in one.items():
            differs |= values != other[name]
    return differs.astype(np.int64)


def _check_contracts(played: Mapping[str, Columns], first: int) -> None:
    """The contracts must be the same: what bids may not know who will play."""
    one, *others = played.values()
    for other in others:
        for name in filter(one.__contains__, _FROM_AUCTION):
            odd = np.flatnonzero(one[name] != other[name])
            if len(odd):
                raise RunError(
                    f"deal {first + int(odd[0])}: the {name} depends on who plays, so no contract can be mirrored"
                )
