"""The main tables of the study ``compare`` in words, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .compare_tables import comparisons, conclusions, fair_figures, is_clear, policy_of
from .events import MARK, told
from .marks import explained, signed
from .quantities import NEVER, quantile_name
from .report.labels import label as label_of
from .report.labels import part, sections, value_of, worth
from .rounding import shown
from .rules import OPTIONS
from .summary import QUANTILES
from .summary_text import QUANTILE, aligned, given_rows, padded, show, width_of, wrapped
from .summary_text_hong_wu_wu_jia import SOLO
from .text import Text
from .threshold_text import number
from .variants import pieces, short_names

if TYPE_CHECKING:
    from .compare import Asked, Comparison, Differing, Result, Row
    from .events import Event
    from .quantities import Figure
    from .text import Lang

_GROUPS = {
    "bid": Text("Bid", "叫分"),
    "grade": Text("Grade", "等级"),
    "named": Text("Partner card", "找伴牌"),
    "named_held": Text("Copies of it at the banker", "庄家手中张数"),
    "trump": Text("Trump", "主牌花色"),
    "reveal": Text("Cards when revealed", "翻2时张数"),
}
_PENALTY = Text("  of it, for failed throws", "  其中甩错罚分")
_WIDTH = 28  # of the name of a variant above a column
_DIFFERENCE = Text("difference", "差")
_LUCK = Text("share of the variance due to the deal", "方差中出自发牌的部分")
_HEAD = Text(
    "{variant}: differences to {reference} (bidding {bidding}, policies {policy}, {deals} deals)",
    "{variant}：与 {reference} 之差（叫法：{bidding}；策略：{policy}；{deals} 局）",
)
_BIDDINGS = {
    "shipped": Text("as shipped", "出厂"),
    "given": Text("as given", "按所给文件"),
    "refitted": Text("refitted to each variant", "按各规则重新拟合"),
}
_DIFFERING = Text("Deals that differ from {reference}", "与 {reference} 不同的牌局")
_CLAUSES = Text("One option changed alone", "只改一项")
_FAIR = Text("Fairness: payoff a deal", "公平：每局得失")
_CHECKED = Text("Do the clear differences survive?", "显著之差是否经得起检验？")
_VERDICTS = {
    "survives": Text("survives", "成立"),
    "reversed": Text("reversed", "相反"),
    "open": Text("open", "未定"),
    "absent": Text("absent", "无差"),
}
_MARKED = Text(
    "{mark} came up in none of these {deals} deals, by either rule set: a difference of 0 says nothing about it.",
    "{mark} 两种规则下，这 {deals} 局中从未出现：差为 0 不说明任何问题。",
)
_NOTES = (
    Text(
        "Same deals under every variant; a difference is to the first variant. [ ] {level:g} %: differences "
        "simultaneously (Bonferroni over {family} differences), * where it leaves out 0; other figures each by "
        "itself. pp: percentage points; –: too few deals to compare. The unit is the {unit}.",
        "各规则下同一批牌局；差均相对于第一种规则。[ ] 为 {level:g} % 区间：各差同时成立（Bonferroni，\n"
        "共 {family} 项），不含 0 者标 *；其余数值各自成立。pp 为百分点；– 表示局数太少。误差以{unit}为单位。",
    ),
    Text(
        "0 without an interval: it differs in no deal, so it could in at most 3/n of them. An option with – "
        "contradicts the others when changed alone. Played differently: some card, call, bid or name is another "
        "one. The policies do not study the rules: bots are not people.",
        "0 而无区间者：没有一局不同，故至多有 3/n 的牌局会不同。某项为 – 者，单独改动会与其他选项矛盾。\n"
        "打法不同指任何一张牌、叫牌、叫分或找伴有别。策略不会研究规则：机器不等于真人。",
    ),
)  # fmt: skip


def render(result: Result, lang: Lang) -> str:
    """The whole text, ending in a line break."""
    asked = result.asked
    lines = [*_head(result, lang)]
    for found in comparisons(result)[: 2 if result.refitted else 1]:
        for at, variant in enumerate(asked.variants[1:], 1):
            title = _HEAD.say(lang).format(
                variant=variant.name, reference=asked.variants[0].name, bidding=_BIDDINGS[found.bidding].say(lang),
                policy=policy_of(asked, found), deals=f"{found.deals:,}",
            )  # fmt: skip
            lines += ["", title, *_figures(asked, found, at, lang)]
        lines += ["", *_differing(asked, found, lang)]
        lines += wrapped(_never_used(asked, found, lang), lang)
    lines += ["", *_fairness(result, lang)]
    if len(comparisons(result)) > 1:
        lines += ["", *_conclusions(result, lang)]
    lines.append("")
    deals = f"{result.main.deals:,}"
    if any(row.never and row.variant for row in result.main.rows):
        lines += wrap(_MARKED.say(lang).format(mark=MARK, deals=deals), 100)
    marks = (row.difference.mark for row in result.main.rows if row.difference and row.difference.differing)
    for sentence in explained(marks, lang):
        lines += wrap(sentence, 100)
    unit = Text("deal", "牌局") if asked.plan.session == 1 else Text("session", "场次")
    for note in _NOTES:
        told = note.say(lang).format(
            level=100 * asked.confidence, family=result.main.family, unit=unit.say(lang)
        )
        for paragraph in told.splitlines():
            lines += wrap(paragraph, 100)
    return "\n".join(lines) + "\n"


def _head(result: Result, lang: Lang) -> list[str]:
    zh, asked = lang == "zh", result.asked
    rows = [("游戏" if zh else "game", asked.plan.game.title(lang))]
    numbered = _columns(asked) != [variant.name for variant in asked.variants]
    for at, variant in enumerate(asked.variants):
        label = ("规则" if zh else "variants") if at == 0 else ""
        told = variant.told(asked.variants[0].rules)
        name = f"{at + 1}: {variant.name}" if numbered else variant.name
        known = sorted(pieces(told)) == sorted(pieces(variant.name))
        rows.append((label, name + (f" ({told})" if told and not known else "")))
    deals = f"{asked.deals:,}"
    if asked.first:
        deals += f" ({'从第' if zh else 'from'} {asked.first:,}{' 局起' if zh else ' on'})"
    rows += [("叫法" if zh else "bidding", told) for told in asked.plan.told_biddings()]
    rows += [("牌局" if zh else "deals", deals), ("种子" if zh else "seed", str(asked.plan.seed))]
    if asked.plan.given is not None:
        rows += given_rows(asked.plan.given, zh)
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def _columns(asked: Asked) -> list[str]:
    """The variants' names above columns."""
    return short_names((variant.name for variant in asked.variants), _WIDTH)


def _figures(asked: Asked, found: Comparison, at: int, lang: Lang) -> list[str]:
    """Every figure of the reference and of one variant side by side, with the difference, in the summary's sections."""
    columns = _columns(asked)
    table = [("", columns[0], "", columns[at], "", _DIFFERENCE.say(lang), "")]
    pairs: dict[str, list[Row]] = {}
    for row in found.rows:
        if row.variant in (0, at):
            pairs.setdefault(row.figure.name, []).append(row)

    def add(label: str, name: str) -> None:
        if name in pairs:
            reference, row = pairs[name]
            levels = [_level(each, lang) for each in (reference, row)]
            step, interval = _difference(row)
            interval = f"{interval} {MARK}".strip() if row.never else interval
            table.append((f"  {label}", levels[0], "", levels[1], "", step, interval))

    for title, entries in sections(asked.plan.game.name):
        if any(name in pairs for name, _, _ in entries):
            table.append((title.say(lang), "", "", "", "", "", ""))
        for name, text, _ in entries:
            add(text.say(lang), name)
            if name == "payoff_banker_spread":
                add(_PENALTY.say(lang), "penalty_banker")
            level = name.removesuffix("_spread")
            for share in QUANTILES if name in ("defender_points_spread", "partner_found") else ():
                add(QUANTILE.say(lang).format(100 * share), quantile_name(level, share))
    for group, heading in _GROUPS.items():
        of = [each for each in pairs.values() if each[0].figure.group == group]
        moved = any(row.difference and row.difference.differing for _, row in of)
        if of:
            table.append((heading.say(lang), "", "", "", "", "" if moved else "0", ""))
        for reference, _ in of if moved else ():
            figure = reference.figure
            value, what = value_of(group, figure.value).say(lang), worth(figure.name).say(lang)
            add(f"{_plain(value)}{'：' if lang == 'zh' else ': '}{what}", figure.name)
    return aligned(table)


def _plain(label: str) -> str:
    """With the minus that numbers have on a terminal."""
    return label.replace("−", "-")


def _level(row: Row, lang: Lang) -> str:
    """A figure of a variant."""
    if row.figure.x == "partner_found" and row.estimate.value == NEVER:
        return SOLO.say(lang)
    return show(row.estimate, percent=row.figure.measure == "share")[0]


def _difference(row: Row) -> tuple[str, str]:
    """A difference and its interval, with a star where what is printed leaves out 0; shares in percentage points."""
    found = row.difference
    if found is None:  # the reference
        return "", ""
    if found.value is None:
        return "–", ""
    if not found.differing or (found.value == 0 and found.low is None):
        return "0", ""
    if found.low == found.high == found.value == 0:
        return "0", "[0, 0]"
    told, interval = _scaled(found.value, found.low, found.high, row.figure, "+")
    return told, signed(f"{interval}{' *' if is_clear(found) else ''}", found.mark)


def _scaled(
    value: float | None, low: float | None, high: float | None, figure: Figure | None = None, sign: str = ""
) -> tuple[str, str]:
    """A figure and its interval, shares in percent, or differences of them in percentage points."""
    share = figure is None or figure.measure == "share"
    if share:
        value, low, high = (None if x is None else 100 * x for x in (value, low, high))
    if figure is not None and figure.kind == "quantile" and value is not None and None not in (low, high):
        return shown(value, low, high, 0, sign=bool(sign))  # type: ignore[arg-type]
    told, interval = number(value, low, high, sign)
    return told + (" %" if figure is None else " pp" if share else "") * bool(told), interval


def _differing(asked: Asked, found: Comparison, lang: Lang) -> list[str]:
    """How many deals were played and paid differently; then by option."""
    zh = lang == "zh"
    heads = ("打法不同" if zh else "played", "", "输赢不同" if zh else "paid", "")
    title = _DIFFERING.say(lang).format(reference=asked.variants[0].name)
    rows: list[tuple[str, ...]] = [(title, *heads)]
    rows += [(f"  {asked.variants[each.variant].name}", *_counts(each)) for each in found.differing]
    several = len({each.option for each in found.clauses}) > 1 or any(
        len(v.changed(asked.variants[0].rules)) > 1 for v in asked.variants[1:]
    )
    if found.clauses and several:
        rows.append((_CLAUSES.say(lang), "", "", "", ""))
        seen = set()
        for each in found.clauses:
            clauses = OPTIONS[asked.plan.game.name][each.option].clauses
            label = f"  {_typed(asked, each)} ({', '.join(clauses)})"
            if label not in seen:
                seen.add(label)
                rows.append((label, *_counts(each)))
    return aligned(rows)


def _never_used(asked: Asked, found: Comparison, lang: Lang) -> str:
    """The changed options that these deals say nothing about; with the value, where not all of its values are such."""
    never: dict[str, Event] = {}
    for each in found.clauses:
        if each.never:
            rest = [other.never for other in found.clauses if other.option == each.option]
            name = each.option if all(rest) else _typed(asked, each)
            never[name] = each.never
    return told(never, found.deals, lang)


def _typed(asked: Asked, each: Differing) -> str:
    """A changed option with its value, as one would type it."""
    option = OPTIONS[asked.plan.game.name][each.option]
    _, new = asked.variants[each.variant].changed(asked.variants[0].rules)[each.option]
    return f"{option.name}={option.typed(new)}"


def _counts(each: Differing) -> tuple[str, ...]:
    if each.played.value is None:
        return "–", "", "–", ""
    cells: list[str] = []
    for count, share in zip(each.deals, (each.played, each.paid), strict=True):
        cells += [f"{count:,}", " ".join(_scaled(share.value, share.low, share.high))]
    return tuple(cells)


def _fairness(result: Result, lang: Lang) -> list[str]:
    """The banker's mean payoff and that of each position by variant, and how much of the variance is the deal's."""
    asked, zh = result.asked, lang == "zh"
    rows = [(_FAIR.say(lang), "数值" if zh else "value", "", _DIFFERENCE.say(lang), "")]
    for at, variant in enumerate(asked.variants):
        rows.append((f"  {variant.name}", "", "", "", ""))
        for name in fair_figures(asked):
            row = result.main.row(name, at)
            assert row is not None
            label = part(asked.plan.game.name, name.removeprefix("payoff_")).say(lang)
            rows.append((f"    {label}", *_estimate(row), *_difference(row)))
        share = result.luck[at]
        rows.append((f"    {_LUCK.say(lang)}", *_scaled(share.value, share.low, share.high), "", ""))
    return aligned(rows)


def _estimate(row: Row) -> tuple[str, str]:
    estimate = row.estimate
    return number(estimate.value, estimate.low, estimate.high, "+")


def _conclusions(result: Result, lang: Lang) -> list[str]:
    """Every clear difference, and how it fares with other policies and with refitted bidding."""
    asked, zh = result.asked, lang == "zh"
    found = conclusions(result)
    checks = [(check.policy or check.bidding, check.deals) for check in comparisons(result)[1:]]
    if not found:
        return [_CHECKED.say(lang), "  没有显著之差" if zh else "  there is no clear difference"]
    heads = [cell for name, deals in checks for cell in (_check_name(name, deals, lang), "")]
    rows: list[tuple[str, ...]] = [(_CHECKED.say(lang), *heads)]
    figures = {row.figure.name: row.figure for row in result.main.rows}
    keys = dict.fromkeys((row["variant"], row["figure"]) for row in found)
    of: dict[Any, dict[str, Any]] = {(row["variant"], row["figure"], row["check"]): row for row in found}
    for variant, name in keys:
        figure = figures[name]
        label = _plain(label_of(asked.plan.game.name, name, figure.group, figure.value).say(lang))
        if len(asked.variants) > 2:
            label = f"{variant}: {label}"
        cells: list[str] = []
        for check, _ in checks:
            row = of[variant, name, check]
            told = _scaled(row["check_difference"], row["check_low"], row["check_high"], figure, "+")
            told = ("", "") if row["verdict"] == "absent" else told
            cells += [_VERDICTS[row["verdict"]].say(lang), " ".join(filter(None, told))]
        rows.append((f"  {label}", *cells))
    return aligned(rows)


def _check_name(name: str, deals: int, lang: Lang) -> str:
    if name in _BIDDINGS:
        return _BIDDINGS[name].say(lang)
    return f"{name}（{deals:,} 局）" if lang == "zh" else f"{name} ({deals:,} deals)"
