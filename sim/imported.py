"""Datasets of deals that were not played here: imported from records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .games import resolve_game
from .plan import Plan
from .rules import RuleSet

if TYPE_CHECKING:
    from collections.abc import Mapping

ORIGIN = "import"


@dataclass(frozen=True)
class ImportedPlan(Plan):
    """What is known of imported deals: game and rules. Nobody can play them again."""

    def describe(self) -> dict[str, Any]:
        """As plain data, for the manifest and each part's metadata."""
        return {
            "game": self.game.name,
            "rules": self.rules.to_dict(),
            "rules_hash": self.rules.hash(),
            "origin": ORIGIN,
            "policies": {},
            "weights": {},
            "seed": None,
            "session": 1,
        }


def plan_of_import(described: Mapping[str, Any]) -> ImportedPlan:
    """The inverse of ``ImportedPlan.describe``."""
    game = resolve_game(described.get("game", ""))
    rules = described.get("rules")
    options = rules.get("rules", rules) if isinstance(rules, dict) else None
    if not isinstance(options, dict):
        raise UsageError("the description of the import has no rules in it")
    name = rules.get("name") if isinstance(rules, dict) else None
    rule_set = RuleSet.build(game.name, options, name=name if isinstance(name, str) else "")
    return ImportedPlan(game, rule_set, ())
