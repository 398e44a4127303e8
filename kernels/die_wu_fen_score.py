"""Scoring die-wu-fen: from the finished play to the columns of a row."""

from __future__ import annotations

from . import view
from ._jit import kernel
from .bits import popcount
from .layout import MASK, RULES, TRUMP, points

SEAT_COUNT = 3

# Rule options, offsets in a layout.
BOTTOM_BY_LEAD, BOTTOM_PAIRED, BOTTOM_SINGLE = RULES + 4, RULES + 5, RULES + 6
BANKER_PENALTY, DEFENDER_PENALTY = RULES + 7, RULES + 8
MADE_TOTAL, SHUTOUT_TOTAL, SHUTOUT_MULTIPLIER = RULES + 9, RULES + 10, RULES + 11
BASE_TABLE = RULES + 13  # 10 entries, bids 110, 120 .. 200

# What a deal leaves behind: rows of the chunk's int16 matrix.
COLUMNS = (
    "first_seat trump banker banker_trumps banker_trump_pairs bottom_points bottom_multiplier captured "
    "defender_points throws failed_throws tricks last_winner payoff_0 payoff_1 payoff_2 redeals caller call_size "
    "call_after countered opener bid base bids_made result shutout penalty_0 penalty_1 penalty_2"
).split()
(
    FIRST_SEAT, TRUMP_SUIT, BANKER, BANKER_TRUMPS, BANKER_TRUMP_PAIRS, BOTTOM_POINTS, BOTTOM_MULTIPLIER, CAPTURED,
    DEFENDER_POINTS, THROWS, FAILED_THROWS, TRICKS, LAST_WINNER, PAYOFF, _P1, _P2, REDEALS, CALLER, CALL_SIZE,
    CALL_AFTER, COUNTERED, OPENER, BID, BASE, BIDS_MADE, RESULT, SHUTOUT, PENALTY, _Q1, _Q2,
) = range(len(COLUMNS))  # fmt: skip


@kernel()
def base_value(lay, bid):
    """DWF-8: the base value of a bid."""
    return lay[BASE_TABLE + max(0, min(9, (bid - 110) // 10))]


@kernel(inline=True)
def count_points(pub, own, lay):
    """DWF-14, DWF-15: points captured, points buried, and how often these count for the defenders."""
    banker = pub[view.BANKER]
    captured = 0
    for seat in range(SEAT_COUNT):
        if seat != banker:
            captured += pub[view.TAKEN + seat]
    at = banker * view.OWN_SIZE + view.BURIED
    bottom = points(own[at], own[at + 1], 0, lay)
    multiplier = 0
    winner = view.PLAY + 3 * pub[view.BEST_SEAT]
    if pub[view.BEST_SEAT] != banker and pub[winner] & ~lay[MASK + TRUMP] == 0:  # DWF-15
        decides = view.PLAY + 3 * pub[view.LAST_LEADER] if lay[BOTTOM_BY_LEAD] else winner
        multiplier = lay[BOTTOM_PAIRED] if pub[decides + 1] else lay[BOTTOM_SINGLE]
    return captured, bottom, multiplier


@kernel(inline=True)
def settle(lay, total, bid, base):
    """DWF-16, DWF-17: made, a shutout, and what each defender pays the banker, throws aside."""
    made = total == 0 or total < lay[MADE_TOTAL] - bid
    shutout = total == 0 or total >= lay[SHUTOUT_TOTAL] - bid
    stake = base if made else -base
    if shutout:
        stake *= lay[SHUTOUT_MULTIPLIER]
    return made, shutout, stake


@kernel(inline=True)
def throw_penalties(pub, lay):
    """DWF-18: what each defender pays the banker for failed throws, in bases."""
    to_banker = 0
    for seat in range(SEAT_COUNT):
        if seat == pub[view.BANKER]:
            to_banker -= pub[view.FAULTS + seat] * lay[BANKER_PENALTY]
        else:
            to_banker += pub[view.FAULTS + seat] * lay[DEFENDER_PENALTY]
    return to_banker


@kernel()
def score(pub, own, lay, out, i):
    """DWF-14 to DWF-18: from the finished play to the columns of row i."""
    banker = pub[view.BANKER]
    bid = pub[view.BID]
    base = base_value(lay, bid)
    captured, bottom, multiplier = count_points(pub, own, lay)
    total = captured + bottom * multiplier
    made, shutout, stake = settle(lay, total, bid, base)
    to_banker = throw_penalties(pub, lay) * base
    for seat in range(SEAT_COUNT):
        share = 2 if seat == banker else -1
        out[PENALTY + seat, i] = share * to_banker
        out[PAYOFF + seat, i] = share * (stake + to_banker)
    out[FIRST_SEAT, i] = pub[view.FIRST]
    out[TRUMP_SUIT, i] = pub[view.TRUMP_CARD]
    out[BANKER, i] = banker
    out[BOTTOM_POINTS, i] = bottom
    out[BOTTOM_MULTIPLIER, i] = multiplier
    out[CAPTURED, i] = captured
    out[DEFENDER_POINTS, i] = total
    out[THROWS, i] = pub[view.THROWS]
    out[FAILED_THROWS, i] = pub[view.FAILED]
    out[TRICKS, i] = pub[view.TRICK]
    out[LAST_WINNER, i] = pub[view.BEST_SEAT]
    out[REDEALS, i] = pub[view.ATTEMPT_NO]
    out[CALLER, i] = pub[view.CALLER]
    out[CALL_SIZE, i] = pub[view.CALL_SIZE]
    out[CALL_AFTER, i] = pub[view.CALL_AFTER]
    out[COUNTERED, i] = 1 if pub[view.COUNTERER] >= 0 else 0
    out[OPENER, i] = pub[view.OPENER]
    out[BID, i] = bid
    out[BASE, i] = base
    out[BIDS_MADE, i] = pub[view.BIDS] - popcount(pub[view.PASSED])
    out[RESULT, i] = 0 if made else 1
    out[SHUTOUT, i] = 1 if shutout else 0
