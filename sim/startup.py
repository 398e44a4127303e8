"""Before a run: what keeps memory low."""

from __future__ import annotations

import contextlib
import os
import sys

_BLOCK = 1 << 21  # bytes
_M_MMAP_THRESHOLD = -3  # in glibc's malloc.h


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
