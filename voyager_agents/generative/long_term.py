"""Long-term memory of observations, messages, insights and plans, retrieved by similarity, recency and poignancy.

A memory's score is the weighted mean of three parts, each min-max normalised over all stored memories: cosine
similarity to the query, recency (decay ** rounds since it was stored) and poignancy (1 to 10). A part that is equal
for all memories counts 0. See Park et al. (2023), section 4.1, and Mosquera et al. (2024), section 4.2. Mosquera et al.
gave every memory poignancy 10 (`importance: uniform`); by default `poignancy.py` or the model rates them.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.index import Record, TextIndex
from voyager_agents.thought_events import Kept, Recalled, Recollection

UNIFORM = 10
"""Largest poignancy, and that of all memories with `importance: uniform`."""
Kind = Literal["observation", "speech", "insight", "plan"]


@dataclass(frozen=True)
class Unstored:
    """New memory before it is stored."""

    text: str
    kind: Kind
    poignancy: int
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class MemoryRecord:
    """Stored memory."""

    id: int
    """Number of the memory, from 1, in the order of storing."""
    text: str
    kind: Kind
    poignancy: int
    """Importance, 1 to 10."""
    round: int
    """Round in which it was stored."""
    evidence: tuple[int, ...] = ()
    """Ids of the memories that support an insight; empty for other kinds."""

    def to_dict(self) -> dict[str, Any]:
        """Return the memory as JSON-compatible data, for prompts."""
        shown = {"id": self.id, "round": self.round, "kind": self.kind, "text": self.text}
        return {**shown, "evidence": list(self.evidence)} if self.evidence else shown


@dataclass(frozen=True)
class MemoryScore:
    """Relevance of a memory to a query; all values are from 0 to 1."""

    total: float
    """Weighted mean of the three parts."""
    similarity: float
    recency: float
    poignancy: float


def kept(memories: Sequence[MemoryRecord]) -> tuple[Kept, ...]:
    """Convert memories to their form in the event log."""
    return tuple(Kept(each.id, each.text, each.kind, each.poignancy, each.evidence) for each in memories)


def recalled(round: int, purpose: str, query: str, found: Sequence[tuple[MemoryRecord, MemoryScore]]) -> Recalled:
    """Return the log event of a retrieval, with scores rounded to four decimals.

    Args:
        round: Number of the round.
        purpose: `plan`, or the text of a reflection question.
        query: Text of the query.
        found: Retrieved memories with their scores.
    """
    memories = tuple(
        Recollection(
            memory.id,
            memory.text,
            memory.kind,
            memory.round,
            *(float(f"{part:.4f}") for part in (score.total, score.similarity, score.recency, score.poignancy)),
        )
        for memory, score in found
    )
    return Recalled(round, purpose, query, memories)


class LongTermMemory:
    """Memories of one agent; retrieval is deterministic for the same texts in the same order."""

    def __init__(self, index: TextIndex, settings: GenerativeSettings) -> None:
        """`index` must be empty and unshared; it is closed with this memory."""
        self._index = index
        weakref.finalize(self, index.close).atexit = False
        self._settings = settings
        self._memories: list[MemoryRecord] = []

    def __len__(self) -> int:
        return len(self._memories)

    async def add(self, new: Sequence[Unstored], round: int) -> tuple[MemoryRecord, ...]:
        """Store new memories in order, and return their records. Raises ModelError if the embedding model fails."""
        first = len(self._memories) + 1
        made = tuple(
            MemoryRecord(first + number, each.text, each.kind, self._importance(each), round, each.evidence)
            for number, each in enumerate(new)
        )
        await self._index.upsert([Record(str(each.id), each.text) for each in made])
        self._memories += made
        return made

    def _importance(self, new: Unstored) -> int:
        return UNIFORM if self._settings.importance == "uniform" else min(max(new.poignancy, 1), UNIFORM)

    def latest(self, kind: Kind, count: int) -> list[MemoryRecord]:
        """Return the last `count` memories of a kind, oldest first."""
        return [each for each in self._memories if each.kind == kind][-count:]

    async def retrieve(self, query: str, round: int, count: int | None = None) -> list[MemoryRecord]:
        """Return the memories with the highest scores, best first; of equal scores the newer first."""
        return [memory for memory, _ in await self.recall(query, round, count)]

    async def recall(self, query: str, round: int, count: int | None = None) -> list[tuple[MemoryRecord, MemoryScore]]:
        """Return the memories with the highest scores, together with their scores, best first."""
        scored = await self._scores(query, round)
        best = sorted(self._memories, key=lambda each: (-scored[each.id].total, -each.id))
        wanted = best[: self._settings.retrieved if count is None else count]
        return [(each, scored[each.id]) for each in wanted]

    async def scores(self, query: str, round: int) -> dict[int, float]:
        """Return the total score of each memory by id, from 0 to 1."""
        return {number: score.total for number, score in (await self._scores(query, round)).items()}

    async def _scores(self, query: str, round: int) -> dict[int, MemoryScore]:
        if not self._memories:
            return {}
        chosen = self._settings
        similar = {each.record.id: each.similarity for each in await self._index.query(query, len(self._memories))}
        parts = (
            (chosen.similarity, _normal([similar[str(each.id)] for each in self._memories])),
            (chosen.recency, _normal([chosen.decay ** max(round - each.round, 0) for each in self._memories])),
            (chosen.poignancy, _normal([float(each.poignancy) for each in self._memories])),
        )
        weights = sum(weight for weight, _ in parts)
        return {
            each.id: MemoryScore(
                sum(weight * values[number] for weight, values in parts) / weights,
                *(values[number] for _, values in parts),
            )
            for number, each in enumerate(self._memories)
        }


def _normal(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
