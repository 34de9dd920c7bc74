"""Findings on perception: one record for each run, by condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from accord.analysis.claims import number
from accord.analysis.measures import MeasureSummary
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.society.findings import condition_order
from dilemmas.scenarios.perception.measures import FIGURE_MIN_OBSERVERS, EstimatePoint, received, society_of
from dilemmas.scenarios.societies.perceiving import PerceptionHistory
from dilemmas.scenarios.societies.regression import Fit, fit, mean_correlation

ERRORS = {
    "mean_absolute_error": ("Error", "of 10, mean without sign"),
    "mean_error": ("Bias", "of 10, mean with sign"),
}
MEASURES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "room": {"perception_r": ("Perceived and true sentiment", "Pearson's r of a run"), **ERRORS},
    "chef": {
        "perception_r": ("Perceived and true sentiment", "Pearson's r of a run"),
        "food_by_perceived_r": ("Food and perceived sentiment", "Pearson's r of a run"),
        "food_by_perceived_slope": ("Food for a point of sentiment", "pieces"),
        **ERRORS,
    },
    "town": {
        "perception_r": ("Perceived and true likeability", f"Pearson's r, {FIGURE_MIN_OBSERVERS} observers or more"),
        "perception_slope": ("Slope", f"{FIGURE_MIN_OBSERVERS} observers or more"),
        "perception_n": ("People", f"with {FIGURE_MIN_OBSERVERS} observers or more"),
        **ERRORS,
        "degree_r": ("In-degree and extroversion", "Pearson's r"),
        "mean_difference": ("Two directions of a pair", "mean difference, of 10"),
    },
}
"""Study -> measure of a run -> its title and unit."""


@dataclass(frozen=True)
class PerceptionRun:
    """One run with its sentiments."""

    run: ReportedRun
    perceived: PerceptionHistory

    @cached_property
    def recomputed(self) -> dict[str, Any]:
        """The measures of result.json, recomputed from the log."""
        return society_of(self.perceived)

    @cached_property
    def values(self) -> dict[str, float]:
        """Measure -> value; undefined measures are left out."""
        told = self.recomputed
        line = (
            (told["perception"] or {})
            if told["study"] != "town"
            else told["perception"][str(FIGURE_MIN_OBSERVERS)] or {}
        )
        served, degree = told.get("food_by_perceived") or {}, told.get("in_degree_by_extroversion") or {}
        found = {
            **{f"perception_{key}": line.get(key) for key in ("r", "slope", "n")},
            **{name: told[name] for name in ERRORS},
            "food_by_perceived_r": served.get("r"),
            "food_by_perceived_slope": served.get("slope"),
            "degree_r": degree.get("r"),
            "mean_difference": told.get("mean_difference"),
        }
        return {name: float(value) for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class PerceptionGroup(RunGroup[PerceptionRun]):
    """All runs of one condition."""

    def measure(self, measure: str) -> MeasureSummary | None:
        """Return the summary of a measure; a correlation has Fisher's interval."""
        found = super().measure(measure)
        if found is None or not measure.endswith("_r"):
            return found
        mean, interval = mean_correlation(self.samples(measure))
        return replace(found, mean=mean, ci95=interval)

    @property
    def guests(self) -> list[tuple[EstimatePoint, int]]:
        """(the chef's last estimate of a guest, food for the guest), of all runs."""
        return [each for run in self.runs for each in received(run.perceived)]

    @cached_property
    def pooled(self) -> Mapping[str, Fit | None]:
        """Regressions over the chef's guests in all runs: perceived on true sentiment, food on both."""
        guests = self.guests
        true, felt = [each.true for each, _ in guests], [each.felt for each, _ in guests]
        food = [float(count) for _, count in guests]
        return {
            "perceived sentiment on the true one": fit(true, felt),
            "food on perceived sentiment": fit(felt, food),
            "food on true sentiment": fit(true, food),
        }

    def correlation(self, *, repeated: bool = False) -> str:
        """Return the correlation of perceived with true sentiment in words, with the verdict on its sign.

        The interval is over runs: people of one run have met each other and are not independent.

        Args:
            repeated: True if runs repeat each other whole, so that no interval is honest.
        """
        found = self.measure("perception_r")
        if found is None:
            return f"{self.name} has none, since nothing varies or too few are known"
        if found.ci95 is None:
            return f"{self.name} {number(found.mean)} (too few runs for an interval)"
        if repeated or found.min == found.max:
            return f"{self.name} {number(found.mean)} (runs repeat each other, so no interval)"
        low, high = found.ci95
        verdict = "positive" if low > 0 else "negative" if high < 0 else "of open sign"
        return f"{self.name} {number(found.mean)} [{number(low)}, {number(high)}], {verdict}, {found.n} runs"


@dataclass(frozen=True)
class PerceptionFindings:
    """Runs by condition in which sentiments were measured."""

    comparison: Comparison
    study: str
    groups: tuple[PerceptionGroup, ...]

    @property
    def runs(self) -> list[PerceptionRun]:
        """All runs, condition by condition."""
        return [run for group in self.groups for run in group.runs]

    @property
    def measures(self) -> Mapping[str, tuple[str, str]]:
        """Measures of the study, with title and unit."""
        return MEASURES[self.study]


def find_perceptions(comparison: Comparison) -> PerceptionFindings | None:
    """Return the complete runs in which sentiments were measured, or None without any."""
    groups = []
    order = condition_order(comparison.scenario)
    for condition in sorted(comparison.conditions, key=lambda each: order.get(each.name, len(order))):
        judged = tuple(
            PerceptionRun(run, run.perceived)
            for run in condition.runs
            if run.status == "complete" and run.perceived is not None
        )
        if judged:
            groups.append(PerceptionGroup(condition.name, judged))
    return PerceptionFindings(comparison, groups[0].runs[0].recomputed["study"], tuple(groups)) if groups else None


def sentence(found: PerceptionFindings) -> str:
    """Return the correlations by condition in a sentence."""
    what = "likeability" if found.study == "town" else "sentiment"
    copied = {each.name for each in found.comparison.conditions if each.repeated.copies}
    told = "; ".join(group.correlation(repeated=group.name in copied) for group in found.groups)
    return f"Correlation of perceived with true {what} in these runs, with its 95 % interval over runs: {told}."
