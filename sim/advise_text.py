"""Advice as a table for a terminal, with no more digits than the intervals warrant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import SUITS, parse_cards, show_cards, show_suit
from .rounding import shown
from .summary_text import aligned, padded, show, width_of
from .text import Text

if TYPE_CHECKING:
    from .advise_result import Advice
    from .advise_situation import Choice
    from .stats import Estimate
    from .text import Lang

CHOICES = {
    "call": Text("call {} with one 3", "单张 3 叫{}"),
    "call-pair": Text("call {} with a pair of 3s", "对 3 叫{}"),
    "counter": Text("counter with {}", "反{}"),
    "wait": Text("wait", "等待"),
    "pass": Text("pass", "不叫"),
    "bid": Text("bid {}", "叫 {}"),
    "bury": Text("bury {}", "埋 {}"),
    "reveal": Text("reveal the 2 of {}", "翻{} 2"),
    "name": Text("name {}", "叫 {} 找伴"),
    "solo": Text("name {} (solo)", "叫 {}（独打）"),
}
DECISIONS = {
    "call": Text("to call trump, or wait", "叫牌，或等待"),
    "counter": Text("to counter, or not", "反牌，或不反"),
    "bid": Text("to bid or pass", "叫分，或不叫"),
    "bury": Text("what to bury", "埋底"),
    "reveal": Text("to reveal a 2, or wait", "翻 2，或等待"),
    "name": Text("whom to name as partner", "叫伴"),
}
_ENDED = {
    "fixed": Text("{}", "{}"),
    "best": Text("{}, until the best stood out", "{}，至最优者分出为止"),
    "max": Text("{}, the most allowed", "{}，已达上限"),
}
SETTLED = Text("{} is best, with confidence {}.", "{} 最优，置信度 {}。")
OPEN = Text(
    "Not settled: {} leads so far, that it is best has confidence {}.",
    "尚无定论：{} 暂时领先，其为最优的置信度为 {}。",
)
ALONE = Text("There is no other choice.", "别无选择。")
_SAME = Text("In no world was there a difference to {}.", "与 {} 在各种发牌下全无差别。")
_HEADS = {
    "choice": Text("choice", "选择"),
    "payoff": Text("payoff", "得失"),
    "behind": Text("behind the best", "落后于最优"),
    "banker": Text("banker", "坐庄"),
    "made": Text("made", "打成"),
    "won": Text("won", "得胜"),
}
_NOTES = Text(
    "Intervals are 95 %{valid}. Worlds are uniform among the deals of the cards not seen{news}. {made}",
    "区间为 95 %{valid}。未见之牌均匀发出{news}。{made}",
)
_VALID = Text(", valid wherever one stops", "，何时停止均有效")
_NEWS = Text(
    " in which the others, by their policies, would have done all that they did, and no more",
    "，且限于他家按其策略恰会如此行事的发牌",
)
_NO_NEWS = Text(
    ": what the others' calls, bids and silence say about their cards is left out (--news)",
    "；他家叫牌、叫分或沉默所透露的牌情不计（--news）",
)
_MADE = {
    "bid": Text("Made: if this bid stands.", "打成：指该叫分成立时。"),
    "other": Text("Made, won: of the worlds in which this seat is banker.", "打成、得胜：指本座位坐庄时。"),
    "alone": Text("", ""),
}


BANKER = ("bury", "name")  # decisions of who is banker


def label(choice: Choice, lang: Lang) -> str:
    """A choice for a reader."""
    value = choice.value
    if choice.kind in ("call", "call-pair", "counter", "reveal"):
        value = show_suit(SUITS.index(value), lang)
    elif choice.kind in ("bury", "name", "solo"):
        value = show_cards(parse_cards(value), lang)
    return CHOICES[choice.kind].say(lang).format(value)


def render(advice: Advice, lang: Lang) -> str:
    """The whole answer, ending in a line break."""
    lines = [*_head(advice, lang), "", *aligned(_rows(advice, lang)), "", _verdict(advice, lang)]
    best = label(advice.options[advice.best].choice, lang)
    lines += [
        f"{label(option.choice, lang)}: {_SAME.say(lang).format(best)}"
        for option in advice.options
        if option.same
    ]
    valid = _VALID.say(lang) if advice.asked.rule else ""
    phase = advice.asked.situation.phase
    about = _MADE["bid" if phase == "bid" else "alone" if phase in BANKER else "other"].say(lang)
    news = (_NEWS if advice.asked.situation.about.get("news") else _NO_NEWS).say(lang)
    lines += ["", *_wrapped(_NOTES.say(lang).format(valid=valid, made=about, news=news).rstrip(), lang)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, lang: Lang) -> list[str]:
    if lang == "zh":
        return [text]
    from textwrap import wrap

    return wrap(text, 100)


def _verdict(advice: Advice, lang: Lang) -> str:
    if len(advice.options) == 1:
        return ALONE.say(lang)
    best = label(advice.options[advice.best].choice, lang)
    best = best[:1].upper() + best[1:] if advice.settled else best
    return (SETTLED if advice.settled else OPEN).say(lang).format(best, sure(advice.confidence))


def sure(confidence: float) -> str:
    """A confidence, never rounded up to certainty."""
    if confidence > 0.999:
        return "> 99.9 %"
    return f"{int(confidence * 1000) / 10:.1f} %"


def _head(advice: Advice, lang: Lang) -> list[str]:
    asked, about, zh = advice.asked, advice.asked.situation.about, lang == "zh"
    plan = asked.plan
    changed = ", ".join(plan.rules.changed())
    rows = [
        ("游戏" if zh else "game", plan.game.title(lang)),
        (
            "规则" if zh else "rules",
            plan.rules.name + (f" ({'改动' if zh else 'changed'}: {changed})" if changed else ""),
        ),
        ("策略" if zh else "policies", plan.told_policies()),
        *(("叫法" if zh else "bidding", told) for told in plan.told_biddings()),
        ("决定" if zh else "decision", DECISIONS[asked.situation.phase].say(lang)),
        ("座位" if zh else "seat", str(about["seat"])),
        ("手牌" if zh else "hand", show_cards(parse_cards(str(about["hand"])), lang)),
    ]
    if "bottom" in about:
        rows.append(("底牌" if zh else "bottom", show_cards(parse_cards(str(about["bottom"])), lang)))
    if advice.buried:
        rows.append(("埋底" if zh else "buried", show_cards(advice.buried, lang)))
    if "trump" in about:
        rows.append(("主牌" if zh else "trump", show_suit(SUITS.index(str(about["trump"])), lang)))
    if "revealed" in about:
        rows.append(("亮牌" if zh else "shown", ", ".join(map(str, about["revealed"]))))
    if "bid_so_far" in about:
        rows.append(("叫分" if zh else "bids", str(about["bid_so_far"])))
    rows.append(("种子" if zh else "seed", str(plan.seed)))
    pace = f"{advice.seconds:.1f} s" if not zh else f"{advice.seconds:.1f} 秒"
    number = f"{advice.worlds:,}"
    if "news" in about:
        tried = f"{advice.tried:,}"
        number += Text(f" of {tried} agree with the news", f"（试 {tried}，其余与牌情不符）").say(lang)
    worlds = _ENDED[advice.stopped_by].say(lang).format(number)
    rows.append(("世界" if zh else "worlds", f"{worlds} ({pace})"))
    width = max(width_of(name) for name, _ in rows)
    return [f"{padded(name, width)}  {text}" for name, text in rows]


def _rows(advice: Advice, lang: Lang) -> list[tuple[str, ...]]:
    alone = len(advice.options) == 1
    always = advice.asked.situation.phase in BANKER
    won = "made" if advice.asked.plan.game.name == "die-wu-fen" else "won"
    names = ["choice", "payoff", "", *([] if alone else ["behind", ""])]
    names += [*([] if always else ["banker", ""]), won, ""]
    rows = [tuple(_HEADS[name].say(lang) if name else "" for name in names)]
    for at, option in enumerate(advice.options):
        cells = [*_figure(option.payoff)]
        if not alone:
            cells += _figure(option.behind) if option.behind else ("", "")
        for share in (*([] if always else [option.banker]), option.made):
            cells += show(share, percent=True)
        mark = "* " if at == advice.best else "  "
        rows.append((mark + label(option.choice, lang), *cells))
    return rows


def _figure(figure: Estimate) -> tuple[str, str]:
    """A mean and its interval, cut after the second significant digit of half its width."""
    if figure.value is None:
        return "–", ""
    if figure.low is None or figure.high is None:
        return f"{figure.value:+.3g}", ""
    return shown(figure.value, figure.low, figure.high, sign=True)
