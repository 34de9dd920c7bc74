"""Findings on drives: mean levels of each condition, and one run of each in detail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import GroupFindings, run_groups
from accord.analysis.report.model import ReportedRun
from dilemmas.scenarios.societies.drives import DriveHistory

MEASURES: Mapping[str, tuple[str, str]] = {
    f"{name}{suffix}": (f"{name.capitalize()}{title}", unit)
    for name in ("hunger", "shelter", "safety", "company")
    for suffix, title, unit in (
        ("", ", mean level", "0 to 1"),
        ("_pressing", ", share of time in which it asks for a new goal", "0 to 1"),
    )
}
"""Measure -> its title and unit."""


@dataclass(frozen=True)
class DrivenRun:
    """One run's drives."""

    run: ReportedRun
    history: DriveHistory

    @property
    def values(self) -> Mapping[str, float]:
        """See `accord.analysis.report.groups.MeasuredRun`."""
        return {
            **self.history.means(),
            **{f"{name}_pressing": share for name, share in self.history.pressed().items()},
        }


class DriveFindings(GroupFindings[DrivenRun]):
    """Drives of all conditions whose people have some."""

    titles = MEASURES


def find_drives(comparison: Comparison) -> DriveFindings | None:
    """Return the drives in the scored runs of each condition, or None if there were none."""
    groups = run_groups(comparison, MEASURES, lambda run: None if run.drives is None else DrivenRun(run, run.drives))
    return DriveFindings(groups) if groups else None
