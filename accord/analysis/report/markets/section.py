"""Section on markets: measures by condition, prices, wealth, and flows of goods."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.markets.findings import MEASURES, MarketFindings, find_markets
from accord.analysis.report.markets.tables import market_tables
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks


class MarketSection(ReportSection[MarketFindings]):
    """Trades, prices, spreads, wealth and partners."""

    name = "markets"
    part_of = ("society",)
    template = "markets.html.j2"

    def find(self, comparison: Comparison) -> MarketFindings | None:
        """See `ReportSection.find`."""
        return find_markets(comparison)

    def figures(self, findings: MarketFindings) -> Mapping[str, SectionFigure[MarketFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.markets.figures import FIGURES

        return FIGURES

    def tables(self, findings: MarketFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return market_tables(findings)

    def measures(self, findings: MarketFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.groups)

    def values(self, findings: MarketFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"found": findings}


MARKETS = MarketSection()
