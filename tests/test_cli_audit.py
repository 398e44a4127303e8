"""The command `audit`: what it prints, its exit codes, and files of every kind."""

from __future__ import annotations

import copy
import gzip
import json
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tuolaji import cli
from tuolaji.sim.records_file import MAX_LINE_BYTES, lines

from naive import DWF, HW, random_record


def run(*args: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli.main, ["audit", *args], catch_exceptions=False, input=stdin)


def text_of(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def falsified() -> list[dict[str, Any]]:
    """Three records: a sound one, a winner and a payoff that are wrong, a sound one without calls."""
    sound, bad, short = (copy.deepcopy(random_record(DWF, seed)) for seed in (1, 2, 3))
    bad["deal"] = 12
    first = bad["tricks"][0]
    first["winner"] = (first["winner"] + 1) % 3
    bad["payoffs"][1] += 2
    del short["calls"]
    return [sound, bad, short]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text(text_of(falsified()), "utf-8")
    return path


def test_sound_records_are_exit_0(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text_of([random_record(DWF, 1), random_record(HW, 1)]), "utf-8")
    result = run(str(path))
    assert (result.exit_code, result.stdout) == (0, "2 records judged, no faults.\n")
    assert run(str(path), "--lang", "zh").stdout == "共判 2 份记录，全部无误。\n"
    result = run(str(path), "--format", "json")
    assert (result.exit_code, result.stdout) == (0, "")


def test_faults_are_exit_1_and_named_with_their_place(games: Path) -> None:
    result = run(str(games))
    assert result.exit_code == cli.FAULTS
    shown = result.stdout.splitlines()
    assert shown[0].endswith("games.jsonl, line 2 (deal 12)")
    assert shown[1].startswith("  trick 1, seat ")
    assert "COM-16  seat " in shown[1]
    assert shown[2].startswith("  payoffs          DWF-17  the payoffs must be ")
    assert shown[3:] == [
        "3 records judged, 1 of them faulty: 2 faults.",
        "Not checked, as keys are missing:",
        "  calls  calls and counters (DWF-3, DWF-4) (1 record)",
    ]


def test_in_chinese(games: Path) -> None:
    result = run(str(games), "--lang", "zh")
    assert result.exit_code == cli.FAULTS
    shown = result.stdout.splitlines()
    assert shown[0].endswith("games.jsonl 第 2 行（第 12 局）")
    assert shown[1].startswith("  第 1 轮，")
    assert "号位  COM-16  本轮由" in shown[1]
    assert "DWF-17  输赢应为" in shown[2]
    assert shown[3:] == [
        "共判 3 份记录，其中 1 份有误，共 2 处。",
        "因缺少键而未能检查：",
        "  calls  叫牌与反牌（DWF-3、DWF-4）（1 份）",
    ]


def test_json_is_one_line_a_fault(games: Path) -> None:
    result = run(str(games), "--format", "json")
    assert result.exit_code == cli.FAULTS
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert set(first) == {"file", "line", "deal", "trick", "seat", "clause", "where", "reason"}
    assert (first["file"], first["line"], first["deal"]) == (str(games), 2, 12)
    assert (first["trick"], first["clause"], first["where"]) == (0, "COM-16", "tricks[0].winner")
    assert (second["trick"], second["seat"], second["where"]) == (None, None, "payoffs")
    assert (
        "输赢应为"
        in json.loads(run(str(games), "--format", "json", "--lang", "zh").stdout.splitlines()[1])["reason"]
    )


def test_several_files_standard_input_and_packed_ones(games: Path, tmp_path: Path) -> None:
    text = games.read_bytes()
    packed = tmp_path / "games.jsonl.gz"
    packed.write_bytes(gzip.compress(text))
    result = run(str(games), str(packed))
    assert result.stdout.splitlines()[-3] == "6 records judged, 2 of them faulty: 4 faults."
    result = run("-", stdin=text)
    assert result.exit_code == cli.FAULTS
    assert result.stdout.startswith("-, line 2 (deal 12)\n")
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") + b"\r\n  \n")
    result = run(str(marked))
    assert result.stdout.splitlines()[-3] == "3 records judged, 1 of them faulty: 2 faults."


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            b'{"game": "die-wu-fen"',
            "line 1 of .* is no JSON .*; a file of records has one JSON object a line",
        ),
        (b"{\n}\n", "line 1 of .* is no JSON"),
        (b"\xff\xfe{}", "line 1 of .* is no JSON .it is not UTF-8."),
        (b'{"a": NaN}', "line 1 of .* is no JSON .NaN is no JSON number."),
        (b"[" * 100_000, "line 1 of .* is no JSON .it is nested too deeply."),
        (b'{"seed": ' + b"9" * 5000 + b"}", "line 1 of .* is no JSON"),
        (b"\n\n \n", "holds no record"),
        (b"", "holds no record"),
        (
            b"[" + b" " * MAX_LINE_BYTES + b"]",
            "line 1 of .* is longer than 1 MiB, the most a record may take",
        ),
    ],
)
def test_what_is_no_json_is_exit_2_with_one_sentence(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    result = run(str(path))
    assert result.exit_code == cli.BAD_USAGE
    assert result.stderr.count("\n") == 1
    assert re.search(reason, result.stderr)


def test_faults_before_a_line_that_is_no_json_are_printed(games: Path) -> None:
    with games.open("a") as file:
        file.write("{]\n")
    result = run(str(games))
    assert result.exit_code == cli.BAD_USAGE
    assert "COM-16" in result.stdout
    assert "line 4 of" in result.stderr


def test_files_that_cannot_be_read_are_exit_2(tmp_path: Path) -> None:
    packed = tmp_path / "x.gz"
    packed.write_bytes(b"{}")
    cut = tmp_path / "y.gz"
    cut.write_bytes(gzip.compress(b"{}\n" * 5000)[:-20])
    for path in (tmp_path / "nowhere.jsonl", tmp_path, packed, cut):
        result = run(str(path))
        assert result.exit_code == cli.BAD_USAGE
        assert result.stderr.count("\n") == 1
        assert "can't be read" in result.stderr
    assert run().exit_code == cli.BAD_USAGE


def test_what_is_json_but_no_record_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('[1]\nnull\n3\n"x"\n{}\n{"game": "bridge"}\n')
    result = run(str(path))
    assert result.exit_code == cli.FAULTS
    assert result.stdout.splitlines()[-1] == "6 records judged, 6 of them faulty: 6 faults."


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    line = text_of([random_record(DWF, 1)])
    with path.open("w") as file:
        for _ in range(4000):
            file.write(line)
    assert path.stat().st_size > 15_000_000
    tracemalloc.start()
    number = sum(1 for _ in lines([str(path)]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert number == 4000
    assert peak < 2_000_000


def test_auditing_does_not_load_what_it_does_not_need() -> None:
    code = (
        "import sys, tuolaji; tuolaji.audit({}); "
        "sys.exit(bool({'pandas', 'pyarrow', 'tuolaji.sim.engine'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
