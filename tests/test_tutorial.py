"""docs/tutorial.md: every block runs, in order, and what is shown is what comes out.

A block `toml` is a file whose name stands in its first line; a block without a language shows lines of what the
commands before it print. `REGENERATE_GOLDENS=1` renews the numbers in them.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tuolaji import cli
from tuolaji.kernels._jit import JIT

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def words(line: str) -> str:
    """A line without its layout."""
    return " ".join(line.split())


def shape(line: str) -> str:
    """A line without its layout and its numbers, except one it begins with, which is a label."""
    first, _, rest = words(line).partition(" ")
    return first + " " + re.sub(r"[-+]?[0-9][0-9,.]*(?: ?%)?", "#", rest)


def renewed(shown: str, printed: list[str]) -> str:
    """A block with the lines as they are printed now, found by their shape."""
    lines = []
    for line in shown.splitlines():
        found = next((other for other in printed if shape(other) == shape(line)), None)
        assert found is not None, f"nothing like this is printed any more: {line}"
        lines.append(found.strip())
    return "".join(f"{line}\n" for line in lines)


def test_the_page_is_for_all_three_uses() -> None:
    text = PAGE.read_text("utf-8")
    used = {
        line.split()[1]
        for language, code in BLOCK.findall(text)
        if language == "sh"
        for line in code.splitlines()
    }
    assert used >= {"simulate", "summary", "verify", "replay", "match", "threshold", "report", "rules"}
    assert used >= {"compare", "advise"} & {*cli.COMMANDS}
    assert len(re.findall("^## ", text, re.MULTILINE)) == 3


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="plays many deals")
def test_everything_runs_and_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    printed: list[str] = []
    for language, code in BLOCK.findall(text):
        if language == "sh":
            for line in code.splitlines():
                command, *args = shlex.split(line)
                assert command == "tuolaji"
                result = CliRunner().invoke(cli.main, args, catch_exceptions=False)
                assert result.exit_code == 0, result.output
                printed += result.stdout.splitlines()
        elif language == "toml":
            (tmp_path / code.splitlines()[0].removeprefix("# ")).write_text(code, "utf-8")
        elif language == "python":
            exec(compile(code, str(PAGE), "exec"), {})
        elif os.environ.get("REGENERATE_GOLDENS"):
            text = text.replace(f"```\n{code}```", f"```\n{renewed(code, printed[::-1])}```")
        else:
            known = {words(line) for line in printed}
            for line in code.splitlines():
                assert words(line) in known, f"not printed any more (REGENERATE_GOLDENS=1 renews it): {line}"
    if os.environ.get("REGENERATE_GOLDENS"):
        PAGE.write_text(text, "utf-8")


def test_numbers_are_renewed_by_the_shape_of_their_lines() -> None:
    printed = ["120 -0.3 [1, …]", "bid made   41.0 %  [40, 42] *", "bid    made", "110   -0.3  [-1.5, …]"]
    assert renewed("bid made 1.55 % [1, 2] *\n110 +7 [8, …]\n", printed) == f"{printed[1]}\n{printed[3]}\n"
    with pytest.raises(AssertionError, match="nothing like this"):
        renewed("banker 5\n", printed)
