"""What version 0.1.0 wrote is still read: datasets, studies, thresholds files and records.

`old/0.1.0.tar.xz` holds a small one of each, for both games: what `simulate --detail plays`, `import`, `compare`,
`threshold`, `advise` and `tournament` wrote with --out, and records.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tuolaji import cli
from tuolaji.kernels._jit import JIT

from naive import DWF, HW

pytestmark = pytest.mark.skipif(not JIT, reason="plays deals again")

STUDIES = [(game, study) for game in (DWF, HW) for study in ("compare", "threshold", "advise")] + [
    (HW, "tournament")
]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(Path(__file__).parent / "old" / "0.1.0.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 and later have it
        archive.extractall(folder)
    return folder


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli.main, [str(arg) for arg in args], catch_exceptions=False)


@pytest.mark.parametrize("game", [DWF, HW])
@pytest.mark.parametrize("kind", ["deals", "imported"])
def test_a_dataset_is_sound_and_summed_up(old: Path, game: str, kind: str) -> None:
    verified = run("verify", old / game / kind)
    assert verified.exit_code == 0, verified.output
    summed = run("summary", old / game / kind, "--format", "json")
    assert summed.exit_code == 0
    assert json.loads(summed.stdout)["deals"] == {"deals": 60, "imported": 2}[kind]


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_deal_of_a_dataset_is_played_again(old: Path, game: str) -> None:
    again = run("replay", old / game / "deals", "--deal", "3", "--count", "2", "--format", "jsonl")
    assert again.exit_code == 0
    assert again.stdout == (old / game / "records.jsonl").read_text("utf-8")


@pytest.mark.parametrize("game", [DWF, HW])
def test_an_unfinished_dataset_is_gone_on_with(old: Path, game: str) -> None:
    folder = old / game / "deals"
    done = run(
        "simulate", game, "--deals", "80", "--seed", "7", "--policy", "greedy", "--detail", "plays",
        "--out", folder, "--workers", "1", "--resume",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert run("verify", folder).exit_code == 0


@pytest.mark.parametrize("game", [DWF, HW])
def test_records_are_judged(old: Path, game: str) -> None:
    assert run("audit", old / game / "records.jsonl").exit_code == 0


@pytest.mark.parametrize(("game", "study"), STUDIES)
def test_a_study_becomes_a_page(old: Path, tmp_path: Path, game: str, study: str) -> None:
    made = run("report", old / game / study, "--out", tmp_path / "page")
    assert made.exit_code == 0, made.output
    assert list((tmp_path / "page").glob("*.html"))


@pytest.mark.parametrize("game", [DWF, HW])
def test_a_thresholds_file_is_bid_by(old: Path, game: str) -> None:
    played = run(
        "simulate",
        game,
        "--deals",
        "20",
        "--bidding",
        old / game / "threshold" / "thresholds.toml",
        "--workers",
        "1",
    )
    assert played.exit_code == 0, played.output
