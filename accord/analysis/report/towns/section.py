"""Section on a society of towns: spread of ideas by words, by place, and by speaker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.towns.findings import MEASURES, TownFindings, find_towns, sentence
from accord.analysis.report.towns.lives import life_pages, path_of
from accord.analysis.report.towns.tables import town_tables


class TownSection(ReportSection[TownFindings]):
    """Page of a society of towns, and a page for each person."""

    name = "towns"
    template = "towns.html.j2"

    def find(self, comparison: Comparison) -> TownFindings | None:
        """See `ReportSection.find`."""
        return find_towns(comparison)

    def figures(self, findings: TownFindings) -> Mapping[str, SectionFigure[TownFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.towns.figures import FIGURES

        return FIGURES

    def tables(self, findings: TownFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return town_tables(findings)

    def measures(self, findings: TownFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.groups)

    def sentence(self, findings: TownFindings) -> str:
        """See `ReportSection.sentence`."""
        return sentence(findings)

    def values(self, findings: TownFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"measures": MEASURES, "path_of": path_of}

    def pages(self, findings: TownFindings, links: TranscriptLinks) -> Iterable[tuple[str, str]]:
        """See `ReportSection.pages`."""
        return life_pages(findings)


TOWNS = TownSection()
