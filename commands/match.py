"""`tuolaji match`: which of two policies plays better."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cli import (
    Number,
    chunk_option,
    first_option,
    format_option,
    game_argument,
    lang_option,
    progress_option,
    rules_options,
    seed_option,
    workers_option,
)
from ..sim.progress import bar
from ..sim.startup import give_memory_back

if TYPE_CHECKING:
    from ..sim.games import Game
    from ..sim.text import Lang


@click.command(
    help="""Play two policies against each other on mirrored deals, and say by how much A is better than B.

    Each deal is played several times with the same cards and seats changed, so that luck largely cancels. With
    mode contract a third policy bids, then A plays banker against B, B banker against A, and B against itself, which
    tells apart what A gains as banker and as defenders. In hong-wu-wu-jia the third policy reveals, and as nobody knows
    the partner before play, each seat is tried as the one that plays with the banker: the guess that comes true counts.
    With mode auction A sits alone among B in each seat in turn, then B among A.

    The unit of every interval is the deal. With --until-se the intervals are wider, and remain valid although the
    error decides when to stop.

    \b
        tuolaji match die-wu-fen --policy expert --policy greedy --deals 100k
        tuolaji match die-wu-fen --policy expert --policy greedy --mode auction --confidence 0.99
        tuolaji match die-wu-fen --policy greedy --policy random --until-se 0.1 --min-deals 2000
    """
)
@game_argument
@click.option(
    "--policy", "policies", multiple=True, metavar="NAME",
    help="A policy; give this option twice, first for A, then for B.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(("contract", "auction")), default="contract", show_default=True,
    help="What is mirrored: the play of one contract a deal, or whole deals with bidding.",
)  # fmt: skip
@click.option(
    "--bidding",
    metavar="NAME|FILE",
    help="With mode contract: the policy that bids, or reveals, or a file of `threshold` by which expert does. "
    "Default: the game's default policy.",
)
@click.option(
    "--bidding-a",
    metavar="NAME|FILE",
    help="With mode auction: what A bids by as expert, a file of `threshold`.",
)
@click.option("--bidding-b", metavar="NAME|FILE", help="The same for B.")
@click.option("--deals", type=Number(2), metavar="N", help="How many deals to play. Default: 10,000.")
@click.option(
    "--until-se", type=float, metavar="X",
    help="Instead of --deals: play until the standard error of A's advantage is X or less "
    "(in points; with mode auction in payoff).",
)  # fmt: skip
@click.option(
    "--min-deals", type=Number(), metavar="M",
    help="With --until-se: deals to play at least. Default: 1,000.",
)  # fmt: skip
@click.option(
    "--max-deals", type=Number(), metavar="M",
    help="With --until-se: deals to play at most. Default: 10,000,000.",
)  # fmt: skip
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, metavar="C", help="Of every interval."
)
@seed_option
@rules_options
@first_option
@workers_option
@chunk_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    policies: tuple[str, ...],
    mode: str,
    bidding: str | None,
    bidding_a: str | None,
    bidding_b: str | None,
    deals: int | None,
    until_se: float | None,
    min_deals: int | None,
    max_deals: int | None,
    confidence: float,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    first: int,
    workers: int | None,
    chunk: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim.match import make_match, run_match

    asked = make_match(
        game,
        policies,
        deals=deals,
        mode=mode,
        seed=seed,
        first=first,
        rules=rules,
        overrides=overrides,
        bidding=bidding,
        until_se=until_se,
        min_deals=min_deals,
        max_deals=max_deals,
        confidence=confidence,
        biddings=(bidding_a, bidding_b),
    )
    with bar(None if asked.rule else asked.deals, lang, show=progress) as report:
        result = run_match(
            asked, workers=workers, chunk=chunk,
            starting=give_memory_back, report=report,
        )  # fmt: skip
    if output_format == "json":
        click.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
    else:
        from ..sim.match_text import render

        click.echo(render(result, lang), nl=False)
