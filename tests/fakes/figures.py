"""Figures that are made and not drawn, which would take a fifth of all time of unit tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from accord.analysis.report.style import Theme


def leave_undrawn(patch: pytest.MonkeyPatch) -> None:
    """Let the pages of reports have empty drawings; a figure without axes is an error all the same."""
    from accord.analysis.report import drawing

    def made(make: Callable[[], Figure], theme: Theme) -> str:
        with drawing.matplotlib.rc_context(drawing.style.settings(theme)):
            figure = make()
        assert figure.axes
        return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'

    patch.setattr(drawing, "svg_of", made)
