"""Movement towards the most valuable place, shared by the scripted policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grid_games.arrays import Cells, Flags, Floats, Ints
from grid_games.batch import Batch
from grid_games.core.tables import DOWN, LAYERS, LEFT, PRODUCE, RIGHT, STAY, UP
from grid_games.core.views import windows
from grid_games.policies.random import draw


@dataclass(frozen=True)
class Worth:
    """Value of each act to each agent, 0 for unwanted acts; arrays of shape (B*N, ...)."""

    pick: Floats
    """Value of a picked unit, shape (B*N, R)."""
    make: Floats
    """Value of a run of an event, shape (B*N, E); also 0 if inputs, tools or capacity are missing."""
    drop: Floats
    """Value of a unit dropped at the agent's cell, shape (B*N, R)."""


@dataclass(frozen=True)
class Sight:
    """Cells that each agent considers; arrays of shape (B*N, S, ...)."""

    rows: Ints
    """Rows below the agent, shape (S,)."""
    columns: Ints
    """Columns to the right of the agent, shape (S,)."""
    view: Cells
    """Layers of the cells, shape (B*N, S, 2+2R)."""
    kind: Ints
    """Event + 1 of each cell, 0 for none or a hidden event; shape (B*N, S)."""


def in_window(game: Batch) -> Sight:
    """Return the cells of each agent's own window."""
    world, reach = game.world, np.arange(-game.game.view, game.game.view + 1)
    view = windows(world, world.lacks())
    cells = world.tables.window.take(world.at - world.first_cell, 0) + world.first_cell[:, None]
    shown = view[..., LAYERS : LAYERS + world.tables.resources].any(axis=2)
    rows, columns = (each.reshape(-1) for each in np.meshgrid(reach, reach, indexing="ij"))
    return Sight(rows, columns, view, np.where(shown, world.kind[cells], 0))


def everywhere(game: Batch) -> Sight:
    """Return the cells of the whole map with full information, for policies that know more than agents."""
    world, height, width = game.world, game.game.height, game.game.width
    cells = world.tables.centred.take(world.at - world.first_cell, 0) + world.first_cell[:, None]
    around = np.meshgrid(np.arange(height) - height // 2, np.arange(width) - width // 2, indexing="ij")
    rows, columns = (each.reshape(-1) for each in around)
    return Sight(rows, columns, world.cells[cells, 1], world.kind[cells])


def seek(game: Batch, worth: Worth, sight: Sight, dice: np.random.Generator, crowd: float = 0.0) -> Ints:
    """Return the physical action of each agent, shape (B*N,).

    It is the best act at the agent's cell, or a step towards the act with the best value per step, or else a random
    move. Agents that may not act physically get `stay`.

    Args:
        game: The batch.
        worth: Value of each act to each agent.
        sight: Cells that the agents consider.
        dice: Random generator.
        crowd: Factor on the value of cells with other agents.
    """
    tables, mask = game.tables, game.mask.reshape(-1, len(game.actions))
    value = _values(worth, sight, tables.resources)
    distance = np.abs(sight.rows) + np.abs(sight.columns)
    others = (sight.view[..., 0] != 0) & (distance > 0)
    value = np.where(others, value * crowd, value) / (distance + 1)
    best = value.argmax(axis=1)
    top = value[np.arange(len(best)), best]
    here = _acts(worth, mask, tables.social)
    act, gain = here.argmax(axis=1), here.max(axis=1)
    walk = _walk(sight.rows[best], sight.columns[best], mask, dice)
    idle = np.where(mask[:, :STAY].any(axis=1), draw(_or_stay(mask), dice), STAY)
    return np.where((gain > 0) & (gain >= top), act, np.where(top > 0, walk, idle))


def _values(worth: Worth, sight: Sight, resources: int) -> Floats:
    """Return the value of the best act at each cell, shape (B*N, S)."""
    piles = sight.view[..., LAYERS + resources :] > 0
    picks = (piles * worth.pick[:, None]).max(axis=2)
    makes = np.hstack([np.zeros((len(picks), 1)), worth.make])
    return np.asarray(np.maximum(picks, np.take_along_axis(makes, sight.kind, axis=1)))


def _acts(worth: Worth, mask: Flags, social: int) -> Floats:
    """Return the value of each physical action at the current cell, 0 for illegal ones; shape (B*N, social)."""
    resources = worth.pick.shape[1]
    acts = np.zeros((len(mask), social))
    acts[:, PRODUCE] = worth.make.max(axis=1, initial=0.0)
    acts[:, PRODUCE + 1 : PRODUCE + 1 + resources] = worth.pick
    acts[:, PRODUCE + 1 + resources :] = worth.drop
    return np.asarray(acts * mask[:, :social])


def _walk(rows: Ints, columns: Ints, mask: Flags, dice: np.random.Generator) -> Ints:
    """Return a move that shortens the way for each agent, shape (B*N,).

    It is random if no such move is open, and sometimes anyway so that two agents do not block each other.
    """
    nearer = np.zeros((len(rows), STAY), np.bool_)
    nearer[:, UP], nearer[:, DOWN] = rows < 0, rows > 0
    nearer[:, LEFT], nearer[:, RIGHT] = columns < 0, columns > 0
    nearer &= mask[:, :STAY]
    astray = ~nearer.any(axis=1) | (dice.random(len(rows)) < 0.1)
    return draw(
        np.where(astray[:, None], _or_stay(mask), np.hstack([nearer, np.zeros((len(rows), 1), np.bool_)])), dice
    )


def _or_stay(mask: Flags) -> Flags:
    """Return the open moves, and `stay` where there are none; shape (B*N, 5)."""
    moves = mask[:, : STAY + 1].copy()
    moves[:, STAY] = ~moves[:, :STAY].any(axis=1)
    return moves
