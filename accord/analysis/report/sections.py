"""The list of all report sections. To add a section: one module with a `ReportSection`, and one line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from accord.analysis.report.attacks.section import ATTACKS
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.deals.section import DEALS
from accord.analysis.report.drives.section import DRIVES
from accord.analysis.report.games.section import GAMES
from accord.analysis.report.grid.section import GRID
from accord.analysis.report.institutions.section import INSTITUTIONS
from accord.analysis.report.kinds.section import KINDS
from accord.analysis.report.markets.section import MARKETS
from accord.analysis.report.perception.section import PERCEPTION
from accord.analysis.report.progress.section import PROGRESS
from accord.analysis.report.published_measures import PUBLISHED_MEASURES
from accord.analysis.report.raters.section import RATERS
from accord.analysis.report.section import ReportSection, SectionFigure
from accord.analysis.report.society.section import SOCIETY
from accord.analysis.report.standard.section import PLACES, POPULATION, STANDARD
from accord.analysis.report.taxation.section import LAW, TAXATION
from accord.analysis.report.towns.section import TOWNS
from accord.analysis.report.trials.section import TRIALS
from accord.analysis.report.words.section import WORDS

SECTIONS: tuple[ReportSection[Any], ...] = (
    TOWNS,
    TRIALS,
    PERCEPTION,
    SOCIETY,
    PROGRESS,
    TAXATION,
    LAW,
    STANDARD,
    GRID,
    GAMES,
    ATTACKS,
    KINDS,
    DEALS,
    WORDS,
    INSTITUTIONS,
    RATERS,
    MARKETS,
    DRIVES,
    POPULATION,
    PUBLISHED_MEASURES,
    PLACES,
)
"""All sections. The first with findings and a page of its own leads; its parts follow on its page in order."""


@dataclass(frozen=True)
class FoundSection:
    """Section together with its findings."""

    section: ReportSection[Any]
    findings: Any

    def figures(self) -> Mapping[str, SectionFigure[Any]]:
        """Return the section's figures that have something to show, by file name without its ending."""
        found = self.section.figures(self.findings)
        return {name: figure for name, figure in found.items() if figure.applies(self.findings)}


def found_sections(comparison: Comparison) -> tuple[FoundSection, ...]:
    """Return the leading section and its parts, each with its findings."""
    leads = (FoundSection(each, each.find(comparison)) for each in SECTIONS if not each.part_of)
    lead = next(each for each in leads if each.findings is not None)
    return (lead, *parts_of(lead.section.name, comparison))


def parts_of(name: str, comparison: Comparison) -> Iterator[FoundSection]:
    """Yield the sections on the page of section `name` that have findings."""
    for section in SECTIONS:
        if name in section.part_of and (findings := section.find(comparison)) is not None:
            yield FoundSection(section, findings)
