"""Games of a league: what the focal seats of a planned game got, by the payoff rule or by the result of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from accord.analysis.league import LeagueGame
from accord.analysis.measures import gini
from accord.analysis.validity import invalid
from accord.studies.league_seats import PlannedGame
from accord.studies.tournament import GAMES
from dilemmas.errors import MeasureError, RecordError
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.played import play_measures

PER_ROUND = "per_round"
"""Measure of repeated games that is a player's return."""


def play_by_rule(name: str, game: str, changes: Mapping[str, Any], planned: Sequence[PlannedGame]) -> list[LeagueGame]:
    """Play games between strategies by the payoff rule, and return them in order.

    Args:
        name: Name of the scenario.
        game: File of the repeated game.
        changes: Keys and values laid over the file.
        planned: The games.
    """
    scenario = load_scenario(game, changes)
    assert isinstance(scenario, RepeatedGame), "only repeated games are played without a world"
    found = []
    for each in planned:
        match = scenario.spec.match(each.seed)
        paid = play(match, {seat: agent.name for seat, agent in each.seats.items()}, each.seed)
        rounds = len(match.history)
        own = [
            {seat: choice for stage in range(len(played.choices)) for seat, choice in played.own_choices(stage).items()}
            for played in match.history
        ]
        measures = play_measures(match.law, own)
        returns = {seat: float(amount / rounds) for seat, amount in paid.items()}
        found.append(_game_of(name, each, returns, measures.get("exploitability", {}), f"{GAMES}/{name}.json"))
    return found


def _game_of(
    scenario: str,
    planned: PlannedGame,
    returns: Mapping[str, float],
    exploitability: Mapping[str, float],
    record: str,
    *,
    bad: bool = False,
) -> LeagueGame:
    """Return the game of a league with the returns of its seats."""
    others = [amount for seat, amount in returns.items() if seat not in planned.focal]
    exploited = [exploitability[seat] for seat in planned.focal if seat in exploitability]
    try:
        spread = gini(list(returns.values()))
    except MeasureError:
        spread = None
    return LeagueGame(
        scenario=scenario,
        seed=planned.seed,
        player=planned.player,
        seats=planned.focal,
        focal=fmean(returns[seat] for seat in planned.focal),
        background=fmean(others) if others else None,
        welfare=sum(returns.values()),
        gini=spread,
        exploitability=fmean(exploited) if exploited else None,
        record=record,
        invalid=bad,
    )


def game_of_result(scenario: str, planned: PlannedGame, result: Mapping[str, Any], record: str) -> LeagueGame:
    """Return the game of a league in the result of its run.

    Args:
        scenario: Name of the scenario.
        planned: The game; its seed, focal player and focal seats are enough.
        result: Result of the run.
        record: Path of its record in the league's folder.

    Raises:
        RecordError: The result lacks a focal seat's payoff.
    """
    measures = result.get("measures") or {}
    try:
        # A repeated game has no emeralds in some worlds, and its number of rounds may be drawn.
        per_round = measures.get(PER_ROUND)
        returns = {
            seat: float(per_round[seat] if per_round else told["payoff"]) for seat, told in result["players"].items()
        }
        exploited = {str(seat): float(each) for seat, each in (measures.get("exploitability") or {}).items()}
        return _game_of(scenario, planned, returns, exploited, record, bad=bool(invalid(result)))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RecordError(
            f"{record}: has no payoffs of {', '.join(planned.focal)}; it is no run of this league"
        ) from None
