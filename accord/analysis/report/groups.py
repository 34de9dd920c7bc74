"""Groups of runs by condition, for sections with measures of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar

from accord.analysis.intervals import NON_NEGATIVE, SHARES, UNBOUNDED, Interval
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.model import ReportedRun


class MeasuredRun(Protocol):
    """Run with measures of its own."""

    @property
    def run(self) -> ReportedRun:
        """The run's record."""

    @property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; undefined measures are left out."""


R = TypeVar("R", bound=MeasuredRun)
Titles = Mapping[str, tuple[str, str]]
"""Measure -> its title and unit."""
RANGES: Mapping[str, Interval] = {
    "share": SHARES, "0 to 1": SHARES, "a run": NON_NEGATIVE, "paid a run": NON_NEGATIVE, "clauses": NON_NEGATIVE,
    "words": NON_NEGATIVE,
}  # fmt: skip
"""Unit -> possible values of its measures. Intervals are cut to them, which takes nothing from their coverage."""


@dataclass(frozen=True)
class RunGroup(Generic[R]):
    """All runs of one condition."""

    name: str
    runs: tuple[R, ...]
    titles: Titles = field(default_factory=dict)

    def samples(self, measure: str) -> list[float]:
        """Return the measure in every run that defines it."""
        return [run.values[measure] for run in self.runs if measure in run.values]

    def measure(self, measure: str) -> MeasureSummary | None:
        """Return the summary of a measure, or None if no run defines it."""
        values = self.samples(measure)
        if not values:
            return None
        _, unit = self.titles.get(measure, ("", ""))
        return summarize(values, self.runs[0].run.seed).cut_to(RANGES.get(unit, UNBOUNDED))


def run_groups(
    comparison: Comparison, titles: Titles, measured: Callable[[ReportedRun], R | None]
) -> list[RunGroup[R]]:
    """Return the scored runs of each condition; None from `measured` leaves a run out, and nothing a condition."""
    found = []
    for condition in comparison.conditions:
        runs = [each for run in condition.scored if (each := measured(run)) is not None]
        if runs:
            found.append(RunGroup(condition.name, tuple(runs), titles))
    return found


def measures_of(titles: Titles, groups: Iterable[RunGroup[R]]) -> list[tuple[str, str, str]]:
    """Return (measure, title, unit) of the measures that some group has, in the order of the titles."""
    listed = list(groups)
    return [(name, *each) for name, each in titles.items() if any(group.measure(name) is not None for group in listed)]


@dataclass(frozen=True)
class GroupFindings(Generic[R]):
    """Findings of a section on all conditions that it applies to."""

    titles: ClassVar[Titles]

    groups: Sequence[RunGroup[R]]

    @property
    def samples(self) -> Sequence[R]:
        """The first scored run of each condition, which the page shows in detail."""
        return [group.runs[0] for group in self.groups]

    @property
    def measures(self) -> list[tuple[str, str, str]]:
        """(measure, title, unit) of the measures that some condition has."""
        return measures_of(self.titles, self.groups)


def lives_folder(run: ReportedRun) -> str:
    """Return the folder of the agents' pages, relative to the report."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in run.condition)
    return f"lives/{safe}-seed-{run.seed}"
