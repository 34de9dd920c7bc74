"""Reports: one HTML page, SVG figures and CSV tables from the records of one or several runs.

`write_report` is the entry point. Modules that draw are imported only when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.analysis.ratings import Rater
    from accord.analysis.report.comparison import Comparison
    from accord.analysis.report.paper.settings import FigureSettings
    from accord.analysis.report.written import WrittenReport
    from accord.analysis.validity import Treatment

__all__ = ["read_comparison", "write_report"]


def write_report(
    paths: Sequence[Path],
    directory: Path,
    figures: FigureSettings | None = None,
    policy: Treatment | None = None,
    *,
    paired: bool = False,
    mixed: bool = False,
    learning_curves: Sequence[Path] = (),
    raters: Sequence[Rater] = (),
    flags: Sequence[Path] = (),
) -> WrittenReport:
    """Read every run at or below `paths` and write the report into `directory`; an older report is overwritten.

    Args:
        paths: Directories of runs, or directories above them.
        directory: Folder of the report.
        figures: Settings of figures for a paper, or None for none.
        policy: Treatment of invalid runs (`accord.analysis.validity`), or None for that of their studies.
        paired: True for tests in pairs of equal seeds, also where the studies did not declare them.
        mixed: True for tests by a mixed model with a random intercept per seed, likewise.
        learning_curves: Files with learning curves of the policies that played a grid game.
        raters: Models whose kept ratings are used (`accord.studies.relabelling`); measures are those of the first one.
        flags: Files with flags of wrong utterances by people (`accord.analysis.words.monitors.read_flags`).

    Raises:
        UsageError: There is no run, the folder is not writable, or a file holds no learning curve of the runs' game.
        PrerequisiteError: A mixed model is asked for, and statsmodels is not installed.
        RecordError: A record cannot be read.
    """
    from accord.analysis.report import writer

    return writer.write(
        paths, directory, figures, policy,
        paired=paired, mixed=mixed, learning_curves=learning_curves, raters=raters, flags=flags,
    )  # fmt: skip


def read_comparison(paths: Sequence[Path]) -> Comparison:
    """Read every run at or below `paths` and compare their conditions; write nothing. Raises as `write_report`."""
    from accord.analysis.report.comparison import compare
    from accord.analysis.report.reader import read_runs

    return compare(read_runs(paths))
