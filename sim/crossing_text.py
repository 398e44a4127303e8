"""In words, from where on a choice pays, and what is known where the hands played show no such place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .rounding import digits
from .text import Text

if TYPE_CHECKING:
    from .text import Lang

#: By kind of break-even; the number is that below, or above, which it does not lie.
_WORDS = {
    "never": Text("no crossing: never", "无交点：不宜"),
    "always": Text("no crossing: always", "无交点：总宜"),
    "unknown": Text("too few hands", "手牌太少"),
    "at-least": Text("not below {}; too few stronger hands", "不低于 {}；更强的手牌太少"),
    "at-most": Text("from {} at the latest; too few weaker hands", "至迟从 {} 起；更弱的手牌太少"),
}
_SHORT = {
    "never": Text("never", "不宜"),
    "always": Text("always", "总宜"),
    "unknown": Text("?", "？"),
    "at-least": Text("≥ {}", "≥ {}"),
    "at-most": Text("≤ {}", "≤ {}"),
}
#: Of a choice that pays up to a number of cards.
_UP_TO = _WORDS | {
    "at-least": Text("at least {}; too few longer suits", "至少 {} 张；更长的花色太少"),
    "at-most": Text("at most {}; too few shorter suits", "至多 {} 张；更短的花色太少"),
}
#: What a break-even may be.
KINDS = ("crossing", *_WORDS)


def no_crossing(
    kind: str, low: float | None, high: float | None, lang: Lang, *, short: bool = False, up_to: bool = False
) -> str:
    """What a break-even without a value says. ``up_to``: of what pays up to a number of cards, not from it on."""
    words = _SHORT if short else _UP_TO if up_to else _WORDS
    end = {"at-least": low, "at-most": high}.get(kind)
    if kind in ("at-least", "at-most") and end is None:
        return words["unknown"].say(lang)
    return words[kind].say(lang).format("" if end is None else f"{end:.1f}".removesuffix(".0"))


def crossing(row: dict[str, Any], lang: Lang, *, short: bool = False, up_to: bool = False) -> tuple[str, str]:
    """A break-even, a row of a table, and its interval."""
    low, high = row["low"], row["high"]
    if row["value"] is None:
        return no_crossing(row["kind"], low, high, lang, short=short, up_to=up_to), ""
    places = digits((high - low) / 2) if low is not None and high is not None and high > low else 1
    value, *ends = (
        f"{end:.{max(0, places)}f}" if end is not None else "…" for end in (row["value"], low, high)
    )
    return value, f"[{ends[0]}, {ends[1]}]"
