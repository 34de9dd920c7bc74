"""One game of a generation: by the payoff rule alone, or in a world as a run with a record."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from accord.analysis.validity import PROGRAMS, invalid
from accord.studies.sweeps.engine import Engine, Heard
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.tournament import TournamentPlan, play_in_world, write_game
from common.plain_files import read_text
from dilemmas.records.events import EpisodeStarted, MindTold, PolicyWritten, RoundPlayed
from dilemmas.records.manifest import LOG
from dilemmas.records.record import read_events
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from dilemmas.scenarios.repeated_game.spec import RepeatedGameSpec
from voyager_agents.evolving import POPULATION
from voyager_agents.stage_games.choosing import STRATEGY
from voyager_agents.stage_games.match import cooperation
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.populations import PopulationMember
from voyager_agents.thought_events import ACTION, StrategyWritten, Unusable

NO_CONTRACT = {"contract": "none", "about": "No contract."}
BOOKS = "seed-*/generation-*/game-*/books/*.json"
"""Files with what the games have spent, in the directory of a study."""


@dataclass(frozen=True)
class GroupResult:
    """Payoffs and cooperation of the members of one game, by their ids."""

    payoffs: Mapping[str, float]
    """Total payoff of the game, without what a member has at the start."""
    cooperation: Mapping[str, float]
    """Mean cooperation rate; members without a rated choice are missing."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Strategies that were written in this game."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """Errors of members that wrote no usable strategy."""
    invalid: bool = False
    """True if a player's model gave too few usable answers, so that a stand-in played for it."""


@dataclass(frozen=True)
class GroupGame:
    """A game in a world between members of a generation."""

    seed: int
    members: tuple[PopulationMember, ...]
    """Members by their seats."""
    writers: frozenset[str]
    """Ids of members that write a strategy before they play."""
    advice: tuple[str, ...]
    """Strategies that writers read."""
    folder: Path
    """Folder of the record."""
    programs: bool = False
    """True if the texts of the members are programs, which the settings of the game hold."""

    def settings(self, usual: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the settings of the game: the usual ones, and the programs of its players."""
        if not self.programs:
            return dict(usual)
        own = {POPULATION: json.dumps(self.population(players), ensure_ascii=True)}
        return {**usual, "agents_options": {**usual.get("agents_options", {}), **own}}

    def population(self, players: Sequence[str]) -> dict[str, Any]:
        """Return the option `population` of choosers (`voyager_agents.stage_games.options`)."""
        seats = list(zip(players, self.members, strict=True))
        return {
            "own": {player: member.text for player, member in seats if member.text},
            "writers": [player for player, member in seats if member.id in self.writers],
            "advice": list(self.advice),
        }


def play_group_by_rule(spec: RepeatedGameSpec, members: Sequence[PopulationMember], seed: int) -> GroupResult:
    """Play one game between strategies without a world."""
    match = spec.match(seed)
    seats = dict(zip(match.law.players, members, strict=True))
    paid = play(match, {player: member.kind for player, member in seats.items()}, seed)
    rates: dict[str, list[float]] = {}
    for played in match.history:
        for player, rate in cooperation(match.law, played).items():
            rates.setdefault(seats[player].id, []).append(rate)
    means = {member: fmean(each) for member, each in rates.items()}
    return GroupResult({seats[player].id: float(amount) for player, amount in paid.items()}, means)


def endowment(scenario: Scenario) -> float:
    """Return the amount that each player has before the game, which payoffs of rounds leave out."""
    return float(scenario.spec.law.endowed) if isinstance(scenario, RepeatedGame) else 0.0


def lowest_payoff(scenario: Scenario) -> float:
    """Return a lower bound of a player's total payoff in a game without a contract."""
    if isinstance(scenario, RepeatedGame):
        return float(scenario.spec.law.floor(scenario.spec.repetition.rounds))
    return 0.0


async def play_group_in_world(
    plan: TournamentPlan,
    scenario: Scenario,
    game: GroupGame,
    directory: Path,
    heard: Heard,
    engine: Callable[[int], Engine],
) -> GroupResult:
    """Play one game in a world, unless its record is complete, and return its result.

    Args:
        plan: The plan of this game alone.
        scenario: The repeated game, or another scenario that is played by programs.
        game: The game to play.
        directory: Directory of the study.
        heard: Called with the number and the outcome of the ended game.
        engine: Creates the engine for a number of concurrent games.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: The game was not played to its end.
    """
    players = tuple(scenario.spec.players)
    has_texts = game.writers or any(each.text for each in game.members)
    agents = {POPULATION: game.population(players)} if has_texts and not game.programs else {}
    condition = {**NO_CONTRACT, "agents": agents}
    data = {"extends": str(scenario.path.absolute()), **plan.changes(), "conditions": {"none": condition}}
    file = await asyncio.to_thread(write_game, data, game.folder.with_suffix(".yaml"))
    seats = dict(zip(players, game.members, strict=True))
    point = plan.point({player: member.kind for player, member in seats.items()})
    place = str(game.folder.relative_to(directory))
    in_rounds = isinstance(scenario, RepeatedGame)
    folder = await play_in_world(plan, [file], [point], directory, heard, engine, place=place, programs=True)
    return await asyncio.to_thread(_result_of, folder, seats, game.writers, in_rounds=in_rounds)


def _result_of(
    folder: SweepFolder, seats: Mapping[str, PopulationMember], writers: frozenset[str], *, in_rounds: bool
) -> GroupResult:
    """Return the result in the record of a game.

    Args:
        folder: Folder of the record.
        seats: Player -> member.
        writers: Ids of members that wrote a strategy or a program.
        in_rounds: True for a repeated game, whose payoffs are those of its rounds; else they are those of the run.
    """
    (task,) = folder.tasks
    played: list[RoundPlayed] = []
    texts: dict[str, str] = {}
    faults: dict[str, str] = {}
    for line in read_events(folder.home(task) / LOG):
        match line.event:
            case EpisodeStarted():
                played = []
            case RoundPlayed() as event:
                played.append(event)
            case MindTold(player=player, step=StrategyWritten() as step):
                texts[seats[player].id] = step.text
            case PolicyWritten(player=player, source=source, stood_in=""):
                texts[seats[player].id] = source
            case MindTold(player=player, step=Unusable(part=part, final=True) as step) if part in (STRATEGY, ACTION):
                faults[seats[player].id] = step.why
    ids = {player: member.id for player, member in seats.items()}
    result = folder.result(task) or {}
    paid = {
        player: sum(each.payoffs[player] for each in played)
        if in_rounds
        else float(result["players"][player]["payoff"])
        for player in seats
    }
    rates = {player: [each.cooperation[player] for each in played if player in each.cooperation] for player in seats}
    return GroupResult(
        {ids[player]: amount for player, amount in paid.items()},
        {ids[player]: fmean(each) for player, each in rates.items() if each},
        {member: text for member, text in texts.items() if member in writers},
        {member: why for member, why in faults.items() if member in writers and member not in texts},
        invalid(result) not in ("", PROGRAMS),
    )


def budget_left(budget: Mapping[str, float], books: Iterable[Path]) -> dict[str, float]:
    """Return the caps less what the files in `books` say was spent, at least a trifle: a cap is above 0."""
    spent = dict.fromkeys(budget, 0.0)
    for path in books if budget else ():
        try:
            told = json.loads(read_text(path))
            for measure in spent:
                spent[measure] += float(told[measure])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return {measure: max(1e-9, cap - spent[measure]) for measure, cap in budget.items()}
