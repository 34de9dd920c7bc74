"""Runner of a study's runs in one process, one after the other, with their models, world and records."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from accord.studies.adversaries import with_secret_parts
from accord.studies.conditions import Condition, resolve_all
from accord.studies.models import Models, read_prompts, specs_of
from accord.studies.option_groups import WorldOptions
from accord.studies.people import check_forms, check_people, open_people, peopled
from accord.studies.player_checks import (
    check_acting,
    check_budget,
    check_episodes,
    check_institutions,
    check_models,
    check_options,
    check_secrets,
    check_table,
)
from accord.studies.players import humans_of, make_players, mode_of, seating
from accord.studies.resuming import Interrupted, read_interrupted
from accord.studies.run import StudyRun
from accord.studies.run_progress import Extent, RunProgress
from accord.studies.settings import MANY, OFF, StudySettings
from accord.studies.setup import StudyPart, setup_of, value_bounds
from accord.studies.sight import check_sight
from accord.studies.variants import variants
from accord.studies.world_lifecycle import WarmWorld, WorldKeeper
from bridge.types import Address
from bridge.worlds import (
    ENGINE,
    FLAT,
    MINEFLAYER,
    NOWHERE,
    REGIONS,
    SURVIVAL_TERRAIN,
    WORLDS,
    World,
    bodies_of,
    capabilities,
)
from common.plugins import entries, plugins_used
from common.plugins.found import GROUPS
from dilemmas.errors import UsageError
from dilemmas.modes.arena import check_world
from dilemmas.modes.registry import MODES
from dilemmas.modes.thinking import Thinking
from dilemmas.records.events import LogLine, RunResumed
from dilemmas.records.progress_events import ProgressListener, ignore_progress
from dilemmas.records.record import RunRecord, read_events
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.institutions import governed
from dilemmas.scenarios.registry import load_repeated
from voyager_agents import Budget, ModelError
from voyager_agents.models.learner import LearnerModel
from voyager_agents.models.recorded import RecordedCalls, Wanted, everything

Listen = Callable[[LogLine], None]
Worlds = Callable[..., World]
"""Factory of worlds with the parameters of `bridge.worlds.open_world`."""
SURFACE_Y = 63
"""Approximate minimum height of survival land; sea level is y = 62."""
TRUSTING = "trusting"
"""Capability of worlds with a method `trust()`, called before opening if no untrusted program will run in the world."""
RunName = tuple[str, int]
"""Name of the condition, and seed."""


@dataclass(frozen=True)
class StudyPlan:
    """Checked plan of a study: settings, scenario, conditions and parts."""

    settings: StudySettings
    scenario: Scenario
    conditions: tuple[Condition, ...]
    parts: Mapping[str, StudyPart]
    """Name of a condition -> settings, mode and prompts of its runs."""

    @classmethod
    def of(cls, settings: StudySettings) -> StudyPlan:
        """Return the plan of a study. Raises UsageError for unknown or unsuitable values."""
        scenario = load_repeated(settings.scenario, settings.repeat, settings.on_unreadable)
        settings = replace(settings, terrain=terrain_for(settings, scenario), bodies=bodies_for(settings, scenario))
        check_ground(settings, scenario)
        _check_land(settings, scenario)
        found: dict[int, list[Condition]] = {}
        parts: dict[str, StudyPart] = {}
        for variant in variants(settings):
            own = variant.settings
            _check_part(own, scenario)
            conditions = resolve_all(scenario, own.contracts, own.judge)
            check_options(own, scenario, [each.name for each in conditions])
            check_table(own, scenario, conditions, own.rounds)
            check_secrets(own, scenario)
            playing = {place.family for place in seating(own, scenario).values()}
            part = StudyPart(own, mode_of(own, scenario), read_prompts(own.prompts))
            for place, condition in enumerate(conditions):
                varied = condition.under(variant)
                check_institutions(scenario, varied, part.mode, playing)
                found.setdefault(place, []).append(varied)
                parts[varied.name] = part
        plan = cls(settings, scenario, tuple(each for group in found.values() for each in group), parts)
        plan._check_folders()
        return plan

    def with_seed(self, seed: int) -> StudyPlan:
        """Return the plan of the same study with another seed, without checking it again."""
        parts = {name: replace(part, settings=replace(part.settings, seed=seed)) for name, part in self.parts.items()}
        return replace(self, settings=replace(self.settings, seed=seed), parts=parts)

    def open_models(
        self,
        make_budget: Callable[..., Budget] = Budget,
        answers: Path | None = None,
        learner: LearnerModel | None = None,
    ) -> Models:
        """Return the opened models of all parts of the study. Raises UsageError (`accord.studies.models.Models`)."""
        variants = [each.settings for each in self.parts.values()]
        return Models(variants, self.settings.budget, make_budget, answers, learner)

    def _check_folders(self) -> None:
        """Check that every condition has a folder of its own. Raises UsageError."""
        owners: dict[str, str] = {}
        for condition in self.conditions:
            other = owners.setdefault(condition.folder, condition.name)
            if other != condition.name:
                raise UsageError(
                    f"conditions {other!r} and {condition.name!r} would share the folder {condition.folder!r}: "
                    "play them in two studies"
                )

    @property
    def several(self) -> bool:
        """True if the study has several conditions."""
        return len(self.conditions) > 1

    @property
    def single(self) -> bool:
        """True if the study is a single run, whose record is the study's directory."""
        return not self.several and self.settings.runs == 1

    @property
    def label(self) -> str:
        """Part of the directory's name that follows the time: scenario and condition."""
        label = f"{len(self.conditions)}-conditions" if self.several else self.conditions[0].folder
        return f"{self.scenario.spec.name}-{label}"

    def runs(self) -> list[RunName]:
        """Return all runs in order."""
        seeds = range(self.settings.seed, self.settings.seed + self.settings.runs)
        return [(each.name, seed) for each in self.conditions for seed in seeds]

    def condition(self, name: str) -> Condition:
        """Return a condition by name."""
        return next(each for each in self.conditions if each.name == name)

    def directory(self, study: Path, run: RunName) -> Path:
        """Return the directory of a run's record."""
        name, seed = run
        directory = study / self.condition(name).folder if self.several else study
        return directory / f"seed-{seed}" if self.settings.runs > 1 else directory

    def config(self, conditions: Sequence[Condition]) -> dict[str, Any]:
        """Return the content of config.yaml, from which the study can be replicated."""
        added = plugins_used(entry for group in GROUPS for entry in entries(group).values())
        plugins = {"plugins": added} if added else {}
        return {
            "seed": self.settings.seed,
            "settings": self.settings.to_dict(),
            "scenario": self.scenario.spec.resolved(),
            "conditions": {each.name: each.definition for each in conditions},
            "setup": {each.name: setup_of(self.parts[each.name], self.scenario, each) for each in conditions},
            "bounds": {each.name: value_bounds(self.parts[each.name], self.scenario, each) for each in conditions},
            "versions": {
                "accord": metadata.version("accord-mc"),
                "python": platform.python_version(),
                "minecraft": Address.version,
            },
            **plugins,
        }


class Runner:
    """Runner of a plan's runs. Call `close` in the end."""

    def __init__(
        self,
        plan: StudyPlan,
        models: Models,
        study: Path,
        worlds: Worlds,
        *,
        listen: Listen | None = None,
        logs: str = "logs",
        watch: ProgressListener = ignore_progress,
        anew: bool = False,
        warm: WarmWorld | None = None,
    ) -> None:
        """Create a runner.

        Args:
            plan: Plan of the study.
            models: Models of the study.
            study: Directory of the study.
            worlds: Factory of worlds.
            listen: Called with each line of the event logs.
            logs: Folder in the study's directory for the logs of the world's processes.
            watch: Listener for progress events of model calls and runs.
            anew: True if no recorded run is continued; then all programs are made by this process and can be trusted.
            warm: World that stays open after this runner; None for a world of its own.
        """
        self.anew = anew
        self._watch = watch
        self._warm = warm
        self._plan = plan
        self._models = models
        self._study = study
        self._listen = listen
        settings = plan.settings
        # Unregistered worlds of a caller count as real-time worlds: their records keep wall times.
        self._virtual = settings.virtual

        humans, mode = humans_of(settings, plan.scenario), mode_of(settings, plan.scenario).name
        self.people = open_people(settings, plan.scenario, humans, mode)
        """Human players of the study; None without any."""

        log_dir = study / logs if warm is None else warm.log_dir

        def make_world(seed: int) -> World:
            chosen = seed if self._virtual else settings.seed
            asked: dict[str, Any] = {} if settings.terrain == FLAT else {"terrain": settings.terrain}
            if settings.bodies == ENGINE:
                asked["bodies"] = ENGINE
            asked |= _regions_of(plan.scenario, settings.world)
            world = worlds(settings.world, seed=chosen, log_dir=log_dir, port=settings.port, **asked)
            check_world(world, plan.scenario)
            if anew and TRUSTING in world.capabilities and not _asks(plan):
                # Without models every program is one of the reference players'. A continued record could hold others.
                trusting: Any = world
                trusting.trust()
            return peopled(world, self.people)

        # In unbounded scenarios players leave traces anywhere, so each episode needs a new world. Human players keep
        # the world, since they would have to join again.
        roaming = not plan.scenario.spec.bounded and self.people is None

        def make_keeper() -> WorldKeeper:
            return WorldKeeper(make_world, repeats=self._virtual or roaming)

        self.keeper = make_keeper() if warm is None else warm.keeper_or(make_keeper)
        if settings.hosts == "per-player":
            self.keeper.separate()
        self.results: dict[RunName, dict[str, Any]] = {}
        """Run -> result, for runs that have ended with any status."""

    def is_complete(self, run: RunName) -> bool:
        """Return whether a run's record is complete; if so, add its result to `results`."""
        end = self._written(run).ended
        if end is not None:
            self.results[run] = end.result
            self._remember_people(run)
        return end is not None

    async def run(self, run: RunName, *, go_on: bool = False) -> dict[str, Any]:
        """Play a run and return its result; with `go_on`, continue the run from its record.

        Raises CancelledError, PrerequisiteError and bugs. The result is in `results` even then.
        """
        before = self._written(run) if go_on else Interrupted()
        if (end := before.ended) is not None:
            self.results[run] = end.result
            return end.result
        playing = self._prepared(run, before)
        try:
            return await playing.perform()
        finally:
            if playing.result is not None:
                self.results[run] = playing.result

    def give_up(self, run: RunName, reason: str) -> None:
        """End a run with status `infrastructure`; keep its record up to the last checkpoint."""
        before = self._written(run)
        end = before.ended
        self.results[run] = end.result if end is not None else self._prepared(run, before).give_up(reason)

    async def close(self) -> None:
        """Close the world, unless it stays open for other studies."""
        if self._warm is None:
            await self.keeper.close()

    def _prepared(self, run: RunName, before: Interrupted) -> StudyRun:
        """Return a run with its record and its agents, restored from the state `before`."""
        plan, (name, seed) = self._plan, run
        condition, part = plan.condition(name), plan.parts[name]
        scenario = governed(plan.scenario.drawn(seed), name.partition("+")[0], dict(condition.factors))
        record = self._record(condition, run, before.keep)
        record.keeps_wall_clock = not self._virtual
        begun = before.meter.begun
        calls = record.directory / "calls.jsonl"
        memory = remembered(calls, lambda player, role, number: number >= begun[player, role]) if before.lines else None
        done = before.restored.progress.episodes
        thinking = Thinking(part.settings.thinking_cost(), lambda: self.keeper.world)
        scenario = with_secret_parts(part.settings, scenario, seating(part.settings, scenario))
        players = make_players(
            part.settings,
            self._models,
            scenario,
            run,
            record,
            thinking=thinking,
            memory=memory,
            done=done,
            prompts=part.prompts,
            watch=self._watch,
            people=self.people,
        )
        players.meter.add(before.meter)
        if memory is not None:
            memory.drop_before(begun)
            players.eyes.restore(read_events(record.directory / "events.jsonl", ("picture_taken",)))
        if before.lines:
            self._remember_people(run)
            cut = before.lines - before.keep
            record.log(RunResumed(run=record.directory.name, condition=name, seed=seed, cut=cut))
        return StudyRun(
            part.settings, scenario, condition, players, world=part.settings.world, seed=seed, record=record,
            keeper=self.keeper, restored=before.restored,
        )  # fmt: skip

    def _written(self, run: RunName) -> Interrupted:
        """Return the state of a run read from its log."""
        path = self._plan.directory(self._study, run) / "events.jsonl"
        lines = read_events(path) if path.exists() else ()
        return read_interrupted(lines, list(self._plan.scenario.spec.players), self._plan.parts[run[0]].mode)

    def _remember_people(self, run: RunName) -> None:
        """Ask nobody again who has agreed and answered in the record of a run."""
        if self.people is not None and self.people.forms.first:
            path = self._plan.directory(self._study, run) / "events.jsonl"
            self.people.remember(line.event for line in read_events(path, ("person", "questionnaire")))

    def _record(self, condition: Condition, run: RunName, keep: int) -> RunRecord:
        directory = self._plan.directory(self._study, run)
        if (directory / "events.jsonl").exists():
            return RunRecord.reopen(directory, keep, listen=self._listener(directory, condition.name))
        config = self._plan.config([condition]) | {"seed": run[1]}
        return RunRecord.create(directory, config, ("episodes",), listen=self._listener(directory, condition.name))

    def _listener(self, directory: Path, condition: str) -> Listen:
        """Return the listener for a run's lines, which reports progress and calls the study's listener."""
        part = self._plan.parts[condition]
        extent = Extent.of_run(part.settings, self._plan.scenario, part.mode)
        course = RunProgress(str(directory), extent, self._watch)

        def hear(line: LogLine) -> None:
            course.hear(line)
            if self._listen is not None:
                self._listen(line)

        return hear


def _check_part(settings: StudySettings, scenario: Scenario) -> None:
    """Check one part of a study against the scenario. Raises UsageError."""
    humans = humans_of(settings, scenario)
    mode = mode_of(settings, scenario)
    check_people(humans, mode.name, settings.world, settings.jobs)
    check_forms(settings, humans)
    check_episodes(settings, mode)
    for plays in scenario.spec.plays:
        MODES[plays].check(scenario)
    check_models(settings, scenario)
    check_acting(settings, scenario)
    check_sight(settings, settings, scenario, seating(settings, scenario))
    check_budget(settings, scenario)


def _asks(plan: StudyPlan) -> bool:
    """Return whether any part of the plan has a model."""
    return any(specs_of(each.settings) for each in plan.parts.values())


def remembered(calls: Path, wanted: Wanted = everything) -> RecordedCalls:
    """Return the recorded model calls of a run, with the texts of the calls that are `wanted`. Raises UsageError."""
    try:
        return RecordedCalls.load(calls, wanted)
    except ModelError as error:
        raise UsageError(str(error)) from None


def usual_world(scenario: Scenario, embodied: str) -> str:
    """Return the name of a scenario's default world."""
    on_arrays = "grid-game" in scenario.abilities and embodied == OFF
    return NOWHERE if on_arrays or scenario.spec.WORLDLESS else "embedded"


def check_ground(settings: WorldOptions, scenario: Scenario) -> None:
    """Check that the study has a world if and only if the scenario needs one. Raises UsageError."""
    name, on_arrays, nowhere = scenario.spec.name, "grid-game" in scenario.abilities, settings.world == NOWHERE
    if scenario.spec.WORLDLESS and not nowhere:
        raise UsageError(
            f"world {settings.world}: {name} is played in words and needs no Minecraft world: leave out --world (its "
            "world is none)"
        )
    if on_arrays and settings.embodied == OFF and not nowhere:
        raise UsageError(
            f"world {settings.world}: {name} is played on arrays and needs no Minecraft world: leave out --world (its "
            "world is none), or show the game there with --embodied mirror"
        )
    if not on_arrays and settings.embodied != OFF:
        raise UsageError(f"embodied: {name} is played in the world itself; leave out --embodied")
    if on_arrays and settings.embodied != OFF and nowhere:
        raise UsageError(f"embodied: there is no world to show {name} in; choose one with --world, such as mock")
    if not on_arrays and not scenario.spec.WORLDLESS and nowhere:
        raise UsageError(f"world none: {name} needs a world; choose another with --world")


def terrain_for(settings: WorldOptions, scenario: Scenario) -> str:
    """Return the terrain of a study: the scenario's, if the settings name none and the world supports it."""
    terrain = scenario.spec.required_terrain
    if settings.terrain != FLAT or terrain == FLAT:
        return settings.terrain
    able = settings.world in WORLDS and SURVIVAL_TERRAIN in capabilities(settings.world)
    return terrain if able else settings.terrain


def _regions_of(scenario: Scenario, world: str) -> dict[str, int]:
    """Return the argument for the scenario's number of regions, if the world supports regions."""
    count = scenario.spec.region_count
    apart = count > 1 and world in WORLDS and REGIONS in capabilities(world)
    return {"regions": count} if apart else {}


def bodies_for(settings: WorldOptions, scenario: Scenario) -> str | None:
    """Return the kind of the players' bodies; the default if the settings name none, None in a world without bodies."""
    if settings.bodies is not None or settings.world not in WORLDS or not (legal := bodies_of(settings.world)):
        return settings.bodies
    return ENGINE if ENGINE in legal and len(scenario.spec.players) > MANY else MINEFLAYER


def _check_land(settings: WorldOptions, scenario: Scenario) -> None:
    """Check that the scenario's ground does not lie inside the rock of survival terrain. Raises UsageError."""
    origin = scenario.spec.world.origin
    if settings.terrain != FLAT and origin[1] < SURFACE_Y:
        raise UsageError(
            f"terrain: {scenario.spec.name} is built at y = {origin[1]}, inside the rock of {settings.terrain} land; "
            f"leave out --terrain, or write a variant with world.origin at y = {SURFACE_Y} or above"
        )
