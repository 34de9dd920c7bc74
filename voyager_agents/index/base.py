"""Types of an index and of an embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row per text, of length 1 each."""
Value = str | int | float | bool
"""Value of metadata."""


@dataclass(frozen=True)
class Record:
    """One entry of an index; the same id again replaces it."""

    id: str
    text: str
    """Text that the record is found by."""
    metadata: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class IndexMatch:
    """An entry that a query found."""

    record: Record
    similarity: float
    """Cosine of the angle between the texts' vectors, from -1 to 1, to six decimals."""


class Embedding(Protocol):
    """Turns texts into vectors. An index belongs to one embedding and is refused with any other."""

    model: str
    """Names it for good: whatever changes the vectors changes the name."""
    dimension: int
    """Numbers of a vector."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, shape (texts, dimension), each of length 1. Raises ModelError."""

    async def close(self) -> None:
        """Give back what it holds, such as connections."""


class TextIndex(Protocol):
    """Texts that are found by what they mean. Answers depend on the records only, not on the order they came in."""

    embedding: Embedding

    async def upsert(self, records: Sequence[Record]) -> None:
        """Add these records, or puts them in the place of those with the same ids. Raises ModelError."""

    async def delete(self, ids: Sequence[str]) -> None:
        """Take out the records of these ids; ids that are not there do no harm."""

    async def query(self, text: str, k: int, where: Mapping[str, Value] | None = None) -> list[IndexMatch]:
        """Return the `k` entries most like that text, the best first and equals by id; with `k` from `count()` on all
        of them.

        `where` keeps to records whose metadata have these values.
        """

    def count(self) -> int:
        """Record in it."""

    def records(self) -> list[Record]:
        """Return all of them, by id."""

    def close(self) -> None:
        """Give back files and locks. The embedding is its opener's."""
