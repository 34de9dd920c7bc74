"""A study: one scenario under one or more conditions, several runs of each, on one server. The entry is `run_study`."""

from __future__ import annotations

import platform
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import yaml

from bridge.types import Address
from bridge.worlds import VIRTUAL_CLOCK, WORLDS, World, capabilities, open_world
from contracts import contract_as_mapping
from dilemmas import results
from dilemmas.cast import Models, check_players, make_cast
from dilemmas.conditions import Condition, resolve
from dilemmas.errors import UsageError
from dilemmas.events import Line, RunResumed, Status
from dilemmas.keeper import WorldKeeper
from dilemmas.record import (
    CONFIG,
    LOGS,
    RunRecord,
    claim_directory,
    lock_directory,
    read_events,
    to_json,
    write_atomically,
)
from dilemmas.registry import load_scenario
from dilemmas.resuming import checkpoint, ended, recount, restore
from dilemmas.run import Run
from dilemmas.scenario import Scenario
from dilemmas.settings import StudySettings
from dilemmas.stage import check_world
from voyager_agents import ModelError
from voyager_agents.models.recorded import RecordedCalls

__all__ = ["StudyResult", "StudySettings", "read_settings", "resume_study", "run_study"]

Listen = Callable[[Line], None]
Hold = Callable[[Address | None], Awaitable[None]]
Budget = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class StudyResult:
    """What came of a study."""

    directory: Path
    """Holds everything of the study."""
    results: list[dict[str, Any]]
    """What result.json holds, one per condition, in the order asked for."""
    status: Status
    """complete only when every run is."""


async def run_study(
    settings: StudySettings,
    *,
    listen: Listen | None = None,
    hold: Hold | None = None,
    worlds: Callable[..., World] = open_world,
) -> StudyResult:
    """Play the study. `listen` hears every line of every event log as it is written; `hold` is awaited once after the
    last run, while the world is still up (to let people watch).

    Raises UsageError for wrong input before anything is started or written, PrerequisiteError for what is missing on
    this machine, RecordError when the record cannot be written; whatever else fails is in the results.
    """
    study = _Study(settings, listen, worlds)
    try:
        return await study.play(hold)
    finally:
        await study.close()


async def resume_study(
    directory: Path,
    settings: StudySettings,
    *,
    listen: Listen | None = None,
    hold: Hold | None = None,
    worlds: Callable[..., World] = open_world,
) -> StudyResult:
    """Go on with the study in that directory, which was interrupted in any way; `settings` come from `read_settings`.

    Complete runs stay as they are, the others go on from their logs, and what was not begun is played. Raises as
    `run_study` does, and UsageError when the scenario or a contract has changed since.
    """
    study = _Study(settings, listen, worlds)
    try:
        study.take_up(directory)
        return await study.play(hold)
    finally:
        await study.close()


def read_settings(directory: Path, *, budget: Budget | None = None, **changes: object) -> StudySettings:
    """The settings of the study in that directory, with other caps and changes (None: none). Raises UsageError."""
    for above in (directory.absolute().parent, directory.absolute().parent.parent):
        if (above / CONFIG).is_file():
            raise UsageError(f"{directory} is a part of the study in {above}; resume that")
    kept = StudySettings.from_plain(_read_config(directory).get("settings") or {})
    changed = {name: value for name, value in changes.items() if value is not None}
    caps = {measure: {**kept.budget.get(measure, {}), **caps} for measure, caps in (budget or {}).items()}
    return replace(kept, budget={**kept.budget, **caps}, **changed)  # type: ignore[arg-type]


def _read_config(directory: Path) -> dict[str, Any]:
    path = directory / CONFIG
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        config = None
    if not isinstance(config, dict):
        raise UsageError(f"{directory} is not a study: {path} cannot be read; give what 'accord run' has written")
    return config


class _Study:
    """The study in progress."""

    def __init__(self, settings: StudySettings, listen: Listen | None, worlds: Callable[..., World]) -> None:
        self._settings = settings
        self._listen = listen
        self._scenario = load_scenario(settings.scenario)
        check_players(settings, self._scenario)
        self._conditions = [resolve(self._scenario, text) for text in settings.contracts]
        self._models = Models(settings)
        for condition in self._conditions:
            _check_condition(self._models, condition)
        self._models.check(self._runs())
        self._finished: dict[str, list[dict[str, Any]]] = {}
        self._several = len(self._conditions) > 1
        self._single = not self._several and settings.runs == 1
        label = f"{len(self._conditions)}-conditions" if self._several else self._conditions[0].name
        self._label = f"{self._scenario.spec.name}-{label}"
        self._directory = settings.out.expanduser()
        self._resumed = False
        self._lock: IO[bytes] | None = None

        def make_world() -> World:
            world = worlds(settings.world, seed=settings.seed, log_dir=self._directory / "logs", port=settings.port)
            check_world(world, self._scenario)
            return world

        self._keeper = WorldKeeper(make_world)

    def take_up(self, directory: Path) -> None:
        """Go on with what is in that directory. Raises UsageError when it does not belong to these settings."""
        self._lock = lock_directory(directory)
        self._directory, self._resumed = directory, True
        then = _read_config(directory)
        now = yaml.safe_load(yaml.safe_dump(_config(self._settings, self._scenario, self._conditions)))
        for part in ("scenario", "conditions"):
            if then.get(part) != now[part]:
                raise UsageError(f"{directory}: {part}: not what it was at the start: put it back, or run anew")
        for path in sorted(directory.rglob("calls.jsonl")):
            self._models.purse.recall_all(_remembered(path))

    async def play(self, hold: Hold | None) -> StudyResult:
        if not self._resumed:
            config = _config(self._settings, self._scenario, self._conditions)
            files, folders = (LOGS, ("episodes", "logs")) if self._single else ((), ("logs",))
            self._directory = claim_directory(self._directory, self._label, config, files, folders)
            self._lock = lock_directory(self._directory)
        try:
            await self._conditions_in_turn()
        finally:
            # An interrupted study keeps what it has.
            found = self._write_up()
        if hold is not None and self._keeper.world is not None:
            await hold(self._keeper.world.address)
        return StudyResult(self._directory, found, results.worst(result["status"] for result in found))

    async def close(self) -> None:
        try:
            await self._keeper.close()
        finally:
            if self._lock is not None:
                self._lock.close()
            await self._models.close()

    async def _conditions_in_turn(self) -> None:
        conditions = {each.name: each for each in self._conditions}
        for name, seed in self._runs():
            status = await self._run(conditions[name], seed)
            if status in ("failed", "budget"):
                # What stopped this run would stop the next ones too.
                return

    def _runs(self) -> list[tuple[str, int]]:
        """(condition, seed) of every run, in their order."""
        seeds = range(self._settings.seed, self._settings.seed + self._settings.runs)
        return [(each.name, seed) for each in self._conditions for seed in seeds]

    async def _run(self, condition: Condition, seed: int) -> Status:
        lines = self._written(condition, seed)
        if (end := ended(lines)) is not None:
            self._finished.setdefault(condition.name, []).append(end.result)
            return end.status
        keep = checkpoint(lines)
        record = self._record(condition, seed, keep)
        # Worlds that a caller brings along are not registered, and their runs keep their wall times.
        world = self._settings.world
        record.timeless = world in WORLDS and VIRTUAL_CLOCK in capabilities(world)
        memory = _remembered(record.directory / "calls.jsonl") if lines else None
        restored = restore(lines[:keep], list(self._scenario.spec.players))
        done = restored.progress.episodes
        cast = make_cast(self._settings, self._models, self._scenario, (condition.name, seed), record, memory, done)
        recount(cast.meter, lines[:keep])
        if self._resumed and lines:
            cut = len(lines) - keep
            record.log(RunResumed(run=record.directory.name, condition=condition.name, seed=seed, cut=cut))
        run = Run(self._settings, self._scenario, condition, cast, seed, record, self._keeper, restored)
        try:
            status: Status = (await run.perform())["status"]
            return status
        finally:
            if run.result is not None:
                self._finished.setdefault(condition.name, []).append(run.result)

    def _written(self, condition: Condition, seed: int) -> list[Line]:
        """What the log of that run holds, where the study is resumed and the run had begun."""
        path = self._run_directory(condition, seed) / "events.jsonl"
        return list(read_events(path)) if self._resumed and path.exists() else []

    def _record(self, condition: Condition, seed: int, keep: int) -> RunRecord:
        directory = self._run_directory(condition, seed)
        if self._resumed and (directory / "events.jsonl").exists():
            return RunRecord.reopen(directory, keep, listen=self._listen)
        if self._single:
            return RunRecord(directory, listen=self._listen)
        config = _config(self._settings, self._scenario, [condition]) | {"seed": seed}
        return RunRecord.create(directory, config, ("episodes",), listen=self._listen)

    def _run_directory(self, condition: Condition, seed: int) -> Path:
        directory = self._directory / condition.name if self._several else self._directory
        return directory / f"seed-{seed}" if self._settings.runs > 1 else directory

    def _write_up(self) -> list[dict[str, Any]]:
        """Write result.json above the runs; returns one result per condition that was played."""
        found: dict[str, dict[str, Any]] = {}
        for name, runs in self._finished.items():
            found[name] = runs[0]
            if self._settings.runs > 1:
                found[name] = results.combine(runs, self._settings.seed)
                self._write(self._directory / name if self._several else self._directory, found[name])
        if self._several and found:
            self._write(self._directory, results.combine_conditions(found))
        return list(found.values())

    def _write(self, directory: Path, result: dict[str, Any]) -> None:
        write_atomically(directory / "result.json", to_json(result))


def _remembered(calls: Path) -> RecordedCalls:
    """The model calls of a run that goes on. Raises UsageError."""
    try:
        return RecordedCalls.load(calls)
    except ModelError as error:
        raise UsageError(str(error)) from None


def _check_condition(models: Models, condition: Condition) -> None:
    contract = condition.contract
    if contract is not None and not contract.typed and not (models.has("action") and models.has("judge")):
        raise UsageError(
            f"contract {contract.name!r} has text only, which players without a model cannot read; "
            "add transfers and obligations to it, or give --model openai/NAME"
        )


def _config(settings: StudySettings, scenario: Scenario, conditions: list[Condition]) -> dict[str, Any]:
    """What config.yaml holds: enough to do the same again."""
    return {
        "seed": settings.seed,
        "settings": settings.plain(),
        "scenario": scenario.spec.resolved(),
        "conditions": {
            each.name: contract_as_mapping(each.contract) if each.contract is not None else each.kind
            for each in conditions
        },
        "versions": {
            "accord": metadata.version("accord-mc"),
            "python": platform.python_version(),
            "minecraft": Address.version,
        },
    }
