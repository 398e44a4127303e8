"""Why a lead or a follow is illegal, as a sentence a player understands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import forced, hiding, layout, legal
from .cards import FACES, SUIT_SYMBOLS, show_card
from .fault import Fault
from .table import TRUMP, Lead, Table, Words, kind_name, size
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def _numeral(number: int) -> str:
    """1 to 19 in Chinese, two as it stands before a measure word."""
    return "一两三四五六七八九十"[number - 1] if number <= 10 else "十" + "一二三四五六七八九"[number - 11]


def cards(faces: Sequence[int]) -> Text:
    """Cards inside a sentence: as one would type them in English, with signs in Chinese."""
    return Text(" ".join(FACES[f] for f in faces), " ".join(show_card(f, "zh") for f in faces))


def suit_name(table: Table, suit: int) -> Text:
    """An effective suit inside a sentence."""
    if suit == TRUMP:
        return Text("trumps", "主牌")
    sign = SUIT_SYMBOLS[table.real_suit(suit)]
    return Text(sign, sign)


def component_name(kind: int) -> Text:
    """`a pair`, `a tractor of 3`."""
    levels = kind & 31
    name = kind_name(kind)
    if name == "single":
        return Text("a single", "单牌")
    if name == "pair":
        return Text("a pair", "对子")
    if name == "triple":
        return Text("a triple", "三张")
    triples = (kind >> 5) - 2 * levels
    long = _numeral(levels)
    if triples == 0:
        return Text(f"a tractor of {levels} pairs", f"{long}连对拖拉机")
    if triples == levels:
        return Text(f"a tractor of {levels} triples", f"{long}连三张拖拉机")
    return Text(
        f"a tractor of {levels} with {triples} triple{'s' if triples > 1 else ''}",
        f"{long}连带柄拖拉机（三张的有{_numeral(triples)}级）",
    )


def component_list(kinds: Iterable[int]) -> Text:
    """`a tractor of 2 pairs and 2 pairs`: components in precedence order, equal ones counted."""
    counted: dict[int, int] = {}
    for kind in kinds:
        counted[kind] = counted.get(kind, 0) + 1
    english, chinese = [], []
    for kind, number in counted.items():
        name = component_name(kind)
        if number == 1:
            english.append(name.en)
        else:
            plural = name.en.removeprefix("a ")
            plural = plural.replace("tractor", "tractors", 1) if "tractor" in plural else plural + "s"
            english.append(f"{number} {plural}")
        if kind_name(kind) == "single":
            chinese.append(f"{number} 张单牌")
        else:
            chinese.append(f"{number} 个{name.zh}")
    joined = " and ".join(filter(None, [", ".join(english[:-1]), english[-1]]))
    return Text(joined, "、".join(chinese))


def lead_name(lead: Lead) -> Text:
    """What was led: `a pair`, `a throw of a pair and 2 singles`."""
    kinds = [component.kind for component in lead.components]
    if len(kinds) == 1:
        return component_name(kinds[0])
    listed = component_list(kinds)
    return Text(f"a throw of {listed.en}", f"甩牌（{listed.zh}）")


def several_suits(table: Table, faces: Sequence[int]) -> Fault:
    """COM-9."""
    found = [(suit, [f for f in table.sort(faces) if table.suit_of(f) == suit]) for suit in (TRUMP, 0, 1, 2)]
    found = [(suit, mine) for suit, mine in found if mine]
    english = ", ".join(f"{suit_name(table, s).en} ({cards(mine).en})" for s, mine in found)
    chinese = "、".join(f"{suit_name(table, s).zh}（{cards(mine).zh}）" for s, mine in found)
    return Fault.of(
        "COM-9",
        f"the cards led are of {len(found)} effective suits: {english}; a lead is of one",
        f"首出的牌分属 {len(found)} 门：{chinese}；首出只能是同一门的牌",
    )


def wrong_number(led: int, played: int) -> Fault:
    """COM-11."""
    were = "card was" if led == 1 else "cards were"
    return Fault.of(
        "COM-11",
        f"{led} {were} led, but {played} played",
        f"首家出了 {led} 张，跟牌也须 {led} 张，而不是 {played} 张",
    )


def not_held(table: Table, lacking: Sequence[int]) -> Fault:
    """Cards played that are not in the hand."""
    shown = cards(table.sort(lacking))
    return Fault.of("COM-9", f"the hand does not hold {shown.en}", f"手里没有 {shown.zh}")


def why(table: Table, code: int, hand: Words, lead: Lead, play: Words, named: int | None) -> Fault:
    """The fault for a code of ``kernels.legal``."""
    if code == legal.NUMBER:
        return wrong_number(lead.size, size(play))
    if code == legal.NOT_HELD:
        lacking = list(table.faces(play))
        for face in table.faces(hand):
            if face in lacking:
                lacking.remove(face)
        return not_held(table, lacking)
    if code == legal.SUIT_FIRST:
        return _suit_first(table, hand, lead)
    if code == legal.SHAPE:
        return _shape(table, hand, lead)
    if code == legal.HIDING:
        assert named is not None
        return _hiding(table, hand, lead, named)
    return _forced(table, code, hand, lead)


def _suit_first(table: Table, hand: Words, lead: Lead) -> Fault:
    held = table.of_suit(hand, lead.suit)
    suit = suit_name(table, lead.suit)
    number = size(held)
    if number >= lead.size:
        have = f"the hand has {number} of them" if lead.suit == TRUMP else f"the hand has {number} {suit.en}"
        due = (
            "the card played must be one"
            if lead.size == 1
            else f"all {lead.size} cards played must be {suit.en}"
        )
        return Fault.of(
            "COM-12",
            f"{_led(suit, lead)} and {have}: {due}",
            f"首出{suit.zh}，手里有 {number} 张{suit.zh}，所跟的 {lead.size} 张须全是{suit.zh}",
        )
    shown = cards(table.faces(held))
    due = "it must be played" if number == 1 else "all of them must be played"
    return Fault.of(
        "COM-12",
        f"{_led(suit, lead)} and the hand has only {shown.en} of the suit: {due}",
        f"首出{suit.zh}，手里的{suit.zh}只有 {shown.zh}，须全部跟出",
    )


def _led(suit: Text, lead: Lead) -> str:
    return f"{suit.en} {'were' if lead.suit == TRUMP else 'was'} led"


def _shape(table: Table, hand: Words, lead: Lead) -> Fault:
    owed = component_list(table.obligations(hand, lead))
    suit = suit_name(table, lead.suit)
    led = lead_name(lead)
    parts = table.lead_of(table.of_suit(hand, lead.suit)).components
    shapes = [cards(table.faces(part.words)) for part in parts if part.name != "single"]
    where = "in trumps" if lead.suit == TRUMP else f"in {suit.en}"
    return Fault.of(
        "COM-13",
        f"{led.en} was led {where}, so the hand must follow with {owed.en}; "
        f"it has {', '.join(shape.en for shape in shapes)}",
        f"首出{suit.zh}的{led.zh}，须跟出{owed.zh}；手里有 {'，'.join(shape.zh for shape in shapes)}",
    )


def _forced(table: Table, code: int, hand: Words, lead: Lead) -> Fault:
    held = table.of_suit(hand, lead.suit)
    trumps = table.of_suit(hand, TRUMP)
    missing = lead.size - size(held)
    suit, led = suit_name(table, lead.suit).en, lead_name(lead)
    state = "void in" if not size(held) else "short of"
    state_zh = "缺" if not size(held) else "不够"
    start = f"{state} {suit}, and {led.en} was led"
    start_zh = f"{suit} {state_zh}门" if not size(held) else f"{suit} {state_zh}跟"
    start_zh += f"，首出的是{led.zh}"
    if code == legal.F_ALL:
        number = size(trumps)
        shown = cards(table.faces(trumps))
        are = "the one trump" if number == 1 else f"all {number} trumps"
        return Fault.of(
            "DWF-11a",
            f"{start}: with {missing} missing, {are} must be played, {shown.en}",
            f"{start_zh}：还缺 {missing} 张，主牌须全部垫出：{shown.zh}",
        )
    if code == legal.F_ANY:
        what = (
            "the missing card must be a trump"
            if missing == 1
            else f"the {missing} missing cards must be trumps"
        )
        return Fault.of("DWF-11b", f"{start}: {what}", f"{start_zh}：所缺的 {missing} 张须用主牌垫")
    by_level = code == legal.F_HIGHEST or bool(table.lay[layout.BY_LEVEL])
    due, open_choice = due_trumps(table, trumps, missing, by_level)
    shown = cards(due)
    equal = " (or equal ones in their place)" if open_choice else ""
    equal_zh = "（同级的牌可以互换）" if open_choice else ""
    if by_level:
        what, what_zh = "the highest trumps", "最大的主牌"
    else:
        what, what_zh = (
            "the highest trump pairs, then the highest other trumps,",
            "最大的主对、再垫最大的单张主牌",
        )
        if size(table.of_suit(table.words(due), TRUMP)) == 2 * (table.words(due)[1]).bit_count():
            what, what_zh = "the highest trump pairs", "最大的主对"
    if code == legal.F_HIGHEST:
        return Fault.of(
            "DWF-11c",
            f"{start}: the missing cards must be {what}, {shown.en}{equal}",
            f"{start_zh}：所缺的牌须垫{what_zh}：{shown.zh}{equal_zh}",
        )
    ruff, ruff_zh = "", ""
    pairs_left = trumps[1].bit_count() > table.words(due)[1].bit_count()
    if (pairs_left or lead.multi < len(lead.components)) and _can_ruff(table, trumps, lead):
        ruff, ruff_zh = "; only a ruff could take their place", "；或者毙牌"
    return Fault.of(
        "DWF-11d",
        f"{start}: {what} must be played, {shown.en}{equal}{ruff}",
        f"{start_zh}：须垫{what_zh}：{shown.zh}{equal_zh}{ruff_zh}",
    )


def _can_ruff(table: Table, trumps: Words, lead: Lead) -> bool:
    """Whether a void hand with these trumps may ruff (DWF-11d)."""
    return (
        not table.lay[layout.BINDS_ALL] and size(trumps) >= lead.size and table.strength(lead, trumps) >= 64
    )


def due_trumps(table: Table, trumps: Words, number: int, by_level: bool) -> tuple[list[int], bool]:
    """The trumps DWF-11c or 11d asks for, and whether others of equal level would do as well."""
    choose = forced.highest_trumps if by_level else forced.pairs_first
    p0, p1 = (int(word) for word in choose(trumps[0], trumps[1], number))
    due = table.faces((p0, p1, 0))
    for face in dict.fromkeys(due):  # would the kernel accept another face of the same level instead?
        for other in table.faces((trumps[0], 0, 0)):
            if other == face or table.level_of(other) != table.level_of(face):
                continue
            swapped = table.words([other if f == face else f for f in due if f != other or f == face])
            if size(swapped) != number or swapped[0] & ~trumps[0] or swapped[1] & ~trumps[1]:
                continue
            accept = forced.is_highest if by_level else forced.is_pairs_first
            if accept(trumps[0], trumps[1], swapped[0], swapped[1], table.lay):
                return due, True
    return due, False


def _hiding(table: Table, hand: Words, lead: Lead, named: int) -> Fault:
    face = cards([named])
    allowed = int(hiding.hiding_allowance(*hand, table.lay, lead.vector, table.bit_of(named)))
    most = f"; the other cards leave only {allowed} unavoidable" if allowed else ""
    most_zh = f"；其余的牌不够，最多只能垫 {allowed} 张" if allowed else ""
    return Fault.of(
        "HW-9",
        f"{face.en} was named and the partner is still unknown, so it must not be thrown off outside its suit{most}",
        f"{face.zh} 是所叫的牌，伴家尚未亮明，不得在别门垫出{most_zh}",
    )
