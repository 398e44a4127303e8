"""What the figures of the summary are made of, deal by deal: whole numbers a deal, and classes of deals.

`kernels.totals` adds up the same quantities at once; here they stay apart, for differences between plays of one deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .cards import FACES, SUITS
from .summary import PLACES, QUANTILES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from .totals import Totals

    Ints = NDArray[np.int64]

Kind = Literal["mean", "share", "ratio", "rate", "spread", "quantile"]
NEVER = 32  # the trick of a partner who is never found, as `kernels.totals_hong_wu_wu_jia` has it
_UPTO = np.array([0, 5, 10, 15, 20, 25, 29])  # cards held when revealing: the last of each class


@dataclass(frozen=True)
class Figure:
    """One figure of the summary.

    ``kind``: mean (x a deal, or a value where a deal holds ``each``), share (of deals with x), ratio (x a y), rate
    (share of the y with x), spread (standard deviation of x, of which there are ``each`` or y a deal), quantile (of
    level x at ``at``). ``group`` and ``value``: of a table by value, as `bid` and `110`; ``code`` is the value in the
    columns.
    """

    name: str
    kind: Kind
    x: str
    y: str = ""
    each: int = 1
    group: str = ""
    value: str = ""
    code: int = 0
    at: float = 0.0

    @property
    def measure(self) -> str:
        """What it is measured in: share, payoff, points or count."""
        if self.kind in ("share", "rate"):
            return "share"
        if self.x.startswith(("payoff", "penalty")):
            return "payoff"
        return "points" if "points" in self.x else "count"


@dataclass(frozen=True)
class Classes:
    """Classes of deals: the summary's table ``name`` by the codes of a class; ``won``: what is told of them."""

    name: str
    values: tuple[str, ...]
    low: int = 0
    won: str = ""


@cache
def classes_of(game: str) -> tuple[Classes, ...]:
    """The tables by value of a game's summary."""
    if game == "die-wu-fen":
        return (Classes("bid", tuple(map(str, range(401))), 0, "made"),)
    reveals = ("pressed", "1-5", "6-10", "11-15", "16-20", "21-25", "26-29", "30-31")
    return (
        Classes("grade", tuple(f"{grade:+d}" for grade in range(-100, 101)), -100),
        Classes("named", FACES, 0, "won"),
        Classes("named_held", tuple("0123"), 0, "won"),
        Classes("trump", tuple(SUITS), 0, "won"),
        Classes("reveal", reveals, 0, "won"),
    )


@cache
def levels_of(game: str) -> tuple[str, ...]:
    """What quantiles there are of."""
    return ("defender_points",) if game == "die-wu-fen" else ("defender_points", "partner_found")


def needed(game: str) -> tuple[str, ...]:
    """The columns that `quantities` and `codes` look at."""
    from .totals import counted

    return counted(game)


@cache
def figures_of(game: str, *, contract: bool = False) -> tuple[Figure, ...]:
    """Every figure of the summary that is no table by value, in its order. ``contract``: nobody calls or bids.

    And one more of die-wu-fen, ``penalty_banker``: the part of the banker's payoff that comes from failed throws.
    """
    found = _die_wu_fen(contract) if game == "die-wu-fen" else _hong_wu_wu_jia(contract)
    found += [
        Figure("defender_points", "mean", "defender_points"),
        Figure("defender_points_spread", "spread", "defender_points"),
        Figure("bottom_points", "mean", "bottom_points"),
        Figure("bottom_dug", "share", "bottom_dug"),
        Figure("bottom_dug_points", "ratio", "bottom_dug_points", "bottom_dug"),
        Figure("throws", "mean", "throws"),
        Figure("failed_throws", "mean", "failed_throws"),
        Figure("failed_share", "rate", "failed_throws", "throws"),
    ]
    for level in levels_of(game):
        found += [Figure(quantile_name(level, at), "quantile", level, at=at) for at in QUANTILES]
    return tuple(found)


def never(game: str, totals: Totals, *, contract: bool = False) -> frozenset[str]:
    """The figures for which nothing came up: no deal has what they count, or what they are a share of."""

    def nothing(figure: Figure) -> bool:
        if figure.name == "penalty_banker":
            return totals.sums["failed_throws"] == 0
        if figure.y and totals.sums[figure.y] == 0:
            return True
        counts = figure.kind in ("share", "rate") or (
            figure.kind in ("mean", "ratio") and figure.measure in ("count", "points")
        )
        return counts and totals.sums[figure.x] == 0

    return frozenset(figure.name for figure in figures_of(game, contract=contract) if nothing(figure))


def quantile_name(level: str, share: float) -> str:
    """What the figure of a level's quantile is called."""
    return f"{level}_q{round(100 * share):02d}"


def _die_wu_fen(contract: bool) -> list[Figure]:
    found: list[Figure] = []
    if not contract:
        found = [
            Figure("redealt", "share", "redealt"),
            Figure("redeals", "mean", "redeals"),
            *(Figure(name, "share", name) for name in ("call_single", "call_pair", "countered")),
            Figure("bid", "mean", "bid"),
        ]
    found += [Figure(name, "share", name) for name in ("made", "defenders_shut_out", "banker_shut_out")]
    for name in ("banker", "defender", *PLACES[:3]):
        key, each = f"payoff_{name}", 2 if name == "defender" else 1
        found += [Figure(key, "mean", key, each=each), Figure(f"{key}_spread", "spread", key, each=each)]
    return [*found, Figure("penalty_banker", "mean", "penalty_banker")]


def _hong_wu_wu_jia(contract: bool) -> list[Figure]:
    found: list[Figure] = []
    if not contract:
        found = [
            Figure("revealed", "share", "revealed"),
            Figure("pressed", "share", "pressed"),
            Figure("reveal_after", "ratio", "reveal_after", "revealed"),
            Figure("previous_stays", "share", "previous_stays"),
        ]
    found += [
        Figure("solo", "share", "solo"),
        Figure("partner_found", "ratio", "partner_found", "partners"),
        Figure("direct", "rate", "direct", "partners"),
        Figure("won", "share", "won"),
        Figure("won_with_partner", "rate", "won_with_partner", "partners"),
        Figure("won_direct", "rate", "won_direct", "direct"),
        Figure("won_solo", "rate", "won_solo", "solo"),
    ]
    if not contract:
        found += [Figure(f"won_{of}", "rate", f"won_{of}", of) for of in ("revealed", "pressed")]
    found += [
        Figure("payoff_banker", "mean", "payoff_banker"),
        Figure("payoff_banker_spread", "spread", "payoff_banker"),
    ]
    for name, of in (("payoff_partner", "partners"), ("payoff_defender", "defenders")):
        found += [Figure(name, "ratio", name, of), Figure(f"{name}_spread", "spread", name, of)]
    for place in PLACES:
        key = f"payoff_{place}"
        found += [Figure(key, "mean", key), Figure(f"{key}_spread", "spread", key)]
    return found


def table_figures(classes: Classes, code: int) -> list[Figure]:
    """The figures of one row of a table by value: its share of the deals, and how often these were won."""
    value = classes.values[code - classes.low]
    row = {"group": classes.name, "value": value, "code": code}
    found = [Figure(f"{classes.name}_{value}_share", "share", classes.name, **row)]  # type: ignore[arg-type]
    if classes.won:
        name = f"{classes.name}_{value}_{classes.won}"
        found.append(Figure(name, "rate", classes.won, classes.name, **row))  # type: ignore[arg-type]
    return found


# --- a deal's quantities


def quantities(game: str, columns: Mapping[str, NDArray[Any]]) -> dict[str, Ints]:
    """By name a whole number a deal; squares of what has a spread as ``NAME_squares``."""
    c = {name: np.asarray(values, np.int64) for name, values in columns.items()}
    found: dict[str, Ints] = {}
    _payoffs(game, c, found)
    points = c["defender_points"]
    found |= {"defender_points": points, "defender_points_squares": points * points}
    found |= {name: c[name] for name in ("bottom_points", "throws", "failed_throws")}
    dug = c["bottom_multiplier"] > 0
    found |= {
        "bottom_dug": dug.astype(np.int64),
        "bottom_dug_points": c["bottom_points"] * c["bottom_multiplier"],
    }
    if game == "die-wu-fen":
        made, shutout = 1 - c["result"], c["shutout"]
        found |= {
            "redealt": (c["redeals"] > 0).astype(np.int64),
            "redeals": c["redeals"],
            "call_single": (c["call_size"] == 1).astype(np.int64),
            "call_pair": (c["call_size"] == 2).astype(np.int64),
            "countered": c["countered"],
            "bid": c["bid"],
            "made": made,
            "defenders_shut_out": made * shutout,
            "banker_shut_out": (1 - made) * shutout,
            "penalty_banker": np.choose(c["banker"], [c[f"penalty_{seat}"] for seat in range(3)]),
        }
        return found
    partners = (c["partner"] >= 0).astype(np.int64)
    won = (c["grade"] > 0).astype(np.int64)
    revealed = (c["reveal_after"] > 0).astype(np.int64)
    found |= {
        "partners": partners,
        "defenders": 4 - partners,
        "revealed": revealed,
        "pressed": c["pressed"],
        "reveal_after": c["reveal_after"],
        "previous_stays": (c["previous_banker"] == c["banker"]).astype(np.int64),
        "solo": c["solo"],
        "direct": c["direct"],
        "won": won,
        "won_with_partner": won * partners,
        "won_solo": won * c["solo"],
        "won_revealed": won * revealed,
        "won_pressed": won * c["pressed"],
        "won_direct": won * c["direct"],
        "partner_found": partners * (c["partner_trick"] + 1),
    }
    return found


def _payoffs(game: str, c: Mapping[str, Ints], found: dict[str, Ints]) -> None:
    """Payoffs by side and by position from the first seat, and their squares."""
    seats = 3 if game == "die-wu-fen" else 5
    each = np.stack([c[f"payoff_{seat}"] for seat in range(seats)])
    rows = np.arange(each.shape[1])
    banker = each[c["banker"], rows]
    sides = {"banker": (banker, banker**2)}
    rest, rest_squares = each.sum(0) - banker, (each**2).sum(0) - banker**2
    if game != "die-wu-fen":
        partner = np.where(c["partner"] >= 0, each[np.maximum(c["partner"], 0), rows], 0)
        sides["partner"] = partner, partner**2
        rest, rest_squares = rest - partner, rest_squares - partner**2
    sides["defender"] = rest, rest_squares
    for at, place in enumerate(PLACES[:seats]):
        share = each[(c["first_seat"] + at) % seats, rows]
        sides[place] = share, share**2
    for name, (x, squares) in sides.items():
        found |= {f"payoff_{name}": x, f"payoff_{name}_squares": squares}


def codes(game: str, columns: Mapping[str, NDArray[Any]]) -> dict[str, Ints]:
    """By the name of `Classes` or of a level, the value of each deal."""
    c = {name: np.asarray(values, np.int64) for name, values in columns.items()}
    if game == "die-wu-fen":
        return {"bid": c["bid"], "defender_points": c["defender_points"]}
    after = c["reveal_after"]
    return {
        "grade": c["grade"],
        "named": c["named"],
        "named_held": c["named_held"],
        "trump": c["trump"],
        "reveal": np.searchsorted(_UPTO, after).astype(np.int64),
        "defender_points": c["defender_points"],
        "partner_found": np.where(c["partner"] >= 0, c["partner_trick"] + 1, NEVER),
    }
