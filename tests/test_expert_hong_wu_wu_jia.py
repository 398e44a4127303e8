"""What `expert` and `greedy` of hong-wu-wu-jia know, and what they do with it."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import SUITS_OF, Ints, table, words
from test_policies import Seat

from tuolaji.kernels import layout, view
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.policies import hw_know
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan

from naive import FACES, HW, effective_suit

pytestmark = pytest.mark.nojit


def seats(pub: Ints, own: Ints, lay: Ints, doubt: int = 0) -> list[int]:
    """`hw_know.allies` as a list."""
    found = int(hw_know.allies(pub, own, lay, doubt))
    return [(found >> (8 * seat)) & 255 for seat in range(5)]


def knows(
    seat: int, held: list[str], *, banker: int = 0, partner: int = -1, named: str = "As"
) -> tuple[Ints, Ints, Ints]:
    """What a seat sees at the start of play with trump ♥."""
    lay = table(HW, "h", {})
    pub, own = view.fresh_pub(), np.zeros(view.OWN_SIZE, np.int64)
    pub[view.BANKER], pub[view.PARTNER] = banker, partner
    pub[view.NAMED] = lay[layout.BIT_OF + FACES.index(named)]
    own[view.SEAT] = seat
    own[:3] = words(lay, held)
    return pub, own, lay


def test_hw7_who_holds_the_named_card_plays_with_the_banker() -> None:
    assert seats(*knows(2, ["As", "4c"])) == [64, 0, 64, 0, 0]
    # with doubt 21 a third each for the two copies it has not seen
    assert seats(*knows(2, ["As", "4c"]), doubt=21) == [22, 28, 64, 28, 28]
    assert seats(*knows(2, ["As", "As", "As"]), doubt=21) == [64, 0, 64, 0, 0]


def test_hw7_to_others_everybody_may_be_the_partner_who_may_hold_the_card() -> None:
    pub, own, lay = knows(2, ["4c"])
    assert seats(pub, own, lay) == [0, 43, 64, 43, 43]
    pub[view.VOID + 4] = 1  # spades are the first side suit when trump is ♥
    assert seats(pub, own, lay) == [0, 32, 64, 32, 64]
    pub[view.VOID + 3] = 1
    assert seats(pub, own, lay) == [0, 0, 64, 64, 64]
    pub, own, lay = knows(0, ["4c"])
    assert seats(pub, own, lay) == [64, 16, 16, 16, 16]


def test_hw7_hw8_a_partner_that_is_known_and_a_solo_banker() -> None:
    assert seats(*knows(2, ["As", "4c"], partner=4)) == [0, 64, 64, 64, 0]
    assert seats(*knows(4, ["4c"], partner=4)) == [64, 0, 0, 0, 64]
    assert seats(*knows(0, ["4c"], partner=4)) == [64, 0, 0, 0, 64]
    pub, own, lay = knows(0, ["As", "As", "4c"])
    own[view.BURIED : view.BURIED + 3] = words(lay, ["As"])
    assert seats(pub, own, lay) == [64, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("lead", "held", "played"),
    [
        (["Ks"], ["As", "4s", "9c", "Td"], ["4s"]),  # HW-10: played here, the A would make it direct
        (["As"], ["As", "6s", "9c", "Td"], ["6s"]),
        (["Ks"], ["As", "As", "9c", "Td"], ["As"]),  # nothing else of the suit
    ],
)
def test_hw10_a_hidden_partner_does_not_show_on_a_lead_of_the_bankers_ace_or_king(
    lead: list[str], held: list[str], played: list[str]
) -> None:
    seat = Seat(HW, "expert", table(HW, "h", {}))
    seat.lead(lead, held)
    seat.name("As", known=False)
    assert seat.ask(view.FOLLOW, 1) == played


@pytest.mark.skipif(not JIT, reason="many deals")
def test_com10_the_throws_of_expert_stand() -> None:
    # it throws masters only: what nobody can beat for all it knows
    columns = Engine(make_plan(HW, policies="expert", seed=31)).play(0, 20_000)
    assert columns["throws"].sum() > 10_000
    assert columns["failed_throws"].sum() == 0


@pytest.mark.skipif(not JIT, reason="many deals")
@pytest.mark.parametrize("policy", ["greedy", "expert"])
def test_hw5_only_a_previous_banker_without_a_two_is_pressed(policy: str) -> None:
    engine = Engine(make_plan(HW, policies=policy, seed=32))
    columns = engine.play(0, 20_000)
    pressed = np.flatnonzero(columns["pressed"])
    assert 20 < len(pressed) < 2000
    for deal in pressed[:20].tolist():
        trace = engine.trace(deal)
        banker = trace.row["banker"]
        held = trace.faces[31 * banker : 31 * banker + 31]
        assert not any(face < 52 and face % 13 == 0 for face in held.tolist())


@pytest.mark.skipif(not JIT, reason="many deals")
def test_hw7_expert_names_an_ace_of_a_side_suit_or_now_and_then_the_big_joker() -> None:
    columns = Engine(make_plan(HW, policies="expert", seed=33)).play(0, 5000)
    aces = jokers = 0
    for trump, named, held in zip(
        *(columns[name].tolist() for name in ("trump", "named", "named_held")), strict=True
    ):
        suit = effective_suit(HW, "shcd"[trump], FACES[named])
        ace = FACES[named][0] == "A" and suit in SUITS_OF[HW, "shcd"[trump]]
        aces += ace
        jokers += FACES[named] == "BJ"
        assert held <= 1
    assert aces > 4600 and 150 < jokers < 350
