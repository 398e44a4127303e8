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
from helpers import cards_of, scaled, words, words_by_face
from spying import PEEKING, Decision, Ints, Spy

from tuolaji.kernels import play, rng, shapes, view
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.plan import POLICIES, make_plan

from naive import FACES

pytestmark = pytest.mark.nojit

POLICY_NAMES = sorted(POLICIES["die-wu-fen"])
QUESTIONS = {
    "CALL": view.CALL,
    "COUNTER": view.COUNTER,
    "BID_TURN": view.BID_TURN,
    "BURY": view.BURY,
    "LEAD": view.LEAD,
    "FOLLOW": view.FOLLOW,
}
SEED = 31


@cache
def spy(name: str) -> tuple[Spy, Engine]:
    made = Spy.named(name)
    return made, made.engine(make_plan("die-wu-fen", policies="random", seed=SEED))


def dealt(deal: int, attempt: int) -> list[str]:
    faces = np.array([k % 54 for k in range(108)], np.int64)
    rng.shuffle(faces, 108, rng.shuffle_plan(108).ravel(), SEED, deal, attempt)
    return [FACES[int(face)] for face in faces]


def history_row(pub: Ints, number: int) -> Ints:
    at = view.HISTORY + view.H_STRIDE * number
    return pub[at : at + view.H_STRIDE]


def played_by(trace: Trace, seat: int, tricks: int) -> list[list[str]]:
    """What a seat has played in the first so many tricks."""
    at = view.H_PLAYS + 3 * seat
    return [cards_of(trace.lay, history_row(trace.pub, number)[at : at + 3]) for number in range(tricks)]


class Course:
    """What everybody at the table has seen up to a decision."""

    def __init__(self, trace: Trace, decision: Decision) -> None:
        self.trace = trace
        self.banker = trace.row["banker"]
        self.tricks = int(decision.pub[view.TRICK])
        leader = int(history_row(trace.pub, self.tricks)[view.H_LEADER])
        plays = int(decision.pub[view.POSITION]) if decision.what == view.FOLLOW else 0
        self.table = [
            (leader + step) % 3 for step in range(plays)
        ]  # who has played in the trick not yet finished

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


def new_world(picker: random.Random, course: Course, cards: list[str], knower: int) -> list[list[str]]:
    """Hands of 33 before the first trick, and the buried cards: all that ``knower`` cannot know dealt anew."""
    banker, lay = course.banker, course.trace.lay
    buried = cards_of(lay, course.trace.own[banker, view.BURIED : view.BURIED + 3])
    hands = [cards[33 * seat : 33 * seat + 33] for seat in range(3)]
    hands[banker] = [*(Counter(hands[banker] + cards[99:]) - Counter(buried)).elements()]
    holders = [*hands, buried]
    fixed = [course.played(seat) + course.shown(seat) for seat in range(3)] + [[]]
    fixed[knower] = hands[knower]
    if knower == banker:
        fixed[3] = buried
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


def leftovers(name: str, deal: int) -> tuple[Ints, Ints]:
    """Memory as another deal leaves it."""
    trace = spy(name)[1].trace(deal + 1000)
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


def play_again(pub: Ints, own: Ints, course: Course, world: list[list[str]]) -> bool:
    """The tricks so far in another world; False if a throw would have gone otherwise there."""
    lay = course.trace.lay
    flat, masks = own.reshape(-1), np.zeros(3 * shapes.MAX_COMPONENTS, np.int64)
    for seat in range(3):
        own[seat, :3] = words(lay, world[seat])
    play.start_play(pub, flat, lay)
    for number in range(course.tricks + bool(course.table)):
        row = history_row(course.trace.pub, number)
        leader = int(row[view.H_LEADER])
        turns = course.table if number == course.tricks else [(leader + step) % 3 for step in range(3)]
        for step, seat in enumerate(turns):
            cards = [int(w) for w in row[view.H_PLAYS + 3 * seat : view.H_PLAYS + 3 * seat + 3]]
            if step:
                play.put_follow(pub, flat, lay, seat, *cards)
                continue
            meant = (
                [int(w) for w in row[view.H_ATTEMPT : view.H_ATTEMPT + 3]] if row[view.H_FAILED] else cards
            )
            play.put_lead(pub, flat, lay, masks, seat, *meant)
            if pub[view.PLAY + 3 * seat : view.PLAY + 3 * seat + 3].tolist() != cards:
                return False
        if len(turns) == 3:
            play.end_trick(pub)
    return True


def known_fields(decision: Decision) -> list[int]:
    """The places of ``pub`` that mean something at a decision during the play."""
    pub = decision.pub
    places = [view.FIRST, view.TRUMP_CARD, view.CALLER, view.OPENER, view.BID, view.BANKER, view.ATTEMPT_NO]
    places += [view.TRICK, view.LEADER, view.LEFT, view.THROWS, view.FAILED]
    places += [view.POSITION, *range(view.SEEN, view.SEEN + 3)]
    for base in (view.TAKEN, view.VOID, view.FAULTS):
        places += range(base, base + 3)
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
        turns = [(int(pub[view.LEADER]) + step) % 3 for step in range(int(pub[view.POSITION]))]
        places += [view.PLAY + 3 * seat + k for seat in turns for k in range(3)]
    for number in range(int(pub[view.TRICK])):
        at = view.HISTORY + view.H_STRIDE * number
        failed = bool(pub[at + view.H_FAILED])
        places += [
            at + k for k in range(view.H_PLAYS + 9) if failed or not view.H_ATTEMPT <= k < view.H_PLAYS
        ]
    return places


def decisions(name: str, what: int, wanted: int) -> list[tuple[int, int, Decision, Trace]]:
    """Decisions of one kind from deal after deal: (deal, seat, decision, trace)."""
    watcher, engine = spy(name)
    picker = random.Random(f"{name} {what}")
    found: list[tuple[int, int, Decision, Trace]] = []
    for deal in range(20 * wanted):
        counts = watcher.counts(engine, deal, what)
        places = [place for place in range(9) if counts[place]]
        for place in picker.sample(places, min(2, len(places))):
            number = picker.choice([0, counts[place] - 1, picker.randrange(counts[place])])
            found.append((deal, place // 3, *watcher.catch(engine, deal, what, place, number)))
        if len(found) >= wanted:
            break
    return found


def ask_again(
    picker: random.Random, name: str, deal: int, seat: int, decision: Decision, trace: Trace
) -> tuple[int, ...] | None:
    """The policy's answer in another world; None if none was found in which all throws go as they went."""
    what = decision.what
    cards = dealt(deal, int(decision.pub[view.ATTEMPT_NO]))
    pub, owns = leftovers(name, deal)
    lay = spy(name)[1]._lays[0] if what in (view.CALL, view.COUNTER) else trace.lay
    show_auction(pub, decision, trace)
    own = owns[seat]
    own[view.BURIED : view.BURIED + 3] = 0
    if what in (view.CALL, view.COUNTER):
        held = int(decision.own[view.CARDS])
        own[:3] = words_by_face(cards[33 * seat : 33 * seat + held])
        own[view.CARDS] = held
    elif what in (view.BID_TURN, view.BURY):
        bottom = cards[99:] if what == view.BURY else []
        own[:3] = words(lay, cards[33 * seat : 33 * seat + 33] + bottom)
        own[view.CARDS] = 33
    else:
        course = Course(trace, decision)
        for _ in range(40):
            world = new_world(picker, course, cards, seat)
            if play_again(pub, owns, course, world):
                break
        else:
            return None
        owns[:, view.BURIED : view.BURIED + 3] = 0
        owns[course.banker, view.BURIED : view.BURIED + 3] = words(lay, world[3])
        places = known_fields(decision)
        assert pub[places].tolist() == decision.pub[places].tolist(), f"deal {deal}, seat {seat}"
    own[view.SEAT] = seat
    for start, size in ((view.RNG, rng.RNG_SIZE), (view.MEMORY, view.MEMORY_SIZE)):  # the seat's own
        own[start : start + size] = decision.own[start : start + size]
    assert own[: view.OUT].tolist() == decision.own[: view.OUT].tolist(), f"deal {deal}, seat {seat}"
    # as the kernels pass it: a pointer to the seat's row, whatever lies behind it
    return spy(name)[0].ask(what, pub, owns.reshape(-1)[seat * view.OWN_SIZE :], lay)


@pytest.mark.parametrize("name", POLICY_NAMES)
@pytest.mark.parametrize("question", [*QUESTIONS])
def test_design_a_policy_sees_only_what_its_seat_may_know(name: str, question: str) -> None:
    what = QUESTIONS[question]
    picker = random.Random(f"{name} {question}")
    wanted = scaled(100, 20)
    caught = decisions(name, what, wanted)
    assert len(caught) >= wanted // 2
    asked = 0
    for deal, seat, decision, trace in caught:
        answer = ask_again(picker, name, deal, seat, decision, trace)
        assert answer in (None, decision.answer), f"deal {deal}, seat {seat}"
        asked += answer is not None
    assert asked >= len(caught) // 2
    if what >= view.BURY:
        assert len({decision.answer for _, _, decision, _ in caught}) > len(caught) // 4


def test_design_a_policy_that_peeks_is_found_out() -> None:
    picker = random.Random(1)
    caught = [found for found in decisions(PEEKING, view.LEAD, 40) if found[1] < 2]
    answers = [(found[2].answer, ask_again(picker, PEEKING, *found)) for found in caught]
    assert sum(again not in (None, answer) for answer, again in answers) > 3


def test_design_a_new_world_moves_cards_but_keeps_what_was_seen() -> None:
    """The re-deal itself: the same cards in all, what was played stays where it was, most of the rest moves."""
    moved = 0
    for deal, seat, decision, trace in decisions("random", view.FOLLOW, 20):
        course, cards = Course(trace, decision), dealt(deal, trace.row["redeals"])
        world = new_world(random.Random(deal), course, cards, seat)
        assert [len(held) for held in world] == [33, 33, 33, 9]
        assert Counter(card for held in world for card in held) == Counter([*FACES, *FACES])
        for other in range(3):
            assert not Counter(course.played(other) + course.shown(other)) - Counter(world[other])
        moved += sum((Counter(world[(seat + 1) % 3]) - Counter(cards[33 * ((seat + 1) % 3) :][:33])).values())
    assert moved > 40
