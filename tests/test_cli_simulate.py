"""`tuolaji simulate` and `tuolaji summary`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tuolaji import cli
from tuolaji.sim import summary_text
from tuolaji.sim.errors import Interrupted
from tuolaji.sim.stats import Estimate


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


def refused(*args: str) -> str:
    """Run a command that must be refused; the sentence it gives."""
    result = run(*args)
    assert result.exit_code == cli.BAD_USAGE
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def simulated(*args: str) -> Result:
    result = run("simulate", "dwf", "--policy", "random", *args)
    assert result.exit_code == 0, result.output
    return result


# --- what is printed --------------------------------------------------------------------------------


def test_a_dataset_gives_the_summary_of_its_run(tmp_path: Path) -> None:
    folder = str(tmp_path / "d")
    played = simulated("--deals", "2k", "--seed", "7", "--out", folder).stdout
    stored = run("summary", folder).stdout
    without_pace = [line for line in played.splitlines() if not line.startswith("speed ")]
    assert stored.splitlines() == without_pace
    assert "deals a second" in played


def test_the_same_in_json_and_without_a_dataset(tmp_path: Path) -> None:
    options = ["--deals", "600", "--session", "3", "--format", "json"]
    played = json.loads(simulated(*options, "--out", str(tmp_path / "d")).stdout)
    stored = json.loads(run("summary", str(tmp_path / "d"), "--format", "json").stdout)
    pace = played.pop("run")
    assert pace["deals_per_second"] == pytest.approx(600 / pace["seconds"])
    assert played == stored
    again = json.loads(simulated(*options, "--workers", "2", "--chunk", "50").stdout)
    assert again["figures"] == played["figures"]
    assert (played["unit"], played["units"], played["deals"]) == ("session", 200, 600)


def test_json_keys_are_the_documented_ones() -> None:
    found = json.loads(simulated("--deals", "300", "--format", "json").stdout)
    page = (Path(__file__).parents[1] / "docs/dataset.md").read_text("utf-8").partition("## The summary")[2]
    words = set(re.findall(r"`([a-z_…]+)`", page))
    for name, figure in found["figures"].items():
        assert name in words or re.sub("payoff_.*_spread", "payoff_…_spread", name) in words, name
        more = ["approximate"] if name.endswith("_spread") else []
        assert list(figure) == ["value", "error", "low", "high", "of", *more]
        assert set(figure) <= words
    assert {"bids", "figures", "run", "defender_points_quantiles"} <= words & set(found)
    assert sum(row["share"]["value"] for row in found["bids"]) == pytest.approx(1)


def test_every_figure_has_its_error() -> None:
    text = simulated("--deals", "5k").stdout
    table = text.partition("\n\n")[2].splitlines()
    figures = [line for line in table if line.startswith("  ")]
    assert len(figures) > 30
    for line in figures:
        assert re.search(r"± [0-9.]+$|\[-?[0-9.]+, -?[0-9.]+\]( †)?$", line), line
    bids = [line for line in table if re.match(r"[12][0-9]0 ", line)]
    assert all(line.count("[") == 2 for line in bids)


def test_a_fixed_contract_has_no_figures_of_calling() -> None:
    text = simulated("--deals", "200", "--contract", "banker=1,trump=d,bid=140").stdout
    assert "banker=1,trump=d,bid=140" in text
    assert "redealt" not in text
    assert "Calling" not in text
    assert "bid made" in text


def test_chinese() -> None:
    text = simulated("--deals", "200", "--lang", "zh").stdout
    assert "跌五分" in text
    assert not re.findall(r"\b(deals|share|banker|error)\b", text)
    assert "误差以牌局为单位" in text


@pytest.mark.parametrize(
    ("figure", "percent", "shown"),
    [
        (Estimate(12.34567, 0.0234), False, ("12.346", "± 0.023")),
        (Estimate(12.34567, 0.0996), False, ("12.35", "± 0.10")),
        (Estimate(-1234.5, 56.7), False, ("-1234", "± 57")),
        (Estimate(-0.0001, 0.5), False, ("0.00", "± 0.50")),
        (Estimate(3.0, 0.0), False, ("3", "± 0")),
        (Estimate(0.4567, 0.01, 0.4371, 0.4763), True, ("45.7 %", "[43.7, 47.6]")),
        (Estimate(120.0, None, 115.0, 120.0), False, ("120", "[115, 120]")),
        (Estimate(None), True, ("–", "")),
        (Estimate(0.5, None), True, ("50 %", "")),
    ],
)
def test_no_more_digits_than_the_error_warrants(
    figure: Estimate, percent: bool, shown: tuple[str, str]
) -> None:
    assert summary_text.show(figure, percent=percent) == shown


# --- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("simulate whist --deals 3", "there is no game .whist.; allowed are die-wu-fen"),
        ("simulate dwf", "Missing option '--deals'"),
        ("simulate dwf --deals 0", "--deals.*not a whole number from 1 to"),
        ("simulate dwf --deals -5", "--deals.*not a whole number from 1 to"),
        ("simulate dwf --deals 1.5", "--deals.*not a whole number from 1 to"),
        ("simulate dwf --deals 1e30", "--deals.*not a whole number from 1 to"),
        ("simulate dwf --deals 3 --policy clairvoyant", "policy: .*allowed are .*greedy"),
        (
            "simulate dwf --deals 3 --policy dealer=greedy",
            "is no role; allowed are bidding, banker, defender or",
        ),
        ("simulate dwf --deals 3 --policy 3=greedy", "is no role; allowed are .* a seat number from 0 to 2"),
        ("simulate dwf --deals 3 --set colour=red", "has no option .colour."),
        ("simulate dwf --deals 3 --set bid_max=9000", "bid_max is 9000, but it must be"),
        ("simulate dwf --deals 3 --set bid_max", "not of the form option=value"),
        ("simulate dwf --deals 3 --rules no-such-file.toml", "no-such-file.toml.*can't be read"),
        ("simulate dwf --deals 3 --rules hong-wu-wu-jia", "is for hong-wu-wu-jia, not for die-wu-fen"),
        ("simulate dwf --deals 3 --contract banker=9,trump=h,bid=150", "allowed are seats 0 to 2"),
        ("simulate dwf --deals 3 --contract banker=0,trump=x,bid=150", "--contract.*x"),
        ("simulate dwf --deals 3 --contract banker=0,trump=h,bid=155", "155 is no bid"),
        ("simulate dwf --deals 3 --contract banker=0,trump=h", "contract: bid is missing"),
        ("simulate dwf --deals 10 --session 3", "10 is not a multiple of the session length 3"),
        ("simulate dwf --deals 9 --session 3 --first 1", "1 is not a multiple of the session length 3"),
        ("simulate dwf --deals 3 --session 0", "--session.*from 1 to 32767"),
        ("simulate dwf --deals 3 --first -1", "--first.*from 0 to"),
        ("simulate dwf --deals 3 --workers 0", "--workers.*from 1 to"),
        ("simulate dwf --deals 3 --chunk 0", "--chunk.*from 1 to"),
        ("simulate dwf --deals 3 --seed -1", "--seed.*from 0 to"),
        ("simulate dwf --deals 3 --format xml", "'xml' is not one of 'table', 'json'"),
        ("summary", "Missing argument 'DIR'"),
        ("summary no-such-folder", "no-such-folder.*is no dataset: it has no manifest.json"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(line: str, sentence: str) -> None:
    assert re.search(sentence, refused(*line.split()))


def test_nothing_is_written_for_a_run_that_is_refused(tmp_path: Path) -> None:
    refused("simulate", "dwf", "--deals", "10", "--session", "3", "--out", str(tmp_path / "d"))
    refused("simulate", "dwf", "--deals", "10", "--policy", "x", "--out", str(tmp_path / "d"))
    assert list(tmp_path.iterdir()) == []


def test_a_dataset_is_never_overwritten(tmp_path: Path) -> None:
    folder = str(tmp_path / "d")
    simulated("--deals", "5", "--out", folder)
    before = {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    assert "already holds a dataset" in refused("simulate", "dwf", "--deals", "5", "--out", folder)
    assert before == {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    part = Path(folder) / "deals/part-00000.parquet"
    part.write_bytes(part.read_bytes()[:100])
    assert "part-00000.parquet" in refused("summary", folder)


# --- around it --------------------------------------------------------------------------------------


def test_an_interrupted_run_is_a_sentence_and_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object, **_kwargs: object) -> None:
        raise Interrupted("interrupted; nothing was written")

    monkeypatch.setattr("tuolaji.commands.simulate.run", interrupted)
    result = run("simulate", "dwf", "--deals", "5")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "Error: interrupted; nothing was written.\n"


def test_no_progress_unless_on_a_terminal_or_asked_for() -> None:
    assert simulated("--deals", "500").stderr == ""
    shown = simulated("--deals", "500", "--progress").stderr
    assert "500/500" in shown
    assert "deals/s" in shown


def test_the_command_line_goes_into_the_manifest(tmp_path: Path) -> None:
    line = ["simulate", "dwf", "--deals", "5", "--policy", "random", "--out", str(tmp_path / "a b")]
    subprocess.run([sys.executable, "-m", "tuolaji", *line], check=True, capture_output=True)
    manifest = json.loads((tmp_path / "a b/manifest.json").read_text("utf-8"))
    assert manifest["command_lines"] == [f"tuolaji {' '.join(line[:-1])} '{tmp_path / 'a b'}'"]


def test_heavy_libraries_stay_out() -> None:
    script = (
        "import sys; from tuolaji.cli import main\n"
        "try: main(['simulate', 'dwf', '--deals', '5', '--policy', 'random'])\n"
        "except SystemExit: print(*sorted({'pandas', 'tqdm', 'pyarrow', 'scipy.linalg'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_pandas_stays_out_of_writing_and_summing_up(tmp_path: Path) -> None:
    script = (
        "import sys; from tuolaji.cli import main\n"
        f"for args in (['simulate', 'dwf', '--deals', '5', '--out', {str(tmp_path / 'd')!r}],"
        f" ['summary', {str(tmp_path / 'd')!r}]):\n"
        "    try: main(args)\n"
        "    except SystemExit: print(*sorted({'pandas', 'pyarrow.dataset', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
