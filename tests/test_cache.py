"""Compiled kernels on disk: loaded without compiling, never stale, and never in the way."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tuolaji.kernels import _jit, _trust

pytestmark = pytest.mark.skipif(not _jit.JIT, reason="nothing is compiled")

#: Calls a small kernel, which calls another one.
SCRIPT = """
import json, sys
from pathlib import Path
{before}
from numba.core import event
from tuolaji.kernels import _cache, _jit, rng
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


#: Hides what we use of numba's inner parts from us, not from numba itself.
WITHOUT = """
import numba.core.caching
from numba.core import codegen, compiler
def hide(owner, name):
    known = getattr(owner, name)
    delattr(owner, name)
    def found(self, asked):
        if asked == name:
            return known.__get__(self)
        raise AttributeError(asked)
    owner.__getattr__ = found
hide(compiler.CompileResult, "_reduce")
hide(codegen.CPUCodeLibrary, "_finalize_final_module")
"""


def test_a_numba_with_other_inner_parts_uses_its_own_cache(
    first: tuple[Path, list[int]], tmp_path: Path
) -> None:
    assert called(tmp_path, WITHOUT) == Called(first[1], compiled=True, kept=True, ready=True)
    assert called(tmp_path, WITHOUT) == Called(first[1], compiled=False, kept=True, ready=True)
    # `rng.philox`, which `rng.block` calls, is compiled on its own where it can't be left half compiled.
    assert {path.name.partition("-")[0] for path in tmp_path.rglob("*.nbi")} == {"rng.block", "rng.philox"}
    assert not list(tmp_path.rglob("*.bin"))
    (tmp_path / "file").touch()
    assert called(tmp_path / "file" / "cache", WITHOUT) == Called(
        first[1], compiled=True, kept=False, ready=True
    )
    assert not list(
        Path(_jit.__file__).parent.rglob("*.nbi")
    )  # numba would take this place, where it goes stale
    if hasattr(os, "geteuid"):  # numba asks nobody who wrote what it unpickles
        index = next(tmp_path.rglob("rng.block-*.nbi"))
        forge(index, tmp_path / "ran")
        index.chmod(0o666)
        assert called(tmp_path, WITHOUT) == Called(first[1], compiled=True, kept=True, ready=True)
        assert not (tmp_path / "ran").exists()


def again(name: str) -> Any:
    """A module of the kernels, loaded once more beside the one there is."""
    file = Path(_jit.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"tuolaji.kernels.{name}_again", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "part"),
    [
        *(("_cache", part) for part in (
            "compiler.CompileResult", "compiler.CompileResult._reduce", "compiler.CompileResult._rebuild",
            "environment.Environment", "serialize.dumps", "base.BaseContext.refresh", "codegen.CPUCodegen.magic_tuple",
            "codegen.CodeLibrary.has_dynamic_globals",
        )),
        *(("_inner", part) for part in (
            "codegen.CPUCodeLibrary", "codegen.CPUCodeLibrary._optimize_final_module",
            "codegen.CPUCodeLibrary._finalize_final_module", "codegen.CPUCodeLibrary._finalize_dynamic_globals",
            "codegen.CodeLibrary._finalized", "compiler.CompilerBase", "compiler.DefaultPassBuilder",
            "compiler.DefaultPassBuilder.define_nopython_pipeline", "compiler._LowerResult",
            "compiler._LowerResult.env", "compiler.Flags.no_compile", "compiler_machinery.register_pass",
            "typed_passes.NativeLowering",
            "base.BaseContext.insert_user_function",
        )),
    ],
)  # fmt: skip
def test_each_inner_part_of_numba_that_is_used_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    def usable() -> bool:
        module = again(name)
        return bool(module.USABLE if name == "_cache" else module.compiler())

    assert usable()
    monkeypatch.delattr(f"numba.core.{part}")
    assert not usable()


def test_no_numba_is_installed_whose_inner_parts_nobody_has_seen() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (numba,) = (each for each in map(Requirement, project["project"]["dependencies"]) if each.name == "numba")
    seen = Version(version("numba"))
    assert seen in numba.specifier
    assert Version(f"{seen.major}.{seen.minor + 1}.0") not in numba.specifier
    assert Version(f"{seen.major + 1}.0.0") not in numba.specifier


# --- who wrote it -----------------------------------------------------------------------------------

owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes root")
SOMEBODY = "import os; os.geteuid = lambda: 54321"


class Code:
    """Makes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return open, (str(self.marker), "w")


def forge(file: Path, marker: Path) -> bytes:
    """Put something into a cache that is sound by its hash, and runs code."""
    body = pickle.dumps(Code(marker))
    data = hashlib.sha256(body).digest() + body
    file.write_bytes(data)
    return data


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_forged_files_run_where_they_are_trusted(
    cached: tuple[Path, Path, list[int]], tmp_path: Path
) -> None:
    """Without which the tests below would show nothing."""
    folder, file, words = cached
    forge(file, tmp_path / "ran")
    assert called(folder).words == words
    assert (tmp_path / "ran").exists()


@owners
def test_a_forged_file_in_a_cache_that_was_shared_is_replaced(
    cached: tuple[Path, Path, list[int]], tmp_path: Path
) -> None:
    folder, file, words = cached
    data = forge(file, tmp_path / "ran")
    if os.geteuid() == 0:
        os.chown(file, 12345, 12345)
    else:
        file.chmod(0o666)
    (folder / "tuolaji").chmod(0o777)
    file.parent.chmod(0o1777)
    assert called(folder) == Called(words, compiled=True, kept=True, ready=True)
    assert not (tmp_path / "ran").exists()
    assert file.read_bytes() != data
    assert [mode(path) for path in (folder / "tuolaji", file.parent, file)] == [0o700, 0o700, 0o600]


@owners
@pytest.mark.parametrize("whose", ["mine", "of all", "a link", pytest.param("another's", marks=as_root)])
def test_a_file_is_read_if_nobody_else_can_have_written_it(tmp_path: Path, whose: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"code")
    if whose == "mine":
        assert _trust.read(file) == b"code"
        return
    if whose == "of all":
        file.chmod(0o602)
    elif whose == "a link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    else:
        os.chown(file, 12345, 12345)
    with pytest.raises(OSError, match=r"file"):
        _trust.read(file)


@owners
def test_a_folder_that_others_can_write_to_is_not_used(
    cached: tuple[Path, Path, list[int]], tmp_path: Path
) -> None:
    folder, file, words = cached
    data = forge(file, tmp_path / "ran")
    if os.geteuid() == 0:
        os.chown(folder / "tuolaji", 12345, 12345)
    assert called(folder, "" if os.geteuid() == 0 else SOMEBODY) == Called(words, True, kept=True, ready=True)
    assert not (tmp_path / "ran").exists()
    assert file.read_bytes() == data
    assert list((folder / "tuolaji").rglob("*.*")) == [file]


@as_root
@pytest.mark.parametrize("whose", ["another's", "another's link", "a link to another's", "root's, and open"])
def test_a_folder_is_anothers_in_more_ways_than_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, whose: str
) -> None:
    root, target = tmp_path / "root", tmp_path / "target"
    (root if "link" not in whose else target).mkdir()
    if "link" in whose:
        root.symlink_to(target)
    assert _trust.open_to_others(root) is None
    if whose == "root's, and open":
        root.chmod(0o777)
        monkeypatch.setattr(os, "geteuid", lambda: 54321)
    else:
        os.chown(root, 12345, 12345, follow_symlinks=whose == "a link to another's")
    assert _trust.open_to_others(tmp_path, root) == root


@owners
def test_a_link_of_ours_to_an_open_folder_closes_nothing(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    (tmp_path / "root").symlink_to("shared")
    assert _trust.open_to_others(tmp_path / "root") == tmp_path / "root"
    assert mode(tmp_path / "shared") == 0o777 | stat.S_ISVTX


@owners
def test_an_older_folder_is_closed_to_others_and_goes_on_being_used(
    cached: tuple[Path, Path, list[int]],
) -> None:
    folder, file, words = cached
    for each, was in ((folder / "tuolaji", 0o777), (file.parent, 0o757), (file, 0o644)):
        each.chmod(was)
    assert called(folder) == Called(words, compiled=False, kept=True, ready=False)
    assert mode(folder / "tuolaji") == mode(file.parent) == 0o700


@as_root
def test_roots_cache_is_everybodys(cached: tuple[Path, Path, list[int]]) -> None:
    folder, file, words = cached
    for each in (folder / "tuolaji", file.parent, file):
        each.chmod(0o755)
    assert called(folder, SOMEBODY) == Called(words, compiled=False, kept=True, ready=False)
    assert mode(file.parent) == 0o755


@owners
def test_what_is_made_is_closed_to_others(tmp_path: Path) -> None:
    assert called(tmp_path / "one" / "two", "import os; os.umask(0)").kept
    assert {mode(path) for path in (tmp_path / "one").rglob("*") if path.is_dir()} == {0o700}
    assert {mode(path) for path in (tmp_path / "one").rglob("*") if path.is_file()} == {0o600}
    assert mode(tmp_path / "one") == 0o700


@owners
@pytest.mark.parametrize(
    ("group", "members", "primary", "acl", "open_to_others"),
    [
        ("me", [], True, False, False),
        ("me", ["me"], True, False, False),
        ("me", ["me", "you"], True, False, True),
        ("users", [], True, False, True),
        ("me", [], False, False, True),
        ("me", [], True, True, True),
    ],
)
def test_a_group_may_write_if_it_is_the_users_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    group: str, members: list[str], primary: bool, acl: bool, open_to_others: bool,
) -> None:  # fmt: skip
    import grp
    import pwd

    file = tmp_path / "file"
    file.touch()
    file.chmod(0o664)
    gid = file.stat().st_gid
    user = SimpleNamespace(pw_name="me", pw_gid=gid if primary else gid + 1)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: user)
    monkeypatch.setattr(grp, "getgrgid", lambda _: SimpleNamespace(gr_name=group, gr_mem=members))
    names = ["system.posix_acl_access"] if acl else ["user.other"]
    monkeypatch.setattr(os, "listxattr", lambda _: names, raising=False)
    assert (_trust.open_to_others(file) == file) is open_to_others
    if open_to_others:
        with pytest.raises(PermissionError):
            _trust.read(file)
    else:
        assert _trust.read(file) == b""


# --- the key ----------------------------------------------------------------------------------------


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
