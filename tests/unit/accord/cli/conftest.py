"""Fixtures of the tests of the command line."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _figures(undrawn: None) -> None:
    """No test of a command looks at figures; `tests/unit/accord/analysis/report` does."""
