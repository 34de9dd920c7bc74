"""Observables of an episode: the table of facts on which contracts are judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from contracts import ContractFormatError, EvaluationError, Expression, Observables, PlayerFacts
from contracts.expressions import Kind
from dilemmas.errors import SpecError
from dilemmas.records.events import EpisodeEnded, Holdings, LogLine
from dilemmas.scenarios.base import Scenario

GOAL_MEASURE = "goal_reached"
"""Measure of players with secret goals: 1 if the goal was reached in a run's last episode, else 0."""
NO_HOLDINGS = Holdings(items={}, mined={}, reward=0.0)
"""Holdings of a player that has done nothing."""


def facts_of(players: Mapping[str, Holdings], prices: Mapping[str, Mapping[str, float]]) -> dict[str, PlayerFacts]:
    """Return player -> facts that contracts can name; `prices` is player -> item -> emeralds for one."""
    return {
        name: PlayerFacts(items=held.items, mined=held.mined, value=prices[name], reward=held.reward)
        for name, held in players.items()
    }


def prices_of(scenario: Scenario) -> dict[str, Mapping[str, float]]:
    """Return player -> item -> price in emeralds."""
    return {name: player.prices for name, player in scenario.spec.players.items()}


def observables(scenario: Scenario, players: Mapping[str, Holdings], chest: Mapping[str, int]) -> Observables:
    """Return the observables of an episode with these holdings at its end."""
    words = scenario.vocabulary()
    facts = facts_of(players, prices_of(scenario))
    return Observables.collect(facts, chest, items=words.items, blocks=words.blocks)


def initial_observables(scenario: Scenario) -> Observables:
    """Return the observables of an episode in which nobody did anything."""
    return observables(scenario, dict.fromkeys(scenario.spec.players, NO_HOLDINGS), {})


def holdings_since(
    then: Mapping[str, Holdings], now: Mapping[str, Holdings], counters: Collection[str]
) -> dict[str, Holdings]:
    """Return what the players hold now, and what they have mined, done and earned since an earlier state.

    Args:
        then: Player -> holdings in the earlier state; a missing player had done nothing.
        now: Player -> holdings now.
        counters: Items that count deeds (`Vocabulary.counters`).
    """
    found = {}
    for name, held in now.items():
        before = then.get(name, NO_HOLDINGS)
        counted = {item: count for item, count in before.items.items() if item in counters}
        found[name] = Holdings(
            items=_subtract(held.items, counted),
            mined=_subtract(held.mined, before.mined),
            reward=held.reward - before.reward,
        )
    return found


def check_goals(scenario: Scenario) -> None:
    """Check that the conditions of the players' secret goals can be evaluated. Raises SpecError."""
    goals = {name: player.goal for name, player in scenario.spec.players.items() if player.goal is not None}
    if not goals:
        return
    legal = initial_observables(scenario)
    for name, goal in goals.items():
        where = f"{scenario.path}: players.{name}.goal.holds: {goal.holds!r}"
        try:
            condition = Expression(goal.holds)
        except ContractFormatError as error:
            raise SpecError(f"{where}: {error}") from None
        if condition.kind != Kind.TRUTH or condition.obligations:
            raise SpecError(f"{where} is no condition over observables; write one such as {next(iter(legal))} >= 1")
        if unknown := sorted(condition.names - set(legal)):
            raise SpecError(f"{where}: {unknown[0]!r} is not known; legal are {', '.join(sorted(legal))}")


def goals_reached(scenario: Scenario, players: Mapping[str, Holdings], chest: Mapping[str, int]) -> dict[str, bool]:
    """Return, for each player with a secret goal, whether the goal is reached with these holdings at the end.

    A condition without a value, such as a division by zero, does not hold.
    """
    goals = {name: player.goal for name, player in scenario.spec.players.items() if player.goal is not None}
    if not goals:
        return {}
    table = observables(scenario, players, chest)

    def holds(condition: str) -> bool:
        try:
            return Expression(condition).truth(table)
        except EvaluationError:
            return False

    return {name: holds(goal.holds) for name, goal in goals.items()}


def goal_measure(lines: Iterable[LogLine]) -> dict[str, float]:
    """Return player -> 1 if the secret goal was reached in the last episode of these log lines, else 0."""
    reached: Mapping[str, bool] = {}
    for line in lines:
        if isinstance(line.event, EpisodeEnded):
            reached = line.event.goals
    return {player: float(ok) for player, ok in reached.items()}


def _subtract(counts: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Return the differences of counts, without zeros."""
    differences = {name: count - before.get(name, 0) for name, count in counts.items()}
    return {name: count for name, count in differences.items() if count}
