"""Terminal table of a society, with a row for each condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from rich.table import Table

from accord.analysis.measures import MeasureSummary
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.perception.findings import find_perceptions
from accord.analysis.report.perception.findings import sentence as perceptions_sentence
from accord.analysis.report.progress.findings import find_progress
from accord.analysis.report.society.findings import SocietyFindings, find_societies
from accord.analysis.report.society.headline import headline
from accord.analysis.report.taxation.findings import find_taxes
from accord.analysis.report.towns.findings import find_towns
from accord.analysis.report.towns.findings import sentence as towns_sentence
from accord.analysis.report.trials.findings import MEASURES, find_trials
from accord.analysis.report.trials.findings import sentence as trials_sentence
from accord.cli.table_cells import spread, words
from accord.cli.tables import table

ROLES = {"role_entropy_bits": "entropy", "role_persistence": "kept", "role_length_s": "lasts", "coherence": "coherent"}
TAX = {
    "tax_before_percent": "before",
    "tax_after_percent": "after",
    "law_after_percent": "law",
    "law_kept_percent": "kept",
}
ITEMS = {
    "mean_items": "mean",
    "best_items": "best",
    "least_items": "least",
    "items_together": "together",
    "deaths": "deaths",
}
TOWNS = {"direct": "direct", "indirect": "indirect", "area": "area", "depth": "depth", "rural_share": "rural memes"}


class ConditionGroup(Protocol):
    """Protocol of all runs under one condition."""

    @property
    def name(self) -> str:
        """Name of the condition."""

    @property
    def runs(self) -> tuple[Any, ...]:
        """Runs of the condition."""

    def measure(self, name: str, /) -> MeasureSummary | None:
        """Return a measure over all runs, or None if it was not measured."""


def lived_of(comparison: Comparison) -> tuple[Table, str] | None:
    """Return the table and the conclusion of a society, or None if the runs are of no society."""
    if (towns := find_towns(comparison)) is not None:
        caption = (
            "direct, indirect: converts; area: square blocks within their hearing; depth: conversions in a row from a "
            "priest; rural memes: memes a head on the land, as a share of those in towns"
        )
        return _lines("condition", towns.groups, TOWNS, caption), towns_sentence(towns)
    if (trials := find_trials(comparison)) is not None:
        named = {name: MEASURES[name][0] for name in trials.shown}
        return _lines("condition", trials.groups, named, "iterations are means over the trials that came so far"), (
            trials_sentence(trials)
        )
    if (perceptions := find_perceptions(comparison)) is not None:
        named = {name: name.replace("_", " ") for name in perceptions.measures}
        return _lines("condition", perceptions.groups, named), perceptions_sentence(perceptions)
    society = find_societies(comparison)
    return None if society is None else (_society(society), headline(society))


def _society(found: SocietyFindings) -> Table:
    """Return the table of a society: items or taxes if they were counted, otherwise roles."""
    if (progress := find_progress(found)) is not None:
        caption = "different items that an agent has held: mean, best and least of all agents; of all together; deaths"
        return _lines("condition", progress.groups, ITEMS, caption)
    if (taxed := find_taxes(found)) is not None:
        caption = "tax paid before and after the vote, the law after it, how often it was kept; all in percent"
        return _lines("society", taxed.societies, TAX, caption)
    caption = "roles: entropy (bits), share of steps kept, seconds; decisions whose words and deeds agree"
    return _lines("society", found.societies, ROLES, caption)


def _lines(first: str, groups: Iterable[ConditionGroup], measures: Mapping[str, str], caption: str = "") -> Table:
    """Return a table with a row per group: name, number of runs, and each measure (measure -> column header)."""
    shown = table(caption)
    shown.add_column(first, no_wrap=True)
    for name in ("runs", *measures.values()):
        shown.add_column(name, justify="right")
    for each in groups:
        cells = [spread(each.measure(name)) for name in measures]
        shown.add_row(words(each.name, "bold"), str(len(each.runs)), *cells)
    return shown
