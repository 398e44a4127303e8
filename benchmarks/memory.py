"""Peak memory of runs of 1M and 10M deals: below 600 MB, and no higher for ten times as many.

    python benchmarks/memory.py --policy greedy

Each run is a child process of its own, asked of the system for its peak resident size.
"""

from __future__ import annotations

import argparse

import measure


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=measure.GAMES, default="die-wu-fen")
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--deals", type=int, action="append", help="default: 1M and 10M")
    parser.add_argument("--workers", type=int, action="append", help="default: 1 and 2")
    args = parser.parse_args()
    about = measure.machine()
    measure.simulate(1000, args.policy, game=args.game)  # compiles, which takes memory of its own
    rows, found = [], []
    for workers in args.workers or [1, 2]:
        for deals in args.deals or [1_000_000, 10_000_000]:
            cost = measure.simulate(deals, args.policy, workers=workers, game=args.game)
            rows.append([f"{deals:,}", workers, f"{cost.memory:.0f}", f"{cost.wall:.1f}"])
            found.append({"deals": deals, "workers": workers, "megabytes": cost.memory, "seconds": cost.wall})
    measure.report(about, [f"deals ({args.policy})", "workers", "peak MB", "seconds"], rows, found)


if __name__ == "__main__":
    main()
