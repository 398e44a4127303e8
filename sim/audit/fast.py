"""Records of the usual form read by a kernel, several times as fast as by way of Python's objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels import audit as kernel
from ...kernels import read_record
from ...kernels import record_layout as r
from ..games import GAMES
from ..records_file import parse_json
from .read import Reading, Tricks
from .ruling import Ruling, ruling_of

_SCALARS = {
    game.name: [
        (key, r.VALUE + r.KEYS.index(key))
        for key in (
            "first_seat redeals trump banker captured bottom_points bottom_multiplier defender_points "
            + ("bid base" if game.name == "die-wu-fen" else "previous_banker named grade")
        ).split()
    ]
    for game in GAMES
}
_CONTRACT = 1 << r.CONTRACT
_MOST_RULES, _LONGEST_RULES = 64, 4096


class FastReader:
    """Reads lines; keeps its memory, so one a thread. What it returns lasts until the next line."""

    def __init__(self) -> None:
        self._vector = np.zeros(r.SIZE, np.int64)
        self._cards = self._vector[r.CARDS : r.CARDS + r.BLOCKS * r.BLOCK]
        self._stream = self._vector[r.STREAM :]
        self._rulings: dict[bytes, Ruling | None] = {}

    def read(self, line: bytes) -> Reading | None:
        """The record in a line; None if it must be read the long way."""
        code = int(read_record.read(np.frombuffer(line + b"\0", np.uint8), self._vector))
        if code < 0:
            return None
        game = GAMES[code]
        head: list[int] = self._vector[: r.STREAM].tolist()
        ruling = self._ruling(code, line[head[r.VALUE + r.RULES] : head[r.RULES_END]])
        if ruling is None:
            return None
        seats = game.seats
        values: dict[str, Any] = {key: head[at] for key, at in _SCALARS[game.name]}
        values["hands"] = [_block(head, seat) for seat in range(seats)]
        values["bottom"], values["buried"] = _block(head, kernel.BOTTOM), _block(head, kernel.BURIED)
        values["payoffs"] = head[r.PAID : r.PAID + seats]
        if head[r.SEEN] & _CONTRACT:
            values["contract"] = bool(head[r.VALUE + r.CONTRACT])
        if code == 0:
            _die_wu_fen(head, values)
        else:
            _hong_wu_wu_jia(head, values)
        missing = [f"rules.{name}" for name in ruling.unknown]
        return Reading(game, ruling, values, [], missing, self._tricks(head, seats), self._cards)

    def _tricks(self, head: list[int], seats: int) -> Tricks:
        number = head[r.TRICK_COUNT]
        turns = [head[at : at + seats] for at in range(r.TURNS, r.TURNS + 5 * number, 5)]
        for order in turns:
            while order[-1] < 0:
                order.pop()
        return Tricks(
            stream=self._stream[: head[r.STREAM_END]].tolist(),
            seats=turns,
            leaders=head[r.LEADERS : r.LEADERS + number],  # type: ignore[arg-type]
            winners=head[r.WINNERS : r.WINNERS + number],  # type: ignore[arg-type]
            points=head[r.WORTHS : r.WORTHS + number],
            failed=head[r.FAILED : r.FAILED + 5],
            last=head[r.LAST_TRICK],
            packed=self._stream,
        )

    def _ruling(self, game: int, text: bytes) -> Ruling | None:
        """The rules in a text, as looked up or read; None where something is to be said about them."""
        key = b"%d%b" % (game, text)
        if len(text) > _LONGEST_RULES:
            return None
        if key not in self._rulings:
            if len(self._rulings) >= _MOST_RULES:
                self._rulings.clear()
            try:
                ruling = ruling_of(GAMES[game], {"rules": parse_json(text)})
            except (ValueError, RecursionError):
                return None
            self._rulings[key] = None if ruling.faults else ruling
        return self._rulings[key]


def _block(head: list[int], block: int) -> list[int]:
    at = r.CARDS + r.BLOCK * block
    return head[at + 1 : at + 1 + head[at]]


def _die_wu_fen(head: list[int], values: dict[str, Any]) -> None:
    values["calls"] = [
        (head[at], head[at + 3 : at + 3 + head[at + 2]], head[at + 1])
        for at in range(r.CALL, r.CALL + 5 * head[r.CALL_COUNT], 5)
    ]
    log = head[r.BID_LOG : r.BID_LOG + 2 * head[r.BID_COUNT]]
    values["bids"] = [(seat, None if bid < 0 else bid) for seat, bid in zip(log[::2], log[1::2], strict=True)]
    values["result"] = ("made", "broken")[head[r.VALUE + r.RESULT]]
    values["shutout"] = bool(head[r.VALUE + r.SHUTOUT])
    values["penalties"] = head[r.FINED : r.FINED + 3]


def _hong_wu_wu_jia(head: list[int], values: dict[str, Any]) -> None:
    seat = head[r.VALUE + r.REVEAL]
    values["reveal"] = None if seat < 0 else (seat, head[r.REVEAL_CARD], head[r.REVEAL_AFTER])
    for key, at in (("partner", r.VALUE + r.PARTNER), ("partner_trick", r.VALUE + r.PARTNER_TRICK)):
        values[key] = None if head[at] < 0 else head[at]
    for key, at in (("direct", r.VALUE + r.DIRECT), ("solo", r.VALUE + r.SOLO)):
        values[key] = bool(head[at])
