"""Main sentence of a society's report: on items or tax if they were counted, on roles otherwise."""

from __future__ import annotations

from accord.analysis.report.progress.findings import find_progress
from accord.analysis.report.progress.findings import sentence as progress_sentence
from accord.analysis.report.society.findings import SocietyFindings, sentence
from accord.analysis.report.taxation.findings import find_taxes, tax_sentence


def headline(found: SocietyFindings) -> str:
    """Return the main result in a sentence."""
    progress, taxed = find_progress(found), find_taxes(found)
    if progress is not None:
        return progress_sentence(progress)
    return sentence(found) if taxed is None else tax_sentence(taxed)
