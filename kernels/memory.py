"""Working memory as plain pointers.

Inside the engine int64 vectors are passed as pointers: an array argument is seven words and two atomic reference
counts at each call, which made up more than half of a deal's time. A pointer is indexed like an array; kernels that
only index take either. Without jit the same functions work on numpy slices.
"""

from __future__ import annotations

from typing import Any

from ._jit import JIT, i64, ptr

if JIT:
    from numba import types
    from numba.extending import intrinsic

    def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            return context.make_array(kind)(context, builder, value).data
        return value

    @intrinsic
    def pointer(typingctx: Any, array: Any) -> Any:
        """The data of a C-contiguous int64 array; the caller keeps the array alive."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _data(context, builder, signature.args[0], args[0])

        return ptr(array), codegen

    @intrinsic
    def shift(typingctx: Any, memory: Any, n: Any) -> Any:
        """``memory`` (a pointer or an array) from its n-th word on."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.gep(_data(context, builder, signature.args[0], args[0]), [args[1]])

        return ptr(memory, i64), codegen

else:

    def pointer(array: Any) -> Any:
        return array.reshape(-1)

    def shift(memory: Any, n: int) -> Any:
        return memory.reshape(-1)[n:]
