"""Functions that play runs and studies from Python, with keyword arguments for the options of `accord run`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar, Unpack

from rich.console import Console

from accord.analysis.validity import Treatment
from accord.records import Run, Study
from accord.studies.keyword_options import Options
from accord.studies.launch import play, progress_of, report_process, starter, write_up
from accord.studies.runner import usual_world
from accord.studies.settings import StudySettings
from common.plugins import active, add
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario

T = TypeVar("T")


def run(
    scenario: str | Path,
    contract: str = "none",
    *,
    seed: int = 0,
    report: bool = False,
    progress: bool = True,
    **options: Unpack[Options],
) -> Run:
    """Play one run of a scenario under one condition and return its record, also if the run failed.

    Args:
        scenario: Name of a scenario, or path of a YAML file.
        contract: A condition of the scenario, or path of a contract's YAML file.
        seed: Seed of all random choices.
        report: True to write a report into the record.
        progress: True to show progress on standard error.
        options: Further options, see `Options`.

    Raises:
        UsageError: Wrong input, before anything is started.
        PrerequisiteError: Something is missing on this machine (`common.errors`).
    """
    return _now(run_async(scenario, contract, seed=seed, report=report, progress=progress, **options), "run")


async def run_async(
    scenario: str | Path,
    contract: str = "none",
    *,
    seed: int = 0,
    report: bool = False,
    progress: bool = True,
    **options: Unpack[Options],
) -> Run:
    """Play one run like `run`, awaited in a notebook or a program with its own event loop.

    Args:
        scenario: As in `run`.
        contract: As in `run`.
        seed: As in `run`.
        report: As in `run`.
        progress: As in `run`.
        options: As in `run`.

    Raises:
        UsageError: Wrong input, or a contract that names several conditions.
    """
    settings = study_settings(scenario, (contract,), {"seed": seed}, options)
    found = await _played(settings, report=report, progress=progress)
    if len(found.runs) != 1:
        raise UsageError(f"{contract!r} names {len(found.runs)} conditions: play them with accord.study")
    return found.runs[0]


def study(
    scenario: str | Path,
    contracts: Sequence[str] = ("none",),
    *,
    runs: int = 1,
    seed: int = 0,
    jobs: int = 1,
    vary: Mapping[str, Sequence[str]] | None = None,
    invalid: Treatment = "apart",
    report: bool = True,
    progress: bool = True,
    **options: Unpack[Options],
) -> Study:
    """Play a scenario under several conditions and return the record. Raises as `run` does.

    Args:
        scenario: Name of a scenario, or path of a YAML file.
        contracts: Conditions of the scenario, or paths of contracts' YAML files.
        runs: Runs per condition, with the seeds `seed`, `seed + 1`, ...
        seed: First seed.
        jobs: Concurrent runs, each in a process of its own.
        vary: Factors and their values, such as `{"model": ["openai/a", "openai/b"]}`.
        invalid: Treatment of runs whose figures tell nothing about their players.
        report: True to write a report into the record.
        progress: True to show progress on standard error.
        options: Further options, see `Options`.
    """
    several = {"runs": runs, "seed": seed, "jobs": jobs, "vary": vary, "invalid": invalid}
    return _now(_study(scenario, contracts, several, report, progress, options), "study")


async def study_async(
    scenario: str | Path,
    contracts: Sequence[str] = ("none",),
    *,
    runs: int = 1,
    seed: int = 0,
    jobs: int = 1,
    vary: Mapping[str, Sequence[str]] | None = None,
    invalid: Treatment = "apart",
    report: bool = True,
    progress: bool = True,
    **options: Unpack[Options],
) -> Study:
    """Play a study like `study`, awaited in a notebook or a program with its own event loop.

    Args:
        scenario: As in `study`.
        contracts: As in `study`.
        runs: As in `study`.
        seed: As in `study`.
        jobs: As in `study`.
        vary: As in `study`.
        invalid: As in `study`.
        report: As in `study`.
        progress: As in `study`.
        options: As in `study`.
    """
    several = {"runs": runs, "seed": seed, "jobs": jobs, "vary": vary, "invalid": invalid}
    return await _study(scenario, contracts, several, report, progress, options)


async def _study(
    scenario: str | Path,
    contracts: Sequence[str],
    several: Mapping[str, Any],
    report: bool,
    progress: bool,
    options: Options,
) -> Study:
    named = (contracts,) if isinstance(contracts, str) else tuple(contracts)
    return await _played(study_settings(scenario, named, several, options), report=report, progress=progress)


def study_settings(
    scenario: str | Path, contracts: tuple[str, ...], several: Mapping[str, Any], options: Options
) -> StudySettings:
    """Return the settings of a study.

    Args:
        scenario: Name of a scenario, or path of a YAML file.
        contracts: Conditions of the scenario, or paths of contracts' YAML files.
        several: Seeds, jobs and factors of the study.
        options: Further options.

    Raises:
        UsageError: Wrong input, also an unknown option.
    """
    if unknown := sorted(set(options) - set(Options.__annotations__)):
        raise UsageError(f"{unknown[0]!r} is no option; choose from {', '.join(sorted(Options.__annotations__))}")
    chosen = {key: value for key, value in {**several, **options}.items() if value is not None}
    for folder in chosen.get("plugins", ()):
        add(Path(folder))
    if "plugins" in chosen:
        chosen["plugins"] = active()
    if "world" not in chosen:
        chosen["world"] = usual_world(load_scenario(str(scenario)), chosen.get("embodied", "off"))
    return StudySettings(str(scenario), contracts, **chosen)


async def _played(settings: StudySettings, *, report: bool, progress: bool) -> Study:
    console = Console(stderr=True, quiet=not progress)
    with (
        report_process(settings) if report else nullcontext() as process,
        progress_of(settings, console) as shown,
    ):
        result = await play(starter(settings), settings, shown)
        if report:
            write_up(result.directory, shown, process=process)
    return Study(result.directory)


def _now(playing: Coroutine[Any, Any, T], name: str) -> T:
    """Run the coroutine in a new event loop and return its result. Raises UsageError if an event loop is running."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(playing)
    playing.close()
    raise UsageError(f"an event loop is running here, as in a notebook: write `await accord.{name}_async(...)`")
