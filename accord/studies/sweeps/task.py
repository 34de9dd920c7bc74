"""Playing one task: done at once when its run has ended, resumed where it was begun, else begun."""

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
from accord.studies.sweeps.lease import TaskLease, take
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
"""Outcome of a task: its run's status, or busy while another process plays it."""


async def play_task(
    folder: SweepFolder,
    index: int,
    *,
    worlds: Worlds = open_world,
    scratch: Path | None = None,
    book: Book | None = None,
) -> Outcome:
    """Play a task and return its outcome.

    Idempotent: after earlier or concurrent attempts of any process the run exists exactly once. Raises UsageError,
    PrerequisiteError and RecordError; other failures are the run's status.

    Args:
        folder: Folder of the sweep.
        index: Number of the task.
        worlds: Factory of worlds.
        scratch: Folder of this machine for runs in progress.
        book: Account of spending from the sweep's budget.
    """
    task = folder.task(index)
    if (ended := _ended(folder, task)) is not None:
        return ended
    lease = await asyncio.to_thread(_taken, folder, task)
    if lease is None:
        return _ended(folder, task) or "busy"
    with lease:
        # Somebody may have ended it between the look and the lease.
        if (ended := _ended(folder, task)) is not None:
            return ended
        shared = folder.path / SCRATCH / task.id
        place = shared if scratch is None else _place(scratch, folder, task)
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
            for each in (place, shared):
                shutil.rmtree(each, ignore_errors=True)
        return status


def _taken(folder: SweepFolder, task: SweepTask) -> TaskLease | None:
    try:
        return take(folder.lease(task))
    except OSError as error:
        raise RecordError(f"cannot write to {folder.path / 'leases'}: {error.strerror}; make room, and go on") from None


def _place(scratch: Path, folder: SweepFolder, task: SweepTask) -> Path:
    """Return the run's folder on this machine; sweeps of the same name are distinguished by their paths."""
    where = hashlib.sha256(str(folder.path.resolve()).encode()).hexdigest()[:8]
    return scratch / f"{folder.spec.name}-{where}" / task.id


def _bring(shared: Path, place: Path, *, inherited: bool) -> None:
    """Put what was played of a run so far where it goes on. Raises RecordError.

    Whoever had it before, and may still live, keeps on writing to files that nobody reads.
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
        # The lease says who plays; a lock that another machine has left behind says no more.
        (place / "run" / LOCK).unlink(missing_ok=True)


def _moved(source: Path, target: Path) -> None:
    """Take what was played of a run to or from this machine, at one stroke. Raises RecordError."""
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
    """Return whether that run has ended, so that its record goes home."""
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
    def purse(caps: Caps, prices: Prices) -> Budget:
        return SharedBudget(caps, prices, book)

    record = place / "run"
    await asyncio.to_thread(place.mkdir, parents=True, exist_ok=True)
    try:
        settings = replace(task.study(place), out=place)
        if is_plain(record / CONFIG):
            # The task says how it is played, and not what lies in its folder.
            check_folder(record)
            found = await resume_study(record, with_kept_prompts(settings, record), worlds=worlds, purse=purse)
        else:
            found = await run_study(settings, worlds=worlds, directory=record, purse=purse)
    except StudyInUse:
        return "busy"
    return found.status
