"""What tournaments tell: who wins, what a round's length does, luck against skill. See docs/statistics.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .paired import RESAMPLES, weights
from .stats import Estimate, Sums, mean, proportion, student

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from .study_out import StudyFolder
    from .tournament import Asked, Outcome, Result

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_BLOCK = 4096  # tournaments whose weights are drawn together


@dataclass(frozen=True)
class Standing:
    """How entrants of one kind fared.

    Points are those of the first round, a hand; ``advanced``: the share of them that went on, if there are more rounds;
    ``wins``: the share of tournaments that one of them won.
    """

    name: str
    count: int
    points: Estimate
    advanced: Estimate
    wins: Estimate


@dataclass(frozen=True)
class Length:
    """All figures of one length of a round.

    ``best``: the kind of entrant with most points a hand; ``best_wins``: how often one of the kind found best in one
    half of the tournaments wins in the other, ``by_chance`` if all were alike. ``skill``: share of the variance of an
    entrant's points in a first round that is due to who it is; ``skill_points`` and ``luck_points``: the two standard
    deviations, in points a round.
    """

    hands: int
    standings: list[Standing]
    best: int
    best_wins: Estimate
    by_chance: float
    skill: Estimate
    skill_points: float
    luck_points: float
    hands_for_half: float | None
    outcome: Outcome


def kinds_of(asked: Asked) -> tuple[list[str], Ints]:
    """The different entrants, in order, and which of them each entrant is."""
    names = [*dict.fromkeys(entrant.name for entrant in asked.entrants)]
    return names, np.array([names.index(entrant.name) for entrant in asked.entrants], np.int64)


def length_of(asked: Asked, hands: int, outcome: Outcome) -> Length:
    """All figures of the tournaments with so many hands a round. The unit of every error is the tournament."""
    names, kind = kinds_of(asked)
    played = len(outcome.winner)
    standings = []
    means = np.zeros(len(names))
    for at, name in enumerate(names):
        mine = kind == at
        count = int(mine.sum())
        won = outcome.opening[:, mine].sum(axis=1)
        means[at] = won.sum() / (played * count * hands)
        going_on = (outcome.played[:, mine] > 1).sum(axis=1)
        wins = int(np.count_nonzero(kind[outcome.winner] == at))
        standings.append(
            Standing(
                name,
                count,
                mean(_sums(won, count * hands)),
                mean(_sums(going_on, count)) if asked.advance else Estimate(None),
                proportion(Sums(played, wins, played, wins, wins, played)),
            )
        )
    best = int(np.argmax(means))
    skill, ability, luck = _skill(asked, hands, outcome)
    return Length(
        hands, standings, best, _best_wins(kind, len(names), outcome), standings[best].count / len(kind),
        skill, hands * ability**0.5, hands * luck**0.5, hands * luck / ability if ability > 0 else None, outcome,
    )  # fmt: skip


def _sums(x: Ints, each: int) -> Sums:
    """Of a mean over tournaments, each of which holds ``each`` values."""
    n, total = len(x), int(x.sum())
    return Sums(n, total, n * each, int((x * x).sum()), each * total, n * each * each)


def _best_wins(kind: Ints, kinds: int, outcome: Outcome) -> Estimate:
    """Who is best is judged on one half of the tournaments, and how often it wins on the other: both ways round."""
    wins, played = 0, len(outcome.winner)
    half = np.arange(played) % 2
    for judged in (0, 1):
        points = outcome.opening[half == judged].sum(axis=0)
        best = int(np.argmax([points[kind == at].mean() for at in range(kinds)]))
        wins += int(np.count_nonzero(kind[outcome.winner[half != judged]] == best))
    return proportion(Sums(played, wins, played, wins, wins, played))


def _skill(asked: Asked, hands: int, outcome: Outcome) -> tuple[Estimate, float, float]:
    """The share of skill in the variance of an entrant's points; and the variances of skill and of luck, a hand.

    All entrants' points add up to 0, so a kind's true mean is what it is better than the field. Skill is the mean
    square of these, less what chance adds to it; luck is what is left. The interval: bootstrap by tournament.
    """
    names, kind = kinds_of(asked)
    count = np.array([np.count_nonzero(kind == at) for at in range(len(names))], np.float64)
    x = outcome.opening / hands
    sums = np.stack([x[:, kind == at].sum(axis=1) for at in range(len(names))], axis=1)
    squares = (x * x).sum(axis=1)
    tournaments, entrants = x.shape
    chance = float((sums.var(axis=0, ddof=1) / count).sum() / (tournaments * entrants))

    def variances(total: Floats, square: Floats, weight: Floats) -> tuple[Floats, Floats]:
        means = total / (count * weight[:, None])
        raw = (count * means**2).sum(axis=1) / entrants
        return raw, square / (entrants * weight) - raw

    raw, luck = (
        float(found[0])
        for found in variances(
            sums.sum(axis=0)[None], np.array([squares.sum()]), np.array([float(tournaments)])
        )
    )
    totals = [np.zeros((RESAMPLES, len(names))), np.zeros(RESAMPLES), np.zeros(RESAMPLES)]
    for block, start in enumerate(range(0, tournaments, _BLOCK)):
        part = slice(start, start + _BLOCK)
        drawn = weights(asked.plan.seed, block, len(squares[part]), RESAMPLES).T.astype(np.float64)
        for held, more in zip(
            totals, (drawn @ sums[part], drawn @ squares[part], drawn.sum(axis=1)), strict=True
        ):
            held += more
    again, again_luck = variances(totals[0], totals[1], totals[2])
    ability = max(0.0, raw - chance)
    share = ability / (ability + luck)
    resampled = np.maximum(0.0, again - 2 * chance)  # a resample adds chance once more
    error = float(np.std(resampled / (resampled + again_luck), ddof=1))
    reach = student(tournaments - 1, 0.95) * error
    found = Estimate(share, error, max(0.0, share - reach), min(1.0, share + reach), tournaments)
    return found, ability, luck


# --- tables

_NUMBER = "float64"
#: Type by column, by table.
SCHEMAS: dict[str, dict[str, str]] = {
    "entrants": {
        "hands": "int64", "entrant": "string", "count": "int64", "figure": "string", "estimate": _NUMBER,
        "error": _NUMBER, "low": _NUMBER, "high": _NUMBER, "by_chance": _NUMBER, "measure": "string", "unit": "string",
        "level": _NUMBER,
    },
    "rounds": {
        "hands": "int64", "figure": "string", "estimate": _NUMBER, "error": _NUMBER, "low": _NUMBER, "high": _NUMBER,
        "by_chance": _NUMBER, "measure": "string", "unit": "string", "level": _NUMBER,
    },
    "tournaments": {"hands": "int64", "tournament": "int64", "winner": "string", "points": "int64"},
}  # fmt: skip


def tables(result: Result) -> dict[str, list[dict[str, Any]]]:
    """Every table, by name, as `SCHEMAS` has its columns."""
    return {
        "entrants": [row for length in result.lengths for row in _entrants(result.asked, length)],
        "rounds": [row for length in result.lengths for row in _rounds(length)],
        "tournaments": [row for length in result.lengths for row in _tournaments(result.asked, length)],
    }


def _row(figure: str, found: Estimate, measure: str, chance: float | None = None) -> dict[str, Any]:
    return {
        "figure": figure, "estimate": found.value, "error": found.error, "low": found.low, "high": found.high,
        "by_chance": chance, "measure": measure, "unit": "tournament", "level": 0.95,
    }  # fmt: skip


def _entrants(asked: Asked, length: Length) -> Iterator[dict[str, Any]]:
    entrants = len(asked.entrants)
    for standing in length.standings:
        head = {"hands": length.hands, "entrant": standing.name, "count": standing.count}
        yield head | _row("points_a_hand", standing.points, "payoff", 0.0)
        if asked.advance:
            yield head | _row("advanced", standing.advanced, "share", asked.advance[0] / entrants)
        yield head | _row("wins", standing.wins, "share", standing.count / entrants)


def _rounds(length: Length) -> Iterator[dict[str, Any]]:
    head = {"hands": length.hands}
    yield head | _row("best_wins", length.best_wins, "share", length.by_chance)
    yield head | _row("skill_share", length.skill, "share", 0.0)
    for name in ("skill_points", "luck_points", "hands_for_half"):
        measure = "count" if name == "hands_for_half" else "payoff"
        yield head | _row(name, Estimate(getattr(length, name)), measure)


def _tournaments(asked: Asked, length: Length) -> Iterator[dict[str, Any]]:
    outcome = length.outcome
    for at, (winner, points) in enumerate(zip(outcome.winner.tolist(), outcome.points.tolist(), strict=True)):
        yield {
            "hands": length.hands, "tournament": at, "winner": asked.entrants[winner].name, "points": points,
        }  # fmt: skip


def provenance(asked: Asked) -> dict[str, Any]:
    """What determines the tables."""
    names, kind = kinds_of(asked)
    minds = {entrant.name: dict(entrant.mind) for entrant in asked.entrants}
    described = {
        k: v for k, v in asked.plan.describe().items() if k not in ("policies", "weights", "session")
    }
    return {
        **described,
        "entrants": [
            {"entrant": name, "mind": minds[name], "count": int(np.count_nonzero(kind == at))}
            for at, name in enumerate(names)
        ],
        "hands": [*asked.hands],
        "sizes": [*asked.sizes],
        "carry": asked.carry,
        "seating": "lot" if asked.by_lot else "order",
        "mix": asked.mix,
        "tournaments": asked.tournaments,
    }


def to_dict(result: Result) -> dict[str, Any]:
    """Everything at full precision, fit for JSON; single tournaments are in the folder only."""
    found = tables(result)
    return {
        **provenance(result.asked),
        "seconds": result.seconds,
        "standings": found["entrants"],
        "rounds": found["rounds"],
        "best": [
            {"hands": length.hands, "entrant": length.standings[length.best].name}
            for length in result.lengths
        ],
    }


def write(result: Result, folder: StudyFolder) -> None:
    """All tables, and the JSON object."""
    import json

    for name, rows in tables(result).items():
        folder.table(name, SCHEMAS[name], rows)
    folder.text("result.json", json.dumps(to_dict(result), ensure_ascii=False, indent=1) + "\n")
    folder.finish()
