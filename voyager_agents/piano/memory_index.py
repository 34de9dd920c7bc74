"""Recall of memories by an embedding index instead of shared words."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Sequence

from voyager_agents.index import Record, TextIndex


class MemoryIndex:
    """Embedding index of one agent's memories. Results are deterministic for the same texts in the same order."""

    def __init__(self, index: TextIndex) -> None:
        """Take ownership of `index`, which must be empty; it is closed with this object."""
        self._index = index
        weakref.finalize(self, index.close).atexit = False
        self._held: dict[str, str] = {}
        """Indexed text -> its id."""

    async def likeness(self, cue: str, texts: Sequence[str]) -> dict[str, float]:
        """Return the similarity of each text to the cue, from -1 to 1; empty for an empty cue.

        The index is synchronized with `texts`: new texts are added, all others are removed.

        Raises ModelError if the index's embedding is a model that cannot be used.
        """
        wanted = {text: hashlib.sha256(text.encode()).hexdigest() for text in texts}
        await self._index.delete([each for text, each in self._held.items() if text not in wanted])
        await self._index.upsert([Record(each, text) for text, each in wanted.items() if text not in self._held])
        self._held = wanted
        if not wanted or not cue.strip():
            return {}
        return {match.record.text: match.similarity for match in await self._index.query(cue, len(wanted))}
