"""Where datasets are: a folder here, or a place in another file system; and how files come to be there.

Only this module hands files to Arrow, and hands them over open: Arrow itself takes a name with a colon for an address,
and a `~` for somebody's home.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from .errors import UsageError
from .remote import RemotePath, is_address
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = Path | RemotePath

_HERE = "file://"


def place(address: str | Place) -> Place:
    """The folder or the place that a user names: an absolute path, or what ``scheme://`` stands in front of.

    `UsageError` if there can be none.
    """
    if isinstance(address, RemotePath):
        return address
    if isinstance(address, str) and is_address(address) and not is_here(address):
        return RemotePath(address)
    return local(address)


def local(address: str | Path, option: str = "") -> Path:
    """The absolute path of a folder here, as `place`; `UsageError` for an address that is not ``file://``.

    ``option``: what it was given for, to be named in a message.
    """
    said = f"{option}: " if option else ""
    if isinstance(address, str):
        if is_here(address):
            address = _path_of(address, said)
        elif is_address(address):
            raise UsageError(f"{said}{clip(address, 200)} is an address; here only a folder will do")
        elif not address:
            raise UsageError(f"{said}an empty name is no folder; the current one is called .")
    try:
        return Path(address).absolute()
    except OSError as error:
        raise UsageError(
            f"{said}{clip(str(address), 200)} can't be found, for the current folder is gone: {error.strerror}"
        ) from None


def is_here(address: str) -> bool:
    """Whether an address is that of a folder of this machine."""
    return address.lower().startswith(_HERE)


def _path_of(address: str, said: str) -> str:
    """Of a ``file://`` address; whatever stands in it belongs to the name, `#` and `?` too."""
    path = os.fsdecode(unquote_to_bytes(os.fsencode(address[len(_HERE) :].removeprefix("localhost"))))
    if not path.startswith("/"):
        raise UsageError(
            f"{said}{clip(address, 200)} names no folder of this machine; write file:///folder, with three strokes"
        )
    return path[1:] if re.match(r"/[A-Za-z]:", path) and os.name == "nt" else path


def readable(path: Place) -> Any:
    """A file, open to be read by Arrow; `OSError` if it can't be."""
    if isinstance(path, RemotePath):
        return path.open_input()
    import pyarrow as pa

    return pa.OSFile(os.fsencode(path))  # bytes: whatever the name is made of


@contextlib.contextmanager
def new_file(path: Place) -> Iterator[Any]:
    """What Arrow writes a new file to: all of it is on disk afterwards, or in the store, or else nothing is there.

    `FileExistsError` if there is a file of this name, or a link.
    """
    if isinstance(path, RemotePath):
        import pyarrow as pa

        sink = pa.BufferOutputStream()  # a part of some 10 MB
        yield sink
        path.write_bytes(sink.getvalue())
        return
    file = path.open("xb")
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


class Hashed:
    """A file that is written from its beginning on, with the SHA-256 of all its bytes."""

    closed = False  # Arrow asks

    def __init__(self, sink: Any) -> None:
        """``sink``: what `new_file` gives."""
        self._sink, self._digest, self._at = sink, hashlib.sha256(), 0

    def write(self, data: Any) -> int:
        """Write more."""
        self._sink.write(data)
        self._digest.update(data)
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._at

    def flush(self) -> None:
        """Nothing: that is for `new_file` to do."""

    def close(self) -> None:
        """Nothing: that is for `new_file` to do."""

    def hexdigest(self) -> str:
        """Of everything so far."""
        return self._digest.hexdigest()


def put(path: Place, text: str) -> None:
    """Replace a file as a whole: whoever reads it sees the old one or the new one."""
    with replacing(path, text, ".tmp"):
        pass


@contextlib.contextmanager
def replacing(path: Place, text: str, ending: str) -> Iterator[None]:
    """Write a file beside another one, and let it take its place when all within went well: that needs no room then.

    ``ending``: of its name until then.
    """
    if isinstance(path, RemotePath):
        yield
        path.write_bytes(text.encode())
        return
    unfinished = path.with_name(f".{path.name}{ending}")
    remove_unfinished(unfinished)
    with new_file(unfinished) as file:
        file.write(text.encode())
    try:
        yield
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    sync(path.parent)


def remove_unfinished(path: Place) -> None:
    """Make room for a file under a temporary name, which a run that was killed may have left behind."""
    if isinstance(path, Path):
        path.unlink(missing_ok=True)


def move(path: Place, target: Place) -> None:
    """Give a file another name in the same file system, over whatever has it."""
    if isinstance(path, RemotePath) and isinstance(target, RemotePath):
        path.replace(target)
    else:
        Path(str(path)).replace(str(target))


def sync_folder_of(path: Place) -> None:
    """`sync` the folder a file is in."""
    if isinstance(path, Path):
        sync(path.parent)


def sync(folder: Place) -> None:
    """Have a folder's entries reach the disk, where the system can do that; what has its name keeps it if it can't."""
    if isinstance(folder, RemotePath):
        return
    with contextlib.suppress(OSError, NotImplementedError):  # folders on Windows, for one
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
