"""Section on kinds of players: payoffs and measures of each kind, where several kinds play together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.section import ReportSection, TranscriptLinks
from accord.analysis.report.tables import text_of

HEADER = ("condition", "run", "seed", "kind", "players", "measure", "mean_of_players")
TABLE = "kinds.csv"


@dataclass(frozen=True)
class KindRun:
    """The players of one kind in one run."""

    run: ReportedRun
    kind: str
    measures: Sequence[str]

    @property
    def players(self) -> list[str]:
        """Players of the kind, in the scenario's order."""
        return [name for name, terms in self.run.terms.items() if terms.author == self.kind]

    @property
    def values(self) -> Mapping[str, float]:
        """Measure -> its mean over the players of the kind; see `accord.analysis.report.groups.MeasuredRun`."""
        found = {}
        for measure in self.measures:
            values = [value for name in self.players if (value := self.run.figure(measure, name)) is not None]
            if values:
                found[measure] = sum(values) / len(values)
        return found


@dataclass(frozen=True)
class ConditionKinds:
    """The kinds of players under one condition."""

    name: str
    kinds: Sequence[RunGroup[KindRun]]

    @property
    def measures(self) -> list[str]:
        """Measures that some kind has, the payoff first."""
        return [name for name in self.kinds[0].runs[0].measures if any(group.measure(name) for group in self.kinds)]


@dataclass(frozen=True)
class KindFindings:
    """Kinds of players by condition, where several play together."""

    conditions: Sequence[ConditionKinds]


class KindSection(ReportSection[KindFindings]):
    """Table of measures by kind of player."""

    name = "kinds"
    part_of = ("standard",)
    template = "kinds.html.j2"

    def find(self, comparison: Comparison) -> KindFindings | None:
        """See `ReportSection.find`."""
        measures = ("payoff", *comparison.own_measures, *comparison.each_measures)
        found = []
        for condition in comparison.conditions:
            kinds = list(dict.fromkeys(terms.author for run in condition.scored for terms in run.terms.values()))
            if len(kinds) > 1:
                groups = [
                    RunGroup(kind, tuple(KindRun(run, kind, measures) for run in condition.scored)) for kind in kinds
                ]
                found.append(ConditionKinds(condition.name, groups))
        return KindFindings(found) if found else None

    def tables(self, findings: KindFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return {TABLE: text_of(HEADER, _rows(findings))}

    def values(self, findings: KindFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"found": findings}


def _rows(findings: KindFindings) -> Iterator[Sequence[object]]:
    """Yield a row for each measure of each kind in each run."""
    for condition in findings.conditions:
        for group in condition.kinds:
            for each in group.runs:
                for measure, value in each.values.items():
                    names = " ".join(each.players)
                    yield [condition.name, each.run.name, each.run.seed, group.name, names, measure, value]


KINDS = KindSection()
