"""`tuolaji verify`: whatever is wrong with a dataset is found, and nothing else."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from runs import change, manifest, small_parts, written

from tuolaji.cli import main
from tuolaji.sim.dataset import Digest, PartFile
from tuolaji.sim.errors import UsageError
from tuolaji.sim.verify import Fault, verify


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 20)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of both other tables and of sessions, to be copied."""
    folder = tmp_path_factory.mktemp("sound") / "d"
    with pytest.MonkeyPatch.context() as monkeypatch:
        small_parts(monkeypatch, 20)
        written(folder, 50, session=2, detail="plays")
    return folder


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "d"))


def command(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, args)], catch_exceptions=False)


@pytest.mark.parametrize("game", ["dwf", "hwwj"])
@pytest.mark.parametrize(
    "options", [{}, {"session": 5}, {"detail": "tricks"}, {"session": 2, "detail": "plays"}]
)
def test_a_sound_dataset_is_sound(tmp_path: Path, game: str, options: dict[str, Any]) -> None:
    written(tmp_path / "d", 50, game, first=10, **options)
    report = verify(tmp_path / "d", sample=30, workers=2)
    assert report.sound and report.complete
    assert (report.deals, report.asked, report.parts, report.replayed) == (50, 50, 3, 30)
    assert verify(tmp_path / "d", sample=10**9).replayed == 50
    assert verify(tmp_path / "d", sample=0).replayed == 0


def test_the_sample_depends_on_the_seed(copy: Path) -> None:
    tamper(copy, "deals/part-00001.parquet", "captured", 3, lambda x: x + 5, rehash=True)
    found = [verify(copy, sample=10, seed=seed).sound for seed in range(12)]
    assert True in found and False in found
    assert found == [verify(copy, sample=10, seed=seed).sound for seed in range(12)]


# --- faults: (what is done, the file, the deal, the column, words of the reason)


def tamper(
    folder: Path, name: str, column: str, row: int, new: Callable[[Any], Any], *, rehash: bool = False
) -> None:
    """Change a value; with ``rehash`` so that the manifest has the new hash."""
    path = folder / name
    table = pq.ParquetFile(path).read()
    values = table[column].to_pylist()
    values[row] = new(values[row])
    at, field = table.schema.get_field_index(column), table.schema.field(column)
    if pa.types.is_dictionary(field.type):
        array = pa.array(values, pa.string()).dictionary_encode().cast(field.type)
    else:
        array = pa.array(values, field.type)
    pq.write_table(table.set_column(at, field, array), path)
    if rehash:
        parts = manifest(folder)["parts"]
        kind, index = name.split("/", 1)[0], int(name[-13:-8])
        digest = Digest("die-wu-fen", kind)
        with PartFile(folder, parts[index], "die-wu-fen", kind) as file:
            for group in file.groups():
                digest.update(group)
        (parts[index] if kind == "deals" else parts[index][kind])["sha256"] = digest.hexdigest()
        change(folder, parts=parts)


def part(folder: Path, index: int, **keys: Any) -> None:
    """Change a part's entry in the manifest."""
    parts = manifest(folder)["parts"]
    parts[index] |= keys
    change(folder, parts=parts)


FAULTS: list[tuple[Callable[[Path], Any], str, int | None, str | None, str]] = [
    (lambda d: tamper(d, "deals/part-00001.parquet", "payoff_1", 3, lambda x: x + 1),
     "deals/part-00001.parquet", 20, None, "hash"),
    (lambda d: tamper(d, "deals/part-00001.parquet", "payoff_1", 3, lambda x: x + 1, rehash=True),
     "deals/part-00001.parquet", 23, "payoff_1", "payoff_1 is .*, played again "),
    (lambda d: tamper(d, "deals/part-00002.parquet", "trump", 0, lambda x: "s" if x != "s" else "h", rehash=True),
     "deals/part-00002.parquet", 40, "trump", "trump is [sh], played again [hcds]"),
    (lambda d: tamper(d, "deals/part-00000.parquet", "deal", 7, lambda _: 99, rehash=True),
     "deals/part-00000.parquet", None, "deal", "row 7 is out of place"),
    (lambda d: tamper(d, "deals/part-00000.parquet", "hand", 4, lambda _: 1, rehash=True),
     "deals/part-00000.parquet", None, "hand", "row 4 is out of place"),
    (lambda d: tamper(d, "tricks/part-00000.parquet", "points", 9, lambda x: x + 5, rehash=True),
     "tricks/part-00000.parquet", 0, "points", r"points is .* \(trick 9\), played again "),
    (lambda d: tamper(d, "tricks/part-00000.parquet", "leader", 3, lambda x: (x + 1) % 3),
     "tricks/part-00000.parquet", 0, None, "hash"),
    (lambda d: tamper(d, "plays/part-00001.parquet", "cards", 2, lambda _: "3h 3h Kh", rehash=True),
     "plays/part-00001.parquet", 20, "cards", r'cards is "3h 3h Kh" \(trick 0\), played again "'),
    (lambda d: tamper(d, "plays/part-00001.parquet", "role", 2, lambda x: "partner", rehash=True),
     "plays/part-00001.parquet", 20, "role", r"role is partner \(trick 0\), played again "),
    (lambda d: tamper(d, "plays/part-00001.parquet", "deal", 2, lambda x: 21, rehash=True),
     "plays/part-00001.parquet", None, "deal", "row 2 is out of place"),
    (lambda d: (d / "deals/part-00001.parquet").unlink(),
     "deals/part-00001.parquet", 20, None, "there is no such file"),
    (lambda d: (d / "plays/part-00001.parquet").write_bytes(b"PAR1"),
     "plays/part-00001.parquet", 20, None, "."),
    (lambda d: pq.write_table(pa.table({"x": [1]}), d / "deals/part-00002.parquet"),
     "deals/part-00002.parquet", 40, None, "its columns are not those of die-wu-fen"),
    (lambda d: pq.write_table(pq.ParquetFile(d / "deals/part-00002.parquet").read().slice(2),
                              d / "deals/part-00002.parquet"),
     "deals/part-00002.parquet", 40, None, "it has 8 rows where the manifest has 10"),
    (lambda d: shutil.copy(d / "deals/part-00002.parquet", d / "deals/part-00003.parquet"),
     "deals/part-00003.parquet", None, None, "the manifest does not know this file"),
    (lambda d: shutil.copy(d / "deals/part-00000.parquet", d / "deals/part-00001.parquet"),
     "deals/part-00001.parquet", 20, None, "its metadata are not those of its rows"),
    (lambda d: change(d, parts=[manifest(d)["parts"][0], manifest(d)["parts"][2]]),
     "deals/part-00002.parquet", 40, None, "deals 20 to 39 are missing before it"),
    (lambda d: change(d, parts=[*manifest(d)["parts"][:2], *manifest(d)["parts"][1:]]),
     "deals/part-00001.parquet", 20, None, "deals 20 to 39 are there twice"),
    (lambda d: change(d, deals=40), "manifest.json", None, None, "there are deals beyond the last, 39"),
    (lambda d: change(d, seed=4), "deals/part-00000.parquet", 0, None, "its metadata are not those"),
    (lambda d: change(d, rules_hash="0"), "manifest.json", None, "rules_hash", "is not the hash"),
    (lambda d: change(d, weights={"random": "1"}), "manifest.json", None, "weights", "weights are not those"),
    (lambda d: change(d, rows_version=7), "manifest.json", None, "rows_version", "rows_version is 7, here 2"),
    (lambda d: change(d, policies={"all": "oracle"}), "manifest.json", None, None, "oracle"),
    (lambda d: change(d, detail="thoughts"), "manifest.json", None, None, "there is no detail .thoughts."),
    (lambda d: (d / "manifest.json").write_text("{"), "manifest.json", None, None, "is not JSON"),
    (lambda d: (d / "manifest.json").unlink(), "manifest.json", None, None, "has no manifest.json"),
    (lambda d: part(d, 0, file="../../../etc/passwd"), "manifest.json", None, None, "damaged"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("damage", "file", "deal", "column", "words"), FAULTS, ids=[f"{i}" for i in range(len(FAULTS))]
)
def test_every_fault_is_found(
    copy: Path, damage: Any, file: str, deal: int | None, column: str | None, words: str
) -> None:
    damage(copy)
    found = verify(copy, sample=10**6).faults

    def is_it(fault: Fault) -> bool:
        where = (fault.file, fault.deal, fault.column) == (file, deal, column)
        return where and re.search(words, fault.reason.en) is not None

    assert any(map(is_it, found)), [fault.to_dict() for fault in found]


def test_a_changed_value_is_one_fault(copy: Path) -> None:
    tamper(copy, "deals/part-00001.parquet", "payoff_1", 3, lambda x: x + 1, rehash=True)
    (fault,) = verify(copy, sample=50).faults
    assert (fault.deal, fault.column) == (23, "payoff_1")


def test_what_is_no_dataset_is_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no dataset"):
        verify(tmp_path)
    result = command(tmp_path / "nowhere")
    assert (result.exit_code, result.stdout) == (2, "")


# --- the command


def test_the_command_on_a_sound_dataset(copy: Path) -> None:
    result = command(copy)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "sound: 50 deals in 3 parts, 50 rows played again\n"
    assert command(copy, "--lang", "zh").stdout == "完好：50 局，3 个部分，重新计算 50 行\n"
    found = json.loads(command(copy, "--format", "json", "--sample", "7").stdout)
    assert found == {
        "sound": True, "complete": True, "deals": 50, "asked": 50, "parts": 3, "replayed": 8, "faults": [], "notes": [],
    }  # fmt: skip


def test_an_unfinished_dataset_is_sound_but_not_complete(copy: Path) -> None:
    change(copy, deals=80)
    result = command(copy)
    assert result.exit_code == 0
    note, verdict = result.stdout.splitlines()
    assert note == "50 of 80 deals are there; `simulate … --resume` plays the rest"
    assert verdict.startswith("sound")
    assert json.loads(command(copy, "--format", "json").stdout)["complete"] is False


def test_the_command_names_each_fault_on_a_line(copy: Path) -> None:
    tamper(copy, "deals/part-00001.parquet", "payoff_1", 3, lambda _: 77, rehash=True)
    (copy / "tricks/part-00002.parquet").unlink()
    result = command(copy)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("deals/part-00001.parquet, deal 23: payoff_1 is 77, played again ")
    assert lines[1:] == ["tricks/part-00002.parquet, deal 40: there is no such file", "2 faults"]
    chinese = command(copy, "--lang", "zh").stdout.splitlines()
    assert chinese[0].startswith("deals/part-00001.parquet，第 23 局：payoff_1 为 77，重新计算得 ")
    assert chinese[2] == "共 2 处错误"
    found = json.loads(command(copy, "--format", "json").stdout)
    assert found["sound"] is False
    assert [(fault["file"], fault["deal"], fault["column"]) for fault in found["faults"]] == [
        ("deals/part-00001.parquet", 23, "payoff_1"),
        ("tricks/part-00002.parquet", 40, None),
    ]


def test_many_faults_are_cut_short(copy: Path) -> None:
    path = copy / "plays/part-00000.parquet"
    table = pq.ParquetFile(path).read()
    at = table.schema.get_field_index("cards")
    pq.write_table(
        table.set_column(at, table.schema.field(at), pa.array(["As"] * table.num_rows, pa.string())), path
    )
    faults = verify(copy).faults
    assert len(faults) == 102  # the hash, a hundred, and more
    assert faults[-1].reason.en == "and more"
