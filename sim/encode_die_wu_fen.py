"""The rule options of die-wu-fen that only its deal kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import die_wu_fen, die_wu_fen_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .rules import RuleSet


def fill(lays: NDArray[np.int64], rules: RuleSet) -> None:
    """Fill calling, bidding and scoring into the layouts of the game."""
    values = {
        die_wu_fen.BID_STEP: rules["bid_step"],
        die_wu_fen.OPENING_SINGLE: rules["opening_bid_single"],
        die_wu_fen.OPENING_PAIR: rules["opening_bid_pair"],
        die_wu_fen.BID_MAX: rules["bid_max"],
        die_wu_fen_score.BOTTOM_BY_LEAD: rules["bottom_shape"] == "lead",
        die_wu_fen_score.BOTTOM_PAIRED: rules["bottom_multiplier"],
        die_wu_fen_score.BOTTOM_SINGLE: rules["bottom_multiplier_single"],
        die_wu_fen_score.BANKER_PENALTY: rules["banker_throw_penalty"],
        die_wu_fen_score.DEFENDER_PENALTY: rules["defender_throw_penalty"],
        die_wu_fen_score.MADE_TOTAL: rules["made_total"],
        die_wu_fen_score.SHUTOUT_TOTAL: rules["shutout_total"],
        die_wu_fen_score.SHUTOUT_MULTIPLIER: rules["shutout_multiplier"],
        die_wu_fen.COUNTER_ALLOWED: rules["counter"],
    }
    for i, base in enumerate(rules["base_table"]):
        values[die_wu_fen_score.BASE_TABLE + i] = base
    for at, value in values.items():
        lays[:, at] = int(value)
