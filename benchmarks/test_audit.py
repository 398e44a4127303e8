"""Judging game records: as lines of a file, and by way of Python's objects."""

from __future__ import annotations

import json
from functools import cache

import pytest
from measure import Beside

from tuolaji.sim.audit import Auditor
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.replay import records

RECORDS = 500
GAMES = [game for game, policies in POLICIES.items() if policies]


@cache
def lines(game: str) -> list[bytes]:
    """Records as `tuolaji replay --format jsonl` writes them."""
    plan = make_plan(game, policies="random", seed=7)
    return [json.dumps(record, separators=(",", ":")).encode() for record in records(plan, 0, RECORDS)]


@pytest.mark.parametrize("game", GAMES)
def test_audit_lines(beside: Beside, game: str) -> None:
    """What `tuolaji audit` does with a file."""
    auditor, texts = Auditor(), lines(game)

    def judge() -> None:
        for text in texts:
            assert not auditor.examine_line(text).faults

    beside(judge, calls=RECORDS, per="record", rounds=5)


@pytest.mark.parametrize("game", GAMES)
def test_audit_objects(beside: Beside, game: str) -> None:
    """What `tuolaji.audit` does, the reading of the JSON included."""
    auditor, texts = Auditor(), lines(game)

    def judge() -> None:
        for text in texts:
            assert not auditor.examine(json.loads(text)).faults

    beside(judge, calls=RECORDS, per="record", rounds=5)
