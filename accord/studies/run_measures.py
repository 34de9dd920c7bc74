"""Measures of single players in a run's result: the scenario's own, and reached goals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.studies.streaming_measures import Tallying
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.observables import GOAL_MEASURE, goal_measure


def run_measures(scenario: Scenario, directory: Path, counted: Tallying | None) -> dict[str, Any]:
    """Return `measures` and `gathered` of result.json, each only if there is something to tell.

    Args:
        scenario: The scenario.
        directory: Folder of the run's record.
        counted: The measures counted while the run was played; None to read its log.
    """
    measures: dict[str, dict[str, float]] = {}
    gathers = dict(scenario.gathers)
    if "measures" in scenario.abilities:
        measures = counted.measures() if counted else scenario.measures(log_lines(scenario, directory))
    if any(player.goal for player in scenario.spec.players.values()):
        ended = read_events(directory / "events.jsonl", {"episode_ended"})
        measures = {**measures, GOAL_MEASURE: goal_measure(ended)}
        gathers[GOAL_MEASURE] = "mean"
    gathered = {name: gathers[name] for name in measures if name in gathers}
    return ({"measures": measures} if measures else {}) | ({"gathered": gathered} if gathered else {})


def log_lines(scenario: Scenario, directory: Path) -> Iterator[LogLine]:
    """Return the lines of a run's log that the scenario's measures use."""
    return read_events(directory / "events.jsonl", scenario.reads)
