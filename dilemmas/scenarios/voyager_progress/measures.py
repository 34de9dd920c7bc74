"""Trials of Voyager's benchmark, from the log alone: iteration of each first item, and share of the map covered.

An item counts from the iteration in which it is in the inventory for the first time, whatever becomes of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records import events as log
from dilemmas.records.events import LogLine, Spot
from dilemmas.scenarios.progression.measures import TIERS, counts_by

KINDS = frozenset(
    {"run_started", "episode_started", "policies_started", "inventory", "end_state", "bot", "act_began", "act_ended",
     "places"}
)  # fmt: skip
"""Kinds of events that the measures use."""
LEVELS = tuple(tier for tier in TIERS if tier != "golden")
"""Levels of the tech tree in the paper."""
MEANS = (
    "unique_items", "iterations", "goal_iterations", "distance_blocks", "reach_blocks", "chunks_seen",
    *(f"{level}_tool_{unit}" for level in LEVELS for unit in ("iterations", "s")),
)  # fmt: skip
"""Measures of which the players' mean is shown; the others are counts and are summed."""
ITERATION = "iteration"
"""Marker of the acts of an iteration (`ActBegan.by`)."""
MAX_STEP = 32.0
"""Maximum distance walked between two looks, a second apart, in blocks; a player that is farther was teleported."""
CHUNK = 16
"""Side of the squares in which the map is covered, in blocks."""


@dataclass
class Walk:
    """Way of one player."""

    distance: float = 0.0
    """Distance walked, by looks a second apart, in blocks."""
    reach: float = 0.0
    """Greatest distance from the start, in blocks."""
    chunks: set[tuple[int, int]] = field(default_factory=set)
    """Squares of 16 x 16 blocks that the player was in."""
    first: Spot | None = None
    last: Spot | None = None

    def add_position(self, at: Spot) -> None:
        """Add the next position."""
        if self.last is not None:
            step = math.dist((self.last[0], self.last[2]), (at[0], at[2]))
            self.distance += step if step <= MAX_STEP else 0.0
        self.first = self.first or at
        self.last = at
        self.reach = max(self.reach, math.dist((self.first[0], self.first[2]), (at[0], at[2])))
        self.chunks.add((math.floor(at[0] / CHUNK), math.floor(at[2] / CHUNK)))


@dataclass
class PlayerTrial:
    """Trial of one player."""

    firsts: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Item -> (iteration, second) in which it was first held."""
    iterations: int = 0
    """Number of iterations that were started."""
    ends: dict[str, int] = field(default_factory=dict)
    """End of a program (`done`, `failed`, `late`, ...) -> count."""
    deaths: int = 0
    walk: Walk = field(default_factory=Walk)
    covered: list[tuple[int, float, int]] = field(default_factory=list)
    """(iteration, blocks walked, squares seen) at the end of each iteration."""

    def add_items(self, items: Iterable[str], t_s: float) -> None:
        """Add the items that are held now."""
        for item in items:
            self.firsts.setdefault(item, (max(1, self.iterations), t_s))

    def first(self, items: Iterable[str]) -> tuple[int, float] | None:
        """Return iteration and second of the first of these items, or None."""
        return min((self.firsts[item] for item in items if item in self.firsts), default=None)

    def curve(self, most: int | None = None) -> list[int]:
        """Return the number of different items by the end of each iteration, from the first one on."""
        return counts_by((number for number, _ in self.firsts.values()), range(1, (most or self.iterations) + 1))


@dataclass
class TrialMeasures:
    """Trials of the players in the last attempt of a run."""

    condition: str = ""
    players: dict[str, PlayerTrial] = field(default_factory=dict)
    """Player -> trial; empty unless the run is played in iterations."""
    until: float = 0.0
    _waiting: tuple[str, ...] = ()
    """Players of an attempt whose mode is not yet known."""

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        match event:
            case log.RunStarted():
                self.condition = event.condition.partition("+")[0]
            case log.EpisodeStarted():
                self.players, self.until, self._waiting = {}, 0.0, ()
            case log.PoliciesStarted():
                self._waiting = tuple(event.players)
            case log.ActBegan() if event.by == ITERATION:
                self.players = self.players or {name: PlayerTrial() for name in self._waiting}
                self.players[event.player].iterations = event.number
            case _ if self.players:
                self._count_event(event)
            case _:
                pass

    def _count_event(self, event: log.Event) -> None:
        match event:
            case log.ActEnded() if event.player in self.players:
                own = self.players[event.player]
                own.ends[event.ended] = own.ends.get(event.ended, 0) + 1
                own.covered.append((event.number, own.walk.distance, len(own.walk.chunks)))
            case log.InventoryEvent() if event.t_s is not None and event.bot in self.players:
                self.players[event.bot].add_items(event.items, event.t_s)
            case log.EndStateRead():
                self.until = event.t_s
                for name, held in event.players.items():
                    if name in self.players:
                        self.players[name].add_items(held.items, event.t_s)
            case log.BotEvent() if event.state == "died" and event.bot in self.players:
                self.players[event.bot].deaths += 1
            case log.PlacesSeen():
                for name, at in event.at.items():
                    if name in self.players:
                        self.players[name].walk.add_position(at)
            case _:
                pass


def run_trials(lines: Iterable[LogLine]) -> TrialMeasures:
    """Return the trials in the last attempt of a log."""
    found = TrialMeasures()
    for line in lines:
        found.add_event(line.event)
    return found


def reached(own: PlayerTrial, goal: Mapping[str, int]) -> int | None:
    """Return the iteration by which all items of the goal had been held, or None. The mode checks counts."""
    found = [own.first([item]) for item in goal]
    if not found or any(each is None for each in found):
        return None
    return max(each[0] for each in found if each is not None)


def measures(
    found: TrialMeasures, players: Sequence[str], goals: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    table: dict[str, dict[str, float]] = {}
    for name in players:
        for measure, value in trial_values(
            found.players.get(name, PlayerTrial()), goals.get(found.condition, {})
        ).items():
            table.setdefault(measure, {})[name] = value
    return table


def trial_values(own: PlayerTrial, goal: Mapping[str, int]) -> dict[str, float]:
    """Return measure -> value of one player's trial, without undefined ones."""
    found: dict[str, float | None] = {"unique_items": len(own.firsts), "iterations": own.iterations}
    for level in LEVELS:
        number, t_s = own.first(TIERS[level]) or (None, None)
        found |= {f"{level}_tool_iterations": number, f"{level}_tool_s": t_s}
    if goal:
        found["goal_iterations"] = reached(own, goal)
    found["distance_blocks"] = round(own.walk.distance, 1)
    found["reach_blocks"] = round(own.walk.reach, 1)
    found["chunks_seen"] = len(own.walk.chunks)
    found["programs_failed"] = sum(count for how, count in own.ends.items() if how != "done")
    found["deaths"] = own.deaths
    return {measure: float(value) for measure, value in found.items() if value is not None}


def trial_data(found: TrialMeasures) -> dict[str, Any]:
    """Return the trials by player as data, for result.json."""
    return {
        name: {
            "items_by_iteration": own.curve(),
            "first": {item: {"iteration": number, "t_s": t_s} for item, (number, t_s) in own.firsts.items()},
            "programs": dict(sorted(own.ends.items())),
            "covered": [
                {"iteration": n, "distance_blocks": round(far, 1), "chunks": seen} for n, far, seen in own.covered
            ],
        }
        for name, own in found.players.items()
    }
