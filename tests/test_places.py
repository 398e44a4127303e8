"""Where commands write, and what they read: a local path is a local path, and whatever is there already stays."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from runs import names, written
from test_advise import DWF, HW, STRONG

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim.errors import UsageError
from tuolaji.sim.new_folder import NewFolder
from tuolaji.sim.storage import local, place

needs_jit = pytest.mark.skipif(not JIT, reason="plays many deals")
ROOT = Path(__file__).resolve().parent.parent

#: Every command with --out.
WRITING: dict[str, tuple[str, ...]] = {
    "simulate": ("simulate", DWF, "--deals", "60", "--policy", "random", "--detail", "plays"),
    "import": ("import", "games.jsonl"),
    "compare": ("compare", DWF, "--deals", "200", "--policy", "random", "--variant", "bottom_multiplier=4"),
    "threshold dwf": ("threshold", DWF, "--deals", "1000", "--no-plots"),
    "threshold hwwj": ("threshold", HW, "--deals", "1000", "--no-plots"),
    "tournament": ("tournament", HW, "--tournaments", "20", "--hands", "1", "--entrant", "random@30"),
    "advise": ("advise", DWF, "--hand", STRONG, "--fixed", "2"),
    "report": ("report", "data"),
}
QUICK = [command for command in WRITING if not command.startswith("threshold")]
DATASETS, STUDIES = ("simulate", "import"), ("compare", "tournament", "advise")


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


def refused(*words: str) -> str:
    """The one sentence."""
    done = invoke(*words)
    assert done.exit_code == 2, done.output
    assert done.stderr.count("\n") == 1
    return done.stderr


def everything(folder: Path) -> dict[str, bytes | str | None]:
    """All there is, links as where they lead."""
    return {
        name: str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        for name in names(folder)
        if (path := folder / name)
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a dataset and records in it, and a home of its own beside."""
    (tmp_path / "home" / "c").mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME", str(Path("~/.cache").expanduser())))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    written(folder / "data", 30)
    line = ("replay", DWF, "--deal", "0", "--count", "2", "--policy", "random", "--format", "jsonl")
    (folder / "games.jsonl").write_text(invoke(*line).stdout, "utf-8")
    return folder


# --- a local path is a local path ---------------------------------------------------------------------


@needs_jit
@pytest.mark.parametrize("command", [*QUICK, pytest.param("threshold dwf", marks=pytest.mark.slow)])
def test_each_command_writes_where_it_is_told(here: Path, command: str) -> None:
    """Names that Arrow would take for an address, or for a place in somebody's home."""
    found = []
    slow = command.startswith(("threshold", "report"))
    for out in ("C:/~",) if slow else ("run-2026-12-01T10:30", "C:/x", "s3:/b", "~/c", "file:x"):
        done = invoke(*WRITING[command], "--out", out)
        assert done.exit_code == 0, done.output
        found.append(names(here / out))
    assert found[0] and all(each == found[0] for each in found)
    assert names(here.parent / "home" / "c") == []


@needs_jit
@pytest.mark.parametrize("out", ["run:9", "~"])
def test_each_command_reads_where_it_is_told(here: Path, out: str) -> None:
    """Exit 0, and `--resume` keeps what is there."""
    assert invoke(*WRITING["simulate"], "--out", out).exit_code == 0
    assert invoke("verify", out).exit_code == 0
    assert invoke("summary", out).exit_code == 0
    assert invoke("replay", out, "--deal", "3").exit_code == 0
    before = everything(here / out)
    assert invoke(*WRITING["simulate"], "--out", out, "--resume").exit_code == 0
    assert before == everything(here / out)
    more = invoke(*WRITING["simulate"], "--deals", "90", "--out", out, "--resume")
    assert more.exit_code == 0 and "played again" not in more.stderr
    pytest.importorskip("matplotlib")
    for command in STUDIES[:2]:  # pages are made of tables that Arrow reads
        assert invoke(*WRITING[command], "--out", f"{out}:{command}").exit_code == 0
        assert invoke("report", f"{out}:{command}").exit_code == 0


def test_what_is_an_address_and_what_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "a:b", "C:/x", "s3:/b", "~/c", "../d", "a#b", "a%20b", "://x"):
        assert place(name) == local(name) == Path(f"{tmp_path}/{name}")
        assert place(Path(name)) == Path(f"{tmp_path}/{name}")
    odd = tmp_path / "a b#c?d%e"
    for made in (
        odd.as_uri(),
        odd.as_uri().replace("file://", "FILE://localhost"),
        f"file://{tmp_path}/a b#c?d%25e",
    ):
        assert place(made) == odd
    with pytest.raises(UsageError, match="is an address; here only a folder will do"):
        local("s3://bucket/d")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="the current folder is gone"):
        place("d")


def test_only_storage_hands_names_to_arrow() -> None:
    """Everybody else opens files by it."""
    by_name = {
        "ParquetFile",
        "ParquetWriter",
        "write_table",
        "read_table",
        "read_metadata",
        "OSFile",
        "memory_map",
    }
    opened = {"file", "sink", "source", "self._source"}
    for path in [*ROOT.glob("sim/**/*.py"), *ROOT.glob("commands/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in by_name
            ):
                given = {ast.unparse(argument) for argument in node.args}
                assert path.name == "storage.py" or given & opened or ast.unparse(node.func.value) != "pq", (
                    path
                )


# --- whatever is there stays --------------------------------------------------------------------------


def left(folder: Path, what: str) -> None:
    """Something in a folder that a command is to write to."""
    folder.mkdir()
    for name in {"file": ["notes"], "hidden": [".notes"], "study": ["manifest.json", "rows.parquet"]}.get(
        what, []
    ):
        (folder / name).write_text("mine")
    if what == "folder":
        (folder / "deals").mkdir()
    elif what == "lock":
        (folder / ".lock").write_text("mine")
    elif what == "broken link":
        (folder / "notes").symlink_to("nowhere")


@pytest.mark.parametrize("what", ["file", "hidden", "folder", "study", "lock", "broken link"])
def test_a_folder_that_holds_anything_is_left_alone(here: Path, what: str) -> None:
    left(here / "d", what)
    before = everything(here)
    for words in WRITING.values():
        if words[0] == "report":
            pytest.importorskip("matplotlib")
        said = refused(*words, "--out", "d")
        assert "empty" in said or "already holds a dataset" in said or "older page" in said
    assert before == everything(here)


def test_two_studies_do_not_share_a_folder(tmp_path: Path) -> None:
    """Although the first has written nothing yet."""
    first = NewFolder(tmp_path / "d", "now")
    with pytest.raises(UsageError, match="is being written by process"):
        NewFolder(tmp_path / "d", "now")
    assert "is being written by process" in refused(*WRITING["simulate"], "--out", str(tmp_path / "d"))
    with first.file("x") as file:
        file.write(b"1")
    with pytest.raises(FileExistsError), first.file("x"):
        pass
    first.discard()
    assert names(tmp_path) == []


@needs_jit
@pytest.mark.parametrize("command", STUDIES)
def test_a_study_leaves_no_lock(here: Path, command: str) -> None:
    assert invoke(*WRITING[command], "--out", "d").exit_code == 0
    assert "manifest.json" in names(here / "d") and ".lock" not in names(here / "d")


# --- links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
def test_a_lock_that_is_a_link_is_refused(here: Path, hard: bool) -> None:
    (here / "victim").write_text(json.dumps({"pid": 1}) if hard else "mine")
    (here / "d").mkdir()
    make: Callable[..., None] = (here / "d/.lock").hardlink_to if hard else (here / "d/.lock").symlink_to
    make(here / "victim")
    before = everything(here)
    for words in WRITING.values():
        if words[0] != "report":
            said = refused(*words, "--out", "d")
            assert "is a symbolic link" in said or "is a link" in said
    assert before == everything(here)


@pytest.mark.parametrize(
    "name", [".lock", ".manifest.json.tmp", "manifest.json", "deals", "tricks", "deals/part-00000.parquet",
             "deals/.part-00001.parquet.tmp"],
)  # fmt: skip
def test_resume_refuses_links_that_it_would_write_by(here: Path, name: str) -> None:
    link, victim = here / "data" / name, here / "victim"
    (link if link.exists() else here / "games.jsonl").rename(victim)
    link.symlink_to(victim)
    before = everything(here)
    said = refused(
        "simulate", DWF, "--deals", "60", "--policy", "random", "--seed", "3", "--out", "data", "--resume"
    )
    assert "is a symbolic link" in said and name in said
    assert before == everything(here)


def test_a_folder_may_itself_be_named_by_a_link(here: Path) -> None:
    (here / "real").mkdir()
    (here / "latest").symlink_to("real")
    assert invoke(*WRITING["simulate"], "--out", "latest").exit_code == 0
    assert invoke("verify", "real").exit_code == 0
