"""The dataset on disk: schema, manifest, metadata, hash; what is refused; what a failure leaves behind."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tuolaji
from tuolaji.sim import columns, part_writer, writer
from tuolaji.sim.dataset import Dataset, read_manifest
from tuolaji.sim.errors import RunError, UsageError
from tuolaji.sim.open_part import OpenFile
from tuolaji.sim.plan import Plan, make_plan
from tuolaji.sim.simulate import run
from tuolaji.sim.summary import summarize

SCHEMA = """
deal int64, session int32, hand int16, first_seat int8, trump dictionary, banker int8, banker_trumps int8,
banker_trump_pairs int8, bottom_points int16, bottom_multiplier int8, captured int16,
defender_points int16, throws int8, failed_throws int8, tricks int8, last_winner int8, payoff_0 int16,
payoff_1 int16, payoff_2 int16, redeals int16, caller int8, call_size int8, call_after int8,
countered bool, opener int8, bid int16, base int8, bids_made int8, result dictionary, shutout bool,
penalty_0 int16, penalty_1 int16, penalty_2 int16
"""
TYPES: dict[str, str] = dict(entry.split() for entry in SCHEMA.split(","))
INT8 = [name for name, kind in TYPES.items() if kind == "int8"]


def written(folder: Path, deals: int = 60, **options: Any) -> Plan:
    """A dataset in `folder`; options of the plan and of the run."""
    of_run = {
        key: options.pop(key) for key in ("first", "workers", "chunk", "command_line") if key in options
    }
    plan = make_plan("dwf", **{"policies": "random", "seed": 3, **options})
    run(plan, deals, out=folder, **of_run)
    return plan


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "deals").glob("*.parquet"))
    return [row for file in files for row in pq.ParquetFile(file).read().to_pylist()]


def small_parts(monkeypatch: pytest.MonkeyPatch, size: int, group: int = 7) -> None:
    monkeypatch.setattr("tuolaji.sim.dataset.PART_ROWS", size)
    monkeypatch.setattr(part_writer, "GROUP_ROWS", group)
    monkeypatch.setattr("tuolaji.sim.parts.GROUP_ROWS", group)


# --- what is in it ----------------------------------------------------------------------------------


def test_columns_have_the_documented_names_and_types(tmp_path: Path) -> None:
    written(tmp_path / "d")
    schema = pq.ParquetFile(tmp_path / "d/deals/part-00000.parquet").schema_arrow
    assert schema.names == [*TYPES]
    for field in schema:
        kind = (
            "dictionary<values=string, indices=int8, ordered=0>"
            if TYPES[field.name] == "dictionary"
            else TYPES[field.name]
        )
        assert str(field.type) == kind
    assert not any(field.nullable for field in schema)


def test_rows_are_what_the_engine_played(tmp_path: Path) -> None:
    from tuolaji.sim.engine import Engine

    plan = written(tmp_path / "d", 60, session=3, first=6)
    played = Engine(plan).play(6, 60)
    for i, row in enumerate(rows(tmp_path / "d")):
        assert (row["deal"], row["session"], row["hand"]) == (6 + i, (6 + i) // 3, i % 3)
        assert row["trump"] == "shcd"[played["trump"][i]]
        assert row["result"] == ("made", "broken")[played["result"][i]]
        for name, values in played.items():
            if name not in ("trump", "result"):
                assert row[name] == values[i], name
        assert sum(row[f"payoff_{seat}"] for seat in range(3)) == 0


def test_the_types_hold_the_largest_values_the_rules_allow(tmp_path: Path) -> None:
    # A base value of 100, kings of 50 points: nothing may wrap round in a narrow column.
    options = ["points_king=50", "points_ten=50", "points_five=50", "bid_step=5", "made_total=2000"]
    options += ["shutout_total=4000", "bottom_multiplier=16", f"base_table=[{','.join(['100'] * 10)}]"]
    from tuolaji.sim.engine import Engine

    plan = written(tmp_path / "d", 300, overrides=options)
    played = Engine(plan).play(0, 300)
    for name in INT8:
        assert [row[name] for row in rows(tmp_path / "d")] == played[name].tolist(), name
    assert played["base"].max() == 100
    assert played["defender_points"].max() > 500


def test_a_fixed_contract_leaves_calling_and_bidding_empty(tmp_path: Path) -> None:
    written(tmp_path / "d", contract={"banker": 1, "trump": "h", "bid": 150})
    for row in rows(tmp_path / "d"):
        expected = {
            "banker": 1,
            "trump": "h",
            "bid": 150,
            "base": 5,
            "caller": -1,
            "opener": -1,
            "redeals": 0,
        }
        expected |= {"call_size": 0, "call_after": 0, "bids_made": 0, "countered": False}
        assert {key: row[key] for key in expected} == expected


def test_metadata_hold_what_determines_the_rows_and_nothing_else(tmp_path: Path) -> None:
    plan = written(tmp_path / "d", 12, session=3, first=6, policies=["random", "banker=greedy"])
    metadata = pq.ParquetFile(tmp_path / "d/deals/part-00000.parquet").schema_arrow.metadata
    assert json.loads(metadata[b"tuolaji"]) == {
        "format": 1,
        "game": "die-wu-fen",
        "rules": plan.rules.options(),
        "rules_hash": plan.rules.hash(),
        "policies": {"bidding": "random", "banker": "greedy", "defender": "random"},
        "weights": {"greedy": "", "random": ""},
        "seed": 3,
        "session": 3,
        "rows_version": 2,
        "first_deal": 6,
        "rows": 12,
    }


def test_the_manifest(tmp_path: Path) -> None:
    plan = written(tmp_path / "d", 12, first=5, chunk=4, command_line="tuolaji simulate …")
    manifest = json.loads((tmp_path / "d/manifest.json").read_text("utf-8"))
    part = manifest["parts"][0]
    assert (part["file"], part["first_deal"], part["rows"]) == ("deals/part-00000.parquet", 5, 12)
    expected = {
        "format": 1,
        "tool": f"tuolaji {tuolaji.__version__}",
        "first": 5,
        "deals": 12,
        "chunk": 4,
        "seed": 3,
    }
    expected |= {
        "rules": plan.rules.to_dict(),
        "command_lines": ["tuolaji simulate …"],
        "policies": {"all": "random"},
    }
    assert {key: manifest[key] for key in expected} == expected
    assert manifest["started"] <= manifest["ended"]
    assert set(manifest["libraries"]) == {"python", "numpy", "numba", "pyarrow"}
    assert sorted(path.name for path in (tmp_path / "d").rglob("*")) == [
        "deals",
        "manifest.json",
        "part-00000.parquet",
    ]


def test_the_hash_is_the_documented_one(tmp_path: Path) -> None:
    # docs/dataset.md, done again from what pyarrow reads, value by value.
    written(tmp_path / "d", 40)
    table = pq.ParquetFile(tmp_path / "d/deals/part-00000.parquet").read()
    digests = b""
    for column in columns.columns_of("die-wu-fen"):
        digest = hashlib.sha256(f"{column.name} {column.type}\n".encode())
        for value in table[column.name].to_pylist():
            if column.type == "dictionary":
                digest.update(bytes([column.values.index(value)]))
            elif column.type == "bool":
                digest.update(bytes([value]))
            else:
                digest.update(value.to_bytes(int(column.type[3:]) // 8, "little", signed=True))
        digests += digest.digest()
    assert read_manifest(tmp_path / "d")["parts"][0]["sha256"] == hashlib.sha256(digests).hexdigest()


def test_the_documented_columns_are_all_columns() -> None:
    names = [name for name, _, _ in columns.documented("die-wu-fen")]
    for kind in ("payoff", "penalty"):
        at = names.index(f"{kind}_0 … {kind}_2")
        names[at : at + 1] = [f"{kind}_{seat}" for seat in range(3)]
    assert names == [*TYPES]


# --- parts ------------------------------------------------------------------------------------------


def test_parts_are_full_but_for_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 25)
    written(tmp_path / "d", 60, first=10)
    parts = read_manifest(tmp_path / "d")["parts"]
    assert [(part["first_deal"], part["rows"]) for part in parts] == [(10, 25), (35, 25), (60, 10)]
    assert [row["deal"] for row in rows(tmp_path / "d")] == list(range(10, 70))
    file = pq.ParquetFile(tmp_path / "d/deals/part-00001.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [7, 7, 7, 4]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize("workers", [1, 2, 8])  # eight write several parts at a time
def test_no_more_rows_wait_than_a_row_group_or_where_there_are_many_workers_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    small_parts(monkeypatch, 25)
    most = 25 if workers == 8 else 7
    waiting: list[int] = []

    def noting(name: str) -> Any:
        real = getattr(writer.DatasetWriter, name)

        def write(self: writer.DatasetWriter, index: int, pieces: Any, details: Any) -> Any:
            waiting.append(sum(len(piece["banker"]) for piece in pieces))
            return real(self, index, pieces, details)

        return write

    for name in ("write_rows", "write_part"):
        monkeypatch.setattr(writer.DatasetWriter, name, noting(name))
    written(tmp_path / "d", 110, workers=workers, chunk=10)
    assert sum(waiting) == 110
    assert max(waiting) == most
    assert len(waiting) == (5 if workers == 8 else 4 * 4 + 2)
    parts = read_manifest(tmp_path / "d")["parts"]
    monkeypatch.undo()
    small_parts(monkeypatch, 25)
    written(tmp_path / "e", 110, workers=1)
    assert parts == read_manifest(tmp_path / "e")["parts"]
    for part in parts:
        path = tmp_path / "d" / part["file"]
        about = json.loads(pq.read_metadata(path).metadata[b"tuolaji"])
        assert about == json.loads(pq.read_schema(path).metadata[b"tuolaji"])
        assert (about["first_deal"], about["rows"]) == (part["first_deal"], part["rows"])


def test_parts_hold_whole_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 25)
    written(tmp_path / "d", 60, session=10)
    assert [part["rows"] for part in read_manifest(tmp_path / "d")["parts"]] == [20, 20, 20]


def test_parts_do_not_depend_on_chunks_and_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 30)
    for name, workers, chunk in (("a", 1, 1000), ("b", 2, 7), ("c", 3, 1)):
        written(tmp_path / name, 100, workers=workers, chunk=chunk)
    for part in range(4):
        files = [tmp_path / name / f"deals/part-0000{part}.parquet" for name in "abc"]
        assert len({file.read_bytes() for file in files}) == 1
    hashes = [[part["sha256"] for part in read_manifest(tmp_path / name)["parts"]] for name in "abc"]
    assert hashes[0] == hashes[1] == hashes[2]


# --- reading ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("session", [1, 10])
def test_the_summary_of_a_dataset_is_that_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: int
) -> None:
    small_parts(monkeypatch, 35)
    plan = make_plan("dwf", policies="random", session=session, seed=4)
    played = run(plan, 200, out=tmp_path / "d", chunk=60)
    stored = summarize(Dataset(tmp_path / "d"))
    assert stored.totals == played.totals
    assert stored.plan == plan
    assert stored.to_dict() == {key: value for key, value in played.to_dict().items() if key != "run"}


def test_columns_are_read_as_they_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 30)
    written(tmp_path / "d", 60)
    read = list(Dataset(tmp_path / "d").read(["trump", "shutout", "deal", "payoff_1"]))
    joined = {name: np.concatenate([piece[name] for piece in read]).tolist() for name in read[0]}
    stored = rows(tmp_path / "d")
    assert joined["deal"] == [row["deal"] for row in stored]
    assert joined["payoff_1"] == [row["payoff_1"] for row in stored]
    assert joined["shutout"] == [int(row["shutout"]) for row in stored]
    assert joined["trump"] == ["shcd".index(row["trump"]) for row in stored]


def damage(folder: Path, how: str) -> None:
    part = folder / "deals/part-00000.parquet"
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    if how == "truncated":
        part.write_bytes(part.read_bytes()[:-50])
    elif how == "zeroed":
        content = part.read_bytes()
        part.write_bytes(content[:200] + bytes(1500) + content[1700:])
    elif how == "missing":
        part.unlink()
    elif how == "empty":
        part.write_bytes(b"")
    elif how == "foreign":
        pq.write_table(pa.Table.from_batches([pa.record_batch({"x": [1]})]), part)
    elif how == "no manifest":
        (folder / "manifest.json").unlink()
    else:
        change: dict[str, Any] = {
            "rows": {"parts": [{**manifest["parts"][0], "rows": 59}]},
            "gap": {"parts": [{**manifest["parts"][0], "first_deal": 1}]},
            "no parts": {"parts": []},
            "parts no list": {"parts": 3},
            "newer": {"format": 2},
            "policy": {"policies": {"all": "clairvoyant"}},
        }
        text = json.dumps(manifest | change[how]) if how in change else how
        (folder / "manifest.json").write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("truncated", r"part-00000.parquet\" can't be used: "),
        ("zeroed", r"part-00000.parquet\" can't be used: "),
        ("missing", r"part-00000.parquet\" can't be used: there is no such file"),
        ("empty", r"part-00000.parquet\" can't be used: "),
        ("foreign", r"can't be used: its columns are not those of die-wu-fen"),
        ("rows", r"it has 60 rows where the manifest has 59"),
        ("gap", r"does not number the parts' deals"),
        ("no parts", r"has no finished part yet"),
        ("parts no list", r"is damaged"),
        ("newer", r"has format 2; this version reads format 1"),
        ("policy", r"clairvoyant.*allowed are .*greedy"),
        ("no manifest", r"is no dataset: it has no manifest.json"),
        ("{", r"manifest.json\" can't be read: it is not JSON"),
        ("[]", r"manifest.json\" has format None"),
    ],
)
def test_a_damaged_dataset_is_refused(tmp_path: Path, how: str, sentence: str) -> None:
    written(tmp_path / "d", 60)
    damage(tmp_path / "d", how)
    with pytest.raises(UsageError, match=sentence) as caught:
        summarize(Dataset(tmp_path / "d"))
    assert "\n" not in str(caught.value)


# --- what is refused, and failures ------------------------------------------------------------------


def test_only_a_new_or_empty_folder_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    written(tmp_path / "empty", 2)
    written(tmp_path / "new/in/new", 2)
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes").write_text("x")
    before = sorted(tmp_path.rglob("*"))
    for name, sentence in [
        ("empty", "already holds a dataset"),
        ("file", "is a file"),
        ("file/below", "Not a directory"),
        ("full", "is not empty"),
        ("x" * 300, "File name too long"),
        ("nul\0", "null"),
    ]:
        with pytest.raises(UsageError, match=sentence):
            written(tmp_path / name, 2)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unwritable_folder_is_refused_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: writer.DatasetWriter) -> None:
        raise PermissionError(13, "Permission denied", "manifest.json")

    monkeypatch.setattr(writer.DatasetWriter, "_save", refuse)
    with pytest.raises(UsageError, match=r"can't write to the folder .*: Permission denied"):
        written(tmp_path / "a/b", 2)
    assert list(tmp_path.iterdir()) == []


def full_disk(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let `after` parts be written; the next finds the disk full half way."""
    real = OpenFile.write

    def write(self: OpenFile, *args: Any) -> None:
        real(self, *args)
        if f"part-{after:05}" in self.path.name:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(OpenFile, "write", write)


def test_a_full_disk_ends_the_run_and_keeps_finished_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 20)
    full_disk(monkeypatch, after=2)
    with pytest.raises(RunError) as caught:
        written(tmp_path / "d", 100, workers=1)
    message = str(caught.value)
    assert (
        "deals/part-00002.parquet can't be written: No space left on device; 40 deals are complete" in message
    )
    assert "the same call with resume=True plays the other 60" in message
    assert summarize(Dataset(tmp_path / "d")).totals.deals == 40
    names = sorted(path.name for path in (tmp_path / "d").rglob("*"))
    assert names == ["deals", "manifest.json", "part-00000.parquet", "part-00001.parquet"]


def test_a_run_that_finishes_nothing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full_disk(monkeypatch, after=0)
    with pytest.raises(RunError, match="nothing was written"):
        written(tmp_path / "a/b", 10)
    assert list(tmp_path.iterdir()) == []


def test_a_manifest_that_cannot_be_replaced_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch, 20)
    saved = []
    real = writer.DatasetWriter._save

    def save(self: writer.DatasetWriter) -> None:
        if len(saved) >= 3:  # the empty one and two parts
            raise OSError(28, "No space left on device")
        real(self)
        saved.append(len(self.parts))

    monkeypatch.setattr(writer.DatasetWriter, "_save", save)
    with pytest.raises(RunError, match="the manifest can't be written: No space left on device; 40 deals"):
        written(tmp_path / "d", 100, workers=1)
    assert saved == [0, 1, 2]
    assert [part["rows"] for part in read_manifest(tmp_path / "d")["parts"]] == [20, 20]
    assert len(list((tmp_path / "d/deals").iterdir())) == 2
