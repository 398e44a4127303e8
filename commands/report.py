"""`tuolaji report`: a dataset or study as a page with charts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli import lang_option
from ..sim.streams import beside
from ..sim.text import Text, clip, legible

if TYPE_CHECKING:
    from ..sim.text import Lang

_WROTE = Text("wrote {page} and {n} pictures (PNG) beside it", "已写出 {page}，另有 {n} 张图（PNG）在旁")
_ENGLISH = Text(
    "The words in the PNG files are English.",
    "本机没有中文字体，PNG 图中的文字用英文；网页中的图是中文。",
)


@click.command(
    help="""Make a page with charts, tables and words of a dataset or a study.

    DIR is what `simulate`, `import`, `threshold`, `compare`, `tournament` or `advise` wrote with --out. The page,
    report.html (report-zh.html in Chinese), needs no other file and no network; the charts lie beside it as PNG files.
    Every figure has its interval, and what is sure and what is not is said in words; at the foot stands where the
    numbers come from. Needs matplotlib: pip install "tuolaji[plots]".

    \b
        tuolaji report deals-7
        tuolaji report study --out pages --lang zh
    """
)
@click.argument("folder", metavar="DIR")
@click.option(
    "--out", metavar="DIR2",
    help="Write to this folder; needed when DIR is an address like s3://bucket/folder. Default: DIR/report. "
    "Older pages and pictures there are replaced.",
)  # fmt: skip
@lang_option
def command(folder: str, out: str | None, lang: Lang) -> None:
    from ..sim.errors import UsageError
    from ..sim.remote import is_address
    from ..sim.report import charts, make
    from ..sim.storage import is_here, local

    where = local(out, "out") if out is not None else None
    if where is None:  # before an address is reached for
        if is_address(folder) and not is_here(folder):
            raise UsageError(f"out: {clip(folder, 200)} is an address; name a folder for the page with --out")
        where = local(folder) / make.FOLDER
        if where.is_symlink():
            raise UsageError(
                f"out: {clip(str(where), 200)} is a symbolic link; name the folder it leads to with --out"
            )
    charts.require()
    found = make.make(folder, lang)
    files = make.write(found, where, lang)
    with beside(files, lang):
        page = legible(str(_as_typed(files[0], out or folder)))
        click.echo(_WROTE.say(lang).format(page=page, n=len(files) - 1))
    if lang == "zh" and not charts.chinese_font():
        click.echo(_ENGLISH.say(lang), err=True)


def _as_typed(page: Path, folder: str) -> Path:
    """The path of the page, relative to here where the folder was named so."""
    from ..sim.remote import is_address

    if is_address(folder) or Path(folder).is_absolute():
        return page
    return Path(os.path.relpath(page))
