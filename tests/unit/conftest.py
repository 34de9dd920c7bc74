"""Fixtures of the unit tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.figures import leave_undrawn, leave_unmade

ANALYSIS = Path(__file__).parent / "accord" / "analysis"
"""Tests of analyses, whose reports make their figures."""


@pytest.fixture(autouse=True)
def _undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures of reports, except in tests that are marked `drawn`; tests of analyses make them."""
    if request.node.get_closest_marker("drawn"):
        return
    leave = leave_undrawn if request.path.is_relative_to(ANALYSIS) else leave_unmade
    leave(monkeypatch)
