"""A verdict: which clause was broken, and why, in a sentence for the player."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .errors import UsageError
from .text import Text

if TYPE_CHECKING:
    from .text import Lang


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken clause. ``reason`` is the English sentence; ``text`` has it in both languages.

    In a game record it has a place besides: the deal's number where the record has one, the trick (from 0), the seat,
    and ``where``, the key of the record (``bids[2]``, ``tricks[3].plays[1]``).
    """

    clause: str
    reason: str
    text: Text = field(default=Text("", ""), repr=False, compare=False)
    deal: int | None = None
    trick: int | None = None
    seat: int | None = None
    where: str = ""

    @classmethod
    def of(cls, clause: str, en: str, zh: str) -> Fault:
        """A fault with its reason in both languages."""
        return cls(clause, en, Text(en, zh))

    def at(self, where: str, *, trick: int | None = None, seat: int | None = None) -> Fault:
        """The same fault with its place in a record."""
        return replace(self, where=where, trick=trick, seat=seat)

    def say(self, lang: Lang) -> str:
        """The reason in one language."""
        return self.text.say(lang) or self.reason

    def __str__(self) -> str:
        return f"{self.clause}: {self.reason}"


class IllegalPlayError(UsageError):
    """What was put to the judge breaks a clause, so there is nothing further to judge. ``fault`` says which."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(str(fault))

    def __reduce__(self) -> tuple[type[IllegalPlayError], tuple[Fault]]:
        return (IllegalPlayError, (self.fault,))
