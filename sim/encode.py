"""Rule sets as the kernels read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kernels import forced, layout

if TYPE_CHECKING:
    from .rules import RuleSet

_GAMES = {"die-wu-fen": layout.DIE_WU_FEN, "hong-wu-wu-jia": layout.HONG_WU_WU_JIA}


def encode_play(rules: RuleSet) -> Any:
    """The four layouts of a game (by trump suit) with all options that bear on the play: int64[4, layout.SIZE].

    Whatever is only about calling, bidding and scoring is for the game's own module to add. Loads no game's engine.
    """
    lays = layout.build_all(_GAMES[rules.game])
    values = rules.values
    scopes = {"multi": forced.MULTI_LEADS, "throw": forced.THROWS, "off": forced.OFF}
    options = {
        layout.CASCADE: rules["cascade"],
        layout.SPLIT: values.get("split_triples", True),
        layout.SCOPE: scopes[str(values.get("forced_trump", "off"))],
        layout.BY_LEVEL: values.get("void_order") == "by-level",
        layout.BINDS_ALL: values.get("forced_trump_binds") == "all",
    }
    for at, value in options.items():
        lays[:, at] = int(value)
    for lay in lays:
        layout.set_values(lay, rules["points_five"], rules["points_ten"], rules["points_king"])
    return lays


def reading_place(lay: Any, bit: int) -> tuple[int, int, int]:
    """Sort key of a card: trumps first, then the side suits; high to low, equal levels in the order of the suits."""
    suit = int(lay[layout.SUIT_OF + bit])
    first = 0 if suit == layout.TRUMP else 1 + suit
    return first, -int(lay[layout.LEVEL_OF + bit]), int(lay[layout.FACE_OF + bit])
