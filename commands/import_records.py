"""`tuolaji import`: game records as a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..cli import FAULTS, command_line, lang_option, progress_option
from ..sim.streams import beside
from ..sim.text import Text, legible

if TYPE_CHECKING:
    from ..sim.audit import Report
    from ..sim.records_file import Line
    from ..sim.text import Lang


@click.command(
    help="""Make a dataset of game records, to compare people's play with policies': `summary DIR` reads it.

    FILE as for `audit`, which judges every record first. All records must be of one game and one rule set. Deals are
    numbered from 0 in the order of the records, each a session of its own; what a record does not tell (calls, bids,
    the previous banker) is as with a fixed contract: -1, or 0 for numbers.

    Exit code 0: done. 1: faulty records, which are named, and without `--skip-faulty` no dataset. 2: files or folder
    can't be used.

    \b
        tuolaji import games.jsonl --out people
        tuolaji summary people
    """
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--out", required=True, metavar="DIR",
    help="Write the dataset to this new folder, or to an address like s3://bucket/folder.",
)  # fmt: skip
@click.option(
    "--skip-faulty", is_flag=True, help="Leave faulty records out. Default: with one, nothing is imported."
)
@progress_option
@lang_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], out: str, skip_faulty: bool, progress: bool, lang: Lang
) -> None:
    from ..sim.audit.report import block
    from ..sim.import_records import import_records
    from ..sim.progress import bar
    from ..sim.startup import give_memory_back

    def faulty(line: Line, report: Report) -> None:
        with beside(out, lang):
            click.echo(block(line, report, lang))

    give_memory_back()
    with bar(None, lang, show=progress) as report_progress:
        result = import_records(
            [*files], out, skip_faulty=skip_faulty, faulty=faulty, report=report_progress,
            command_line=command_line(),
        )  # fmt: skip
    sound, where = result.records - result.faulty, legible(out)
    records = f"{result.records:,} record{'' if result.records == 1 else 's'}"
    if result.complete:
        left = Text(f"; {result.faulty:,} faulty ones left out", f"；略去有误的 {result.faulty:,} 份")
        line = Text(
            f"{sound:,} record{'' if sound == 1 else 's'} imported into {where}{left.en if result.faulty else ''}.",
            f"已将 {sound:,} 份记录导入 {where}{left.zh if result.faulty else ''}。",
        )
    else:
        hint = Text("; --skip-faulty leaves them out", "；用 --skip-faulty 可略去")
        line = Text(
            f"Nothing was imported: of {records}, {result.faulty:,} faulty{hint.en if sound else ''}.",
            f"未导入：{result.records:,} 份记录中有 {result.faulty:,} 份有误{hint.zh if sound else ''}。",
        )
    with beside(out, lang):
        click.echo(line.say(lang))
    ctx.exit(0 if result.complete else FAULTS)
