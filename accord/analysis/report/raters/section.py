"""Section on raters, on the pages of societies, towns, perception, and games under a law in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.raters.findings import RaterFindings, find_agreement
from accord.analysis.report.section import ReportSection, TranscriptLinks
from accord.analysis.report.tables import text_of
from dilemmas.scenarios.societies.labels import SCORED

MAX_SENTENCES = 4
"""Maximum number of agreements that the page states in words; its table has all."""
TABLE = "rater_agreement.csv"
HEAD = (
    "condition", "run", "seed", "question", "weights", "first", "second", "items", "unlabelled_first",
    "unlabelled_second", "kappa",
)  # fmt: skip

TOPICS = "rater_topics.csv"
TOPIC_HEAD = ("condition", "run", "seed", "rater", "topic", "about", "keywords", "goals", "agents")


class RaterSection(ReportSection[RaterFindings]):
    """Agreement of models that rated finished records."""

    name = "raters"
    template = "raters.html.j2"
    part_of = ("society", "towns", "perception", "standard")
    closes_page = True

    def find(self, comparison: Comparison) -> RaterFindings | None:
        """See `ReportSection.find`."""
        return find_agreement(comparison)

    def tables(self, findings: RaterFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return {TABLE: text_of(HEAD, _rows(findings)), TOPICS: text_of(TOPIC_HEAD, _topics(findings))}

    def sentence(self, findings: RaterFindings) -> str:
        """See `ReportSection.sentence`."""
        return " ".join(claim.sentence for claim in findings.claims[:MAX_SENTENCES])

    def values(self, findings: RaterFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"table": TABLE, "topic_table": TOPICS}


def _rows(findings: RaterFindings) -> Iterator[Sequence[object]]:
    for claim in findings.claims:
        weights = "quadratic" if claim.question in SCORED else "none"
        for each in (each for run in claim.runs for each in run):
            head = [each.run.condition, each.run.name, each.run.seed, claim.question, weights]
            yield [*head, each.first, each.second, each.items, *each.unlabelled, each.kappa]


def _topics(findings: RaterFindings) -> Iterator[Sequence[object]]:
    for run, rater, use in findings.topics:
        told = [use.topic.name, use.topic.about, ", ".join(use.topic.keywords), use.goals, use.players]
        yield [run.condition, run.name, run.seed, rater, *told]


RATERS = RaterSection()
