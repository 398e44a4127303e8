"""HW-18: tournaments of hong-wu-wu-jia, who wins them, and luck against skill."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from click.testing import Result as CliResult

import tuolaji
from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import UsageError
from tuolaji.sim.games import resolve_game
from tuolaji.sim.plan import make_plan
from tuolaji.sim.rules import load
from tuolaji.sim.tables import TableEngine
from tuolaji.sim.tournament import Asked, Outcome, ask, play, read_entrants, run
from tuolaji.sim.tournament_figures import length_of, to_dict

HW = "hong-wu-wu-jia"
needs_jit = pytest.mark.skipif(not JIT, reason="plays many hands")


# --- hands at tables


@pytest.mark.nojit
def test_hw17_hands_at_a_table_are_those_of_a_session() -> None:
    """Whoever sits where: the same rows as `simulate --session` with the same seats."""
    hands, tables = (20, 50) if JIT else (3, 1)
    engine = TableEngine(load(HW), ["random", "greedy"], 7)
    minds = np.tile([0, 1, 0, 1, 1], (hands * tables, 1))
    ours = engine.play(0, hands, minds)
    words = ["random", "1=greedy", "3=greedy", "4=greedy"]
    rows = Engine(make_plan(HW, policies=words, seed=7, session=hands)).play(0, hands * tables)
    assert all((ours[name] == rows[name]).all() for name in rows)
    assert (rows["previous_banker"].reshape(tables, hands)[:, 0] == 0).all()


@needs_jit
def test_hw17_the_mind_of_a_seat_may_change_from_hand_to_hand() -> None:
    engine = TableEngine(load(HW), ["random", "greedy"], 7)
    minds = np.zeros((40, 5), np.int64)
    minds[20:] = 1
    mixed = engine.play(0, 20, minds)
    for part, policy in ((slice(0, 20), "random"), (slice(20, 40), "greedy")):
        rows = Engine(make_plan(HW, policies=policy, seed=7, session=20)).play(0, 40)
        assert all((mixed[name][part] == rows[name][part]).all() for name in rows)


# --- the procedure, with hands whose outcome is known beforehand


class Rigged:
    """Plays like `TableEngine`, but a seat gets the points of its mind, the first one being told beforehand."""

    def __init__(self, names: list[str], points: list[int]) -> None:
        self.names, self._points = names, np.array(points)
        self.calls: list[tuple[int, int, Any]] = []

    def play(self, first: int, hands: int, minds: Any, stop: Any = None) -> dict[str, Any]:
        self.calls.append((first, hands, minds))
        each = self._points[minds]
        return {"banker": minds[:, 0], **{f"payoff_{seat}": each[:, seat] for seat in range(5)}}


def rigged(asked: Asked, points: dict[str, int], hands: int = 4, count: int = 50) -> tuple[Outcome, Rigged]:
    engine = Rigged(asked.policies, [points[name] for name in asked.policies])
    found = play(engine, asked, hands, 0, count)  # type: ignore[arg-type]
    assert found is not None
    return found, engine


def test_hw18_thirty_sit_at_six_tables_and_the_ten_with_most_points_go_on() -> None:
    asked = ask(HW, 50, entrants=["expert@10", "greedy"], number=30)
    found, engine = rigged(asked, {"expert": 3, "greedy": -1})
    assert asked.sizes == (30, 10) and asked.hands == (20,)
    assert [minds.shape for _, _, minds in engine.calls] == [(50 * 6 * 4, 5), (50 * 2 * 4, 5)]
    assert (found.opening == np.where(np.arange(30) < 10, 12, -4)).all()  # four hands
    assert (found.played == np.where(np.arange(30) < 10, 2, 1)).all()
    assert (found.winner < 10).all()
    assert (found.points == 12).all()  # from zero again
    assert len(np.unique(found.winner)) > 5  # ties by lot


def test_hw18_points_may_be_carried_over() -> None:
    asked = ask(HW, 50, entrants=["expert", "greedy"], number=15, rounds=3, advance=[10, 5], carry=True)
    found, _ = rigged(asked, {"expert": 3, "greedy": -1})
    assert asked.sizes == (15, 10, 5)
    assert (found.winner == 0).all() and (found.points == 3 * 12).all()
    assert (found.played[:, 0] == 3).all() and (np.sort(found.played[0])[::-1][:10] >= 2).all()
    reset, _ = rigged(replace(asked, carry=False), {"expert": 3, "greedy": -1})
    assert (reset.points == 12).all()


def test_hw18_ties_are_broken_by_lot_and_fairly() -> None:
    asked = ask(HW, 600, entrants=["greedy"], number=30)
    found, _ = rigged(asked, {"greedy": 0}, hands=1, count=600)
    wins = np.bincount(found.winner, minlength=30)
    assert ((wins - 20) ** 2 / 20).sum() < 60  # chi-squared with 29 degrees of freedom: 1 in 1,600
    assert ((found.played > 1).sum(axis=1) == 10).all()


def test_hw18_seats_are_drawn_in_every_round() -> None:
    words = [f"{k / 30:.4f}*expert+{1 - k / 30:.4f}*greedy" for k in range(1, 30)]
    asked = ask(HW, 50, entrants=["greedy", *words, "expert"][:30])
    assert len({entrant.name for entrant in asked.entrants}) == 30
    _, engine = rigged(
        replace(asked, entrants=read_entrants(resolve_game(HW), ["expert@5", "greedy"], 30)),
        {"expert": 1, "greedy": 0},
    )
    first = engine.calls[0][2].reshape(50, 6, 4, 5)
    assert (first == first[:, :, :1]).all()  # seats stay for a round
    at = np.argwhere(first[:, :, 0] == 0)[:, 1:]  # tables and seats of experts
    assert len(np.unique(at, axis=0)) == 30
    ordered = replace(
        asked, by_lot=False, entrants=read_entrants(resolve_game(HW), ["expert@5", "greedy"], 30)
    )
    _, engine = rigged(ordered, {"expert": 1, "greedy": 0})
    assert (engine.calls[0][2].reshape(50, 6, 4, 5)[:, 0] == 0).all()  # the five experts at the first table
    assert (engine.calls[1][2].reshape(50, 2, 4, 5)[:, 0] == 0).all()


def test_a_mixture_draws_for_each_hand_or_for_a_round() -> None:
    asked = ask(HW, 50, entrants=["0.3*expert+0.7*greedy"], number=30)
    for mix in ("hand", "round"):
        _, engine = rigged(replace(asked, mix=mix), {"expert": 0, "greedy": 0}, count=100)
        minds = engine.calls[0][2].reshape(-1, 4, 5)
        assert np.mean(minds == 0) == pytest.approx(0.3, abs=0.02)
        alike = (minds == minds[:, :1]).all(axis=1)
        assert alike.all() if mix == "round" else alike.mean() < 0.4


def test_a_tournament_is_the_same_whatever_is_played_beside_it() -> None:
    asked = ask(HW, 50, entrants=["0.5*expert+0.5*greedy@10", "greedy"], number=30)
    all_of, engine = rigged(asked, {"expert": 2, "greedy": -1}, count=20)
    late = Rigged(asked.policies, [2, -1])
    part = play(late, asked, 4, 15, 5)  # type: ignore[arg-type]
    assert part is not None
    assert (part.opening == all_of.opening[15:]).all() and (part.winner == all_of.winner[15:]).all()
    assert late.calls[0][0] == engine.calls[0][0] + 15 * 6 * 4  # its own deals
    assert (late.calls[1][2] == engine.calls[1][2][15 * 2 * 4 :]).all()


# --- what it tells


def simulated(
    draw: np.random.Generator, skill: np.ndarray, luck: float, tournaments: int, hands: int
) -> Outcome:
    """Entrants of known skill a hand, with normal luck a round."""
    x = hands * skill + draw.normal(0, luck, (tournaments, len(skill)))
    points = np.rint(100 * (x - x.mean(axis=1, keepdims=True))).astype(np.int64)
    winner = points.argmax(axis=1)
    played = np.where(np.argsort(np.argsort(-points)) < 10, 2, 1)
    return Outcome(points, played, winner, points.max(axis=1))


def test_luck_and_skill_are_told_apart_and_the_interval_covers() -> None:
    """Skill 15 % of the variance: 95 % intervals hold it in 91 to 99 % of 200 samples of 100 tournaments."""
    draw = np.random.default_rng(1)
    asked = ask(HW, 100, number=30)
    skill = np.linspace(-1, 1, 30)
    luck = float(np.sqrt(0.85 / 0.15 * (100 * skill**2).mean()))
    covered, values = 0, []
    for _ in range(200):
        found = length_of(asked, 10, simulated(draw, skill, luck, 100, 10)).skill
        assert found.low is not None and found.high is not None and found.value is not None
        # the share within a tournament of thirty: what all have in common is no luck of one of them
        truth = 0.15 / (0.15 + 0.85 * 29 / 30)
        covered += found.low <= truth <= found.high
        values.append(found.value)
    assert 0.91 <= covered / 200 <= 0.99
    assert np.mean(values) == pytest.approx(truth, abs=0.004)


def test_where_all_are_alike_there_is_no_skill() -> None:
    draw = np.random.default_rng(2)
    asked = ask(HW, 400, entrants=["greedy"], number=30)
    found = length_of(asked, 10, simulated(draw, np.zeros(30), 5.0, 400, 10))
    assert found.skill.low == 0 and found.skill.value is not None and found.skill.value < 0.001
    assert found.best_wins.value == 1 and found.by_chance == 1  # they are one kind
    ladder = length_of(ask(HW, 400, number=30), 10, simulated(draw, np.zeros(30), 5.0, 400, 10))
    assert ladder.skill.low == 0 and ladder.skill.value is not None and ladder.skill.value < 0.005
    assert ladder.best_wins.low is not None and ladder.best_wins.high is not None
    assert ladder.best_wins.low < 1 / 30 < ladder.best_wins.high


@needs_jit
@pytest.mark.slow
def test_hw18_better_players_win_more_often_and_more_so_in_longer_rounds() -> None:
    found = run(ask(HW, 60, entrants=["expert@5", "random"], number=30, hands=[2, 16], seed=4), workers=2)
    short, long = found.lengths
    for length in (short, long):
        expert, other = length.standings
        assert (expert.name, expert.count, other.count) == ("expert", 5, 25)
        assert length.best == 0 and expert.points.low is not None and expert.points.low > 0
        assert 5 * expert.points.value + 25 * other.points.value == pytest.approx(0, abs=1e-9)  # type: ignore[operator]
        assert expert.wins.value + other.wins.value == pytest.approx(1)  # type: ignore[operator]
    assert short.skill.high is not None and long.skill.low is not None and short.skill.high < long.skill.low
    assert long.best_wins.low is not None and long.best_wins.low > 5 / 30
    assert long.best_wins.value > short.best_wins.value  # type: ignore[operator]


@needs_jit
def test_nothing_depends_on_threads() -> None:
    asked = ask(
        HW, 25, entrants=["0.5*random+0.5*greedy@3", "random"], number=15, hands=[3], advance=[5], seed=9
    )
    one, two = (to_dict(run(asked, workers=workers)) for workers in (1, 3))
    one.pop("seconds"), two.pop("seconds")
    assert one == two


# --- what is asked for


def test_entrants_are_policies_mixtures_and_a_ladder() -> None:
    game = resolve_game(HW)
    ladder = read_entrants(game, [])
    assert len(ladder) == 30 and ladder[0].name == "greedy" and ladder[-1].name == "expert"
    assert all(abs(sum(share for _, share in entrant.mind) - 1) < 1e-9 for entrant in ladder)
    assert len({entrant.name for entrant in ladder}) == 30
    found = read_entrants(game, ["0.7*expert+0.3*greedy@2", "search:10", "random"], 10)
    assert [entrant.name for entrant in found[:4]] == [
        "0.7*expert+0.3*greedy", "0.7*expert+0.3*greedy", "search:worlds=10", "random",
    ]  # fmt: skip
    assert len(found) == 10 and found[-1].name == "random"
    assert len(read_entrants(game, ["expert"])) == 30
    assert len(read_entrants(game, ["expert@3", "greedy@2"])) == 5


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ({"game": "die-wu-fen"}, "die-wu-fen"),
        ({"entrants": ["luck"]}, "names no policy"),
        ({"entrants": ["0.5*expert"]}, "add up to 1"),
        ({"entrants": ["2*expert"]}, "no share"),
        ({"entrants": ["x*expert"]}, "no share"),
        ({"entrants": ["expert@many"]}, "number of entrants"),
        ({"entrants": ["banker=expert"]}, "role"),
        ({"entrants": ["expert@3", "greedy@4"]}, "multiples of 5"),
        ({"number": 12}, "multiples of 5"),
        ({"entrants": ["expert@9"], "number": 5}, "leave some out"),
        ({"hands": [0]}, "hands"),
        ({"tournaments": 3}, "too few"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 2, "advance": [10, 5]}, "advance"),
        ({"advance": [12]}, "advance"),
        ({"advance": [35]}, "advance"),
        ({"advance": [5, 10]}, "advance"),
        ({"seating": "rank"}, "seating"),
        ({"mix": "deal"}, "mix"),
    ],
)
def test_what_can_not_be_played_is_refused(asked: dict[str, Any], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        ask(**{"game": HW, "tournaments": 100, **asked})


def test_how_many_go_on() -> None:
    assert ask(HW, 100).sizes == (30, 10)
    assert ask(HW, 100, rounds=1).sizes == (30,)
    assert ask(HW, 100, rounds=3).sizes == (30, 10, 10)
    assert ask(HW, 100, advance=[20, 5]).sizes == (30, 20, 5)
    assert ask(HW, 100, number=5).sizes == (5, 5)


# --- the command


def invoke(*words: str) -> CliResult:
    return CliRunner().invoke(main, [*words])


RUN = (
    "tournament",
    HW,
    "--tournaments",
    "30",
    "--hands",
    "2,4",
    "--entrant",
    "greedy@5",
    "--entrant",
    "random@10",
)


@needs_jit
def test_the_command_prints_writes_and_says_the_same_in_json(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "one"
    done = invoke(*RUN, "--advance", "5", "--out", str(folder))
    assert done.exit_code == 0, done.output
    for part in ("15 → 5", "Rounds of 2 hands", "greedy × 5", "best wins", "by chance", "skill"):
        assert part in done.output
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["kind"] == "tournament" and manifest["sizes"] == [15, 5] and manifest["ended"]
    for entry in manifest["files"]:
        table = pq.read_table(folder / entry["file"])
        assert table.num_rows == entry["rows"] > 0
        assert json.loads(table.schema.metadata[b"tuolaji"])["tournaments"] == 30
    rows = pq.read_table(folder / "tournaments.parquet").to_pylist()
    found = json.loads(invoke(*RUN, "--advance", "5", "--format", "json").output)
    (wins,) = (
        row for row in found["standings"]
        if (row["hands"], row["entrant"], row["figure"]) == (4, "greedy", "wins")
    )  # fmt: skip
    won = [row["winner"] for row in rows if row["hands"] == 4]
    assert wins["estimate"] == pytest.approx(won.count("greedy") / 30) and wins["by_chance"] == pytest.approx(
        1 / 3
    )


@needs_jit
def test_the_command_speaks_chinese() -> None:
    done = invoke(*RUN, "--rounds", "1", "--lang", "zh")
    assert done.exit_code == 0, done.output
    for part in ("红五五家", "每轮 2 手", "最强者夺冠", "运气", "抽签"):
        assert part in done.output
    assert "skill" not in done.output and "hands" not in done.output


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("tournament", "die-wu-fen"), "hong-wu-wu-jia"),
        ((*RUN[:2], "--hands", "2,x"), "whole number"),
        ((*RUN[:2], "--entrants", "7"), "multiples of 5"),
    ],
)
def test_bad_usage_is_one_sentence(words: tuple[str, ...], part: str, tmp_path: Path) -> None:
    done = invoke(*words, "--out", str(tmp_path / "d"))
    assert done.exit_code == 2 and part in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "d").exists()


@needs_jit
def test_in_python() -> None:
    found = tuolaji.tournament(20, entrants=["greedy@5"], number=5, hands=[1], rounds=1)
    assert found["sizes"] == [5] and found["rounds"][0]["figure"] == "best_wins"
    compared = tuolaji.compare("die-wu-fen", 200, ["cascade=false"], policies=["random"])
    assert compared["deals"] == 200 and compared["variants"][1]["rules"]["cascade"] is False
