"""Functions that play runs and studies from Python, with keyword arguments for the options of `accord run`."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from rich.console import Console

from accord.analysis.validity import Treatment
from accord.records import Run, Study
from accord.studies.launch import play, progress_of, report_process, starter, write_up
from accord.studies.runner import usual_world
from accord.studies.settings import StudySettings
from common.plugins import active, add
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario

T = TypeVar("T")


class Options(TypedDict, total=False):
    """Keyword options of `run` and `study`, named like the options of `accord run` (docs/cli.md)."""

    world: str
    """Name of the world: `embedded`, `mock` or `paper`. Default: `embedded`, or `none` for games on arrays."""
    embodied: Literal["off", "mirror"]
    """True to show a game on arrays in a world as well."""
    terrain: str
    """Terrain of the world: `flat` or `survival`."""
    bodies: Literal["mineflayer", "engine"]
    """Bodies of players on the embedded server: network clients, or entities in the server process."""
    episodes: int
    """Maximum number of episodes of a run. A run ends earlier once every player keeps its program."""
    players: Mapping[str, str]
    """Player -> kind of reference player, or family of agents."""
    agents: str
    """Family of agents, or kinds of agents: one for all players, or one per player in order, separated by commas."""
    agents_options: Mapping[str, str]
    """Option of the agents' family -> value."""
    model: str
    """Language model: `openai/NAME`, or a record whose answers are replayed.

    Default: reference players, without a model.
    """
    models: Mapping[str, str]
    """`ROLE`, `PLAYER` or `PLAYER.ROLE` -> model."""
    sampling: Mapping[str, str]
    """`[WHO.]KEY` -> value of a sampling parameter."""
    prompts: Path
    """Folder with custom prompts, or `compact` for models with a small context."""
    reasoning: Literal["field", "none", "free"]
    """Place of a model's reasoning: a field before the answer, nowhere, or free text."""
    answers: Literal["schema", "json", "words"]
    """Strictest way to ask for the form of an answer."""
    batch: bool
    """True to send calls through the provider's batch API."""
    base_url: str
    """OpenAI-compatible endpoint of all models."""
    base_urls: Mapping[str, str]
    """Model -> its own endpoint."""
    api_key_file: Path
    """File that holds the API key. Default: the key in the environment."""
    api_key_files: Mapping[str, Path]
    """Model -> the file with its key."""
    budget: Mapping[str, Mapping[str, float]]
    """`usd`, `tokens`, `calls` or `wall` -> `all`, `each` or a player -> limit."""
    prices: Path
    """File of model prices."""
    think: str
    """Game time that passes while agents think: `run`, `pause`, or a number of seconds."""
    hosts: Literal["shared", "per-player"]
    """`shared` for one process that runs all players' programs, `per-player` for a process each."""
    no_progress: int
    """Number of consecutive episodes without a change of any inventory or reward after which a run stops."""
    rounds: int
    """Maximum number of messages in a negotiation."""
    repeat: int
    """Number of rounds of a repeated game."""
    judge: str
    """Judge whose verdicts are applied."""
    time_limit_s: float
    """Maximum duration of an episode, in seconds of game time."""
    human_wait_s: float
    """Maximum wait for a human player, in seconds of wall time."""
    out: Path
    """Folder for new records. Default: `runs`."""
    port: int
    """Game port of the server."""
    plugins: Sequence[str | Path]
    """Folders of packages that add scenarios, agents and so on (docs/plugins.md).

    Installed packages need not be listed.
    """


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
    settings = _settings(scenario, (contract,), {"seed": seed}, options)
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
    return await _played(_settings(scenario, named, several, options), report=report, progress=progress)


def _settings(
    scenario: str | Path, contracts: tuple[str, ...], several: Mapping[str, Any], options: Options
) -> StudySettings:
    """Return the settings of the study. Raises UsageError, also for unknown options."""
    if unknown := sorted(set(options) - set(Options.__annotations__)):
        raise UsageError(f"{unknown[0]!r} is no option; choose from {', '.join(sorted(Options.__annotations__))}")
    chosen = {key: value for key, value in {**several, **options}.items() if value is not None}
    for folder in chosen.get("plugins", ()):
        add(Path(folder))
    if "plugins" in chosen:
        chosen["plugins"] = tuple(str(folder) for folder in active())
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
