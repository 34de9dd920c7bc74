"""Action numbers: the physical actions of every game, and the social actions that its rules add."""

from __future__ import annotations

from dataclasses import dataclass

from grid_games.spec import GridGame


@dataclass(frozen=True)
class GridAction:
    """An action: its kind and its target (a resource's name, a number of an agent or group, or a share)."""

    kind: str
    target: str | int | float | None = None

    def __str__(self) -> str:
        return self.kind if self.target is None else f"{self.kind} {self.target}"


def physical(game: GridGame) -> tuple[GridAction, ...]:
    """Return the physical actions in the order of their numbers: moves, stay, produce, picks and dumps."""
    plain = tuple(GridAction(kind) for kind in ("up", "down", "left", "right", "stay", "produce"))
    return plain + tuple(GridAction(kind, each.name) for kind in ("pick", "dump") for each in game.resources)
