"""Section on talks and deals: measures by condition, deals and conversations of one run of each, deposits."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.deals.findings import DealFindings, conversations, find_deals
from accord.analysis.report.deals.record import MAX_SAID
from accord.analysis.report.deals.tables import deal_tables
from accord.analysis.report.section import ReportSection, SectionFigure, TranscriptLinks


class DealSection(ReportSection[DealFindings]):
    """Conversations by channel, deals over time, and deposits in escrow."""

    name = "deals"
    part_of = ("standard",)
    template = "deals.html.j2"

    def find(self, comparison: Comparison) -> DealFindings | None:
        """See `ReportSection.find`."""
        return find_deals(comparison)

    def figures(self, findings: DealFindings) -> Mapping[str, SectionFigure[DealFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.deals.figures import FIGURES

        return FIGURES

    def tables(self, findings: DealFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return deal_tables(findings)

    def values(self, findings: DealFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"found": findings, "conversations": conversations, "most_said": MAX_SAID}


DEALS = DealSection()
