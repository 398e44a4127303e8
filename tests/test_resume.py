"""`--resume`: after whatever ended a run, the dataset comes out as if nothing had."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from runs import change, command, contents, finished, manifest, names, small_parts, written

from tuolaji.sim import lock, open_part, storage, writer
from tuolaji.sim.dataset import Dataset
from tuolaji.sim.errors import Interrupted, RunError, UsageError
from tuolaji.sim.lock import FolderLock
from tuolaji.sim.open_part import OpenFile
from tuolaji.sim.summary import summarize
from tuolaji.sim.verify import verify

KILLS = 30 if os.environ.get("TUOLAJI_ACCEPTANCE") else 4


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 20)


def same(folder: Path, undisturbed: Path) -> bool:
    """Whether two datasets have the same rows in the same parts, and nothing else lies about."""
    assert contents(folder) == contents(undisturbed)
    assert names(folder) == names(undisturbed)
    for name in names(undisturbed):
        if name.endswith(".parquet"):
            assert (folder / name).read_bytes() == (undisturbed / name).read_bytes()
    assert manifest(folder)["deals"] == manifest(undisturbed)["deals"]
    assert manifest(folder)["ended"] is not None
    return True


# --- killed -----------------------------------------------------------------------------------------

RUNS = [
    ["simulate", "dwf", "--deals", "30k", "--policy", "random", "--seed", "8"],
    ["simulate", "hwwj", "--deals", "6k", "--policy", "random", "--session", "4", "--detail", "plays"],
]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folders = []
    for line in RUNS:
        folders.append(tmp_path_factory.mktemp("undisturbed") / "d")
        done = finished(*line, "--out", folders[-1], part=500)
        assert done.returncode == 0, done.stderr
    return folders


def killed_at(line: list[str], folder: Path, parts: int, pause: float) -> None:
    """Start a run, and kill it when it has so many parts."""
    process = subprocess.Popen(
        command(*line, "--out", folder, "--resume", part=500),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while process.poll() is None:
        try:
            if len(json.loads((folder / "manifest.json").read_text("utf-8"))["parts"]) >= parts:
                break
        except FileNotFoundError:
            pass
        time.sleep(0.001)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(KILLS))
def test_a_killed_run_that_goes_on_equals_the_undisturbed_one(
    tmp_path: Path, undisturbed: list[Path], number: int
) -> None:
    which = number % len(RUNS)
    rng = random.Random(number)
    total = len(contents(undisturbed[which]))
    folder = tmp_path / "d"
    for target in sorted(rng.sample(range(total), rng.randint(1, 2))):
        killed_at(RUNS[which], folder, target, rng.random() * 0.03)
        found = contents(folder)  # whatever the moment, the manifest is whole, and what it names is there
        if found:
            assert Dataset(folder).deals == sum(part[1] for part in found)
    done = finished(*RUNS[which], "--out", folder, "--resume", part=500)
    assert done.returncode == 0, done.stderr
    assert same(folder, undisturbed[which])
    assert verify(folder, sample=20).sound


# --- interrupted, and more deals --------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"session": 4}, {"game": "hwwj", "session": 2, "detail": "plays"}])
def test_an_interrupted_run_goes_on_in_the_middle_of_a_part(tmp_path: Path, options: dict[str, Any]) -> None:
    played = written(tmp_path / "whole", 100, **options)

    sent: list[int] = []

    def interrupt(done: int) -> None:
        if done >= 28 and not sent:
            signal.raise_signal(signal.SIGINT)
            sent.append(done)

    kept = []
    for _ in range(2):  # the second time right at the start
        sent.clear()
        with pytest.raises(Interrupted, match="interrupted; .* deals are complete .* plays the other"):
            written(tmp_path / "d", 100, chunk=4, workers=1, report=interrupt, resume=True, **options)
        kept.append(sum(part["rows"] for part in manifest(tmp_path / "d")["parts"]))
    assert 28 <= kept[0] < kept[1] < 100
    assert summarize(Dataset(tmp_path / "d")).totals.deals == kept[1]
    found: list[Any] = []
    again = written(tmp_path / "d", 100, resume=True, found=lambda *what: found.append(what), **options)
    assert found == [(kept[1], [])]
    assert again.totals == played.totals
    assert again.played == 100 - kept[1]
    assert same(tmp_path / "d", tmp_path / "whole")


@pytest.mark.parametrize("first", [0, 40])
@pytest.mark.parametrize("before", [10, 20, 50, 60])
def test_more_deals_extend_a_dataset(tmp_path: Path, before: int, first: int) -> None:
    played = written(tmp_path / "whole", 90, first=first)
    written(tmp_path / "d", before, first=first, command_line="one")
    again = written(tmp_path / "d", 90, first=first, resume=True, command_line="two")
    assert same(tmp_path / "d", tmp_path / "whole")
    assert again.totals == played.totals
    assert manifest(tmp_path / "d")["command_lines"] == ["one", "two"]


def test_a_complete_dataset_is_left_as_it_is(tmp_path: Path) -> None:
    played = written(tmp_path / "d", 50)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.rglob("*.*")}
    again = written(tmp_path / "d", 50, resume=True)
    assert again.totals == played.totals
    assert again.played == 0
    assert "run" not in again.to_dict()
    assert before == {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.rglob("*.*")}


def test_a_new_folder_is_begun(tmp_path: Path) -> None:
    written(tmp_path / "a/b", 50, resume=True)
    written(tmp_path / "d", 50)
    assert same(tmp_path / "a/b", tmp_path / "d")


# --- damage -----------------------------------------------------------------------------------------


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])


def spoil(path: Path) -> None:
    """A bit in the middle of the rows."""
    data = bytearray(path.read_bytes())
    data[len(data) // 6] ^= 16
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("detail", [None, "plays"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda d: cut(d / "deals/part-00001.parquet"),
        lambda d: spoil(d / "deals/part-00001.parquet"),
        lambda d: (d / "deals/part-00000.parquet").unlink(),
        lambda d: cut(d / "deals/part-00004.parquet"),
        lambda d: cut(d / "manifest.json"),
        lambda d: (d / "manifest.json").write_text("[" * 10**5),
        lambda d: (d / "manifest.json").unlink(),
        lambda d: [cut(d / "manifest.json"), cut(d / "deals/part-00002.parquet")],
        # killed between the renaming of a part and the manifest
        lambda d: change(d, parts=manifest(d)["parts"][:2], ended=None),
        lambda d: change(d, parts=[]),
        lambda d: [(d / "deals/.part-00004.parquet.tmp").write_bytes(b"x"), change(d, parts=manifest(d)["parts"][:4])],
    ],
)  # fmt: skip
def test_what_was_damaged_is_played_again(tmp_path: Path, damage: Any, detail: str | None) -> None:
    played = written(tmp_path / "whole", 90, detail=detail)
    written(tmp_path / "d", 90, detail=detail)
    damage(tmp_path / "d")
    again = written(tmp_path / "d", 90, detail=detail, resume=True)
    assert same(tmp_path / "d", tmp_path / "whole")
    assert again.totals == played.totals


@pytest.mark.parametrize("table", ["tricks", "plays"])
def test_a_lost_table_of_tricks_or_plays_is_played_again(tmp_path: Path, table: str) -> None:
    for name in ("whole", "d"):
        written(tmp_path / name, 50, detail="plays")
    cut(tmp_path / f"d/{table}/part-00001.parquet")
    notes: list[str] = []
    written(
        tmp_path / "d", 50, detail="plays", resume=True, found=lambda _, found: notes.extend(map(str, found))
    )
    assert notes == ["deals/part-00001.parquet can't be used and is played again"]
    assert same(tmp_path / "d", tmp_path / "whole")


def test_a_full_disk_is_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "whole", 90)
    real = OpenFile.write

    def write(self: OpenFile, *args: Any) -> None:
        real(self, *args)
        if "part-00002" in self.path.name:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(OpenFile, "write", write)
        with pytest.raises(RunError) as caught:
            written(tmp_path / "d", 90, workers=1, command_line="tuolaji simulate …")
    assert "No space left on device; 40 deals are complete and readable" in str(caught.value)
    assert "`tuolaji simulate … --resume` plays the other 50" in str(caught.value)
    written(tmp_path / "d", 90, resume=True)
    assert same(tmp_path / "d", tmp_path / "whole")


# --- refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seed": 4}, "seed: .* was written with 3, not 4"),
        ({"session": 2}, "session: .* was written with 1, not 2"),
        ({"game": "hwwj"}, "game: .* was written with die-wu-fen, not hong-wu-wu-jia"),
        ({"overrides": ["bid_max=180"]}, "rules: .* was written with bid_max = 200, not 180"),
        ({"policies": "greedy"}, "policies: .* was written with .*random.*, not .*greedy"),
        ({"contract": {"banker": 0, "trump": "h", "bid": 150}}, "contract: .* was written with null, not .*150"),
        ({"first": 20}, "first: .* was written with 0, not 20"),
        ({"detail": "tricks"}, "detail: .* was written with null, not tricks"),
        ({"deals": 40}, "deals: .* is for 60 deals; go on with as many or more, not 40"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("lost", [False, True])
def test_another_plan_is_refused_by_its_field(
    tmp_path: Path, options: dict[str, Any], sentence: str, lost: bool
) -> None:
    written(tmp_path / "d", 60)
    if lost:  # then the parts themselves know
        if {"first", "detail", "deals"} & {*options}:
            return
        (tmp_path / "d/manifest.json").unlink()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    with pytest.raises(UsageError, match=sentence):
        written(tmp_path / "d", resume=True, **{"deals": 60, **options})
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.*")}


@pytest.mark.parametrize("deals", [40, 50])
def test_without_manifest_no_deals_are_dropped(tmp_path: Path, deals: int) -> None:
    written(tmp_path / "d", 60)
    (tmp_path / "d/manifest.json").unlink()
    with pytest.raises(UsageError, match="deals: .* holds .*; go on with as many"):
        written(tmp_path / "d", deals, resume=True)
    assert len(names(tmp_path / "d")) == 4


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "d", 60)
    before = manifest(tmp_path / "d")
    with monkeypatch.context() as newer:
        newer.setattr("tuolaji.sim.plan.ROWS_VERSION", 99)
        with pytest.raises(
            UsageError, match=r"version: .* was written by .tuolaji 0.*, which plays other rows"
        ):
            written(tmp_path / "d", 90, resume=True)
    change(tmp_path / "d", weights={"random": "0" * 64})
    with pytest.raises(UsageError, match="weights: .* was written with other weights of random"):
        written(tmp_path / "d", 90, resume=True)
    change(tmp_path / "d", **before)
    part = tmp_path / "d/deals/part-00002.parquet"  # as if another version had played it
    table = pq.ParquetFile(part).read()
    at = table.schema.get_field_index("captured")
    values = pa.array([x + 5 for x in table["captured"].to_pylist()], pa.int16())
    pq.write_table(table.set_column(at, table.schema.field(at), values), part)
    with pytest.raises(UsageError, match=r"version: deal 40 of .* has another captured when tuolaji"):
        written(tmp_path / "d", 90, resume=True)
    assert manifest(tmp_path / "d") == before


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes").write_text("x")
    with pytest.raises(UsageError, match="holds something else than a dataset"):
        written(tmp_path / "full", 10, resume=True)
    assert names(tmp_path) == ["full", "full/notes"]
    written(tmp_path / "d", 10)
    change(tmp_path / "d", format=2)
    with pytest.raises(UsageError, match="has format 2; this version reads format 1"):
        written(tmp_path / "d", 20, resume=True)


# --- one run at a time ------------------------------------------------------------------------------


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_run_in_a_folder_is_refused(tmp_path: Path, resume: bool) -> None:
    tried = []

    def second(_done: int) -> None:
        if not tried:
            with pytest.raises(
                UsageError, match=rf"out: .* is being written by process {os.getpid()} on "
            ) as caught:
                written(tmp_path / "d", 60, resume=resume)
            tried.append(str(caught.value))

    written(tmp_path / "d", 60, report=second, workers=1)
    assert tried
    assert ".lock" not in names(tmp_path / "d")
    assert verify(tmp_path / "d", sample=60).sound


def test_a_lock_that_was_left_is_explained_and_taken_over(tmp_path: Path) -> None:
    written(tmp_path / "d", 60)
    (tmp_path / "d/.lock").write_text(json.dumps({"pid": 1, "host": "elsewhere", "since": "2026-01-01"}))
    with pytest.raises(UsageError, match="already holds a dataset; go on with it by --resume"):
        written(tmp_path / "d", 60)
    (tmp_path / "d/.lock").write_text(json.dumps({"pid": 1, "host": "elsewhere", "since": "2026-01-01"}))
    notes: list[str] = []
    written(tmp_path / "d", 90, resume=True, found=lambda _, found: notes.extend(map(str, found)))
    (note,) = notes
    assert "was left by process 1 on elsewhere since 2026-01-01, which is gone; taking it over" in note
    assert ".lock" not in names(tmp_path / "d")


def test_a_lock_of_nonsense_is_that_of_nobody(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("[" * 4096)
    assert not lock.is_lock(tmp_path / ".lock")
    held = FolderLock(tmp_path, "now")
    assert held.stale is None  # nobody can be named
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/.lock").write_text("[" * 4096)
    assert not lock.holds(tmp_path / "elsewhere", held.run)
    held.release()
    assert names(tmp_path) == ["elsewhere", "elsewhere/.lock"]


def test_where_there_are_no_locks_the_process_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_file: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_lock", none)
    FolderLock(tmp_path, "now").release()
    gone = subprocess.Popen(["true"])
    gone.wait()
    host = lock.socket.gethostname()
    for owner, taken in [
        ({"pid": gone.pid, "host": host}, True),
        ({"pid": os.getppid(), "host": host}, False),
        ({"pid": gone.pid, "host": "elsewhere"}, False),
        ({"pid": "x", "host": host}, True),
    ]:
        (tmp_path / ".lock").write_text(json.dumps(owner))
        if taken:
            held = FolderLock(tmp_path, "now")
            assert held.stale is not None
            held.release()
        else:
            with pytest.raises(
                UsageError, match=r"is being written by process .*; if it is gone, remove .*\.lock"
            ):
                FolderLock(tmp_path, "now")


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    script = f"""
import os, signal
from pathlib import Path
from tuolaji.sim.lock import FolderLock
held = FolderLock(Path({str(tmp_path)!r}), "then")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([command()[0], "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / ".lock").exists()
    held = FolderLock(tmp_path, "now")
    assert held.stale is not None
    assert "since then, which is gone" in held.stale.en
    held.release()
    assert names(tmp_path) == []


# --- whatever fails, it is not worse than before ------------------------------------------------------


DAMAGES: dict[str, tuple[int, list[int]]] = {
    "first, last too short": (90, [0]),
    "two in the middle": (80, [1, 3]),
    "first and last": (90, [0, 4]),
    "none, last too short": (50, []),
    "only last": (90, [4]),
}


class _Failing:
    """Fails at one of the steps that change files, or at all from there on; ``steps``: how many there were.

    Without ``refused`` the user stops the run there.
    """

    def __init__(self, at: int, *, on: bool = False, refused: bool = True) -> None:
        self.steps, self._at, self._on, self._refused = 0, at, on, refused

    def __call__(self) -> None:
        step, self.steps = self.steps, self.steps + 1
        if step == self._at or (self._on and step > self._at):
            if self._refused:
                raise OSError(errno.ENOSPC, "No space left on device")
            signal.raise_signal(signal.SIGINT)

    def wrap(self, function: Any) -> Any:
        def wrapped(*args: Any, **options: Any) -> Any:
            self()
            return function(*args, **options)

        return wrapped


def failing(monkeypatch: pytest.MonkeyPatch, fail: _Failing) -> None:
    for owner, name in (
        (storage, "new_file"),
        (open_part, "new_file"),
        (Path, "replace"),
        (storage.os, "fsync"),
    ):
        monkeypatch.setattr(owner, name, fail.wrap(getattr(owner, name)))


def known(folder: Path) -> list[dict[str, Any]]:
    """All parts that a manifest names."""
    return [*manifest(folder)["parts"], *manifest(folder).get("behind", [])]


@pytest.mark.parametrize("how", ["once", "from then on", "stopped"])
@pytest.mark.parametrize("damage", [*DAMAGES][: None if os.environ.get("TUOLAJI_ACCEPTANCE") else 1])
def test_a_resume_that_fails_makes_nothing_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, how: str
) -> None:
    """At every step in turn: sound parts are there and known, what the sentence says is so, and it can be gone on."""
    written(tmp_path / "whole", 110)
    deals, spoiled = DAMAGES[damage]
    written(tmp_path / "d", deals)
    for index in spoiled:
        cut(tmp_path / f"d/deals/part-{index:05}.parquet")
    shutil.copytree(tmp_path / "d", tmp_path / "before")
    before = manifest(tmp_path / "d")["parts"]
    sound = [entry for index, entry in enumerate(before) if index not in spoiled]
    folder, at, step = tmp_path / "d", 0, 1 if os.environ.get("TUOLAJI_ACCEPTANCE") else 3
    while True:
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "before", folder)
        fail, said = _Failing(at, on=how == "from then on", refused=how != "stopped"), ""
        with monkeypatch.context() as broken:
            failing(broken, fail)
            try:
                written(folder, 110, resume=True, workers=1, chunk=20, command_line="it")
            except (RunError, Interrupted, UsageError) as failure:
                said = str(failure)
        if fail.steps <= at:
            break
        now = known(folder)
        for entry in sound:
            file = folder / entry["file"]
            longer = entry["rows"] < 20 and pq.ParquetFile(file).metadata.num_rows == 20
            assert longer or file.read_bytes() == (tmp_path / "before" / entry["file"]).read_bytes()
            assert longer or entry in now
        if "sound deals are kept" in said and how != "from then on":
            assert (folder / "manifest.json").read_bytes() == (tmp_path / "before/manifest.json").read_bytes()
        if found := re.search("([0-9]+) deals are complete and readable", said):
            assert Dataset(folder).deals == int(found[1]) == summarize(Dataset(folder)).totals.deals
        assert ".lock" not in names(folder)
        written(folder, 110, resume=True)
        assert same(folder, tmp_path / "whole")
        at += step
    assert at > 10


def test_a_folder_in_place_of_a_part_is_left_there(tmp_path: Path) -> None:
    written(tmp_path / "d", 90)
    path = tmp_path / "d/deals/part-00001.parquet"
    path.unlink()
    path.mkdir()
    before = names(tmp_path / "d"), manifest(tmp_path / "d")
    with pytest.raises(
        RunError, match=r"deals/part-00001\.parquet can't be written: Is a directory; .* kept in"
    ):
        written(tmp_path / "d", 90, resume=True)
    assert before == (names(tmp_path / "d"), manifest(tmp_path / "d"))


def test_nothing_is_dropped_that_lies_behind_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts 0 and 2 are damaged; when 0 is there again, the disk is full. 3 is kept, and known by its hash."""
    written(tmp_path / "d", 80)
    hashes = contents(tmp_path / "d")
    for index in (0, 2):
        cut(tmp_path / f"d/deals/part-{index:05}.parquet")
    real = OpenFile.write

    def write(self: OpenFile, *args: Any) -> None:
        if "part-00002" in self.path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(self, *args)

    with monkeypatch.context() as full:
        full.setattr(OpenFile, "write", write)
        with pytest.raises(RunError) as caught:
            written(tmp_path / "d", 80, workers=1, resume=True, command_line="it")
    assert "40 deals are complete and readable in " in str(caught.value)
    assert "and 1 more part is finished there; `it --resume` enters that and plays the rest" in str(
        caught.value
    )
    assert Dataset(tmp_path / "d").deals == 40
    assert contents(tmp_path / "d") == hashes[:2]
    assert [entry["sha256"] for entry in manifest(tmp_path / "d")["behind"]] == [hashes[3][2]]
    written(tmp_path / "d", 80, resume=True)
    assert contents(tmp_path / "d") == hashes
    assert "behind" not in manifest(tmp_path / "d")


def test_stopped_while_it_reads_it_ends_soon_and_says_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "d", 600)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}

    def slow(*_args: Any) -> None:
        time.sleep(0.2)

    monkeypatch.setattr("tuolaji.sim.resume._look", slow)
    began = time.monotonic()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(
        Interrupted, match=r'^interrupted; ".*/d" is as it was, with 600 deals by its manifest; `it'
    ):
        written(tmp_path / "d", 900, resume=True, workers=2, command_line="it")
    assert time.monotonic() - began < 2
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.*")}


@pytest.mark.parametrize("resume", [False, True])
def test_stopped_before_anything_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resume: bool
) -> None:
    for step in ("make_folder", "take", "check_folder"):
        real = getattr(writer, step)

        def stopped(*args: Any, real: Any = real, **options: Any) -> Any:
            signal.raise_signal(signal.SIGINT)
            return real(*args, **options)

        with monkeypatch.context() as early:
            early.setattr(writer, step, stopped)
            with pytest.raises(
                Interrupted, match=r'interrupted; nothing was written to ".*/a/d"; `it` begins anew'
            ):
                written(tmp_path / "a/d", 60, resume=resume, command_line="it")
        assert names(tmp_path) == []


def test_resume_leaves_a_study_alone(tmp_path: Path) -> None:
    for text, sentence in (
        ('{"format": 1, "kind": "compare"}', 'holds a study, "compare", and no dataset'),
        ("{", "is damaged, and there is no part to make it anew from; remove it"),
    ):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(UsageError, match=sentence):
            written(tmp_path, 60, resume=True)
        assert names(tmp_path) == ["manifest.json"]
        assert (tmp_path / "manifest.json").read_text() == text
