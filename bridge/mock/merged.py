"""Events of several regions in one order: by tick, then by region, then as they came from there."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from bridge.types import Event

_CONSOLE = None
"""Who speaks where the game does."""


class MergedEvents:
    """Takes each region's events; `tell` gets each, numbered anew, when no region can tell of an earlier one."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._kept: list[tuple[int, int, int, Event]] = []
        self._order = itertools.count()
        self._seq = itertools.count(1)
        self._heard: dict[str, int] = {}
        """Lines of the game's own of the last tick -> the region that told of it first."""
        self._tick = -1

    def keep(self, region: int, event: Event) -> None:
        """That region has told of this."""
        heapq.heappush(self._kept, (event.tick or 0, region, next(self._order), event))

    def told(self, before: int | None) -> None:
        """No region will tell of anything before that tick (None: of anything that happened until now)."""
        while self._kept and (before is None or self._kept[0][0] < before):
            tick, region, _, event = heapq.heappop(self._kept)
            if self._is_news(region, tick, event):
                self._tell(Event(seq=next(self._seq), kind=event.kind, tick=event.tick, data=event.data))

    def _is_news(self, region: int, tick: int, event: Event) -> bool:
        """Return whether this is no line of the game's own that another region has told of already: all have heard
        it."""
        if event.kind != "chat" or event.data.get("from", "") is not _CONSOLE:
            return True
        if tick != self._tick:
            self._tick, self._heard = tick, {}
        return self._heard.setdefault(str(event.data), region) == region
