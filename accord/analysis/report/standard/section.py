"""Sections of every scenario: the page with welfare, resources and rewards, and figures of populations and places."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import ReportSection, SectionFigure, TranscriptLinks

MAX_REMARKS = 400
"""Maximum number of timeline entries on the page; events.jsonl has all."""


class StandardSection(ReportSection[Comparison]):
    """The page of a scenario with rewards: conditions, measures, differences, figures, and each run in detail."""

    name = "standard"
    template = "report.html.j2"
    gathers_figures = True

    def find(self, comparison: Comparison) -> Comparison:
        """See `ReportSection.find`; every record has what this page shows."""
        return comparison

    def figures(self, findings: Comparison) -> Mapping[str, SectionFigure[Comparison]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.standard.figures import FIGURES

        return FIGURES

    def sentence(self, findings: Comparison) -> str:
        """See `ReportSection.sentence`."""
        return findings.sentence()

    def values(self, findings: Comparison, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"max_remarks": MAX_REMARKS}


class PopulationSection(ReportSection[Comparison]):
    """Figures of populations: reward per head, the scenario's own measures, hits by attacker and target."""

    name = "population"
    part_of = (StandardSection.name,)

    def find(self, comparison: Comparison) -> Comparison:
        """See `ReportSection.find`; each figure says itself whether it applies."""
        return comparison

    def figures(self, findings: Comparison) -> Mapping[str, SectionFigure[Comparison]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.standard.population import FIGURES

        return FIGURES


class PlacesSection(ReportSection[Comparison]):
    """Figure of the players' paths over the ground."""

    name = "places"
    part_of = (StandardSection.name,)

    def find(self, comparison: Comparison) -> Comparison | None:
        """See `ReportSection.find`."""
        return comparison if any(episode.ways for run in comparison.runs for episode in run.episodes) else None

    def figures(self, findings: Comparison) -> Mapping[str, SectionFigure[Comparison]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.standard.places import FIGURES

        return FIGURES


STANDARD = StandardSection()
POPULATION = PopulationSection()
PLACES = PlacesSection()
