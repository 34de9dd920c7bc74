"""Mapping from grid games to blocks, items and positions.

Floors are full blocks, so that all agents stand at the same height. Items stack to 64, so that inventories have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grid_games import GridGame

ITEMS = {
    "wood": "oak_log",
    "stone": "cobblestone",
    "hammer": "lever",
    "coal": "coal",
    "torch": "torch",
    "iron": "raw_iron",
    "steel": "iron_ingot",
    "shovel": "tripwire_hook",
    "pickaxe": "grindstone",
    "gem_mine": "diamond_ore",
    "clay": "clay_ball",
    "pottery": "flower_pot",
    "cutter": "stonecutter",
    "gem": "diamond",
    "totem": "conduit",
}
"""Resource -> item that agents carry."""
SIGNS = {
    "wood": "oak_sign",
    "stone": "birch_sign",
    "hammer": "spruce_sign",
    "coal": "dark_oak_sign",
    "torch": "bamboo_sign",
    "iron": "acacia_sign",
    "steel": "jungle_sign",
    "gem_mine": "warped_sign",
    "clay": "mangrove_sign",
    "gem": "crimson_sign",
}
"""Resource -> sign of a pile whose most advanced resource it is."""
OTHER_SIGN = "cherry_sign"
FLOORS = {
    "hammer_craft": "smithing_table",
    "torch_craft": "crafting_table",
    "steelmaking": "blast_furnace",
    "potting": "terracotta",
    "shovel_craft": "fletching_table",
    "pickaxe_craft": "cartography_table",
    "cutter_craft": "loom",
    "gem_cutting": "diamond_block",
    "totem_making": "gold_block",
}
"""Event -> floor of its cells."""
GROUND, RIM, WALL = "white_concrete", "gray_concrete", "stone_bricks"
CHESTS = ("iron_chestplate", "golden_chestplate", "diamond_chestplate", "leather_chestplate")
"""Chestplates of agents, by role."""
COLOURS = (
    "red", "blue", "green", "yellow", "aqua", "light_purple", "gold", "dark_red", "dark_blue", "dark_green",
    "dark_aqua", "dark_purple",
)  # fmt: skip
"""Colours of group names, repeated if there are more groups."""
REWARD = "reward"
"""Objective shown in the sidebar."""
GAMERULES = {
    "doDaylightCycle": "false",
    "doWeatherCycle": "false",
    "doMobSpawning": "false",
    "fallDamage": "false",
}
LINES = 4
"""Number of lines on a sign."""


@dataclass(frozen=True)
class Place:
    """Position of the grid in the world: row 0 is the northern edge, column 0 the western one."""

    game: GridGame
    origin: tuple[int, int, int] = (0, -60, 0)
    """Position of an agent's feet in the first cell."""

    def at(self, cell: int, up: int = 0) -> str:
        """Return a cell, raised by `up` blocks, as a command's argument."""
        x, y, z = self.origin
        row, column = divmod(int(cell), self.game.width)
        return f"{x + column} {y + up} {z + row}"

    def stand(self, cell: int) -> str:
        """Return the center of a cell's floor as a command's argument."""
        x, y, z = self.origin
        row, column = divmod(int(cell), self.game.width)
        return f"{x + column + 0.5} {y} {z + row + 0.5}"

    def cell(self, place: tuple[float, float, float]) -> int | None:
        """Return the cell with that center; None for any other position."""
        column, up, row = (part - first for part, first in zip(place, self.origin, strict=True))
        inside = 0 <= row < self.game.height and 0 <= column < self.game.width
        if up or column % 1 != 0.5 or row % 1 != 0.5 or not inside:
            return None
        return int(row) * self.game.width + int(column)


def sign_of(names: Sequence[str]) -> str:
    """Return the sign for a pile of these resources, of which the last is the most advanced."""
    return SIGNS.get(names[-1], OTHER_SIGN)


def lines_of(amounts: Sequence[tuple[str, int]]) -> list[str]:
    """Return a sign's lines for (kind, units), with as few kinds per line as possible."""
    a_line = -(-len(amounts) // LINES)
    rows = [amounts[first : first + a_line] for first in range(0, len(amounts), max(a_line, 1))]
    lines = [", ".join(f"{count} {kind}" for kind, count in row) for row in rows]
    return lines + [""] * (LINES - len(lines))
