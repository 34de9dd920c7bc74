"""Fixtures of the page's tests, which use a private cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="package")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Use a cache that no other test and no user shares."""
    folder = tmp_path_factory.mktemp("cache")
    patch = pytest.MonkeyPatch()
    patch.setenv("ACCORD_CACHE", str(folder))
    yield folder
    patch.undo()
