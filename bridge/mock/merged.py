"""Merged events of several regions, ordered by tick, then region, then arrival."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from bridge.types import Event

_CONSOLE = None
"""Speaker of the game's own lines."""


class MergedEvents:
    """Merger of regions' events; `publish` gets each, renumbered, once no region can report an earlier one."""

    def __init__(self, publish: Callable[[Event], None]) -> None:
        self._publish = publish
        self._kept: list[tuple[int, int, int, Event]] = []
        self._order = itertools.count()
        self._seq = itertools.count(1)
        self._heard: dict[str, int] = {}
        """The game's own lines of the last tick -> the region that reported each first."""
        self._tick = -1

    def keep(self, region: int, event: Event) -> None:
        """Keep an event of a region."""
        heapq.heappush(self._kept, (event.tick or 0, region, next(self._order), event))

    def release_events(self, before: int | None) -> None:
        """Release the events before a tick, since no region can report earlier ones (None: all until now)."""
        while self._kept and (before is None or self._kept[0][0] < before):
            tick, region, _, event = heapq.heappop(self._kept)
            if self._is_news(region, tick, event):
                self._publish(Event(seq=next(self._seq), kind=event.kind, tick=event.tick, data=event.data))

    def _is_news(self, region: int, tick: int, event: Event) -> bool:
        """Return whether an event is new, and not a line of the game that another region has already reported."""
        if event.kind != "chat" or event.data.get("from", "") is not _CONSOLE:
            return True
        if tick != self._tick:
            self._tick, self._heard = tick, {}
        return self._heard.setdefault(str(event.data), region) == region
