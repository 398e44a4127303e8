"""What is said when kernels must be compiled, by every command, once; and that compiling counts as no playing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from test_faults import sentence_of

from tuolaji.cli import COMMANDS, main
from tuolaji.kernels import _jit, compiling
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
from tuolaji.sim.progress import bar
from tuolaji.sim.simulate import run

#: Calls a kernel that compiles fast, as a command would that uses it.
SCRIPT = """
import sys
from tuolaji.cli import lang_option, run_to_exit
import click
@click.command()
@lang_option
def command(lang):
    from tuolaji.kernels import rng
    rng.block(2026, 7, 3, 0)
run_to_exit(lambda: command.main(sys.argv[1:], standalone_mode=False))
"""
FIRST = "compiling what this command needs for the first time; that may take a minute"
AGAIN = "compiling what this command needs; that may take a minute, in every run, for nothing can be kept"

compiled = pytest.mark.skipif(not _jit.JIT, reason="nothing is compiled")


def said(*args: str, before: tuple[str, ...] = (), **environment: str) -> str:
    """What a command that compiles says on stderr."""
    env = {
        k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    } | environment
    done = subprocess.run(
        [*before, sys.executable, "-c", SCRIPT, *args], env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr


@compiled
def test_it_is_said_once_and_not_again(tmp_path: Path) -> None:
    assert said(NUMBA_CACHE_DIR=str(tmp_path)) == FIRST + "\n"
    assert said(NUMBA_CACHE_DIR=str(tmp_path)) == ""


@compiled
def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = str(tmp_path / "file/cache")
    assert sentence_of(said(NUMBA_CACHE_DIR=place)) == f"{AGAIN}: {place}/tuolaji: Not a directory"
    assert said("--lang", "zh", NUMBA_CACHE_DIR=place).startswith("正在编译本命令所需的程序")


@compiled
@pytest.mark.skipif(not shutil.which("setpriv") or os.geteuid() != 0, reason="takes root, and setpriv")
def test_a_user_without_a_home_is_a_user(tmp_path: Path) -> None:
    caps = "+dac_override,+dac_read_search"
    before = ("setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups", f"--inh-caps={caps}",
              f"--ambient-caps={caps}", "env", "-u", "HOME")  # fmt: skip
    expected = f"{AGAIN}: there is no home folder (NUMBA_CACHE_DIR may name another one)"
    assert sentence_of(said(before=before)) == expected
    assert said(before=before, NUMBA_CACHE_DIR=str(tmp_path)) == FIRST + "\n"


@compiled
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes root")
def test_a_place_that_others_can_write_to_is_named(tmp_path: Path) -> None:
    place = tmp_path / "tuolaji"
    place.mkdir()
    os.chown(place, 12345, 12345)
    advice = "(NUMBA_CACHE_DIR may name another folder)"
    assert sentence_of(said(NUMBA_CACHE_DIR=str(tmp_path))) == (
        f"{AGAIN}: other users can write to {place}, so what lies there is not trusted {advice}"
    )
    assert not list(place.iterdir())


def test_a_place_for_what_is_compiled_is_asked_for_in_vain(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    assert _jit.cache_root() is None
    assert _jit.refused() == compiling.Refused()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _jit.cache_root() == tmp_path / "tuolaji"
    assert _jit.refused() is None


def commands(of: click.Command) -> Iterator[click.Command]:
    if not isinstance(of, click.Group):
        yield of
        return
    for name in of.list_commands(click.Context(of)):
        found = of.get_command(click.Context(of), name)
        assert found is not None
        yield from commands(found)


def test_every_command_says_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    every = [*commands(main)]
    assert len(every) >= len(COMMANDS)
    for one in every:
        monkeypatch.setattr(compiling, "tell", None)
        (option,) = (param for param in one.params if param.name == "lang")
        assert option.process_value(click.Context(one), "zh") == "zh"
        told = compiling.tell
        assert told is not None, one.name
        told(None)
        assert capsys.readouterr().err == "正在编译本命令首次用到的程序，约需一分钟以内\n"
        told(compiling.Refused("/shared/tuolaji"))
        assert "：其他用户可以写入 /shared/tuolaji，其中的内容不可信，" in capsys.readouterr().err


@compiled
def test_judge_says_it(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tuolaji", "judge", "lead", "dwf", "--trump", "h", "--cards", "5s"]
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = [subprocess.run(line, env=env, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [each.stderr for each in done] == [FIRST + "\n", ""]
    assert done[0].stdout == done[1].stdout


# --- the clock --------------------------------------------------------------------------------------


def compile_for(seconds: float) -> None:
    compiling.begin(lambda: None)
    compiling.begin(lambda: None)
    time.sleep(seconds)
    compiling.end()
    compiling.end()


def test_the_clock_stands_still_while_kernels_are_compiled() -> None:
    before, began = compiling.clock(), time.perf_counter()
    compiling.begin(lambda: None)
    time.sleep(0.1)
    during = compiling.clock()
    compiling.end()
    assert 0 <= during - before < 0.05
    assert 0 <= compiling.clock() - before < 0.05
    time.sleep(0.1)
    assert compiling.clock() - before > 0.1
    assert time.perf_counter() - began > 0.2


def test_deals_a_second_count_neither_compiling_nor_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Engine.play
    slept: list[int] = []

    def slow_at_first(self: Engine, first: int, count: int, *more: object, **options: object) -> object:
        if not slept:
            slept.append(count)
            time.sleep(1)
        elif len(slept) == 1:
            slept.append(count)
            compile_for(1)
        return known(self, first, count, *more, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "play", slow_at_first)
    summary = run(make_plan("dwf", policies="random"), 20, workers=1)
    assert slept == [0, 20]
    assert summary.seconds is not None
    assert summary.seconds < 0.9


def test_the_bar_does_not_count_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(100, "en", show=True) as shown:
        assert shown is not None
        compile_for(1.2)
        shown(100)
    assert "100/100 [00:00<" in capsys.readouterr().err
