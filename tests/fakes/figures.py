"""Figures that are not drawn, or not even made: drawing would take a fifth of all time of unit tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from accord.analysis.report.style import Theme

EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'


def leave_undrawn(patch: pytest.MonkeyPatch) -> None:
    """Let the pages of reports have empty drawings; a figure without axes is an error all the same.

    Figures for phones are not made: tests/unit/accord/analysis/report/test_all_figures.py draws each one as narrow.
    """
    from accord.analysis.report import drawing

    def made(make: Callable[[], Figure], theme: Theme) -> str:
        if not theme.narrow:
            with drawing.matplotlib.rc_context(drawing.style.settings(theme)):
                figure = make()
            assert figure.axes
        return EMPTY

    patch.setattr(drawing, "svg_of", made)


def leave_unmade(patch: pytest.MonkeyPatch) -> None:
    """Let the pages of reports have empty drawings: making figures takes three quarters of the time of a report."""
    from accord.analysis.report import drawing

    patch.setattr(drawing, "svg_of", lambda *_: EMPTY)
