"""A study: one scenario under one or more conditions, several runs of each, on one server. The entry is `run_study`."""

from __future__ import annotations

import platform
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from bridge.types import Address
from bridge.worlds import VIRTUAL_CLOCK, WORLDS, World, capabilities, open_world
from contracts import contract_as_mapping
from dilemmas import results
from dilemmas.cast import Models, check_players, make_cast
from dilemmas.conditions import Condition, resolve
from dilemmas.errors import UsageError
from dilemmas.events import Line, Status
from dilemmas.keeper import WorldKeeper
from dilemmas.record import LOGS, RunRecord, claim_directory, to_json, write_atomically
from dilemmas.registry import load_scenario
from dilemmas.run import Run
from dilemmas.scenario import Scenario
from dilemmas.settings import StudySettings
from dilemmas.stage import check_world

__all__ = ["StudyResult", "StudySettings", "run_study"]

Listen = Callable[[Line], None]
Hold = Callable[[Address | None], Awaitable[None]]


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
        self._finished: dict[str, list[dict[str, Any]]] = {}
        self._several = len(self._conditions) > 1
        self._single = not self._several and settings.runs == 1
        label = f"{len(self._conditions)}-conditions" if self._several else self._conditions[0].name
        self._label = f"{self._scenario.spec.name}-{label}"
        self._directory = settings.out.expanduser()

        def make_world() -> World:
            world = worlds(settings.world, seed=settings.seed, log_dir=self._directory / "logs", port=settings.port)
            check_world(world, self._scenario)
            return world

        self._keeper = WorldKeeper(make_world)

    async def play(self, hold: Hold | None) -> StudyResult:
        config = _config(self._settings, self._scenario, self._conditions)
        files, folders = (LOGS, ("episodes", "logs")) if self._single else ((), ("logs",))
        self._directory = claim_directory(self._directory, self._label, config, files, folders)
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
            await self._models.close()

    async def _conditions_in_turn(self) -> None:
        for condition in self._conditions:
            for seed in range(self._settings.seed, self._settings.seed + self._settings.runs):
                status = await self._run(condition, seed)
                if status in ("failed", "budget"):
                    # What stopped this run would stop the next ones too.
                    return

    async def _run(self, condition: Condition, seed: int) -> Status:
        record = self._record(condition, seed)
        # Worlds that a caller brings along are not registered, and their runs keep their wall times.
        world = self._settings.world
        record.timeless = world in WORLDS and VIRTUAL_CLOCK in capabilities(world)
        cast = make_cast(self._settings, self._models, self._scenario, seed, record)
        run = Run(self._settings, self._scenario, condition, cast, seed, record, self._keeper)
        try:
            status: Status = (await run.perform())["status"]
            return status
        finally:
            if run.result is not None:
                self._finished.setdefault(condition.name, []).append(run.result)

    def _record(self, condition: Condition, seed: int) -> RunRecord:
        if self._single:
            return RunRecord(self._directory, listen=self._listen)
        config = _config(self._settings, self._scenario, [condition]) | {"seed": seed}
        return RunRecord.create(self._run_directory(condition, seed), config, ("episodes",), listen=self._listen)

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


def _check_condition(models: Models, condition: Condition) -> None:
    contract = condition.contract
    if contract is not None and not contract.typed and None in (models.of("action"), models.of("judge")):
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
