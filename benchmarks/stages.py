"""Where the nanoseconds of a deal go, stage by stage: the table of docs/performance.md.

    python benchmarks/stages.py --policy greedy --policy expert

A compiled loop does the deal up to a stage, as the game's `play_deal` does it; a stage costs what the loop takes more
with it than without. Play is split by laying the same plays on the table again without asking anybody. What
follows the deal (statistics, Arrow, hash, Parquet) is timed a call at a time on a row group. All in processor time, the
quickest of rounds that take all stages in turn: other programs only add to it, and small differences of large numbers
are asked for.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import baseline
import measure
import numpy as np

from tuolaji.sim import totals
from tuolaji.sim.columns import Rows, arrow_schema
from tuolaji.sim.dataset import Digest
from tuolaji.sim.engine import Engine
from tuolaji.sim.open_part import encoding
from tuolaji.sim.plan import make_plan
from tuolaji.sim.simulate import run

#: The deal up to a stage, in each game.
LOOPS = {"die-wu-fen": "stages_die_wu_fen", "hong-wu-wu-jia": "stages_hong_wu_wu_jia"}
ROWS, FEW = 65_536, 50_000


def deal_stages(game: str, policy: str, deals: int) -> dict[int, Callable[[], object]]:
    """For each stage, what plays so many deals up to it."""
    loop = import_module(LOOPS[game])
    engine = Engine(make_plan(game, policies=policy, seed=7))
    memory = *engine._game.working_memory(), np.zeros(3 * loop.SEATS, np.int64)
    out = np.zeros((len(engine.columns), deals), np.int16)
    given = engine._lays, engine._policies, engine._weights, engine._plan, 0, deals, *memory, out

    def of(stage: int) -> Callable[[], object]:
        return lambda: loop.up_to(stage, *given)

    return {stage: of(stage) for stage in loop.STAGES} | {-1: lambda: engine.play(0, deals)}


def after_stages(game: str, folder: Path) -> dict[str, Callable[[], object]]:
    """What is done with a row group of played deals."""
    import pyarrow.parquet as pq

    plan = make_plan(game, policies="greedy", seed=7)
    played = Engine(plan).play(0, ROWS)
    rows = Rows(plan.game, plan.session, 0, played)
    schema = arrow_schema(plan.game.name)
    batch = rows.to_batch(schema)

    def parquet() -> None:
        with pq.ParquetWriter(folder / "rows.parquet", schema, **encoding(plan.game.name, "deals")) as writer:
            writer.write_batch(batch, row_group_size=ROWS)

    return {
        "statistics: exact totals": lambda: totals.count(played, plan.session, game),
        "Arrow: columns in their types": lambda: Rows(plan.game, plan.session, 0, played).to_batch(schema),
        "hash: SHA-256 of the values": lambda: Digest(game).update(rows.values),
        "Parquet: encode, compress, write": parquet,
    }


def whole_run(game: str, policy: str, deals: int, folder: Path) -> float:
    """Nanoseconds of `simulate --workers 1` to a dataset, all threads together, over ``ROWS``."""
    plan = make_plan(game, policies=policy, seed=7)
    began = time.process_time()
    run(plan, deals, workers=1, out=folder / f"{time.monotonic_ns()}")
    return (time.process_time() - began) / ROWS * 1e9


def cost(function: Callable[[], object], each: int) -> float:
    """Nanoseconds of this thread for each of so many."""
    began = time.thread_time()
    function()
    return (time.thread_time() - began) / each * 1e9


def rows_of(game: str, best: dict[Any, float], after: dict[str, float]) -> list[tuple[str, float]]:
    """The lines of a policy's column: (what, nanoseconds)."""
    loop = import_module(LOOPS[game])
    lines = []
    before = 0.0
    for stage, label in loop.STAGES.items():
        if stage == loop.AGAIN:
            table = best[stage] - best[loop.PLAY]
            lines += [(label, table), ("of it, the decisions", best[loop.PLAY] - best[loop.BURY] - table)]
            continue
        lines.append((label, best[stage] - before))
        before = best[stage]
    lines.append(("**the engine**", best[-1]))
    lines += after.items()
    parts = best[-1] + sum(after.values())
    lines.append(("chunks, parts, manifest, rest", best["whole"] - parts))
    lines.append(("**whole deal**", best["whole"]))
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=[*LOOPS], default="die-wu-fen")
    parser.add_argument("--policy", action="append", help="default: greedy and expert")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--deals", type=int, default=50_000)
    args = parser.parse_args()
    policies = args.policy or ["greedy", "expert"]
    about = measure.machine()
    stick = baseline.yardstick(measure.GAMES[args.game])
    with tempfile.TemporaryDirectory(prefix="tuolaji-stages-") as name:
        folder = Path(name)
        stages = {policy: deal_stages(args.game, policy, args.deals) for policy in policies}
        after = after_stages(args.game, folder)
        for function in (f for some in stages.values() for f in some.values()):
            function()  # compiles
        shuffles: list[float] = []
        found: dict[str, dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
        for _ in range(args.rounds):
            shuffles.append(stick.ns(args.deals, clock=time.thread_time))
            for policy, functions in stages.items():
                for stage, function in functions.items():
                    found[policy][stage].append(cost(function, args.deals))
                for what, deals in (("few", FEW), ("many", FEW + ROWS)):
                    found[policy][what].append(whole_run(args.game, policy, deals, folder))
            for label, function in after.items():
                found["after"][label].append(cost(function, ROWS))
    best = {who: {what: min(x) for what, x in by.items()} for who, by in found.items()}
    for policy in policies:
        best[policy]["whole"] = best[policy]["many"] - best[policy]["few"]
    lines = {policy: rows_of(args.game, best[policy], best["after"]) for policy in policies}
    wholes = [best[policy]["whole"] for policy in policies]
    rows: list[list[str]] = []
    for i, (label, _) in enumerate(lines[policies[0]]):
        cells = [lines[policy][i][1] for policy in policies]
        shares = [f"{cell:,.0f} | {cell / whole:.0%}" for cell, whole in zip(cells, wholes, strict=True)]
        rows.append([label, *" | ".join(shares).split(" | ")])
    rows.append([f"for comparison: {stick.name}", *[f"{min(shuffles):,.0f}", ""] * len(policies)])
    head = ["stage (processor time)", *(word for policy in policies for word in (f"{policy}, ns", "share"))]
    measure.report(about, head, rows, {policy: dict(lines[policy]) for policy in policies})


if __name__ == "__main__":
    main()
