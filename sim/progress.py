"""What a long run tells on stderr."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any

from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .plan import Plan
    from .text import Lang


def get_ready(plan: Plan, lang: Lang, detail: str | None = None, study: str | None = None) -> None:
    """Before a command loads kernels; one line on stderr if they must be compiled first, which takes a while.

    ``study``: a command, or a kind of table, with a kernel of its own.
    """
    from .startup import give_memory_back, not_compiled

    give_memory_back()
    lacking = not_compiled(plan, detail, study)
    if lacking:
        names = "/".join([plan.game.name, *(name for name in lacking if name != plan.game.name)])
        line = Text(
            f"compiling kernels for {names}, once; later runs start at once",
            f"正在编译 {names} 的内核，仅此一次；以后立即启动",
        )
        print(line.say(lang), file=sys.stderr, flush=True)


class Bar:
    """A progress bar, called with the number of deals played so far."""

    def __init__(self, shown: Any) -> None:
        self._shown = shown
        if hasattr(
            shown, "_time"
        ):  # tqdm's clock is the system's, which may be set back: the bar would stand still
            shown._time = time.monotonic
            shown.start_t = shown.last_print_t = time.monotonic()

    def __call__(self, done: int) -> None:
        self._shown.update(done - self._shown.n)

    def begin_at(self, done: int) -> None:
        """So many deals were there before: they don't count for the speed."""
        self._shown.initial = self._shown.n = self._shown.last_print_n = done


@contextlib.contextmanager
def bar(deals: int | None, lang: Lang, *, show: bool) -> Iterator[Bar | None]:
    """A progress bar with deals a second and time left, as a function of the deals played so far; or None.

    ``deals``: how many there will be; None when that is not known, and no time left is shown.
    """
    if not show:
        yield None
        return
    from tqdm import tqdm

    unit = Text(" deals", " 局").say(lang)
    with tqdm(
        total=deals, unit=unit, unit_scale=True, file=sys.stderr, dynamic_ncols=True, smoothing=0.1
    ) as shown:
        yield Bar(shown)
