"""The tables of a comparison, as its folder has them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..events import EVENTS, told
from ..marks import SIGNS
from ..plan import plan_from_description
from ..rules import OPTIONS
from ..variants import short_names
from .figures import Number, shown
from .html import plain
from .labels import label
from .provenance import of_known
from .source import tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..events import Event
    from ..text import Lang, Text
    from .source import Row, Source

TABLES = ("variants", "figures", "differing", "fairness", "conclusions")
_ROOM = 40  # for a variant's name beside others
_MEASURES = ("share", "payoff", "points", "count")


@dataclass(frozen=True)
class Figure:
    """A figure of a variant, and how it differs from the reference."""

    variant: str
    figure: str
    label: Text
    group: str
    kind: str
    measure: str
    estimate: Number
    difference: Number
    differing: int | None
    never: bool = False
    mark: str = ""

    @property
    def unit(self) -> str:
        """How it is shown, as `figures.shown` has it."""
        return "share" if self.measure == "share" else "number"

    @property
    def step(self) -> str:
        """How its differences are shown."""
        return "pp" if self.measure == "share" else "number"


class Study:
    """The tables by name. ``main``: the comparison as it was asked for; ``refitted``: with the bidding fitted anew."""

    def __init__(self, folder: Path, game: str, lang: Lang) -> None:
        self.game, self.lang = game, lang
        self.source: Source = tables(folder, TABLES)
        source = self.source
        self.variants = source.rows("variants")
        names = [source.word(row, "variant") for row in self.variants]
        if not names:
            source.damaged("there are no variants")
        self.reference = next(
            (n for n, row in zip(names, self.variants, strict=True) if row.get("reference")), names[0]
        )
        self.others = [name for name in names if name != self.reference]
        whole = [plain(name, 200) for name in names]
        short = short_names(whole, _ROOM)
        self.short = dict(zip(names, short, strict=True))
        #: In full, with the number that it goes by where there is less room.
        self.full = {
            name: text if text == cut else f"{at}: {text}"
            for at, (name, text, cut) in enumerate(zip(names, whole, short, strict=True), 1)
        }
        rows = source.rows("figures")
        first = self._place(rows[0]) if rows else ("", "")
        self.level = source.real(rows[0], "level") or 0.95 if rows else 0.95
        self.family = source.whole(rows[0], "family") if rows else 0
        self.unit = self._unit(rows)
        self.first = first
        self.main = [
            self._figure(row) for row in rows if self._place(row) == first and not row.get("reference")
        ]
        self.refitted = [
            self._figure(row) for row in rows if self._place(row)[0] == "refitted" and not row.get("reference")
        ]  # fmt: skip
        self.differing = [row for row in source.rows("differing") if self._place(row) == first]

    def say(self, en: str, zh: str) -> str:
        """In the report's language."""
        return zh if self.lang == "zh" else en

    def _place(self, row: Row) -> tuple[str, str]:
        return self.source.word(row, "bidding"), self.source.word(row, "policy")

    def _unit(self, rows: list[Row]) -> str:
        session = bool(rows) and rows[0].get("unit") == "session"
        return self.say("session", "场次") if session else self.say("deal", "牌局")

    def _figure(self, row: Row) -> Figure:
        source = self.source
        name, group = source.word(row, "figure"), source.word(row, "group")
        measure = source.word(row, "measure")
        return Figure(
            source.word(row, "variant"), name, label(self.game, name, group, source.word(row, "value")), group,
            source.word(row, "kind"), measure if measure in _MEASURES else "count",
            source.number(row, "estimate", "low", "high"), source.number(row, "difference"),
            None if row.get("differing") is None else source.whole(row, "differing"), row.get("never") is True,
            str(row.get("mark")) if row.get("mark") in SIGNS else "",
        )  # fmt: skip

    def never_used(self) -> str:
        """The changed options that these deals say nothing about, in a sentence."""
        never: dict[str, Event] = {}
        deals = 0
        for row in self.differing:
            option = OPTIONS[self.game].get(str(row.get("option")))
            if option and row.get("never") is True:
                name = f"{option.name} = {plain(row.get('to'), 100)}"
                deals = self.source.whole(row, "deals")
                never[name] = EVENTS[self.game][option.event]
        return told(never, deals, self.lang)

    def paid(self, variant: str) -> str:
        """The share of deals that a variant pays differently, with its interval."""
        for row in self.differing:
            if row.get("variant") == variant and not row.get("option"):
                return " ".join(
                    shown(self.source.number(row, "paid_share", "paid_low", "paid_high"), "share")
                )
        return ""

    def changes(self, row: Row) -> str:
        """What a variant changes, in words."""
        try:
            found = json.loads(self.source.word(row, "changes"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.source.damaged("changes holds no JSON object")
        return ", ".join(
            f"{plain(k, 60)} = {plain(json.dumps(v, ensure_ascii=False), 200)}" for k, v in found.items()
        )

    def provenance(self, manifest: Mapping[str, Any], game: str, deals: str) -> list[tuple[str, list[str]]]:
        """Game, variants, policies, seed, what was known of every deal, deals."""
        say = self.say
        policies = manifest.get("policies")
        names = [f"{k} = {v}" for k, v in policies.items()] if isinstance(policies, dict) else []
        rules = [f"{row['variant']}: SHA-256 {self.source.word(row, 'rules_hash')}" for row in self.variants]
        checks, first = manifest.get("checks"), manifest.get("first")
        others = [
            f"{check.get('policy')} ({check.get('deals')})"
            for check in (checks if isinstance(checks, list) else [])
            if isinstance(check, dict)
        ]
        fitted, begin = manifest.get("refit_deals"), manifest.get("refit_first")
        training = [say(f"{fitted} from {begin} on", f"{fitted}，自第 {begin} 局起")] if fitted else []
        rows = [
            (say("game", "游戏"), [game]),
            (say("rules", "规则"), rules),
            (say("policies", "策略"), names),
            (say("checked with", "检验策略"), others),
            (say("seed", "种子"), [str(manifest.get("seed"))]),
            *self._known(manifest),
            (say("deals", "牌局"), [say(f"{deals} from {first} on", f"{deals}，自第 {first} 局起")]),
            (say("deals to fit on", "拟合所用牌局"), training),
        ]
        return [(name, [plain(value) for value in values]) for name, values in rows if values]

    def _known(self, manifest: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
        """What was settled of every deal beforehand; it means the same by every variant's rules."""
        if not any(manifest.get(key) for key in ("contract", "hold", "count")):
            return []
        variants = manifest.get("variants")
        first = variants[0] if isinstance(variants, list) and variants else None
        rules = first.get("rules") if isinstance(first, dict) else None
        return of_known(plan_from_description({**manifest, "rules": rules}), self.lang)
