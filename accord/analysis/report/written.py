"""Result of writing a report, apart from the writer, so that it can be received without importing the writer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from accord.analysis.report.comparison import Comparison


@dataclass(frozen=True)
class WrittenReport:
    """A written report."""

    html: Path
    comparison: Comparison
    files: tuple[Path, ...]
    """All written files, the page first."""
