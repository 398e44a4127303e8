"""One run at a time in a folder: a lock of the system's, and a file that says whose it is."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import stat
import sys
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from .errors import UsageError
from .text import Text, clip

if TYPE_CHECKING:
    from pathlib import Path

    from .remote import RemotePath
    from .storage import Place

LOCK = ".lock"
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FolderLock:
    """Held from its making to `release`. The system gives it free when the process ends, however it ends."""

    def __init__(self, folder: Path, since: str) -> None:
        """Take the lock of an existing folder; ``UsageError`` if another run has it. ``since``: time to be shown.

        ``stale`` is a sentence when a run before left its lock behind, else None; ``run`` names this run, see `holds`.
        """
        self._path = folder / LOCK
        self.run = uuid4().hex
        self.stale: Text | None = None
        self._weak = False
        while True:
            self._file: IO[str] = _open(self._path)
            try:
                owner = _owner(self._file)
                if not self._taken(owner):
                    raise UsageError(_held_by(folder, owner, self._path if self._weak else None))
                if _same(self._file, self._path):
                    break
            except BaseException:
                self._file.close()
                raise
            self._file.close()  # it was removed meanwhile, by the run that had it
        if owner:
            self.stale = _left_by(folder, owner)
        with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
            self._file.seek(0)
            self._file.truncate()
            self._file.write(_ours(since, self.run))
            self._file.flush()

    def release(self) -> None:
        """Give it free and leave no file."""
        if sys.platform == "win32":  # no open file can be removed there
            self._close()
        with contextlib.suppress(OSError):
            self._path.unlink()
        self._close()

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()

    def _taken(self, owner: dict[str, Any]) -> bool:
        try:
            _lock(self._file)
        except OSError as error:
            if error.errno in _HELD:
                return False
            self._weak = True  # a file system without locks: what the file says has to do
            return not _may_live(owner)
        return True


class RemoteLock:
    """The same where nothing can be locked, as in object stores: a file that says whose it is has to do.

    Two runs that begin in the same moment may both get it. A run that was killed leaves it behind; unless that was on
    this machine, nobody can tell, and the file must be removed by hand.
    """

    def __init__(self, folder: RemotePath, since: str) -> None:
        """As `FolderLock`."""
        self._path = folder / LOCK
        self.run = uuid4().hex
        self.stale: Text | None = None
        owner = _read(self._path) or {}
        if _may_live(owner):
            raise UsageError(_held_by(folder, owner, self._path))
        if owner:
            self.stale = _left_by(folder, owner)
        self._path.write_bytes(_ours(since, self.run).encode())
        if not holds(folder, self.run):
            raise UsageError(_held_by(folder, _read(self._path) or {}, self._path))

    def release(self) -> None:
        """Give it free and leave no file."""
        with contextlib.suppress(OSError):
            if (_read(self._path) or {}).get("run") == self.run:
                self._path.unlink()


def holds(folder: Place, run: str) -> bool:
    """Whether the lock of a folder, seen from here, is that of a run: then it goes on, and it is the same folder."""
    try:
        return (_read(folder / LOCK) or {}).get("run") == run
    except OSError:
        return True  # nobody knows


def is_lock(path: Place) -> bool:
    """Whether there is a file that a run's lock may be: one that says whose it is, or nothing yet."""
    try:
        if not path.is_file():
            return False
        text = path.read_text("utf-8")
        return not text or "pid" in json.loads(text)
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def _read(path: Place) -> dict[str, Any] | None:
    """What a lock says of who wrote it; None if there is none; `OSError` if it can't be read."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _open(path: Path) -> IO[str]:
    """To be read and written, made if need be; `UsageError` for what is another file, by a link."""
    try:
        file = os.fdopen(os.open(path, _READ_AND_MAKE, 0o666), "r+", encoding="utf-8")
    except OSError as error:
        if error.errno == errno.ELOOP or path.is_symlink():
            raise _no_file(path) from None
        raise
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        file.close()
        raise _no_file(path)
    return file


_READ_AND_MAKE = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


def _no_file(path: Path) -> UsageError:
    return UsageError(
        f"out: {clip(str(path), 200)} is a link, or no file, and a run does not write where one leads; remove it, or "
        "name another folder"
    )


def _ours(since: str, run: str) -> str:
    return json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": since, "run": run})


def _held_by(folder: Place, owner: dict[str, Any], remove: Place | None) -> str:
    return (
        f"out: {clip(str(folder), 200)} is being written by {_named(owner)}; wait for it, stop it, "
        "or name another folder" + (f"; if it is gone, remove {remove}" if remove else "")
    )


def _left_by(folder: Place, owner: dict[str, Any]) -> Text:
    who = _named(owner)
    return Text(
        f"the lock in {clip(str(folder), 200)} was left by {who}, which is gone; taking it over",
        f"{clip(str(folder), 200)} 中的锁属于 {who}，该进程已不存在；现予接管",
    )


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(1 << 20)  # behind the text: what is locked can't be read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def _owner(file: IO[str]) -> dict[str, Any]:
    """What the file says of who wrote it."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        file.seek(0)
        found = json.loads(file.read(4096))
        if isinstance(found, dict):
            return found
    return {}


def _named(owner: dict[str, Any]) -> str:
    pid, host, since = (clip(str(owner.get(key, "?")), 60).strip('"') for key in ("pid", "host", "since"))
    return f"process {pid} on {host} since {since}"


def _same(file: IO[str], path: Path) -> bool:
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    return False


def _may_live(owner: dict[str, Any]) -> bool:
    """Whether the process may still be there: on another machine nobody can tell."""
    pid = owner.get("pid")
    if not owner or owner.get("host") != socket.gethostname():
        return bool(owner)
    if sys.platform == "win32" or not isinstance(pid, int) or pid <= 0 or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
