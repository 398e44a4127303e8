"""The one place that decides how kernels are compiled and where the machine code is kept.

Every kernel is serial, releases the GIL and is cached on disk. Numba's own cache does not notice edits in *other*
files (a cached caller keeps an old, inlined helper), so each kernel module gets a cache folder named after a hash of
its source, the sources of all kernel modules it imports, and the versions of numba and Python.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache, update_wrapper
from pathlib import Path
from tempfile import TemporaryFile
from types import FunctionType
from typing import Any

import numba
from numba import config, types
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock

from . import _cache, _inner, _trust, compiling

JIT = not config.DISABLE_JIT
_HERE = Path(__file__).resolve().parent
_IMPORT = re.compile(r"^\s*from (\.+)([\w.]*) import ([\w, (]+)", re.MULTILINE)

i64 = types.int64
arr = types.Array(types.int64, 1, "C")
arr2 = types.Array(types.int64, 2, "C")
#: Working memory inside kernels: see memory.py.
ptr = types.CPointer(types.int64)
#: Signature of a policy: see policies/__init__.py.
DECIDE = i64(i64, ptr, ptr, ptr, ptr)
#: Signature of a play of all tricks: see ``play.play_tricks``.
PLAY = i64(ptr, ptr, ptr, ptr, ptr, ptr, i64)


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False, "forceinline": False}


class _Watch(event.Listener):  # type: ignore[misc]
    """Has numba tell when it compiles, rather than load."""

    def on_start(self, event: Any) -> None:
        compiling.begin(refused)

    def on_end(self, event: Any) -> None:
        compiling.end()


event.register("numba:compile", _Watch())


def cache_root() -> Path | None:
    """The folder that holds compiled kernels: ``$NUMBA_CACHE_DIR``, else the user's cache folder, if there is one."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "tuolaji"
    local = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None
    try:
        return (Path(local) if local else Path.home() / ".cache") / "tuolaji"
    except RuntimeError:  # no HOME, and a user whom the system does not know
        return None


#: The first folder for compiled kernels that was not used, since others can write there.
_untrusted: Path | None = None


def refused() -> compiling.Refused | None:
    """Why compiled kernels can't be kept; None: they can."""
    root = cache_root()
    if root is None:
        return compiling.Refused()
    found = _trust.open_to_others(root) or _untrusted
    if found is not None:
        return compiling.Refused(str(found))
    try:
        _trust.make(root)
        with TemporaryFile(dir=root):  # what `os.access` says is not the whole truth
            pass
    except OSError as error:
        return compiling.Refused(str(root), error.strerror or type(error).__name__)
    return None


@cache
def _sources(path: Path) -> frozenset[Path]:
    """The kernel modules that ``path`` imports, directly or not, itself included."""
    found = {path}
    for dots, module, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        base = path.parents[len(dots) - 1].joinpath(*filter(None, module.split(".")))
        for target in (base.with_suffix(".py"), *(base / f"{n.strip(' (')}.py" for n in names.split(","))):
            if target.is_file() and target not in found and _HERE in target.parents:
                found |= _sources(target)
    return frozenset(found)


@cache
def module_key(path: Path) -> str:
    """Hash of everything the machine code of the kernels in ``path`` depends on."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(_sources(path) | {_HERE / "_jit.py", _HERE / "_cache.py", _HERE / "_inner.py"}):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def _one_version(dispatcher: Any) -> Any:
    """Keep numba from compiling a version of a kernel for each constant it is called with: 107 s became 40 s."""
    template = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template(tuple(types.unliteral(a) for a in args), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _cached_by_numba(dispatcher: Any, folder: Path) -> None:
    """Numba's own cache; none where it cannot be written, for numba would look for another place, and keep it stale.

    Numba does not ask who wrote a file, so it must not see any of others.
    """
    before = config.CACHE_DIR
    try:
        _trust.make(folder)
        if os.access(folder, os.W_OK) and not _trust.open_to_others(*folder.rglob("*")):
            config.CACHE_DIR = str(folder)
            dispatcher.enable_caching()
    except (RuntimeError, OSError):
        pass
    finally:
        config.CACHE_DIR = before


class Kernel:
    """A function to be compiled, of which numba hears when it is called, or when a kernel that calls it is compiled.

    Most kernels are only called by others: once those are compiled, nothing is made of them but this.
    """

    def __init__(
        self, function: Callable[..., Any], signature: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._signature = signature
        self._options = options
        self._made: Any = None
        self._inner: Any = None

    def __call__(self, *args: Any) -> Any:
        return (self._made or self.dispatcher)(*args)

    @property
    def dispatcher(self) -> Any:
        """Numba's side of it, to be called. With a signature it is compiled, or loaded from the cache."""
        with global_compiler_lock:  # numba's, which may be held already: no second one to wait for
            if self._made is None:
                made = numba.njit(**self._options)(self.py_func)
                self._have_cached(made)
                for signature in self._signature:
                    made.compile(signature)
                    made.disable_compile()
                self._made = _one_version(made)
        return self._made

    def _have_cached(self, dispatcher: Any) -> None:
        """Name the place where compiled code is kept: for functions that their module and name say everything about."""
        global _untrusted
        name = self.py_func.__qualname__
        path = Path(sys.modules[self.py_func.__module__].__file__ or "").resolve()
        if "<" in name or self.py_func.__closure__:
            return
        root = cache_root()
        if root is None:
            return
        folder = root / module_key(path)
        if found := _trust.open_to_others(root, folder):
            _untrusted = _untrusted or found
        elif _cache.USABLE and hasattr(dispatcher, "_cache"):
            dispatcher._cache = _cache.Cache(folder, f"{path.stem}.{name}")
        else:
            _cached_by_numba(dispatcher, folder)

    @property
    def _numba_type_(self) -> Any:
        """By this numba knows it in other functions."""
        with global_compiler_lock:
            if self._inner is None:
                light = _inner.compiler()
                if light is None:
                    return self.dispatcher._numba_type_
                bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": light}
                self._inner = _one_version(numba.njit(**self._options, **bare)(self.py_func))
        return self._inner._numba_type_

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)


def kernel(*signature: Any, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: compile a function as a kernel.

    With a signature it is compiled (or loaded from the cache) at import; without, when it is first needed. If the cache
    folder cannot be written, the kernel is compiled without a cache. ``inline``: LLVM shall not leave it a call.
    """

    def wrap(function: Callable[..., Any]) -> Any:
        if not JIT:
            return function
        made = Kernel(function, signature, {**_OPTIONS, "forceinline": inline})
        if signature:
            made.dispatcher  # noqa: B018  # a property that works
        return made

    return wrap


def policy(function: Callable[..., Any]) -> Any:
    """Decorator: compile a policy, a kernel of the signature ``DECIDE``, when it is asked for its ``address``.

    The engine calls it through its address (``memory.ask``), so that engine and policies compile apart. (A ``cfunc``
    has an address of its own, but its wrapper cost 3 ns a decision, a twelfth of a deal.)
    """
    return Kernel(function, (DECIDE,), _OPTIONS) if JIT else function


def player(play_tricks: Any, choose: Any) -> Any:
    """``play.play_tricks`` for one ``choose``: a kernel of the signature ``PLAY`` (see ``memory.play_out``).

    Compiled, as a policy is, when it is asked for its address. The function gets ``choose`` as a global of its own:
    numba can't cache kernels that take kernels as arguments.
    """
    made = FunctionType(play_tricks.__code__, {**play_tricks.__globals__, "choose": choose}, "play")
    made.__module__, made.__qualname__ = choose.__module__, "play"
    return Kernel(made, (PLAY,), _OPTIONS) if JIT else made


def address(compiled: Any) -> int:
    """The address of the machine code of a kernel made by ``policy`` or ``player``, in numba's calling convention."""
    (result,) = compiled.overloads.values()
    found: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    return found
