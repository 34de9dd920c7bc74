"""Measures of building together, from the log alone.

What stands right is the server's word (`building`); who placed it is the last player that changed the cell
(`ground_changed`). A right block that no player placed counts for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records.events import BuildingSeen, EpisodeStarted, Event, GroundChanged, LogLine, PlanDrawn

KINDS = frozenset({"episode_started", "plan_drawn", "building", "ground_changed"})
"""Kinds of events that the measures use."""
Cell = tuple[int, int, int]


@dataclass
class BuildingHistory:
    """Plan, building and placed blocks of the last attempt at the last episode."""

    plan: str = ""
    owners: dict[Cell, str] = field(default_factory=dict)
    """Cell of the plan -> the player that sees it."""
    right: set[Cell] = field(default_factory=set)
    """Cells in which the block of the plan stands."""
    filled: int = 0
    """Blocks in the site."""
    placed: Counter[str] = field(default_factory=Counter)
    """Player -> blocks that it placed anywhere."""
    last: dict[Cell, str] = field(default_factory=dict)
    """Cell -> the player that placed the block that stands there."""

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        match event:
            case EpisodeStarted():
                drawn = (self.plan, self.owners)
                self.__dict__.update(BuildingHistory(*drawn).__dict__)
            case PlanDrawn(plan=plan, parts=parts):
                self.plan = plan
                self.owners = {(x, y, z): name for name, part in parts.items() for x, y, z, _ in part}
            case BuildingSeen(right=right, filled=filled):
                self.right, self.filled = set(right), filled
            case GroundChanged(changed=changed):
                self._change(changed)
            case _:
                pass

    def _change(self, changed: Mapping[str, Sequence[tuple[int, int, int, str]]]) -> None:
        for player, cells in changed.items():
            for x, y, z, block in cells:
                self.last.pop((x, y, z), None)
                if block != "air" and player:
                    self.last[x, y, z] = player
                    self.placed[player] += 1

    @property
    def overlap(self) -> float:
        """Right blocks, divided by the blocks of plan and site together."""
        union = len(self.owners) + self.filled - len(self.right)
        return len(self.right) / union if union else 0.0

    def built(self, player: str) -> tuple[int, int]:
        """Return the numbers of right blocks that the player placed in its own part and in others' parts."""
        mine = [cell for cell in self.right if self.last.get(cell) == player]
        own = sum(self.owners.get(cell) == player for cell in mine)
        return own, len(mine) - own


def building_history(lines: Iterable[LogLine]) -> BuildingHistory:
    """Return the history of the last attempt at the last episode in these lines."""
    found = BuildingHistory()
    for line in lines:
        found.add_event(line.event)
    return found


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value."""
    found = building_history(lines)
    size = len(found.owners)
    built = {name: found.built(name) for name in players}
    return {
        "overlap": dict.fromkeys(players, found.overlap),
        "built": {name: float(sum(counts)) for name, counts in built.items()},
        "helped": {name: float(others) for name, (_, others) in built.items()},
        "contribution": {name: sum(counts) / size if size else 0.0 for name, counts in built.items()},
        "wasted": {name: float(found.placed[name] - sum(built[name])) for name in players},
    }


def team(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, Any]:
    """Return the measures of the team, for result.json."""
    found = building_history(lines)
    by_player = {}
    for name in players:
        own, others = found.built(name)
        wasted = found.placed[name] - own - others
        part = sum(owner == name for owner in found.owners.values())
        by_player[name] = {"part": part, "own": own, "others": others, "placed": found.placed[name], "wasted": wasted}
    right = len(found.right)
    return {
        "plan": found.plan,
        "blocks": len(found.owners),
        "overlap": found.overlap,
        "right": right,
        "wrong": found.filled - right,
        "missing": len(found.owners) - right,
        "by_player": by_player,
        "by_nobody": right - sum(each["own"] + each["others"] for each in by_player.values()),
    }
