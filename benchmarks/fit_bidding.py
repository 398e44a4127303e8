"""Fit the bidding of ``expert`` for die-wu-fen on the counterfactual table, and write it into its weights file.

    python benchmarks/fit_bidding.py [--deals N] [--seed S] [--write]

The strength: least squares of the defenders' points on the features of the banker's 33 cards
(``kernels.strength``), every seat as banker with the trump that is called, on N deals of seed S. The thresholds of
bids and counters: what ``tuolaji threshold`` finds with that strength on N deals of seed S + 1 (its best responses are
fitted, chosen and judged on deals of their own). At last a match with auction against the bidding as it was, on 200,000
deals of seed S + 2. Calls stay as they are: see docs/policies.md. ``--write`` puts the numbers into
sim/weights/dwf_expert.toml.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import numpy as np

from tuolaji.kernels.policies import dwf_expert
from tuolaji.kernels.strength import NAMES
from tuolaji.sim import threshold
from tuolaji.sim.bidding import Bidding, changed, names, shipped
from tuolaji.sim.cores import cores
from tuolaji.sim.counterfactual import Counterfactual, Tables
from tuolaji.sim.match import make_match, run_match
from tuolaji.sim.plan import make_plan
from tuolaji.sim.weights import from_tables, to_toml

FILE = Path(__file__).resolve().parents[1] / "sim" / "weights" / "dwf_expert.toml"
LEFT_OUT = ("voids", "short", "trump_runs")  # explain next to nothing beside the others


def regress(deals: int, seed: int) -> dict[str, int]:
    """The weights of the strength: hundredths of the points that the banker is expected to keep out of 200."""
    used = [at for at, name in enumerate(NAMES) if name not in LEFT_OUT]
    size = len(used) + 1
    left, right = np.zeros((size, size)), np.zeros(size)
    player = Counterfactual(make_plan("die-wu-fen", policies="expert", seed=seed), auction=True)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    for table in Tables(cores(), None).of(player, 0, deals):
        hands = table.features[..., used].reshape(-1, len(used)).astype(float)
        design = np.column_stack([np.ones(len(hands)), hands])
        points = table.points.ravel().astype(float)
        if len(kept) < 10:  # to say how well it explains deals that it was not fitted to
            kept.append((design, points))
            continue
        left += design.T @ design
        right += design.T @ points
    fitted = np.linalg.solve(left, right)
    design, points = (np.concatenate([pair[at] for pair in kept]) for at in (0, 1))
    residual = points - design @ fitted
    print(
        f"strength: R2 {1 - residual.var() / points.var():.3f} on {len(points)} hands that were left out of the fit"
    )
    found = dict.fromkeys((f"strength.{name}" for name in NAMES), 0)
    found |= {f"strength.{NAMES[at]}": round(-100 * w) for at, w in zip(used, fitted[1:], strict=True)}
    return {"strength.base": round(100 * (200 - fitted[0])), **found}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=7001)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    before = shipped()
    start = changed(before, regress(args.deals, args.seed))
    asked = threshold.ask("die-wu-fen", args.deals, seed=args.seed + 1, bidding=start)
    result = threshold.study(asked, Tables(cores(), None))
    for decision in result.decisions:
        print(decision.name, decision.curve.mean("difference"), decision.crossing)
    for state, even in result.states_even.items():
        print(state, even)
    print(result.response)
    after = Bidding("expert", result.bidding.values)
    for rival in (before, start):
        asked_match = make_match(
            "die-wu-fen", ["expert", "expert"], deals=200_000, mode="auction", seed=args.seed + 2,
            biddings=(after, rival),
        )  # fmt: skip
        print("against", rival.name, run_match(asked_match).to_dict()["payoff"])
    if args.write:
        tables = tomllib.loads(FILE.read_text("utf-8"))
        weights = from_tables(tables, dwf_expert.NAMES)
        weights[: len(names())] = after.values
        origin = tables["provenance"]
        origin["bidding"] = (
            f"benchmarks/fit_bidding.py: counterfactual table, strength on {args.deals} deals of seed {args.seed}, "
            f"thresholds of bids and counters on {args.deals} of seed {args.seed + 1}, 2026-11-30"
        )
        FILE.write_text(to_toml(weights.tolist(), dwf_expert.NAMES, origin), "utf-8")


if __name__ == "__main__":
    main()
