"""`--hold` and `--count` in `threshold` and `compare`, and at the foot of every report."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from report_pages import read
from runs import written

from tuolaji import cli
from tuolaji.kernels._jit import JIT
from tuolaji.kernels.counterfactual_hong_wu_wu_jia import FACES as NAMEABLE
from tuolaji.kernels.counterfactual_hong_wu_wu_jia import FIRST_NAME, PRESS
from tuolaji.sim import counterfactual
from tuolaji.sim import threshold as threshold_dwf
from tuolaji.sim import threshold_hong_wu_wu_jia as threshold_hw
from tuolaji.sim.bidding import read_bidding, shipped
from tuolaji.sim.counterfactual import Counterfactual
from tuolaji.sim.counterfactual_hong_wu_wu_jia import HiddenCounterfactual
from tuolaji.sim.crossing_text import crossing
from tuolaji.sim.engine import Engine
from tuolaji.sim.given import probability
from tuolaji.sim.match import make_match, run_match
from tuolaji.sim.plan import make_plan, plan_from_description
from tuolaji.sim.replay import records
from tuolaji.sim.report import make

from naive import effective_suit

DWF, HW = "die-wu-fen", "hong-wu-wu-jia"
DEALS, SEED = 1000, 6
#: Seat 0 has no 2, so it never looks; seat 1 has two at once, and a red five.
HOLD, COUNT = ["1:2s 2s 5h", "bottom:BJ"], ["0:twos=0", "2:aces=1-4"]
WORDS = [word for held in HOLD for word in ("--hold", held)] + [w for c in COUNT for w in ("--count", c)]
MANIFEST = {
    "hold": {"1": "2s 2s 5h", "bottom": "BJ"}, "count": {"0": {"twos": [0, 0]}, "2": {"aces": [1, 4]}},
}  # fmt: skip
plays = pytest.mark.skipif(not JIT, reason="plays many deals")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.main, words, catch_exceptions=False)


def threshold(game: str, *words: str) -> Result:
    found = run("threshold", game, "--deals", str(DEALS), "--seed", str(SEED), "--no-progress", *words)
    assert found.exit_code == 0, found.output
    return found


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("given") / "hw"
    return folder, threshold(HW, *WORDS, "--out", str(folder), "--no-plots")


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    folder = tmp_path_factory.mktemp("given") / "dwf"
    words = ["--hold", "1:3h 3h", "--count", "0:aces=2-4", "--out", str(folder), "--no-plots"]
    return folder, threshold(DWF, *words)


@pytest.fixture(scope="module")
def comparisons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What `compare` writes, with cards held, counts, and a contract."""
    found = {}
    for game, option, contract in (
        (DWF, "bottom_multiplier=4", "banker=1,trump=h,bid=150"),
        (HW, "partner_loss_cap=4", "banker=1,trump=h"),
    ):
        found[game] = tmp_path_factory.mktemp("given") / "compare"
        done = run(
            "compare", game, "--deals", str(DEALS), "--policy", "greedy", "--variant", game, "--variant", option,
            "--hold", "bottom:Kd", "--count", "0:trumps=10-14", "--contract", contract, "--no-progress",
            "--out", str(found[game]), "--format", "json",
        )  # fmt: skip
        assert done.exit_code == 0, done.output
        shown = json.loads(done.stdout)
        trumps = {DWF: 42, HW: 57}[game]
        size, cards = {DWF: (33, 107), HW: (31, 161)}[game]
        ways = sum(comb(trumps, k) * comb(cards - trumps, size - k) for k in range(10, 15))
        assert Fraction(shown["probability"]["exact"]) == Fraction(ways, comb(cards, size))
        assert shown["count"] == {"0": {"trumps": [10, 14]}}
    return found


# --- the deals are those of simulate


@pytest.mark.nojit
def test_a_study_of_hidden_partners_plays_the_deals_that_simulate_plays() -> None:
    """With every 2 that could be revealed and every face named; by pieces as well."""
    known: dict[str, Any] = {"policies": "greedy", "seed": SEED, "hold": HOLD, "count": COUNT}
    deals = 60 if JIT else 2
    plan = make_plan(HW, **known)
    table = HiddenCounterfactual(plan).table(10, deals)
    rows, each = Engine(plan).play(10, deals), np.arange(deals)
    contract = np.where(rows["pressed"] == 1, PRESS, 4 * rows["banker"] + rows["trump"])
    named = FIRST_NAME + np.array([NAMEABLE.index(face) for face in rows["named"]])
    for name, values in rows.items():
        assert (table.plays[name][each, named] == values).all(), name
        if name != "reveal_after":
            assert (table.plays[name][each, contract] == values).all(), name
    for banker, trump in ((1, 0), (3, 2)):
        fixed = {"banker": banker, "trump": "shcd"[trump]}
        rows = Engine(make_plan(HW, contract=fixed, **known)).play(10, deals)
        there = table.plays["banker"][:, 4 * banker + trump] == banker
        assert there.any() or not JIT
        for name in ("defender_points", "partner", "payoff_0", "payoff_4"):
            assert (table.plays[name][:, 4 * banker + trump] == rows[name])[there].all(), name
    assert (table.plays["banker"][:, :4] == -1).all()  # of seat 0, which has no 2
    some = max(1, deals // 3)
    player = HiddenCounterfactual(plan)
    parts = [player.table(10, some), player.table(10 + some, deals - some)]
    assert (table.payoffs == np.concatenate([part.payoffs for part in parts])).all()
    assert (table.looks == np.concatenate([part.looks for part in parts])).all()


def test_a_study_of_bids_plays_the_deals_that_simulate_plays() -> None:
    known: dict[str, Any] = {
        "policies": "greedy", "seed": 6, "hold": ["1:3h 3h", "bottom:Kd"], "count": ["0:aces=2-4"],
    }  # fmt: skip
    deals = 40 if JIT else 2
    table = Counterfactual(make_plan(DWF, **known)).table(10, deals)
    for trump, banker in ((1, 1), (3, 0)):
        contract = {"banker": banker, "trump": "shcd"[trump], "bid": 120}
        rows = Engine(make_plan(DWF, contract=contract, **known)).play(10, deals)
        assert (rows["defender_points"] == table.points[:, trump, banker]).all()


@plays
@pytest.mark.slow
def test_every_row_of_the_study_has_the_cards(study: tuple[Path, Result]) -> None:
    """Against the records of the same deals, whose hands are in the order dealt."""
    folder, _ = study
    plan = plan_from_description(json.loads((folder / "manifest.json").read_text("utf-8")))
    assert plan == make_plan(HW, seed=SEED, hold=HOLD, count=COUNT)
    rows = {
        name: pq.read_table(folder / "rows" / f"{name}.parquet").to_pylist()
        for name in ("looks", "contracts", "names")
    }
    assert {row["seat"] for row in rows["looks"]} == {1, 2, 3, 4}
    assert {row["deal"] for row in rows["looks"] if row["seat"] == 1} == set(range(DEALS))
    assert all(row["pressed"] for row in rows["contracts"] if row["banker"] == 0)
    told = [*records(plan, 0, 120)]
    for record in told:
        assert Counter(["2s", "2s", "5h"]) <= Counter(record["hands"][1]) and "BJ" in record["bottom"]
        assert not any(card[0] == "2" for card in record["hands"][0])
        assert 1 <= sum(card[0] == "A" for card in record["hands"][2]) <= 4
    seen = 0
    for row in takewhile(lambda row: row["deal"] < len(told), rows["looks"]):
        held, suit = told[row["deal"]]["hands"][row["seat"]][: row["cards"]], row["trump"]
        trumps = Counter(card for card in held if effective_suit(HW, suit, card) == "t")
        copies = [*trumps.values()]
        assert "2" + suit in held
        assert row["trumps"] == trumps.total() and row["trump_pairs"] == sum(n >= 2 for n in copies)
        assert row["trump_triples"] == copies.count(3)
        assert row["top_trumps"] == sum(trumps[card] for card in ("BJ", "SJ", "5h"))
        seen += 1
    for row in takewhile(lambda row: row["deal"] < len(told), rows["contracts"]):
        if not row["pressed"]:
            hand = told[row["deal"]]["hands"][row["banker"]]
            assert row["reveal_after"] == 1 + hand.index("2" + row["trump"])
            seen += 1
    for row in takewhile(lambda row: row["deal"] < len(told), rows["names"]):
        record = told[row["deal"]]
        every = Counter(record["hands"][row["banker"]] + record["bottom"])
        assert row["all_held"] == every[row["named"]]
        seen += 1
    assert seen > 20 * len(told)


# --- what is written and shown


def _marked(folder: Path, expected: dict[str, Any], typed: dict[str, list[str]]) -> dict[str, Any]:
    """The manifest, every Parquet file and the thresholds say what was known; the result, which is returned."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    files = [folder / entry["file"] for entry in manifest["files"]]
    assert len(files) > 5
    for about in (manifest, *(json.loads(pq.read_schema(file).metadata[b"tuolaji"]) for file in files)):
        assert {key: about[key] for key in ("hold", "count")} == expected
    thresholds = tomllib.loads((folder / "thresholds.toml").read_text("utf-8"))
    assert {key: thresholds["provenance"][key] for key in ("hold", "count")} == typed
    assert read_bidding(str(folder / "thresholds.toml"), manifest["game"]).game == manifest["game"]
    result: dict[str, Any] = json.loads((folder / "result.json").read_text("utf-8"))
    assert {key: result[key] for key in ("hold", "count")} == expected
    return result


@plays
@pytest.mark.slow
def test_the_study_of_hidden_partners_says_what_was_known(study: tuple[Path, Result]) -> None:
    folder, done = study
    result = _marked(folder, MANIFEST, {"hold": HOLD, "count": ["0:twos=0-0", "2:aces=1-4"]})
    given = make_plan(HW, hold=HOLD, count=COUNT).given
    assert given is not None
    chance = probability(given)
    assert 0 < chance < 1
    assert result["probability"] == {"value": float(chance), "exact": str(chance)}
    shown = f"0: twos 0, 2: aces 1-4 (probability {float(chance):.4g})"
    for line in ("held    1: 2s 2s 5h", "held    bottom: BJ", f"counts  {shown}"):
        assert line in done.stdout.splitlines()
    chinese = threshold(HW, *WORDS, "--lang", "zh").stdout
    for part in ("指定的牌  1: 2s 2s 5h", "底牌: BJ", "限定", f"概率 {float(chance):.4g}"):
        assert part in chinese
    assert "probability" not in chinese and "held" not in chinese


@plays
@pytest.mark.parametrize("game", [DWF, HW])
def test_what_was_found_is_tried_on_such_deals_too(game: str) -> None:
    """The match at the end of a study has the cards; without them it comes to something else."""
    known: dict[str, Any] = {"hold": ["1:3h 3h 2s"], "count": ["0:aces=0-1"]}
    old = read_bidding(f"{game}-1", game)
    found = (
        threshold_hw._match(threshold_hw.ask_hidden(game, DEALS, seed=SEED, **known), old)
        if game == HW
        else threshold_dwf._match(threshold_dwf.ask(game, DEALS, seed=SEED, **known), old)
    )
    again = make_match(
        game, ["expert", "expert"], deals=DEALS, mode="auction", seed=SEED, first=DEALS,
        biddings=(old, shipped(game)),
    )  # fmt: skip
    given = make_plan(game, **known).given
    with_cards = run_match(replace(again, plan=replace(again.plan, given=given))).to_dict()
    assert found["payoff"] == with_cards["payoff"]
    assert found["payoff"] != run_match(again).to_dict()["payoff"]


@plays
@pytest.mark.slow
def test_the_study_of_bids_says_what_was_known(bids: tuple[Path, Result]) -> None:
    folder, done = bids
    expected = {"hold": {"1": "3h 3h"}, "count": {"0": {"aces": [2, 4]}}}
    result = _marked(folder, expected, {"hold": ["1:3h 3h"], "count": ["0:aces=2-4"]})
    ways = sum(comb(8, k) * comb(98, 33 - k) for k in range(2, 5))
    assert Fraction(result["probability"]["exact"]) == Fraction(ways, comb(106, 33))
    assert "1: 3h 3h" in done.stdout and "0: aces 2-4 (probability" in done.stdout


@plays
@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_a_study_of_any_deals_says_nothing_of_it(game: str, tmp_path: Path) -> None:
    done = threshold(game, "--out", str(tmp_path / "s"), "--no-plots", "--format", "json")
    texts = [
        done.stdout,
        *((tmp_path / "s" / name).read_text() for name in ("manifest.json", "thresholds.toml")),
    ]
    for key in ("hold", "count", "probability"):
        assert f'"{key}":' not in "".join(texts) and f"\n{key} =" not in texts[2]


@plays
@pytest.mark.slow
def test_neither_workers_nor_pieces_change_the_study(
    study: tuple[Path, Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = json.loads((study[0] / "result.json").read_text("utf-8"))
    monkeypatch.setattr(counterfactual, "CHUNK", 170)
    for workers in ("1", "3"):
        assert json.loads(threshold(HW, *WORDS, "--workers", workers, "--format", "json").stdout) == expected


@plays
def test_a_count_that_always_holds_changes_no_odds() -> None:
    """Other deals, as they are drawn otherwise, but of the same distribution."""
    deals = 1500
    wide = make_plan(HW, seed=SEED, count=["0:aces=0-12", "3:jokers=0-6"])
    assert wide.given is not None and probability(wide.given) == 1
    tables = [
        HiddenCounterfactual(plan, namings=False).table(0, deals) for plan in (make_plan(HW, seed=SEED), wide)
    ]
    assert not (tables[0].looks == tables[1].looks).all()
    pressed = [table.plays["banker"][:, PRESS] >= 0 for table in tables]
    assert pressed[0].all() and pressed[1].all()  # a row of every deal
    for value in (
        lambda table: table.deals["pressed"],
        lambda table: table.plays["defender_points"][:, PRESS],
        lambda table: table.plays["payoff_0"][:, PRESS],
        lambda table: (table.looks[:, 0, :, 0] > 0).sum(axis=1),
        lambda table: (table.plays["banker"][:, :4] == 0).sum(axis=1),
        lambda table: table.looks[:, :, :, 1].sum(axis=(1, 2)),
    ):
        one, other = (np.asarray(value(table), float) for table in tables)
        error = ((one.var() + other.var()) / deals) ** 0.5
        assert error > 0 and abs(one.mean() - other.mean()) < 4.5 * error


@pytest.mark.parametrize("game", [DWF, HW])
@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--hold", "0:3h 3h", "--hold", "1:3h 3h"], "3h is held 4 times"),
        (["--hold", "7:3h"], "allowed are seats 0 to"),
        (["--hold", "bottom:3h 3s 3c 3d 4h 4s 4c 4d 5h 5s"], "10 cards are more than the bottom has"),
        (["--count", "0:aces=2", "--hold", "0:As Ah Ac"], "no deal has 0:aces=2-2 with the cards held"),
        (["--count", "0:trumps=10-14"], "which simulate and compare take"),
        (["--count", "0:luck=1"], "allowed are trumps, points"),
    ],
)
def test_a_study_of_what_can_not_be_is_refused(
    game: str, words: list[str], part: str, tmp_path: Path
) -> None:
    found = run("threshold", game, "--deals", "1000", *words, "--out", str(tmp_path / "s"))
    assert found.exit_code == cli.BAD_USAGE and found.stdout == ""
    assert found.stderr.count("\n") == 1 and part in found.stderr
    assert not (tmp_path / "s").exists()


def test_bidding_is_not_refitted_on_such_deals() -> None:
    words = ["--variant", DWF, "--variant", "bottom_multiplier=4", "--refit", "--hold", "1:3h 3h"]
    found = run("compare", DWF, "--deals", "1000", *words)
    assert found.exit_code == cli.BAD_USAGE
    assert "refit: it goes with neither --contract, --hold nor --count" in found.stderr


# --- reports


def foot(folder: Path, lang: str) -> dict[str, list[str]]:
    """What stands at the foot of a report, which also stands on its page."""
    pytest.importorskip("matplotlib")
    report = make.make(folder, lang)  # type: ignore[arg-type]
    seen = read(make.render(report, lang))  # type: ignore[arg-type]
    assert seen.faults == []
    words = seen.words()
    for name, values in report.provenance:
        assert all(f" {' '.join(value.split())} " in f"{words} " for value in (name, *values)), name
    return dict(report.provenance)


@pytest.mark.parametrize("game", [DWF, HW])
def test_the_report_on_a_dataset_says_what_was_known(game: str, tmp_path: Path) -> None:
    contract = {"banker": 1, "trump": "s"} | ({"bid": 140} if game == DWF else {})
    hold, count = ["0:3h 3h", "bottom:Kd"], ["1:aces=2-4", "2:trumps=8-20"]
    written(tmp_path / "d", 60, game, hold=hold, count=count, contract=contract)
    given = make_plan(game, hold=hold, count=count, contract=contract).given
    assert given is not None
    chance = f"{float(probability(given)):.4g}"
    found = foot(tmp_path / "d", "en")
    assert found["contract"] == ["banker 1, trump s" + (", bid 140" if game == DWF else "")]
    assert found["held"] == ["0: 3h 3h", "bottom: Kd"]
    assert found["counts"] == [f"1: aces 2-4, 2: trumps 8-20 (probability {chance})"]
    chinese = foot(tmp_path / "d", "zh")
    assert chinese["定约"] == ["庄家 1，主牌 s" + ("，叫分 140" if game == DWF else "")]
    assert chinese["指定的牌"] == ["0: 3h 3h", "底牌: Kd"]
    assert chinese["限定"] == [f"1: aces 2-4, 2: trumps 8-20 (概率 {chance})"]
    written(tmp_path / "plain", 60, game)
    assert not {"contract", "held", "counts"} & set(foot(tmp_path / "plain", "en"))


@plays
@pytest.mark.slow
def test_the_reports_on_thresholds_say_what_was_known(
    study: tuple[Path, Result], bids: tuple[Path, Result]
) -> None:
    for folder, held, place in (
        (study[0], ["1: 2s 2s 5h", "bottom: BJ"], "2: aces 1-4"),
        (bids[0], ["1: 3h 3h"], "0: aces 2-4"),
    ):
        chance = json.loads((folder / "result.json").read_text("utf-8"))["probability"]["value"]
        found, chinese = foot(folder, "en"), foot(folder, "zh")
        assert found["held"] == held and f"(probability {chance:.4g})" in found["counts"][0]
        assert chinese["指定的牌"] == [text.replace("bottom", "底牌") for text in held]
        assert place in found["counts"][0] and f"(概率 {chance:.4g})" in chinese["限定"][0]
        assert make.make(folder, "en").lead[-1].endswith("are of seats whose cards are held: 1.")
        assert make.make(folder, "zh").lead[-1] == "表与曲线取自：仅指定了牌的座位：1。"


@plays
@pytest.mark.slow
def test_the_reports_say_up_to_where_a_choice_is_known_not_to_pay(
    study: tuple[Path, Result], bids: tuple[Path, Result], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    for lang, folder, tables in (
        ("en", study[0], {"reveal_break_even": False, "name_break_even": True}),
        ("zh", bids[0], {"break_even": False}),
    ):
        file = tmp_path / lang / "result.json"
        shutil.copytree(folder, file.parent)
        result, expected = json.loads(file.read_text("utf-8")), []
        for table, up_to in tables.items():
            rows = [
                row for row in result[table] if row.get("place", "all") == row.get("call", "all") == "all"
            ]
            rows[0] |= {"kind": "at-least", "value": None, "low": 17.0, "high": None}
            rows[1] |= {"kind": "at-most", "value": None, "low": None, "high": 3.0}
            expected += [crossing(row, lang, up_to=up_to)[0] for row in rows[:2]]  # type: ignore[arg-type]
        file.write_text(json.dumps(result), "utf-8")
        words = read(make.render(make.make(file.parent, lang), lang)).words()  # type: ignore[arg-type]
        assert len(expected) == 2 * len(tables) and all(text in words for text in expected)


@plays
@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_the_report_on_a_comparison_says_what_was_known(comparisons: dict[str, Path], game: str) -> None:
    bid = {DWF: (", bid 150", "，叫分 150"), HW: ("", "")}[game]
    chance = json.loads((comparisons[game] / "result.json").read_text("utf-8"))["probability"]["value"]
    found, chinese = foot(comparisons[game], "en"), foot(comparisons[game], "zh")
    assert found["contract"] == ["banker 1, trump h" + bid[0]] and found["held"] == ["bottom: Kd"]
    assert found["counts"] == [f"0: trumps 10-14 (probability {chance:.4g})"]
    assert chinese["定约"] == ["庄家 1，主牌 h" + bid[1]] and chinese["指定的牌"] == ["底牌: Kd"]
    assert chinese["限定"] == [f"0: trumps 10-14 (概率 {chance:.4g})"]


@plays
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threshold", "compare"])
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"hold": 5}, "hold or count that can't be read"),
        ({"hold": {"9": "3h"}}, "allowed are seats"),
        ({"count": {"0": {"<b>": [1, 2]}}}, "are not counted; allowed are trumps"),
        ({"contract": ["banker", "trump"]}, "names no banker and trump"),
        ({"contract": 5}, "names no banker and trump"),
        ({"hold": {"0": "3h"}, "rules": 5, "variants": [{}]}, "has no rules in it"),
    ],
)
def test_a_damaged_manifest_is_told(
    bids: tuple[Path, Result], comparisons: dict[str, Path], tmp_path: Path, kind: str, change: dict[str, Any],
    part: str,
) -> None:  # fmt: skip
    shutil.copytree(bids[0] if kind == "threshold" else comparisons[DWF], tmp_path / "s")
    file = tmp_path / "s" / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | change), "utf-8")
    found = run("report", str(tmp_path / "s"))
    assert found.exit_code == cli.BAD_USAGE and found.stdout == ""
    assert part in found.stderr and found.stderr.count("\n") == 1
