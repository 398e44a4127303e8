"""The rules of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..encode import encode_play
from ..fault import Fault
from ..rules import OPTIONS, RuleSet, check_values
from ..text import Text
from .values import FORM, malformed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..games import Game


class Ruling(NamedTuple):
    """A record's rules: complete options, layouts by trump, what is wrong with them, options nobody here knows."""

    rules: RuleSet
    lays: Any
    faults: tuple[Fault, ...]
    unknown: tuple[str, ...]


def ruling_of(game: Game, record: Mapping[str, Any]) -> Ruling:
    """The rules of a record; what is missing takes its default."""
    given = record.get("rules", {})
    try:
        text = repr(given) if isinstance(given, dict) else ""  # tells 1, 1.0 and True apart
    except (RecursionError, ValueError):  # nesting or numbers beyond all bounds
        text = ""
    if not text:
        due = Text("an object of options", "由选项组成的对象")
        return _judge_rules(game.name, {})._replace(faults=(malformed("rules", given, due),))
    ruling = _RULINGS.get((game.name, text))
    if ruling is None:
        ruling = _judge_rules(game.name, given)
        if len(text) <= _LONGEST_RULES:
            if len(_RULINGS) >= _MOST_RULINGS:
                _RULINGS.clear()
            _RULINGS[game.name, text] = ruling
    return ruling


_RULINGS: dict[tuple[str, str], Ruling] = {}  # records of one origin share their rules
_MOST_RULINGS, _LONGEST_RULES, _MOST_UNKNOWN = 64, 4096, 5


def _judge_rules(game: str, given: Mapping[str, Any]) -> Ruling:
    unknown = tuple(str(name)[:40] for name in given if name not in OPTIONS[game])[:_MOST_UNKNOWN]
    known = {name: value for name, value in given.items() if name in OPTIONS[game]}
    values, faults = check_values(game, known, "rules")
    rules = RuleSet(game, game, values)
    found = tuple(Fault.of(FORM, text.en.rstrip("."), text.zh.rstrip("。")).at("rules") for text in faults)
    return Ruling(rules, encode_play(rules), found, unknown)
