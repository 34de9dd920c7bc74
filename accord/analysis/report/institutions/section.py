"""Section on institutions: measures by condition, and law, offices, votes and steps of one run of each."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.institutions.findings import CivicFindings, find_institutions, short_condition
from accord.analysis.report.institutions.tables import institution_tables
from accord.analysis.report.section import ReportSection, SectionFigure, TranscriptLinks

MAX_TOLD = 200
"""Maximum number of steps of a run in the list on the page."""


class InstitutionSection(ReportSection[CivicFindings]):
    """Law, offices, votes, sanctions and trials."""

    name = "institutions"
    part_of = ("standard", "society")
    template = "institutions.html.j2"

    def find(self, comparison: Comparison) -> CivicFindings | None:
        """See `ReportSection.find`."""
        return find_institutions(comparison)

    def figures(self, findings: CivicFindings) -> Mapping[str, SectionFigure[CivicFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.institutions.figures import FIGURES

        return FIGURES

    def tables(self, findings: CivicFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return institution_tables(findings)

    def values(self, findings: CivicFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"found": findings, "most_told": MAX_TOLD, "short": short_condition}


INSTITUTIONS = InstitutionSection()
