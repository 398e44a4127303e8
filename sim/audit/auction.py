"""Calls and bids of a die-wu-fen record (DWF-3 to DWF-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cards import FACES
from ..fault import Fault
from ..reasons import cards
from ..text import Text
from . import sentences as text
from .values import FORM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .deal import Deal
    from .read import Reading


def calls(reading: Reading, deal: Deal) -> int | None:
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
        wrong = _call_fault("DWF-4" if index else "DWF-3", shown, after, hand)
        if wrong:
            deal.say(wrong, f"calls[{index}]", seat)
    if len(calls) == 2 and len(deal.faults) == before:
        wrong = _counter_fault(calls[0], calls[1], values.get("first_seat"), reading.ruling.rules.values)
        if wrong:
            deal.say(wrong, "calls[1]", calls[1][0])
    if len(deal.faults) > before:
        return None
    fixed: int = calls[-1][1][0] // 13
    told = values.get("trump")
    if told is not None and told != fixed:
        clause = "DWF-4" if len(calls) == 2 else "DWF-3"
        deal.say(text.wrong_trump(clause, cards(calls[-1][1]), fixed, told), "trump")
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


def bids(reading: Reading, deal: Deal) -> int | None:
    """DWF-6: the bidding; the seat that bid highest."""
    values = reading.values
    options: Mapping[str, Any] = reading.ruling.rules.values
    bids = values.get("bids")
    if bids is None or values.get("contract"):
        _possible(values.get("bid"), options, deal)
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


def _possible(bid: int | None, options: Mapping[str, Any], deal: Deal) -> None:
    """DWF-6: a bid of which nobody knows how it came about is at least one that can be made."""
    step, most = options["bid_step"], options["bid_max"]
    least = min(options["opening_bid_pair"], options["opening_bid_single"])
    if bid is not None and (bid % step or not least <= bid <= most):
        fault = Fault.of(
            "DWF-6", f"{bid} is no possible bid: bids go by {step} from {least} to {most}",
            f"不能叫 {bid}：叫分以 {step} 为一级，从 {least} 到 {most}",
        )  # fmt: skip
        deal.say(fault, "bid")


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
