"""Runs: the same rows however they are divided, and stopping them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from runs import small_parts

import tuolaji
from tuolaji.sim.dataset import read_manifest
from tuolaji.sim.engine import Engine
from tuolaji.sim.errors import Interrupted, RunError, UsageError
from tuolaji.sim.open_part import OpenFile
from tuolaji.sim.plan import make_plan
from tuolaji.sim.runner import Runner
from tuolaji.sim.simulate import run
from tuolaji.sim.writer import DatasetWriter


def played(deals: int = 300, **options: Any) -> Any:
    return tuolaji.simulate("dwf", deals, **{"policies": "random", "seed": 11, **options})


# --- the same rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "chunk"), [(1, None), (2, 1), (2, 100), (3, 7), (1, 10**6)])
def test_rows_do_not_depend_on_workers_and_chunks(workers: int, chunk: int | None) -> None:
    assert played(workers=workers, chunk=chunk).equals(played())


def test_a_shorter_run_is_the_beginning_of_a_longer_one() -> None:
    assert played(100).equals(played(300).slice(0, 100))


def test_runs_splice_at_first() -> None:
    assert played(120, first=50).equals(played(300).slice(50, 120))


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_chunks_hold_whole_sessions(chunk: int) -> None:
    whole = played(session=6)
    assert played(session=6, chunk=chunk).equals(whole)
    assert played(60, first=120, session=6, chunk=chunk).equals(whole.slice(120, 60))
    hands = whole["hand"].to_pylist()
    assert hands == [i % 6 for i in range(300)]
    # DWF-19: the banker of a hand is the first seat of the next one of its session.
    for hand, first_seat, banker_before in zip(
        hands[1:], whole["first_seat"].to_pylist()[1:], whole["banker"].to_pylist()[:-1], strict=True
    ):
        assert hand == 0 or first_seat == banker_before


def test_seeds_differ_and_the_largest_is_a_seed() -> None:
    assert not played(seed=12).equals(played())
    assert played(10, seed=2**64 - 1).num_rows == 10


def test_policies_and_rules_reach_the_rows() -> None:
    assert played(policies=["random", "banker=greedy"]) != played()
    assert played(rules="die-wu-fen-no-forced-trump") != played()
    contract = played(contract={"banker": 2, "trump": "c", "bid": 120})
    assert set(contract["banker"].to_pylist()) == {2}


def test_the_table_has_the_columns_of_a_dataset(tmp_path: Path) -> None:
    run(make_plan("dwf", policies="random", seed=11), 300, out=tmp_path / "d")
    stored = pq.ParquetFile(tmp_path / "d/deals/part-00000.parquet").read()
    assert stored.replace_schema_metadata(None).equals(played().combine_chunks())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": 0}, "deals: 0 is not a whole number from 1 on"),
        ({"deals": -5}, "deals: -5 is not a whole number"),
        ({"deals": 1.5}, "deals: 1.5 is not a whole number"),
        ({"deals": True}, "deals: True is not a whole number"),
        ({"first": -1}, "first: -1 is not a whole number from 0 on"),
        ({"deals": 10, "session": 3}, "deals: 10 is not a multiple of the session length 3"),
        ({"deals": 9, "session": 3, "first": 4}, "first: 4 is not a multiple of the session length 3"),
        ({"first": 2**31}, "go beyond the last one, 2147483647"),
        ({"policies": "psychic"}, "psychic.*allowed are .*greedy"),
    ],
)
def test_impossible_runs_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        tuolaji.simulate("dwf", **{"deals": 3, **options})


# --- chunks -----------------------------------------------------------------------------------------


def chunk_sizes(deals: int, **options: Any) -> list[int]:
    runner = Runner(Engine(make_plan("dwf", policies="random")), 0, deals, **options)
    try:
        found = list(runner.chunks())
    finally:
        runner.close()
    assert [chunk.first for chunk in found] == [sum(c.count for c in found[:i]) for i in range(len(found))]
    return [chunk.count for chunk in found]


def test_chunks_are_as_asked_or_of_the_runners_choosing() -> None:
    assert chunk_sizes(1000, workers=2, chunk=300) == [300, 300, 300, 100]
    assert chunk_sizes(1) == [1]
    sizes = chunk_sizes(30_000, workers=2)
    assert sum(sizes) == 30_000
    assert sizes[0] == 1024
    assert max(sizes) > 1024  # having seen how fast it goes


def test_a_fault_in_a_thread_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Engine, "play", broken)
    before = threading.active_count()
    with pytest.raises(MemoryError):
        played()
    assert threading.active_count() == before


def test_stop_ends_a_run_at_once_and_keeps_what_is_connected() -> None:
    runner = Runner(Engine(make_plan("dwf", policies="random")), 0, 10**9, workers=2, chunk=10**6)
    threading.Timer(0.3, runner.stop).start()
    began = time.perf_counter()
    found = list(runner.chunks())
    runner.close()
    assert time.perf_counter() - began < 2
    assert len(found) == 1
    assert 0 < found[0].count < 10**6
    assert all(len(values) == found[0].count for values in found[0].columns.values())


def test_other_jobs_come_before_chunks_that_have_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    play = Engine.play

    def noting(engine: Engine, first: int, *rest: Any) -> Any:
        found = play(engine, first, *rest)
        done.append(first)
        return found

    monkeypatch.setattr(Engine, "play", noting)
    runner = Runner(Engine(make_plan("dwf", policies="random")), 0, 5000, workers=1, chunk=500)
    chunks = runner.chunks()
    next(chunks)
    job = runner.submit(done.append, "job")
    begun = len(done) + 1  # one may be at it
    assert len([*chunks]) == 9
    job.result()
    broken = runner.submit(divmod, 1, 0)
    with pytest.raises(ZeroDivisionError):
        broken.result()
    runner.close()
    assert done.index("job") <= begun
    assert [first for first in done if first != "job"] == [*range(0, 5000, 500)]


@pytest.mark.parametrize("workers", [1, 2])
def test_while_rows_are_written_no_more_than_a_few_chunks_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """However long it takes to write: memory."""
    small_parts(monkeypatch, 1000)
    played: list[int] = []
    ahead: list[int] = []
    play, write_rows, write_part = Engine.play, DatasetWriter.write_rows, DatasetWriter.write_part

    def playing(engine: Engine, first: int, count: int, *rest: Any) -> Any:
        played.append(first + count)
        return play(engine, first, count, *rest)

    def slowly(write: Any) -> Any:
        def writing(writer: DatasetWriter, index: int, pieces: Any, details: Any) -> Any:
            before = max(played)
            entry = write(writer, index, pieces, details)
            time.sleep(0.05)
            ahead.append(max(played) - before)
            return entry

        return writing

    monkeypatch.setattr(Engine, "play", playing)
    monkeypatch.setattr(DatasetWriter, "write_rows", slowly(write_rows))
    monkeypatch.setattr(DatasetWriter, "write_part", slowly(write_part))
    run(make_plan("dwf", policies="random"), 4500, out=tmp_path / "d", workers=workers, chunk=50)
    assert len(ahead) == 4 * 4 + 2  # of a part three row groups and the rest
    assert max(ahead) <= 50 * (workers + 1)


def test_of_parts_written_at_once_none_behind_a_failed_one_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 1000)
    real = OpenFile.write

    def write(self: OpenFile, *args: Any) -> None:
        if "part-00001" in self.path.name:
            time.sleep(0.2)  # others are done by then
            raise OSError(28, "No space left on device")
        real(self, *args)

    monkeypatch.setattr(OpenFile, "write", write)
    with pytest.raises(RunError, match=r"part-00001.*No space left on device; 1000 deals are complete"):
        run(make_plan("dwf", policies="random"), 8000, out=tmp_path / "d", workers=16, chunk=100)
    assert [part["first_deal"] for part in read_manifest(tmp_path / "d")["parts"]] == [0]
    assert [path.name for path in (tmp_path / "d/deals").iterdir()] == ["part-00000.parquet"]


def test_a_second_interruption_waits_for_what_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 1000)
    real, close, at_work, done = OpenFile.write, OpenFile.abandon, threading.Event(), threading.Event()
    after: list[bool] = []

    def write(self: OpenFile, *args: Any) -> None:
        if "part-00001" in self.path.name:
            at_work.set()
            time.sleep(0.5)
        real(self, *args)
        if at_work.is_set():
            done.set()

    def abandon(self: OpenFile, *, keep: bool) -> None:  # Arrow crashes if a thread still writes
        after.append(done.is_set())
        close(self, keep=keep)

    def interrupt() -> None:
        at_work.wait(30)
        time.sleep(0.1)
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

    monkeypatch.setattr(OpenFile, "write", write)
    monkeypatch.setattr(OpenFile, "abandon", abandon)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored: a job of a shell's
    try:
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            run(make_plan("dwf", policies="random"), 10**7, out=tmp_path / "d", workers=2, chunk=100)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert after == [True]
    assert [part["first_deal"] for part in read_manifest(tmp_path / "d")["parts"]] == [0]
    assert [path.name for path in (tmp_path / "d/deals").iterdir()] == ["part-00000.parquet"]


# --- Ctrl-C -----------------------------------------------------------------------------------------


def test_ctrl_c_becomes_interrupted_and_gives_the_signal_back() -> None:
    before = signal.getsignal(signal.SIGINT)

    def interrupt(_deals: int) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted, match=r"^interrupted; nothing was written, for there is no --out$"):
        run(make_plan("dwf", policies="random"), 10**7, chunk=500, report=interrupt)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_leaves_a_sound_dataset(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "d"
    line = "simulate dwf --deals 100M --policy random --session 4 --progress --seed 5"
    process = subprocess.Popen(
        [sys.executable, "-m", "tuolaji", *line.split(), "--out", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    shown = ""
    while "k/100M" not in shown:  # the bar: some deals have been played
        letter = process.stderr.read(1)
        assert letter, shown
        shown += letter
    began = time.perf_counter()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert time.perf_counter() - began < 2
    assert process.returncode == 130
    assert out == ""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (part,) = manifest["parts"]
    kept = part["rows"]
    assert kept > 0
    assert kept % 4 == 0
    assert manifest["ended"] is not None
    sentence = err.splitlines()[-1]
    assert sentence.startswith(f"Error: interrupted; {kept} deals are complete and readable in ")
    command = f"tuolaji {line} --out {folder} --resume"
    assert sentence.endswith(f"; `{command}` plays the other {100_000_000 - kept}.")
    assert sorted(path.name for path in folder.rglob("*")) == ["deals", "manifest.json", "part-00000.parquet"]
    table = pq.ParquetFile(folder / part["file"]).read()
    again = tuolaji.simulate("dwf", 400, policies="random", session=4, seed=5, first=kept - 400)
    assert table.slice(kept - 400).replace_schema_metadata(None).combine_chunks() == again.combine_chunks()


def test_an_interrupted_run_that_kept_parts_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tuolaji.sim.dataset.PART_ROWS", 1000)

    def interrupt(deals: int) -> None:
        if deals == 2500:
            signal.raise_signal(signal.SIGINT)

    plan = make_plan("dwf", policies="random")
    with pytest.raises(Interrupted) as caught:
        run(plan, 10**7, out=tmp_path / "d", workers=1, chunk=500, report=interrupt)
    parts = json.loads((tmp_path / "d/manifest.json").read_text("utf-8"))["parts"]
    rows = sum(part["rows"] for part in parts)
    assert rows >= 2500
    assert f"interrupted; {rows} deals are complete" in str(caught.value)
    assert [part["rows"] for part in parts[:2]] == [1000, 1000]
