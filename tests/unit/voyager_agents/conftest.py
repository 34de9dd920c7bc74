"""Real model calls are switched off here."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_real_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "0")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
