"""`--detail tricks|plays`: the tables say what the records say, and their hash is the documented one."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from runs import contents, manifest, names, plan_of, small_parts, written

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim.columns import columns_of, documented
from tuolaji.sim.engine import Engine
from tuolaji.sim.replay import records

from naive import DWF, HW, components, effective_suit

TRICKS = (
    "deal int64, trick int8, leader int8, winner int8, points int16, cards_led int8, lead_kind dictionary, "
)
TRICKS += "throw bool, failed bool, ruffed bool"
PLAYS = "deal int64, trick int8, position int8, seat int8, cards string, role dictionary"


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    files = sorted((folder / table).glob("*.parquet"))
    return [row for file in files for row in pq.ParquetFile(file).read().to_pylist()]


def expected(game: str, options: dict[str, Any], first: int, count: int) -> tuple[list[Any], list[Any]]:
    """Both tables from the records of the same deals."""
    tricks, plays = [], []
    for record in records(plan_of(game, **options), first, count):
        for number, trick in enumerate(record["tricks"]):
            lead = trick["plays"][0]
            tricks.append({
                "deal": record["deal"], "trick": number, "leader": trick["leader"], "winner": trick["winner"],
                "points": trick["points"], "cards_led": len(lead["cards"]), "failed": "attempt" in lead,
            })  # fmt: skip
            for position, play in enumerate(trick["plays"]):
                seat = play["seat"]
                role = "banker" if seat == record["banker"] else "defender"
                if seat == record.get("partner"):
                    role = "partner"
                plays.append({
                    "deal": record["deal"], "trick": number, "position": position, "seat": seat,
                    "cards": " ".join(play["cards"]), "role": role,
                })  # fmt: skip
    return tricks, plays


@pytest.mark.parametrize("game", [DWF, HW])
@pytest.mark.parametrize("options", [{}, {"session": 5}])
def test_the_tables_are_what_the_records_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any]
) -> None:
    small_parts(monkeypatch, 30)
    written(tmp_path / "d", 80, game, first=10, detail="plays", chunk=10, **options)
    tricks, plays = expected(game, options, 10, 80)
    found = rows(tmp_path / "d", "tricks")
    assert [{key: row[key] for key in tricks[0]} for row in found] == tricks
    assert rows(tmp_path / "d", "plays") == plays
    assert any(row["failed"] for row in found) and any(row["ruffed"] for row in found)
    assert all(row["throw"] for row in found if row["failed"])
    deals = {row["deal"]: row for row in rows(tmp_path / "d", "deals")}
    for name, key in (("throws", "throw"), ("failed_throws", "failed")):
        sums = dict.fromkeys(deals, 0)
        for row in found:
            sums[row["deal"]] += row[key]
        assert sums == {deal: row[name] for deal, row in deals.items()}


@pytest.mark.parametrize("game", [DWF, HW])
def test_com6_lead_kind_and_com14_ruffed(tmp_path: Path, game: str) -> None:
    written(tmp_path / "d", 60, game, detail="plays")
    plays = rows(tmp_path / "d", "plays")
    by_trick: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in plays:
        by_trick.setdefault((row["deal"], row["trick"]), []).append(row)
    all_records = {record["deal"]: record for record in records(plan_of(game), 0, 60)}
    kinds = set()
    for row in rows(tmp_path / "d", "tricks"):
        record = all_records[row["deal"]]
        played = by_trick[row["deal"], row["trick"]]
        lead = played[0]["cards"].split()
        assert row["lead_kind"] == components(game, record["trump"], lead)[0].kind
        kinds.add(row["lead_kind"])
        won = next(play for play in played if play["seat"] == row["winner"])["cards"].split()
        suits = [{effective_suit(game, record["trump"], card) for card in cards} for cards in (lead, won)]
        assert row["ruffed"] == (suits[0] != suits[1])
    assert kinds >= {"single", "pair", "tractor"}


@pytest.mark.parametrize("game", [DWF, HW])
def test_deals_and_summary_do_not_depend_on_the_detail(tmp_path: Path, game: str) -> None:
    made = [written(tmp_path / str(detail), 60, game, detail=detail) for detail in (None, "tricks", "plays")]
    assert made[0].totals == made[1].totals == made[2].totals
    hashes = [[part[2] for part in contents(tmp_path / name)] for name in ("None", "tricks", "plays")]
    assert hashes[0] == hashes[1] == hashes[2]
    assert contents(tmp_path / "tricks")[0][3] == contents(tmp_path / "plays")[0][3]
    assert names(tmp_path / "tricks") == [
        "deals", "deals/part-00000.parquet", "manifest.json", "tricks", "tricks/part-00000.parquet",
    ]  # fmt: skip


def test_parts_do_not_depend_on_chunks_and_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 30)
    for name, workers, chunk in (("a", 1, 1000), ("b", 2, 7), ("c", 3, 1)):
        written(tmp_path / name, 100, detail="plays", workers=workers, chunk=chunk)
    for name in names(tmp_path / "a"):
        if name.endswith(".parquet"):
            assert len({(tmp_path / run / name).read_bytes() for run in "abc"}) == 1


@pytest.mark.parametrize(("table", "schema"), [("tricks", TRICKS), ("plays", PLAYS)])
def test_schema_and_metadata(tmp_path: Path, table: str, schema: str) -> None:
    written(tmp_path / "d", 20, session=2, detail="plays")
    found = pq.ParquetFile(tmp_path / f"d/{table}/part-00000.parquet").schema_arrow
    kinds = {"dictionary<values=string, indices=int8, ordered=0>": "dictionary"}
    assert ", ".join(f"{field.name} {kinds.get(str(field.type), field.type)}" for field in found) == schema
    assert not any(field.nullable for field in found)
    about = json.loads(found.metadata[b"tuolaji"])
    deals = pq.ParquetFile(tmp_path / "d/deals/part-00000.parquet").schema_arrow.metadata
    assert about == json.loads(deals[b"tuolaji"]) | {"table": table}
    assert [name for name, _, _ in documented("", table)] == [column.name for column in columns_of("", table)]


def test_the_hash_is_the_documented_one(tmp_path: Path) -> None:
    written(tmp_path / "d", 20, detail="plays")
    (entry,) = manifest(tmp_path / "d")["parts"]
    for table in ("tricks", "plays"):
        stored = pq.ParquetFile(tmp_path / "d" / entry[table]["file"]).read()
        digests, texts = b"", b""
        for column in columns_of("", table):
            digest = hashlib.sha256(f"{column.name} {column.type}\n".encode())
            text = hashlib.sha256(f"{column.name} text\n".encode())
            for value in stored[column.name].to_pylist():
                if column.type == "dictionary":
                    digest.update(bytes([column.values.index(value)]))
                elif column.type == "bool":
                    digest.update(bytes([value]))
                elif column.type == "string":
                    digest.update(len(value.encode()).to_bytes(4, "little"))
                    text.update(value.encode())
                else:
                    digest.update(value.to_bytes(int(column.type[3:]) // 8, "little", signed=True))
            digests += digest.digest()
            texts += text.digest() if column.type == "string" else b""
        assert entry[table]["sha256"] == hashlib.sha256(digests + texts).hexdigest()
        assert entry[table]["rows"] == stored.num_rows


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_the_engine_in_full(game: str) -> None:
    count = 40 if JIT else 2
    engine = Engine(plan_of(game, session=2))
    columns, found = engine.play_in_full(4, count)
    for name, values in engine.play(4, count).items():
        assert np.array_equal(values, columns[name]), name
    _, plays = expected(game, {"session": 2}, 4, count)
    made = found.rows("plays", 4)
    assert made["cards"].words() == [row["cards"] for row in plays]
    assert made["deal"].tolist() == [row["deal"] for row in plays]
    half = found.part(1, count - 1)
    assert half.rows("plays", 5)["cards"].words() == [
        row["cards"] for row in plays if 5 <= row["deal"] < 3 + count
    ]


def test_the_command_line(tmp_path: Path) -> None:
    def run(*args: str) -> Any:
        return CliRunner().invoke(
            cli.main, ["simulate", "dwf", "--deals", "20", *args], catch_exceptions=False
        )

    assert run("--policy", "random", "--detail", "plays", "--out", str(tmp_path / "d")).exit_code == 0
    assert len(rows(tmp_path / "d", "plays")) == 3 * len(rows(tmp_path / "d", "tricks"))
    for args in (["--detail", "plays"], ["--resume"]):
        refused = run(*args)
        assert refused.exit_code == cli.BAD_USAGE
        assert re.fullmatch(
            rf"Error: {args[0]} needs a dataset; name its folder with --out\.\n", refused.stderr
        )
    assert run("--detail", "thoughts", "--out", str(tmp_path / "e")).exit_code == cli.BAD_USAGE
