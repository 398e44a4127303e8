"""Places that are no folders of this machine: ``s3://…``, and whatever else Arrow has a file system for."""

from __future__ import annotations

import errno
import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .errors import UsageError
from .text import clip, legible

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
#: File systems where a file is there when it has been written to its end, and not before; they have no folders.
_OBJECT_STORES = ("s3", "gcs", "abfs")


def is_address(text: str) -> bool:
    """Whether this names a file system and a place in it, rather than a folder here."""
    return _ADDRESS.match(text) is not None


class RemotePath:
    """A file or folder of an Arrow file system: as much of `pathlib.Path` as datasets need.

    It is pickled as its address alone: whoever unpickles it reaches the file system with credentials of their own.
    """

    def __init__(self, address: str) -> None:
        """``address``: ``scheme://place?options``; `UsageError` if Arrow can't make a file system of it."""
        if address != legible(address):
            raise UsageError(
                f"{clip(address, 200)} holds something else than UTF-8 text, as addresses have to be"
            )
        split = urlsplit(address)
        if split.password or re.search(r"(secret|password|token)[^&]*=", split.query, re.IGNORECASE):
            raise UsageError(
                f"{clip(split.scheme)}: an address must not hold a password, for it is written into the dataset; "
                "give it by the environment or a file of the file system's own"
            )
        if "#" in address:
            raise UsageError(
                f"{clip(address, 200)} holds a #, which no place in a file system can have; write it as %23"
            )
        self.address = f"{split.scheme.lower()}://{split.netloc}{split.path.rstrip('/')}"
        self._query = f"?{split.query}" if split.query else ""
        if not split.path.strip("/") and not split.netloc:
            raise UsageError(f"{clip(address, 200)} names no place; write it as s3://bucket/folder")
        root, place = _file_system(f"{split.scheme.lower()}://{split.netloc}{self._query}")
        self._fs: Any = root
        self._path: str = f"{place.rstrip('/')}{split.path.rstrip('/')}"

    @property
    def uri(self) -> str:
        """The address with its options."""
        return self.address + self._query

    def __reduce__(self) -> tuple[type[RemotePath], tuple[str]]:
        return (RemotePath, (self.uri,))

    def __str__(self) -> str:
        return self.address

    def __repr__(self) -> str:
        return f"RemotePath({self.address!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemotePath) and self.uri == other.uri

    def __hash__(self) -> int:
        return hash(self.uri)

    def __truediv__(self, name: str) -> RemotePath:
        made = object.__new__(RemotePath)
        made.address, made._query = f"{self.address}/{name}", self._query
        made._fs, made._path = self._fs, f"{self._path}/{name}"
        return made

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.address.rpartition("/")[2]

    def with_name(self, name: str) -> RemotePath:
        """Another one beside it."""
        made = self / name
        made.address = f"{self.address.rpartition('/')[0]}/{name}"
        made._path = f"{self._path.rpartition('/')[0]}/{name}"
        return made

    @property
    def is_object_store(self) -> bool:
        """Whether a file appears as a whole or not at all."""
        return self._fs.type_name in _OBJECT_STORES

    def _type(self) -> str:
        found: str = self._fs.get_file_info(self._path).type.name
        return found

    def exists(self) -> bool:
        """Whether there is such a file, or a folder with something in it."""
        return self._type() != "NotFound"

    def is_file(self) -> bool:
        """Whether it is a file."""
        return self._type() == "File"

    def is_dir(self) -> bool:
        """Whether it is a folder; in object stores: whether there are files below it."""
        return self._type() == "Directory"

    def iterdir(self) -> Iterator[RemotePath]:
        """What is in a folder; nothing if there is none."""
        from pyarrow.fs import FileSelector

        for info in self._fs.get_file_info(FileSelector(self._path, allow_not_found=True)):
            yield self / info.base_name

    def glob(self, pattern: str) -> Iterator[RemotePath]:
        """Files and folders in it by name."""
        return (path for path in self.iterdir() if fnmatchcase(path.name, pattern))

    def mkdir(self, *, parents: bool = False, exist_ok: bool = False) -> None:  # noqa: ARG002
        """Make a folder, where there are any and it isn't there."""
        if not self.is_object_store:
            self._fs.create_dir(self._path, recursive=parents)

    def rmdir(self) -> None:
        """Remove a folder that is empty; `OSError` if it isn't."""
        if any(self.iterdir()):
            raise OSError(errno.ENOTEMPTY, "it is not empty")
        self._fs.delete_dir(self._path)

    def unlink(self) -> None:
        """Remove a file."""
        self._fs.delete_file(self._path)

    def replace(self, target: RemotePath) -> None:
        """Give a file another name; in object stores: copy it there, and remove it here."""
        if not self.is_object_store and target.exists():
            target.unlink()  # not all others take the place of what is there
        self._fs.move(self._path, target._path)

    def open_input(self) -> pa.NativeFile:
        """To read at any place in it."""
        return self._fs.open_input_file(self._path)

    def read_text(self, encoding: str = "utf-8") -> str:
        """All of it."""
        with self._fs.open_input_stream(self._path) as file:
            found: bytes = file.read()
        return found.decode(encoding)

    def write_bytes(self, data: Any) -> None:
        """Put a file there, whole or not at all, over whatever there was."""
        path = self if self.is_object_store else self.with_name(f".{self.name}.put")
        with self._fs.open_output_stream(path._path) as file:
            file.write(data)
        if path is not self:
            path.replace(self)


@lru_cache(maxsize=16)
def _file_system(root: str) -> tuple[Any, str]:
    """The file system of an address, and its root in it."""
    import pyarrow as pa
    from pyarrow.fs import FileSystem

    shown = clip(root.partition("?")[0], 200)
    try:
        made, place = FileSystem.from_uri(root)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ImportError) as error:
        raise UsageError(f"{shown} is no file system that can be used: {first_line(error)}") from None
    except OSError as error:
        raise UsageError(f"{shown} can't be reached: {first_line(error)}") from None
    return made, str(place)


def first_line(error: BaseException) -> str:
    """What an error of Arrow's says, without its further lines."""
    return clip(" ".join((str(error).splitlines() or [type(error).__name__])[:1]), 300).strip('"')
