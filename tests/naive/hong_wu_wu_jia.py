"""What is particular to hong-wu-wu-jia (HW-4 to HW-16), written from the clauses alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import HAND_SIZE, HW, SEATS, SUITS, Card, Rules, effective_suit, of_suit, option

Fault = tuple[str, str]

NAMEABLE: tuple[Card, ...] = (*(rank + suit for rank in "AK" for suit in SUITS), "5h", "BJ")


def reveal_fault(
    reveal: Mapping[str, Any], hand: Sequence[Card], previous_banker: int | None
) -> Fault | None:
    """HW-4: a 2 held by then; in the last two rounds only the previous banker."""
    card, after = reveal["card"], reveal["after_card"]
    if card[0] != "2":
        return "HW-4", "only a 2 can be revealed"
    if not 1 <= after <= HAND_SIZE[HW]:
        return "HW-4", "no such moment of the deal"
    if card not in hand[:after]:
        return "HW-4", "the 2 was not held yet"
    if after > HAND_SIZE[HW] - 2 and previous_banker is not None and reveal["seat"] != previous_banker:
        return "HW-4", "in the last two rounds only the previous banker may reveal"
    return None


def pressed_trumps(hand: Sequence[Card], bottom: Sequence[Card]) -> set[str]:
    """HW-5: the trump suits the draw could have given, from the previous banker's hand and the bottom."""
    for pool in (
        [card for card in hand if card[0] == "2"],
        [card for card in bottom if card[0] == "2"],
        [card for card in bottom if card not in ("BJ", "SJ", "5h")],
    ):
        if pool:
            return {card[1] for card in pool}
    return {"d"}


def is_solo(banker_hand: Sequence[Card], bottom: Sequence[Card], named: Card) -> bool:
    """HW-8: all three copies with the banker, hand and bottom."""
    return list(banker_hand).count(named) + list(bottom).count(named) == 3


def hiding_fault(
    trump: str, hand: Sequence[Card], lead: Sequence[Card], play: Sequence[Card], named: Card
) -> Fault | None:
    """HW-9 for a play that is no ruff: copies of a named A or K outside the led suit."""
    if named[0] not in "AK":
        return None
    led = effective_suit(HW, trump, lead[0])
    if effective_suit(HW, trump, named) == led:
        return None
    rest = [card for card in hand if effective_suit(HW, trump, card) != led]
    missing = len(play) - len(of_suit(HW, trump, play, led))
    unavoidable = max(0, missing - (len(rest) - rest.count(named)))
    if list(play).count(named) > unavoidable:
        return "HW-9", f"{named} must not be thrown off while the partner is unknown"
    return None


def is_direct(
    trump: str, named: Card, banker_led: bool, lead: Sequence[Card], partner_hand: Sequence[Card]
) -> bool:
    """HW-10: a named A, played onto the banker's lead of A's and K's of its suit, not as the only choice."""
    if named == "BJ" or named[0] != "A" or not banker_led:
        return False
    if any(card not in ("A" + named[1], "K" + named[1]) for card in lead):
        return False
    same = of_suit(HW, trump, partner_hand, effective_suit(HW, trump, named))
    return any(card != named for card in same)


def grade(defender_points: int, rules: Rules) -> int:
    """HW-13: the grade of the last row whose threshold is reached."""
    reached = [row[1] for row in option(HW, rules, "grade_table") if row[0] <= defender_points]
    return reached[-1] if reached else 0


def payoffs(
    banker: int, partner: int | None, mark: int, pressed: bool, direct: bool, rules: Rules
) -> list[int]:
    """HW-14 to HW-16 and HW-10: the payoffs of a grade."""
    if partner is None:
        shares = [8 * mark if seat == banker else -2 * mark for seat in range(SEATS[HW])]
    else:
        if mark > 0:
            lead_share, partner_share, each = 2 * mark, mark, -mark
        else:
            loss = -mark
            cap = option(HW, rules, "pressed_partner_loss_cap" if pressed else "partner_loss_cap")
            partner_share = -min(loss, cap)
            lead_share, each = -(3 * loss - min(loss, cap)), loss
            if direct:
                lead_share, partner_share = partner_share, lead_share
        shares = [each] * SEATS[HW]
        shares[banker], shares[partner] = lead_share, partner_share
    return [share * option(HW, rules, "base") for share in shares]
