"""Where ``expert`` loses most to ``search``: search in one kind of decision only, expert in all others.

    python benchmarks/lessons.py [--game GAME] [--deals N] [--worlds N] [--seed S]

Prints a table of docs/strength.md. Each line is a match on mirrored deals in contract mode (`tuolaji match`) of
``search:worlds=N,by=points,only=KIND`` against ``expert``: what the kind is worth to each role, in the defenders'
points, by real play and not by the search's own opinion of itself. The intervals are 99 %, the unit is the deal.
"""

from __future__ import annotations

import argparse

import measure

SEED = 43
#: What each game has decisions of, and deals.
KINDS = ("bury", "name", "lead-early", "lead-late", "follow-single", "follow-many", "void")
DEALS = {"die-wu-fen": 2000, "hong-wu-wu-jia": 300}


def main() -> None:
    """Measure and print."""
    import tuolaji

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=measure.GAMES, action="append", help="default: both")
    parser.add_argument("--deals", type=int, help="default: 2,000 and 300")
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    for game in args.game or list(DEALS):
        kinds = [kind for kind in KINDS if kind != "name" or game == "hong-wu-wu-jia"]
        deals = args.deals or DEALS[game]
        roles: list[str] = []
        for kind in kinds:
            search = f"search:worlds={args.worlds},by=points,only={kind}"
            found = tuolaji.match(game, search, "expert", deals=deals, seed=args.seed, confidence=0.99)
            if not roles:
                roles = list(found["by_role"])
                print(f"| {game}, {deals:,} deals | all roles | {' | '.join(roles)} |")
                print("| --- | ---: " + "| ---: " * len(roles) + "|")
            cells = [found["points"], *(found["by_role"][role]["points"] for role in roles)]
            words = [f"{c['mean']:+.1f} [{c['lo']:.1f}, {c['hi']:.1f}]" for c in cells]
            print(f"| {kind} | {' | '.join(words)} |", flush=True)
        print()


if __name__ == "__main__":
    main()
