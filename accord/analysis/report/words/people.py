"""Flags of people as monitors of words, added to the runs of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from accord.analysis.report.model import ReportedRun
from dilemmas.errors import UsageError


def with_flags(runs: Sequence[ReportedRun], people: Mapping[str, Mapping[str, AbstractSet[int]]]) -> list[ReportedRun]:
    """Return the runs with the flags of people.

    Args:
        runs: The runs of a report.
        people: Name of a person -> name of a run in the report -> flagged lines.

    Raises:
        UsageError: A file names a run that is not in the report.
    """
    spoken = {run.name for run in runs if run.words is not None}
    for name, flags in people.items():
        if strange := next((run for run in flags if run not in spoken), None):
            legal = ", ".join(sorted(spoken)) or "none: nobody says anything"
            raise UsageError(f"--flags {name}: run {strange[:60]!r} is not in this report: legal are {legal}")
    return [_flagged(run, people) for run in runs]


def _flagged(run: ReportedRun, people: Mapping[str, Mapping[str, AbstractSet[int]]]) -> ReportedRun:
    found = {name: flags[run.name] for name, flags in people.items() if run.name in flags}
    if run.words is None or not found:
        return run
    return replace(run, words=replace(run.words, flags={**run.words.flags, **found}))
