"""Section on measures that a paper prints for a scenario: Accord's values beside the published ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from accord.analysis.intervals import NON_NEGATIVE, SHARES, Interval
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.section import ReportSection, TranscriptLinks
from accord.analysis.report.tables import text_of

HEAD = ("measure", "condition", "n", "mean", "ci95_low", "ci95_high", "published", "published_spread")
HITS_ON = "hits_on_"
Published = tuple[float, float | None]


@dataclass(frozen=True)
class PublishedCell:
    """One condition's value beside the published one."""

    condition: str
    ours: MeasureSummary | None
    """None if no run has the measure."""
    published: Published | None
    """Value and spread; None if the paper prints none for this condition."""


@dataclass(frozen=True)
class PublishedMeasure:
    """One measure of all conditions."""

    name: str
    title: str
    cells: tuple[PublishedCell, ...]


@dataclass(frozen=True)
class PublishedFindings:
    """Measures that the paper prints for at least one of the conditions, and Accord has for it."""

    source: str
    measures: tuple[PublishedMeasure, ...]


def _share_of_hits_on(target: str) -> Callable[[ReportedRun], float | None]:
    """Return a measure: the share of all hits of the other players that were on `target`."""

    def share(run: ReportedRun) -> float | None:
        others = [name for name in run.players if name.lower() != target]
        hits = {
            measure: sum(run.figure(measure, name) or 0.0 for name in others)
            for measure, _ in run.figures
            if measure.startswith(HITS_ON)
        }
        whole = sum(hits.values())
        return hits.get(f"{HITS_ON}{target}", 0.0) / whole if whole else None

    return share


def _dollars(run: ReportedRun) -> float | None:
    """Return the price of the run's calls, or None if a model has no price, or nothing was paid."""
    prices = [each.usd for each in run.costs]
    return None if None in prices else sum(price for price in prices if price) or None


def _minutes(run: ReportedRun) -> float | None:
    """Return the run's duration on the clock, or None if no model played: rules need no time to think."""
    seconds = run.figure("wall_s")
    return seconds / 60 if seconds is not None and run.costs else None


MEASURES: Mapping[str, tuple[str, Interval, Callable[[ReportedRun], float | None]]] = {
    "share_of_hits_on_pedro": (
        "Hits of the others on Pedro, share of all their hits", SHARES, _share_of_hits_on("pedro"),
    ),
    "dollars": ("Cost of a run ($)", NON_NEGATIVE, _dollars),
    "minutes": ("Duration of a run (minutes)", NON_NEGATIVE, _minutes),
}  # fmt: skip
"""Name in `PublishedFigures.measures` -> its title, its possible values, and its value in a run or None without any."""


class PublishedSection(ReportSection[PublishedFindings]):
    """Values of the runs beside those that the scenario's paper prints."""

    name = "published"
    part_of = ("standard",)
    template = "published.html.j2"

    def find(self, comparison: Comparison) -> PublishedFindings | None:
        """See `ReportSection.find`."""
        known = comparison.published
        found = [_measure(comparison, name, values) for name, values in known.measures.items()]
        shown = tuple(each for each in found if any(cell.ours and cell.published for cell in each.cells))
        return PublishedFindings(known.source, shown) if shown else None

    def tables(self, findings: PublishedFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        rows = [_row(measure.name, cell) for measure in findings.measures for cell in measure.cells]
        return {"published.csv": text_of(HEAD, rows)}

    def values(self, findings: PublishedFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        return {"source": findings.source, "measures": findings.measures}


def _measure(comparison: Comparison, name: str, published: Mapping[str, Published]) -> PublishedMeasure:
    title, bounds, measure = MEASURES[name]
    cells = []
    for condition in comparison.conditions:
        values = [value for run in condition.scored if (value := measure(run)) is not None]
        ours = summarize(values, condition.runs[0].seed).cut_to(bounds) if values else None
        cells.append(PublishedCell(condition.name, ours, published.get(condition.name)))
    return PublishedMeasure(name, title, tuple(cells))


def _row(name: str, cell: PublishedCell) -> Sequence[object]:
    ours, published = cell.ours, cell.published or (None, None)
    low, high = (ours.ci95 if ours else None) or (None, None)
    return [name, cell.condition, ours.n if ours else 0, ours.mean if ours else None, low, high, *published]


PUBLISHED_MEASURES = PublishedSection()
