"""How many threads there are by default: the affinity, and the quotas of a container."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tuolaji.sim.cores import cores
from tuolaji.sim.engine import Engine
from tuolaji.sim.plan import make_plan
from tuolaji.sim.runner import Runner

HERE = Path(__file__).resolve().parent.parent


def _first(group: str, quota: int, period: int) -> dict[str, str]:
    """The files of a group of version 1."""
    return {f"{group}/cpu.cfs_quota_us": str(quota), f"{group}/cpu.cfs_period_us": str(period)}


#: Lines of /proc/self/cgroup, what lies below /sys/fs/cgroup, and how many of 8 cores that leaves.
SURROUNDINGS = {
    "no cgroups": (None, {}, 8),
    "v2, no quota": ("0::/", {"cpu.max": "max 100000"}, 8),
    "v2, a container with its own namespace": ("0::/", {"cpu.max": "200000 100000"}, 2),
    "v2, one and a half cores": ("0::/", {"cpu.max": "150000 100000"}, 2),
    "v2, a tenth of a core": ("0::/", {"cpu.max": "10000 100000"}, 1),
    "v2, more than there is": ("0::/", {"cpu.max": "1600000 100000"}, 8),
    "v2, a systemd unit": (
        "0::/system.slice/run.service",
        {"system.slice/run.service/cpu.max": "300000 100000"},
        3,
    ),
    "v2, the quota of its slice": (
        "0::/batch.slice/job.scope",
        {"batch.slice/cpu.max": "400000 100000", "batch.slice/job.scope/cpu.max": "max 100000"},
        4,
    ),
    "v2, another's quota": (
        "0::/mine",
        {"mine/cpu.max": "max 100000", "another/cpu.max": "100000 100000"},
        8,
    ),
    "v2, the host's path": ("0::/docker/0123abc", {"cpu.max": "200000 100000"}, 2),
    "v2 and no controller": ("0::/", {"cgroup.procs": "1"}, 8),
    "v1, no quota": ("4:cpu,cpuacct:/", _first("cpu,cpuacct", -1, 100000), 8),
    "v1, a container": (
        "5:memory:/docker/01\n4:cpu,cpuacct:/docker/01",
        _first("cpu,cpuacct", 50000, 25000),
        2,
    ),
    "v1, the other order": ("4:cpuacct,cpu:/", _first("cpuacct,cpu", 300000, 100000), 3),
    "v1, alone, in a group": (
        "2:cpuacct:/\n1:cpu:/job",
        _first("cpu/job", 250000, 100000),
        3,
    ),
    "v1, not of the cpu": ("3:cpuset:/", _first("cpu", 100000, 100000), 8),
    "both, the quota in v1": (
        "1:cpu:/a:b\n0::/",
        _first("cpu/a:b", 200000, 100000) | {"unified/cgroup.procs": "1"},
        2,
    ),
    "both, the quota in v2": ("1:name=systemd:/\n0::/", {"unified/cpu.max": "200000 100000"}, 2),
    "nonsense": ("0::/", {"cpu.max": "many"}, 8),
}


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


@pytest.mark.usefixtures("eight")
@pytest.mark.parametrize("name", SURROUNDINGS)
def test_a_quota_counts_as_affinity_does(tmp_path: Path, name: str) -> None:
    lines, files, expected = SURROUNDINGS[name]
    for path, text in ({"proc/self/cgroup": lines} if lines else {}).items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(f"{text}\n")
    for path, text in files.items():
        file = tmp_path / "sys/fs/cgroup" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")
    assert cores(tmp_path) == expected


def test_without_affinity_there_are_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for count, expected in ((5, 5), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert cores(tmp_path) == expected


def test_here_there_is_at_least_one() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
    assert Runner(Engine(make_plan("dwf")), 0, 1).workers == cores()


def test_nothing_else_counts_cores() -> None:
    found = {
        path.relative_to(HERE).as_posix()
        for folder in ("sim", "commands", "kernels")
        for path in (HERE / folder).rglob("*.py")
        if re.search(r"\b(cpu_count|sched_getaffinity)\b", path.read_text(encoding="utf-8"))
    }
    assert found == {"sim/cores.py"}
