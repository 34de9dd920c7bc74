"""Sections on tax and law: a society that pays tax, and one whose law taxes nobody."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.society.findings import find_societies
from accord.analysis.report.taxation.findings import (
    MEASURES,
    PUBLISHED,
    SOURCE,
    TaxFindings,
    find_laws,
    find_taxes,
    law_sentence,
    tax_sentence,
)
from accord.analysis.report.taxation.tables import law_tables, tax_tables


class TaxSection(ReportSection[TaxFindings]):
    """Tax before and after the vote, places in season, and the making of the law."""

    name = "taxation"
    part_of = ("society",)
    template = "taxation.html.j2"

    def find(self, comparison: Comparison) -> TaxFindings | None:
        """See `ReportSection.find`."""
        society = find_societies(comparison)
        return None if society is None else find_taxes(society)

    def figures(self, findings: TaxFindings) -> Mapping[str, SectionFigure[TaxFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.taxation.figures import FIGURES

        return FIGURES

    def tables(self, findings: TaxFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return tax_tables(findings)

    def measures(self, findings: TaxFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.societies)

    def sentence(self, findings: TaxFindings) -> str:
        """See `ReportSection.sentence`."""
        return tax_sentence(findings)

    def values(self, findings: TaxFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"measures": MEASURES, "published": PUBLISHED, "source": SOURCE}


class LawSection(ReportSection[TaxFindings]):
    """Law before and after the vote, ballots, and the making of a law that taxes nobody."""

    name = "law"
    part_of = ("society",)
    template = "law.html.j2"

    def find(self, comparison: Comparison) -> TaxFindings | None:
        """See `ReportSection.find`."""
        society = find_societies(comparison)
        return None if society is None or find_taxes(society) is not None else find_laws(society)

    def figures(self, findings: TaxFindings) -> Mapping[str, SectionFigure[TaxFindings]]:
        """See `ReportSection.figures`; without a vote there is nothing to draw."""
        if not any(run.leans for society in findings.societies for run in society.runs):
            return {}
        from accord.analysis.report.taxation.figures import LAW_FIGURES

        return LAW_FIGURES

    def tables(self, findings: TaxFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return law_tables(findings)

    def sentence(self, findings: TaxFindings) -> str:
        """See `ReportSection.sentence`."""
        return law_sentence(findings)


TAXATION = TaxSection()
LAW = LawSection()
