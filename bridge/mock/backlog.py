"""What regions of one world have told of moments that the world's clock has not reached yet."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bridge.wire import Json

Said = dict[str, Json]
"""One line of a process: `events` or the end of a `run`."""
_CONSOLE = None
"""Who speaks where the game does."""


class Backlog:
    """Keeps news until their tick; what is due comes by tick, then by region, then as it came from there."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, int, int, Said]] = []
        self._order = itertools.count()
        self._ends: Counter[int] = Counter()
        """Region -> ends of runs of it that are kept."""

    def keep(self, region: int, said: Said) -> None:
        """Take what that region has told of."""
        if "run" in said:
            self._ends[region] += 1
            self._push(max(each["ended_tick"] for each in said["results"].values()), region, said)
            return
        for event in said["events"]:
            self._push(event["tick"], region, {"events": [event]})

    def ends(self, region: int) -> bool:
        """Whether a run of that region is over and nobody knows: what follows from it happens first."""
        return self._ends[region] > 0

    def due(self, tick: int | None) -> list[Said]:
        """What happened until then (None: everything); it is kept no longer."""
        due: list[Said] = []
        heard: dict[tuple[int, str], int] = {}
        while self._kept and (tick is None or self._kept[0][0] <= tick):
            at, region, _, said = heapq.heappop(self._kept)
            if "run" in said:
                self._ends[region] -= 1
            elif not _is_news(region, at, said["events"], heard):
                continue
            due.append(said)
        return due

    def _push(self, tick: int, region: int, said: Said) -> None:
        heapq.heappush(self._kept, (tick, region, next(self._order), said))


def _is_news(region: int, tick: int, events: Sequence[dict[str, Any]], heard: dict[tuple[int, str], int]) -> bool:
    """Whether this is no line of the game's own that another region has told of already: all have heard it."""
    (event,) = events
    if event["kind"] != "chat" or event["data"].get("from", "") is not _CONSOLE:
        return True
    line = tick, str(event["data"])
    return heard.setdefault(line, region) == region
