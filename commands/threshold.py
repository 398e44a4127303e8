"""`tuolaji threshold`: how high a hand should bid; when to reveal, what to name, when to go solo."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..cli import (
    bidding_option,
    command_line,
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
    workers_option,
)
from ..sim.progress import bar
from ..sim.startup import give_memory_back
from ..sim.streams import beside

if TYPE_CHECKING:
    from pathlib import Path

    from ..sim.games import Game
    from ..sim.progress import Bar
    from ..sim.text import Lang
    from ..sim.threshold import Keep
    from ..sim.threshold_out import Folder


@click.command(
    help="""How high a hand should bid, or when to reveal a 2, and how sure that is.

    Die-wu-fen: every deal is played out with every seat as banker; as play does not look at the bid, that tells the
    payoff at every bid. Two answers stand side by side: for any hand, and for a hand in the auction, where the others'
    bids and passes say something about their cards. Then whether to call or counter at all, and the thresholds that
    nobody gains much by leaving, judged on deals of their own.

    Hong-wu-wu-jia: every deal is played out with every 2 that could be revealed, and with every face that could be
    named. That tells from what strength on revealing pays more than waiting, by cards held, for the previous banker
    and the others; which face to name; when solo pays; and numbers fitted to it, judged on deals of their own.

    DIR/thresholds.toml is what `simulate --bidding` plays by.

    \b
        tuolaji threshold die-wu-fen --deals 200k --out study
        tuolaji threshold die-wu-fen --deals 200k --by trumps --lang zh
        tuolaji simulate die-wu-fen --deals 100k --bidding study/thresholds.toml
        tuolaji threshold hong-wu-wu-jia --deals 100k --out reveals
        tuolaji threshold hong-wu-wu-jia --deals 100k --hold 0:"5h 5h BJ" --count 1:twos=0
    """
)
@game_argument
@deals_option()
@click.option(
    "--out", metavar="DIR",
    help="Write rows, tables, thresholds and plots to this new folder. Default: print only.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(("strength", "trumps", "top-trumps", "trump-pairs", "voids")), default="strength",
    show_default=True, help="What hands are ordered by: expert's own strength, or one feature.",
)  # fmt: skip
@click.option(
    "--seats", metavar="all|SEAT,…",
    help="Of whose hands the tables are. Default: the seats with --hold, or else those with --count, or else all.",
)  # fmt: skip
@click.option(
    "--plots/--no-plots", default=True, help="With --out: draw the curves, if matplotlib is installed."
)
@seed_option
@rules_options
@policy_option
@bidding_option
@hold_option
@count_option
@first_option
@workers_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    deals: int,
    out: str | None,
    by: str,
    seats: str | None,
    plots: bool,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    hold: tuple[str, ...],
    count: tuple[str, ...],
    first: int,
    workers: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim.study_out import or_nothing
    from ..sim.threshold_out import Folder

    study: Bids | Reveals = (Reveals if game.name == "hong-wu-wu-jia" else Bids)(
        game, deals, by=by, seed=seed, first=first, rules=rules, overrides=overrides, policies=policies,
        bidding=bidding, hold=hold, count=count, seats=seats,
    )  # fmt: skip
    folder = Folder(out, study.asked, command_line()) if out is not None else None
    with or_nothing(folder):
        give_memory_back()
        with bar(study.work, lang, show=progress) as report:
            study.run(workers, report, folder.keep if folder else None)
        if folder:
            folder.finish(study.tables(), study.bidding, study.to_dict())
            _draw(study, folder, plots, lang)
    with beside(out, lang):
        if output_format == "json":
            click.echo(json.dumps(study.to_dict(), ensure_ascii=False, indent=2))
        else:
            click.echo(study.render(lang), nl=False)


def _draw(study: Bids | Reveals, folder: Folder, plots: bool, lang: Lang) -> None:
    from ..sim.threshold_plots import MISSING, available

    if plots and available():
        for path in study.draw(folder.subfolder("plots")):
            folder.wrote(path)
    elif plots:
        click.echo(MISSING.say(lang), err=True)


class Bids:
    """The study of die-wu-fen, as the command needs it."""

    def __init__(self, game: Game, deals: int, **words: Any) -> None:
        from ..sim import threshold

        self.asked = threshold.ask(game, deals, **words)
        self.work = threshold.work(self.asked)

    def run(self, workers: int | None, report: Bar | None, keep: Keep | None) -> None:
        """Work it out; the rest is there afterwards."""
        from ..sim import threshold

        self._result = threshold.run(self.asked, workers=workers, report=report, keep=keep)
        self.bidding = self._result.bidding

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """All tables by name."""
        from ..sim.threshold_tables import tables

        return tables(self._result)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object."""
        from ..sim.threshold_tables import to_dict

        return to_dict(self._result)

    def render(self, lang: Lang) -> str:
        """The text."""
        from ..sim.threshold_text import render

        return render(self._result, lang)

    def draw(self, folder: Path) -> list[Path]:
        """The pictures."""
        from ..sim.threshold_plots import draw

        return draw(self._result, folder)


class Reveals:
    """The study of hong-wu-wu-jia, as the command needs it."""

    def __init__(self, game: Game, deals: int, **words: Any) -> None:
        from ..sim.threshold_hong_wu_wu_jia import ask_hidden

        self.asked = ask_hidden(game, deals, **words)
        self.work = deals

    def run(self, workers: int | None, report: Bar | None, keep: Keep | None) -> None:
        """Work it out; the rest is there afterwards."""
        from ..sim.threshold_hong_wu_wu_jia import run_hidden

        self._result = run_hidden(self.asked, workers=workers, report=report, keep=keep)
        self.bidding = self._result.bidding

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """All tables by name."""
        from ..sim.threshold_hong_wu_wu_jia_tables import tables

        return tables(self._result)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object."""
        from ..sim.threshold_hong_wu_wu_jia_tables import to_dict

        return to_dict(self._result)

    def render(self, lang: Lang) -> str:
        """The text."""
        from ..sim.threshold_hong_wu_wu_jia_text import render_hidden

        return render_hidden(self._result, lang)

    def draw(self, folder: Path) -> list[Path]:
        """The pictures."""
        from ..sim.threshold_hong_wu_wu_jia_plots import draw_hidden

        return draw_hidden(self._result, folder)
