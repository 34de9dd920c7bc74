"""Leagues: focal players meet the background populations of held-out scenarios, and are rated by what they get.

Strategies of repeated games are played by the payoff rule, without a world. All other games are runs with records, one
sweep for each scenario. What has ended is kept in the league's folder and is not played again:

    league.yaml, scenarios.yaml   copies of the files
    games/SCENARIO.json           games without a world
    games/SCENARIO/               sweep of the games in a world
    games.csv                     one row per game
    league.json                   results, and the hash of every file of the league

After Agapiou et al., Melting Pot 2.0 (arXiv 2211.13746).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from accord.analysis.league import League, LeagueGame, LeagueScenario
from accord.analysis.report.league import OWN
from accord.studies.generation_games import budget_left
from accord.studies.generations import use_plugins
from accord.studies.league_file import (
    LEAGUE,
    SCENARIOS,
    TRAINING,
    FocalPlayer,
    LeagueSpec,
    ScenarioEntry,
    check_apart,
    held_out_file,
    read_league,
    read_scenarios,
)
from accord.studies.league_games import game_of_result, play_by_rule
from accord.studies.league_seats import PlannedGame, SeatDraw, SeatedAgent, free_seats, with_path
from accord.studies.players import seating
from accord.studies.runner import usual_world
from accord.studies.settings import OFF, StudySettings
from accord.studies.sweeps.engine import Engine, Heard, open_engine
from accord.studies.sweeps.folder import TASKS, SweepFolder
from accord.studies.sweeps.spec import Value
from accord.studies.sweeps.sweep import run_sweep
from accord.studies.tournament import GAMES, NO_WORLD, unfinished, write_game
from bridge.worlds import NOWHERE
from common.plain_files import is_plain, read_text
from common.plugins import active
from dilemmas.errors import DilemmaError, RecordError, UsageError
from dilemmas.records.manifest import digest, record_files
from dilemmas.records.record import to_json, write_atomically
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.models import is_model

PLAYED = TypeAdapter(list[LeagueGame])
BOOKS = f"{GAMES}/*/books/*.json"
"""Files with what the games have spent, in a league's folder."""


@dataclass(frozen=True)
class LoadedScenario:
    """Scenario of a league with its game."""

    name: str
    entry: ScenarioEntry
    game: Scenario
    changes: Mapping[str, Any]
    world: str
    planned: tuple[PlannedGame, ...]

    @property
    def by_rule(self) -> bool:
        """True if only strategies play, so that no world is needed."""
        agents = (agent for each in self.planned for agent in each.seats.values())
        return isinstance(self.game, RepeatedGame) and all(agent.plain for agent in agents)

    @cached_property
    def key(self) -> str:
        """Hash of everything that decides what the games without a world bring."""
        told = [self.game.spec.resolved(), [asdict(each) for each in self.planned]]
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()

    def about(self) -> LeagueScenario:
        """Return what the results say about the scenario."""
        background = self.entry.background
        population = background.values() if isinstance(background, dict) else background
        focal = len(self.planned[0].focal)
        world = NO_WORLD if self.by_rule else self.world
        return LeagueScenario(
            self.name, self.game.spec.name, self.entry.mode, focal, len(self.game.spec.players),
            tuple(dict.fromkeys(population)), world, self.entry.about,
        )  # fmt: skip


@dataclass(frozen=True)
class LeaguePlan:
    """League that can be played: its files, read and checked."""

    spec: LeagueSpec
    players: tuple[FocalPlayer, ...]
    scenarios: tuple[LoadedScenario, ...]
    copies: Mapping[str, Path]
    """Name of a copy in the league's folder -> file."""
    held_out: str
    training: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    """Focal player -> hash of the files that its agents name."""

    @property
    def name(self) -> str:
        """Name of the league's folder."""
        return f"{self.spec.name}-training" if self.training else self.spec.name

    @property
    def baselines(self) -> tuple[str, ...]:
        """Focal players that fix 0 and 1 of normalized returns."""
        return self.spec.baselines or tuple(each.name for each in self.players)

    def told(self) -> str:
        """Return the number of games in words."""
        total = sum(len(each.planned) for each in self.scenarios)
        ruled = sum(len(each.planned) for each in self.scenarios if each.by_rule)
        parts = f"{len(self.scenarios)} scenarios x {self.spec.seeds.count} seeds x {len(self.players)} focal players"
        return f"{total} games ({parts}), {ruled} of them without a world"


def open_league(path: Path, *, training: bool = False) -> LeaguePlan:
    """Return the plan of a league's file.

    Args:
        path: The file.
        training: True for the scenarios of training instead of the held-out ones, whose file is then not opened.

    Raises:
        UsageError: A file or a value in it is not legal; the message has one line.
        SpecError: A file cannot be read, or a game is not legal.
    """
    spec = read_league(path)
    base = path.absolute().parent
    shown = read_scenarios(base / spec.training) if spec.training else None
    if training:
        if shown is None:
            raise UsageError(f"{path}: has no scenarios of training; name their file as training: FILE")
        source, scenarios = base / spec.training, shown
    else:
        source = held_out_file(path, spec)
        scenarios = read_scenarios(source)
        if shown is not None:
            check_apart(path, scenarios, shown)
    players = _focal_players(path, spec)
    for name in spec.baselines:
        if name not in [each.name for each in players]:
            raise UsageError(f"{path}: baselines: {name!r} is no focal player; add it to focal, or leave it out")
    loaded = tuple(_load(each, entry, source, spec, players) for each, entry in scenarios.scenarios.items())
    _check_seats(path, source, spec, loaded)
    copies = {LEAGUE: path.absolute(), (TRAINING if training else SCENARIOS): source}
    copies |= {each.game: source.parent / each.game for each in scenarios.scenarios.values() if each.own_file}
    return LeaguePlan(spec, players, loaded, copies, digest([source]), training, _hashes(players))


def _focal_players(path: Path, spec: LeagueSpec) -> tuple[FocalPlayer, ...]:
    """Return all focal players, those of the folder of programs included. Raises UsageError."""
    base = path.absolute().parent
    found = _named_players(path, spec)
    if spec.programs:
        files = sorted((base / spec.programs).glob("*.js"))
        if not files:
            raise UsageError(f"{path}: programs: {base / spec.programs} has no NAME.js; put programs there")
        found += [FocalPlayer(name=each.stem, agents=(f"program:{each}",)) for each in files]
    if len(found) < 2:
        raise UsageError(f"{path}: focal: a league needs two players or more; name them, or a folder of programs")
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"{path}: programs: {twice!r} is the name of another focal player; rename {twice}.js")
    return tuple(found)


def _named_players(path: Path, spec: LeagueSpec) -> list[FocalPlayer]:
    """Return the focal players that the file names, with their files as absolute paths."""
    base = path.absolute().parent
    return [
        each.model_copy(
            update={
                "agents": {game: tuple(with_path(one, base) for one in own) for game, own in each.populations.items()}
            }
        )
        for each in spec.focal
    ]


def _load(
    name: str, entry: ScenarioEntry, source: Path, spec: LeagueSpec, players: Sequence[FocalPlayer]
) -> LoadedScenario:
    """Return a scenario with its game and all games to be played. Raises UsageError and SpecError."""
    where = f"{source}: scenarios.{name}"
    game = str(source.parent / entry.game) if entry.own_file else entry.game
    changes = dict(entry.change)
    plain = load_scenario(game, changes)
    if entry.rounds is not None:
        if not isinstance(plain, RepeatedGame):
            raise UsageError(f"{where}.rounds: {plain.spec.name} is no repeated game; leave it out")
        changes |= plain.with_rounds(entry.rounds)
        plain = load_scenario(game, changes)
    embodied = str(spec.settings.get("embodied", OFF))
    world = NOWHERE if usual_world(plain, embodied) == NOWHERE else spec.world
    draw = SeatDraw(where, name, entry, plain.spec.name, tuple(free_seats(plain)), source.parent)
    planned = tuple(draw.game(player, seed) for player in players for seed in spec.seeds.all())
    return LoadedScenario(name, entry, plain, changes, world, planned)


def _check_seats(path: Path, source: Path, spec: LeagueSpec, scenarios: Sequence[LoadedScenario]) -> None:
    """Check that every agent can play in its seats. Raises UsageError."""
    for scenario in scenarios:
        if scenario.by_rule:
            continue
        seen: set[tuple[tuple[str, SeatedAgent], ...]] = set()
        for each in scenario.planned:
            key = tuple(each.seats.items())
            if key in seen:
                continue
            seen.add(key)
            try:
                seating(_settings(spec, scenario, each), scenario.game)
            except UsageError as error:
                text = f"{path}: {each.player} cannot play {scenario.name} of {source.name}: {error}"
                raise UsageError(text) from None


def _settings(spec: LeagueSpec, scenario: LoadedScenario, game: PlannedGame) -> StudySettings:
    """Return the settings of a game in a world. Raises UsageError."""
    models = {seat: agent.model for seat, agent in game.seats.items() if agent.model is not None}
    return StudySettings.from_dict(
        {
            **spec.settings,
            "scenario": str(scenario.game.path),
            "contracts": [scenario.entry.condition],
            "world": scenario.world,
            "players": {seat: agent.name for seat, agent in game.seats.items() if not is_model(agent.name)},
            "models": models,
        }
    )


def _hashes(players: Sequence[FocalPlayer]) -> dict[str, str]:
    """Return focal player -> hash of the files that its agents name. Raises UsageError."""
    found = {}
    for each in players:
        agents = dict.fromkeys(agent for own in each.populations.values() for agent in own)
        named = [Path(agent.partition(":")[2]) for agent in agents if ":" in agent and not is_model(agent)]
        try:
            if named:
                found[each.name] = digest(named)
        except OSError as error:
            raise UsageError(f"focal: {each.name}: {error.filename} cannot be read ({error.strerror})") from None
    return found


async def play_league(
    plan: LeaguePlan,
    directory: Path,
    jobs: int = 1,
    heard: Heard = lambda _number, _outcome: None,
    engine: Callable[[int], Engine] = lambda jobs: open_engine("local", jobs=jobs),
    budget: Mapping[str, float] | None = None,
) -> League:
    """Play the games of a league that are not played yet, and return its results.

    Args:
        plan: The league.
        directory: The league's folder.
        jobs: Number of concurrent games.
        heard: Called with the number and the outcome of each ended game in a world.
        engine: Creates the engine for a number of concurrent games.
        budget: Caps that override those of the file.

    Raises:
        UsageError: The folder holds another league, or the plan cannot be played.
        DilemmaError: Games in a world were not played to their end.
    """
    await asyncio.to_thread(_claim, plan, directory)
    caps = {**{str(measure): cap for measure, cap in plan.spec.budget.items()}, **(budget or {})}
    games = await _by_rule([each for each in plan.scenarios if each.by_rule], directory, jobs)
    for scenario in plan.scenarios:
        if not scenario.by_rule:
            left = await asyncio.to_thread(_left, caps, directory, scenario.name)
            games[scenario.name] = await _in_world(plan, scenario, directory, heard, engine(jobs), left)
    return League(
        plan.name,
        tuple(each.name for each in plan.players),
        plan.baselines,
        tuple(each.about() for each in plan.scenarios),
        tuple(plan.spec.seeds.all()),
        tuple(game for each in plan.scenarios for game in games[each.name]),
        plan.held_out,
        plan.spec.about,
        plan.training,
    )


def _claim(plan: LeaguePlan, directory: Path) -> None:
    """Copy the files into the league's folder. Raises UsageError if it holds another league."""
    kept = directory / LEAGUE
    if is_plain(kept):
        apart = {"name", "budget", "about"}
        same = read_league(kept).model_dump(exclude=apart) == plan.spec.model_dump(exclude=apart)
        for name, file in plan.copies.items():
            same = same and (
                name == LEAGUE or (is_plain(directory / name) and digest([directory / name]) == digest([file]))
            )
        if not same:
            raise UsageError(f"{directory} holds another league, or its files have changed since; choose another --out")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, file in plan.copies.items():
            write_atomically(directory / name, file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"{directory}: cannot be written ({error.strerror}); choose another folder with --out"
        ) from None


def published_files(directory: Path) -> list[Path]:
    """Return all files of a played league whose hashes are published, in order."""
    own = [directory / name for name in OWN]
    games = directory / GAMES
    found = [*own, *directory.glob("*.yaml"), *games.glob("*.json"), *games.glob("*.yaml"), *games.glob(f"*/{TASKS}")]
    found += [path for tasks in games.glob("*/tasks") for path in record_files(tasks)]
    return sorted({path for path in found if is_plain(path)})


def games_by_rule(directory: Path) -> dict[str, list[LeagueGame]]:
    """Return the games without a world of a played league, played anew from its copies, by scenario.

    Raises:
        UsageError: The copies cannot be played here.
    """
    spec = read_league(directory / LEAGUE)
    source = next(directory / name for name in (SCENARIOS, TRAINING) if name == TRAINING or is_plain(directory / name))
    entries = read_scenarios(source).scenarios
    # Games without a world have no programs, whose folder is not published.
    players = _named_players(directory / LEAGUE, spec)
    ruled = [name for name in entries if is_plain(directory / GAMES / f"{name}.json")]
    return {name: play_by_rule(*_part(_load(name, entries[name], source, spec, players))) for name in ruled}


async def _by_rule(scenarios: Sequence[LoadedScenario], directory: Path, jobs: int) -> dict[str, list[LeagueGame]]:
    """Return the games of scenarios for strategies alone, by scenario; those that were played before are read."""
    found = {each.name: kept for each in scenarios if (kept := _kept(each, directory)) is not None}
    left = [each for each in scenarios if each.name not in found]
    if jobs > 1 and left:
        loop = asyncio.get_running_loop()
        with ProcessPoolExecutor(jobs, get_context("spawn"), use_plugins, (active(),)) as pool:
            played = await asyncio.gather(*(loop.run_in_executor(pool, play_by_rule, *_part(each)) for each in left))
    else:
        played = []
        for each in left:
            played.append(play_by_rule(*_part(each)))
            await asyncio.sleep(0)
    for each, games in zip(left, played, strict=True):
        found[each.name] = _keep(each, games, directory)
    return found


def _part(scenario: LoadedScenario) -> tuple[str, str, dict[str, Any], tuple[PlannedGame, ...]]:
    return scenario.name, str(scenario.game.path), dict(scenario.changes), scenario.planned


def _kept(scenario: LoadedScenario, directory: Path) -> list[LeagueGame] | None:
    """Return the games that were played before a stop; None if the file is missing or of other games."""
    try:
        told = json.loads(read_text(directory / GAMES / f"{scenario.name}.json"))
        games = PLAYED.validate_python(told["games"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ValidationError):
        return None
    expected = [(each.seed, each.player, each.focal) for each in scenario.planned]
    same = told.get("key") == scenario.key and [(each.seed, each.player, each.seats) for each in games] == expected
    return games if same else None


def _keep(scenario: LoadedScenario, games: list[LeagueGame], directory: Path) -> list[LeagueGame]:
    """Write the games of a scenario, and return them. Raises RecordError."""
    told = {"key": scenario.key, "games": PLAYED.dump_python(games, mode="json")}
    path = directory / GAMES / f"{scenario.name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, to_json(told))
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror}; make room, or choose another --out") from None
    return games


def _left(caps: Mapping[str, float], directory: Path, scenario: str) -> dict[str, float]:
    """Return the caps less what the games of the other scenarios have spent; a sweep counts its own."""
    return budget_left(caps, [each for each in directory.glob(BOOKS) if each.parts[-3] != scenario])


async def _in_world(
    plan: LeaguePlan,
    scenario: LoadedScenario,
    directory: Path,
    heard: Heard,
    engine: Engine,
    budget: Mapping[str, float],
) -> list[LeagueGame]:
    """Play the games of a scenario in a world; games that were played before are read. Raises DilemmaError."""
    data = {"extends": str(scenario.game.path.absolute()), **scenario.changes}
    file = await asyncio.to_thread(write_game, data, directory / GAMES / f"{scenario.name}.yaml")
    sweep: dict[str, Any] = {
        "name": GAMES,
        "scenarios": [str(file.absolute())],
        "conditions": [scenario.entry.condition],
        "settings": dict(plan.spec.settings),
        "points": list(_points(scenario).values()),
    }
    if scenario.world != NOWHERE:
        sweep["worlds"] = [scenario.world]
    folder = await asyncio.to_thread(
        SweepFolder.make, directory / GAMES / scenario.name, sweep, plan.copies[LEAGUE].parent
    )
    for task in folder.tasks:
        folder.take_up(task)
    played = await run_sweep(folder, engine, heard, budget=budget)
    if not played.complete:
        raise DilemmaError(unfinished(folder, played.statuses, "accord league FILE"))
    return await asyncio.to_thread(lambda: list(_results(scenario, folder, directory)))


def _results(scenario: LoadedScenario, folder: SweepFolder, directory: Path) -> Iterator[LeagueGame]:
    tasks = dict(zip(_points(scenario), folder.tasks, strict=True))
    for planned in scenario.planned:
        task = tasks[_run_of(planned)]
        record = folder.home(task).relative_to(directory).as_posix()
        yield game_of_result(scenario.name, planned, folder.result(task) or {}, record)


def _run_of(game: PlannedGame) -> tuple[int, tuple[tuple[str, SeatedAgent], ...]]:
    """Return what makes a game's run: populations of two focal players may ask for the same one."""
    return game.seed, tuple(game.seats.items())


def _points(scenario: LoadedScenario) -> dict[tuple[int, tuple[tuple[str, SeatedAgent], ...]], dict[str, Value]]:
    """Return the parameters of each run of a scenario, in the order of its games."""
    return {_run_of(each): _point(each) for each in scenario.planned}


def _point(game: PlannedGame) -> dict[str, Value]:
    """Return the parameters of a game in a sweep: its seed, and the agents and models of its seats."""
    found: dict[str, Value] = {"seed": game.seed}
    for seat, agent in game.seats.items():
        if not is_model(agent.name):
            found[f"players.{seat}"] = agent.name
        if agent.model is not None:
            found[f"models.{seat}"] = agent.model
    return found
