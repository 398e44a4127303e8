"""`tuolaji replay`: deals again, card by card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..cli import (
    Number,
    bidding_option,
    contract_option,
    format_option,
    hold_option,
    lang_option,
    policy_option,
    rules_options,
    seed_option,
    session_option,
)
from ..sim.errors import UsageError
from ..sim.games import GAMES, Game, resolve_game
from ..sim.text import clip, one_of

if TYPE_CHECKING:
    from ..sim.plan import Plan
    from ..sim.text import Lang

_OF_THE_DATASET = {
    "seed": "--seed",
    "rules": "--rules",
    "overrides": "--set",
    "policies": "--policy",
    "session": "--session",
    "bidding": "--bidding",
    "contract": "--contract",
    "hold": "--hold",
}


@click.command(
    help="""Re-create deals exactly and show them: how banker and trump came about, burying, each trick, the scoring.

    Name a GAME and a seed, or DIR, a dataset written by `simulate`: it knows its game, rules, policies and seed
    itself. The deals are the same whatever machine plays them. `--format jsonl` writes one record a line, complete
    for checking by other programs.

    \b
        tuolaji replay die-wu-fen --seed 7 --deal 12
        tuolaji replay 红五五家 --seed 7 --deal 12 --lang zh
        tuolaji replay deals-7 --deal 12 --count 3 --format jsonl
    """
)
@click.argument("source", metavar="GAME|DIR")
@seed_option
@click.option("--deal", type=Number(0), required=True, metavar="I", help="The number of the deal, from 0.")
@click.option(
    "--count", type=Number(), default=1, show_default=True, metavar="K", help="Show K deals, from deal I on."
)
@rules_options
@policy_option
@bidding_option
@session_option
@contract_option
@hold_option
@format_option("text", "jsonl")
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    seed: int,
    deal: int,
    count: int,
    rules: str | None,
    overrides: tuple[str, ...],
    policies: tuple[str, ...],
    bidding: str | None,
    session: int,
    contract: dict[str, Any] | None,
    hold: tuple[str, ...],
    output_format: str,
    lang: Lang,
) -> None:
    game = _game(source)
    if game is not None:
        from ..sim.plan import make_plan

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
        )
    else:
        given = [
            option
            for name, option in _OF_THE_DATASET.items()
            if ctx.get_parameter_source(name) == ParameterSource.COMMANDLINE
        ]
        if given:
            raise UsageError(
                f"{one_of(given)} can't be given with a dataset: {clip(source, 80)} has its own; leave it out"
            )
        plan = _plan_of(source, deal, count)
    _show(plan, deal, count, output_format, lang)


def _game(source: str) -> Game | None:
    """The game a word names; None for a folder; `UsageError` for neither."""
    from pathlib import Path

    from ..sim.remote import is_address

    try:
        return resolve_game(source)
    except UsageError:
        if is_address(source) or Path(source).exists():
            return None
    games = one_of([game.name for game in GAMES])
    raise UsageError(f"{clip(source, 80)} is neither a game nor a dataset folder; games are {games}")


def _plan_of(source: str, deal: int, count: int) -> Plan:
    from ..sim.replay import dataset_plan

    return dataset_plan(source, deal, count)


def _show(plan: Plan, deal: int, count: int, output_format: str, lang: Lang) -> None:
    from ..sim.replay import records

    if output_format == "text":
        from ..sim.replay_text import render
    for number, record in enumerate(records(plan, deal, count)):
        if output_format == "jsonl":
            click.echo(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        else:
            rule = f"{'─' * 60}\n\n" if number else ""
            click.echo(rule + render(record, lang, plan))
