"""Game of a run on a grid, collected while its log is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from dilemmas.records.events import EpisodeStarted, Event, GridBegun, GridEnded, GridExchanged, SocietyChanged


@dataclass
class GridPlay:
    """Last game of a run, collected while its log is read."""

    begun: GridBegun | None = None
    ended: GridEnded | None = None
    exchanges: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """(giver, taker, resource) -> number of exchanges."""
    society: list[tuple[int, int, int]] = field(default_factory=list)
    """(step, edges between agents, pairs that share a group), at each change."""
    _edges: set[tuple[str, str]] = field(default_factory=set)
    _groups: dict[str, frozenset[int]] = field(default_factory=dict)

    def add_event(self, event: Event) -> None:
        """Handle the next event of the log."""
        match event:
            case EpisodeStarted():
                self.__dict__.update(GridPlay().__dict__)
            case GridBegun():
                self.begun, self.society = event, [(0, 0, 0)]
            case SocietyChanged():
                self._change(event)
            case GridExchanged():
                self.exchanges[event.giver, event.taker, event.resource] += 1
            case GridEnded():
                self.ended = event

    def _change(self, event: SocietyChanged) -> None:
        self._edges |= set(event.shows)
        self._edges -= set(event.hides)
        self._groups.update({player: frozenset(groups) for player, groups in event.groups.items()})
        pairs = sum(1 for one, two in combinations(self._groups.values(), 2) if one & two)
        now = (event.step, len(self._edges), pairs)
        if self.society and self.society[-1][0] == event.step:
            self.society.pop()
        self.society.append(now)
