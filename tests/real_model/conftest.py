"""Fixtures of the tests that ask real models."""

from __future__ import annotations

from pathlib import Path

import pytest

from voyager_agents.errors import ModelError
from voyager_agents.models.local.settings import local_spec


@pytest.fixture
def local_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the test local engines of its own; skip it where engine or weights are not installed."""
    try:
        local_spec(None)
    except ModelError as error:
        pytest.skip(f"NO REAL MODEL PLAYS IN THESE TESTS: {error}")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
