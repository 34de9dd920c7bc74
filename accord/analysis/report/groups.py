"""Groups of runs by condition, for sections with measures of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from accord.analysis.measures import MeasureSummary, summarize
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


@dataclass(frozen=True)
class RunGroup(Generic[R]):
    """All runs of one condition."""

    name: str
    runs: tuple[R, ...]

    def samples(self, measure: str) -> list[float]:
        """Return the measure in every run that defines it."""
        return [run.values[measure] for run in self.runs if measure in run.values]

    def measure(self, measure: str) -> MeasureSummary | None:
        """Return the summary of a measure, or None if no run defines it."""
        values = self.samples(measure)
        return summarize(values, self.runs[0].run.seed) if values else None


def lives_folder(run: ReportedRun) -> str:
    """Return the folder of the agents' pages, relative to the report."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in run.condition)
    return f"lives/{safe}-seed-{run.seed}"
