"""Records as a dataset: the same rows as when the deals were played here, and what is refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tuolaji import cli, simulate
from tuolaji.kernels._jit import JIT
from tuolaji.sim.dataset import Dataset, read_manifest
from tuolaji.sim.plan import POLICIES, make_plan
from tuolaji.sim.replay import records

from naive import DWF, HW, random_record

pytestmark = pytest.mark.skipif(not JIT, reason="whole games")
PLAYABLE = [game for game in (DWF, HW) if POLICIES[game]]
PLACE = ("deal", "session", "hand")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, [*args], catch_exceptions=False)


def write(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def rows(folder: Path, game: str) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    assert Dataset(folder).plan.game.name == game
    return [row for part in sorted(folder.glob("deals/*")) for row in pq.read_table(part).to_pylist()]


@pytest.mark.parametrize("game", PLAYABLE)
@pytest.mark.parametrize("contract", [None, {"banker": 1, "trump": "s", "bid": 140}])
def test_rows_are_those_of_the_deals_as_they_were_played(
    tmp_path: Path, game: str, contract: dict[str, Any] | None
) -> None:
    if contract and game == HW:
        contract = {"banker": 1, "trump": "s"}
    plan = make_plan(game, policies="random", seed=5, contract=contract)
    path = write(tmp_path / "games.jsonl", [*records(plan, 20, 25)])
    result = run("import", str(path), "--out", str(tmp_path / "out"))
    assert (result.exit_code, result.stdout) == (0, f"25 records imported into {tmp_path / 'out'}.\n")
    played = simulate(game, 25, first=20, seed=5, policies="random", contract=contract).to_pylist()
    found = rows(tmp_path / "out", game)
    assert [row["deal"] for row in found] == [*range(25)]
    for mine, theirs in zip(found, played, strict=True):
        assert {k: v for k, v in mine.items() if k not in PLACE} == {
            k: v for k, v in theirs.items() if k not in PLACE
        }


def test_the_summary_reads_it_and_nothing_replays_it(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl", [random_record(DWF, seed) for seed in range(12)])
    assert run("import", str(path), str(path), "--out", str(tmp_path / "people")).exit_code == 0
    manifest = read_manifest(tmp_path / "people")
    assert (manifest["origin"], manifest["seed"], manifest["policies"]) == ("import", None, {})
    assert manifest["sources"] == [{"file": str(path), "deals": 24}]
    assert manifest["ended"] is not None
    result = run("summary", str(tmp_path / "people"))
    assert result.exit_code == 0
    assert "origin  imported records" in result.stdout
    assert "seed" not in result.stdout
    assert "来源  导入的记录" in run("summary", str(tmp_path / "people"), "--lang", "zh").stdout
    assert json.loads(run("summary", str(tmp_path / "people"), "--format", "json").stdout)["deals"] == 24
    result = run("replay", str(tmp_path / "people"), "--deal", "3")
    assert result.exit_code == cli.BAD_USAGE
    assert "were imported and can't be re-created" in result.stderr


@pytest.mark.parametrize("game", [DWF, HW])
def test_verify_looks_at_what_it_can_not_play_again(tmp_path: Path, game: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = write(tmp_path / "games.jsonl", [random_record(game, seed) for seed in range(12)])
    out = tmp_path / "people"
    assert run("import", str(path), "--out", str(out)).exit_code == 0
    result = run("verify", str(out))
    assert result.exit_code == 0
    assert (
        "rows come from records: they are looked at, and can't be played again"
        in result.stderr + result.stdout
    )
    assert "sound: 12 deals in 1 part, 0 rows played again" in result.stdout
    part = out / "deals/part-00000.parquet"
    table = pq.ParquetFile(part).read()
    at = table.schema.get_field_index("captured")
    values = pa.array([*table["captured"].to_pylist()[:-1], 1], table.schema.field(at).type)
    pq.write_table(table.set_column(at, table.schema.field(at), values), part)
    result = run("verify", str(out))
    assert result.exit_code == cli.FAULTS
    assert "hash" in result.stdout + result.stderr


@pytest.mark.parametrize("game", PLAYABLE)
def test_what_follows_from_the_rest_may_be_missing(tmp_path: Path, game: str) -> None:
    whole = [random_record(game, seed) for seed in range(8)]
    write(tmp_path / "whole.jsonl", whole)
    some = copy.deepcopy(whole)
    for record in some:
        for key in ("format", "rules", "payoffs", "captured", "bottom_points", "defender_points", "partner"):
            record.pop(key, None)
        for key in ("direct", "solo", "grade", "penalties", "shutout", "result", "base", "banker"):
            record.pop(key, None)
        if game == DWF:  # the call tells it
            del record["trump"]
        for trick in record["tricks"]:
            del trick["winner"], trick["points"]
    write(tmp_path / "some.jsonl", some)
    for name in ("whole", "some"):
        assert run("import", str(tmp_path / f"{name}.jsonl"), "--out", str(tmp_path / name)).exit_code == 0
    found = [rows(tmp_path / name, game) for name in ("whole", "some")]
    assert found[0] == found[1]


def test_a_record_that_tells_too_little_is_refused_by_name(tmp_path: Path) -> None:
    record = random_record(DWF, 3)
    for key in ("buried", "hands"):
        del record[key]
    path = write(tmp_path / "games.jsonl", [record])
    assert run("audit", str(path)).exit_code == 0
    result = run("import", str(path), "--out", str(tmp_path / "out"))
    assert result.exit_code == cli.FAULTS
    assert "the record can't be a row of a dataset, for it does not tell buried" in result.stdout
    assert not (tmp_path / "out").exists()


def test_calls_that_are_not_told_are_as_with_a_contract(tmp_path: Path) -> None:
    record = random_record(DWF, 3)
    for key in ("calls", "bids", "first_seat", "redeals", "hands", "bottom"):
        del record[key]
    path = write(tmp_path / "games.jsonl", [record])
    assert run("import", str(path), "--out", str(tmp_path / "out")).exit_code == 0
    (row,) = rows(tmp_path / "out", DWF)
    assert [row[key] for key in ("caller", "opener", "first_seat")] == [-1, -1, -1]
    assert [row[key] for key in ("call_size", "call_after", "bids_made", "redeals")] == [0, 0, 0, 0]
    assert row["banker_trumps"] > 0


def test_faulty_records_are_refused_or_left_out(tmp_path: Path) -> None:
    good, bad = random_record(DWF, 1), copy.deepcopy(random_record(DWF, 2))
    bad["payoffs"][0] += 1
    path = write(tmp_path / "games.jsonl", [good, bad, good])
    result = run("import", str(path), "--out", str(tmp_path / "out"))
    assert result.exit_code == cli.FAULTS
    assert "games.jsonl, line 2" in result.stdout
    assert "DWF-17" in result.stdout
    last = result.stdout.splitlines()[-1]
    assert last == "Nothing was imported: of 3 records, 1 faulty; --skip-faulty leaves them out."
    assert not (tmp_path / "out").exists()
    result = run("import", str(path), "--out", str(tmp_path / "out"), "--skip-faulty")
    assert result.exit_code == 0
    last = result.stdout.splitlines()[-1]
    assert last == f"2 records imported into {tmp_path / 'out'}; 1 faulty ones left out."
    assert len(rows(tmp_path / "out", DWF)) == 2
    result = run("import", str(path), "--out", str(tmp_path / "out"), "--lang", "zh")
    assert result.exit_code == cli.BAD_USAGE
    assert "already holds a dataset" in result.stderr
    only = write(tmp_path / "only.jsonl", [bad])
    result = run("import", str(only), "--out", str(tmp_path / "none"), "--skip-faulty", "--lang", "zh")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "未导入：1 份记录中有 1 份有误。")


def test_one_dataset_has_one_game_and_one_rule_set(tmp_path: Path) -> None:
    first = random_record(DWF, 1)
    for other, words in (
        (random_record(HW, 1), "is a record of hong-wu-wu-jia, those before it of die-wu-fen"),
        (
            random_record(DWF, 1, {"bottom_multiplier": 4}),
            "was played by other rules than those before it: bottom_multiplier is 4, not 2",
        ),
    ):
        path = write(tmp_path / "games.jsonl", [first, other])
        result = run("import", str(path), "--out", str(tmp_path / "out"))
        assert result.exit_code == cli.BAD_USAGE
        assert words in result.stderr
        assert not (tmp_path / "out").exists()
    changed = random_record(DWF, 1, {"bottom_multiplier": 4})
    path = write(tmp_path / "games.jsonl", [changed])
    assert run("import", str(path), "--out", str(tmp_path / "out")).exit_code == 0
    assert Dataset(tmp_path / "out").plan.rules["bottom_multiplier"] == 4
    assert "changed: bottom_multiplier" in run("summary", str(tmp_path / "out")).stdout


def test_after_an_error_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tuolaji.sim import dataset, import_records

    monkeypatch.setattr(dataset, "PART_ROWS", 4)
    monkeypatch.setattr(import_records, "PIECE_ROWS", 3)
    path = write(tmp_path / "games.jsonl", [random_record(DWF, 1)] * 10)
    assert run("import", str(path), "--out", str(tmp_path / "out")).exit_code == 0
    assert len(list((tmp_path / "out" / "deals").iterdir())) == 3
    assert len(rows(tmp_path / "out", DWF)) == 10
    with path.open("a") as file:
        file.write("{]\n")
    result = run("import", str(path), "--out", str(tmp_path / "new" / "deep"))
    assert result.exit_code == cli.BAD_USAGE
    assert not (tmp_path / "new").exists()


def test_numbers_beyond_the_columns_are_refused(tmp_path: Path) -> None:
    record = {**random_record(DWF, 1), "redeals": 40_000}
    path = write(tmp_path / "games.jsonl", [record])
    assert run("audit", str(path)).exit_code == 0
    result = run("import", str(path), "--out", str(tmp_path / "out"))
    assert result.exit_code == cli.FAULTS
    assert "redeals is 40000, more than a dataset holds" in result.stdout
