"""Where datasets are: a folder here, or a place in another file system; and how files come to be there."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from .remote import RemotePath, is_address

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = Path | RemotePath


def place(address: str | Place) -> Place:
    """The folder or the place that a user names; `UsageError` if there can be none."""
    if isinstance(address, str) and is_address(address):
        if address.lower().startswith("file://"):
            return Path(unquote(urlsplit(address).path))
        return RemotePath(address)
    return address if isinstance(address, RemotePath) else Path(address)


def readable(path: Place) -> Any:
    """What Arrow reads it from."""
    return path.open_input() if isinstance(path, RemotePath) else path


@contextlib.contextmanager
def new_file(path: Place) -> Iterator[Any]:
    """What Arrow writes a file to; when nothing went wrong, all of it is on disk afterwards, or in the store."""
    if isinstance(path, RemotePath):
        import pyarrow as pa

        sink = pa.BufferOutputStream()  # a part of some 10 MB
        yield sink
        path.write_bytes(sink.getvalue())
        return
    yield path
    sync(path)


def put(path: Place, text: str) -> None:
    """Replace a file as a whole: whoever reads it sees the old one or the new one."""
    if isinstance(path, RemotePath):
        path.write_bytes(text.encode())
        return
    unfinished = path.with_name(f".{path.name}.tmp")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    sync(path.parent)


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


def sync(path: Place) -> None:
    """Make sure a file or a folder's entries have reached the disk, where the system can do that."""
    if isinstance(path, RemotePath):
        return
    with contextlib.suppress(PermissionError, NotImplementedError):  # folders on Windows
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
