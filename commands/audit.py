"""`tuolaji audit`: game records judged by the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cli import DONE, FAULTS, format_option, lang_option, progress_option
from ..sim.streams import verdict

if TYPE_CHECKING:
    from ..sim.text import Lang


@click.command(
    help="""Judge game records by the rules: every fault with deal, trick, seat, clause and the reason.

    FILE holds records as `replay --format jsonl` writes them and docs/record.md explains, one JSON object a line, from
    here or from anywhere else; `-` is the standard input, a name ending in .gz is unpacked. Files may be of any size, a
    line has at most 1 MiB. Keys may be missing: what is there is judged, and the last lines say what could not be.

    Exit code 0: no faults. 1: faults. 2: a file can't be read, or a line is no JSON. With `--format json` each fault is
    one line with file, line, deal, trick (from 0), seat, clause, where (the key of the record) and reason.

    \b
        tuolaji replay die-wu-fen --seed 7 --deal 0 --count 100 --format jsonl > games.jsonl
        tuolaji audit games.jsonl
    """
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@progress_option
@format_option("table", "json")
@lang_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], progress: bool, output_format: str, lang: Lang
) -> None:
    from ..sim.audit import Auditor
    from ..sim.audit.report import Tally, as_json, block
    from ..sim.progress import bar
    from ..sim.records_file import lines, no_record
    from ..sim.startup import give_memory_back

    give_memory_back()
    auditor, tally = Auditor(), Tally()
    # A reader that leaves after a fault knows the verdict, and so does the caller.
    with verdict(lambda: FAULTS if tally.faulty else DONE):
        with bar(None, lang, show=progress) as report_progress:
            for line in lines([*files]):
                try:
                    report = auditor.examine_line(line.text)
                except (ValueError, RecursionError) as error:
                    raise no_record(line, error) from None
                tally.add(report)
                if report.faults and output_format == "json":
                    for fault in report.faults:
                        click.echo(json.dumps(as_json(line, fault, lang), ensure_ascii=False))
                elif report.faults:
                    click.echo(block(line, report, lang))
                if report_progress and tally.records % 1000 == 0:
                    report_progress(tally.records)
        # Beside JSON, what could not be judged is said on stderr.
        if output_format == "table" or tally.unchecked:
            click.echo("\n".join(tally.closing(lang)), err=output_format == "json")
    ctx.exit(FAULTS if tally.faulty else DONE)
