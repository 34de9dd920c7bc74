"""Findings on a society of towns: the spread of ideas in each run, by condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup, lives_folder
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.society.findings import condition_order
from dilemmas.scenarios.religion.measures import Spreading, society_of
from dilemmas.scenarios.societies.exposures import NOBODY, PRIEST

MEASURES = {
    "direct": ("Direct converts", "people"),
    "indirect": ("Indirect converts", "people"),
    "area": ("Area of influence", "square blocks"),
    "exposures_before": ("Exposures before conversion", "mean of the converts"),
    "converted_by_priests": ("Converted by priests", "share of converts"),
    "depth": ("Longest chain of conversions", "conversions"),
    "rural_share": ("Memes a head, land to towns", "ratio"),
}
"""Measure of a run -> its title and unit."""
COLOURS: Mapping[str, str] = {PRIEST: "#7f0f1d", "direct": "#e0453a", "indirect": "#f3a6b8", NOBODY: "#9aa3a8"}
"""Group of people -> its colour, as in the paper."""


@dataclass(frozen=True)
class SpreadingRun:
    """One run with the spread of its ideas."""

    run: ReportedRun
    spreading: Spreading

    @cached_property
    def recomputed(self) -> dict[str, Any]:
        """The measures of result.json, recomputed from the log."""
        return society_of(self.spreading)

    @cached_property
    def values(self) -> dict[str, float]:
        """Measure -> value; undefined measures are left out."""
        told = self.recomputed
        found = {**told["converts"], "area": (told["area"] or {}).get("both")}
        found |= {name: told[name] for name in ("exposures_before", "converted_by_priests", "depth")}
        found["rural_share"] = told["memes"].get("rural_share")
        return {name: float(value) for name, value in found.items() if value is not None}

    @cached_property
    def areas(self) -> list[dict[str, float]]:
        """For each sample: level -> square blocks, and those of both levels together."""
        return [self.spreading.areas(sample) for sample in self.spreading.samples]

    @property
    def folder(self) -> str:
        """Folder of its people's pages, relative to the report."""
        return lives_folder(self.run)


@dataclass(frozen=True)
class SpreadingGroup(RunGroup[SpreadingRun]):
    """All runs of one condition."""

    @property
    def by_words(self) -> str:
        """Answer to "do words alone convert?" from the measures; a dash without converts."""
        wrong = [run.recomputed["wrong"][0] for run in self.runs if run.recomputed["wrong"]]
        if wrong:
            return f"no: {'; '.join(wrong)}"
        return "yes" if any(run.recomputed["words_alone_convert"] for run in self.runs) else "\N{EN DASH}"


@dataclass(frozen=True)
class TownFindings:
    """Runs by condition in which people settled in towns."""

    comparison: Comparison
    groups: tuple[SpreadingGroup, ...]

    @property
    def runs(self) -> list[SpreadingRun]:
        """All runs, condition by condition."""
        return [run for group in self.groups for run in group.runs]

    @property
    def people(self) -> int:
        """Largest number of people in a run."""
        return max(len(run.spreading.exposures.people) for run in self.runs)


def find_towns(comparison: Comparison) -> TownFindings | None:
    """Return the complete runs in which people settled in towns, or None without any."""
    groups = []
    order = condition_order(comparison.scenario)
    for condition in sorted(comparison.conditions, key=lambda each: order.get(each.name, len(order))):
        spreads = tuple(
            SpreadingRun(run, run.spreading)
            for run in condition.runs
            if run.status == "complete" and run.spreading is not None
        )
        if spreads:
            groups.append(SpreadingGroup(condition.name, spreads))
    return TownFindings(comparison, tuple(groups)) if groups else None


def sentence(found: TownFindings) -> str:
    """Return the numbers of converts by condition in a sentence."""
    told = []
    for group in found.groups:
        counts = {name: group.measure(name) for name in ("direct", "indirect")}
        shown = [f"{each.mean:.4g} {name}" for name, each in counts.items() if each is not None]
        told.append(f"{group.name} {' and '.join(shown)}")
    return f"Converts in these runs: {'; '.join(told)}. {_by_words([run.recomputed for run in found.runs])}"


def _by_words(runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the share of converts that had heard of the faith before, in words."""
    converts = sum(sum(told["converts"].values()) for told in runs)
    at_once = sum(told["at_once"] for told in runs)
    unheard = sum(told["spontaneous"] for told in runs) - at_once
    against = next((text for told in runs for text in told["wrong"]), "")
    if not converts:
        return f"Nobody converted, but {against}." if against else "Nobody converted."
    if not against:
        return f"In these runs each of the {converts} converts had heard of it before."
    parts = [f"{converts - at_once - unheard} of {converts} converts had heard of it before"]
    parts += [f"{at_once} converted at the very second of hearing it first"] if at_once else []
    parts += [f"{unheard} had heard nothing of it"] if unheard else []
    return f"In these runs {', '.join(parts)} (such as: {against})."
