"""The documentation is in step with the code."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
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


@pytest.mark.parametrize("game", ["die-wu-fen", "hong-wu-wu-jia"])
def test_the_rules_page_explains_every_option(game: str) -> None:
    from tuolaji.sim.rules import OPTIONS

    prose = (ROOT / "docs" / f"rules-{game}.md").read_text("utf-8").partition("## Options")[0]
    for option in OPTIONS[game].values():
        assert f"`{option.name}" in prose, option.name
        assert all(f"**{clause}" in prose or f"{clause} " in prose for clause in option.clauses)


@pytest.mark.parametrize(
    ("page", "family", "last"), [("die-wu-fen", "DWF", 19), ("hong-wu-wu-jia", "HW", 18)]
)
def test_the_rules_page_has_every_clause(page: str, family: str, last: int) -> None:
    text = (ROOT / "docs" / f"rules-{page}.md").read_text("utf-8")
    stated = set(re.findall(r"^ *- \*\*.*", text, re.MULTILINE))
    own = [n for n in range(1, last + 1) if (family, n) != ("DWF", 12)]  # there is none
    for clause in [*(f"COM-{n}" for n in range(1, 20)), *(f"{family}-{n}" for n in own)]:
        assert any(re.search(rf"\b{clause}\b", line) for line in stated), clause


def test_the_score_table_of_hong_wu_wu_jia_is_what_the_oracle_pays() -> None:
    """HW-10, HW-13 to HW-15: the examples of the page."""
    from naive.hong_wu_wu_jia import grade, payoffs

    text = (ROOT / "docs" / "rules-hong-wu-wu-jia.md").read_text("utf-8")
    table = text.partition("| D | | banker | partner | each defender |")[2].partition("\n\n")[0]
    rows = [
        [cell.strip().replace("−", "-") for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]
    ]
    assert len(rows) == 9
    for points, how, banker, partner, defender in rows:
        solo = how == "solo"
        shares = [int(share) for share in (banker, partner, *[defender] * (4 if solo else 3)) if share]
        mark = grade(int(points), {})
        assert payoffs(0, None if solo else 1, mark, how == "pressed", how == "direct partner", {}) == shares


# --- README.md and README.zh.md say the same


def readme(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and content of each fenced block, comments left out."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(language, re.sub(r" *#.*", "", content)) for language, content in found]


def test_the_readmes_are_in_step() -> None:
    both = [readme(name) for name in ("README.md", "README.zh.md")]
    headings, code, measured, commands, figures = (
        [re.findall(r"^(#+) ", text, re.MULTILINE) for text in both],
        [[block for block in blocks(text) if block[0]] for text in both],
        [re.findall(r"<!-- measured:.*?<!-- end -->", text, re.DOTALL) for text in both],
        [re.findall(r"(?:`|<code>)(tuolaji [^`<]+)", text.replace(" --lang zh", "")) for text in both],
        [
            re.findall(r"[0-9][0-9.,]*", " ".join(re.findall(r"^\| [0-9].*", text, re.MULTILINE)))
            for text in both
        ],
    )
    for name, (english, chinese) in {
        "headings": headings, "code": code, "measured": measured, "commands": commands, "figures": figures,
    }.items():  # fmt: skip
        assert english == chinese, name
        assert english, name
    assert len(code[0]) >= 6
    links = [sorted(re.findall(r"\]\(([^)]+)\)", text)) for text in both]
    assert [x for x in links[0] if x != "README.zh.md"] == [x for x in links[1] if x != "README.md"]
    prose = [re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL) for text in both]
    numbers = [sorted(re.findall(r"[0-9]+\.[0-9]+", text)) for text in prose]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_replay_in_the_readme_is_what_the_command_prints(name: str) -> None:
    from click.testing import CliRunner

    from tuolaji.cli import main

    text = readme(name)
    commands = re.findall(r"<code>tuolaji (replay [^<]+)</code>", text)
    printed = [content for language, content in re.findall(
        r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ) if not language]  # fmt: skip
    assert commands
    for command, shown in zip(commands, printed, strict=True):
        assert CliRunner().invoke(main, command.split(), catch_exceptions=False).stdout == shown


def test_help_is_there_without_docstrings() -> None:
    """With PYTHONOPTIMIZE=2 there are none, and help must not come from them."""
    script = (
        "import click\nfrom tuolaji.cli import main\n"
        "def show(of, name):\n"
        "    context = click.Context(of, info_name=name, terminal_width=100)\n"
        "    print(of.get_help(context), of.get_short_help_str(200), sep='\\n')\n"
        "    for below in of.list_commands(context) if isinstance(of, click.Group) else ():\n"
        "        show(of.get_command(context, below), f'{name} {below}')\n"
        "show(main, 'tuolaji')"
    )
    shown = [
        subprocess.run(
            [sys.executable, *flags, "-c", script], capture_output=True, text=True, check=True
        ).stdout
        for flags in ([], ["-OO"])
    ]
    assert shown[0] == shown[1]
    assert shown[1].count("Usage: ") > 14
