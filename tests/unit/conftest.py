"""Fixtures of the unit tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from accord.analysis.report.style import Theme


@pytest.fixture(autouse=True)
def _undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the figures of reports without drawing them, which takes a fifth of all time.

    Tests that are marked `drawn` look at the drawings.
    """
    if request.node.get_closest_marker("drawn"):
        return
    from accord.analysis.report import drawing

    def made(make: Callable[[], Figure], theme: Theme) -> str:
        with drawing.matplotlib.rc_context(drawing.style.settings(theme)):
            figure = make()
        assert figure.axes
        return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'

    monkeypatch.setattr(drawing, "svg_of", made)
