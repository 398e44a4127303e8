"""Writes the parts of the documentation that follow from the code.

    python docs/generate.py            write them
    python docs/generate.py --check    exit 1 and name the files that are out of step

Generated are `docs/cli.md` and what stands between the markers `generated: options` in `docs/rules-*.md` and
`generated: columns GAME` or `TABLE` in `docs/dataset.md`, and `generated: rows FILE` in `docs/statistics.md`.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import click

from tuolaji.cli import main
from tuolaji.sim.columns import documented
from tuolaji.sim.rules import OPTIONS
from tuolaji.sim.threshold_columns import FILES, documented_rows

DOCS = Path(__file__).resolve().parent
RULE_PAGES = {"rules-die-wu-fen.md": "die-wu-fen", "rules-hong-wu-wu-jia.md": "hong-wu-wu-jia"}


def option_table(game: str) -> str:
    """Every option of a game: default, what it takes, clauses, meaning."""
    lines = ["| option | default | allowed | clause | meaning |", "|---|---|---|---|---|"]
    for option in OPTIONS[game].values():
        default = option.to_toml(option.default)
        if len(default) > 80:
            default = default[:60].rpartition("],")[0] + "], …]"
        cells = [
            f"`{option.name}`",
            f"`{default}`",
            option.allowed(),
            ", ".join(option.clauses),
            option.doc.en,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def column_table(game: str, table: str = "deals") -> str:
    """Every column of a table of a game's dataset: name, type, meaning."""
    rows = [f"| `{name}` | {kind} | {about} |" for name, kind, about in documented(game, table)]
    return "\n".join(["| column | type | meaning |", "|---|---|---|", *rows])


def row_table(name: str) -> str:
    """Every column of a file of rows of the study `threshold`: name, type, unit, meaning."""
    rows = [
        f"| `{column}` | {kind} | {unit} | {about} |" for column, kind, unit, about in documented_rows(name)
    ]
    return "\n".join(["| column | type | unit | meaning |", "|---|---|---|---|", *rows])


def renewed(text: str, what: str, table: str) -> str:
    """A page with one of its tables replaced."""
    begin, end = f"<!-- generated: {what} -->", f"<!-- end of generated: {what} -->"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"a page lacks the markers {begin} and {end}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def describe(command: click.Command, path: str, parent: click.Context | None) -> list[str]:
    """One command and those below it, as Markdown. Not click's own layout, which depends on the terminal."""
    name = path.rpartition(" ")[2]
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    lines = [f"## {path}", "", f"`{usage}`", "", *prose(command.help or "")]
    found = [p.get_help_record(context) for p in command.get_params(context)]
    records = [record for record in found if record and record[1]]  # arguments have no meaning column
    if records:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| `{cell(names)}` | {cell(meaning)} |" for names, meaning in records]
        lines.append("")
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            child = command.get_command(context, below)
            assert child is not None
            lines += describe(child, f"{path} {below}", context)
    return lines


def prose(text: str) -> list[str]:
    """A help text; a paragraph that click is told not to wrap (\\b) becomes a code block."""
    lines: list[str] = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        kept = paragraph.removeprefix("\b\n")
        if kept != paragraph:
            indent = min(len(line) - len(line.lstrip()) for line in kept.splitlines() if line.strip())
            lines += ["```", *(line[indent:] for line in kept.splitlines()), "```", ""]
        else:
            lines += [" ".join(paragraph.split()), ""]
    return lines


def cell(text: str) -> str:
    """Text fit for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def pages() -> dict[Path, str]:
    """Every generated page and what should stand in it."""
    head = ["# The command line", "", "<!-- written by docs/generate.py; do not edit -->", ""]
    result = {DOCS / "cli.md": "\n".join(head + describe(main, "tuolaji", None)).rstrip() + "\n"}
    for name, game in RULE_PAGES.items():
        path = DOCS / name
        if path.exists():
            result[path] = renewed(path.read_text("utf-8"), "options", option_table(game))
    path = DOCS / "dataset.md"
    text = path.read_text("utf-8")
    for game in RULE_PAGES.values():
        text = renewed(text, f"columns {game}", column_table(game))
    for table in ("tricks", "plays"):
        text = renewed(text, f"columns {table}", column_table("", table))
    result[path] = text
    path = DOCS / "statistics.md"
    text = path.read_text("utf-8")
    for name in FILES:
        text = renewed(text, f"rows {name}", row_table(name))
    return result | {path: text}


def run(*, check: bool) -> int:
    """Write the pages, or say which are out of step."""
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.name} is out of step with the code; run: python docs/generate.py")
        else:
            path.write_text(pages()[path], "utf-8")
            print(f"wrote {path.name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(run(check="--check" in sys.argv[1:]))
