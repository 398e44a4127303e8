"""The rows that `threshold` leaves: their hands are those of the dataset and of the records that they join."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.sim.cards import FACES
from tuolaji.sim.columns import arrow_schema
from tuolaji.sim.plan import make_plan
from tuolaji.sim.replay import records
from tuolaji.sim.threshold_columns import FILES, row_columns, row_schema, units

from naive import effective_suit

duckdb = pytest.importorskip("duckdb")
DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
DEALS, SEED = 1000, 7
DOCS = Path(__file__).resolve().parent.parent / "docs"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="plays many deals")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By game: a study in ``study`` and the dataset of the same deals in ``deals``."""
    found = {}
    for game in (DWF, HW):
        found[game] = tmp_path_factory.mktemp("rows")
        for command, more in (("threshold", ["--no-plots"]), ("simulate", [])):
            words = [command, game, "--deals", str(DEALS), "--seed", str(SEED), "--no-progress", *more]
            done = CliRunner().invoke(cli.main, [*words, "--out", str(found[game] / command)])
            assert done.exit_code == 0, done.output
    return found


def ask(folders: dict[str, Path], game: str, sql: str) -> list[tuple[Any, ...]]:
    """Rows of a question; a file of rows or ``deals`` in braces stands for its path."""
    paths = {name: f"'{folders[game]}/threshold/rows/{name}.parquet'" for name in FILES}
    paths["deals"] = f"'{folders[game]}/simulate/deals/*.parquet'"
    found: list[tuple[Any, ...]] = duckdb.sql(sql.format(**paths)).fetchall()
    return found


def trumps_of(game: str, record: dict[str, Any], seat: int, trump: str) -> int:
    return sum(effective_suit(game, trump, card) == "t" for card in record["hands"][seat])


def test_rows_of_an_auction_join_the_dealing_that_was_played(folders: dict[str, Path]) -> None:
    on = "h.deal = d.deal and h.attempt = d.redeals and h.seat = d.banker"
    assert on in (DOCS / "operations.md").read_text("utf-8")
    rows = ask(
        folders, DWF,
        "select d.deal, d.redeals, d.banker, d.trump, h.trump, h.trumps, h.defender_points - d.defender_points, "
        f"d.banker_trumps - h.trumps, h.redeals - h.attempt from {{deals}} d join {{auction}} h on {on} order by 1",
    )  # fmt: skip
    assert [row[0] for row in rows] == [*range(DEALS)]
    redealt = [row for row in rows if row[1] > 0]
    assert len(redealt) > 80
    plan = make_plan(DWF, seed=SEED)
    for deal, redeals, banker, trump, found, trumps, points, buried, same in [*rows[:30], *redealt[:30]]:
        (record,) = records(plan, deal, 1)
        assert found == trump and points == same == 0 and 0 <= buried <= 9
        assert record["redeals"] == redeals and trumps == trumps_of(DWF, record, banker, trump)


def test_the_first_dealing_joins_no_later_one(folders: dict[str, Path]) -> None:
    using = "using (deal, attempt, seat)"
    assert using in (DOCS / "operations.md").read_text("utf-8")
    (plain,) = ask(
        folders, DWF,
        "select count(*), count(*) filter (m.trumps <> a.trumps or m.voids <> a.voids) from {marginal} m "
        "join {auction} a using (deal, seat, trump)",
    )  # fmt: skip
    (right,) = ask(
        folders, DWF,
        "select count(*), count(*) filter (m.trumps <> a.trumps or m.voids <> a.voids), "
        "count(*) filter (m.defender_points <> a.defender_points), max(a.redeals) from {marginal} m "
        f"join {{auction}} a {using} where m.trump = a.trump",
    )  # fmt: skip
    once = ask(folders, DWF, "select count(*) from {deals} where redeals = 0")[0][0]
    assert plain[0] == 3 * DEALS and plain[1] > 100  # other hands, were the attempt not looked at
    assert right == (3 * once, 0, 0, 0) and 0 < once < DEALS


def test_rows_of_hidden_partners_join_the_deals(folders: dict[str, Path]) -> None:
    rows = ask(
        folders, HW,
        "select d.deal, c.attempt, d.payoff_0 - c.payoff_0, d.banker_trumps - c.banker_trumps "
        "from {deals} d join {contracts} c using (deal, banker, trump, pressed) order by 1",
    )  # fmt: skip
    assert [row[0] for row in rows] == [*range(DEALS)] and all(row[1:] == (0, 0, 0) for row in rows)
    named = ask(
        folders, HW,
        "select d.deal, n.attempt, d.named_held - n.all_held, d.partner - n.partner, "
        "case d.banker when 0 then d.payoff_0 when 1 then d.payoff_1 when 2 then d.payoff_2 when 3 then d.payoff_3 "
        "else d.payoff_4 end - n.payoff from {deals} d join {names} n using (deal, banker, trump, named) order by 1",
    )  # fmt: skip
    assert [row[0] for row in named] == [*range(DEALS)] and all(row[1:] == (0, 0, 0, 0) for row in named)
    looks = ask(
        folders, HW,
        "select l.deal, l.seat, l.trump, l.cards, l.trumps from {looks} l join {contracts} c on l.deal = c.deal and "
        "l.attempt = c.attempt and l.seat = c.banker and l.trump = c.trump where not c.pressed and l.deal < 30",
    )  # fmt: skip
    every = ask(folders, HW, "select count(*) from {looks} where deal < 30")[0][0]
    assert len(looks) == every > 100
    told = [*records(make_plan(HW, seed=SEED), 0, 30)]
    for deal, seat, trump, cards, trumps in looks:
        held = told[deal]["hands"][seat][:cards]
        assert trumps == sum(effective_suit(HW, trump, card) == "t" for card in held)
        assert Counter(held)["2" + trump] >= 1


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_columns_types_and_units_that_are_documented(
    folders: dict[str, Path], name: str
) -> None:
    game = DWF if name in ("marginal", "auction") else HW
    file = folders[game] / "threshold" / "rows" / f"{name}.parquet"
    schema = pq.read_schema(file)
    assert schema.remove_metadata() == row_schema(name) and schema.names[:2] == ["deal", "attempt"]
    about = json.loads(schema.metadata[b"tuolaji"])
    assert about["units"] == units(name, "strength") and about["seed"] == SEED
    if "strength" in schema.names:
        assert about["units"]["strength"].startswith("hundredths of a ")
    dataset = arrow_schema(game)
    for field in schema:
        # what a dataset has too is of the same type; `trumps` and the like are not in it
        assert field.name not in dataset.names or field.type == dataset.field(field.name).type
    for column in row_columns(name):
        if column.type == "dictionary":
            values = pq.read_table(file, columns=[column.name])[column.name].combine_chunks()
            assert set(values.dictionary.to_pylist()) <= {*column.values}
            assert values.indices.to_numpy().min() >= 0 and pa.types.is_string(values.type.value_type)
    assert units("marginal", "voids")["strength"] == "suits"
    assert [column.values for column in row_columns("names") if column.name == "named"] == [FACES]
