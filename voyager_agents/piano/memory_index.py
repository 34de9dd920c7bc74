"""Memories found by the embedding index, in place of the words that they and the moment have in common."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Sequence

from voyager_agents.index import Record, TextIndex


class MemoryIndex:
    """One agent's memories as an index has them; deterministic for the same texts in the same order."""

    def __init__(self, index: TextIndex) -> None:
        """`index` is this one's own, empty, and given back with it."""
        self._index = index
        weakref.finalize(self, index.close).atexit = False
        self._held: dict[str, str] = {}
        """Text -> its id."""

    async def likeness(self, cue: str, texts: Sequence[str]) -> dict[str, float]:
        """Text -> how like the cue it is, from -1 to 1. Texts that are not named any more are forgotten.

        Raises ModelError where the index' embedding is a model that cannot be used.
        """
        wanted = {text: hashlib.sha256(text.encode()).hexdigest() for text in texts}
        await self._index.delete([each for text, each in self._held.items() if text not in wanted])
        await self._index.upsert([Record(each, text) for text, each in wanted.items() if text not in self._held])
        self._held = wanted
        if not wanted or not cue.strip():
            return {}
        return {match.record.text: match.similarity for match in await self._index.query(cue, len(wanted))}
