"""`tuolaji threshold`: how high a hand should bid."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli import (
    INTERRUPTED,
    bidding_option,
    deals_option,
    fail,
    first_option,
    format_option,
    game_argument,
    lang_option,
    policy_option,
    progress_option,
    rules_options,
    seed_option,
    workers_option,
)
from ..sim.progress import bar, get_ready

if TYPE_CHECKING:
    from ..sim.games import Game
    from ..sim.text import Lang
    from ..sim.threshold import Result
    from ..sim.threshold_out import Folder


@click.command()
@game_argument
@deals_option()
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR",
    help="Write rows, tables, thresholds and plots to this new folder. Default: print only.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(("strength", "trumps", "top-trumps", "trump-pairs", "voids")), default="strength",
    show_default=True, help="What hands are ordered by: expert's own strength, or one feature.",
)  # fmt: skip
@click.option(
    "--plots/--no-plots", default=True, help="With --out: draw the curves, if matplotlib is installed."
)
@seed_option
@rules_options
@policy_option
@bidding_option
@first_option
@workers_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    deals: int,
    out: Path | None,
    by: str,
    plots: bool,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    first: int,
    workers: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    """How high a hand of die-wu-fen should bid, and how sure that is.

    Every deal is played out with every seat as banker; as play does not look at the bid, that tells the payoff at every
    bid. Two answers stand side by side: for any hand, and for a hand in the auction, where the others' bids and passes
    say something about their cards. Then whether to call or counter at all, and the thresholds that nobody gains much
    by leaving, judged on deals of their own. DIR/thresholds.toml is what `simulate --bidding` plays by.

    \b
        tuolaji threshold die-wu-fen --deals 200k --out study
        tuolaji threshold die-wu-fen --deals 200k --by trumps --lang zh
        tuolaji simulate die-wu-fen --deals 100k --bidding study/thresholds.toml
    """
    from ..sim import threshold
    from ..sim.threshold_out import Folder

    asked = threshold.ask(
        game, deals, by=by, seed=seed, first=first, rules=rules, overrides=overrides, policies=policies,
        bidding=bidding,
    )  # fmt: skip
    folder = Folder(out, asked, shlex.join(["tuolaji", *sys.argv[1:]])) if out else None
    try:
        get_ready(asked.plan, lang)
        with bar(threshold.work(asked), lang, show=progress) as report:
            result = threshold.run(
                asked, workers=workers, report=report, keep=folder.keep if folder else None
            )
        if folder:
            folder.finish(result)
            _draw(result, folder, plots, lang)
    except BaseException as error:
        if folder:
            folder.discard()
        if isinstance(error, KeyboardInterrupt):
            fail("interrupted; nothing was written", INTERRUPTED)
        raise
    if output_format == "json":
        from ..sim.threshold_tables import to_dict

        click.echo(json.dumps(to_dict(result), ensure_ascii=False, indent=2))
    else:
        from ..sim.threshold_text import render

        click.echo(render(result, lang), nl=False)


def _draw(result: Result, folder: Folder, plots: bool, lang: Lang) -> None:
    from ..sim.threshold_plots import MISSING, available, draw

    if plots and available():
        for path in draw(result, folder.plot_folder()):
            folder.wrote(path)
    elif plots:
        click.echo(MISSING.say(lang), err=True)
