"""Runs: playing deals on all cores, into totals, a dataset or a table."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

from ..kernels.compiling import clock
from .errors import Interrupted, RunError, UsageError
from .plan import check_deals, make_plan
from .stopping import interrupt, stopped_by_user, undisturbed
from .storage import place
from .summary import Summary
from .text import clip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow as pa

    from .bidding import Bids
    from .calls import Policies, Words
    from .cluster import Cluster
    from .games import Game
    from .plan import Plan
    from .rules import Rules
    from .runner import Chunk
    from .storage import Place
    from .text import Text
    from .writer import DatasetWriter


def simulate(
    game: str | Game,
    deals: int,
    *,
    seed: int = 0,
    first: int = 0,
    rules: Rules = None,
    policies: Policies = None,
    session: int = 1,
    contract: Mapping[str, Any] | None = None,
    bidding: Bids = None,
    hold: Words = (),
    count: Words = (),
    workers: int | None = None,
    chunk: int | None = None,
) -> pa.Table:
    """Play deals and return their rows: the `deals` columns of a dataset.

    ``rules``: a preset, a TOML file, options like ``{"bottom_multiplier": 4}``, or a ``RuleSet``. ``policies``:
    ``"greedy"``, ``["random", "banker=greedy"]`` or ``{"banker": "greedy"}``. ``bidding``: what `expert` bids by, a
    preset, a file of `tuolaji threshold`, or a mapping like it. ``contract``: a mapping with banker, trump and, in
    die-wu-fen, bid. ``hold`` and ``count`` say what every deal is to have, in words as on the command line:
    ``"0:3h 3h BJ"``, ``["0:trumps=14-18"]``. Workers and chunk change nothing but the time it takes. `UsageError` for
    what is not possible.
    """
    import pyarrow as pa

    from .columns import Rows, arrow_schema

    plan = make_plan(
        game, rules=rules, policies=policies, seed=seed, session=session, contract=contract, bidding=bidding,
        hold=hold, count=count,
    )  # fmt: skip
    batches: list[pa.RecordBatch] = []

    def keep(found: Chunk) -> None:
        batches.append(Rows(plan.game, plan.session, found.first, found.columns).to_batch())

    run(plan, deals, first=first, workers=workers, chunk=chunk, keep=keep)
    return pa.Table.from_batches(batches, schema=arrow_schema(plan.game.name))


def run(
    plan: Plan,
    deals: int,
    *,
    first: int = 0,
    workers: int | None = None,
    chunk: int | None = None,
    out: str | Place | None = None,
    detail: str | None = None,
    resume: bool = False,
    scheduler: str | None = None,
    command_line: str | None = None,
    starting: Callable[[], None] | None = None,
    keep: Callable[[Chunk], None] | None = None,
    report: Callable[[int], None] | None = None,
    found: Callable[[int, list[Text]], None] | None = None,
) -> Summary:
    """Play deals; the summary of all of them.

    ``out``: a folder that is new or empty, to become a dataset, with ``detail`` also of tricks or plays; with
    ``resume`` it may hold a dataset of the same plan, which is gone on with. It may be an address like
    ``s3://bucket/folder``. ``scheduler``: the address of a Dask scheduler whose workers are to play and write (``keep``
    is then not called). ``found`` is called with the number of
    deals that were there, and sentences about what was found. ``starting`` is called when everything asked for has
    been checked, before kernels are loaded or compiled; ``keep`` with each chunk played, in deal order; then
    ``report`` with the number of deals there so far. `Interrupted` when the user stops it, `RunError` when it can't go
    on; what was played until then has been written.
    """
    check_deals(plan, deals, first)
    if detail is not None and detail not in ("tricks", "plays"):
        raise UsageError(f"detail: there is no {clip(detail)}; allowed are tricks or plays")
    if out is None and (resume or detail or scheduler):
        what = "resume" if resume else "detail" if detail else "scheduler"
        raise UsageError(f"{what}: that needs a dataset; name its folder as out")
    writer = None
    with stopped_by_user(interrupt), contextlib.ExitStack() as stack:
        try:
            cluster: Cluster | None = None
            if scheduler is not None:
                from .cluster import Cluster

                cluster = stack.enter_context(Cluster(scheduler))
            if out is not None:
                from .writer import DatasetWriter

                writer = DatasetWriter(
                    out, plan, first=first, deals=deals, chunk=chunk, command_line=command_line, detail=detail,
                    resume=resume, workers=workers or 0, elsewhere=cluster is not None,
                )  # fmt: skip
                if found:
                    found(writer.kept, writer.notes)
            if writer and cluster:
                summary = _play_on(cluster, plan, writer, starting, report, found)
            else:
                if starting:
                    starting()
                summary = _play(plan, deals, first, workers, chunk, writer, keep, report)
            if writer:
                with undisturbed():
                    writer.close()
            return summary
        except KeyboardInterrupt:
            said = _kept(writer, command_line) if writer else _not_begun(out, command_line, resume=resume)
            raise Interrupted(f"interrupted; {said}") from None
        except RunError as error:
            raise RunError(f"{error}; {_kept(writer, command_line)}" if writer else str(error)) from error
        except MemoryError:
            if writer is None:
                raise
            raise RunError(f"there is not enough memory to go on; {_kept(writer, command_line)}") from None
        finally:
            if writer:
                with undisturbed():
                    writer.close()


def _play(
    plan: Plan,
    deals: int,
    first: int,
    workers: int | None,
    chunk: int | None,
    writer: DatasetWriter | None,
    keep: Callable[[Chunk], None] | None,
    report: Callable[[int], None] | None,
) -> Summary:
    """Play what is lacking."""
    from .cores import cores
    from .engine import Engine
    from .parts import written
    from .runner import Runner
    from .totals import Totals

    totals = Totals(plan.session)
    engine = Engine(plan)
    in_full = None
    if writer:
        if writer.totals:
            totals.merge(writer.totals)
        if writer.parts:
            from .resume import check_rows

            check_rows(engine, writer.folder, writer.parts)
        writer.begin()
        if writer.detail:
            engine.load_detail()
            in_full = partial(engine.play_in_full, plays=writer.detail == "plays")
    (in_full or engine.play)(first, 0)  # loads the kernels, which is no playing
    before = totals.deals
    began = clock()
    for span in writer.spans if writer else [None]:
        start, number = (span.first, span.deals) if span else (first, deals)
        runner = Runner(engine, start, number, workers=workers, chunk=chunk, in_full=in_full)
        try:
            with stopped_by_user(runner.stop):
                for played in written(runner, writer, span) if writer and span else runner.chunks():
                    totals.merge(played.totals)
                    if keep:
                        keep(played)
                    if report:
                        report(totals.deals)
        finally:
            runner.close()
        if runner.stopped_early:
            raise KeyboardInterrupt
    seconds = clock() - began
    return Summary(plan, totals, first, seconds, workers or cores(), totals.deals - before)


def _play_on(
    cluster: Cluster,
    plan: Plan,
    writer: DatasetWriter,
    starting: Callable[[], None] | None,
    report: Callable[[int], None] | None,
    found: Callable[[int, list[Text]], None] | None,
) -> Summary:
    """Have a cluster play what is lacking."""
    from .totals import Totals

    totals = Totals(plan.session)
    if writer.totals:
        totals.merge(writer.totals)
    if writer.parts:  # kernels are needed here, too
        from .engine import Engine
        from .resume import check_rows

        if starting:
            starting()
        check_rows(Engine(plan), writer.folder, writer.parts)
    writer.begin()
    before, began = totals.deals, clock()
    if writer.spans:
        cluster.check_shared(writer.address, writer.run)
        with stopped_by_user(cluster.stop):
            whole = cluster.play(
                writer, entered=totals.merge, report=report,
                tell=(lambda note: found(0, [note])) if found else None,
            )  # fmt: skip
        if not whole:
            raise KeyboardInterrupt
    seconds = clock() - began
    return Summary(plan, totals, writer.first, seconds, max(1, cluster.threads), totals.deals - before)


def _kept(writer: DatasetWriter, command_line: str | None) -> str:
    """Close what was written and say what is there and how to go on."""
    with contextlib.suppress(KeyboardInterrupt), undisturbed():
        writer.close()
    rows = writer.close()
    again = f"`{command_line}`" if command_line else "the same call"
    shown = clip(str(writer.folder), 200)
    if writer.is_gone():
        return f"the folder {shown} is gone, and with it what was written; {again} begins anew"
    if not writer.sound and not writer.ahead:
        return f"nothing was written; {again} begins anew"
    if rows == writer.deals and writer.readable:
        return f"all {rows} deals are complete and readable in {shown}"
    again = _going_on(command_line)
    if not writer.readable:
        return f"{writer.sound} sound deals are kept in {shown}; {again} plays the other {writer.deals - writer.sound}"
    if writer.ahead:
        more = f"{writer.ahead} more part{' is' if writer.ahead == 1 else 's are'} finished"
        return (
            f"{rows} deals are complete and readable in {shown}, and {more} there; {again} enters "
            f"{'that' if writer.ahead == 1 else 'these'} and plays the rest"
        )
    return f"{rows} deals are complete and readable in {shown}; {again} plays the other {writer.deals - rows}"


def _not_begun(out: str | Place | None, command_line: str | None, *, resume: bool) -> str:
    """What is in the folder of a run that was stopped before it could write there, and how to go on."""
    if out is None:
        return "nothing was written, for there is no --out"
    shown = clip(str(place(out)), 200)
    if resume:
        from .dataset import read_manifest

        with contextlib.suppress(UsageError):
            rows = sum(entry["rows"] for entry in read_manifest(out)["parts"])
            return f"{shown} is as it was, with {rows} deals by its manifest; {_going_on(command_line)} goes on with it"
    again = f"`{command_line}`" if command_line else "the same call"
    return f"nothing was written to {shown}; {again} begins anew"


def _going_on(command_line: str | None) -> str:
    """What to type, or call, to go on."""
    if command_line is None:
        return "the same call with resume=True"
    return f"`{command_line}`" if "--resume" in command_line.split() else f"`{command_line} --resume`"
