"""A record as a page to read: who called, bid and buried, every trick, the scoring step by step."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from ..kernels import forced
from .cards import SUIT_NAMES, SUIT_SYMBOLS, parse_card, parse_cards, parse_suit, show_cards
from .plan import ROLES, Plan, describe_policies
from .rules import OPTIONS
from .table import TRUMP, Lead, Table, Words, opening_strength, size, with_more, without
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .text import Lang

_RUFF = 64  # strengths from here on are ruffs


def render(record: dict[str, Any], lang: Lang = "en", plan: Plan | None = None) -> str:
    """The page for a record; ``plan`` adds the rule set's name and the policies."""
    page = _Page(record, lang, plan)
    return "\n".join(
        [*page.heading(), "", *page.hands(), "", *page.auction(), "", *page.tricks(), "", *page.scoring()]
    )


def width(text: str) -> int:
    """Columns a text takes on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def pad(text: str, columns: int) -> str:
    """The text filled up with blanks to a number of columns."""
    return text + " " * (columns - width(text))


def signed(number: int) -> str:
    """+6, −12, 0."""
    return "0" if number == 0 else f"{'+' if number > 0 else '−'}{abs(number)}"


class _Page:
    def __init__(self, record: dict[str, Any], lang: Lang, plan: Plan | None) -> None:
        self.record, self.lang, self.plan = record, lang, plan
        self.table = Table(record["game"], record["trump"], record["rules"])
        self.rules = self.table.rules
        self.banker: int = record["banker"]
        self.seats = len(record["hands"])

    # --- words

    def t(self, en: str, zh: str) -> str:
        return Text(en, zh).say(self.lang)

    def seat(self, seat: int) -> str:
        return self.t(f"seat {seat}", f"{seat}号位")

    def Seat(self, seat: int) -> str:  # noqa: N802  # the same at the start of a sentence
        return self.t(f"Seat {seat}", f"{seat}号位")

    def role(self, seat: int) -> str:
        return self.t("banker", "庄家") if seat == self.banker else self.t("defender", "闲家")

    def bid(self, bid: int | None) -> str:
        return self.t(" passes", " 不叫") if bid is None else self.t(f" bids {bid}", f" {bid}")

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
        first = self.seat(record["first_seat"])
        if record["redeals"]:
            times = record["redeals"]
            first += self.t(
                f"; {times} void deal{'' if times == 1 else 's'} before this one, as nobody called",
                f"；此前 {times} 次无人叫牌，重新发牌",
            )
        pairs.append((self.t("First card to", "先摸牌"), first))
        return [" · ".join(title), *self.rows(pairs)]

    def policies(self, plan: Plan) -> str:
        roles = {
            "bidding": self.t("bidding", "叫牌叫分"),
            "banker": self.t("as banker", "当庄家时"),
            "defender": self.t("as defender", "当闲家时"),
        }
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

    def auction(self) -> list[str]:
        record = self.record
        lines = [self.t("Calling and bidding", "叫牌与叫分")]
        if not record["calls"]:
            skipped = self.t("Skipped: the contract was given.", "庄家、主牌与叫分预先指定，不叫牌也不叫分。")
            lines.append(f"  {skipped}")
        for number, call in enumerate(record["calls"]):
            seat, held, cards = call["seat"], call["after_card"], self.cards(call["cards"])
            sign = SUIT_SYMBOLS[parse_suit(call["cards"][0][-1])]
            if number:
                says = self.t(f"counters with {cards}", f"以 {cards} 反牌")
            else:
                says = self.t(f"calls trump with {cards}", f"以 {cards} 叫牌")
            lines.append(
                self.t(
                    f"  Seat {seat}, holding {held} card{'' if held == 1 else 's'}, {says}: trump is {sign}.",
                    f"  {seat}号位摸到第 {held} 张后{says}，主牌为 {sign}。",
                )
            )
        if record["bids"]:
            bids = [self.seat(one["seat"]) + self.bid(one["bid"]) for one in record["bids"]]
            line = self.t(", ", "，").join(bids)
            lines.append(f"  {self.t('Bids: ', '叫分：')}{line}{self.t('.', '。')}")
        lines.append(
            self.t(
                f"  Seat {self.banker} is banker at {record['bid']}; base value {record['base']}.",
                f"  {self.banker}号位坐庄，叫分 {record['bid']}，基础分 {record['base']}。",
            )
        )
        worth = self.points(record["bottom_points"])
        pairs = [
            (self.t("Bottom taken", "拿起底牌"), self.cards(record["bottom"])),
            (
                self.t("Buried", "扣下底牌"),
                self.cards(record["buried"]) + self.t(f"  ({worth})", f"（{worth}）"),
            ),
        ]
        return [*lines, *self.rows(pairs)]

    def tricks(self) -> list[str]:
        lines = [self.t("Play", "打牌") + self.t(" (* wins the trick)", "（* 为本轮赢家）")]
        hands = [self.table.words(parse_cards(hand)) for hand in self.record["hands"]]
        bottom = self.table.words(parse_cards(self.record["bottom"]))
        buried = self.table.words(parse_cards(self.record["buried"]))
        hands[self.banker] = without(with_more(hands[self.banker], bottom), buried)
        captured = 0
        columns = max(width(f"{self.seat(0)} {self.role(seat)}") for seat in range(self.seats)) + 2
        for number, trick in enumerate(self.record["tricks"], start=1):
            winner, points = trick["winner"], trick["points"]
            if winner != self.banker:
                captured += points
            gone = self.t(" (not counted)", "（庄家逃分）") if winner == self.banker and points else ""
            lead, won = trick["leader"], self.points(points)
            lines.append(
                self.t(
                    f"  Trick {number}: seat {lead} leads, seat {winner} wins {won}{gone}; defenders {captured}",
                    f"  第 {number} 轮：{lead}号位首出，{winner}号位赢得 {won}{gone}；闲家共 {captured} 分",
                )
            )
            notes = self.notes(trick, hands)
            for play, note in zip(trick["plays"], notes, strict=True):
                seat = play["seat"]
                who = pad(f"{self.seat(seat)} {self.role(seat)}", columns)
                mark = "*" if seat == winner else " "
                shown = self.cards(play["cards"])
                lines.append(f"  {mark} {who}{shown}{'  · ' + note if note else ''}".rstrip())
                hands[seat] = without(hands[seat], self.table.words(parse_cards(play["cards"])))
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
            notes.append(self.t("tractor", "拖拉机"))
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

    # --- scoring

    def scoring(self) -> list[str]:
        record, rules, t = self.record, self.rules, self.t
        bid, base, total = record["bid"], record["base"], record["defender_points"]
        made, shutout = record["result"] == "made", record["shutout"]
        added = record["bottom_points"] * record["bottom_multiplier"]
        dug = f"{record['bottom_points']} × {record['bottom_multiplier']} = {added}"
        sum_of = f"{record['captured']} + {added} = {total}"
        broken_from, shutout_from = rules["made_total"] - bid, rules["shutout_total"] - bid
        broken = f"{rules['made_total']} − {bid} = {broken_from}"
        full = f"{rules['shutout_total']} − {bid} = {shutout_from}"
        if made and total == 0:
            result = t("made, defenders shut out: they have no points", "未破庄，闲家大光（一分未得）")
        elif made:
            result = t(f"made: {total} < {broken_from}", f"未破庄：{total} < {broken_from}")
        elif shutout:
            result = t(
                f"broken, a banker's shutout: {total} ≥ {shutout_from}",
                f"破庄，庄家大光：{total} ≥ {shutout_from}",
            )
        else:
            result = t(f"broken: {total} ≥ {broken_from}", f"破庄：{total} ≥ {broken_from}")
        stake = base * (rules["shutout_multiplier"] if shutout else 1)
        times = f" × {rules['shutout_multiplier']}" if shutout else ""
        share = f"{base}{times} = {stake}" if times else f"{base}"
        pairs = [
            (t("Captured", "捡分"), f"{record['captured']}"),
            (t("Bottom", "抠底"), f"{dug}{t(': ', '：')}{self.bottom_reason()}"),
            (t("Defenders' total", "闲家总分"), sum_of),
            (
                t("Thresholds", "界限"),
                t(
                    f"broken from {broken}, banker's shutout from {full}",
                    f"破庄 {broken}，庄家大光 {full}",
                ),
            ),
            (t("Result", "结果"), result),
            (t("Base value", "基础分"), f"{base}"),
            (
                t("Stakes", "输赢"),
                t(
                    f"each defender {'pays' if made else 'receives'} {share}, "
                    f"the banker {'receives' if made else 'pays'} {2 * stake}",
                    f"每个闲家{'付' if made else '得'} {share}，庄家{'得' if made else '付'} {2 * stake}",
                ),
            ),
            *self.failed_throws(),
            (t("Payoffs", "合计"), self.shares(record["payoffs"])),
        ]
        return [t("Scoring", "结算"), *self.rows(pairs)]

    def shares(self, numbers: Sequence[int]) -> str:
        return self.t(", ", "，").join(f"{self.seat(seat)} {signed(n)}" for seat, n in enumerate(numbers))

    def bottom_reason(self) -> str:
        """DWF-15: why the bottom counted as it did."""
        trick = self.record["tricks"][-1]
        winner = trick["winner"]
        if winner == self.banker:
            return self.t("the banker won the last trick", "末轮由庄家赢得，未被抠底")
        winning = next(play["cards"] for play in trick["plays"] if play["seat"] == winner)
        if any(self.table.suit_of(parse_card(card)) != TRUMP for card in winning):
            return self.t(
                f"seat {winner} won the last trick without trumps", f"{winner}号位以副牌赢得末轮，不抠底"
            )
        by_lead = self.rules["bottom_shape"] == "lead"
        deciding = trick["plays"][0]["cards"] if by_lead else winning
        paired = len(set(deciding)) < len(deciding)
        what = "the lead" if by_lead else "the play"
        return self.t(
            f"seat {winner} won the last trick with trumps, {what} {'had a' if paired else 'had no'} pair",
            f"{winner}号位以主牌赢得末轮，{'首出' if by_lead else '所出'}{'有' if paired else '没有'}对子",
        )

    def failed_throws(self) -> list[tuple[str, str]]:
        """DWF-18: one line for each seat that had throws fail, and what they come to."""
        counts = [0] * self.seats
        for trick in self.record["tricks"]:
            counts[trick["leader"]] += "attempt" in trick["plays"][0]
        if not any(counts):
            return []
        found = []
        base = self.record["base"]
        label = self.t("Failed throws", "甩牌失败")
        for seat, times in enumerate(counts):
            if not times:
                continue
            if seat == self.banker:
                each = times * base * self.rules["banker_throw_penalty"]
                says = self.t(
                    f"{self.seat(seat)}, the banker, {times} ×: pays each defender {each}",
                    f"{self.seat(seat)}（庄家）{times} 次：付每个闲家 {each}",
                )
            else:
                each = times * base * self.rules["defender_throw_penalty"]
                says = self.t(
                    f"{self.seat(seat)}, a defender, {times} ×: each defender pays the banker {each}",
                    f"{self.seat(seat)}（闲家）{times} 次：每个闲家付庄家 {each}",
                )
            found.append((label, says))
            label = ""
        return [*found, (self.t("Penalties", "罚分"), self.shares(self.record["penalties"]))]
