"""`tuolaji tournament`: who wins tournaments of hong-wu-wu-jia, by skill or by luck."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..cli import (
    Number,
    command_line,
    format_option,
    game_argument,
    lang_option,
    parse_number,
    progress_option,
    rules_options,
    seed_option,
    workers_option,
)
from ..sim.errors import UsageError
from ..sim.progress import bar
from ..sim.startup import give_memory_back
from ..sim.streams import beside

if TYPE_CHECKING:
    from ..sim.games import Game
    from ..sim.text import Lang


class Numbers(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """`10,20,40` as a tuple of whole numbers."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(parse_number(word) for word in value.split(","))
        except UsageError as error:
            self.fail(str(error), param, ctx)


@click.command(
    help="""Who wins tournaments of hong-wu-wu-jia: how often the best entrant, and how much of it is luck (HW-18).

    As the rules have it, thirty entrants sit at six tables of five by lot and play a round of so many hands; the ten
    with most points go on to a final at two tables, from zero points again, and most points win; ties are broken by
    lot. All of this can be changed. At a table each hand's banker is the previous banker of the next.

    \b
        tuolaji tournament hong-wu-wu-jia
        tuolaji tournament hong-wu-wu-jia --hands 10,20,40,80 --tournaments 2000
        tuolaji tournament hong-wu-wu-jia --entrant expert@5 --entrant 0.5*expert+0.5*random --entrants 30 --carry
    """
)
@game_argument
@click.option(
    "--tournaments", type=Number(), default=1000, show_default=True, metavar="N", help="How many to play."
)
@click.option(
    "--entrant", "entrants", multiple=True, metavar="POLICY|MIXTURE[@COUNT]",
    help="Who takes part, as expert@3 or 0.7*expert+0.3*greedy; may be given again, the last fills up the field. "
    "Default: a ladder from greedy to expert.",
)  # fmt: skip
@click.option(
    "--entrants", "number", type=Number(), metavar="N",
    help="How many take part, a multiple of 5. Default: 30, or as many as two or more --entrant name.",
)  # fmt: skip
@click.option(
    "--hands", type=Numbers(), default=(20,), show_default="20", metavar="H[,H…]",
    help="Hands a round; several numbers are tried one after the other.",
)  # fmt: skip
@click.option("--rounds", type=Number(), metavar="R", help="How many rounds. Default: 2.")
@click.option(
    "--advance", type=Numbers(), default=(), metavar="A[,A…]",
    help="How many go on after each round but the last. Default: 10.",
)  # fmt: skip
@click.option(
    "--carry/--reset",
    default=False,
    help="Points count on into the next round, or begin at zero (the default).",
)
@click.option(
    "--seating", type=click.Choice(("lot", "order")), default="lot", show_default=True,
    help="Seats by lot in every round, or in the order of entrants and ranks.",
)  # fmt: skip
@click.option(
    "--mix", type=click.Choice(("hand", "round")), default="hand", show_default=True,
    help="When a mixture draws by which policy it plays.",
)  # fmt: skip
@click.option(
    "--out", metavar="DIR",
    help="Write the tables to this new folder. Default: print only.",
)  # fmt: skip
@seed_option
@rules_options
@workers_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    tournaments: int,
    entrants: tuple[str, ...],
    number: int | None,
    hands: tuple[int, ...],
    rounds: int | None,
    advance: tuple[int, ...],
    carry: bool,
    seating: str,
    mix: str,
    out: str | None,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    workers: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim import tournament
    from ..sim.study_out import StudyFolder, or_nothing
    from ..sim.tournament_figures import provenance, to_dict, write

    asked = tournament.ask(
        game, tournaments, entrants=entrants, number=number, hands=hands, advance=advance, rounds=rounds, carry=carry,
        seating=seating, mix=mix, seed=seed, rules=rules, overrides=overrides,
    )  # fmt: skip
    folder = StudyFolder(out, "tournament", provenance(asked), command_line()) if out is not None else None
    with or_nothing(folder):
        give_memory_back()
        with bar(tournament.work(asked), lang, show=progress) as report:
            result = tournament.run(asked, workers=workers, report=report)
        if folder:
            write(result, folder)
    with beside(out, lang):
        if output_format == "json":
            click.echo(json.dumps(to_dict(result), ensure_ascii=False, indent=2))
        else:
            from ..sim.tournament_text import render

            click.echo(render(result, lang), nl=False)
