"""The command line as a whole, and its `rules` commands."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner, Result

from tuolaji import __version__, cli
from tuolaji.sim import rules
from tuolaji.sim.errors import RunError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args, catch_exceptions=False)


def refused(*args: str) -> str:
    """Run a command that must be refused; the sentence it gives."""
    result = run(*args)
    assert result.exit_code == cli.BAD_USAGE
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


# --- the group --------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 0
    assert all(f"\n  {name} " in result.stdout for name in cli.COMMANDS)


def test_every_command_loads_and_explains_itself() -> None:
    for name in cli.COMMANDS:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: main {name}")


def test_version() -> None:
    assert run("--version").stdout == f"tuolaji, version {__version__}\n"


def test_python_m_tuolaji_is_the_same_command() -> None:
    done = subprocess.run([sys.executable, "-m", "tuolaji", "rules", "list"], capture_output=True, check=True)
    assert b"die-wu-fen-throws-only" in done.stdout


def test_bad_usage_is_one_sentence_naming_what_is_allowed() -> None:
    assert 'no command "simulat"; the commands are simulate, ' in refused("simulat")
    assert 'no command "shw"; the commands are ' in refused("rules", "shw")
    assert "No such option" in refused("--fast")
    assert "No such option" in refused("rules", "list", "--fast")
    assert "'xml' is not one of 'table', 'json'" in refused("rules", "list", "--format", "xml")
    assert "Missing argument 'NAME'" in refused("rules", "show")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("the deck is short"), 2, "Error: the deck is short.\n"),
        (click.UsageError("two\nlines."), 2, "Error: two lines.\n"),
        (RunError("the disk is full; resume with --resume"), 3, "Error: the disk is full; resume with --resume.\n"),
        (click.Abort(), 130, "Error: interrupted.\n"),
        (OSError(28, "No space left on device", "x"), 3, "Error: the system refused: No space left on device (x).\n"),
        (MemoryError(), 3, "Error: there is not enough memory to go on.\n"),
    ],
)  # fmt: skip
def test_each_kind_of_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
    sentence: str,
) -> None:
    monkeypatch.delenv("TUOLAJI_DEBUG")

    def body() -> None:
        raise error

    with pytest.raises(SystemExit) as caught:
        cli.run_to_exit(body)
    assert (caught.value.code, capsys.readouterr().err) == (code, sentence)


def test_an_unexpected_error_is_a_sentence_or_on_demand_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ZeroDivisionError):
        cli.run_to_exit(lambda: 1 // 0)
    monkeypatch.delenv("TUOLAJI_DEBUG")
    with pytest.raises(SystemExit) as caught:
        cli.run_to_exit(lambda: 1 // 0)
    assert caught.value.code == cli.UNFINISHED
    message = capsys.readouterr().err
    assert "something unexpected happened (ZeroDivisionError: " in message
    assert "please report this" in message


def test_ctrl_c_is_130() -> None:
    @click.command(cls=click.Command)
    def wait() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as caught:
        cli.run_to_exit(lambda: wait.main([], standalone_mode=False))
    assert caught.value.code == cli.INTERRUPTED


def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    program = "from tuolaji.cli import run_to_exit\nrun_to_exit(lambda: [print('x' * 99) for _ in range(20000)] and 0)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    errors = child.stderr.read()
    child.stderr.close()
    assert (child.wait(), errors) == (cli.DONE, b"")


# --- values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1), ("1000000", 10**6), ("1_000_000", 10**6), ("1e6", 10**6), ("1M", 10**6), ("1m", 10**6),
        ("1.5M", 1_500_000), ("2.5e3", 2500), ("20k", 20_000), ("1G", 10**9), ("1e12", 10**12), ("+5", 5), (" 7 ", 7),
        ("1000e-3", 1),
    ],
)  # fmt: skip
def test_numbers_as_people_write_them(text: str, number: int) -> None:
    assert cli.parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["0", "-5", "1.5", "1e30", "1e999", "", "M", "1MM", "1,000", "ten", "1e6e6", "_1", "nan", "inf", "１０",
     "9" * 59, "9" * 9999,      "1." + "0" * 40 + "1", "0x10"],
)  # fmt: skip
def test_numbers_out_of_bounds_or_out_of_shape_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a whole number from 1 to 1e12 "):
        cli.parse_number(text)


def test_seeds_have_64_bits() -> None:
    assert cli.parse_number("18446744073709551615", 0, 2**64 - 1) == 2**64 - 1
    with pytest.raises(UsageError, match="from 0 to 18446744073709551615"):
        cli.parse_number("18446744073709551616", 0, 2**64 - 1)


@cli.game_argument
@cli.deals_option()
@cli.rules_options
@cli.seed_option
@cli.first_option
@cli.workers_option
@cli.chunk_option
@cli.session_option
@cli.policy_option
@cli.contract_option
@cli.progress_option
@cli.format_option("table", "json")
@cli.lang_option
def everything(**given: object) -> None:
    """A command with every shared option."""
    given["game"] = getattr(given["game"], "name", None)
    click.echo(json.dumps(given))


EVERYTHING = click.command(everything)


def test_the_shared_options_arrive_as_values() -> None:
    line = (
        "跌五分 --deals 1M --rules x.toml --set a=1 --set b=2 --seed 7 --first 1e3 --workers 2 --chunk 4k --session 12 "
        "--policy greedy --policy banker=search:20 --contract banker=0,trump=♥,bid=150 --no-progress --format json "
        "--lang zh"
    )
    result = CliRunner().invoke(EVERYTHING, line.split(), catch_exceptions=False)
    assert json.loads(result.stdout) == {
        "game": "die-wu-fen", "deals": 10**6, "rules": "x.toml", "overrides": ["a=1", "b=2"], "seed": 7, "first": 1000,
        "workers": 2, "chunk": 4000, "session": 12, "policies": ["greedy", "banker=search:20"],
        "contract": {"banker": 0, "trump": "h", "bid": 150}, "progress": False, "output_format": "json", "lang": "zh",
    }  # fmt: skip


def test_the_shared_options_have_defaults() -> None:
    result = CliRunner().invoke(EVERYTHING, ["hwwj", "--deals", "1"], catch_exceptions=False)
    assert json.loads(result.stdout) == {
        "game": "hong-wu-wu-jia", "deals": 1, "rules": None, "overrides": [], "seed": 0, "first": 0, "workers": None,
        "chunk": None, "session": 1, "policies": [], "contract": None, "progress": False, "output_format": "table",
        "lang": "en",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("whist --deals 1", "there is no game"),
        ("dwf --deals 0", '"0" is not a whole number from 1'),
        ("dwf --deals -5", '"-5" is not a whole number'),
        ("dwf --deals 1 --seed -1", '"-1" is not a whole number from 0'),
        ("dwf --deals 1 --contract banker=0", '"banker=0" lacks trump'),
        ("dwf --deals 1 --contract banker=x,trump=h", '"banker=x" is not a part of a contract'),
        ("dwf --deals 1 --contract banker=1,banker=2,trump=h", "banker stands twice"),
        ("dwf --deals 1 --contract banker=1,trump=nt", '"nt" is not a suit'),
    ],
)
def test_wrong_values_are_refused_with_the_reason(args: str, reason: str) -> None:
    result = CliRunner().invoke(EVERYTHING, args.split(), catch_exceptions=False)
    assert result.exit_code == cli.BAD_USAGE
    assert reason in result.stderr


# --- rules ------------------------------------------------------------------------------------------


def test_rules_list_in_both_languages() -> None:
    assert "die-wu-fen-no-forced-trump  No forced trumps at all" in run("rules", "list").stdout
    assert "die-wu-fen-no-forced-trump  不强制垫主" in run("rules", "list", "--lang", "zh").stdout
    names = [row["name"] for row in json.loads(run("rules", "list", "--format", "json").stdout)]
    assert names == [*rules.presets()]


@pytest.mark.parametrize("name", ["die-wu-fen", "跌五分", "hwwj", "die-wu-fen-throws-only"])
def test_rules_show_prints_a_rule_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(run("rules", "show", name, "--lang", "zh").stdout, "utf-8")
    assert rules.read_file(path) == rules.load(None, name)
    shown = json.loads(run("rules", "show", str(path), "--format", "json").stdout)
    assert shown["hash"] == rules.load(None, name).hash()
    assert shown["name"] == "mine"


def test_rules_show_with_a_change() -> None:
    shown = json.loads(run("rules", "show", "dwf", "--set", "bid_step=5", "--format", "json").stdout)
    assert shown["rules"]["bid_step"] == 5
    assert "bid_step is 6, but it must be" in refused("rules", "show", "dwf", "--set", "bid_step=6")


def test_rules_show_of_something_unknown() -> None:
    assert "did you mean hong-wu-wu-jia?" in refused("rules", "show", "hong-wu-jia")
    assert "can't be read: No such file" in refused("rules", "show", "none.toml")


def test_rules_check_a_sound_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('game = "dwf"\nbottom_multiplier = 4\n')
    result = run("rules", "check", str(path))
    assert (result.exit_code, result.stdout) == (
        0,
        f"{path}: sound rules for die-wu-fen; changes bottom_multiplier.\n",
    )
    assert "规则无误" in run("rules", "check", str(path), "--lang", "zh").stdout


def test_rules_check_names_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('game = "dwf"\nbottom_multiplyer = 4\nbid_step = 3\n')
    result = run("rules", "check", str(path))
    assert result.exit_code == cli.FAULTS
    first, second = result.stdout.splitlines()
    assert first == f'{path}: die-wu-fen has no option "bottom_multiplyer"; did you mean bottom_multiplier?'
    assert second == f"{path}: bid_step is 3, but it must be 5, 10 or 20."
    assert "是否想写 bottom_multiplier？" in run("rules", "check", str(path), "--lang", "zh").stdout


def test_rules_check_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert "can't be read" in refused("rules", "check", str(tmp_path / "none.toml"))
    assert "can't be read: Is a directory" in refused("rules", "check", str(tmp_path))
