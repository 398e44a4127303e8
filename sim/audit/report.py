"""Verdicts on records as text: one block a faulty record, and what it all comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..replay_page import pad, width
from ..text import Text

if TYPE_CHECKING:
    from ..fault import Fault
    from ..records_file import Line
    from ..text import Lang
    from .auditor import Report

#: What can't be judged without a key.
UNCHECKED = {
    "rules": Text("the rules are not told; judged by the defaults", "未记录规则，按默认规则判"),
    "first_seat": Text("the moment of a counter (DWF-4)", "反牌的时机（DWF-4）"),
    "redeals": Text("void deals", "重新发牌"),
    "hands": Text("the deal (COM-1); hands are taken from what was played", "发牌（COM-1）；手牌由出牌推得"),
    "bottom": Text("the deal (COM-1), what the banker could bury", "发牌（COM-1），庄家可扣的牌"),
    "trump": Text("the trump suit", "主花色"),
    "banker": Text("who is banker", "庄家"),
    "buried": Text("what was buried, the bottom's points", "扣下的牌，底牌分"),
    "tricks": Text("the play", "出牌"),
    "tricks.seat": Text("whose turn it was", "出牌的座位"),
    "tricks.leader": Text("who led", "首家"),
    "tricks.winner": Text("who won the tricks", "各轮赢家"),
    "tricks.points": Text("the points of the tricks", "各轮分数"),
    "calls": Text("calls and counters (DWF-3, DWF-4)", "叫牌与反牌（DWF-3、DWF-4）"),
    "bids": Text("the bidding (DWF-6)", "叫分（DWF-6）"),
    "bid": Text("the bid, the result (DWF-16)", "叫分，结果（DWF-16）"),
    "previous_banker": Text("the last rounds of the deal, pressing (HW-4, HW-5)", "最后两轮翻牌、压庄（HW-4、HW-5）"),
    "reveal": Text("the reveal, the payoffs (HW-4, HW-14)", "翻牌，输赢（HW-4、HW-14）"),
    "named": Text("the partner, hiding (HW-7 to HW-10)", "找伴、藏牌（HW-7 至 HW-10）"),
}  # fmt: skip
_LONGEST_NAME = 60
_MOST_KEYS = 60  # more than there are; options unknown here are without number
_OF_ITSELF = Text("the value itself", "其本身的值")
_UNKNOWN_OPTION = Text("this version does not know the option", "本版本不认识此选项")


def as_json(line: Line, fault: Fault, lang: Lang) -> dict[str, Any]:
    """A fault as an object."""
    return {
        "file": line.file, "line": line.number, "deal": fault.deal, "trick": fault.trick, "seat": fault.seat,
        "clause": fault.clause, "where": fault.where, "reason": fault.say(lang),
    }  # fmt: skip


def place(fault: Fault, lang: Lang) -> str:
    """Where in the record, as a player would say it; tricks are counted from 1 as `replay` does."""
    words: list[Text] = []
    key, _, index = fault.where.partition("[")
    index = index.partition("]")[0]
    if fault.trick is not None:
        words.append(Text(f"trick {fault.trick + 1}", f"第 {fault.trick + 1} 轮"))
    elif key == "calls":
        words.append(Text("counter", "反牌") if index == "1" else Text("call", "叫牌"))
    elif key == "bids" and index:
        words.append(Text(f"bid {int(index) + 1}", f"第 {int(index) + 1} 次叫分"))
    else:
        words.append(Text(fault.where, fault.where))
    if fault.seat is not None:
        words.append(Text(f"seat {fault.seat}", f"{fault.seat}号位"))
    return Text(", ", "，").say(lang).join(word.say(lang) for word in words)


def block(line: Line, report: Report, lang: Lang) -> str:
    """A faulty record: a heading, and a line a fault."""
    deal = report.faults[0].deal
    name = line.file if len(line.file) <= _LONGEST_NAME else f"…{line.file[-_LONGEST_NAME:]}"
    heading = Text(f"{name}, line {line.number}", f"{name} 第 {line.number} 行").say(lang)
    if deal is not None:
        heading += Text(f" (deal {deal})", f"（第 {deal} 局）").say(lang)
    rows = [(place(fault, lang), fault.clause, fault.say(lang)) for fault in report.faults]
    places, clauses = (max(width(row[at]) for row in rows) + 2 for at in (0, 1))
    return "\n".join(
        [
            heading,
            *(f"  {pad(where, places)}{pad(clause, clauses)}{reason}" for where, clause, reason in rows),
        ]
    )


@dataclass(slots=True)
class Tally:
    """What the records judged so far come to."""

    records: int = 0
    faulty: int = 0
    faults: int = 0
    unchecked: Counter[str] = field(default_factory=Counter)

    def add(self, report: Report) -> None:
        """Count one record."""
        self.records += 1
        self.faulty += bool(report.faults)
        self.faults += len(report.faults)
        for key in report.unchecked:
            known = key in self.unchecked or len(self.unchecked) < _MOST_KEYS
            self.unchecked[key if known else "rules.…"] += 1

    def closing(self, lang: Lang) -> list[str]:
        """The last lines of the output."""
        records = f"{self.records:,} record{'' if self.records == 1 else 's'}"
        if self.faulty:
            faults = f"{self.faults:,} fault{'' if self.faults == 1 else 's'}"
            line = Text(
                f"{records} judged, {self.faulty:,} of them faulty: {faults}.",
                f"共判 {self.records:,} 份记录，其中 {self.faulty:,} 份有误，共 {self.faults:,} 处。",
            )
        else:
            line = Text(f"{records} judged, no faults.", f"共判 {self.records:,} 份记录，全部无误。")
        lines = [line.say(lang)]
        if self.unchecked:
            lines.append(Text("Not checked, as keys are missing:", "因缺少键而未能检查：").say(lang))
            columns = max(map(width, self.unchecked)) + 2
            for key, number in self.unchecked.most_common():
                unknown = _UNKNOWN_OPTION if key.startswith("rules.") else _OF_ITSELF
                what = UNCHECKED.get(key, unknown).say(lang)
                times = ""
                if number < self.records:
                    plural = "record" if number == 1 else "records"
                    times = Text(f" ({number:,} {plural})", f"（{number:,} 份）").say(lang)
                lines.append(f"  {pad(key, columns)}{what}{times}")
        return lines
