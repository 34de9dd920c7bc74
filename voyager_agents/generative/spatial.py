"""Spatial memory: last known positions of apples, trees and players, and the explored part of the field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from voyager_agents.commons_harvest import HarvestTurn, Place, Seen, spot

SECTOR = 6
"""Side of a square sector, in cells; the explored share of the field is counted in sectors."""
NEAREST = 8
"""Maximum number of remembered apples in a prompt."""
CELLS = ("apple", "bare")
"""Kinds of sightings that are apple cells."""


@dataclass(frozen=True)
class Sighting:
    """Last sighting of an object or a player."""

    what: str
    name: str
    at: Place
    round: int
    note: str = ""


@dataclass(frozen=True)
class Change:
    """Difference between a remembered sighting and the current view."""

    text: str
    at: Place
    grown: bool = False
    """True if an apple has grown; False for any other change."""
    tree: str = ""


class SpatialMemory:
    """Last sightings of apple cells, trees and players."""

    def __init__(self) -> None:
        self.cells: dict[Place, Sighting] = {}
        """Cells where apples grow, with or without an apple now."""
        self.trees: dict[str, Sighting] = {}
        self.players: dict[str, Sighting] = {}
        self._sectors: set[Place] = set()
        self._size: Place = (1, 1)

    def clear(self) -> None:
        """Reset the memory before a new game, which has a new field."""
        for known in (self.cells, self.trees, self.players):
            known.clear()
        self._sectors.clear()

    def knows(self, seen: Seen) -> bool:
        """Return True if the last sighting has the same kind, position and note."""
        before = self._before(seen)
        return before is not None and (before.what, before.at, before.note) == (seen.what, seen.at, seen.note)

    def take_in(self, turn: HarvestTurn) -> list[Change]:
        """Store everything in sight, and return the changes since the last sightings, nearest first."""
        self._size = turn.size
        self._sectors.add(_sector(turn.at))
        changes = []
        for seen in turn.seen:
            change = self._change(seen)
            if change is not None:
                changes.append(change)
            self._remember(seen, turn.round)
        return changes

    def apples(self, tree: str) -> int:
        """Return the number of remembered apples on a tree."""
        return sum(each.what == "apple" for each in self.cells.values() if each.name == tree)

    def explored(self) -> float:
        """Return the share of sectors that the agent has visited or seen something in, from 0 to 1."""
        across = (-(-self._size[0] // SECTOR), -(-self._size[1] // SECTOR))
        return len(self._sectors) / (across[0] * across[1])

    def to_dict(self, at: Place) -> dict[str, Any]:
        """Return the map for a prompt: trees, other players, and the nearest remembered apples."""
        apples = sorted(
            (each for each in self.cells.values() if each.what == "apple"),
            key=lambda each: (distance(each.at, at), each.at),
        )
        trees = sorted({*self.trees, *(each.name for each in self.cells.values())})
        return {
            "explored": round(self.explored(), 2),
            "trees": [self._tree(name) for name in trees],
            "players": [
                {"name": name, "at": list(each.at), "round": each.round} for name, each in self.players.items()
            ],
            "apples": [{"at": list(each.at), "tree": each.name, "round": each.round} for each in apples[:NEAREST]],
        }

    def _tree(self, name: str) -> dict[str, Any]:
        cells = [each for each in self.cells.values() if each.name == name]
        seen = [*cells, *([self.trees[name]] if name in self.trees else [])]
        bare = sum(each.what == "bare" for each in cells)
        return {
            "tree": name,
            "at": list(self.trees[name].at if name in self.trees else cells[0].at),
            "apples_known": self.apples(name),
            "bare_known": bare,
            "note": self.trees[name].note if name in self.trees else "",
            "round": max(each.round for each in seen),
        }

    def _before(self, seen: Seen) -> Sighting | None:
        if seen.what in CELLS:
            return self.cells.get(seen.at)
        return (self.players if seen.what == "player" else self.trees).get(seen.name)

    def _change(self, seen: Seen) -> Change | None:
        before = self._before(seen)
        if before is None or seen.what not in (*CELLS, "player"):
            return None
        if seen.what == "player":
            if seen.note and seen.note != before.note:
                return Change(f"{seen.name} is {seen.note} at {spot(seen.at)}", seen.at)
            return None
        if before.what == seen.what:
            return None
        if seen.what == "apple":
            return Change(f"an apple has grown at {spot(seen.at)}, {seen.name}", seen.at, grown=True, tree=seen.name)
        return Change(f"the apple at {spot(seen.at)}, {seen.name}, is gone", seen.at, tree=seen.name)

    def _remember(self, seen: Seen, round: int) -> None:
        sighting = Sighting(seen.what, seen.name, seen.at, round, seen.note)
        self._sectors.add(_sector(seen.at))
        if seen.what in CELLS:
            self.cells[seen.at] = sighting
        elif seen.what == "player":
            self.players[seen.name] = sighting
        elif seen.what == "tree":
            self.trees[seen.name] = sighting


def distance(one: Place, other: Place) -> int:
    """Return the Manhattan distance between two cells."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _sector(at: Place) -> Place:
    return (at[0] // SECTOR, at[1] // SECTOR)
