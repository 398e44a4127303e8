"""A record as a page to read, as far as both games go: heading, hands, every trick."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from ..kernels import forced
from .cards import SUIT_NAMES, SUIT_SYMBOLS, parse_cards, show_cards
from .given import BOTTOM
from .plan import ROLES, Plan, describe_policies
from .rules import OPTIONS
from .table import TRUMP, Component, Lead, Table, Words, opening_strength, size, with_more, without
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .text import Lang

_RUFF = 64  # strengths from here on are ruffs


def width(text: str) -> int:
    """Columns a text takes on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def pad(text: str, columns: int) -> str:
    """The text filled up with blanks to a number of columns."""
    return text + " " * (columns - width(text))


def signed(number: int) -> str:
    """+6, −12, 0."""
    return "0" if number == 0 else f"{'+' if number > 0 else '−'}{abs(number)}"


class Page(ABC):
    """The page of one record; a subclass for each game."""

    def __init__(self, record: dict[str, Any], lang: Lang, plan: Plan | None) -> None:
        self.record, self.lang, self.plan = record, lang, plan
        self.table = Table(record["game"], record["trump"], record["rules"])
        self.rules = self.table.rules
        self.banker: int = record["banker"]
        self.seats = len(record["hands"])

    def text(self) -> str:
        """The whole page."""
        parts = [self.heading(), self.hands(), self.auction(), self.tricks(), self.scoring()]
        return "\n\n".join("\n".join(lines) for lines in parts)

    # --- what each game says in its own way

    #: Roles as the heading names them.
    roles: dict[str, Text]

    @abstractmethod
    def role(self, seat: int) -> str:
        """What a seat is, as far as the table knows."""

    def redeals(self, times: int) -> str:  # noqa: ARG002
        """Why there were void deals, in a game that has them."""
        return ""

    @abstractmethod
    def auction(self) -> list[str]:
        """How banker and trump came about, and the bottom."""

    @abstractmethod
    def taken(self, trick: dict[str, Any]) -> tuple[str, int]:
        """A remark on the points of a finished trick, and what the defenders have captured by then."""

    @abstractmethod
    def scoring(self) -> list[str]:
        """The scoring, step by step."""

    # --- words

    def t(self, en: str, zh: str) -> str:
        return Text(en, zh).say(self.lang)

    def seat(self, seat: int) -> str:
        return self.t(f"seat {seat}", f"{seat}号位")

    def Seat(self, seat: int) -> str:  # noqa: N802  # the same at the start of a sentence
        return self.t(f"Seat {seat}", f"{seat}号位")

    def cards(self, names: Iterable[str]) -> str:
        return show_cards(self.table.sort(parse_cards(list(names))), self.lang)

    def points(self, number: int) -> str:
        return self.t(f"{number} point{'' if number == 1 else 's'}", f"{number} 分")

    def rows(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """Lines of label and value, the values one below the other."""
        columns = max(width(label) for label, _ in pairs) + 2
        return [f"  {pad(label, columns)}{value}" for label, value in pairs]

    # --- the parts of the page

    def heading(self) -> list[str]:
        record = self.record
        title = [self.table.game.title(self.lang)]
        if "seed" in record:
            title.append(self.t(f"seed {record['seed']}", f"种子 {record['seed']}"))
        if "deal" in record:
            title.append(self.t(f"deal {record['deal']}", f"第 {record['deal']} 局"))
        if self.plan and self.plan.session > 1:
            hand = record["deal"] % self.plan.session
            title.append(
                self.t(
                    f"hand {hand + 1} of {self.plan.session} in its session",
                    f"连续 {self.plan.session} 局中的第 {hand + 1} 局",
                )
            )
        options = OPTIONS[self.rules.game]
        changed = [f"{name} = {options[name].to_toml(value)}" for name, value in self.rules.changed().items()]
        rules = "; ".join(changed) if changed else self.t("all defaults", "全部默认")
        if self.plan:
            rules = f"{self.plan.rules.name} ({rules})"
        pairs = [(self.t("Rules", "规则"), rules)]
        if self.plan:
            pairs.append((self.t("Policies", "策略"), self.policies(self.plan)))
            pairs += [(self.t("Bidding", "叫法"), told) for told in self.plan.told_biddings()]
            pairs += self.given(self.plan)
        first = self.seat(record["first_seat"])
        if record["redeals"]:
            first += self.redeals(record["redeals"])
        pairs.append((self.t("First card to", "先摸牌"), first))
        return [" · ".join(title), *self.rows(pairs)]

    def given(self, plan: Plan) -> list[tuple[str, str]]:
        """What was known of the deal before it was dealt."""
        found = plan.given.describe() if plan.given else {}
        pairs = []
        for place, cards in found.get("hold", {}).items():
            where = self.t("bottom", "底牌") if place == BOTTOM else self.seat(int(place))
            pairs.append(
                (self.t("Held", "指定的牌"), f"{where}: {show_cards(parse_cards(cards), self.lang)}")
            )
        for place, each in found.get("count", {}).items():
            where = self.t("bottom", "底牌") if place == BOTTOM else self.seat(int(place))
            shown = ", ".join(f"{what} {low}-{high}" for what, (low, high) in each.items())
            pairs.append((self.t("Counts", "限定"), f"{where}: {shown}"))
        return pairs

    def policies(self, plan: Plan) -> str:
        roles = {role: name.say(self.lang) for role, name in self.roles.items()}
        described = describe_policies(plan.policies)
        if "all" in described:
            return described["all"]
        if set(described) <= set(roles):
            return self.t(", ", "，").join(f"{roles[role]} {name}" for role, name in described.items())
        parts = []
        for seat in range(self.seats):
            names = plan.policies[seat * len(ROLES) : (seat + 1) * len(ROLES)]
            shown = names[0]
            if len(set(names)) > 1:
                each = zip(ROLES, names, strict=True)
                shown = self.t(", ", "，").join(f"{roles[role]} {name}" for role, name in each)
            parts.append(f"{self.seat(seat)} {shown}")
        return self.t("; ", "；").join(parts)

    def hands(self) -> list[str]:
        sign = SUIT_SYMBOLS[self.table.trump]
        lines = [self.t(f"Hands as dealt, trump {sign}", f"各家摸到的牌（主牌 {sign}）")]
        names = {TRUMP: self.t("trumps", "主牌")}
        names |= {suit: SUIT_NAMES[self.lang][self.table.real_suit(suit)] for suit in (0, 1, 2)}
        columns, wide = width(self.Seat(0)) + 2, max(map(width, names.values()))
        for seat, hand in enumerate(self.record["hands"]):
            faces = self.table.sort(parse_cards(hand))
            for suit, name in names.items():
                mine = [face for face in faces if self.table.suit_of(face) == suit]
                shown = show_cards(mine, self.lang)
                if suit != TRUMP:  # the suit stands in front of the line already
                    shown = shown.replace(SUIT_SYMBOLS[self.table.real_suit(suit)], "")
                start = pad(self.Seat(seat) if suit == TRUMP else "", columns)
                lines.append(f"  {start}{pad(name, wide)}  {len(mine):>2}  {shown or '–'}")
        return lines

    def tricks(self) -> list[str]:
        lines = [self.t("Play", "打牌") + self.t(" (* wins the trick)", "（* 为本轮赢家）")]
        hands = [self.table.words(parse_cards(hand)) for hand in self.record["hands"]]
        bottom = self.table.words(parse_cards(self.record["bottom"]))
        buried = self.table.words(parse_cards(self.record["buried"]))
        hands[self.banker] = without(with_more(hands[self.banker], bottom), buried)
        columns = max(width(f"{self.seat(0)} {self.role(seat)}") for seat in range(self.seats)) + 2
        for number, trick in enumerate(self.record["tricks"], start=1):
            winner, lead = trick["winner"], trick["leader"]
            at = len(lines)
            notes = self.notes(trick, hands)
            for play, note in zip(trick["plays"], notes, strict=True):
                seat = play["seat"]
                who = pad(f"{self.seat(seat)} {self.role(seat)}", columns)
                mark = "*" if seat == winner else " "
                shown = self.cards(play["cards"])
                lines.append(f"  {mark} {who}{shown}{'  · ' + note if note else ''}".rstrip())
                hands[seat] = without(hands[seat], self.table.words(parse_cards(play["cards"])))
            remark, captured = self.taken(trick)
            won = self.points(trick["points"]) + remark
            lines.insert(
                at,
                self.t(
                    f"  Trick {number}: seat {lead} leads, seat {winner} wins {won}; defenders {captured}",
                    f"  第 {number} 轮：{lead}号位首出，{winner}号位赢得 {won}；闲家共 {captured} 分",
                ),
            )
        return lines

    def notes(self, trick: dict[str, Any], hands: list[Words]) -> list[str]:
        """What is remarkable about each play of a trick."""
        first = trick["plays"][0]
        lead = self.table.lead(parse_cards(first["cards"]))
        notes = []
        if "attempt" in first:
            meant = self.cards(first["attempt"])
            notes.append(self.t(f"failed throw, meant {meant}", f"甩牌失败，原想甩 {meant}"))
        elif len(lead.components) > 1:
            notes.append(self.t("throw", "甩牌"))
        elif lead.components[0].name == "tractor":
            notes.append(self.tractor(lead.components[0]))
        else:
            notes.append("")
        best = opening_strength(lead)
        for play in trick["plays"][1:]:
            cards = self.table.words(parse_cards(play["cards"]))
            strength = self.table.strength(lead, cards)
            notes.append(self.note(lead, hands[play["seat"]], cards, strength, best))
            best = max(best, strength)
        return notes

    def note(self, lead: Lead, hand: Words, cards: Words, strength: int, best: int) -> str:
        """What is remarkable about a follow; ``best``: the strength to beat."""
        if strength >= _RUFF:
            if best < _RUFF:
                return self.t("ruff", "毙牌")
            return (
                self.t("over-ruff", "盖毙")
                if strength > best
                else self.t("ruff, not higher", "毙牌，未能盖过")
            )
        if size(self.table.of_suit(cards, lead.suit)) == lead.size:
            return ""
        trumps = size(self.table.of_suit(cards, TRUMP))
        if lead.suit != TRUMP and trumps and self.table.branch(hand, lead) != forced.FREE:
            return self.t("forced trumps", "垫主")
        return self.t("discard", "垫牌")

    def tractor(self, component: Component) -> str:
        """What to call a tractor (COM-5)."""
        if component.triples == 0:
            return self.t("tractor", "拖拉机")
        if component.triples == component.levels:
            return self.t("triple tractor", "三拖拉")
        return self.t("handle tractor", "带柄拖拉")

    def shares(self, numbers: Sequence[int]) -> str:
        return self.t(", ", "，").join(f"{self.seat(seat)} {signed(n)}" for seat, n in enumerate(numbers))
