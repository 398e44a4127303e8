"""The study ``threshold`` as tables: lists of rows that text, JSON and Parquet show alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .given import told

if TYPE_CHECKING:
    from .curves import BreakEven, Curve
    from .stats import Estimate
    from .threshold import Asked, Result
    from .threshold_hong_wu_wu_jia import HiddenAsked

Row = dict[str, Any]
UNIT = 100  # strengths are in hundredths of a point


def in_points(asked: Asked, value: float | None) -> float | None:
    """A strength as it is shown: in points; a feature as it is."""
    return value if value is None or asked.by != "strength" else value / UNIT


def classes(asked: Asked) -> list[tuple[float, float, slice]]:
    """The classes of hands in the tables: from, to (the last value inside for a feature), and their bins."""
    axis = asked.axis
    if asked.by != "strength":
        return [(at, at, slice(at, at + 1)) for at in range(axis.bins)]
    low, wide = axis.low // UNIT, axis.step
    return [(low + at, low + at + wide, slice(at, at + wide)) for at in range(0, axis.bins, wide)]


def tables(result: Result) -> dict[str, list[Row]]:
    """All tables by name."""
    return {
        "bids": bids(result),
        "break_even": break_evens(result),
        "bid_up_to": bid_up_to(result),
        "decisions": decisions(result),
        "scores": score_rows(result),
    }


def _curves(result: Result) -> list[tuple[Row, Curve, BreakEven]]:
    """Every curve with what it is of. ``call`` and ``order`` are ``all`` where they are taken together."""
    from ..kernels.policies.dwf_expert_bid import KINDS, ORDERS

    bid = [int(found) for found in result.scores.bids]
    found: list[tuple[Row, Curve, BreakEven]] = []
    for level, curve in result.marginal.items():
        about = {"estimand": "marginal", "call": "all", "order": "all", "bid": bid[level]}
        found.append((about, curve, result.marginal_even[level]))
    for level, curve in sorted(result.pooled.items()):
        about = {"estimand": "auction", "call": "all", "order": "all", "bid": bid[level]}
        found.append((about, curve, result.pooled_even[level]))
    for kind, order, level in sorted(result.states):
        about = {"estimand": "auction", "call": KINDS[kind], "order": ORDERS[order], "bid": bid[level]}
        found.append((about, result.states[kind, order, level], result.states_even[kind, order, level]))
    return found


def bids(result: Result) -> list[Row]:
    """For every estimand, bid and class of hands: how many, made, shutouts, payoffs of bidding and of passing."""
    rows = []
    for about, curve, _ in _curves(result):
        for low, high, bins in classes(result.asked):
            hands = curve.mean("made", bins)
            if hands.of:
                row = {**about, "from": float(low), "to": float(high), "hands": hands.of}
                row |= interval("made", hands)
                row["shutout"] = curve.mean("shutout", bins).value
                row |= interval("bidding", curve.mean("chosen", bins))
                row |= interval("passing", curve.mean("other", bins))
                row |= interval("difference", curve.mean("difference", bins))
                rows.append(row)
    return rows


def break_evens(result: Result) -> list[Row]:
    """For every estimand and bid: from which strength on it pays."""
    return [
        {**about, "hands": even.hands, **even_row(result.asked, even)} for about, _, even in _curves(result)
    ]


def even_row(asked: Asked, even: BreakEven) -> Row:
    """A break-even as columns."""
    return {
        "kind": even.kind,
        "value": in_points(asked, even.value),
        "low": in_points(asked, even.low),
        "high": in_points(asked, even.high),
    }


def bid_up_to(result: Result) -> list[Row]:
    """For every class of hands the highest bid that pays: for any hand, and in each state of the auction.

    None: not even the lowest; ``marginal_open``: there are too few such hands to tell. In a state it is what the best
    response goes up to with the middle of the class.
    """
    from ..kernels.policies.dwf_expert_bid import KINDS, ORDERS

    asked, rows = result.asked, []
    values = [int(found) for found in result.scores.bids]
    for low, high, bins in classes(asked):
        strength = float(asked.axis.centres[bins].mean())
        if not sum(curve.mean("made", bins).of for curve in result.marginal.values()):
            continue
        row: Row = {"from": float(low), "to": float(high), "marginal": None, "marginal_open": False}
        for level, even in result.marginal_even.items():
            row["marginal_open"] |= even.open_at(strength)
            if strength < even.threshold(float("inf"), float("-inf")):
                break
            row["marginal"] = values[level]
        for kind, call in enumerate(KINDS):
            for order, name in enumerate(ORDERS):
                row[f"{call}_{name}"] = _up_to(result, kind, order, strength)
        rows.append(row)
    return rows


def _up_to(result: Result, kind: int, order: int, strength: float) -> int | None:
    """What the thresholds found go up to; the opening bid is forced and says nothing."""
    from .auction import steps

    opening = result.asked.plan.rules["opening_bid_pair" if kind else "opening_bid_single"]
    row = result.response.thresholds[kind, order]
    found = None
    for bid, at in zip(result.scores.bids, steps(result.scores.bids), strict=True):
        if strength < row[at]:
            break
        if bid > opening:
            found = int(bid)
    return found


def decisions(result: Result) -> list[Row]:
    """Calling and countering against leaving it."""
    rows = []
    for decision in result.decisions:
        row: Row = {"decision": decision.name, "hands": decision.curve.hands}
        row |= interval("difference", decision.curve.mean("difference"))
        empty = {"kind": "none", "value": None, "low": None, "high": None}
        rows.append(row | (empty if decision.crossing is None else even_row(result.asked, decision.crossing)))
    return rows


def score_rows(result: Result) -> list[Row]:
    """What each defender pays the banker, by bid and defenders' points, failed throws aside (DWF-16, DWF-17)."""
    rows = []
    for at, bid in enumerate(result.scores.bids):
        for points in range(0, result.scores.stakes.shape[1], 5):
            outcome = int(result.scores.outcomes[at, points])
            rows.append(
                {
                    "bid": int(bid), "base": int(result.scores.bases[at]), "defender_points": points,
                    "stake": int(result.scores.stakes[at, points]), "made": outcome & 1 == 1,
                    "shutout": outcome & 2 == 2,
                }
            )  # fmt: skip
    return rows


def interval(name: str, figure: Estimate) -> Row:
    """A figure and the ends of its interval as columns."""
    return {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}


def words_of(asked: Asked | HiddenAsked) -> dict[str, Any]:
    """What was asked for, in the JSON objects of both games."""
    return {
        "game": asked.plan.game.name,
        "deals": asked.deals,
        "first": asked.first,
        "seed": asked.plan.seed,
        "by": asked.by,
        "seats": [*asked.seats],
        "rules": asked.plan.rules.name,
        "rules_changed": asked.plan.rules.changed(),
        "rules_hash": asked.plan.rules.hash(),
        "bidding": {"name": asked.bidding.name, "sha256": asked.bidding.hash()},
        **told(asked.plan.given),
    }


def to_dict(result: Result) -> dict[str, Any]:
    """The JSON object of the command; its keys are explained in docs/statistics.md."""
    asked, response = result.asked, result.response
    found = tables(result)
    del found["scores"]
    return {
        **words_of(asked),
        **found,
        "response": {
            "rounds": [figure.to_dict() for figure in response.rounds],
            "chosen": response.chosen,
            "left": response.left.to_dict(),
            "at_most": response.at_most.to_dict(),
            "advantage": response.advantage.to_dict(),
            "effects": {
                name: {
                    "bids": each["bids"],
                    "made": each["made"].to_dict(),
                    "payoff": each["payoff"].to_dict(),
                }
                for name, each in response.effects.items()
            },
        },
        "redeals": result.redeals.to_dict(),
        "match": {key: result.match[key] for key in ("deals", "first", "payoff", "deals_differing")},
        "play_sees_bids": False,
    }
