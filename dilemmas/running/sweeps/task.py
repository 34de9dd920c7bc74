"""Playing one task: done at once when its run has ended, resumed where it was begun, else begun."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Literal

from bridge.worlds import open_world
from dilemmas.running.runner import Worlds
from dilemmas.running.study import read_settings, resume_study, run_study
from dilemmas.running.sweeps.folder import ENDED, SCRATCH, SweepFolder
from dilemmas.running.sweeps.lease import take
from dilemmas.running.sweeps.purse import Book, SharedPurse
from dilemmas.running.sweeps.tasks import Task
from voyager_agents import Prices, Purse
from voyager_agents.budget import Caps

Outcome = Literal["complete", "failed", "infrastructure", "budget", "busy"]
"""What came of a task: its run's status, or busy while somebody else plays it."""


async def play_task(
    folder: SweepFolder,
    index: int,
    *,
    worlds: Worlds = open_world,
    scratch: Path | None = None,
    book: Book | None = None,
) -> Outcome:
    """Play the task of that number; `scratch` is a folder of this machine for runs that have not ended, `book` takes
    what it spends of the sweep's budget.

    Idempotent: whatever happened before, and whoever else tries at the same time, its run is there once in the end.
    Raises UsageError, PrerequisiteError and RecordError; all else is the run's status.
    """
    task = folder.task(index)
    if (ended := _ended(folder, task)) is not None:
        return ended
    lease = take(folder.lease(task))
    if lease is None:
        return _ended(folder, task) or "busy"
    with lease:
        # Somebody may have ended it between the look and the lease.
        if (ended := _ended(folder, task)) is not None:
            return ended
        shared = folder.path / SCRATCH / task.id
        place = shared if scratch is None else scratch / folder.spec.name / task.id
        if shared.exists() and place != shared and not place.exists():
            _moved(shared, place)
        status = await _play(task, place, worlds, book or Book(folder.path, {}))
        if not lease.held:
            return "busy"
        if status in ENDED:
            folder.bring_home(task, place / "run")
            shutil.rmtree(place, ignore_errors=True)
        elif place != shared:
            _moved(place, shared)
        return status


def _moved(source: Path, target: Path) -> None:
    """Take what was played of a run to or from this machine."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(source, target)


def _ended(folder: SweepFolder, task: Task) -> Outcome | None:
    if not folder.is_done(task):
        return None
    result = folder.result(task)
    assert result is not None
    status: Outcome = result["status"]
    return status


async def _play(task: Task, place: Path, worlds: Worlds, book: Book) -> Outcome:
    def purse(caps: Caps, prices: Prices) -> Purse:
        return SharedPurse(caps, prices, book)

    record = place / "run"
    await asyncio.to_thread(place.mkdir, parents=True, exist_ok=True)
    if (record / "config.yaml").is_file():
        found = await resume_study(record, read_settings(record), worlds=worlds, purse=purse)
    else:
        settings = replace(task.study(place), out=place)
        found = await run_study(settings, worlds=worlds, directory=record, purse=purse)
    return found.status
