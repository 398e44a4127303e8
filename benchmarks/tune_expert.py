"""Tune the play of ``expert`` by self-play: coordinate descent on its weights, on training deals.

    python benchmarks/tune_expert.py --minutes 14 --seed 1 --out weights.toml

Banker and defenders take turns: the weights of one role are varied one at a time, in random order, against the other
role as it stands, on the same deals and contracts (16,000 a sweep, new ones each sweep). A change is kept when the
defenders' points move the right way by more than 1.5 standard errors of the paired difference. Steps grow by 1.4 when
kept and shrink by 0.6 when not. Training deals have seed 1000; judge the result on other seeds with ``tuolaji match``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tuolaji.kernels.policies import dwf_expert
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
from tuolaji.sim.weights import from_tables, to_toml, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRAINING_SEED = 1000
DEALS = 16_000
#: What is tuned here: burying and each role's play. The auction is fitted by fit_bidding.py.
TUNED = {
    "banker": [i for i, name in enumerate(dwf_expert.NAMES) if name.startswith(("bury.", "banker."))],
    "defender": [i for i, name in enumerate(dwf_expert.NAMES) if name.startswith("defender.")],
}


class Table:
    """The engine with ``expert`` on every seat, its weights exchangeable."""

    def __init__(self) -> None:
        self.engine = Engine(
            make_plan("die-wu-fen", policies=["expert", "bidding=greedy"], seed=TRAINING_SEED)
        )

    def points(
        self, banker: NDArray[np.int64], defender: NDArray[np.int64], first: int
    ) -> NDArray[np.float64]:
        """The defenders' points in DEALS deals from ``first`` on."""
        for seat in range(3):
            self.engine._weights[3 * seat + 1, : banker.size] = banker
            self.engine._weights[3 * seat + 2, : defender.size] = defender
        return self.engine.play(first, DEALS)["defender_points"].astype(np.float64)


def tune(weights: NDArray[np.int64], minutes: float, seed: int) -> NDArray[np.int64]:
    """Vary the weights for some minutes; prints a line a sweep."""
    lots = np.random.default_rng(seed)
    table = Table()
    step = np.maximum(np.abs(weights) * 0.35, 4.0)
    began = time.monotonic()
    while True:
        for role, places in TUNED.items():
            sign = -1 if role == "banker" else 1
            first = int(lots.integers(0, 10**9))
            base = table.points(weights, weights, first)
            kept, gain = 0, 0.0
            for i in lots.permutation(places):
                if time.monotonic() - began > 60 * minutes:
                    return weights
                for direction in (1, -1):
                    trial = weights.copy()
                    trial[i] += direction * max(1, round(step[i]))
                    points = table.points(
                        *((trial, weights) if role == "banker" else (weights, trial)), first
                    )
                    better = sign * (points - base)
                    if better.mean() > 1.5 * better.std() / np.sqrt(DEALS):
                        weights, base = trial, points
                        kept += 1
                        gain += better.mean()
                        step[i] *= 1.4
                        break
                else:
                    step[i] = max(1.0, step[i] * 0.6)
            print(
                f"{time.monotonic() - began:5.0f} s  {role:8s}  kept {kept:3d}  gained {gain:5.2f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--seed", type=int, default=1, help="of the order in which weights are tried")
    parser.add_argument("--start", type=Path, help="a weights file to start from (default: the shipped one)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.start:
        import tomllib

        start = from_tables(tomllib.loads(args.start.read_text()), dwf_expert.NAMES)
    else:
        start = weights_of(dwf_expert)
    found = tune(start.copy(), args.minutes, args.seed)
    provenance = {
        "policy": "expert for die-wu-fen",
        "made_by": f"benchmarks/tune_expert.py --minutes {args.minutes} --seed {args.seed}",
        "training": f"seed {TRAINING_SEED}, {DEALS} deals a sweep",
    }
    args.out.write_text(to_toml(found.tolist(), dwf_expert.NAMES, provenance))


if __name__ == "__main__":
    main()
