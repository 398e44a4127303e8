"""What a long run tells on stderr."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from ..kernels.compiling import clock
from .text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .text import Lang


class Bar:
    """A progress bar, called with the number of deals played so far."""

    def __init__(self, shown: Any) -> None:
        self._shown = shown
        # Tqdm's clock is the system's, which may be set back: the bar would stand still. And compiling is no playing.
        if hasattr(shown, "_time"):
            shown._time = clock
            shown.start_t = shown.last_print_t = clock()

    def __call__(self, done: int) -> None:
        self._shown.update(done - self._shown.n)

    def begin_at(self, done: int) -> None:
        """So many deals were there before: they don't count for the speed."""
        self._shown.initial = self._shown.n = self._shown.last_print_n = done


def note(text: str) -> None:
    """A line on stderr, above the bar if there is one."""
    if "tqdm" not in sys.modules:
        print(text, file=sys.stderr, flush=True)
        return
    from tqdm import tqdm

    tqdm.write(text, file=sys.stderr)


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
