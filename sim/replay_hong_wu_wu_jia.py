"""The page for a record of hong-wu-wu-jia: who revealed, what was buried and named, who the partner is, the scoring."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .cards import SUIT_SYMBOLS, parse_card, show_card
from .replay_page import Page, signed
from .text import Text

if TYPE_CHECKING:
    from .table import Words


class HongWuWuJiaPage(Page):
    """See `Page`."""

    roles = {  # noqa: RUF012
        "bidding": Text("revealing", "翻2"),
        "banker": Text("as banker", "当庄家时"),
        "defender": Text("as defender or partner", "当闲家、伴家时"),
    }
    partner: int | None = None  # once it has shown
    points_of: tuple[int, ...] = (0, 0, 0, 0, 0)  # points each seat has won so far

    def role(self, seat: int) -> str:
        if seat == self.banker:
            return self.t("banker", "庄家")
        return self.t("partner", "伴家") if seat == self.partner else self.t("defender", "闲家")

    def face(self, name: str) -> str:
        """A card for the reader."""
        return show_card(parse_card(name), self.lang)

    # --- banker, trump, bottom, named card

    def auction(self) -> list[str]:
        record, previous = self.record, self.record["previous_banker"]
        worth = self.points(record["bottom_points"])
        pairs = [
            (self.t("Previous banker", "原庄"), self.seat(previous) + self.why_previous()),
            (self.t("Banker and trump", "庄家与主牌"), self.revealed()),
            (self.t("Bottom taken", "拿起底牌"), self.cards(record["bottom"])),
            (
                self.t("Buried", "扣下底牌"),
                self.cards(record["buried"]) + self.t(f"  ({worth})", f"（{worth}）"),
            ),
            (self.t("Card named", "找伴牌"), self.face(record["named"]) + self.copies()),
        ]
        return [self.t("Reveal, bottom and partner card", "翻2、扣底与找伴"), *self.rows(pairs)]

    def why_previous(self) -> str:
        """HW-4: who the previous banker is, if the plan tells."""
        if self.plan is None:
            return ""
        if self.plan.session == 1:
            return self.t(" (drawn by lot)", "（抽签决定）")
        if self.record["deal"] % self.plan.session == 0:
            return self.t(" (first hand of the session)", "（首局）")
        return self.t(" (banker of the hand before)", "（上一局的庄家）")

    def revealed(self) -> str:
        """HW-4, HW-5: how banker and trump came about."""
        record, reveal, t = self.record, self.record["reveal"], self.t
        sign = SUIT_SYMBOLS[self.table.trump]
        if record.get("contract"):
            return t(
                f"given beforehand: seat {self.banker} is banker, trump is {sign}",
                f"预先指定，不翻2：{self.banker}号位坐庄，主牌为 {sign}",
            )
        if reveal is not None:
            seat, held, card = reveal["seat"], reveal["after_card"], self.face(reveal["card"])
            return t(
                f"seat {seat}, holding {held} card{'' if held == 1 else 's'}, reveals {card}: "
                f"it is banker, trump is {sign}",
                f"{seat}号位摸到第 {held} 张后亮出 {card}：{seat}号位坐庄，主牌为 {sign}",
            )
        return t(
            f"pressed, as nobody revealed a 2: seat {self.banker} is banker, ",
            f"无人亮牌，压庄：原庄 {self.banker}号位坐庄，",
        ) + self.drawn(sign)

    def drawn(self, sign: str) -> str:
        """HW-5: where the trump of a pressed banker came from."""
        hand, bottom = self.record["hands"][self.banker], self.record["bottom"]
        if any(card[0] == "2" for card in hand):
            return self.t(f"trump {sign} is drawn from its 2s", f"从其手中的 2 里抽得主牌 {sign}")
        if any(card[0] == "2" for card in bottom):
            return self.t(
                f"and as it has no 2, trump {sign} is drawn from the 2s of the bottom",
                f"其手中无 2，从底牌的 2 里抽得主牌 {sign}",
            )
        if any(card not in ("BJ", "SJ", "5h") for card in bottom):
            return self.t(
                f"and as neither it nor the bottom has a 2, trump {sign} is drawn from the bottom",
                f"其手中与底牌都无 2，从底牌中抽得主牌 {sign}",
            )
        return self.t(
            "and as the bottom is all jokers and red fives, trump is ♦",
            "底牌全是王与红五，以 ♦ 为主牌",
        )

    def copies(self) -> str:
        """HW-7, HW-8: how many copies the banker has; what the source calls it."""
        held = (self.record["hands"][self.banker] + self.record["bottom"]).count(self.record["named"])
        buried = self.record["buried"].count(self.record["named"])
        kind = {2: "，死拚", 3: "，独打"}.get(held, "")
        solo = ": solo" if held == 3 else ""
        below = self.t(f", {buried} of them buried", f"，其中 {buried} 张扣在底牌") if buried else ""
        has = self.t(f"{held} of the 3 copies", f"有 {held} 张") if held else self.t("no copy", "没有这张牌")
        return self.t(f"  (the banker has {has}{below}{solo})", f"（庄家{has}{below}{kind}）")

    # --- tricks

    def notes(self, trick: dict[str, Any], hands: list[Words]) -> list[str]:
        found = super().notes(trick, hands)
        for at, play in enumerate(trick["plays"]):
            seat = play["seat"]
            if self.partner is None and seat != self.banker and self.record["named"] in play["cards"]:
                self.partner = seat
                found[at] = self.t(", ", "，").join(filter(None, [found[at], self.shows(seat)]))
        return found

    def shows(self, seat: int) -> str:
        """HW-7, HW-10: this is the play in which the partner shows."""
        if self.record["direct"]:
            says = self.t(
                "plays the named card directly and is the partner", "直接跟出找伴牌（直拼），成为伴家"
            )
        else:
            says = self.t("plays the named card and is the partner", "打出找伴牌，成为伴家")
        lost = self.points_of[seat]
        gone = self.t(
            f"; its {self.points(lost)} so far no longer count for the defenders",
            f"，此前所得 {lost} 分归庄家方",
        )
        return says + (gone if lost else "")

    def taken(self, trick: dict[str, Any]) -> tuple[str, int]:
        winner, points = trick["winner"], trick["points"]
        self.points_of = tuple(won + points * (seat == winner) for seat, won in enumerate(self.points_of))
        side = (self.banker, self.partner)
        captured = sum(won for seat, won in enumerate(self.points_of) if seat not in side)
        own = self.t(" (not counted)", "（归庄家方）") if winner in side and points else ""
        return own, captured

    # --- scoring

    def scoring(self) -> list[str]:
        record, t = self.record, self.t
        total, added = record["defender_points"], record["bottom_points"] * record["bottom_multiplier"]
        dug = f"{record['bottom_points']} × {record['bottom_multiplier']} = {added}"
        pairs = [
            (t("Sides", "双方"), self.sides()),
            (t("Captured", "抓分"), self.captured()),
            (t("Bottom", "抠底"), f"{dug}{t(': ', '：')}{self.bottom_reason()}"),
            (t("Defenders' total", "闲家总分"), f"{record['captured']} + {added} = {total}"),
            (t("Grade", "等级"), self.grade()),
            *self.stakes(),
            (t("Payoffs", "合计"), self.shares(record["payoffs"])),
        ]
        return [t("Scoring", "结算"), *self.rows(pairs)]

    def defenders(self) -> list[int]:
        """All who are neither banker nor partner."""
        return [seat for seat in range(self.seats) if seat not in (self.banker, self.record["partner"])]

    def sides(self) -> str:
        """HW-7, HW-8, HW-10."""
        record, t = self.record, self.t
        against = t(", ", "、").join(map(str, self.defenders()))
        if record["solo"]:
            return t(
                f"seat {self.banker} plays solo; defenders are seats {against}",
                f"{self.banker}号位独打；闲家 {against}号位",
            )
        partner, shown = record["partner"], record["partner_trick"] + 1
        direct = t(", directly", "，直拼") if record["direct"] else ""
        return t(
            f"banker seat {self.banker}, partner seat {partner} (showed in trick {shown}{direct}); "
            f"defenders are seats {against}",
            f"庄家 {self.banker}号位，伴家 {partner}号位（第 {shown} 轮现身{direct}）；闲家 {against}号位",
        )

    def captured(self) -> str:
        """HW-12: what the defenders took, seat by seat."""
        won = [0] * self.seats
        for trick in self.record["tricks"]:
            won[trick["winner"]] += trick["points"]
        parts = " + ".join(str(won[seat]) for seat in self.defenders())
        return f"{parts} = {self.record['captured']}"

    def bottom_reason(self) -> str:
        """HW-12: why the bottom counted as it did."""
        winner = self.record["tricks"][-1]["winner"]
        if winner == self.banker:
            return self.t("the banker won the last trick", "末轮由庄家赢得，未被抠底")
        if winner == self.record["partner"]:
            return self.t("the partner won the last trick", "末轮由伴家赢得，未被抠底")
        solo = self.t(", against a solo banker", "，庄家独打") if self.record["solo"] else ""
        return self.t(
            f"seat {winner}, a defender, won the last trick{solo}", f"{winner}号位（闲家）赢得末轮{solo}"
        )

    def grade(self) -> str:
        """HW-13: the row of the table, and who wins."""
        total, grade = self.record["defender_points"], self.record["grade"]
        rows = self.rules["grade_table"]
        low, high = rows[-1][0], None
        for (threshold, _), (above, _) in pairwise(rows):
            if threshold <= total < above:
                low, high = threshold, above - 1
        if high is None:
            span = self.t(f"{low} points or more", f"{low} 分以上")
        else:
            span = self.t(f"{low} to {high} points", f"{low} 至 {high} 分")
        wins = (
            self.t("the banker's side wins", "庄家方胜")
            if grade > 0
            else self.t("the defenders win", "闲家胜")
        )
        return f"{str(grade).replace('-', '−')}{self.t(' (', '（')}{span}{self.t('): ', '）：')}{wins}"

    def stakes(self) -> list[tuple[str, str]]:
        """HW-10, HW-14 to HW-16: from the grade to the payoffs."""
        record, t = self.record, self.t
        grade, size = record["grade"], abs(record["grade"])
        sign, other = ("+", "−") if grade > 0 else ("−", "+")
        banker, partner, each = t("banker", "庄家"), t("partner", "伴家"), t("each defender", "每个闲家")
        lines: list[tuple[str, str]] = []
        if record["solo"]:
            shares = [f"{banker} {sign}8 × {size} = {signed(8 * grade)}"]
            shares.append(f"{each} {other}2 × {size} = {signed(-2 * grade)}")
            lines.append((t("Solo", "独打"), t(", ", "，").join(shares)))
        elif grade > 0:
            shares = [f"{banker} 2 × {size} = {signed(2 * grade)}", f"{partner} {signed(grade)}"]
            lines.append((t("Stakes", "输赢"), t(", ", "，").join([*shares, f"{each} {signed(-grade)}"])))
            if record["direct"]:
                lines.append(("", t("direct partner, and won: nothing changes", "直拼，计分不变")))
        else:
            pressed = record["reveal"] is None and not record.get("contract")
            cap = self.rules["pressed_partner_loss_cap" if pressed else "partner_loss_cap"]
            pays = min(size, cap)
            limit = t(f" (no more than {cap})", f"（最多付 {cap}）")
            if pressed:
                limit = t(f" (pressed: no more than {cap})", f"（压庄，最多付 {cap}）")
            shares = [
                f"{each} {signed(size)}",
                f"{partner} {signed(-pays)}{limit if size > cap else ''}",
                f"{banker} −(3 × {size} − {pays}) = {signed(pays - 3 * size)}",
            ]
            lines.append((t("Stakes", "输赢"), t(", ", "，").join(shares)))
            if record["direct"]:
                swapped = t(
                    f"direct partner, and lost: partner and banker change places, {banker} {signed(-pays)}, "
                    f"{partner} {signed(pays - 3 * size)}",
                    f"直搭，庄家与伴家对换：{banker} {signed(-pays)}，{partner} {signed(pays - 3 * size)}",
                )
                lines.append(("", swapped))
        if self.rules["base"] != 1:
            lines.append((t("Base", "底分"), f"× {self.rules['base']}"))
        return lines
