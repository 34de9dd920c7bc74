"""Section on experiments on perception: perceived beside true sentiments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.perception.findings import PerceptionFindings, find_perceptions, sentence
from accord.analysis.report.perception.published import RESULTS, SOURCE, TABLES
from accord.analysis.report.perception.tables import perception_tables
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.society.findings import find_societies
from accord.analysis.report.society.lives import life_pages, path_of
from dilemmas.scenarios.perception.measures import people, table


class PerceptionSection(ReportSection[PerceptionFindings]):
    """The page of an experiment on perception, and a page for each agent."""

    name = "perception"
    template = "perception.html.j2"

    def find(self, comparison: Comparison) -> PerceptionFindings | None:
        """See `ReportSection.find`."""
        return find_perceptions(comparison)

    def figures(self, findings: PerceptionFindings) -> Mapping[str, SectionFigure[PerceptionFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.perception.figures import FIGURES

        return FIGURES[findings.study]

    def tables(self, findings: PerceptionFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return perception_tables(findings)

    def measures(self, findings: PerceptionFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(findings.measures, findings.groups)

    def sentence(self, findings: PerceptionFindings) -> str:
        """See `ReportSection.sentence`."""
        return sentence(findings)

    def values(self, findings: PerceptionFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        groups = findings.groups if findings.study == "town" else ()
        return {
            "measures": findings.measures,
            "results": RESULTS[findings.study],
            "source": SOURCE,
            "tables": [(group.name, table(people(group.runs[0].perceived))) for group in groups],
            "printed": TABLES,
            "lives": find_societies(findings.comparison),
            "path_of": path_of,
        }

    def pages(self, findings: PerceptionFindings, links: TranscriptLinks) -> Iterable[tuple[str, str]]:
        """See `ReportSection.pages`."""
        society = find_societies(findings.comparison)
        return () if society is None else life_pages(society, links)


PERCEPTION = PerceptionSection()
