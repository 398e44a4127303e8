"""Rule variants as a user names them: presets, files, ``option=value,…``, and grids of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from .calls import words
from .errors import RuleError, UsageError
from .rules import OPTIONS, RuleSet, as_rule_set, check_values, load
from .text import clip

if TYPE_CHECKING:
    from .calls import Words
    from .games import Game
    from .options import Value
    from .rules import Rules

MOST = 50  # variants at once
#: One variant or several, as `read_variants` takes them.
Variants: TypeAlias = "Rules | Iterable[Rules]"


@dataclass(frozen=True)
class Variant:
    """A rule set, and what it is called in the tables."""

    name: str
    rules: RuleSet

    def told(self, reference: RuleSet) -> str:
        """The options in which it is not as the reference, as one would type them."""
        known = OPTIONS[self.rules.game]
        return ",".join(
            f"{name}={known[name].typed(new)}" for name, (_, new) in self.changed(reference).items()
        )

    def changed(self, reference: RuleSet) -> dict[str, tuple[Value, Value]]:
        """The options in which it is not as the reference: value there, value here."""
        values = self.rules.values
        return {name: (old, values[name]) for name, old in reference.values.items() if values[name] != old}


def read_variants(
    game: Game, given: Variants, grids: Words = (), base: RuleSet | None = None
) -> list[Variant]:
    """The variants asked for, in order; the first is what the others are compared with.

    ``given``: a preset, a file, a rule set, or ``option=value,…`` or a mapping of options on top of ``base`` (the
    game's own rules by default).
    ``grids``: ``option=a,b,c``; all combinations of several come after those given. A variant alone is compared with
    ``base``. `UsageError` for what is no variant, and for none or too many.
    """
    base = base or load(game)
    if not isinstance(given, Iterable) or isinstance(given, (str, Mapping)):
        given = [given]
    found = [_variant(game, each, base) for each in given]
    found += _grid(game, words(grids, "grids", "write option=a,b,c"), base)
    if not found:
        raise UsageError("variant: there is nothing to compare; give --variant or --grid option=a,b,c")
    if len(found) == 1:
        found.insert(0, Variant(base.name, base))
    if len(found) > MOST:
        raise UsageError(f"variant: {len(found)} variants are too many; allowed are {MOST}")
    return _told_apart(found)


def _variant(game: Game, given: Rules, base: RuleSet) -> Variant:
    if isinstance(given, str) and "=" in given:
        changes = pieces(given)
        return Variant(",".join(changes), overridden(game, base, changes))
    _, rules = as_rule_set(game, given, base=base)
    if not isinstance(given, Mapping):
        return Variant(rules.name, rules)
    known = OPTIONS[game.name]
    return Variant(
        ",".join(f"{name}={known[name].to_toml(rules[name])}" for name in given) or base.name, rules
    )


def overridden(game: Game, base: RuleSet, words: list[str]) -> RuleSet:
    """A rule set with ``option=value`` put on top; `RuleError` has every fault."""
    known, given = OPTIONS[game.name], dict(base.values)
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        name = name.replace("-", "_")
        if not equals:
            raise UsageError(f"variant: {clip(word)} is not of the form option=value")
        option = known.get(name)
        parsed = value if option is None else option.parse(value)
        given[name] = parsed  # type: ignore[assignment]  # checked below
    values, faults = check_values(game.name, given, "--variant")
    if faults:
        raise RuleError(faults)
    changed = RuleSet(base.game, base.name, values, base.about)
    return base if changed == base else RuleSet(base.game, f"{base.name}+", values)


def _grid(game: Game, grids: list[str], base: RuleSet) -> list[Variant]:
    axes: list[list[str]] = []
    for text in grids:
        name, equals, values = text.partition("=")
        cells = _split(values)
        if not equals or not all(cells):
            raise UsageError(f"grid: {clip(text)} is not of the form option=a,b,c")
        axes.append([f"{name.strip()}={cell}" for cell in cells])
    if not axes:
        return []
    return [Variant(",".join(words), overridden(game, base, list(words))) for words in product(*axes)]


def each_alone(game: Game, variants: list[Variant]) -> dict[tuple[int, str], RuleSet | None]:
    """For variants with several changes, the reference with each change alone; None where that makes no rule set."""
    reference = variants[0].rules
    found: dict[tuple[int, str], RuleSet | None] = {}
    for at, variant in enumerate(variants[1:], 1):
        changes = variant.changed(reference)
        for option, (_, value) in changes.items():
            if len(changes) == 1:
                found[at, option] = variant.rules
                continue
            try:
                found[at, option] = RuleSet.build(game.name, {**reference.values, option: value})
            except RuleError:
                found[at, option] = None
    return found


def pieces(text: str) -> list[str]:
    """``a=1,b=[1,2],c=3,4`` as ``a=1``, ``b=[1,2]``, ``c=3,4``."""
    found: list[str] = []
    for word in _split(text):
        if "=" in word or not found:
            found.append(word)
        else:
            found[-1] += f",{word}"
    return found


def _split(text: str) -> list[str]:
    """At the commas that stand outside all brackets."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [word.strip() for word in found]


def short_names(names: Iterable[str], most: int) -> list[str]:
    """The names of all variants where there is little room: a longer one is cut, and says its number, from 1.

    Names that begin alike so stay different.
    """
    return [
        name if len(name) <= most else f"{at}: {name[: most - 4 - len(str(at))]}…"
        for at, name in enumerate(names, 1)
    ]


def _told_apart(variants: list[Variant]) -> list[Variant]:
    """The same with names that are all different."""
    seen: dict[str, int] = {}
    found = []
    for variant in variants:
        seen[variant.name] = number = seen.get(variant.name, 0) + 1
        found.append(variant if number == 1 else Variant(f"{variant.name} ({number})", variant.rules))
    return found
