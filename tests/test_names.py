"""Names of files in any bytes, marks at the start of texts, and whole numbers written as 1.0."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runs import manifest

import tuolaji
from tuolaji import cli
from tuolaji.cli import main
from tuolaji.sim.bidding import shipped
from tuolaji.sim.text import clip, legible
from tuolaji.sim.verify import verify

ODD = os.fsdecode(b"odd\xff\\'")
MARK = b"\xef\xbb\xbf"
QUICK = ["--deals", "100", "--policy", "random", "--workers", "1"]


def ran(*args: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*args])
    assert caught.value.code == code


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in a file system that takes any bytes."""
    monkeypatch.chdir(tmp_path)
    try:
        (tmp_path / ODD).mkdir()
    except (OSError, UnicodeError):
        pytest.skip("names are Unicode here")
    (tmp_path / ODD).rmdir()
    return tmp_path


def records(path: Path, number: int = 2) -> None:
    found = (tuolaji.replay("dwf", 7, deal, policies="random") for deal in range(number))
    path.write_text("".join(json.dumps(record) + "\n" for record in found))


# --- names


def test_a_dataset_may_have_any_name(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["simulate", "dwf", *QUICK, "--out", ODD]
    monkeypatch.setattr(sys, "argv", ["tuolaji", *line])
    ran(*line)
    ran("summary", ODD)
    ran("verify", ODD)
    ran("replay", ODD, "--deal", "3")
    ran(*line, "--deals", "200", "--resume")
    capsys.readouterr()
    assert verify(here / ODD).complete
    assert manifest(here / ODD)["deals"] == 200
    # and the shell makes the same of what is written down
    (typed, _) = manifest(here / ODD)["command_lines"]
    done = subprocess.run(
        ["bash", "-c", f"printf %s {typed.rpartition('--out ')[2]}"], capture_output=True, check=True
    )
    assert os.fsdecode(done.stdout) == ODD
    ran("summary", f"{ODD}-2", code=2)
    assert r"odd\xff\'-2" in capsys.readouterr().err


def test_records_may_have_any_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(here / ODD)
    ran("audit", ODD)
    ran("import", ODD, "--out", "people")
    assert r"records imported into people" in capsys.readouterr().out
    assert manifest(here / "people")["sources"] == [{"file": r"odd\xff\'", "deals": 2}]
    (here / ODD).write_text('{"game": "die-wu-fen"}\nnothing\n')
    ran("audit", ODD, "--format", "json", code=2)
    assert r"odd\xff" in capsys.readouterr().err


def test_rules_and_biddings_may_have_any_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{ODD}.toml"
    (here / name).write_text('game = "die-wu-fen"\nbottom_multiplier = 4\n')
    ran("rules", "check", name)
    assert capsys.readouterr().out.startswith(r"odd\xff\'.toml: sound rules")
    ran("simulate", "dwf", *QUICK, "--rules", name, "--out", "plain")
    assert manifest(here / "plain")["rules"]["name"] == r"odd\xff" + "\\'"
    variants = ["--variant", name, "--variant", "bid_max=190"]
    ran("compare", "dwf", *QUICK, "--resamples", "100", *variants, "--out", f"c{ODD}")
    assert manifest(here / f"c{ODD}")["variants"]
    (here / name).write_text(shipped().to_toml({}))
    ran("simulate", "dwf", "--deals", "20", "--bidding", name, "--out", "bids")
    assert manifest(here / "bids")["bidding"][0]["name"] == r"odd\xff" + "\\'"
    (here / name).write_text("game = 5\n")
    ran("rules", "check", name, code=1)
    assert r"odd\xff" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("a b", "'a b'"),
        ("牌", "'牌'"),
        (os.fsdecode("牌".encode()), "'牌'"),
        (os.fsdecode(b"\xff\n"), r"$'\xff\x0a'"),
    ],
)
def test_what_was_typed_can_be_pasted_again(monkeypatch: pytest.MonkeyPatch, word: str, quoted: str) -> None:
    monkeypatch.setattr(sys, "argv", ["tuolaji", word])
    assert cli.command_line() == f"tuolaji {quoted}"


def test_what_can_not_be_written_is_made_legible() -> None:
    assert legible("牌 ♠") == "牌 ♠"
    escaped = "牌".encode().decode("ascii", "surrogateescape")
    assert legible(escaped) == "牌"
    assert legible("\udcff") == r"\xff"
    assert legible("\ud800") == r"\ud800"  # JSON may hold such a thing
    assert clip(f"a{escaped}") == '"a牌"'


def test_an_address_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    ran("simulate", "dwf", *QUICK, "--out", "s3://bucket/\udcff", code=2)
    assert r'"s3://bucket/\xff" holds something else than UTF-8' in capsys.readouterr().err


#: Several commands, in one process to save time.
SCRIPT = """
import os, sys
from tuolaji.cli import main
quick = ["--deals", "100", "--policy", "random", "--workers", "1"]
folder, records, rules = sys.argv[1:4]
for line in (
    ["simulate", sys.argv[4], *quick, "--hold", sys.argv[5], "--rules", rules, "--out", folder],
    ["summary", folder], ["verify", folder], ["verify", "file://" + os.getcwd() + "/" + folder],
    ["simulate", sys.argv[4], *quick, "--hold", sys.argv[5], "--rules", rules, "--out", folder, "--resume"],
    ["import", records, "--out", folder + "2"], ["summary", folder + "2", "--lang", "zh"],
):
    sys.argv[1:] = line
    try:
        main(line)
    except SystemExit as end:
        assert end.code == 0, (line, end.code)
"""


@pytest.mark.skipif(os.name != "posix", reason="locales of POSIX")
def test_chinese_names_where_the_locale_has_none(tmp_path: Path) -> None:
    records(tmp_path / "谱.jsonl")
    (tmp_path / "规.toml").write_bytes(MARK + b'game = "die-wu-fen"\n')
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "牌", "谱.jsonl", "规.toml", "跌五分", "0:♠3，大王"], cwd=tmp_path,
        env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["牌", "牌2", "规.toml", "谱.jsonl"])
    found = manifest(tmp_path / "牌")
    assert found["rules"]["name"] == "规"
    assert "--out '牌'" in found["command_lines"][0]
    assert manifest(tmp_path / "牌2")["sources"] == [{"file": "谱.jsonl", "deals": 2}]


# --- marks at the start


def test_a_mark_at_the_start_of_a_text_is_none_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules.toml").write_bytes(MARK + b'game = "die-wu-fen"\nbottom_multiplier = 4\n')
    ran("rules", "check", "rules.toml")
    Path("bids.toml").write_bytes(MARK + shipped().to_toml({}).encode())
    ran("simulate", "dwf", "--deals", "20", "--rules", "rules.toml", "--bidding", "bids.toml", "--out", "d")
    records(Path("one.jsonl"), 1)
    one = MARK + Path("one.jsonl").read_bytes()
    Path("both.jsonl").write_bytes(one + one + MARK + b"\n")
    ran("audit", "both.jsonl")
    for text in (Path("d/manifest.json"),):
        text.write_bytes(MARK + text.read_bytes())
    ran("summary", "d")
    ran("verify", "d")
    ran(
        "simulate",
        "dwf",
        "--deals",
        "40",
        "--rules",
        "rules.toml",
        "--bidding",
        "bids.toml",
        "--out",
        "d",
        "--resume",
    )


# --- whole numbers


def floats(value: Any, to: Any = float) -> Any:
    """The same, each whole number as a fraction."""
    if isinstance(value, dict):
        return {key: floats(each, to) for key, each in value.items()}
    if isinstance(value, list):
        return [floats(each, to) for each in value]
    return to(value) if isinstance(value, int) and not isinstance(value, bool) else value


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where there are whole numbers."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
def test_whole_numbers_may_be_written_as_fractions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.chdir(tmp_path)
    record = tuolaji.replay(game, 7, 0, policies="random")
    for to in (float, np.int64, np.float64):
        assert tuolaji.audit(floats(record, to)) == []
    Path("floats.jsonl").write_text(json.dumps(floats(record)) + "\n" + json.dumps(record) + "\n")
    ran("audit", "floats.jsonl")
    ran("import", "floats.jsonl", "--out", "people")
    assert verify(tmp_path / "people").sound


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
def test_half_a_number_is_one_fault(game: str) -> None:
    record = tuolaji.replay(game, 7, 0, policies="random")
    known = [*places(record)]
    assert len(known) > 100
    for path in known[:40] + known[40::7]:
        changed = floats(json.loads(json.dumps(record)))
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] += 0.5
        faults = tuolaji.audit(changed)
        assert len(faults) == 1, (path, [fault.reason for fault in faults])
