"""COM-19: the rows of a plan are the same for good. Their digests stand in `golden/rows.json`, made by version 0.1.0.

A change by which plans play other rows adds 1 to `ROWS_VERSION`. Only then are digests made anew, and for new cases:
    REGENERATE_GOLDENS=1 python -m pytest tests/test_frozen.py
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import ROWS_VERSION, make_plan

from naive import DWF, HW

pytestmark = pytest.mark.skipif(not JIT, reason="without compilation so many deals take minutes")

GOLDEN = Path(__file__).parent / "golden" / "rows.json"
SEED = 20_261_201
POLICIES = ("random", "greedy", "expert")

#: name -> game, deals, what is asked of `make_plan`.
CASES: dict[str, tuple[str, int, dict[str, Any]]] = {
    **{f"{game} {name}": (game, 300, {"policies": name}) for game in (DWF, HW) for name in POLICIES},
    **{f"{game} search": (game, 4, {"policies": "search:2"}) for game in (DWF, HW)},
    f"{DWF} mixed": (DWF, 200, {"policies": ["expert", "defender=random", "1=greedy"]}),
    f"{DWF} throws": (DWF, 200, {"policies": "random", "overrides": ["forced_trump=throw", "bottom_shape=lead"]}),
    f"{DWF} counters": (DWF, 200, {"policies": "expert", "overrides": ["counter=off", "bid_step=5", "bid_max=180"]}),
    f"{DWF} bottom": (DWF, 200, {"policies": "greedy", "overrides": ["bottom_multiplier=4", "shutout_total=240"]}),
    f"{DWF} held": (DWF, 200, {"policies": "expert", "hold": ["0:3h 3h BJ", "bottom:5s"]}),
    f"{DWF} counted": (DWF, 200, {"policies": "expert", "hold": ["0:3h"], "count": ["0:trumps=14-18"],
                                  "contract": {"banker": 0, "trump": "h", "bid": 130}}),
    f"{DWF} sessions": (DWF, 200, {"policies": "expert", "session": 5}),
    f"{DWF} contract": (DWF, 200, {"policies": "expert", "contract": {"banker": 0, "trump": "h", "bid": 150}}),
    f"{HW} mixed": (HW, 200, {"policies": ["expert", "defender=random", "1=greedy"]}),
    f"{HW} names": (HW, 200, {"policies": "random", "overrides": ["named_copies_min=1", "solo_bottom_multiplier=8"]}),
    f"{HW} held": (HW, 200, {"policies": "expert", "hold": ["0:5h 5h BJ", "bottom:5s"]}),
    f"{HW} counted": (HW, 200, {"policies": "expert", "count": ["0:trumps=14-18"],
                                "contract": {"banker": 0, "trump": "h"}}),
    f"{HW} sessions": (HW, 200, {"policies": "expert", "session": 5}),
    f"{HW} contract": (HW, 200, {"policies": "expert", "contract": {"banker": 0, "trump": "h"}}),
}  # fmt: skip


def digest(game: str, deals: int, options: dict[str, Any]) -> str:
    """The sha256 of the columns of some deals, in the order of their names, as little-endian int16."""
    hashed = hashlib.sha256()
    columns = Engine(make_plan(game, seed=SEED, **options)).play(0, deals)
    for name in sorted(columns):
        hashed.update(name.encode())
        hashed.update(columns[name].astype("<i2").tobytes())
    return hashed.hexdigest()


@pytest.mark.parametrize("name", CASES)
def test_com19_rows_are_what_they_were(name: str) -> None:
    found = digest(*CASES[name])
    kept = json.loads(GOLDEN.read_text("utf-8"))
    if os.environ.get("REGENERATE_GOLDENS"):
        if kept["rows_version"] != ROWS_VERSION:
            kept = {"rows_version": ROWS_VERSION}
        kept.setdefault(name, found)
        GOLDEN.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert kept["rows_version"] == ROWS_VERSION, "other rows were announced, so digests are to be made anew"
    assert kept[name] == found, "other rows than before: a fault, unless ROWS_VERSION in sim/plan.py says so"
