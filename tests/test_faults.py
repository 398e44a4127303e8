"""What the machine does to a run: full, unwritable and vanished folders, signals, clocks, caches, installs."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from runs import COMMAND, change, command, contents, finished, manifest, names, small_parts, written

from tuolaji.kernels import _jit
from tuolaji.sim import manifest as manifests
from tuolaji.sim.dataset import Dataset
from tuolaji.sim.errors import RunError, UsageError
from tuolaji.sim.progress import bar
from tuolaji.sim.summary import summarize
from tuolaji.sim.verify import verify

ROOT = Path(__file__).resolve().parent.parent
RUN = ["simulate", "dwf", "--deals", "12k", "--policy", "random", "--seed", "8", "--out"]
NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


def may_mount() -> bool:
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    tried = subprocess.run(
        [*NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    )
    return tried.returncode == 0


mounting = pytest.mark.skipif(not may_mount(), reason="no file system of one's own may be mounted here")


def whole(folder: Path) -> Path:
    done = finished(*RUN, folder, part=1000)
    assert done.returncode == 0, done.stderr
    return folder


def sentence_of(text: str) -> str:
    """The one sentence on stderr."""
    assert text.count("\n") == 1, text
    return text.removeprefix("Error: ").strip()


# --- a full disk ------------------------------------------------------------------------------------


@mounting
@pytest.mark.slow
def test_a_full_file_system_ends_a_run_that_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """Exit 3, one sentence; everything before it readable; the same rows when there is room."""
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    for folder in (disk, kept):
        folder.mkdir()
    (tmp_path / "run.py").write_text(COMMAND.format(part=1000, groups=True))
    line = " ".join([sys.executable, str(tmp_path / "run.py"), *RUN, str(disk / "d")])
    verdict = f"{sys.executable} -m tuolaji verify {disk}/d --format json"
    script = f"""
mount -t tmpfs -o size=120k none {disk}
{line} 2> {kept}/first.err; echo $? > {kept}/first.rc
cp -r {disk}/d {kept}/first
{verdict} > {kept}/first.json
{line} --resume 2> {kept}/second.err; echo $? > {kept}/second.rc
mount -o remount,size=40m {disk}
{line} --resume 2> {kept}/third.err; echo $? > {kept}/third.rc
cp -r {disk}/d {kept}/third
"""
    subprocess.run([*NAMESPACE, "sh", "-c", script], check=True, capture_output=True)
    for name in ("first", "second"):
        sentence = sentence_of((kept / f"{name}.err").read_text())
        assert (kept / f"{name}.rc").read_text() == "3\n", sentence
        assert "No space left on device" in sentence
        assert "--resume" in sentence
    rows = summarize(Dataset(kept / "first")).totals.deals
    assert 0 < rows < 12_000
    assert rows % 1000 == 0
    assert f"{rows} deals are complete and readable" in (kept / "first.err").read_text()
    assert '"sound": true' in (kept / "first.json").read_text()
    assert (kept / "third.rc").read_text() == "0\n", (kept / "third.err").read_text()
    assert contents(kept / "third") == contents(whole(tmp_path / "whole"))
    assert names(kept / "third") == names(tmp_path / "whole")


def test_a_limit_on_file_sizes_is_as_a_full_disk(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="the system has no such limits")
    done = finished(
        *RUN, tmp_path / "d", part=8000,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 3
    assert "File too large" in sentence_of(done.stderr)
    assert "nothing was written" in done.stderr
    assert names(tmp_path) == []


def test_a_disk_full_from_the_start_is_no_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(manifests, "save", full)
    with pytest.raises(RunError, match="can't write to the folder .*: No space left on device"):
        written(tmp_path / "d")
    assert names(tmp_path) == []


# --- folders that can't be written to, or go away ---------------------------------------------------


@mounting
def test_an_unwritable_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ro").mkdir()
    line = " ".join(map(str, [sys.executable, "-m", "tuolaji", *RUN, tmp_path / "ro/d"]))
    script = f"mount -t tmpfs -o ro none {tmp_path}/ro; exec {line}"
    done = subprocess.run([*NAMESPACE, "sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.search("out: can't make the folder .*: Read-only file system", sentence_of(done.stderr))


def test_a_folder_that_may_not_be_looked_into_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d").mkdir()

    looked = Path.iterdir

    def refuse(path: Path) -> Any:
        if path == tmp_path / "d":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return looked(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(UsageError, match="out: can't look into the folder .*: Permission denied"):
        written(tmp_path / "d")


def test_a_folder_that_vanishes_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 20)

    def vanish(done: int) -> None:
        if done >= 50 and (tmp_path / "d").exists():
            shutil.rmtree(tmp_path / "d", ignore_errors=True)

    with pytest.raises(
        RunError, match=r"the folder .* is gone, and with it what was written; `it` begins anew"
    ) as caught:
        written(tmp_path / "d", 4000, report=vanish, workers=1, chunk=10, command_line="it")
    assert "can't be written: " in str(caught.value)
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == []
    with pytest.raises(UsageError, match="is no dataset"):
        verify(tmp_path / "d")


def test_a_part_that_vanishes_is_noticed_when_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 20)
    written(tmp_path / "d", 60)
    shutil.rmtree(tmp_path / "d/deals")
    notes: list[Any] = []
    written(tmp_path / "d", 60, resume=True, found=lambda _, found: notes.extend(found))
    assert len(notes) == 3
    assert verify(tmp_path / "d").complete


# --- signals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_before_anything_is_played_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    script = COMMAND.format(part=100, groups=True).replace(
        "main(sys.argv[1:])",
        "import os\nfrom tuolaji.sim import engine\n"
        f"engine.Engine.__init__ = lambda *_: os.kill(os.getpid(), {int(number)})\nmain(sys.argv[1:])",
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *RUN, str(tmp_path / "d")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert "interrupted; nothing was written; `tuolaji simulate" in sentence_of(done.stderr)
    assert names(tmp_path) == []


# --- clocks -----------------------------------------------------------------------------------------


def test_times_never_go_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Back(datetime):
        """A clock that is set back by an hour at every look."""

        looks = 0

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            cls.looks += 1
            return datetime(2026, 5, 5, 5, tzinfo=UTC) - timedelta(hours=cls.looks)

    monkeypatch.setattr(manifests, "datetime", Back)
    small_parts(monkeypatch, 20)
    written(tmp_path / "d", 30)
    first = manifest(tmp_path / "d")
    assert first["started"] <= first["ended"]
    written(tmp_path / "d", 60, resume=True)
    second = manifest(tmp_path / "d")
    assert second["started"] == first["started"]
    assert first["ended"] <= second["ended"]
    assert Back.looks > 2
    change(tmp_path / "d", started="yesterday", ended=7)
    written(tmp_path / "d", 80, resume=True)
    assert manifest(tmp_path / "d")["ended"].startswith("2026-")


def test_the_bar_has_a_clock_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tqdm.std

    times = iter(range(10**6, 0, -60))
    monkeypatch.setattr(tqdm.std, "time", lambda: next(times))
    with bar(100, "en", show=True) as shown:
        assert shown is not None
        shown.begin_at(40)
        shown(70)
        shown(100)
    assert "100/100" in capsys.readouterr().err
    assert next(times) > 10**6 - 600


# --- caches and installs ----------------------------------------------------------------------------


@pytest.mark.skipif(not _jit.JIT, reason="nothing is compiled")
def test_a_corrupt_cache_is_compiled_anew_and_the_run_goes_on(tmp_path: Path) -> None:
    args = ["simulate", "dwf", "--deals", "2k", "--policy", "random", "--format", "json"]
    warm = subprocess.run([*command(), *args], capture_output=True, text=True, check=True)
    cache = tmp_path / "cache/tuolaji"
    cache.mkdir(parents=True)
    key = _jit.module_key(ROOT / "kernels/totals.py")
    for folder in _jit.cache_root().iterdir():
        if folder.name == key:
            shutil.copytree(folder, cache / folder.name)
        else:
            (cache / folder.name).symlink_to(folder)
    files = sorted((cache / key).glob("totals.*.bin"))
    assert files
    good = [file.read_bytes() for file in files]
    for file, data in zip(files, good, strict=True):
        file.write_bytes(data[: len(data) // 2] + b"\0" * 64 + data[len(data) // 2 + 64 :])
    done = subprocess.run(
        [*command(), *args], capture_output=True, text=True, check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    drop = re.compile(r'"run": \{[^}]*\}')
    assert drop.sub("", done.stdout) == drop.sub("", warm.stdout)
    assert all(file.read_bytes() != data[: len(data) // 2] for file, data in zip(files, good, strict=True))
    assert not any(file.read_bytes()[len(file.read_bytes()) // 2 :][:64] == b"\0" * 64 for file in files)


@mounting
def test_a_read_only_install_works_and_is_not_written_to(tmp_path: Path) -> None:
    package = tmp_path / "lib/tuolaji"
    package.mkdir(parents=True)
    for name in ("cli.py", "__init__.py", "__main__.py", "py.typed"):
        shutil.copy(ROOT / name, package)
    for name in ("commands", "kernels", "sim"):
        shutil.copytree(ROOT / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
    before = names(package)
    line = f"{sys.executable} -m tuolaji simulate dwf --deals 500 --policy random --out {tmp_path}/d"
    script = f"mount --bind {tmp_path}/lib {tmp_path}/lib; mount -o remount,bind,ro {tmp_path}/lib; cd /; exec {line}"
    done = subprocess.run(
        [*NAMESPACE, "sh", "-c", script], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "lib")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert names(package) == before
    assert verify(tmp_path / "d").sound
