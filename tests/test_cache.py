"""Compiled kernels on disk: loaded without compiling, never stale, and never in the way."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tuolaji.kernels import _jit

pytestmark = pytest.mark.skipif(not _jit.JIT, reason="nothing is compiled")

#: Calls a small kernel, which calls another one.
SCRIPT = """
import json, sys
from pathlib import Path
from tuolaji.kernels import _cache
{before}
from numba.core import event
from tuolaji.kernels import _jit, rng
with event.install_recorder("numba:compile") as recorder:
    words = [int(word) for word in rng.block(2026, 7, 3, 0)]
folder = _jit.cache_root() / _jit.module_key(Path(rng.__file__).resolve())
kept = _cache.is_kept(folder, "rng.block")
print(json.dumps([words, bool(recorder.buffer), kept, "numba.np.arrayobj" in sys.modules]))
"""


class Called(NamedTuple):
    """What the kernel gave; whether it was compiled, is in the cache now, and numba was made ready to compile."""

    words: list[int]
    compiled: bool
    kept: bool
    ready: bool


def called(folder: Path, before: str = "") -> Called:
    """Call the kernel in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(before=before)],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not done.stderr
    return Called(*json.loads(done.stdout))


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """A cache folder that another process has filled, and what the kernel gave there."""
    folder = tmp_path_factory.mktemp("cache")
    found = called(folder)
    assert found[1:] == (True, True, True)
    return folder, found.words


@pytest.fixture
def cached(first: tuple[Path, list[int]], tmp_path: Path) -> tuple[Path, Path, list[int]]:
    """A copy of that folder; the kernel's file in it; what it gave."""
    shutil.copytree(first[0], tmp_path / "cache")
    (file,) = (tmp_path / "cache").rglob("rng.block-*.bin")
    return tmp_path / "cache", file, first[1]


def test_a_second_process_neither_compiles_nor_makes_ready_to(cached: tuple[Path, Path, list[int]]) -> None:
    folder, _, words = cached
    assert called(folder) == Called(words, compiled=False, kept=True, ready=False)


def test_nothing_else_is_left_in_the_cache(cached: tuple[Path, Path, list[int]]) -> None:
    names = {path.name.partition("-")[0] for path in cached[0].rglob("*") if path.is_file()}
    assert names == {"rng.block"}  # `rng.philox` is in its machine code


@pytest.mark.parametrize("damage", ["emptied", "another's", "cut short", "a bit of the machine code"])
def test_a_damaged_file_is_compiled_and_written_anew(
    cached: tuple[Path, Path, list[int]], damage: str
) -> None:
    folder, file, words = cached
    good = file.read_bytes()
    middle = len(good) // 2
    contents = {
        "emptied": b"",
        "another's": pickle.dumps("something else"),
        "cut short": good[:middle],
        "a bit of the machine code": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
    }
    file.write_bytes(contents[damage])
    assert called(folder) == Called(words, compiled=True, kept=True, ready=True)
    assert called(folder).compiled is False


def test_a_symbol_nobody_knows_yet_makes_numba_ready_first(cached: tuple[Path, Path, list[int]]) -> None:
    folder, file, words = cached
    needed, payload = pickle.loads(file.read_bytes()[32:])
    assert needed
    body = pickle.dumps(([*needed, "no_such_symbol"], payload))
    file.write_bytes(hashlib.sha256(body).digest() + body)
    assert called(folder) == Called(words, compiled=False, kept=True, ready=True)


def test_without_a_folder_to_write_to_it_is_compiled_each_time(
    first: tuple[Path, list[int]], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for _ in range(2):
        found = called(tmp_path / "file" / "cache")
        assert found == Called(first[1], compiled=True, kept=False, ready=True)


def test_a_numba_with_other_inner_parts_uses_its_own_cache(
    first: tuple[Path, list[int]], tmp_path: Path
) -> None:
    without = "_cache.USABLE = False"
    assert called(tmp_path, without) == Called(first[1], compiled=True, kept=True, ready=True)
    assert called(tmp_path, without) == Called(first[1], compiled=False, kept=True, ready=True)
    assert list(tmp_path.rglob("*.nbi"))
    assert not list(tmp_path.rglob("*.bin"))
    (tmp_path / "file").touch()
    assert called(tmp_path / "file" / "cache", without) == Called(
        first[1], compiled=True, kept=False, ready=True
    )
    assert not list(
        Path(_jit.__file__).parent.rglob("*.nbi")
    )  # numba would take this place, where it goes stale


def test_the_key_changes_with_every_module_a_kernel_may_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jit, "_HERE", tmp_path)
    top, middle, bottom = (tmp_path / name for name in ("top.py", "middle.py", "policies/bottom.py"))
    bottom.parent.mkdir()
    for name in ("_jit.py", "_cache.py", "_inner.py", "other.py"):
        (tmp_path / name).write_text("")
    top.write_text("from .middle import f\nimport numba\n")
    middle.write_text("from .policies import bottom\n")
    bottom.write_text("x = 1\n")

    def key() -> str:
        _jit.module_key.cache_clear()
        _jit._sources.cache_clear()
        return _jit.module_key(top)

    keys = [key()]
    for changed in (bottom, middle, top, *(tmp_path / f"_{name}.py" for name in ("jit", "cache", "inner"))):
        changed.write_text(changed.read_text() + "y = 2\n")
        keys.append(key())
    assert len(set(keys)) == len(keys)
    (tmp_path / "other.py").write_text("z = 3\n")
    assert key() == keys[-1]
    _jit.module_key.cache_clear()
    _jit._sources.cache_clear()


def test_kernels_without_signature_are_made_when_needed() -> None:
    @_jit.kernel()
    def helper(x):  # type: ignore[no-untyped-def]
        """Doubles."""
        return 2 * x

    assert helper.__name__ == "helper"
    assert helper.__doc__ == "Doubles."
    assert helper.py_func(3) == 6
    assert helper._made is None
    assert helper(3) == 6
    assert list(helper.signatures) == [(_jit.i64,)]
