"""Whether kernels that lie in a folder may be run: they are pickles, and who writes one has code run by who loads it.

So nobody but the user and root may be able to write there. Where a system has no owners of files that Python knows
(Windows), the user's own folders are closed to others by themselves.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_OWNERS = hasattr(os, "geteuid")


def make(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this user alone."""
    for each in reversed((folder, *folder.parents)):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # it may be a file


def open_to_others(*paths: Path) -> Path | None:
    """The first of these folders and files that another user could have written to; None if there is none.

    A folder of this user's that others may write to is closed to them: what they left there is theirs, and found out
    as such. What isn't there, or can't be looked at, is open to nobody.
    """
    for path in paths if _OWNERS else ():
        try:
            link, state = path.lstat(), path.stat()
        except OSError:
            continue
        if _another_owner(link) or _another_owner(state):
            return path
        if _others_write(path, state) and not _closed(path, state):
            return path
    return None


def read(path: Path) -> bytes:
    """The content of a file that nobody but this user and root can have written; ``PermissionError`` otherwise."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:  # noqa: PTH123  # what is read is what was looked at
        state = os.fstat(file.fileno())
        if _OWNERS and (_another_owner(state) or _others_write(file.fileno(), state)):
            raise PermissionError(path)
        return file.read()


def _another_owner(state: os.stat_result) -> bool:
    return state.st_uid not in (0, os.geteuid())


def _others_write(at: Path | int, state: os.stat_result) -> bool:
    """Whether others than the owner may write. With an ACL, the group's bits stand for everybody in it."""
    if stat.S_ISLNK(state.st_mode) or not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return bool(state.st_mode & stat.S_IWOTH) or not _own_group(state.st_gid) or _acl(at)


def _own_group(gid: int) -> bool:
    """Whether a group has this user for its only member: it is named after him, as some systems make one for each."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return user.pw_gid == gid and group.gr_name == user.pw_name and {*group.gr_mem} <= {user.pw_name}


def _acl(at: Path | int) -> bool:
    try:
        return "system.posix_acl_access" in os.listxattr(at)
    except (OSError, AttributeError):  # not everywhere
        return False


def _closed(folder: Path, state: os.stat_result) -> bool:
    """Close a folder of this user's to others, if it is one and no link: whether that was done."""
    try:
        at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        if state.st_uid != os.geteuid() or not os.path.samestat(os.fstat(at), state):
            return False
        os.fchmod(at, stat.S_IRWXU)
    except OSError:
        return False
    finally:
        os.close(at)
    return True
