"""`tuolaji compare`: what a change of the rules does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..cli import (
    Number,
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
from ..sim.progress import bar, note
from ..sim.startup import give_memory_back
from ..sim.streams import beside
from ..sim.text import Text

if TYPE_CHECKING:
    from ..sim.compare import Asked
    from ..sim.games import Game
    from ..sim.text import Lang

_FITTING = Text("fitting the bidding to {name}", "正在为 {name} 拟合叫法")
_FITTING_REVEALS = Text("fitting reveals and namings to {name}", "正在为 {name} 拟合翻 2 与找伴")


@click.command(
    help="""What a change of the rules does: the same deals under each variant, and how every figure of the summary
    differs.

    The differences are paired and their intervals hold for all of them together. It also tells how many deals were
    played and paid differently, how often each changed option made a difference by itself, and how fair each variant
    is. The policies play by the rules of each variant but do not study them; --refit fits the bidding anew, and
    --check-policy says which differences are there with another way of playing, too.

    \b
        tuolaji compare die-wu-fen --deals 100k --variant die-wu-fen --variant die-wu-fen-no-forced-trump
        tuolaji compare die-wu-fen --deals 100k --grid defender_throw_penalty=1,2,3 --check-policy greedy
        tuolaji compare die-wu-fen --deals 100k --variant bottom_multiplier=4 --refit --out four-times
        tuolaji compare hong-wu-wu-jia --deals 100k --variant partner_loss_cap=4,base=2 --check-policy search:10
    """
)
@game_argument
@deals_option()
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME|FILE|OPTION=VALUE,…",
    help="A preset, a rule file, or options on top of --rules; may be given again. The first is the reference; "
    "a single one is compared with --rules.",
)  # fmt: skip
@click.option(
    "--grid", "grids", multiple=True, metavar="OPTION=A,B,C",
    help="A variant for each value; given again, for each combination.",
)  # fmt: skip
@click.option(
    "--refit", is_flag=True,
    help="Also with the bidding fitted to each variant; in hong-wu-wu-jia with reveals and namings.",
)  # fmt: skip
@click.option(
    "--refit-deals", type=Number(), metavar="N",
    help="With --refit: deals to fit on, behind those compared. Default: 50,000.",
)  # fmt: skip
@click.option(
    "--check-policy", "checks", multiple=True, metavar="NAME",
    help="Look at the clear differences again with this policy in all seats; may be given again.",
)  # fmt: skip
@click.option(
    "--check-deals", type=Number(), metavar="N",
    help="With --check-policy: on so many of the deals. Default: 100,000, or 200 for search.",
)  # fmt: skip
@click.option(
    "--out", metavar="DIR",
    help="Write the tables to this new folder. Default: print only.",
)  # fmt: skip
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, metavar="C",
    help="Of the intervals of all differences together.",
)  # fmt: skip
@click.option(
    "--resamples", type=Number(100, 10_000), metavar="N",
    help="Of the bootstrap of quantiles. Default: 1,000, and fewer from 100,000 deals on.",
)  # fmt: skip
@seed_option
@rules_options
@policy_option
@bidding_option
@contract_option
@hold_option
@count_option
@session_option
@first_option
@workers_option
@chunk_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    deals: int,
    variants: tuple[str, ...],
    grids: tuple[str, ...],
    refit: bool,
    refit_deals: int | None,
    checks: tuple[str, ...],
    check_deals: int | None,
    out: str | None,
    confidence: float,
    resamples: int | None,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    contract: dict[str, Any] | None,
    hold: tuple[str, ...],
    count: tuple[str, ...],
    session: int,
    first: int,
    workers: int | None,
    chunk: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim import compare
    from ..sim.compare_tables import provenance, to_dict, write
    from ..sim.study_out import StudyFolder, or_nothing

    asked = compare.ask(
        game, deals, variants=variants, grids=grids, seed=seed, first=first, rules=rules, overrides=overrides,
        policies=policies, bidding=bidding, contract=contract, hold=hold, count=count,
        session=session, refit=refit, refit_deals=refit_deals, checks=checks,
        check_deals_=check_deals, confidence=confidence, resamples=resamples,
    )  # fmt: skip
    folder = StudyFolder(out, "compare", provenance(asked), command_line()) if out is not None else None
    with or_nothing(folder):
        give_memory_back()
        with bar(compare.work(asked), lang, show=progress) as report:
            result = compare.run(
                asked, workers=workers, chunk=chunk, report=report, noted=lambda at: _note(asked, at, lang)
            )
        if folder:
            write(result, folder)
    with beside(out, lang):
        if output_format == "json":
            click.echo(json.dumps(to_dict(result), ensure_ascii=False, indent=2))
        else:
            from ..sim.compare_text import render

            click.echo(render(result, lang), nl=False)


def _note(asked: Asked, at: int, lang: Lang) -> None:
    text = _FITTING_REVEALS if asked.plan.game.name == "hong-wu-wu-jia" else _FITTING
    note(text.say(lang).format(name=asked.variants[at].name))
