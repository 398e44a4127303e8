"""The rule options of hong-wu-wu-jia that only its deal kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import hong_wu_wu_jia, layout, partner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .rules import RuleSet


def fill(lays: NDArray[np.int64], rules: RuleSet) -> None:
    """Fill naming and scoring into the layouts of the game."""
    grades = rules["grade_table"]
    values = {
        partner.NAMED_MIN: rules["named_copies_min"],
        hong_wu_wu_jia.BOTTOM_TIMES: rules["bottom_multiplier"],
        hong_wu_wu_jia.SOLO_BOTTOM_TIMES: rules["solo_bottom_multiplier"],
        hong_wu_wu_jia.PARTNER_CAP: rules["partner_loss_cap"],
        hong_wu_wu_jia.PRESSED_CAP: rules["pressed_partner_loss_cap"],
        hong_wu_wu_jia.STAKE: rules["base"],
        layout.GRADES: len(grades),
    }
    for i, number in enumerate(number for row in grades for number in row):
        values[layout.GRADES + 1 + i] = number
    for at, value in values.items():
        lays[:, at] = value
