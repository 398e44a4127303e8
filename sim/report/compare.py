"""The report on the study ``compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..games import resolve_game
from ..marks import explained
from . import compare_sections as sections
from .compare_study import Study
from .figures import SCALE, direction, evidence, said, told
from .html import plain
from .page import Report
from .provenance import of_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..text import Lang

_HEADLINES = ("made", "won", "payoff_banker", "defender_points")


def report(folder: Path, manifest: Mapping[str, Any], lang: Lang) -> Report:
    """The report on the study in a folder."""
    game = resolve_game(manifest.get("game", ""))
    study = Study(folder, game.name, lang)
    say = study.say
    deals = manifest.get("deals")
    number = f"{deals:,}" if isinstance(deals, int) else "?"
    name = game.zh if lang == "zh" else game.name.capitalize()
    more = len(study.others)
    title = say(
        f"{name}: what {'a change' if more == 1 else f'{more} changes'} of the rules "
        f"{'does' if more == 1 else 'do'}, on "
        f"{number} deals",
        f"{name}：改规则有何影响，{number} 局",
    )
    lead = say(
        "The same deals were played under every variant of the rules: same cards, same order, same "
        "policies. What is told is by "
        f"how much each figure differs from the first variant, {plain(study.reference, 100)}. As luck is "
        "the same on both sides, "
        "small differences can be seen.",
        "同一批牌局（同样的牌、同样的顺序、同样的策略）按每种规则各打一遍。所列为各项数字与第一种规则 "
        f"{plain(study.reference, 100)} 之差。"
        "两边运气相同，故小的差别也看得出。",
    )
    found = [sections.variants(study), *sections.differences(study, study.main)]
    if study.refitted:
        found += sections.differences(study, study.refitted, refitted=True)
    found += [sections.fairness(study), sections.conclusions(study), sections.unmoved(study)]
    level = f"{100 * study.level:g} %"
    notes = [
        say(
            f"Intervals of differences hold for all differences of the comparison together, with {level} "
            "(Bonferroni over "
            f"{study.family}); those of single figures each by itself. The unit is the {study.unit}.",
            f"差的区间对本次比较的全部差同时成立，{level}（邦费罗尼法，共 {study.family} 项）；单个数字的区"
            f"间各自成立。以{study.unit}为单位。",
        ),
        say(
            "Where no deal differs, the difference is exactly 0 on these deals; others could still differ, "
            "in at most about 3 of "
            "every n, n being the number of deals. The policies play by the rules of each variant but do "
            "not study them: people "
            "would adapt, and bots are not people.",
            "没有一局不同之处，在这批牌局上差恰为 0；别的牌局仍可能不同，至多约占 3/n（n 为局数）。策略按各"
            "规则打牌，但不会研究规则；"
            "真人会适应，机器不等于真人。",
        ),
        say(
            "pp: percentage points, the difference of two shares in percent.",
            "pp：百分点，即两个百分比之差。",
        ),
        *explained((row.mark for row in (*study.main, *study.refitted) if row.differing), lang),
        SCALE.say(lang),
    ]
    origin = [*study.provenance(manifest, game.title(lang), number), *of_manifest(manifest, lang)]
    return Report(
        title, say("tuolaji · report on a study", "tuolaji · 研究报告"), [lead], [], _findings(study),
        [section for section in found if section.blocks or section.prose], notes, origin,
    )  # fmt: skip


def _findings(study: Study) -> list[str]:
    """What stands out, variant by variant."""
    say, found = study.say, []
    for name in study.others[:8]:
        shown = plain(name, 100)
        rows = [row for row in study.main if row.variant == name]
        if rows and all(row.differing == 0 for row in rows):
            found.append(
                say(
                    f"{shown}: not a single deal differs from {plain(study.reference, 100)}.",
                    f"{shown}：与 {plain(study.reference, 100)} 没有一局不同。",
                )
            )
            continue
        parts = []
        for row in rows:
            if row.figure in _HEADLINES and row.differing != 0 and row.difference.known:
                value = told(row.difference, row.step, sign=True)
                verdict = said(evidence(row.difference), study.lang)
                parts.append(
                    say(f"{row.label.en} {value} ({verdict})", f"{row.label.zh} {value}（{verdict}）")
                )
        clear = sum(direction(row.difference) != 0 for row in rows)
        count = say(f"{clear} of {len(rows)} figures differ for sure", f"{len(rows)} 项中 {clear} 项确有差别")
        paid = study.paid(name)
        if paid:
            parts.append(say(f"{paid} of the deals are paid differently", f"{paid} 的牌局得失不同"))
        found.append(
            say(f"{shown}: {'; '.join([*parts, count])}.", f"{shown}：{'；'.join([*parts, count])}。")
        )
    return found
