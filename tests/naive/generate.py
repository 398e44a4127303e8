"""Whole random legal games as records: every choice a random one among those the clauses allow."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .cards import (
    BOTTOM_SIZE,
    DEFAULTS,
    DWF,
    FACES,
    HAND_SIZE,
    HW,
    PACKS,
    SEATS,
    SUITS,
    Card,
    Rules,
    effective_suit,
    ladders,
    level,
    of_suit,
    option,
    without,
)
from .die_wu_fen import base_value, forced_branch
from .hong_wu_wu_jia import NAMEABLE, pressed_trumps
from .play import follow_fault, obligations, throw_check, trick
from .record import due_scores, play_out
from .shapes import Type, components, contains, types_of

Lucky = tuple[int, str] | None  # a seat to get the highest trumps of a suit, so that shutouts happen too


def random_record(game: str, seed: int, rules: Rules | None = None) -> dict[str, Any]:
    """One random legal game as a record (record.md); equal arguments give equal records."""
    rng = random.Random(f"{game} {seed}")
    full = copy.deepcopy(DEFAULTS[game] | dict(rules or {}))
    record: dict[str, Any] = {"format": "tuolaji-record/1", "game": game, "rules": full}
    record["first_seat"] = rng.randrange(SEATS[game])
    record["redeals"] = 0
    lucky = (rng.randrange(SEATS[game]), rng.choice(SUITS)) if rng.random() < 0.15 else None
    if game == DWF:
        _auction(record, rng, lucky)
    else:
        _reveal(record, rng, lucky)
    _bury(record, rng, lucky)
    if game == HW:
        _name(record, rng)
    _play(record, rng, lucky)
    course = play_out(record, [])
    record.update((key, due) for key, (_, due) in due_scores(record, course).items())
    return record


def _deal(record: dict[str, Any], rng: random.Random, lucky: Lucky) -> None:
    """COM-1, DWF-1, HW-1: shuffle and deal; a lucky seat gets the highest trumps of a suit."""
    game, size = record["game"], HAND_SIZE[record["game"]]
    cards = list(FACES) * PACKS[game]
    rng.shuffle(cards)
    mine: list[Card] = []
    if lucky:
        cards.sort(key=lambda card: _height(game, lucky[1], card))
        cut = len(cards) - rng.choice([size - 5, size])
        mine, cards = cards[cut:], cards[:cut]
        rng.shuffle(cards)
    hands: list[list[Card]] = []
    for seat in range(SEATS[game]):
        kept = mine if lucky and seat == lucky[0] else []
        more = size - len(kept)
        hands.append(kept + cards[:more])
        cards = cards[more:]
        rng.shuffle(hands[-1])
    record["hands"], record["bottom"] = hands, cards


def _height(game: str, trump: str, card: Card) -> tuple[bool, int]:
    """COM-4: for sorting: trumps above side cards, then the level."""
    return effective_suit(game, trump, card) == "t", level(game, trump, card)


def _asked(first: int, seats: int, rounds: int) -> Iterator[tuple[int, int]]:
    """DWF-3, HW-4: (seat, cards held) in the order in which the seats are asked during the deal."""
    for after in range(1, rounds + 1):
        for step in range(seats):
            yield (first + step) % seats, after


def _auction(record: dict[str, Any], rng: random.Random, lucky: Lucky) -> None:
    """DWF-3 to DWF-6: deal until somebody calls, perhaps a counter, then the bidding."""
    rules, first = record["rules"], record["first_seat"]
    eager = rng.choice([0.004, 0.05, 0.3])
    size, seats = HAND_SIZE[DWF], SEATS[DWF]
    while True:
        _deal(record, rng, lucky)
        moments = [*_asked(first, seats, size), *[((first + step) % seats, size) for step in range(seats)]]
        calls: list[dict[str, Any]] = []
        waiting = iter(moments)
        for seat, after in waiting:
            threes = Counter(card for card in record["hands"][seat][:after] if card[0] == "3")
            if lucky:
                threes = Counter({"3" + lucky[1]: threes["3" + lucky[1]] if seat == lucky[0] else 0})
            if not threes.total() or rng.random() > eager:
                continue
            face = rng.choice(sorted(threes))
            calls.append({"seat": seat, "cards": [face] * rng.randint(1, threes[face]), "after_card": after})
            break
        if calls:
            break
        record["redeals"] += 1
    caller = calls[0]["seat"]
    if option(DWF, rules, "counter") and len(calls[0]["cards"]) == 1:
        later = [moment for moment in list(waiting)[:-seats] if moment[0] != caller]
        later += [((caller + step) % seats, size) for step in (1, 2)]
        for seat, after in later:
            threes = Counter(card for card in record["hands"][seat][:after] if card[0] == "3")
            pairs = sorted(face for face in threes if threes[face] == 2)
            if pairs and rng.random() < 0.4:
                calls.append({"seat": seat, "cards": [rng.choice(pairs)] * 2, "after_card": after})
                break
    record["calls"] = calls
    record["trump"] = calls[-1]["cards"][0][1]
    _bidding(record, rng)


def _bidding(record: dict[str, Any], rng: random.Random) -> None:
    """DWF-6, DWF-8: random raises and passes."""
    rules, last = record["rules"], record["calls"][-1]
    least = option(DWF, rules, "opening_bid_pair" if len(last["cards"]) == 2 else "opening_bid_single")
    step, most = option(DWF, rules, "bid_step"), option(DWF, rules, "bid_max")
    grid = [bid for bid in range(100, most + 1) if bid >= least and (bid - 100) % step == 0]
    turn = last["seat"]
    passed: set[int] = set()
    bid = rng.choice(grid[: rng.choice([1, 3, len(grid)])])
    record["bids"] = [{"seat": turn, "bid": bid}]
    record["banker"] = turn
    while bid < most and len(passed) < 2:
        turn = (turn + 1) % SEATS[DWF]
        if turn in passed:
            continue
        higher = [more for more in grid if more > bid]
        if not higher or rng.random() < 0.6:
            passed.add(turn)
            record["bids"].append({"seat": turn, "bid": None})
            continue
        bid = rng.choice(higher[:3])
        record["banker"] = turn
        record["bids"].append({"seat": turn, "bid": bid})
    record["bid"] = bid
    record["base"] = base_value(bid, rules)


def _reveal(record: dict[str, Any], rng: random.Random, lucky: Lucky) -> None:
    """HW-4, HW-5: the reveal, or the draw when pressed."""
    _deal(record, rng, lucky)
    previous = record["previous_banker"] = rng.randrange(SEATS[HW])
    eager = rng.choice([0.001, 0.05, 0.3])
    record["reveal"] = None
    for seat, after in _asked(record["first_seat"], SEATS[HW], HAND_SIZE[HW]):
        twos = [card for card in record["hands"][seat][:after] if card[0] == "2"]
        if lucky:
            twos = [card for card in twos if (seat, card[1]) == lucky]
        if not twos or rng.random() > eager or (after > HAND_SIZE[HW] - 2 and seat != previous):
            continue
        card = rng.choice(twos)
        record["reveal"] = {"seat": seat, "card": card, "after_card": after}
        record["banker"], record["trump"] = seat, card[1]
        return
    record["banker"] = previous
    record["trump"] = rng.choice(sorted(pressed_trumps(record["hands"][previous], record["bottom"])))


def _bury(record: dict[str, Any], rng: random.Random, lucky: Lucky) -> None:
    """DWF-7, HW-6: any of the banker's cards, now and then a whole suit first."""
    cards = record["hands"][record["banker"]] + record["bottom"]
    rng.shuffle(cards)
    if lucky:
        cards.sort(key=lambda card: _height(record["game"], record["trump"], card))
    elif rng.random() < 0.5:
        suit = rng.choice(SUITS)
        cards.sort(key=lambda card: effective_suit(record["game"], record["trump"], card) != suit)
    record["buried"] = cards[: BOTTOM_SIZE[record["game"]]]


def _name(record: dict[str, Any], rng: random.Random) -> None:
    """HW-7: any nameable face with the copies asked for, more often one that the banker has all of."""
    banker_cards = record["hands"][record["banker"]] + record["bottom"]
    kept = without(banker_cards, record["buried"]) or []
    able = [face for face in NAMEABLE if kept.count(face) >= option(HW, record["rules"], "named_copies_min")]
    able = able or list(NAMEABLE)
    full = [face for face in able if banker_cards.count(face) == 3]
    aces = [face for face in able if face[0] == "A"]
    pool = rng.choice([able, full or able, aces or able])
    record["named"] = rng.choice(pool)


def _play(record: dict[str, Any], rng: random.Random, lucky: Lucky) -> None:
    """COM-9 to COM-18: random leads and follows until the hands are empty."""
    game, trump, banker, rules = record["game"], record["trump"], record["banker"], record["rules"]
    hands = [list(hand) for hand in record["hands"]]
    hands[banker] = without(hands[banker] + record["bottom"], record["buried"]) or []
    daring = rng.choice([0.05, 0.3, 0.7])
    record["tricks"] = []
    leader, unknown = banker, game == HW
    named = record.get("named")
    while hands[leader]:
        others = [hand for seat, hand in enumerate(hands) if seat != leader]
        bait = [
            card for card in hands[leader] if named and named[0] == "A" and card in (named, "K" + named[1])
        ]
        if unknown and leader == banker and bait and rng.random() < 0.3:
            meant = [rng.choice(bait)]  # HW-10: asking for the partner
        elif lucky and leader == banker:
            meant = [max(hands[leader], key=lambda card: _height(game, trump, card))]
        else:
            meant = _lead(game, trump, hands[leader], others, rules, daring, rng)
        stands, lead = throw_check(game, trump, meant, others, rules)
        first: dict[str, Any] = {"seat": leader, "cards": lead}
        if not stands:
            first["attempt"] = meant
        plays = [first]
        for step in range(SEATS[game]):
            seat = (leader + step) % SEATS[game]
            if step:
                bound = named if unknown and seat != banker else None
                play = random_follow(game, trump, hands[seat], lead, rules, rng, bound)
                plays.append({"seat": seat, "cards": play})
            cards = plays[-1]["cards"]
            hands[seat] = without(hands[seat], cards) or []
            if seat != banker and named in cards:
                unknown = False
        index, _, worth = trick(game, trump, [play["cards"] for play in plays], rules)
        entry = {"leader": leader, "plays": plays, "winner": plays[index]["seat"], "points": worth}
        record["tricks"].append(entry)
        leader = entry["winner"]


def _lead(
    game: str,
    trump: str,
    hand: Sequence[Card],
    others: Sequence[Sequence[Card]],
    rules: Rules,
    daring: float,
    rng: random.Random,
) -> list[Card]:
    """COM-9: a random lead: a single card, a component, or a throw (rather one that stands)."""
    cards = of_suit(game, trump, hand, effective_suit(game, trump, rng.choice(hand)))
    parts = components(game, trump, cards)
    if len(parts) > 1 and rng.random() < daring:
        throw: list[Card] = []
        for _ in range(rng.choice([1, 4, 8])):
            some = rng.sample(parts, rng.randint(2, len(parts)))
            if rng.random() < 0.5:
                some = sorted(parts, key=lambda part: -part.top)[: len(some)]
            throw = [card for part in some for card in part.cards]
            if throw_check(game, trump, throw, others, rules)[0]:
                break
        return throw
    style = rng.random()
    if style < 0.3:
        return [rng.choice(cards)]
    return list(parts[0].cards if style < 0.7 else rng.choice(parts).cards)


def placements(game: str, trump: str, cards: Sequence[Card], kind: Type, split: bool) -> list[list[Card]]:
    """COM-5, COM-8: every way to take one component of a type, as concrete cards."""
    counts = Counter(cards)

    def able(face: Card, copies: int) -> bool:
        return counts[face] == copies or (counts[face] > copies and (split or copies == 1))

    if kind[0] != "tractor":
        copies = {"single": 1, "pair": 2, "triple": 3}[kind[0]]
        return [[face] * copies for face in sorted(counts) if able(face, copies)]
    if not cards:
        return []
    ladder = ladders(game, trump)[effective_suit(game, trump, cards[0])]
    found: list[list[Card]] = []
    for low in range(len(ladder) - kind[1] + 1):
        ways: list[list[Card]] = [[]]
        for height in range(low, low + kind[1]):
            ways = [
                way + [face] * copies
                for way in ways
                for face in ladder[height]
                for copies in (2, 3)
                if able(face, copies)
            ]
        found += [way for way in ways if len(way) == 2 * kind[1] + kind[2]]
    return found


def random_assignment(
    game: str, trump: str, cards: Sequence[Card], types: Sequence[Type], split: bool, rng: random.Random
) -> list[Card]:
    """COM-8: random cards that hold the listed components (which must fit; in precedence order)."""
    left = list(cards)
    taken: list[Card] = []
    for index, kind in enumerate(types):
        ways = placements(game, trump, left, kind, split)
        rng.shuffle(ways)
        for way in ways:
            rest = without(left, way)
            if rest is not None and contains(game, trump, rest, types[index + 1 :], split):
                left, taken = rest, taken + way
                break
        else:
            raise ValueError("the components do not fit")
    return taken


def random_follow(
    game: str,
    trump: str,
    hand: Sequence[Card],
    lead: Sequence[Card],
    rules: Rules,
    rng: random.Random,
    named: Card | None = None,
) -> list[Card]:
    """COM-11 to COM-14, DWF-11, HW-9: a random legal follow."""
    play = _follow(game, trump, hand, lead, rules, rng, named)
    fault = follow_fault(game, trump, hand, lead, play, rules, named)
    if fault:
        raise AssertionError(f"{play} on {lead} from {hand}: {fault}")
    return play


def _follow(
    game: str,
    trump: str,
    hand: Sequence[Card],
    lead: Sequence[Card],
    rules: Rules,
    rng: random.Random,
    named: Card | None,
) -> list[Card]:
    split = bool(option(game, rules, "split_triples"))
    suit = effective_suit(game, trump, lead[0])
    held = of_suit(game, trump, hand, suit)
    if len(held) >= len(lead):
        owed = obligations(game, trump, held, lead, rules)
        play = random_assignment(game, trump, held, owed, split, rng)
        return play + rng.sample(without(held, play) or [], len(lead) - len(play))
    missing = len(lead) - len(held)
    rest = without(hand, held) or []
    trumps = of_suit(game, trump, rest, "t")
    types = types_of(game, trump, lead)
    branch = forced_branch(trump, hand, lead, rules) if game == DWF else None
    bound = branch == "DWF-11d" and option(DWF, rules, "forced_trump_binds") == "all"
    able = not held and suit != "t" and not bound and contains(game, trump, trumps, types, split)
    if able and rng.random() < 0.5:
        play = random_assignment(game, trump, trumps, types, split, rng)
        return play + rng.sample(without(trumps, play) or [], len(lead) - len(play))
    if branch == "DWF-11a":
        others = [card for card in rest if card not in trumps]
        return held + trumps + rng.sample(others, missing - len(trumps))
    if branch == "DWF-11b":
        return held + rng.sample(trumps, missing)
    if branch:
        pairs = branch == "DWF-11d" and option(DWF, rules, "void_order") == "pairs-first"
        return held + _highest(trump, trumps, missing, pairs, rng)
    free = [card for card in rest if card != named or card[0] not in "AK"]
    if len(free) < missing:
        return held + free + rng.sample([card for card in rest if card not in free], missing - len(free))
    return held + rng.sample(free, missing)


def _highest(trump: str, trumps: Sequence[Card], number: int, pairs: bool, rng: random.Random) -> list[Card]:
    """DWF-11c, DWF-11d: the highest trumps, equal ones at random; with `pairs` pairs first."""
    counts = Counter(trumps)
    faces = sorted(counts, key=lambda face: (-level(DWF, trump, face), rng.random()))
    chosen: list[Card] = []
    if pairs:
        for face in faces:
            if counts[face] == 2 and len(chosen) + 2 <= number:
                chosen += [face] * 2
        for face in faces:
            if counts[face] == 1 and len(chosen) < number:
                chosen.append(face)
    left = sorted(without(trumps, chosen) or [], key=lambda card: (-level(DWF, trump, card), rng.random()))
    return chosen + left[: number - len(chosen)]
