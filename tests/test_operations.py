"""docs/operations.md: every block of code runs, in order."""

from __future__ import annotations

import os
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from tuolaji.cli import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "operations.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_has_what_it_promises() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "python"}
    code = "".join(text for _, text in BLOCKS)
    assert all(f"import {name}" in code for name in ("duckdb", "polars", "pandas", "pyarrow"))


@pytest.mark.slow
def test_every_block_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for language, text in BLOCKS:
            if language == "sh":
                for line in text.splitlines():
                    command, *args = shlex.split(line)
                    assert command == "tuolaji"
                    result = CliRunner().invoke(main, args, catch_exceptions=False)
                    assert result.exit_code == 0, result.output
            elif "polars" not in text or find_spec("polars"):
                exec(compile(text, str(PAGE), "exec"), {})
    finally:
        os.chdir(before)
    shown = capsys.readouterr().out
    assert "lead_kind" in shown
    assert "defender_points" in shown or not find_spec("polars")
