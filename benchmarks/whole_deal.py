"""What a whole deal costs, from the command line to Parquet, beside an unbiased shuffle and deal in C.

    python benchmarks/whole_deal.py --game hong-wu-wu-jia --policy greedy --policy expert --rounds 7

Start-up is taken out by difference: the same run with few and with many deals, over the difference in deals. All runs
take one core, `--workers 1`, in turn with the C program: C, few, many, C, few, many … The ratio is that of the
medians. `wall` is the clock; `cpu` is processor time, which other programs on the machine disturb less.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import baseline
import measure

FEW, MANY = 100_000, 1_100_000
C_DEALS = 2_000_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=measure.GAMES, default="die-wu-fen")
    parser.add_argument("--policy", action="append", help="default: greedy and expert")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--few", type=int, default=FEW)
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--any-core", action="store_true", help="do not keep all runs on one core")
    args = parser.parse_args()
    policies = args.policy or ["greedy", "expert"]
    about = measure.machine()
    stick = baseline.yardstick(measure.GAMES[args.game])
    if baseline.in_c(stick.cards) is None:
        print(baseline.NO_GCC)
    if not args.any_core:
        measure.keep_to_one_core()
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    for policy in policies:
        measure.simulate(1000, policy, game=args.game)  # compiles
    for _ in range(args.rounds):
        for policy in policies:
            began = time.perf_counter(), time.process_time()
            stick.run(C_DEALS, 1)
            wall["yardstick"].append((time.perf_counter() - began[0]) / C_DEALS * 1e9)
            cpu["yardstick"].append((time.process_time() - began[1]) / C_DEALS * 1e9)
            few = measure.simulate(args.few, policy, game=args.game)
            many = measure.simulate(args.many, policy, game=args.game)
            wall[policy].append((many.wall - few.wall) / (args.many - args.few) * 1e9)
            cpu[policy].append((many.cpu - few.cpu) / (args.many - args.few) * 1e9)
    base_wall, base_cpu = measure.median(wall["yardstick"]), measure.median(cpu["yardstick"])
    rows, found = [], {}
    for name, label in [
        ("yardstick", f"shuffle and deal of {stick.cards} cards alone ({stick.name})"),
        *zip(policies, policies, strict=True),
    ]:
        by_wall, by_cpu = measure.median(wall[name]), measure.median(cpu[name])
        found[name] = {
            "ns_wall": round(by_wall, 1), "ns_cpu": round(by_cpu, 1), "ratio_wall": round(by_wall / base_wall, 3),
            "ratio_cpu": round(by_cpu / base_cpu, 3), "all_wall": [round(x, 1) for x in wall[name]],
            "all_cpu": [round(x, 1) for x in cpu[name]],
        }  # fmt: skip
        ratios = f"{by_wall / base_wall:.1f} ×", f"{by_cpu / base_cpu:.1f} ×"
        rows.append(
            [label, f"{by_wall:,.0f}", ratios[0], f"{by_cpu:,.0f}", ratios[1], f"{1e9 / by_wall:,.0f}"]
        )
    head = ["one core", "ns a deal", "ratio", "ns a deal, cpu", "ratio, cpu", "deals a second"]
    measure.report(about, head, rows, found)


if __name__ == "__main__":
    main()
