"""Embeddings behind an OpenAI-compatible endpoint, with the retries and the global switch of models.

The endpoint is wrapped as a `Model`: messages are the texts, and the reply holds their vectors. Recording, budgets,
replay and blocking of model calls therefore apply unchanged.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from voyager_agents.errors import ModelError
from voyager_agents.index.base import Vectors
from voyager_agents.models.base import ChatMessage, Model, Reply, Settings, Usage
from voyager_agents.models.completion import read_name, read_object, read_usage
from voyager_agents.models.openai_chat import OpenAIModel, open_openai
from voyager_agents.models.retries import Malformed
from voyager_agents.models.transport import MAX_BODY

SETTINGS = Settings(temperature=0.0, timeout_s=60.0)
BATCH = 256
"""Texts per call."""
NUMBER_BYTES = 32
"""Maximum bytes of one vector component in an answer."""
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
"""Dimensions of known models. Other models are given with theirs, as in `openai/nomic-embed-text:768`."""
_STORED = np.dtype("<f4")


def open_openai_embedding(
    name: str,
    *,
    base_url: str | None,
    api_key_file: Path | None,
    through: Callable[[str, Callable[[], Model]], Model],
) -> OpenAIEmbedding:
    """Open an embedding model of an OpenAI-compatible endpoint.

    Args:
        name: `MODEL` or `MODEL:DIMENSION`.
        base_url: The endpoint; None for the provider's default.
        api_key_file: File with the key.
        through: Wrapper that records and charges the model's calls.

    Raises:
        ModelError: The dimension is unknown, there is no key, or the base URL is unusable.
    """
    model, dimension = _parted(name)

    def endpoint() -> Model:
        most = MAX_BODY + BATCH * dimension * NUMBER_BYTES
        opened = open_openai(model, base_url=base_url, api_key_file=api_key_file, max_body=most)
        return EmbeddingModel(opened, model, dimension)

    return OpenAIEmbedding(through(f"openai/{model}", endpoint), model, dimension)


def _parted(name: str) -> tuple[str, int]:
    if name in DIMENSIONS:
        return name, DIMENSIONS[name]
    model, colon, number = name.rpartition(":")
    if not colon or not model or not number.isascii() or not number.isdigit() or not 0 < int(number) <= 65536:
        raise ModelError(f"embedding openai/{name}: its dimension is not known: write e.g. openai/{name}:768")
    return model, int(number)


class OpenAIEmbedding:
    """An embedding model of an endpoint."""

    def __init__(self, asks: Model, name: str, dimension: int) -> None:
        """Create the embedding; `asks` answers in the format of `EmbeddingModel`."""
        self.model = f"openai/{name}"
        self.dimension = dimension
        self._asks = asks

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text. Raises ModelError, or BudgetExhausted."""
        found = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            # Endpoints refuse empty texts.
            batch = [ChatMessage("user", text if text.strip() else "(empty)") for text in texts[start : start + BATCH]]
            reply = await self._asks.complete(batch, SETTINGS)
            found[start : start + len(batch)] = self._vectors(reply, len(batch))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._asks.close()

    def _vectors(self, reply: Reply, texts: int) -> Vectors:
        try:
            numbers = np.frombuffer(base64.b64decode(reply.text, validate=True), dtype=_STORED)
            return numbers.reshape(texts, self.dimension).astype(np.float32)
        except (binascii.Error, ValueError):
            raise ModelError(
                f"embedding {self.model}: the answer does not hold {texts} vectors of {self.dimension} numbers: "
                "use the embedding that the recorded run had"
            ) from None


class EmbeddingModel:
    """Model that returns one vector per message, all of them in the reply's text (base64 of 32-bit floats)."""

    def __init__(self, endpoint: OpenAIModel, name: str, dimension: int) -> None:
        self.name = f"openai/{name}"
        self._endpoint = endpoint
        self._name = name
        self._dimension = dimension

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return unit vectors. Raises ModelError."""
        texts = [each.content for each in messages]
        return await self._endpoint.ask(partial(self._call, texts, settings.timeout_s), settings.timeout_s)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    async def _call(self, texts: list[str], timeout_s: float) -> Reply:
        answer = await self._endpoint.client.embeddings.with_raw_response.create(
            model=self._name, input=texts, encoding_format="float", timeout=timeout_s
        )
        data = read_object(answer.content, answer.headers.get("content-type", ""))
        vectors = _vectors(data.get("data"), len(texts))
        if vectors.shape[1] != self._dimension:
            has = vectors.shape[1]
            raise ModelError(
                f"embedding {self.name}: vectors have {has} numbers, not {self._dimension}: write {self.name}:{has}"
            )
        stored = _unit(vectors).astype(_STORED)
        usage = Usage(read_usage(data).prompt_tokens)
        return Reply(base64.b64encode(stored.tobytes()).decode("ascii"), usage, read_name(data))


def _vectors(data: object, texts: int) -> np.ndarray:
    """Return the vectors of an answer as rows, in the order of its texts. Raises Malformed."""
    rows = data if isinstance(data, list) else []
    found = {each["index"]: each["embedding"] for each in rows if isinstance(each, dict) and _is_row(each)}
    if len(rows) != texts or sorted(found) != list(range(texts)):
        raise Malformed(f"the answer has not one vector for each of {texts} texts")
    try:
        vectors = np.asarray([found[place] for place in range(texts)], dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise Malformed("the vectors of the answer are not rows of numbers, all of one length") from None
    if vectors.ndim != 2:
        raise Malformed("the vectors of the answer are not rows of numbers, all of one length")
    return vectors


def _is_row(row: Mapping[str, object]) -> bool:
    return type(row.get("index")) is int and isinstance(row.get("embedding"), list)


def _unit(vectors: np.ndarray) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise Malformed("a vector of the answer has no direction")
    return np.asarray(vectors / norms, dtype=np.float32)
