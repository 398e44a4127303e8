"""What a rule option is: its kind, its range, and how a value is read and checked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .text import Text, clip, one_of

if TYPE_CHECKING:
    from .text import Lang

Kind = Literal["bool", "choice", "int", "int-list", "pair-list"]
Value = bool | int | str | tuple[int, ...] | tuple[tuple[int, int], ...]

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_TRUE, _FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


@dataclass(frozen=True, slots=True)
class Option:
    """One rule option. `low`/`high` bound every number in it; `least`/`most` bound the length of a list.

    `event`: what must happen in a deal for it to matter, a key of `events.EVENTS`.
    """

    name: str
    kind: Kind
    default: Value
    clauses: tuple[str, ...]
    doc: Text
    event: str
    choices: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 0
    least: int = 1
    most: int = 1

    def allowed(self, lang: Lang = "en") -> str:
        """What the option takes, as part of a sentence."""
        zh = lang == "zh"
        span = f"{self.low} {'至' if zh else 'to'} {self.high}"
        if self.kind == "bool":
            return one_of(["true", "false"], lang)
        if self.choices:
            return one_of([f'"{c}"' if isinstance(c, str) else str(c) for c in self.choices], lang)
        if self.kind == "int":
            return f"{span} 的整数" if zh else f"a whole number from {span}"
        length = (
            str(self.least) if self.least == self.most else f"{self.least}{'至' if zh else ' to '}{self.most}"
        )
        if self.kind == "int-list":
            return f"{length} 个 {span} 的整数" if zh else f"a list of {length} whole numbers from {span}"
        if zh:
            return f"{length} 组 [下限, 等级]，下限为 0 至 {self.high}，等级为 {self.low} 至 {-self.low}"
        return (
            f"a list of {length} pairs [threshold, grade], thresholds from 0 to {self.high}, "
            f"grades from {self.low} to {-self.low}"
        )

    def check(self, raw: object) -> Value | None:
        """The value as it is stored, or None if `raw` is not allowed."""
        if hasattr(raw, "tolist"):  # numpy's numbers and arrays
            raw = raw.tolist()
        if self.kind == "bool":
            return raw if isinstance(raw, bool) else None
        if self.choices:
            same = [c for c in self.choices if type(c) is type(raw) and c == raw]
            return same[0] if same else None
        if self.kind == "int":
            return raw if isinstance(raw, int) and _between(raw, self.low, self.high) else None
        if not isinstance(raw, (list, tuple)) or not self.least <= len(raw) <= self.most:
            return None
        if self.kind == "int-list":
            numbers = tuple(n for n in raw if _between(n, self.low, self.high))
            return numbers if len(numbers) == len(raw) else None
        rows = tuple((row[0], row[1]) for row in raw if self._is_row(row))
        return rows if len(rows) == len(raw) else None

    def _is_row(self, row: object) -> bool:
        return (
            isinstance(row, (list, tuple))
            and len(row) == 2
            and _between(row[0], 0, self.high)
            and _between(row[1], self.low, -self.low)
        )

    def parse(self, text: str) -> object:
        """What the text of `option=text` means, still to be checked; text that means nothing comes back."""
        text = text.strip()
        if self.kind == "bool":
            word = text.lower()
            return True if word in _TRUE else False if word in _FALSE else text
        if self.kind == "choice":
            return text.strip("\"'")
        if self.kind == "int":
            return int(text) if _WHOLE.fullmatch(text) else text
        inside = text.replace(" ", "")
        if self.kind == "int-list":
            words = inside.removeprefix("[").removesuffix("]").split(",")
            return [int(w) for w in words] if all(map(_WHOLE.fullmatch, words)) else text
        if inside.startswith("[["):
            try:
                return json.loads(inside)
            except (ValueError, RecursionError):
                return text
        pairs = [word.split(":") for word in inside.split(",")]
        if all(len(pair) == 2 and all(map(_WHOLE.fullmatch, pair)) for pair in pairs):
            return [[int(word) for word in pair] for pair in pairs]
        return text

    def fault(self, raw: object, where: str) -> Text:
        """The sentence that says why `raw` is refused."""
        return Text(
            f"{where}: {self.name} is {_shown(raw)}, but it must be {self.allowed('en')}.",
            f"{where}：{self.name} 的值是 {_shown(raw)}，应为 {self.allowed('zh')}。",
        )

    def typed(self, value: Value) -> str:
        """A value as it is typed after ``option=``: without blanks, and words without quotation marks."""
        return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))

    def to_toml(self, value: Value) -> str:
        """A value as TOML (and JSON) text."""
        return json.dumps(value, ensure_ascii=False)


def _between(number: object, low: int, high: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and low <= number <= high


def _shown(raw: object) -> str:
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, (str, int, float, list, tuple, dict)):
        return clip(raw)
    return f"a {type(raw).__name__}"
