"""`tuolaji summary`: the figures of a dataset."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cli import format_option, lang_option

if TYPE_CHECKING:
    from ..sim.text import Lang


@click.command(
    help="""Print the summary of a dataset: the figures that `simulate` printed when it wrote DIR.

    Each figure has its standard error or its 95 % interval. `--format json` has all of them at full precision.
    """
)
@click.argument("folder", type=click.Path(), metavar="DIR")
@format_option("table", "json")
@lang_option
def command(folder: str, output_format: str, lang: Lang) -> None:
    from ..sim.dataset import Dataset
    from ..sim.summary import summarize

    dataset = Dataset(folder)
    summary = summarize(dataset)
    if output_format == "json":
        click.echo(json.dumps(summary.to_dict(), ensure_ascii=False, indent=2))
    else:
        from ..sim.summary_text import render

        click.echo(render(summary, lang), nl=False)
