"""Card plays a second of tuolaji and of its peers, in one session on one core.

    python benchmarks/peers/compare.py --python /path/to/the/peers/environment/bin/python --rounds 5

Each round runs every script in turn; a contestant's figure is the median of its rounds. A peer that is not installed
is named in the output, with the reason, and left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import measure  # noqa: E402

PEERS = {"open_spiel": "open_spiel_games.py", "rlcard": "rlcard_bridge.py", "jass-kit": "jass_kit.py"}
YARDSTICK = "OpenSpiel spades, C++ rollouts"


def contestants(python: str, script: str, seconds: float) -> dict[str, tuple[float, float]] | str:
    """(Plays a second, cards a play) by name, or why there are none."""
    done = subprocess.run(
        [python, str(HERE / script), str(seconds)], capture_output=True, text=True, cwd=HERE, check=False
    )
    if done.returncode:
        complaint = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        return complaint[-1]
    found = json.loads(done.stdout.splitlines()[-1])
    return {one["name"]: (one["plays"] / one["seconds"], one["cards_a_play"]) for one in found}


def versions(python: str) -> dict[str, str]:
    """Of the peers that are installed."""
    code = (
        "import json; from importlib.metadata import distributions as d; "
        "print(json.dumps({x.metadata['Name'].lower().replace('-', '_'): x.version for x in d()}))"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return {name: found[name.replace("-", "_")] for name in PEERS if name.replace("-", "_") in found}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contestant in each round")
    args = parser.parse_args()
    about = measure.machine() | {"peers": versions(args.python)}
    measure.keep_to_one_core()
    speeds: dict[str, list[float]] = defaultdict(list)
    cards: dict[str, float] = {}
    missing: dict[str, str] = {}
    for _ in range(args.rounds):
        for name, script in {"tuolaji": "ours.py", **PEERS}.items():
            if name in missing:
                continue
            found = contestants(sys.executable if name == "tuolaji" else args.python, script, args.seconds)
            if isinstance(found, str):
                missing[name] = found
                continue
            for contestant, (speed, each) in found.items():
                speeds[contestant].append(speed)
                cards[contestant] = each
    middle = {name: measure.median(values) for name, values in speeds.items()}
    base = middle.get(YARDSTICK)
    rows = [
        [
            name,
            f"{speed:,.0f}",
            f"{speed / base:.3g} ×" if base else "–",
            f"{cards[name]:.2f}",
            f"{speed * cards[name]:,.0f}",
        ]
        for name, speed in sorted(middle.items(), key=lambda item: -item[1])
    ]
    head = ["one core", "card plays a second", f"of {YARDSTICK}", "cards a play", "cards a second"]
    measure.report(about, head, rows, {"plays_a_second": speeds, "cards_a_play": cards, "missing": missing})
    for name, why in missing.items():
        print(f"\nleft out: {name}: {why}")


if __name__ == "__main__":
    main()
