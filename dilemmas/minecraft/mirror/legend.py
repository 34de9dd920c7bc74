"""What stands for what: blocks and items of the grid games' world, and where a cell of the grid is.

Floors are full blocks, so that all stand at one height. Items stack to 64, so that whoever gathers much has room.
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
"""Resource -> the item that agents carry."""
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
"""Resource -> the sign of a pile whose most advanced kind it is."""
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
"""Event -> the floor of its cells."""
GROUND, RIM, WALL = "white_concrete", "gray_concrete", "stone_bricks"
CHESTS = ("iron_chestplate", "golden_chestplate", "diamond_chestplate", "leather_chestplate")
"""What agents wear, by role."""
COLOURS = (
    "red", "blue", "green", "yellow", "aqua", "light_purple", "gold", "dark_red", "dark_blue", "dark_green",
    "dark_aqua", "dark_purple",
)  # fmt: skip
"""Of groups' names, again and again."""
REWARD = "reward"
"""The objective at the side of the screen."""
GAMERULES = {
    "doDaylightCycle": "false",
    "doWeatherCycle": "false",
    "doMobSpawning": "false",
    "fallDamage": "false",
}
LINES = 4
"""Of a sign."""


@dataclass(frozen=True)
class Place:
    """Where the grid lies: row 0 is the northern edge, column 0 the western one."""

    game: GridGame
    origin: tuple[int, int, int] = (0, -60, 0)
    """Where the feet of an agent in the first cell are."""

    def at(self, cell: int, up: int = 0) -> str:
        """A cell as a command's argument."""
        x, y, z = self.origin
        row, column = divmod(int(cell), self.game.width)
        return f"{x + column} {y + up} {z + row}"

    def stand(self, cell: int) -> str:
        """The middle of a cell's floor."""
        x, y, z = self.origin
        row, column = divmod(int(cell), self.game.width)
        return f"{x + column + 0.5} {y} {z + row + 0.5}"

    def cell(self, place: tuple[float, float, float]) -> int | None:
        """The cell in whose middle that place is; None for anywhere else."""
        column, up, row = (part - first for part, first in zip(place, self.origin, strict=True))
        inside = 0 <= row < self.game.height and 0 <= column < self.game.width
        if up or column % 1 != 0.5 or row % 1 != 0.5 or not inside:
            return None
        return int(row) * self.game.width + int(column)


def sign_of(names: Sequence[str]) -> str:
    """The sign for these kinds; the last is the most advanced."""
    return SIGNS.get(names[-1], OTHER_SIGN)


def lines_of(amounts: Sequence[tuple[str, int]]) -> list[str]:
    """The lines of a sign for (kind, units): as few kinds a line as there is room for."""
    a_line = -(-len(amounts) // LINES)
    rows = [amounts[first : first + a_line] for first in range(0, len(amounts), max(a_line, 1))]
    lines = [", ".join(f"{count} {kind}" for kind, count in row) for row in rows]
    return lines + [""] * (LINES - len(lines))
