"""The folder of a study that is being written: nobody else's, and as it was before unless all goes well."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .folder import check_folder, make_folder, refused
from .lock import FolderLock
from .stopping import undisturbed
from .storage import local, new_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .storage import Place


class NewFolder:
    """Made, or found empty, and locked until `release` or `discard`. No file in it is ever written over.

    `UsageError` for an address, and if it can't be made, holds anything, or is another run's.
    """

    def __init__(self, address: str | Path, since: str) -> None:
        """``since``: time to be shown to another run that wants the same folder."""
        self.path = local(address, "out")
        self._files: list[Path] = []
        self._made: list[Place] = []
        self._lock: FolderLock | None = None
        try:
            with undisturbed():
                self._made = make_folder(self.path, resume=False)
                self._lock = FolderLock(self.path, since)
                check_folder(self.path, resume=False, ours=True)  # another run may have ended meanwhile
        except BaseException as error:
            self.discard()
            if isinstance(error, OSError):
                raise refused(self.path, error) from None
            raise

    def subfolder(self, name: str) -> Path:
        """Make a folder in it."""
        path = self.path / name
        path.mkdir()
        self._made.insert(0, path)
        return path

    @contextlib.contextmanager
    def file(self, name: str) -> Iterator[Any]:
        """A new file, open to be written; all of it is on disk afterwards."""
        path = self.path / name
        with new_file(path) as file:
            self._files.append(path)
            yield file

    def wrote(self, path: Path) -> None:
        """Note a file that was written into it."""
        self._files.append(path)

    def release(self) -> None:
        """It is complete, and anybody's."""
        if self._lock:
            self._lock.release()

    def discard(self) -> None:
        """Take everything away again."""
        for path in self._files:
            with contextlib.suppress(OSError):
                path.unlink()
        self.release()
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()
