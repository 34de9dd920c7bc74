"""Fixtures of the tests of the command line."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _figures(undrawn: None) -> None:
    """Skip drawing: tests of commands inspect no figures, which `tests/unit/accord/analysis/report` covers."""
