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
#: Kinds of decisions, in the order of the bits of ``kernels.policies.playout``; then groups of them.
KINDS = ("bid", "bury", "name", "lead-early", "lead-late", "follow-single", "follow-many", "void")
GROUPS = {"lead": KINDS[3:5], "follow": KINDS[5:]}
MOST_WORLDS = 10_000


@dataclass(frozen=True)
class Search:
    """``worlds`` a decision; ``by``: what is averaged over them, empty for what is best in the game; ``margin``: by how
    much of a standard error, in hundredths, another choice must be ahead of what ``expert`` does; ``only``: the
    decisions searched, of KINDS, all others being what ``expert`` does.
    """

    worlds: int = 20
    by: str = ""
    margin: int = 150
    only: tuple[str, ...] = KINDS

    def __str__(self) -> str:
        words = [f"worlds={self.worlds}"]
        words += [f"by={self.by}"] if self.by else []
        words += [f"margin={self.margin}"] if self.margin != Search.margin else []
        words += [f"only={'+'.join(self.only)}"] if self.only != Search.only else []
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
        elif key == "only" and set(kinds := value.split("+")) <= {*KINDS, *GROUPS}:
            wanted = {each for kind in kinds for each in GROUPS.get(kind, (kind,))}
            found[key] = tuple(kind for kind in KINDS if kind in wanted)
        else:
            raise UsageError(
                f"policy: {clip(part)} is no parameter of {head}; allowed are worlds=1 to {MOST_WORLDS}, "
                f"by=points or payoff, margin=0 to 1000, only= one or more of {', '.join([*KINDS, *GROUPS])}, "
                "joined by +"
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
    made[playout.BY] = {"points": playout.POINTS, "payoff": playout.PAYOFF}.get(search.by, module.BEST_BY)
    made[playout.MARGIN] = search.margin
    made[playout.ONLY] = sum(1 << KINDS.index(kind) for kind in search.only)
    if JIT:
        table = policy_table(module.ASKED)
        made[playout.TABLE : playout.TABLE + table.size] = table
    made[playout.GREEDY_WEIGHTS : playout.GREEDY_WEIGHTS + min(16, quick.size)] = quick[:16]
    made[playout.HEAD :] = expert
    return made
