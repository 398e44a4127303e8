"""The policy ``search``: its parameters, that it replays exactly and legally, and that more worlds play better."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from helpers import JIT

import tuolaji
from tuolaji.kernels import layout, view
from tuolaji.kernels.policies import candidates, playout
from tuolaji.sim import searching
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.plan import SEARCHES, make_plan

from naive.record import check_record

GAMES = [*SEARCHES]
jit_only = pytest.mark.skipif(not JIT, reason="plain Python takes minutes")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("search", searching.Search()),
        ("search:7", searching.Search(worlds=7)),
        ("search:worlds=40,by=payoff", searching.Search(worlds=40, by="payoff")),
        ("search:margin=0", searching.Search(margin=0)),
        ("search:only=void+lead", searching.Search(only=("lead-early", "lead-late", "void"))),
    ],
)
def test_parameters(word: str, meant: searching.Search) -> None:
    assert searching.parse(word) == meant
    assert searching.parse(str(meant)) == meant


@pytest.mark.parametrize(
    "word",
    [
        "search:0",
        "search:-1",
        "search:1e9",
        "search:by=luck",
        "search:depth=3",
        "search:worlds=",
        "search:,",
        "search:only=",
        "search:only=luck",
    ],
)
def test_bad_parameters_are_named(word: str) -> None:
    with pytest.raises(UsageError, match="is no parameter of search; allowed are worlds=1 to 10000"):
        make_plan("dwf", policies=word)


def test_a_plan_describes_its_searches() -> None:
    plan = make_plan("dwf", policies=["expert", "banker=search:5"])
    described = plan.describe()
    assert described["policies"] == {"bidding": "expert", "banker": "search:worlds=5", "defender": "expert"}
    assert described["weights"]["search:worlds=5"] == described["weights"]["expert"] != ""


@jit_only
@pytest.mark.parametrize("game", GAMES)
def test_com_19_a_search_replays_exactly_whatever_the_workers(game: str) -> None:
    runs = [
        tuolaji.simulate(game, 6, seed=3, policies="search:3", workers=workers, chunk=chunk)
        for workers, chunk in ((1, 6), (2, 1))
    ]
    assert runs[0].equals(runs[1])
    later = tuolaji.simulate(game, 2, first=4, seed=3, policies="search:3", workers=1)
    assert later.equals(runs[0].slice(4))


def test_the_kinds_of_decisions_are_those_of_the_kernels() -> None:
    names = [kind.upper().replace("-", "_") for kind in searching.KINDS]
    assert [getattr(playout, name) for name in names] == [1 << k for k in range(len(names))]


@jit_only
@pytest.mark.parametrize(
    ("game", "none", "some"), [("dwf", "name", "lead"), ("hwwj", "bid", "follow+void+bury")]
)
def test_what_is_not_searched_is_as_expert_does_it(game: str, none: str, some: str) -> None:
    """``none``: what the game has no decisions of."""
    expert = tuolaji.simulate(game, 6, seed=3)
    assert tuolaji.simulate(game, 6, seed=3, policies=f"search:worlds=9,only={none}").equals(expert)
    found = tuolaji.simulate(game, 6, seed=3, policies=f"search:worlds=9,margin=0,only={some}")
    assert not found.equals(expert)
    called = ("trump", "bid") if game == "dwf" else ("trump", "reveal_after")
    assert all(found.column(name).equals(expert.column(name)) for name in called)


@jit_only
@pytest.mark.parametrize("game", GAMES)
def test_a_search_plays_by_the_rules(game: str) -> None:
    for deal in range(6):
        record = tuolaji.replay(game, 5, deal, policies="search:2")
        assert check_record(record) == []


@jit_only
def test_a_search_is_better_than_what_it_is_made_of() -> None:
    """Over these very deals, by far more than 4 points."""
    found: dict[str, Any] = tuolaji.match("dwf", "search:10", "expert", deals=60, seed=11, workers=2)
    assert found["points"]["mean"] > 4


def _pair(margin: int, values: list[list[int]]) -> int:
    """What ``pick`` makes of the values of some candidates over the same worlds."""
    most = len(values[0])
    flat = np.zeros(candidates.MOST * most, np.int64)
    for c, row in enumerate(values):
        flat[c * most : (c + 1) * most] = row
    sums = np.array([sum(row) for row in values] + [0] * (candidates.MOST - len(values)), np.int64)
    alive = np.ones(candidates.MOST, np.int64)
    return int(playout.pick(flat, most, sums, alive, len(values), most, margin))


@pytest.mark.nojit
def test_the_best_mean_wins_if_it_is_ahead_of_expert_by_the_margin() -> None:
    assert _pair(0, [[1, 2, 3, 4], [2, 3, 4, 5]]) == 1
    assert _pair(0, [[1, 2, 3, 4], [1, 2, 3, 4]]) == 0  # a tie stays with expert
    assert _pair(0, [[0, 0, 0, 0], [9, -8, 1, 0]]) == 1
    assert _pair(100, [[0, 0, 0, 0], [9, -8, 1, 0]]) == 0  # 2 ahead in all, less than a standard error of 14
    assert _pair(100, [[0, 0, 0, 0], [9, -8, 1, 0], [3, 3, 3, 2]]) == 2


@pytest.mark.nojit
def test_what_is_three_standard_errors_behind_is_dropped() -> None:
    most = 16
    flat = np.zeros(candidates.MOST * most, np.int64)
    rows = [[10] * 8, [0, 1, 0, 1, 0, 1, 0, 1], [5, 20, 5, 20, 5, 5, 10, 10]]
    sums = np.zeros(candidates.MOST, np.int64)
    for c, row in enumerate(rows):
        flat[c * most : c * most + 8] = row
        sums[c] = sum(row)
    alive = np.ones(candidates.MOST, np.int64)
    assert int(playout.drop(flat, most, sums, alive, 3, 8)) == 2
    assert alive[:3].tolist() == [1, 0, 1]


@pytest.mark.parametrize("game", GAMES)
def test_candidates_are_legal_and_without_repeats(game: str) -> None:
    """Bury, lead and follow lists in positions of real deals; a lead of each suit held is among them."""
    from tuolaji.kernels.bits import size
    from tuolaji.kernels.legal import OK, follow_fault

    engine = Engine(make_plan(game, policies="random", seed=1))
    checked = 0
    for deal in range(12):
        trace = engine.trace(deal)
        pub, lay = trace.pub, trace.lay
        seats = int(lay[layout.SEATS])
        # the hands before the last trick of several cards, from the history
        for trick in range(int(pub[view.TRICK])):
            row = view.HISTORY + view.H_STRIDE * trick
            leader = int(pub[row + view.H_LEADER])
            follower = (leader + 1) % seats
            own = np.zeros(view.OWN_SIZE, np.int64)
            own[view.SEAT] = follower
            held = [0, 0, 0]
            for later in range(trick, int(pub[view.TRICK])):
                at = view.HISTORY + view.H_STRIDE * later + view.H_PLAYS + 3 * follower
                p = [int(x) for x in pub[at : at + 3]]
                held = [
                    held[0] | p[0],
                    held[1] | p[1] | (held[0] & p[0]),
                    held[2] | p[2] | (held[1] & p[0]) | (held[0] & p[1]),
                ]
            own[:3] = held
            view_ = view.fresh_pub()
            view_[view.BANKER], view_[view.PARTNER], view_[view.NAMED] = pub[view.BANKER], 0, 0
            masks = np.zeros(108, np.int64)
            at = row + view.H_PLAYS + 3 * leader
            lead = [int(x) for x in pub[at : at + 3]]
            from tuolaji.kernels.shapes import describe

            describe(*lead, lay, view_, masks)
            cands = np.zeros(3 * candidates.MOST, np.int64)
            n = int(candidates.follows(view_, own, lay, cands, 0))
            plays = [tuple(int(x) for x in cands[3 * i : 3 * i + 3]) for i in range(n)]
            assert len(set(plays)) == n
            for play in plays:
                assert follow_fault(*held, lay, view_, *play, np.zeros(36, np.int64)) == OK
            m = int(candidates.leads(view_, own, lay, cands, 0))
            led = [tuple(int(x) for x in cands[3 * i : 3 * i + 3]) for i in range(m)]
            assert len(set(led)) == m
            suits = {s for s in range(4) if held[0] & int(lay[layout.MASK + s])}
            assert {next(s for s in range(4) if play[0] & int(lay[layout.MASK + s])) for play in led} == suits
            assert all(size(*play) <= size(*held) for play in led)
            checked += n + m
    assert checked > 1000


def test_every_search_is_made_of_policies_of_its_game() -> None:
    for game, name in SEARCHES.items():
        assert importlib.util.find_spec(f"tuolaji.kernels.policies.{name}")
        module = import_module(f"tuolaji.kernels.policies.{name}")
        assert len(module.ASKED) == playout.RANDOM + 1
        assert module.EXPERT.__name__.endswith(f"{'dwf' if game == 'die-wu-fen' else 'hw'}_expert")
