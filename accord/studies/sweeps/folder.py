"""Folder of a sweep: its file, tasks, a folder for each run, and the table of results.

    sweep.yaml      what was asked for
    tasks.jsonl     every task, one a line, in the order of their numbers
    tasks/ab/ID/    the record of a run that has ended, named by the task's id
    leases/ID       who plays a task now
    results.csv     one row a run (and results.parquet)

A record is moved into place at once when its run has ended. Until then it is in a scratch folder, which may be on the
machine that plays it.
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
from dilemmas.records.folders import check_folder
from dilemmas.records.record import write_atomically
from dilemmas.records.results import read_result
from dilemmas.records.seals import is_sealed_yaml, sealed_yaml

SPEC, TASKS, SCRATCH = "sweep.yaml", "tasks.jsonl", "scratch"
FOLDERS = ("tasks", "leases", SCRATCH, "books", "logs")
MAX_TASKS_BYTES = 4 << 30
"""Bytes of tasks.jsonl: a million tasks with long settings."""
ENDED = ("complete", "failed")
"""Statuses of runs that are not played again."""


@dataclass(frozen=True)
class SweepFolder:
    """A sweep on disk."""

    path: Path
    spec: SweepSpec
    tasks: Sequence[SweepTask]
    allowed: tuple[str, ...] = ()
    """Endpoints and paths that the command line allows a sweep made elsewhere to use; its players need them, too."""

    @classmethod
    def make(cls, path: Path, data: dict[str, Any], base: Path) -> SweepFolder:
        """Return the sweep in that folder, made if it is not there. Raises UsageError when another one is."""
        spec = read_sweep(data, base / f"{data.get('name', 'sweep')}.yaml")
        tasks = expand_sweep(spec, base)
        lines = "".join(json.dumps(task.plain(), sort_keys=True) + "\n" for task in tasks)
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
        # The same tasks: what else the file says, such as a higher budget, counts from now on.
        text = yaml.safe_dump(data, sort_keys=False)
        sealed = sealed_yaml(text, SPEC, lines)
        write_atomically(path / SPEC, sealed)
        # Where this user can have no key, whoever plays the tasks is told what this process was given.
        allowed = () if sealed != text else tuple(sorted(names_in(_settings_of(tasks))))
        return cls(path, spec, tasks, allowed)

    @classmethod
    def open(cls, path: Path, allowed: Collection[str] = ()) -> SweepFolder:
        """Return the sweep in that folder.

        The plugins that it was begun with are used again where it was made here; of any other sweep nothing that it
        names is used unless it is `allowed`. Raises UsageError and RecordError.
        """
        try:
            text = read_text(path / SPEC)
            data = load_own(text)
            lines = read_text(path / TASKS, MAX_TASKS_BYTES)
            tasks = [SweepTask.from_plain(json.loads(line)) for line in lines.splitlines()]
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
        """Return the task of that number, from 0. Raises UsageError."""
        if not 0 <= index < len(self.tasks):
            raise UsageError(f"task {index} is not in {self.path}; give a number from 0 to {len(self.tasks) - 1}")
        return self.tasks[index]

    def home(self, task: SweepTask) -> Path:
        """Return where the record of that run is when it has ended."""
        return self.path / "tasks" / task.id[:2] / task.id

    def lease(self, task: SweepTask) -> Path:
        """Return the file that says who plays it."""
        return self.path / "leases" / task.id

    def result(self, task: SweepTask) -> dict[str, Any] | None:
        """Return what came of the run so far; None while there is nothing.

        Raises RecordError for an unreadable file.
        """
        for folder in (self.home(task), self.path / SCRATCH / task.id / "run"):
            if os.path.lexists(folder / "result.json"):
                return _of_run(folder / "result.json")
        return None

    def is_done(self, task: SweepTask) -> bool:
        """Return whether the run has ended, and will not be played again."""
        return os.path.lexists(self.home(task) / "result.json")

    def take_up(self, task: SweepTask) -> None:
        """Have a run that has failed go on from where it failed, such as at an endpoint that was down; others stay.

        Raises RecordError when it cannot be moved.
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
        """Move a record to its place at one stroke; where the run is there already, the record is thrown away.

        Raises RecordError when it cannot be moved; the record stays where it is then.
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
    """Return the result of a run. Raises RecordError for what is none, in the fields that a sweep goes by."""
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
    """Yield the plain settings of tasks, once for those that differ in the seed alone."""
    seen: set[str] = set()
    for task in tasks:
        plain = {**asdict(task), "seed": 0}
        key = json.dumps(plain, sort_keys=True)
        if key not in seen:
            seen.add(key)
            own = {"scenario": task.scenario, "contracts": [task.condition], "model": task.model}
            yield {**task.settings, **task.parameters, **own}


def _rename_new(source: Path, target: Path) -> None:
    """Rename a folder to a name that nobody has. Raises FileExistsError."""
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise FileExistsError from error
        raise
