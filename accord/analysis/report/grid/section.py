"""Section on grid games: AdaSociety's measures of each condition beside those that its paper printed."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.grid import published
from accord.analysis.report.grid.findings import game_of, layout_of, measure_rows, published_scores
from accord.analysis.report.grid.tables import grid_tables
from accord.analysis.report.section import ReportSection, SectionFigure, TranscriptLinks


class GridSection(ReportSection[Comparison]):
    """Scores, completion of events, degrees and exchanges of a grid game."""

    name = "grid"
    part_of = ("standard",)
    template = "grid.html.j2"

    def find(self, comparison: Comparison) -> Comparison | None:
        """See `ReportSection.find`."""
        return comparison if game_of(comparison) else None

    def figures(self, findings: Comparison) -> Mapping[str, SectionFigure[Comparison]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.grid.figures import FIGURES
        from accord.analysis.report.grid.learning import FIGURES as LEARNING

        return {**FIGURES, **LEARNING}

    def tables(self, findings: Comparison) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return grid_tables(findings)

    def values(self, findings: Comparison, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {
            "game": game_of(findings),
            "layout": layout_of(findings),
            "rows": measure_rows(findings),
            "scores": published_scores(findings),
            "published": published,
        }


GRID = GridSection()
