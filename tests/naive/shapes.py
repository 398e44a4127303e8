"""Components, decomposition and exact containment (COM-5 to COM-8), written from the clauses alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .cards import Card, effective_suit, ladders, level, places, suit_rank

Type = tuple[str, int, int]  # kind, levels L, triples t
Profile = tuple[tuple[int, ...], ...]  # per level, how many copies of each face held there, most first

SINGLE: Type = ("single", 1, 0)
PAIR: Type = ("pair", 1, 0)
TRIPLE: Type = ("triple", 1, 1)
KIND_ORDER = ("tractor", "triple", "pair", "single")


def tractor(levels: int, triples: int) -> Type:
    """COM-5: the type of a tractor (L, t)."""
    return ("tractor", levels, triples)


def size(kind: Type) -> int:
    """COM-5: how many cards a component of this type has."""
    if kind[0] == "single":
        return 1
    return 2 * kind[1] + kind[2]


def precedence(kind: Type) -> tuple[int, int, int]:
    """COM-6 as a sort key, first in precedence lowest."""
    return (KIND_ORDER.index(kind[0]), -size(kind), -kind[1])


@dataclass(frozen=True)
class Component:
    """COM-5: one component, with its top level and its cards."""

    kind: str
    L: int
    t: int
    top: int
    cards: tuple[Card, ...]

    @property
    def type(self) -> Type:
        """COM-5: equal for components of the same type."""
        return (self.kind, self.L, self.t)


@lru_cache(maxsize=100_000)
def _components(game: str, trump: str, cards: tuple[Card, ...]) -> tuple[Component, ...]:
    suits = {effective_suit(game, trump, card) for card in cards}
    if len(suits) != 1:
        raise ValueError("components need cards of one effective suit (COM-9)")
    ladder = ladders(game, trump)[suits.pop()]
    unused = Counter(cards)
    found: list[Component] = []
    while True:
        choice = _run_faces(ladder, unused)
        run = _longest_run(choice)
        if len(run) < 2:
            break
        faces = [choice[height] for height in run]
        triples = sum(unused[face] == 3 for face in faces)
        taken = tuple(face for face in faces for _ in range(unused[face]))
        found.append(Component("tractor", len(run), triples, run[-1], taken))
        for face in faces:
            del unused[face]
    for face, copies in unused.items():
        kind = (SINGLE, PAIR, TRIPLE)[copies - 1]
        found.append(Component(*kind, level(game, trump, face), (face,) * copies))
    found.sort(key=lambda part: (precedence(part.type), -part.top, suit_rank(part.cards[-1])))
    return tuple(found)


def _run_faces(ladder: Sequence[Sequence[Card]], unused: Counter[Card]) -> dict[int, Card]:
    """COM-7: per level the face a run would use: most copies first, then the suit order."""
    choice: dict[int, Card] = {}
    for height, faces in enumerate(ladder):
        able = [face for face in faces if unused[face] >= 2]
        if able:
            choice[height] = min(able, key=lambda face: (-unused[face], suit_rank(face)))
    return choice


def _longest_run(choice: Iterable[int]) -> list[int]:
    """COM-7: the longest run of adjacent levels, of equally long ones the highest."""
    best: list[int] = []
    run: list[int] = []
    for height in sorted(choice):
        run = [*run, height] if run and run[-1] == height - 1 else [height]
        if len(run) >= len(best):
            best = run
    return best


def components(game: str, trump: str, cards: Sequence[Card]) -> list[Component]:
    """COM-7: the unique decomposition of a lead, in COM-6 order (ties: higher top first, then suit order)."""
    if not cards:
        return []
    return list(_components(game, trump, tuple(sorted(cards))))


def types_of(game: str, trump: str, cards: Sequence[Card]) -> list[Type]:
    """COM-7: the component types of a lead in precedence order."""
    return [part.type for part in components(game, trump, cards)]


def profile(game: str, trump: str, cards: Iterable[Card]) -> Profile:
    """How many copies of each face stand on each level: all that containment depends on."""
    counts = Counter(cards)
    where = places(game, trump)
    suits = {where[face][0] for face in counts}
    if not suits:
        return ()
    if len(suits) > 1:
        raise ValueError("containment needs cards of one effective suit (COM-8)")
    ladder = ladders(game, trump)[suits.pop()]
    return tuple(tuple(sorted((counts[f] for f in faces if counts[f]), reverse=True)) for faces in ladder)


def _take(held: tuple[int, ...], copies: int, split: bool) -> set[tuple[int, ...]]:
    """COM-8: what can remain of a level when a face gives `copies` (out of more only if `split`)."""
    results = set()
    for index, count in enumerate(held):
        if count == copies or (count > copies and split):
            rest = held[:index] + held[index + 1 :]
            if count > copies:
                rest += (count - copies,)
            results.add(tuple(sorted(rest, reverse=True)))
    return results


def _tractor_rests(held: Profile, at: int, levels: int, triples: int, split: bool) -> Iterator[Profile]:
    """COM-5: every way to take a run of `levels` levels from level `at` up, `triples` of them triples."""
    if levels == 0:
        yield held
        return
    for copies in (2, 3):
        left = triples - (copies == 3)
        if not 0 <= left <= levels - 1:
            continue
        for rest in _take(held[at], copies, split):
            yield from _tractor_rests((*held[:at], rest, *held[at + 1 :]), at + 1, levels - 1, left, split)


@lru_cache(maxsize=200_000)
def _rests(held: Profile, kind: Type, split: bool) -> tuple[tuple[int, Profile], ...]:
    """Every (top, what remains) of taking one pair, triple or tractor, highest top first."""
    found: set[tuple[int, Profile]] = set()
    for top in range(len(held)):
        low = top - kind[1] + 1
        if low >= 0:
            found.update((top, rest) for rest in _tractor_rests(held, low, kind[1], kind[2], split))
    return tuple(sorted(found, reverse=True))


@lru_cache(maxsize=400_000)
def _fits(held: Profile, types: tuple[Type, ...], split: bool) -> bool:
    """COM-8: exact search; `types` in precedence order, so singles come last and only need to be enough."""
    if sum(map(sum, held)) < sum(map(size, types)):
        return False
    if not types or types[0] == SINGLE:
        return True
    return any(_fits(rest, types[1:], split) for _, rest in _rests(held, types[0], split))


def in_order(types: Iterable[Type]) -> tuple[Type, ...]:
    """COM-6: a list of types sorted by precedence."""
    return tuple(sorted(((kind, levels, triples) for kind, levels, triples in types), key=precedence))


def contains(
    game: str, trump: str, cards: Iterable[Card], types: Iterable[Type], split_triples: bool = True
) -> bool:
    """COM-8: whether the cards (of one effective suit) contain the listed components disjointly."""
    return _fits(profile(game, trump, cards), in_order(types), split_triples)


def best_top(
    game: str, trump: str, cards: Sequence[Card], types: Iterable[Type], split_triples: bool = True
) -> int | None:
    """COM-17: the highest top the first component can have in any assignment; None if nothing fits."""
    wanted = in_order(types)
    held = profile(game, trump, cards)
    if not wanted or not _fits(held, wanted, split_triples):
        return None
    if wanted[0] == SINGLE:
        return max(height for height, faces in enumerate(held) if faces)
    ways = _rests(held, wanted[0], split_triples)
    return next((top for top, rest in ways if _fits(rest, wanted[1:], split_triples)), None)


def is_ruff(
    game: str, trump: str, lead: Sequence[Card], play: Sequence[Card], split_triples: bool = True
) -> bool:
    """COM-17: a side suit led, all n cards trumps, and they contain the lead's components."""
    if effective_suit(game, trump, lead[0]) == "t" or len(play) != len(lead):
        return False
    if any(effective_suit(game, trump, card) != "t" for card in play):
        return False
    return contains(game, trump, play, types_of(game, trump, lead), split_triples)
