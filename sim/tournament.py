"""Tournaments of hong-wu-wu-jia (HW-18): entrants of any skill, rounds at tables of five, the best go on."""

from __future__ import annotations

import re
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.compiling import clock
from .calls import numbers, whole, words
from .errors import Interrupted, UsageError
from .games import resolve_game
from .plan import make_plan, parse_policies
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from .calls import Words
    from .games import Game
    from .plan import Plan
    from .rules import Rules
    from .tables import TableEngine
    from .tournament_figures import Length

    Ints = NDArray[np.int64]

GAME, SEATS = "hong-wu-wu-jia", 5
ENTRANTS, HANDS, ADVANCE, TOURNAMENTS = 30, 20, 10, 1000  # unless asked for
LEAST, MOST_ENTRANTS, MOST_HANDS, MOST_ROUNDS = 20, 500, 1000, 8
_AT_ONCE = 500  # hands a piece of work has at least
_REGION = 2**40  # deals of one round have numbers from a multiple of this on


@dataclass(frozen=True)
class Entrant:
    """How an entrant plays: policies and how often each of them decides, adding up to 1."""

    name: str
    mind: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Asked:
    """What is played. ``entrants``: one for each; ``advance``: how many go on after each round but the last.

    ``carry``: points count on into the next round; ``by_lot``: seats are drawn in every round; ``mix``: whether a
    mixture draws its policy for each ``hand`` or once a ``round``.
    """

    plan: Plan
    entrants: tuple[Entrant, ...]
    hands: tuple[int, ...]
    advance: tuple[int, ...]
    tournaments: int
    carry: bool = False
    by_lot: bool = True
    mix: str = "hand"

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many play in each round."""
        return (len(self.entrants), *self.advance)

    @property
    def policies(self) -> list[str]:
        """All policies that anybody plays by."""
        return sorted({policy for entrant in self.entrants for policy, _ in entrant.mind})


@dataclass(frozen=True)
class Outcome:
    """Tournaments played: by tournament and entrant the points of the first round and how many rounds it played.

    ``winner``: by tournament an entrant; ``points``: its points in the last round, with what was carried.
    """

    opening: Ints
    played: Ints
    winner: Ints
    points: Ints


@dataclass(frozen=True)
class Result:
    """All that came of it, by the length of a round."""

    asked: Asked
    lengths: list[Length]
    seconds: float


# --- what is asked for


def ask(
    game: str | Game = GAME,
    tournaments: int = TOURNAMENTS,
    *,
    entrants: Words = (),
    number: int | None = None,
    hands: int | Iterable[int] = (),
    advance: int | Iterable[int] = (),
    rounds: int | None = None,
    carry: bool = False,
    seating: str = "lot",
    mix: str = "hand",
    seed: int = 0,
    rules: Rules = None,
    overrides: Words = (),
) -> Asked:
    """Check and complete what is asked for; `UsageError` with one sentence for what is not possible.

    ``entrants``: as `read_entrants` takes them; ``number``: how many in all (30, or as many as are named). ``hands``:
    lengths of a round to be tried; ``advance``: how many go on after each round but the last, one number for all of
    them or one for each; ``rounds``: 2 unless told otherwise.
    """
    found = resolve_game(game)
    if found.name != GAME:
        raise UsageError(f"game: there is no tournament of {found.name}; allowed is {GAME}")
    plan = make_plan(found, rules=rules, overrides=overrides, seed=seed)
    field = read_entrants(
        found, words(entrants, "entrants", "write expert@3 or 0.7*expert+0.3*greedy"), number
    )
    lengths = tuple(dict.fromkeys(numbers(hands, "hands", 1, MOST_HANDS))) or (HANDS,)
    if whole(tournaments, "tournaments", 0) < LEAST:
        raise UsageError(f"tournaments: {tournaments} are too few; allowed are {LEAST} or more")
    for name, value, allowed in (("seating", seating, ("lot", "order")), ("mix", mix, ("hand", "round"))):
        if value not in allowed:
            raise UsageError(
                f"{name}: {clip(value)} is not allowed; allowed are {allowed[0]} or {allowed[1]}"
            )
    going_on = _advance(len(field), numbers(advance, "advance", 1, MOST_ENTRANTS), rounds)
    return Asked(plan, field, lengths, going_on, tournaments, carry, seating == "lot", mix)


def _advance(entrants: int, given: list[int], rounds: int | None) -> tuple[int, ...]:
    """How many go on after each round but the last."""
    if rounds is None:
        rounds = max(2, len(given) + 1)
    rounds = whole(rounds, "rounds", 1, MOST_ROUNDS)
    found = given or [min(ADVANCE, entrants)] * (rounds - 1)
    if len(found) == 1:
        found = found * (rounds - 1)
    if len(found) != rounds - 1:
        raise UsageError(
            f"advance: {len(found)} numbers do not go with {rounds} rounds; give one, or {rounds - 1}, one after "
            "each round but the last"
        )
    before = entrants
    for number in found:
        if number % SEATS or not SEATS <= number <= before:
            raise UsageError(
                f"advance: {number} can't go on from {before}; allowed are multiples of 5 from 5 to {before}"
            )
        before = number
    return tuple(found)


def read_entrants(game: Game, given: list[str], number: int | None = None) -> tuple[Entrant, ...]:
    """Entrants from words: a policy or a mixture as ``0.7*expert+0.3*greedy``, and ``@N`` for N such entrants.

    The last one is repeated until there are ``number``. Without words, a ladder: mixtures of `expert` and `greedy` from
    none to all of `expert` in even steps.
    """
    found: list[Entrant] = []
    for text in given:
        words, at, count = text.partition("@")
        if at and not re.fullmatch("[0-9]{1,3}", count.strip(), re.ASCII):
            raise UsageError(f"entrant: {clip(text)} does not end in a number of entrants; write expert@3")
        found += [_entrant(game, words)] * (int(count) if at else 1)
    total = number if number is not None else max(ENTRANTS, len(found)) if len(given) < 2 else len(found)
    if total % SEATS or not SEATS <= total <= MOST_ENTRANTS:
        raise UsageError(
            f"entrants: {total} entrants can't sit at tables of five; allowed are multiples of 5 from 5 to "
            f"{MOST_ENTRANTS}"
        )
    if len(found) > total:
        raise UsageError(f"entrants: {len(found)} are named, but there are to be {total}; leave some out")
    if not found:
        return tuple(_entrant(game, _rung(k, total - 1)) for k in range(total))
    return tuple(found + [found[-1]] * (total - len(found)))


def _rung(k: int, last: int) -> str:
    share = round(k / last, 4)
    return (
        "greedy" if k == 0 else "expert" if k == last else f"{share:g}*expert+{round(1 - share, 4):g}*greedy"
    )


def _entrant(game: Game, words: str) -> Entrant:
    mind: dict[str, float] = {}
    for part in words.split("+"):
        share, star, name = part.rpartition("*")
        weight = 1.0
        if star:
            if not re.fullmatch(r"[0-9]*\.?[0-9]+", share.strip(), re.ASCII) or not 0 < float(share) <= 1:
                raise UsageError(
                    f"entrant: {clip(share.strip())} is no share in {clip(words)}; allowed are 0 to 1"
                )
            weight = float(share)
        if "=" in name.partition(":")[0]:
            raise UsageError(
                f"entrant: {clip(name)} names a role; an entrant plays all of them, write a name alone"
            )
        (policy, *_) = parse_policies(game, [name.strip()])
        mind[policy] = mind.get(policy, 0.0) + weight
    if abs(sum(mind.values()) - 1) > 1e-6:
        raise UsageError(
            f"entrant: the shares in {clip(words)} come to {sum(mind.values()):g}; they must add up to 1"
        )
    name = (
        "+".join(f"{share:g}*{policy}" for policy, share in mind.items())
        if len(mind) > 1
        else next(iter(mind))
    )
    return Entrant(name, tuple(mind.items()))


# --- playing


def tournament(tournaments: int = TOURNAMENTS, *, workers: int | None = None, **more: Any) -> dict[str, Any]:
    """Tournaments of hong-wu-wu-jia: the JSON object of `tuolaji tournament`. ``more``: as `ask` takes it."""
    from .tournament_figures import to_dict

    return to_dict(run(ask(GAME, tournaments, **more), workers=workers))


def work(asked: Asked) -> int:
    """How many hands are played in all."""
    return asked.tournaments * sum(asked.sizes) // SEATS * sum(asked.hands)


def run(asked: Asked, *, workers: int | None = None, report: Callable[[int], None] | None = None) -> Result:
    """Play and work everything out; ``report`` gets the hands played so far. `Interrupted` when stopped."""
    from .cores import cores
    from .stopping import stopped_by_user
    from .tables import TableEngine
    from .tournament_figures import length_of

    began = clock()
    stop = np.zeros(1, np.int64)
    done = 0

    def end() -> None:
        stop[0] = 1

    try:
        engine = TableEngine(asked.plan.rules, asked.policies, asked.plan.seed)
        lengths = []
        with stopped_by_user(end):
            for hands in asked.hands:
                pieces = []
                for piece in _pieces(engine, asked, hands, workers or cores(), stop):
                    pieces.append(piece)
                    done += len(piece.winner) * sum(asked.sizes) // SEATS * hands
                    if report:
                        report(done)
                joined = (np.concatenate(parts) for parts in zip(*map(_parts, pieces), strict=True))
                lengths.append(length_of(asked, hands, Outcome(*joined)))
    except KeyboardInterrupt:
        raise Interrupted("interrupted; a tournament keeps nothing, so run it again") from None
    return Result(asked, lengths, clock() - began)


def _parts(found: Outcome) -> tuple[Ints, ...]:
    return found.opening, found.played, found.winner, found.points


def _pieces(engine: TableEngine, asked: Asked, hands: int, workers: int, stop: Ints) -> Iterator[Outcome]:
    """All tournaments in order, some at a time, on several threads."""
    size = max(1, -(-_AT_ONCE * SEATS // (len(asked.entrants) * hands)))
    starts = iter(range(0, asked.tournaments, size))
    waiting: deque[Any] = deque()
    with ThreadPoolExecutor(workers, thread_name_prefix="tuolaji") as pool:
        while True:
            for start in starts:
                count = min(size, asked.tournaments - start)
                waiting.append(pool.submit(play, engine, asked, hands, start, count, stop))
                if len(waiting) > workers + 1:
                    break
            if not waiting:
                return
            found = waiting.popleft().result()
            if found is None:
                raise KeyboardInterrupt
            yield found


def play(
    engine: TableEngine, asked: Asked, hands: int, first: int, count: int, stop: Ints | None = None
) -> Outcome | None:
    """HW-18: tournaments ``first`` .. ``first + count - 1``, with so many hands a round; None when told to stop.

    All lots of a tournament (seats, ties, what a mixture plays by) come from a stream of its own.
    """
    entrants = len(asked.entrants)
    seed = asked.plan.seed
    lots = [
        np.random.Generator(np.random.Philox(key=np.array([seed, t], np.uint64)))
        for t in range(first, first + count)
    ]
    still = np.tile(np.arange(entrants), (count, 1))  # in the order of their rank
    points = np.zeros((count, entrants), np.int64)
    opening, played = np.zeros_like(points), np.zeros_like(points)
    rows = np.arange(count)[:, None]
    for number, size in enumerate(asked.sizes):
        still = still[:, :size]
        if asked.by_lot:
            still = np.stack([one[lot.permutation(size)] for one, lot in zip(still, lots, strict=True)])
        ties = np.stack([lot.random(size) for lot in lots])
        minds = np.concatenate(
            [_minds(asked, engine, one, hands, lot) for one, lot in zip(still, lots, strict=True)]
        )
        begin = number * _REGION + first * (size // SEATS) * hands
        columns = engine.play(begin, hands, minds, stop)
        if len(columns["banker"]) < len(minds):
            return None
        each = np.stack([columns[f"payoff_{seat}"] for seat in range(SEATS)], axis=-1).astype(np.int64)
        won = each.reshape(count, size // SEATS, hands, SEATS).sum(axis=2).reshape(count, size)
        if not asked.carry:
            points[:] = 0
        points[rows, still] += won
        if number == 0:
            opening[rows, still] = won
        played[rows, still] = number + 1
        held = points[rows, still]
        order = np.lexsort((ties, -held), axis=1)  # most points first, ties by lot
        still = still[rows, order]
    winner = still[:, 0]
    return Outcome(opening, played, winner, points[rows[:, 0], winner])


def _minds(asked: Asked, engine: TableEngine, seated: Ints, hands: int, lot: np.random.Generator) -> Ints:
    """By deal of a round's tables and seat, the policy that decides: int64[tables * hands, 5]."""
    shares = _shares(asked)[seated].reshape(-1, 1, SEATS, len(engine.names))
    drawn = lot.random((shares.shape[0], hands if asked.mix == "hand" else 1, SEATS, 1))
    found = (drawn >= shares[..., :-1]).sum(axis=-1)
    return np.ascontiguousarray(
        np.broadcast_to(found, (len(found), hands, SEATS)).reshape(-1, SEATS), np.int64
    )


def _shares(asked: Asked) -> NDArray[np.float64]:
    """By entrant and policy, how often one of the policies up to it decides."""
    names = asked.policies
    shares = np.array([[dict(entrant.mind).get(name, 0.0) for name in names] for entrant in asked.entrants])
    return np.asarray(np.cumsum(shares, axis=1), np.float64)
