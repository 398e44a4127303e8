"""A Dask scheduler, its workers and an S3-compatible server on loopback, as processes that can be killed."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PATIENCE = 60.0


def wait_until(found: Callable[[], Any], what: str, pause: float = 0.02) -> Any:
    """What it gives as soon as that is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (result := found()) is not None and result is not False:
            return result
        time.sleep(pause)
    raise AssertionError(f"not within {PATIENCE} seconds: {what}")


def start(*args: str, env: dict[str, str] | None = None, log: Path) -> subprocess.Popen[bytes]:
    """A module of Python's in a process of its own."""
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *args],
            stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=os.environ | (env or {}),
        )  # fmt: skip


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()


class Dask:
    """A scheduler and workers; ``folder`` for what they leave."""

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        folder.mkdir(parents=True)
        self._folder, self._env = folder, env
        place = folder / "scheduler.json"
        self.scheduler = start(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(place), env=env, log=folder / "scheduler.log",
        )  # fmt: skip
        self.workers: list[subprocess.Popen[bytes]] = []
        try:
            self.address: str = wait_until(lambda: _address(place), "a scheduler")
        except BaseException:
            self.close()
            raise

    def add_worker(self, **env: str) -> None:
        """One more, with one thread."""
        number = len(self.workers)
        process = start(
            "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--memory-limit", "0", "--local-directory", str(self._folder / f"worker-{number}"),
            env=(self._env or {}) | env, log=self._folder / f"worker-{number}.log",
        )  # fmt: skip
        self.workers.append(process)

    def close(self) -> None:
        """End them all."""
        for process in (*self.workers, self.scheduler):
            end(process)


def _address(file: Path) -> str | None:
    with contextlib.suppress(OSError, ValueError):
        found: str = json.loads(file.read_text("utf-8"))["address"]
        return found
    return None


@contextlib.contextmanager
def dask(folder: Path, workers: int = 2, env: dict[str, str] | None = None) -> Iterator[Dask]:
    """A scheduler with so many workers, which may still be starting."""
    made = Dask(folder, env)
    try:
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def object_store(folder: Path, bucket: str = "deals") -> Iterator[dict[str, str]]:
    """An S3-compatible server with one bucket; the environment by which it is found."""
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    env = {
        "AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip
    server = start("moto.server", "-H", "127.0.0.1", "-p", str(port), log=folder / "s3.log")
    try:
        wait_until(lambda: _answers(port), "an S3-compatible server")
        _make_bucket(env["AWS_ENDPOINT_URL"], bucket)
        yield env
    finally:
        end(server)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def _make_bucket(server: str, name: str) -> None:
    from urllib.request import Request, urlopen

    authorized = "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
    with urlopen(Request(f"{server}/{name}", method="PUT", headers={"Authorization": authorized})) as answer:
        assert answer.status == 200
