"""Judging a whole game record by the clauses: every field recomputed and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import die_wu_fen, hong_wu_wu_jia
from .cards import (
    BOTTOM_SIZE,
    DWF,
    FACES,
    HW,
    PACKS,
    SEATS,
    Card,
    effective_suit,
    option,
    total_points,
    without,
)
from .play import follow_fault, throw_check, trick
from .schema import Fault, is_number, is_seat, read, size_faults

Clean = Mapping[str, Any]


@dataclass
class Course:
    """What the tricks of a record amount to when recomputed."""

    taken: list[int]  # points a seat
    failed_throws: list[int] = field(default_factory=list)  # the seat, each time
    last_winner: int = 0
    last_lead: list[Card] = field(default_factory=list)
    last_winning: list[Card] = field(default_factory=list)
    partner: int | None = None
    partner_trick: int | None = None
    direct: bool = False


def check_record(record: Any) -> list[Fault]:
    """Every fault of a record as (clause, where, reason); an empty list for a clean one."""
    clean, faults = read(record)
    if not clean:
        return faults
    faults += size_faults(clean) + _pack_faults(clean)
    if clean["game"] == DWF:
        faults += _call_faults(clean) + _bid_faults(clean)
    else:
        faults += _reveal_faults(clean)
    faults += _bury_faults(clean)
    if clean["game"] == HW:
        faults += _name_faults(clean)
    needed = {"hands", "bottom", "trump", "banker", "buried", "tricks"}
    if clean["game"] == HW:
        needed.add("named")
    if needed <= clean.keys() and clean["tricks"]:
        course = play_out(clean, faults)
        faults += _score_faults(clean, course)
    elif "tricks" in clean and not clean["tricks"]:
        faults.append(("record", "tricks", "there are none"))
    return faults


def _pack_faults(clean: Clean) -> list[Fault]:
    """COM-1: every face as often as there are packs."""
    if "hands" not in clean or "bottom" not in clean:
        return []
    packs = PACKS[clean["game"]]
    counts: Counter[Card] = Counter(clean["bottom"])
    for hand in clean["hands"]:
        counts.update(hand)
    wrong = [face for face in FACES if counts[face] != packs]
    return [("COM-1", "hands", f"{face} occurs {counts[face]} times, not {packs}") for face in wrong]


def _call_faults(clean: Clean) -> list[Fault]:
    """DWF-3 to DWF-5: the call, the counter, and the trump they fix."""
    faults: list[Fault] = []
    if clean.get("redeals", 0) < 0:
        faults.append(("DWF-5", "redeals", "cannot be negative"))
    if "calls" not in clean:
        return faults
    calls = clean["calls"]
    if clean["contract"] is True:  # banker, trump and bid were given, nobody called or bid
        if calls or clean.get("bids"):
            faults.append(("record", "contract", "leaves nothing to call or bid"))
        return faults
    if not 1 <= len(calls) <= 2:
        faults.append(("DWF-3" if not calls else "DWF-4", "calls", "there are one or two"))
        return faults
    if "hands" in clean:
        for index, call in enumerate(calls):
            bad = die_wu_fen.call_fault(call, clean["hands"][call["seat"]])
            if bad:
                faults.append(("DWF-4" if index else bad[0], f"calls[{index}]", bad[1]))
    if len(calls) == 2 and "first_seat" in clean:
        bad = die_wu_fen.counter_fault(calls[0], calls[1], clean["first_seat"], clean["rules"])
        if bad:
            faults.append((bad[0], "calls[1]", bad[1]))
    suit = calls[-1]["cards"][0][1]
    if "trump" in clean and clean["trump"] != suit:
        faults.append(("DWF-4" if len(calls) == 2 else "DWF-3", "trump", f"the call made {suit} trump"))
    return faults


def _bid_faults(clean: Clean) -> list[Fault]:
    """DWF-6 and DWF-8: the bidding, the banker, the bid, its base."""
    faults: list[Fault] = []
    rules = clean["rules"]
    if "bids" in clean and clean.get("calls"):
        last = clean["calls"][-1]
        pair = len(last["cards"]) == 2
        found = die_wu_fen.bid_faults(clean["bids"], last["seat"], pair, rules)
        faults += [(clause, "bids", reason) for clause, reason in found]
    made = [entry for entry in clean.get("bids", []) if entry["bid"] is not None]
    if made:
        best = max(made, key=lambda entry: entry["bid"])
        if "banker" in clean and clean["banker"] != best["seat"]:
            faults.append(("DWF-6", "banker", f"seat {best['seat']} bid highest"))
        if "bid" in clean and clean["bid"] != best["bid"]:
            faults.append(("DWF-6", "bid", f"the highest bid was {best['bid']}"))
    if "bid" in clean and "base" in clean:
        base = die_wu_fen.base_value(clean["bid"], rules)
        if clean["base"] != base:
            faults.append(("DWF-8", "base", f"{clean['base']} instead of {base}"))
    return faults


def _reveal_faults(clean: Clean) -> list[Fault]:
    """HW-4 and HW-5: the reveal or the draw, the banker and the trump they give."""
    faults: list[Fault] = []
    if clean.get("redeals", 0) != 0:
        faults.append(("record", "redeals", "this game has no void deals"))
    if "reveal" not in clean:
        return faults
    reveal, previous = clean["reveal"], clean.get("previous_banker")
    if clean["contract"] is True:  # banker and trump were given, nobody revealed
        if reveal is not None:
            faults.append(("record", "contract", "leaves nothing to reveal"))
        return faults
    if reveal is not None:
        if "hands" in clean:
            bad = hong_wu_wu_jia.reveal_fault(reveal, clean["hands"][reveal["seat"]], previous)
            if bad:
                faults.append((bad[0], "reveal", bad[1]))
        if "banker" in clean and clean["banker"] != reveal["seat"]:
            faults.append(("HW-4", "banker", f"seat {reveal['seat']} revealed"))
        if "trump" in clean and clean["trump"] != reveal["card"][1]:
            faults.append(("HW-4", "trump", f"{reveal['card']} was revealed"))
        return faults
    if previous is None:
        return faults
    if "banker" in clean and clean["banker"] != previous:
        faults.append(("HW-5", "banker", f"pressed, so the previous banker, seat {previous}"))
    if {"trump", "hands", "bottom"} <= clean.keys():
        able = hong_wu_wu_jia.pressed_trumps(clean["hands"][previous], clean["bottom"])
        if clean["trump"] not in able:
            faults.append(("HW-5", "trump", "the draw could only give " + ", ".join(sorted(able))))
    return faults


def _bury_faults(clean: Clean) -> list[Fault]:
    """DWF-7, HW-6: as many cards as the bottom had, out of the banker's hand with the bottom."""
    clause = "DWF-7" if clean["game"] == DWF else "HW-6"
    if "buried" not in clean:
        return []
    buried = clean["buried"]
    if len(buried) != BOTTOM_SIZE[clean["game"]]:
        return [(clause, "buried", f"{len(buried)} cards instead of {BOTTOM_SIZE[clean['game']]}")]
    if not {"hands", "bottom", "banker"} <= clean.keys():
        return []
    if without(clean["hands"][clean["banker"]] + clean["bottom"], buried) is None:
        return [(clause, "buried", "the banker did not have these cards")]
    return []


def _name_faults(clean: Clean) -> list[Fault]:
    """HW-7 and HW-8: the named face, and whether it makes a solo."""
    faults: list[Fault] = []
    if "named" not in clean:
        return faults
    named = clean["named"]
    if named not in hong_wu_wu_jia.NAMEABLE:
        faults.append(("HW-7", "named", f"{named} cannot be named"))
    if {"hands", "bottom", "banker", "buried"} <= clean.keys():
        hand = clean["hands"][clean["banker"]]
        kept = without(hand + clean["bottom"], clean["buried"]) or []
        least = option(HW, clean["rules"], "named_copies_min")
        # naming is compulsory: with no nameable face held so often, any may be named
        if kept.count(named) < least <= max(map(kept.count, hong_wu_wu_jia.NAMEABLE)):
            faults.append(("HW-7", "named", "the banker does not hold enough copies"))
    return faults


def play_out(clean: Clean, faults: list[Fault]) -> Course:
    """COM-9 to COM-18: go through the tricks, noting what is wrong and what they amount to."""
    game, trump, banker, rules = clean["game"], clean["trump"], clean["banker"], clean["rules"]
    seats = SEATS[game]
    hands = [list(hand) for hand in clean["hands"]]
    hands[banker] += clean["bottom"]
    _remove(hands[banker], clean["buried"])
    named = clean.get("named")
    course = Course(taken=[0] * seats)
    leader = banker
    for number, entry in enumerate(clean["tricks"]):
        where = f"trick {number}"
        plays = entry["plays"]
        if entry.get("leader") != leader:
            clause = "COM-18" if number else ("DWF-7" if game == DWF else "HW-11")
            faults.append((clause, f"{where} leader", f"seat {leader} leads, not {entry.get('leader')}"))
        if is_seat(entry.get("leader"), game):
            leader = entry["leader"]
        order = [(leader + step) % seats for step in range(seats)]
        turns = [play["seat"] for play in plays]
        if turns != order:
            clause = "DWF-1" if game == DWF else "HW-1"
            faults.append((clause, f"{where} plays", f"seats {turns} instead of {order}"))
        lead = plays[0]["cards"]
        sound = _lead_ok(clean, hands, plays[0], where, faults, course)
        for index, play in enumerate(plays):
            seat, cards = play["seat"], play["cards"]
            at = f"{where} seat {seat}"
            if index:
                if "attempt" in play:
                    faults.append(("COM-10", at, "only a lead can be a failed throw"))
                hidden = game == HW and seat != banker and course.partner is None
                bound = named if hidden else None
                if sound:
                    bad = follow_fault(game, trump, hands[seat], lead, cards, rules, bound)
                    if bad:
                        faults.append((bad[0], at, bad[1]))
            if game == HW and course.partner is None and seat != banker and named in cards:
                course.partner, course.partner_trick = seat, number
                course.direct = index > 0 and hong_wu_wu_jia.is_direct(
                    trump, str(named), turns[0] == banker, lead, hands[seat]
                )
            _remove(hands[seat], cards)
        cards_played = [play["cards"] for play in plays]
        winner, ruffed, worth = trick(game, trump, cards_played, rules) if sound else (0, False, 0)
        if sound:
            clause = "COM-17" if ruffed else "COM-16"
            _compare(faults, entry, "winner", turns[winner], clause, f"{where} winner")
            _compare(faults, entry, "points", worth, "COM-2", f"{where} points")
        course.taken[turns[winner]] += worth
        leader = course.last_winner = turns[winner]
        course.last_lead, course.last_winning = lead, cards_played[winner]
    for seat, hand in enumerate(hands):
        if hand:
            faults.append(("record", "tricks", f"seat {seat} has {len(hand)} cards left at the end"))
    return course


def _remove(hand: list[Card], cards: Sequence[Card]) -> None:
    """Take cards out of a hand, as far as they are there."""
    for card in cards:
        if card in hand:
            hand.remove(card)


def _lead_ok(
    clean: Clean,
    hands: Sequence[Sequence[Card]],
    play: Mapping[str, Any],
    where: str,
    faults: list[Fault],
    course: Course,
) -> bool:
    """COM-9 and COM-10: the lead's faults; False if it is no lead at all."""
    game, trump, rules, seat = clean["game"], clean["trump"], clean["rules"], play["seat"]
    at = f"{where} seat {seat}"
    meant, cards = play.get("attempt", play["cards"]), play["cards"]
    for part in (meant, cards):
        if max(Counter(part).values()) > PACKS[game]:
            faults.append(("COM-1", at, "more identical cards than there are packs"))
            return False
        if len({effective_suit(game, trump, card) for card in part}) > 1:
            faults.append(("COM-9", at, "a lead is of one effective suit"))
            return False
    if without(hands[seat], meant) is None or without(hands[seat], cards) is None:
        faults.append(("COM-9", at, "not all of these cards are in the hand"))
    others = [hand for other, hand in enumerate(hands) if other != seat]
    stands, forced = throw_check(game, trump, meant, others, rules)
    if "attempt" not in play:
        if not stands:
            faults.append(("COM-10", at, f"the throw fails, {forced} must be played"))
        return True
    course.failed_throws.append(seat)
    if stands:
        faults.append(("COM-10", at, "the attempt does not fail"))
    elif sorted(forced) != sorted(cards):
        faults.append(("COM-10", at, f"{forced} must be played"))
    return True


def _compare(
    faults: list[Fault], holder: Mapping[str, Any], key: str, due: Any, clause: str, where: str | None = None
) -> None:
    """A fault if a field does not hold what it must; a field missing from the record was reported already."""
    if where is None and key not in holder:
        return
    value = holder.get(key)
    numeric = is_number(due) and is_number(value)
    same = value == due if numeric else type(value) is type(due) and value == due
    if not same:
        faults.append((clause, where or key, f"{value} instead of {due}"))


def _score_faults(clean: Clean, course: Course) -> list[Fault]:
    """Compare everything the scoring gives with what the record says."""
    faults: list[Fault] = []
    worth = total_points(clean["buried"], clean["rules"])
    for key, (clause, due) in due_scores(clean, course).items():
        if key == "bottom_multiplier" and clean.get(key) == 0 and worth == 0:
            continue  # record.md: a bottom without points awards none, whoever won the last trick
        _compare(faults, clean, key, due, clause)
    return faults


def due_scores(clean: Clean, course: Course) -> dict[str, tuple[str, Any]]:
    """DWF-14 to DWF-18, HW-7 to HW-16: the scoring's fields, each as (clause, value)."""
    return _due_dwf(clean, course) if clean["game"] == DWF else _due_hw(clean, course)


def _due_dwf(clean: Clean, course: Course) -> dict[str, tuple[str, Any]]:
    banker, rules = clean["banker"], clean["rules"]
    captured = sum(course.taken) - course.taken[banker]
    worth = total_points(clean["buried"], rules)
    multiplier = 0
    if course.last_winner != banker:
        lead, winning = course.last_lead, course.last_winning
        multiplier = die_wu_fen.bottom_multiplier(clean["trump"], lead, winning, rules)
    total = captured + worth * multiplier
    due = {
        "captured": ("DWF-14", captured),
        "bottom_points": ("DWF-15", worth),
        "bottom_multiplier": ("DWF-15", multiplier),
        "defender_points": ("DWF-15", total),
    }
    if "bid" not in clean:
        return due
    base = die_wu_fen.base_value(clean["bid"], rules)
    result, shutout = die_wu_fen.outcome(clean["bid"], total, rules)
    extra = die_wu_fen.penalties(banker, course.failed_throws, base, rules)
    shares = die_wu_fen.payoffs(banker, base, result, shutout, extra, rules)
    return due | {
        "result": ("DWF-16", result),
        "shutout": ("DWF-16", shutout),
        "penalties": ("DWF-18", extra),
        "payoffs": ("DWF-17", shares),
    }


def is_pressed(clean: Clean) -> bool:
    """HW-5: nobody revealed, though somebody could have."""
    return clean["reveal"] is None and not clean.get("contract")


def _due_hw(clean: Clean, course: Course) -> dict[str, tuple[str, Any]]:
    banker, rules = clean["banker"], clean["rules"]
    solo = hong_wu_wu_jia.is_solo(clean["hands"][banker], clean["bottom"], clean["named"])
    side = {banker} if course.partner is None else {banker, course.partner}
    captured = sum(won for seat, won in enumerate(course.taken) if seat not in side)
    worth = total_points(clean["buried"], rules)
    multiplier = 0
    if course.last_winner not in side:
        multiplier = option(HW, rules, "solo_bottom_multiplier" if solo else "bottom_multiplier")
    total = captured + worth * multiplier
    mark = hong_wu_wu_jia.grade(total, rules)
    due = {
        "solo": ("HW-8", solo),
        "partner": ("HW-7", course.partner),
        "partner_trick": ("HW-7", course.partner_trick),
        "direct": ("HW-10", course.direct),
        "captured": ("HW-12", captured),
        "bottom_points": ("HW-12", worth),
        "bottom_multiplier": ("HW-12", multiplier),
        "defender_points": ("HW-12", total),
        "grade": ("HW-13", mark),
    }
    if "reveal" not in clean:
        return due
    shares = hong_wu_wu_jia.payoffs(banker, course.partner, mark, is_pressed(clean), course.direct, rules)
    return due | {"payoffs": ("HW-15" if solo else "HW-14", shares)}
