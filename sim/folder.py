"""The folder of a dataset to be written: made, locked, or refused."""

from __future__ import annotations

import contextlib
import errno
import re
from typing import TYPE_CHECKING

from .columns import TABLES
from .dataset import MANIFEST
from .errors import RunError, UsageError
from .lock import LOCK, FolderLock, RemoteLock
from .remote import RemotePath, first_line
from .text import clip

if TYPE_CHECKING:
    from .storage import Place

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def make_folder(folder: Place, *, resume: bool) -> list[Place]:
    """Make a folder for a dataset; which folders had to be made, innermost first."""
    if not isinstance(folder, RemotePath) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", folder.as_posix()):
        raise UsageError(f"out: {clip(str(folder), 200)} is an address; here only a folder will do")
    try:
        check_folder(folder, resume=resume)
        if isinstance(folder, RemotePath):
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            return [folder] if new else []
        made: list[Place] = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UsageError(f"out: can't make the folder {clip(str(folder), 200)}: {reason}") from None
    return made


def take(folder: Place, since: str, made: list[Place]) -> FolderLock | RemoteLock:
    """The lock of a folder; if it can't be had, the folders made for it are removed."""
    try:
        return RemoteLock(folder, since) if isinstance(folder, RemotePath) else FolderLock(folder, since)
    except OSError as error:
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise refused(folder, error) from None


def refused(folder: Place, error: OSError) -> Exception:
    """What a folder that can't be written to means: a full disk is no wrong usage."""
    shown = f"out: can't write to the folder {clip(str(folder), 200)}: {error.strerror or first_line(error)}"
    if error.errno in _NO_ROOM:
        return RunError(f"{shown}; the same command goes on once there is room")
    return UsageError(shown)


def check_folder(folder: Place, *, resume: bool, ours: bool = False) -> None:
    """Refuse a folder that holds something; with ``resume``, something that is no part of a dataset.

    ``ours``: whether the lock in it is this run's.
    """
    shown = clip(str(folder), 200)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"out: {shown} is a file; name a folder that is new or empty")
    names = {path.name for path in folder.iterdir()} - {LOCK} if folder.is_dir() else set()
    if resume:
        if names and MANIFEST not in names and not names <= {*TABLES["plays"], f".{MANIFEST}.tmp"}:
            raise UsageError(f"out: the folder {shown} holds something else than a dataset; name another one")
        return
    if names and not ours and (folder / LOCK).exists():
        take(folder, "", []).release()  # while another run is at it, that is the better reason
    if MANIFEST in names:
        raise UsageError(
            f"out: {shown} already holds a dataset; go on with it by --resume, or name a folder that is new or empty"
        )
    if names:
        raise UsageError(f"out: the folder {shown} is not empty; name a folder that is new or empty")
