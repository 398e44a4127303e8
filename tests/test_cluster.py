"""`--scheduler`: a real Dask scheduler and worker processes on loopback give the dataset that one worker here gives."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from runs import command, contents, finished, manifest, names, plan_of, small_parts, written
from servers import Dask, dask, end, object_store, wait_until

from tuolaji.cli import main
from tuolaji.sim import cluster as module
from tuolaji.sim.cluster import Cluster
from tuolaji.sim.dataset import Dataset, read_manifest
from tuolaji.sim.errors import RunError, UsageError
from tuolaji.sim.part_player import Order, difference, fingerprint, play_part
from tuolaji.sim.storage import place
from tuolaji.sim.summary import Summary, summarize
from tuolaji.sim.verify import verify

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow

DEALS = 60_000
PART = 1500
ATTEMPTS = 5  # to stop a run before it ends: a busy machine may be too late
RUN = ["simulate", "dwf", "--deals", f"{DEALS}", "--policy", "random", "--seed", "8"]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, PART, groups=False)  # workers know nothing of small groups


def run(out: str | Path, **options: Any) -> Summary:
    """The run of `RUN`, in this process."""
    return written(out, **{"deals": DEALS, "seed": 8, **options})


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset as one worker here writes it."""
    folder = tmp_path_factory.mktemp("undisturbed") / "d"
    with pytest.MonkeyPatch.context() as patch:
        small_parts(patch, PART, groups=False)
        run(folder, workers=1)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with object_store(tmp_path_factory.mktemp("s3")) as env:
        yield env


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, store: dict[str, str]) -> Iterator[Dask]:
    with dask(tmp_path_factory.mktemp("dask") / "d", env=store) as made:
        yield made


def same(folder: Path, undisturbed: Path) -> bool:
    """Whether two datasets are the same, file by file, and nothing else lies about."""
    assert contents(folder) == contents(undisturbed)
    assert names(folder) == names(undisturbed)
    for name in names(undisturbed):
        if name.endswith(".parquet"):
            assert (folder / name).read_bytes() == (undisturbed / name).read_bytes()
    assert manifest(folder)["ended"] is not None
    return True


def started(*args: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*RUN, *args, part=PART, groups=False),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_parts(process: subprocess.Popen[str], folder: Path, parts: int) -> None:
    """Until the workers have written so many parts."""

    def there() -> bool:
        assert process.poll() is None, process.communicate()
        return len([*folder.glob("deals/part-*.parquet")]) >= parts

    wait_until(there, f"{parts} parts", pause=0.002)


def stopped_midway(
    line: Callable[[int], list[str | Path]],
    parts: Callable[[int], int],
    stop: Callable[[Any], None],
    wanted: int,
) -> tuple[int, int, str]:
    """Run ``line(attempt)`` and ``stop`` it when ``wanted`` parts are there: the attempt that did not end before, its
    exit code, its stderr.
    """
    for attempt in range(ATTEMPTS):
        process = started(*line(attempt))
        wait_until(
            lambda p=process, a=attempt: p.poll() is not None or parts(a) >= wanted, "parts", pause=0.002
        )
        stop(process)
        _, errors = process.communicate()
        if process.returncode != 0:
            return attempt, process.returncode, errors
    raise AssertionError(f"no run of {ATTEMPTS} was stopped before its end")


def sentence_of(text: str) -> str:
    """The last line of stderr, the only error."""
    lines = text.strip().splitlines()
    assert len([line for line in lines if line.startswith("Error: ")]) == 1, text
    assert "Traceback" not in text
    return lines[-1]


# --- the same dataset -------------------------------------------------------------------------------


def test_two_workers_write_what_one_worker_here_writes(
    cluster: Dask, undisturbed: Path, tmp_path: Path
) -> None:
    line = ["--out", tmp_path / "d", "--scheduler", cluster.address, "--format", "json"]
    done = finished(*RUN, *line, part=PART, groups=False)
    assert done.returncode == 0, done.stderr
    assert same(tmp_path / "d", undisturbed)
    assert json.loads(done.stdout)["deals"] == DEALS
    assert summarize(Dataset(tmp_path / "d")).totals == summarize(Dataset(undisturbed)).totals


def test_sessions_and_all_tables_of_the_other_game(
    cluster: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 300, groups=False)
    options = {"deals": 900, "game": "hwwj", "session": 3, "detail": "plays"}
    here = written(tmp_path / "here", **options)
    there = written(tmp_path / "there", scheduler=cluster.address, **options)
    assert same(tmp_path / "there", tmp_path / "here")
    assert there.totals == here.totals


def test_a_shorter_part_becomes_a_whole_one(cluster: Dask, undisturbed: Path, tmp_path: Path) -> None:
    """A dataset that ended within a part is made longer; the part is replaced when the whole one is there."""
    run(tmp_path / "d", deals=5000)
    seen: list[int] = []
    summary = run(tmp_path / "d", scheduler=cluster.address, resume=True, report=seen.append)
    assert summary.totals == summarize(Dataset(undisturbed)).totals
    assert seen[0] > 4500
    assert seen[-1] == DEALS
    assert same(tmp_path / "d", undisturbed)


def test_into_an_object_store(
    cluster: Dask, store: dict[str, str], undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in store.items():
        monkeypatch.setenv(key, value)
    address = "s3://deals/there/d"
    run(address, scheduler=cluster.address)
    assert read_manifest(address)["parts"] == manifest(undisturbed)["parts"]
    found = verify(address, sample=100)
    assert (found.sound, found.complete, found.notes) == (True, True, [])
    assert summarize(Dataset(address)).totals == summarize(Dataset(undisturbed)).totals
    there = {path.name for path in place(address).iterdir()}
    assert there == {"deals", "manifest.json"}
    for line in (
        ["summary", address],
        ["verify", address, "--sample", "10"],
        ["replay", address, "--deal", "5"],
    ):
        result = CliRunner().invoke(main, line, catch_exceptions=False)
        assert result.exit_code == 0, result.output


def test_without_a_cluster_into_an_object_store(
    store: dict[str, str], undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted once, gone on with, the same; a second dataset in the same place is refused."""
    for key, value in store.items():
        monkeypatch.setenv(key, value)
    attempt, code, errors = stopped_midway(
        lambda n: ["--out", f"s3://deals/here/{n}", "--workers", "1"],
        lambda n: len([*(place(f"s3://deals/here/{n}") / "deals").iterdir()]),
        lambda process: process.send_signal(signal.SIGINT),
        3,
    )
    address = f"s3://deals/here/{attempt}"
    assert code == 130, errors
    before = Dataset(address).deals
    assert 0 < before < DEALS
    assert f"{before} deals are complete and readable" in errors
    with pytest.raises(UsageError, match="already holds a dataset; go on with it by --resume"):
        run(address)
    run(address, resume=True)
    assert read_manifest(address)["parts"] == manifest(undisturbed)["parts"]
    assert verify(address, sample=50).sound


# --- what is lost -----------------------------------------------------------------------------------


def test_a_lost_worker_is_survived_and_a_lost_scheduler_gone_on_from(
    undisturbed: Path, tmp_path: Path
) -> None:
    with dask(tmp_path / "dask") as cluster:
        process = started("--out", tmp_path / "d", "--scheduler", cluster.address)
        wait_for_parts(process, tmp_path / "d", 4)
        cluster.workers[0].kill()
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        assert output
        assert same(tmp_path / "d", undisturbed)

        process = started("--out", tmp_path / "e", "--scheduler", cluster.address)
        wait_for_parts(process, tmp_path / "e", 5)
        cluster.scheduler.kill()
        began = time.monotonic()
        _, errors = process.communicate()
        assert time.monotonic() - began < 20
        assert process.returncode == 3, errors
        shown = sentence_of(errors)
        assert f"the connection to the scheduler {cluster.address} was lost; " in shown
        assert "deals are complete and readable" in shown
        assert "--resume`" in shown
    kept = manifest(tmp_path / "e")["parts"]
    assert kept == manifest(undisturbed)["parts"][: len(kept)]
    assert len(kept) < DEALS // PART
    found = verify(tmp_path / "e", sample=20)
    assert found.sound
    assert not found.complete
    run(tmp_path / "e", resume=True)
    assert same(tmp_path / "e", undisturbed)


def test_ctrl_c_keeps_what_is_finished(cluster: Dask, undisturbed: Path, tmp_path: Path) -> None:
    attempt, code, errors = stopped_midway(
        lambda n: ["--out", tmp_path / f"{n}", "--scheduler", cluster.address],
        lambda n: len([*(tmp_path / f"{n}").glob("deals/part-*.parquet")]),
        lambda process: process.send_signal(signal.SIGINT),
        5,
    )
    folder = tmp_path / f"{attempt}"
    assert code == 130, errors
    assert "complete and readable" in sentence_of(errors)
    found = verify(folder, sample=20)
    assert found.sound
    assert not found.complete
    assert 0 < len([*(folder / "deals").iterdir()]) < DEALS // PART
    run(folder, scheduler=cluster.address, resume=True)
    assert same(folder, undisturbed)


# --- refused ----------------------------------------------------------------------------------------


def test_workers_of_another_version_or_folder_are_refused(
    cluster: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    wait_until(lambda: _workers(cluster) == 2, "two workers")
    for name, value, words in (
        ("tuolaji", "0.0.9", "has tuolaji 0.1.0 where this machine has 0.0.9"),
        ("python", "3.9.1", "where this machine has 3.9.1"),
        ("numba", "0.1", "where this machine has 0.1"),
    ):
        with monkeypatch.context() as other:
            other.setattr(
                module, "difference", lambda mine, *found, n=name, v=value: difference(mine | {n: v}, *found)
            )
            with pytest.raises(UsageError, match=rf"^scheduler: the worker tcp://127\.0\.0\.1:\d+ .*{words}"):
                Cluster(cluster.address)
    with Cluster(cluster.address) as there, pytest.raises(UsageError, match="does not see the folder"):
        there.check_shared(str(tmp_path), "some run")
    with pytest.raises(UsageError, match=r"^scheduler: .*can't be used"):
        Cluster("ftp://127.0.0.1")
    monkeypatch.setattr(module, "PATIENCE", 1)
    with pytest.raises(RunError, match=r"^no scheduler answers at"):
        Cluster("tcp://127.0.0.1:9")


def test_a_worker_with_other_kernels_is_refused(cluster: Dask, tmp_path: Path) -> None:
    other = tmp_path / "other/tuolaji"
    for name in ("kernels", "sim"):
        shutil.copytree(ROOT / name, other / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", other)
    with (other / "kernels/trick.py").open("a") as file:
        file.write("# as somebody thinks it should be\n")
    wait_until(lambda: _workers(cluster) == 2, "two workers")
    cluster.add_worker(PYTHONPATH=str(other.parent))
    try:
        wait_until(lambda: _workers(cluster) == 3, "three workers")
        done = finished(*RUN, "--out", tmp_path / "d", "--scheduler", cluster.address, groups=False)
    finally:
        end(cluster.workers.pop())
    assert done.returncode == 2
    assert re.fullmatch(
        r"Error: scheduler: the worker tcp://127\.0\.0\.1:\d+ has other kernels of tuolaji 0\.1\.0 than this machine; "
        r"install the same on both\.\n",
        done.stderr,
    )
    assert not (tmp_path / "d").exists()


def test_a_worker_that_comes_later_refuses_by_itself(tmp_path: Path) -> None:
    """What `play_part` looks at before it plays: its versions, and the lock of the run."""
    plan = plan_of()
    order = Order(
        made_by=fingerprint(), run="r", folder=str(tmp_path), plan=plan.describe(), first=0, deals=40, part_rows=20,
        detail=None, staged=[],
    )  # fmt: skip
    with pytest.raises(RunError, match=r"^the worker with process \d+ on .* has other kernels"):
        play_part({**order, "made_by": fingerprint() | {"kernels": "0"}}, 0)
    for text in (None, '{"run": "another"}'):
        if text:
            (tmp_path / ".lock").write_text(text)
        with pytest.raises(RunError, match="does not find the run's lock in"):
            play_part(order, 0)
    (tmp_path / ".lock").write_text('{"run": "r"}')
    (tmp_path / "deals").mkdir()
    entry, totals = play_part(order, 1)
    assert (entry["file"], entry["first_deal"], entry["rows"]) == ("deals/part-00001.parquet", 20, 20)
    assert totals.deals == 20
    assert names(tmp_path) == [".lock", "deals", "deals/part-00001.parquet"]


@pytest.mark.parametrize(
    "options",
    [
        {"hold": ["0:BJ BJ"]},
        {"contract": {"banker": 1, "trump": "h", "bid": 150}, "overrides": ["bottom_multiplier=4"]},
    ],
)
def test_the_whole_plan_gets_to_the_worker(tmp_path: Path, options: dict[str, Any]) -> None:
    plan, deals = plan_of(**options), 5 * PART // 2
    summary = written(tmp_path / "here", deals, **options)
    (tmp_path / "there/deals").mkdir(parents=True)
    (tmp_path / "there/.lock").write_text('{"run": "r"}')
    order = Order(
        made_by=fingerprint(), run="r", folder=str(tmp_path / "there"), first=0, deals=deals, part_rows=PART,
        plan=json.loads(json.dumps(plan.describe())), detail=None, staged=[],
    )  # fmt: skip
    parts = [play_part(order, index) for index in range(3)]
    assert [entry for entry, _ in parts] == manifest(tmp_path / "here")["parts"]
    assert sum(totals.deals for _, totals in parts) == summary.totals.deals


def _workers(cluster: Dask) -> int:
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        return len(client.nthreads())


def test_what_differs_is_named() -> None:
    mine = fingerprint()
    assert difference(mine, dict(mine), "it") is None
    assert difference(mine, mine | {"code": "0"}, "it") == (
        f"it has other modules of tuolaji {mine['tuolaji']} than this machine; install the same on both"
    )
    assert difference(mine, {**mine, "tuolaji": None}, "it") == (
        f"it has no tuolaji where this machine has {mine['tuolaji']}; install the same on both"
    )


def test_a_scheduler_needs_a_dataset() -> None:
    result = CliRunner().invoke(
        main, ["simulate", "dwf", "--deals", "10", "--scheduler", "tcp://127.0.0.1:9"]
    )
    assert result.exit_code == 2
    assert result.stderr == "Error: --scheduler needs a dataset; name its folder with --out.\n"
