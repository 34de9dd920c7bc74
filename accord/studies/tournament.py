"""Round-robin tournaments in a repeated game for two players.

Strategies alone are played by the game's payoff rule, without a world. Other agents play in a world, as a sweep over
all pairs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar

import yaml

from accord.analysis.tournament import Tournament
from accord.analysis.validity import PROGRAMS, invalid
from accord.studies.kept_plan import KeptPlan
from accord.studies.option_definitions import Bounds
from accord.studies.sweeps.engine import Engine, Heard, open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.spec import Value
from accord.studies.sweeps.sweep import run_sweep
from accord.studies.sweeps.tasks import SweepTask
from bridge.worlds import WORLDS
from dilemmas.errors import DilemmaError, RecordError, UsageError
from dilemmas.records.record import write_atomically
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.human.connection import HUMAN
from voyager_agents.models import KINDS, is_model
from voyager_agents.registry import FAMILIES
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.tournament import USUAL, Bout, Pair, alike, bouts, pairings
from voyager_agents.stage_games.turns import TAKES

NO_WORLD = "none"
CHOOSER = "chooser"
"""Family of players that ask a model for each choice."""
MAX_GAMES = 1_000_000
"""Maximum number of games per pair."""
GAMES = "games"
"""Name of the sweep of games in a world, and of its folder."""
OF_A_MODEL = ("base_urls", "api_key_files")
"""Settings by model; each game gets the entries of the models that play in it."""


@dataclass(frozen=True)
class TournamentPlan(KeptPlan):
    """Plan of a tournament, checked when created: an illegal value raises UsageError with a one-line message."""

    KIND: ClassVar[str] = "tournament"
    TOLD: ClassVar[str] = "a tournament"
    NEEDED: ClassVar[frozenset[str]] = frozenset({"names"})
    MIN_NAMES: ClassVar[int] = 2
    """Minimum number of participants."""

    names: tuple[str, ...] = USUAL
    """Participants: strategies, families of agents that are asked in each stage, and models (`openai/NAME`)."""
    noise: Annotated[float | None, Bounds(0, 1)] = None
    """Probability that a choice is replaced by another option; None for the scenario's."""
    seeds: Annotated[int, Bounds(1, MAX_GAMES)] = 10
    """Games per pair, with the seeds seed, seed + 1, ..."""
    itself: bool = False
    """True if each participant also plays against a copy of itself."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_names()
        if self.played_in not in (NO_WORLD, *WORLDS):
            raise UsageError(f"world: {self.played_in!r} is not legal; choose one of {', '.join((NO_WORLD, *WORLDS))}")
        if self.played_in == NO_WORLD and self._others:
            raise UsageError(
                f"agents: {self._others[0]!r} plays in a world alone: give --world mock, or leave out --world"
            )
        self._check_models()

    def _check_names(self) -> None:
        if len(self.names) < self.MIN_NAMES:
            raise UsageError(f"agents: {', '.join(self.names) or 'nobody'}: {self._needs}")
        for name in self.names:
            if self.names.count(name) > 1:
                raise UsageError(f"agents: {name!r} is named twice; --itself lets each meet one of its own kind")
            if name not in STRATEGIES and name not in asked() and not is_model(name):
                legal = ", ".join([*STRATEGIES, *asked(), *(f"{kind}/NAME" for kind in KINDS)])
                raise UsageError(f"agents: {name!r} plays in no tournament; choose from {legal}")

    def _check_models(self) -> None:
        needing = [name for name in self._others if not is_model(name) and FAMILIES[name].roles]
        if needing and self.model is None:
            raise UsageError(
                f"agents: {needing[0]!r} needs a model: give --model openai/NAME, or name openai/NAME itself"
            )
        if self.model is not None and not needing:
            raise UsageError(f"model: nobody plays with {self.model}: name {CHOOSER}, or {self.model}, among --agents")
        asks = self._asked_models
        for spec in chain(*(self.settings.get(key) or {} for key in OF_A_MODEL)):
            if spec not in asks:
                raise UsageError(
                    f"--base-url or --api-key-file {spec}=...: no {spec!r} plays; models are {_joined_names(asks)}"
                )

    @property
    def _asked_models(self) -> list[str]:
        """Specs of all models that are asked."""
        return [*filter(is_model, self.names), *([self.model] if self.model else [])]

    @property
    def _needs(self) -> str:
        return "a tournament needs two or more, as A,B,C"

    @property
    def _others(self) -> list[str]:
        return [name for name in self.names if name not in STRATEGIES]

    @property
    def played_in(self) -> str:
        """Name of the world, or `none`."""
        return self.world or ("mock" if self._others else NO_WORLD)

    @property
    def all_seeds(self) -> range:
        """Seeds of each pair's games."""
        return range(self.seed, self.seed + self.seeds)

    @property
    def title(self) -> str:
        """Name of the study's folder, without the time."""
        return f"{self.game().spec.name}-{self.KIND}"

    def changes(self) -> dict[str, Any]:
        """Return the changes to the scenario's file. Raises UsageError if the scenario is not a repeated game."""
        noise: dict[str, Any] = {} if self.noise is None else {"rules": {"noise": self.noise}}
        return noise | self.round_changes()

    def point(self, seats: Mapping[str, str]) -> dict[str, Value]:
        """Return the sweep's parameters for one game (player -> participant)."""
        return point_of(self, seats)

    def game(self) -> RepeatedGame:
        """Return the game that every pair plays. Raises UsageError if it is not a repeated game for two players."""
        plain = load_scenario(self.scenario)
        if not isinstance(plain, RepeatedGame):
            raise UsageError(f"{plain.spec.name} is no repeated game: see docs/matrix-games.md")
        if len(plain.spec.players) != 2:
            count = len(plain.spec.players)
            raise UsageError(f"{plain.spec.name} is for {count} players: a tournament is of games for two")
        scenario = load_scenario(self.scenario, self.changes())
        assert isinstance(scenario, RepeatedGame), "changes of rules and rounds leave a game what it is"
        return scenario


def asked() -> list[str]:
    """Return the names of the families whose agents are asked in each stage of a repeated game."""
    return [name for name, each in FAMILIES.items() if each.takes == TAKES and HUMAN not in each.kind_names()]


async def tournament(
    plan: TournamentPlan,
    directory: Path,
    heard: Heard = lambda _number, _outcome: None,
    engine: Callable[[int], Engine] = lambda jobs: open_engine("local", jobs=jobs),
) -> Tournament:
    """Play a tournament and return its result.

    Args:
        plan: The plan.
        directory: Directory for the records of games in a world.
        heard: Called with the number and the outcome of each ended game in a world.
        engine: Creates the engine for a number of concurrent games.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: Games in a world were not played to their end.
    """
    game = plan.game()
    pairs = pairings(plan.names, both_seats=not alike(game.spec.law), itself=plan.itself)
    if plan.played_in == NO_WORLD:
        played = tuple(bouts(game.spec.match, pairs, plan.all_seeds))
    else:
        players = tuple(game.spec.players)
        data = {"extends": str(game.path.absolute()), **plan.changes()}
        file = await asyncio.to_thread(write_game, data, directory / f"{game.spec.name}.yaml")
        points = [point_of(plan, dict(zip(players, pair, strict=True))) for pair in pairs]
        folder = await play_in_world(plan, [file], points, directory, heard, engine)
        met = [pair for pair in pairs for _ in plan.all_seeds]
        played = tuple(_bout(folder, task, pair, players) for task, pair in zip(folder.tasks, met, strict=True))
    law = game.spec.law
    return Tournament(
        game.spec.name,
        plan.names,
        plan.seed,
        played,
        float(game.spec.rules.noise),
        plan.played_in,
        (float(law.worst()), float(law.finest())),
    )


async def play_in_world(
    plan: KeptPlan,
    games: Sequence[Path],
    points: Sequence[Mapping[str, Value]],
    directory: Path,
    heard: Heard,
    engine: Callable[[int], Engine],
    *,
    place: str = GAMES,
    programs: bool = False,
) -> SweepFolder:
    """Play every game at every point with every seed, and return the folder of the records, in that order of tasks.

    Args:
        plan: The plan.
        games: Files of games.
        points: Parameters of the sweep, see `point_of`.
        directory: Directory for the records.
        heard: Called with the number and the outcome of each ended game.
        engine: Creates the engine for a number of concurrent games.
        place: Folder of the records in the directory.
        programs: True if a game in which every program broke off has ended, too.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: Games were not played to their end.
    """
    folder = SweepFolder.make(directory / place, sweep_data(plan, games, points), directory)
    for task in folder.tasks:
        folder.take_up(task)
    result = await run_sweep(folder, engine(plan.jobs), heard, budget=plan.budget)
    broken = programs and all(_has_ended(folder.result(task) or {}) for task in folder.tasks)
    if not result.complete and not broken:
        raise DilemmaError(unfinished(folder, result.statuses, f"accord resume {directory}"))
    return folder


def _has_ended(result: Mapping[str, Any]) -> bool:
    return result.get("status") == "complete" or invalid(result) == PROGRAMS


def write_game(data: Mapping[str, Any], file: Path) -> Path:
    """Write the file of a game, and return its path. Raises RecordError."""
    text = yaml.safe_dump(dict(data), sort_keys=False)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text)
    except OSError as error:
        raise RecordError(f"cannot write {file}: {error.strerror}; make room, or choose another --out") from None
    return file


def sweep_data(plan: KeptPlan, games: Sequence[Path], points: Sequence[Mapping[str, Value]]) -> dict[str, Any]:
    """Return the data of the sweep in which every game is played at every point."""
    return {
        "name": GAMES,
        "scenarios": [str(game.absolute()) for game in games],
        "conditions": [plan.condition],
        "worlds": [plan.played_in],
        "seeds": list(plan.all_seeds),
        "settings": {key: value for key, value in plan.settings.items() if key not in OF_A_MODEL},
        "points": [dict(point) for point in points],
        "budget": dict(plan.budget),
    }


def point_of(plan: TournamentPlan, seats: Mapping[str, str]) -> dict[str, Value]:
    """Return the sweep's parameters for one pair: the players' agents, models and endpoints."""
    models = {
        player: name if is_model(name) else plan.model for player, name in seats.items() if name not in STRATEGIES
    }
    agents: Value = ",".join(CHOOSER if is_model(name) else name for name in seats.values())
    return {"agents": agents, **model_parameters(plan, models)}


def model_parameters(plan: TournamentPlan, models: Mapping[str, str | None]) -> dict[str, Value]:
    """Return the sweep's parameters for the models of players, and their endpoints; None for a player without one."""
    asks = {player: model for player, model in models.items() if model is not None}
    found: dict[str, Value] = {f"models.{player}": model for player, model in asks.items()}
    for key in OF_A_MODEL:
        given = plan.settings.get(key) or {}
        found |= {f"{key}.{model}": str(given[model]) for model in asks.values() if model in given}
    return found


def unfinished(folder: SweepFolder, statuses: Mapping[str, int], command: str) -> str:
    """Return the error message for unfinished games, with the reason of one of them and the command to go on."""
    told = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    results = (folder.result(task) or {} for task in folder.tasks)
    bad = (result for result in results if result.get("status") not in (None, "complete"))
    why = next((f": {reason}" for result in bad if (reason := result.get("reason"))), "")
    return f"not every game was played to its end ({told}){why}; go on with: {command}"


def _bout(folder: SweepFolder, task: SweepTask, pair: Pair, players: Sequence[str]) -> Bout:
    """Return the bout in the record of a game."""
    result = folder.result(task)
    assert result is not None, "every game has ended"
    measures = result["measures"]
    scores = [float(measures["per_round"][player]) for player in players]
    rates, gaps, exploitability = (
        [measures.get(name, {}).get(player) for player in players]
        for name in ("cooperation", "best_response_gap", "exploitability")
    )
    rounds = int(measures["rounds"][""])
    return Bout(
        pair,
        task.seed,
        rounds,
        (scores[0], scores[1]),
        (rates[0], rates[1]),
        bool(invalid(result)),
        gaps=(gaps[0], gaps[1]),
        exploitability=(exploitability[0], exploitability[1]),
    )


def _joined_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
