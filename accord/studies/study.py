"""Studies: one scenario under one or more conditions, with one or more runs of each. The entry point is `run_study`.

With one job, this process plays all runs one after the other in one world. With several jobs, each job is a separate
process with its own world (`accord.studies.workers`). The record is the same in both cases.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from accord.analysis import scoring
from accord.analysis.figures import recorded_bounds
from accord.studies.conditions import Condition
from accord.studies.judging import judges_of
from accord.studies.models import model_for
from accord.studies.option_groups import ModelOptions
from accord.studies.people import check_pages
from accord.studies.players import callers, humans_of, mode_of, seating
from accord.studies.received import OF_ENDPOINTS, check_named, use_recorded_plugins
from accord.studies.runner import Listen, RunName, Runner, StudyPlan, Worlds, remembered
from accord.studies.settings import StudySettings
from accord.studies.setup import keep_prompts, replayed_prompts, with_kept_prompts
from accord.studies.sight import seers
from accord.studies.wall_clock_budget import Stopwatch
from accord.studies.workers import Workers, importable, stops
from accord.studies.world_lifecycle import WarmWorld
from bridge.types import Address
from bridge.worlds import open_world
from common.plain_files import read_text
from common.text import well_formed_data
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.people import HumanPlayers
from dilemmas.records import results
from dilemmas.records.events import Status
from dilemmas.records.folders import check_folder
from dilemmas.records.locking import StudyLock, lock_directory
from dilemmas.records.manifest import write_manifest
from dilemmas.records.progress_events import ProgressListener, StudyStarted, ignore_progress
from dilemmas.records.record import CONFIG, LOGS, claim_directory, make_directory, to_json, write_atomically
from dilemmas.records.seals import is_sealed_yaml
from dilemmas.scenarios.spec import ScenarioSpec
from voyager_agents import Budget
from voyager_agents.budget import ALL
from voyager_agents.models.learner import LearnerModel
from voyager_agents.registry import role_names
from voyager_agents.roles import JUDGE, RATER

# The C implementation if PyYAML has it: a study's config is long, and resuming has to dump it.
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

__all__ = ["StudyResult", "StudySettings", "read_settings", "resume_study", "run_study"]

Hold = Callable[[Address | None], Awaitable[None]]
BudgetCaps = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class StudyResult:
    """Result of a study."""

    directory: Path
    """Directory of the study's record."""
    results: list[dict[str, Any]]
    """Contents of result.json, one per condition in the given order."""
    status: Status
    """Worst status of all runs; `complete` only if all runs are complete."""


@dataclass(frozen=True)
class TrainerParts:
    """Parts of a rollout's study that its environment gives (`accord.training`)."""

    plan: StudyPlan
    """Plan of the same study with another seed."""
    learner: LearnerModel
    """Model of the players whose answers a trainer gives."""
    warm: WarmWorld
    """World that stays open after the study."""


async def run_study(
    settings: StudySettings,
    *,
    listen: Listen | None = None,
    hold: Hold | None = None,
    worlds: Worlds = open_world,
    watch: ProgressListener = ignore_progress,
    directory: Path | None = None,
    make_budget: Callable[..., Budget] = Budget,
    answers: Path | None = None,
    placed: Callable[[Path], object] | None = None,
    seated: Callable[[HumanPlayers], object] | None = None,
    training: TrainerParts | None = None,
) -> StudyResult:
    """Play a study and return its result.

    Args:
        settings: Settings of the study.
        listen: Called with each line of the event logs; with several jobs, only with the first and last lines of runs.
        hold: Awaited once after the last run, while the world is still up; gets the world's address.
        worlds: Factory of worlds.
        watch: Listener for progress events (`dilemmas.records.progress_events`).
        directory: Directory of the record; None for one in `settings.out` named by the time.
        make_budget: Creates the budget from caps and prices.
        answers: Record of the same study; its recorded model answers replace calls to models.
        placed: Called with the record's directory once it exists.
        seated: Called with the human players, if there are any, before the first run.
        training: Parts that a trainer's environment gives to the study of a rollout.

    Raises:
        UsageError: The input is wrong. Raised before anything is started or written.
        PrerequisiteError: Something is missing on this machine.
        RecordError: The record cannot be written. Other failures are in the results.
    """
    study = _Study(settings, listen, worlds, watch, make_budget, answers, training=training)
    try:
        return await study.play(hold, directory, placed, seated)
    finally:
        await study.close()


async def resume_study(
    directory: Path,
    settings: StudySettings,
    *,
    listen: Listen | None = None,
    hold: Hold | None = None,
    worlds: Worlds = open_world,
    watch: ProgressListener = ignore_progress,
    make_budget: Callable[..., Budget] = Budget,
    placed: Callable[[Path], object] | None = None,
    seated: Callable[[HumanPlayers], object] | None = None,
) -> StudyResult:
    """Continue an interrupted study and return its result.

    Complete runs are kept, interrupted runs continue from their logs, and all other runs are played. Raises the errors
    of `run_study`, and UsageError if the scenario or a contract has changed.

    Args:
        directory: Directory of the study.
        settings: Settings from `read_settings`.
        listen: As in `run_study`.
        hold: As in `run_study`.
        worlds: As in `run_study`.
        watch: As in `run_study`.
        make_budget: As in `run_study`.
        placed: As in `run_study`.
        seated: As in `run_study`.
    """
    study = _Study(settings, listen, worlds, watch, make_budget)
    try:
        study.take_up(directory)
        return await study.play(hold, placed=placed, seated=seated)
    finally:
        await study.close()


def read_settings(
    directory: Path,
    *,
    budget: BudgetCaps | None = None,
    allowed: Collection[str] = (),
    asks: bool = True,
    **changes: Any,  # noqa: ANN401 - settings of any kind
) -> StudySettings:
    """Return the settings of a recorded study.

    If the study was recorded elsewhere or has been edited, the endpoints, files and plugins that it names must be in
    `changes` or `allowed`.

    Args:
        directory: Directory of the study.
        budget: Caps that override the recorded ones.
        allowed: Endpoints and paths allowed by the command line.
        asks: False to leave out endpoints and keys, for studies that call no model.
        changes: Settings that override the recorded ones; None keeps a recorded value.

    Raises:
        UsageError: The settings cannot be used.
        RecordError: The record cannot be read.
        PluginError: A plugin cannot be used.
    """
    for above in (directory.absolute().parent, directory.absolute().parent.parent):
        if (above / CONFIG).is_file():
            raise UsageError(f"{directory} is a part of the study in {above}; resume that")
    check_folder(directory)
    config, own = _read_config(directory)
    plain = config.get("settings") or {}
    if isinstance(plain, Mapping):
        plain = plain if asks else {key: value for key, value in plain.items() if key not in OF_ENDPOINTS}
        if own:
            use_recorded_plugins(directory, plain.get("plugins"), config.get("plugins"))
        else:
            check_named(directory, [_without(plain, changes)], allowed, config.get("plugins"))
    kept = StudySettings.from_dict(plain)
    changed: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
    for name in ("base_urls", "api_key_files"):
        # Recorded entries stay unless the command line overrides them.
        changed[name] = {**getattr(kept, name), **(changes.get(name) or {})}
    caps = {measure: {**kept.budget.get(measure, {}), **caps} for measure, caps in (budget or {}).items()}
    whole = replace(kept, budget={**kept.budget, **caps}, **changed)
    return with_kept_prompts(whole, directory)


def is_own(directory: Path) -> bool:
    """Return whether a study was recorded by this user on this machine and is unchanged. Raises UsageError."""
    return _read_config(directory)[1]


def _without(plain: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """Return plain settings without the entries that the command line overrides."""
    left = {key: value for key, value in plain.items() if changes.get(key) is None}
    for key in ("base_urls", "api_key_files"):
        held, named = plain.get(key), changes.get(key) or {}
        if isinstance(held, Mapping) and isinstance(named, Mapping):
            left[key] = {spec: value for spec, value in held.items() if spec not in named}
    return left


def _read_config(directory: Path) -> tuple[dict[str, Any], bool]:
    """Return the data of a study's config.yaml, and whether its seal is valid. Raises UsageError."""
    path = directory / CONFIG
    config, own = None, False
    with contextlib.suppress(OSError, ValueError, RecursionError, yaml.YAMLError):
        text = read_text(path)
        config, own = load_own(text), is_sealed_yaml(text, CONFIG)
    if not isinstance(config, dict):
        raise UsageError(f"{directory} is not a study: {path} cannot be read; give what 'accord run' has written")
    return config, own


class _Study:
    """Study in progress."""

    def __init__(
        self,
        settings: StudySettings,
        listen: Listen | None,
        worlds: Worlds,
        watch: ProgressListener,
        make_budget: Callable[..., Budget],
        answers: Path | None = None,
        *,
        training: TrainerParts | None = None,
    ) -> None:
        self._watch = watch
        self._warm = None if training is None else training.warm
        self._settings = settings = replace(settings, prompts=replayed_prompts(settings, settings.vary))
        self._listen = listen
        self._worlds = worlds
        self._plan = StudyPlan.of(settings) if training is None else training.plan.with_seed(settings.seed)
        learner = None if training is None else training.learner
        self._models = self._plan.open_models(make_budget, answers, learner)
        for condition in self._plan.conditions:
            check_condition(self._plan.parts[condition.name].settings, self._plan.scenario.spec, condition)
        self._runs = self._plan.runs()
        self._models.check(self._runs)
        self._jobs = min(settings.jobs, len(self._runs))
        if self._jobs > 1:
            importable(worlds)
        self._directory = settings.out.expanduser()
        self._resumed = False
        self._config: dict[str, Any] | None = None
        """Content of config.yaml that this process wrote; None for a resumed study."""
        self._recorded: Mapping[str, Any] = {}
        """Content of config.yaml, whoever wrote it."""
        self._lock: StudyLock | None = None
        self._runner: Runner | None = None

    def take_up(self, directory: Path) -> None:
        """Continue the study in a directory. Raises UsageError if its record does not match the settings."""
        self._lock = lock_directory(directory)
        self._directory, self._resumed = directory, True
        then, _ = _read_config(directory)
        self._recorded = then
        now = load_own(yaml.dump(well_formed_data(self._plan.config(self._plan.conditions)), Dumper=_Dumper))
        for part in ("scenario", "conditions", "setup", "plugins"):
            # Records of older versions have no `setup`.
            if then.get(part, now[part] if part == "setup" else None) != now.get(part):
                raise UsageError(f"{directory}: {part}: not what it was at the start: put it back, or run anew")
        for path in sorted(directory.rglob("calls.jsonl")):
            self._models.budget.recall_all(remembered(path, lambda *_: False))
        self._models.budget.used_s = Stopwatch.read(directory)

    async def play(
        self,
        hold: Hold | None,
        directory: Path | None = None,
        placed: Callable[[Path], object] | None = None,
        seated: Callable[[HumanPlayers], object] | None = None,
    ) -> StudyResult:
        settings, scenario = self._plan.settings, self._plan.scenario
        humans, mode = humans_of(settings, scenario), mode_of(settings, scenario).name
        check_pages(scenario, humans, mode, served=seated is not None)
        if not self._resumed:
            await self._check_abilities()
            config = self._config = self._recorded = well_formed_data(self._plan.config(self._plan.conditions))
            files, folders = (LOGS, ("episodes", "logs")) if self._plan.single else ((), ("logs",))
            if directory is None:
                self._directory = claim_directory(self._directory, self._plan.label, config, files, folders)
            else:
                make_directory(directory, config, files, folders)
                self._directory = directory
            self._lock = lock_directory(self._directory)
            keep_prompts(self._plan.parts.values(), self._directory)
        self._models.keep_batches(self._directory)
        if placed is not None:
            placed(self._directory)
        self._runner = Runner(
            self._plan,
            self._models,
            self._directory,
            self._worlds,
            listen=self._listen,
            watch=self._watch,
            anew=not self._resumed,
            warm=self._warm,
        )
        if seated is not None and self._runner.people is not None:
            seated(self._runner.people)
        try:
            left = [run for run in self._runs if not (self._resumed and self._runner.is_complete(run))]
            spent = self._models.budget.spent[ALL]
            done = len(self._runs) - len(left)
            self._watch(StudyStarted(len(self._runs), done, int(spent.calls), int(spent.tokens), spent.usd))
            if left:
                async with Stopwatch(self._directory, self._models.budget):
                    await (self._in_turn(left) if self._jobs == 1 else self._side_by_side(left))
        finally:
            # An interrupted study keeps the results so far.
            found = self._write_up()
            write_manifest(self._directory, self._config)
        world = self._runner.keeper.world
        if hold is not None and world is not None:
            await hold(world.address)
        return StudyResult(self._directory, found, results.worst(result["status"] for result in found))

    async def _check_abilities(self) -> None:
        """Check before the start that models can call tools and see pictures where they have to. Raises UsageError."""
        calling, seeing, scenario = set[str](), set[str](), self._plan.scenario
        for part in self._plan.parts.values():
            await self._models.check_tools(part.settings, callers(part.settings, scenario), calling)
            found = seers(part.settings, seating(part.settings, scenario))
            await self._models.check_sight(part.settings, found, seeing)

    async def close(self) -> None:
        try:
            if self._runner is not None:
                await self._runner.close()
        finally:
            if self._lock is not None:
                self._lock.close()
            await self._models.close()

    async def _in_turn(self, runs: Sequence[RunName]) -> None:
        assert self._runner is not None
        for run in runs:
            result = await self._runner.run(run, go_on=self._resumed)
            if stops(result):
                return

    async def _side_by_side(self, runs: Sequence[RunName]) -> None:
        assert self._runner is not None
        assert self._lock is not None
        workers = Workers(
            self._runner,
            with_kept_prompts(self._settings, self._directory),
            self._models.budget,
            self._directory,
            importable(self._worlds),
            self._lock.fileno(),
            self._listen,
            self._watch,
        )
        await workers.play(runs, self._jobs, go_on=self._resumed)

    def _write_up(self) -> list[dict[str, Any]]:
        """Write the result.json files of conditions and of the study; return one result per played condition."""
        assert self._runner is not None
        found: dict[str, dict[str, Any]] = {}
        several = self._plan.several
        bounds = {each.name: recorded_bounds(self._recorded, each.name) for each in self._plan.conditions}
        for condition in self._plan.conditions:
            name = condition.name
            runs = [self._runner.results[run] for run in self._runs if run[0] == name and run in self._runner.results]
            if not runs:
                continue
            found[name] = runs[0]
            if self._settings.runs > 1:
                found[name] = scoring.combine(runs, self._settings.seed, self._settings.invalid, bounds[name])
                self._write(self._directory / condition.folder if several else self._directory, found[name])
        if several and found:
            levels = {condition.name: condition.levels for condition in self._plan.conditions}
            self._write(
                self._directory,
                scoring.combine_conditions(found, self._settings.invalid, levels, self._settings.analysis_plan, bounds),
            )
        return list(found.values())

    def _write(self, directory: Path, result: dict[str, Any]) -> None:
        try:
            write_atomically(directory / "result.json", to_json(result))
        except OSError as error:
            raise RecordError(f"cannot write {directory / 'result.json'}: {error.strerror}") from None


def check_condition(settings: ModelOptions, spec: ScenarioSpec, condition: Condition) -> None:
    """Check that a condition has the models that its judge and its contract need. Raises UsageError."""
    judged = model_for(settings, spec.observer.name, JUDGE) is not None
    if "language" in judges_of(condition.axes.judge) and not judged:
        raise UsageError(
            f"condition {condition.name!r}: a language judge needs a model: give --model-for judge=openai/NAME"
        )
    contract = condition.contract
    if contract is None or contract.typed:
        return
    parts = [role for role in role_names() if role not in (JUDGE, RATER)]
    if not judged or not any(model_for(settings, player, role) for player in spec.players for role in parts):
        raise UsageError(
            f"contract {contract.name!r} has text only, which players without a model cannot read; "
            "add transfers and obligations to it, or give --model openai/NAME"
        )
