"""Revealing, pressed bankers, burying, naming, sessions and tractors of hong-wu-wu-jia (HW-1, HW-4 to HW-8, HW-17)."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
import scripted_hw
from helpers import cards_of, face_number, hand, normal_of_chi2, scaled, words
from scripted_hw import ELSE, NAME, REVEAL_ANSWER, REVEAL_AT, fill_up, staged

from tuolaji.kernels import hong_wu_wu_jia as hw
from tuolaji.kernels import partner, rng, view
from tuolaji.sim.engine import Engine, Trace, encode_rules
from tuolaji.sim.plan import make_plan
from tuolaji.sim.replay import records
from tuolaji.sim.rules import RuleSet

from naive import FACES, HW, check_record, components, effective_suit, ladders
from naive import hong_wu_wu_jia as oracle
from naive.cards import of_suit

pytestmark = pytest.mark.nojit

SUITS = "shcd"
Moment = tuple[int, int]  # seat, cards it holds


def dealt(seed: int, deal: int) -> list[str]:
    faces = np.array([k % 54 for k in range(162)], np.int64)
    rng.shuffle(faces, 162, rng.shuffle_plan(162).ravel(), seed, deal, 0)
    return [FACES[int(face)] for face in faces]


def lots(seed: int, deal: int) -> tuple[int, int]:
    """HW-1, HW-4: the first seat and the previous banker as the lots of a single deal have them."""
    state = np.zeros(rng.RNG_SIZE, np.int64)
    rng.rng_start(state, 0, seed, deal, rng.LOT)
    return int(rng.below(state, 0, 5)), int(rng.below(state, 0, 5))


def twos(cards: list[str], seat: int, held: int) -> list[str]:
    mine = cards[31 * seat : 31 * seat + held]
    return [card for card in ("2s", "2h", "2c", "2d") if card in mine]


def moments(first: int, previous: int) -> list[Moment]:
    """HW-1, HW-4: who may reveal when: after each card, in the last two rounds the previous banker alone."""
    turns = [((first + step) % 5, held) for held in range(1, 32) for step in range(5)]
    return [(seat, held) for seat, held in turns if held <= 29 or seat == previous]


# --- HW-1: the deal


def test_hw1_hw6_thirty_one_cards_each_and_seven_to_the_bottom() -> None:
    for deal in range(5):
        trace = Engine(make_plan(HW, policies="random", seed=3)).trace(deal)
        cards = [FACES[int(face)] for face in trace.faces]
        assert cards == dealt(3, deal)  # COM-19: whoever is first
        assert Counter(cards) == Counter(dict.fromkeys(FACES, 3))
        left = {seat: Counter(cards[31 * seat : 31 * seat + 31]) for seat in range(5)}
        banker = trace.row["banker"]
        left[banker] += Counter(cards[155:])
        for number in range(trace.row["tricks"]):
            row = trace.pub[view.HISTORY + view.H_STRIDE * number :]
            for seat in range(5):
                played = cards_of(trace.lay, row[view.H_PLAYS + 3 * seat : view.H_PLAYS + 3 * seat + 3])
                assert not Counter(played) - left[seat]
                left[seat] -= Counter(played)
        # HW-6: what the banker did not play lies buried, seven cards
        buried = cards_of(trace.lay, trace.own[banker, view.BURIED : view.BURIED + 3])
        assert len(buried) == 7 and left.pop(banker) == Counter(buried)
        assert not any(left.values())


def test_hw6_the_bankers_trumps_are_counted_before_burying() -> None:
    engine = Engine(make_plan(HW, policies="random", seed=11))
    for deal in range(scaled(200)):
        trace = engine.trace(deal)
        cards = [FACES[int(face)] for face in trace.faces]
        banker, trump = trace.row["banker"], SUITS[trace.row["trump"]]
        mine = Counter(of_suit(HW, trump, cards[31 * banker : 31 * banker + 31] + cards[155:], "t"))
        assert trace.row["banker_trumps"] == mine.total()
        assert trace.row["banker_trump_pairs"] == sum(copies >= 2 for copies in mine.values())
        assert trace.pub[view.HISTORY + view.H_LEADER] == banker  # HW-11: and leads


# --- HW-4: revealing


@pytest.mark.parametrize("skip", [0, -1, -4, -29, -100])
def test_hw4_who_is_asked_and_what_the_answers_do(skip: int) -> None:
    """Random scripts: one seat reveals at one of its questions; nobody is asked too often or passed over.

    ``skip`` is what is answered to all other questions: -k puts the next one off until there are k cards more.
    """
    picker = random.Random(skip)
    met: Counter[str] = Counter()
    for deal in range(scaled(300, 60)):
        cards, (first, previous) = dealt(5, deal), lots(5, deal)
        ready = dict.fromkeys(range(5), 0)
        asked = []
        for seat, held in moments(first, previous):
            if twos(cards, seat, held) and held >= ready[seat]:
                asked.append((seat, held))
                ready[seat] = held + max(1, -skip)
        scripts = scripted_hw.blank()
        scripts[:, ELSE] = skip
        at = picker.choice([picker.randrange(len(asked)), len(asked) - 1, len(asked)])
        if at < len(asked):
            seat, held = asked[at]
            face = picker.choice(twos(cards, seat, held))
            scripts[seat, REVEAL_AT] = sum(other == seat for other, _ in asked[:at])
            scripts[seat, REVEAL_ANSWER] = SUITS.index(face[1]) + 1
        trace = scripted_hw.engine(scripts, seed=5).trace(deal)
        row = trace.row
        assert (row["first_seat"], row["previous_banker"]) == (first, previous)
        if at < len(asked):
            assert (row["banker"], row["pressed"], row["reveal_after"]) == (seat, 0, held)
            assert SUITS[row["trump"]] == face[1]
            met["late"] += held > 29
        else:  # HW-5
            assert (row["banker"], row["pressed"], row["reveal_after"]) == (previous, 1, 0)
            assert SUITS[row["trump"]] in oracle.pressed_trumps(
                cards[31 * previous : 31 * previous + 31], cards[155:]
            )
            met["pressed"] += 1
        counts = [sum(seat == other for other, _ in asked[: at + 1]) for seat in range(5)]
        assert trace.own[:5, view.MEMORY].tolist() == counts
    assert met["pressed"] and (met["late"] or skip < -1)


def test_hw4_a_suit_that_is_not_held_reveals_nothing() -> None:
    scripts = scripted_hw.blank()
    for deal in range(20):
        cards, (_first, previous) = dealt(6, deal), lots(6, deal)
        for answer in (5, 77):
            scripts[:, ELSE] = answer
            assert scripted_hw.engine(scripts, seed=6).trace(deal).row["pressed"] == 1
        scripts[:, ELSE] = 3
        row = scripted_hw.engine(scripts, seed=6).trace(deal).row
        able = [moment for moment in moments(_first, previous) if "2c" in twos(cards, *moment)]
        found = [(row["banker"], row["reveal_after"])] if not row["pressed"] else []
        assert found == able[:1]


def test_hw1_hw4_single_deals_draw_first_seat_and_previous_banker_by_lot() -> None:
    drawn = Counter(lots(1, deal) for deal in range(scaled(5000, 2500)))
    each = drawn.total() / 25
    chi2 = sum((drawn[a, b] - each) ** 2 / each for a in range(5) for b in range(5))
    assert abs(normal_of_chi2(chi2, 24)) < 5
    rows = Engine(make_plan(HW, policies="random", seed=1)).play(0, 40)
    pairs = zip(rows["first_seat"].tolist(), rows["previous_banker"].tolist(), strict=True)
    assert [*pairs] == [lots(1, deal) for deal in range(40)]


@pytest.mark.parametrize("session", [2, 5])
def test_hw4_hw17_in_a_session_the_last_banker_is_the_previous_one(session: int) -> None:
    rows = Engine(make_plan(HW, policies="random", seed=2, session=session)).play(0, 40)
    for deal in range(40):
        before = rows["banker"][deal - 1] if deal % session else 0  # HW-4: seat 0 in the first hand
        assert rows["previous_banker"][deal] == before
        assert rows["first_seat"][deal] == lots(2, deal)[0]
    assert set(rows["pressed"].tolist()) == {0, 1}


# --- HW-5: pressed


def pressed(hand_: str, bottom: str, previous: int, seed: int) -> str:
    """The trump that the lots of a seed give a pressed banker with these cards."""
    held, under = hand(hand_), hand(bottom)
    assert (len(held), len(under)) == (31, 7)
    faces = np.full(162, face_number("2h"), np.int64)  # the others' cards: never drawn from
    faces[31 * previous : 31 * previous + 31] = [face_number(card) for card in held]
    faces[155:] = [face_number(card) for card in under]
    pub, own = view.fresh_pub(), np.zeros(view.OWN_SIZE, np.int64)
    rng.rng_start(own, view.RNG, seed, 0, rng.LOT)
    pub[view.PREVIOUS] = previous
    hw.press(pub, faces, own)
    assert (pub[view.PRESSED], pub[view.BANKER]) == (1, previous)
    return SUITS[int(pub[view.TRUMP_CARD])]


NO_TWOS = "3s*3 4s*3 5h*3 6h*3 7h*3 8c*3 9c*3 Tc*3 Jd*3 SJ*3 BJ"


@pytest.mark.parametrize(
    ("held", "bottom", "chances"),
    [  # HW-5: each card alike
        ("2s*3 2c 2d*2 Ah*3 Kh*3 Qh*3 Jh*3 Th*3 9h*3 8h*3 7h*3 6h", "2h*3 As*3 3h", {"s": 3, "c": 1, "d": 2}),
        ("2d 3d*3 4d*3 Ah*3 Kh*3 Qh*3 Jh*3 Th*3 9h*3 8h*3 7h*3", "2h*3 2s*3 As", {"d": 1}),
        (NO_TWOS, "2h 2c*3 As*3", {"h": 1, "c": 3}),  # no 2 in hand: of the 2s in the bottom
        (NO_TWOS, "As 3h 4h 5c 5d SJ BJ", {"s": 1, "h": 2, "c": 1, "d": 1}),  # none there: no joker, no 5h
        (NO_TWOS, "5h*3 SJ*2 BJ Kc", {"c": 1}),
        (NO_TWOS, "5h*3 SJ*2 BJ*2", {"d": 1}),  # none there: diamonds
    ],
)
def test_hw5_trump_is_drawn_from_the_twos_then_from_the_bottom(
    held: str, bottom: str, chances: dict[str, int]
) -> None:
    draws = scaled(2500, 600)
    drawn = Counter(pressed(held, bottom, number % 5, number) for number in range(draws))
    assert set(drawn) == set(chances) == oracle.pressed_trumps(hand(held), hand(bottom))
    if len(chances) > 1:
        each = draws / sum(chances.values())
        chi2 = sum((drawn[suit] - each * weight) ** 2 / (each * weight) for suit, weight in chances.items())
        assert normal_of_chi2(chi2, len(chances) - 1) < 5


# --- HW-7, HW-8: naming


@pytest.mark.parametrize(
    ("held", "least", "able"),
    [
        ("As Ks Kh Ad*2 5h*3 BJ Qc*3 SJ*3 2d", 0, "As Ah Ac Ad Ks Kh Kc Kd 5h BJ"),
        ("As Ks Kh Ad*2 5h*3 BJ Qc*3 SJ*3 2d", 1, "As Ks Kh Ad 5h BJ"),
        ("As Ks Kh Ad*2 5h*3 BJ Qc*3 SJ*3 2d", 2, "Ad 5h"),
        ("As Ks Kh Ad*2 5h*3 BJ Qc*3 SJ*3 2d", 3, "5h"),
        ("Qc*3 SJ*3 2d Ah Kc*2", 3, "As Ah Ac Ad Ks Kh Kc Kd 5h BJ"),  # none held so often: any
        ("Qc*3", 1, "As Ah Ac Ad Ks Kh Kc Kd 5h BJ"),
    ],
)
@pytest.mark.parametrize("trump", SUITS)
def test_hw7_the_faces_that_may_be_named(held: str, least: int, able: str, trump: str) -> None:
    lay = encode_rules(RuleSet.build(HW, {"named_copies_min": least}))[SUITS.index(trump)]
    own = np.zeros(view.OWN_SIZE, np.int64)
    own[:3] = words(lay, hand(held))
    assert set(cards_of(lay, (partner.nameable(own, lay), 0, 0))) == set(hand(able))


def named_in(trace: Trace) -> tuple[str, list[str], list[str]]:
    """The face named, the banker's cards when naming, and those it buried."""
    banker = trace.row["banker"]
    cards = [FACES[int(face)] for face in trace.faces]
    buried = cards_of(trace.lay, trace.own[banker, view.BURIED : view.BURIED + 3])
    kept = Counter(cards[31 * banker : 31 * banker + 31] + cards[155:]) - Counter(buried)
    return FACES[trace.row["named"]], [*kept.elements()], buried


@pytest.mark.parametrize("least", [0, 1, 3])
def test_hw7_hw8_what_is_named_counts_and_what_is_not_allowed_is_replaced(least: int) -> None:
    scripts = scripted_hw.blank()
    met: Counter[str] = Counter()
    for deal in range(scaled(120, 40)):
        for answer in (face_number("Kd"), face_number("5h"), face_number("Qs"), 54, 10**9):
            scripts[:, NAME] = answer
            trace = scripted_hw.engine(scripts, seed=7, overrides=[f"named_copies_min={least}"]).trace(deal)
            named, kept, buried = named_in(trace)
            able = [face for face in oracle.NAMEABLE if kept.count(face) >= least] or [*oracle.NAMEABLE]
            asked = FACES[answer] if answer < 54 else ""
            assert named == asked if asked in able else named in able
            held = kept.count(named) + buried.count(named)
            assert trace.row["named_held"] == held
            assert trace.row["solo"] == (held == 3) == (trace.row["partner"] < 0)
            assert (trace.row["partner_trick"] < 0) == (held == 3)
            met["replaced"] += named != asked
            met["buried"] += named in buried
    assert met["replaced"] and met["buried"]


def test_hw8_solo_only_with_all_copies_wherever_they_are() -> None:
    met = Counter(
        (record["solo"], min(record["buried"].count(record["named"]), 1))
        for record in records(make_plan(HW, policies="random", seed=8), 0, scaled(600, 250))
        if (record["hands"][record["banker"]] + record["bottom"]).count(record["named"]) == 3
    )
    assert set(met) == {(True, 0), (True, 1)}


# --- HW-11: every tractor of up to four levels, in whole deals made for it

TRACTORS = [(length, triples) for length in (2, 3, 4) for triples in range(length + 1)]


def tractor_cards(picker: random.Random, suit: str, low: int, length: int, triples: int) -> list[str]:
    """A tractor from a level of an effective suit on, its triples anywhere; trump is hearts."""
    levels = ladders(HW, "h")[suit][low : low + length]
    threes = picker.sample(range(length), triples)
    return [card for k, faces in enumerate(levels) for card in [picker.choice(faces)] * (2 + (k in threes))]


@pytest.mark.parametrize(("length", "triples"), TRACTORS)
@pytest.mark.parametrize("suit", ["s", "t"])
def test_hw11_com5_com8_com13_com16_com17_tractors_led_followed_and_ruffed(
    length: int, triples: int, suit: str
) -> None:
    """The banker leads a tractor; one seat has a higher one, one a lower one, one is void with a trump tractor."""
    picker = random.Random(f"{length} {triples} {suit}")
    top = len(ladders(HW, "h")[suit])
    met: Counter[str] = Counter()
    for number in range(scaled(6, 3)):
        low = picker.randrange(0, top - 2 * length + 1)
        led = tractor_cards(picker, suit, low, length, triples)
        higher = tractor_cards(
            picker, suit, picker.randrange(low + length, top - length + 1), length, triples
        )
        void = []
        if suit != "t":
            start = picker.randrange(0, len(ladders(HW, "h")["t"]) - length + 1)
            void = tractor_cards(picker, "t", start, length, triples)
        used = Counter(led + higher + void)
        others = [c for c in FACES for _ in range(3 - used[c]) if effective_suit(HW, "h", c) != suit]
        picker.shuffle(others)
        while len(void) < 31:
            void.append(others.pop())
        hands = fill_up(picker, [led, [], higher, void, []])
        record = staged(hands, "h", 0, "Kc", {(0, 0): led}, seed=number)
        assert check_record(record) == [], record["tricks"][0]
        first = record["tricks"][0]
        assert Counter(first["plays"][0]["cards"]) == Counter(led) and "attempt" not in first["plays"][0]
        kind = ("tractor", length, triples)
        for play_ in first["plays"][1:]:
            cards = play_["cards"]
            where = {effective_suit(HW, "h", card) for card in cards}
            same = len(where) == 1 and [part.type for part in components(HW, "h", cards)] == [kind]
            met["followed"] += same and where == {suit}
            met["ruffed"] += same and where == {"t"} and suit != "t"
        met["beaten"] += first["winner"] != 0
    assert met["followed"] and met["beaten"] and (met["ruffed"] or suit == "t")
