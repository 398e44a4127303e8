"""When kernels are compiled: who is told of it, and a clock that stands still meanwhile. Numba is not imported here."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Refused(NamedTuple):
    """Why compiled kernels can't be kept: there is no ``place``; or the system says ``why``; or others write there."""

    place: str = ""
    why: str = ""


#: Called before the first kernel of this process is compiled, if anybody wants to know, with why what is compiled can't
#: be kept for another process: None if it can.
tell: Callable[[Refused | None], None] | None = None
_depth = 0
_told = False
#: Seconds spent, and since when a kernel is being compiled. One value, which other threads read at any time.
_state: tuple[float, float | None] = (0.0, None)


def clock() -> float:
    """Seconds, as ``time.perf_counter``, but for those in which kernels were compiled."""
    spent, since = _state
    return (time.perf_counter() if since is None else since) - spent


def begin(refused: Callable[[], Refused | None]) -> None:
    """A kernel is going to be compiled, perhaps for another one: numba compiles one at a time.

    ``refused`` tells why it can't be kept; see ``tell``.
    """
    global _depth, _state, _told
    _depth += 1
    if _depth > 1:
        return
    if tell is not None and not _told:
        _told = True
        tell(refused())
    _state = _state[0], time.perf_counter()


def end() -> None:
    """It has been compiled."""
    global _depth, _state
    _depth -= 1
    spent, since = _state
    if _depth == 0 and since is not None:
        _state = spent + time.perf_counter() - since, None
