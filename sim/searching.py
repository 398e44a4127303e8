"""The parameters of the policy ``search``: as words, and as the vector its kernels read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .text import clip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "search"
MOST_WORLDS = 10_000


@dataclass(frozen=True)
class Search:
    """``worlds`` a decision; ``by``: what is averaged over them; ``margin``: by how much of a standard error, in
    hundredths, another choice must be ahead of what ``expert`` does.
    """

    worlds: int = 20
    by: str = "points"
    margin: int = 150

    def __str__(self) -> str:
        words = [f"worlds={self.worlds}"]
        words += [f"by={self.by}"] if self.by != Search.by else []
        words += [f"margin={self.margin}"] if self.margin != Search.margin else []
        return f"{NAME}:{','.join(words)}"


def parse(word: str) -> Search:
    """``search``, ``search:20``, ``search:worlds=20,by=payoff``. Raises `UsageError`."""
    head, _, text = word.partition(":")
    found: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "worlds", key
        if key == "by" and value in ("points", "payoff"):
            found[key] = value
        elif (key == "worlds" and value.isdecimal() and 1 <= int(value[:9]) <= MOST_WORLDS) or (
            key == "margin" and value.isdecimal() and int(value[:9]) <= 1000
        ):
            found[key] = int(value)
        else:
            raise UsageError(
                f"policy: {clip(part)} is no parameter of {head}; allowed are worlds=1 to {MOST_WORLDS}, "
                "by=points or payoff, margin=0 to 1000"
            )
    return Search(**found)


def vector(search: Search, module: Any) -> NDArray[np.int64]:
    """The weights of a search kernel module: parameters, addresses, weights of the policies it asks."""
    import numpy as np

    from ..kernels._jit import JIT
    from ..kernels.memory import policy_table
    from ..kernels.policies import playout
    from .weights import weights_of

    expert, quick = weights_of(module.EXPERT), weights_of(module.QUICK)
    made = np.zeros(playout.HEAD + expert.size, np.int64)
    made[playout.WORLDS] = search.worlds
    made[playout.BY] = playout.PAYOFF if search.by == "payoff" else playout.POINTS
    made[playout.MARGIN] = search.margin
    if JIT:
        table = policy_table(module.ASKED)
        made[playout.TABLE : playout.TABLE + table.size] = table
    made[playout.GREEDY_WEIGHTS : playout.GREEDY_WEIGHTS + min(16, quick.size)] = quick[:16]
    made[playout.HEAD :] = expert
    return made
