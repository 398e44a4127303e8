"""Kernels that other kernels call, compiled no further than these need: a first run takes a third less time.

Numba makes of every function what Python could call: optimised, as machine code, with two wrappers. Of a kernel called
by kernels only its intermediate code matters, which is linked into the caller's and optimised there (again). So here
it is left as it is: 32 s instead of 49 s for a policy and its game, for 2 to 3 % of a deal of die-wu-fen by greedy.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def compiler() -> Any:
    """The ``pipeline_class`` for `numba.njit`; None where this numba has not what we use of its inner parts."""
    try:
        from numba import _dynfunc
        from numba.core.base import BaseContext
        from numba.core.codegen import CPUCodeLibrary
        from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, _LowerResult
        from numba.core.compiler_machinery import register_pass
        from numba.core.typed_passes import NativeLowering

        parts = (
            (CPUCodeLibrary, "_optimize_final_module"), (CPUCodeLibrary, "_finalize_final_module"),
            (CPUCodeLibrary, "_finalize_dynamic_globals"), (CPUCodeLibrary, "_finalized"),
            (DefaultPassBuilder, "define_nopython_pipeline"), (BaseContext, "insert_user_function"),
            (Flags, "no_compile"), (_dynfunc, "make_function"),
            *((_LowerResult, field) for field in ("fndesc", "call_helper", "cfunc", "env")),
        )  # fmt: skip
        if not all(hasattr(*part) for part in parts):
            return None
    except ImportError:
        return None

    @register_pass(mutates_CFG=True, analysis_only=False)
    class InnerLowering(NativeLowering):  # type: ignore[misc]
        """Lowering without what makes a function callable from Python."""

        _name = "inner_lowering"

        def run_pass(self, state: Any) -> bool:
            context, flags = state.targetctx, state.flags
            library = state.library = context.codegen().create_library(state.func_id.func_qualname)

            def finalize() -> None:
                library._finalize_dynamic_globals()
                library._finalized = True

            library._optimize_final_module = lambda: None
            library._finalize_final_module = finalize
            flags.no_compile = True
            super().run_pass(state)
            low = state["cr"]
            name = low.fndesc.qualname.split(".")[-1]
            never = _dynfunc.make_function(
                low.fndesc.lookup_module(), name, "not to be called", 0, low.env, ()
            )
            context.insert_user_function(never, low.fndesc, [library])
            state["cr"] = _LowerResult(low.fndesc, low.call_helper, cfunc=never, env=low.env)
            return True

    class InnerCompiler(CompilerBase):  # type: ignore[misc]
        """Numba's usual passes, but for the last step."""

        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.passes = [
                (InnerLowering, text) if step is NativeLowering else (step, text)
                for step, text in passes.passes
            ]
            passes.finalize()
            return [passes]

    return InnerCompiler
