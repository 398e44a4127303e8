"""Positions of deals as one seat knows them, the worlds it may guess, and the oracle's word on such a world.

`Situation` is a deal with its tricks so far in cards; `knowledge` shows it to the kernels as a table would; `faults`
plays the tricks again through the oracle with other hands: a world is possible if and only if that finds nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import factorial, prod
from typing import Any

import numba
import numpy as np
from helpers import Ints, cards_of, face_number, table, words

from tuolaji.kernels import play, rng, shapes, view, worlds
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.layout import BIT_OF
from tuolaji.kernels.memory import pointer

from naive import DWF, FACES, HW, follow_fault, throw_check
from naive.cards import PACKS, SEATS, without
from naive.generate import _lead, random_follow

Hands = list[list[str]]
SUITS = "shcd"


@dataclass
class Situation:
    """A deal after burying, and its tricks: dicts of `leader` and `plays` as in a record, the last maybe unfinished."""

    game: str
    trump: str
    rules: dict[str, Any]
    banker: int
    hands: Hands  # before the first trick
    buried: list[str]
    tricks: list[dict[str, Any]]
    calls: list[dict[str, Any]] = field(default_factory=list)  # seat, cards
    named: str | None = None
    unused: list[str] = field(default_factory=list)  # cards out of play from the start, seen by all

    @property
    def seats(self) -> int:
        return SEATS[self.game]

    @property
    def lay(self) -> Ints:
        shaping = {k: v for k, v in self.rules.items() if k in _SHAPING}
        return table(self.game, self.trump, shaping)

    def hands_now(self, hands: Hands | None = None) -> Hands:
        """What is left of hands (its own, or those of a world before the first trick)."""
        now = []
        for seat, hand in enumerate(hands or self.hands):
            left = without(hand, self.played(seat))
            assert left is not None
            now.append(left)
        return now

    def played(self, seat: int) -> list[str]:
        return [c for t in self.tricks for p in t["plays"] if p["seat"] == seat for c in p["cards"]]

    def turn(self) -> int:
        """Whose turn it is."""
        last = self.tricks[-1]
        return (last["leader"] + len(last["plays"])) % self.seats


_SHAPING = ("cascade", "split_triples", "forced_trump", "void_order", "forced_trump_binds")


def from_record(record: dict[str, Any], number: int, position: int) -> Situation:
    """A record up to trick `number`, of which `position` plays are made."""
    hands = [list(hand) for hand in record["hands"]]
    banker = record["banker"]
    kept = without(hands[banker] + record["bottom"], record["buried"])
    assert kept is not None
    hands[banker] = kept
    tricks = [*record["tricks"][:number]]
    entry = record["tricks"][number]
    tricks.append({"leader": entry["leader"], "plays": entry["plays"][:position]})
    calls = record.get("calls", [])
    if record.get("reveal"):
        calls = [{"seat": record["reveal"]["seat"], "cards": [record["reveal"]["card"]]}]
    return Situation(
        record["game"], record["trump"], record["rules"], banker, hands, record["buried"], tricks, calls,
        record.get("named"),
    )  # fmt: skip


# --- what the table shows


def knowledge(s: Situation, seed: int = 5, deal: int = 7) -> tuple[int, Ints, Ints]:
    """(what, pub, own) of the seat whose turn it is: the kernels play the tricks again."""
    lay, seats = s.lay, s.seats
    pub, own = view.fresh_pub(), np.zeros((seats, view.OWN_SIZE), np.int64)
    flat, masks = own.reshape(-1), np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    for at in (view.CALLER, view.COUNTERER, view.NAMED):
        pub[at] = -1
    pub[view.BANKER], pub[view.TRUMP_CARD] = s.banker, SUITS.index(s.trump)
    for (seat, suit), call in zip(
        ((view.CALLER, view.CALL_SUIT), (view.COUNTERER, view.COUNTER_SUIT)), s.calls, strict=False
    ):
        pub[seat], pub[suit] = call["seat"], SUITS.index(call["cards"][0][1])
    if s.calls:
        pub[view.CALL_SIZE] = len(s.calls[0]["cards"])
    if s.named:
        pub[view.NAMED] = lay[BIT_OF + face_number(s.named)]
    for seat in range(seats):
        own[seat, :3] = words(lay, s.hands[seat])
        own[seat, view.SEAT] = seat
        rng.rng_start(own[seat], view.RNG, seed, deal, rng.SEAT + seat)
    own[s.banker, view.BURIED : view.BURIED + 3] = words(lay, s.buried)
    play.start_play(pub, flat, lay)
    pub[view.SEEN : view.SEEN + 3] = words(lay, s.unused)
    for trick in s.tricks:
        for step, one in enumerate(trick["plays"]):
            if step:
                play.put_follow(pub, flat, lay, one["seat"], *words(lay, one["cards"]))
                continue
            meant = one.get("attempt", one["cards"])
            play.put_lead(pub, flat, lay, masks, one["seat"], *words(lay, meant))
        if len(trick["plays"]) == seats:
            play.end_trick(pub)
    me = s.turn()
    assert pub[view.POSITION] or pub[view.LEADER] == me
    return (view.FOLLOW if pub[view.POSITION] else view.LEAD), pub, own[me].copy()


def _draw_worlds(what: Any, pub: Any, own: Any, lay: Any, box: Any, out: Any, budget: Any) -> Any:
    pub_, own_, lay_, box_ = pointer(pub), pointer(own), pointer(lay), pointer(box)
    tables = worlds.prepare(what, pub_, own_, lay_, box_, budget)
    for i in range(out.shape[0]):
        worlds.draw(what, pub_, own_, lay_, box_, tables, pointer(out[i]))
    return box[0]


#: Not through `kernel`: its cache follows the imports of kernel modules, not those of tests.
_draw = numba.njit(_draw_worlds) if JIT else _draw_worlds


def draw(
    what: int, pub: Ints, own: Ints, lay: Ints, count: int, budget: int = worlds.BUDGET
) -> tuple[Ints, Ints]:
    """So many worlds as the kernels write them, and the sampler's working memory."""
    seats = int(lay[_SEATS])
    box = np.full(worlds.SIZE, -77, np.int64)
    out = np.full((count, seats * view.OWN_SIZE + worlds.EXTRA), -77, np.int64)
    _draw(what, pub, own, np.ascontiguousarray(lay), box, out, budget)
    return out, box


_SEATS = 237


def read_world(lay: Ints, world: Ints) -> Hands:
    """A world as cards: the hands as they are now, then the bottom."""
    seats = int(lay[_SEATS])
    hands = [cards_of(lay, world[seat * view.OWN_SIZE : seat * view.OWN_SIZE + 3]) for seat in range(seats)]
    return [*hands, cards_of(lay, world[seats * view.OWN_SIZE : seats * view.OWN_SIZE + 3])]


# --- what the oracle says of a world


def faults(s: Situation, now: Hands) -> list[str]:
    """What in the deal so far could not have been with these hands (as they are now) and this bottom."""
    found = []
    buried = now[-1]
    hands = [hand + s.played(seat) for seat, hand in enumerate(now[:-1])]
    stock = Counter(list(FACES) * PACKS[s.game])
    if Counter(card for hand in [*hands, buried, s.unused] for card in hand) != stock:
        found.append("not the pack")
    if [len(hand) for hand in hands] != [len(hand) for hand in s.hands] or len(buried) != len(s.buried):
        found.append("sizes")
    for call in s.calls:
        held = hands[call["seat"]] + (buried if call["seat"] == s.banker else [])
        if without(held, call["cards"]) is None:
            found.append(f"seat {call['seat']} had no {call['cards']} to show")
    unknown = s.named is not None
    for number, trick in enumerate(s.tricks):
        lead: list[str] = []
        for step, one in enumerate(trick["plays"]):
            seat, cards = one["seat"], one["cards"]
            where = f"trick {number} seat {seat}: {cards}"
            if step == 0:
                lead = cards
                meant = one.get("attempt", cards)
                if without(hands[seat], meant) is None:
                    found.append(f"{where} meant {meant} not held")
                others = [hand for other, hand in enumerate(hands) if other != seat]
                stands, rest = throw_check(s.game, s.trump, meant, others, s.rules)
                if stands != ("attempt" not in one) or Counter(rest) != Counter(cards):
                    found.append(f"{where} meant {meant}, but {rest}")
            else:
                bound = s.named if unknown and seat != s.banker else None
                bad = follow_fault(s.game, s.trump, hands[seat], lead, cards, s.rules, bound)
                if bad:
                    found.append(f"{where} on {lead}: {bad}")
            left = without(hands[seat], cards)
            if left is None:
                return [*found, f"{where} not held"]
            hands[seat] = left
            if seat != s.banker and s.named in cards:
                unknown = False
    return found


# --- all worlds of small situations


def shown(s: Situation) -> tuple[Hands, list[str]]:
    """Cards seen in each hand that are still there; and those the banker called with, now in its hand or buried."""
    known: list[Counter[str]] = [Counter() for _ in range(s.seats)]
    called: Counter[str] = Counter()
    for call in s.calls:
        (called if call["seat"] == s.banker else known[call["seat"]]).update(call["cards"])
    for trick in s.tricks:
        for one in trick["plays"]:
            seat = one["seat"]
            known[seat] |= Counter(one.get("attempt", []))
            known[seat] -= Counter(one["cards"])
            if seat == s.banker:
                called -= Counter(one["cards"])
    called -= known[s.banker]
    return [[*cards.elements()] for cards in known], [*called.elements()]


def ways_of(s: Situation) -> dict[tuple[tuple[str, ...], ...], int]:
    """Every possible world of the seat whose turn it is, with the number of ways to deal its physical cards.

    A card that was shown is one of those cards, and stays where it was shown.
    """
    me, now = s.turn(), s.hands_now()
    places = [seat for seat in range(s.seats) if seat != me] + ([s.seats] if me != s.banker else [])
    held = [*now, s.buried]
    known, called = shown(s)
    known[me] = now[me]
    called = called if me != s.banker else []
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for where in product([s.banker, s.seats], repeat=len(called)):
        fixed = [[*cards] for cards in (*known, [] if me != s.banker else s.buried)]
        for card, place in zip(called, where, strict=True):
            fixed[place].append(card)
        rooms = [len(held[place]) - len(fixed[place]) for place in places]
        if min(rooms) < 0:
            continue
        unseen = Counter(card for place in places for card in held[place])
        unseen -= Counter(card for place in places for card in fixed[place])
        for split, ways in splits(sorted(unseen.items()), rooms):
            world = [[*cards] for cards in fixed]
            for place, cards in zip(places, split, strict=True):
                world[place] += cards
            found[key(world)] += ways
    return {world: ways for world, ways in found.items() if not faults(s, [list(cards) for cards in world])}


def key(world: Hands) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sorted(hand)) for hand in world)


def splits(stock: Sequence[tuple[str, int]], rooms: list[int]) -> Iterator[tuple[Hands, int]]:
    """Every way to deal faces to places as (cards of each place, physical ways)."""
    if not stock:
        yield [[] for _ in rooms], 1
        return
    face, copies = stock[0]
    for counts in _compositions(copies, rooms):
        ways = factorial(copies) // prod(factorial(n) for n in counts)
        for rest, more in splits(stock[1:], [room - n for room, n in zip(rooms, counts, strict=True)]):
            yield [[face] * n + cards for n, cards in zip(counts, rest, strict=True)], ways * more


def _compositions(total: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(rooms) == 1:
        if total <= rooms[0]:
            yield (total,)
        return
    for n in range(min(total, rooms[0]) + 1):
        for rest in _compositions(total - n, rooms[1:]):
            yield (n, *rest)


def count_splits(s: Situation) -> int:
    """An upper bound of the number of worlds."""
    me, now = s.turn(), s.hands_now()
    sizes = [len(now[seat]) for seat in range(s.seats) if seat != me] + [len(s.buried)] * (me != s.banker)
    return factorial(sum(sizes)) // prod(factorial(n) for n in sizes)


def small(picker: random.Random, game: str, rules: dict[str, Any], most: int) -> Situation:
    """A short deal of few cards, full of pairs and runs, played by lot until few worlds are left (at most `most`)."""
    while True:
        s = _short_deal(picker, game, rules)
        while True:
            if count_splits(s) <= most:
                return s
            if not _one_play(picker, s):
                break


def _short_deal(picker: random.Random, game: str, rules: dict[str, Any]) -> Situation:
    from naive import ladders

    trump = picker.choice(SUITS)
    seats, packs = SEATS[game], PACKS[game]
    size, bottom = (picker.randint(6, 12), picker.randint(1, 3)) if game == DWF else (picker.randint(4, 8), 1)
    ladder = ladders(game, trump)
    cards: list[str] = []
    need = seats * size + bottom
    suits = picker.sample([*ladder], picker.randint(2, 3))
    if "t" not in suits and picker.random() < 0.7:
        suits[0] = "t"
    share = -(-need // len(suits))
    for suit in suits:
        faces = [face for rung in ladder[suit] for face in rung]
        width = min(len(faces), max(-(-share // packs), picker.randint(3, 12)))
        low = picker.randint(0, len(faces) - width)
        pool = [face for face in faces[low : low + width] for _ in range(packs)]
        if picker.random() < 0.5:
            picker.shuffle(pool)
        cards += pool[:share]
    spare = [face for face in FACES for _ in range(packs - cards.count(face))]
    picker.shuffle(spare)
    cards = (cards + spare)[:need]
    cards = _clump(picker, cards)
    hands = [cards[size * seat : size * seat + size] for seat in range(seats)]
    unused = Counter(list(FACES) * packs) - Counter(cards)
    banker = picker.randrange(seats)
    s = Situation(game, trump, rules, banker, hands, cards[seats * size :], [{"leader": banker, "plays": []}])
    s.unused = [*unused.elements()]
    if game == HW:
        s.named = picker.choice(["As", "Kh", "Ac", "Kd", "BJ", "5h"])
    if picker.random() < 0.5:
        shower = picker.randrange(seats)
        held = hands[shower] + (s.buried if shower == banker else [])
        rank = "3" if game == DWF else "2"
        threes = [card for card in held if card[0] == rank]
        if threes and (game == DWF or shower == banker):
            face = picker.choice(threes)
            times = picker.randint(1, held.count(face)) if game == DWF else 1
            s.calls = [{"seat": shower, "cards": [face] * min(times, 2)}]
    return s


def _clump(picker: random.Random, cards: list[str]) -> list[str]:
    """The cards shuffled, but so that identical ones often come together."""
    stick = picker.choice([0.0, 0.6, 0.9])
    left = Counter(cards)
    found: list[str] = []
    for card in picker.sample(cards, len(cards)):
        while left[card]:
            left[card] -= 1
            found.append(card)
            if picker.random() > stick:
                break
    return found


def _one_play(picker: random.Random, s: Situation) -> bool:
    """One more play by lot; False when no cards are left."""
    now, seat = s.hands_now(), s.turn()
    if not now[seat]:
        return False
    trick = s.tricks[-1]
    if not trick["plays"]:
        others = [hand for other, hand in enumerate(now) if other != seat]
        daring = picker.choice([0.1, 0.7])
        meant = _lead(s.game, s.trump, now[seat], others, s.rules, daring, picker)
        stands, cards = throw_check(s.game, s.trump, meant, others, s.rules)
        trick["plays"].append({"seat": seat, "cards": cards} | ({} if stands else {"attempt": meant}))
        return True
    unknown = s.named is not None and not any(
        s.named in p["cards"] and p["seat"] != s.banker for t in s.tricks for p in t["plays"]
    )
    bound = s.named if unknown and seat != s.banker else None
    lead = trick["plays"][0]["cards"]
    cards = random_follow(s.game, s.trump, now[seat], lead, s.rules, picker, bound)
    trick["plays"].append({"seat": seat, "cards": cards})
    if len(trick["plays"]) == s.seats:
        from naive import trick as judge

        index, _, _ = judge(s.game, s.trump, [p["cards"] for p in trick["plays"]], s.rules)
        s.tricks.append({"leader": trick["plays"][index]["seat"], "plays": []})
    return True
