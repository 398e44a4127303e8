"""What a record says before the first trick: cards dealt, calls, bids, reveal, bottom, partner face."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..cards import BIG_JOKER, SMALL_JOKER
from ..fault import Fault
from ..reasons import cards
from ..text import Text
from . import auction, reveal
from . import sentences as text
from .play import DECKS
from .reveal import RED_FIVE

if TYPE_CHECKING:
    from .read import Reading

_KING = 11


@dataclass(slots=True)
class Deal:
    """What comes of it: faults, whether the hands can be trusted, and who may be banker in which trump.

    ``trumps`` and ``bankers`` begin with what the record says itself; more than one where it contradicts itself.
    ``fixed``: a call or a reveal says what is trump.
    """

    faults: list[Fault] = field(default_factory=list)
    believed: bool = False
    fixed: bool = False
    trumps: list[int] = field(default_factory=list)
    bankers: list[int | None] = field(default_factory=list)

    def say(self, fault: Fault, where: str, seat: int | None = None) -> None:
        """Note a fault."""
        self.faults.append(fault.at(where, seat=seat))


def look_at(reading: Reading) -> Deal:
    """Judge everything up to the burying, as far as the record tells it."""
    deal = Deal()
    _cards(reading, deal)
    if reading.game.name == "die-wu-fen":
        called = auction.calls(reading, deal)
        fixed = [] if called is None else [called]
        named_banker = auction.bids(reading, deal)
    else:
        fixed, named_banker = reveal.reveal(reading, deal)
    values = reading.values
    told = [values["trump"]] if "trump" in values else []
    deal.fixed = bool(fixed)
    deal.trumps = [*dict.fromkeys([*told, *fixed])]
    deal.bankers = _bankers(reading, named_banker)
    return deal


def _bankers(reading: Reading, fixed: int | None) -> list[int | None]:
    """Who is banker: what most places of the record say, several if they are equally many; None if none does."""
    votes = [reading.values.get("banker"), fixed]
    if reading.tricks is not None:
        votes += [reading.tricks.leaders[0], *reading.tricks.seats[0][:1]]
    counts = Counter(seat for seat in votes if seat is not None)
    return [seat for seat, votes in counts.items() if votes == max(counts.values())] or [None]


def _cards(reading: Reading, deal: Deal) -> None:
    """COM-1, DWF-1, HW-1: so many cards in each hand, each face as often as there are packs."""
    values, game = reading.values, reading.game
    hands, bottom = values.get("hands"), values.get("bottom")
    clause = "DWF-1" if game.name == "die-wu-fen" else "HW-1"
    before = len(deal.faults)
    for seat, hand in enumerate(hands or []):
        if len(hand) != game.hand_size:
            what = Text(f"the hand of seat {seat}", f"{seat}号位")
            deal.say(text.hand_size(clause, what, len(hand), game.hand_size), f"hands[{seat}]", seat)
    if bottom is not None and len(bottom) != game.bottom_size:
        what = Text("the bottom", "底牌")
        deal.say(text.hand_size(clause, what, len(bottom), game.bottom_size), "bottom")
    if hands is None:
        return
    whole = bottom is not None and len(deal.faults) == before
    together = sorted([face for hand in hands for face in hand] + (bottom or []))
    if whole and together == DECKS[game.name]:
        deal.believed = True
        return
    counts = Counter(together)
    over = [(face, counts[face]) for face in range(54) if counts[face] > game.packs]
    under = [(face, counts[face]) for face in range(54) if counts[face] < game.packs] if whole else []
    if over or under:
        deal.say(text.deck(over, under, game.packs), "hands")
    deal.believed = len(deal.faults) == before


# --- what the banker does


def buried_fault(reading: Reading, banker: int | None, believed: bool) -> Fault | None:
    """DWF-7, HW-6: as many cards as the bottom had, out of the banker's hand and the bottom."""
    values, game = reading.values, reading.game
    buried = values.get("buried")
    clause = "DWF-7" if game.name == "die-wu-fen" else "HW-6"
    if buried is None:
        return None
    if len(buried) != game.bottom_size:
        return Fault.of(
            clause, f"{len(buried)} cards are buried instead of {game.bottom_size}",
            f"扣下 {len(buried)} 张，应为 {game.bottom_size} 张",
        ).at("buried")  # fmt: skip
    if not believed or banker is None or "bottom" not in values:
        return None
    had = values["hands"][banker] + values["bottom"]
    try:
        for face in buried:
            had.remove(face)
    except ValueError:
        lacking = Counter(buried) - Counter(values["hands"][banker] + values["bottom"])
    else:
        return None
    shown = cards([*lacking.elements()])
    return Fault.of(
        clause, f"the banker buries {shown.en} without having it", f"庄家扣下了自己没有的 {shown.zh}"
    ).at("buried", seat=banker)  # fmt: skip


def can_be_named(face: int) -> bool:
    """HW-7: an A or K of any suit, 5h, BJ."""
    return face in (BIG_JOKER, RED_FIVE) or (face < SMALL_JOKER and face % 13 >= _KING)


def named_fault(reading: Reading, banker: int | None, believed: bool) -> Fault | None:
    """HW-7: a face that may be named, and the copies the rules ask for."""
    values = reading.values
    named = values.get("named")
    if named is None:
        return None
    if not can_be_named(named):
        shown = cards([named])
        return Fault.of(
            "HW-7", f"{shown.en} can't be named; allowed are an A or K of any suit, 5h and BJ",
            f"不能叫 {shown.zh}；可叫任一花色的 A 或 K、♥5、大王",
        ).at("named", seat=banker)  # fmt: skip
    least = reading.ruling.rules["named_copies_min"]
    if least and believed and banker is not None and {"bottom", "buried"} <= values.keys():
        counts = Counter(values["hands"][banker] + values["bottom"])
        counts.subtract(values["buried"])
        kept = counts[named]
        # Naming is compulsory: with no face held so often, any may be named.
        if kept < least <= max(counts[face] for face in range(54) if can_be_named(face)):
            shown = cards([named])
            return Fault.of(
                "HW-7", f"the banker keeps {kept} of {shown.en}, but must hold {least} to name it",
                f"庄家手中有 {kept} 张 {shown.zh}，须有 {least} 张才能叫",
            ).at("named", seat=banker)  # fmt: skip
    return None
