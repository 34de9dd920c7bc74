"""Playing a sweep: open its folder, play its tasks by an engine, write its table."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.studies.estimate import expect
from accord.studies.models import Models
from accord.studies.sweeps.engine import Engine, Heard, Order
from accord.studies.sweeps.folder import SPEC, SweepFolder
from accord.studies.sweeps.spec import PARTS, SweepSpec, read_sweep
from accord.studies.sweeps.sweep_budget import caps_of
from accord.studies.sweeps.table import rows, write_table
from accord.studies.sweeps.tasks import SweepTask, expand_sweep
from common.plain_files import is_plain
from common.plugins import active
from dilemmas.errors import UsageError
from dilemmas.scenarios.loader import read_yaml
from dilemmas.scenarios.registry import load_scenario


@dataclass(frozen=True)
class SweepResult:
    """Result of a sweep."""

    folder: Path
    statuses: Mapping[str, int]
    """Status -> number of runs; `pending` for runs that were not played."""
    tables: list[Path]

    @property
    def complete(self) -> bool:
        """True if all runs are complete."""
        return set(self.statuses) <= {"complete"}


def open_sweep(path: Path, out: Path, allowed: Collection[str] = ()) -> SweepFolder:
    """Return the sweep of a file or of an existing folder. Raises UsageError.

    Args:
        path: File of a sweep, or folder of one.
        out: Folder in which the sweep of a file gets a folder of its name.
        allowed: Endpoints and paths that an untrusted sweep's folder may use.
    """
    if is_plain(path / SPEC):
        return SweepFolder.open(path, allowed)
    if not path.is_file():
        raise UsageError(f"{path} is neither a sweep's file nor its folder; give the path of a .yaml file")
    data = read_yaml(path)
    data = {**data, "name": data.get("name", path.stem)}
    name = data["name"] if isinstance(data["name"], str) else "sweep"
    return SweepFolder.make(out.expanduser() / Path(name).name, data, path.absolute().parent)


async def run_sweep(
    folder: SweepFolder,
    engine: Engine,
    heard: Heard,
    *,
    scratch: Path | None = None,
    budget: Mapping[str, float] | None = None,
    only: int | None = None,
) -> SweepResult:
    """Play all unfinished tasks, and write the table even after a failure.

    Args:
        folder: Folder of the sweep.
        engine: Engine that plays the tasks.
        heard: Called with the number and the outcome of each ended task.
        scratch: Folder for runs in progress, local to the machine.
        budget: Caps that override those of the sweep's file.
        only: Number of the first tasks that are played; None for all.

    Raises:
        UsageError: Wrong input, before anything is played.
        PrerequisiteError: Something is missing on this machine. Errors of the engine are raised as well.
    """
    leased = folder.leased()
    left = [index for index, task in enumerate(folder.tasks[:only]) if not folder.is_done(task) or task.id in leased]
    await check_models(folder, budget)
    try:
        if left:
            plugins = tuple(str(each) for each in active())
            order = Order(folder.path, scratch, dict(budget or {}), folder.allowed, plugins)
            await engine.play(order, left, heard)
    except BaseException:
        # Report the error that ended the sweep rather than a failure to write the table.
        with contextlib.suppress(OSError):
            write_table(folder)
        raise
    tables = write_table(folder)
    return SweepResult(folder.path, Counter(str(row["status"]) for row in rows(folder)), tables)


async def check_models(folder: SweepFolder, budget: Mapping[str, float] | None = None) -> None:
    """Check before the first run that all models can be opened, and have a price if the budget is in dollars.

    `budget` overrides the one in the sweep's file. Raises UsageError.
    """
    seen: set[tuple[object, ...]] = set()
    caps = caps_of({**{str(name): cap for name, cap in folder.spec.budget.items()}, **(budget or {})})
    for task in folder.tasks:
        own = {name: value for name, value in task.parameters.items() if name.partition(".")[0] not in PARTS}
        key = (task.model, *sorted((name, str(value)) for name, value in own.items()))
        if key not in seen:
            seen.add(key)
            plain = task.settings_with({"scenario": task.scenario, "contracts": [task.condition]})
            if not (plain.model or plain.models):
                continue
            await Models([plain], caps).close()


def count_of(spec: SweepSpec, tasks: int) -> str:
    """Return the number of tasks and its factors as text, such as `6 tasks (2 worlds x 3 seeds)`."""
    parts = {
        "scenarios": len(spec.scenarios), "worlds": len(spec.worlds), "models": len(spec.models),
        "conditions": len(spec.conditions), "points": sum(1 for _ in spec.values()), "seeds": len(spec.all_seeds),
    }  # fmt: skip
    told = " x ".join(f"{count} {name if count != 1 else name[:-1]}" for name, count in parts.items() if count > 1)
    return f"{tasks} tasks" + (f" ({told})" if told else "")


async def preview(path: Path, jobs: int, allowed: Collection[str] = ()) -> dict[str, Any]:
    """Return a sweep's estimate: tasks, hours, and minimum and maximum calls, tokens and dollars. Raises UsageError.

    Nothing is written.
    """
    spec, tasks = await asyncio.to_thread(_planned, path, allowed)
    needs = {name: [0.0, 0.0] for name in ("calls", "tokens", "usd")}
    game_s = real_s = 0.0
    for task, count in _alike(tasks):
        with tempfile.TemporaryDirectory(prefix="accord-sweep-") as scratch:
            settings = task.study(Path(scratch))
            limit = settings.time_limit_s or load_scenario(settings.scenario).spec.end.time_limit_s
            game_s += limit * settings.episodes * count
            real_s += 0.0 if settings.virtual else limit * settings.episodes * count
            if task.model or settings.models:
                _add(needs, await expect(settings), count)
    told = f"at least {real_s / jobs / 3600:.2f} h with {jobs} jobs" if real_s else "as fast as it computes (mock)"
    return {
        "name": spec.name, "tasks": len(tasks), "told": count_of(spec, len(tasks)), **needs,
        "game_hours": game_s / 3600, "real_hours": real_s / jobs / 3600, "hours_told": told,
    }  # fmt: skip


def _planned(path: Path, allowed: Collection[str]) -> tuple[SweepSpec, list[SweepTask]]:
    """Return a sweep and its tasks: all of a file's, or the unfinished ones of a folder's. Raises UsageError."""
    if is_plain(path / SPEC):
        folder = SweepFolder.open(path, allowed)
        return folder.spec, [each for each in folder.tasks if not folder.is_done(each)]
    data = read_yaml(path)
    spec = read_sweep({**data, "name": data.get("name", path.stem)}, path)
    return spec, expand_sweep(spec, path.absolute().parent)


def _alike(tasks: Sequence[SweepTask]) -> Iterator[tuple[SweepTask, int]]:
    """Yield one task and the number of tasks for each group of tasks that differ only in the seed."""
    counted: dict[str, tuple[SweepTask, int]] = {}
    for task in tasks:
        kind = replace(task, seed=0).id
        first, count = counted.get(kind, (task, 0))
        counted[kind] = (first, count + 1)
    yield from counted.values()


def _add(needs: dict[str, list[float]], expected: dict[str, Any], count: int) -> None:
    for name, (least, most) in needs.items():
        needs[name] = [least + count * (expected["least"][name] or 0), most + count * (expected["most"][name] or 0)]
