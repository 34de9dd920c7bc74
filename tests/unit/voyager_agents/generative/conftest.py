"""Fixtures that switch off calls of real models, and small parts of generative agents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.unit.voyager_agents.generative.thinker import Thinker
from voyager_agents.asking import Asker
from voyager_agents.generative.asking import Mind
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import LongTermMemory
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.short_term import ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.index import open_embedding, open_memory_index
from voyager_agents.models import Model

MakeKit = Callable[..., Kit]


@pytest.fixture(autouse=True)
def _no_real_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "0")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def make_kit() -> MakeKit:
    def make(model: Model | None = None, settings: GenerativeSettings | None = None) -> Kit:
        chosen = settings or GenerativeSettings()
        memory = LongTermMemory(open_memory_index(open_embedding()), chosen)
        mind = Mind(partial(Asker, model or Thinker()), "Ann", "Apples grow.", "kind")
        return Kit(mind, chosen, memory, ShortTermMemory(), SpatialMemory())

    return make
