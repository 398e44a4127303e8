"""Runs on a cluster: a Dask scheduler hands parts of a dataset to its workers; only their entries come back."""

from __future__ import annotations

import concurrent.futures as cf
import contextlib
import logging
import time
import warnings
from typing import TYPE_CHECKING, Any, Self

from .errors import RunError, UsageError
from .part_player import Order, difference, fingerprint, play_part, shares
from .remote import first_line
from .text import Text, clip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .totals import Totals
    from .writer import DatasetWriter

    Played = tuple[dict[str, Any], Totals]

PATIENCE = 10  # seconds to wait for a scheduler
_AHEAD = 2  # parts in the scheduler's hands for each thread of a worker: one being played, one waiting
_RETRIES = 2  # of a part that a worker could not finish; how often workers may be lost is up to the scheduler
_LOOK = 0.5  # seconds between looks at whether the user wants to stop
_COUNT = 3.0  # seconds between counts of the workers


class Cluster:
    """A scheduler, connected to. `stop` may be called from a signal handler."""

    def __init__(self, address: str) -> None:
        """`UsageError` for an address that is none, or workers unlike this process; `RunError` if nobody answers."""
        self.address = address
        self.threads = 0
        self._stopped = False
        self._window = 2
        self._counted = self._told = float("-inf")
        self._client = _connect(address)
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the scheduler forget what it was given."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)

    def stop(self) -> None:
        """Have `play` end soon."""
        self._stopped = True

    def _check(self) -> None:
        """`UsageError` if a worker is unlike this process. Those that come later are asked by `play_part`."""
        mine = fingerprint()
        with self._talking():
            said = self._client.get_versions(packages=["tuolaji", "numba"])["workers"]
        for worker, found in said.items():
            packages = dict(found["packages"])
            packages["python"] = ".".join(str(packages.get("python")).split(".")[:3])
            known = {name: mine[name] for name in ("python", "tuolaji", "numba")}
            self._refuse(difference(known, packages, _named(worker)))
        with self._talking():
            said = self._client.run(fingerprint, on_error="return")
        for worker, found in said.items():
            if isinstance(found, BaseException):
                raise UsageError(
                    f"scheduler: {_named(worker)} can't load tuolaji as it is here: {_said_by(found)}; "
                    "install the same version on both"
                )
            self._refuse(difference(mine, found, _named(worker)))

    @staticmethod
    def _refuse(unlike: str | None) -> None:
        if unlike:
            raise UsageError(f"scheduler: {unlike}")

    def check_shared(self, folder: str, run: str) -> None:
        """`UsageError` if a worker that is there now sees another folder than this process does."""
        with self._talking():
            said = self._client.run(shares, folder, run, on_error="return")
        for worker, found in said.items():
            if found is not True:
                why = f": {_said_by(found)}" if isinstance(found, BaseException) else ""
                raise UsageError(
                    f"out: {_named(worker)} does not see the folder {clip(folder, 200)} of this run{why}; "
                    "name one that all workers share, or an address like s3://bucket/folder"
                )

    def play(
        self,
        writer: DatasetWriter,
        *,
        entered: Callable[[Totals], None],
        report: Callable[[int], None] | None = None,
        tell: Callable[[Text], None] | None = None,
    ) -> bool:
        """Have all parts played that are lacking; whether that was done, and not stopped by `stop`.

        ``entered`` gets the totals of each part, in order; ``report`` the deals that are there, as parts are finished.
        `RunError` if the scheduler is lost, or a part can't be played. A worker that is lost is no matter: others play
        its parts.
        """
        order = _order(writer)
        work = _Work(writer, entered, report)
        executor = self._client.get_executor(pure=False, retries=_RETRIES)
        while not self._stopped:
            with self._talking():
                room = self._room(tell)
                while len(work.running) < room and (index := next(work.lacking, None)) is not None:
                    work.running[executor.submit(play_part, order, index)] = index
            if not work.running:
                return True
            ready, _ = cf.wait(work.running, _LOOK, cf.FIRST_COMPLETED)
            for future in ready:
                work.take(future, self._result(future))
            if not ready and self._client.status != "running":
                raise self._lost()
        for future in [future for future in work.running if future.done()]:
            with contextlib.suppress(RunError):
                work.take(future, self._result(future))
        return False

    def _room(self, tell: Callable[[Text], None] | None) -> int:
        """How many parts the scheduler should have."""
        if time.monotonic() - self._counted > _COUNT:
            now = sum(self._client.nthreads().values())
            self.threads, self._counted = max(self.threads, now), time.monotonic()
            if now == 0 and tell and self._told < 0:
                self._told = self._counted
                tell(
                    Text(
                        f"no worker is connected to {self.address}; waiting for one (`dask worker {self.address}`)",
                        f"{self.address} 上没有工作进程；正在等待（`dask worker {self.address}`）",
                    )
                )
            elif now:
                self._told = float("-inf")
            self._window = max(2, _AHEAD * now)
        return self._window

    def _result(self, future: cf.Future[Played]) -> Played:
        from distributed import KilledWorker

        try:
            return future.result()
        except cf.CancelledError:
            raise self._lost() from None
        except RunError:
            raise
        except KilledWorker:
            raise RunError(
                "workers were lost again and again while they played a part; look at their memory and their logs"
            ) from None
        except Exception as error:
            raise RunError(f"a worker could not play a part: {_said_by(error)}") from error

    def _lost(self) -> RunError:
        return RunError(f"the connection to the scheduler {self.address} was lost")

    @contextlib.contextmanager
    def _talking(self) -> Iterator[None]:
        """Whatever goes wrong while the scheduler is asked something is its loss."""
        try:
            yield
        except (UsageError, RunError):
            raise
        except Exception as error:
            raise self._lost() from error


class _Work:
    """What is lacking, in the scheduler's hands, finished, and entered."""

    def __init__(
        self, writer: DatasetWriter, entered: Callable[[Totals], None], report: Callable[[int], None] | None
    ) -> None:
        self._writer, self._entered, self._report = writer, entered, report
        indexes = [index for span in writer.spans for index in writer.parts_of(span)]
        self._waiting = iter(indexes)
        self.lacking = iter(indexes)
        self._next = next(self._waiting, None)
        self.running: dict[cf.Future[Played], int] = {}
        self.finished: dict[int, Played] = {}
        self._deals = writer.kept

    def take(self, future: cf.Future[Played], played: Played) -> None:
        """A part is finished: enter it, unless parts before it are not."""
        self.finished[self.running.pop(future)] = played
        self._deals += played[0]["rows"]
        while self._next in self.finished:
            entry, totals = self.finished.pop(self._next)
            self._writer.add_part(entry, at_leisure=True)
            self._entered(totals)
            self._next = next(self._waiting, None)
        if self._report:
            self._report(self._deals)


def _order(writer: DatasetWriter) -> Order:
    return Order(
        made_by=fingerprint(),
        run=writer.run,
        folder=writer.address,
        plan=writer.plan.describe(),
        first=writer.first,
        deals=writer.deals,
        part_rows=writer.part_rows,
        detail=writer.detail,
        staged=[*writer.replaced],
    )


def _connect(address: str) -> Any:
    """A client of the scheduler; nothing it has to say but by exceptions."""
    shown = clip(address, 200)
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "scheduler: that needs dask and distributed; install them with `python -m pip install 'tuolaji[cluster]'`"
        ) from None
    for name in ["distributed", "tornado", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions that differ are looked at below
            make: Any = Client
            return make(address, timeout=PATIENCE, set_as_default=False)
    except OSError:
        raise RunError(
            f"no scheduler answers at {shown} within {PATIENCE} seconds; `dask scheduler` starts one"
        ) from None
    except Exception as error:
        raise UsageError(
            f"scheduler: {shown} can't be used: {first_line(error)}; write it as tcp://host:8786 or tls://host:8786"
        ) from None


def _named(worker: str) -> str:
    return f"the worker {worker}"


def _said_by(error: BaseException) -> str:
    return f"{type(error).__name__}: {first_line(error)}"
