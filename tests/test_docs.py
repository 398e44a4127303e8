"""The documentation is in step with the code."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(path for folder in (ROOT, ROOT / "docs") for path in folder.glob("*.md"))


def test_generated_parts_are_in_step(capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.run(check=True) == 0, capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_rules_page_explains_every_option() -> None:
    from tuolaji.sim.rules import OPTIONS

    prose = (ROOT / "docs" / "rules-die-wu-fen.md").read_text("utf-8").partition("## Options")[0]
    for option in OPTIONS["die-wu-fen"].values():
        assert f"`{option.name}" in prose, option.name
        assert all(f"**{clause}" in prose or f"{clause} " in prose for clause in option.clauses)
