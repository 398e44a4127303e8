"""`tuolaji rules`: list, show and check rule sets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cli import FAULTS, HelpfulGroup, format_option, lang_option
from ..sim.errors import RuleError
from ..sim.games import GAMES
from ..sim.rules import load, presets, read_file
from ..sim.streams import verdict
from ..sim.text import legible

if TYPE_CHECKING:
    from ..sim.text import Lang


@click.group(
    cls=HelpfulGroup,
    help="""List, show and check rule sets.

    A rule set is a preset or a TOML file (of at most 64 KiB) that names its `game` and the options it changes:

    \b
        game = "die-wu-fen"
        forced_trump = "throw"
        bottom_multiplier = 4
    """,
)
def command() -> None:
    pass


@command.command("list", help="""List the presets, each game's default first.""")
@format_option("table", "json")
@lang_option
def list_presets(output_format: str, lang: Lang) -> None:
    found = presets()
    if output_format == "json":
        rows = [{"name": r.name, "game": r.game, "about": r.about.say(lang)} for r in found.values()]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max(map(len, found))
    for game in GAMES:
        click.echo(game.title(lang))
        for rules in found.values():
            if rules.game == game.name:
                click.echo(f"  {rules.name:<{width}}  {rules.about.say(lang)}")


@command.command(
    "show",
    short_help="Show every option of a rule set.",
    help="""Show every option of a rule set; NAME is a preset, a game or a TOML file.

    The TOML it prints is itself a rule file: save it, edit it, pass it to --rules.
    """,
)
@click.argument("name")
@click.option(
    "--set", "overrides", multiple=True, metavar="OPTION=VALUE", help="Change one rule option first."
)
@format_option("toml", "json")
@lang_option
def show(name: str, overrides: tuple[str, ...], output_format: str, lang: Lang) -> None:
    rules = load(None, name, overrides)
    if output_format == "json":
        click.echo(json.dumps(rules.to_dict(), ensure_ascii=False, indent=2))
    else:
        click.echo(rules.to_toml(lang), nl=False)


@command.command(
    "check",
    short_help="Check a rule file, naming every fault.",
    help="""Check a rule file: exit 0 if it is sound, 1 with every fault named, 2 if it can't be read.""",
)
@click.argument("file", type=click.Path())
@lang_option
@click.pass_context
def check(ctx: click.Context, file: str, lang: Lang) -> None:
    try:
        rules = read_file(file)
    except RuleError as error:
        with verdict(FAULTS):
            for fault in error.faults:
                click.echo(fault.say(lang))
        ctx.exit(FAULTS)
    changed = ", ".join(rules.changed())
    if lang == "zh":
        found = f"：{rules.game} 的规则无误；{'改动的选项：' + changed if changed else '所有选项为默认值'}。"
    else:
        found = f": sound rules for {rules.game}; {'changes ' + changed if changed else 'all defaults'}."
    click.echo(legible(file) + found)
