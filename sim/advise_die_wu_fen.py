"""What a hand of die-wu-fen knows and may do: calling, countering, bidding, burying."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .advise_situation import (
    Choice,
    Known,
    Shown,
    Situation,
    bottom_of,
    burials_of,
    cards_of,
    full_hand,
    not_too_many,
    refuse,
    seat_of,
    shown_by,
)
from .cards import SUITS, CardError, format_cards, parse_suit
from .errors import UsageError
from .given import checked
from .text import clip

if TYPE_CHECKING:
    from .games import Game
    from .rules import RuleSet

PHASES = ("call", "counter", "bid", "bury")


def _three(suit: int) -> int:
    return suit * 13 + 1


class _Reader:
    """Reads one situation."""

    def __init__(self, game: Game, rules: RuleSet, known: Known) -> None:
        self.game, self.rules, self.known = game, rules, known
        refuse(known, ("previous_banker", "pressed"), f"there is no such thing in {game.name}")
        self.me = seat_of(game, known.seat, "seat")
        self.first = seat_of(game, known.first_seat, "first-seat")
        self.hand = cards_of(game, known.hand, "hand")
        self.held: list[list[int]] = [[] for _ in range(game.seats + 1)]
        self.fields = {
            "ME": self.me, "FIRST": self.first, "HELD": len(self.hand), "CALLER": -1, "CALL_SIZE": 0, "CALL_SUIT": 0,
            "COUNTERER": -1, "COUNTER_SUIT": 0, "TRUMP": -1, "BANKER": -1, "BID": 0, "BIDS": 0,
            "NEWS": int(known.news), "CALL_LOW": 1, "CALL_HIGH": game.hand_size, "COUNTER_LOW": 1,
            "COUNTER_HIGH": game.hand_size,
        }  # fmt: skip

    def read(self) -> Situation:
        shown = shown_by(self.game, self.known)
        if self.known.trump is None and not shown:
            return self._calling()
        full_hand(self.game, self.hand)
        trump = self._calls(shown)
        bottom = bottom_of(self.game, self.known)
        self.held[self.me] = self.hand
        self.held[self.game.seats] = bottom
        not_too_many(self.game, self.held)
        if self.known.bids is None and not bottom and self._opener != self.me:
            return self._countering(trump)
        return self._bidding(trump, bottom)

    def _made(
        self, phase: str, choices: list[Choice], shown: dict[str, object] | None = None, **more: Any
    ) -> Situation:
        """The situation; ``shown``: what is told about it besides hand and seat."""
        ordered = (self.me,) if phase == "call" else ()  # the cards to come come later
        given = checked(self.game, self.held, ordered=ordered)
        assert given is not None
        about: dict[str, object] = {"hand": format_cards(sorted(self.hand)), "seat": self.me}
        if self.known.news:
            about["news"] = True
        if self.first >= 0:
            about["first_seat"] = self.first
        if self.known.revealed:
            about["revealed"] = list(self.known.revealed)
        about |= {key: value for key, value in (shown or {}).items() if value is not None}
        self.fields["PHASE"] = PHASES.index(phase)
        hint = self._hint() if phase != "call" else ""
        self.fields["PLACE"] = int(self.known.news and phase != "call")
        return Situation(phase, self.me, self.fields, tuple(choices), given, about=about, hint=hint, **more)

    def _hint(self) -> str:
        """What to tell when few worlds agree with the news: unless that is told, its own policy must agree."""
        at = self.fields
        told, who, cards = at["CALL_LOW"] == at["CALL_HIGH"], at["CALLER"], [_three(at["CALL_SUIT"])]
        cards *= at["CALL_SIZE"]
        if told and at["COUNTERER"] == self.me:
            told, who = at["COUNTER_LOW"] == at["COUNTER_HIGH"], self.me
            cards = [_three(at["COUNTER_SUIT"])] * 2
        shown = f"{who}:{format_cards(cards)}"
        return "" if told else f'say with how many cards it was shown, like --revealed "{shown}@14", or '

    def _calling(self) -> Situation:
        refuse(self.known, ("bids", "bottom", "bury"), "it goes with --trump")
        if not 1 <= len(self.hand) <= self.game.hand_size:
            raise UsageError(
                f"hand: these are {len(self.hand)} cards; allowed are 1 to {self.game.hand_size}"
            )
        self.held[self.me] = self.hand
        choices = []
        for suit, letter in enumerate(SUITS):
            copies = self.hand.count(_three(suit))
            choices += [Choice("call", letter, suit + 1)] * (copies > 0)
            choices += [Choice("call-pair", letter, suit + 5)] * (copies > 1)
        if not choices:
            raise UsageError("hand: it has no 3 to call with (DWF-3); give --trump once somebody has called")
        return self._made("call", [*choices, Choice("wait", "", 0)])

    def _calls(self, shown: list[Shown]) -> int:
        """Who called and countered; the trump suit."""
        for each in shown:
            if (
                len(set(each.faces)) != 1
                or len(each.faces) > 2
                or each.faces[0] % 13 != 1
                or each.faces[0] >= 52
            ):
                raise UsageError(
                    f"revealed: seat {each.seat} can't call with {format_cards(each.faces)}; "
                    "write one 3 or a pair of 3s"
                )
        if len(shown) > 2 or (len(shown) == 2 and not self._counters(*shown)):
            raise UsageError(
                "revealed: after one 3 another seat may counter with a pair of 3s of another suit, once (DWF-4); "
                "give the call, then the counter"
            )
        trump = shown[-1].faces[0] // 13 if shown else -1
        if self.known.trump is not None:
            try:
                named = parse_suit(self.known.trump)
            except CardError as error:
                raise UsageError(f"trump: {error}") from None
            if shown and named != trump:
                raise UsageError(f"trump: {SUITS[named]} is not what was revealed, which is {SUITS[trump]}")
            trump = named
        if not shown:  # who opens has called, with one 3 for all that is known
            opener = self.me
            if self.known.bids is not None:
                opener = self._bids_given()[0][0]
            shown = [Shown(opener, (_three(trump),), 1, self.game.hand_size, timed=False)]
        for each in shown:
            if each.seat != self.me:
                self.held[each.seat] += each.faces
            elif self.hand.count(each.faces[0]) < len(each.faces):
                raise UsageError(
                    f"hand: seat {each.seat} showed {format_cards(each.faces)}, but that is not in its hand; trump is "
                    "fixed by who holds a 3 (DWF-3): say with --revealed who called"
                )
        call, *counter = shown
        self.fields |= {
            "CALLER": call.seat, "CALL_SIZE": len(call.faces), "CALL_SUIT": call.faces[0] // 13, "TRUMP": trump,
            "CALL_LOW": call.low, "CALL_HIGH": call.high,
        }  # fmt: skip
        for each in counter:
            self.fields |= {
                "COUNTERER": each.seat, "COUNTER_SUIT": trump, "COUNTER_LOW": each.low, "COUNTER_HIGH": each.high,
            }  # fmt: skip
        self._opener = shown[-1].seat
        return trump

    def _counters(self, call: Shown, counter: Shown) -> bool:
        """Whether the second can counter the first."""
        if not self.rules["counter"]:
            raise UsageError("revealed: these rules know no counter (counter = false); give the call alone")
        if counter.high < call.low:
            raise UsageError(
                f"revealed: a counter comes after the call; with {counter.high} cards in hand it came before"
            )
        sizes = len(call.faces), len(counter.faces)
        return sizes == (1, 2) and call.seat != counter.seat and call.faces[0] != counter.faces[0]

    def _countering(self, trump: int) -> Situation:
        suits = [suit for suit in range(4) if self.hand.count(_three(suit)) == 2]
        allowed = self.rules["counter"] and self.fields["CALL_SIZE"] == 1
        if not suits or not allowed or self.fields["COUNTERER"] >= 0:
            raise UsageError(
                f"bid-so-far: seat {self._opener} opens the bidding and this hand can't counter; give the bids so far, "
                f"like {self._opener}:{self._opening()}"
            )
        choices = [Choice("counter", SUITS[suit], suit + 5) for suit in suits]
        return self._made("counter", [*choices, Choice("pass", "", 0)], {"trump": SUITS[trump]})

    def _opening(self) -> int:
        pair = self.fields["CALL_SIZE"] == 2 or self.fields["COUNTERER"] >= 0
        return int(self.rules["opening_bid_pair" if pair else "opening_bid_single"])

    def _bids_given(self) -> list[tuple[int, int]]:
        """The words of ``--bid-so-far``: seat and bid, 0 for a pass."""
        found = []
        for word in re.split(r"[\s,]+", (self.known.bids or "").strip()):
            seat, _, bid = word.partition(":")
            if not re.fullmatch(r"[0-9]", seat) or not re.fullmatch(r"[0-9]{1,3}|pass|过", bid):
                raise UsageError(f"bid-so-far: {clip(word)} is no bid; write them like 1:110 2:pass 0:120")
            found.append((seat_of(self.game, int(seat), "bid-so-far"), int(bid) if bid.isdecimal() else 0))
        return found

    def _bidding(self, trump: int, bottom: list[int]) -> Situation:
        """DWF-6, from the bids so far."""
        lowest, most, step = self._opening(), self.rules["bid_max"], self.rules["bid_step"]
        grid = range(self.rules["opening_bid_single"], most + 1, step)
        turn, bidder, highest, passed = self._opener, -1, 0, set[int]()
        bids = [] if self.known.bids is None else self._bids_given()
        for seat, bid in bids:
            if self._is_over(highest, passed) or seat != turn:
                whose = (
                    "the bidding is over" if self._is_over(highest, passed) else f"it is seat {turn}'s turn"
                )
                raise UsageError(f"bid-so-far: {seat}:{bid or 'pass'} can't be, {whose} (DWF-6)")
            if (bid == 0 and not highest) or (bid and (bid not in grid or bid < lowest or bid <= highest)):
                least = max(lowest, highest + step)
                raise UsageError(
                    f"bid-so-far: seat {seat} can't {f'bid {bid}' if bid else 'pass'} here; "
                    f"allowed are {'' if not highest else 'pass and '}bids from {least} to {most} (DWF-6)"
                )
            if bid:
                bidder, highest = seat, bid
            else:
                passed.add(seat)
            turn = next(s % 3 for s in range(seat + 1, seat + 4) if s % 3 not in passed)
        words = self.known.bids and " ".join(f"{seat}:{bid or 'pass'}" for seat, bid in bids)
        shown: dict[str, object] = {"trump": SUITS[trump], "bid_so_far": words}
        log = tuple(seat * 1024 + bid for seat, bid in bids)
        self.fields |= {"BIDS": len(bids)}
        over = self._is_over(highest, passed)
        if bottom:
            if not over or bidder != self.me:
                raise UsageError(
                    f"bottom: seat {self.me} has not won the bidding, so it has not taken the bottom; give the whole "
                    "bidding with --bid-so-far"
                )
            self.fields |= {"BANKER": bidder, "BID": highest}
            cards = [*self.hand, *bottom]
            shown |= {"bottom": format_cards(sorted(bottom)), "bid": highest}
            return self._made(
                "bury", [], shown, hand=tuple(sorted(self.hand)), bottom=tuple(sorted(bottom)), log=log,
                burials=burials_of(self.game, self.known, cards),
            )  # fmt: skip
        refuse(self.known, ("bury",), "it goes with --bottom")
        if over:
            raise UsageError(
                f"bid-so-far: the bidding is over, seat {bidder} is banker; give --bottom for advice on burying"
            )
        if turn != self.me:
            raise UsageError(f"bid-so-far: it is seat {turn}'s turn, not that of seat {self.me}")
        choices = [Choice("pass", "", 0)] if highest else []
        least = max(lowest, highest + 1)
        choices += [Choice("bid", str(bid), bid) for bid in grid if bid >= least]
        return self._made("bid", choices, shown, log=log)

    def _is_over(self, highest: int, passed: set[int]) -> bool:
        return highest >= self.rules["bid_max"] or (highest > 0 and len(passed) >= 2)


def situation(game: Game, rules: RuleSet, known: Known) -> Situation:
    """The decision a hand is to make; `UsageError` for what can't be."""
    return _Reader(game, rules, known).read()
