"""Who is the partner in hong-wu-wu-jia, and what else a table learns from a play (HW-7, HW-10, COM-10, COM-13)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from helpers import cards_of, face_number, hand, scaled, table, words

from tuolaji.kernels import hong_wu_wu_jia as hw
from tuolaji.kernels import layout, notice, play, shapes, view
from tuolaji.sim.engine import Engine, Trace
from tuolaji.sim.plan import make_plan

from naive import HW
from naive import hong_wu_wu_jia as oracle

pytestmark = pytest.mark.nojit


class Stage:
    """Seats with a few cards each, seat 0 the banker, trump hearts; plays are put on the table one by one."""

    def __init__(self, named: str, hands: dict[int, str]) -> None:
        self.lay = table(HW, "h")
        _faces, self.pub, self.own, self.masks = hw.working_memory()
        hw.clear(self.pub, self.own.ravel(), 0, 0)
        self.pub[view.BANKER], self.pub[view.NAMED] = 0, self.bit(named)
        for seat, cards in hands.items():
            self.own[seat, :3] = words(self.lay, hand(cards))
        play.start_play(self.pub, self.own.ravel(), self.lay)
        self.pub[view.LEFT] = 20  # enough for several tricks

    def bit(self, card: str) -> int:
        return int(self.lay[layout.BIT_OF + face_number(card)])

    def trick(self, plays: dict[int, str]) -> None:
        """A trick; the lead is what its seat means to lead."""
        for number, (seat, text) in enumerate(plays.items()):
            cards = words(self.lay, hand(text))
            if number:
                play.put_follow(self.pub, self.own.ravel(), self.lay, seat, *cards)
            else:
                play.put_lead(self.pub, self.own.ravel(), self.lay, self.masks, seat, *cards)
            notice.notice(self.pub, self.own.ravel(), self.lay, seat)
        play.end_trick(self.pub)

    @property
    def partner(self) -> int | None:
        return int(self.pub[view.PARTNER]) if self.pub[view.PARTNER] >= 0 else None

    @property
    def direct(self) -> bool:
        return bool(self.own[5, view.DIRECT])


def test_hw7_the_first_other_player_to_play_a_copy_is_the_partner_for_good() -> None:
    stage = Stage("Ac", {0: "Ac 9s 3d", 1: "4c 5s 4d", 2: "6c Ac Ac", 3: "7c Ac 5d", 4: "8c 7s 6d"})
    stage.trick({0: "Ac", 1: "4c", 2: "6c", 3: "7c", 4: "8c"})  # the banker's own copy makes nobody partner
    assert stage.partner is None
    stage.trick({0: "9s", 1: "5s", 2: "Ac", 3: "Ac", 4: "7s"})
    assert (stage.partner, int(stage.pub[view.PARTNER_TRICK]), stage.direct) == (2, 1, False)
    stage.trick({0: "3d", 1: "4d", 2: "Ac", 3: "5d", 4: "6d"})
    assert (stage.partner, int(stage.pub[view.PARTNER_TRICK])) == (2, 1)


def test_hw7_whoever_leads_the_named_card_is_the_partner_and_not_a_direct_one() -> None:
    stage = Stage("Ac", {0: "9c", 3: "Ac Kc", 4: "3c"})
    stage.trick({3: "Ac", 4: "3c", 0: "9c"})
    assert (stage.partner, stage.direct, int(stage.pub[view.PARTNER_TRICK])) == (3, False, 0)


def test_hw7_com10_a_copy_shown_by_a_failed_throw_and_taken_back_makes_nobody_partner() -> None:
    stage = Stage("As", {0: "Ks 8d", 1: "As*2 4s", 2: "6s 6d"})
    stage.trick({1: "As*2 4s", 2: "6s", 0: "Ks"})  # seat 2 has a 6: the 4 must be played
    assert cards_of(stage.lay, stage.pub[view.PLAY + 3 : view.PLAY + 6]) == ["4s"]
    assert stage.partner is None
    # but everybody has seen them
    assert cards_of(stage.lay, stage.pub[view.SHOWN + 3 : view.SHOWN + 6]) == ["As", "As"]
    assert stage.pub[view.SHOWN_SEATS] == 2
    stage.trick({0: "8d", 1: "As", 2: "6d"})
    assert (stage.partner, stage.direct) == (1, False)
    assert cards_of(stage.lay, stage.pub[view.SHOWN + 3 : view.SHOWN + 6]) == ["As"]


@pytest.mark.parametrize(
    ("named", "lead", "held", "played", "direct"),
    [  # the banker leads, seat 2 plays the named card; trump hearts
        ("As", "As", "As 5s", "As", True),
        ("As", "Ks", "As 5s", "As", True),
        ("As", "Ks*2", "As*2 5s", "As*2", True),
        ("As", "As*2", "As 5s", "As 5s", True),
        ("As", "As*2 Ks*2", "As 5s 6s 7s 8s", "As 5s 6s 7s", True),  # A's and K's, a tractor
        ("As", "As Ks", "As 5s 9c", "As 5s", True),  # a throw that stands
        ("As", "Ks", "As 9c 9h", "As", False),  # all its spades are copies of the named card
        ("As", "Ks*2", "As*2 9c", "As*2", False),
        ("As", "As*2", "As 9c", "As 9c", False),
        ("As", "Qs", "As 5s", "As", False),  # less than a K led
        ("As", "As*2 Ks*2 Qs*2", "As 5s*2 6s*3 9s", "As 5s*2 6s*3", False),  # not only A's and K's
        ("Ks", "Ks", "Ks 5s", "Ks", False),  # a K is named
        ("5h", "5h", "5h 4h", "5h", False),
        ("BJ", "BJ", "BJ 4h", "BJ", False),
        # in the trump suit: all trumps are of one effective suit
        ("Ah", "Ah", "Ah 4h", "Ah", True),
        ("Ah", "Kh", "Ah 2s", "Ah", True),
        ("Ah", "Kh", "Ah*2 5s", "Ah", False),
        ("Ah", "2h", "Ah 4h", "Ah", False),
        ("Ah", "BJ", "Ah 4h", "Ah", False),
        ("Ah", "Ks", "Ah 4h", "Ah", False),  # a ruff: not of that suit
        # what a failed throw comes to counts
        ("As", "Ks 9s*2", "As 5s 4s", "As", True),  # the A beats the K, no pair the 9s: the K is played
        ("As", "Ks 3s", "As 5s", "As", False),  # of two singles the lower
    ],
)
def test_hw10_direct_partners(named: str, lead: str, held: str, played: str, direct: bool) -> None:
    stage = Stage(named, {0: lead, 2: held})
    stage.trick({0: lead, 2: played})
    assert (stage.partner, stage.direct) == (2, direct)
    on_table = cards_of(stage.lay, stage.pub[view.PLAY : view.PLAY + 3])
    assert oracle.is_direct("h", named, True, on_table, hand(held)) == direct
    # the same play on another's lead is never direct
    stage = Stage(named, {0: "3d", 1: lead, 2: held})
    stage.trick({1: lead, 2: played})
    assert (stage.partner, stage.direct, int(stage.pub[view.ASKED])) == (
        (1, False, 0) if named in on_table else (2, False, 0)
    )


def test_hw10_whether_a_partner_is_direct_does_not_show_in_what_others_see() -> None:
    views = []
    for held in ("As 5s", "As 9c"):
        stage = Stage("As", {0: "Ks", 2: held})
        stage.trick({0: "Ks", 2: "As"})
        views.append((stage.direct, stage.pub.tolist()))
    assert [direct for direct, _ in views] == [True, False]
    assert views[0][1] == views[1][1]


# --- what else a table learns: cards taken back, shapes not held


KNOWN_UNDER: list[dict[str, Any]] = [
    {},
    {"cascade": True},
    {"split_triples": False},
    {"cascade": True, "split_triples": False},
]


@pytest.mark.parametrize("options", KNOWN_UNDER)
def test_design_what_seats_are_known_to_hold_and_not_to_hold_is_so(options: dict[str, Any]) -> None:
    """In random deals, after every trick: what was taken back is still held, shapes shown missing are missing."""
    plan = make_plan(
        HW, policies="random", seed=9, overrides=[f"{k}={v}".lower() for k, v in options.items()]
    )
    engine = Engine(plan)
    met: Counter[str] = Counter()
    for deal in range(scaled(100, 25)):
        trace = engine.trace(deal)
        met += replayed(trace)
    split = options.get(
        "split_triples", True
    )  # without, a triple owes no pair, and nothing follows for pairs
    assert met["shown"] > 10 and met["no triple"] and bool(met["no pair"]) == split


def replayed(trace: Trace) -> Counter[str]:
    """A deal's plays put on the table again; what could be told after each trick, checked against the hands."""
    lay, row = trace.lay, trace.row
    _faces, pub, own, masks = hw.working_memory()
    flat = own.ravel()
    hw.clear(pub, flat, 0, 0)
    pub[view.BANKER], pub[view.NAMED] = row["banker"], lay[layout.BIT_OF + row["named"]]
    history = [trace.pub[view.HISTORY + view.H_STRIDE * k :][: view.H_STRIDE] for k in range(row["tricks"])]
    plays = [[h[view.H_PLAYS + 3 * s : view.H_PLAYS + 3 * s + 3].tolist() for s in range(5)] for h in history]
    for seat in range(5):
        own[seat, :3] = words(lay, [card for cards in plays for card in cards_of(lay, cards[seat])])
    play.start_play(pub, flat, lay)
    met: Counter[str] = Counter()
    for one, cards in zip(history, plays, strict=True):
        leader = int(one[view.H_LEADER])
        failed = bool(one[view.H_FAILED])
        for seat in [(leader + step) % 5 for step in range(5)]:
            if seat == leader:
                meant = one[view.H_ATTEMPT : view.H_ATTEMPT + 3].tolist() if failed else cards[seat]
                play.put_lead(pub, flat, lay, masks, seat, *meant)
            else:
                play.put_follow(pub, flat, lay, seat, *cards[seat])
            notice.notice(pub, flat, lay, seat)
        play.end_trick(pub)
        for seat in range(5):
            w0, w1, w2 = own[seat, :3].tolist()
            k0, k1, k2 = pub[view.SHOWN + 3 * seat : view.SHOWN + 3 * seat + 3].tolist()
            assert not (k0 & ~w0 or k1 & ~w1 or k2 & ~w2)
            assert bool(k0) == bool((int(pub[view.SHOWN_SEATS]) >> seat) & 1)
            met["shown"] += bool(k0)
            for suit in range(4):
                mask = int(lay[layout.MASK + suit])
                for what, at, kept in (
                    ("void", view.VOID, w0 & mask),
                    ("no pair", view.NO_PAIR, w1 & mask),
                    ("no triple", view.NO_TRIPLE, w2 & mask),
                    (
                        "no tractor",
                        view.NO_TRACTOR,
                        shapes.run_starts(int(layout.levels_of(w1, lay, suit)), 2),
                    ),
                ):
                    if (int(pub[at + seat]) >> suit) & 1:
                        assert not kept
                        met[what] += not (int(pub[view.VOID + seat]) >> suit) & 1
    assert (pub[view.PARTNER], own[5, view.DIRECT]) == (row["partner"], row["direct"])
    return met
