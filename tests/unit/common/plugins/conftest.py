from __future__ import annotations

from collections.abc import Iterator

import pytest

from common.plugins import forget


@pytest.fixture(autouse=True)
def _no_plugins_stay() -> Iterator[None]:
    yield
    forget()
