"""`tuolaji advise`: the worth of each choice open to a hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cli import (
    Number,
    bidding_option,
    command_line,
    format_option,
    game_argument,
    lang_option,
    policy_option,
    progress_option,
    rules_options,
    seed_option,
    workers_option,
)
from ..sim.advise_situation import Known
from ..sim.progress import bar
from ..sim.startup import give_memory_back
from ..sim.streams import beside

if TYPE_CHECKING:
    from ..sim.games import Game
    from ..sim.text import Lang


@click.command(
    help="""The worth of each choice open to a hand: what it pays, how sure that is, and which is best.

    The cards not seen are dealt at random again and again, in agreement with what is known, and every choice is played
    out in each of these worlds. In die-wu-fen: which trump to call or whether to wait, to counter, to bid or pass, what
    to bury. In hong-wu-wu-jia: which 2 to reveal or whether to wait, and which card to name, solo among them. The play
    ends when the best choice stands out; the intervals allow for that.

    \b
        tuolaji advise die-wu-fen --hand "3h 3h BJ Ah Kh …" --seat 0
        tuolaji advise die-wu-fen --hand "…" --seat 2 --trump h --revealed 1:3h --bid-so-far "1:110"
        tuolaji advise die-wu-fen --hand "…" --seat 1 --trump h --bid-so-far "1:110 2:pass 0:pass" --bottom "…"
        tuolaji advise die-wu-fen --hand "…" --seat 2 --revealed 1:3h@14 --bid-so-far "1:110" --news
        tuolaji advise hong-wu-wu-jia --hand "2s 5h BJ …" --seat 3
        tuolaji advise hong-wu-wu-jia --hand "…" --trump s --bottom "…" --fixed 10k
        tuolaji advise hong-wu-wu-jia --hand "…" --out advice; tuolaji report advice
    """
)
@game_argument
@click.option("--hand", required=True, metavar='"CARDS"', help="The cards in hand, the bottom apart.")
@click.option(
    "--seat", type=Number(0, 9), default=0, show_default=True, metavar="S", help="Whose hand it is."
)
@click.option(
    "--trump", metavar="SUIT",
    help="The trump suit, once it is fixed. Without it the advice is on calling, or revealing.",
)  # fmt: skip
@click.option(
    "--revealed", multiple=True, metavar='SEAT:"3h"',
    help="Who showed what: the 3 or pair of 3s of a call, then that of a counter; in hong-wu-wu-jia the 2. With --news "
    'also with how many cards in hand: 1:3h@14, or 1:3h@10-20.',
)  # fmt: skip
@click.option(
    "--bid-so-far", "bids", metavar='"SEAT:BID …"',
    help='The bids in order, like "1:110 2:pass"; die-wu-fen only.',
)  # fmt: skip
@click.option("--bottom", metavar='"CARDS"', help="The bottom, for the banker who has taken it.")
@click.option(
    "--bury", multiple=True, metavar='"CARDS"',
    help="With --bottom: what might be buried; in hong-wu-wu-jia what is. Default: what the policy buries.",
)  # fmt: skip
@click.option("--first-seat", type=Number(0, 9), metavar="S", help="Who got the first card. Default: by lot.")
@click.option(
    "--previous-banker", type=Number(0, 9), metavar="S",
    help="In hong-wu-wu-jia: who was banker in the hand before. Default: by lot.",
)  # fmt: skip
@click.option("--pressed", is_flag=True, help="In hong-wu-wu-jia: nobody revealed, the banker was pressed.")
@click.option(
    "--news", is_flag=True,
    help="Only worlds in which the others, by their policies, would have done what they did, when they did: called, "
    "countered, bid, passed, or kept silent.",
)  # fmt: skip
@click.option(
    "--fixed", type=Number(2, 10**8), metavar="N",
    help="Play so many worlds. Default: until the best choice stands out.",
)  # fmt: skip
@click.option(
    "--max", "most", type=Number(1000, 10**8), metavar="N",
    help="Without --fixed: so many worlds at most. Default: 50,000.",
)  # fmt: skip
@click.option(
    "--out", metavar="DIR",
    help="Write the answer to this new folder, for `tuolaji report`. Default: print only.",
)  # fmt: skip
@seed_option
@rules_options
@policy_option
@bidding_option
@workers_option
@progress_option
@format_option("table", "json")
@lang_option
def command(
    game: Game,
    hand: str,
    seat: int,
    trump: str | None,
    revealed: tuple[str, ...],
    bids: str | None,
    bottom: str | None,
    bury: tuple[str, ...],
    first_seat: int | None,
    previous_banker: int | None,
    pressed: bool,
    news: bool,
    fixed: int | None,
    most: int | None,
    out: str | None,
    seed: int,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    workers: int | None,
    progress: bool,
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim.advise import ask, run
    from ..sim.advise_out import KIND, provenance, write
    from ..sim.study_out import StudyFolder, or_nothing

    known = Known(hand, seat, first_seat, trump, revealed, bids, bottom, bury, previous_banker, pressed, news)
    asked = ask(
        game, known, fixed=fixed, most=most, seed=seed, rules=rules, overrides=overrides, policies=policies,
        bidding=bidding,
    )  # fmt: skip
    folder = StudyFolder(out, KIND, provenance(asked), command_line()) if out is not None else None
    with or_nothing(folder):
        with bar(asked.worlds, lang, show=progress) as report:
            found = run(asked, workers=workers, starting=give_memory_back, report=report)
        if folder:
            write(found, folder)
    with beside(out, lang):
        if output_format == "json":
            click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
        else:
            from ..sim.advise_text import render

            click.echo(render(found, lang), nl=False)
