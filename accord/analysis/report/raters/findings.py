"""Findings on raters: Cohen's kappa of every run, and its mean over the runs of a condition.

Items of one player depend on each other, so that only runs, not items, are independent, and give an interval.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from accord.analysis.claims import number
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.model import ReportedRun
from common.kappa import cohen_kappa, weighted_kappa
from dilemmas.scenarios.societies.labels import RECORD, SCORED, Labels, Question
from dilemmas.scenarios.societies.topics import TopicUse

ITSELF = "itself, by seeds"
QUESTIONS: Mapping[Question, str] = {
    "role": "roles",
    "words and deeds": "whether words and deeds agree",
    "goal with a topic": "which goals have a topic",
    "sentiment": "sentiments",
    "compliance": "who kept which clause of the law",
}
"""Question -> its subject in a sentence."""


@dataclass(frozen=True)
class RunAgreement:
    """Agreement of two raters on one question in one run."""

    run: ReportedRun
    first: str
    second: str
    items: int
    """Number of items that both labelled."""
    unlabelled: tuple[int, int]
    """Number of the items that both were asked about to which the first, and the second, gave no label."""
    kappa: float | None
    """None if it is undefined."""


@dataclass(frozen=True)
class AgreementClaim:
    """Agreement of two raters, or of a rater with itself over seeds, in the runs of a condition."""

    condition: str
    question: Question
    first: str
    second: str
    """The other rater, or `ITSELF`."""
    runs: tuple[tuple[RunAgreement, ...], ...]
    """Agreements of each run: one, or one for each pair of seeds."""

    @property
    def kappas(self) -> list[float]:
        """Kappa of each run in which it is defined, a mean over pairs of seeds."""
        known = [[each.kappa for each in run if each.kappa is not None] for run in self.runs]
        return [statistics.fmean(each) for each in known if each]

    @property
    def summary(self) -> MeasureSummary | None:
        """Mean over the runs; None if kappa is undefined in all."""
        return summarize(self.kappas, self.runs[0][0].run.seed).cut_to((-1, 1)) if self.kappas else None

    @property
    def items(self) -> int:
        """Number of items that both labelled, over all runs."""
        return sum(each.items for run in self.runs for each in run)

    @property
    def unlabelled(self) -> tuple[int, int]:
        """Number of items without a label of the first, and of the second, over all runs."""
        told = [each.unlabelled for run in self.runs for each in run]
        return sum(first for first, _ in told), sum(second for _, second in told)

    @property
    def remark(self) -> str:
        """Objection to the mean or to its interval; empty without any."""
        if not self.items:
            return "no item has a label of both"
        found = self.summary
        if found is None:
            return "undefined: both gave one and the same label to all items"
        undefined = len(self.runs) - len(self.kappas)
        parts = ["too few runs for an interval"] if found.uncertain else []
        return "; ".join([*parts, *([f"undefined in {undefined} of {len(self.runs)} runs"] if undefined else [])])

    @property
    def sentence(self) -> str:
        """The claim in one sentence."""
        if self.second == ITSELF:
            what = f"Agreement of {self.first} with itself over seeds on {QUESTIONS[self.question]}"
        else:
            what = f"Agreement of {self.first} and {self.second} on {QUESTIONS[self.question]}"
        found, remark = self.summary, f" ({self.remark})" if self.remark else ""
        if found is None:
            return f"{what} under {self.condition} has no kappa{remark}."
        within = f" [{number(found.ci95[0])}, {number(found.ci95[1])}]" if found.ci95 else ""
        runs = "1 run" if found.n == 1 else f"{found.n} runs"
        return f"{what} under {self.condition}: kappa {number(found.mean)}{within} in {runs}{remark}."


@dataclass(frozen=True)
class RaterFindings:
    """Agreement of raters by condition and question."""

    claims: tuple[AgreementClaim, ...]
    topics: tuple[tuple[ReportedRun, str, TopicUse], ...] = ()
    """(run, name of the rater, topic) of every topic that was named."""


def find_agreement(comparison: Comparison) -> RaterFindings | None:
    """Return the agreement of all raters, or None if no model has rated the runs."""
    claims = []
    for condition in comparison.conditions:
        runs = [run for run in condition.runs if run.status == "complete"]
        for question in QUESTIONS:
            for (first, second), pairs in _pairs(runs, question).items():
                found = (tuple(_agreements(run, question, pairs)) for run in runs)
                claims.append(AgreementClaim(condition.name, question, first, second, tuple(filter(None, found))))
    runs = [run for condition in comparison.conditions for run in condition.runs if run.status == "complete"]
    topics = tuple((run, rater, each) for run in runs for rater, uses in run.topics.items() for each in uses)
    return RaterFindings(tuple(claims), topics) if claims else None


def _pairs(runs: Sequence[ReportedRun], question: Question) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return (first, second) -> pairs of names of labels that are compared, for all raters of the runs.

    Different raters are compared by the ratings of their first seed.
    """
    names = {name for run in runs for name in run.labels.get(question, ())}
    raters = dict.fromkeys(each for run in runs for each in run.raters if each.name in names)
    first = [each.name for each in raters if each.seed == 0]
    found = {pair: [pair] for pair in combinations([*([RECORD] if RECORD in names else []), *first], 2)}
    for model in dict.fromkeys(each.model for each in raters):
        if seeds := list(combinations([each.name for each in raters if each.model == model], 2)):
            found[model, ITSELF] = seeds
    return found


def _agreements(run: ReportedRun, question: Question, pairs: Sequence[tuple[str, str]]) -> Iterator[RunAgreement]:
    labels = run.labels.get(question, {})
    for first, second in pairs:
        if first in labels and second in labels:
            yield _agreement(run, question, (first, labels[first]), (second, labels[second]))


def _agreement(
    run: ReportedRun, question: Question, first: tuple[str, Labels], second: tuple[str, Labels]
) -> RunAgreement:
    (one, ones), (other, others) = first, second
    told = [(ones[item], others[item]) for item in ones if item in others]
    both = [(a, b) for a, b in told if a is not None and b is not None]
    kappa = weighted_kappa([(float(a), float(b)) for a, b in both]) if question in SCORED else cohen_kappa(both)
    unlabelled = sum(a is None for a, _ in told), sum(b is None for _, b in told)
    return RunAgreement(run, one, other, len(both), unlabelled, kappa)
