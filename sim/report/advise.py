"""The report on advice: one hand, its choices, which is best and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..advise_text import DECISIONS, OPEN, SETTLED, sure
from ..plan import plan_from_description
from . import advise_sections as sections
from .advise_study import Study
from .figures import DISTANCE, evidence, said, shown, told
from .page import Report
from .provenance import of_manifest, of_play
from .source import json_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..games import Game
    from ..text import Lang

_NAMED = 5  # choices in a sentence


def report(folder: Path, manifest: Mapping[str, Any], lang: Lang) -> Report:
    """The report on the advice in a folder."""
    plan = plan_from_description(manifest)
    study = Study(json_file(folder / "result.json"), plan.game.name, lang)
    say = study.say
    by = plan.told_policies()
    origin = of_play(plan, lang)
    origin += [(say("worlds", "世界"), [_ended(study)]), *of_manifest(manifest, lang)]
    return Report(
        _title(study, plan.game), say("tuolaji · report on advice", "tuolaji · 一手牌的建议"), _lead(study, by),
        _keys(study), _findings(study),
        [sections.payoffs(study), sections.chances(study), sections.situation(study)], _notes(study), origin,
    )  # fmt: skip


def _title(study: Study, game: Game) -> str:
    name = game.zh if study.lang == "zh" else game.name.capitalize()
    what = DECISIONS[study.phase].say(study.lang)
    return study.say(
        f"{name}: {what}? Seat {study.seat}, in {study.worlds:,} worlds",
        f"{name}：{what}？座位 {study.seat}，{study.worlds:,} 个世界",
    )


def _lead(study: Study, by: str) -> list[str]:
    """The situation, the hand, and what was played."""
    say = study.say
    hand = study.cards("hand")
    cards = say(
        f"Its hand, {len(hand)} {'card' if len(hand) == 1 else 'cards'}: {study.held(hand)}.",
        f"手牌 {len(hand)} 张：{study.held(hand)}。",
    )
    method = say(
        f"The cards it does not see were dealt {study.worlds:,} times at random, in agreement with what is known. In "
        f"each of these worlds every choice was made in turn, and the deal was played out by policy: {by}.",
        f"未见之牌随机发了 {study.worlds:,} 次，均与已知相符；每次发牌（一个世界）里各种选择都做一遍，其后由策略打完："
        f"{by}。",
    )
    return [f"{_scene(study)} {cards}" if study.lang == "en" else f"{_scene(study)}{cards}", method]


def _scene(study: Study) -> str:
    """What is to be decided, in what situation."""
    say, seat, trump = study.say, study.seat, study.trump()
    shown_, bids = study.revealed(), study.bids()
    so_far = [text[:1].upper() + text[1:] for text in (shown_, bids) if text]
    before = say("".join(f"{text}. " for text in so_far), "".join(f"{text}。" for text in so_far))
    bid = study.known.get("bid")
    return {
        "call": say(
            f"{before}Nobody has called yet. Seat {seat} may call trump, or wait.",
            f"{before}尚无人叫牌。座位 {seat} 可以叫牌，也可以等待。",
        ),
        "counter": say(
            f"{before}Seat {seat} may counter with a pair of 3s, or let trump be {trump}.",
            f"{before}座位 {seat} 可用对 3 反牌，不反则主牌为{trump}。",
        ),
        "bid": say(
            f"Trump is {trump}. {before}Seat {seat} is to bid or pass.",
            f"主牌为{trump}。{before}轮到座位 {seat} 叫分。",
        ),
        "bury": say(
            f"Trump is {trump}. {before}Seat {seat} is banker at {bid} and has taken the bottom: what to bury?",
            f"主牌为{trump}。{before}座位 {seat} 以 {bid} 坐庄，已取底牌：埋什么？",
        ),
        "reveal": say(
            f"Nobody has revealed yet. Seat {seat} may reveal a 2, or wait.",
            f"尚无人翻牌。座位 {seat} 可以翻 2，也可以等待。",
        ),
        "name": say(
            f"Trump is {trump}. Seat {seat} is banker and has taken the bottom: whom to name as partner?",
            f"主牌为{trump}。座位 {seat} 坐庄，已取底牌：叫谁作伴？",
        ),
    }[study.phase]


def _keys(study: Study) -> list[tuple[str, str, str]]:
    """The best choice, what it pays, how sure it is, in how many worlds."""
    say, best = study.say, study.best
    chance = sections.made(study)
    pays = say(f"{sections.PAYOFF.en}: {best.label.en}", f"{sections.PAYOFF.zh}：{best.label.zh}")
    found = [(*shown(best.payoff, sign=True), pays)]
    if best.made.value is not None:
        about = say(f"{chance.en}: {best.label.en}", f"{chance.zh}：{best.label.zh}")
        found.append((*shown(best.made, "share"), about))
    if study.others:
        found.append((sure(study.confidence), "", say("confidence that it is the best", "其为最优的置信度")))
    return [*found, (f"{study.worlds:,}", "", say("worlds", "世界"))]


def _findings(study: Study) -> list[str]:
    """What stands out, in sentences."""
    say, lang, best = study.say, study.lang, study.best
    name = best.label.say(lang)
    found = []
    if study.others:
        text = SETTLED if study.settled else OPEN
        head = name[:1].upper() + name[1:] if study.settled else name
        found.append(text.say(lang).format(head, sure(study.confidence)))
        second = study.others[0]
        if second.behind:
            value, verdict = told(second.behind, sign=True), said(evidence(second.behind), lang)
            found.append(
                say(
                    f"It pays {told(best.payoff, sign=True)} a deal, {value} more than the next, {second.label.en} "
                    f"({verdict}).",
                    f"每局得失 {told(best.payoff, sign=True)}，比次优者（{second.label.zh}）多 {value}（{verdict}）。",
                )
            )
        found += _apart(study)
    else:
        found.append(
            say(
                f"There is nothing to choose: {name} pays {told(best.payoff, sign=True)} a deal, and nothing else "
                "ever came to anything different.",
                f"无可选择：{name}每局得失 {told(best.payoff, sign=True)}，别的选择毫无差别或并不存在。",
            )
        )
    same = [one.label.say(lang) for one in study.options[1:] if one.same]
    if same:
        names = _listed(study, same)
        found.append(
            say(
                f"In no world was there a difference between {name} and {names}.",
                f"{name}与 {names} 在各种发牌下全无差别。",
            )
        )
    found.append(say(f"Worlds: {_ended(study)}.", f"世界数：{_ended(study)}。"))
    return found


def _apart(study: Study) -> list[str]:
    """Which choices are worse for sure, each by itself, and which may be as good."""
    say, lang = study.say, study.lang
    if len(study.others) < 2:
        return []
    near = [
        one.label.say(lang)
        for one in study.others
        if one.behind and evidence(one.behind) in ("none", "unknown")
    ]
    many = len(study.others)
    worse = many - len(near)
    which = f"{worse} of the {many}" if near else "both" if many == 2 else f"all {many}"
    text = say(
        f"Each by itself, {which} other choices {'is' if worse == 1 else 'are'} worse than it for sure",
        f"逐一来看，其余 {many} 种选择" + (f"中有 {worse} 种" if near else "") + "确实不如它",
    )
    if near:
        text += say(
            f"; not told apart from it: {_listed(study, near)}", f"；分不出差别的：{_listed(study, near)}"
        )
    return [say(f"{text}.", f"{text}。")]


def _listed(study: Study, names: list[str]) -> str:
    more = len(names) - _NAMED
    shown_ = study.say(", ", "、").join(names[:_NAMED])
    return shown_ + (study.say(f" and {more} more", f" 等 {len(names)} 种") if more > 0 else "")


def _ended(study: Study) -> str:
    """How many worlds, and why not more."""
    say, many = study.say, f"{study.worlds:,}"
    text = {
        "fixed": say(f"{many}, a number fixed beforehand", f"{many}，事先定好"),
        "best": say(f"{many}, until the best choice stood out", f"{many}，至最优者分出为止"),
        "max": say(
            f"{many}, the most allowed, without the best choice standing out"
            if study.others and not study.settled
            else f"{many}, the most allowed",
            f"{many}，已达上限" + ("，最优者尚未分出" if study.others and not study.settled else ""),
        ),
    }[study.stopped_by]
    if study.tried is not None:
        text += say(
            f"; of {study.tried:,} tried, those that agree with what the others did",
            f"；共试 {study.tried:,} 个，只取与他家所为相符者",
        )
    return text


def _notes(study: Study) -> list[str]:
    say, fixed = study.say, study.stopped_by == "fixed"
    worlds = say(
        "A world is uniform among all deals of the cards not seen in which the known cards are where they are"
        + (
            " and the others, by their policies, would have done all that they did, and no more."
            if study.known.get("news")
            else "; what the others' calls, bids and silence say about their cards is left out."
        ),
        "世界：未见之牌的一切发法中均匀抽取，已知之牌各在其位"
        + (
            "，且他家按其策略恰会如此行事。"
            if study.known.get("news")
            else "；他家叫牌、叫分或沉默所透露的牌情不计。"
        ),
    )
    intervals = say(
        "Brackets are 95 % intervals; the unit is the world."
        + (
            ""
            if fixed
            else " The play was looked at as it went on, to end it when the best stood out: so the intervals are the "
            "wider ones that hold whenever one stops."
        ),
        "方括号内为 95 % 区间，以一个世界为单位。"
        + ("" if fixed else "边打边看，最优者分出即止；故用较宽的区间，何时停止均有效。"),
    )
    confidence = say(
        "Confidence is one less the sum, over the other choices, of the chance to see the best so far ahead of that "
        "choice when it is no better; from 95 % on it counts as settled. It speaks of all choices together; the words "
        "of the table are about each choice by itself"
        + (
            ", and count differences either way, which confidence does not: so the two may differ."
            if fixed
            else "."
        ),
        "置信度：1 减去一个总和：对其余每种选择，假如它其实并不更差，仍会见到最优者领先这么多的概率；95 % 起算作定论。"
        "置信度就全部选择而言；表中的说法只就每种选择本身"
        + ("，且计两个方向的差别，置信度只计一个方向，两者可能不一致。" if fixed else "。"),
    )
    policies = say(
        "Payoffs depend on the policies: they stand for the others, and for this seat after its choice. People are not "
        "policies. Play does not look at the bid.",
        "得失取决于策略：他家由策略代打，本座位作出选择之后也是。真人并非策略。打牌不看叫分。"
        if study.two
        else "得失取决于策略：他家由策略代打，本座位作出选择之后也是。真人并非策略。",
    )
    if not study.two:
        policies = policies.removesuffix(" Play does not look at the bid.")
    return [worlds, intervals, confidence, policies, DISTANCE.say(study.lang)]
