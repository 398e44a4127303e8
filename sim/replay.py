"""Re-creating deals exactly: from game, seed and number, or from a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import __version__
from .calls import whole
from .cards import SUITS
from .errors import UsageError
from .plan import Plan, make_plan
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from .bidding import Bids
    from .calls import Policies, Words
    from .games import Game
    from .rules import Rules


def replay(
    game: str | Game,
    seed: int,
    deal: int,
    *,
    rules: Rules = None,
    policies: Policies = None,
    session: int = 1,
    contract: Mapping[str, Any] | None = None,
    bidding: Bids = None,
    hold: Words = (),
    count: Words = (),
) -> dict[str, Any]:
    """One deal as a record (docs/record.md): every card, call, bid or reveal, every play and point.

    ``rules``, ``policies``, ``bidding``, ``hold`` and ``count``: see ``simulate``. ``session``: hands are chained that
    many at a time. ``contract``: banker, trump and, in die-wu-fen, bid, instead of calling, bidding or revealing.
    """
    plan = make_plan(
        game, rules=rules, policies=policies, seed=seed, session=session, contract=contract, bidding=bidding,
        hold=hold, count=count,
    )  # fmt: skip
    return next(records(plan, check_deal(deal), 1))


MAX_DEAL = 10**15


def check_deal(deal: object) -> int:
    """The number of a deal; `UsageError` for what is none."""
    return whole(deal, "deal", 0, MAX_DEAL)


def records(plan: Plan, first: int, count: int) -> Iterator[dict[str, Any]]:
    """The records of deals ``first`` .. ``first + count - 1``, one after the other."""
    from .engine import Engine
    from .record import make_record
    from .table import Table

    engine = Engine(plan)
    tables = [Table(plan.game, suit, plan.rules) for suit in SUITS]
    for deal in range(first, first + count):
        trace = engine.trace(deal)
        yield make_record(plan, deal, trace, tables[trace.row["trump"]])


def dataset_plan(folder: str | Path, deal: int, count: int = 1) -> Plan:
    """The plan of a dataset, if it holds deals ``deal`` .. ``deal + count - 1``; else ``UsageError``."""
    from .dataset import read_manifest
    from .plan import plan_from_description

    manifest = read_manifest(folder)
    if manifest.get("origin") is not None:
        raise UsageError(
            f"the deals of {folder} were imported and can't be re-created; every card is in the records they come from"
        )
    first, deals = manifest["first"], manifest["deals"]
    if not first <= deal <= deal + count - 1 < first + deals:
        asked = f"deal {deal}" if count == 1 else f"deals {deal} to {deal + count - 1}"
        raise UsageError(f"{asked}: the dataset {folder} holds deals {first} to {first + deals - 1}")
    plan = plan_from_description(manifest)
    described = plan.describe()
    if any(manifest.get(key) != described[key] for key in ("weights", "rows_version")):
        raise UsageError(
            f"the deals of {folder} were played by {clip(manifest.get('tool'))}, which plays other rows than "
            f"tuolaji {__version__}; replay them with that version"
        )
    return plan
