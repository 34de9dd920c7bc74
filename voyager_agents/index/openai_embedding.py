"""Embeddings behind an OpenAI-compatible endpoint, with the patience and the switch of the models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from voyager_agents.errors import ModelError
from voyager_agents.index.base import Vectors
from voyager_agents.models.openai_chat import OpenAIModel, open_openai
from voyager_agents.models.retries import Malformed

TIMEOUT_S = 60.0
BATCH = 256
"""Texts of one call."""
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
"""Of models that are known; others are named with theirs, as in `openai/nomic-embed-text:768`."""


def open_openai_embedding(name: str, *, base_url: str | None, api_key_file: Path | None) -> OpenAIEmbedding:
    """The embedding of that name, `MODEL` or `MODEL:DIMENSION`. Raises ModelError."""
    model, dimension = _parted(name)
    return OpenAIEmbedding(open_openai(model, base_url=base_url, api_key_file=api_key_file), model, dimension)


def _parted(name: str) -> tuple[str, int]:
    if name in DIMENSIONS:
        return name, DIMENSIONS[name]
    model, colon, number = name.rpartition(":")
    if not colon or not model or not number.isascii() or not number.isdigit() or not 0 < int(number) <= 65536:
        raise ModelError(f"embedding openai/{name}: its dimension is not known: write e.g. openai/{name}:768")
    return model, int(number)


class OpenAIEmbedding:
    """One embedding model of one endpoint."""

    def __init__(self, endpoint: OpenAIModel, name: str, dimension: int) -> None:
        self.model = f"openai/{name}"
        self.dimension = dimension
        self._endpoint = endpoint
        self._name = name

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector per text. Raises ModelError."""
        found = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            # An endpoint refuses empty texts.
            batch = [text if text.strip() else "(empty)" for text in texts[start : start + BATCH]]
            found[start : start + len(batch)] = await self._endpoint.ask(partial(self._call, batch), TIMEOUT_S)
        return found

    async def close(self) -> None:
        """Closes the connections."""
        await self._endpoint.close()

    async def _call(self, texts: list[str]) -> Vectors:
        answer = await self._endpoint.client.embeddings.create(
            model=self._name, input=texts, encoding_format="float", timeout=TIMEOUT_S
        )
        data = getattr(answer, "data", None)
        if not isinstance(data, list) or sorted(each.index for each in data) != list(range(len(texts))):
            raise Malformed(f"the answer has not one vector for each of {len(texts)} texts")
        vectors = [each.embedding for each in sorted(data, key=lambda each: each.index)]
        lengths = {len(each) for each in vectors}
        if lengths != {self.dimension}:
            has = ", ".join(map(str, sorted(lengths)))
            raise ModelError(
                f"embedding {self.model}: vectors have {has} numbers, not {self.dimension}: "
                f"write {self.model.partition(':')[0]}:{has}"
            )
        return _unit(np.asarray(vectors, dtype=np.float64))


def _unit(vectors: np.ndarray) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(vectors).all() or not norms.all():
        raise Malformed("a vector of the answer has no direction")
    return np.asarray(vectors / norms, dtype=np.float32)
