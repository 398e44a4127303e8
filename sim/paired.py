"""Differences between several plays of the same deals, and how sure they are.

Sums of differences within a unit (a deal; a session where hands are chained) are exact integers. Ratios, rates and
standard deviations go by what each unit contributes (`contributions`). Quantiles are resampled: a Poisson bootstrap, in
which each unit gets a weight drawn by its number and the seed, the same one in all plays, so that a resample is paired
as the data are.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .contributions import Contributions
from .quantities import classes_of, codes, figures_of, levels_of, quantities
from .stats import LEAST_DIFFERING, MANY, Sums, at_most, mean, normal, student
from .totals import Totals, count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from .quantities import Figure
    from .stats import Estimate

    Columns = Mapping[str, NDArray[Any]]
    Floats = NDArray[np.float64]

BLOCK = 4096  # deals whose weights are drawn together
RESAMPLES, LEAST_RESAMPLES = 1000, 200
_WORK = 100_000_000  # weights drawn at most, as long as there are LEAST_RESAMPLES
EXTRA = {"die-wu-fen": ("penalty_banker",)}  # figures that the summary has not
FEW = 30  # values below which a ratio is no figure to compare


def resamples_for(units: int) -> int:
    """How many resamples: 1,000, and fewer from 100,000 units on."""
    return max(LEAST_RESAMPLES, min(RESAMPLES, _WORK // max(1, units)))


@cache
def _poisson() -> NDArray[np.uint8]:
    """The weight for each 16-bit number: Poisson with mean 1, to within 2**-16."""
    steps = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(12)])
    return np.searchsorted(steps, (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.uint8)


def weights(seed: int, block: int, units: int, resamples: int) -> NDArray[np.uint8]:
    """The weights of the units of a block: uint8[units, resamples]. More units leave those before as they are."""
    draw = np.random.Generator(np.random.Philox(key=np.array([seed, block], np.uint64)))
    found: NDArray[np.uint8] = _poisson()[draw.integers(0, 1 << 16, (units, resamples), np.uint16)]
    return found


@dataclass(frozen=True)
class Difference:
    """A figure's difference to the reference: value, standard error and interval (None where the data can't tell).

    ``differing``: units in which what it is made of differs. ``mark``: "bound" where these are so few that the interval
    is but a bound to both sides of 0, "approximate" where it may cover less often than it says, else empty.
    """

    value: float | None
    error: float | None = None
    low: float | None = None
    high: float | None = None
    differing: int = 0
    mark: str = ""


class Paired:
    """Takes the plays of the same deals under several plans, and tells how the figures differ from the first one's."""

    def __init__(
        self, game: str, plays: int, *, session: int = 1, seed: int = 0, resamples: int = RESAMPLES,
        contract: bool = False,
    ) -> None:  # fmt: skip
        self.game, self.session, self.seed, self.resamples = game, session, seed, resamples
        self.units = 0
        self._size = max(1, BLOCK // session)  # units in a block; sums of single precision stay exact
        self.totals = [Totals(session) for _ in range(plays)]
        self._contract = contract
        self._waiting: list[list[dict[str, NDArray[Any]]]] = []
        self._held = 0
        # by play and name of a quantity, or by (class, code) and (class, code, "won"): sums over the units of the
        # difference and of its square, how many units differ, and the largest difference in one
        self._sums: list[defaultdict[Any, list[int]]] = [
            defaultdict(lambda: [0, 0, 0, 0]) for _ in range(plays)
        ]
        self._added = [Contributions() for _ in range(plays)]
        self._boot: list[dict[Any, Floats]] = [{} for _ in range(plays)]
        self._extra: list[dict[str, tuple[int, int]]] = [{} for _ in range(plays)]
        self._ratios = [*self._figures("ratio"), *self._figures("rate")]
        self._spreads = self._figures("spread")

    def _figures(self, kind: str) -> list[Figure]:
        return [figure for figure in figures_of(self.game, contract=self._contract) if figure.kind == kind]

    def add(self, plays: Sequence[Columns]) -> None:
        """Take whole units of deals, played under each plan, in their order."""
        for totals, columns in zip(self.totals, plays, strict=True):
            totals.merge(count(columns, self.session, self.game))
        self._waiting.append([dict(columns) for columns in plays])
        self._held += len(plays[0]["banker"])
        while self._held >= self._size * self.session:
            self._take(self._size * self.session)

    def finish(self) -> None:
        """After the last deals."""
        if self._held:
            self._take(self._held)

    def _take(self, deals: int) -> None:
        """Work out the next deals of those that wait."""
        joined = [
            {name: np.concatenate([piece[at][name] for piece in self._waiting]) for name in columns}
            for at, columns in enumerate(self._waiting[0])
        ]
        self._waiting = [[{name: values[deals:] for name, values in columns.items()} for columns in joined]]
        self._held -= deals
        self._block([{name: values[:deals] for name, values in columns.items()} for columns in joined])

    def _block(self, plays: list[dict[str, NDArray[Any]]]) -> None:
        units = len(plays[0]["banker"]) // self.session
        drawn = weights(self.seed, self.units // self._size, units, self.resamples).T.astype(np.float32)
        self.units += units
        base, marks = self._of(plays[0])
        for at, columns in enumerate(plays):
            own, mine = (base, marks) if at == 0 else self._of(columns)
            for name in EXTRA.get(self.game, ()):
                x, xx = self._extra[at].get(name, (0, 0))
                self._extra[at][name] = x + int(own[name].sum()), xx + int((own[name] ** 2).sum())
            if at:
                self._differences(at, base, marks, own, mine)
            levels = {key: mark for key, mark in mine.items() if key[0] in levels_of(self.game)}
            counts = drawn @ np.stack([*levels.values()], axis=1).astype(np.float32)
            for key, values in zip(levels, counts.T.astype(np.float64), strict=True):
                self._boot[at][key] = self._boot[at].get(key, 0.0) + values

    def _of(self, columns: Columns) -> tuple[dict[str, NDArray[np.int64]], dict[Any, NDArray[np.int64]]]:
        """Quantities by unit; and how many deals of each unit have each value of a class or level, and win."""
        found = quantities(self.game, columns)
        each = {name: self._by_unit(values) for name, values in found.items()}
        of = codes(self.game, columns)
        marks: dict[Any, NDArray[np.int64]] = {}
        won = {classes.name: classes.won for classes in classes_of(self.game)}
        for name, values in of.items():
            for code in np.unique(values).tolist():
                mark = (values == code).astype(np.int64)
                marks[name, code] = self._by_unit(mark)
                if won.get(name):
                    marks[name, code, won[name]] = self._by_unit(mark * found[won[name]])
        return each, marks

    def _by_unit(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return values if self.session == 1 else values.reshape(-1, self.session).sum(axis=1)

    def _differences(self, at: int, base: Any, marks: Any, own: Any, mine: Any) -> None:
        zero = np.zeros(len(next(iter(own.values()))), np.int64)
        added = self._added[at]
        added.begin(len(zero))
        for name, values in own.items():
            self._note(at, name, values - base[name])
        keys = {**marks, **mine}
        for key in keys:
            self._note(at, key, mine.get(key, zero) - marks.get(key, zero))
        won = [key for key in keys if len(key) == 3]
        made_of = {key: (key, key[:2]) for key in won} | {f.name: (f.x, f.y) for f in self._ratios}
        each = [
            np.array([[play.get(part, zero) for part in parts] for parts in made_of.values()])
            for play in ({**own, **mine}, {**base, **marks})
        ]
        added.add([*made_of], *each)
        each = [
            np.array(
                [
                    [play[f.x], play[f"{f.x}_squares"], play[f.y] if f.y else zero + self.session * f.each]
                    for f in self._spreads
                ]
            )
            for play in (own, base)
        ]
        added.add([f.name for f in self._spreads], *each)

    def _note(self, at: int, key: Any, d: NDArray[np.int64]) -> None:
        if d.any():
            sums = self._sums[at][key]
            sums[0] += int(d.sum())
            sums[1] += int((d * d).sum())
            sums[2] += int(np.count_nonzero(d))
            sums[3] = max(sums[3], int(np.abs(d).max()))

    # --- what came of it

    def tables(self) -> list[Figure]:
        """The figures of the tables by value that came up in any play."""
        from .quantities import table_figures

        found = []
        for classes in classes_of(self.game):
            if self._contract and classes.name in ("reveal", "bid"):
                continue
            seen = set().union(*(totals.classes[classes.name] for totals in self.totals))
            order = sorted(seen, reverse=classes.name == "grade")
            found += [figure for code in order for figure in table_figures(classes, code)]
        return found

    def squares(self, key: Any, play: int) -> tuple[int, int]:
        """The sums over the units of a quantity's difference and of its square; ``key``: a name, or (class, code)."""
        x, xx, *_ = self._sums[play][key]
        return x, xx

    def extra(self, name: str, play: int) -> Estimate:
        """The mean of a figure that the summary has not."""
        x, xx = self._extra[play][name]
        size = self.session
        return mean(Sums(self.units, x, size * self.units, xx, size * x, size * size * self.units))

    def difference(self, figure: Figure, at: int, confidence: float, *, same: bool = False) -> Difference:
        """How a figure of play ``at`` differs from that of the first. ``same``: the plans are the same."""
        if same:
            return Difference(0.0, 0.0, 0.0, 0.0)
        key: Any = (figure.x, figure.code) if figure.group else figure.x
        if figure.kind in ("mean", "share"):
            return self._of_mean(figure, self._sums[at][key], confidence)
        if figure.kind == "quantile":
            return self._of_quantile(figure, at, confidence)
        return self._of_contributions(figure, at, confidence)

    def _of_mean(self, figure: Figure, sums: list[int], confidence: float) -> Difference:
        x, xx, differing, largest = sums
        size = self.session * figure.each
        if not differing and figure.kind != "share":
            return Difference(0.0)
        found = mean(
            Sums(self.units, x, size * self.units, xx, size * x, size * size * self.units), confidence
        )
        if differing < LEAST_DIFFERING:
            most = self.session if figure.kind == "share" else largest
            bound = at_most(differing, self.units, confidence) * most / size
            return Difference(found.value, found.error, -bound, bound, differing, "bound")
        if figure.kind == "share" and self.session == 1:
            return paired_share((xx + x) // 2, (xx - x) // 2, self.units, confidence)
        return Difference(found.value, found.error, found.low, found.high, differing)

    def _of_contributions(self, figure: Figure, at: int, confidence: float) -> Difference:
        one, other = (self._estimate(figure, play) for play in (at, 0))
        if one is None or other is None:
            return Difference(None)
        found = self._added[at][(figure.y, figure.code, figure.x) if figure.group else figure.name]
        if found is None or (not found.differing and figure.kind != "rate"):
            return Difference(0.0)
        value = one - other
        error, rests_on = found.error(self.units)
        few = found.differing < LEAST_DIFFERING
        if few or error == 0.0:
            # Where all hands of a rate end alike, nothing is seen of how many do not: no more than none of the fewer.
            units = (
                found.present if few else min(self._values(figure, play) for play in (at, 0)) // found.most
            )
            share = at_most(found.differing if few else 0, max(1, units), confidence)
            if (
                figure.kind == "rate"
            ):  # nobody can win more often than always: at most `most` wins lost in a unit
                bound = min(1.0, share / (1 - share / 2) * found.most)
            else:
                bound = at_most(found.differing, self.units, confidence) * found.largest
            return Difference(value, error, -bound, bound, found.differing, "bound")
        wide = found.error(self.units, 4)[0] if figure.kind == "spread" else error
        reach = student(min(self.units - 1, max(1, int(rests_on))), confidence) * wide
        low, high = value - reach, value + reach
        if figure.kind == "rate":
            low, high = max(-1.0, low), min(1.0, high)
        few_deals = figure.kind == "spread" and self.units * self.session < MANY
        return Difference(value, error, low, high, found.differing, "approximate" if few_deals else "")

    def _of_quantile(self, figure: Figure, at: int, confidence: float) -> Difference:
        differing = self._level_differs(figure.x, at)
        if not differing:
            return Difference(0.0)
        value = (self._estimate(figure, at) or 0.0) - (self._estimate(figure, 0) or 0.0)
        resampled = self.replicates(figure, at) - self.replicates(figure, 0)
        error = float(np.std(resampled, ddof=1))
        if error == 0.0:
            low, high = self._unmoved(figure, at, confidence)
        else:  # only some values can be
            reach, step = student(self.units - 1, confidence) * error, self._step(figure.x)
            low = math.floor((value - reach) / step) * step
            high = math.ceil((value + reach) / step) * step
        return Difference(value, error, float(low), float(high), differing)

    def _values(self, figure: Figure, play: int) -> int:
        """Of how many values a rate is."""
        totals = self.totals[play]
        if figure.group:
            return totals.classes[figure.group].get(figure.code, (0, 0))[1]
        return totals.sums[figure.y]

    def _estimate(self, figure: Figure, play: int) -> float | None:
        """A quantile, ratio, rate or standard deviation of a play; None with too few values to compare."""
        totals = self.totals[play]
        if figure.kind == "quantile":
            values = sorted(totals.levels[figure.x])
            counts = np.array([[totals.levels[figure.x][value][0]] for value in values], np.float64)
            return float(_quantile(values, counts, figure.at)[0])
        if figure.group:
            x, y = totals.classes[figure.group].get(figure.code, (0, 0))[:2]
        elif figure.kind == "spread":
            x, y = totals.sums[figure.x], totals.sums[figure.y] if figure.y else figure.each * totals.deals
            q = totals.sums[f"{figure.x}_squares"]
            return math.sqrt(max(0, y * q - x * x) / (y * (y - 1))) if y >= FEW else None
        else:
            x, y = totals.sums[figure.x], totals.sums[figure.y]
        return x / y if y >= FEW else None

    def replicates(self, figure: Figure, play: int) -> Floats:
        """A quantile in every resample of a play."""
        boot = self._boot[play]
        values = sorted(key[1] for key in boot if key[0] == figure.x)
        return _quantile(values, np.stack([boot[figure.x, value] for value in values]), figure.at)

    def _unmoved(self, figure: Figure, at: int, confidence: float) -> tuple[float, float]:
        """The interval of a quantile's difference that no resample moved: their number can't tell how rare that is.

        Woodruff's intervals of the two quantiles put together as if they were independent (Zou and Donner 2008).
        """
        one, other = (self.totals[play].quantile(figure.x, figure.at, confidence) for play in (at, 0))
        ends = [(e.value or 0.0, e.low or 0.0, e.high or 0.0) for e in (one, other)]
        (a, a_low, a_high), (b, b_low, b_high) = ends
        return a - b - math.hypot(a - a_low, b_high - b), a - b + math.hypot(a_high - a, b - b_low)

    def _level_differs(self, level: str, at: int) -> int:
        """Units in which some value of a level came up another number of times; at most, where there are many."""
        moved = sum(
            sums[1] for key, sums in self._sums[at].items() if isinstance(key, tuple) and key[0] == level
        )
        return min(self.units, -(-moved // 2))

    def _step(self, level: str) -> int:
        """What all values of a level are multiples of."""
        return math.gcd(*(value for totals in self.totals for value in totals.levels[level])) or 1


def _quantile(values: list[int], counts: Floats, share: float) -> Floats:
    """The smallest value with at least a share at or below it, for each column of counts by value."""
    below = np.cumsum(counts, axis=0)
    at = np.argmax(below >= share * below[-1] - 1e-9, axis=0)
    found: Floats = np.asarray(values, np.float64)[at]
    return found


def paired_share(gained: int, lost: int, units: int, confidence: float = 0.95) -> Difference:
    """The difference of two shares of the same units: Bonett and Price's interval (2012).

    ``gained``, ``lost``: units with the property only in the second and only in the first play. A normal interval with
    one more of each. Where neither occurs, at most -ln(1 - confidence) / units of all units differ.
    """
    if not gained + lost:
        most = min(1.0, -math.log(1 - confidence) / units)
        return Difference(0.0, 0.0, -most, most)
    value = (gained - lost) / units
    up, down = (gained + 1) / (units + 2), (lost + 1) / (units + 2)
    error = math.sqrt((up + down - (up - down) ** 2) / (units + 2))
    reach = normal(confidence) * error
    middle = up - down
    return Difference(value, error, max(-1.0, middle - reach), min(1.0, middle + reach), gained + lost)
