"""Findings on institutions: measures of each condition, and one run of each in detail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import GroupFindings, run_groups
from accord.analysis.report.institutions.record import InstitutionRecord
from accord.analysis.report.model import ReportedRun
from accord.analysis.transcript.institutions import institution_sentence, is_told
from dilemmas.records.events import InstitutionActed
from dilemmas.scenarios.compliance import KEPT, ClauseInForce
from dilemmas.scenarios.societies.labels import RECORD

MEASURES: Mapping[str, tuple[str, str]] = {
    "breaches": ("Breaches of the law, by the record", "a run"),
    "kept": ("Typed clauses of a law in words that a person kept, by the record", "share"),
    "sanctioned": ("Sanctions, false ones included", "a run"),
    "false": ("Sanctions without a breach, of all", "share"),
    "let_go": ("Breaches that a guard saw and let go, of those it decided", "share"),
    "bribed": ("Breaches let go for a bribe, of those decided", "share"),
    "bribes": ("Bribes", "paid a run"),
    "fines": ("Fines", "paid a run"),
    "trials": ("Trials", "a run"),
    "convicted": ("Convictions, of all trials", "share"),
    "just": ("Findings that the record confirms, of all trials", "share"),
    "unenforced": ("Convictions that nobody carried out", "a run"),
    "elections": ("Elections", "a run"),
    "cycles": ("Condorcet cycles, of all elections", "share"),
    "recalled": ("Recalls that passed", "a run"),
}
"""Measure -> its title and unit."""


@dataclass(frozen=True)
class ClauseCompliance:
    """Verdicts of one judge on one clause: verdict -> number of people, None for people without a usable answer."""

    clause: ClauseInForce
    judge: str
    verdicts: Mapping[str | None, int]


@dataclass(frozen=True)
class CivicRun:
    """One run's institutions."""

    run: ReportedRun
    record: InstitutionRecord

    @property
    def values(self) -> Mapping[str, float]:
        """See `accord.analysis.report.groups.MeasuredRun`; a share of nothing is left out."""
        steps = self.record.steps
        count = {what: sum(step.what == what for step in steps) for what in {step.what for step in steps}}
        found: dict[str, float] = {"breaches": count.get("breach", 0)}
        if typed := self.record.law.recorded():
            found["kept"] = sum(verdict == KEPT for verdict in typed.values()) / len(typed)
        guards = [step for step in steps if step.part == "guards"]
        if guards:
            found |= self._of_guards(guards)
        if any(step.part == "court" for step in steps):
            found |= {"trials": count.get("tried", 0), "unenforced": count.get("unenforced", 0)}
            audited = [step for step in steps if (step.part, step.what) == ("court", "audited")]
            if audited:
                guilty = [bool(step.data["guilty"]) for step in self.record.of("tried")]
                found |= {
                    "convicted": sum(guilty) / len(guilty),
                    "just": sum(bool(step.data["just"]) for step in audited) / len(audited),
                }
        if elections := count.get("elected", 0):
            recalls = sum(bool(step.data["passed"]) for step in self.record.of("recall"))
            found |= {"elections": elections, "cycles": count.get("cycle", 0) / elections, "recalled": recalls}
        return found

    def _of_guards(self, steps: Sequence[InstitutionActed]) -> dict[str, float]:
        sanctions = [step for step in steps if step.what == "sanctioned"]
        audits = [step for step in steps if step.what == "audited"]
        bribes = [step for step in steps if step.what == "bribe_taken"]
        let_go = sum(step.what == "let_go" for step in steps)
        charged = sum(step.what == "charged" for step in steps) or len(sanctions)
        decided = len(bribes) + let_go + charged
        found = {
            "sanctioned": float(len(sanctions)),
            "fines": sum(float(step.data["fined"]) for step in sanctions),
            "bribes": sum(float(step.data["amount"]) for step in bribes),
        }
        if audits:
            found["false"] = sum(bool(step.data["false"]) for step in audits) / len(audits)
        if decided:
            found |= {"let_go": (len(bribes) + let_go) / decided, "bribed": len(bribes) / decided}
        return found

    @property
    def clauses(self) -> Sequence[tuple[float, Sequence[str], Sequence[str]]]:
        """(time, clauses in force, clauses that were in force before and are not any more) at each change of law."""
        found: list[tuple[float, Sequence[str], Sequence[str]]] = []
        before: Sequence[str] = ()
        for step in self.record.of("law_in_force"):
            now = [str(each["says"]) for each in step.data["clauses"]]
            found.append((step.t_s, now, [each for each in before if each not in now]))
            before = now
        return found

    @property
    def compliance(self) -> Sequence[ClauseCompliance]:
        """Compliance with each clause of the law in words, by each judge: the record, or a rater."""
        law = self.record.law
        judges: dict[str, Mapping[Any, Any]] = {RECORD: law.recorded()}
        judges |= {rater: each for rater, each in self.run.labels.get("compliance", {}).items() if rater != RECORD}
        return [
            ClauseCompliance(clause, judge, Counter(told[clause.id, name] for name in law.players))
            for clause in law.clauses.values()
            for judge, told in judges.items()
            if all((clause.id, name) in told for name in law.players)
        ]

    def told(self) -> Iterator[tuple[float, str]]:
        """Yield (time, sentence) of the steps that people took."""
        for step in self.record.steps:
            if is_told(step.part, step.what):
                yield step.t_s, sentence_of(step)


def sentence_of(step: InstitutionActed) -> str:
    """Return a step in words."""
    return institution_sentence(step.part, step.what, step.who, step.why, step.data)


class CivicFindings(GroupFindings[CivicRun]):
    """Institutions of all conditions that have some."""

    titles = MEASURES


def short_condition(name: str) -> str:
    """Return a condition's name without what all conditions of a factorial study share.

    `none+institution.court=off+institution.guards=on` is `court=off guards=on`.
    """
    base, *factors = name.split("+")
    short = [each.removeprefix("institution.") for each in factors]
    return " ".join([*([] if short and base == "none" else [base]), *short])


def find_institutions(comparison: Comparison) -> CivicFindings | None:
    """Return the institutions in the scored runs of each condition, or None if there were none."""
    groups = run_groups(
        comparison, MEASURES, lambda run: None if run.institutions is None else CivicRun(run, run.institutions)
    )
    return CivicFindings(groups) if groups else None
