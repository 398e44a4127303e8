"""Datasets at an address: in a file system of Arrow's that lives in this process, and what is refused."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path

import pytest
from click.testing import CliRunner
from runs import change, contents, manifest, small_parts, written

from tuolaji.cli import main
from tuolaji.sim.dataset import Dataset, read_manifest
from tuolaji.sim.errors import RunError, UsageError
from tuolaji.sim.lock import RemoteLock, holds
from tuolaji.sim.open_part import OpenFile
from tuolaji.sim.remote import RemotePath
from tuolaji.sim.storage import place
from tuolaji.sim.summary import summarize
from tuolaji.sim.verify import verify


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 20)


@pytest.fixture
def address(request: pytest.FixtureRequest) -> str:
    """A place of the test's own in Arrow's file system in memory."""
    return f"mock://memory/{request.node.name}/d"


def remote(address: str) -> RemotePath:
    found = place(address)
    assert isinstance(found, RemotePath)
    return found


def files(address: str) -> list[str]:
    folder = remote(address)
    return sorted(
        f"{path.name}/{file.name}" for path in folder.iterdir() if path.is_dir() for file in path.iterdir()
    )


@pytest.mark.parametrize("detail", [None, "plays"])
def test_it_is_what_a_folder_is(address: str, tmp_path: Path, detail: str | None) -> None:
    here = written(tmp_path / "d", 90, detail=detail)
    there = written(address, 50, detail=detail)
    assert there.totals.deals == 50
    there = written(address, 90, detail=detail, resume=True)
    assert there.totals == here.totals == summarize(Dataset(address)).totals
    assert read_manifest(address)["parts"] == manifest(tmp_path / "d")["parts"]
    found = verify(address)
    assert (found.sound, found.complete, found.notes) == (True, True, [])
    assert {path.name for path in remote(address).iterdir()} == {"manifest.json"} | {
        name.partition("/")[0] for name in files(address)
    }
    assert not [name for name in files(address) if name.endswith((".tmp", ".put"))]
    for name in files(address):
        with (remote(address) / name).open_input() as file:
            assert file.read() == (tmp_path / "d" / name).read_bytes()
    for line in (["summary", address], ["verify", address], ["replay", address, "--deal", "60"]):
        result = CliRunner().invoke(main, line, catch_exceptions=False)
        assert result.exit_code == 0, result.output


def test_a_file_address_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    written(folder.as_uri(), 30)
    assert place(folder.as_uri()) == folder
    assert Dataset(folder.as_uri()).deals == Dataset(folder).deals == 30


def test_a_run_that_finishes_nothing_leaves_nothing(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise OSError("it can't be reached")

    monkeypatch.setattr(OpenFile, "finish", refuse)
    with pytest.raises(
        RunError, match=r"part-00000.parquet can't be written: it can't be reached; nothing was"
    ):
        written(address, 30)
    assert not remote(address).exists()


def test_another_dataset_is_refused(address: str) -> None:
    written(address, 30)
    with pytest.raises(UsageError, match="already holds a dataset; go on with it by --resume"):
        written(address, 30)
    with pytest.raises(UsageError, match="seed: .* was written with 3, not 4"):
        written(address, 30, seed=4, resume=True)
    (remote(address) / "manifest.json").unlink()
    with pytest.raises(UsageError, match="is not empty"):
        written(address, 30)


def test_the_lock(address: str) -> None:
    folder = remote(address)
    folder.mkdir(parents=True)
    held = RemoteLock(folder, "2026-01-01")
    assert holds(folder, held.run)
    assert not holds(folder, "another")
    owner = json.loads((folder / ".lock").read_text())
    assert owner["pid"] == os.getpid()
    held.release()
    assert not holds(folder, held.run)
    assert not (folder / ".lock").exists()
    (folder / ".lock").write_bytes(json.dumps(owner | {"pid": os.getppid(), "run": "x"}).encode())
    with pytest.raises(
        UsageError, match=r"is being written by process .*; if it is gone, remove mock://.*\.lock"
    ):
        written(address, 30)
    (folder / ".lock").write_bytes(json.dumps(owner | {"host": "elsewhere", "run": "x"}).encode())
    with pytest.raises(UsageError, match="is being written by process .* on elsewhere"):
        written(address, 30, resume=True)
    held.release()
    assert (folder / ".lock").exists()  # it is not its own
    (folder / ".lock").write_bytes(json.dumps(owner | {"pid": 2**22 + 1}).encode())
    notes: list[str] = []
    written(address, 30, found=lambda _, found: notes.extend(map(str, found)))
    assert "which is gone; taking it over" in notes[0]


@pytest.mark.parametrize("where", ["folder", "address"])
def test_parts_that_are_there_before_the_manifest_names_them(
    address: str, tmp_path: Path, where: str
) -> None:
    """Left by a run on a cluster, or one that was killed: no fault, and gone on with."""
    folder = place(address if where == "address" else tmp_path / "d")
    there = str(folder)
    written(there, 90, detail="tricks")
    whole = read_manifest(there)
    path = folder / "manifest.json"
    text = json.dumps(whole | {"parts": whole["parts"][:1]})
    path.write_bytes(text.encode())
    (folder / "deals/part-00002.parquet").unlink()
    found = verify(there)
    assert found.sound
    assert not found.complete
    assert [str(note) for note in found.notes] == [
        "4 finished parts wait for those before them; `simulate … --resume` enters them",
        "20 of 90 deals are there; `simulate … --resume` plays the rest",
    ]
    path.write_bytes(json.dumps(whole | {"parts": whole["parts"][:4]}).encode())
    one = "a finished part waits for those before it; `simulate … --resume` enters it"
    assert one in map(str, verify(there).notes)
    path.write_bytes(text.encode())
    kept: list[int] = []
    written(there, 90, detail="tricks", resume=True, found=lambda number, _: kept.append(number))
    assert kept == [70]
    assert read_manifest(there)["parts"] == whole["parts"]
    assert verify(there).notes == []


def test_a_part_of_other_rows_does_not_wait(tmp_path: Path) -> None:
    written(tmp_path / "d", 40)
    written(tmp_path / "other", 40, seed=4)
    change(tmp_path / "d", parts=manifest(tmp_path / "d")["parts"][:1])
    (tmp_path / "other/deals/part-00001.parquet").replace(tmp_path / "d/deals/part-00001.parquet")
    (fault,) = verify(tmp_path / "d").faults
    assert fault.file == "deals/part-00001.parquet"
    assert len(contents(tmp_path / "d")) == 1


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("foo://x/y", '"foo://x" is no file system that can be used: Unrecognized'),
        ("s3://", '"s3://" names no place; write it as s3://bucket/folder'),
        ("s3://name:word@bucket/d", '"s3": an address must not hold a password'),
        ("s3://bucket/d?secret_key=word", '"s3": an address must not hold a password'),
        ("s3://bucket/d#7", '"s3://bucket/d#7" holds a #'),
        ("file://d", '"file://d" names no folder of this machine; write file:///folder'),
        ("", "an empty name is no folder"),
    ],
)
def test_addresses_that_are_refused(out: str, words: str) -> None:
    result = CliRunner().invoke(main, ["simulate", "dwf", "--deals", "10", "--out", out])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {words}")
    assert result.stderr.count("\n") == 1


def test_commands_that_write_folders_only_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And do not make a folder called `s3:`."""
    monkeypatch.chdir(tmp_path)
    line = ["threshold", "die-wu-fen", "--deals", "1000", "--out", "s3://bucket/d"]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 2
    assert result.stderr == 'Error: out: "s3://bucket/d" is an address; here only a folder will do.\n'
    assert list(tmp_path.iterdir()) == []


def test_the_report_of_a_dataset_at_an_address(address: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written(address, 60)
    result = CliRunner().invoke(main, ["report", address])
    assert result.exit_code == 2
    assert result.stderr.endswith("is an address; name a folder for the page with --out.\n")
    result = CliRunner().invoke(main, ["report", address, "--out", str(tmp_path / "page")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "page/report.html").exists()
    written((tmp_path / "d").as_uri(), 60)  # an address, but of a folder here
    result = CliRunner().invoke(main, ["report", (tmp_path / "d").as_uri()])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "d/report/report.html").exists()
    (remote(address) / "manifest.json").write_bytes(b'{"kind": "tuolaji threshold"}')
    result = CliRunner().invoke(main, ["report", address, "--out", str(tmp_path / "page")])
    assert result.exit_code == 2
    assert "holds no dataset; studies are read from folders only" in result.stderr


def test_records_are_imported_to_an_address(address: str, tmp_path: Path) -> None:
    line = [
        "replay",
        "dwf",
        "--seed",
        "3",
        "--deal",
        "0",
        "--count",
        "3",
        "--policy",
        "random",
        "--format",
        "jsonl",
    ]
    records = CliRunner().invoke(main, line, catch_exceptions=False)
    (tmp_path / "games.jsonl").write_text(records.stdout, "utf-8")
    result = CliRunner().invoke(main, ["import", str(tmp_path / "games.jsonl"), "--out", address])
    assert result.exit_code == 0, result.output
    assert summarize(Dataset(address)).totals.deals == 3


def test_an_address_is_pickled_without_what_opens_it(address: str) -> None:
    path = RemotePath(f"{address}?x=1") / "deals" / "part"
    again = pickle.loads(pickle.dumps(path))
    assert again == path
    assert hash(again) == hash(path)
    assert again != remote(address)
    assert (str(path), path.uri, path.name) == (f"{address}/deals/part", f"{address}/deals/part?x=1", "part")
    assert str(path.with_name("x")) == f"{address}/deals/x"
