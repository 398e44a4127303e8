"""What the suites share: each benchmark is timed beside a bare shuffle and deal, in the same run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import baseline
import measure
import pytest
from measure import Beside

ROOT = Path(__file__).resolve().parent.parent


class TopLevelIsNoTestPackage:
    """Keeps pytest from importing the repository's own `__init__.py` under the name of the checkout's folder."""

    @staticmethod
    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if path == ROOT:
            directory: pytest.Collector = pytest.Dir.from_parent(parent, path=path)
            return directory
        return None


@dataclass
class Ratios:
    """The rows of the table at the end: (group, name, what it is per, nanoseconds, multiple of a shuffle and deal)."""

    rows: list[tuple[str, str, str, float, float]] = field(default_factory=list)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print them."""
        if not self.rows:
            return
        terminalreporter.section("beside a shuffle and deal of 108 cards, for hong-wu-wu-jia of 162")
        terminalreporter.line(f"yardstick: {baseline.yardstick().name}")
        if baseline.in_c() is None:
            terminalreporter.line(baseline.NO_GCC)
        rows = [
            [f"{group}: {name}", per, f"{ns:,.1f}" if ns < 1000 else f"{ns:,.0f}", f"{ratio:.3g}"]
            for group, name, per, ns, ratio in self.rows
        ]
        terminalreporter.line(measure.table(["benchmark", "per", "ns", "× shuffle and deal"], rows))
        terminalreporter.line(measure.sentence(measure.machine()))


RATIOS = pytest.StashKey[Ratios]()


def pytest_configure(config: pytest.Config) -> None:
    # As plugins of their own: hooks of a conftest file do not see folders above it.
    config.pluginmanager.register(TopLevelIsNoTestPackage())
    config.stash[RATIOS] = Ratios()
    config.pluginmanager.register(config.stash[RATIOS])


@pytest.fixture
def beside(benchmark: Any, request: pytest.FixtureRequest) -> Beside:
    """``beside(function, *args, calls=n, per="call", cards=108)``: time a function that does something n times.

    The shuffle and deal is timed with the same clock just before and just after; ``extra_info`` has nanoseconds each
    and ``ratio_to_shuffle``. A benchmark's group is its module.
    """
    benchmark.group = request.path.stem.removeprefix("test_")

    def timed(
        function: Callable[..., object],
        *args: object,
        calls: int,
        per: str = "call",
        rounds: int = 9,
        cards: int = 108,
    ) -> None:
        stick = baseline.yardstick(cards)
        clock = getattr(benchmark, "_timer", None)
        options = {"clock": clock} if clock else {}
        shuffles = [stick.ns(50_000, **options) for _ in range(3)]
        benchmark.pedantic(function, args, rounds=rounds, iterations=1, warmup_rounds=1)
        shuffles += [stick.ns(50_000, **options) for _ in range(3)]
        if benchmark.stats is None:  # --benchmark-disable
            return
        each = benchmark.stats.stats.median / calls * 1e9
        shuffle = measure.median(shuffles)
        benchmark.extra_info.update(
            per=per, ns=each, shuffle_ns=shuffle, ratio_to_shuffle=each / shuffle, yardstick=stick.name
        )
        row = (benchmark.group, request.node.name.removeprefix("test_"), per, each, each / shuffle)
        request.config.stash[RATIOS].rows.append(row)

    return timed
