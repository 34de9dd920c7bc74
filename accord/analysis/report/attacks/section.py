"""Section on adversaries, on the pages of dilemmas, societies, towns and perception."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from accord.analysis.report.attacks.findings import AttackFindings, find_attacks
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import ReportSection, TranscriptLinks
from accord.analysis.report.tables import text_of

MAX_SENTENCES = 4
"""Maximum number of attacks that the page states in words; its table has all."""
TABLE = "attacks.csv"
HEAD = ("condition", "clean", "adversary", "seed", "measure", "value")
TITLES = {
    "welfare_lost": "Welfare lost",
    "others_lost": "Lost by others",
    "adversary_gained": "Gained by adversaries",
    "victims": "Victims",
    "votes_swayed": "Votes swayed",
}


class AttackSection(ReportSection[AttackFindings]):
    """Cost of adversaries, against clean runs with the same seeds."""

    name = "attacks"
    part_of = ("standard", "society")
    template = "attacks.html.j2"

    def find(self, comparison: Comparison) -> AttackFindings | None:
        """See `ReportSection.find`."""
        return find_attacks(comparison)

    def tables(self, findings: AttackFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return {TABLE: text_of(HEAD, _rows(findings))}

    def sentence(self, findings: AttackFindings) -> str:
        """See `ReportSection.sentence`."""
        return " ".join(each.sentence() for each in findings.attacks[:MAX_SENTENCES])

    def values(self, findings: AttackFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"titles": {name: TITLES[name] for name in findings.measures}, "table": TABLE}


def _rows(findings: AttackFindings) -> Iterator[Sequence[object]]:
    for attack in findings.attacks:
        for pair in attack.pairs:
            for measure, value in pair.values.items():
                yield [attack.condition, attack.clean, attack.adversary, pair.attacked.seed, measure, value]


ATTACKS = AttackSection()
