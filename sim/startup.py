"""What must be compiled before a plan can be played, so that the wait can be explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .plan import POLICIES

if TYPE_CHECKING:
    from .plan import Plan

_KERNELS = Path(__file__).resolve().parent.parent / "kernels"


def not_compiled(plan: Plan) -> list[str]:
    """The game and the policies of a plan whose kernels are not in the cache."""
    wanted = {plan.game.name: (_KERNELS / f"{plan.game.name.replace('-', '_')}.py", "play_chunk")}
    for name in plan.policies:
        wanted[name] = (_KERNELS / "policies" / f"{POLICIES[plan.game.name][name]}.py", "decide")
    return [name for name, (path, function) in wanted.items() if not _is_cached(path, function)]


def _is_cached(path: Path, function: str) -> bool:
    """Whether the last kernel of a module has been compiled, and with it those it calls."""
    from ..kernels import _jit
    from ..kernels._cache import is_kept

    if not _jit.JIT:
        return True
    folder = _jit.cache_root() / _jit.module_key(path)
    kept: bool = is_kept(folder, f"{path.stem}.{function}")
    return kept
