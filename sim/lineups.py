"""The several ways in which a match plays one deal, and what is compared between them.

A *lineup* says who decides what, seat * 3 + role -> policy. Lineups are given out before play and depend on nothing
that happens in it, so nobody learns from them who is whose partner.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .errors import RunError
from .plan import ROLES, Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from .engine import Columns

    Ints = NDArray[np.int64]

_FROM_AUCTION = ("first_seat", "redeals", "trump", "banker", "bid")
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


class Lineups:
    """Plays every lineup of a match and finds what matters of it, deal by deal; a `runner.Player`."""

    def __init__(self, plan: Plan, lineups: Mapping[str, tuple[str, ...]], *, contract: bool) -> None:
        from .engine import Engine

        self.plan = plan
        self._engines = {name: Engine(replace(plan, policies=who)) for name, who in lineups.items()}
        self._contract = contract

    def play(self, first: int, count: int, stop: Ints | None = None) -> Columns:
        """The columns of the first lineup, and beside them the quantities of each deal."""
        played = {name: engine.play(first, count, stop) for name, engine in self._engines.items()}
        done = min(len(columns["banker"]) for columns in played.values())
        played = {
            name: {key: values[:done] for key, values in columns.items()} for name, columns in played.items()
        }
        if self._contract:
            _check_contracts(played, first)
            found = contract_quantities(played)
        else:
            found = auction_quantities(played, self.plan.game.seats)
        base = next(iter(played.values()))
        return base | {_MARK + name: values.astype(np.int16) for name, values in found.items()}


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


def auction_quantities(played: Mapping[str, Columns], seats: int) -> dict[str, Ints]:
    """Whole deals with A in one seat among B, and B in one seat among A; the sums over the seats."""
    found: dict[str, Ints] = {}
    for who in "ab":
        payoffs = [_payoffs(played[f"{who}{seat}"], seat) for seat in range(seats)]
        banker = [(played[f"{who}{seat}"]["banker"] == seat).astype(np.int64) for seat in range(seats)]
        total, at_banker = sum(payoffs), sum(p * b for p, b in zip(payoffs, banker, strict=True))
        found |= {
            f"{who}_payoff": np.asarray(total),
            f"{who}_payoff_banker": np.asarray(at_banker),
            f"{who}_payoff_defender": np.asarray(total - at_banker),
            f"{who}_banker": np.asarray(sum(banker)),
        }
    for name in ("payoff", "payoff_banker", "payoff_defender"):
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
        for name in _FROM_AUCTION:
            odd = np.flatnonzero(one[name] != other[name])
            if len(odd):
                raise RunError(
                    f"deal {first + int(odd[0])}: the {name} depends on who plays, so no contract can be mirrored"
                )
