"""A record as a page to read: how banker and trump came about, every trick, the scoring step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .replay_die_wu_fen import DieWuFenPage
from .replay_hong_wu_wu_jia import HongWuWuJiaPage

if TYPE_CHECKING:
    from .plan import Plan
    from .text import Lang


def render(record: dict[str, Any], lang: Lang = "en", plan: Plan | None = None) -> str:
    """The page for a record; ``plan`` adds the rule set's name and the policies."""
    page = DieWuFenPage if record["game"] == "die-wu-fen" else HongWuWuJiaPage
    return page(record, lang, plan).text()
