"""Ctrl-C, and the request to terminate: what becomes of what is being done."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def interrupt() -> None:
    """For `stopped_by_user`, where whatever runs may end at any place."""
    raise KeyboardInterrupt


@contextlib.contextmanager
def stopped_by_user(stop: Callable[[], None]) -> Iterator[None]:
    """Turn the first Ctrl-C, or request to terminate, into a call of ``stop``; a second one is as rude as ever."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def restore() -> None:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)

    def handler(_number: int, _frame: object) -> None:
        restore()
        stop()

    for number, known in before.items():
        if known not in (None, signal.SIG_IGN):  # an ignored signal stays ignored: started with nohup, say
            signal.signal(number, handler)
    try:
        yield
    finally:
        restore()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """For what must not take long: when stopped, it comes to its end nevertheless; then `KeyboardInterrupt`."""
    told: list[bool] = []
    with stopped_by_user(lambda: told.append(True)):
        yield
    if told:
        raise KeyboardInterrupt
