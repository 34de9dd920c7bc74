"""What a society's report says first: of items or of tax where those were counted, of roles everywhere else."""

from __future__ import annotations

from accord.analysis.report.progress.findings import progress_of
from accord.analysis.report.progress.findings import sentence as progress_sentence
from accord.analysis.report.society.findings import Findings, sentence
from accord.analysis.report.society.taxes import tax_sentence, taxes


def headline(found: Findings) -> str:
    """What came out, in a line."""
    progress, taxed = progress_of(found), taxes(found)
    if progress is not None:
        return progress_sentence(progress)
    return sentence(found) if taxed is None else tax_sentence(taxed)
