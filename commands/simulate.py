"""`tuolaji simulate`: play deals, write them, sum them up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..cli import (
    bidding_option,
    chunk_option,
    command_line,
    contract_option,
    count_option,
    deals_option,
    first_option,
    format_option,
    game_argument,
    hold_option,
    lang_option,
    policy_option,
    progress_option,
    rules_options,
    seed_option,
    session_option,
    workers_option,
)
from ..sim.errors import UsageError
from ..sim.plan import make_plan
from ..sim.progress import bar
from ..sim.simulate import run
from ..sim.startup import give_memory_back
from ..sim.streams import beside

if TYPE_CHECKING:
    from ..sim.games import Game
    from ..sim.progress import Bar
    from ..sim.text import Lang, Text


@click.command(
    help="""Play deals, write them as a dataset, print the summary.

    The deals depend on the game, rules, policies, seed, session length and their number only: with the same seed,
    deals 0 to 999 are the same in every run, on every machine.

    \b
        tuolaji simulate die-wu-fen --deals 1M --seed 7 --out deals-7
        tuolaji simulate die-wu-fen --deals 2M --seed 7 --out deals-7 --resume
        tuolaji simulate die-wu-fen --deals 100k --policy random --policy banker=greedy
        tuolaji simulate die-wu-fen --deals 100k --contract banker=0,trump=h,bid=150
        tuolaji simulate die-wu-fen --deals 100k --hold 0:"3h 3h BJ" --hold bottom:"Ts"
        tuolaji simulate die-wu-fen --deals 100k --contract banker=0,trump=h,bid=150 --count 0:trumps=14-18
        tuolaji simulate hong-wu-wu-jia --deals 100k --session 20 --lang zh
        tuolaji simulate die-wu-fen --deals 1G --out /shared/deals-7 --scheduler tcp://head:8786
    """
)
@game_argument
@deals_option()
@seed_option
@click.option(
    "--out", metavar="DIR",
    help="Write the deals as a dataset to this new folder, or to an address like s3://bucket/folder. "
    "Default: the summary only.",
)  # fmt: skip
@click.option(
    "--detail", type=click.Choice(["tricks", "plays"]),
    help="Write a row for each trick too, or for each trick and each play.",
)  # fmt: skip
@click.option(
    "--resume", is_flag=True,
    help="Go on with the dataset in DIR, after whatever ended its run, or to more deals; begin it if there is none.",
)  # fmt: skip
@click.option(
    "--scheduler", metavar="ADDRESS",
    help="Have the workers of this Dask scheduler play and write: tcp://host:8786, or tls://host:8786.",
)  # fmt: skip
@rules_options
@policy_option
@bidding_option
@contract_option
@session_option
@hold_option
@count_option
@first_option
@workers_option
@chunk_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    deals: int,
    seed: int,
    out: str | None,
    detail: str | None,
    resume: bool,
    scheduler: str | None,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    contract: dict[str, Any] | None,
    session: int,
    hold: tuple[str, ...],
    count: tuple[str, ...],
    first: int,
    workers: int | None,
    chunk: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    plan = make_plan(
        game,
        rules=rules,
        overrides=overrides,
        policies=policies,
        seed=seed,
        session=session,
        contract=contract,
        bidding=bidding,
        hold=hold,
        count=count,
    )
    if out is None and (resume or detail or scheduler):
        what = "--resume" if resume else "--detail" if detail else "--scheduler"
        raise UsageError(f"{what} needs a dataset; name its folder with --out")
    with bar(deals, lang, show=progress) as report:
        summary = run(
            plan, deals, first=first, workers=workers, chunk=chunk, out=out, detail=detail, resume=resume,
            scheduler=scheduler,
            command_line=command_line(),
            found=lambda kept, notes: _tell(kept, notes, report, lang),
            starting=give_memory_back, report=report,
        )  # fmt: skip
    with beside(out, lang):
        if output_format == "json":
            click.echo(json.dumps(summary.to_dict(), ensure_ascii=False, indent=2))
        else:
            from ..sim.summary_text import render

            click.echo(render(summary, lang), nl=False)


def _tell(kept: int, notes: list[Text], report: Bar | None, lang: Lang) -> None:
    """What was found in the folder, on stderr."""
    for note in notes:
        click.echo(note.say(lang), err=True)
    if kept and report:
        report.begin_at(kept)
