"""Section on progression: obtained items, times of obtaining, and unreached items."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.progress.findings import (
    MEASURES,
    PUBLISHED,
    SOURCE,
    ProgressFindings,
    find_progress,
    rows,
    sentence,
)
from accord.analysis.report.progress.tables import progress_tables
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.society.findings import find_societies
from dilemmas.scenarios.progression.tree import unreached

MAX_REASONS = 40
"""Maximum number of unreached items with reasons on the page; items_unreached.csv has all."""


class ProgressSection(ReportSection[ProgressFindings]):
    """Items over time, the tree of items, and first times of each item."""

    name = "progress"
    part_of = ("society",)
    template = "progress.html.j2"

    def find(self, comparison: Comparison) -> ProgressFindings | None:
        """See `ReportSection.find`."""
        society = find_societies(comparison)
        return None if society is None else find_progress(society)

    def figures(self, findings: ProgressFindings) -> Mapping[str, SectionFigure[ProgressFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.progress.figures import FIGURES

        return FIGURES

    def tables(self, findings: ProgressFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return progress_tables(findings)

    def measures(self, findings: ProgressFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.groups)

    def sentence(self, findings: ProgressFindings) -> str:
        """See `ReportSection.sentence`."""
        return sentence(findings)

    def values(self, findings: ProgressFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        reasons = list(unreached(findings.reached).items())
        return {
            "measures": MEASURES,
            "published": PUBLISHED,
            "source": SOURCE,
            "firsts": rows(findings),
            "reasons": reasons[:MAX_REASONS],
            "more_items": sum(len(items) for _, items in reasons[MAX_REASONS:]),
        }


PROGRESS = ProgressSection()
