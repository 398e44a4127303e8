"""Fits by what `expert` reveals and names in hong-wu-wu-jia, on the counterfactual table; says what it gains.

    python benchmarks/fit_reveals.py --deals 400000 --judge 200000 [--write]

Fitted on half of the deals of a training seed, chosen on a quarter, looked at on a quarter; judged by a match on
deals of another seed that nothing was fitted to. `--write` puts the numbers into sim/weights/hw_expert.toml.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from pathlib import Path

from tuolaji.kernels.policies import hw_expert
from tuolaji.sim.bidding import HIDDEN, changed, places, shipped
from tuolaji.sim.cores import cores
from tuolaji.sim.counterfactual import Tables
from tuolaji.sim.match import make_match, run_match
from tuolaji.sim.plan import make_plan
from tuolaji.sim.reveal_fit import fit, played
from tuolaji.sim.weights import from_tables, to_toml

FILE = Path(__file__).resolve().parents[1] / "sim" / "weights" / "hw_expert.toml"


def main() -> None:
    """Fit, say what came out, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=2101)
    parser.add_argument("--judge", type=int, default=200_000)
    parser.add_argument("--judge-seed", type=int, default=7004)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()

    before = shipped(HIDDEN)
    plan = make_plan(HIDDEN, policies="expert", seed=asked.seed)
    found = fit(*played(plan, 0, asked.deals, Tables(cores(), None)), before)
    answer, naming, after = found.answer, found.naming, found.bidding
    print(f"naming: {naming.numbers}\n  gain of the banker a deal {naming.gain}", flush=True)
    print(
        f"revealing: {answer.rule}\n  gain {answer.advantage}\n  left {answer.left}, at most {answer.at_most}"
    )
    for name, bidding in (
        ("revealing", changed(before, answer.rule.changes())),
        ("naming", changed(before, naming.numbers)),
        ("both", after),
    ):
        match = make_match(
            HIDDEN, ["expert", "expert"], deals=asked.judge, mode="auction", seed=asked.judge_seed,
            biddings=(bidding, before),
        )  # fmt: skip
        print(f"{name}: {run_match(match).to_dict()['payoff']}", flush=True)
    if asked.write:
        tables = tomllib.loads(FILE.read_text("utf-8"))
        weights = from_tables(tables, hw_expert.NAMES)
        weights[list(places(HIDDEN))] = after.values
        origin = tables["provenance"]
        origin["revealing"] = (
            f"benchmarks/fit_reveals.py: counterfactual table, {asked.deals} deals of seed {asked.seed}, "
            f"{time.strftime('%Y-%m-%d')}"
        )
        FILE.write_text(to_toml(weights.tolist(), hw_expert.NAMES, origin), "utf-8")


if __name__ == "__main__":
    main()
