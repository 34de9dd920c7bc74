"""Reports: one HTML page, SVG figures and CSV tables from the records of one or several runs.

`write_report` is the door; the drawing parts behind it are loaded when it is called, since they take their time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.analysis.report.comparison import Comparison
    from accord.analysis.report.paper.settings import FigureSettings
    from accord.analysis.report.writer import WrittenReport
    from accord.analysis.validity import Treatment

__all__ = ["read_comparison", "write_report"]


def write_report(
    paths: Sequence[Path],
    directory: Path,
    figures: FigureSettings | None = None,
    policy: Treatment | None = None,
) -> WrittenReport:
    """Read every run at or below `paths` and write the report into `directory`, over an older one; with `figures` also
    those for a paper.

    `policy` says what becomes of invalid runs (`accord.analysis.validity`); None: what their studies say.

    Raises UsageError (no run there, folder not writable) or RecordError (a record that cannot be read), in one line.
    """
    from accord.analysis.report import writer

    return writer.write(paths, directory, figures, policy)


def read_comparison(paths: Sequence[Path]) -> Comparison:
    """Read every run at or below `paths` and compare their conditions; nothing is written. Raises as `write_report`."""
    from accord.analysis.report.comparison import compare
    from accord.analysis.report.reader import read_runs

    return compare(read_runs(paths))
