"""No peeking: a policy's answers depend on nothing but what its seat may know.

A decision of a played deal is caught with what the policy was shown. Then all cards the seat cannot know are dealt anew
among those who hold them, the public history is played again in that world through the kernels, into memory full of
another deal's leftovers, and the policy is asked again: the same answer has to come.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from helpers import PACKS, SEATS, cards_of, scaled, words, words_by_face
from spying import PEEKING, Decision, Ints, Spy

from tuolaji.kernels import layout, notice, play, rng, shapes, view
from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.plan import POLICIES, make_plan

from naive import DWF, FACES, HW

pytestmark = pytest.mark.nojit

HAND = {DWF: 33, HW: 31}
ALWAYS = {"BURY": view.BURY, "LEAD": view.LEAD, "FOLLOW": view.FOLLOW}
QUESTIONS = {
    DWF: {"CALL": view.CALL, "COUNTER": view.COUNTER, "BID_TURN": view.BID_TURN, **ALWAYS},
    HW: {"REVEAL": view.REVEAL, "NAME": view.NAME, **ALWAYS},
}
#: Asked before all cards are dealt, with hands by face number.
EARLY = (view.CALL, view.COUNTER, view.REVEAL)
SEED = 31


@cache
def spy(game: str, name: str) -> tuple[Spy, Engine]:
    made = Spy.named(name, game)
    return made, made.engine(make_plan(game, policies="random", seed=SEED))


def dealt(game: str, deal: int, attempt: int) -> list[str]:
    count = 54 * PACKS[game]
    faces = np.array([k % 54 for k in range(count)], np.int64)
    rng.shuffle(faces, count, rng.shuffle_plan(count).ravel(), SEED, deal, attempt)
    return [FACES[int(face)] for face in faces]


def hand_and_bottom(game: str, cards: list[str], seat: int) -> tuple[list[str], list[str]]:
    size = HAND[game]
    return cards[size * seat : size * seat + size], cards[size * SEATS[game] :]


def history_row(pub: Ints, number: int) -> Ints:
    at = view.HISTORY + view.H_STRIDE * number
    return pub[at : at + view.H_STRIDE]


def played_by(trace: Trace, seat: int, tricks: int) -> list[list[str]]:
    """What a seat has played in the first so many tricks."""
    at = view.H_PLAYS + 3 * seat
    return [cards_of(trace.lay, history_row(trace.pub, number)[at : at + 3]) for number in range(tricks)]


class Course:
    """What everybody at the table has seen up to a decision."""

    def __init__(self, game: str, trace: Trace, decision: Decision) -> None:
        self.game, self.trace = game, trace
        self.banker = trace.row["banker"]
        self.tricks = int(decision.pub[view.TRICK])
        leader = int(history_row(trace.pub, self.tricks)[view.H_LEADER])
        plays = int(decision.pub[view.POSITION]) if decision.what == view.FOLLOW else 0
        # who has played in the trick not yet finished
        self.table = [(leader + step) % SEATS[game] for step in range(plays)]

    def played(self, seat: int) -> list[str]:
        """A seat's cards on the table so far, in finished tricks and this one."""
        tricks = self.tricks + (seat in self.table)
        return [card for cards in played_by(self.trace, seat, tricks) for card in cards]

    def shown(self, seat: int) -> list[str]:
        """What a seat's failed throws showed and it still holds."""
        seen: Counter[str] = Counter()
        for number in range(self.tricks + bool(self.table)):
            row = history_row(self.trace.pub, number)
            if row[view.H_FAILED] and row[view.H_LEADER] == seat:
                before = [c for cards in played_by(self.trace, seat, number) for c in cards]
                attempt = cards_of(self.trace.lay, row[view.H_ATTEMPT : view.H_ATTEMPT + 3])
                seen |= Counter(before) + Counter(attempt)
        return [*(seen - Counter(self.played(seat))).elements()]


def buried_in(trace: Trace) -> list[str]:
    return cards_of(trace.lay, trace.own[trace.row["banker"], view.BURIED : view.BURIED + 3])


def new_world(picker: random.Random, course: Course, cards: list[str], knower: int) -> list[list[str]]:
    """Hands before the first trick, and the buried cards: all that ``knower`` cannot know dealt anew."""
    banker, game = course.banker, course.game
    buried = buried_in(course.trace)
    hands = [hand_and_bottom(game, cards, seat)[0] for seat in range(SEATS[game])]
    hands[banker] = [
        *(Counter(hands[banker] + hand_and_bottom(game, cards, banker)[1]) - Counter(buried)).elements()
    ]
    holders = [*hands, buried]
    fixed = [course.played(seat) + course.shown(seat) for seat in range(SEATS[game])] + [[]]
    fixed[knower] = hands[knower]
    if knower == banker:
        fixed[-1] = buried
    pool = [
        c
        for held, known in zip(holders, fixed, strict=True)
        for c in (Counter(held) - Counter(known)).elements()
    ]
    picker.shuffle(pool)
    world = []
    for held, known in zip(holders, fixed, strict=True):
        size = len(held) - len(known)
        world.append(known + pool[:size])
        pool = pool[size:]
    return world


def leftovers(game: str, name: str, deal: int) -> tuple[Ints, Ints]:
    """Memory as another deal leaves it."""
    trace = spy(game, name)[1].trace(deal + 1000)
    return trace.pub.copy(), trace.own.copy()


def show_auction(pub: Ints, decision: Decision, trace: Trace) -> None:
    """The calls and bids up to the decision, from the record of the deal alone."""
    final, row = trace.pub, trace.row
    for at in (view.CALLER, view.COUNTERER, view.OPENER, view.BANKER, view.TRUMP_CARD):
        pub[at] = -1
    for at in (view.CALL_SIZE, view.CALL_AFTER, view.BIDS, view.BID):
        pub[at] = 0
    pub[view.FIRST] = row["first_seat"]
    pub[view.ATTEMPT_NO] = decision.pub[view.ATTEMPT_NO]
    if decision.what == view.CALL:
        return
    pub[view.CALLER], pub[view.CALL_SIZE], pub[view.CALL_AFTER] = (
        row["caller"],
        row["call_size"],
        row["call_after"],
    )
    pub[view.CALL_SUIT] = pub[view.TRUMP_CARD] = final[view.CALL_SUIT]
    pub[view.OPENER] = row["caller"]
    if decision.what == view.COUNTER:
        return
    if row["countered"]:
        for at in (view.COUNTERER, view.COUNTER_SUIT, view.COUNTER_AFTER):
            pub[at] = final[at]
    pub[view.OPENER], pub[view.TRUMP_CARD] = row["opener"], row["trump"]
    spoken = int(decision.pub[view.BIDS]) if decision.what == view.BID_TURN else int(final[view.BIDS])
    pub[view.BIDS], pub[view.PASSED] = spoken, 0
    for number in range(spoken):
        pub[view.BID_LOG + number] = final[view.BID_LOG + number]
        seat, bid = divmod(int(final[view.BID_LOG + number]), 1024)
        if bid:
            pub[view.BID], pub[view.BIDDER] = bid, seat
        else:
            pub[view.PASSED] |= 1 << seat
    if decision.what != view.BID_TURN:
        pub[view.BANKER] = row["banker"]


def show_reveal(pub: Ints, decision: Decision, trace: Trace) -> None:
    """Of hong-wu-wu-jia, who is banker and what was named, as far as it has come, from the record of the deal alone."""
    row = trace.row
    for at in (view.CALLER, view.BANKER, view.TRUMP_CARD, view.NAMED, view.PARTNER, view.PARTNER_TRICK):
        pub[at] = -1
    for at in (view.CALL_AFTER, view.PRESSED, view.ASKED, view.ATTEMPT_NO):
        pub[at] = 0
    pub[view.FIRST], pub[view.PREVIOUS] = row["first_seat"], row["previous_banker"]
    if decision.what == view.REVEAL:
        return
    pub[view.BANKER], pub[view.TRUMP_CARD] = row["banker"], row["trump"]
    pub[view.PRESSED], pub[view.CALL_AFTER] = row["pressed"], row["reveal_after"]
    if not row["pressed"]:
        pub[view.CALLER], pub[view.CALL_SUIT] = row["banker"], row["trump"]
    if decision.what not in (view.BURY, view.NAME):
        pub[view.NAMED] = trace.lay[layout.BIT_OF + row["named"]]


def play_again(pub: Ints, own: Ints, course: Course, world: list[list[str]]) -> bool:
    """The tricks so far in another world; False if a throw would have gone otherwise there."""
    lay, seats = course.trace.lay, SEATS[course.game]
    flat, masks = own.reshape(-1), np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    for seat in range(seats):
        own[seat, :3] = words(lay, world[seat])
    play.start_play(pub, flat, lay)
    for number in range(course.tricks + bool(course.table)):
        row = history_row(course.trace.pub, number)
        leader = int(row[view.H_LEADER])
        turns = (
            course.table if number == course.tricks else [(leader + step) % seats for step in range(seats)]
        )
        for step, seat in enumerate(turns):
            cards = [int(w) for w in row[view.H_PLAYS + 3 * seat : view.H_PLAYS + 3 * seat + 3]]
            if step:
                play.put_follow(pub, flat, lay, seat, *cards)
            else:
                meant = (
                    [int(w) for w in row[view.H_ATTEMPT : view.H_ATTEMPT + 3]]
                    if row[view.H_FAILED]
                    else cards
                )
                play.put_lead(pub, flat, lay, masks, seat, *meant)
                if pub[view.PLAY + 3 * seat : view.PLAY + 3 * seat + 3].tolist() != cards:
                    return False
            if course.game == HW:
                notice.notice(pub, flat, lay, seat)
        if len(turns) == seats:
            play.end_trick(pub)
    return True


def known_fields(game: str, decision: Decision) -> list[int]:
    """The places of ``pub`` that mean something at a decision during the play."""
    pub, seats = decision.pub, SEATS[game]
    places = [view.FIRST, view.TRUMP_CARD, view.CALLER, view.BANKER, view.ATTEMPT_NO]
    places += [view.TRICK, view.LEADER, view.LEFT, view.THROWS, view.FAILED]
    places += [view.POSITION, *range(view.SEEN, view.SEEN + 3)]
    bases = [view.TAKEN, view.VOID, view.FAULTS, view.NO_PAIR]
    if game == DWF:
        places += [view.OPENER, view.BID]
    else:
        places += [view.PREVIOUS, view.PRESSED, view.NAMED, view.PARTNER, view.PARTNER_TRICK, view.ASKED]
        places += [view.SHOWN_SEATS, *range(view.SHOWN, view.SHOWN + 15)]
        bases += [view.NO_TRIPLE, view.NO_TRACTOR]
    for base in bases:
        places += range(base, base + seats)
    if decision.what == view.FOLLOW:
        places += [
            shapes.N,
            shapes.SUIT,
            shapes.COUNT,
            shapes.MULTI,
            view.BEST_SEAT,
            view.BEST,
            view.TRICK_POINTS,
        ]
        places += [at + k for at in (shapes.TYPES, shapes.TOPS) for k in range(int(pub[shapes.COUNT]))]
        turns = [(int(pub[view.LEADER]) + step) % seats for step in range(int(pub[view.POSITION]))]
        places += [view.PLAY + 3 * seat + k for seat in turns for k in range(3)]
    for number in range(int(pub[view.TRICK])):
        at = view.HISTORY + view.H_STRIDE * number
        failed = bool(pub[at + view.H_FAILED])
        places += [
            at + k
            for k in range(view.H_PLAYS + 3 * seats)
            if failed or not view.H_ATTEMPT <= k < view.H_PLAYS
        ]
    return places


def decisions(game: str, name: str, what: int, wanted: int) -> list[tuple[int, int, Decision, Trace]]:
    """Decisions of one kind from deal after deal: (deal, seat, decision, trace)."""
    watcher, engine = spy(game, name)
    picker = random.Random(f"{name} {what}")
    found: list[tuple[int, int, Decision, Trace]] = []
    for deal in range(20 * wanted):
        counts = watcher.counts(engine, deal, what)
        places = [place for place, count in enumerate(counts) if count]
        for place in picker.sample(places, min(2, len(places))):
            number = picker.choice([0, counts[place] - 1, picker.randrange(counts[place])])
            found.append((deal, place // 3, *watcher.catch(engine, deal, what, place, number)))
        if len(found) >= wanted:
            break
    return found


def ask_again(
    picker: random.Random, game: str, name: str, deal: int, seat: int, decision: Decision, trace: Trace
) -> tuple[int, ...] | None:
    """The policy's answer in another world; None if none was found in which all throws go as they went."""
    what = decision.what
    cards = dealt(game, deal, int(decision.pub[view.ATTEMPT_NO]))
    hand, bottom = hand_and_bottom(game, cards, seat)
    pub, owns = leftovers(game, name, deal)
    lay = spy(game, name)[1]._lays.reshape(-1) if what in EARLY else trace.lay  # all four while trump is open
    (show_auction if game == DWF else show_reveal)(pub, decision, trace)
    own = owns[seat]
    own[view.BURIED : view.BURIED + 3] = 0
    if what in EARLY:
        held = int(decision.own[view.CARDS])
        own[:3] = words_by_face(hand[:held])
        own[view.CARDS] = held
    elif what in (view.BID_TURN, view.BURY, view.NAME):
        held_then = Counter(hand + ([] if what == view.BID_TURN else bottom))
        if what == view.NAME:
            own[view.BURIED : view.BURIED + 3] = words(lay, buried_in(trace))
            held_then -= Counter(buried_in(trace))
        own[:3] = words(lay, held_then.elements())
        own[view.CARDS] = HAND[game]
    else:
        course = Course(game, trace, decision)
        for _ in range(40):
            world = new_world(picker, course, cards, seat)
            if play_again(pub, owns, course, world):
                break
        else:
            return None
        owns[:, view.BURIED : view.BURIED + 3] = 0
        owns[course.banker, view.BURIED : view.BURIED + 3] = words(lay, world[-1])
        places = known_fields(game, decision)
        assert pub[places].tolist() == decision.pub[places].tolist(), f"deal {deal}, seat {seat}"
    own[view.SEAT] = seat
    for start, size in ((view.RNG, rng.RNG_SIZE), (view.MEMORY, view.MEMORY_SIZE)):  # the seat's own
        own[start : start + size] = decision.own[start : start + size]
    assert own[: view.OUT].tolist() == decision.own[: view.OUT].tolist(), f"deal {deal}, seat {seat}"
    # as the kernels pass it: a pointer to the seat's row, whatever lies behind it
    return spy(game, name)[0].ask(what, pub, owns.reshape(-1)[seat * view.OWN_SIZE :], lay)


@pytest.mark.parametrize(
    ("game", "name", "question"),
    [
        (game, name, question)
        for game in POLICIES
        for name in [
            *sorted(POLICIES[game]),
            *(["search:worlds=4"] if JIT else []),
        ]  # minutes in plain Python
        for question in QUESTIONS[game]
        if not (name.startswith("search") and QUESTIONS[game][question] in EARLY)  # asks expert
    ],
)
def test_design_a_policy_sees_only_what_its_seat_may_know(game: str, name: str, question: str) -> None:
    what = QUESTIONS[game][question]
    picker = random.Random(f"{name} {question}")
    wanted = scaled(20, 10) if name.startswith("search") else scaled(100, 20)
    caught = decisions(game, name, what, wanted)
    assert len(caught) >= wanted // 2
    asked = 0
    for deal, seat, decision, trace in caught:
        answer = ask_again(picker, game, name, deal, seat, decision, trace)
        assert answer in (None, decision.answer), f"deal {deal}, seat {seat}"
        asked += answer is not None
    assert asked >= len(caught) // 2
    if what in ALWAYS.values():
        assert len({decision.answer for _, _, decision, _ in caught}) > len(caught) // 4


def test_design_a_policy_that_peeks_is_found_out() -> None:
    picker = random.Random(1)
    caught = [found for found in decisions(DWF, PEEKING, view.LEAD, 40) if found[1] < 2]
    answers = [(found[2].answer, ask_again(picker, DWF, PEEKING, *found)) for found in caught]
    assert sum(again not in (None, answer) for answer, again in answers) > 3


@pytest.mark.parametrize("game", [*POLICIES])
def test_design_a_new_world_moves_cards_but_keeps_what_was_seen(game: str) -> None:
    """The re-deal itself: the same cards in all, what was played stays where it was, most of the rest moves."""
    moved, seats = 0, SEATS[game]
    for deal, seat, decision, trace in decisions(game, "random", view.FOLLOW, 20):
        course, cards = Course(game, trace, decision), dealt(game, deal, trace.row.get("redeals", 0))
        world = new_world(random.Random(deal), course, cards, seat)
        bottom = 54 * PACKS[game] - seats * HAND[game]
        assert [len(held) for held in world] == [HAND[game]] * seats + [bottom]
        assert Counter(card for held in world for card in held) == Counter([*FACES] * PACKS[game])
        for other in range(seats):
            assert not Counter(course.played(other) + course.shown(other)) - Counter(world[other])
        after = (seat + 1) % seats
        moved += (Counter(world[after]) - Counter(hand_and_bottom(game, cards, after)[0])).total()
    assert moved > 40
