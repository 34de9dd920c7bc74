"""Reading of a mirror's state from the world alone, for tests and verification."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import numpy as np

from bridge.errors import CommandError, ServerError
from dilemmas.minecraft import commands, snbt
from dilemmas.minecraft.mirror import legend
from dilemmas.minecraft.mirror.drawing import Mirror
from dilemmas.minecraft.mirror.picture import ALONE, Picture, picture_of
from grid_games.arrays import Flags, Ints

_MEMBERS = re.compile(r"Team \[.*?\] has \d+ member\(?s?\)?: (.*)$", re.DOTALL)


async def read_mirror(mirror: Mirror, *, ground: bool = True) -> Picture:
    """Return the state that the mirror's world shows.

    Args:
        mirror: Mirror to read.
        ground: Read walls and floors too, which are most of the queries; otherwise they come from the batch.

    Raises:
        ServerError: Something in the world has no meaning in a grid game.
    """
    names, drawn = mirror.players, picture_of(mirror.batch, mirror.environment)
    places = await commands.positions(mirror.world, names)
    cells = [mirror.place.cell(places.get(name, (0.0, -1000.0, 0.0))) for name in names]
    if None in cells:
        lost = names[cells.index(None)]
        raise ServerError(f"{lost} is at {places.get(lost)}, which is no cell's middle")
    scores = await commands.scores(mirror.world, names)
    return Picture(
        blocks=await _are(mirror, legend.WALL, 0) if ground else drawn.blocks,
        events=await _events(mirror) if ground else drawn.events,
        piles=await _piles(mirror),
        places=np.array(cells, np.intp),
        inventory=await _inventory(mirror),
        groups=await _groups(mirror),
        rewards=np.array([scores[name][legend.REWARD] for name in names], np.intp),
    )


async def _are(mirror: Mirror, block: str, up: int) -> Flags:
    """Return (C,) flags of the cells with `block`, `up` blocks above the feet."""
    asked = [f"execute if block {mirror.place.at(cell, up)} minecraft:{block}" for cell in _cells(mirror)]
    return np.array([str(each).startswith(commands.TEST_PASSED) for each in await mirror.world.commands(asked)])


async def _events(mirror: Mirror) -> Ints:
    found: Ints = np.full(mirror.batch.game.cells, -1, np.intp)
    floors = [legend.GROUND, *(legend.FLOORS[recipe.name] for recipe in mirror.batch.game.recipes)]
    for kind, floor in enumerate(floors):
        found[await _are(mirror, floor, -1)] = kind
    if (found < 0).any():
        raise ServerError(f"cell {int(found.argmin())} has a floor that stands for nothing")
    return found


async def _piles(mirror: Mirror) -> Ints:
    kinds = [each.name for each in mirror.batch.game.resources]
    found: Ints = np.zeros((mirror.batch.game.cells, len(kinds)), np.intp)
    asked = [f"data get block {mirror.place.at(cell)} front_text.messages" for cell in _cells(mirror)]
    for cell, reply in enumerate(await mirror.world.commands(asked)):
        if isinstance(reply, CommandError):
            if not reply.reply.startswith(commands.NO_BLOCK_ENTITY):
                raise reply
            continue
        for count, kind in _amounts(reply):
            found[cell, kinds.index(kind)] += count
        if not found[cell].any():
            raise ServerError(f"there is a sign without a pile at {mirror.place.at(cell)}")
    return found


def _amounts(reply: str) -> list[tuple[int, str]]:
    """Return (units, kind) written on a sign."""
    told = snbt.parse(reply.partition("has the following block data: ")[2])
    lines = [json.loads(str(line)) for line in told] if isinstance(told, list) else []
    words = [line if isinstance(line, str) else str(line["text"]) for line in lines]
    parts = [part.split(" ") for line in words if line for part in line.split(", ")]
    return [(int(count), kind) for count, kind in parts]


async def _inventory(mirror: Mirror) -> Ints:
    kinds = [each.name for each in mirror.batch.game.resources]
    columns = [await commands.held(mirror.world, mirror.players, legend.ITEMS[kind]) for kind in kinds]
    return np.array([[column.get(name, 0) for column in columns] for name in mirror.players], np.intp)


async def _groups(mirror: Mirror) -> Ints:
    found: Ints = np.full(len(mirror.players), ALONE, np.intp)
    asked = [f"team list group_{group}" for group in range(mirror.batch.game.groups)]
    for group, reply in enumerate(await mirror.world.commands(asked)):
        members = _MEMBERS.match(str(reply))
        for name in members[1].split(", ") if members else ():
            found[mirror.players.index(name)] = group
    return found


def _cells(mirror: Mirror) -> Sequence[int]:
    return range(mirror.batch.game.cells)
