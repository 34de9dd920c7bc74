"""Measures of progression, from the log alone: items that each player has ever held, and the times of the first.

An item counts from the moment at which it is in the inventory for the first time, whatever becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records import events as log
from dilemmas.records.events import BeginsAt, LogLine

KINDS = frozenset({"episode_started", "begun_at", "inventory", "end_state", "bot"})
"""Kinds of events that the measures use."""
TIERS: Mapping[str, tuple[str, ...]] = {
    tier: tuple(f"{tier}_{tool}" for tool in ("pickaxe", "axe", "shovel", "hoe", "sword"))
    for tier in ("wooden", "stone", "iron", "golden", "diamond")
}
"""Kind of tool -> its items."""
STEP_S = 60.0
"""Interval between two samples of the number of items, in seconds."""


@dataclass
class ItemProgress:
    """Items of all players in one attempt."""

    begun: dict[str, BeginsAt] = field(default_factory=dict)
    firsts: dict[str, dict[str, float]] = field(default_factory=dict)
    """Player -> item -> second at which it was first held, in the order of time."""
    deaths: dict[str, int] = field(default_factory=dict)
    until: float = 0.0

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log, once the attempt is known to be one at progression."""
        match event:
            case log.EpisodeStarted():
                self.__dict__.update(ItemProgress().__dict__)
            case log.BegunAt():
                self.begun = dict(event.places)
                self.firsts = {name: {} for name in event.places}
            case log.InventoryEvent() if event.t_s is not None and event.bot in self.firsts:
                own = self.firsts[event.bot]
                for item in event.items:
                    own.setdefault(item, event.t_s)
            case log.BotEvent() if event.state == "died" and event.bot in self.firsts:
                self.deaths[event.bot] = self.deaths.get(event.bot, 0) + 1
            case log.EndStateRead() if self.begun:
                self.until = event.t_s
                for name, held in event.players.items():
                    for item in held.items:
                        self.firsts.setdefault(name, {}).setdefault(item, event.t_s)
            case _:
                pass

    @property
    def together(self) -> dict[str, tuple[float, str]]:
        """Return item -> (second at which it was first held by anybody, player), in the order of time."""
        found: dict[str, tuple[float, str]] = {}
        for name, items in self.firsts.items():
            for item, t_s in items.items():
                found[item] = min(found.get(item, (t_s, name)), (t_s, name))
        return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))

    def counts(self, times: Sequence[float]) -> dict[str, list[int]]:
        """Return player -> number of different items held by each time."""
        return {name: counts_by(items.values(), times) for name, items in self.firsts.items()}

    def together_counts(self, times: Sequence[float]) -> list[int]:
        """Return the number of different items held by anybody by each time."""
        return counts_by((t_s for t_s, _ in self.together.values()), times)

    @property
    def times(self) -> list[float]:
        """Return the times of samples, the end included."""
        steps = int(self.until / STEP_S)
        found = [number * STEP_S for number in range(steps + 1)]
        return found if found[-1] >= self.until else [*found, self.until]


def counts_by(when: Iterable[float], times: Sequence[float]) -> list[int]:
    """Return the number of moments up to each time."""
    moments = sorted(when)
    found, place = [], 0
    for t_s in times:
        while place < len(moments) and moments[place] <= t_s:
            place += 1
        found.append(place)
    return found


def item_progress(lines: Iterable[LogLine]) -> ItemProgress:
    """Return the items in the last attempt of a log."""
    found = ItemProgress()
    for line in lines:
        found.add_event(line.event)
    return found


def first_of(items: Mapping[str, float], tier: str) -> float | None:
    """Return the second at which a tool of a kind was first held, or None."""
    return min((items[tool] for tool in TIERS[tier] if tool in items), default=None)


class ProgressTally:
    """Measures counted while a run is played (a `dilemmas.scenarios.protocol.MeasureTally`)."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = players
        self._found = ItemProgress()

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        self._found.add_event(event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the measures by player."""
        return measures_of(self._found, self._players)

    def society(self) -> dict[str, Any]:
        """Return the measures of all together."""
        return society_of(self._found)


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    return measures_of(item_progress(lines), players)


def measures_of(found: ItemProgress, players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value from counted items."""
    table: dict[str, dict[str, float]] = {
        "unique_items": {name: float(len(found.firsts.get(name, ()))) for name in players},
        "deaths": {name: float(found.deaths.get(name, 0)) for name in players},
    }
    for tier in TIERS:
        firsts = {name: first_of(found.firsts.get(name, {}), tier) for name in players}
        table[f"{tier}_tool_s"] = {name: t_s for name, t_s in firsts.items() if t_s is not None}
    return table


def society(lines: Iterable[LogLine]) -> dict[str, Any]:
    """Return the measures of all together, for result.json."""
    return society_of(item_progress(lines))


def society_of(found: ItemProgress) -> dict[str, Any]:
    """Return items over time, with the time and player of each first."""
    counts = [len(items) for items in found.firsts.values()]
    times, together = found.times, found.together
    each = found.counts(times)
    return {
        "mean_items": sum(counts) / len(counts) if counts else None,
        "best_items": max(counts, default=None),
        "least_items": min(counts, default=None),
        "items_together": len(together),
        "over_time": {
            "t_s": times,
            "mean": [sum(own[place] for own in each.values()) / len(each) for place in range(len(times))]
            if each
            else [],
            "together": found.together_counts(times),
        },
        "first": {item: {"t_s": t_s, "player": name} for item, (t_s, name) in together.items()},
        "lands": _by_land(found),
        "deaths": sum(found.deaths.values()),
    }


def _by_land(found: ItemProgress) -> dict[str, dict[str, float]]:
    """Return kind of land -> number of players that started there, and their mean number of items."""
    groups: dict[str, list[int]] = {}
    for name, place in found.begun.items():
        groups.setdefault(place.land, []).append(len(found.firsts[name]))
    return {land: {"players": len(own), "mean_items": sum(own) / len(own)} for land, own in sorted(groups.items())}
