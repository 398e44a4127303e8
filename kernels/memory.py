"""Working memory as plain pointers.

Inside the engine int64 vectors are passed as pointers: an array argument is seven words and two atomic reference
counts at each call, which made up more than half of a deal's time. A pointer is indexed like an array; kernels that
only index take either. Without jit the same functions work on numpy slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._jit import JIT, address, i64, kernel, ptr

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

    @intrinsic
    def ask(
        typingctx: Any, table: Any, role: Any, what: Any, pub: Any, own: Any, lay: Any, weights: Any
    ) -> Any:
        """Call policy ``role`` of a table of addresses: decide(what, pub, own, lay, weights)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = signature.args[2:]
            target = context.call_conv.get_function_type(i64, kinds).as_pointer()
            address = builder.load(builder.gep(args[0], [args[1]]))
            function = builder.inttoptr(address, target)
            _status, answer = context.call_conv.call_function(builder, function, i64, kinds, args[2:])
            return answer

        return i64(ptr, i64, i64, ptr, ptr, ptr, ptr), codegen

    @intrinsic
    def play_out(
        typingctx: Any,
        table: Any,
        at: Any,
        pub: Any,
        own: Any,
        lay: Any,
        masks: Any,
        policies: Any,
        weights: Any,
        width: Any,
    ) -> Any:
        """Call the play of all tricks whose address is entry ``at`` of a table (``play.play_tricks``)."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = signature.args[2:]
            target = context.call_conv.get_function_type(i64, kinds).as_pointer()
            address = builder.load(builder.gep(args[0], [args[1]]))
            function = builder.inttoptr(address, target)
            _status, answer = context.call_conv.call_function(builder, function, i64, kinds, args[2:])
            return answer

        return i64(ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, i64), codegen

else:

    def play_out(table: Any, at: int, *rest: Any) -> Any:
        return table[at](*rest)

    def ask(table: Any, role: int, what: int, pub: Any, own: Any, lay: Any, weights: Any) -> Any:
        return table[role](what, pub, own, lay, weights)

    def pointer(array: Any) -> Any:
        return array.reshape(-1)

    def shift(memory: Any, n: int) -> Any:
        return memory.reshape(-1)[n:]


def policy_table(policies: Sequence[Any]) -> Any:
    """Kernels made by ``_jit.policy`` or ``_jit.player`` as the engine takes them: int64 addresses.

    The engine's table has a policy for each seat and role, seat * 3 + role, and last a play of all tricks.
    """
    return np.array([address(p) for p in policies], np.int64) if JIT else list(policies)


@kernel()
def ask_once(table, role, what, pub, own, lay, weights):
    """Ask one policy of a table from Python, with int64 arrays."""
    table_ = pointer(table) if JIT else table
    return ask(table_, role, what, pointer(pub), pointer(own), pointer(lay), pointer(weights))
