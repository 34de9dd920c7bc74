"""Measures of a kitchen, from the events of the last episode alone.

soups            soups served by the team, for each cook
soup_s           seconds of service for each soup
idle_s           seconds in which the cook neither moved nor worked
given, got       items that another cook took from where this one had put them, and the other way round
specialisation   1 less the entropy of the cook's work over its kinds, as a share of the greatest: 1 for one kind
surplus          units of work beyond what the soups served needed, each kind's shared in proportion to work

Kinds of work are `fetch` (take from a pantry), `cook` (put into a stove), `craft`, `fill` and `serve` (put a dish or a
drink onto the counter); a unit is one item. Division of labour is the mutual information of cooks and kinds of work, as
a share of the entropy of the kinds (Gorelick et al. 2004): 0 if all do the same, 1 if each kind has one cook.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records.events import (
    EndStateRead,
    EpisodeStarted,
    Event,
    LogLine,
    PlacesSeen,
    SoupServed,
    StationLaid,
    StationsSeen,
    WorkDone,
)
from dilemmas.records.positions import CurrentPositions

KINDS = frozenset({"episode_started", "stations", "work", "soup", "places", "end_state"})
"""Kinds of events that the measures use."""
WORK = ("fetch", "cook", "craft", "fill", "serve")
"""Kinds of work."""


@dataclass
class ServiceHistory:
    """Work, hand-overs and soups of the last attempt at the last episode."""

    stations: dict[str, StationLaid] = field(default_factory=dict)
    needs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Kind of work -> item -> units for one soup."""
    work: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(player, kind of work) -> units."""
    handovers: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(giver, receiver) -> items."""
    soups: list[float] = field(default_factory=list)
    """Second at which each soup was served."""
    busy: dict[str, set[int]] = field(default_factory=dict)
    """Player -> seconds in which it moved or worked."""
    length_s: float = 0.0
    _put: dict[tuple[str, str], deque[str]] = field(default_factory=dict)
    """(station, item) -> players that put one there, oldest first."""
    _now: CurrentPositions = field(default_factory=CurrentPositions)

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        match event:
            case EpisodeStarted():
                self.__dict__.update(ServiceHistory().__dict__)
            case StationsSeen(laid=laid, needs=needs):
                self.stations |= laid
                self.needs = needs or self.needs
            case WorkDone():
                self._mark(event.player, event.t_s)
                self._count(event)
            case SoupServed(t_s=t_s, count=count):
                self.soups += [t_s] * count
            case PlacesSeen(t_s=t_s, at=at):
                for name in at:
                    if name in self._now.at:
                        self._mark(name, t_s)
                self._now.apply(event)
            case EndStateRead(t_s=t_s):
                self.length_s = t_s
            case _:
                pass

    def _mark(self, player: str, t_s: float) -> None:
        self.busy.setdefault(player, set()).add(int(t_s))

    def _count(self, event: WorkDone) -> None:
        kind = self._kind(event)
        if event.item in self.needs.get(kind, {}):
            self.work[event.player, kind] += event.count
        if event.act == "give":
            self.handovers[event.player, event.to] += event.count
        elif event.act in ("put", "cook"):
            # What a stove gives back is another item; its cooks are remembered in the order of cooking.
            item = "" if event.act == "cook" else event.item
            self._put.setdefault((event.station, item), deque()).extend([event.player] * event.count)
        elif event.act == "take":
            stove = self.stations[event.station].kind == "stove"
            line = self._put.get((event.station, "" if stove else event.item), deque())
            for _ in range(min(event.count, len(line))):
                giver = line.popleft()
                if giver != event.player:
                    self.handovers[giver, event.player] += 1

    def _kind(self, event: WorkDone) -> str:
        """Return the kind of work; empty for moves between shelves."""
        station = self.stations[event.station].kind if event.station else ""
        if event.act == "take":
            return "fetch" if station == "pantry" else ""
        if event.act == "put":
            return "serve" if station == "counter" else ""
        return event.act if event.act in WORK else ""

    def specialisation(self, player: str) -> float | None:
        """Return 1 less the entropy of the player's kinds of work as a share of the greatest, or None without work."""
        counts = [self.work[player, kind] for kind in WORK]
        return None if not any(counts) else 1 - entropy(counts) / math.log2(len(WORK))

    def division(self, players: Sequence[str]) -> float | None:
        """Return the division of labour, or None if fewer than two kinds of work were done."""
        by_kind = [sum(self.work[player, kind] for player in players) for kind in WORK]
        whole, total = entropy(by_kind), sum(by_kind)
        if not whole:
            return None
        within = [[self.work[player, kind] for kind in WORK] for player in players]
        return (whole - sum(sum(counts) / total * entropy(counts) for counts in within)) / whole

    def surplus(self, players: Sequence[str]) -> dict[str, float]:
        """Return player -> units of work beyond what the soups served needed."""
        found = dict.fromkeys(players, 0.0)
        for kind in WORK:
            done = sum(self.work[player, kind] for player in players)
            beyond = max(0, done - len(self.soups) * sum(self.needs.get(kind, {}).values()))
            for player in players:
                found[player] += beyond * self.work[player, kind] / done if done else 0.0
        return found


def entropy(counts: Sequence[int]) -> float:
    """Return the entropy of counts in bits."""
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts if count)


def service_history(lines: Iterable[LogLine]) -> ServiceHistory:
    """Return the history of the last attempt at the last episode in these lines."""
    found = ServiceHistory()
    for line in lines:
        found.add_event(line.event)
    return found


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    found = service_history(lines)
    special = {name: found.specialisation(name) for name in players}
    given, got = Counter[str](), Counter[str]()
    for (giver, receiver), count in found.handovers.items():
        given[giver] += count
        got[receiver] += count
    idle = {name: max(0.0, round(found.length_s) - len(found.busy.get(name, ()))) for name in players}
    served = len(found.soups)
    return {
        "soups": {name: float(served) for name in players},
        "soup_s": {name: found.length_s / served for name in players} if served else {},
        "idle_s": idle,
        "given": {name: float(given[name]) for name in players},
        "got": {name: float(got[name]) for name in players},
        "specialisation": {name: value for name, value in special.items() if value is not None},
        "surplus": found.surplus(players),
    }


def team(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, Any]:
    """Return the measures of the team, for result.json."""
    found = service_history(lines)
    units = sum(found.work.values())
    return {
        "soups": len(found.soups),
        "first_soup_s": found.soups[0] if found.soups else None,
        "soup_s": found.length_s / len(found.soups) if found.soups else None,
        "handovers": sum(found.handovers.values()),
        "handovers_by_pair": {f"{one} to {other}": count for (one, other), count in sorted(found.handovers.items())},
        "division_of_labour": found.division(players),
        "redundancy": sum(found.surplus(players).values()) / units if units else None,
        "work": {name: {kind: found.work[name, kind] for kind in WORK} for name in players},
    }
