"""Counting what happens in a (clean) game record, so that tests can assert that they met it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .cards import DWF, HW, Card, option
from .die_wu_fen import forced_branch
from .play import trick
from .record import due_scores, is_pressed, play_out
from .schema import read
from .shapes import TRIPLE, components, is_ruff


def coverage(record: Mapping[str, Any]) -> Counter[str]:
    """The events of a record that check_record finds clean (nothing is promised for others)."""
    clean, faults = read(record)
    events: Counter[str] = Counter()
    if faults or not clean["tricks"]:
        return +events
    game, banker = clean["game"], clean["banker"]
    hands = [list(hand) for hand in clean["hands"]]
    hands[banker] += clean["bottom"]
    _remove(hands[banker], clean["buried"])
    for entry in clean["tricks"]:
        _lead_events(events, clean, entry["plays"][0])
        _follow_events(events, clean, entry["plays"], hands)
        for play in entry["plays"]:
            _remove(hands[play["seat"]], play["cards"])
    if clean["bottom_multiplier"]:
        events[f"bottom_x{clean['bottom_multiplier']}"] += 1
    if game == DWF:
        _auction_events(events, clean)
    else:
        _partner_events(events, clean)
    return +events


def _remove(hand: list[Card], cards: Sequence[Card]) -> None:
    for card in cards:
        if card in hand:
            hand.remove(card)


def _lead_events(events: Counter[str], clean: Mapping[str, Any], play: Mapping[str, Any]) -> None:
    """COM-9, COM-10: what kind of lead was played."""
    parts = components(clean["game"], clean["trump"], play["cards"])
    if "attempt" in play:
        events["throw_failed"] += 1
    elif len(parts) > 1:
        events["throw_stood"] += 1
        events["throw_mixed_kinds"] += len({part.kind for part in parts}) > 1
    events["tractor_led"] += any(part.kind == "tractor" for part in parts)
    events["handle_tractor_led"] += any(part.kind == "tractor" and 0 < part.t < part.L for part in parts)
    events["triple_led"] += any(part.type == TRIPLE for part in parts)


def _follow_events(
    events: Counter[str],
    clean: Mapping[str, Any],
    plays: Sequence[Mapping[str, Any]],
    hands: Sequence[list[Card]],
) -> None:
    """COM-17 and DWF-11: ruffs, over-ruffs and the branches of the forced trumps."""
    game, trump, rules = clean["game"], clean["trump"], clean["rules"]
    split = option(game, rules, "split_triples")
    lead = plays[0]["cards"]
    throw = len(components(game, trump, lead)) > 1
    ruffs = 0
    for index, play in enumerate(plays[1:], start=1):
        ruffs_here = is_ruff(game, trump, lead, play["cards"], split)
        if game == DWF:
            branch = forced_branch(trump, hands[play["seat"]], lead, rules)
            if branch == "DWF-11d":
                branch += "-ruff" if ruffs_here else "-discard"
            if branch:
                events[branch] += 1
        if not ruffs_here:
            continue
        so_far = trick(game, trump, [one["cards"] for one in plays[: index + 1]], rules)
        for name in ("ruff", "ruff_of_throw") if throw else ("ruff",):
            events[name] += 1
        if ruffs and so_far[0] == index:
            for name in ("overruff", "overruff_of_throw") if throw else ("overruff",):
                events[name] += 1
        ruffs += 1


def _auction_events(events: Counter[str], clean: Mapping[str, Any]) -> None:
    """DWF-3 to DWF-5 and DWF-16: calls, redeals, shutouts."""
    for name, happened in {
        "counter": len(clean["calls"]) == 2,
        "pair_call": len(clean["calls"][0]["cards"]) == 2,
        "single_call": len(clean["calls"][0]["cards"]) == 1,
        "shutout_defenders": clean["defender_points"] == 0,
        "shutout_banker": clean["shutout"] and clean["result"] == "broken",
    }.items():
        if happened:
            events[name] += 1
    if clean["redeals"]:
        events["redeal"] += clean["redeals"]


def _partner_events(events: Counter[str], clean: Mapping[str, Any]) -> None:
    """HW-5, HW-8, HW-10: pressed, solo and direct."""
    course = play_out(clean, [])
    won = due_scores(clean, course)["grade"][1] > 0
    for name, happened in {
        "solo": clean["solo"],
        "pressed": is_pressed(clean),
        "direct_won": clean["direct"] and won,
        "direct_lost": clean["direct"] and not won,
    }.items():
        if happened:
            events[name] += 1


_BOTH = ["throw_stood", "throw_failed", "throw_mixed_kinds", "tractor_led"]
_BOTH += ["ruff", "overruff", "ruff_of_throw", "overruff_of_throw", "bottom_x2"]
_DWF = ["DWF-11a", "DWF-11b", "DWF-11c", "DWF-11d-ruff", "DWF-11d-discard", "bottom_x1", "counter"]
_DWF += ["pair_call", "single_call", "redeal", "shutout_defenders", "shutout_banker"]
_HW = ["handle_tractor_led", "triple_led", "bottom_x4", "solo", "pressed", "direct_won", "direct_lost"]
EVENTS = {DWF: _BOTH + _DWF, HW: _BOTH + _HW}
