"""Index on a ChromaDB collection: explicit vectors, cosine similarity, deterministic results."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import chromadb
import numpy as np
from chromadb.api.client import Client
from chromadb.config import Settings

from voyager_agents.index.base import Embedding, IndexMatch, Record, Value

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

CANDIDATES = 256
"""Minimum number of candidates per query: the graph finds them, exact similarities order them."""
BATCH = 1000
"""Records per write."""
DIGITS = 6
"""Decimals of a similarity; finer differences depend on the order of floating-point sums."""
_numbers = itertools.count()


def open_client(folder: Path | None) -> Client:
    """Open a client on files, or in memory if `folder` is None. Telemetry is off."""
    settings = Settings(anonymized_telemetry=False)
    return cast(Client, chromadb.PersistentClient(folder, settings) if folder else chromadb.EphemeralClient(settings))


def make_collection(client: Client, name: str, embedding: Embedding) -> Collection:
    """Create a collection that stores the name of its embedding.

    Chroma's default embedding is disabled because it downloads a model.
    """
    return client.create_collection(
        name,
        embedding_function=None,
        metadata={"embedding": embedding.model, "dimension": embedding.dimension},
        configuration={"hnsw": {"space": "cosine", "ef_search": CANDIDATES, "ef_construction": CANDIDATES}},
    )


def latest(records: Sequence[Record]) -> list[Record]:
    """Return the last record of each id."""
    return list({record.id: record for record in records}.values())


def upsert_records(collection: Collection, records: Sequence[Record], vectors: np.ndarray) -> None:
    """Insert records, or replace those with the same ids."""
    for start in range(0, len(records), BATCH):
        part = records[start : start + BATCH]
        ids = [each.id for each in part]
        # Chroma's upsert would merge old metadata into the new.
        if known := collection.get(ids=ids, include=[])["ids"]:
            collection.delete(ids=known)
        collection.add(
            ids=ids,
            embeddings=vectors[start : start + BATCH],
            documents=[each.text for each in part],
            metadatas=cast(Any, [dict(each.metadata) or None for each in part]),
        )


def nearest(collection: Collection, vector: np.ndarray, k: int, where: Mapping[str, Value] | None) -> list[IndexMatch]:
    """Return the records nearest to a vector, ties ordered by id.

    Args:
        collection: Collection of the records.
        vector: The vector, of the embedding's dimension.
        k: Maximum number of records.
        where: Metadata that a record must have; None for all records.
    """
    condition = _condition(where)
    there = collection.count() if condition is None else len(collection.get(where=condition, include=[])["ids"])
    wanted = min(there, max(CANDIDATES, 4 * k))
    if wanted == 0 or k < 1:
        return []
    shown: Any = ["documents", "metadatas", "distances"]
    found: Any = collection.query(query_embeddings=vector[None], n_results=wanted, where=condition, include=shown)
    ids, texts, notes = found["ids"][0], found["documents"][0], found["metadatas"][0]
    similarities = [1.0 - distance for distance in found["distances"][0]]
    if len(ids) < wanted:
        # The graph misses entries that no edge leads to; compare all of them.
        found = collection.get(where=condition, include=["documents", "metadatas", "embeddings"])
        ids, texts, notes = found["ids"], found["documents"], found["metadatas"]
        similarities = list(np.asarray(found["embeddings"]) @ vector.astype(np.float64))
    matches = [
        IndexMatch(Record(each, text, note or {}), round(float(similarity), DIGITS) + 0.0)
        for each, text, note, similarity in zip(ids, texts, notes, similarities, strict=True)
    ]
    return sorted(matches, key=lambda match: (-match.similarity, match.record.id))[:k]


def all_records(collection: Collection) -> list[Record]:
    """Return all records, ordered by id."""
    found: Any = collection.get(include=["documents", "metadatas"])
    rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
    return sorted((Record(each, text, note or {}) for each, text, note in rows), key=lambda record: record.id)


def _condition(where: Mapping[str, Value] | None) -> Any:  # noqa: ANN401 - Chroma's own shape
    parts = [{key: {"$eq": value}} for key, value in (where or {}).items()]
    return None if not parts else parts[0] if len(parts) == 1 else {"$and": parts}


class ChromaMemoryIndex:
    """Index in this process's memory, deleted when it is closed."""

    def __init__(self, embedding: Embedding) -> None:
        self.embedding = embedding
        # All ephemeral clients of a process share their collections, so each index uses a name of its own.
        self._client = open_client(None)
        self._name = f"memory-{next(_numbers)}"
        self._collection = make_collection(self._client, self._name, embedding)

    async def upsert(self, records: Sequence[Record]) -> None:
        """Insert or replace records."""
        if records:
            new = latest(records)
            upsert_records(self._collection, new, await self.embedding.embed([record.text for record in new]))

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove the records with these ids."""
        if ids:
            self._collection.delete(ids=list(ids))

    async def query(self, text: str, k: int, where: Mapping[str, Value] | None = None) -> list[IndexMatch]:
        """Return the `k` entries most similar to the text."""
        vectors = await self.embedding.embed([text])
        return nearest(self._collection, vectors[0], k, where)

    def count(self) -> int:
        """Return the number of records."""
        return self._collection.count()

    def records(self) -> list[Record]:
        """Return all records, ordered by id."""
        return all_records(self._collection)

    def close(self) -> None:
        """Delete the collection."""
        self._client.delete_collection(self._name)
        self._client.close()
