"""Measures of single players in a run's result: the scenario's own and reached goals, with what their values can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.studies.conditions import Condition
from accord.studies.streaming_measures import Tallying
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.observables import GOAL_MEASURE, goal_measure
from dilemmas.scenarios.protocol import SHARE
from voyager_agents.turn_agent import HasCouncil


def run_measures(
    scenario: Scenario, condition: Condition, agents: Iterable[object], directory: Path, counted: Tallying | None
) -> dict[str, Any]:
    """Return `measures`, `gathered` and `bounds` of result.json, each only if there is something to tell.

    Args:
        scenario: The scenario.
        condition: The condition.
        agents: The agents that played.
        directory: Folder of the run's record.
        counted: The measures counted while the run was played; None to read its log.
    """
    measures: dict[str, dict[str, float]] = {}
    gathers, bounds = dict(scenario.gathers), scenario.bounds()
    if "measures" in scenario.abilities:
        measures = counted.measures() if counted else scenario.measures(log_lines(scenario, directory))
    if any(player.goal for player in scenario.spec.players.values()):
        ended = read_events(directory / "events.jsonl", {"episode_ended"})
        measures = {**measures, GOAL_MEASURE: goal_measure(ended)}
        gathers[GOAL_MEASURE], bounds[GOAL_MEASURE] = "mean", SHARE
    if "reward" in bounds and not _may_transfer(condition, agents):
        bounds["payoff"] = bounds["reward"]
    told = {
        "measures": measures,
        "gathered": {name: gathers[name] for name in measures if name in gathers},
        "bounds": {name: list(bounds[name]) for name in ("reward", "payoff", *measures) if name in bounds},
    }
    return {key: part for key, part in told.items() if part}


def log_lines(scenario: Scenario, directory: Path) -> Iterator[LogLine]:
    """Return the lines of a run's log that the scenario's measures use."""
    return read_events(directory / "events.jsonl", scenario.reads)


def _may_transfer(condition: Condition, agents: Iterable[object]) -> bool:
    """Return whether a contract, a deal or a council may move emeralds between players."""
    council = any(isinstance(each, HasCouncil) and each.council is not None for each in agents)
    return condition.kind != "none" or condition.axes.channels is not None or council
