"""Folder of a sweep: its file, tasks, the records of its runs, and the table of results.

    sweep.yaml      the sweep's file
    tasks.jsonl     all tasks, one per line, in order of their numbers
    tasks/ab/ID/    record of a finished run, named by the task's id
    leases/ID       holder of a task that is being played
    results.csv     one row per run (also results.parquet)

A record is moved into place atomically when its run has finished. Until then it is in a scratch folder, which may be
local to the machine that plays the run.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import yaml

from accord.studies.received import check_named, names_in, use_recorded_plugins
from accord.studies.sweeps.spec import SweepSpec, read_sweep
from accord.studies.sweeps.tasks import SweepTask, expand_sweep
from common.plain_files import is_folder, read_text
from common.plugins import active
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import Status
from dilemmas.records.folders import check_folder, task_folder
from dilemmas.records.record import write_atomically
from dilemmas.records.results import read_result
from dilemmas.records.seals import is_sealed_yaml, sealed_yaml

SPEC, TASKS, SCRATCH = "sweep.yaml", "tasks.jsonl", "scratch"
FOLDERS = ("tasks", "leases", SCRATCH, "books", "logs")
MAX_TASKS_BYTES = 4 << 30
"""Maximum size of tasks.jsonl in bytes: enough for a million tasks with long settings."""
ENDED = ("complete", "failed")
"""Statuses of finished runs, which are not played again."""


@dataclass(frozen=True)
class SweepFolder:
    """Sweep on disk."""

    path: Path
    spec: SweepSpec
    tasks: Sequence[SweepTask]
    allowed: tuple[str, ...] = ()
    """Endpoints and paths that an untrusted sweep may use; workers that open the folder need them too."""

    @classmethod
    def make(cls, path: Path, data: dict[str, Any], base: Path) -> SweepFolder:
        """Create the sweep in a folder, or return it if it exists. Raises UsageError if the folder holds another."""
        spec = read_sweep(data, base / f"{data.get('name', 'sweep')}.yaml")
        tasks = expand_sweep(spec, base)
        lines = "".join(json.dumps(task.to_dict(), sort_keys=True) + "\n" for task in tasks)
        try:
            path.mkdir(parents=True, exist_ok=True)
            _check_folders(path)
            for name in ("tasks", "leases", SCRATCH):
                (path / name).mkdir(exist_ok=True)
            if not os.path.lexists(path / TASKS):
                write_atomically(path / TASKS, lines)
            kept = read_text(path / TASKS, MAX_TASKS_BYTES)
        except OSError as error:
            raise UsageError(
                f"{path}: cannot be written ({error.strerror}); choose another folder with --out"
            ) from None
        if kept != lines:
            raise UsageError(f"{path} holds another sweep, or its files have changed since; choose another --out")
        # With equal tasks, other changes of the file apply from now on, such as a higher budget.
        text = yaml.safe_dump(data, sort_keys=False)
        sealed = sealed_yaml(text, SPEC, lines)
        write_atomically(path / SPEC, sealed)
        # If this user cannot have a key for seals, workers get the names that this process was given.
        allowed = () if sealed != text else tuple(sorted(names_in(_settings_of(tasks))))
        return cls(path, spec, tasks, allowed)

    @classmethod
    def open(cls, path: Path, allowed: Collection[str] = ()) -> SweepFolder:
        """Return the sweep in a folder. Raises UsageError and RecordError.

        If the sweep was recorded by this user on this machine, its plugins are used again. Otherwise the endpoints,
        files and plugins that it names must be in `allowed` or in use already.
        """
        try:
            text = read_text(path / SPEC)
            data = load_own(text)
            lines = read_text(path / TASKS, MAX_TASKS_BYTES)
            tasks = [SweepTask.from_dict(json.loads(line)) for line in lines.splitlines()]
            if not isinstance(data, dict):
                raise ValueError("no mapping")
            _check_folders(path)
        except (OSError, ValueError, TypeError, RecursionError, AttributeError, yaml.YAMLError):
            raise UsageError(f"{path} is no sweep; give the folder that 'accord sweep' has written") from None
        found = cls(path, read_sweep(data, path / SPEC), tasks, tuple(allowed))
        if is_sealed_yaml(text, SPEC, lines):
            use_recorded_plugins(path, tasks[0].settings.get("plugins") if tasks else None, None)
        else:
            check_folder(path)
            known = {str(each) for each in active()}
            named = {str(each) for task in tasks for each in task.settings.get("plugins") or ()} - known
            plugins = [{"name": each, "version": ""} for each in sorted(named)]
            check_named(path, _settings_of(tasks), allowed, plugins, prompts=True)
        return found

    def task(self, index: int) -> SweepTask:
        """Return a task by its number, from 0. Raises UsageError."""
        if not 0 <= index < len(self.tasks):
            raise UsageError(f"task {index} is not in {self.path}; give a number from 0 to {len(self.tasks) - 1}")
        return self.tasks[index]

    def home(self, task: SweepTask) -> Path:
        """Return the path of a task's record once its run has finished."""
        return task_folder(self.path, task.id)

    def lease(self, task: SweepTask) -> Path:
        """Return the path of a task's lease."""
        return self.path / "leases" / task.id

    def leased(self) -> set[str]:
        """Return the ids of tasks with a lease, which may be one that a killed process has left."""
        return {each.name.partition(".")[0] for each in (self.path / "leases").iterdir()}

    def result(self, task: SweepTask) -> dict[str, Any] | None:
        """Return the result of a task's run so far; None without one. Raises RecordError for an unreadable file."""
        for folder in (self.home(task), self.path / SCRATCH / task.id / "run"):
            if os.path.lexists(folder / "result.json"):
                return _of_run(folder / "result.json")
        return None

    def is_done(self, task: SweepTask) -> bool:
        """Return whether a task's run has finished and is not played again."""
        return os.path.lexists(self.home(task) / "result.json")

    def take_up(self, task: SweepTask) -> None:
        """Reopen the record of a failed run, so that the run continues, for example after an endpoint was down.

        Does nothing for other runs. Raises RecordError if the record cannot be moved.
        """
        result = self.result(task) if self.is_done(task) else None
        if result is None or result["status"] == "complete":
            return
        place = self.path / SCRATCH / task.id
        try:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            self.home(task).rename(place / "run")
        except OSError as error:
            raise RecordError(f"cannot move {self.home(task)} to {place}: {error.strerror}; make room") from None

    def bring_home(self, task: SweepTask, record: Path) -> None:
        """Move a finished record into place atomically; if the run has a record there already, delete this one.

        Raises RecordError if the record cannot be moved, and leaves it in its old place.
        """
        home = self.home(task)
        staging = home.with_name(f".{home.name}.{secrets.token_hex(4)}")
        try:
            home.parent.mkdir(parents=True, exist_ok=True)
            try:
                record.rename(staging)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                shutil.copytree(record, staging)
            with contextlib.suppress(FileExistsError):
                _rename_new(staging, home)
        except OSError as error:
            if staging.exists() and not record.exists():
                staging.rename(record)
            raise RecordError(f"cannot bring {record} to {home}: {error.strerror}; make room, and go on") from None
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        shutil.rmtree(record, ignore_errors=True)


def _of_run(path: Path) -> dict[str, Any]:
    """Return the result of a run. Raises RecordError if it lacks the fields that sweeps use."""
    result = read_result(path)
    players = result.get("players")
    if result.get("status") not in get_args(Status) or not isinstance(players, dict):
        raise RecordError(f"{path}: is no result of a run; take its folder away, and the run is played again")
    return result


def _check_folders(path: Path) -> None:
    """Check that no folder of a sweep is a link. Raises OSError."""
    for name in FOLDERS:
        if os.path.lexists(path / name) and not is_folder(path / name):
            raise NotADirectoryError(errno.ENOTDIR, f"{name} is no folder", str(path / name))


def _settings_of(tasks: Sequence[SweepTask]) -> Iterator[dict[str, Any]]:
    """Yield the plain settings of tasks, once for tasks that differ only in the seed."""
    seen: set[str] = set()
    for task in tasks:
        plain = {**asdict(task), "seed": 0}
        key = json.dumps(plain, sort_keys=True)
        if key not in seen:
            seen.add(key)
            own = {"scenario": task.scenario, "contracts": [task.condition], "model": task.model}
            yield {**task.settings, **task.parameters, **own}


def _rename_new(source: Path, target: Path) -> None:
    """Rename a folder to an unused name. Raises FileExistsError."""
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise FileExistsError from error
        raise
