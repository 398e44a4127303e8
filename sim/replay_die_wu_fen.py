"""The page for a record of die-wu-fen: who called, bid and buried, the scoring step by step."""

from __future__ import annotations

from typing import Any

from .cards import SUIT_SYMBOLS, parse_card, parse_suit
from .replay_page import Page
from .table import TRUMP
from .text import Text


class DieWuFenPage(Page):
    """See `Page`."""

    roles = {  # noqa: RUF012
        "bidding": Text("bidding", "叫牌叫分"),
        "banker": Text("as banker", "当庄家时"),
        "defender": Text("as defender", "当闲家时"),
    }
    captured = 0

    def role(self, seat: int) -> str:
        return self.t("banker", "庄家") if seat == self.banker else self.t("defender", "闲家")

    def bid(self, bid: int | None) -> str:
        return self.t(" passes", " 不叫") if bid is None else self.t(f" bids {bid}", f" {bid}")

    def redeals(self, times: int) -> str:
        return self.t(
            f"; {times} void deal{'' if times == 1 else 's'} before this one, as nobody called",
            f"；此前 {times} 次无人叫牌，重新发牌",
        )

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

    def taken(self, trick: dict[str, Any]) -> tuple[str, int]:
        if trick["winner"] != self.banker:
            self.captured += trick["points"]
        elif trick["points"]:
            return self.t(" (not counted)", "（庄家逃分）"), self.captured
        return "", self.captured

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
