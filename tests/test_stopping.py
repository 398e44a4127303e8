"""Ctrl-C, and the request to terminate, of commands with --out: what is said is so, and nothing half-written stays."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from runs import names, written
from test_advise import DWF, STRONG
from test_places import WRITING

from tuolaji.cli import main
from tuolaji.kernels._jit import JIT
from tuolaji.sim.errors import Interrupted
from tuolaji.sim.new_folder import NewFolder
from tuolaji.sim.stopping import undisturbed
from tuolaji.sim.streams import beside
from tuolaji.sim.study_out import or_nothing

SIGNALS = (signal.SIGINT, signal.SIGTERM)
needs_jit = pytest.mark.skipif(not JIT, reason="plays many deals")


def invoke(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


@pytest.mark.parametrize("number", SIGNALS)
def test_a_study_that_is_stopped_leaves_nothing(tmp_path: Path, number: int) -> None:
    folder = NewFolder(tmp_path / "a/d", "now")

    def study() -> None:
        with or_nothing(folder):
            folder.subfolder("rows")
            with folder.file("rows/x") as file:
                file.write(b"1")
                signal.raise_signal(number)

    with pytest.raises(Interrupted, match="^interrupted; nothing was written$"):
        study()
    assert names(tmp_path) == []


def test_what_must_not_be_stopped_comes_to_its_end() -> None:
    done = []

    def short() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        short()
    assert done == [1]


#: What each command does late, and what of it is there then.
LATE: dict[str, tuple[str, str]] = {
    "simulate": ("tuolaji.sim.summary_text.render", "manifest.json"),
    "compare": ("tuolaji.sim.compare_text.render", "manifest.json"),
    "tournament": ("tuolaji.sim.tournament_text.render", "manifest.json"),
    "advise": ("tuolaji.sim.advise_text.render", "manifest.json"),
}


@needs_jit
@pytest.mark.parametrize("command", LATE)
def test_stopped_while_it_prints_all_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stopped(*_args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LATE[command][0], stopped)
    done = invoke(*WRITING[command], "--out", str(tmp_path / "d"))
    assert done.exit_code == 130
    assert done.stderr.endswith("Error: interrupted while printing; all that was to be written is there.\n")
    assert LATE[command][1] in names(tmp_path / "d")
    with pytest.raises(KeyboardInterrupt), beside(None, "en"):  # nothing is kept, nothing is said of it
        raise KeyboardInterrupt


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("step", ["undo", "report"])
def test_an_import_that_is_stopped_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    from tuolaji.sim import import_records

    line = ("replay", DWF, "--deal", "0", "--count", "2", "--policy", "random", "--format", "jsonl")
    (tmp_path / "games.jsonl").write_text(invoke(*line).stdout, "utf-8")

    def late(call: Callable[..., Any]) -> Callable[..., Any]:
        def stopped(*args: Any) -> Any:
            found = call(*args)
            signal.raise_signal(number)
            return found

        return stopped

    method = "check" if step == "report" else "finish"
    monkeypatch.setattr(import_records._Sink, method, late(getattr(import_records._Sink, method)))
    done = invoke("import", str(tmp_path / "games.jsonl"), "--out", str(tmp_path / "a/d"))
    assert done.exit_code == 130
    assert done.stderr.endswith("Error: interrupted; nothing was imported.\n")
    assert names(tmp_path) == ["games.jsonl"]


def test_a_page_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old and new never lie side by side, whenever it is stopped."""
    pytest.importorskip("matplotlib")
    written(tmp_path / "d", 60)
    real, moved = Path.replace, []

    def stopped(path: Path, target: Path) -> Path:
        moved.append(path)
        if len(moved) == 1:
            signal.raise_signal(signal.SIGINT)
        return real(path, target)

    monkeypatch.setattr(Path, "replace", stopped)
    done = invoke("report", str(tmp_path / "d"), "--out", str(tmp_path / "page"))
    assert (done.exit_code, done.stderr) == (130, "Error: interrupted.\n")
    assert len(names(tmp_path / "page")) == len(moved) > 1
    assert not any(name.endswith(".tmp") for name in names(tmp_path / "page"))


def test_from_its_first_moment_a_command_that_is_stopped_says_one_sentence() -> None:
    script = """
import sys
class Stopped:
    def find_spec(self, name, path=None, target=None):
        if name == "tuolaji.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stopped())
from tuolaji.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Error: interrupted.\n")


def test_stopped_before_it_begins_no_command_says_more_than_it_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: Any, **_options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tuolaji.sim.advise.ask", stopped)
    done = invoke("advise", DWF, "--hand", STRONG, "--out", str(tmp_path / "d"))
    assert (done.exit_code, done.stderr) == (130, "Error: interrupted.\n")
    assert names(tmp_path) == []
