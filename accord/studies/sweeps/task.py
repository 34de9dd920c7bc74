"""Playing one task of a sweep: its run is started, or resumed if it was interrupted; a finished run is kept."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Literal

from accord.studies.runner import Worlds
from accord.studies.setup import with_kept_prompts
from accord.studies.study import resume_study, run_study
from accord.studies.sweeps.folder import ENDED, SCRATCH, SweepFolder
from accord.studies.sweeps.lease import TaskLease, acquire_lease
from accord.studies.sweeps.sweep_budget import Book, SharedBudget
from accord.studies.sweeps.tasks import SweepTask
from bridge.worlds import open_world
from common.plain_files import is_plain
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.folders import check_folder
from dilemmas.records.locking import LOCK, StudyInUse
from dilemmas.records.record import CONFIG
from dilemmas.records.results import read_result
from voyager_agents import Budget, Prices
from voyager_agents.budget import Caps

Outcome = Literal["complete", "failed", "infrastructure", "budget", "busy"]
"""Outcome of a task: the status of its run, or `busy` while another process plays it."""


async def play_task(
    folder: SweepFolder,
    index: int,
    *,
    worlds: Worlds = open_world,
    scratch: Path | None = None,
    book: Book | None = None,
) -> Outcome:
    """Play a task and return its outcome.

    The call is idempotent: after any earlier or concurrent attempts, the run exists exactly once. Raises UsageError,
    PrerequisiteError and RecordError; other failures are statuses of the run.

    Args:
        folder: Folder of the sweep.
        index: Number of the task.
        worlds: Factory of worlds.
        scratch: Folder of this machine for runs in progress.
        book: Account of spending from the sweep's budget.
    """
    task = folder.task(index)
    lease = await asyncio.to_thread(_taken, folder, task)
    if lease is None:
        return _ended(folder, task) or "busy"
    with lease:
        shared = folder.path / SCRATCH / task.id
        place = shared if scratch is None else _place(scratch, folder, task)
        if (ended := _ended(folder, task)) is not None:
            # A process that was killed after the run's end leaves its lease, which ends here, and its scratch folders.
            _remove(place, shared)
            return ended
        try:
            _bring(shared, place, inherited=lease.inherited)
            status = await _play(task, place, worlds, book or Book(folder.path, {}))
        except (OSError, UsageError, RecordError):
            if lease.held:
                raise
            return "busy"
        finally:
            if place != shared and place.exists() and lease.held and not _is_over(place):
                _moved(place, shared)
        if not lease.held:
            return "busy"
        if status in ENDED:
            folder.bring_home(task, place / "run")
            _remove(place, shared)
        return status


def _remove(*scratch: Path) -> None:
    for each in scratch:
        shutil.rmtree(each, ignore_errors=True)


def _taken(folder: SweepFolder, task: SweepTask) -> TaskLease | None:
    try:
        return acquire_lease(folder.lease(task))
    except OSError as error:
        raise RecordError(f"cannot write to {folder.path / 'leases'}: {error.strerror}; make room, and go on") from None


def _place(scratch: Path, folder: SweepFolder, task: SweepTask) -> Path:
    """Return the scratch folder of a task on this machine, distinct for sweeps of the same name at other paths."""
    where = hashlib.sha256(str(folder.path.resolve()).encode()).hexdigest()[:8]
    return scratch / f"{folder.spec.name}-{where}" / task.id


def _bring(shared: Path, place: Path, *, inherited: bool) -> None:
    """Move the record of an unfinished run to the place where it continues. Raises RecordError.

    The record is copied, so that an earlier holder of the lease, if still alive, writes to files that are not read.
    """
    if not shared.exists():
        return
    if place != shared:
        _moved(shared, place)
    elif inherited:
        aside = shared.with_name(f".{shared.name}.{secrets.token_hex(4)}")
        shared.rename(aside)
        _moved(aside, shared)
    if inherited:
        # The lease replaces the lock of an earlier holder, which may be on another machine.
        (place / "run" / LOCK).unlink(missing_ok=True)


def _moved(source: Path, target: Path) -> None:
    """Move the record of an unfinished run across file systems; the target appears atomically. Raises RecordError."""
    staging = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, staging)
        shutil.rmtree(target, ignore_errors=True)
        staging.rename(target)
        shutil.rmtree(source)
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise RecordError(f"cannot move {source} to {target}: {error.strerror}; make room, and go on") from None


def _is_over(place: Path) -> bool:
    """Return whether the run in a scratch folder has finished."""
    result = place / "run" / "result.json"
    return result.is_file() and read_result(result)["status"] in ENDED


def _ended(folder: SweepFolder, task: SweepTask) -> Outcome | None:
    if not folder.is_done(task):
        return None
    result = folder.result(task)
    assert result is not None
    status: Outcome = result["status"]
    return status


async def _play(task: SweepTask, place: Path, worlds: Worlds, book: Book) -> Outcome:
    def open_budget(caps: Caps, prices: Prices) -> Budget:
        return SharedBudget(caps, prices, book)

    record = place / "run"
    await asyncio.to_thread(place.mkdir, parents=True, exist_ok=True)
    try:
        settings = replace(task.study(place), out=place)
        if is_plain(record / CONFIG):
            # The settings come from the task and not from the record, which may be untrusted.
            check_folder(record)
            found = await resume_study(
                record, with_kept_prompts(settings, record), worlds=worlds, make_budget=open_budget
            )
        else:
            found = await run_study(settings, worlds=worlds, directory=record, make_budget=open_budget)
    except StudyInUse:
        return "busy"
    return found.status
