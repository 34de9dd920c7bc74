"""Tables of institutions as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.institutions.findings import CivicFindings, CivicRun, sentence_of
from accord.analysis.report.tables import text_of
from dilemmas.scenarios.compliance import VERDICTS

STEPS = ("condition", "run", "seed", "time", "institution", "step", "who", "why", "in_words")
BALLOTS = ("condition", "run", "seed", "time", "office", "method", "voter", "choices", "spoilt")
COMPLIANCE = ("condition", "run", "seed", "clause", "text", "typed", "since", "until", "judge", *VERDICTS, "no_label")
TABLES = ("institutions.csv", "ballots.csv", "compliance.csv")


def institution_tables(findings: CivicFindings) -> dict[str, str]:
    """Return the tables by file name; ballots and compliance only where there are some."""
    runs = [run for group in findings.groups for run in group.runs]
    tables = {TABLES[0]: text_of(STEPS, (row for run in runs for row in _steps(run)))}
    if any(step.data.get("ballots") for run in runs for step in run.record.of("elected")):
        tables[TABLES[1]] = text_of(BALLOTS, (row for run in runs for row in _ballots(run)))
    if rows := [row for run in runs for row in _compliance(run)]:
        tables[TABLES[2]] = text_of(COMPLIANCE, rows)
    return tables


def _compliance(each: CivicRun) -> Iterator[Sequence[object]]:
    for found in each.compliance:
        clause, until = found.clause, found.clause.until_s
        head = [clause.id, clause.text, clause.typed, clause.since_s, "" if until is None else until, found.judge]
        yield [*_run(each), *head, *(found.verdicts.get(verdict, 0) for verdict in (*VERDICTS, None))]


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
