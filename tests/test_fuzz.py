"""Every parser against nonsense: cards, hands, rule files, records, the command line.

Whatever is put in, what comes out is a result or one sentence: no traceback, no hang, no memory blown up. A few seconds
by default; `TUOLAJI_FUZZ=20000 python -m pytest tests/test_fuzz.py` tries that many examples a test.
"""

from __future__ import annotations

import copy
import json
import os
import time
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tuolaji
from tuolaji import cli, judge
from tuolaji.kernels._jit import JIT
from tuolaji.sim.audit import Auditor
from tuolaji.sim.cards import FACES, parse_card, parse_cards, parse_suit
from tuolaji.sim.errors import CardError, RuleError, UsageError
from tuolaji.sim.fault import Fault
from tuolaji.sim.games import GAMES, resolve_game
from tuolaji.sim.records_file import MAX_LINE_BYTES
from tuolaji.sim.rules import OPTIONS, RuleSet, load, presets, read_file
from tuolaji.sim.toml import MAX_FILE_BYTES

from naive import DWF, HW, random_record

pytestmark = pytest.mark.skipif(not JIT, reason="the same parsers, and slow")

EXAMPLES = int(os.environ.get("TUOLAJI_FUZZ", "60"))
fuzz = settings(
    max_examples=EXAMPLES,
    deadline=10_000,  # milliseconds; nothing takes a hundredth of it, but machines can be busy
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize="TUOLAJI_FUZZ" not in os.environ,
)

# --- what to put in

CARD_SIGNS = "23456789TJQKA10shcdSHCD♠♥♣♦♤♡♧♢大小王黑红桃梅花方块草片 ,，、;；\ufe0f\t\nBbJjxX0\x00é"
CARD_TEXT = st.one_of(st.text(max_size=40), st.text(CARD_SIGNS, max_size=40))
CARDS = st.one_of(
    CARD_TEXT,
    st.lists(st.sampled_from(FACES), max_size=12),
    st.lists(st.one_of(st.sampled_from(FACES), CARD_TEXT), max_size=6),
)
NUMBERS = st.one_of(
    st.integers(-3, 40),
    st.integers(),
    st.floats(),
    st.sampled_from([10**30, 10**4000, 1e308, -0.0, 2**63, 2**64]),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, CARD_TEXT, st.sampled_from(FACES)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(CARD_TEXT, inner, max_size=4)),
    max_leaves=12,
)
GAME_WORDS = st.one_of(st.sampled_from([DWF, HW, "跌五分", "hwwj", "bridge", ""]), st.text(max_size=10))
TRUMPS = st.one_of(st.sampled_from(["s", "h", "c", "d", "♥", "nt", ""]), st.text(max_size=3))


def one_sentence(error: Exception) -> None:
    """A message for the reader: one line, not endless."""
    text = str(error)
    assert text
    assert "\n" not in text
    assert len(text) < 1200


# --- cards and hands


@fuzz
@given(CARD_TEXT)
def test_com_1_cards_suits_and_games(text: str) -> None:
    for parse in (parse_card, parse_suit, resolve_game):
        try:
            parse(text)
        except UsageError as error:
            one_sentence(error)


@fuzz
@given(CARDS, st.one_of(st.none(), st.integers(2, 3)))
def test_com_1_hands(cards: Any, packs: int | None) -> None:
    try:
        found = parse_cards(cards, packs=packs)
    except CardError as error:
        one_sentence(error)
    else:
        assert all(0 <= face < 54 for face in found)


@fuzz
@given(GAME_WORDS, TRUMPS, CARDS, CARDS, CARDS, st.one_of(st.none(), CARD_TEXT, st.sampled_from(FACES)))
def test_the_judge(game: str, trump: str, hand: Any, lead: Any, play: Any, named: str | None) -> None:
    for ask in (
        lambda: judge.follow(game, trump, hand, lead, play, None, named),
        lambda: judge.lead(game, trump, lead, [hand, play]),
        lambda: judge.trick(game, trump, [lead, hand, play]),
    ):
        try:
            ask()
        except UsageError as error:
            one_sentence(error)


@fuzz
@given(st.data())
def test_the_judge_on_hands_that_could_be(data: st.DataObject) -> None:
    """Cards of the right number, so that the rules themselves are reached."""
    game = data.draw(st.sampled_from(GAMES))
    trump = data.draw(st.sampled_from("shcd"))
    deck = [*FACES] * game.packs
    data.draw(st.randoms(use_true_random=False)).shuffle(deck)
    lead, hand = deck[: data.draw(st.integers(1, 8))], deck[12 : 12 + game.hand_size]
    play = hand[: len(lead)]
    try:
        fault = judge.follow(game, trump, hand, lead, play)
        assert fault is None or fault.clause
        judge.lead(game, trump, lead, [hand])
        judge.trick(game, trump, [lead, play])
    except judge.IllegalPlayError as illegal:
        assert illegal.fault.clause == "COM-9"


# --- rule files

TOML_VALUES = st.one_of(
    st.booleans().map(lambda v: str(v).lower()),
    st.integers().map(str),
    st.floats().map(str),
    st.text(max_size=20).map(json.dumps),
    st.lists(st.integers(-5, 300), max_size=12).map(str),
    st.lists(st.lists(st.integers(-50, 400), max_size=3), max_size=40).map(str),
    st.sampled_from(
        ["1979-05-27", "{a = 1}", "[[0, 9], [5, 8]]", '"multi"', '"throw"', "inf", "0x10", "1_000"]
    ),
)
OPTION_NAMES = sorted({name for game in OPTIONS.values() for name in game})
TOML_LINES = st.tuples(
    st.one_of(st.sampled_from(["game", "name", "about", *OPTION_NAMES]), st.text(max_size=12)), TOML_VALUES
).map(" = ".join)


@st.composite
def toml_text(draw: st.DrawFn) -> bytes:
    """Rule files: nonsense, plausible ones, and presets with something changed."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(st.binary(max_size=300))
    if kind == 1:
        lines = draw(st.lists(TOML_LINES, max_size=8))
        return "\n".join(['game = "die-wu-fen"', *lines]).encode("utf-8", "surrogatepass")
    text = bytearray(draw(st.sampled_from([*presets().values()])).to_toml("zh").encode())
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text) - 1))
        text[at : at + draw(st.integers(0, 6))] = draw(st.binary(max_size=6))
    return bytes(text)


@fuzz
@given(content=toml_text())
def test_rule_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    try:
        rules = read_file(path)
    except UsageError as error:
        one_sentence(error)
        for fault in error.faults if isinstance(error, RuleError) else ():
            assert all("\n" not in text and len(text) < 1200 for text in fault)
    else:
        again = tmp_path / "again.toml"
        again.write_text(rules.to_toml(), "utf-8")
        assert read_file(again) == rules


@fuzz
@given(
    st.sampled_from(OPTION_NAMES),
    st.one_of(CARD_TEXT, TOML_VALUES, NUMBERS.map(str)),
)
def test_options_on_the_command_line(name: str, value: str) -> None:
    for game in OPTIONS:
        for text in (f"{name}={value}", value):
            try:
                assert isinstance(load(game, None, [text]), RuleSet)
            except UsageError as error:
                one_sentence(error)


@fuzz
@given(st.dictionaries(st.sampled_from(OPTION_NAMES), JSON, max_size=4))
def test_rules_from_python(values: dict[str, Any]) -> None:
    for game in OPTIONS:
        try:
            assert RuleSet.build(game, values).hash()
        except UsageError as error:
            one_sentence(error)


# --- records


@cache
def auditor() -> Auditor:
    return Auditor()


@cache
def sound(game: str, seed: int) -> dict[str, Any]:
    return random_record(game, seed)


def judged(record: Any) -> list[Fault]:
    faults = tuolaji.audit(record)
    for fault in faults:
        assert fault.clause
        assert fault.reason
        assert "\n" not in fault.reason + fault.say("zh")
        assert len(fault.reason) < 1200
    return faults


@fuzz
@given(JSON)
def test_records_that_are_any_json(value: Any) -> None:
    assert judged(value)
    for game in (DWF, HW):
        judged({"game": game, "tricks": value, "hands": value, "rules": value})
        judged({"game": game, "trump": "s", "tricks": [{"plays": value}, value]})


@fuzz
@given(st.data())
def test_records_with_anything_anywhere(data: st.DataObject) -> None:
    record = copy.deepcopy(sound(data.draw(st.sampled_from([DWF, HW])), data.draw(st.integers(0, 2))))
    for _ in range(data.draw(st.integers(1, 4))):
        spot: Any = record
        key: Any = data.draw(st.sampled_from(sorted(record)))
        while isinstance(spot[key], (dict, list)) and spot[key] and data.draw(st.integers(0, 4)):
            spot = spot[key]
            key = data.draw(st.sampled_from(sorted(spot) if isinstance(spot, dict) else range(len(spot))))
        if isinstance(spot[key], list) and spot[key] and data.draw(st.booleans()):
            spot[key] = spot[key] * data.draw(st.integers(0, 40))
        else:
            spot[key] = data.draw(JSON)
    judged(record)


@fuzz
@given(data=st.data())
def test_lines_of_a_file_of_records(tmp_path: Path, data: st.DataObject) -> None:
    text = bytearray(json.dumps(sound(DWF, 1)).encode())
    if data.draw(st.booleans()):
        text = bytearray(data.draw(st.binary(max_size=200)))
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 9))] = data.draw(
            st.one_of(
                st.binary(max_size=8), st.sampled_from([b'"', b"\n", b"{", b"}", b"[", b"]", b",", b"null"])
            )
        )
    path = tmp_path / "games.jsonl"
    path.write_bytes(bytes(text))
    command(["audit", str(path)])
    command(["import", str(path), "--out", str(tmp_path / "out" / "deep" / str(time.time_ns()))])


# --- the command line

VOCABULARY = """
simulate summary replay match judge rules audit import lead follow trick list show check --help -h --version
die-wu-fen hwwj 跌五分 bridge --rules --set --seed --policy --policies --format --lang --deal --count --cards
--hand --lead --play --named --other --trump --contract --session --out --skip-faulty --progress - -- json
table jsonl en zh h s random greedy expert banker=random 0=greedy bidding= As 5h,5h BJ cascade=false
bid_step=5 banker=0,trump=h,bid=150 1e3 1_0 -5 1e400 99999999999999999999 0x10 no-such-file /
"""
WORDS = st.one_of(
    st.sampled_from(VOCABULARY.split()),
    CARD_TEXT.filter(lambda text: "\0" not in text),
)


def command(args: list[str]) -> None:
    """Run a command line; it ends with an exit code, and an error is one sentence."""
    result = CliRunner().invoke(cli.main, args, catch_exceptions=False, input=b"")
    assert result.exit_code in (cli.DONE, cli.FAULTS, cli.BAD_USAGE), (args, result.output)
    if result.exit_code == cli.BAD_USAGE:
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1
        assert len(result.stderr) < 1500
    assert "unexpected" not in result.stderr


@fuzz
@given(st.lists(WORDS, max_size=9))
def test_command_lines(args: list[str]) -> None:
    if {"--deals", "--count"} & {*args}:
        args = [word for word in args if word not in ("1e3", "1_0")]  # nothing long
    command(args)


@fuzz
@given(
    st.sampled_from(
        ["simulate", "replay", "match", "audit", "import", "summary", "rules show", "judge follow"]
    ),
    st.lists(WORDS, max_size=6),
)
def test_command_lines_of_one_command(name: str, args: list[str]) -> None:
    words = name.split()
    if name in ("simulate", "match"):
        args = [*args, "--deals", "-1"]  # read, checked, and never played
    if name == "replay":
        args = [*args, "--deal", "x"]
    command([*words, *args])


# --- sizes


def within(megabytes: float, seconds: float, function: Any, *args: Any) -> None:
    """A call that must need neither much memory nor much time; it may refuse what it is given."""
    tracemalloc.start()
    began = time.process_time()
    try:
        function(*args)
    except (UsageError, SystemExit) as error:
        if isinstance(error, UsageError):
            one_sentence(error)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < megabytes * 1e6
    assert time.process_time() - began < seconds


@pytest.mark.slow
def test_large_inputs_need_little(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    for content in (
        "x" * 20_000_000,
        "a = " + "[" * 30_000,
        "a = " + "[" * 400 + "]" * 400,
        "[" + ".".join("a" * 16_000) + "]",
        "\n".join(f"{'a.' * 50}b{i} = 1" for i in range(500)),
        "a = " + "9" * 60_000,
        'game = "die-wu-fen"\n' + "\n".join(f"x{i} = {i}" for i in range(5000)),
        'game = "die-wu-fen"\nbase_table = [' + "1," * 30_000 + "]",
    ):
        path.write_text(content, "utf-8")
        assert len(content) > 500
        within(60, 20, read_file, path)
    path.write_text("#" * (MAX_FILE_BYTES + 1))
    limit = f"larger than {MAX_FILE_BYTES >> 10} KiB, the most a rule file may have"
    with pytest.raises(UsageError, match=limit):
        read_file(path)
    within(60, 20, parse_cards, "As " * 300_000)
    within(60, 20, parse_cards, "x" * 1_000_000)
    within(60, 20, judge.lead, DWF, "s", "As " * 100_000)
    within(60, 20, cli.parse_number, "9" * 1_000_000)
    within(60, 20, cli.parse_number, "1e999")


@pytest.mark.slow
@pytest.mark.parametrize("game", [DWF, HW])
def test_large_records_need_little(game: str) -> None:
    record = sound(game, 1)
    trick = record["tricks"][0]
    auditor()
    for bad in (
        {**record, "tricks": record["tricks"] * 300},
        {**record, "tricks": [{**trick, "plays": trick["plays"] * 3000}] * 3},
        {**record, "tricks": [{**trick, "plays": [{**trick["plays"][0], "cards": ["As"] * 100_000}]}]},
        {**record, "hands": [["As"] * 50_000] * len(record["hands"])},
        {**record, "bottom": ["As"] * 100_000},
        {**record, "rules": {str(i): i for i in range(20_000)}},
        {**record, "rules": {"grade_table": [[i, -i] for i in range(8_000)]}},
        {**record, "bids": [{"seat": 0, "bid": None}] * 20_000, "calls": [{}] * 20_000},
        {**record, "payoffs": [1] * 100_000},
        {**record, "x": {"y": [1] * 100_000}},
    ):
        within(60, 20, tuolaji.audit, bad)
        assert len(tuolaji.audit(bad)) < 300 or bad["tricks"] is not record["tricks"]
        text = json.dumps(bad, separators=(",", ":")).encode()
        if len(text) < MAX_LINE_BYTES:
            within(60, 20, auditor().examine_line, text)
