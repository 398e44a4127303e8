"""Tune the play of ``expert`` by self-play: coordinate descent on its weights, on training deals.

    python benchmarks/tune_expert.py --game hong-wu-wu-jia --minutes 14 --seed 1 --out weights.toml

The roles (banker and defenders; in hong-wu-wu-jia the partner, too) take turns: the weights of one role are varied
one at a time, in random order, against the others as they stand, on the same deals and contracts (new ones for each
turn). A change is kept when the defenders' points move the right way by more than 1.5 standard errors of the paired
difference; a quarter of the deals shows first whether it is worth trying on all (0.5 standard errors). Steps grow by
1.4 when kept and shrink by 0.6 when not. Training deals have seed 1000; judge it on others with ``tuolaji match``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from selfplay import GAMES, ROLES, Table

from tuolaji.sim.weights import from_tables, to_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

TRAINING_SEED = 1000
#: The first game was tuned on contracts called by ``greedy``.
BIDDING = {"die-wu-fen": "greedy", "hong-wu-wu-jia": "expert"}


def gained(points: NDArray[np.float64], base: NDArray[np.float64], sign: int) -> float:
    """By how many standard errors the first deals went better than before."""
    better = sign * (points - base[: len(points)])
    spread = float(better.std())
    return float(better.mean()) / spread * np.sqrt(len(points)) if spread else 0.0


def tune(
    table: Table, weights: NDArray[np.int64], minutes: float, seed: int, deals: int
) -> Iterator[NDArray[np.int64]]:
    """Vary the weights for some minutes; the weights after each turn, of which it prints a line."""
    lots = np.random.default_rng(seed)
    step = np.maximum(np.abs(weights) * 0.35, 4.0)
    began = time.monotonic()
    while True:
        for name, role in ROLES[table.game.name].items():
            first = int(lots.integers(0, 10**9))
            base = table.points(weights, weights, first, deals)
            kept, gain = 0, 0.0
            for i in lots.permutation(table.places(role.names)):
                if time.monotonic() - began > 60 * minutes:
                    yield weights
                    return
                for direction in (1, -1):
                    trial = weights.copy()
                    trial[i] += direction * max(1, round(step[i]))
                    given = (trial, weights) if role.banker else (weights, trial)
                    few = table.points(*given, first, deals // 4)
                    if gained(few, base, role.sign) < 0.5:
                        continue
                    points = table.points(*given, first, deals)
                    if gained(points, base, role.sign) > 1.5:
                        gain += role.sign * float((points - base).mean())
                        weights, base = trial, points
                        kept += 1
                        step[i] *= 1.4
                        break
                else:
                    step[i] = max(1.0, step[i] * 0.6)
            print(
                f"{time.monotonic() - began:5.0f} s  {name:8s}  kept {kept:3d}  gained {gain:5.2f}",
                flush=True,
            )
            yield weights


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=GAMES, default=GAMES[0])
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--deals", type=int, default=16_000, help="a trial")
    parser.add_argument("--seed", type=int, default=1, help="of the order in which weights are tried")
    parser.add_argument("--start", type=Path, help="a weights file to start from (default: the shipped one)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    table = Table(args.game, TRAINING_SEED, BIDDING[args.game])
    start = table.weights
    if args.start:
        import tomllib

        start = from_tables(tomllib.loads(args.start.read_text()), table.names)
    provenance = {
        "policy": f"expert for {args.game}",
        "made_by": f"benchmarks/tune_expert.py --game {args.game} --minutes {args.minutes} --seed {args.seed}",
        "training": f"seed {TRAINING_SEED}, {args.deals} deals a trial",
    }
    for found in tune(table, start.copy(), args.minutes, args.seed, args.deals):
        args.out.write_text(to_toml(found.tolist(), table.names, provenance))


if __name__ == "__main__":
    main()
