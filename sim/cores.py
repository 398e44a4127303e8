"""How many cores this process may use."""

from __future__ import annotations

import math
import os
from pathlib import Path


def cores(root: Path = Path("/")) -> int:
    """Cores this process may use, at least 1: those of its affinity, or fewer if a container's quota says so.

    A quota of one and a half cores counts as two, as in dask and joblib. ``root``: where to look for ``proc`` and
    ``sys``.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    known = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min([known, *(math.ceil(quota) for quota in _quotas(root))]))


def _quotas(root: Path) -> list[float]:
    """The quotas, in cores, of this process's control groups and of all groups that these are in."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # no Linux
        return []
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            mounts, read = ["", "unified"], _second
        elif "cpu" in controllers.split(","):
            mounts, read = ["cpu", controllers], _first
        else:
            continue
        for mount in mounts:
            # In a container the path may be the host's, and what is mounted already the group itself.
            top = root / "sys/fs/cgroup" / mount
            group = top / path.strip("/")
            found += [quota for each in {top, group, *group.parents} if top in (each, *each.parents)
                      for quota in read(each)]  # fmt: skip
    return found


def _second(group: Path) -> list[float]:
    """The quota of a group of version 2, if it has one."""
    try:
        quota, period = (group / "cpu.max").read_text().split()
        return [int(quota) / int(period)]
    except (OSError, ValueError):  # not the root group, nor one without the controller; "max"
        return []


def _first(group: Path) -> list[float]:
    """The quota of a group of version 1, if it has one."""
    try:
        quota, period = (int((group / f"cpu.cfs_{name}_us").read_text()) for name in ("quota", "period"))
    except (OSError, ValueError):
        return []
    return [quota / period] if quota > 0 and period > 0 else []
