"""Games small enough to read, set up by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings

from grid_games import Batch, BatchStep, load
from grid_games.core.tables import LAYERS

CALM = settings(suppress_health_check=[HealthCheck.too_slow])
"""Hypothesis settings without a deadline, because tests must pass on a busy machine."""
UP, DOWN, LEFT, RIGHT, STAY, PRODUCE = range(6)


def empty(agents: int, size: tuple[int, int] = (5, 5), **changes: object) -> Batch:
    """Return explorers on an empty map in two environments; tests set up the first by hand."""
    none = {recipe.name: 0 for recipe in load("ada-exploration").recipes}
    bare: dict[str, Any] = {"piles": {}, "events": none, "blocks": 0, "size": list(size)}
    return Batch(load("ada-exploration", **{**bare, "players": {"explorer": agents}, **changes}), [0, 1])


def place(batch: Batch, *cells: int) -> None:
    """Put the first environment's agents on these cells."""
    world = batch.world
    world.cells[: world.size, :, 0] = 0
    world.at[: len(cells)] = cells
    for agent, cell in enumerate(cells):
        world.cells[cell, :, 0] = agent + 1
    batch._refresh()


def put(batch: Batch, cell: int, **amounts: int) -> None:
    """Lay units on a cell of the first environment."""
    for name, amount in amounts.items():
        batch.world.cells[cell, :, LAYERS + len(batch.game.resources) + batch.game.resource(name)] = amount
    batch.world.note(np.array([cell]))
    batch._refresh()


def event(batch: Batch, cell: int, name: str) -> None:
    """Put an event on a cell of the first environment."""
    world, tables = batch.world, batch.tables
    kind = 1 + [recipe.name for recipe in batch.game.recipes].index(name)
    world.kind[cell] = kind
    world.cells[cell, 1, LAYERS : LAYERS + tables.resources] = tables.event_row[kind]
    world.note(np.array([cell]))
    batch._refresh()


def give(batch: Batch, agent: int, **amounts: int) -> None:
    """Set what an agent of the first environment carries."""
    for name, amount in amounts.items():
        batch.world.inventory[agent, batch.game.resource(name)] = amount
    batch._refresh()


def number(batch: Batch, name: str) -> int:
    """Return an action's number by its words."""
    return [str(action) for action in batch.actions].index(name)


def act(batch: Batch, *actions: int | str) -> BatchStep:
    """Step the first environment with these actions while the second idles, and return the step."""
    chosen = np.full((batch.size, batch.agents), STAY)
    chosen[0] = [number(batch, each) if isinstance(each, str) else each for each in actions]
    return batch.step(chosen)


def places(batch: Batch) -> list[int]:
    """Return the positions of the first environment's agents."""
    return [int(each) for each in batch.places[0]]
