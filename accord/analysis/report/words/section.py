"""Section on words and deeds, on every page of runs in which players said anything."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import ReportSection, TranscriptLinks
from accord.analysis.report.words.findings import MAX_LISTED, WordsFindings, find_words
from accord.analysis.report.words.tables import TABLES, words_tables
from accord.analysis.words.information import MIN_INFORMATIVE

MAX_SENTENCES = 4
"""Maximum number of pairs that the page states in words; its table has all."""


class WordsSection(ReportSection[WordsFindings]):
    """Lies, mistakes, broken promises, false accusations and secret deals; monitors; collusion."""

    name = "words"
    part_of = ("standard", "society", "towns", "perception")
    template = "words_deeds.html.j2"

    def find(self, comparison: Comparison) -> WordsFindings | None:
        """See `ReportSection.find`."""
        return find_words(comparison)

    def tables(self, findings: WordsFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return words_tables(findings)

    def sentence(self, findings: WordsFindings) -> str:
        """See `ReportSection.sentence`."""
        if not findings.pairs:
            return ""
        if found := findings.found_pairs:
            return " ".join(each.sentence for each in found[:MAX_SENTENCES])
        if not findings.tested:
            return "No pair of players had enough rounds for a test of collusion."
        return f"No pair of players was found to collude in {findings.tested} tests."

    def values(self, findings: WordsFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"tables": TABLES, "most": MAX_LISTED, "fewest": MIN_INFORMATIVE}


WORDS = WordsSection()
