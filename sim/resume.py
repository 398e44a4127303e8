"""Going on with a dataset: what is in its folder, whether it is of the same plan, and which of it can be kept."""

from __future__ import annotations

import contextlib
import json
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from .columns import TABLES, concatenated
from .cores import cores
from .dataset import (
    FILE_HASH,
    FORMAT,
    MANIFEST,
    Digest,
    PartError,
    PartFile,
    UnreadError,
    content,
    footer,
    is_entry,
    of_table,
    read_manifest,
    rows_in_part,
    whole_sessions,
)
from .errors import UsageError
from .manifest import UNFINISHED
from .text import Text, clip
from .totals import Totals, count, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from .detail import Detail
    from .engine import Engine
    from .plan import Plan
    from .storage import Place

    Begun = tuple[deque[dict[str, NDArray[Any]]], deque[Detail]]


_PLACE = ("deal", "session", "hand")  # columns that the engine does not give


@dataclass
class Found:
    """What can be kept: the manifest (empty if there is none), the parts' entries by index, totals of complete ones.

    ``begun``: the rows of a last part that is shorter than it is to become; ``begun_totals``: what they come to.
    """

    manifest: dict[str, Any]
    part_rows: int
    totals: Totals
    entries: dict[int, dict[str, Any]] = field(default_factory=dict)
    begun: dict[int, Begun] = field(default_factory=dict)
    begun_totals: dict[int, Totals] = field(default_factory=dict)
    notes: list[Text] = field(default_factory=list)


def examine(
    folder: Place, plan: Plan, first: int, deals: int, detail: str | None, workers: int = 0
) -> Found | None:
    """What is in a folder that is to be gone on with; None if there is nothing yet. The caller holds its lock.

    Every part is read and its hash compared with the manifest's (0.7 microseconds a deal); one that is not as it was
    written is left out, to be played again. Parts that the manifest lacks, because the run was killed before it was
    written or because it is lost, are known by their own metadata. `UsageError` for a dataset of another plan.
    """
    old = _manifest(folder)
    if old is None and not any((folder / "deals").glob("part-*.parquet")):
        if (folder / MANIFEST).exists():
            raise UsageError(
                f"out: the manifest of {clip(str(folder), 200)} is damaged, and there is no part to make it anew from; "
                "remove it, or name another folder"
            )
        return None
    if old is not None:
        check_same(folder, old, plan, first, deals, detail)
    return _examine(folder, plan, first, deals, detail, workers, old)


def _examine(
    folder: Place,
    plan: Plan,
    first: int,
    deals: int,
    detail: str | None,
    workers: int,
    old: dict[str, Any] | None,
) -> Found:
    for path in (
        *(folder / name for name in UNFINISHED),
        *(path for table in TABLES[detail] for path in (folder / table).glob(".part-*.tmp")),
    ):
        with contextlib.suppress(OSError):
            path.unlink()
    rows = (old or {}).get("part_rows")
    sound = isinstance(rows, int) and rows > 0 and rows % plan.session == 0
    part_rows: int = rows if sound and isinstance(rows, int) else rows_in_part(plan.session, detail)
    found = Found(old or {}, part_rows, Totals(plan.session))
    counted(plan.game.name)  # loads the kernel here, not in a thread
    slots = range(-(-deals // part_rows))
    if old is None:
        last = max(path.name for path in (folder / "deals").glob("part-*.parquet"))
        if last > f"part-{len(slots) - 1:05}.parquet":
            raise UsageError(
                f"deals: {clip(str(folder), 200)} holds {last}, which is beyond {deals} deals; go on with as many"
            )
    behind = found.manifest.get("behind")
    known = [
        *(filter(is_entry, behind) if isinstance(behind, list) else ()),
        *found.manifest.get("parts", ()),
    ]
    listed = {(entry["first_deal"] - first) // part_rows: entry for entry in known}
    look = partial(_look, folder, plan, first, deals, detail, part_rows, listed)
    with contextlib.ExitStack() as stack:
        pool = ThreadPoolExecutor(workers or cores())
        stack.callback(pool.shutdown, cancel_futures=True)  # when stopped, what is read is enough
        for index, kept in zip(slots, pool.map(look, slots), strict=True):
            before = found.entries.get(index - 1)
            follows = index == 0 or (before is not None and before["rows"] == part_rows)
            if kept is not None and (kept.begun is None or follows):
                found.entries[index] = kept.entry
                if kept.rewritten:
                    name = kept.entry["file"]
                    found.notes.append(
                        Text(
                            f"{name} is not the file that was written, but has the same rows; it is kept",
                            f"{name} 不是当初写入的文件，但内容相同；予以保留",
                        )
                    )
                if kept.begun is None:
                    found.totals.merge(kept.totals)
                else:
                    found.begun[index], found.begun_totals[index] = kept.begun, kept.totals
            elif index in listed:
                name = listed[index]["file"]
                found.notes.append(
                    Text(f"{name} can't be used and is played again", f"{name} 不可用，将重新计算")
                )
    if old is None:
        found.notes.append(
            Text(
                f"{MANIFEST} was missing or damaged; it is made anew from {len(found.entries)} parts",
                f"{MANIFEST} 缺失或损坏；已根据 {len(found.entries)} 个部分重建",
            )
        )
    return found


def _manifest(folder: Place) -> dict[str, Any] | None:
    """The manifest; None if there is none that can be read; `UsageError` if another version wrote it."""
    try:
        return read_manifest(folder)
    except UnreadError:
        raise
    except UsageError:
        found = None
        with contextlib.suppress(OSError, ValueError, RecursionError):
            found = json.loads((folder / MANIFEST).read_text("utf-8-sig"))
        if isinstance(found, dict) and found.get("format", FORMAT) != FORMAT:
            raise
        if isinstance(found, dict) and "kind" in found:
            raise UsageError(
                f"out: {clip(str(folder), 200)} holds a study, {clip(found['kind'])}, and no dataset; "
                "name another folder"
            ) from None
        return None


def check_same(
    folder: Place, old: Mapping[str, Any], plan: Plan, first: int, deals: int, detail: str | None
) -> None:
    """`UsageError`, naming the field, unless a dataset's manifest is of this plan and asks for no more deals."""
    asked = {**content(plan), "first": first, "detail": detail}
    _compare(clip(str(folder), 200), {"detail": None, **old}, asked, str(old.get("tool")))
    if deals < old["deals"]:
        raise UsageError(
            f"deals: {clip(str(folder), 200)} is for {old['deals']} deals; go on with as many or more, not {deals}"
        )


def _compare(shown: str, old: Mapping[str, Any], asked: Mapping[str, Any], tool: str) -> None:
    """Refuse what was written with other options."""
    asked = json.loads(json.dumps(asked))  # as it would be read
    tail = "give the same to go on with it, or name another --out"
    rules = old.get("rules")
    options = rules.get("rules", rules) if isinstance(rules, dict) else {}
    for key in ("game", "first", "seed", "session", "contract", "hold", "count", "detail", "policies"):
        if old.get(key) != asked.get(key):
            was, now = (clip(json.dumps(x.get(key)), 80) for x in (old, asked))
            raise UsageError(f"{key}: {shown} was written with {_plain(was)}, not {_plain(now)}; {tail}")
    for name, value in asked["rules"].items():
        if options.get(name) != value:
            was, now = clip(json.dumps(options.get(name)), 80), clip(json.dumps(value), 80)
            raise UsageError(
                f"rules: {shown} was written with {name} = {_plain(was)}, not {_plain(now)}; {tail}"
            )
    weights = old.get("weights")
    for name, value in asked["weights"].items():
        if not isinstance(weights, dict) or weights.get(name) != value:
            raise UsageError(f"weights: {shown} was written with other weights of {name}; name another --out")
    if old.get("rows_version") != asked["rows_version"]:
        raise UsageError(
            f"version: {shown} was written by {clip(tool)}, which plays other rows than tuolaji {__version__}; "
            "go on with that version, or name another --out"
        )


def _plain(text: str) -> str:
    return text.strip('"').replace('\\"', '"')


@dataclass
class _Kept:
    """A part that can be kept; ``begun``: its rows, if it is shorter than it is to become."""

    entry: dict[str, Any]
    totals: Totals
    begun: Begun | None
    rewritten: bool  # whether a file has other bytes than its entry said


def _look(
    folder: Place,
    plan: Plan,
    first: int,
    deals: int,
    detail: str | None,
    part_rows: int,
    listed: Mapping[int, dict[str, Any]],
    index: int,
) -> _Kept | None:
    """What can be kept of a part: as the manifest has it, or else as it lies there; None for nothing."""
    at = first + index * part_rows
    size = min(part_rows, first + deals - at)
    if index in listed and listed[index]["first_deal"] == at:
        with contextlib.suppress(PartError):
            return _kept(folder, plan, listed[index], size, detail)
    if not (folder / f"deals/part-{index:05}.parquet").is_file():
        return None
    try:
        entry = _entry_of(folder, plan, index, at, detail)
        if entry and entry["rows"] > size:
            raise UsageError(
                f"deals: {clip(str(folder), 200)} holds {at - first + entry['rows']} deals or more; go on with as many"
            )
        return None if entry is None else _kept(folder, plan, entry, size, detail)
    except PartError:
        return None


def _kept(folder: Place, plan: Plan, entry: dict[str, Any], size: int, detail: str | None) -> _Kept:
    """Read a part, compare its hashes and count its deals; `PartError` if it is not what its entry says."""
    rows = entry["rows"]
    if not 0 < rows <= size or rows % plan.session:
        raise PartError(folder / entry["file"], f"it has {rows} rows where {size} are wanted")
    found: dict[str, list[dict[str, Any]]] = {table: [] for table in TABLES[detail]}
    before, entry = entry, json.loads(json.dumps(entry))
    totals = Totals(plan.session)
    for table in TABLES[detail]:
        groups = _proved(folder, plan, entry, table)
        if rows < size:
            found[table] = list(groups)
        elif table == "deals":
            _count(groups, plan, totals)
        else:
            deque(groups, maxlen=0)
    rewritten = any(
        FILE_HASH in was and was[FILE_HASH] != now[FILE_HASH]
        for was, now in ((of_table(e, table) for e in (before, entry)) for table in TABLES[detail])
    )
    if rows == size:
        return _Kept(entry, totals, None, rewritten)
    _count(found["deals"], plan, totals)
    return _Kept(entry, totals, _begun(plan, entry, folder, found), rewritten)


def _proved(folder: Place, plan: Plan, entry: dict[str, Any], table: str) -> Iterator[dict[str, Any]]:
    """The rows of a file by row group; `PartError` at the end if they have not the hash of its entry.

    Its entry gets the hash of the bytes that are there.
    """
    digest = Digest(plan.game.name, table)
    about = {**content(plan), "first_deal": entry["first_deal"], "rows": entry["rows"]}
    with PartFile(folder, entry, plan.game.name, table, hashed=True) as file:
        if file.about() != (about if table == "deals" else {**about, "table": table}):
            raise PartError(file.path, "its metadata are of other rows")
        for group in file.groups(threads=False):
            digest.update(group)
            yield group
    if digest.hexdigest() != of_table(entry, table)["sha256"]:
        raise PartError(file.path, "its rows have not the hash of the manifest")
    of_table(entry, table)[FILE_HASH] = file.file_hash


def _count(groups: Iterable[dict[str, Any]], plan: Plan, totals: Totals) -> None:
    """Add the deals of some rows to totals."""
    for columns in whole_sessions(groups, plan.session):
        totals.merge(count(columns, plan.session, plan.game.name))


def _begun(plan: Plan, entry: dict[str, Any], folder: Place, found: dict[str, list[dict[str, Any]]]) -> Begun:
    """All rows of a part, as the engine gave them."""
    from ..kernels.detail import FIELDS
    from .detail import Detail

    whole = {
        table: {name: concatenated([group[name] for group in groups]) for name in groups[0]}
        for table, groups in found.items()
    }
    columns = {name: values for name, values in whole["deals"].items() if name not in _PLACE}
    if "tricks" not in whole:
        return deque([columns]), deque()
    tricks = np.stack([whole["tricks"][name].astype(np.int16) for name in FIELDS])
    if tricks.shape[1] != columns["tricks"].sum(dtype=np.int64):
        raise PartError(folder / entry["tricks"]["file"], "it has not the tricks of the deals")
    plays = whole["plays"]["cards"] if "plays" in whole else None
    return deque([columns]), deque([Detail.of_deals(plan.game, columns, tricks, plays)])


def _entry_of(folder: Place, plan: Plan, index: int, at: int, detail: str | None) -> dict[str, Any] | None:
    """An entry for a part that no manifest names, from its files; None if a file is missing or can't be read."""
    entry: dict[str, Any] = {"file": f"deals/part-{index:05}.parquet", "first_deal": at}
    for table in TABLES[detail]:
        name = f"{table}/part-{index:05}.parquet"
        rows, about = footer(folder / name)
        if rows is None:
            return None
        if table == "deals":
            asked = {**content(plan), "first": None, "detail": None}  # parts don't know these
            _compare(clip(str(folder / name), 200), about, asked, "another version")
        digest = Digest(plan.game.name, table)
        made = {**entry, "rows": rows} if table == "deals" else {**entry, table: {"file": name, "rows": rows}}
        with PartFile(folder, made, plan.game.name, table) as file:
            for group in file.groups(threads=False):
                digest.update(group)
        found = {"rows": rows, "sha256": digest.hexdigest()}
        entry |= found if table == "deals" else {table: {"file": name, **found}}
    return {key: entry[key] for key in ("file", "first_deal", "rows", "sha256", *TABLES[detail][1:])}


SAMPLE = 16  # rows of a part that are played again before a run goes on


def check_rows(engine: Engine, folder: Place, entries: list[dict[str, Any]]) -> None:
    """`UsageError` if this version does not play the rows that are there: the first of a few parts are played again."""
    from .verify_part import differing

    for at in sorted({0, len(entries) // 2, len(entries) - 1}):
        entry = entries[at]
        with PartFile(folder, entry, engine.plan.game.name) as file:
            stored = next(iter(file.groups(threads=False)))
        rows = min(SAMPLE, len(stored["deal"]))
        played = engine.play(entry["first_deal"], rows)
        some = {name: values[:rows] for name, values in stored.items()}
        for name, at in differing(engine.plan, entry["first_deal"], some, played):
            raise UsageError(
                f"version: deal {entry['first_deal'] + at} of {clip(str(folder), 200)} has another {name} when tuolaji "
                f"{__version__} plays it; go on with the version that wrote it, or name another --out"
            )
