"""Table of drives over time as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.drives.findings import DriveFindings, DrivenRun
from accord.analysis.report.tables import text_of

COLUMNS = ("condition", "run", "seed", "time_s", "drive", "level")
TABLE = "drives.csv"
COURSE_S = 20.0
"""Seconds between two rows, and between two points of the figure."""


def drive_tables(findings: DriveFindings) -> dict[str, str]:
    """Return the table by file name."""
    runs = [run for group in findings.groups for run in group.runs]
    return {TABLE: text_of(COLUMNS, (row for run in runs for row in _rows(run)))}


def _rows(each: DrivenRun) -> Iterator[Sequence[object]]:
    for drive, course in each.history.course(COURSE_S).items():
        for time, level in course:
            yield [each.run.condition, each.run.name, each.run.seed, time, drive, round(level, 4)]
