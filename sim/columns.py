"""The columns of a dataset: name, type and meaning, by game; and how played deals become Arrow data and back.

The table here is what is written, what `docs/dataset.md` shows and what a file is checked against.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .cards import FACES, SUITS
from .games import GAMES, Game

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa
    from numpy.typing import NDArray


#: Tables of a dataset by what ``--detail`` asks for.
TABLES = {None: ("deals",), "tricks": ("deals", "tricks"), "plays": ("deals", "tricks", "plays")}


@dataclass(frozen=True)
class Column:
    """One column. ``values``: what a dictionary column may hold, in the order of its codes."""

    name: str
    type: str
    about: str
    values: tuple[str, ...] = ()

    @property
    def numpy(self) -> np.dtype[Any]:
        """The type of its values here and in the hash: codes for a dictionary, 0 and 1 for a bool; little-endian.

        Of a string it is the type of its length.
        """
        kind = {"dictionary": "int8", "bool": "uint8", "string": "int32"}.get(self.type, self.type)
        return np.dtype(kind).newbyteorder("<")


def _columns(lines: str) -> tuple[Column, ...]:
    """Columns from lines ``name | type | meaning``; a name may be a pattern with {seat}."""
    rows = [[cell.strip() for cell in line.split("|")] for line in lines.strip().splitlines()]
    return tuple(Column(name, kind, about) for name, kind, about in rows)


_PLACE = _columns("""
deal       | int64 | index of the deal; with the seed and the rules it fixes every card
session    | int32 | index of the session: deal // session length
hand       | int16 | index of the hand in its session: deal % session length
""")
_COMMON = _columns("""
first_seat         | int8  | seat that gets the first card
trump              | dictionary | trump suit
banker             | int8  | seat of the banker
banker_trumps      | int8  | trumps at the banker after taking the bottom, before burying
banker_trump_pairs | int8  | trump faces the banker holds at least twice, at the same moment
bottom_points      | int16 | card points buried in the bottom
bottom_multiplier  | int8  | how often the bottom counts for the defenders; 0 when they do not dig it
captured           | int16 | card points in tricks won by the defenders
defender_points    | int16 | captured plus bottom_points times bottom_multiplier
throws             | int8  | throws tried, those that failed included
failed_throws      | int8  | throws that failed
tricks             | int8  | tricks played
last_winner        | int8  | seat that won the last trick
payoff_{seat}      | int16 | what the seat wins, penalties included; the payoffs of a deal sum to 0
""")
_DIE_WU_FEN = _columns("""
redeals         | int16 | voided deals before this one, in which nobody called
caller          | int8  | seat that called first; -1 with a fixed contract
call_size       | int8  | 3s shown in the call, 1 or 2; 0 with a fixed contract
call_after      | int8  | cards the caller held when calling; 0 with a fixed contract
countered       | bool  | the call was countered with a pair
opener          | int8  | seat that opened the bidding: the caller, or who countered; -1 with a fixed contract
bid             | int16 | highest bid
base            | int8  | base value of the bid
bids_made       | int8  | bids made, the opening one included, passes not; 0 with a fixed contract
result          | dictionary | whether the banker made the bid
shutout         | bool  | made: the defenders got no point; broken: they got so many that the payoff is multiplied
penalty_{seat}  | int16 | the part of the payoff that comes from failed throws
""")
_HONG_WU_WU_JIA = _columns("""
previous_banker | int8  | banker of the hand before; seat 0 in the first hand of a session, drawn in a single deal
pressed         | bool  | nobody revealed a 2, so the previous banker is banker and trump was drawn
reveal_after    | int8  | cards the banker held when revealing its 2; 0 when pressed or with a fixed contract
named           | dictionary | face that the banker named for the partner
named_held      | int8  | copies of it at the banker, buried ones included
partner         | int8  | seat of the partner; -1 when the banker plays solo
partner_trick   | int8  | trick in which the partner showed, from 0; -1 when the banker plays solo
direct          | bool  | the partner showed directly (HW-10), whoever won
solo            | bool  | the banker has every copy of the named face, and no partner
grade           | int8  | grade of the result (HW-13)
""")
_TRICKS = _columns("""
deal      | int64 | index of the deal
trick     | int8  | number of the trick, from 0
leader    | int8  | seat that led
winner    | int8  | seat that won
points    | int16 | card points in the trick
cards_led | int8  | cards led, after a throw that failed those that stayed on the table
lead_kind | dictionary | kind of the highest component led (COM-6): all of the lead, unless a throw stood
throw     | bool  | a throw was tried
failed    | bool  | it failed
ruffed    | bool  | the winner ruffed
""")
_PLAYS = _columns("""
deal      | int64 | index of the deal
trick     | int8  | number of the trick, from 0
position  | int8  | place in the trick, 0 the leader
seat      | int8  | seat that played
cards     | string | cards that lay on the table in the end, in reading order: `3h 3h Kh`
role      | dictionary | side of the seat; the partner is one from the first trick on, known or not
""")
_DETAIL = {"tricks": _TRICKS, "plays": _PLAYS}
_DETAIL_VALUES = {
    "lead_kind": ("single", "pair", "triple", "tractor"),
    "role": ("banker", "defender", "partner"),
}
_VALUES = {"trump": tuple(SUITS), "result": ("made", "broken"), "named": FACES}
_OWN = {"die-wu-fen": _DIE_WU_FEN, "hong-wu-wu-jia": _HONG_WU_WU_JIA}


@cache
def columns_of(game: str, table: str = "deals") -> tuple[Column, ...]:
    """The columns of a table of a game, in order; those of tricks and plays are the same in both games."""
    if table != "deals":
        return tuple(Column(c.name, c.type, c.about, _DETAIL_VALUES.get(c.name, ())) for c in _DETAIL[table])
    seats = next(g.seats for g in GAMES if g.name == game)
    return tuple(
        Column(name, column.type, column.about, _VALUES.get(name, ()))
        for column in (*_PLACE, *_COMMON, *_OWN[game])
        for name in _names(column.name, seats)
    )


def _names(pattern: str, seats: int) -> Iterable[str]:
    return [pattern.format(seat=seat) for seat in range(seats)] if "{" in pattern else [pattern]


def documented(game: str, table: str = "deals") -> list[tuple[str, str, str]]:
    """Name, type and meaning of every column, seats drawn together: what the documentation shows."""
    seats = next((g.seats for g in GAMES if g.name == game), 0)
    rows = []
    for column in (*_PLACE, *_COMMON, *_OWN[game]) if table == "deals" else _DETAIL[table]:
        values = _VALUES.get(column.name, ()) or _DETAIL_VALUES.get(column.name, ())
        kind = f"dictionary ({' '.join(values)})" if values and len(values) < 10 else column.type
        names = list(_names(column.name, seats))
        rows.append((" … ".join(dict.fromkeys((names[0], names[-1]))), kind, column.about))
    return rows


@cache
def arrow_schema(game: str, table: str = "deals") -> pa.Schema:
    """The Arrow schema of a table; no column has nulls."""
    return schema_of(columns_of(game, table))


def schema_of(columns: Iterable[Column]) -> pa.Schema:
    """The Arrow schema of some columns, none with nulls."""
    import pyarrow as pa

    def arrow_type(column: Column) -> pa.DataType:
        if column.type == "dictionary":
            return pa.dictionary(pa.int8(), pa.string())
        return pa.bool_() if column.type == "bool" else getattr(pa, column.type)()

    return pa.schema([pa.field(c.name, arrow_type(c), nullable=False) for c in columns])


class Gathered:
    """Rows of the engine's columns, copied into the columns' own types: a third less memory, in one piece."""

    def __init__(self, game: str, room: int) -> None:
        """``room``: most rows."""
        self._game, self._room = game, room
        self._values: dict[str, NDArray[Any]] = {}
        self.count = 0

    def add(self, played: dict[str, NDArray[np.int16]], start: int, stop: int) -> None:
        """Take rows ``start`` .. ``stop - 1``."""
        if not self._values:
            kinds = {c.name: c.numpy for c in columns_of(self._game) if c.name in played}
            self._values = in_one_block(kinds, self._room)
        at = self.count
        self.count += stop - start
        for name, values in self._values.items():
            values[at : self.count] = played[name][start:stop]

    def taken(self) -> dict[str, NDArray[Any]]:
        """The rows so far; then begins anew."""
        found = {name: values[: self.count] for name, values in self._values.items()}
        self._values, self.count = {}, 0
        return found


def narrowed(
    game: str, played: dict[str, NDArray[np.int16]], start: int, stop: int
) -> dict[str, NDArray[Any]]:
    """Some rows of the engine's columns, as `Gathered` copies them."""
    rows = Gathered(game, stop - start)
    rows.add(played, start, stop)
    return rows.taken()


def in_one_block(kinds: dict[str, np.dtype[Any]], rows: int) -> dict[str, NDArray[Any]]:
    """Room for columns, in one piece of memory. Many small pieces, freed by another thread, would leave gaps."""
    starts = np.cumsum([0, *(-(-rows * kind.itemsize // 64) * 64 for kind in kinds.values())])
    block = np.empty(starts[-1], np.uint8)
    return {
        name: block[start : start + rows * kind.itemsize].view(kind)
        for (name, kind), start in zip(kinds.items(), starts, strict=False)
    }


class Rows:
    """Consecutive deals of one game: the values of every column in its own type, codes for dictionaries."""

    def __init__(self, game: Game, session: int, first: int, played: dict[str, NDArray[Any]]) -> None:
        """From the engine's columns, of whatever integer type.

        ``first``: index of the first deal; ``session``: hands in a session.
        """
        self.game = game
        self.first = first
        self.count = len(next(iter(played.values())))
        deals = np.arange(first, first + self.count, dtype=np.int64)
        place: dict[str, NDArray[Any]]
        if session == 1:
            place = {"deal": deals, "session": deals, "hand": np.zeros(self.count, np.int16)}
        else:
            place = {"deal": deals, "session": deals // session, "hand": deals % session}
        source: dict[str, NDArray[Any]] = {**played, **place}
        self.values: dict[str, NDArray[Any]] = {
            c.name: np.ascontiguousarray(source[c.name].astype(c.numpy, copy=False))
            for c in columns_of(game.name)
        }

    def to_batch(self, schema: pa.Schema | None = None) -> pa.RecordBatch:
        """The same rows for Arrow."""
        return to_batch(columns_of(self.game.name), self.values, schema or arrow_schema(self.game.name))


@dataclass(frozen=True)
class Strings:
    """ASCII strings one after the other: text uint8, and where each of them ends, int32."""

    text: NDArray[np.uint8]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """How long each is."""
        return np.diff(self.ends, prepend=np.int32(0))

    def part(self, start: int, stop: int) -> Strings:
        """Strings ``start`` .. ``stop - 1``, copied."""
        if start >= stop:
            return Strings(self.text[:0], self.ends[:0])
        low = int(self.ends[start - 1]) if start else 0
        return Strings(
            self.text[low : self.ends[stop - 1]].copy(), self.ends[start:stop] - self.ends.dtype.type(low)
        )

    def take(self, at: NDArray[np.intp]) -> Strings:
        """Some of them, by index."""
        lengths, starts = self.lengths[at], (self.ends - self.lengths)[at]
        ends = np.cumsum(lengths, dtype=np.int32)
        letters = np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths)
        return Strings(self.text[letters], ends)

    def words(self) -> list[str]:
        """As Python has them."""
        text, ends = self.text.tobytes().decode("latin-1"), self.ends.tolist()
        return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    @staticmethod
    def joined(pieces: list[Strings]) -> Strings:
        """Several as one."""
        offsets = np.cumsum([0, *(len(piece.text) for piece in pieces[:-1])])
        ends = [piece.ends + np.int32(offset) for piece, offset in zip(pieces, offsets, strict=True)]
        return Strings(np.concatenate([piece.text for piece in pieces]), np.concatenate(ends))


def concatenated(pieces: list[Any]) -> Any:
    """Pieces of a column, arrays or `Strings`, as one."""
    if isinstance(pieces[0], Strings):
        return Strings.joined(pieces)
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def to_batch(columns: Iterable[Column], values: dict[str, Any], schema: pa.Schema) -> pa.RecordBatch:
    """Rows for Arrow; numbers are shared, not copied. (`pa.array` would import pandas.)"""
    import pyarrow as pa

    arrays = []
    for column, field in zip(columns, schema, strict=True):
        found = values[column.name]
        count = len(found)
        if isinstance(found, Strings):
            starts = np.concatenate([np.zeros(1, np.int32), found.ends])
            text = pa.py_buffer(np.ascontiguousarray(found.text))
            arrays.append(pa.StringArray.from_buffers(count, pa.py_buffer(starts), text))
            continue
        if column.type == "bool":
            found = np.packbits(found, bitorder="little")
        kind = pa.int8() if column.values else field.type
        array = pa.Array.from_buffers(kind, count, [None, pa.py_buffer(np.ascontiguousarray(found))])
        if column.values:
            array = pa.DictionaryArray.from_arrays(array, _strings(column.values))
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


@cache
def _strings(words: tuple[str, ...]) -> pa.StringArray:
    import pyarrow as pa

    ends = np.cumsum([0, *(len(word.encode()) for word in words)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer("".join(words).encode()))


def from_arrow(column: Column, chunks: Iterable[pa.Array]) -> Any:
    """A column that was read, in its own type, as `Rows` has it; ``ValueError`` for what it cannot hold."""
    return concatenated([_text(a) if column.type == "string" else numbers(column, a) for a in chunks])


def _text(array: pa.Array) -> Strings:
    """A string array without nulls."""
    _, offsets, text = array.buffers()
    starts = np.frombuffer(offsets, np.int32, len(array) + 1, array.offset * 4)
    found = np.frombuffer(text, np.uint8) if text is not None else np.zeros(0, np.uint8)
    return Strings(found[starts[0] : starts[-1]], starts[1:] - starts[0])


def numbers(column: Column, array: pa.Array) -> NDArray[Any]:
    """The values of an Arrow array without nulls in the column's own type, as `Rows` has them."""
    if column.values:
        codes = np.array([column.values.index(word.as_py()) for word in array.dictionary], np.int8)
        return np.take(codes, _numbers(array.indices))  # IndexError where an index is none
    if column.type == "bool":
        packed = np.frombuffer(array.buffers()[1], np.uint8)
        bits = np.unpackbits(packed, count=array.offset + len(array), bitorder="little")
        return bits[array.offset :]
    return _numbers(array)


def _numbers(array: pa.Array) -> NDArray[Any]:
    kind = np.dtype(str(array.type))
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)
