"""The main tables of the study ``threshold`` of hong-wu-wu-jia in words."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .crossing_text import crossing
from .reveal_response import BANDS
from .reveals import Rule
from .summary_text import aligned, padded, width_of
from .text import Text
from .threshold_hong_wu_wu_jia import UNIT, When
from .threshold_hong_wu_wu_jia_tables import (
    classes,
    name_break_evens,
    names,
    reveal_break_evens,
    reveals,
    solo_break_evens,
    solos,
)
from .threshold_text import estimate, head, notes, number, percent

if TYPE_CHECKING:
    from .text import Lang
    from .threshold_hong_wu_wu_jia import HiddenResult

FACES = {
    "all": Text("any", "任意"),
    "side_ace": Text("side A", "副牌 A"),
    "side_king": Text("side K", "副牌 K"),
    "trump_ace_king": Text("trump A or K", "主牌 A、K"),
    "big_joker": Text("big joker", "大王"),
    "red_five": Text("red five", "红五"),
}
BY = {
    "strength": Text("strength", "牌力"),
    "trumps": Text("trumps", "主牌张数"),
    "trump-pairs": Text("pairs of trumps", "主牌对子数"),
    "top-trumps": Text("jokers and red fives", "王和红五的张数"),
}  # fmt: skip
_FEW = 30  # hands below which a class is not shown
_HEAD_REVEAL = Text(
    "Revealing now or waiting, by cards held (payoff a hand, same deals); it pays from this {by} on",
    "翻 2 与再等，按已摸张数（每手得失，同一副牌）；{by}达到右列之值起，翻合算",
)
_HEAD_CLASSES = Text("What revealing pays more than waiting, by {by}", "翻比等多得多少，按{by}")
_HEAD_PLACES = Text(
    "From what on revealing pays, by place in the round (0: who gets the first card)",
    "翻合算之起点，按摸牌次序（0 为先摸者）",
)
_HEAD_NAMES = Text(
    "Which face to name: each against the best other one (payoff of the banker, same deals)",
    "叫哪张牌找伴：与其余最佳者相比（庄家得失，同一副牌）",
)
_HEAD_SOLO = Text(
    "Solo, with all three copies, against the best face that makes a partner, by trumps in hand",
    "独打（三张俱全）与找伴相比，按手中主牌张数",
)
_STRENGTH = Text(
    "Strength: trumps, with so much more in trumps for a pair, a triple, a joker or red five: {}, {}, {}.",
    "牌力：主牌张数；对子、三张、王或红五各另计 {}、{}、{} 张。",
)
_NOTES = (
    Text(
        "Revealing: a seat looks at its hand, holds a 2, nobody else has revealed (the others go by the bidding "
        "studied), and it has waited so far. Waiting: it goes on by the bidding studied; it may end up pressed, or "
        "against another banker.",
        "翻：此家看牌时手中有 2，他家（按所研究的叫法）尚未翻，自己此前也未翻。等：此后仍按所研究的叫法，可能被压庄，"
        "也可能由他家坐庄。",
    ),
    Text(
        "Naming: the hand after burying, in the contract that came about; 'up to' are cards of the face's suit held.",
        "找伴：埋底后的手牌，以实际成局的庄家与主花色为准；“至多”指手中该门张数。",
    ),
    Text(
        "All alternatives are played out by the same policies, blind to each other. Bots are not people.",
        "各种选择均由同样的策略打完，互不知情。机器不等于真人。",
    ),
    Text(
        "[ ] 95 % interval; the unit is the deal. ≥ 18: not below 18, but too few stronger hands to tell from where; "
        "≤ 9: from 9 at the latest, but too few weaker hands.",
        "[ ] 为 95 % 区间，以牌局为单位。≥ 18：不低于 18，更强的手牌太少，不能断定；≤ 9：至迟从 9 起，更弱的手牌太少。",
    ),
)  # fmt: skip


_PRESSED = Text("pressed", "压庄")
_MATCH = Text("both: match against the bidding studied, {:,} deals", "两者合用，对所研究的叫法实战 {:,} 局")


def render_hidden(result: HiddenResult, lang: Lang) -> str:
    """The whole text, ending in a line break."""
    by = BY[result.asked.by].say(lang)
    lines = [*head(result.asked, lang), "", _HEAD_REVEAL.say(lang).format(by=by), *_reveals(result, lang)]
    lines += ["", _HEAD_CLASSES.say(lang).format(by=by), *_classes(result)]
    lines += ["", _HEAD_PLACES.say(lang), *_places(result, lang)]
    lines += ["", _HEAD_NAMES.say(lang), *_names(result, lang)]
    lines += ["", _HEAD_SOLO.say(lang), *_solos(result, lang), "", *_found(result, lang), ""]
    told = [note.say(lang) for note in notes(result.asked, _NOTES)]
    if result.asked.by == "strength":
        weights = Rule.of(result.asked.bidding).weights
        told.insert(0, _STRENGTH.say(lang).format(*(f"{weight / UNIT:g}" for weight in weights[1:])))
    for note in told:
        lines += wrap(note, 100 if lang == "en" else 50)
    return "\n".join(lines) + "\n"


def _span(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def _difference(row: dict[str, Any]) -> tuple[str, str]:
    return number(row["difference"], row["difference_low"], row["difference_high"], "+")


def _mean(row: dict[str, Any], name: str) -> str:
    return number(row[name], row[f"{name}_low"], row[f"{name}_high"], "+")[0]


def _won(row: dict[str, Any]) -> str:
    return f"{100 * row['won']:.0f} %"


def _reveals(result: HiddenResult, lang: Lang) -> list[str]:
    """By cards held; then the previous banker and the others apart."""
    zh = lang == "zh"
    who = {
        "all": Text("all", "全部"),
        "yes": Text("previous banker", "原庄"),
        "no": Text("others", "其他家"),
    }
    rows: list[tuple[str, ...]] = [
        ("张数", "翻", "", "等", "", "差", "", "合算之起点", "", "手数")
        if zh
        else ("cards", "reveal", "", "wait", "", "difference", "", "pays from", "", "hands")
    ]
    found = reveal_break_evens(result)
    for which, name in who.items():
        for row in found:
            if row["previous"] == which and row["place"] == "all":
                label = f"{_span(row['cards_from'], row['cards_to'])} {name.say(lang)}"
                means = (_mean(row, "reveal"), "", _mean(row, "wait"), "")
                rows.append((label, *means, *_difference(row), *crossing(row, lang), f"{row['hands']:,}"))
    return aligned(rows)


def _classes(result: HiddenResult) -> list[str]:
    """Rows: classes of hands; columns: cards held."""
    found = {
        (row["from"], row["cards_from"]): row
        for row in reveals(result)
        if row["previous"] == row["place"] == "all" and row["hands"] >= _FEW
    }
    table = [("", *(part for low, high in BANDS for part in (_span(low, high), "")))]
    for low, high, _ in classes(result.asked):
        cells = [_difference(found[low, at]) if (low, at) in found else ("", "") for at, _ in BANDS]
        if any(value for value, _ in cells):
            table.append((_span(low, high), *(part for cell in cells for part in cell)))
    return aligned(table)


def _places(result: HiddenResult, lang: Lang) -> list[str]:
    seats = range(result.asked.plan.game.seats)
    table = [("", *(part for place in seats for part in (str(place), "")))]
    found = {(row["cards_from"], row["place"]): row for row in reveal_break_evens(result)}
    for band, (low, high) in enumerate(BANDS):
        cells = [
            crossing(found[low, str(place)], lang, short=True) if (low, str(place)) in found else ("", "")
            for place in seats
            if When(band, None, place) in result.reveals
        ]
        table.append((_span(low, high), *(part for cell in cells for part in cell)))
    return aligned(table)


def _names(result: HiddenResult, lang: Lang) -> list[str]:
    zh = lang == "zh"
    heads = (
        ("牌，手中张数", "选中", "", "胜率", "", "叫此牌", "", "其余最佳", "", "差", "", "该门至多", "", "次数")
        if zh
        else (
            "face, copies in hand", "picked", "", "won", "", "naming it", "", "best other", "", "difference", "",
            "up to", "", "faces",
        )
    )  # fmt: skip
    rows: list[tuple[str, ...]] = [heads]
    ends = {(row["face"], row["held"]): row for row in name_break_evens(result)}
    for row in names(result):
        if row["from"] is None:
            end = ends[row["face"], row["held"]]
            rows.append(
                (
                    f"{FACES[row['face']].say(lang)}, {row['held']}", f"{100 * row['picked']:.1f} %", "", _won(row), "",
                    _mean(row, "name"), "", _mean(row, "other"), "", *_difference(row),
                    *crossing(end, lang, up_to=True), f"{row['faces']:,}",
                )
            )  # fmt: skip
    return aligned(rows)


def _solos(result: HiddenResult, lang: Lang) -> list[str]:
    zh = lang == "zh"
    heads = ("主牌", "胜率", "", "独打", "", "找伴", "", "差", "", "局数") if zh else (
        "trumps", "won", "", "solo", "", "partner", "", "difference", "", "deals"
    )  # fmt: skip
    rows: list[tuple[str, ...]] = [heads]
    for row in solos(result):
        if row["face"] == "all":
            label = ("全部" if zh else "all") if row["from"] is None else _span(row["from"], row["to"])
            means = (_won(row), "", _mean(row, "solo"), "", _mean(row, "partner"), "")
            rows.append((label, *means, *_difference(row), f"{row['deals']:,}"))
    lines = aligned(rows)
    for row in solo_break_evens(result):
        if row["face"] == "all":
            shown = "  ".join(filter(None, crossing(row, lang)))
            lines.append(f"{'独打合算之起点：' if zh else 'solo pays from: '}{shown}")
    return lines


def _found(result: HiddenResult, lang: Lang) -> list[str]:
    """What was fitted, and what it came to."""
    zh, answer = lang == "zh", result.answer
    match = result.match["payoff"]
    rows: list[tuple[str, ...]] = [
        ("压庄之局" if zh else "deals in which the previous banker is pressed", *percent(result.pressed)),
        ("可独打之局" if zh else "deals in which the banker could go solo", *percent(result.could_solo)),
        ("翻 2 之规则，最优反应迭代" if zh else "revealing: best responses, iterated", "", ""),
        ("  尚可多得" if zh else "  left to gain by leaving", *estimate(answer.left, "+")),
        (
            "  至多（同批牌局上择优）" if zh else "  at most (best found on the same deals)",
            *estimate(answer.at_most, "+"),
        ),
        ("  胜过所研究的叫法" if zh else "  gain over the bidding studied", *estimate(answer.advantage, "+")),
        ("找伴之规则：庄家每局多得" if zh else "naming: gain of the banker a deal", *estimate(result.naming.gain, "+")),
        ("  所叫不同之局" if zh else "  deals in which another face is named", *percent(result.naming.differing)),
        (
            _MATCH.say(lang).format(result.match["deals"]),
            *number(match["mean"], match["lo"], match["hi"], "+"),
        ),
    ]  # fmt: skip
    for name, each in answer.effects.items():
        label = {"start": ("原规则", "as studied"), "end": ("新规则", "as found")}[name][0 if zh else 1]
        colon = "：" if zh else ": "
        rows.append((f"{label}{colon}{'庄家胜' if zh else 'banker won'}", *percent(each["won"])))
        rows.append(
            (f"{label}{colon}{'庄家得失' if zh else 'payoff of the banker'}", *estimate(each["payoff"], "+"))
        )
        rows.append(
            (f"{label}{colon}{'原庄连庄' if zh else 'previous banker stays'}", *percent(each["previous"]))
        )
        when = "  ".join(
            f"{_PRESSED.say(lang) if key == 'pressed' else key.replace('-', '–')}{colon}{100 * share:.1f} %"
            for key, share in each["reveals"].items()
        )
        rows.append((f"{label}{'，翻时张数' if zh else ', revealed at'} {when}", "", ""))
    wide = max(width_of(row[0]) for row in rows if row[1])
    return [f"{padded(label, wide)}  {value}  {bounds}".rstrip() for label, value, bounds in rows]
