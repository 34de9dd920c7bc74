"""Semantic search: embeddings, and a ChromaDB index that can be rebuilt from its records at any time.

Everything runs in this process, without a server, telemetry or downloads. The packages are in the extra `skills`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from voyager_agents.errors import IndexUnusable, ModelError
from voyager_agents.index.base import Embedding, IndexMatch, Record, TextIndex, Value
from voyager_agents.models import Model, ScriptedModel

EMBEDDINGS: dict[str, str] = {
    "openai": "voyager_agents.index.openai_embedding:open_openai_embedding",
}
"""Kind -> "module:function"; the function is called with (name, base_url, api_key_file, through)."""
OFFLINE = "hashing"
"""The embedding that needs no model."""
INSTALL = "run 'make setup-skills' (or: pip install 'accord-mc[skills]')"


Through = Callable[[str, Callable[[], Model]], Model]
"""Wrapper between an embedding and its model: takes the model's name and a function that opens it, and returns the
model to use, such as one whose calls are recorded and charged."""


def directly(_name: str, opened: Callable[[], Model]) -> Model:
    """Open the model directly, without a wrapper."""
    return opened()


def open_embedding(
    spec: str = OFFLINE,
    *,
    base_url: str | None = None,
    api_key_file: Path | None = None,
    through: Through = directly,
) -> Embedding:
    """Open an embedding.

    Args:
        spec: `hashing`, or e.g. `openai/text-embedding-3-small`.
        base_url: Endpoint of the model; None for the provider's default.
        api_key_file: File with the key.
        through: Wrapper that records and charges the model's calls.

    Raises:
        ModelError: The spec is unknown, there is no key, or the base URL is unusable.
        IndexUnusable: A package is missing.
    """
    if spec == OFFLINE:
        hashing: Embedding = _load("voyager_agents.index.hashing:HashingEmbedding")()
        return hashing
    kind, _, name = spec.partition("/")
    if kind not in EMBEDDINGS or not name:
        legal = ", ".join(f"{each}/NAME" for each in sorted(EMBEDDINGS))
        raise ModelError(f"unknown embedding {spec!r}: write {OFFLINE} or {legal}, e.g. openai/text-embedding-3-small")
    embedding: Embedding = _load(EMBEDDINGS[kind])(name, base_url=base_url, api_key_file=api_key_file, through=through)
    return embedding


def check_embedding(spec: str) -> None:
    """Check that an embedding can be opened here, except for keys and endpoints. Raises as `open_embedding`."""
    for package in ("chromadb", "sklearn"):
        if importlib.util.find_spec(package) is None:
            raise _missing(package)
    model_of(spec)


def model_of(spec: str) -> str | None:
    """Return the model that an embedding calls; None if it calls none. Raises as `open_embedding`."""
    asked: list[str] = []

    def noted(name: str, _opened: Callable[[], Model]) -> Model:
        asked.append(name)
        return ScriptedModel([])

    if spec != OFFLINE:
        open_embedding(spec, through=noted)
    return asked[0] if asked else None


def open_memory_index(embedding: Embedding) -> TextIndex:
    """Return a new, empty index in this process's memory. Raises IndexUnusable."""
    index: TextIndex = _load("voyager_agents.index.chroma:ChromaMemoryIndex")(embedding)
    return index


def open_index(directory: Path, embedding: Embedding, *, fix: str, write: bool = False) -> TextIndex:
    """Open the index in a directory. Any number of processes may read it, and one may write it.

    Args:
        directory: Directory of the index.
        embedding: The embedding that the index was made with.
        fix: End of error messages, with the command that repairs the index.
        write: Open for writing, and create a missing index.

    Raises:
        IndexUnusable: The index is missing or broken, belongs to another embedding, or is locked by another writer.
    """
    index: TextIndex = _load("voyager_agents.index.stored:StoredIndex")(directory, embedding, fix=fix, write=write)
    return index


async def rebuild_index(directory: Path, embedding: Embedding, records: Sequence[Record]) -> None:
    """Replace the index in a directory by a new one built from the records; readers switch to it.

    The old index stays in use until the new one is complete. Raises IndexUnusable if another process is writing, and
    ModelError.
    """
    await _load("voyager_agents.index.stored:rebuild")(directory, embedding, records)


def _load(path: str) -> Any:  # noqa: ANN401 - whatever stands under that name
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "voyager_agents":
            raise
        raise _missing(error.name or path) from None


def _missing(package: str) -> IndexUnusable:
    return IndexUnusable(f"the package {package!r} is not installed: {INSTALL}")


__all__ = [
    "EMBEDDINGS",
    "INSTALL",
    "OFFLINE",
    "Embedding",
    "IndexMatch",
    "Record",
    "TextIndex",
    "Through",
    "Value",
    "check_embedding",
    "directly",
    "model_of",
    "open_embedding",
    "open_index",
    "open_memory_index",
    "rebuild_index",
]
