"""Section on Voyager's benchmark: tools, items and map by iteration."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import GroupMeasures, ReportSection, SectionFigure, TranscriptLinks
from accord.analysis.report.trials import published
from accord.analysis.report.trials.findings import MEASURES, TrialFindings, find_trials, sentence
from accord.analysis.report.trials.tables import trial_tables
from dilemmas.scenarios.voyager_progress.measures import LEVELS


class TrialSection(ReportSection[TrialFindings]):
    """Page of trials, in which programs are played one after the other on the same land."""

    name = "trials"
    template = "trials.html.j2"

    def find(self, comparison: Comparison) -> TrialFindings | None:
        """See `ReportSection.find`."""
        return find_trials(comparison)

    def figures(self, findings: TrialFindings) -> Mapping[str, SectionFigure[TrialFindings]]:
        """See `ReportSection.figures`."""
        from accord.analysis.report.trials.figures import FIGURES

        return FIGURES

    def tables(self, findings: TrialFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return trial_tables(findings)

    def measures(self, findings: TrialFindings) -> GroupMeasures:
        """See `ReportSection.measures`."""
        return GroupMeasures(MEASURES, findings.groups)

    def sentence(self, findings: TrialFindings) -> str:
        """See `ReportSection.sentence`."""
        return sentence(findings)

    def values(self, findings: TrialFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"measures": MEASURES, "levels": LEVELS, "published": published}


TRIALS = TrialSection()
