"""The folder of a dataset to be written: made, locked, or refused."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from .columns import TABLES
from .dataset import MANIFEST
from .errors import RunError, UsageError
from .lock import LOCK, FolderLock, RemoteLock, is_lock
from .manifest import UNFINISHED
from .remote import RemotePath, first_line
from .text import clip

if TYPE_CHECKING:
    from .storage import Place

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def make_folder(folder: Place, *, resume: bool) -> list[Place]:
    """Make a folder for a dataset; which folders had to be made, innermost first."""
    made: list[Place] = []
    try:
        check_folder(folder, resume=resume)
        if isinstance(folder, RemotePath):
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            return [folder] if new else []
        made += [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        remove_empty(made)
        if isinstance(error, UsageError):
            raise
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            raise refused(folder, error) from None
        reason = getattr(error, "strerror", None) or first_line(error)
        verb = "make" if made else "look into"
        raise UsageError(f"out: can't {verb} the folder {clip(str(folder), 200)}: {reason}") from None
    return made


def remove_empty(folders: list[Place]) -> None:
    """Take folders away that were made, innermost first, and in which there is nothing now."""
    for folder in folders:
        with contextlib.suppress(OSError, ValueError):
            folder.rmdir()


def take(folder: Place, since: str, made: list[Place]) -> FolderLock | RemoteLock:
    """The lock of a folder; if it can't be had, the folders made for it are removed."""
    try:
        return RemoteLock(folder, since) if isinstance(folder, RemotePath) else FolderLock(folder, since)
    except OSError as error:
        remove_empty(made)
        raise refused(folder, error) from None


def refused(folder: Place, error: OSError) -> Exception:
    """What a folder that can't be written to means: a full disk is no wrong usage."""
    shown = f"out: can't write to the folder {clip(str(folder), 200)}: {error.strerror or first_line(error)}"
    if error.errno in _NO_ROOM:
        return RunError(f"{shown}; the same command goes on once there is room")
    return UsageError(shown)


def check_folder(folder: Place, *, resume: bool, ours: bool = False) -> None:
    """Refuse a folder that holds something; with ``resume``, something that is no part of a dataset, and links.

    ``ours``: whether the lock in it is this run's.
    """
    shown = clip(str(folder), 200)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"out: {shown} is a file; name a folder that is new or empty")
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    refuse_links(folder, [*({LOCK, MANIFEST, *UNFINISHED, *TABLES["plays"]} & names)])
    if LOCK in names and (ours or is_lock(folder / LOCK)):
        names.remove(LOCK)
    if resume:
        for table in {*TABLES["plays"]} & names:
            refuse_links(folder / table)
        if names and MANIFEST not in names and not names <= {*TABLES["plays"], *UNFINISHED}:
            raise UsageError(f"out: the folder {shown} holds something else than a dataset; name another one")
        return
    if names and not ours and is_lock(folder / LOCK):
        take(folder, "", []).release()  # while another run is at it, that is the better reason
    if MANIFEST in names:
        raise UsageError(
            f"out: {shown} already holds a dataset; go on with it by --resume, or name a folder that is new or empty"
        )
    if names:
        raise UsageError(f"out: the folder {shown} is not empty; name a folder that is new or empty")


def refuse_links(folder: Place, names: list[str] | None = None) -> None:
    """`UsageError` if a file of these names, or any part, is a symbolic link: a run would write where it leads."""
    if isinstance(folder, RemotePath):
        return
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            wanted = entry.name in names if names is not None else "part-" in entry.name
            if wanted and entry.is_symlink():
                raise UsageError(
                    f"out: {clip(str(folder / entry.name), 200)} is a symbolic link, and a run does not write where "
                    "one leads; put what it leads to in its place, or name another folder"
                )
