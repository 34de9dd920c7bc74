"""All runs of one condition in a part of the report that has measures of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.model import ReportedRun


class MeasuredRun(Protocol):
    """A run with measures."""

    @property
    def run(self) -> ReportedRun:
        """What was played."""

    @property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; one that is not defined is left away."""


R = TypeVar("R", bound=MeasuredRun)


@dataclass(frozen=True)
class RunGroup(Generic[R]):
    """All runs of one condition."""

    name: str
    runs: tuple[R, ...]

    def samples(self, measure: str) -> list[float]:
        """The measure in every run that defines it."""
        return [run.values[measure] for run in self.runs if measure in run.values]

    def measure(self, measure: str) -> MeasureSummary | None:
        """The same, summarized; None where no run defines it."""
        values = self.samples(measure)
        return summarize(values, self.runs[0].run.seed) if values else None


def lives_folder(run: ReportedRun) -> str:
    """Where the pages of its people are, beside the report."""
    safe = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in run.condition)
    return f"lives/{safe}-seed-{run.seed}"
