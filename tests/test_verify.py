"""`tuolaji verify`: whatever is wrong with a dataset is found, and nothing else."""

from __future__ import annotations

import errno
import json
import os
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
from tuolaji.sim import dataset
from tuolaji.sim.dataset import Digest, PartFile
from tuolaji.sim.errors import UsageError
from tuolaji.sim.verify import Fault, verify

ACCEPTANCE = bool(os.environ.get("TUOLAJI_ACCEPTANCE"))


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
        with PartFile(folder, parts[index], "die-wu-fen", kind, hashed=True) as file:
            for group in file.groups():
                digest.update(group)
        entry = parts[index] if kind == "deals" else parts[index][kind]
        entry |= {"sha256": digest.hexdigest(), "file_sha256": file.file_hash}
        change(folder, parts=parts)


def part(folder: Path, index: int, **keys: Any) -> None:
    """Change a part's entry in the manifest."""
    parts = manifest(folder)["parts"]
    parts[index] |= keys
    change(folder, parts=parts)


def nested(path: Path) -> None:
    """Write a part with metadata that no reader of JSON gets to the end of."""
    table = pq.ParquetFile(path.with_name("part-00001.parquet")).read()
    pq.write_table(table.replace_schema_metadata({"tuolaji": "[" * 10**5}), path)


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
    (lambda d: [(d / "deals/part-00001.parquet").unlink(), (d / "deals/part-00001.parquet").mkdir()],
     "deals/part-00001.parquet", 20, None, "^it is a folder$"),
    (lambda d: nested(d / "deals/part-00001.parquet"),
     "deals/part-00001.parquet", 20, None, "its metadata are not those of its rows"),
    (lambda d: nested(d / "deals/part-00003.parquet"),
     "deals/part-00003.parquet", None, None, "the manifest does not know this file"),
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
    (lambda d: change(d, detail=["tricks"]), "manifest.json", None, None, r"there is no detail \['tricks'\]"),
    (lambda d: (d / "manifest.json").write_text("{"), "manifest.json", None, None, "is not JSON"),
    (lambda d: (d / "manifest.json").write_text("[" * 10**5), "manifest.json", None, None, "is not JSON"),
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
        "sound": True, "complete": True, "deals": 50, "asked": 50, "parts": 3, "replayed": 8, "faults": [],
        "unread": [], "notes": [],
    }  # fmt: skip


def test_an_unfinished_dataset_is_sound_but_not_complete(copy: Path) -> None:
    change(copy, deals=1_000_000)
    result = command(copy)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "50 of 1,000,000 deals are there; `simulate … --resume` plays the rest",
        "sound as far as it goes: 50 deals in 3 parts, 50 rows played again",
    ]
    assert command(copy, "--lang", "zh").stdout.splitlines() == [
        "共 1,000,000 局，已有 50 局；用 `simulate … --resume` 继续",
        "已有部分完好：50 局，3 个部分，重新计算 50 行",
    ]
    assert json.loads(command(copy, "--format", "json").stdout)["complete"] is False
    accepted = command(copy, "--partial")
    assert (accepted.exit_code, accepted.stdout) == (0, result.stdout)
    tamper(copy, "deals/part-00001.parquet", "payoff_1", 3, lambda x: x + 1)
    assert command(copy, "--partial").exit_code == 1


def test_the_summary_of_an_unfinished_dataset_says_of_how_many(copy: Path) -> None:
    whole = CliRunner().invoke(main, ["summary", str(copy)]).stdout
    change(copy, deals=1_000_000)
    assert " of " not in re.search("^deals .*", whole, re.MULTILINE)[0]  # type: ignore[index]
    for lang, words in (("en", "50 of 1,000,000"), ("zh", "50（共 1,000,000）")):
        shown = CliRunner().invoke(main, ["summary", str(copy), "--lang", lang]).stdout
        assert re.search(rf"^(deals|牌局) +{re.escape(words)}$", shown, re.MULTILINE), shown
    found = json.loads(CliRunner().invoke(main, ["summary", str(copy), "--format", "json"]).stdout)
    assert (found["deals"], found["asked"]) == (50, 1_000_000)


# --- what the manifest says beyond reason


@pytest.mark.parametrize("rows", [10**18, 2**61])
@pytest.mark.parametrize("index", [0, 2])
def test_more_rows_than_there_can_be_are_a_fault_of_the_part(copy: Path, rows: int, index: int) -> None:
    part(copy, index, rows=rows)
    result = command(copy)
    assert result.exit_code == 1
    there = 20 if index == 0 else 10
    assert f"it has {there} rows where the manifest has {rows}" in result.stdout
    assert verify(copy).deals == 50 - there


@pytest.mark.parametrize("keys", [{"rows": 10**30}, {"first_deal": 2**63}, {"rows": -1}, {"file_sha256": 7}])
def test_numbers_beyond_all_bounds_are_a_fault_of_the_manifest(copy: Path, keys: dict[str, Any]) -> None:
    part(copy, 1, **keys)
    result = command(copy)
    assert result.exit_code == 1 and "manifest.json: the manifest " in result.stdout, result.output
    assert "is damaged" in result.stdout


def test_rows_of_another_table_beyond_reason_are_a_fault(copy: Path) -> None:
    tricks = manifest(copy)["parts"][1]["tricks"]
    part(copy, 1, tricks=tricks | {"rows": 10**18})
    assert [fault.file for fault in verify(copy).faults] == ["tricks/part-00001.parquet"]


# --- damage that no row shows


@pytest.mark.parametrize(
    "name", ["deals/part-00001.parquet", "tricks/part-00001.parquet", "plays/part-00001.parquet"]
)
def test_a_bit_that_is_flipped_anywhere_is_found(copy: Path, name: str) -> None:
    path = copy / name
    sound = path.read_bytes()
    size, silent = len(sound), 0
    places = (
        range(size) if ACCEPTANCE else (*range(0, size, size // 10), *range(size - 600, size, 60), size - 1)
    )
    for at in places:
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << at % 8]) + sound[at + 1 :])
        found = verify(copy, sample=0).faults
        assert {fault.file for fault in found} >= {name}, at
        silent += "its rows are right" in found[0].reason.en
    assert silent  # there are bytes that no row shows
    path.write_bytes(sound + b"\0")
    assert not verify(copy, sample=0).sound
    path.write_bytes(sound)
    assert verify(copy, sample=0).sound


def test_a_footer_with_other_bounds_than_its_rows_is_a_fault_even_without_hashes(copy: Path) -> None:
    without_hashes(copy)
    path = copy / "deals/part-00001.parquet"
    data = path.read_bytes()
    bound = (25).to_bytes(8, "little")  # the last deal of its first row group, as the footer has it
    at = data.rindex(bound)
    path.write_bytes(data[:at] + (24).to_bytes(8, "little") + data[at + 8 :])
    (fault,) = verify(copy, sample=0).faults
    assert fault.reason.en == "its footer has other bounds of deal than its rows"


def test_an_older_manifest_without_hashes_of_files_is_sound_with_a_note(copy: Path) -> None:
    without_hashes(copy)
    result = command(copy)
    assert result.exit_code == 0
    note, verdict = result.stdout.splitlines()
    assert note.startswith(
        "the manifest has no hash of the bytes of 9 files, for an earlier version wrote it"
    )
    assert verdict.startswith("sound: 50 deals")


def without_hashes(folder: Path) -> None:
    parts = manifest(folder)["parts"]
    for entry in parts:
        for each in (entry, entry["tricks"], entry["plays"]):
            del each["file_sha256"]
    change(folder, parts=parts)


@pytest.mark.parametrize("how", [{"compression": "gzip"}, {"row_group_size": 3}, {"use_dictionary": False}])
def test_a_part_written_again_elsewhere_is_told_and_enters_with_its_own_hash(
    copy: Path, how: dict[str, Any]
) -> None:
    path = copy / "deals/part-00001.parquet"
    pq.write_table(pq.ParquetFile(path).read(), path, **how)
    (fault,) = verify(copy).faults
    assert fault.reason.en.startswith("its rows are right, but it is not the file that was written")
    before = path.read_bytes()
    told: list[Any] = []
    written(copy, 50, session=2, detail="plays", resume=True, found=lambda _, notes: told.extend(notes))
    assert path.read_bytes() == before
    assert [note.en for note in told] == [
        "deals/part-00001.parquet is not the file that was written, but has the same rows; it is kept"
    ]
    assert verify(copy).sound and command(copy).exit_code == 0


@pytest.mark.parametrize("lost", [True, False])
def test_hashes_of_files_are_found_again_on_resume(copy: Path, lost: bool) -> None:
    before = manifest(copy)["parts"]
    if lost:
        (copy / "manifest.json").unlink()
    else:
        without_hashes(copy)
    written(copy, 50, session=2, detail="plays", resume=True)
    assert manifest(copy)["parts"] == before
    assert command(copy).exit_code == 0


# --- what can't be read here is not damaged


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes files of some name refuse to be opened, as for a user without permission (tests may run as root)."""

    def forbid(name: str, number: int = errno.EACCES) -> None:
        opened = dataset.readable

        def refuse(path: Path) -> Any:
            if str(path).endswith(name):
                raise OSError(number, os.strerror(number))
            return opened(path)

        monkeypatch.setattr("tuolaji.sim.dataset.readable", refuse)

    return forbid


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("name", ["deals/part-00001.parquet", "plays/part-00001.parquet"])
def test_a_part_that_may_not_be_read_is_not_called_damaged(
    copy: Path, forbidden: Callable[..., None], name: str, number: int
) -> None:
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    forbidden(name, number)
    report = verify(copy)
    assert not report.faults and not report.sound
    assert [(fault.file, fault.deal) for fault in report.unread] == [(name, 20)]
    result = command(copy)
    why = os.strerror(number)
    assert result.exit_code == 2
    line, *_, verdict = result.stdout.splitlines()
    assert line == f"{name}, deal 20: it can't be read here: {why}; it may be sound, and was not looked at"
    assert verdict == "1 file not read"
    assert command(copy, "--lang", "zh").stdout.splitlines()[-1] == "共 1 个文件未读取"
    assert [each["file"] for each in json.loads(command(copy, "--format", "json").stdout)["unread"]] == [name]
    for lose in (False, True):
        if lose:
            (copy / "manifest.json").unlink()
            del before[copy / "manifest.json"]
        with pytest.raises(
            UsageError, match=f"can't be read here: {why}; it may be sound, and is left as it is"
        ):
            written(copy, 50, session=2, detail="plays", resume=True)
        assert before == {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}


def test_other_faults_are_found_beside_a_part_that_may_not_be_read(
    copy: Path, forbidden: Callable[..., None]
) -> None:
    tamper(copy, "deals/part-00002.parquet", "payoff_1", 3, lambda x: x + 1, rehash=True)
    forbidden("deals/part-00001.parquet")
    result = command(copy)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "1 fault, 1 file not read"


def test_a_part_that_may_not_be_read_has_no_summary_and_no_page(
    copy: Path, forbidden: Callable[..., None]
) -> None:
    forbidden("deals/part-00001.parquet")
    for command_line in (["summary", str(copy)], ["report", str(copy), "--out", str(copy.parent / "page")]):
        result = CliRunner().invoke(main, command_line)
        assert result.exit_code == 2 and "can't be read here: Permission denied" in result.stderr
        assert "can't be used" not in result.stderr


def test_a_manifest_that_may_not_be_read_is_neither_lost_nor_faulty(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (copy / "manifest.json").read_bytes()
    read = Path.read_text

    def refuse(path: Path, *args: Any, **options: Any) -> str:
        if path.name == "manifest.json":
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path, *args, **options)

    monkeypatch.setattr(Path, "read_text", refuse)
    for words in (["verify"], ["summary"], ["replay", "--deal", "3"]):
        result = CliRunner().invoke(main, [*words, str(copy)])
        assert result.exit_code == 2 and "can't be read here: Permission denied" in result.stderr, words
    with pytest.raises(UsageError, match="can't be read here: Permission denied"):
        written(copy, 50, session=2, detail="plays", resume=True)
    assert (copy / "manifest.json").read_bytes() == before


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
