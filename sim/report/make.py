"""What a folder holds, the report on it, and the files it becomes."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..dataset import MANIFEST
from ..errors import RunError, UsageError
from ..remote import first_line
from ..stopping import undisturbed
from ..storage import new_file, place, remove_unfinished
from ..text import clip
from . import charts
from .page import render

if TYPE_CHECKING:
    from ..storage import Place
    from ..text import Lang
    from .page import Report

FOLDER = "report"  # inside the dataset's or study's own


def make(folder: str | Place, lang: Lang = "en") -> Report:
    """The report on a dataset or study. `UsageError` if the folder holds none, or a damaged one."""
    folder = place(folder)
    manifest = _manifest(folder)
    kind = manifest.get("kind")
    name = kind.removeprefix("tuolaji ") if isinstance(kind, str) else kind
    if name is not None:
        return _study(folder, name, manifest, lang)
    from ..dataset import Dataset
    from .deals import Deals

    deals = Deals(Dataset(folder), lang)
    if deals.two:
        from . import deals_die_wu_fen

        return deals_die_wu_fen.report(deals)
    from . import deals_hong_wu_wu_jia

    return deals_hong_wu_wu_jia.report(deals)


def _study(folder: Place, name: object, manifest: dict[str, Any], lang: Lang) -> Report:
    if not isinstance(folder, Path):
        raise UsageError(f"{clip(str(folder), 200)} holds no dataset; studies are read from folders only")
    if name == "threshold":
        from . import threshold

        return threshold.report(folder, manifest, lang)
    if name == "compare":
        from . import compare

        return compare.report(folder, manifest, lang)
    if name == "tournament":
        from . import tournament

        return tournament.report(folder, manifest, lang)
    if name == "advise":
        from . import advise

        return advise.report(folder, manifest, lang)
    raise UsageError(
        f"{clip(str(folder), 200)} holds something of the kind {clip(name)}; there are reports on "
        "datasets, on the "
        "studies threshold, compare and tournament, and on advice"
    )


def _manifest(folder: Place) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(
            f"there is nothing to report on in {clip(str(folder), 200)}: it has no {MANIFEST}; name a "
            "folder that simulate, "
            "import, threshold, compare, tournament or advise wrote"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror or first_line(error) if isinstance(error, OSError) else "it is not JSON"
        raise UsageError(f"the manifest {clip(str(path), 200)} can't be read: {reason}") from None
    if not isinstance(found, dict):
        raise UsageError(f"the manifest {clip(str(path), 200)} is no JSON object")
    return found


def write(report: Report, out: Path, lang: Lang) -> list[Path]:
    """Write the page and the pictures into a folder, in place of older ones; all of them or none."""
    suffix = "-zh" if lang == "zh" else ""
    picture = "-zh" if lang == "zh" and charts.chinese_font() else ""
    files: dict[str, bytes] = {f"report{suffix}.html": render(report, lang).encode("utf-8")}
    files |= {f"{chart.name}{picture}.png": chart.png(lang) for chart in report.charts()}
    _check_own(out)
    made = [path for path in (out, *out.parents) if not path.exists()]
    waiting: list[Path] = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            unfinished = out / f".{name}.tmp"
            remove_unfinished(unfinished)
            with new_file(unfinished) as file:
                waiting.append(unfinished)
                file.write(data)
        with undisturbed():  # all of them or none
            for name, path in zip(files, waiting, strict=True):
                path.replace(out / name)
            waiting, made = [], []
    except OSError as error:
        _clear(waiting, made)
        shown = f"out: can't write to {clip(str(out), 200)}: {error.strerror or error}"
        if isinstance(error, (PermissionError, FileNotFoundError, NotADirectoryError, FileExistsError)):
            raise UsageError(f"{shown}; --out names another folder") from None
        raise RunError(f"{shown}; the same command goes on once that is mended") from None
    except BaseException:
        _clear(waiting, made)
        raise
    return [out / name for name in files]


PAGES = ("report.html", "report-zh.html")
_LEFT = re.compile(r"\.[^.]+\.(html|png)\.tmp")  # by a run that was killed


def _check_own(out: Path) -> None:
    """Refuse a folder that holds something, unless there is an older page in it: that and its pictures are replaced."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"out: {clip(str(out), 200)} is a file; name a folder")
    try:
        there = {path.name for path in out.iterdir()} if out.is_dir() else set()
        held = any(not _LEFT.fullmatch(name) for name in there)
        if held and not any(_is_page(out / name) for name in PAGES if name in there):
            raise UsageError(
                f"out: the folder {clip(str(out), 200)} holds something else than an older page; "
                "name a folder that is new or empty"
            )
    except OSError as error:
        raise UsageError(f"out: {clip(str(out), 200)} can't be read: {error.strerror}") from None


def _is_page(path: Path) -> bool:
    """Whether this command wrote it: its foot says with what."""
    return path.is_file() and b"tuolaji" in path.read_bytes()


def _clear(waiting: list[Path], made: list[Path]) -> None:
    for path in waiting:
        with contextlib.suppress(OSError):
            path.unlink()
    for path in made:
        with contextlib.suppress(OSError):
            path.rmdir()
