"""What a record says before the first trick: cards dealt, calls, bids, reveal, bottom, partner face."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import audit_text as text
from .audit_play import DECKS
from .audit_read import FORM
from .cards import BIG_JOKER, FACES, SMALL_JOKER
from .fault import Fault
from .reasons import cards
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .audit_read import Reading

_RED_FIVE = 13 + 3
_KING = 11
_DIAMONDS = 3


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
        called = _calls(reading, deal)
        fixed = [] if called is None else [called]
        named_banker = _bids(reading, deal)
    else:
        fixed, named_banker = _reveal(reading, deal)
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


# --- die-wu-fen


def _calls(reading: Reading, deal: Deal) -> int | None:
    """DWF-3 to DWF-5: the call and the counter; the trump suit they fix, None if that can't be told."""
    values = reading.values
    redeals = values.get("redeals", 0)
    if redeals < 0:
        deal.say(
            Fault.of("DWF-5", f"there can't be {redeals} void deals", f"重发次数不可能为 {redeals}"),
            "redeals",
        )
    calls, bids = values.get("calls"), values.get("bids")
    if values.get("contract"):
        if calls or bids:
            fault = Fault.of(
                FORM, "the contract is said to have been given, but there are calls or bids",
                "记录称庄家、主牌与叫分预先指定，却有叫牌或叫分",
            )  # fmt: skip
            deal.say(fault, "contract")
        return None
    if calls is None:
        return None
    if not 1 <= len(calls) <= 2:
        deal.say(_number_of_calls(len(calls)), "calls")
        return None
    before = len(deal.faults)
    hands = values.get("hands")
    for index, (seat, shown, after) in enumerate(calls):
        hand = hands[seat] if hands is not None and deal.believed else None
        fault = _call_fault("DWF-4" if index else "DWF-3", shown, after, hand)
        if fault:
            deal.say(fault, f"calls[{index}]", seat)
    if len(calls) == 2 and len(deal.faults) == before:
        fault = _counter_fault(calls[0], calls[1], values.get("first_seat"), reading.ruling.rules.values)
        if fault:
            deal.say(fault, "calls[1]", calls[1][0])
    if len(deal.faults) > before:
        return None
    fixed: int = calls[-1][1][0] // 13
    told = values.get("trump")
    if told is not None and told != fixed:
        clause = "DWF-4" if len(calls) == 2 else "DWF-3"
        deal.say(_wrong_trump(clause, cards(calls[-1][1]), fixed, told), "trump")
    return fixed


def _number_of_calls(number: int) -> Fault:
    if number == 0:
        return Fault.of(
            "DWF-3", "nobody calls, so there is no trump and the deal is void", "无人叫牌，没有主牌，应重新发牌"
        )  # fmt: skip
    return Fault.of(
        "DWF-4", f"there are {number} calls, but only one call and one counter are possible",
        f"共有 {number} 次叫牌，但只能叫一次、反一次",
    )  # fmt: skip


def _wrong_trump(clause: str, shown: Text, fixed: int, told: int) -> Fault:
    right, wrong = text.suit(fixed), text.suit(told)
    return Fault.of(
        clause, f"{shown.en} made {right.en} trump, not {wrong.en}", f"{shown.zh} 定 {right.zh} 为主，而不是 {wrong.zh}"
    )  # fmt: skip


def _call_fault(clause: str, shown: Sequence[int], after: int, hand: Sequence[int] | None) -> Fault | None:
    """DWF-3: one 3 or two 3s of a suit, held by then."""
    named = cards(shown)
    if len(shown) not in (1, 2) or len(set(shown)) > 1 or FACES[shown[0]][0] != "3":
        return Fault.of(
            clause, f"a call is one 3 or a pair of 3s, not {named.en}", f"叫牌须用单张 3 或对 3，而不是 {named.zh}"
        )  # fmt: skip
    if not 1 <= after <= 33:
        return Fault.of(
            clause, f"nobody ever holds {after} cards while the cards are dealt; a hand has 1 to 33",
            f"发牌时手中的牌为 1 至 33 张，不可能是 {after} 张",
        )  # fmt: skip
    if hand is None or list(hand[:after]).count(shown[0]) >= len(shown):
        return None
    return Fault.of(
        clause, f"{named.en} was not yet in the hand after its first {after} cards",
        f"摸到第 {after} 张时手中还没有 {named.zh}",
    )  # fmt: skip


def _counter_fault(
    call: tuple[int, list[int], int],
    counter: tuple[int, list[int], int],
    first_seat: int | None,
    options: Mapping[str, Any],
) -> Fault | None:
    """DWF-4: another seat's pair of 3s over a one-3 call, at a moment when that seat was asked."""

    def no(en: str, zh: str) -> Fault:
        return Fault.of("DWF-4", en, zh)

    if not options["counter"]:
        return no("these rules know no counter", "本规则不许反牌")
    if len(call[1]) == 2:
        return no("a call with a pair can't be countered", "对 3 叫牌不可反")
    if counter[0] == call[0]:
        return no("the caller can't counter its own call", "叫牌者不可反自己的牌")
    if len(counter[1]) != 2:
        return no("a counter takes a pair of 3s", "反牌须用对 3")
    if counter[1][0] == call[1][0]:
        return no("a counter takes another suit than the call", "反牌须用另一花色")
    if counter[2] == 33 or first_seat is None:
        return None  # when all cards are dealt everybody is asked once more
    if (counter[2], (counter[0] - first_seat) % 3) > (call[2], (call[0] - first_seat) % 3):
        return None
    return no(
        f"with {counter[2]} cards in hand this seat came before the call",
        f"该座位摸到第 {counter[2]} 张时，叫牌尚未发生",
    )


def _bids(reading: Reading, deal: Deal) -> int | None:
    """DWF-6: the bidding; the seat that bid highest."""
    values, options = reading.values, reading.ruling.rules.values
    bids = values.get("bids")
    if bids is None or values.get("contract"):
        return None
    calls = values.get("calls")
    known = (
        calls is not None
        and 1 <= len(calls) <= 2
        and not any(f.where.startswith("calls") for f in deal.faults)
    )
    opener = calls[-1][0] if known and calls else None
    before = len(deal.faults)
    if known and calls:
        least = options["opening_bid_pair" if len(calls[-1][1]) == 2 else "opening_bid_single"]
    else:
        least = min(options["opening_bid_pair"], options["opening_bid_single"])
    best, best_seat = _bidding(bids, opener, least, options, deal)
    if best is None:
        return None
    sound = len(deal.faults) == before
    for key, told, due in (("banker", values.get("banker"), best_seat), ("bid", values.get("bid"), best)):
        if told is not None and told != due and len(deal.faults) == before:
            what = Text("the banker", "庄家") if key == "banker" else Text("the bid", "叫分")
            fault = Fault.of(
                "DWF-6",
                f"{what.en} must be {due}, for seat {best_seat} bid highest, {best}; it is {told}",
                f"最高叫分为 {best_seat}号位的 {best}，{what.zh}应为 {due}，而不是 {told}",
            )
            deal.say(fault, key)
    return best_seat if sound else None


def _bidding(
    bids: Sequence[tuple[int, int | None]],
    opener: int | None,
    least: int,
    options: Mapping[str, Any],
    deal: Deal,
) -> tuple[int | None, int | None]:
    """DWF-6: opening, turns, steps, final passes, the end; (the highest bid, who made it)."""
    step, most = options["bid_step"], options["bid_max"]
    best: int | None = None
    best_seat: int | None = None
    passed: set[int] = set()
    turn = opener

    def no(index: int, seat: int, en: str, zh: str) -> None:
        deal.say(Fault.of("DWF-6", en, zh), f"bids[{index}]", seat)

    before = len(deal.faults)
    for index, (seat, bid) in enumerate(bids):
        sound = len(deal.faults) == before  # after a fault whose turn it is can't be told
        if sound and (best == most or len(passed) >= 2):
            no(index, seat, "the bidding was over before this bid", "叫分在此之前已经结束")
            break
        while turn in passed and sound:
            turn = (turn + 1) % 3
        if turn is not None and seat != turn and sound:
            who = text.seat_name(seat), text.seat_name(turn)
            no(
                index, seat, f"{who[0].en} speaks when it is the turn of {who[1].en}",
                f"轮到{who[1].zh}叫分时由{who[0].zh}叫分",
            )  # fmt: skip
        if bid is None:
            if best is None and len(deal.faults) == before:
                no(index, seat, "the provisional banker must bid, and passes", "先叫者必须叫分，不可不叫")
            passed.add(seat)
        else:
            possible = bid % step == 0 and bid <= most
            if not possible:
                no(
                    index, seat, f"{bid} is no possible bid: bids go by {step} up to {most}",
                    f"不能叫 {bid}：叫分以 {step} 为一级，最高 {most}",
                )  # fmt: skip
            elif best is None and bid < least and sound:
                no(
                    index,
                    seat,
                    f"the opening bid is at least {least}, not {bid}",
                    f"先叫者至少叫 {least}，而不是 {bid}",
                )
            elif best is not None and bid <= best:
                no(index, seat, f"{bid} does not raise the {best} before it", f"{bid} 没有高过之前的 {best}")
            if possible and (best is None or bid > best):
                best, best_seat = bid, seat
        turn = (seat + 1) % 3
    if len(deal.faults) == before and (best is None or (best < most and len(passed) < 2)):
        fault = Fault.of(
            "DWF-6", f"the bidding is not over: nobody bid {most}, and two seats have not passed",
            f"叫分尚未结束：既无人叫 {most}，也不到两家不叫",
        )  # fmt: skip
        deal.say(fault, "bids")
    return best, best_seat


# --- hong-wu-wu-jia


def _reveal(reading: Reading, deal: Deal) -> tuple[list[int], int | None]:
    """HW-4, HW-5: the reveal, or the draw when pressed; the trump suits they allow, where they say, and the banker."""
    values = reading.values
    if values.get("redeals", 0) != 0:
        fault = Fault.of(
            FORM, f"redeals is {values['redeals']}, but this game knows no void deals",
            f"redeals 为 {values['redeals']}，但本游戏没有重新发牌",
        )  # fmt: skip
        deal.say(fault, "redeals")
    if "reveal" not in values or values.get("contract"):
        return [], None
    reveal, previous = values["reveal"], values.get("previous_banker")
    if reveal is None:
        return _pressed(reading, deal, previous)
    seat, face, after = reveal
    hands = values.get("hands")
    hand = hands[seat] if hands is not None and deal.believed else None
    fault = _reveal_fault(seat, face, after, hand, previous)
    if fault:
        deal.say(fault, "reveal", seat)
        return [], None
    fixed = face // 13
    banker, trump = values.get("banker", seat), values.get("trump", fixed)
    who, shown = text.seat_name(seat), cards([face])
    if banker != seat:
        other = text.seat_name(banker)
        fault = Fault.of(
            "HW-4", f"{who.en} revealed {shown.en}, so it is banker, not {other.en}",
            f"{who.zh}翻出 {shown.zh}，应由其坐庄，而不是{other.zh}",
        )  # fmt: skip
        if trump != fixed:  # rather the reveal is wrong than both
            right, wrong = text.suit(fixed), text.suit(trump)
            fault = Fault.of(
                "HW-4",
                f"{who.en} revealed {shown.en}, which makes it banker and {right.en} trump, but banker is {other.en} "
                f"and trump {wrong.en}",
                f"{who.zh}翻出 {shown.zh}，应由其坐庄、{right.zh}为主，但记录为{other.zh}坐庄、{wrong.zh}为主",
            )
        deal.say(fault, "banker")
    elif trump != fixed:
        deal.say(_wrong_trump("HW-4", shown, fixed, trump), "trump")
    return [fixed], seat


def _reveal_fault(
    seat: int, face: int, after: int, hand: Sequence[int] | None, previous: int | None
) -> Fault | None:
    """HW-4: a 2 held by then; in the last two rounds only the previous banker."""
    shown = cards([face])
    if FACES[face][0] != "2":
        return Fault.of("HW-4", f"only a 2 can be revealed, not {shown.en}", f"只能翻 2，不能翻 {shown.zh}")
    if not 1 <= after <= 31:
        return Fault.of(
            "HW-4", f"nobody ever holds {after} cards while the cards are dealt; a hand has 1 to 31",
            f"发牌时手中的牌为 1 至 31 张，不可能是 {after} 张",
        )  # fmt: skip
    if hand is not None and face not in hand[:after]:
        return Fault.of(
            "HW-4", f"{shown.en} was not yet in the hand after its first {after} cards",
            f"摸到第 {after} 张时手中还没有 {shown.zh}",
        )  # fmt: skip
    if after > 29 and previous is not None and seat != previous:
        who = text.seat_name(previous)
        return Fault.of(
            "HW-4", f"in the last two rounds only the previous banker, {who.en}, may reveal",
            f"最后两轮只有原庄（{who.zh}）可以翻牌",
        )  # fmt: skip
    return None


def _pressed(reading: Reading, deal: Deal, previous: int | None) -> tuple[list[int], int | None]:
    """HW-5: the previous banker is banker, trump drawn from its 2s or the bottom."""
    values = reading.values
    if previous is None:
        return [], None
    if values.get("banker", previous) != previous:
        who, told = text.seat_name(previous), text.seat_name(values["banker"])
        fault = Fault.of(
            "HW-5", f"nobody revealed, so the previous banker, {who.en}, is banker, not {told.en}",
            f"无人翻牌，应由原庄{who.zh}坐庄，而不是{told.zh}",
        )  # fmt: skip
        deal.say(fault, "banker")
        return [], previous
    if not deal.believed or "bottom" not in values:
        return [], previous
    possible = sorted(_drawable(values["hands"][previous], values["bottom"]))
    told_trump = values.get("trump")
    if told_trump is not None and told_trump not in possible:
        able = text.choice([text.suit(suit).en for suit in possible])
        wrong = text.suit(told_trump)
        fault = Fault.of(
            "HW-5", f"nobody revealed, and the draw could only make {able.en} trump, not {wrong.en}",
            f"无人翻牌，抽签只能得到 {able.zh}，而不是 {wrong.zh}",
        )  # fmt: skip
        deal.say(fault, "trump")
        return possible, previous
    return possible if len(possible) == 1 else [], previous


def _drawable(hand: Sequence[int], bottom: Sequence[int]) -> set[int]:
    """HW-5: the suits that the draw can make trump."""
    twos = {face // 13 for face in hand if face < SMALL_JOKER and face % 13 == 0}
    twos = twos or {face // 13 for face in bottom if face < SMALL_JOKER and face % 13 == 0}
    others = {face // 13 for face in bottom if face < SMALL_JOKER and face != _RED_FIVE}
    return twos or others or {_DIAMONDS}


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
    lacking = Counter(buried) - Counter(values["hands"][banker] + values["bottom"])
    if not lacking:
        return None
    shown = cards([*lacking.elements()])
    return Fault.of(
        clause, f"the banker buries {shown.en} without having it", f"庄家扣下了自己没有的 {shown.zh}"
    ).at("buried", seat=banker)  # fmt: skip


def can_be_named(face: int) -> bool:
    """HW-7: an A or K of any suit, 5h, BJ."""
    return face in (BIG_JOKER, _RED_FIVE) or (face < SMALL_JOKER and face % 13 >= _KING)


def named_fault(reading: Reading, banker: int | None, believed: bool) -> Fault | None:
    """HW-7: a face that may be named, and the copies the rules ask for."""
    values = reading.values
    named = values.get("named")
    if named is None:
        return None
    shown = cards([named])
    if not can_be_named(named):
        return Fault.of(
            "HW-7", f"{shown.en} can't be named; allowed are an A or K of any suit, 5h and BJ",
            f"不能叫 {shown.zh}；可叫任一花色的 A 或 K、♥5、大王",
        ).at("named", seat=banker)  # fmt: skip
    least = reading.ruling.rules["named_copies_min"]
    if least and believed and banker is not None and {"bottom", "buried"} <= values.keys():
        kept = (values["hands"][banker] + values["bottom"]).count(named) - values["buried"].count(named)
        if kept < least:
            return Fault.of(
                "HW-7", f"the banker keeps {kept} of {shown.en}, but must hold {least} to name it",
                f"庄家手中有 {kept} 张 {shown.zh}，须有 {least} 张才能叫",
            ).at("named", seat=banker)  # fmt: skip
    return None
