"""Interface of a report's sections: requirements, findings, figures, tables, text and pages.

`accord.analysis.report.sections` lists all of them. The first section that owns a page and finds something in the runs
leads the report: its template is the page. Sections that are part of it are rendered into that page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup

if TYPE_CHECKING:
    from accord.analysis.report.canvas import Figure
    from accord.analysis.report.style import Theme

FindingsT = TypeVar("FindingsT")
"""Type of a section's findings."""
TranscriptLinks = Mapping[str, Sequence[tuple[str, str]]]
"""Name of a run -> (player, address of its transcript's page relative to the report)."""


@dataclass(frozen=True)
class GroupMeasures:
    """Measures of the runs of each condition."""

    titles: Mapping[str, tuple[str, str]]
    """Measure -> its title and unit."""
    groups: Sequence[RunGroup[Any]]


@dataclass(frozen=True)
class SectionFigure(Generic[FindingsT]):
    """One figure of a section."""

    title: str
    caption: str
    draw: Callable[[FindingsT, Theme], Figure]
    applies: Callable[[FindingsT], bool] = lambda _: True
    """Return whether there is anything to show."""
    tables: tuple[str, ...] = ()
    """Tables of the report that hold the values of single runs which the figure shows or averages."""
    like: tuple[str, ...] = ()
    """Published figures and tables that it corresponds to, such as "sid 8 A" or "sid table 1" (`report.papers`)."""


class ReportSection(ABC, Generic[FindingsT]):
    """One part of a report. Subclasses are stateless and show only their findings.

    Modules that draw are imported inside `figures`, so that looking for findings does not load matplotlib.
    """

    name: ClassVar[str]
    template: ClassVar[str] = ""
    """File in `templates/`; empty for a section that has figures and tables only."""
    part_of: ClassVar[tuple[str, ...]] = ()
    """Names of the sections whose pages show this one; empty for a section with a page of its own."""
    closes_page: ClassVar[bool] = False
    """True for a part that stands after the figures of the page rather than before its own text."""
    gathers_figures: ClassVar[bool] = False
    """True if the page shows the figures of all its parts after its own, rather than each part in its own text."""

    @abstractmethod
    def find(self, comparison: Comparison) -> FindingsT | None:
        """Return the section's findings in these runs, or None without any."""

    def figures(self, findings: FindingsT) -> Mapping[str, SectionFigure[FindingsT]]:
        """Return the figures by file name without its ending, in the page's order."""
        return {}

    def tables(self, findings: FindingsT) -> Mapping[str, str]:
        """Return the CSV tables and other text files by file name."""
        return {}

    def measures(self, findings: FindingsT) -> GroupMeasures | None:
        """Return the section's own measures by condition, for a paper's table, or None without any."""
        return None

    def sentence(self, findings: FindingsT) -> str:
        """Return the main result in one sentence."""
        return ""

    def values(self, findings: FindingsT, links: TranscriptLinks) -> Mapping[str, object]:
        """Return the template's values besides those of all pages (`accord.analysis.report.rendering`)."""
        return {}

    def pages(self, findings: FindingsT, links: TranscriptLinks) -> Iterable[tuple[str, str]]:
        """Yield further pages, such as one for each agent: path relative to the report, and HTML."""
        return ()
