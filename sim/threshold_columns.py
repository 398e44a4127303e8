"""The columns of the rows that the study ``threshold`` leaves in ``rows/``: type, unit and meaning, by file.

Where a dataset has a column of that name, type and words are the same, so that rows join those of `simulate`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .cards import FACES, SUITS
from .columns import Column, columns_of
from .games import GAMES
from .naming import KINDS

if TYPE_CHECKING:
    import pyarrow as pa

#: Lines: name | type | unit | meaning.
_DEAL = """
deal    | int64 |  | index of the deal, as in a dataset
attempt | int16 |  | void dealings of this deal before the one in the row: 0 for the first; as redeals in a dataset
"""
_HAND = """
trump           | dictionary |              | trump suit
seat            | int8       |              | whose hand it is, the banker of the play-out
strength        | int32      | STRENGTH     | what hands are ordered by
trumps          | int8       | cards        | trumps in hand, the bottom aside
top_trumps      | int8       | cards        | jokers and 3s
trump_pairs     | int8       | pairs        | trump faces held twice
voids           | int8       | suits        | side suits not held
defender_points | int16      | card points  | what the defenders made with this banker, whatever the bid
penalties       | int16      | base values  | what each defender pays the banker for failed throws
"""
_CALLS = """
opener    | int8  |       | seat that opened the bidding
call_size | int8  | cards | 3s shown in the call
countered | bool  |       | the call was countered with a pair
redeals   | int16 |       | the same number as attempt
"""
_LOOKS = """
seat          | int8       |                      | seat that looks at its hand
cards         | int8       | cards                | cards it holds by then
previous      | bool       |                      | whether it is the previous banker
place         | int8       | seats                | how many seats get a card before it in a round
trump         | dictionary |                      | suit of the 2 that it would reveal
strength      | int32      | hundredths of a trump | what the hand is worth with this trump, by the bidding studied
trumps        | int8       | cards                | trumps among the cards held
trump_pairs   | int8       | pairs                | trump faces held at least twice
trump_triples | int8       | triples              | trump faces held three times
top_trumps    | int8       | cards                | jokers and red fives
reached       | bool       |                      | nobody else has revealed by then, by the bidding studied
won           | bool       |                      | its side would win with it as banker; false where not reached
reveal        | int16      | payoff               | what the seat wins by revealing now; 0 where not reached
wait          | int16      | payoff               | what it wins by waiting; 0 where not reached
"""
_NAMES = """
kind     | dictionary |        | what the face is
held     | int8       | cards  | copies of it in the banker's hand, after burying
all_held | int8       | cards  | the same with the buried ones; 3: solo
length   | int8       | cards  | cards of its suit in the banker's hand
kings    | int8       | cards  | kings of its suit in the banker's hand
trumps   | int8       | cards  | trumps in the banker's hand
payoff   | int16      | payoff | what the banker wins by naming it
"""
#: Columns of the dataset in the files of hong-wu-wu-jia.
_CONTRACT = (
    "banker", "trump", "pressed", "reveal_after", "banker_trumps", "banker_trump_pairs", "named", "named_held",
    "partner", "solo", "direct", "defender_points", "grade",
)  # fmt: skip
_NAMED = ("banker", "trump", "named", "partner", "solo", "direct", "defender_points", "grade")
_UNITS = {
    "reveal_after": "cards", "banker_trumps": "cards", "banker_trump_pairs": "pairs", "named_held": "cards",
    "defender_points": "card points",
}  # fmt: skip
_VALUES = {"trump": tuple(SUITS), "named": FACES, "kind": KINDS}
_STRENGTHS = {
    "strength": "hundredths of a point", "trumps": "cards", "top-trumps": "cards", "trump-pairs": "pairs",
    "voids": "suits",
}  # fmt: skip
FILES = ("marginal", "auction", "contracts", "looks", "names")


def documented_rows(name: str) -> list[tuple[str, str, str, str]]:
    """Name, type, unit and meaning of every column of a file: what the documentation shows."""
    found = []
    for column, unit in _described(name):
        words = f"dictionary ({' '.join(column.values)})" if 0 < len(column.values) < 10 else column.type
        found.append((column.name, words, "by `--by`" if unit == "STRENGTH" else unit, column.about))
    return found


@cache
def row_columns(name: str) -> tuple[Column, ...]:
    """The columns of a file of `FILES`, in order."""
    return tuple(column for column, _ in _described(name))


def units(name: str, by: str) -> dict[str, str]:
    """What the numbers of a file are counted in, by column; ``by``: what hands are ordered by."""
    return {
        column.name: _STRENGTHS[by] if unit == "STRENGTH" else unit
        for column, unit in _described(name)
        if unit
    }


def row_schema(name: str) -> pa.Schema:
    """The Arrow schema of a file; no column has nulls."""
    from .columns import schema_of

    return schema_of(row_columns(name))


@cache
def _described(name: str) -> tuple[tuple[Column, str], ...]:
    """The columns of a file and their units."""
    own = {
        "marginal": _DEAL + _HAND,
        "auction": _DEAL + _HAND + _CALLS,
        "looks": _DEAL + _LOOKS,
        "contracts": _DEAL,
        "names": _DEAL,
    }
    found = _parsed(own[name])
    if name == "contracts":
        found += [*_of_dataset(_CONTRACT), *_of_dataset(_payoffs())]
    if name == "names":
        found += [*_of_dataset(_NAMED), *_parsed(_NAMES)]
    return tuple(found)


def _parsed(lines: str) -> list[tuple[Column, str]]:
    rows = ([cell.strip() for cell in line.split("|")] for line in lines.split("\n") if line)
    return [(Column(name, kind, about, _VALUES.get(name, ())), unit) for name, kind, unit, about in rows]


def _of_dataset(names: tuple[str, ...]) -> list[tuple[Column, str]]:
    every = {column.name: column for column in columns_of("hong-wu-wu-jia")}
    return [(every[name], "payoff" if name in _payoffs() else _UNITS.get(name, "")) for name in names]


def _payoffs() -> tuple[str, ...]:
    seats = next(game.seats for game in GAMES if game.name == "hong-wu-wu-jia")
    return tuple(f"payoff_{seat}" for seat in range(seats))
