"""The two ways in which an audit reads records: the kernel and Python."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from auditing import FULL, as_line

from tuolaji.kernels._jit import JIT
from tuolaji.sim.audit import Auditor

from naive import DWF, HW, random_record

# --- the two ways of reading


def readings(auditor: Auditor, text: bytes) -> tuple[Any, Any]:
    """What the kernel and what Python makes of a text; None where it is not read."""
    from tuolaji.sim.audit.read import read
    from tuolaji.sim.records_file import parse_json

    fast = auditor._reader.read(text)
    if fast is None:
        return None, None
    slow = read(parse_json(text))

    def plain(reading: Any) -> Any:
        tricks = reading.tricks
        values = {key: value for key, value in reading.values.items() if key not in ("seed", "deal")}
        lists = tricks.stream, tricks.seats, tricks.leaders, tricks.winners, tricks.points, tricks.failed
        return reading.game, reading.ruling.rules, values, lists, tricks.last, reading.faults, reading.missing

    return plain(fast), plain(slow)


@pytest.mark.nojit
@pytest.mark.parametrize("game", [DWF, HW])
def test_the_kernel_reads_what_python_reads(auditor: Auditor, game: str) -> None:
    for seed in range(20 if JIT else 4):
        record = random_record(game, seed)
        layouts: list[dict[str, Any]] = [
            {},
            {"separators": (",", ":")},
            {"indent": 1},
            {"separators": (" , ", "\t:\r")},
        ]
        for options in layouts:
            fast, slow = readings(auditor, json.dumps(record, **options).encode() + b" \n")
            assert fast is not None
            assert fast == slow
        shuffled = dict(random.Random(seed).sample([*record.items()], len(record)))
        fast, slow = readings(auditor, as_line({"game": game, **shuffled}))
        assert fast == slow


@pytest.mark.parametrize("game", [DWF, HW])
def test_what_the_kernel_reads_of_damaged_text_is_right_or_nothing(auditor: Auditor, game: str) -> None:
    rng = random.Random(3)
    bases = [as_line(random_record(game, seed)) for seed in range(4)]
    pieces = [
        b"",
        b" ",
        b"0",
        b"1",
        b"-",
        b".",
        b"e",
        b'"',
        b",",
        b":",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\\",
        b"\0",
        b"\xff",
    ]
    pieces += [b"null", b"true", b'"As"', b"[]", b"\xe2\x99\xa0", b"00", b"1.0", b'"seat":0,', b"9999999999"]
    read = 0
    for _ in range(60_000 if FULL else 3000):
        text = bytearray(rng.choice(bases))
        for _ in range(rng.choice([1, 1, 2, 3])):
            at = rng.randrange(len(text))
            text[at : at + rng.choice([0, 1, 1, 2, 5])] = rng.choice(pieces)
        fast, slow = readings(auditor, bytes(text))
        assert fast == slow, bytes(text)
        read += fast is not None
    assert read > 40
    for text in bases:
        for cut in range(0, len(text), 1 if FULL else 37):
            assert readings(auditor, text[:cut]) == (None, None)
