"""Numbers of actions: the physical actions of every game, and the social actions that its rules add."""

from __future__ import annotations

from dataclasses import dataclass

from grid_games.spec import GridGame


@dataclass(frozen=True)
class GridAction:
    """One action: its kind, and the resource's name, the agent's or group's number or the share that it is about."""

    kind: str
    target: str | int | float | None = None

    def __str__(self) -> str:
        return self.kind if self.target is None else f"{self.kind} {self.target}"


def physical(game: GridGame) -> tuple[GridAction, ...]:
    """Moves, stay, produce, picks and dumps, in the order of their numbers."""
    plain = tuple(GridAction(kind) for kind in ("up", "down", "left", "right", "stay", "produce"))
    return plain + tuple(GridAction(kind, each.name) for kind in ("pick", "dump") for each in game.resources)
