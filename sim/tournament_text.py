"""Tournaments in words, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from .summary_text import aligned, padded, width_of
from .text import Text
from .threshold_text import estimate, percent

if TYPE_CHECKING:
    from .stats import Estimate
    from .text import Lang
    from .tournament import Result
    from .tournament_figures import Length

_ROUND = Text("Rounds of {hands} hands", "每轮 {hands} 手")
_SHOWN = 40  # kinds of entrants, best first
_NOTES = (
    Text(
        "Points a hand are those of the first round. Wins: tournaments won by one of these entrants. The best is "
        "judged on one half of the tournaments and its wins counted on the other. Skill: share of the variance of an "
        "entrant's points in a first round that is due to who it is; the rest is luck: cards, seats, opponents, lots. "
        "Half skill at: hands a round at which skill would make up half, if both went on as here.",
        "每手得分按首轮计。夺冠指其中一人夺冠。最强者由一半比赛判定，在另一半中数其夺冠次数。\n"
        "实力：首轮得分的方差中出自各人本身的部分；其余为运气：牌、座位、对手、抽签。\n"
        "实力过半需：照此推算，每轮多少手时实力占一半。",
    ),
    Text(
        "[ ] 95 % interval, each by itself; the unit is the tournament. Policies are not people.",
        "[ ] 为 95 % 区间，各自成立；误差以一场比赛为单位。策略不等于真人。",
    ),
)


def render(result: Result, lang: Lang) -> str:
    """The whole text, ending in a line break."""
    lines = _head(result, lang)
    for length in result.lengths:
        lines += ["", _ROUND.say(lang).format(hands=length.hands), *_standings(length, lang)]
    lines += ["", *_rounds(result, lang), ""]
    for note in _NOTES:
        for paragraph in note.say(lang).splitlines():
            lines += wrap(paragraph, 100)
    return "\n".join(lines) + "\n"


def _head(result: Result, lang: Lang) -> list[str]:
    zh, asked = lang == "zh", result.asked
    changed = ", ".join(asked.plan.rules.changed())
    rules = asked.plan.rules.name + (f" ({'改动' if zh else 'changed'}: {changed})" if changed else "")
    carried = (
        ("累计得分" if asked.carry else "每轮从零开始")
        if zh
        else ("carried over" if asked.carry else "from zero")
    )
    drawn = ("抽签" if asked.by_lot else "按次序") if zh else ("by lot" if asked.by_lot else "in order")
    rows = [
        ("游戏" if zh else "game", asked.plan.game.title(lang)),
        ("规则" if zh else "rules", rules),
        ("人数" if zh else "entrants", " → ".join(map(str, asked.sizes))),
        ("得分" if zh else "points", carried),
        ("座位" if zh else "seats", drawn),
        ("比赛" if zh else "tournaments", f"{asked.tournaments:,}"),
        ("种子" if zh else "seed", str(asked.plan.seed)),
    ]
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def _standings(length: Length, lang: Lang) -> list[str]:
    """Each kind of entrant, most points first."""
    zh = lang == "zh"
    heads = (
        ("每手得分", "", "晋级", "", "夺冠", "") if zh else ("points a hand", "", "goes on", "", "wins", "")
    )
    rows: list[tuple[str, ...]] = [("参赛者" if zh else "entrant", *heads)]
    order = sorted(length.standings, key=lambda standing: -(standing.points.value or 0.0))
    for standing in order[:_SHOWN]:
        name = standing.name + (f" × {standing.count}" if standing.count > 1 else "")
        advanced = ("–", "") if standing.advanced.value is None else _share(standing.advanced)
        rows.append((f"  {name}", *estimate(standing.points, "+"), *advanced, *_share(standing.wins)))
    lines = aligned(rows)
    if len(order) > _SHOWN:
        lines.append(f"  … {len(order) - _SHOWN}")
    return lines


def _rounds(result: Result, lang: Lang) -> list[str]:
    """What the length of a round does."""
    zh = lang == "zh"
    heads = (
        ("最强者夺冠", "", "全凭运气", "", "实力占比", "", "实力", "", "运气", "", "实力过半需", "")
        if zh
        else (
            "best wins",
            "",
            "by chance",
            "",
            "skill",
            "",
            "of skill",
            "",
            "of luck",
            "",
            "half skill at",
            "",
        )
    )
    rows: list[tuple[str, ...]] = [("每轮手数" if zh else "hands a round", *heads)]
    for length in result.lengths:
        half = length.hands_for_half
        rows.append(
            (
                f"  {length.hands}", *_share(length.best_wins), f"{100 * length.by_chance:.3g} %", "",
                *_share(length.skill), f"± {length.skill_points:.3g}", "", f"± {length.luck_points:.3g}", "",
                "–" if half is None else f"{float(f'{half:.2g}'):,.0f}{' 手' if zh else ' hands'}", "",
            )
        )  # fmt: skip
    return aligned(rows)


def _share(found: Estimate) -> tuple[str, str]:
    return percent(found)
