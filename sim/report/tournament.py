"""The report on tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..games import resolve_game
from ..rules import RuleSet
from . import tournament_sections as sections
from .figures import SCALE, direction, evidence, said, shown, together, told
from .html import plain
from .page import Report
from .provenance import of_manifest, rules_text
from .source import Source
from .tournament_study import FIGURES, Study, difference

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..text import Lang

_SHOWN = 20  # entrants at the foot of the page


def report(folder: Path, manifest: Mapping[str, Any], lang: Lang) -> Report:
    """The report on the tournaments in a folder."""
    game = resolve_game(manifest.get("game", ""))
    about = Source(folder / "manifest.json", dict(manifest))
    played = about.whole(about.top, "tournaments")
    study = Study(folder, lang)
    say = study.say
    name = game.zh if lang == "zh" else game.name.capitalize()
    many = len(study.lengths)
    title = say(
        f"{name}: who wins tournaments, and how much of it is luck, from {played:,} tournaments"
        + (f" with each of {many} lengths" if many > 1 else ""),
        f"{name}：谁夺冠，多少靠运气，"
        + (f"{many} 种手数各 {played:,} 场" if many > 1 else f"{played:,} 场比赛"),
    )
    lead = _lead(study, about)
    found = [sections.lengths(study), *(sections.entrants(study, figure) for figure in FIGURES)]
    notes = [
        say(
            "Brackets are 95 % intervals; the unit is the tournament. The one with most points is the "
            "largest of many, and so flattered by chance; the chance of the best is not, as the best is judged on "
            "other tournaments.",
            "方括号内为 95 % 区间，以一场比赛为单位。得分最高者是众人之最，难免沾运气的光；最强者夺冠的"
            "机会则不然，因为最强者由另外的比赛判定。",
        ),
        say(
            "Policies are not people: they do not tire, do not look at the standings, and do not know each other. How "
            "far apart people are in skill is not known.",
            "策略不等于真人：不会疲倦，不看名次，也不认识对手。真人之间实力相差多少，并不知道。",
        ),
        say("pp: percentage points, the difference of two shares in percent.", "pp：百分点，即两个百分比之差。"),
        SCALE.say(lang),
    ]  # fmt: skip
    if many > 1:
        independent = say(
            "Two lengths are told apart as if their tournaments were independent, though their lots have one seed.",
            "比较两种手数时视其比赛为相互独立，虽然抽签出自同一种子。",
        )
        notes.insert(1, independent)
    return Report(
        title, say("tuolaji · report on a study", "tuolaji · 研究报告"), [lead], _keys(study), _findings(study),
        [section for section in found if section.blocks], notes,
        [*_provenance(study, about, played, game.name, lang), *of_manifest(manifest, lang)],
    )  # fmt: skip


def _lead(study: Study, about: Source) -> str:
    """How a tournament goes."""
    say, sizes = study.say, _sizes(about)
    if len(sizes) == 1:
        return say(
            f"{study.field} entrants sit at tables of five and play one round; most points win; ties are broken "
            "by lot.",
            f"{study.field} 人分桌，每桌五人，打一轮，得分最高者夺冠。同分抽签。",
        )
    steps = " → ".join(map(str, sizes))
    carried = about.top.get("carry") is True
    return say(
        f"{study.field} entrants sit at tables of five, play a round, and those with most points go on ({steps}); "
        f"points {'count on into the next round' if carried else 'begin at zero in every round'}, and most points in "
        "the last round win. Ties are broken by lot.",
        f"{study.field} 人分桌，每桌五人，打一轮后得分高者晋级（{steps}）；"
        f"{'得分累计' if carried else '每轮从零开始'}，末轮得分最高者夺冠。同分抽签。",
    )  # fmt: skip


def _sizes(about: Source) -> list[int]:
    found = about.top.get("sizes")
    if not isinstance(found, list) or not found or not all(type(size) is int for size in found):
        about.damaged("sizes is no list of whole numbers")
    return list(found or [])


def _provenance(
    study: Study, about: Source, played: int, game: str, lang: Lang
) -> list[tuple[str, list[str]]]:
    """Game, rules, entrants, seed, and how the tournaments went."""
    say, top = study.say, about.top
    rules = about.object("rules")
    options, name = rules.get("rules", rules), rules.get("name")
    if not isinstance(options, dict):
        raise UsageError(f"{plain(about.path, 200)} is damaged: it has no rules in it")
    rule_set = RuleSet.build(game, options, name=name if isinstance(name, str) else "")
    names = [study.label(name) for name in study.count]
    if len(names) > _SHOWN:
        more = len(names) - _SHOWN
        names = [*names[:_SHOWN], say(f"… and {more} more", f"……另有 {more} 种")]
    drawn = say("by lot", "抽签") if top.get("seating") != "order" else say("in order", "按次序")
    mixed = say("a hand", "每手") if top.get("mix") != "round" else say("a round", "每轮")
    hands = say(", ", "、").join(str(length.hands) for length in study.lengths)
    return [
        (say("game", "游戏"), [resolve_game(game).title(lang)]),
        (say("rules", "规则"), [rules_text(rule_set, lang)]),
        (say("entrants", "参赛者"), names),
        (say("tournaments", "比赛"), [f"{played:,}"]),
        (say("hands a round", "每轮手数"), [hands]),
        (say("seats", "座位"), [drawn]),
        (say("mixtures draw once", "混合策略抽取"), [mixed]),
        (say("seed", "种子"), [plain(top.get("seed"), 40)]),
    ]


def _keys(study: Study) -> list[tuple[str, str, str]]:
    """The best entrant's chance and skill's share, in the longest rounds; the chance in the shortest."""
    say, last, first = study.say, study.lengths[-1], study.lengths[0]
    found = []
    for one in (first, last) if first is not last else (last,):
        value = one.all("best_wins").value
        if value.value is not None and len(study.names) > 1:
            label = say(f"the best wins, {one.about.en}", f"最强者夺冠，{one.about.zh}")
            found.append((*shown(value, "share"), label))
    skill = last.all("skill_share").value
    if skill.value is not None:
        label = say(f"skill, of the variance, {last.about.en}", f"实力占方差，{last.about.zh}")
        found.append((*shown(skill, "share"), label))
    return found


def _findings(study: Study) -> list[str]:
    """What stands out, in sentences."""
    say, lang, found = study.say, study.lang, []
    family, kinds = 2 * len(study.lengths), len(study.names)
    first, last = study.lengths[0], study.lengths[-1]
    if kinds == 1:
        found.append(
            say(
                "All entrants are of one kind: nobody is better, and luck decides.",
                "参赛者只有一类：没有强弱之分，全凭运气。",
            )
        )
        return found
    for length in (first, last) if first is not last else (last,):
        chance = length.all("best_wins").by_chance or 0.0
        best, skill = (
            together(length.all(name).value, family, (0, 1)) for name in ("best_wins", "skill_share")
        )
        verdict, real = said(evidence(best, chance), lang), said(evidence(skill), lang)
        wins, ability = told(best, "share", against=chance), told(skill, "share")
        found.append(
            say(
                f"{length.about.en}: the best entrant wins {wins} of the tournaments; by chance it would be "
                f"{100 * chance:.3g} % ({verdict}). Skill makes {ability} of the variance of points in a first round "
                f"({real}).",
                f"{length.about.zh}：最强者夺冠 {wins}，全凭运气则为 {100 * chance:.3g} %（{verdict}）。"
                f"实力占首轮得分方差的 {ability}（{real}）。",
            )
        )  # fmt: skip
    if first is not last:
        found += _longer(study)
    name = study.names[0]
    points = together(last.of(name, "points_a_hand").value, kinds)
    verdict = said(evidence(points), lang)
    found.append(
        say(
            f"Most points, with {last.about.en}: {study.label(name)}, {told(points, sign=True)} a hand against the "
            f"field ({verdict}).",
            f"{last.about.zh}，得分最高者：{study.label(name)}，每手比全场多 {told(points, sign=True)}（{verdict}）。",
        )
    )  # fmt: skip
    ways = [
        direction(together(one.value, kinds), one.by_chance or 0.0)
        for one in (last.of(name, "wins") for name in study.names)
    ]
    found.append(
        say(
            f"Kinds of entrants that win more often than by chance: {ways.count(1)} of {kinds}; less often: "
            f"{ways.count(-1)}; not told apart from chance: {ways.count(0)} ({last.about.en}).",
            f"{kinds} 类参赛者中，{ways.count(1)} 类夺冠多于全凭运气，{ways.count(-1)} 类少于；其余 {ways.count(0)} "
            f"类与全凭运气分不出差别（{last.about.zh}）。",
        )
    )  # fmt: skip
    hands = sections.half(last)
    if hands and direction(together(last.all("skill_share").value, family)):
        found.append(
            say(
                f"Were skill and luck to go on as in rounds of {last.hands} hands, skill would be half at about "
                f"{hands} hands a round; an extrapolation.",
                f"照每轮 {last.hands} 手推算，每轮约 {hands} 手时实力占一半；此为外推。",
            )
        )
    return found


def _longer(study: Study) -> list[str]:
    """The longest rounds against the shortest."""
    say, first, last = study.say, study.lengths[0], study.lengths[-1]
    parts = []
    for figure, en, zh in (
        ("best_wins", "the best entrant's chance", "最强者夺冠机会"),
        ("skill_share", "the share of skill", "实力占比"),
    ):
        one, other = last.all(figure), first.all(figure)
        step = together(difference(one.value, other.value), 2)
        if step.known and one.by_chance == other.by_chance:  # else the best are kinds of different numbers
            verdict = said(evidence(step), study.lang)
            value = told(step, "pp", sign=True)
            parts.append(say(f"{en} changes by {value} ({verdict})", f"{zh} {value}（{verdict}）"))
    if not parts:
        return []
    return [
        say(
            f"From {first.hands} to {last.hands} hands a round, {', and '.join(parts)}.",
            f"每轮由 {first.hands} 手增至 {last.hands} 手：{'，'.join(parts)}。",
        )
    ]
