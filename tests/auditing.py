"""What the tests of audits share."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from naive.cards import without

FULL = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))
Found = list[tuple[str, str, str]]


def as_line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def hand_before(record: dict[str, Any], number: int, seat: int) -> list[str]:
    hand = list(record["hands"][seat])
    if seat == record["banker"]:
        hand = without(hand + record["bottom"], record["buried"]) or []
    for trick in record["tricks"][:number]:
        for play in trick["plays"]:
            if play["seat"] == seat:
                hand = without(hand, play["cards"]) or []
    return hand


def oracle_tricks(found: Found) -> list[int]:
    """The tricks in which the oracle sees faults."""
    return [int(match[1]) for _, where, _ in found if (match := re.match(r"trick (\d+)", where))]
