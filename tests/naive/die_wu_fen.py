"""What is particular to die-wu-fen (DWF-3 to DWF-18), written from the clauses alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .cards import DWF, HAND_SIZE, SEATS, Card, Rules, effective_suit, level, of_suit, option
from .shapes import SINGLE, is_ruff, types_of

Fault = tuple[str, str]


def forced_branch(trump: str, hand: Sequence[Card], lead: Sequence[Card], rules: Rules) -> str | None:
    """DWF-11: which branch (DWF-11a to DWF-11d) binds this follower, None if the missing cards are free."""
    scope = option(DWF, rules, "forced_trump")
    led = effective_suit(DWF, trump, lead[0])
    types = types_of(DWF, trump, lead)
    if scope == "off" or led == "t" or len(lead) < 2:
        return None
    if scope == "throw" and len(types) < 2:
        return None
    held = len(of_suit(DWF, trump, hand, led))
    missing = len(lead) - held
    if missing <= 0:
        return None
    if len(of_suit(DWF, trump, hand, "t")) <= missing:
        return "DWF-11a"
    if all(kind == SINGLE for kind in types):
        return "DWF-11b"
    return "DWF-11c" if held else "DWF-11d"


def _levels(trump: str, cards: Sequence[Card]) -> list[int]:
    return sorted((level(DWF, trump, card) for card in cards), reverse=True)


def highest_by_level(trump: str, trumps: Sequence[Card], given: Sequence[Card]) -> bool:
    """DWF-11c: the given trumps are the highest by level; which of equal ones is free."""
    return _levels(trump, given) == _levels(trump, trumps)[: len(given)]


def pairs_first(trump: str, trumps: Sequence[Card], given: Sequence[Card]) -> bool:
    """DWF-11d: highest pairs while two are missing, then unpaired trumps, then the highest of the rest."""
    held, put = Counter(trumps), Counter(given)
    paired = [face for face in held if held[face] == 2]
    unpaired = [face for face in held if held[face] == 1]
    pairs_due = min(len(paired), len(given) // 2)
    missing = len(given) - 2 * pairs_due
    unpaired_due = min(len(unpaired), missing)
    rest_due = missing - unpaired_due

    put_pairs = [face for face in paired if put[face] == 2]
    put_unpaired = [face for face in unpaired if put[face]]
    put_rest = [face for face in paired if put[face] == 1]
    return (
        _levels(trump, put_pairs) == _levels(trump, paired)[:pairs_due]
        and _levels(trump, put_unpaired) == _levels(trump, unpaired)[:unpaired_due]
        and _levels(trump, put_rest) == _levels(trump, paired)[pairs_due : pairs_due + rest_due]
    )


def forced_trump_fault(
    trump: str, hand: Sequence[Card], lead: Sequence[Card], play: Sequence[Card], rules: Rules
) -> Fault | None:
    """DWF-11: what is wrong with the cards a short or void follower fills up with."""
    branch = forced_branch(trump, hand, lead, rules)
    if branch is None:
        return None
    trumps = of_suit(DWF, trump, hand, "t")
    given = of_suit(DWF, trump, play, "t")
    missing = len(lead) - len(of_suit(DWF, trump, hand, effective_suit(DWF, trump, lead[0])))
    if branch == "DWF-11a":
        return None if len(given) == len(trumps) else (branch, "every trump must be played")
    if len(given) != missing:
        return branch, f"the {missing} missing cards must be trumps"
    if branch == "DWF-11b":
        return None
    if branch == "DWF-11c":
        return None if highest_by_level(trump, trumps, given) else (branch, "the highest trumps must fill up")
    if option(DWF, rules, "forced_trump_binds") == "discards" and is_ruff(DWF, trump, lead, play):
        return None
    if option(DWF, rules, "void_order") == "by-level":
        ok = highest_by_level(trump, trumps, given)
    else:
        ok = pairs_first(trump, trumps, given)
    return None if ok else (branch, "neither a ruff nor the discard the order of trumps asks for")


def call_fault(call: Mapping[str, Any], hand: Sequence[Card]) -> Fault | None:
    """DWF-3: a call is one 3 or two 3s of a suit, held by then."""
    cards = call["cards"]
    if len(cards) not in (1, 2) or cards[0][0] != "3" or len(set(cards)) != 1:
        return "DWF-3", "a call is one 3 or a pair of 3s"
    if not 1 <= call["after_card"] <= HAND_SIZE[DWF]:
        return "DWF-3", "no such moment of the deal"
    if hand[: call["after_card"]].count(cards[0]) < len(cards):
        return "DWF-3", "the caller did not hold these cards yet"
    return None


def counter_fault(
    call: Mapping[str, Any], counter: Mapping[str, Any], first_seat: int, rules: Rules
) -> Fault | None:
    """DWF-4: another seat's pair of 3s over a one-3 call, at a moment at which that seat was still asked."""
    if not option(DWF, rules, "counter"):
        return "DWF-4", "this rule set knows no counter"
    if len(call["cards"]) != 1:
        return "DWF-4", "a pair call cannot be countered"
    if counter["seat"] == call["seat"]:
        return "DWF-4", "the caller cannot counter its own call"
    if len(counter["cards"]) != 2:
        return "DWF-4", "a counter takes a pair of 3s"
    if counter["cards"][0] == call["cards"][0]:
        return "DWF-4", "a counter takes another suit"
    if counter["after_card"] == HAND_SIZE[DWF]:
        return None  # everyone else is asked once more after the last card

    def moment(entry: Mapping[str, Any]) -> tuple[int, int]:
        return entry["after_card"], (entry["seat"] - first_seat) % SEATS[DWF]

    if moment(counter) <= moment(call):
        return "DWF-4", "this seat was asked at that card before the call was made"
    return None


def bid_faults(bids: Sequence[Mapping[str, Any]], opener: int, pair: bool, rules: Rules) -> list[Fault]:
    """DWF-6: opening, turns, steps, final passes and the end of the bidding."""
    faults: list[Fault] = []
    step, most = option(DWF, rules, "bid_step"), option(DWF, rules, "bid_max")
    least = option(DWF, rules, "opening_bid_pair" if pair else "opening_bid_single")
    highest: int | None = None
    passed: set[int] = set()
    turn = opener
    for index, entry in enumerate(bids):
        if highest == most or len(passed) == 2:
            faults.append(("DWF-6", f"entry {index}: the bidding was already over"))
            break
        while turn in passed:
            turn = (turn + 1) % SEATS[DWF]
        seat, bid = entry["seat"], entry["bid"]
        if seat != turn:
            faults.append(("DWF-6", f"entry {index}: seat {seat} spoke, it was the turn of seat {turn}"))
        if bid is None:
            if highest is None:
                faults.append(("DWF-6", "the provisional banker must bid"))
            passed.add(seat)
        else:
            if (bid - 100) % step or bid > most:
                faults.append(("DWF-6", f"entry {index}: {bid} is no possible bid"))
            if highest is None and bid < least:
                faults.append(("DWF-6", f"the opening bid must be at least {least}"))
            if highest is not None and bid <= highest:
                faults.append(("DWF-6", f"entry {index}: {bid} is no raise"))
            highest = bid if highest is None else max(highest, bid)
        turn = (seat + 1) % SEATS[DWF]
    if highest is None or (highest < most and len(passed) < 2):
        faults.append(("DWF-6", "the bidding is not finished"))
    return faults


def base_value(bid: int, rules: Rules) -> int:
    """DWF-8: the base value of a bid; between the tens that of the lower ten, at least the first."""
    table: list[int] = option(DWF, rules, "base_table")
    return table[min(max((bid - 100) // 10, 1), len(table)) - 1]


def bottom_multiplier(trump: str, lead: Sequence[Card], winning: Sequence[Card], rules: Rules) -> int:
    """DWF-15: what the bottom counts when a defender's play won the last trick; 0 without trumps."""
    if any(effective_suit(DWF, trump, card) != "t" for card in winning):
        return 0
    deciding = winning if option(DWF, rules, "bottom_shape") == "winner" else lead
    paired = any(copies >= 2 for copies in Counter(deciding).values())
    return int(option(DWF, rules, "bottom_multiplier" if paired else "bottom_multiplier_single"))


def outcome(bid: int, defender_points: int, rules: Rules) -> tuple[str, bool]:
    """DWF-16: ("made" or "broken", whether it is a shutout)."""
    if defender_points == 0:
        return "made", True
    if defender_points < option(DWF, rules, "made_total") - bid:
        return "made", False
    return "broken", defender_points >= option(DWF, rules, "shutout_total") - bid


def penalties(banker: int, failed_throws: Sequence[int], base: int, rules: Rules) -> list[int]:
    """DWF-18: what failed throws (seats, one entry each time) cost and bring each seat."""
    result = [0] * SEATS[DWF]
    defenders = [seat for seat in range(SEATS[DWF]) if seat != banker]
    for thrower in failed_throws:
        if thrower == banker:
            each = base * option(DWF, rules, "banker_throw_penalty")
        else:
            each = -base * option(DWF, rules, "defender_throw_penalty")
        for seat in defenders:
            result[seat] += each
            result[banker] -= each
    return result


def payoffs(
    banker: int, base: int, result: str, shutout: bool, extra: Sequence[int], rules: Rules
) -> list[int]:
    """DWF-17 and DWF-18: the payoffs of the result, with the penalties on top."""
    each = base * (option(DWF, rules, "shutout_multiplier") if shutout else 1)
    sign = 1 if result == "made" else -1
    shares = [2 * sign * each if seat == banker else -sign * each for seat in range(SEATS[DWF])]
    return [share + more for share, more in zip(shares, extra, strict=True)]
