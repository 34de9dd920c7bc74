"""Tables of institutions as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.institutions.findings import CivicFindings, CivicRun, sentence_of
from accord.analysis.report.tables import text_of

STEPS = ("condition", "run", "seed", "time", "institution", "step", "who", "why", "in_words")
BALLOTS = ("condition", "run", "seed", "time", "office", "method", "voter", "choices", "spoilt")
TABLES = ("institutions.csv", "ballots.csv")


def institution_tables(findings: CivicFindings) -> dict[str, str]:
    """Return the tables by file name; ballots only where people voted."""
    runs = [run for group in findings.groups for run in group.runs]
    tables = {TABLES[0]: text_of(STEPS, (row for run in runs for row in _steps(run)))}
    if any(step.data.get("ballots") for run in runs for step in run.record.of("elected")):
        tables[TABLES[1]] = text_of(BALLOTS, (row for run in runs for row in _ballots(run)))
    return tables


def _steps(each: CivicRun) -> Iterator[Sequence[object]]:
    for step in each.record.steps:
        yield [*_run(each), step.t_s, step.part, step.what, step.who, step.why, sentence_of(step)]


def _ballots(each: CivicRun) -> Iterator[Sequence[object]]:
    for step in each.record.of("elected"):
        for voter, choices in step.data["ballots"].items():
            spoilt = voter in step.data["spoilt"]
            yield [*_run(each), step.t_s, step.data["office"], step.data["method"], voter, " ".join(choices), spoilt]


def _run(each: CivicRun) -> list[object]:
    return [each.run.condition, each.run.name, each.run.seed]
