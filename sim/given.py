"""What is known of a deal before it is dealt: cards at a place (``--hold``), numbers within bounds (``--count``).

A *place* is a seat, or the bottom, which is numbered after the last seat. Held cards are there, one copy each time
they are named; all others, further copies of the same face too, are dealt uniformly among the deals that meet the
counts. So a card held is not a card counted: with ``0:3h`` held seat 0 has a pair of them as often as the other copy
happens to fall there; with ``0:3h=1-2`` counted, as often as in all deals in which it has at least one. A count is of
all copies at its place, those held too. Nothing is dealt and thrown away, and the chance of the counts is a fraction,
worked out by counting.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from .cards import FACES, NUM_FACES, RANKS, CardError, format_cards, parse_cards
from .errors import UsageError
from .games import Game, resolve_game
from .text import clip, one_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from .rules import RuleSet

BOTTOM = "bottom"
_RANK_NAMES = {
    "twos": "2", "threes": "3", "fives": "5", "tens": "T", "queens": "Q", "kings": "K", "aces": "A",
}  # fmt: skip
_SUIT_NAMES = ("spades", "hearts", "clubs", "diamonds")
COUNTED = ("trumps", "points", "jokers", *_RANK_NAMES, *_SUIT_NAMES)
_ORDER = {what: at for at, what in enumerate((*COUNTED, *FACES))}  # a face is counted, too, by its name
MOST_ENTRIES, MOST_TRIED = 100_000, 500_000  # of the tables a deal is drawn by; to be looked at for them


@dataclass(frozen=True)
class Count:
    """At ``place`` there are ``low`` to ``high`` of ``what``; ``worth``: how much of it each face is."""

    place: int
    what: str
    low: int
    high: int
    worth: tuple[int, ...]


@dataclass(frozen=True)
class Given:
    """What is known: for each place the faces held, and the counts. ``ordered``: places whose held cards come first."""

    game: str
    held: tuple[tuple[int, ...], ...]
    counts: tuple[Count, ...] = ()
    ordered: tuple[int, ...] = ()

    def describe(self) -> dict[str, Any]:
        """As plain data: the keys ``hold`` and ``count``, as a manifest has them."""
        found: dict[str, Any] = {}
        hold = {place_name(self.game, at): format_cards(cards) for at, cards in enumerate(self.held) if cards}
        if hold:
            found["hold"] = hold
        if self.counts:
            by_place: dict[str, dict[str, list[int]]] = {}
            for count in self.counts:
                place = by_place.setdefault(place_name(self.game, count.place), {})
                place[count.what] = [count.low, count.high]
            found["count"] = by_place
        return found

    def typed(self) -> dict[str, list[str]]:
        """The same as words of the command line, lists under the keys ``hold`` and ``count``."""
        described = self.describe()
        holds = [f"{place}:{cards}" for place, cards in described.get("hold", {}).items()]
        counts = [
            f"{place}:{what}={low}-{high}"
            for place, each in described.get("count", {}).items()
            for what, (low, high) in each.items()
        ]
        return {key: words for key, words in (("hold", holds), ("count", counts)) if words}


def place_name(game: str, place: int) -> str:
    """A place as users write it."""
    return BOTTOM if place == resolve_game(game).seats else str(place)


def _place(game: Game, word: str, option: str) -> int:
    if word == BOTTOM:
        return game.seats
    if re.fullmatch("[0-9]", word) and int(word) < game.seats:
        return int(word)
    raise UsageError(
        f"{option}: there is no {clip(word)} to hold cards; allowed are seats 0 to {game.seats - 1} and {BOTTOM}"
    )


def size_of(game: Game, place: int) -> int:
    """How many cards a place holds."""
    return game.hand_size if place < game.seats else game.bottom_size


def make_given(
    game: Game,
    rules: RuleSet,
    trump: int | None,
    holds: Iterable[str] = (),
    counts: Iterable[str] = (),
) -> Given | None:
    """What ``--hold`` and ``--count`` say, as typed (``0:3h 3h BJ``, ``0:trumps=14-18``); None for nothing.

    ``trump``: the suit that is trump whatever happens, if there is one. `UsageError` for what can't be.
    """
    held: list[list[int]] = [[] for _ in range(game.seats + 1)]
    for word in holds:
        where, colon, cards = word.partition(":")
        if not colon:
            raise UsageError(f'hold: {clip(word)} names no seat; write SEAT:"3h 3h BJ" or {BOTTOM}:"5s"')
        place = _place(game, where.strip(), "hold")
        try:
            faces = parse_cards(cards, what=f"hold {where.strip()}")
        except CardError as error:
            raise UsageError(f"hold: {error}") from None
        if not faces:
            raise UsageError(f"hold: {clip(word)} names no cards; write them after the colon, like 3h 3h BJ")
        held[place] += faces
    found = [_count(game, rules, trump, word) for word in counts]
    return checked(game, held, found)


def checked(
    game: Game, held: Sequence[Sequence[int]], counts: Iterable[Count] = (), ordered: Iterable[int] = ()
) -> Given | None:
    """Cards and counts as a `Given`; None for nothing; `UsageError` for what no deal can be."""
    for place, cards in enumerate(held):
        if len(cards) > size_of(game, place):
            where = "the bottom has" if place == game.seats else f"seat {place} has"
            raise UsageError(
                f"hold: {len(cards)} cards are more than {where}; allowed are {size_of(game, place)} or fewer"
            )
    for face, copies in sorted(Counter(face for cards in held for face in cards).items()):
        if copies > game.packs:
            raise UsageError(
                f"hold: {FACES[face]} is held {copies} times in all, but {game.name} has only {game.packs} copies of it"
            )
    kept = tuple(sorted(counts, key=lambda count: (count.place, _ORDER[count.what])))
    for one, other in pairwise(kept):
        if (one.place, one.what) == (other.place, other.what):
            where = place_name(game.name, one.place)
            raise UsageError(f"count: {one.what} of {where} stand there twice; give them once")
    if not kept and not any(held):
        return None
    given = Given(game.name, tuple(tuple(sorted(cards)) for cards in held), kept, tuple(ordered))
    if probability(given) == 0:
        shown = ", ".join(f"{place_name(game.name, c.place)}:{c.what}={c.low}-{c.high}" for c in given.counts)
        raise UsageError(f"count: no deal has {shown}{' with the cards held' if any(held) else ''}; widen it")
    return given


def _count(game: Game, rules: RuleSet, trump: int | None, word: str) -> Count:
    """``0:trumps=14-18``, ``bottom:points=0`` or ``0:3h=1-2``."""
    found = re.fullmatch(
        r"\s*(\w+)\s*:\s*([^\s:=]+)\s*=\s*([0-9]{1,4})\s*(?:-\s*([0-9]{1,4})\s*)?", word, re.ASCII
    )
    if found is None:
        raise UsageError(
            f"count: {clip(word)} is no count; write SEAT:trumps=14-18, {BOTTOM}:points=0 or SEAT:3h=1-{game.packs}"
        )
    place = _place(game, found[1], "count")
    low, high = int(found[3]), int(found[4] or found[3])
    if low > high:
        raise UsageError(f"count: {low}-{high} is from more to less; write {high}-{low}")
    what = found[2]
    if what not in COUNTED:
        try:
            (face,) = parse_cards(what)
        except ValueError:  # no card, or several
            raise UsageError(
                f"count: {clip(what)} are not counted; allowed are {one_of([*COUNTED])}, or a card such as 3h"
            ) from None
        what = FACES[face]
    return Count(place, what, low, high, worth_of(rules, trump, what))


def worth_of(rules: RuleSet, trump: int | None, what: str) -> tuple[int, ...]:
    """How much of something of `COUNTED` each of the 54 faces is; ``what`` may be the name of a face."""
    if what in FACES:
        return tuple(int(name == what) for name in FACES)
    if what == "trumps":
        if trump is None:
            example = "banker=0,trump=h,bid=150" if "bid_max" in rules.values else "banker=0,trump=h"
            raise UsageError(
                f"count: trumps can be counted only when trump is known before the deal; give --contract {example}, "
                "which simulate and compare take"
            )
        from ..kernels import layout

        lay = layout.build(layout.DIE_WU_FEN if "bid_max" in rules.values else layout.HONG_WU_WU_JIA, trump)
        return tuple(
            int(lay[layout.SUIT_OF + lay[layout.BIT_OF + face]] == layout.TRUMP) for face in range(NUM_FACES)
        )
    if what == "points":
        values = {"5": rules["points_five"], "T": rules["points_ten"], "K": rules["points_king"]}
        return tuple(values.get(name[0], 0) if name[1] != "J" else 0 for name in FACES)
    if what == "jokers":
        return tuple(int(face >= 52) for face in range(NUM_FACES))
    if what in _RANK_NAMES:
        rank = RANKS.index(_RANK_NAMES[what])
        return tuple(int(face < 52 and face % 13 == rank) for face in range(NUM_FACES))
    suit = _SUIT_NAMES.index(what)
    return tuple(int(face // 13 == suit) for face in range(NUM_FACES))


def given_from(game: Game, rules: RuleSet, trump: int | None, described: Mapping[str, Any]) -> Given | None:
    """The inverse of `Given.describe`, from data that may be anything."""
    hold, count = described.get("hold") or {}, described.get("count") or {}
    try:
        holds = [f"{place}:{cards}" for place, cards in hold.items()]
        counts = [
            f"{place}:{what}={low}-{high}"
            for place, each in count.items()
            for what, (low, high) in each.items()
        ]
    except (AttributeError, TypeError, ValueError):
        raise UsageError("the description of the run has a hold or count that can't be read") from None
    return make_given(game, rules, trump, holds, counts)


# --- counting deals


@dataclass(frozen=True)
class _Tables:
    """How a deal is drawn: the faces free of each kind, the places of the stages; by state (stage, kinds left) its
    entries (ways, next state, how many of each kind but the first).
    """

    free: tuple[tuple[int, ...], ...]
    stages: tuple[int, ...]
    states: dict[tuple[int, tuple[int, ...]], int]
    entries: list[list[tuple[int, int, tuple[int, ...]]]]
    chance: Fraction


def probability(given: Given) -> Fraction:
    """The chance that a deal meets the counts when the cards held are where they are."""
    return _tables(given).chance


def told(given: Given | None) -> dict[str, Any]:
    """What an object of results says of it: `Given.describe`, and with counts their chance as ``probability``."""
    if given is None:
        return {}
    found = given.describe()
    if given.counts:
        chance = probability(given)
        found["probability"] = {"value": float(chance), "exact": str(chance)}
    return found


def _ways(size: int, taken: Sequence[int]) -> int:
    """In how many ways ``size`` places can be of kinds: ``taken`` of all kinds but the first."""
    found = 1
    for k in taken:
        found *= comb(size, k)
        size -= k
    return found


@cache
def _tables(given: Given) -> _Tables:
    game = resolve_game(given.game)
    free = Counter(dict.fromkeys(range(NUM_FACES), game.packs))
    free.subtract(face for cards in given.held for face in cards)
    by_worth: dict[tuple[int, ...], list[int]] = {}
    measures = list(dict.fromkeys(count.worth for count in given.counts))
    for face in range(NUM_FACES):
        by_worth.setdefault(tuple(worth[face] for worth in measures), []).extend([face] * free[face])
    # the kind with most cards first: how many of it a place has follows from the others
    order = sorted(
        (kind for kind in by_worth if by_worth[kind]), key=lambda kind: (-len(by_worth[kind]), kind)
    )
    kinds = [by_worth[kind] for kind in order]
    stages = tuple(sorted({count.place for count in given.counts}))
    room = [size_of(game, place) - len(given.held[place]) for place in range(game.seats + 1)]
    pool = sum(size for place, size in enumerate(room) if place not in stages)
    bounds: list[
        list[tuple[dict[int, int], int, int]]
    ] = []  # of a stage: what kinds are worth, lowest, highest
    for place in stages:
        bounds.append([])
        for count in given.counts:
            if count.place == place:
                here = sum(count.worth[face] for face in given.held[place])
                each = (kind[measures.index(count.worth)] for kind in order)
                worth = {k: value for k, value in enumerate(each) if value}
                bounds[-1].append((worth, count.low - here, count.high - here))
    states: dict[tuple[int, tuple[int, ...]], int] = {}
    entries: list[list[tuple[int, int, tuple[int, ...]]]] = []
    made = tried = 0

    def ways(stage: int, left: tuple[int, ...]) -> tuple[int, int]:
        """How many ways there are from here on, and the number of the state."""
        nonlocal made, tried
        if stage == len(stages):
            return (_ways(pool, left) if sum(left) <= pool else 0), 0
        if (stage, left) in states:
            number = states[stage, left]
            return sum(entry[0] for entry in entries[number]), number
        states[stage, left] = number = len(entries)
        entries.append([])
        size = room[stages[stage]]
        most = tuple(
            min([have, *(high // worth[k] for worth, _, high in bounds[stage] if k in worth and high >= 0)])
            for k, have in enumerate(left, start=1)
        )  # more of a kind is beyond the bounds by itself
        for taken in _choices(most, size):
            tried += 1
            if made >= MOST_ENTRIES or tried >= MOST_TRIED:
                raise UsageError(
                    "count: these counts together take too large tables; count fewer things, or at fewer seats"
                )
            every = (size - sum(taken), *taken)
            if not all(low <= _inner(worth, every) <= high for worth, low, high in bounds[stage]):
                continue
            made += 1
            rest = tuple(have - take for have, take in zip(left, taken, strict=True))
            below, after = ways(stage + 1, rest)
            if below:
                entries[number].append((_ways(size, taken) * below, after, taken))
        return sum(entry[0] for entry in entries[number]), number

    start = tuple(len(kind) for kind in kinds[1:])
    total, _ = ways(0, start)
    without = _ways(pool + sum(room[place] for place in stages), start)
    return _Tables(tuple(map(tuple, kinds)), stages, states, entries, Fraction(total, without))


def _inner(worth: Mapping[int, int], taken: Sequence[int]) -> int:
    return sum(each * taken[k] for k, each in worth.items())


def _choices(left: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """How many of each kind but the first a place of ``size`` may take."""
    if not left:
        yield ()
        return
    for take in range(min(left[0], size) + 1):
        for others in _choices(left[1:], size - take):
            yield take, *others


def vector(given: Given) -> NDArray[np.int64]:
    """What ``kernels.given.deal_given`` deals by: int64[1, words]."""
    import numpy as np

    from ..kernels import given as k

    game, tables = resolve_game(given.game), _tables(given)
    most = max((sum(entry[0] for entry in each) for each in tables.entries), default=1)
    limbs = max(1, -(-most.bit_length() // 32))
    if limbs > k.MAX_LIMBS or len(tables.free) > k.MAX_KINDS:
        raise UsageError("count: these counts divide the cards into too many kinds; count fewer things")
    words = [0] * k.HEAD
    sizes = {
        k.IS_GIVEN: 1, k.FREE_COUNT: sum(map(len, tables.free)), k.PLACES: game.seats + 1, k.KINDS: len(tables.free),
        k.LIMBS: limbs, k.STAGES: len(tables.stages),
    }  # fmt: skip
    for at, value in sizes.items():
        words[at] = value

    def table(at: int, values: Iterable[int]) -> None:
        words[at] = len(words)
        words.extend(values)

    table(k.FREE, (face for kind in tables.free for face in kind))
    table(k.KIND_SIZES, map(len, tables.free))
    starts = accumulate((size_of(game, place) for place in range(game.seats + 1)), initial=0)
    rows: list[int] = []
    for place, start in zip(range(game.seats + 1), starts, strict=False):
        held = len(given.held[place])
        stage = place in tables.stages
        # a place all of whose cards are drawn from the pool is in uniform order as it is
        mix = (held > 0 or stage) and place not in given.ordered
        rows += [start, size_of(game, place), held, int(mix), int(stage)]
    table(k.PLACE_ROWS, rows)
    table(k.HELD, (face for cards in given.held for face in cards))
    table(k.STAGE_PLACES, tables.stages)
    first, rows = 0, []
    for each in tables.entries:
        rows += [first, len(each)]
        first += len(each)
    table(k.STATES, rows)
    rows = []
    for each in tables.entries:
        for upto, (_, after, taken) in zip(accumulate(entry[0] for entry in each), each, strict=True):
            rows += [upto >> (32 * at) & 0xFFFFFFFF for at in range(limbs - 1, -1, -1)]
            rows += [after, *taken]
    table(k.ENTRIES, rows)
    return np.array(words, np.int64).reshape(1, -1)
