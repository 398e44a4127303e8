"""Worlds: every one possible, each as frequent as the ways to deal it, and nothing looked at that is hidden."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from guessing import (
    Situation,
    draw,
    faults,
    from_record,
    key,
    knowledge,
    read_world,
    small,
    ways_of,
)
from helpers import cards_of, face_number, normal_of_chi2, scaled, table, words, words_by_face

from tuolaji.kernels import facts, rng, view, ways, ways_draw, worlds
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.layout import BIT_OF
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.replay import records

from naive import DWF, FACES, HW, random_record
from naive.cards import DEFAULTS, HAND_SIZE, PACKS, SEATS, without

RULES: list[tuple[str, dict[str, Any]]] = [
    (DWF, {}),
    (DWF, {"cascade": False}),
    (DWF, {"void_order": "by-level"}),
    (DWF, {"forced_trump_binds": "all"}),
    (DWF, {"forced_trump": "throw"}),
    (HW, {}),
    (HW, {"split_triples": False}),
    (HW, {"cascade": True}),
    (HW, {"cascade": True, "split_triples": False}),
]
MOST = {DWF: [30, 300, 1500], HW: [150, 1000]}


@cache
def situations(game: str, items: tuple[tuple[str, Any], ...], count: int) -> list[Situation]:
    """Short deals by lot in which the seat whose turn it is has cards left."""
    found = []
    number = 0
    while len(found) < count:
        number += 1
        picker = random.Random(f"{game} {items} {number}")
        s = small(picker, game, dict(items), picker.choice(MOST[game]))
        if s.hands_now()[s.turn()]:
            found.append(s)
    return found


def misfit(s: Situation, budget: int) -> float | None:
    """Chi-square of the worlds drawn against brute force, as a normal value; None if there is but one world."""
    expected = ways_of(s)
    count = max(1500, 15 * len(expected)) if len(expected) > 1 else 5
    out, box = draw(*knowledge(s), s.lay, count, budget)
    drawn = Counter(key(read_world(s.lay, world)) for world in out)
    assert set(drawn) <= set(expected), s
    assert box[worlds.LOOSENED] == box[worlds.MISSED] == 0
    total = sum(expected.values())
    cells, freedom, chi2 = [0.0, 0.0], -1, 0.0
    for due, world in sorted((count * n / total, world) for world, n in expected.items()):
        cells = [cells[0] + due, cells[1] + drawn[world]]
        if cells[0] >= 8:
            chi2 += (cells[1] - cells[0]) ** 2 / cells[0]
            freedom += 1
            cells = [0.0, 0.0]
    return normal_of_chi2(chi2, freedom) if freedom > 0 else None


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="hundreds of thousands of worlds")
@pytest.mark.parametrize("budget", [worlds.BUDGET, 0])
@pytest.mark.parametrize(("game", "rules"), RULES, ids=str)
def test_worlds_are_as_frequent_as_the_ways_to_deal_them(
    game: str, rules: dict[str, Any], budget: int
) -> None:
    found = [misfit(s, budget) for s in situations(game, tuple(rules.items()), 16 if not rules else 6)]
    values = [value for value in found if value is not None]
    assert max(values) < 4.5
    assert abs(np.mean(values)) < 4.0 / len(values) ** 0.5
    assert len(values) > len(found) // 2


@pytest.mark.skipif(not JIT, reason="many worlds")
def test_the_comparison_with_brute_force_finds_wrong_weights() -> None:
    """Were all different worlds alike, whatever the ways to deal them, the test above would fail."""
    wrong = 0
    for s in situations(DWF, (), 20)[:10]:
        expected = ways_of(s)
        if len(set(expected.values())) > 1:
            total, alike = sum(expected.values()), 1 / len(expected)
            chi2 = sum((1500 * n / total - 1500 * alike) ** 2 / (1500 * alike) for n in expected.values())
            wrong += normal_of_chi2(chi2, len(expected) - 1) > 4.5
    assert wrong >= 3


def test_the_small_deals_have_every_kind_of_fact() -> None:
    met: Counter[str] = Counter()
    for game, rules in RULES[:1] + RULES[5:6]:
        for s in situations(game, tuple(rules.items()), 20):
            _out, box = draw(*knowledge(s), s.lay, 1)
            known = box[worlds.FACTS : worlds.FACTS + facts.SIZE]
            met["restricted"] += box[ways.ITEMS] > 0
            met["checked"] += known[facts.FIRST_CHECK] < view.MAX_TRICKS
            met["banker showed"] += known[facts.SHOWN] != 0
            rows = [known[facts.ROW * seat : facts.ROW * (seat + 1)] for seat in range(s.seats)]
            met["known"] += any(row[facts.KNOWN] for row in rows)
            met["no pair"] += any(row[facts.BARRED + 2] & ~row[facts.BARRED + 1] for row in rows)
            met["counted in part"] += box[ways.COUNTED] < box[ways.GROUPS] - 1
            met["merged"] += box[ways.G + ways.GROUP_ROW * (box[ways.GROUPS] - 1) + ways.G_PLACE] < 0
    assert all(met[kind] for kind in ("restricted", "checked", "banker showed", "known", "no pair", "merged"))


# --- whole deals


def check_positions(record: dict[str, Any], picker: random.Random, positions: int, count: int) -> int:
    """Worlds at some decisions of a deal through the oracle; how many there were."""
    checked = 0
    for number in picker.sample(range(len(record["tricks"])), min(positions, len(record["tricks"]))):
        s = from_record(record, number, picker.randrange(SEATS[record["game"]]))
        out, box = draw(*knowledge(s), s.lay, count)
        assert box[worlds.LOOSENED] == box[worlds.MISSED] == 0
        for world in out:
            assert faults(s, read_world(s.lay, world)) == [], f"trick {number}, seat {s.turn()}"
            checked += 1
    return checked


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="slow")
@pytest.mark.parametrize(("game", "policy"), [(g, p) for g in (DWF, HW) for p in POLICIES[g]])
def test_worlds_of_played_deals_agree_with_every_play_so_far(game: str, policy: str) -> None:
    plan = make_plan(game, policies=policy, seed=61)
    picker = random.Random(policy)
    assert sum(check_positions(record, picker, 6, 3) for record in records(plan, 0, 15)) > 200


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="slow")
@pytest.mark.parametrize(("game", "rules"), RULES, ids=str)
def test_worlds_of_random_deals_agree_with_every_play_so_far(game: str, rules: dict[str, Any]) -> None:
    for seed in range(6):
        assert check_positions(random_record(game, seed, rules), random.Random(seed), 6, 3)


# --- nothing hidden is looked at


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_design_the_same_knowledge_gives_the_same_worlds_whatever_is_hidden(game: str) -> None:
    """One of the worlds drawn is made the true deal: then the same worlds are drawn again."""
    picker = random.Random(game)
    for seed in range(scaled(12, 2)):
        record = random_record(game, seed)
        number = picker.randrange(len(record["tricks"]))
        s = from_record(record, number, picker.randrange(SEATS[game]))
        what, pub, own = knowledge(s)
        out, _box = draw(what, pub, own, s.lay, 4)
        *now, buried = read_world(s.lay, out[3])
        hands = [hand + s.played(seat) for seat, hand in enumerate(now)]
        other = replace(s, hands=hands, buried=buried)
        again, _box = draw(*knowledge(other), s.lay, 4)
        assert again.tolist() == out.tolist()
        moved = sum((Counter(h) - Counter(t)).total() for h, t in zip(hands, s.hands, strict=True))
        assert moved or number > 20
        others = {world.tobytes() for world in draw(*knowledge(s, deal=8), s.lay, 4)[0]}
        assert number > 10 or others != {
            world.tobytes() for world in out
        }  # another deal, other random numbers


@pytest.mark.nojit
def test_design_worlds_are_the_same_on_every_machine_and_without_jit() -> None:
    digest = hashlib.sha256()
    for game, seed, number in ((DWF, 1, 9), (DWF, 2, 3), (HW, 3, 8), (HW, 4, 2)):
        record = random_record(game, seed)
        s = from_record(record, min(number, len(record["tricks"]) - 1), 1)
        for world in draw(*knowledge(s), s.lay, 3)[0]:
            digest.update(repr(read_world(s.lay, world)).encode())
    assert digest.hexdigest()[:16] == "db4c73e2db503a42"


@pytest.mark.nojit
def test_decisions_of_a_deal_have_streams_of_their_own() -> None:
    pub, own = np.zeros(view.PUB_SIZE, np.int64), np.zeros(view.OWN_SIZE, np.int64)
    seen = set()
    for what, where, at, count in (
        (view.CALL, own, view.CARDS, 34),
        (view.COUNTER, own, view.CARDS, 34),
        (view.BID_TURN, pub, view.BIDS, 40),
        (view.BURY, pub, view.BIDS, 1),
        (view.NAME, pub, view.BIDS, 1),
        (view.LEAD, pub, view.TRICK, 33),
    ):
        for n in range(count):
            where[at] = n
            seen.add(int(worlds.decision_number(what, pub, own)))
    assert len(seen) == 34 + 34 + 40 + 2 + 33
    assert min(seen) >= 0 and max(seen) < 256
    assert worlds.decision_number(view.FOLLOW, pub, own) == worlds.decision_number(view.LEAD, pub, own)


# --- before the play


def deal_out(game: str, seed: int) -> tuple[list[list[str]], list[str]]:
    cards = [*FACES] * PACKS[game]
    random.Random(seed).shuffle(cards)
    size = HAND_SIZE[game]
    return [cards[size * k : size * k + size] for k in range(SEATS[game])], cards[size * SEATS[game] :]


def asked(game: str, seat: int, hand: list[str], lay: Any | None) -> tuple[Any, Any]:
    """``pub`` and ``own`` of a seat that is asked something before the play; by face number without a layout."""
    pub, own = np.full(view.PUB_SIZE, -77, np.int64), np.zeros(view.OWN_SIZE, np.int64)
    for at in (view.CALLER, view.COUNTERER, view.BANKER):
        pub[at] = -1
    pub[view.ATTEMPT_NO] = pub[view.BIDS] = 0
    own[:3] = words_by_face(hand) if lay is None else words(lay, hand)
    own[view.SEAT], own[view.CARDS] = seat, len(hand)
    rng.rng_start(own, view.RNG, 3, 4, rng.SEAT + seat)
    return pub, own


def by_face(world: Any) -> list[str]:
    counts = [((int(w) >> face) & 1, face) for w in world for face in range(54)]
    return [FACES[face] for copies, face in counts if copies]


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_dwf3_hw4_worlds_while_calls_are_to_come(game: str) -> None:
    hands, _bottom = deal_out(game, 1)
    lay, seats, size = table(game, "s"), SEATS[game], HAND_SIZE[game]
    held = hands[1][:20]
    pub, own = asked(game, 1, held, None)
    what = view.CALL if game == DWF else view.REVEAL
    if game == DWF:  # asked for a counter: seat 2 called with a 3
        pub[view.CALLER], pub[view.CALL_SUIT], pub[view.CALL_SIZE] = 2, 3, 1
        what = view.COUNTER
    for world in draw(what, pub, own, lay, 20)[0]:
        rows = [by_face(world[seat * view.OWN_SIZE : seat * view.OWN_SIZE + 3]) for seat in range(seats)]
        bottom, coming = by_face(world[-6:-3]), by_face(world[-3:])
        assert [len(row) for row in rows] == [20 if seat == 1 else size for seat in range(seats)]
        assert len(coming) == size - 20 and sorted(rows[1]) == sorted(held)
        assert Counter(card for row in [*rows, bottom, coming] for card in row) == Counter(
            [*FACES] * PACKS[game]
        )
        assert game == HW or "3d" in rows[2]


@pytest.mark.nojit
def test_dwf6_worlds_while_bidding() -> None:
    hands, bottom = deal_out(DWF, 2)
    lay = table(DWF, "h")
    hands[0] += ["3h", "3h"]
    for hand in hands:
        hand[:] = [card for card in hand if card != "3h"]
    rest = [card for hand in hands for card in hand] + [card for card in bottom if card != "3h"]
    hands = [["3h", "3h", *rest[:31]], rest[31:64], rest[64:97]]
    pub, own = asked(DWF, 1, hands[1], lay)
    pub[view.CALLER], pub[view.CALL_SUIT], pub[view.CALL_SIZE] = 0, 1, 2
    for world in draw(view.BID_TURN, pub, own, lay, 20)[0]:
        *rows, under = read_world(lay, world)
        assert [len(row) for row in rows] == [33, 33, 33] and len(under) == 9
        assert rows[0].count("3h") == 2 and sorted(rows[1]) == sorted(hands[1])
        assert Counter(card for row in [*rows, under] for card in row) == Counter([*FACES] * 2)


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_dwf7_hw6_hw7_worlds_while_burying_and_naming(game: str) -> None:
    hands, bottom = deal_out(game, 3)
    lay, seats = table(game, "c"), SEATS[game]
    mine = hands[0] + bottom
    pub, own = asked(game, 0, mine, lay)
    pub[view.BANKER] = 0
    for world in draw(view.BURY, pub, own, lay, 20)[0]:
        *rows, under = read_world(lay, world)
        assert [len(row) for row in rows] == [len(mine)] + [HAND_SIZE[game]] * (seats - 1) and not under
        assert sorted(rows[0]) == sorted(mine)
    kept = without(mine, bottom)
    assert kept is not None
    own[:3], own[view.BURIED : view.BURIED + 3] = words(lay, kept), words(lay, bottom)
    for world in draw(view.NAME, pub, own, lay, 20)[0]:
        *rows, under = read_world(lay, world)
        assert [len(row) for row in rows] == [HAND_SIZE[game]] * seats
        assert sorted(under) == sorted(bottom) == sorted(cards_of(lay, world[view.BURIED : view.BURIED + 3]))
        assert Counter(card for row in [*rows, under] for card in row) == Counter([*FACES] * PACKS[game])


# --- facts, one by one (hands of three seats; seat 0 looks, seat 1 leads, seat 2 follows)


def barred_in(s: Situation, seat: int) -> Callable[[str], str]:
    """Which numbers of copies of a card are barred in a seat's hand, a function of the card."""
    what, pub, own = knowledge(s)
    known = np.zeros(facts.SIZE, np.int64)
    facts.gather(what, pub, own, s.lay, known)
    row = known[seat * facts.ROW + facts.BARRED : (seat + 1) * facts.ROW]

    def barred(card: str) -> str:
        bit = int(s.lay[BIT_OF + face_number(card)])
        return "".join(str(n) for n in range(3) if (int(row[n]) >> bit) & 1)

    return barred


def shown_by(lead: str, follow: str, under: str = "", **rules: Any) -> Callable[[str], str]:
    """What is barred in seat 2's hand after it followed a lead of seat 1; ``under``: cards that lie in the bottom."""
    plays = [
        {"seat": 1, "cards": lead.split()},
        {"seat": 2, "cards": follow.split()},
    ]
    rest = sorted((Counter([*FACES] * 2) - Counter(f"{lead} {follow} {under}".split())).elements())
    size = 20
    need = [size - len(lead.split()), size - len(follow.split())]
    hands = [rest[:size], lead.split() + rest[size : size + need[0]]]
    hands.append(follow.split() + rest[size + need[0] : size + sum(need)])
    bottom = under.split() + rest[len(under.split()) - 9 :]
    s = Situation(DWF, "h", DEFAULTS[DWF] | rules, 1, hands, bottom, [{"leader": 1, "plays": plays}])
    assert "attempt" not in plays[0] and knowledge(s)[1][view.FAILED] == 0
    return barred_in(s, 2)


@pytest.mark.nojit
def test_com12_a_void_bars_the_suit() -> None:
    barred = shown_by("9s", "4c")
    assert barred("As") == barred("4s") == "12"
    assert barred("4c") == barred("Ac") == barred("4h") == ""


@pytest.mark.nojit
def test_com13_no_pair_on_a_pair_bars_all_pairs_of_the_suit() -> None:
    barred = shown_by("9s 9s", "4s 7s")
    assert barred("As") == "2" and barred("Ac") == ""
    assert barred("4s") == "12"  # with a second one it had had a pair


@pytest.mark.nojit
def test_com13_one_pair_on_a_tractor_bars_all_others() -> None:
    barred = shown_by("9s 9s Ts Ts", "4s 4s 7s Qs")
    assert barred("As") == "2" and barred("7s") == "12" and barred("Ah") == ""


@pytest.mark.nojit
def test_dwf11a_fewer_trumps_than_missing_bar_trumps() -> None:
    barred = shown_by("9s 9s Ts Ts", "5h 6c 7c 8c")
    assert barred("BJ") == barred("4h") == "12" and barred("As") == "12" and barred("Ac") == ""


@pytest.mark.nojit
def test_dwf11b_singles_say_nothing_of_trumps() -> None:
    barred = shown_by("As Ks", "5h 6h", under="As Ks")
    assert barred("BJ") == barred("4h") == "" and barred("4s") == "12"


@pytest.mark.nojit
def test_dwf11c_the_highest_trumps_bar_higher_ones() -> None:
    barred = shown_by("9s 9s", "4s Kh")
    assert barred("Ah") == barred("2c") == barred("BJ") == "12"
    assert barred("Qh") == barred("Kh") == ""


@pytest.mark.nojit
def test_dwf11d_pairs_before_singles() -> None:
    # All its pairs and a single: no pairs are left, nothing unpaired above the single.
    barred = shown_by("9s 9s Ts Ts", "Kh Kh Qh 9h")
    assert barred("Ah") == barred("Th") == "12" and barred("4h") == "2" and barred("Qh") == "12"
    # Two pairs: more pairs may be left, lower ones; of single trumps any.
    barred = shown_by("9s 9s Ts Ts", "Kh Kh 9h 9h")
    assert barred("Ah") == "2" and barred("4h") == "" and barred("Th") == "2"
    # A ruff is free (DWF-11d), unless the order binds all plays.
    assert shown_by("9s 9s", "4h 4h")("Ah") == ""
    assert shown_by("9s 9s", "4h 4h", forced_trump_binds="all")("Ah") == "2"


@pytest.mark.nojit
def test_dwf11d_the_odd_card() -> None:
    # A pair and one card missing: it was the highest unpaired trump, or half of the highest pair left.
    barred = shown_by("As As Ks", "Kh Kh 9h", forced_trump_binds="all")
    assert barred("Th") == "1" and barred("Ah") == "12" and barred("8h") == ""


@pytest.mark.nojit
def test_com10_a_throw_that_stood_bars_what_beats_it() -> None:
    # A K K of spades stood, one A and both Qs being elsewhere: nobody has a pair above K, so nobody both of A.
    lead = ["As", "Ks", "Ks"]
    rest = [card for card in sorted([*FACES] * 2) if card[1] != "s"]
    hands = [["Qs", *rest[:19]], [*lead, *rest[19:36]], ["Qs", *rest[36:55]]]
    tricks: list[dict[str, Any]] = [{"leader": 1, "plays": [{"seat": 1, "cards": lead}]}]
    s = Situation(DWF, "h", DEFAULTS[DWF], 1, hands, ["As", *rest[55:63]], tricks)
    barred = barred_in(s, 0)
    assert barred("As") == "2" and barred("Qs") == barred("Ac") == ""
    assert knowledge(s)[1][view.FAILED] == 0


@pytest.mark.nojit
def test_com10_what_a_failed_throw_showed_is_known_until_it_is_played() -> None:
    found = 0
    for seed in range(scaled(40, 10)):
        record = random_record(DWF, seed)
        for number, trick in enumerate(record["tricks"][:-1]):
            if "attempt" not in trick["plays"][0]:
                continue
            s = from_record(record, number, 1)
            left = Counter(trick["plays"][0]["attempt"]) - Counter(trick["plays"][0]["cards"])
            for world in draw(*knowledge(s), s.lay, 3)[0]:
                assert not left - Counter(read_world(s.lay, world)[trick["leader"]])
            found += 1
            break
    assert found > 3


# --- shuffling


def test_choose_gives_every_choice_the_same_chance() -> None:
    state = np.zeros(8, np.int64)
    rng.rng_start(state, 0, 1, 2, 3)
    count = scaled(40_000, 2_000)
    seen: Counter[frozenset[int]] = Counter()
    cards = np.arange(6, dtype=np.int64)
    for _ in range(count):
        ways_draw.choose(cards, 0, 6, 3, state, 0)
        seen[frozenset(cards[:3].tolist())] += 1
    assert set(seen) == {frozenset(c) for c in combinations(range(6), 3)}
    due = count / 20
    assert normal_of_chi2(sum((n - due) ** 2 / due for n in seen.values()), 19) < 4
