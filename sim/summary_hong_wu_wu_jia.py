"""The figures of a run of hong-wu-wu-jia."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cards import FACES
from .stats import mean, proportion
from .summary import PLACES, common, listed

if TYPE_CHECKING:
    from .stats import Estimate
    from .summary import Summary

#: Cards held when revealing, from .. to, as `kernels.totals_hong_wu_wu_jia` divides them; 0 for a pressed banker.
REVEALS = ((0, 0), (1, 5), (6, 10), (11, 15), (16, 20), (21, 25), (26, 29), (30, 31))
NEVER = 32  # where that kernel puts the trick of a partner who is never found


def figures(summary: Summary) -> dict[str, Estimate]:
    """Every figure that is one number, by name, in the order they are shown."""
    totals = summary.totals
    revealing = summary.plan.contract is None
    found: dict[str, Estimate] = {}
    if revealing:
        for name in ("revealed", "pressed"):
            found[name] = proportion(totals.ratio(name))
        found["reveal_after"] = mean(totals.ratio("reveal_after", "revealed"))
        found["previous_stays"] = proportion(totals.ratio("previous_stays"))
    found["solo"] = proportion(totals.ratio("solo"))
    found["partner_found"] = mean(totals.ratio("partner_found", "partners"))
    found["direct"] = proportion(totals.ratio("direct", "partners"))
    found["won"] = proportion(totals.ratio("won"))
    for name, of in (
        ("won_with_partner", "partners"),
        ("won_direct", "direct"),
        ("won_solo", "solo"),
        ("won_revealed", "revealed"),
        ("won_pressed", "pressed"),
    ):
        if revealing or of not in ("revealed", "pressed"):
            found[name] = proportion(totals.ratio(name, of))
    found["payoff_banker"] = mean(totals.ratio("payoff_banker"))
    found["payoff_banker_spread"] = totals.spread("payoff_banker")
    for name, of in (("payoff_partner", "partners"), ("payoff_defender", "defenders")):
        found[name] = mean(totals.ratio(name, of))
        found[f"{name}_spread"] = totals.spread(name, of)
    for place in PLACES:
        found[f"payoff_{place}"] = mean(totals.ratio(f"payoff_{place}"))
        found[f"payoff_{place}_spread"] = totals.spread(f"payoff_{place}")
    return found | common(totals)


def tables(summary: Summary) -> dict[str, Any]:
    """Everything that is more than one number, as plain data."""

    def rows(name: str, key: str, shown: Any = int) -> list[dict[str, Any]]:
        return [
            {key: shown(value), "share": share.to_dict(), "won": won.to_dict()}
            for value, (share, won) in summary.table(name).items()
        ]

    found: dict[str, Any] = {
        "grades": [
            {"grade": grade, "share": share.to_dict()}
            for grade, (share, _) in reversed(summary.table("grade").items())
        ],
        "named": rows("named", "face", FACES.__getitem__),
        "named_held": rows("named_held", "copies"),
        "trumps": rows("trump", "trump", "shcd".__getitem__),
    }
    if summary.plan.contract is None:
        found["reveals"] = rows("reveal", "cards", lambda at: REVEALS[at])
    return found | {"partner_found_quantiles": listed(summary.quantiles("partner_found"))}
