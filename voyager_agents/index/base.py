"""Protocols of a text index and an embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Array of unit vectors, shape (texts, dimension)."""
Value = str | int | float | bool
"""Value of a metadata field."""


@dataclass(frozen=True)
class Record:
    """An entry of an index, identified by `id`."""

    id: str
    text: str
    """Text that is embedded and searched."""
    metadata: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class IndexMatch:
    """An entry returned by a query."""

    record: Record
    similarity: float
    """Cosine similarity from -1 to 1, rounded to six decimals."""


class Embedding(Protocol):
    """Function from texts to vectors. An index belongs to one embedding and refuses all others."""

    model: str
    """Permanent name of the embedding; anything that changes the vectors also changes the name."""
    dimension: int
    """Length of a vector."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, shape (texts, dimension). Raises ModelError."""

    async def close(self) -> None:
        """Release resources such as connections."""


class TextIndex(Protocol):
    """Texts that are searched by meaning. Results depend on the records only, not on the order of insertion."""

    embedding: Embedding

    async def upsert(self, records: Sequence[Record]) -> None:
        """Insert records, or replace those with the same ids. Raises ModelError."""

    async def delete(self, ids: Sequence[str]) -> None:
        """Remove the records with these ids; unknown ids are ignored."""

    async def query(self, text: str, k: int, where: Mapping[str, Value] | None = None) -> list[IndexMatch]:
        """Return the `k` entries most similar to the text, best first, ties by id; all for a `k` of at least `count()`.

        `where` selects records whose metadata have these values.
        """

    def count(self) -> int:
        """Return the number of records."""

    def records(self) -> list[Record]:
        """Return all records, ordered by id."""

    def close(self) -> None:
        """Release files and locks. The caller closes the embedding."""
