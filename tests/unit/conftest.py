"""Fixtures of the unit tests."""

from __future__ import annotations

import pytest

from tests.fakes.figures import leave_undrawn


@pytest.fixture(autouse=True)
def _undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the figures of reports without drawing them, except in tests that are marked `drawn`."""
    if not request.node.get_closest_marker("drawn"):
        leave_undrawn(monkeypatch)
