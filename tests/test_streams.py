"""Standard streams that are closed, full or left by their reader: no command's exit code says what is not so."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tuolaji.cli import main
from tuolaji.sim.streams import guarded

POSIX = pytest.mark.skipif(os.name != "posix", reason="shells that can close streams")
DWF = ["dwf", "--policy", "random", "--workers", "1"]
SIMULATE = ["simulate", *DWF, "--deals", "100"]
COMPARE = ["compare", *DWF, "--deals", "100", "--variant", "bottom_multiplier=4", "--resamples", "100"]
LEAD = ["judge", "lead", "dwf", "--trump", "h", "--cards"]


class Refusing(io.RawIOBase):
    """A stream that takes so many bytes, and then fails."""

    def __init__(self, number: int, takes: int = 0) -> None:
        super().__init__()
        self.number, self.takes = number, takes
        self.asked = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.asked += 1
        if len(data) <= self.takes:
            self.takes -= len(data)
            return len(data)
        raise OSError(self.number, os.strerror(self.number))


def text(raw: io.RawIOBase) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8")


#: How the standard output may fail; None: it is closed.
FAILURES: dict[str, Callable[[], io.TextIOWrapper | None]] = {
    "full": lambda: text(Refusing(errno.ENOSPC)),
    "closed": lambda: None,
    "left": lambda: text(Refusing(errno.EPIPE)),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records, sound and faulty; rule files; datasets."""
    folder = tmp_path_factory.mktemp("files")
    from tuolaji import replay
    from tuolaji.sim.plan import make_plan
    from tuolaji.sim.simulate import run

    records = [replay("dwf", 7, deal, policies="random") for deal in range(3)]
    (folder / "good.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    for record in records[1:]:
        record["tricks"][0]["winner"] = (record["tricks"][0]["winner"] + 1) % 3
    (folder / "bad.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "good.toml").write_text('game = "die-wu-fen"\n')
    (folder / "bad.toml").write_text('game = "die-wu-fen"\nbottom_multiplier = 400\n')
    for name in ("good", "bad"):
        run(make_plan("dwf", policies="random"), 50, out=folder / name)
    (folder / "bad/deals/part-00000.parquet").write_bytes(b"")
    return folder


def ended(args: list[str]) -> int:
    with pytest.raises(SystemExit) as caught:
        main(args)
    assert isinstance(caught.value.code, int)
    return caught.value.code


def placed(args: list[str], files: Path, tmp_path: Path) -> list[str]:
    return [str(files / arg[1:]) if arg[0] == "@" else str(tmp_path) if arg == "OUT" else arg for arg in args]


def shown(value: object) -> str:
    """The name of a case."""
    return " ".join(value)[:40] if isinstance(value, list) else ""


#: Commands whose result is what they print, and what they end with.
PRINTED = [
    (["--version"], 0), (["--help"], 0), (["simulate", "--help"], 0), ([], 0),
    (["rules", "list"], 0), (["rules", "show", "dwf"], 0),
    (["rules", "check", "@good.toml"], 0), (["rules", "check", "@bad.toml"], 1),
    ([*LEAD, "5s"], 0), ([*LEAD, "5s 7s 7s", "--other", "Ts Ts 4s"], 1),
    (["judge", "follow", "dwf", "--trump", "h", "--hand", "Kh 4c", "--lead", "Ks", "--play", "4c"], 0),
    (["judge", "follow", "dwf", "--trump", "h", "--hand", "Ts 4c", "--lead", "Ks", "--play", "4c"], 1),
    (["judge", "trick", "dwf", "--trump", "h", "--play", "5s", "--play", "4s", "--play", "Ts"], 0),
    (["summary", "@good"], 0),
    (["verify", "@good"], 0), (["verify", "@bad"], 1), (["verify", "@bad", "--format", "json"], 1),
    (["audit", "@good.jsonl"], 0), (["audit", "@bad.jsonl"], 1), (["audit", "@bad.jsonl", "--format", "json"], 1),
    (["replay", "dwf", "--deal", "0", "--policy", "random", "--format", "jsonl"], 0),
    (["replay", "@good", "--deal", "0", "--count", "3"], 0),
    (SIMULATE, 0),
    (["match", "dwf", "--policy", "random", "--policy", "random", "--bidding", "random", "--deals", "20"], 0),
    (COMPARE, 0),
]  # fmt: skip


@pytest.mark.parametrize("failure", [*FAILURES])
@pytest.mark.parametrize(
    ("args", "code"), PRINTED, ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else ""
)
def test_where_the_result_is_printed_it_is_lost_unless_its_reader_left(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    args: list[str], code: int, failure: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stdout", FAILURES[failure]())
    assert ended(placed(args, files, tmp_path)) == (code if failure == "left" else 3)
    told = capsys.readouterr().err
    expected = {
        "full": "Error: the result is lost, for the standard output refused it: No space left on device.\n",
        "closed": "Error: the result is lost, for the standard output is closed.\n",
        "left": "",
    }
    assert told == expected[failure]


#: Commands whose result is in a folder.
WRITTEN = [
    ([*SIMULATE, "--out", "OUT"], 0, "manifest.json"),
    (["import", "@good.jsonl", "--out", "OUT"], 0, "manifest.json"),
    (["import", "@bad.jsonl", "--out", "OUT"], 1, None),
    (["import", "@bad.jsonl", "--skip-faulty", "--out", "OUT"], 0, "manifest.json"),
    ([*COMPARE, "--out", "OUT"], 0, "manifest.json"),
    (["tournament", "hwwj", "--entrant", "random", "--entrants", "5", "--rounds", "1", "--hands", "1",
      "--tournaments", "20", "--out", "OUT"], 0, "manifest.json"),
]  # fmt: skip


@pytest.mark.parametrize("failure", [*FAILURES])
@pytest.mark.parametrize(
    ("args", "code", "file"), WRITTEN, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_where_the_result_is_in_a_folder_the_code_is_that_of_the_work(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    args: list[str], code: int, file: str | None, failure: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stdout", FAILURES[failure]())
    assert ended(placed(args, files, tmp_path)) == code
    told = "the rest is not printed, for the standard output refused it: No space left on device\n"
    assert capsys.readouterr().err == (told if failure == "full" else "")
    assert file is None or (tmp_path / file).exists()


@pytest.mark.parametrize("failure", [*FAILURES])
@pytest.mark.parametrize(
    ("args", "code"),
    [(["summary", "nowhere"], 2), ([], 0), (["audit", "@bad.jsonl", "--format", "json", "--progress"], 1),
     ([*SIMULATE, "--progress"], 0), ([*SIMULATE, "--out", "nowhere/\0"], 2)],
)  # fmt: skip
def test_a_standard_error_that_fails_changes_nothing(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    args: list[str], code: int, failure: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "stderr", FAILURES[failure]())
    assert ended(placed(args, files, tmp_path)) == code
    printed = capsys.readouterr().out
    assert bool(printed) == (code != 2)
    assert "deals/s" not in printed  # a standard error that is missing is not the standard output


def test_a_reader_that_leaves_before_the_first_fault_does_not_hear_of_one(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = text(Refusing(errno.EPIPE, takes=1 << 20))
    monkeypatch.setattr(sys, "stdout", stream)
    assert ended(["audit", str(files / "good.jsonl")]) == 0
    raw = Refusing(errno.EPIPE)
    monkeypatch.setattr(sys, "stdout", text(raw))
    assert ended(["replay", "dwf", "--deal", "0", "--count", "5", "--policy", "random"]) == 0
    assert raw.asked == 1  # and nothing is written after that


@pytest.mark.parametrize("command", [["audit"], ["import", "--out", "OUT"]])
def test_a_closed_standard_input_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert ended([*placed(command, tmp_path, tmp_path / "out"), "-"]) == 2
    assert capsys.readouterr().err.startswith("Error: the standard input (-) is closed; ")
    assert not (tmp_path / "out").exists()


def test_a_stream_that_does_not_wait_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(io.BytesIO):
        turns = 0

        def write(self, data: Any) -> int:
            self.turns += 1
            if self.turns % 2:
                return None  # type: ignore[return-value]  # as raw streams do
            return super().write(bytes(data)[:100])

    raw = Busy()
    monkeypatch.setattr(sys, "stdout", text(raw))  # type: ignore[arg-type]
    with guarded():
        print("♠" * 1000)
    assert raw.getvalue().decode() == "♠" * 1000 + "\n"
    assert raw.turns > 60


@POSIX
@pytest.mark.parametrize(
    ("redirected", "code"),
    [
        (">&-", 3),
        ("> /dev/full", 3),
        (">&- 2>&-", 3),
        ("<&- >&- 2>&-", 3),
        ("2> /dev/full", 0),
        ("| true", 0),
    ],
)
def test_real_streams(redirected: str, code: int) -> None:
    if "full" in redirected and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    line = f"{{ {sys.executable} -m tuolaji rules list {redirected.partition('|')[0]}; echo $? >&3; }}"
    line += " | true" if "|" in redirected else " > /dev/null"
    done = subprocess.run(["sh", "-c", f"exec 3>&1; {line}"], capture_output=True, text=True, check=False)
    assert done.stdout == f"{code}\n"
    assert done.stderr.count("\n") == (code == 3 and "2>" not in redirected)


@POSIX
def test_no_file_takes_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    script = (
        "import os, sys\nfrom tuolaji.sim.streams import guarded\n"
        "with guarded():\n handle = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n os.write(handle, b'sound')\n"
        " for number in range(3):\n  os.write(number, b'lost')\n"
    )
    line = f"'{sys.executable}' -c \"$1\" '{tmp_path}/file' <&- >&- 2>&-"
    subprocess.run(["sh", "-c", line, "sh", script], check=True)
    assert (tmp_path / "file").read_bytes() == b"sound"
