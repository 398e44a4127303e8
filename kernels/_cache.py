"""Machine code of kernels on disk, one file for each kernel called from Python, signature and kind of processor.

Numba's own cache would do, but for two things. Before it loads anything it makes ready to compile, which takes longer
than all else at start-up; and its index wants reading and checking for each of a hundred kernels. The payload here is
what numba's cache keeps, with the names of the symbols that the machine code needs: where one of them is not known yet,
numba is made ready after all.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from llvmlite import binding as llvm

from . import _trust

#: Whether this numba has what we use of its inner parts; else ``_jit`` uses numba's own cache.
USABLE = False
with contextlib.suppress(ImportError):
    from numba.core.base import BaseContext
    from numba.core.codegen import CPUCodegen, CPUCodeLibrary
    from numba.core.compiler import CompileResult
    from numba.core.environment import Environment
    from numba.core.serialize import dumps

    _PARTS = (
        (BaseContext, "refresh"), (CPUCodegen, "magic_tuple"), (CPUCodeLibrary, "has_dynamic_globals"),
        (CompileResult, "_reduce"), (CompileResult, "_rebuild"),
    )  # fmt: skip
    USABLE = all(hasattr(*part) for part in _PARTS)

_DIGEST = hashlib.sha256().digest_size


class Cache:
    """What a numba dispatcher asks for compiled code: the kernels of one module live in one folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._enabled = True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature, or None; a file that can't be used or trusted is as good as none."""
        try:
            data = _trust.read(self._path(sig, target_context.codegen()))
            if (
                hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]
            ):  # LLVM would not survive a damaged one
                return None
            needed, payload = pickle.loads(data[_DIGEST:])
            if not _known(needed):
                target_context.refresh()
            return CompileResult._rebuild(target_context, *payload)
        except Exception:
            return None

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Keep a compiled kernel. Where that is not possible it works as well, for this process."""
        with contextlib.suppress(Exception):
            if not self._enabled or compiled.lifted or compiled.library.has_dynamic_globals:
                return
            body = dumps((_needed(compiled.library), _slim(compiled._reduce())))
            data = hashlib.sha256(body).digest() + body
            _trust.make(self._folder)
            if _trust.open_to_others(self._folder.parent, self._folder):
                return
            path = self._path(sig, compiled.codegen)
            unfinished = path.with_name(f".{path.name}.{uuid4().hex}")
            try:
                unfinished.touch(mode=0o600, exist_ok=False)
                unfinished.write_bytes(data)
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing is held back."""

    def _path(self, sig: Any, codegen: Any) -> Path:
        """One file for each signature, kind of processor and set of its features."""
        key = hashlib.sha256(repr((str(sig), codegen.magic_tuple())).encode()).hexdigest()
        return self._folder / f"{self._name}-{key[:16]}.bin"


def is_kept(folder: Path, name: str) -> bool:
    """Whether there is machine code of a kernel, by our cache or numba's."""
    with contextlib.suppress(OSError):
        return any(folder.glob(f"{name}-*.bin")) or any(folder.glob(f"*/{name}-*.nbi"))
    return False


def _slim(payload: tuple[Any, ...]) -> tuple[Any, ...]:
    """Without the environments (what compiled code has of Python) that are empty: to load one imports its module."""
    *rest, last = payload
    if isinstance(last, tuple) and all(isinstance(each, Environment) for each in last):
        return (*rest, tuple(each for each in last if each.consts))
    return payload


def _needed(library: Any) -> list[str]:
    """The symbols that the machine code of a library takes from elsewhere."""
    module = library._final_module
    names = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    return names + [variable.name for variable in module.global_variables if variable.is_declaration]


def _known(symbols: list[str]) -> bool:
    """Whether machine code that needs these symbols can be linked. (LLVM ends the process where it cannot.)"""
    _register()
    return all(llvm.address_of_symbol(name) for name in symbols)


@cache
def _register() -> None:
    """Tell LLVM of numba's memory manager, which happens else when numba is made ready to compile."""
    with contextlib.suppress(ImportError, AttributeError):
        from numba.core.runtime import _nrt_python

        for name, address in _nrt_python.c_helpers.items():
            llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
