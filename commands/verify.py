"""`tuolaji verify`: is a dataset what its manifest says, and what its plan plays?"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import click

from ..cli import (
    BAD_USAGE,
    DONE,
    FAULTS,
    Number,
    format_option,
    lang_option,
    progress_option,
    workers_option,
)
from ..sim.streams import verdict

if TYPE_CHECKING:
    from ..sim.text import Lang
    from ..sim.verify import Report


@click.command(
    help="""Look at everything in a dataset: manifest, schema, counts, gaps, the hash of every part, and a sample
    of rows that are played again from seed and deal and compared column by column.

    One line a fault. Exit 0: sound, with all deals asked for; exit 1: not, or unfinished without `--partial`;
    exit 2: a file can't be read here, so that nothing can be said of it.

    \b
        tuolaji verify deals-7
        tuolaji verify deals-7 --sample 1M --format json
        tuolaji verify deals-7 --partial
    """
)
@click.argument("folder", type=click.Path(), metavar="DIR")
@click.option(
    "--sample", type=Number(0), default=1000, show_default=True, metavar="N",
    help="Play N rows again (whole sessions) and compare every column.",
)  # fmt: skip
@click.option(
    "--seed", type=Number(0, 2**64 - 1), default=0, show_default=True, metavar="S", help="Chooses these rows."
)
@click.option("--partial", is_flag=True, help="It may be unfinished: exit 0 if what is there is sound.")
@workers_option
@progress_option
@format_option("table", "json")
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    folder: str,
    sample: int,
    seed: int,
    partial: bool,
    workers: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim.cores import cores
    from ..sim.dataset import read_manifest
    from ..sim.errors import UsageError
    from ..sim.progress import bar
    from ..sim.startup import give_memory_back
    from ..sim.verify import verify

    give_memory_back()
    total = None
    with contextlib.suppress(UsageError):  # `verify` tells
        total = read_manifest(folder)["deals"]
    with bar(total, lang, show=progress) as report:
        found = verify(folder, sample=sample, seed=seed, workers=workers or cores(), report=report)
    code = DONE
    if found.faults or not (found.complete or partial or found.unread):
        code = FAULTS
    elif found.unread:
        code = BAD_USAGE
    with verdict(code):
        if output_format == "json":
            click.echo(json.dumps(_plain(found, lang), ensure_ascii=False))
        else:
            for line in _lines(found, lang):
                click.echo(line)
    ctx.exit(code)


def _plain(found: Report, lang: Lang) -> dict[str, object]:
    return {
        "sound": found.sound,
        "complete": found.complete,
        "deals": found.deals,
        "asked": found.asked,
        "parts": found.parts,
        "replayed": found.replayed,
        "faults": [fault.to_dict(lang) for fault in found.faults],
        "unread": [fault.to_dict(lang) for fault in found.unread],
        "notes": [note.say(lang) for note in found.notes],
    }


def _lines(found: Report, lang: Lang) -> list[str]:
    zh = lang == "zh"
    lines = []
    for fault in (*found.faults, *found.unread):
        deal = "" if fault.deal is None else f"，第 {fault.deal} 局" if zh else f", deal {fault.deal}"
        lines.append(f"{fault.file}{deal}{'：' if zh else ': '}{fault.reason.say(lang)}")
    lines += [note.say(lang) for note in found.notes]
    if found.sound:
        as_far = "" if found.complete else "已有部分" if zh else " as far as it goes"
        lines.append(
            f"{as_far}完好：{found.deals:,} 局，{found.parts} 个部分，重新计算 {found.replayed:,} 行"
            if zh
            else f"sound{as_far}: {_number(found.deals, 'deal')} in {_number(found.parts, 'part')}, "
            f"{_number(found.replayed, 'row')} played again"
        )
    else:
        counts = [
            (len(found.faults), "fault", f"{len(found.faults)} 处错误"),
            (len(found.unread), "file not read", f"{len(found.unread)} 个文件未读取"),
        ]
        told = [text if zh else _number(number, noun) for number, noun, text in counts if number]
        lines.append("共 " + "，".join(told) if zh else ", ".join(told))
    return lines


def _number(count: int, noun: str) -> str:
    first, _, more = noun.partition(" ")
    return f"{count:,} {first}{'' if count == 1 else 's'} {more}".rstrip()
