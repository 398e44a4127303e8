"""Texts in TOML from users: whatever they hold, reading them takes no longer than their length asks for."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tuolaji.cli import main
from tuolaji.sim.bidding import read_bidding
from tuolaji.sim.errors import UsageError
from tuolaji.sim.toml import MAX_FILE_BYTES, MOST_PARTS, TomlError, read_toml

SIZE = 40_000  # bytes, some
SLOW = [
    "a." * (SIZE // 2) + "a = 1",
    "[" + "a." * (SIZE // 2) + "a]",
    "[[" + "a." * (SIZE // 2) + "a]]",
    '"a" . ' * (SIZE // 6) + "a = 1",
    "x = {" + "'a'." * (SIZE // 4) + "a = 1}",
    'k = """a"""""\nx = {y = """a"""", ' + "c." * (SIZE // 2) + "c = 1}",
    '"""\\' * (SIZE // 4),
    '"\\' * (SIZE // 2),
    "x = '" + "'" * SIZE,
    "x = " + "[" * SIZE,
    "x = " + "{a = " * (SIZE // 5),
    "bottom_multiplier = 0x" + "F" * SIZE,
    "bottom_multiplier = " + "9" * SIZE,
    "a" * SIZE,
]


@pytest.mark.parametrize("text", SLOW, ids=range(len(SLOW)))
def test_a_file_made_to_be_slow_is_refused_at_once(tmp_path: Path, text: str) -> None:
    """Each of the first ones took tomllib ten seconds and more."""
    file = tmp_path / "x.toml"
    file.write_text(text, "utf-8")
    for words, code in ((["rules", "check"], 1), (["simulate", "dwf", "--deals", "1", "--bidding"], 2)):
        began = time.process_time()
        result = CliRunner().invoke(main, [*words, str(file)], catch_exceptions=False)
        assert result.exit_code == code, result.output
        assert time.process_time() - began < 2
        assert len((result.stdout + result.stderr).splitlines()) == 1


def test_dots_that_are_no_key_s_are_read() -> None:
    dots = "." * 100
    text = f"""
    # {dots}
    a = "{dots}" # {dots}
    b = ['{dots}', "\\"{dots}", 1.5, 2.5, 3.5, {", ".join(["0.5"] * 60)}]
    "{dots}".c = 1979-05-27T07:32:00.5
    d = '''
    '{dots}''{dots}'''''
    {".".join("e" * MOST_PARTS)} = 1
    """
    text += f'f = """\n"{dots}""{dots}\\"""{dots}"""""\n'
    found = read_toml(text)
    assert found["a"] == dots and found["b"][:2] == [dots, f'"{dots}']
    assert found["d"].endswith(f"{dots}''") and found["f"].endswith(f'{dots}""')
    with pytest.raises(TomlError, match="^a key in line 3 has more than 20 parts$"):
        read_toml('a = """\n"""\n' + ".".join("e" * (MOST_PARTS + 1)) + " = 1")


def test_the_reason_is_told_in_either_language(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('game = "die-wu-fen"\n' + SLOW[0], "utf-8")
    for lang, said in (("en", "a key in line 2 has more than 20 parts"), ("zh", "第 2 行有超过 20 段的键")):
        assert said in CliRunner().invoke(main, ["rules", "check", str(path), "--lang", lang]).output


def test_a_bidding_without_an_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    with pytest.raises(UsageError, match=r"x\.toml.* it is larger than 64 KiB, the most a bidding may have"):
        read_bidding(path)
