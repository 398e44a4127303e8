"""What must be compiled before a plan can be played, so that the wait can be explained."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
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

    if not _jit.JIT:
        return True
    folder = _jit.cache_root() / _jit.module_key(path)
    return any(folder.glob(f"*/{path.stem}.{function}-*.nbi"))


def quicken() -> None:
    """Make numba load faster, by a third. For the command line only: both tricks reach beyond this package.

    Loading makes a great many objects that stay, so the garbage collector is told to look less often. And numba would
    import scipy.linalg, where it is installed, to offer linear algebra to kernels: ours need none.
    """
    gc.set_threshold(200_000)
    name = "scipy.linalg.cython_blas"
    if name in sys.modules:
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's way to say: this import fails
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules[name]
