"""Report written by a process beside the study, which imports matplotlib and compiles templates while the study plays.

Both take longer than playing a short study does. The report is the same as one written by `write_report`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from accord.analysis.report import write_report
from accord.analysis.report.cache_folders import use_matplotlib_cache
from accord.analysis.report.forked import Fork
from common.gc_tuning import collection_paused

if TYPE_CHECKING:
    from accord.analysis.report.paper.settings import FigureSettings
    from accord.analysis.report.written import WrittenReport

TEMPLATES = (
    "report.html.j2", "run.html.j2", "course.html.j2", "answers.html.j2", "costs.html.j2", "grid.html.j2",
    "games.html.j2", "cells.html.j2", "minds_head.html.j2", "minds_step.html.j2", "style.css",
)  # fmt: skip
"""Templates of the standard report."""


class ReportProcess:
    """Fork of this process that prepares for writing a report. Use as a context manager."""

    def __init__(self) -> None:
        self._fork = Fork(prepare)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._fork.__exit__(kind, error, trace)

    def write(self, paths: Sequence[Path], directory: Path, figures: FigureSettings | None = None) -> WrittenReport:
        """Write the report of all runs at or below `paths` into `directory`. Raises as `write_report`."""
        result = self._fork.start(paths, directory, figures)
        # Imported while the other process draws: the result is of its classes.
        from accord.analysis.report import written

        assert written
        return result()


def prepare() -> Callable[..., WrittenReport]:
    """Import the report's modules, compile its templates, and return the function that writes it.

    It is called in the fork, which shows nobody matplotlib's documentation: the lists of properties in it take a
    quarter of the time of importing matplotlib, and stay empty here.
    """
    use_matplotlib_cache()
    with collection_paused():
        import matplotlib.artist

        matplotlib.artist.kwdoc = lambda artist: ""
        from accord.analysis.report import drawing, writer
        from accord.analysis.report.templating import environment

        assert drawing
        assert writer
        for name in TEMPLATES:
            environment().get_template(name)
    return write_report
