"""What each rule of ``expert`` is worth: expert against itself without the rule, in contract mode.

    python benchmarks/ablate_expert.py [--deals N] [--seed S]

Prints the table of docs/policies.md: the points a deal that leaving a rule out costs, as banker and as defenders, each
against the full expert on the other side, with 95 % intervals over deals. A rule is left out by changing its weights.
"""

from __future__ import annotations

import argparse
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import numpy as np

from tuolaji.kernels.policies import dwf_expert
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
from tuolaji.sim.weights import weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEVER = -(10**7)
#: Rule -> patterns of weight names and the value they get when the rule is left out.
RULES: dict[str, dict[str, int]] = {
    "lead masters, several as a throw": {"*.lead.masters.base": NEVER},
    "lead master tractors": {"*.lead.run.base": NEVER},
    "lead side pairs": {"*.lead.pair.base": NEVER},
    "draw trumps with masters": {"*.lead.trump_masters.base": NEVER},
    "draw trumps with pairs": {"*.lead.trump_pair.base": NEVER},
    "mind enemies known to be void": {"*.lead.*.enemy_void": 0},
    "mind suits too short for all to follow": {"*.lead.*.short": 0},
    "count the trumps that are out": {"*.lead.*.trumps_out": 0, "*.lead.*.ahead": 0},
    "lead to empty a suit": {"*.lead.*.empties": 0},
    "change plans towards the end": {"*.lead.*.late": 0},
    "following: fear a better card or a ruff behind": {"*.follow.beats_*": 0, "*.follow.ruffs": 0},
    "following: count on points still to come": {"*.follow.feed": 0, "*.follow.stint": 0},
    "following: value the lead": {"*.follow.leads": 0, "*.follow.mate_leads": 0},
    "following: spare high side cards and pairs": {"*.follow.side_*": 0},
    "following: spare trumps": {"*.follow.trump_*": 0},
    "following: beat pairs only for points": {"*.follow.beat_pair": 0},
    "bury: empty side suits": {"bury.void": 0},
    "bury: keep pairs and tractors": {"bury.pair": 0, "bury.run": 0},
    "bury: mind points in the bottom": {"bury.point": 0},
}


def without(weights: NDArray[np.int64], changes: dict[str, int]) -> NDArray[np.int64]:
    """The weights with a rule left out."""
    out = weights.copy()
    for pattern, value in changes.items():
        hits = [i for i, name in enumerate(dwf_expert.NAMES) if fnmatch(name, pattern)]
        if not hits:
            raise SystemExit(f"no weight is called {pattern}")
        out[hits] = value
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    engine = Engine(make_plan("die-wu-fen", policies="expert", seed=args.seed))
    full = weights_of(dwf_expert)

    def points(banker: NDArray[np.int64], defender: NDArray[np.int64]) -> NDArray[np.float64]:
        for seat in range(3):
            engine._weights[3 * seat + 1] = banker
            engine._weights[3 * seat + 2] = defender
        return engine.play(0, args.deals)["defender_points"].astype(np.float64)

    base = points(full, full)

    def cost(difference: NDArray[np.float64]) -> str:
        return f"{difference.mean():+.2f} ± {1.96 * difference.std() / np.sqrt(args.deals):.2f}"

    print("| rule | left out by the banker | left out by the defenders |\n|---|---|---|")
    for rule, changes in RULES.items():
        weaker = without(full, changes)
        print(
            f"| {rule} | {cost(points(weaker, full) - base)} | {cost(base - points(full, weaker))} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
