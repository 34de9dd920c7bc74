"""Section on drives: mean levels by condition and over time."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.drives.findings import MEASURES, DriveFindings, find_drives
from accord.analysis.report.drives.tables import drive_tables
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks


class DriveSection(ReportSection[DriveFindings]):
    """Hunger, shelter, safety and company."""

    name = "drives"
    part_of = ("society",)
    template = "drives.html.j2"

    def find(self, comparison: Comparison) -> DriveFindings | None:
        """See `ReportSection.find`."""
        return find_drives(comparison)

    def figures(self, findings: DriveFindings) -> Mapping[str, SectionFigure[DriveFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.drives.figures import FIGURES

        return FIGURES

    def tables(self, findings: DriveFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return drive_tables(findings)

    def measures(self, findings: DriveFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.groups)

    def values(self, findings: DriveFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"found": findings}


DRIVES = DriveSection()
