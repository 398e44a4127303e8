"""Where the nanoseconds of a deal go, stage by stage: the table of docs/performance.md.

    python benchmarks/stages.py --policy greedy --policy expert

A compiled loop does the deal up to a stage, as `die_wu_fen.play_deal` does it; a stage costs what the loop takes more
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
from pathlib import Path
from typing import Any

import baseline
import measure
import numpy as np
from numba import njit

from tuolaji.kernels import die_wu_fen, layout, play, rng, view
from tuolaji.kernels.memory import play_out, pointer, shift
from tuolaji.sim import totals
from tuolaji.sim.columns import Rows, arrow_schema
from tuolaji.sim.dataset import Digest
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
from tuolaji.sim.simulate import run
from tuolaji.sim.writer import _encoding

SEATS, CARDS, OWN, SIZE = die_wu_fen.SEAT_COUNT, die_wu_fen.CARDS, view.OWN_SIZE, layout.SIZE
CLEAR, SHUFFLE, DEAL, CALL, SORT, AUCTION, BURY, PLAY, AGAIN, SCORE = range(10)
STAGES = {
    SHUFFLE: "shuffle (Philox, batched draws)",
    DEAL: "deal: 99 cards into hands",
    CALL: "calls and counters",
    SORT: "hands by layout bit",
    AUCTION: "auction",
    BURY: "bury",
    PLAY: "play",
    AGAIN: "of it, the table: put cards, check throws, find winners",
    SCORE: "scoring into columns",
}
ROWS, FEW = 262_144, 50_000

_clear, first_by_lot, bury, score = (
    die_wu_fen._clear,
    die_wu_fen.first_by_lot,
    die_wu_fen.bury,
    die_wu_fen.score,
)
_deal_and_call, _auction = die_wu_fen._deal_and_call, die_wu_fen._auction
shuffle, by_bit, start_play = rng.shuffle, layout.by_bit, play.start_play
put_lead, put_follow, end_trick = play.put_lead, play.put_follow, play.end_trick


@njit(nogil=True, error_model="numpy")
def _again(pub, own, lay, masks, saved):  # type: ignore[no-untyped-def]
    """Lay the plays of a finished deal on the table once more, from the hands ``saved``."""
    tricks = pub[view.TRICK]
    for seat in range(SEATS):
        for k in range(3):
            own[seat * OWN + k] = saved[3 * seat + k]
    start_play(pub, own, lay)
    for trick in range(tricks):
        row = view.HISTORY + view.H_STRIDE * trick
        seat = pub[row + view.H_LEADER]
        at = row + view.H_ATTEMPT if pub[row + view.H_FAILED] else row + view.H_PLAYS + 3 * seat
        put_lead(pub, own, lay, masks, seat, pub[at], pub[at + 1], pub[at + 2])
        for _ in range(SEATS - 1):
            seat = seat + 1 if seat < SEATS - 1 else 0
            at = row + view.H_PLAYS + 3 * seat
            put_follow(pub, own, lay, seat, pub[at], pub[at + 1], pub[at + 2])
        end_trick(pub)


@njit(nogil=True, error_model="numpy")
def up_to(stage, lays, policies, weights, plan, first, count, faces, pub, own, masks, saved, out):  # type: ignore[no-untyped-def]
    """Deals ``first`` .. ``first + count - 1`` up to a stage."""
    width = weights.shape[1]
    lays, policies, weights, plan = pointer(lays), pointer(policies), pointer(weights), pointer(plan)
    faces, pub, own, masks, saved = pointer(faces), pointer(pub), pointer(own), pointer(masks), pointer(saved)
    for i in range(count):
        deal = first + i
        pub[view.FIRST] = first_by_lot(own, 7, deal)
        attempt = 0
        while True:
            _clear(pub, own, 7, deal, attempt)
            for k in range(CARDS):
                faces[k] = k if k < 54 else k - 54
            if stage >= SHUFFLE:
                shuffle(faces, CARDS, plan, 7, deal, attempt)
            if stage < DEAL or _deal_and_call(pub, own, lays, faces, policies, weights, width, stage >= CALL):
                break
            attempt += 1
        if stage < SORT:
            continue
        lay = shift(lays, pub[view.TRUMP_CARD] * SIZE)
        for seat in range(SEATS):
            mine = shift(own, seat * OWN)
            mine[0], mine[1] = by_bit(mine[0], lay), by_bit(mine[1], lay)
        if stage < AUCTION:
            continue
        _auction(pub, own, lay, policies, weights, width)
        if stage < BURY:
            continue
        bury(pub, own, lay, faces, policies, weights, width)
        if stage < PLAY:
            continue
        for seat in range(SEATS):
            for k in range(3):
                saved[3 * seat + k] = own[seat * OWN + k]
        start_play(pub, own, lay)
        play_out(policies, 3 * SEATS, pub, own, lay, masks, policies, weights, width)
        if stage == AGAIN:
            _again(pub, own, lay, masks, saved)
        if stage == SCORE:
            score(pub, own, lay, out, i)
    return pub[view.BANKER]


def deal_stages(policy: str, deals: int) -> dict[int, Callable[[], object]]:
    """For each stage, what plays so many deals up to it."""
    engine = Engine(make_plan("die-wu-fen", policies=policy, seed=7))
    memory = *die_wu_fen.working_memory(), np.zeros(3 * SEATS, np.int64)
    out = np.zeros((len(die_wu_fen.COLUMNS), deals), np.int16)
    given = engine._lays, engine._policies, engine._weights, engine._plan, 0, deals, *memory, out

    def of(stage: int) -> Callable[[], object]:
        return lambda: up_to(stage, *given)

    return {stage: of(stage) for stage in range(10)} | {-1: lambda: engine.play(0, deals)}


def after_stages(folder: Path) -> dict[str, Callable[[], object]]:
    """What is done with a row group of played deals."""
    import pyarrow.parquet as pq

    plan = make_plan("die-wu-fen", policies="greedy", seed=7)
    played = Engine(plan).play(0, ROWS)
    rows = Rows(plan.game, plan.session, 0, played)
    schema = arrow_schema(plan.game.name)
    batch = rows.to_batch(schema)

    def parquet() -> None:
        with pq.ParquetWriter(folder / "rows.parquet", schema, **_encoding(plan.game.name)) as writer:
            writer.write_batch(batch, row_group_size=ROWS)

    return {
        "statistics: exact totals": lambda: totals.count(played, plan.session),
        "Arrow: columns in their types": lambda: Rows(plan.game, plan.session, 0, played).to_batch(schema),
        "hash: SHA-256 of the values": lambda: Digest(plan.game.name).update(rows.values),
        "Parquet: encode, compress, write": parquet,
    }


def whole_run(policy: str, deals: int, folder: Path) -> float:
    """Nanoseconds of `simulate --workers 1` to a dataset, all threads together, over ``ROWS``."""
    plan = make_plan("die-wu-fen", policies=policy, seed=7)
    began = time.process_time()
    run(plan, deals, workers=1, out=folder / f"{time.monotonic_ns()}")
    return (time.process_time() - began) / ROWS * 1e9


def cost(function: Callable[[], object], each: int) -> float:
    """Nanoseconds of this thread for each of so many."""
    began = time.thread_time()
    function()
    return (time.thread_time() - began) / each * 1e9


def rows_of(best: dict[Any, float], after: dict[str, float]) -> list[tuple[str, float]]:
    """The lines of a policy's column: (what, nanoseconds)."""
    lines = [("clear memory, first seat by lot", best[CLEAR])]
    before = CLEAR
    for stage, label in STAGES.items():
        if stage == AGAIN:
            lines.append((label, best[AGAIN] - best[PLAY]))
            lines.append(("of it, the decisions", 2 * best[PLAY] - best[BURY] - best[AGAIN]))
            continue
        lines.append((label, best[stage] - best[before]))
        before = stage
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
    parser.add_argument("--policy", action="append", help="default: greedy and expert")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--deals", type=int, default=50_000)
    args = parser.parse_args()
    policies = args.policy or ["greedy", "expert"]
    about = measure.machine()
    stick = baseline.yardstick()
    with tempfile.TemporaryDirectory(prefix="tuolaji-stages-") as name:
        folder = Path(name)
        stages = {policy: deal_stages(policy, args.deals) for policy in policies}
        after = after_stages(folder)
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
                    found[policy][what].append(whole_run(policy, deals, folder))
            for label, function in after.items():
                found["after"][label].append(cost(function, ROWS))
    best = {who: {what: min(x) for what, x in by.items()} for who, by in found.items()}
    for policy in policies:
        best[policy]["whole"] = best[policy]["many"] - best[policy]["few"]
    lines = {policy: rows_of(best[policy], best["after"]) for policy in policies}
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
