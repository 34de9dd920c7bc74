"""Tasks of a sweep: one run each, with an id that is a hash of its content, independent of machine and time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from accord.studies.conditions import Condition, expand, resolve
from accord.studies.option_checks import options_of_type
from accord.studies.runner import usual_world
from accord.studies.settings import OFF, StudySettings
from accord.studies.sweeps.parameters import changed, of_part, of_settings
from accord.studies.sweeps.spec import MAX_TASKS, NO_MODEL, SEED, SweepSpec, Value
from bridge.worlds import NOWHERE
from common.plugins import active
from contracts import ContractFormatError, contract_as_mapping, load_contract
from contracts.yaml12 import load_yaml
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.loader import explain_error
from dilemmas.scenarios.registry import file_data, load_scenario, scenario_names, spec_path
from voyager_agents.prompts.folder import folder_of_set

ID_CHARS = 16
Changes = tuple[tuple[str, Value], ...]
"""Sorted pairs of a key of a file and its value."""


@dataclass(frozen=True)
class SweepTask:
    """Task of a sweep: one run."""

    scenario: str
    """Name of a registered scenario, or absolute path of a variant."""
    condition: str
    """Name of a condition with its axes, or absolute path of a contract's file."""
    world: str
    model: str | None
    seed: int
    parameters: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings shared by all tasks of the sweep."""
    content: str = ""
    """Hash of the scenario, the contract and the prompts, so that a changed file gives another task."""

    @property
    def id(self) -> str:
        """Id of the task: a hash of all fields."""
        told = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(told.encode()).hexdigest()[:ID_CHARS]

    def to_dict(self) -> dict[str, Any]:
        """Return the task as plain data for a line of tasks.jsonl. The inverse is `from_dict`."""
        return {"id": self.id, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SweepTask:
        """Return the task of a line of tasks.jsonl. Raises UsageError if it does not match its id."""
        try:
            task = cls(**{key: value for key, value in data.items() if key != "id"})
        except (TypeError, AttributeError) as error:
            raise UsageError(
                f"tasks.jsonl: no task of this version of Accord ({error}); expand the sweep anew"
            ) from None
        if not all(isinstance(each, Mapping) for each in (task.parameters, task.settings)):
            raise UsageError("tasks.jsonl: a task's parameters and settings are mappings; expand the sweep anew")
        if task.id != data.get("id"):
            raise UsageError(f"tasks.jsonl: task {data.get('id')!r} was changed; expand the sweep anew")
        return task

    def study(self, scratch: Path) -> StudySettings:
        """Return the settings of the task's study. Raises UsageError.

        A scenario or contract that the parameters change is written to `scratch`.
        """
        scenario, contract = self.scenario, self.condition
        if values := of_part("scenario", self.parameters):
            scenario = str(_written(scratch / "scenario.yaml", _variant(self.scenario, values)))
        if values := of_part("contract", self.parameters):
            contract = str(_written(scratch / "contract.yaml", _contract(self.scenario, self.condition, values)))
        return self.settings_with({"scenario": scenario, "contracts": [contract]})

    def settings_with(self, what: Mapping[str, Any]) -> StudySettings:
        """Return the settings of the task with the `scenario` and `contracts` in `what`. Raises UsageError."""
        own = of_settings(self.parameters, self.settings)
        rest = {"world": self.world, "model": self.model, "seed": self.seed}
        return StudySettings.from_dict({**own, **what, **rest})


def expand_sweep(spec: SweepSpec, base: Path) -> list[SweepTask]:
    """Return all tasks of a sweep in a deterministic order. Relative paths are resolved against `base`.

    Raises UsageError for missing files and illegal values, before anything is played.
    """
    count = 0
    tasks: list[SweepTask] = []
    seeds = spec.all_seeds
    for task, own in _settings_apart_from_seeds(spec, base):
        played = seeds if own is None else [own]
        count += len(played)
        if count > MAX_TASKS:
            raise UsageError(f"sweep {spec.name!r}: more than {MAX_TASKS} tasks; take fewer values or seeds")
        plain = asdict(task)
        tasks += [SweepTask(**{**plain, "seed": seed}) for seed in played]
    ids = {task.id for task in tasks}
    if len(ids) < len(tasks):
        raise UsageError(f"sweep {spec.name!r}: the same run is asked for twice; leave out values that are repeated")
    return tasks


def _settings_apart_from_seeds(spec: SweepSpec, base: Path) -> Iterator[tuple[SweepTask, int | None]]:
    """Yield tasks that lack their seeds, each with the seed of its point, or None for all seeds."""
    settings = {**({"plugins": list(added)} if (added := _plugins()) else {}), **_settings(spec.settings, base)}
    conditions = expand([_found(base, text) for text in spec.conditions])
    points = [_settings(point, base) for point in spec.values()]
    parted = [({name: each[name] for name in each if name != SEED}, each.get(SEED)) for each in points]
    for scenario in (_found(base, text) for text in spec.scenarios):
        for world in _worlds(spec, scenario):
            for model in (None if text == NO_MODEL else text for text in spec.models):
                for condition in conditions:
                    for point, seed in parted:
                        content = _content(scenario, condition, _frozen(point, "scenario"), _frozen(point, "contract"))
                        content += _prompts(point.get("prompts") or settings.get("prompts"))
                        task = SweepTask(scenario, condition, world, model, 0, point, settings, content)
                        _check(task)
                        yield task, seed


def _plugins() -> list[str]:
    """Return the folders of the plugins in use, which all workers use too."""
    return [str(folder) for folder in active()]


def _worlds(spec: SweepSpec, scenario: str) -> Sequence[str]:
    """Return the worlds in the sweep's file, or the default world: `none` for grid games, else `mock`.

    A scenario that cannot be loaded is reported later, with its file.
    """
    if "worlds" in spec.model_fields_set:
        return spec.worlds
    try:
        on_arrays = usual_world(load_scenario(scenario), str(spec.settings.get("embodied", OFF))) == NOWHERE
    except UsageError:
        on_arrays = False
    return (NOWHERE,) if on_arrays else spec.worlds


def _check(task: SweepTask) -> None:
    """Check the settings of a task. Raises UsageError. Its files are checked by `_content`."""
    try:
        task.settings_with({"scenario": task.scenario, "contracts": [task.condition]})
    except UsageError as error:
        where = ", ".join(f"{name}={value}" for name, value in task.parameters.items())
        raise UsageError(f"{error}{f' (at {where})' if where else ''}") from None


def _settings(given: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """Return settings or parameters with paths resolved against the folder of the sweep's file.

    Names of sets of prompts stay, if there is no such folder.
    """
    found = dict(given)
    for name in options_of_type(StudySettings, Path):
        if isinstance(found.get(name), str):
            path = base / Path(found[name]).expanduser()
            if path.exists() or folder_of_set(Path(found[name])) is None:
                found[name] = str(path.absolute())
    return found


@lru_cache(maxsize=1024)
def _prompts(folder: str | None) -> str:
    """Return a hash of the prompts in a folder; empty without a folder, for Accord's own prompts."""
    if folder is None:
        return ""
    top = folder_of_set(Path(folder)) or Path(folder)
    files = sorted(path for path in top.rglob("*") if path.is_file())
    told = [(str(path.relative_to(top)), path.read_bytes().hex()) for path in files]
    return "/" + hashlib.sha256(json.dumps(told).encode()).hexdigest()[:ID_CHARS]


def _found(base: Path, text: str) -> str:
    """Return the absolute path of an existing YAML file; else the text itself, which is a name."""
    path = base / text
    return str(path.absolute()) if text.endswith((".yaml", ".yml")) and path.is_file() else text


def _frozen(point: Mapping[str, Value], part: str) -> Changes:
    return tuple(sorted(of_part(part, point).items()))


@lru_cache(maxsize=100_000)
def _content(
    scenario: str,
    condition: str,
    of_scenario: Changes,
    of_contract: Changes,
) -> str:
    """Return a hash of a scenario and a condition with their changes, after checking both. Raises UsageError."""
    loaded = _loaded(scenario)
    data = loaded.spec.resolved()
    if of_scenario:
        data = _changed_scenario(loaded, dict(of_scenario))
        _validated(loaded, data)
    what: object = _condition_definition(scenario, condition)
    if of_contract:
        what = _contract(scenario, condition, dict(of_contract))
        try:
            load_contract(what, list(loaded.spec.players))
        except ContractFormatError as error:
            raise UsageError(f"parameter contract: {error}") from None
    return hashlib.sha256(json.dumps([data, what], sort_keys=True, default=str).encode()).hexdigest()[:ID_CHARS]


def _validated(scenario: Scenario, data: Mapping[str, Any]) -> None:
    """Check that the scenario is valid with this data. Raises UsageError."""
    try:
        type(scenario.spec).model_validate(data)
    except ValidationError as error:
        raise UsageError(f"parameter scenario.{explain_error(error, type(scenario.spec))}") from None


@lru_cache(maxsize=64)
def _loaded(scenario: str) -> Scenario:
    return load_scenario(scenario)


@lru_cache(maxsize=1024)
def _resolved(scenario: str, condition: str) -> Condition:
    return resolve(_loaded(scenario), condition)


def _condition_definition(scenario: str, condition: str) -> object:
    if Path(condition).is_file() and "${" in Path(condition).read_text(encoding="utf-8"):
        return None
    return _resolved(scenario, condition).definition


def _variant(scenario: str, values: Mapping[str, Value]) -> dict[str, Any]:
    """Return the data of a variant that extends the scenario with changed keys."""
    path = spec_path(scenario) if scenario in scenario_names() else Path(scenario)
    whole = _changed_scenario(_loaded(scenario), values)
    tops = {key.split(".")[0] for key in values}
    return {"extends": str(path.absolute()), **{key: whole[key] for key in sorted(tops)}}


def _changed_scenario(scenario: Scenario, values: Mapping[str, Value]) -> dict[str, Any]:
    """Return the data of the scenario's file with changed keys."""
    return changed(file_data(scenario), values, "scenario", scenario.spec.resolved())


def _contract(scenario: str, condition: str, values: Mapping[str, Value]) -> dict[str, Any]:
    """Return the data of the condition's contract with changed keys."""
    if Path(condition).is_file():
        data = load_yaml(Path(condition).read_text(encoding="utf-8"))
        if not isinstance(data, dict):
            raise UsageError(f"{condition}: holds no mapping; give a contract's file")
        return changed(data, values, "contract")
    contract = _resolved(scenario, condition).contract
    if contract is None:
        raise UsageError(
            f"parameter contract.{next(iter(values))}: condition {condition!r} has no contract that is given"
        )
    return changed(contract_as_mapping(contract), values, "contract")


def _written(path: Path, data: Mapping[str, Any]) -> Path:
    """Write data to a YAML file, as JSON, and return its absolute path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path.absolute()
