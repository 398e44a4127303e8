"""What the package raises when it is asked for something it cannot do.

The command line turns `UsageError` into exit code 2 and `RunError` into exit code 3; both carry one
sentence for the reader and are shown without a traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .text import Text


class UsageError(ValueError):
    """Bad usage or bad input. The message is one sentence: what, where, what is allowed."""


class CardError(UsageError):
    """A word is not a card, or a hand cannot exist with the packs in play."""


class RuleError(UsageError):
    """A rule set has faults. `faults` holds all of them; the message is the first."""

    def __init__(self, faults: Sequence[Text]) -> None:
        self.faults = tuple(faults)
        more = len(self.faults) - 1
        tail = "" if more == 0 else f" (and {more} more fault{'s' if more > 1 else ''})"
        super().__init__(f"{self.faults[0].en.rstrip('.')}{tail}")

    def __reduce__(self) -> tuple[type[RuleError], tuple[tuple[Text, ...]]]:
        return (RuleError, (self.faults,))  # the default would hand the message to __init__


class RunError(RuntimeError):
    """A run could not finish. The message says why and, where that is possible, how to resume."""


class Interrupted(KeyboardInterrupt):
    """A run was stopped by its user. The message says what was kept and how to go on."""
