"""Rule sets: options, presets, files, and the faults they can have."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuolaji.sim import rules
from tuolaji.sim.errors import RuleError, UsageError
from tuolaji.sim.games import GAMES, resolve_game
from tuolaji.sim.text import Text
from tuolaji.sim.toml import MAX_FILE_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from tuolaji.sim.options import Option

GAME_NAMES = [game.name for game in GAMES]


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def faults_of(game: str, **changes: Any) -> list[str]:
    return [fault.en for fault in rules.check_values(game, changes, "rules")[1]]


def any_value(option: Option) -> st.SearchStrategy[Any]:
    """Allowed values of one option, whatever the other options are."""
    if option.kind == "bool":
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    if option.kind == "int":
        return st.integers(option.low, option.high)
    if option.kind == "int-list":
        return st.lists(st.integers(option.low, option.high), min_size=option.least, max_size=option.most)
    row = st.tuples(st.integers(0, option.high), st.integers(option.low, -option.low))
    return st.lists(row, min_size=option.least, max_size=option.most)


# --- games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["die-wu-fen", "跌五分", "dwf", "DWF", "die_wu_fen", " Die-Wu-Fen "])
def test_the_names_of_die_wu_fen(word: str) -> None:
    assert resolve_game(word).name == "die-wu-fen"


@pytest.mark.parametrize("word", ["hong-wu-wu-jia", "红五五家", "hwwj", "Hong_Wu_Wu_Jia"])
def test_the_names_of_hong_wu_wu_jia(word: str) -> None:
    assert resolve_game(word).name == "hong-wu-wu-jia"


def test_an_unknown_game_is_refused_naming_those_there_are() -> None:
    with pytest.raises(UsageError, match='no game "bridge"; allowed are die-wu-fen .* or hong-wu-wu-jia'):
        resolve_game("bridge")


@pytest.mark.parametrize("game", GAMES)
def test_every_card_is_dealt(game: Any) -> None:
    assert game.seats * game.hand_size + game.bottom_size == game.cards


# --- options ----------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_rules() -> None:
    dwf = rules.load("die-wu-fen")
    assert dwf["forced_trump"] == "multi"  # DWF-11
    assert dwf["base_table"] == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # DWF-8
    hwwj = rules.load("hong-wu-wu-jia")
    assert hwwj["cascade"] is False  # HW-11
    grades = dict(hwwj["grade_table"])  # HW-13
    assert (grades[0], grades[25], grades[90], grades[120], grades[200], grades[230]) == (
        9,
        4,
        1,
        -1,
        -4,
        -10,
    )
    assert hwwj["grade_table"][-1] == (300, -24)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_option_is_documented_in_both_languages(game: str) -> None:
    for option in rules.OPTIONS[game].values():
        assert option.clauses
        assert option.doc.en.endswith(".")
        assert option.doc.zh.endswith("。")
        assert option.check(option.default) == option.default


@pytest.mark.parametrize("game", GAME_NAMES)
@given(data=st.data())
def test_any_allowed_value_is_accepted_or_contradicts_another_and_never_raises(
    game: str, data: st.DataObject
) -> None:
    given_values = {
        name: data.draw(any_value(option), label=name) for name, option in rules.OPTIONS[game].items()
    }
    values, faults = rules.check_values(game, given_values, "rules")
    assert not any(
        "must be" in fault.en and "but it" in fault.en and "begin" not in fault.en for fault in faults
    )
    if not faults:
        made = rules.RuleSet.build(game, given_values)
        assert rules.RuleSet.build(game, json.loads(json.dumps(made.options()))) == made
        assert values == dict(made.values)


@pytest.mark.parametrize("game", GAME_NAMES)
@given(data=st.data())
def test_any_other_value_is_one_fault(game: str, data: st.DataObject) -> None:
    option = data.draw(st.sampled_from([*rules.OPTIONS[game].values()]))
    junk = (
        st.none()
        | st.floats()
        | st.text()
        | st.integers()
        | st.lists(st.integers() | st.text())
        | st.booleans()
    )
    raw = data.draw(junk.filter(lambda value: option.check(value) is None))
    faults = faults_of(game, **{option.name: raw})
    assert len(faults) == 1
    assert faults[0].startswith(f"rules: {option.name} is ")
    assert "\n" not in faults[0]


def test_true_is_no_number_and_one_is_no_truth_value() -> None:
    assert faults_of("die-wu-fen", bid_max=True)
    assert faults_of("die-wu-fen", cascade=1)
    assert faults_of("die-wu-fen", bid_step=10.0)


@pytest.mark.parametrize(
    ("game", "changes", "reason"),
    [
        ("die-wu-fen", {"bid_max": 150, "opening_bid_pair": 160}, "opening_bid_pair is 160, above bid_max = 150"),
        ("die-wu-fen", {"opening_bid_single": 115}, "opening_bid_single is 115, which is not a multiple of bid_step"),
        ("die-wu-fen", {"bid_step": 20}, "opening_bid_single is 110, which is not a multiple of bid_step = 20"),
        ("die-wu-fen", {"made_total": 180}, "bid_max is 200, above made_total = 180"),
        ("die-wu-fen", {"shutout_total": 200}, "shutout_total is 200, which must be above made_total"),
        ("die-wu-fen", {"base_table": [2, 1, 3, 4, 5, 6, 7, 8, 9, 10]}, "base_table falls somewhere"),
        ("die-wu-fen", {"forced_trump": "off", "void_order": "by-level"}, 'void_order is "by-level", which has no'),
        ("die-wu-fen", {"forced_trump": "off", "forced_trump_binds": "all"}, 'forced_trump_binds is "all", which'),
        ("die-wu-fen", {"points_five": 0, "points_ten": 0, "points_king": 0}, "no card is worth any points"),
        ("die-wu-fen", {"base_table": [100] * 10, "banker_throw_penalty": 20}, "payoffs beyond 32767"),
        ("hong-wu-wu-jia", {"grade_table": [[5, 1], [10, -1]]}, "must begin at 0"),
        ("hong-wu-wu-jia", {"grade_table": [[0, 2], [60, 1], [60, -1]]}, "threshold 60 after 60"),
        ("hong-wu-wu-jia", {"grade_table": [[0, 1], [60, 1], [90, -1]]}, "grade 1 after 1"),
        ("hong-wu-wu-jia", {"grade_table": [[0, 1], [60, 0], [90, -1]]}, "grade of 0"),
        ("hong-wu-wu-jia", {"grade_table": [[0, 100], [90, -1]], "base": 100}, "payoffs beyond 32767"),
        ("hong-wu-wu-jia", {"points_five": 0, "points_ten": 0, "points_king": 0}, "no card is worth any points"),
    ],
)  # fmt: skip
def test_contradictions_are_refused_with_a_reason(game: str, changes: dict[str, Any], reason: str) -> None:
    faults = faults_of(game, **changes)
    assert len(faults) == 1
    assert reason in faults[0]


def test_faults_are_collected_not_only_the_first() -> None:
    faults = faults_of("die-wu-fen", forced_trumps="off", bid_step=7, bid_max=170, opening_bid_pair=180)
    assert len(faults) == 3
    assert 'no option "forced_trumps"; did you mean forced_trump?' in faults[0]
    assert "bid_step is 7, but it must be 5, 10 or 20" in faults[1]
    assert "above bid_max = 170" in faults[2]


# --- rule sets --------------------------------------------------------------------------------------


def test_each_game_has_its_default_preset_first() -> None:
    found = rules.presets()
    assert next(iter(found)) == "die-wu-fen"
    for game in GAME_NAMES:
        assert found[game].game == game
        assert not found[game].changed()
        assert found[game] == rules.load(game) == rules.RuleSet.build(game)
    assert found["die-wu-fen-throws-only"].changed() == {"forced_trump": "throw"}
    assert all(preset.about.en and preset.about.zh for preset in found.values())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_toml_is_read_back_as_the_same_rules(tmp_path: Path, lang: Any) -> None:
    for preset in rules.presets().values():
        path = write(tmp_path, preset.to_toml(lang))
        again = rules.read_file(path)
        assert (again, again.name) == (preset, "mine")


def test_the_hash_is_the_rules_and_nothing_else(tmp_path: Path) -> None:
    default = rules.load("dwf")
    renamed = rules.read_file(write(tmp_path, 'game = "跌五分"\nname = "x"\nabout = "y"\nbid_step = 10\n'))
    other = rules.load("dwf", None, ["bid_step=5"])
    assert (renamed.name, renamed.about) == ("x", Text("y", "y"))
    assert renamed == default
    assert renamed.hash() == default.hash()
    assert hash(renamed) == hash(default)
    assert other != default
    assert other.hash() != default.hash()
    assert len(default.hash()) == 64
    assert rules.load("hwwj") != default
    assert default != "die-wu-fen"


def test_a_rule_set_travels_between_processes_and_cannot_be_changed() -> None:
    default = rules.load("hwwj")
    assert pickle.loads(pickle.dumps(default)) == default
    with pytest.raises(TypeError):
        default.values["base"] = 2  # type: ignore[index]


def test_a_rule_error_travels_between_processes_with_all_its_faults() -> None:
    with pytest.raises(RuleError) as caught:
        rules.RuleSet.build("dwf", {"bid_step": 1, "bid_max": 1})
    assert len(caught.value.faults) == 2
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


@pytest.mark.parametrize(
    ("override", "value"),
    [
        ("forced_trump=throw", "throw"), ('forced_trump="throw"', "throw"), ("forced-trump = off", "off"),
        ("cascade=false", False), ("cascade=No", False), ("bid_step=5", 5),
        ("base_table=1,1,2,2,3,3,4,4,5,5", (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)),
        ("base_table=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5]", (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)),
    ],
)  # fmt: skip
def test_overrides_as_typed(override: str, value: Any) -> None:
    name = override.partition("=")[0].strip().replace("-", "_")
    made = rules.load("dwf", None, [override])
    assert made[name] == value
    assert made.name == "die-wu-fen+"


def test_grade_tables_as_typed() -> None:
    for text in ("grade_table=0:2,80:1,120:-1", "grade_table=[[0, 2], [80, 1], [120, -1]]"):
        assert rules.load("hwwj", None, [text])["grade_table"] == ((0, 2), (80, 1), (120, -1))


@pytest.mark.parametrize(
    "override",
    [
        "cascade=maybe",
        "bid_step=ten",
        "bid_step=1e1",
        "base_table=1,2,x",
        "base_table=",
        "bid_step=" + "9" * 99,
    ],
)
def test_overrides_that_mean_nothing_are_refused(override: str) -> None:
    with pytest.raises(RuleError, match="^--set: .* but it must be"):
        rules.load("dwf", None, [override])


@pytest.mark.parametrize("text", ["0:1,2", "[[0,1],", "[[" * 5000, "x:y", ""])
def test_grade_tables_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(RuleError, match="^--set: grade_table is .* but it must be a list of 2 to 64 pairs"):
        rules.load("hwwj", None, [f"grade_table={text}"])


def test_an_override_without_a_value_is_refused() -> None:
    with pytest.raises(RuleError, match='--set "bid_step" is not of the form option=value'):
        rules.load("dwf", None, ["bid_step"])


def test_an_override_that_changes_nothing_leaves_the_rule_set_as_it_is() -> None:
    assert rules.load("dwf", None, ["bid_step=10"]).name == "die-wu-fen"


def test_overrides_come_on_top_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, 'game = "dwf"\nbid_step = 20\nopening_bid_single = 120\n')
    made = rules.load(None, path, ["bottom_multiplier=4"])
    assert made.changed() == {"bid_step": 20, "opening_bid_single": 120, "bottom_multiplier": 4}


def test_a_rule_set_of_the_other_game_is_refused() -> None:
    with pytest.raises(
        UsageError, match='"die-wu-fen-throws-only" is for die-wu-fen, not for hong-wu-wu-jia'
    ):
        rules.load("hwwj", "die-wu-fen-throws-only")


def test_an_unknown_rule_set_gets_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="did you mean die-wu-fen-throws-only?"):
        rules.load("dwf", "die-wu-fen-throw-only")
    with pytest.raises(UsageError, match="presets are die-wu-fen, "):
        rules.load("dwf", "whist")
    with pytest.raises(UsageError, match="name at least one"):
        rules.load()


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game = ", "it can't be read as TOML"),
        ("", 'game is missing; it must be "die-wu-fen" or "hong-wu-wu-jia"'),
        ('game = "whist"', 'game is "whist", but it must be "die-wu-fen" or'),
        ("game = 5", "game must be one line of text"),
        ('game = "dwf"\nname = ""', "name must be one line of text"),
        ('game = "dwf"\nabout = "a\\nb"', "about must be one line of text"),
        ('game = "dwf"\n[options]\nbid_step = 5', 'die-wu-fen has no option "options"'),
        ('game = "dwf"\nbid_step = 2030-01-01', "bid_step is a date, but it must be"),
        ('game = "dwf"\nbid_step = ' + "[" * 20_000, "it can't be read as TOML"),
        ('game = "hwwj"\nforced_trump = "off"', 'hong-wu-wu-jia has no option "forced_trump"'),
    ],
)
def test_faulty_files_are_refused_naming_the_file(tmp_path: Path, text: str, reason: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RuleError) as caught:
        rules.read_file(path)
    assert str(path) in str(caught.value)
    assert reason in caught.value.faults[0].en


def test_a_file_that_is_not_utf_8_is_faulty(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes('game = "跌五分"'.encode("gb18030"))
    with pytest.raises(RuleError, match="not UTF-8 text"):
        rules.read_file(path)


def test_a_file_that_cannot_be_read_is_bad_usage(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml", "a\0b"):
        with pytest.raises(UsageError, match="can't be read"):
            rules.read_file(path)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = write(tmp_path, "#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(UsageError, match="larger than 64 KiB"):
        rules.read_file(path)
