"""The command line: the group `tuolaji`, what its commands share, and how every error reaches the user.

Each command is a module in `commands/`, imported when it is asked for. Nothing heavy is imported here:
`tuolaji --help` must answer at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import shlex
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from . import __version__
from .kernels import compiling
from .sim.errors import RunError, UsageError
from .sim.games import Game, resolve_game
from .sim.progress import note
from .sim.streams import ReaderLeft, guarded
from .sim.text import LANGS, Text, clip, legible

if TYPE_CHECKING:
    from collections.abc import Callable

    from .sim.text import Lang

DONE, FAULTS, BAD_USAGE, UNFINISHED, INTERRUPTED = 0, 1, 2, 3, 130
REPORT_AT = "please report this with the command line (TUOLAJI_DEBUG=1 shows where it happened)"

# command -> (its module in commands/, one line for `tuolaji --help`); the module defines `command`
COMMANDS: dict[str, tuple[str, str]] = {
    "simulate": ("simulate", "Play deals, write them as a dataset, print the summary."),
    "summary": ("summary", "Print the summary of a dataset."),
    "replay": ("replay", "Re-create deals exactly and show every play."),
    "verify": ("verify", "Check a dataset: hashes, schema, gaps, rows played again."),
    "match": ("match", "Play two policies against each other on mirrored deals."),
    "threshold": ("threshold", "How high a hand should bid: break-evens, thresholds, best responses."),
    "advise": ("advise", "One hand: the worth of each choice open to it."),
    "compare": ("compare", "What a change of the rules does, on the same deals."),
    "tournament": ("tournament", "Tournaments of hong-wu-wu-jia: who wins, by skill or by luck."),
    "report": ("report", "Make a page with charts and words of a dataset or study."),
    "judge": ("judge", "Judge one situation at the table: a lead, a play, a trick."),
    "audit": ("audit", "Judge game records by the rules, from here or from elsewhere."),
    "import": ("import_records", "Make a dataset of game records, to compare people's play with policies'."),
    "rules": ("rules", "List, show and check rule sets."),
}

F = TypeVar("F", bound="Callable[..., Any]")


class HelpfulGroup(click.Group):
    """A group that shows its help when called bare, and names its commands when given a wrong one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = ", ".join(self.list_commands(ctx))
            ctx.fail(f"there is no command {clip(args[0])}; the commands are {known}")
        return super().resolve_command(ctx, args)


class MainGroup(HelpfulGroup):
    """The top group: loads commands on demand and turns every exception into an exit code and a sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".commands.{COMMANDS[cmd_name][0]}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupted:  # here, for click makes less of it
            fail(str(interrupted) or "interrupted", INTERRUPTED)
        except BrokenPipeError as error:  # a cluster's, say: click would end with 1
            raise RunError(f"the system refused: {error.strerror or 'a connection was closed'}") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):  # from the table: help must not import every command
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(
        self,
        args: Any = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        def run() -> Any:
            # Not standalone: click then raises its errors instead of printing several lines about them.
            return super(MainGroup, self).main(args, prog_name, complete_var, standalone_mode=False, **extra)

        return run_to_exit(run) if standalone_mode else run()


def run_to_exit(run: Callable[[], Any]) -> NoReturn:
    """Call `run` and leave the process with the exit code its outcome stands for."""
    # Numba makes a great many objects that stay: looking for garbage among them cost a third of a short run.
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)  # and a tenth at its end
    with guarded():
        try:
            code = run()
            sys.stdout.flush()
        except click.Abort:  # what click makes of KeyboardInterrupt
            fail("interrupted", INTERRUPTED)
        except (click.ClickException, UsageError) as error:
            told = error.format_message() if isinstance(error, click.ClickException) else str(error)
            fail(told, BAD_USAGE)
        except RunError as error:
            fail(str(error), UNFINISHED)
        except ReaderLeft as left:
            sys.exit(left.code)
        except Exception as error:
            if os.environ.get("TUOLAJI_DEBUG"):
                raise
            if isinstance(error, MemoryError):
                fail("there is not enough memory to go on", UNFINISHED)
            if isinstance(error, OSError) and str(error):
                where = f" ({error.filename})" if error.filename else ""
                fail(f"the system refused: {error.strerror or str(error).splitlines()[0]}{where}", UNFINISHED)
            fail(f"something unexpected happened ({type(error).__name__}: {error}); {REPORT_AT}", UNFINISHED)
        sys.exit(code if isinstance(code, int) else DONE)


def command_line() -> str:
    """What the user typed, to be pasted again."""
    return " ".join(["tuolaji", *map(_quoted, sys.argv[1:])])


def _quoted(word: str) -> str:
    """A word for the shell; one that holds other bytes than UTF-8 as bash, ksh and zsh read it."""
    raw = word.encode("utf-8", "surrogateescape")
    try:
        return shlex.quote(raw.decode("utf-8"))
    except UnicodeDecodeError:
        plain = "".join(chr(b) if 32 <= b < 127 and chr(b) not in "\\'" else f"\\x{b:02x}" for b in raw)
        return f"$'{plain}'"


def fail(message: str, code: int) -> NoReturn:
    """One sentence on stderr, whatever line breaks the message came with, and out."""
    sentence = " ".join(legible(message).split()).rstrip(".")
    click.echo(f"Error: {sentence}{'' if sentence.endswith('?') else '.'}", err=True)
    sys.exit(code)


# --- what commands share: values -------------------------------------------------------------------

_NUMBER = re.compile(r"([+-]?[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)([kKmMgG]?)", re.ASCII)
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def parse_number(text: str, low: int = 1, high: int = 10**12) -> int:
    """A whole number as people write it (`1_000_000`, `1e6`, `1M`), within bounds or `UsageError`."""
    found = _NUMBER.fullmatch(text.strip()) if len(text) <= 60 else None
    if found:
        from fractions import Fraction

        # Exact; and small, for the pattern allows exponents of three digits at most.
        value = Fraction(found[1].replace("_", "")) * _SCALE[found[2].lower()]
        if low <= value <= high and value.denominator == 1:
            return int(value)
    raise UsageError(
        f"{clip(text)} is not a whole number from {low} to {_round(high)} "
        "(1000000, 1_000_000, 1e6 and 1M mean the same)"
    )


def _round(number: int) -> str:
    power = len(str(number)) - 1
    return f"1e{power}" if power > 6 and number == 10**power else str(number)


class Number(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """A whole number within bounds, in any of the spellings of `parse_number`."""

    name = "number"

    def __init__(self, low: int = 1, high: int = 10**12) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value  # a default
        try:
            return parse_number(value, self.low, self.high)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class GameName(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """A game by name or alias; the command receives its `Game`."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        try:
            return resolve_game(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class Contract(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """`banker=0,trump=h,bid=150` as a dict: banker and bid integers, trump one of `s h c d`; the bid may be missing."""

    name = "contract"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        contract: dict[str, Any] = {}
        for part in value.split(","):
            key, _, text = (word.strip() for word in part.partition("="))
            if key in contract:
                self.fail(f"{key} stands twice in {clip(value)}; give it once", param, ctx)
            if key == "trump":
                from .sim.cards import SUITS, parse_suit

                try:
                    contract[key] = SUITS[parse_suit(text)]
                except UsageError as error:
                    self.fail(str(error), param, ctx)
            elif key in ("banker", "bid") and re.fullmatch(r"[0-9]{1,4}", text, re.ASCII):
                contract[key] = int(text)
            else:
                self.fail(
                    f"{clip(part)} is not a part of a contract like banker=0,trump=h or "
                    "banker=0,trump=h,bid=150",
                    param, ctx,
                )  # fmt: skip
        missing = [key for key in ("banker", "trump") if key not in contract]
        if missing:
            self.fail(
                f"{clip(value)} lacks {' and '.join(missing)}; write banker=0,trump=h or "
                "banker=0,trump=h,bid=150",
                param, ctx,
            )  # fmt: skip
        return contract


# --- what commands share: options ------------------------------------------------------------------

game_argument = click.argument("game", type=GameName(), metavar="GAME")


def deals_option(required: bool = True) -> Callable[[F], F]:
    """`--deals N` as `deals`."""
    return click.option(
        "--deals", type=Number(), required=required, metavar="N", help="How many deals to play."
    )


def rules_options(command: F) -> F:
    """`--rules` as `rules` (None: the game's default) and `--set` as `overrides`; see `sim.rules.load`."""
    command = click.option(
        "--set", "overrides", multiple=True, metavar="OPTION=VALUE",
        help="Change one rule option; may be given again.",
    )(command)  # fmt: skip
    return click.option(
        "--rules", metavar="NAME|FILE", help="A preset or a TOML file. Default: the game's own preset."
    )(command)


def seed_option(command: F) -> F:
    """`--seed` as `seed`: any 64-bit number."""
    return click.option(
        "--seed", type=Number(0, 2**64 - 1), default=0, show_default=True, metavar="S",
        help="Fixes every card and every lot.",
    )(command)  # fmt: skip


def first_option(command: F) -> F:
    """`--first` as `first`."""
    return click.option(
        "--first", type=Number(0), default=0, show_default=True, metavar="I", help="Begin at deal I."
    )(command)


def workers_option(command: F) -> F:
    """`--workers` as `workers` (None: one for each core; see ``sim.cores``)."""
    return click.option(
        "--workers", type=Number(1, 4096), metavar="N",
        help="Threads to compute with. Default: one for each core this process may use.",
    )(command)  # fmt: skip


def chunk_option(command: F) -> F:
    """`--chunk` as `chunk` (None: chosen by the run)."""
    return click.option(
        "--chunk", type=Number(1, 10**8), metavar="N",
        help="Deals computed in one piece. Changes speed only, never results.",
    )(command)  # fmt: skip


def session_option(command: F) -> F:
    """`--session` as `session`; a hand's index in its session is an int16."""
    return click.option(
        "--session", type=Number(1, 32_767), default=1, show_default=True, metavar="K",
        help="Chain hands K at a time: a hand's banker goes on into the next.",
    )(command)  # fmt: skip


def policy_option(command: F) -> F:
    """`--policy`, repeatable, as `policies`: a tuple of the words as typed."""
    return click.option(
        "--policy", "policies", multiple=True, metavar="[ROLE=]NAME",
        help="Who decides: for all, or for a role (bidding, banker, defender, a seat number); later wins.",
    )(command)  # fmt: skip


def bidding_option(command: F) -> F:
    """`--bidding` as `bidding`: a file or preset of `sim.bidding`, or None."""
    return click.option(
        "--bidding",
        metavar="NAME|FILE",
        help="How expert calls and bids, or reveals and names: a file of `threshold`.",
    )(command)


def contract_option(command: F) -> F:
    """`--contract` as `contract`: None or a dict with banker, trump and perhaps bid."""
    return click.option(
        "--contract", type=Contract(), metavar="banker=B,trump=T[,bid=N]",
        help="Skip calling and bidding, or revealing; die-wu-fen needs a bid, hong-wu-wu-jia has none.",
    )(command)  # fmt: skip


def hold_option(command: F) -> F:
    """`--hold`, repeatable, as `hold`: a tuple of the words as typed."""
    return click.option(
        "--hold", multiple=True, metavar='SEAT:"CARDS"',
        help="These cards are in the hand of a seat, or at bottom, one copy each time a card is named. All others are "
        "dealt at random, further copies of the same card too: 0:3h is one copy for sure, and often a pair. For hands "
        "with exactly one, or at least one, simulate, compare and threshold have --count 0:3h=1, 0:3h=1-2.",
    )(command)  # fmt: skip


def count_option(command: F) -> F:
    """`--count`, repeatable, as `count`: a tuple of the words as typed."""
    return click.option(
        "--count", multiple=True, metavar="SEAT:WHAT=LOW-HIGH",
        help="Only deals where a seat or bottom has so many trumps (needs --contract), points, jokers, twos, threes, "
        "fives, tens, queens, kings, aces, spades, hearts, clubs or diamonds, or copies of a card, those of --hold "
        "among them: 0:3h=1 is exactly one, 0:3h=1-2 at least one (of two; of three it is 1-3).",
    )(command)  # fmt: skip


def progress_option(command: F) -> F:
    """`--progress/--no-progress` as `progress`: True or False, by default whether stderr is a terminal."""

    def decide(_ctx: click.Context, _param: click.Parameter, value: bool | None) -> bool:
        return sys.stderr.isatty() if value is None else value

    return click.option(
        "--progress/--no-progress", default=None, callback=decide,
        help="Show progress on stderr. Default: only on a terminal.",
    )(command)  # fmt: skip


def format_option(*choices: str) -> Callable[[F], F]:
    """`--format` as `output_format`; the first choice is the default."""
    return click.option(
        "--format", "output_format", type=click.Choice(choices), default=choices[0], show_default=True,
        help="How to print.",
    )  # fmt: skip


_COMPILING = Text(
    "compiling what this command needs for the first time; that may take a minute",
    "正在编译本命令首次用到的程序，约需一分钟以内",
)
_AGAIN = Text(
    "compiling what this command needs; that may take a minute, in every run, for nothing can be kept: {}",
    "正在编译本命令所需的程序，约需一分钟以内；编译结果无法保存，每次运行都要重来：{}",
)
_NO_HOME = Text(
    "there is no home folder (NUMBA_CACHE_DIR may name another one)",
    "没有主目录（可用 NUMBA_CACHE_DIR 指定文件夹）",
)
_OPEN_TO_OTHERS = Text(
    "other users can write to {}, so what lies there is not trusted (NUMBA_CACHE_DIR may name another folder)",
    "其他用户可以写入 {}，其中的内容不可信，未予使用（可用 NUMBA_CACHE_DIR 另指定文件夹）",
)


def lang_option(command: F) -> F:
    """`--lang` as `lang`. If the command must compile kernels, that is said in this language, on stderr."""

    def remember(_ctx: click.Context, _param: click.Parameter, lang: Lang) -> Lang:
        def tell(refused: compiling.Refused | None) -> None:
            if refused is None:
                note(_COMPILING.say(lang))
            elif not refused.place:
                note(_AGAIN.say(lang).format(_NO_HOME.say(lang)))
            elif refused.why:
                note(_AGAIN.say(lang).format(f"{refused.place}: {refused.why}"))
            else:
                note(_AGAIN.say(lang).format(_OPEN_TO_OTHERS.say(lang).format(refused.place)))

        compiling.tell = tell
        return lang

    return click.option(
        "--lang", type=click.Choice(LANGS), default="en", show_default=True, envvar="TUOLAJI_LANG",
        callback=remember, help="The language of all prose printed.",
    )(command)  # fmt: skip


@click.group(
    cls=MainGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="""Monte Carlo simulator for die-wu-fen (跌五分) and hong-wu-wu-jia (红五五家).

    GAME is die-wu-fen (also 跌五分, dwf) or hong-wu-wu-jia (also 红五五家, hwwj). Numbers may be written
    1_000_000, 1e6 or 1M. `tuolaji COMMAND --help` explains a command.
    """,
)
@click.version_option(__version__, prog_name="tuolaji")
def main() -> None:
    pass
