"""`tuolaji judge`: one situation at the table, by the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..cli import DONE, FAULTS, HelpfulGroup, format_option, game_argument, lang_option, rules_options
from ..sim.cards import parse_cards, show_cards
from ..sim.rules import load
from ..sim.streams import verdict
from ..sim.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..sim.fault import Fault
    from ..sim.games import Game
    from ..sim.text import Lang

_KINDS = {
    "single": Text("single", "单张"),
    "pair": Text("pair", "对子"),
    "triple": Text("triple", "三张"),
    "tractor": Text("tractor", "拖拉机"),
}


@click.group(
    cls=HelpfulGroup,
    help="""Judge one situation at the table: a lead, a follow, a trick.

    Cards are written rank then suit, with spaces: "5s 7s 7s 10d BJ". Exit code 0: legal. 1: illegal, or a throw that
    fails. 2: the input makes no sense.

    \b
        tuolaji judge lead dwf --trump h --cards "5s 7s 7s 9s 9s" --other "Ts Ts 4s"
        tuolaji judge follow dwf --trump h --hand "3h 3h Kh 4c" --lead "Ks Ks" --play "Kh 4c"
        tuolaji judge trick dwf --trump h --play "5s 4s 4s" --play "9h 7h 7h" --play "8h 8h 4h"
    """,
)
def command() -> None:
    pass


def _trump_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--trump", required=True, metavar="s|h|c|d", help="The trump suit.")(function)


def _shared(function: Callable[..., Any]) -> Callable[..., Any]:
    return rules_options(format_option("text", "json")(lang_option(function)))


@command.command(
    "lead", help="""Take a lead apart; a throw stands or fails against the other players' hands."""
)
@game_argument
@_trump_option
@click.option("--cards", required=True, help="The cards led, or meant to be led.")
@click.option(
    "--other", "others", multiple=True, metavar="CARDS", help="Another player's hand; again for each."
)
@_shared
@click.pass_context
def lead(
    ctx: click.Context,
    game: Game,
    trump: str,
    cards: str,
    others: tuple[str, ...],
    rules: str | None,
    overrides: tuple[str, ...],
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim import judge

    try:
        found = judge.lead(game, trump, cards, others, load(game, rules, overrides))
    except judge.IllegalPlayError as illegal:
        _refuse(ctx, illegal.fault, output_format, lang)
        return
    code = DONE if found["stands"] else FAULTS
    with verdict(code):
        if output_format == "json":
            _print_json({"legal": found["stands"], **found})
        else:
            click.echo(_lead_text(found, lang))
    ctx.exit(code)


def _lead_text(found: dict[str, Any], lang: Lang) -> str:
    parts = found["components"]
    names = [_KINDS[part["kind"]].say(lang) for part in parts]
    width = max(map(len, names))
    blank = "\u3000" if lang == "zh" else " "  # as wide as what it stands for
    lines = [
        f"{name}{blank * (width - len(name))}  {_shown(part['cards'], lang)}"
        for name, part in zip(names, parts, strict=True)
    ]
    if len(parts) == 1:
        last = Text("One component, so no throw: it is led as it is.", "只有一个牌型，不是甩牌，照出。")
    elif found["stands"]:
        last = Text("The throw stands.", "甩牌成立。")
    else:
        played = found["played"]
        back = [card for part in parts for card in part["cards"]]
        for card in played:
            back.remove(card)
        go = "goes" if len(back) == 1 else "go"
        last = Text(
            f"The throw fails (COM-10): {_shown(played, 'en')} must be played, and {_shown(back, 'en')} {go} back to "
            "the hand.",
            f"甩牌失败（COM-10）：须出 {_shown(played, 'zh')}，收回 {_shown(back, 'zh')}。",
        )
    return "\n".join([*lines, last.say(lang)])


@command.command(
    "follow", help="""Say whether a play is a legal follow, or which clause it breaks and why."""
)
@game_argument
@_trump_option
@click.option("--hand", required=True, metavar="CARDS", help="The follower's hand before the play.")
@click.option("--lead", "led", required=True, metavar="CARDS", help="What was led.")
@click.option("--play", required=True, metavar="CARDS", help="What the follower plays.")
@click.option(
    "--named", metavar="CARD",
    help="hong-wu-wu-jia: the partner card, while the partner is unknown and the follower is not the banker.",
)  # fmt: skip
@_shared
@click.pass_context
def follow(
    ctx: click.Context,
    game: Game,
    trump: str,
    hand: str,
    led: str,
    play: str,
    named: str | None,
    rules: str | None,
    overrides: tuple[str, ...],
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim import judge

    fault = judge.follow(game, trump, hand, led, play, load(game, rules, overrides), named)
    if fault is not None:
        _refuse(ctx, fault, output_format, lang)
    elif output_format == "json":
        _print_json({"legal": True})
    else:
        click.echo(Text("Legal.", "合规。").say(lang))


@command.command("trick", help="""Say who wins a trick, whether with a ruff, and the points in it.""")
@game_argument
@_trump_option
@click.option(
    "--play",
    "plays",
    required=True,
    multiple=True,
    metavar="CARDS",
    help="A play, the lead first; again for each.",
)
@_shared
@click.pass_context
def trick(
    ctx: click.Context,
    game: Game,
    trump: str,
    plays: tuple[str, ...],
    rules: str | None,
    overrides: tuple[str, ...],
    output_format: str,
    lang: Lang,
) -> None:
    from ..sim import judge

    try:
        found = judge.trick(game, trump, plays, load(game, rules, overrides))
    except judge.IllegalPlayError as illegal:
        _refuse(ctx, illegal.fault, output_format, lang)
        return
    if output_format == "json":
        _print_json({"legal": True, **found})
        return
    place, points = found["winner"] + 1, found["points"]
    cards = parse_cards(plays[found["winner"]])
    how = Text(", with a ruff" if found["ruffed"] else "", "毙牌" if found["ruffed"] else "")
    click.echo(
        Text(
            f"Play {place} wins{how.en}: {_shown_faces(cards, 'en')}. Points in the trick: {points}.",
            f"第 {place} 手{how.zh}赢得此轮：{_shown_faces(cards, 'zh')}。本轮 {points} 分。",
        ).say(lang)
    )


def _refuse(ctx: click.Context, fault: Fault, output_format: str, lang: Lang) -> None:
    with verdict(FAULTS):
        if output_format == "json":
            _print_json({"legal": False, "clause": fault.clause, "reason": fault.say(lang)})
        else:
            illegal = Text(
                f"Illegal ({fault.clause}): {fault.say('en')}.",
                f"违例（{fault.clause}）：{fault.say('zh')}。",
            )
            click.echo(illegal.say(lang))
    ctx.exit(FAULTS)


def _print_json(found: dict[str, Any]) -> None:
    click.echo(json.dumps(found, ensure_ascii=False))


def _shown(cards: Sequence[str], lang: Lang) -> str:
    """Cards as one would type them, in Chinese with signs."""
    return " ".join(cards) if lang == "en" else show_cards(parse_cards(list(cards)), lang)


def _shown_faces(faces: list[int], lang: Lang) -> str:
    from ..sim.cards import format_cards

    return format_cards(faces) if lang == "en" else show_cards(faces, lang)
