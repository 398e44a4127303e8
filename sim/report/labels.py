"""What the figures of a summary are called where they stand alone."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ..cards import parse_cards, show_cards
from ..errors import UsageError
from ..text import Text
from .html import plain

if TYPE_CHECKING:
    from ..summary_text import Sections

_GROUPS = {
    "bid": Text("bid {value}", "叫分 {value}"),
    "grade": Text("grade {value}", "等级 {value}"),
    "named": Text("partner card {value}", "找伴牌 {value}"),
    "named_held": Text("partner card, banker has {value}", "找伴牌庄家 {value} 张"),
    "trump": Text("trump {value}", "主牌 {value}"),
    "reveal": Text("revealed with {value} cards", "翻2时 {value} 张"),
}
_WORTH = {
    "share": Text("share", "占比"),
    "made": Text("made", "打成"),
    "won": Text("won by the banker's side", "庄家方胜率"),
}
_PRESSED = Text("pressed", "压庄")
_PENALTY = Text("payoff: banker, of it for failed throws", "得失：庄家，其中甩错罚分")
_SUITS = dict(zip("shcd", "♠♥♣♦", strict=True))


def label(game: str, name: str, group: str = "", value: str = "") -> Text:
    """A figure by its name in a summary or a comparison; a name that is not known stands for itself."""
    if group in _GROUPS:
        return _grouped(name, group, value)
    found = re.fullmatch(r"(\w+)_q([0-9]{2})", name, re.ASCII)
    of, share = (found[1], int(found[2])) if found else (name, 0)
    known = _labels(game).get(of)
    if known:
        if not found:
            return known
        return Text(f"{known.en}, {share} % quantile", f"{known.zh}，{share} % 分位数")
    if name == "penalty_banker":
        return _PENALTY
    return Text(plain(name, 60), plain(name, 60))


def part(game: str, name: str) -> Text:
    """Who ``payoff_NAME`` belongs to: a role, or a place counted from the first card."""
    for _, entries in sections(game):
        for figure, text, _ in entries:
            if figure == f"payoff_{name}":
                return text
    raise KeyError(name)


def _grouped(name: str, group: str, value: str) -> Text:
    what, shown, of = worth(name), value_of(group, value), _GROUPS[group]
    if group == "reveal" and value == "pressed":
        return Text(f"{shown.en}: {what.en}", f"{shown.zh}：{what.zh}")
    en, zh = of.en.replace("{value}", shown.en), of.zh.replace("{value}", shown.zh)
    return Text(f"{en}: {what.en}", f"{zh}：{what.zh}")


def worth(name: str) -> Text:
    """What a figure of a table by value tells of its row: the share of deals, or how often these were won."""
    return _WORTH.get(name.rpartition("_")[2], Text("", ""))


def value_of(group: str, value: str) -> Text:
    """A value of a table by value as players write it: a card, a suit, a span; an unknown one stands for itself."""
    shown = plain(value, 20)
    if group == "trump":
        shown = _SUITS.get(value, shown)
    elif group == "grade":
        shown = shown.replace("-", "−")
    elif group == "reveal":
        return _PRESSED if value == "pressed" else Text(*2 * (shown.replace("-", "–"),))
    elif group == "named":
        try:
            card = parse_cards([value[:10]])
        except UsageError:
            pass
        else:
            return Text(show_cards(card, "en"), show_cards(card, "zh"))
    return Text(shown, shown)


@cache
def _labels(game: str) -> dict[str, Text]:
    found: dict[str, Text] = {}
    before = Text("", "")
    for title, entries in sections(game):
        for name, text, _ in entries:
            if name.endswith("_spread"):
                found[name] = Text(f"{before.en}, standard deviation", f"{before.zh}，标准差")
                continue
            before = Text(text.en.strip(), text.zh.strip())
            if name.startswith(("payoff", "won")):
                heading = Text("payoff", "得失") if name.startswith("payoff") else title
                before = Text(f"{heading.en}: {before.en}", f"{heading.zh}：{before.zh}")
            found[name] = before
    return found


def sections(game: str) -> Sections:
    """The sections of a game's summary."""
    if game == "hong-wu-wu-jia":
        from ..summary_text_hong_wu_wu_jia import SECTIONS

        return SECTIONS
    from ..summary_text import DIE_WU_FEN

    return DIE_WU_FEN
