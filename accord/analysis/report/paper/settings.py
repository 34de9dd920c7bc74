"""Settings of figures for papers: formats, style and widths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dilemmas.errors import UsageError

FORMATS = ("pdf", "svg", "png")
WIDTHS = (3.35, 7.0)
"""Widths of one and of two columns in most two-column papers, in inches."""
MIN_WIDTH_IN, MAX_WIDTH_IN = 1.5, 20.0


@dataclass(frozen=True)
class FigureSettings:
    """Settings of the figures for a paper.

    Raises:
        UsageError: A format, width or style that cannot be drawn.
    """

    formats: tuple[str, ...] = ("pdf",)
    style: Path | None = None
    """A matplotlib style file; its lines replace those of Accord's style."""
    widths: tuple[float, float] = WIDTHS
    """Widths of one column and of two, in inches."""

    def __post_init__(self) -> None:
        for name in self.formats:
            if name not in FORMATS:
                raise UsageError(f"--figures {name!r}: choose from {', '.join(FORMATS)}, e.g. --figures pdf,svg")
        for width in self.widths:
            if not MIN_WIDTH_IN <= width <= MAX_WIDTH_IN:
                limits = f"{MIN_WIDTH_IN:g} to {MAX_WIDTH_IN:g}"
                raise UsageError(f"--widths {width:g}: give inches from {limits}, e.g. --widths 3.35,7")
        if self.style is not None:
            # Imported here, because it loads matplotlib.
            from accord.analysis.report.paper.styles import read_style

            read_style(self.style)
