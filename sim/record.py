"""The record of a deal (docs/record.md) from the engine's memory at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kernels import view
from .cards import FACES, SUITS
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .engine import Trace
    from .plan import Plan

FORMAT = "tuolaji-record/1"


def make_record(plan: Plan, deal: int, trace: Trace, table: Table | None = None) -> dict[str, Any]:
    """One deal as a record. ``table``: a table of the plan's game and rules with this deal's trump, if at hand."""
    game, row = plan.game, trace.row
    trump = SUITS[row["trump"]]
    table = table or Table(game, trump, plan.rules)
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "rules": plan.rules.options(),
        "seed": plan.seed,
        "deal": deal,
        "first_seat": row["first_seat"],
        "redeals": row.get("redeals", 0),
    }
    if plan.contract is not None:
        record["contract"] = True
    faces = [int(face) for face in trace.faces]
    size = game.hand_size
    record["hands"] = [_names(faces[seat * size : (seat + 1) * size]) for seat in range(game.seats)]
    record["bottom"] = _names(faces[game.seats * size :])
    if game.name == "die-wu-fen":
        record["calls"] = _calls(trace.pub)
        record["trump"] = trump
        record["bids"] = _bids(trace.pub)
        record["banker"], record["bid"], record["base"] = row["banker"], row["bid"], row["base"]
    else:
        record["previous_banker"] = row["previous_banker"]
        record["reveal"] = _reveal(trace.pub)
        record["trump"], record["banker"] = trump, row["banker"]
    buried = trace.own[row["banker"], view.BURIED : view.BURIED + 3]
    record["buried"] = table.names(buried.tolist())
    if game.name == "hong-wu-wu-jia":
        record["named"] = FACES[row["named"]]
    record["tricks"] = [_trick(table, trace.pub, number) for number in range(row["tricks"])]
    if game.name == "hong-wu-wu-jia":
        for key in ("partner", "partner_trick"):
            record[key] = row[key] if row[key] >= 0 else None
        record["direct"], record["solo"] = bool(row["direct"]), bool(row["solo"])
    for key in ("captured", "bottom_points", "bottom_multiplier", "defender_points"):
        record[key] = row[key]
    if game.name == "hong-wu-wu-jia":
        record["grade"] = row["grade"]
    if game.name == "die-wu-fen":
        record["result"] = ("made", "broken")[row["result"]]
        record["shutout"] = bool(row["shutout"])
        record["penalties"] = [row[f"penalty_{seat}"] for seat in range(game.seats)]
    record["payoffs"] = [row[f"payoff_{seat}"] for seat in range(game.seats)]
    return record


def _names(faces: Sequence[int]) -> list[str]:
    return [FACES[face] for face in faces]


def _calls(pub: Any) -> list[dict[str, Any]]:
    """DWF-3, DWF-4: the call and the counter; nothing with a contract."""
    found = []
    if pub[view.CALLER] >= 0:
        found.append((view.CALLER, view.CALL_SUIT, int(pub[view.CALL_SIZE]), view.CALL_AFTER))
    if pub[view.COUNTERER] >= 0:
        found.append((view.COUNTERER, view.COUNTER_SUIT, 2, view.COUNTER_AFTER))
    return [
        {"seat": int(pub[seat]), "cards": ["3" + SUITS[pub[suit]]] * cards, "after_card": int(pub[after])}
        for seat, suit, cards, after in found
    ]


def _reveal(pub: Any) -> dict[str, Any] | None:
    """HW-4: who revealed which 2; nothing when pressed or with a contract."""
    if pub[view.CALLER] < 0:
        return None
    card = "2" + SUITS[pub[view.CALL_SUIT]]
    return {"seat": int(pub[view.CALLER]), "card": card, "after_card": int(pub[view.CALL_AFTER])}


def _bids(pub: Any) -> list[dict[str, Any]]:
    """DWF-6: who bid what, null for a pass."""
    entries = [divmod(int(entry), 1024) for entry in pub[view.BID_LOG : view.BID_LOG + pub[view.BIDS]]]
    return [{"seat": seat, "bid": bid or None} for seat, bid in entries]


def _trick(table: Table, pub: Any, number: int) -> dict[str, Any]:
    at = view.HISTORY + view.H_STRIDE * number
    row: list[int] = pub[at : at + view.H_STRIDE].tolist()
    seats = table.game.seats
    leader = row[view.H_LEADER]
    plays: list[dict[str, Any]] = []
    for step in range(seats):
        seat = (leader + step) % seats
        at = view.H_PLAYS + 3 * seat
        plays.append({"seat": seat, "cards": table.names(row[at : at + 3])})
    if row[view.H_FAILED]:
        plays[0]["attempt"] = table.names(row[view.H_ATTEMPT : view.H_ATTEMPT + 3])
    return {
        "leader": leader,
        "plays": plays,
        "winner": row[view.H_WINNER],
        "points": row[view.H_POINTS],
    }
