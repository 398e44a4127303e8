"""The study ``threshold`` of hong-wu-wu-jia as tables: lists of rows that text, JSON and Parquet show alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .naming import KINDS
from .reveal_response import BANDS
from .threshold_hong_wu_wu_jia import LENGTH_AXIS
from .threshold_tables import interval, words_of

if TYPE_CHECKING:
    from .curves import BreakEven, Curve
    from .threshold_hong_wu_wu_jia import HiddenAsked, HiddenResult, When

Row = dict[str, Any]
#: Cards of the suit in hand, in the tables of names; and trumps in hand, in that of solo.
LENGTHS = ((0, 1), (2, 3), (4, 5), (6, 8), (9, 31))
SOLO_TRUMPS = ((0, 13), (14, 15), (16, 17), (18, 19), (20, 21), (22, 23), (24, 25), (26, 31))


def tables(result: HiddenResult) -> dict[str, list[Row]]:
    """All tables by name."""
    return {
        "reveal": reveals(result),
        "reveal_break_even": reveal_break_evens(result),
        "name": names(result),
        "name_break_even": name_break_evens(result),
        "solo": solos(result),
        "solo_break_even": solo_break_evens(result),
    }


def classes(asked: HiddenAsked) -> list[tuple[float, float, slice]]:
    """The classes of hands: from, to (the last value inside for a feature), and bins; a trump of strength each."""
    wide = asked.axis.step
    bins = range(0, asked.axis.bins, wide)
    return [(at // wide, at // wide + (wide > 1), slice(at, at + wide)) for at in bins]


def about(when: When) -> Row:
    """Which looks: ``previous`` and ``place`` are ``all`` where they are taken together."""
    low, high = BANDS[when.band]
    return {
        "cards_from": low,
        "cards_to": high,
        "previous": "all" if when.previous is None else "yes" if when.previous else "no",
        "place": "all" if when.place is None else str(when.place),
    }


def reveals(result: HiddenResult) -> list[Row]:
    """By cards held, previous banker or not, place in the round and class of hands: what revealing and waiting pay."""
    rows = []
    for when, curve in result.reveals.items():
        for low, high, bins in classes(result.asked):
            if curve.sums[0][:, bins].any():
                about_it = {**about(when), "from": float(low), "to": float(high)}
                rows.append(about_it | _figures(curve, bins, "hands", "reveal", "wait"))
    return rows


def reveal_break_evens(result: HiddenResult) -> list[Row]:
    """The same without classes: all hands together, and from what on revealing pays."""
    return [
        about(when)
        | _figures(result.reveals[when], slice(None), "hands", "reveal", "wait")
        | _even(even, result.asked.unit)
        for when, even in result.reveals_even.items()
        if result.reveals[when].hands
    ]


def names(result: HiddenResult) -> list[Row]:
    """By kind of face, copies held and cards of the suit: what naming it pays, and what the best other face."""
    rows = []
    for what, curve in result.names.items():
        if not curve.hands:
            continue
        for low, high in (None, None), *LENGTHS:
            bins = slice(None) if low is None or high is None else _lengths(low, high)
            if curve.sums[0][:, bins].any():
                row: Row = {"face": KINDS[what.kind], "held": what.held, "from": low, "to": high}
                row |= _figures(curve, bins, "faces", "name", "other")
                row["picked"] = result.picked[what] / curve.hands if low is None else None
                rows.append(row)
    return rows


def name_break_evens(result: HiddenResult) -> list[Row]:
    """By kind of face and copies held: up to how many cards of its suit naming it pays more than the best other."""
    rows = []
    for what, even in result.names_even.items():
        if result.names[what].hands:
            row = {"face": KINDS[what.kind], "held": what.held, "faces": even.hands, **_even(even, 1)}
            row["value"], row["low"], row["high"] = (
                None if row[key] is None else 0.0 - row[key] for key in ("value", "high", "low")
            )
            row["kind"] = {"at-least": "at-most", "at-most": "at-least"}.get(even.kind, even.kind)
            rows.append(row)
    return rows


def solos(result: HiddenResult) -> list[Row]:
    """By trumps in hand: what playing alone pays, and what the best face that makes a partner."""
    rows = []
    for kind, curve in result.solo.items():
        for low, high in (None, None), *SOLO_TRUMPS:
            bins = slice(None) if low is None or high is None else slice(low, high + 1)
            if curve.sums[0][:, bins].any():
                row = {"face": "all" if kind is None else KINDS[kind], "from": low, "to": high}
                rows.append(row | _figures(curve, bins, "deals", "solo", "partner"))
    return rows


def solo_break_evens(result: HiddenResult) -> list[Row]:
    """From how many trumps on playing alone pays."""
    return [
        {"face": "all" if kind is None else KINDS[kind], "deals": even.hands, **_even(even, 1)}
        for kind, even in result.solo_even.items()
    ]


def _lengths(low: int, high: int) -> slice:
    """The bins of `LENGTH_AXIS` from one number of cards to another."""
    return slice(-high - LENGTH_AXIS.low, -low - LENGTH_AXIS.low + 1)


def _figures(curve: Curve, bins: slice, count: str, chosen: str, other: str) -> Row:
    """How many, the share the banker's side won, both payoffs and their difference, with intervals."""
    won = curve.mean("made", bins)
    row: Row = {count: won.of, **interval("won", won)}
    row |= interval(chosen, curve.mean("chosen", bins))
    row |= interval(other, curve.mean("other", bins))
    return row | interval("difference", curve.mean("difference", bins))


def _even(even: BreakEven, unit: int) -> Row:
    """A break-even as columns, in trumps or cards."""
    ends = {"value": even.value, "low": even.low, "high": even.high}
    return {"kind": even.kind} | {key: None if end is None else end / unit for key, end in ends.items()}


def to_dict(result: HiddenResult) -> dict[str, Any]:
    """The JSON object of the command; its keys are explained in docs/statistics.md."""
    asked, answer = result.asked, result.answer
    return {
        **words_of(asked),
        **tables(result),
        "response": {
            "rounds": [figure.to_dict() for figure in answer.rounds],
            "chosen": answer.chosen,
            "reveal": answer.rule.changes(),
            "left": answer.left.to_dict(),
            "at_most": answer.at_most.to_dict(),
            "advantage": answer.advantage.to_dict(),
            "effects": {
                name: {
                    "reveals": each["reveals"],
                    **{key: each[key].to_dict() for key in ("previous", "won", "payoff")},
                }
                for name, each in answer.effects.items()
            },
        },
        "naming": {
            "numbers": result.naming.numbers,
            "gain": result.naming.gain.to_dict(),
            "differing": result.naming.differing.to_dict(),
        },
        "pressed": result.pressed.to_dict(),
        "could_solo": result.could_solo.to_dict(),
        "match": {key: result.match[key] for key in ("deals", "first", "payoff", "deals_differing")},
    }
