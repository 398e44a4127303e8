"""Whether two workers are as much faster as this machine lets two independent processes be.

    python benchmarks/scaling.py --policy greedy --rounds 5

Compares `tuolaji simulate --workers 1` and `--workers 2` (start-up taken out by difference, as in whole_deal.py) with
one and two processes that do nothing but shuffle and deal, in turn. Asked for: at least 0.9 of their speed-up.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import defaultdict

import baseline
import measure

FEW, MANY = 100_000, 1_100_000


def shuffle_loop(deals: int) -> None:
    """A child: get ready, wait for the word, shuffle, and say how long that took."""
    stick = baseline.yardstick()
    stick.run(1000, 1)
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    stick.run(deals, 1)
    print(time.perf_counter() - began, flush=True)


def shuffles_a_second(processes: int, deals: int) -> float:
    """Of so many independent processes together."""
    command = [sys.executable, __file__, "--shuffle-loop", str(deals)]
    children = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    return sum(deals / float(child.communicate()[0]) for child in children)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--few", type=int, default=FEW)
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--shuffles", type=int, default=5_000_000, help="deals in a shuffle loop")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shuffle-loop", type=int, metavar="DEALS", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.shuffle_loop:
        shuffle_loop(args.shuffle_loop)
        return
    about = measure.machine()
    measure.simulate(1000, args.policy)  # compiles
    speed: dict[str, list[float]] = defaultdict(list)
    for _ in range(args.rounds):
        for count in (1, args.workers):
            speed[f"shuffle {count}"].append(shuffles_a_second(count, args.shuffles))
            few = measure.simulate(args.few, args.policy, workers=count)
            many = measure.simulate(args.many, args.policy, workers=count)
            speed[f"tuolaji {count}"].append((args.many - args.few) / (many.wall - few.wall))
    middle = {name: measure.median(values) for name, values in speed.items()}
    rows, gains = [], {}
    for what, label in (
        ("shuffle", "shuffle loop, processes"),
        ("tuolaji", f"tuolaji {args.policy}, workers"),
    ):
        one, more = middle[f"{what} 1"], middle[f"{what} {args.workers}"]
        gains[what] = more / one
        rows.append([label, f"{one:,.0f}", f"{more:,.0f}", f"{more / one:.2f} ×"])
    share = gains["tuolaji"] / gains["shuffle"]
    rows.append(["tuolaji's speed-up over the shuffle loop's", "", "", f"{share:.2f}"])
    head = ["deals a second", "1", str(args.workers), "speed-up"]
    measure.report(about, head, rows, {"share": share, "speed_up": gains, "deals_a_second": speed})


if __name__ == "__main__":
    main()
