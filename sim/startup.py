"""Before a run: what must be compiled, so that the wait can be explained; and what keeps memory low."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .plan import kernel_of

if TYPE_CHECKING:
    from .plan import Plan

_BLOCK = 1 << 21  # bytes
_M_MMAP_THRESHOLD = -3  # in glibc's malloc.h
_KERNELS = Path(__file__).resolve().parent.parent / "kernels"


def not_compiled(plan: Plan, detail: str | None = None, study: str | None = None) -> list[str]:
    """The game and the policies of a plan, and the study, whose kernels are not in the cache."""
    names = sorted(set(plan.policies))
    policies = {name: _KERNELS / "policies" / f"{kernel_of(plan.game.name, name)}.py" for name in names}
    game = _KERNELS / f"{plan.game.name.replace('-', '_')}.py"
    wanted = {plan.game.name: [(game, "play_chunk")]}
    if detail:
        wanted[detail] = [(_KERNELS / f"detail_{game.name}", "play_in_full")]
    if study:
        own = _KERNELS / f"{study}_{game.name}"
        wanted[study] = [(own if own.exists() else _KERNELS / f"{study}.py", f"{study}_chunk")]
    wanted |= {name: [(path, "decide")] for name, path in policies.items()}
    first = policies[names[0]]
    if len(names) == 1 and "\nplay = player(" in first.read_text("utf-8"):  # it plays whole deals by itself
        wanted[names[0]].append((first, "play"))
    else:
        wanted[plan.game.name].append((_KERNELS / "policies/mixed.py", "play"))
    return [name for name, kernels in wanted.items() if not all(_is_cached(*kernel) for kernel in kernels)]


def _is_cached(path: Path, function: str) -> bool:
    """Whether a kernel has been compiled, and with it those it calls."""
    from ..kernels import _jit
    from ..kernels._cache import is_kept

    if not _jit.JIT:
        return True
    kept: bool = is_kept(_jit.cache_root() / _jit.module_key(path), f"{path.stem}.{function}")
    return kept


def give_memory_back() -> None:
    """Have large blocks of memory go back to the system when freed. For the command line: it is so for all the process.

    Glibc and Arrow come to keep them, in as many places as there are threads, so that a long run would take more than
    a short one. Elsewhere this does nothing.
    """
    if sys.platform != "linux":
        return
    from ctypes import CDLL, c_int

    with contextlib.suppress(OSError, AttributeError):
        library = CDLL(None)
        if library.gnu_get_libc_version:
            library.mallopt(c_int(_M_MMAP_THRESHOLD), c_int(_BLOCK))
            os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # read when pyarrow is imported
