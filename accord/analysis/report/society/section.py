"""Section on a society: roles over time, actions by role, work of minds, and a page for each agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.maps import Map
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.society.findings import (
    MEASURES,
    PUBLISHED_ONLY,
    SocietyFindings,
    colour_of,
    find_societies,
    usual_role,
)
from accord.analysis.report.society.headline import headline
from accord.analysis.report.society.lives import life_pages, map_of_run, path_of
from accord.analysis.report.society.tables import society_tables
from dilemmas.scenarios.societies import roles


class SocietySection(ReportSection[SocietyFindings]):
    """Page of a society without rewards, and a page for each agent."""

    name = "society"
    template = "society.html.j2"

    def find(self, comparison: Comparison) -> SocietyFindings | None:
        """See `ReportSection.find`."""
        return find_societies(comparison)

    def figures(self, findings: SocietyFindings) -> Mapping[str, SectionFigure[SocietyFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.society.figures import FIGURES

        return FIGURES

    def tables(self, findings: SocietyFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return society_tables(findings)

    def measures(self, findings: SocietyFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.societies)

    def sentence(self, findings: SocietyFindings) -> str:
        """See `ReportSection.sentence`."""
        return headline(findings)

    def values(self, findings: SocietyFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {
            "measures": MEASURES,
            "published": PUBLISHED_ONLY,
            "colours": colour_of(findings),
            "nobody": roles.NO_ROLE,
            "path_of": path_of,
            "maps": _maps(findings),
        }

    def pages(self, findings: SocietyFindings, links: TranscriptLinks) -> Iterable[tuple[str, str]]:
        """See `ReportSection.pages`."""
        return life_pages(findings, links)


def _maps(findings: SocietyFindings) -> list[tuple[str, Map, Mapping[str, str]]]:
    """Return (society, map of its first run, player -> usual role) for each society with known places."""
    shown = ((society.name, map_of_run(society.runs[0]), society.runs[0].strips) for society in findings.societies)
    return [
        (name, drawn, {player: usual_role(steps) for player, steps in strips.items()})
        for name, drawn, strips in shown
        if drawn
    ]


SOCIETY = SocietySection()
