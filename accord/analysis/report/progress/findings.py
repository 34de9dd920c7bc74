"""Findings on progression: runs by condition, summaries, and published results."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.analysis.intervals import NON_NEGATIVE
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.groups import RunGroup
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.society.findings import SocietyFindings
from dilemmas.scenarios.progression.measures import TIERS, ItemProgress, first_of, society_of
from voyager_agents.piano.rule_based.progression.knowledge import knowledge

MEASURES: Mapping[str, tuple[str, str]] = {
    "mean_items": ("Items of an agent", "different ones, mean"),
    "best_items": ("The best agent", "items"),
    "least_items": ("The least", "items"),
    "items_together": ("All together", "items"),
    "deaths": ("Deaths", "in a run"),
    **{f"{tier}_tool_s": (f"First {tier} tool", "s, of any agent") for tier in TIERS if tier != "golden"},
}
"""Measure of a run -> its title and unit."""
SOURCE = "Project Sid, section 3, figures 4 and 5"
PUBLISHED = (
    "After 30 minutes agents with all modules had 17 different items on average, some fewer than 5, the best 30 to 40; "
    "49 agents had about 320 of some 1000 together after 4 hours, and diamonds after about 30 minutes"
)
PUBLISHED_MEAN, PUBLISHED_AT_S = 17.0, 1800.0
"""Number of items of an agent with all modules, and the time of that count in seconds."""


@dataclass(frozen=True)
class ProgressRun:
    """One run with its items."""

    run: ReportedRun
    progress: ItemProgress

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; undefined measures are left out."""
        told = society_of(self.progress)
        found = {name: told[name] for name in ("mean_items", "best_items", "least_items", "items_together", "deaths")}
        for tier in TIERS:
            firsts = [first_of(items, tier) for items in self.progress.firsts.values()]
            found[f"{tier}_tool_s"] = min((t_s for t_s in firsts if t_s is not None), default=None)
        return {name: float(value) for name, value in found.items() if value is not None}

    @cached_property
    def curves(self) -> Mapping[str, list[int]]:
        """Player -> its number of items at each sampled time."""
        return self.progress.counts(self.progress.times)


@dataclass(frozen=True)
class ProgressGroup(RunGroup[ProgressRun]):
    """All runs of one condition."""

    @cached_property
    def over_time(self) -> list[tuple[float, MeasureSummary, int]]:
        """(time, items of an agent, items of the best agent of all runs).

        The summary is of the runs' means: agents of one world share it and are not independent.
        """
        times = min((run.progress.times for run in self.runs), key=len)
        found = []
        for place, t_s in enumerate(times):
            counts = [[curve[place] for curve in run.curves.values()] for run in self.runs if run.curves]
            means = [statistics.fmean(each) for each in counts]
            found.append((t_s, summarize(means, place).cut_to(NON_NEGATIVE), max(map(max, counts))))
        return found

    @cached_property
    def holders(self) -> Counter[str]:
        """Item -> number of agents of all runs that have held it."""
        return Counter(item for run in self.runs for items in run.progress.firsts.values() for item in items)

    @cached_property
    def firsts(self) -> Mapping[str, tuple[float, str, int]]:
        """Item -> (first time in seconds, player, seed)."""
        found: dict[str, tuple[float, str, int]] = {}
        for run in self.runs:
            for item, (t_s, name) in run.progress.together.items():
                found[item] = min(found.get(item, (t_s, name, run.run.seed)), (t_s, name, run.run.seed))
        return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))


@dataclass(frozen=True)
class ProgressFindings:
    """Runs by condition in which items were counted."""

    groups: tuple[ProgressGroup, ...]
    by_rule: bool
    """True if no model played."""

    @property
    def obtainable(self) -> int:
        """Number of items that can be obtained without commands."""
        return len(knowledge().ways)

    @cached_property
    def reached(self) -> frozenset[str]:
        """Items that any agent held."""
        return frozenset(item for group in self.groups for item in group.firsts)


def find_progress(found: SocietyFindings) -> ProgressFindings | None:
    """Return the runs in which agents' items were counted, or None without any."""
    groups = []
    for society in found.societies:
        runs = tuple(ProgressRun(each.run, each.run.progress) for each in society.runs if each.run.progress is not None)
        if runs:
            groups.append(ProgressGroup(society.name, runs))
    calls = sum(run.run.calls for group in groups for run in group.runs)
    return ProgressFindings(tuple(groups), by_rule=not calls) if groups else None


def sentence(found: ProgressFindings) -> str:
    """Return the number of items by condition in a sentence."""
    told = []
    for group in found.groups:
        mean, best, together = (group.measure(name) for name in ("mean_items", "best_items", "items_together"))
        if mean and best and together:
            told.append(f"{group.name} {mean.mean:.3g} ({best.mean:.3g} the best, {together.mean:.3g} together)")
    if not told:
        return "Nobody's items were counted: nothing can be said of them."
    return f"Different items that an agent had held at the end, in these runs: {'; '.join(told)}."


def rows(found: ProgressFindings) -> Sequence[tuple[str, list[tuple[str, float, str, int, int]]]]:
    """Return condition -> (item, first time, player, seed, number of agents), sorted by time."""
    return [
        (group.name, [(item, *first, group.holders[item]) for item, first in group.firsts.items()])
        for group in found.groups
    ]
