"""What each rule of ``expert`` is worth: expert against itself without the rule, in contract mode.

    python benchmarks/ablate_expert.py [--game GAME] [--deals N] [--seed S]

Prints a table of docs/policies.md: the points a deal that leaving a rule out costs each role, against the full expert
in the others, with 95 % intervals over deals. A rule is left out by changing its weights.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from selfplay import GAMES, ROLES, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEVER = -(10**7)
#: Rule -> patterns of weight names and the value they get when the rule is left out.
RULES: dict[str, dict[str, dict[str, int]]] = {
    "die-wu-fen": {
        "lead masters, several as a throw": {"*.lead.masters.base": NEVER},
        "lead tractors": {"*.lead.run.base": NEVER},
        "lead side pairs": {"*.lead.pair.base": NEVER},
        "mind how many better ones are out": {"*.lead.*.better": 0},
        "draw trumps with masters": {"*.lead.trump_masters.base": NEVER},
        "draw trumps with tractors": {"*.lead.trump_run.base": NEVER},
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
    },
    "hong-wu-wu-jia": {
        "lead masters, several as a throw": {"*.lead.masters.base": NEVER},
        "lead tractors": {"*.lead.run.base": NEVER},
        "lead side pairs and triples": {"*.lead.multiple.base": NEVER},
        "draw trumps with masters": {"*.lead.trump_masters.base": NEVER},
        "draw trumps with tractors": {"*.lead.trump_run.base": NEVER},
        "draw trumps with pairs and triples": {"*.lead.trump_multiple.base": NEVER},
        "draw trumps with low ones": {"*.lead.trump_low.base": NEVER},
        "mind how many better ones are out": {"*.lead.*.better": 0},
        "mind enemies and friends known to be void": {"*.lead.*.enemy_void": 0, "*.lead.*.ally_void": 0},
        "mind suits too short for all to follow": {"*.lead.*.short": 0},
        "mind the suit of the named card": {"*.lead.*.named": 0},
        "count the trumps that are out": {"*.lead.*.trumps_out": 0, "*.lead.*.ahead": 0},
        "lead to empty a suit": {"*.lead.*.empties": 0},
        "change plans towards the end": {"*.lead.*.late": 0},
        "following: fear better cards behind": {"*.follow.beats_*": 0, "*.follow.same_beats_*": 0},
        "following: fear ruffs behind": {
            "*.follow.short_*": 0,
            "*.follow.ruffs": 0,
            "*.follow.overruffs_*": 0,
            "*.follow.many_ruffs": 0,
        },
        "following: count on points still to come": {"*.follow.feed": 0, "*.follow.stint": 0},
        "following: value the lead": {"*.follow.leads": 0, "*.follow.mate_leads": 0},
        "following: spare high side cards, pairs and triples": {"*.follow.side_*": 0},
        "following: spare trumps": {"*.follow.trump_*": 0},
        "following: spare the named card": {"*.follow.show": 0, "*.follow.direct": 0},
        "following: beat pairs and triples only for points": {
            "*.follow.same_level": 0,
            "*.follow.same_trump": 0,
        },
        "following: ruff several cards only for points": {"*.follow.ruff_*": 0},
        "following: points to friends only when they win": {"*.follow.rich_from": 0},
        "bury: empty side suits": {"bury.void": 0},
        "bury: keep aces": {"bury.ace": 0},
        "bury: keep pairs, triples and tractors": {"bury.pair": 0, "bury.triple": 0, "bury.run": 0},
        "bury: mind points in the bottom": {"bury.point": 0},
        "name an ace of a side suit": {"name.side_ace": NEVER},
        "name what others hold": {"name.held_*": 0},
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=GAMES, default=GAMES[0])
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    table = Table(args.game, args.seed)
    roles = ROLES[args.game]
    full = table.weights
    base = table.points(full, full, 0, args.deals)

    def cost(changes: dict[str, int], patterns: tuple[str, ...], sign: int, banker: bool) -> str:
        weaker: NDArray[np.int64] = full.copy()
        mine = set(table.places(patterns))
        for pattern, value in changes.items():
            weaker[[i for i in table.places([pattern]) if i in mine]] = value
        if (weaker == full).all():
            return ""
        points = table.points(*((weaker, full) if banker else (full, weaker)), 0, args.deals)
        lost = sign * (base - points)
        return f"{lost.mean():+.2f} ± {1.96 * lost.std() / np.sqrt(args.deals):.2f}"

    print(
        "| rule | "
        + " | ".join(f"left out by the {name}{'s' * (name == 'defender')}" for name in roles)
        + " |"
    )
    print("|---" * (1 + len(roles)) + "|")
    for rule, changes in RULES[args.game].items():
        cells = [cost(changes, role.names, role.sign, role.banker) for role in roles.values()]
        print(f"| {rule} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
