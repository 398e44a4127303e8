"""Loading the auditor's kernels, with a word about it if they must be compiled first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..startup import _is_cached
from ..text import Text

if TYPE_CHECKING:
    from ..text import Lang

_KERNELS = Path(__file__).resolve().parents[2] / "kernels"


def get_ready(lang: Lang) -> None:
    """Before a command judges records; one line on stderr if that means a wait. For the command line only."""
    wanted = {"audit": "judge_plays", "read_record": "read"}
    if not all(_is_cached(_KERNELS / f"{name}.py", function) for name, function in wanted.items()):
        line = Text(
            "compiling kernels for the audit, once; later runs start at once",
            "正在编译审核用的内核，仅此一次；以后立即启动",
        )
        print(line.say(lang), file=sys.stderr, flush=True)
