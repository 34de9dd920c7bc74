"""Findings on Voyager's benchmark: trials by condition, and summaries."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.society.findings import condition_order
from dilemmas.scenarios.registry import load_scenario, scenario_names
from dilemmas.scenarios.voyager_progress.measures import LEVELS, PlayerTrial, trial_values

MEASURES: Mapping[str, tuple[str, str]] = {
    "goal_iterations": ("To the goal", "iterations"),
    **{f"{level}_tool_iterations": (f"{level.capitalize()} tool", "iterations") for level in LEVELS},
    "unique_items": ("Items", "different ones"),
    "distance_blocks": ("Walked", "blocks"),
    "reach_blocks": ("Farthest", "blocks from the start"),
    "chunks_seen": ("Map", "squares of 16 x 16"),
    "iterations": ("Iterations", "programs"),
    "programs_failed": ("Broke off", "programs"),
    "deaths": ("Deaths", "in a trial"),
}
"""Measure of a trial -> its title and unit."""


@dataclass(frozen=True)
class TrialRun:
    """One trial: one player in one run."""

    run: ReportedRun
    player: str
    own: PlayerTrial
    goal: Mapping[str, int]
    """Items that the condition asked for; empty if none or unknown."""

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; undefined measures are left out."""
        return trial_values(self.own, self.goal)


@dataclass(frozen=True)
class TrialGroup(RunGroup[TrialRun]):
    """All trials of one condition."""

    def level(self, measure: str) -> str:
        """Return mean, standard deviation and number of the trials that reached a level, in the paper's notation."""
        found = self.samples(measure)
        share = f"({len(found)}/{len(self.runs)})"
        if not found:
            return f"none {share}"
        spread = f" ± {statistics.stdev(found):.0f}" if len(found) > 1 else ""
        return f"{statistics.fmean(found):.0f}{spread} {share}"

    @property
    def max_iterations(self) -> int:
        """Iterations of the longest trial."""
        return max(each.own.iterations for each in self.runs)

    @cached_property
    def curve(self) -> list[float]:
        """Mean number of different items by the end of each iteration; a finished trial keeps its last number."""
        curves = [each.own.curve(self.max_iterations) for each in self.runs]
        return [statistics.fmean(counts) for counts in zip(*curves, strict=True)]


@dataclass(frozen=True)
class TrialFindings:
    """Trials by condition."""

    comparison: Comparison
    groups: tuple[TrialGroup, ...]

    @property
    def by_rule(self) -> bool:
        """Return whether no model played."""
        return not any(each.run.calls for each in self.attempts)

    @property
    def attempts(self) -> list[TrialRun]:
        """All trials."""
        return [each for group in self.groups for each in group.runs]

    @property
    def asked(self) -> bool:
        """Return whether conditions asked for items, as zero-shot tasks do."""
        return any(each.goal for each in self.attempts)

    @property
    def shown(self) -> Sequence[str]:
        """Measures for the summary."""
        levels = [f"{level}_tool_iterations" for level in LEVELS]
        return ["goal_iterations", "iterations"] if self.asked else [*levels, "unique_items", "distance_blocks"]


def find_trials(comparison: Comparison) -> TrialFindings | None:
    """Return the complete trials in the runs, or None without any."""
    order = condition_order(comparison.scenario)
    goals = _goals(comparison.scenario, [each.name for each in comparison.conditions])
    groups = []
    for condition in sorted(comparison.conditions, key=lambda each: order.get(each.name, len(order))):
        found = tuple(each for run in condition.runs for each in _attempts(run, goals.get(condition.name, {})))
        if found:
            groups.append(TrialGroup(condition.name, found))
    return TrialFindings(comparison, tuple(groups)) if groups else None


def _attempts(run: ReportedRun, goal: Mapping[str, int]) -> Iterator[TrialRun]:
    if run.trial is None or run.status != "complete":
        return
    for player, own in run.trial.players.items():
        yield TrialRun(run, player, own, goal)


def _goals(scenario: str, conditions: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """Return condition -> items that it asks for; empty for an unregistered scenario."""
    loaded = load_scenario(scenario) if scenario in scenario_names() else None
    if loaded is None or "trial" not in loaded.abilities:
        return {}
    return {name: loaded.goal(name) for name in conditions}


def sentence(found: TrialFindings) -> str:
    """Return the iterations to goal or tools by condition in a sentence."""
    told = []
    for group in found.groups:
        if found.asked:
            told.append(f"{group.name} {group.level('goal_iterations')}")
        else:
            levels = ", ".join(f"{level} {group.level(f'{level}_tool_iterations')}" for level in LEVELS)
            items = group.measure("unique_items")
            told.append(f"{group.name}: {levels}{f'; {items.mean:.3g} different items' if items else ''}")
    what = "programs until the item was held" if found.asked else "programs until the first tool of each kind"
    return f"In these runs, {what}, mean over the trials that came so far (how many of all): {'; '.join(told)}."
