"""The main tables of the study ``compare`` in words, with no more digits than the intervals warrant."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .compare_tables import comparisons, conclusions, fair_figures, policy_of
from .rules import OPTIONS
from .summary_text import QUANTILE, Sections, aligned, given_rows, padded, show, width_of
from .text import Text
from .threshold_text import number

if TYPE_CHECKING:
    from .compare import Asked, Comparison, Differing, Result, Row
    from .paired import Difference
    from .quantities import Figure
    from .stats import Estimate
    from .text import Lang

_GROUPS = {
    "bid": Text("Bid", "叫分"),
    "grade": Text("Grade", "等级"),
    "named": Text("Partner card", "找伴牌"),
    "named_held": Text("Copies of it at the banker", "庄家手中张数"),
    "trump": Text("Trump", "主牌花色"),
    "reveal": Text("Cards when revealed", "翻2时张数"),
}
_WORTH = {
    "share": Text("share", "占比"),
    "made": Text("made", "打成"),
    "won": Text("won by the banker's side", "庄家方得胜"),
}
_PENALTY = Text("  of it, for failed throws", "  其中甩错罚分")
_PARTNER = Text("partner found in trick, {q}", "第几轮找到伴，{q}")
_POINTS = Text("defenders' points, {q}", "闲家得分，{q}")
_LUCK = Text("share of the variance due to the deal", "方差中出自发牌的部分")
_HEAD = Text("Differences to {reference}", "与 {reference} 之差")
_ONLY = Text(
    "bidding {bidding}, policies {policy}, {deals} deals", "叫法：{bidding}；策略：{policy}；{deals} 局"
)
_BIDDINGS = {
    "shipped": Text("as shipped", "出厂"),
    "given": Text("as given", "按所给文件"),
    "refitted": Text("refitted to each variant", "按各规则重新拟合"),
}
_DIFFERING = Text("Deals that differ from {reference}", "与 {reference} 不同的牌局")
_CLAUSES = Text("One option changed alone", "只改一项")
_FAIR = Text("Fairness", "公平")
_CHECKED = Text("Do the clear differences survive?", "显著之差是否经得起检验？")
_VERDICTS = {
    "survives": Text("survives", "成立"),
    "reversed": Text("reversed", "相反"),
    "open": Text("open", "未定"),
    "absent": Text("absent", "无差"),
}
_NOTES = (
    Text(
        "Same deals under every variant; a difference is to the first variant. [ ] {level:g} %: differences "
        "simultaneously (Bonferroni over {family} differences), * where it leaves out 0; other figures each by "
        "itself. Shares differ in percentage points; –: too few deals to compare. The unit is the {unit}.",
        "各规则下同一批牌局；差均相对于第一种规则。[ ] 为 {level:g} % 区间：各差同时成立（Bonferroni，\n"
        "共 {family} 项），不含 0 者标 *；其余数值各自成立。占比之差为百分点；– 表示局数太少。误差以{unit}为单位。",
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
        only = _ONLY.say(lang).format(
            bidding=_BIDDINGS[found.bidding].say(lang),
            policy=policy_of(asked, found),
            deals=f"{found.deals:,}",
        )
        title = f"{_HEAD.say(lang).format(reference=asked.variants[0].name)} ({only})"
        for at in range(1, len(asked.variants)):
            lines += ["", title, *_figures(asked, found, at, lang)]
        lines += ["", *_differing(asked, found, lang)]
    lines += ["", *_fairness(result, lang)]
    if len(comparisons(result)) > 1:
        lines += ["", *_conclusions(result, lang)]
    lines.append("")
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
    for at, variant in enumerate(asked.variants):
        label = ("规则" if zh else "variants") if at == 0 else ""
        changes = variant.changed(asked.variants[0].rules)
        told = ", ".join(f"{name}={new}" for name, (_, new) in changes.items())
        rows.append((label, variant.name + (f" ({told})" if told and told != variant.name else "")))
    deals = f"{asked.deals:,}"
    if asked.first:
        deals += f" ({'从第' if zh else 'from'} {asked.first:,}{' 局起' if zh else ' on'})"
    rows += [("牌局" if zh else "deals", deals), ("种子" if zh else "seed", str(asked.plan.seed))]
    if asked.plan.given is not None:
        rows += given_rows(asked.plan.given, zh)
    wide = max(width_of(label) for label, _ in rows)
    return [f"{padded(label, wide)}  {text}" for label, text in rows]


def label_of(figure: Figure, lang: Lang, game: str, *, alone: bool = False) -> str:
    """What a figure is called; ``alone``: where the line above does not say what it belongs to."""
    if figure.group:
        what = figure.name.rpartition("_")[2]
        return f"{_GROUPS[figure.group].say(lang)} {figure.value}: {_WORTH[what].say(lang)}"
    if figure.kind == "quantile":
        quantile = QUANTILE.say(lang).format(100 * figure.at)
        if figure.x == "partner_found":
            return _PARTNER.say(lang).format(q=quantile.strip())
        return _POINTS.say(lang).format(q=quantile.strip()) if alone else quantile
    if figure.name == "penalty_banker":
        return _PENALTY.say(lang)
    labels = _labels(game)
    label = labels[figure.name].say(lang)
    if alone and figure.kind == "spread":
        return f"{labels[figure.x].say(lang)}{'，' if lang == 'zh' else ','} {label.strip()}"
    return label


def _labels(game: str) -> dict[str, Text]:
    """The summary's words for its figures; those of payoffs stand under a heading there."""
    found = {}
    for title, entries in _sections(game):
        for name, label, _ in entries:
            if name.startswith("payoff") and not name.endswith("spread"):
                label = Text(f"{title.en}: {label.en}", f"{title.zh}：{label.zh}")
            found[name] = label
    return found


def _sections(game: str) -> Sections:
    if game == "hong-wu-wu-jia":
        from .summary_text_hong_wu_wu_jia import SECTIONS

        return SECTIONS
    from .summary_text import DIE_WU_FEN

    return DIE_WU_FEN


def _figures(asked: Asked, found: Comparison, at: int, lang: Lang) -> list[str]:
    """Every figure of the reference and of one variant, side by side, with the difference."""
    names = [asked.variants[0].name, asked.variants[at].name]
    heads = [name if width_of(name) <= 28 else f"{name[:25]}…" for name in names]
    rows: list[tuple[str, ...]] = [
        ("", heads[0], "", heads[1], "", "差" if lang == "zh" else "difference", "")
    ]
    own = {row.figure.name: row for row in found.rows if row.variant == at}
    moved = {row.figure.group for row in own.values() if row.difference and row.difference.differing}
    alike = [
        group
        for group in _GROUPS
        if group not in moved and any(r.figure.group == group for r in own.values())
    ]
    for row in found.rows:
        other = own[row.figure.name]
        if row.variant == 0 and row.figure.group not in alike:
            share = row.figure.measure == "share"
            label = label_of(row.figure, lang, asked.plan.game.name)
            values = [_level(each.estimate, share) for each in (row, other)]
            rows.append((label, values[0], "", values[1], "", *_difference(other.difference, share)))
    rows += [(_GROUPS[group].say(lang), "", "", "", "", "0", "") for group in alike]
    return aligned(rows)


def _level(estimate: Estimate, share: bool) -> str:
    return show(estimate, percent=share)[0]


def _difference(found: Difference | None, share: bool) -> tuple[str, str]:
    """A difference and its interval; shares in percentage points."""
    if found is None:  # the reference
        return "", ""
    if found.value is None:
        return "–", ""
    if not found.differing or (found.value == 0 and found.low is None):
        return "0", ""
    if found.low == found.high == found.value == 0:
        return "0", "[0, 0]"
    scale = 100 if share else 1
    told, interval = _scaled(found.value, found.low, found.high, scale, "+")
    clear = found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)
    return f"{told}{' %' if share else ''}", f"{interval}{' *' if clear else ''}"


def _scaled(
    value: float | None, low: float | None, high: float | None, scale: int = 100, sign: str = ""
) -> tuple[str, str]:
    """A figure and its interval, in percent or as they are."""
    value, low, high = (None if x is None else scale * x for x in (value, low, high))
    return number(value, low, high, sign)


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
            option = OPTIONS[asked.plan.game.name][each.option]
            _, new = asked.variants[each.variant].changed(asked.variants[0].rules)[each.option]
            label = f"  {option.name}={new} ({', '.join(option.clauses)})"
            if label not in seen:
                seen.add(label)
                rows.append((label, *_counts(each)))
    return aligned(rows)


def _counts(each: Differing) -> tuple[str, ...]:
    if each.played.value is None:
        return "–", "", "–", ""
    cells: list[str] = []
    for count, share in zip(each.deals, (each.played, each.paid), strict=True):
        shown = _scaled(share.value, share.low, share.high)
        cells += [f"{count:,}", f"{shown[0]} % {shown[1]}"]
    return tuple(cells)


def _fairness(result: Result, lang: Lang) -> list[str]:
    """The banker's mean payoff and that of each position by variant, and how much of the variance is the deal's."""
    asked, zh = result.asked, lang == "zh"
    rows: list[tuple[str, ...]] = [
        (_FAIR.say(lang), "数值" if zh else "value", "", "差" if zh else "difference", "")
    ]
    for at, variant in enumerate(asked.variants):
        rows.append((f"  {variant.name}", "", "", "", ""))
        for name in fair_figures(asked):
            row = result.main.row(name, at)
            assert row is not None
            label = label_of(row.figure, lang, asked.plan.game.name)
            rows.append((f"    {label}", *_estimate(row), *_difference(row.difference, False)))
        share = result.luck[at]
        cells = _scaled(share.value, share.low, share.high)
        rows.append((f"    {_LUCK.say(lang)}", f"{cells[0]} %", cells[1], "", ""))
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
        label = label_of(figures[name], lang, asked.plan.game.name, alone=True).strip()
        if len(asked.variants) > 2:
            label = f"{variant}: {label}"
        cells: list[str] = []
        for check, _ in checks:
            row = of[variant, name, check]
            scale = 100 if figures[name].measure == "share" else 1
            shown = _scaled(row["check_difference"], row["check_low"], row["check_high"], scale, "+")
            shown = ("", "") if row["verdict"] == "absent" else shown
            cells += [_VERDICTS[row["verdict"]].say(lang), " ".join(filter(None, shown))]
        rows.append((f"  {label}", *cells))
    return aligned(rows)


def _check_name(name: str, deals: int, lang: Lang) -> str:
    if name in _BIDDINGS:
        return _BIDDINGS[name].say(lang)
    return f"{name} ({deals:,}{' 局' if lang == 'zh' else ' deals'})"
