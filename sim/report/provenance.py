"""Where the numbers of a report come from: the foot of the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ... import __version__
from ..summary_text import given_rows
from ..text import Text
from .html import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..plan import Plan
    from ..rules import RuleSet
    from ..text import Lang

Rows = list[tuple[str, list[str]]]
_SEED = Text("seed", "种子")
_MOST = 20  # command lines and sources shown


def rules_text(rules: RuleSet, lang: Lang) -> str:
    """A rule set by name, and what it changes."""
    zh = lang == "zh"
    changed = ", ".join(
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in rules.changed().items()
    )
    what = (
        f"{'改动' if zh else 'changed'}: {changed}"
        if changed
        else ("全部为默认" if zh else "all options at their defaults")
    )
    return f"{plain(rules.name, 200)} ({what}); SHA-256 {rules.hash()}"


def of_known(plan: Plan, lang: Lang) -> Rows:
    """What was settled of every deal before it was dealt: the contract, cards held, counts."""
    zh = lang == "zh"
    found: dict[str, list[str]] = {}
    if plan.contract is not None:
        c = plan.contract
        parts = [("banker", "庄家", c.banker), ("trump", "主牌", "shcd"[c.trump])]
        if c.bid is not None:
            parts.append(("bid", "叫分", c.bid))
        text = ("，" if zh else ", ").join(
            f"{name_zh if zh else name} {value}" for name, name_zh, value in parts
        )
        found["定约" if zh else "contract"] = [text]
    if plan.given is not None:
        for name, text in given_rows(plan.given, zh):
            found.setdefault(name, []).append(text)
    return [*found.items()]


def of_plan(plan: Plan, manifest: Mapping[str, Any], lang: Lang, deals: int) -> Rows:
    """Seed, rules, policies, versions, command lines, from the plan and from what else a manifest says."""
    zh = lang == "zh"
    rows = of_play(plan, lang)
    if plan.session > 1:
        rows.append(("场次" if zh else "sessions", [f"{deals // plan.session:,} × {plan.session}"]))
    first = manifest.get("first", 0)
    first = first if isinstance(first, int) else 0
    asked = manifest.get("deals")
    found = f"{first:,} – {first + deals - 1:,} ({deals:,})"
    if isinstance(asked, int) and asked > deals:
        found += f"，原定 {asked:,} 局" if zh else f", of {asked:,} asked for"
    rows.append(("牌局" if zh else "deals", [found]))
    return rows + of_manifest(manifest, lang)


def of_play(plan: Plan, lang: Lang) -> Rows:
    """Game, rules, policies, seed."""
    zh = lang == "zh"
    described = plan.describe()
    rows: Rows = [("游戏" if zh else "game", [plan.game.title(lang)])]
    rows.append(("规则" if zh else "rules", [rules_text(plan.rules, lang)]))
    if not plan.imported:
        weights = described.get("weights", {})
        names = [
            f"{name if role == 'all' else f'{role} = {name}'}"
            + (f" (SHA-256 {weights[name][:16]}…)" if weights.get(name) else "")
            for role, name in described["policies"].items()
        ]
        rows.append(("策略" if zh else "policies", names))
        biddings = plan.told_biddings()
        if biddings:
            rows.append(("叫法" if zh else "bidding", biddings))
        rows.append((_SEED.say(lang), [str(plan.seed)]))
    return rows + of_known(plan, lang)


def of_manifest(manifest: Mapping[str, Any], lang: Lang) -> Rows:
    """What a manifest says about who wrote it, with what and when. It may come from anywhere."""
    zh = lang == "zh"
    rows: Rows = []
    libraries = manifest.get("libraries")
    versions = [manifest.get("tool")]
    if isinstance(libraries, dict):
        versions += [f"{name} {version}" for name, version in list(libraries.items())[:_MOST]]
    rows.append(("版本" if zh else "versions", [", ".join(plain(v, 100) for v in versions if v)]))
    sources = manifest.get("sources")
    if isinstance(sources, list) and sources:
        files = [s.get("file") for s in sources[:_MOST] if isinstance(s, dict)]
        rows.append(("来源" if zh else "sources", [plain(file, 300) for file in files]))
    lines = manifest.get("command_lines")
    if isinstance(lines, list) and lines:
        rows.append(("命令行" if zh else "command line", [plain(line) for line in lines[-_MOST:]]))
    times = [plain(manifest[key], 40) for key in ("started", "ended") if manifest.get(key)]
    if times:
        rows.append(("时间" if zh else "time", [" – ".join(times)]))
    rows.append(("本页" if zh else "this page", [f"tuolaji {__version__}, tuolaji report"]))
    return rows
