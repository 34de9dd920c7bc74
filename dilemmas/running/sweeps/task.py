"""Playing one task: done at once when its run has ended, resumed where it was begun, else begun."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from bridge.worlds import open_world
from dilemmas.records.results import read_result
from dilemmas.running.runner import Worlds
from dilemmas.running.study import read_settings, resume_study, run_study
from dilemmas.running.sweeps.folder import SCRATCH, SweepFolder
from dilemmas.running.sweeps.lease import take
from dilemmas.running.sweeps.tasks import Task

Outcome = Literal["complete", "failed", "infrastructure", "budget", "busy"]
"""What came of a task: its run's status, or busy while somebody else plays it."""


async def play_task(
    folder: SweepFolder, index: int, *, worlds: Worlds = open_world, scratch: Path | None = None
) -> Outcome:
    """Play the task of that number; `scratch` is a folder of this machine for runs that have not ended.

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
        place = (scratch / folder.spec.name if scratch is not None else folder.path / SCRATCH) / task.id
        status = await _play(task, place, worlds)
        if lease.held:
            folder.bring_home(task, place / "run")
            shutil.rmtree(place, ignore_errors=True)
        return status


def _ended(folder: SweepFolder, task: Task) -> Outcome | None:
    if not folder.is_done(task):
        return None
    result = folder.result(task)
    assert result is not None
    status: Outcome = result["status"]
    return status


async def _play(task: Task, place: Path, worlds: Worlds) -> Outcome:
    record = place / "run"
    place.mkdir(parents=True, exist_ok=True)
    if (record / "config.yaml").is_file():
        found = await resume_study(record, read_settings(record), worlds=worlds)
    else:
        settings = replace(task.study(place), out=place)
        found = await run_study(settings, worlds=worlds, directory=record)
    result: dict[str, Any] = read_result(record / "result.json")
    assert result["status"] == found.status
    return found.status
