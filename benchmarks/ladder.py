"""The ladder of policies: how much stronger each is than the one below, and what it costs. Writes docs/strength.md.

    python benchmarks/ladder.py                 # both games, an hour on two cores
    python benchmarks/ladder.py --scale 0.05 --dry-run

Each step is a match on mirrored deals in contract mode (`tuolaji match`), the deal being the unit of the intervals
(99 %). The cost is processor time on one core, all seats playing the policy.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import measure

DOCS = Path(__file__).resolve().parent.parent / "docs"
LADDER = ("random", "greedy", "expert", "search:10", "search:40")
CHECK = "search:20"  # over expert, and in an auction, too
#: Deals of a step, by the upper policy.
DEALS = {
    "die-wu-fen": {"greedy": 20_000, "expert": 50_000, "search:10": 2000, "search:40": 1000, CHECK: 2000},
    "hong-wu-wu-jia": {"greedy": 4000, "expert": 10_000, "search:10": 1000, "search:40": 1500, CHECK: 2000},
}
AUCTION_DEALS = {"die-wu-fen": 2000, "hong-wu-wu-jia": 1000}
SEED = 41


def cost(game: str, policy: str) -> tuple[float, float]:
    """Microseconds a deal and a play (of a seat, in a trick)."""
    from tuolaji.sim.engine import Engine
    from tuolaji.sim.plan import make_plan

    engine = Engine(make_plan(game, policies=policy, seed=SEED))
    engine.play(0, 1)
    deals, spent, plays = 1, 0.0, 0
    while spent < 1.0:
        deals *= 2
        began = time.process_time()
        columns = engine.play(0, deals)
        spent = time.process_time() - began
        plays = int(columns["tricks"].sum()) * engine.plan.game.seats
    return spent / deals * 1e6, spent / plays * 1e6


def step(game: str, upper: str, lower: str, scale: float, mode: str = "contract") -> dict[str, Any]:
    """One match, 99 % intervals."""
    import tuolaji

    deals = DEALS[game][upper] if mode == "contract" else AUCTION_DEALS[game]
    deals = max(20, int(deals * scale))
    found: dict[str, Any] = tuolaji.match(
        game, upper, lower, deals=deals, seed=SEED, confidence=0.99, mode=mode
    )
    return found


def check(game: str, scale: float) -> str:
    """``search:20`` over ``expert``, in a sentence."""
    fixed, free = (step(game, CHECK, "expert", scale, mode) for mode in ("contract", "auction"))
    deal, _ = cost(game, CHECK)
    return (
        f"{game}: `{CHECK}` over `expert` on {fixed['deals']:,} deals: {_figure(fixed['points'], 1)} points and "
        f"{_figure(fixed['payoff'], 2)} paid a deal; in auction mode, {free['deals']:,} deals, "
        f"{_figure(free['payoff'], 2)} paid a deal; a deal takes {_time(deal)}.\n"
    )


def table(game: str, rows: list[dict[str, Any]]) -> list[str]:
    """The rows of a game as Markdown."""
    lines = [
        f"### {game}",
        "",
        "| policy | over | points a deal | payoff a deal | deals | cost a play | cost a deal |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| `{row['policy']}` | {row['over']} | {row['points']} | {row['payoff']} | {row['deals']} "
        f"| {_time(row['play'])} | {_time(row['deal'])} |"
        for row in rows
    ]
    return [*lines, ""]


def _time(microseconds: float) -> str:
    if microseconds < 1:
        return f"{microseconds * 1000:.0f} ns"
    return f"{float(f'{microseconds:.2g}'):g} µs" if microseconds < 1000 else f"{microseconds / 1000:.3g} ms"


def _figure(found: dict[str, float], digits: int) -> str:
    return f"{found['mean']:+.{digits}f} [{found['lo']:.{digits}f}, {found['hi']:.{digits}f}]"


def plot(by_game: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Strength, the points of all steps added up, against the cost of a deal."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for game, rows in by_game.items():
        strength, x, y = 0.0, [], []
        for row in rows:
            strength += row["mean"]
            x.append(row["deal"])
            y.append(strength)
        axes.plot(x, y, marker="o", label=game)
        for at, height, row in zip(x, y, rows, strict=True):
            axes.annotate(
                row["policy"], (at, height), textcoords="offset points", xytext=(6, -10), fontsize=8
            )
    axes.set_xscale("log")
    axes.set_xlabel("processor time a deal, microseconds, all seats playing the policy")
    axes.set_ylabel("points a deal over random, steps added up")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure; print, and write the page unless told not to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", help="default: both")
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of deals")
    parser.add_argument("--dry-run", action="store_true", help="print only")
    args = parser.parse_args()
    by_game: dict[str, list[dict[str, Any]]] = {}
    checks: list[str] = []
    for game in args.game or [*DEALS]:
        rows = by_game[game] = []
        for at, policy in enumerate(LADDER):
            deal, play = cost(game, policy)
            row: dict[str, Any] = {
                "policy": policy, "over": "", "points": "", "payoff": "", "deals": "", "mean": 0.0, "deal": deal,
                "play": play,
            }  # fmt: skip
            if at:
                found = step(game, policy, LADDER[at - 1], args.scale)
                row |= {
                    "over": f"`{LADDER[at - 1]}`", "points": _figure(found["points"], 1),
                    "payoff": _figure(found["payoff"], 2), "deals": f"{found['deals']:,}",
                    "mean": found["points"]["mean"],
                }  # fmt: skip
            rows.append(row)
            print(table(game, [row])[-2], flush=True)
        checks.append(check(game, args.scale))
        print(checks[-1], flush=True)
    page = [line for game, rows in by_game.items() for line in table(game, rows)]
    text = (
        "\n".join([*page, *checks])
        + f"\nMeasured {measure.machine()['date']} on {measure.machine()['cpu']}.\n"
    )
    text += "\n![strength against cost](strength.svg)\n"
    print(text)
    if args.dry_run:
        return
    path = DOCS / "strength.md"
    before = path.read_text(encoding="utf-8")
    head, begin, rest = before.partition("<!-- begin ladder -->\n")
    _, end, tail = rest.partition("<!-- end ladder -->")
    path.write_text(head + begin + text + end + tail, encoding="utf-8")
    plot(by_game, DOCS / "strength.svg")


if __name__ == "__main__":
    main()
