"""The report on the study ``threshold``; here that of die-wu-fen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..plan import plan_from_description
from ..table_seats import OTHERS, TABLES, seats_text
from ..threshold_text import _DECISIONS as DECISIONS
from . import threshold_sections as sections
from .figures import SCALE, evidence, said, together, told
from .page import Report
from .provenance import of_plan
from .source import json_file
from .threshold_study import Study

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..plan import Plan
    from ..text import Lang
    from .source import Source


def report(folder: Path, manifest: Mapping[str, Any], lang: Lang) -> Report:
    """The report on the study in a folder."""
    plan = plan_from_description(manifest)
    source = json_file(folder / "result.json")
    deals = source.whole(source.top, "deals")
    origin = of_plan(plan, manifest, lang, deals)
    if plan.game.name == "hong-wu-wu-jia":
        from . import threshold_hong_wu_wu_jia

        found = threshold_hong_wu_wu_jia.report(source, lang, origin)
    else:
        found = _report(Study(source, lang), origin, deals)
    seats = _seats(source, plan)
    if plan.given is not None or len(seats) < plan.game.seats:
        found.lead.append(TABLES.say(lang).format(seats_text(plan, seats, lang)))
    if len(seats) < plan.game.seats:
        found.notes.append(OTHERS.say(lang))
    return found


def _seats(source: Source, plan: Plan) -> tuple[int, ...]:
    """Of whose hands the tables are; of all, in a study that does not say."""
    every = tuple(range(plan.game.seats))
    seats = source.top.get("seats", [*every])
    if not isinstance(seats, list) or not seats or any(seat not in every for seat in seats):
        source.damaged("seats are no seats of the game")
    return tuple(seats)


def _report(study: Study, origin: list[tuple[str, list[str]]], deals: int) -> Report:
    """The whole."""
    say = study.say
    by = study.by.say(study.lang)
    title = say(
        f"Die-wu-fen: how high a hand should bid, from {deals:,} deals",
        f"跌五分：手牌该叫多高，{deals:,} 局",
    )
    lead = say(
        "Every deal was played out with every seat as banker, so for each bid it is known what it would "
        "have paid. Hands are "
        f"ordered by {by}. A bid pays for hands from its break-even on: there, bidding and passing are "
        "worth the same.",
        f"每局都让每家各坐一次庄打完，故知各档叫分各得多少。手牌按{by}排列。从平衡点起，叫此分才合算：在平衡"
        "点上叫与不叫相当。",
    )
    two = say(
        "Two questions are kept apart. Any hand: every seat as banker with every trump suit, against one of "
        "the others as "
        "banker at the bid before. At the auction: only where a seat is really asked for this bid, while "
        "the others bid "
        "by the thresholds found, so that their passes and raises carry news about their cards.",
        "两个问题分开回答。任意手牌：每家、每门主花色各坐一次庄，比之由另两家之一以前一档分坐庄。叫分之时："
        "只看真轮到此家叫此分"
        "的局面，其余两家按所得门槛叫分，其不叫与加叫含有信息。",
    )
    blind = say(
        "Play is blind to the bid: no policy looks at it, so one play-out stands for all bids. Bots are not "
        "people.",
        "打牌不看叫分：各策略都不理会叫分，故一次打完即知各档叫分的结果。机器不等于真人。",
    )
    unit = say(
        "Brackets are 95 % intervals. The unit is the deal: three seats and four suits of one deal do not "
        "count as twelve "
        "observations. Intervals of break-evens come from the bootstrap over deals, the fit repeated each "
        "time.",
        "方括号内为 95 % 区间，以牌局为单位：一局的三家四门不当作十二次观察。平衡点的区间由牌局自助法得出，"
        "每次重新拟合。",
    )
    found = [
        sections.break_evens(study),
        sections.curve(study, "difference"),
        sections.curve(study, "made"),
        sections.up_to(study),
        sections.calls(study),
        sections.response(study),
    ]
    return Report(
        title, say("tuolaji · report on a study", "tuolaji · 研究报告"), [lead], _keys(study), _findings(study),
        found, [two, unit, blind, SCALE.say(study.lang)], origin,
    )  # fmt: skip


def _keys(study: Study) -> list[tuple[str, str, str]]:
    """The break-evens of the lowest bids, and what is left to gain."""
    found = []
    for bid in study.bids[:2]:
        if study.value("marginal", bid).value is not None:
            label = study.say(f"any hand: {bid} pays from", f"任意手牌：叫 {bid} 合算之起点")
            found.append((*study.crossing(study.even["marginal", bid]), label))
    later = [bid for bid in study.bids if study.value("auction", bid).value is not None][:1]
    for bid in later:
        label = study.say(f"at the auction: {bid} pays from", f"叫分之时：叫 {bid} 合算之起点")
        found.append((*study.crossing(study.even["auction", bid]), label))
    return found


def _findings(study: Study) -> list[str]:
    """What stands out, in sentences."""
    say, source, found = study.say, study.source, []
    known = [bid for bid in study.bids if study.value("marginal", bid).value is not None]
    if known:
        steps = say("; ", "；").join(
            f"{bid}: {' '.join(study.crossing(study.even['marginal', bid]))}" for bid in known[:4]
        )
        found.append(
            say(
                f"For any hand, a bid pays from these strengths on: {steps}.",
                f"任意手牌，合算之起点：{steps}。",
            )
        )
    never = [
        bid for bid in study.bids if (row := study.even.get(("marginal", bid))) and row["kind"] == "never"
    ]
    if never:
        listed = say(", ", "、").join(map(str, never))
        found.append(
            say(
                f"No hand that occurs often enough gains by bidding {listed}.",
                f"常见的手牌叫 {listed} 都不合算。",
            )
        )
    rare = [bid for bid in study.bids if study.even.get(("marginal", bid), {}).get("kind") == "at-least"]
    if rare:
        listed = say("; ", "；").join(
            f"{bid}: {study.crossing(study.even['marginal', bid])[0]}" for bid in rare
        )
        found.append(
            say(
                f"Where the hands played show no crossing, this is known: {listed}.",
                f"所打手牌未见交点者，所知如下：{listed}。",
            )
        )
    decisions = source.rows("decisions")
    for row in decisions:
        name = DECISIONS.get(source.word(row, "decision"))
        value = together(source.number(row, "difference"), len(decisions))
        if name and value.known:
            verdict = said(evidence(value), study.lang)
            found.append(
                say(
                    f"To {name.en}, against leaving it, over all hands that did so: "
                    f"{told(value, sign=True)} a hand "
                    f"({verdict}).",
                    f"{name.zh}，比之不如此做，就所有如此做的手牌：每手 {told(value, sign=True)}（"
                    f"{verdict}）。",
                )
            )
    left = source.estimate(source.object("at_most", source.object("response")))
    found.append(
        say(
            "Against the thresholds found, no other threshold gains more than about "
            f"{told(left, sign=True)} a deal.",
            f"面对所得门槛，改用别的门槛每局至多多得约 {told(left, sign=True)}。",
        )
    )
    return found
