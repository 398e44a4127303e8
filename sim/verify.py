"""A dataset against its manifest, its schema, its hashes, and rows that are played again."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .columns import TABLES
from .dataset import MANIFEST, UnreadError, content, footer, read_manifest
from .errors import UsageError
from .plan import ROWS_VERSION, plan_from_description
from .storage import place
from .text import Text, clip
from .verify_part import Fault, PartCheck, unread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from .engine import Engine
    from .plan import Plan
    from .storage import Place


@dataclass
class Report:
    """What was looked at: rows in parts, deals asked for, parts, rows played again; and what was found.

    ``unread``: files that could not be read here, of which nothing can be said.
    """

    folder: str
    deals: int = 0
    asked: int = 0
    parts: int = 0
    replayed: int = 0
    faults: list[Fault] = field(default_factory=list)
    unread: list[Fault] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether all that is there was looked at, and nothing was found."""
        return not self.faults and not self.unread

    @property
    def complete(self) -> bool:
        """Whether all deals asked for are there."""
        return 0 < self.asked <= self.deals


def verify(
    folder: str | Place,
    *,
    sample: int = 1000,
    seed: int = 0,
    workers: int = 1,
    report: Callable[[int], None] | None = None,
) -> Report:
    """Look at everything in a dataset. ``sample``: rows to be played again (whole sessions), chosen by ``seed``.

    ``report`` is called with the deals looked at. `UsageError` if the folder is no dataset at all, or if its
    manifest can't be read here.
    """
    found = Report(str(folder))
    folder = place(folder)
    try:
        manifest = read_manifest(folder)
    except UnreadError:
        raise
    except UsageError as error:
        try:
            there = (folder / MANIFEST).exists() or (folder / "deals").is_dir()
        except OSError:
            there = False
        if not there:
            raise
        found.faults.append(Fault(MANIFEST, Text(str(error), f"清单不可用：{error}")))
        return found
    found.asked, found.parts = manifest["deals"], len(manifest["parts"])
    plan = _plan(manifest, found)
    if plan is None:
        return found
    _numbering(manifest, plan, found)
    _strays(folder, manifest, plan, found)
    chosen = None
    if not plan.imported and (not found.faults or _playable(found)):
        chosen = _chosen(manifest, plan, sample, seed)
    engine: Engine | None = None
    if chosen is not None and len(chosen):
        from .engine import Engine

        engine = Engine(plan)
        if manifest.get("detail"):
            engine.load_detail()
    part = PartCheck(folder, plan, manifest.get("detail"), engine, chosen)
    unhashed = 0
    with ThreadPoolExecutor(max(1, workers)) as pool:
        for looked in pool.map(part, manifest["parts"]):
            found.faults += looked.faults
            found.unread += looked.unread
            found.replayed += looked.replayed
            found.deals += looked.rows
            unhashed += looked.unhashed
            if report:
                report(found.deals)
    if unhashed:
        found.notes.append(
            Text(
                f"the manifest has no hash of the bytes of {unhashed} file{'' if unhashed == 1 else 's'}, for an "
                "earlier version wrote it: their rows were looked at, and what no row depends on was not",
                f"清单由较早的版本写成，其中 {unhashed} 个文件没有字节的哈希：已检查各行，未检查与各行无关的字节",
            )
        )
    if not found.complete and not found.unread:
        found.notes.append(
            Text(
                f"{found.deals:,} of {found.asked:,} deals are there; `simulate … --resume` plays the rest",
                f"共 {found.asked:,} 局，已有 {found.deals:,} 局；用 `simulate … --resume` 继续",
            )
        )
    return found


def _plan(manifest: Mapping[str, Any], found: Report) -> Plan | None:
    """The plan of the dataset; faults in what the manifest says of it."""
    try:
        plan = plan_from_description(manifest)
    except UsageError as error:
        found.faults.append(Fault(MANIFEST, Text(str(error), f"清单的描述无法使用：{error}")))
        return None
    detail = manifest.get("detail")
    if not isinstance(detail, str | None) or detail not in TABLES:
        found.faults.append(
            Fault(MANIFEST, Text(f"there is no detail {clip(detail)}", f"detail 的值不存在：{clip(detail)}"))
        )
        return None
    described = plan.describe()
    if manifest.get("rules_hash") != described["rules_hash"]:
        found.faults.append(
            Fault(
                MANIFEST,
                Text("rules_hash is not the hash of the rule options", "rules_hash 与规则选项不符"),
                column="rules_hash",
            )
        )
    if plan.imported:
        found.notes.append(
            Text(
                "its rows come from records: they are looked at, and can't be played again",
                "数据来自牌谱：已逐项检查，但无法重新计算",
            )
        )
        return plan
    weights, version = manifest.get("weights"), manifest.get("rows_version")
    if weights != described["weights"]:
        found.faults.append(
            Fault(
                MANIFEST,
                Text(
                    "the policies' weights are not those of this version, so that rows can't be played again",
                    "策略的权重与此版本不同，因此无法重新计算",
                ),
                column="weights",
            )
        )
    if version != ROWS_VERSION:
        found.faults.append(
            Fault(
                MANIFEST,
                Text(
                    f"rows_version is {clip(version)}, here {ROWS_VERSION}, so that rows can't be played again",
                    f"rows_version 为 {clip(version)}，此版本为 {ROWS_VERSION}，因此无法重新计算",
                ),
                column="rows_version",
            )
        )
    return plan


def _playable(found: Report) -> bool:
    return not any(fault.column in ("weights", "rows_version") for fault in found.faults)


def _numbering(manifest: Mapping[str, Any], plan: Plan, found: Report) -> None:
    """Gaps, overlaps, sizes and names of the parts."""
    expected, size = manifest["first"], manifest.get("part_rows")
    for index, entry in enumerate(manifest["parts"]):
        file, at, rows = entry["file"], entry["first_deal"], entry["rows"]

        def say(en: str, zh: str, file: str = file, at: int = at) -> None:
            found.faults.append(Fault(file, Text(en, zh), at))

        if at > expected:
            say(
                f"deals {expected} to {at - 1} are missing before it", f"此前缺少第 {expected} 至 {at - 1} 局"
            )
        elif at < expected:
            say(f"deals {at} to {expected - 1} are there twice", f"第 {at} 至 {expected - 1} 局重复")
        if file != f"deals/part-{index:05}.parquet":
            say(f"it should be deals/part-{index:05}.parquet", f"文件名应为 deals/part-{index:05}.parquet")
        if rows % plan.session:
            say(f"its {rows} rows are not whole sessions", f"{rows} 行不是整场")
        if isinstance(size, int) and rows != size and index + 1 < len(manifest["parts"]):
            say(f"it has {rows} rows, where a part has {size}", f"有 {rows} 行，应为 {size} 行")
        expected = at + rows
    end = manifest["first"] + manifest["deals"]
    if expected > end:
        found.faults.append(
            Fault(
                MANIFEST,
                Text(f"there are deals beyond the last, {end - 1}", f"有超出最后一局 {end - 1} 的局"),
            )
        )


def _strays(folder: Place, manifest: Mapping[str, Any], plan: Plan, found: Report) -> None:
    """Parts that readers of ``deals/*.parquet`` would take in and the manifest does not know."""
    known = {entry["file"] for entry in manifest["parts"]}
    known |= {
        entry[table]["file"] for entry in manifest["parts"] for table in ("tricks", "plays") if table in entry
    }
    ahead = set()
    for table in TABLES["plays"]:
        for file in sorted(path.name for path in (folder / table).glob("*.parquet")):
            name = f"{table}/{file}"
            if name in known or file.startswith("."):
                continue
            try:
                if _is_ahead(folder, manifest, plan, table, file):
                    ahead.add(file)
                    continue
            except UnreadError as error:
                found.unread.append(unread(name, error))
                continue
            found.faults.append(Fault(name, Text("the manifest does not know this file", "清单中没有此文件")))
    if ahead:
        found.notes.append(
            Text(
                f"{len(ahead)} finished parts wait for those before them; `simulate … --resume` enters them"
                if len(ahead) > 1
                else "a finished part waits for those before it; `simulate … --resume` enters it",
                f"有 {len(ahead)} 个已完成的部分在等待之前的部分；用 `simulate … --resume` 收入",
            )
        )


def _is_ahead(folder: Place, manifest: Mapping[str, Any], plan: Plan, table: str, file: str) -> bool:
    """Whether a file is of a part that a run has finished before others, and has not entered yet."""
    size, asked = manifest.get("part_rows"), re.fullmatch(r"part-([0-9]{5,9})\.parquet", file)
    if asked is None or not isinstance(size, int) or size < 1:
        return False
    index = int(asked.group(1))
    first = manifest["first"] + index * size
    end = manifest["first"] + manifest["deals"]
    if index < len(manifest["parts"]) or first >= end:
        return False
    rows, about = footer(folder / table / file)
    if table != "deals" and about.pop("table", None) != table:
        return False
    wanted = {**content(plan), "first_deal": first, "rows": min(size, end - first)}
    return rows is not None and about == wanted


def _chosen(manifest: Mapping[str, Any], plan: Plan, sample: int, seed: int) -> NDArray[np.int64]:
    """The first deals of the sessions to be played again, ascending."""
    first, rows = manifest["first"], sum(entry["rows"] for entry in manifest["parts"])
    sessions = rows // plan.session
    wanted = min(sessions, -(-sample // plan.session))
    if wanted == sessions:
        picked = np.arange(sessions)
    else:
        rng = np.random.default_rng(seed)
        picked = np.unique(rng.integers(0, sessions, wanted, dtype=np.int64))
        while len(picked) < wanted:
            more = rng.integers(0, sessions, wanted - len(picked), dtype=np.int64)
            picked = np.unique(np.concatenate([picked, more]))
    starts: NDArray[np.int64] = picked.astype(np.int64) * plan.session + first
    return starts
